//! What one joint may not do, the others take up: rounds from the tail to the base in which every
//! joint turns as well as it may towards what is left (coordinate descent on the angle of the aim).
//!
//! Where rounds gain ever less, in even proportion, they are summed up in one leap. Limits leave
//! several valleys: the chain's zero and a few turns of it are tried too.

use glam::DQuat;

use super::left::{Left, MET};
use super::part::best_turn;
use super::solver::Share;
use super::view::{AimTask, Wanted};
use crate::math::arc;
use crate::pose::Pose;
use crate::solve::budget::Budget;
use crate::transform::Transform;

/// Rounds at most, with the up and without.
const WITH_UP: u32 = 4;
const ROUNDS: u32 = 32;
/// Share of the angle left that a round must gain, and how many in a row may not.
const GAIN: f64 = 1e-4;
const IDLE: u32 = 2;
/// Longest leap, in rounds.
const LEAP: f64 = 1e3;
/// Angle (radians) by which another valley must be deeper.
const DEEPER: f64 = 5e-4;

/// Price of a round beside its turns, and of each of the skeleton's joints in it.
const ROUND: usize = 300;
const JOINT: usize = 20;

/// Turns of every joint from its zero, in its own frame, from which other valleys are sought.
const STARTS: [DQuat; 8] = [
    DQuat::IDENTITY,
    DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
    DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
    DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0),
    DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
    DQuat::from_xyzw(0.5, -0.5, -0.5, 0.5),
    DQuat::from_xyzw(-0.5, 0.5, -0.5, 0.5),
    DQuat::from_xyzw(-0.5, -0.5, 0.5, 0.5),
];

/// Poses kept on the way.
#[derive(Debug, Default)]
pub(super) struct History {
    /// As given to a pass.
    pub(super) given: Pose,
    /// In the deepest valley, and the best of a descent.
    deepest: Pose,
    best: Pose,
    /// Before and after a round.
    before: Pose,
    after: Pose,
}

impl History {
    /// Grows the buffers at once, so that a later solve that needs more of them does not allocate.
    pub(super) fn fit(&mut self, pose: &Pose) {
        for kept in [&mut self.given, &mut self.deepest, &mut self.best, &mut self.before, &mut self.after] {
            if kept.len() != pose.len() {
                kept.clone_from(pose);
            }
        }
    }
}

/// Improves the pose until nothing is left or no progress is made; the number of rounds.
pub(super) fn take_up(
    task: &AimTask<'_>,
    movers: &[Share],
    pose: &mut Pose,
    (history, budget): (&mut History, &mut Budget),
) -> u32 {
    // Where limits forbid both, the aim counts and the up yields.
    let free = AimTask { roll: Wanted::Any, ..*task };
    let hinted = !matches!(task.roll, Wanted::Any);
    let with_up = if hinted { descend(task, movers, pose, (history, budget), WITH_UP) } else { 0 };
    let without = descend(&free, movers, pose, (history, budget), ROUNDS);
    with_up + without + seek(&free, movers, pose, (history, budget))
}

/// Rounds until nothing is left or none gains; the best pose met is left.
fn descend(
    task: &AimTask<'_>,
    movers: &[Share],
    pose: &mut Pose,
    (history, budget): (&mut History, &mut Budget),
    most: u32,
) -> u32 {
    let Some(mut last) = Left::of(task, pose) else { return 0 };
    let mut least = last;
    history.best.clone_from(pose);
    let (mut idle, mut rounds, mut before) = (0, 0, 0.0);
    while rounds < most && idle < IDLE && !least.is_nothing() && !budget.is_spent() {
        rounds += 1;
        budget.spend(ROUND + JOINT * pose.len());
        history.before.clone_from(pose);
        for mover in movers.iter().rev() {
            best_turn(task, mover.joint, pose, budget);
        }
        let Some(mut left) = Left::of(task, pose) else { break };
        let gained = last.aim - left.aim;
        if gained > 0.0 && gained < before {
            left = leap(task, movers, pose, history, (gained / (before - gained)).min(LEAP), left);
        }
        let gains = left.aim < least.aim * (1.0 - GAIN) || left.whole < least.whole * (1.0 - GAIN);
        idle = if gains { 0 } else { idle + 1 };
        if left.is_better(least) {
            least = left;
            history.best.clone_from(pose);
        }
        (before, last) = (gained, left);
    }
    core::mem::swap(&mut history.best, pose);
    rounds
}

/// Goes on by so many rounds like the last one, where that brings the aim nearer.
fn leap(task: &AimTask<'_>, movers: &[Share], pose: &mut Pose, history: &mut History, rounds: f64, left: Left) -> Left {
    history.after.clone_from(pose);
    for mover in movers {
        let (from, to) = (history.before.local(mover.joint).rotation, history.after.local(mover.joint).rotation);
        let from = if from.dot(to) < 0.0 { -from } else { from };
        set(task, mover, arc::normalize(to + (to - from) * rounds), pose);
    }
    match Left::of(task, pose) {
        Some(farther) if farther.aim < left.aim => farther,
        _ => {
            core::mem::swap(&mut history.after, pose);
            left
        }
    }
}

/// Looks for a deeper valley where the aim is not met.
fn seek(task: &AimTask<'_>, movers: &[Share], pose: &mut Pose, (history, budget): (&mut History, &mut Budget)) -> u32 {
    let Some(mut least) = Left::of(task, pose) else { return 0 };
    history.deepest.clone_from(pose);
    let mut rounds = 0;
    for start in STARTS {
        if least.aim <= MET || budget.is_spent() {
            break;
        }
        for mover in movers {
            set(task, mover, task.skeleton.zero(mover.joint).rotation * start, pose);
        }
        rounds += descend(task, movers, pose, (history, budget), ROUNDS);
        if let Some(left) = Left::of(task, pose).filter(|left| left.aim < least.aim - DEEPER) {
            least = left;
            history.deepest.clone_from(pose);
        }
    }
    core::mem::swap(&mut history.deepest, pose);
    rounds
}

/// Sets a joint to the allowed rotation nearest to the one given.
fn set(task: &AimTask<'_>, mover: &Share, rotation: DQuat, pose: &mut Pose) {
    let local = Transform { rotation, ..*pose.local(mover.joint) };
    let near = pose.value(task.skeleton, mover.joint);
    let allowed = task.skeleton.nearest_allowed(mover.joint, &local, near);
    pose.edit(task.skeleton).local(mover.joint, allowed);
}
