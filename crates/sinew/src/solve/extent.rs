//! How far the links between a goal's joints bring its point: what lengths alone show of a target's reach.

use glam::{DAffine3, DVec3};

use super::TargetInModel;
use crate::goal::{Goal, Slack};
use crate::math::affine::{even_scale, inverse};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};

/// Share of a chain's length by which a target must be out of its reach.
const BEYOND: f64 = 1e-12;
/// Rounding of a point as a share of its coordinates.
const ROUNDING: f64 = 1e-14;

/// A chain stretched out, in the space of the parent of the uppermost joint that moves, where shear above does not count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// The uppermost joint that moves for the goal.
    pub(super) top: Joint,
    /// From the space in which all else is measured into model space.
    pub(super) space: DAffine3,
    /// Where that joint and the target are.
    pub(super) root: DVec3,
    pub(super) target: DVec3,
    /// How many links there are, their lengths together, and those of the longest and of the uppermost.
    pub(super) links: usize,
    pub(super) length: f64,
    pub(super) longest: f64,
    pub(super) first: f64,
    /// How far slides may move the point.
    pub(super) slides: f64,
}

impl Extent {
    /// `None` where lengths show nothing: no place is asked for, or only parts of one; the chain travels; its joints carry
    /// the target; scale makes lengths depend on angles.
    pub(super) fn of(skeleton: &Skeleton, goal: &Goal, pose: &Pose, moves: &dyn Fn(Joint) -> bool) -> Option<Self> {
        let target = TargetInModel::of(goal, pose).position?;
        let carries = |joint: Joint| goal.relative_to.is_some_and(|from| skeleton.is_below(from, joint));
        let path = || way_up(skeleton, goal.joint).filter(|&joint| moves(joint) && !carries(joint));
        let mut measured_from = goal.relative_to.into_iter().flat_map(|from| way_up(skeleton, from));
        let moves_target = measured_from.any(|joint| moves(joint) && !skeleton.is_below(goal.joint, joint));
        if moves_target || !goal.mask.position.all() || goal.slack != Slack::NONE {
            return None;
        }
        let above = |joint| skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *pose.model(parent));
        let top = path().last()?;
        let space = above(top);
        let into = inverse(&space)?;
        let point = into.transform_point3(pose.model(goal.joint).transform_point3(goal.offset));
        let target = into.transform_point3(target);
        let (links, length, longest, first, slides) = (0, 0.0, 0.0, 0.0, 0.0);
        let mut extent = Self { top, space, root: point, target, links, length, longest, first, slides };
        // Where no joint scales, lengths are the same in every direction.
        let between = |&joint: &Joint| skeleton.is_below(joint, top);
        let is_plain =
            way_up(skeleton, goal.joint).skip(1).take_while(between).all(|joint| pose.local(joint).scale == DVec3::ONE);
        for joint in path() {
            let scale = if is_plain { 1.0 } else { even_scale(&(into.matrix3 * above(joint).matrix3))? };
            match skeleton.kind(joint) {
                Kind::Free => return None,
                Kind::Slide { .. } => {
                    let range = skeleton.range(joint);
                    let value = pose.value(skeleton, joint);
                    extent.slides += (range.max - value).max(value - range.min).max(0.0) * scale;
                }
                _ => extent.add(into.transform_point3(pose.position(joint))),
            }
        }
        Some(extent)
    }

    /// Adds the link from the place of the next joint up.
    fn add(&mut self, joint: DVec3) {
        let link = arc::length(joint - self.root);
        (self.links, self.length, self.longest) = (self.links + 1, self.length + link, self.longest.max(link));
        (self.root, self.first) = (joint, link);
    }

    /// How far the target is from the root.
    pub(super) fn distance(&self) -> f64 {
        arc::length(self.target - self.root)
    }

    /// What rounding leaves open of a distance.
    fn rounding(&self) -> f64 {
        BEYOND * self.length + ROUNDING * self.root.abs().max_element().max(self.target.abs().max_element())
    }

    /// Whether the target is farther than the chain is long.
    pub(super) fn is_too_far(&self) -> bool {
        self.distance() > self.length + self.slides + self.rounding()
    }

    /// Whether it is nearer than the chain folds.
    pub(super) fn is_too_near(&self) -> bool {
        self.distance() < 2.0 * self.longest - self.length - self.slides - self.rounding()
    }
}

/// From a joint up to its root.
fn way_up(skeleton: &Skeleton, joint: Joint) -> impl Iterator<Item = Joint> {
    core::iter::successors(Some(joint), |&joint| skeleton.parent(joint))
}
