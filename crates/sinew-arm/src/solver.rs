//! The solver on a pose.

use alloc::vec::Vec;

use sinew::solve::author::{self, Engine, Miss, Seen};
use sinew::{Goal, Jacobian, Outcome, Pose, Skeleton, Solver, Status, Target, Tolerance, Workspace};

use crate::arm::{Arm, ArmError};
use crate::groups::Groups;
use crate::lay::Span;
use crate::pose_target::PoseTarget;
use crate::search::Room;
use crate::width::Width;

/// Solves one chain of hinges and slides for each goal, ten times as quickly as [`Jacobian`].
///
/// Serves positions, rotations, frames and axes without an up: masked, offset, with slack, relative to joints; also a
/// position with a rotation or axis of the same joint (five axes). The joints between the goal's base (or the root) and its
/// own joint move, from below the last ball or free joint there. What a target is measured from stands still. Goals whose
/// chains share a coordinate, or of which a later one would move an earlier one's arm, are solved together by `Jacobian`,
/// with a quarter of the restarts. Scale along the chain must be uniform. Above it a mirror is allowed, but shear is not:
/// the goal is then [`Singular`](Status::Singular).
///
/// Engines without a [`Pose`] call [`Arm::solve`], with the same settings.
#[doc(alias = "numeric IK")]
#[doc(alias = "6 DOF")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Serial {
    /// Largest number of steps of each descent; 50 by default. Half a dozen are usual.
    pub iterations: u32,
    /// How many other values to start from when the values given do not lead to the target, always the same ones; 100 by
    /// default. They find all but one in some ten thousand reachable frames of a robot's arm. While the values given lead
    /// to the target none is tried, so the answer stays near them; otherwise it may jump. With 0 it never jumps, but a
    /// frame in reach may be missed.
    pub restarts: u32,
    /// Distance that counts as met, as a share of the chain's length, where a goal has no tolerance of its own; 1e-10 by
    /// default, since the last steps double the digits.
    pub position_tolerance: f64,
    /// Angle (radians) that counts as met; 1e-10 by default.
    pub rotation_tolerance: f64,
    /// How many restarts, or targets of [`Arm::solve_many`], go side by side; by default as many as this machine can. The
    /// answers have the same bits at every width.
    pub width: Width,
}

impl Default for Serial {
    fn default() -> Self {
        Self {
            iterations: 50,
            restarts: 100,
            position_tolerance: 1e-10,
            rotation_tolerance: 1e-10,
            width: Width::new(),
        }
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
    /// By rank: goals that are served, with their tolerance, and what is known of those that were missed.
    served: Vec<Option<(Goal, Tolerance)>>,
    misses: Vec<Miss>,
    /// For goals that share coordinates.
    general: Jacobian,
    goals: Vec<Goal>,
    inner: Workspace,
    seen: Seen,
}

/// Steps of the general solver, which takes more, by one of this one's; and this one's restarts by one of the general's, which
/// cost as much more.
const GENERAL: u32 = 4;
const FEWER: u32 = 4;

impl Solver for Serial {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        author::solve(self, skeleton, goals, pose, work)
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        author::prepare(self, skeleton, goals, pose, work);
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let span = Span::of(goal);
        let first = Some(goal.joint).filter(|&joint| span.admits(skeleton, joint));
        let mut path = core::iter::successors(first, |&joint| span.above(skeleton, joint));
        let frame = matches!(goal.target, Target::Position(_) | Target::Rotation(_) | Target::Frame { .. });
        let below_base = goal.base.is_none_or(|base| skeleton.is_below(goal.joint, base));
        (frame || matches!(goal.target, Target::Axis { up: None, .. }))
            && below_base
            && path.any(|joint| skeleton.drive(joint).is_some())
    }
}

impl Engine for Serial {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    /// For goals that are new, each by itself and all together.
    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let mut scratch = work.take::<Scratch>();
        let mut seen = core::mem::take(&mut scratch.seen);
        if let Some(whole) = seen.new_ones(skeleton, goals) {
            work.begin(whole);
            self.group(skeleton, whole, pose, (&mut scratch, work));
            let Scratch { arms, seed, answer, general, goals: together, inner, .. } = &mut *scratch;
            for buffer in [seed, answer] {
                buffer.clear();
                buffer.reserve(skeleton.coordinates().len());
            }
            if self.restarts > 0 {
                arms.iter_mut().for_each(Arm::spread);
            }
            together.clear();
            together.reserve(whole.len());
            let joints = general.joints.get_or_insert_default();
            joints.clear();
            joints.reserve(whole.len() * skeleton.len());
            if whole.len() > 1 {
                let all = Jacobian { restarts: self.general_restarts(), ..Jacobian::default() };
                all.prepare(skeleton, whole, pose, inner);
            }
        }
        scratch.seen = seen;
        work.put(scratch);
    }

    fn tolerance(&self, skeleton: &Skeleton, _: &[Goal], goal: &Goal, pose: &Pose) -> Tolerance {
        self.tolerance_of(goal, author::length(skeleton, goal, pose))
    }

    fn keeps_priorities(&self) -> bool {
        true
    }

    fn bends(&self, _: &Goal) -> bool {
        true
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
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
                (Some(_), None, _) => self.serve(skeleton, (rank, None), pose, (&mut scratch, work)),
                (Some(one), Some(other), None) if is_one_frame(goal(one), goal(other)) => {
                    self.serve(skeleton, (one, Some(other)), pose, (&mut scratch, work))
                }
                _ => self.serve_together(skeleton, rank, pose, (&mut scratch, work)),
            };
        }
        for (rank, (served, &miss)) in scratch.served.iter().zip(&scratch.misses).enumerate() {
            if let Some((goal, near)) = served {
                author::report(skeleton, (work.ranked(rank), goal), pose, *near, work, |_| miss);
            }
        }
        work.put(scratch);
        work.outcome(iterations)
    }
}

impl Serial {
    /// Lays the goals' arms and groups them.
    fn group(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, (scratch, work): (&mut Scratch, &Workspace)) {
        scratch.groups.clear(goals.len());
        scratch.served.clear();
        scratch.served.resize(goals.len(), None);
        scratch.misses.clear();
        scratch.misses.resize(goals.len(), Miss::default());
        if scratch.arms.len() < goals.len() {
            scratch.arms.resize_with(goals.len(), Arm::default);
        }
        for rank in 0..goals.len() {
            let place = work.ranked(rank);
            let goal = &goals[place];
            if goal.weight <= 0.0 || !self.serves(skeleton, goal) {
                continue;
            }
            let followed = scratch.arms[rank].follow(skeleton, pose, &Span::of(goal), work);
            match followed {
                Ok(()) => scratch.groups.add(skeleton, rank, goal, &scratch.arms[rank]),
                Err(ArmError::Scaled { .. }) => scratch.misses[rank] = Miss::of(Status::Singular),
                Err(_) => continue,
            }
            let near = self.tolerance_of(goal, scratch.groups.length(rank));
            scratch.served[rank] = Some((*goal, near));
        }
    }

    /// Serves one goal, or a place and a turn of one joint together, by one arm; the steps made.
    fn serve(
        &self,
        skeleton: &Skeleton,
        (first, second): (usize, Option<usize>),
        pose: &mut Pose,
        (scratch, work): (&mut Scratch, &mut Workspace),
    ) -> u32 {
        let ranks = || [Some(first), second].into_iter().flatten();
        let Scratch { arms, seed, answer, served, misses, .. } = scratch;
        let arm = &mut arms[first];
        let mut asked = PoseTarget::nothing();
        for (goal, near) in ranks().filter_map(|rank| served[rank].as_ref()) {
            asked.add(goal, pose, *near);
        }
        seed.clear();
        seed.extend(arm.coordinates().iter().map(|&coordinate| pose.coordinates()[coordinate]));
        answer.clone_from(seed);
        if self.restarts > 0 {
            arm.spread();
        }
        let found = arm.search(&asked, (seed, Room::Limits), self, answer);
        write(skeleton, arm.coordinates(), answer, pose);
        for rank in ranks() {
            misses[rank] = Miss { spent: found.status == Status::OutOfIterations, ..Miss::of(found.status) };
            for (number, &coordinate) in arm.coordinates().iter().enumerate() {
                if found.is_blocking(number) {
                    let place = work.ranked(rank);
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
        rank: usize,
        pose: &mut Pose,
        (scratch, work): (&mut Scratch, &mut Workspace),
    ) -> u32 {
        let Scratch { groups, general, goals: together, inner, served, misses, .. } = scratch;
        (general.restarts, general.iterations) = (self.general_restarts(), GENERAL.saturating_mul(self.iterations));
        let joints = general.joints.get_or_insert_default();
        joints.clear();
        joints.extend(groups.coordinates(rank).flat_map(|coordinate| skeleton.driven(coordinate)));
        together.clear();
        for (goal, near) in groups.members(rank).filter_map(|member| served[member].as_ref()) {
            together.push(goal.weight(1.0).tolerance(*near));
        }
        let outcome = general.solve(skeleton, together, pose, inner);
        for (number, member) in groups.members(rank).enumerate() {
            let (place, status) = (work.ranked(member), inner.residuals()[number].status);
            misses[member] = Miss { spent: status == Status::OutOfIterations, ..Miss::of(status) };
            inner.blocking(number).for_each(|joint| work.block(place, joint));
        }
        outcome.iterations
    }

    /// Restarts of the general solver.
    fn general_restarts(&self) -> u32 {
        self.restarts.div_ceil(FEWER)
    }

    fn tolerance_of(&self, goal: &Goal, length: f64) -> Tolerance {
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
fn is_one_frame(one: &Goal, other: &Goal) -> bool {
    let (place, turn) = if matches!(one.target, Target::Position(_)) { (one, other) } else { (other, one) };
    let kinds = matches!(place.target, Target::Position(_))
        && !matches!(turn.target, Target::Position(_) | Target::Frame { .. });
    let same = |goal: &Goal| (goal.joint, goal.base, goal.relative_to, goal.priority, goal.pull);
    kinds && same(place) == same(turn)
}

/// Moves the joints that are elsewhere.
fn write(skeleton: &Skeleton, coordinates: &[usize], values: &[f64], pose: &mut Pose) {
    let mut edit = pose.edit(skeleton);
    for (&coordinate, &q) in coordinates.iter().zip(values) {
        let now = edit.pose();
        let is_off = skeleton.driven(coordinate).any(|joint| now.is_off_value(skeleton, joint));
        if is_off || now.coordinates()[coordinate] != q {
            edit.coordinate(coordinate, q);
        }
    }
}
