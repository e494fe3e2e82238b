//! What one joint may not do, the others take up: rounds from the tail to the base in which every
//! joint turns as well as it may towards what is left (coordinate descent on the angle of the aim),
//! leaping along where rounds keep gaining alike. Limits leave several valleys: the chain's zero and
//! some turns of it are tried too.

use alloc::boxed::Box;

use glam::DQuat;

use super::solver::Share;
use super::view::{Wanted, Wish};
use super::walk::{Left, MET, best_turn};
use crate::math::arc;
use crate::pose::Pose;
use crate::solve::Workspace;
use crate::transform::Transform;

/// Rounds at most, with the up and without.
const WITH_UP: u32 = 4;
const ROUNDS: u32 = 32;
/// Share of the angle left that a round must gain to be followed by another.
const GAIN: f64 = 1e-4;
/// Angle (radians) by which another valley must be deeper.
const DEEPER: f64 = 5e-4;
/// Longest leap, in rounds.
const LEAP: f64 = 1e3;

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

/// Buffers of a descent.
#[derive(Debug, Default)]
struct Trail {
    best: Pose,
    before: Pose,
    after: Pose,
}

/// Improves the pose until nothing is left or no progress is made; the number of rounds. The best pose
/// met is left.
pub(super) fn take_up(wish: &Wish<'_>, movers: &[Share], pose: &mut Pose, work: &mut Workspace) -> u32 {
    let mut trail = work.take::<Trail>();
    let free = Wish { roll: Wanted::Any, ..*wish };
    let mut rounds =
        if matches!(wish.roll, Wanted::Any) { 0 } else { descend(wish, movers, pose, &mut trail, WITH_UP) };
    rounds += descend(&free, movers, pose, &mut trail, ROUNDS);
    rounds += seek(&free, movers, pose, &mut trail, work);
    work.put(trail);
    rounds
}

/// Looks for a deeper valley where the aim is not met.
fn seek(wish: &Wish<'_>, movers: &[Share], pose: &mut Pose, trail: &mut Box<Trail>, work: &mut Workspace) -> u32 {
    let Some(mut least) = Left::of(wish, pose) else { return 0 };
    let mut deepest = work.take::<Pose>();
    (*deepest).clone_from(pose);
    let mut rounds = 0;
    for start in STARTS {
        if least.aim <= MET {
            break;
        }
        for mover in movers {
            let rotation = wish.skeleton.zero(mover.joint).rotation * start;
            set(wish, mover, rotation, pose);
        }
        rounds += descend(wish, movers, pose, trail, ROUNDS);
        if let Some(left) = Left::of(wish, pose).filter(|left| left.aim < least.aim - DEEPER) {
            least = left;
            (*deepest).clone_from(pose);
        }
    }
    core::mem::swap(&mut *deepest, pose);
    work.put(deepest);
    rounds
}

/// Rounds until nothing is left or none gains.
fn descend(wish: &Wish<'_>, movers: &[Share], pose: &mut Pose, trail: &mut Trail, most: u32) -> u32 {
    let Some(mut last) = Left::of(wish, pose) else { return 0 };
    let mut least = last;
    trail.best.clone_from(pose);
    let (mut idle, mut rounds, mut gain) = (0, 0, 0.0);
    while rounds < most && idle < 2 && !least.is_nothing() {
        rounds += 1;
        trail.before.clone_from(pose);
        for mover in movers.iter().rev() {
            let _ = best_turn(wish, mover.joint, pose);
        }
        let Some(mut left) = Left::of(wish, pose) else { break };
        let gained = last.aim - left.aim;
        if gained > 0.0 && gained < gain {
            let leap = (gained / (gain - gained)).min(LEAP);
            left = leaped(wish, movers, pose, trail, leap, left);
        }
        gain = gained;
        last = left;
        let gained = left.aim < least.aim * (1.0 - GAIN) || left.whole < least.whole * (1.0 - GAIN);
        idle = if gained { 0 } else { idle + 1 };
        if left.is_better(least) {
            least = left;
            trail.best.clone_from(pose);
        }
    }
    core::mem::swap(&mut trail.best, pose);
    rounds
}

/// Goes on by so many rounds like the last one, where that brings the aim nearer.
fn leaped(wish: &Wish<'_>, movers: &[Share], pose: &mut Pose, trail: &mut Trail, leap: f64, left: Left) -> Left {
    trail.after.clone_from(pose);
    for mover in movers {
        let (from, to) = (trail.before.local(mover.joint).rotation, trail.after.local(mover.joint).rotation);
        let from = if from.dot(to) < 0.0 { -from } else { from };
        set(wish, mover, arc::normalize(to + (to - from) * leap), pose);
    }
    match Left::of(wish, pose) {
        Some(farther) if farther.aim < left.aim => farther,
        _ => {
            core::mem::swap(&mut trail.after, pose);
            left
        }
    }
}

/// Sets a joint to the allowed rotation nearest to the one given.
fn set(wish: &Wish<'_>, mover: &Share, rotation: DQuat, pose: &mut Pose) {
    let local = Transform { rotation, ..*pose.local(mover.joint) };
    let near = pose.value(wish.skeleton, mover.joint);
    let allowed = wish.skeleton.nearest_allowed(mover.joint, &local, near);
    pose.edit(wish.skeleton).local(mover.joint, allowed);
}
