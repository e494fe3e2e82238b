//! The solver on a pose.

use alloc::vec::Vec;

use super::arm::{Arm, ArmError};
use super::asked::Asked;
use super::groups::Groups;
use super::lanes::{Alone, Dispatch};
use super::lay::Span;
use super::search::{Found, Room};
use crate::goal::{Goal, Target, Tolerance};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::jacobian::weight::part_way;
use crate::solve::seen::{Seen, make_room};
use crate::solve::{Jacobian, Outcome, Residual, Solver, Status, Workspace, is_usable, refuse};

/// Moves one chain of hinges and slides a goal, ten times as quickly as [`Jacobian`](crate::Jacobian).
///
/// Serves positions, rotations, frames and axes without an up, masked, offset, with slack, relative to joints; a place and
/// a turn or axis of the same joint (five axes) at once. Those move that lie between the goal's
/// base (or else the root) and its own joint, from below the last ball or free joint there; what a target is measured
/// from stands still. Other goals whose chains share a coordinate are solved together, by `Jacobian` with as many restarts.
/// Scales along the chain must be even; above it a mirror may be, but no shear, else the goal is
/// [`Singular`](Status::Singular).
///
/// Engines without a [`Pose`] call [`Arm::solve`], with the same settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Serial {
    /// Steps of each descent at most; 50 by default: half a dozen are usual.
    pub iterations: u32,
    /// Other values to start from where those given lead nowhere, always the same ones; 0 by default, since the answer
    /// may jump from frame to frame. A hundred find all but one in some thousand frames in reach of a robot's arm.
    pub restarts: u32,
    /// Distance that counts as met, as a share of the chain's length, where a goal has no tolerance of its own; 1e-10 by
    /// default, since the last steps double the digits.
    pub position_tolerance: f64,
    /// Angle (radians) that counts as met; 1e-10 by default.
    pub rotation_tolerance: f64,
}

impl Default for Serial {
    fn default() -> Self {
        Self { iterations: 50, restarts: 0, position_tolerance: 1e-10, rotation_tolerance: 1e-10 }
    }
}

/// What a solve keeps.
#[derive(Debug, Default)]
struct Scratch {
    /// By rank: what is worked out for one may do for the next solve.
    arms: Vec<Arm>,
    seed: Vec<f64>,
    answer: Vec<f64>,
    groups: Groups,
    /// For goals that share coordinates.
    general: Jacobian,
    goals: Vec<Goal>,
    inner: Workspace,
    seen: Seen,
}

/// Share by which what is left in the pose may be more than in the chain: rounding.
const ROUNDING: f64 = 1.01;
/// Steps of the general solver, which takes more, by one of this one's.
const GENERAL: u32 = 4;

impl Solver for Serial {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        self.solve_by(skeleton, goals, pose, work, &Alone)
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        if is_usable(skeleton, goals, pose) {
            self.make_room(skeleton, goals, pose, work);
        }
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let span = Span::of(goal);
        let first = Some(goal.joint).filter(|&joint| span.admits(skeleton, joint));
        let mut path = core::iter::successors(first, |&joint| span.above(skeleton, joint));
        let frame = matches!(goal.target, Target::Position(_) | Target::Rotation(_) | Target::Frame { .. });
        (frame || matches!(goal.target, Target::Axis { up: None, .. }))
            && path.any(|joint| skeleton.drive(joint).is_some())
    }
}

impl Serial {
    pub(super) fn solve_by(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
        dispatch: &impl Dispatch,
    ) -> Outcome {
        if !is_usable(skeleton, goals, pose) {
            return refuse(goals, work);
        }
        self.make_room(skeleton, goals, pose, work);
        work.begin(goals);
        let mut scratch = work.take::<Scratch>();
        self.group(skeleton, goals, pose, (&mut scratch, work));
        let mut iterations = 0;
        for rank in 0..goals.len() {
            let (first, second, more) = {
                let mut members = scratch.groups.members(rank);
                (members.next(), members.next(), members.next())
            };
            let goal = |rank| &goals[work.ranked(rank)];
            iterations += match (first, second, more) {
                (None, ..) => 0,
                (Some(_), None, _) => self.serve(skeleton, ((rank, None), goals), pose, (&mut scratch, work), dispatch),
                (Some(one), Some(other), None) if is_one_frame(goal(one), goal(other)) => {
                    self.serve(skeleton, ((one, Some(other)), goals), pose, (&mut scratch, work), dispatch)
                }
                _ => self.serve_together(skeleton, (rank, goals), pose, (&mut scratch, work)),
            };
        }
        work.put(scratch);
        work.outcome(iterations)
    }

    /// Lays the goals' arms and groups them.
    fn group(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, (scratch, work): (&mut Scratch, &mut Workspace)) {
        scratch.groups.clear(goals.len());
        if scratch.arms.len() < goals.len() {
            scratch.arms.resize_with(goals.len(), Arm::default);
        }
        for rank in 0..goals.len() {
            let place = work.ranked(rank);
            let goal = &goals[place];
            if goal.weight <= 0.0 || !self.serves(skeleton, goal) {
                continue;
            }
            match scratch.arms[rank].follow(skeleton, pose, &Span::of(goal), work) {
                Ok(()) => scratch.groups.add(skeleton, rank, goal, &scratch.arms[rank]),
                Err(ArmError::Scaled { .. }) => {
                    work.residuals_mut()[place] = Residual::measured(goal, pose, Status::Singular);
                }
                Err(_) => {}
            }
        }
    }

    /// Makes room for goals that are new, each by itself and all together.
    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let mut scratch = work.take::<Scratch>();
        let mut seen = core::mem::take(&mut scratch.seen);
        if let Some(whole) = seen.new_ones(skeleton, goals) {
            work.begin(whole);
            self.group(skeleton, whole, pose, (&mut scratch, work));
            let Scratch { arms, seed, answer, general, goals: together, inner, .. } = &mut *scratch;
            for buffer in [seed, answer] {
                make_room(buffer, skeleton.coordinates().len());
            }
            if self.restarts > 0 {
                arms.iter_mut().for_each(Arm::spread);
            }
            make_room(together, whole.len());
            make_room(general.joints.get_or_insert_default(), whole.len() * skeleton.len());
            if whole.len() > 1 {
                let all = Jacobian { restarts: self.restarts, ..Jacobian::default() };
                all.prepare(skeleton, whole, pose, inner);
            }
        }
        scratch.seen = seen;
        work.put(scratch);
    }

    /// Serves one goal, or a place and a turn of one joint together, by one arm; the steps made.
    fn serve(
        &self,
        skeleton: &Skeleton,
        (ranks, goals): ((usize, Option<usize>), &[Goal]),
        pose: &mut Pose,
        (scratch, work): (&mut Scratch, &mut Workspace),
        dispatch: &impl Dispatch,
    ) -> u32 {
        let places = [Some(ranks.0), ranks.1].map(|rank| rank.map(|rank| work.ranked(rank)));
        let places = || places.into_iter().flatten();
        let Scratch { arms, seed, answer, .. } = scratch;
        let arm = &mut arms[ranks.0];
        let mut asked = Asked::nothing();
        for place in places() {
            let wanted = part_way(skeleton, &goals[place], work.entry().unwrap_or(pose));
            asked.add(&wanted, pose, self.tolerance(&goals[place], arm.length()));
        }
        seed.clear();
        seed.extend(arm.coordinates().iter().map(|&coordinate| pose.coordinates()[coordinate]));
        answer.clone_from(seed);
        if self.restarts > 0 {
            arm.spread();
        }
        let found = arm.search(&asked, (seed, Room::Limits), self, answer, dispatch);
        write(skeleton, arm.coordinates(), answer, pose);
        for place in places() {
            let residual = judged(&goals[place], pose, &found, self.tolerance(&goals[place], arm.length()));
            work.residuals_mut()[place] = residual;
            for (number, &coordinate) in arm.coordinates().iter().enumerate() {
                if found.is_blocking(number) && residual.status != Status::Reached {
                    skeleton.driven(coordinate).take(1).for_each(|joint| work.block(place, joint));
                }
            }
        }
        found.iterations
    }

    /// Serves the goals of a group, of which the one at this rank is the first; the steps made.
    fn serve_together(
        &self,
        skeleton: &Skeleton,
        (rank, goals): (usize, &[Goal]),
        pose: &mut Pose,
        (scratch, work): (&mut Scratch, &mut Workspace),
    ) -> u32 {
        let Scratch { groups, general, goals: together, inner, .. } = scratch;
        (general.restarts, general.iterations) = (self.restarts, GENERAL.saturating_mul(self.iterations));
        let joints = general.joints.get_or_insert_default();
        joints.clear();
        joints.extend(groups.coordinates(rank).flat_map(|coordinate| skeleton.driven(coordinate)));
        together.clear();
        for member in groups.members(rank) {
            let goal = &goals[work.ranked(member)];
            let wanted = part_way(skeleton, goal, work.entry().unwrap_or(pose));
            let near = self.tolerance(goal, groups.length(member));
            together.push(Goal { weight: 1.0, tolerance: Some(near), ..wanted });
        }
        let outcome = general.solve(skeleton, together, pose, inner);
        for (number, member) in groups.members(rank).enumerate() {
            let place = work.ranked(member);
            let is_soft = goals[place].weight < 1.0 && inner.residuals()[number].status == Status::Reached;
            let status = if is_soft { Status::Softened } else { inner.residuals()[number].status };
            work.residuals_mut()[place] = Residual::measured(&goals[place], pose, status);
            inner.blocking(number).for_each(|joint| work.block(place, joint));
        }
        outcome.iterations
    }

    fn tolerance(&self, goal: &Goal, length: f64) -> Tolerance {
        let own = Tolerance { position: self.position_tolerance * length, rotation: self.rotation_tolerance };
        goal.tolerance.unwrap_or(own)
    }
}

impl Span {
    fn of(goal: &Goal) -> Self {
        Self { base: goal.base, tip: goal.joint, offset: goal.offset, relative_to: goal.relative_to }
    }
}

/// Whether the goals are a place and a turn of the same joint, in either order, for which one arm does.
pub(crate) fn is_one_frame(one: &Goal, other: &Goal) -> bool {
    let (place, turn) = if matches!(one.target, Target::Position(_)) { (one, other) } else { (other, one) };
    let kinds = matches!(place.target, Target::Position(_))
        && !matches!(turn.target, Target::Position(_) | Target::Frame { .. });
    let same = |goal: &Goal| (goal.joint, goal.base, goal.relative_to, goal.priority, goal.pull);
    kinds && same(place) == same(turn)
}

/// What is left of a goal; reached only if the pose has it so.
fn judged(goal: &Goal, pose: &Pose, found: &Found, near: Tolerance) -> Residual {
    let mut residual = Residual::measured(goal, pose, found.status);
    let is_near =
        residual.position_error() <= ROUNDING * near.position && residual.rotation_error() <= ROUNDING * near.rotation;
    residual.status = match found.status {
        Status::Invalid => Status::Invalid,
        Status::Reached if goal.weight < 1.0 => Status::Softened,
        _ if is_near => Status::Reached,
        // Finer than rounding.
        Status::Reached => Status::Stalled,
        status => status,
    };
    residual
}

/// Moves the joints that are elsewhere.
fn write(skeleton: &Skeleton, coordinates: &[usize], values: &[f64], pose: &mut Pose) {
    let mut edit = pose.edit(skeleton);
    for (&coordinate, &q) in coordinates.iter().zip(values) {
        let now = edit.pose();
        let is_off = skeleton.driven(coordinate).any(|joint| now.is_off_axis(skeleton, joint));
        if is_off || now.coordinates()[coordinate] != q {
            edit.coordinate(coordinate, q);
        }
    }
}
