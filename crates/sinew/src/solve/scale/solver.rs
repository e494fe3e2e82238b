//! Scale goals on a pose.

use alloc::vec::Vec;

use glam::DVec3;

use super::distribute::{Distribution, distribute, is_of_sizes};
use super::ratio::ratio;
use crate::goal::{Goal, Target, Tolerance};
use crate::limit::Range;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::problem::scope::chain;
use crate::solve::problem::{self, Engine};
use crate::solve::report::{Miss, report};
use crate::solve::{Outcome, Solver, Status, Workspace};

/// How much a joint's scale may differ from its rest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Limit {
    /// The joint.
    pub joint: Joint,
    /// Ranges of the size of its ratio along its own x, y and z, its sign being free. Ends of zero and infinity (of
    /// either sign) are none; equal ends fix it.
    pub ranges: [Range; 3],
}

impl Limit {
    /// The same range along all three axes.
    pub const fn new(joint: Joint, range: Range) -> Self {
        Self { joint, ranges: [range; 3] }
    }
}

/// Scales a chain of joints so that the product of their ratios to rest is the goal.
///
/// Serves scale goals that are not relative to a joint. The chain goes from the goal's base, or the root, to its joint.
/// Joints of every kind take part. Only scales change, so what is below a scaled joint moves with it. A goal is met (to
/// 1e-12 of it) whenever limits allow; else the nearest product is left, as [`Status::Limited`]. Axes that the goal's
/// mask leaves out keep the pose's scale. A rest scale of zero on the chain is [`Status::Singular`], and so is a scale
/// so large that positions overflow; both leave the chain as it is.
///
/// Goals are solved from the root down, each by the joints that no earlier goal has scaled. So limits may fail the
/// second of two goals that branch off between; when no joint is left a goal is [`Status::Stalled`]. Joints that belong
/// to an earlier solver's goal are not scaled, while scale goals own no joints themselves. A weight moves each joint's
/// ratio along a line from the one it had, inside the limits; a change of sign jumps over the sizes that they forbid. A
/// range that is invalid or has a negative end refuses the call.
///
/// ```
/// use sinew::limit::Range;
/// use sinew::solve::scale::Limit;
/// use sinew::{Goal, ScaleTarget, Skeleton, Solver, Status, Workspace, glam::DVec3};
///
/// let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
/// let [upper, fore, hand] = arm.joints(["joint_0", "joint_1", "joint_2"])?;
/// let solver = ScaleTarget { limits: vec![Limit::new(upper, Range::new(0.8, 1.2))], ..ScaleTarget::default() };
///
/// let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
/// let outcome = solver.solve(&arm, &[Goal::scale(hand, DVec3::splat(8.0))], &mut pose, &mut work);
/// assert_eq!(outcome.status, Status::Reached);
/// assert_eq!(pose.local(upper).scale, DVec3::splat(1.2));
/// assert!((pose.local(fore).scale * pose.local(hand).scale * 1.2 - 8.0).length() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct ScaleTarget {
    /// How a goal is shared among joints; [`Distribution::RootFirst`] by default.
    pub distribution: Distribution,
    /// Ranges along x, y and z of joints that have no limit of their own; free by default.
    pub ranges: [Range; 3],
    /// Limits of joints; none by default. Of several for a joint the first counts.
    pub limits: Vec<Limit>,
}

impl Default for ScaleTarget {
    fn default() -> Self {
        Self { distribution: Distribution::default(), ranges: [Range::FREE; 3], limits: Vec::new() }
    }
}

/// What a solve keeps.
#[derive(Debug, Default)]
struct Scratch {
    /// By joint: whether a goal has scaled it.
    done: Vec<bool>,
    /// Joints that the goal may scale, base first, with the ratios that weights refer to and those to take.
    movers: Vec<Joint>,
    before: Vec<DVec3>,
    ratios: Vec<DVec3>,
    /// Scales to put back where places would not be finite.
    kept: Vec<DVec3>,
    /// The same along one axis.
    ranges: Vec<Range>,
    along: Vec<f64>,
    /// Goals served, and how.
    ended: Vec<(usize, Status)>,
}

impl Solver for ScaleTarget {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        problem::solve(self, skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let above = goal.base.is_none_or(|base| skeleton.is_below(goal.joint, base));
        matches!(goal.target, Target::Scale(_)) && goal.relative_to.is_none() && above
    }
}

impl Engine for ScaleTarget {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose) -> bool {
        let ours = |limit: &Limit| skeleton.contains(limit.joint) && limit.ranges.iter().all(is_of_sizes);
        let finite = |goal: &Goal| !self.acts_on(skeleton, goal) || pose.model(goal.joint).is_finite();
        self.ranges.iter().all(is_of_sizes) && self.limits.iter().all(ours) && goals.iter().all(finite)
    }

    fn tolerance(&self, _: &Skeleton, _: &[Goal], _: &Goal, _: &Pose) -> Tolerance {
        Tolerance { position: 0.0, rotation: 0.0 }
    }

    fn is_inside(&self, skeleton: &Skeleton, goal: &Goal, pose: &Pose) -> bool {
        chain(skeleton, goal).all(|joint| {
            let ratio = ratio(skeleton, pose, joint).abs();
            axes(goal).all(|axis| self.ranges_of(joint)[axis].contains(ratio[axis]))
        })
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let mut scratch = work.take::<Scratch>();
        scratch.done.clear();
        scratch.ended.clear();
        scratch.done.resize(skeleton.len(), false);
        let mut moved = false;
        for rank in 0..goals.len() {
            let place = work.ranked(rank);
            let goal = &goals[place];
            if !self.acts_on(skeleton, goal) {
                continue;
            }
            let status = self.scale(skeleton, goal, pose, work, &mut scratch);
            moved |= !scratch.movers.is_empty();
            if status == Status::Limited {
                scratch.movers.iter().for_each(|&joint| work.block(place, joint));
            }
            scratch.ended.push((place, status));
        }
        for &(place, status) in &scratch.ended {
            let goal = &goals[place];
            let own = self.tolerance(skeleton, goals, goal, pose);
            // A joint's ratio goes part of the way, and so their product.
            let partly = goal.weight < 1.0 && status == Status::Reached;
            report(skeleton, (place, goal), pose, own, work, |_| Miss { softened: partly, ..Miss::of(status) });
        }
        work.put(scratch);
        work.outcome(u32::from(moved))
    }
}

impl ScaleTarget {
    fn ranges_of(&self, joint: Joint) -> &[Range; 3] {
        self.limits.iter().find(|limit| limit.joint == joint).map_or(&self.ranges, |limit| &limit.ranges)
    }

    /// Scales the joints that are free to serve the goal.
    fn scale(
        &self,
        skeleton: &Skeleton,
        goal: &Goal,
        pose: &mut Pose,
        work: &Workspace,
        scratch: &mut Scratch,
    ) -> Status {
        scratch.list(skeleton, goal, pose, work);
        let mut status = Status::Reached;
        for axis in axes(goal) {
            status = status.max(match scratch.wanted(skeleton, goal, pose, axis) {
                Some(wanted) => self.share(axis, wanted, scratch),
                None => Status::Singular,
            });
        }
        if status == Status::Singular || !self.write(skeleton, goal, pose, scratch) {
            scratch.movers.clear();
            return Status::Singular;
        }
        scratch.movers.iter().for_each(|joint| scratch.done[joint.index()] = true);
        status
    }

    /// Shares one axis of what the movers are to take.
    fn share(&self, axis: usize, wanted: f64, scratch: &mut Scratch) -> Status {
        let Scratch { movers, ratios, ranges, along, .. } = scratch;
        ranges.clear();
        ranges.extend(movers.iter().map(|&joint| self.ranges_of(joint)[axis]));
        along.clear();
        along.resize(movers.len(), 1.0);
        let status = distribute(wanted, ranges, self.distribution, along);
        ratios.iter_mut().zip(along).for_each(|(ratio, along)| ratio[axis] = *along);
        status
    }

    /// Writes the ratios, blended by weight, or nothing where a place would not be finite; whether it did.
    fn write(&self, skeleton: &Skeleton, goal: &Goal, pose: &mut Pose, scratch: &mut Scratch) -> bool {
        let Scratch { movers, before, ratios, kept, .. } = scratch;
        kept.clear();
        kept.extend(movers.iter().map(|&joint| pose.local(joint).scale));
        let mut edit = pose.edit(skeleton);
        for (k, &joint) in movers.iter().enumerate() {
            let mut scale = kept[k];
            for axis in axes(goal) {
                let range = self.ranges_of(joint)[axis];
                let ratio = blend(before[k][axis], ratios[k][axis], goal.weight, range);
                scale[axis] = ratio * skeleton.rest(joint).scale[axis];
            }
            edit.scale(joint, scale);
        }
        drop(edit);
        let mut below = movers.first().into_iter().flat_map(|&base| skeleton.subtree(base));
        let finite = below.all(|index| skeleton.at(index).is_none_or(|joint| pose.model(joint).is_finite()));
        if !finite {
            let mut edit = pose.edit(skeleton);
            for (&joint, &scale) in movers.iter().zip(&*kept) {
                edit.scale(joint, scale);
            }
        }
        finite
    }
}

impl Scratch {
    /// Lists the joints that are free to serve the goal.
    fn list(&mut self, skeleton: &Skeleton, goal: &Goal, pose: &Pose, work: &Workspace) {
        let free = |joint: &Joint| !self.done[joint.index()] && !work.is_owned(skeleton, *joint, goal.joint);
        self.movers.clear();
        self.movers.extend(chain(skeleton, goal).filter(free));
        self.movers.reverse();
        let entry = work.entry().unwrap_or(pose);
        self.before.clear();
        self.before.extend(self.movers.iter().map(|&joint| ratio(skeleton, entry, joint)));
        self.ratios.clear();
        self.ratios.resize(self.movers.len(), DVec3::ONE);
    }

    /// The product that is left to the movers; `None` where a scale of zero leaves none.
    fn wanted(&self, skeleton: &Skeleton, goal: &Goal, pose: &Pose, axis: usize) -> Option<f64> {
        let Target::Scale(scale) = goal.target else { return None };
        let mut others = 1.0;
        for joint in chain(skeleton, goal) {
            if skeleton.rest(joint).scale[axis] == 0.0 {
                return None;
            }
            if !self.movers.contains(&joint) {
                others *= ratio(skeleton, pose, joint)[axis];
            }
        }
        // What another joint has made zero is zero already.
        let wanted = if others == 0.0 && scale[axis] == 0.0 { 1.0 } else { scale[axis] / others };
        wanted.is_finite().then_some(wanted)
    }
}

/// The axes that the goal is about.
fn axes(goal: &Goal) -> impl Iterator<Item = usize> + use<> {
    let mask = goal.mask.scale;
    (0..3).filter(move |&axis| mask.test(axis))
}

/// The ratio at a weight, of a size in range.
fn blend(from: f64, to: f64, weight: f64, range: Range) -> f64 {
    if weight >= 1.0 {
        return to;
    }
    let blend = from + (to - from) * weight;
    blend.abs().max(range.min).min(range.max).copysign(blend)
}
