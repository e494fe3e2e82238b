//! The aiming solver on a pose: one joint, or a chain whose joints take shares, exact at the last.

use alloc::vec::Vec;

use glam::DVec3;

use super::left::{Left, MET};
use super::part::{CARRIED, TURN, is_blocked};
use super::rounds::{History, take_up};
use super::view::AimTask;
use super::walk::walk;
use crate::chain::{Chain, ChainError};
use crate::goal::{Goal, Slack, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::budget::Budget;
use crate::solve::problem::{self, Engine};
use crate::solve::report::{Miss, report};
use crate::solve::{Outcome, Solver, Start, Status, Workspace};

/// Passes at most.
const PASSES: u32 = 64;
/// Share of the angle left that a limit must keep a joint from to be named.
const BLOCKED: f64 = 0.1;
/// Price of what a joint shares with each of the others in a walk.
const SHARED: usize = 15;

/// A joint of a chain and how much of the turn it takes, relative to the others.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Share {
    /// The joint.
    pub joint: Joint,
    /// Not negative. A joint with 0 does not turn, except the last, which always takes what is left.
    pub share: f64,
}

/// Aims an axis of the last joint of a chain at a point or along a direction.
///
/// Serves aim and axis goals of that joint whose base, if any, is not below the first joint; of several, the first in
/// solving order. From the base on, every joint takes its share of the turn that is left. The last takes all of it, so
/// the aim is exact. A hinge takes the angle about its axis, and shares it with hinges below that turn about the same
/// axis. What a limit keeps one joint from doing, the others do. When they cannot do all of it, the axis is met before
/// the up.
///
/// A point too near for the offset, or behind the start of the ray, is [`Status::TooClose`]. An axis or direction of
/// length zero is [`Status::Singular`] and moves nothing. An aim that limits hold and that takes more work than a solve may
/// do is [`Status::OutOfIterations`]; [`Workspace::patience`] allows more.
#[doc(alias = "look at")]
#[doc(alias = "LookAt")]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Aim {
    /// The chain, base first, each joint below the one before; the last one is aimed.
    pub joints: Vec<Share>,
    /// The axis (in the aimed joint's frame) that turns toward the goal's up; by default the one that lies along it at
    /// rest.
    pub up_axis: Option<DVec3>,
    /// Roll about the line of sight (radians), right-handed in the space of the joint's parent. It is counted from the
    /// roll that the goal's up gives, or without an up from the shortest turn of the chain at rest. `None` by default:
    /// without an up the turn is then the shortest from the pose given.
    pub roll: Option<f64>,
    /// The pose to start from; [`Start::Given`] by default.
    pub start: Start,
}

/// What a solve keeps: joints that may move, joints at limits.
#[derive(Debug, Default)]
struct Scratch {
    movers: Vec<Share>,
    blocked: Vec<Joint>,
    history: History,
}

impl Scratch {
    /// Empties the lists, with room for so many joints each.
    fn clear(&mut self, joints: usize, pose: &Pose) {
        self.movers.clear();
        self.movers.reserve(joints);
        self.blocked.clear();
        self.blocked.reserve(joints);
        self.history.fit(pose);
    }
}

impl Aim {
    /// One joint alone, which must be able to turn.
    pub fn new(skeleton: &Skeleton, joint: Joint) -> Result<Self, ChainError> {
        Self::over(skeleton, joint, joint)
    }

    /// The chain from `base` to `joint`, which is aimed, in equal shares. Joints between that cannot turn are left out;
    /// at least one must be able to.
    pub fn over(skeleton: &Skeleton, base: Joint, joint: Joint) -> Result<Self, ChainError> {
        let path = Chain::new(skeleton, base, joint)?;
        let turns = |joint: Joint| skeleton.kind(joint).turns();
        if !path.joints().iter().any(|&joint| turns(joint)) {
            return Err(ChainError::stiff(skeleton, joint));
        }
        let kept = path.joints().iter().filter(|&&each| turns(each) || each == joint);
        let joints = kept.map(|&joint| Share { joint, share: 1.0 }).collect();
        Ok(Self { joints, up_axis: None, roll: None, start: Start::Given })
    }

    fn last(&self) -> Option<Joint> {
        self.joints.last().map(|share| share.joint)
    }

    /// Whether the joints are a chain of the skeleton's, base first.
    fn is_chain_of(&self, skeleton: &Skeleton) -> bool {
        let known = self.joints.iter().all(|share| skeleton.contains(share.joint));
        let below = |pair: &[Share]| pair[0].joint != pair[1].joint && skeleton.is_below(pair[1].joint, pair[0].joint);
        let finite = self.up_axis.is_none_or(DVec3::is_finite) && self.roll.is_none_or(f64::is_finite);
        known && !self.joints.is_empty() && finite && self.joints.windows(2).all(below)
    }

    /// Lists the joints that may move, base first.
    fn list_movers(&self, skeleton: &Skeleton, last: Joint, work: &Workspace, movers: &mut Vec<Share>) {
        movers.clear();
        movers.extend(self.joints.iter().filter_map(|&Share { joint, share }| {
            let share = if share.is_finite() { share.max(0.0) } else { 0.0 };
            let moves = skeleton.kind(joint).turns() && !work.is_owned(skeleton, joint, last);
            (moves && (share > 0.0 || joint == last)).then_some(Share { joint, share })
        }));
    }

    /// Solves the goal, whose weight refers to the entry: the status, and the passes made.
    fn place(
        &self,
        skeleton: &Skeleton,
        goal: &Goal,
        work: &mut Workspace,
        pose: &mut Pose,
        scratch: &mut Scratch,
    ) -> (Status, u32) {
        let ends = self.joints.first().zip(scratch.movers.last());
        let Some((first, tail)) = ends.map(|(first, tail)| (first.joint, tail.joint)) else {
            return (Status::Stalled, 0);
        };
        let task = AimTask::new(skeleton, goal, (first, tail), self.up_axis, self.roll);
        let Some(task) = task.map(|task| task.eased(work.entry().unwrap_or(pose))) else {
            return (Status::Singular, 0);
        };
        let sight = |pose: &Pose| task.view(tail, pose).map_or(Err(Status::Singular), |v| v.source.sight(v.mark));
        if let Err(Status::Singular) = sight(pose) {
            return (Status::Singular, 0);
        }
        let passes = turn_chain(&task, &scratch.movers, pose, (&mut scratch.history, work.budget()));
        let left = Left::of(&task, pose).map_or(0.0, |left| left.aim);
        let met = left <= MET;
        if !met {
            let blocked = scratch.movers.iter().map(|mover| mover.joint).filter(|&joint| {
                task.view(joint, pose).is_some_and(|view| is_blocked(skeleton, pose, joint, &view, BLOCKED * left))
            });
            scratch.blocked.extend(blocked);
        }
        let status = match sight(pose).map_or_else(|status| status, |sight| sight.status) {
            Status::Reached if !scratch.blocked.is_empty() => Status::Limited,
            Status::Reached if !met && work.budget().is_spent() => Status::OutOfIterations,
            Status::Reached if !met => Status::Stalled,
            other => other,
        };
        (status, passes)
    }
}

/// Walks, and where that leaves something, lets the others take it up, until a pass gains too little:
/// that pass is taken back, so that solving ten thousand times is solving once.
fn turn_chain(
    task: &AimTask<'_>,
    movers: &[Share],
    pose: &mut Pose,
    (history, budget): (&mut History, &mut Budget),
) -> u32 {
    let mut rounds = 0;
    for _ in 0..PASSES {
        if budget.is_spent() {
            break;
        }
        let Some(given) = Left::of(task, pose).filter(|left| !left.is_nothing()) else { break };
        history.given.clone_from(pose);
        budget.spend(movers.len() * (TURN + CARRIED * pose.len() + SHARED * movers.len()));
        walk(task, movers, pose);
        rounds += 1;
        if !Left::of(task, pose).is_some_and(Left::is_nothing) {
            rounds += take_up(task, movers, pose, (history, budget));
        }
        if !Left::of(task, pose).is_some_and(|left| left.is_worth(given)) {
            core::mem::swap(&mut history.given, pose);
            break;
        }
    }
    rounds
}

impl Solver for Aim {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        problem::solve(self, skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let kind = matches!(goal.target, Target::Aim { .. } | Target::Axis { .. });
        let above = |base| self.joints.first().is_some_and(|first| skeleton.is_below(first.joint, base));
        kind && goal.slack == Slack::NONE && self.last() == Some(goal.joint) && goal.base.is_none_or(above)
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        problem::prepare(self, skeleton, goals, pose, work);
    }
}

impl Engine for Aim {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, skeleton: &Skeleton, _: &[Goal], pose: &Pose) -> bool {
        self.is_chain_of(skeleton) && self.last().is_some_and(|last| pose.model(last).is_finite())
    }

    fn make_room(&self, _: &Skeleton, _: &[Goal], pose: &Pose, work: &mut Workspace) {
        let mut scratch = work.take::<Scratch>();
        scratch.clear(self.joints.len(), pose);
        work.put(scratch);
    }

    fn tolerance(&self, _: &Skeleton, _: &[Goal], _: &Goal, _: &Pose) -> Tolerance {
        Tolerance { position: 0.0, rotation: MET }
    }

    fn starts_at_rest(&self) -> bool {
        self.start == Start::Rest
    }

    fn in_scope(&self, skeleton: &Skeleton, _: &Goal, joint: Joint) -> bool {
        skeleton.kind(joint).turns() && self.joints.iter().any(|share| share.joint == joint)
    }

    fn may_stay(&self, _: &Goal, _: &Pose) -> bool {
        self.roll.is_none()
    }

    fn up_axis(&self, _: &Skeleton, _: &Goal) -> Option<DVec3> {
        None
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let acts = |goal: &&Goal| self.acts_on(skeleton, goal);
        let goal = work.order().map(|i| &goals[i]).find(acts);
        let Some((goal, last)) = goal.zip(self.last()) else { return work.outcome(0) };
        let mut scratch = work.take::<Scratch>();
        self.list_movers(skeleton, last, work, &mut scratch.movers);
        let (status, passes) = self.place(skeleton, goal, work, pose, &mut scratch);
        for (i, goal) in goals.iter().enumerate().filter(|(_, goal)| acts(goal)) {
            let own = self.tolerance(skeleton, goals, goal, pose);
            report(skeleton, (i, goal), pose, own, work, |work| {
                scratch.blocked.iter().for_each(|&joint| work.block(i, joint));
                Miss { spent: status == Status::OutOfIterations, ..Miss::of(status) }
            });
        }
        work.put(scratch);
        work.outcome(passes)
    }
}
