//! What one joint may not do, the others take up: rounds from the tail to the base in which every
//! joint turns as well as it may towards what is left (coordinate descent on the angle of the aim).
//!
//! Where rounds gain ever less, in even proportion, they are summed up in one leap. Limits leave
//! several valleys: the chain's zero and a few turns of it are tried too.

use glam::DQuat;

use super::left::{Left, MET};
use super::part::best_turn;
use super::solver::Share;
use super::view::{Wanted, Wish};
use crate::math::arc;
use crate::pose::Pose;
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
pub(super) struct Trail {
    /// As given to a pass.
    pub(super) given: Pose,
    /// In the deepest valley, and the best of a descent.
    deepest: Pose,
    best: Pose,
    /// Before and after a round.
    before: Pose,
    after: Pose,
}

impl Trail {
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
pub(super) fn take_up(wish: &Wish<'_>, movers: &[Share], pose: &mut Pose, trail: &mut Trail) -> u32 {
    // Where limits forbid both, the aim counts and the up yields.
    let free = Wish { roll: Wanted::Any, ..*wish };
    let hinted = !matches!(wish.roll, Wanted::Any);
    let with_up = if hinted { descend(wish, movers, pose, trail, WITH_UP) } else { 0 };
    with_up + descend(&free, movers, pose, trail, ROUNDS) + seek(&free, movers, pose, trail)
}

/// Rounds until nothing is left or none gains; the best pose met is left.
fn descend(wish: &Wish<'_>, movers: &[Share], pose: &mut Pose, trail: &mut Trail, most: u32) -> u32 {
    let Some(mut last) = Left::of(wish, pose) else { return 0 };
    let mut least = last;
    trail.best.clone_from(pose);
    let (mut idle, mut rounds, mut before) = (0, 0, 0.0);
    while rounds < most && idle < IDLE && !least.is_nothing() {
        rounds += 1;
        trail.before.clone_from(pose);
        for mover in movers.iter().rev() {
            best_turn(wish, mover.joint, pose);
        }
        let Some(mut left) = Left::of(wish, pose) else { break };
        let gained = last.aim - left.aim;
        if gained > 0.0 && gained < before {
            left = leap(wish, movers, pose, trail, (gained / (before - gained)).min(LEAP), left);
        }
        let gains = left.aim < least.aim * (1.0 - GAIN) || left.whole < least.whole * (1.0 - GAIN);
        idle = if gains { 0 } else { idle + 1 };
        if left.is_better(least) {
            least = left;
            trail.best.clone_from(pose);
        }
        (before, last) = (gained, left);
    }
    core::mem::swap(&mut trail.best, pose);
    rounds
}

/// Goes on by so many rounds like the last one, where that brings the aim nearer.
fn leap(wish: &Wish<'_>, movers: &[Share], pose: &mut Pose, trail: &mut Trail, rounds: f64, left: Left) -> Left {
    trail.after.clone_from(pose);
    for mover in movers {
        let (from, to) = (trail.before.local(mover.joint).rotation, trail.after.local(mover.joint).rotation);
        let from = if from.dot(to) < 0.0 { -from } else { from };
        set(wish, mover, arc::normalize(to + (to - from) * rounds), pose);
    }
    match Left::of(wish, pose) {
        Some(farther) if farther.aim < left.aim => farther,
        _ => {
            core::mem::swap(&mut trail.after, pose);
            left
        }
    }
}

/// Looks for a deeper valley where the aim is not met.
fn seek(wish: &Wish<'_>, movers: &[Share], pose: &mut Pose, trail: &mut Trail) -> u32 {
    let Some(mut least) = Left::of(wish, pose) else { return 0 };
    trail.deepest.clone_from(pose);
    let mut rounds = 0;
    for start in STARTS {
        if least.aim <= MET {
            break;
        }
        for mover in movers {
            set(wish, mover, wish.skeleton.zero(mover.joint).rotation * start, pose);
        }
        rounds += descend(wish, movers, pose, trail, ROUNDS);
        if let Some(left) = Left::of(wish, pose).filter(|left| left.aim < least.aim - DEEPER) {
            least = left;
            trail.deepest.clone_from(pose);
        }
    }
    core::mem::swap(&mut trail.deepest, pose);
    rounds
}

/// Sets a joint to the allowed rotation nearest to the one given.
fn set(wish: &Wish<'_>, mover: &Share, rotation: DQuat, pose: &mut Pose) {
    let local = Transform { rotation, ..*pose.local(mover.joint) };
    let near = pose.value(wish.skeleton, mover.joint);
    let allowed = wish.skeleton.nearest_allowed(mover.joint, &local, near);
    pose.edit(wish.skeleton).local(mover.joint, allowed);
}
