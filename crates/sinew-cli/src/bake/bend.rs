//! To which side a limb bends that the clip has nearly straight.
//!
//! A clip's knee that is straight for a moment, or bent back a little, says nothing of where it should go once the goals fold
//! the leg: taken at its word it would swing round to the back. So a limb whose ends the goals move bends to where the clip
//! bends it, with a share of the side to which it folds over the clip; well bent, or unmoved, it is the clip's.

use sinew::glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::solve::two_bone::End;
use sinew::{Joint, Kind, Pose, Skeleton};
use sinew_motion::Clip;

use super::steady::Lie;
use crate::served::Served;

/// Shares of the limb's length: of the bend of that time that is added, and of the way of its ends from which it is added wholly.
const ADDED: f64 = 0.15;
const MOVED: f64 = 0.01;
/// Share of the limb's length by which the middle joint is off the line of the ends where it is seen to bend.
const SEEN: f64 = 1e-4;

/// The bends of a limb over a clip.
#[derive(Clone, Debug)]
pub(super) struct Bends {
    root: Joint,
    mid: Joint,
    end: Joint,
    /// Whether its end keeps its rotation.
    keeps: bool,
    /// To which side it folds over the clip, in the root's frame; zero where it never bends.
    side: DVec3,
}

impl Bends {
    /// Those of what serves a goal; `None` where that is no limb.
    pub(super) fn of(served: &Served, clip: &Clip) -> Option<Self> {
        let (root, mid, end, keeps) = match served {
            Served::TwoBone(limb) => (limb.root, limb.mid, limb.tip, limb.end == End::Model),
            Served::ThreeLink(limb) => (limb.root, limb.mid, limb.low, false),
            _ => return None,
        };
        let mut bends = Self { root, mid, end, keeps, side: DVec3::ZERO };
        // A knee folds to one side of its thigh, and tells so the more the further it is bent.
        let own = clip.poses().iter().map(|pose| pose.rotation(root).conjugate() * bends.across(pose));
        bends.side = arc::unit(own.sum()).unwrap_or(DVec3::ZERO);
        Some(bends)
    }

    /// How far the middle joint is off the line of the ends, and where to.
    fn across(&self, pose: &Pose) -> DVec3 {
        let root = pose.position(self.root);
        let line = arc::unit(pose.position(self.end) - root);
        line.map_or(DVec3::ZERO, |line| arc::reject(pose.position(self.mid) - root, line))
    }

    /// Where a limb bends whose pose so far is `pose`, and how far its middle joint is off the line of its ends;
    /// `None` where the ends do not move, by `moved`, against one another.
    pub(super) fn bend(&self, pose: &Pose, moved: f64) -> Option<DVec3> {
        let [root, mid, end] = [self.root, self.mid, self.end].map(|joint| pose.position(joint));
        let length = root.distance(mid) + mid.distance(end);
        if moved <= 0.0 || length <= 0.0 {
            return None;
        }
        let share = (moved / (MOVED * length)).min(1.0);
        Some(self.across(pose) + pose.rotation(self.root) * self.side * (share * ADDED * length))
    }

    /// Bends the limb so, each bone by the shortest turn: a knee that is straight or bent back comes forward without the leg
    /// turning about itself, as it would if the solver brought the bend that it finds to the other side.
    pub(super) fn fold(&self, skeleton: &Skeleton, pose: &mut Pose, bend: DVec3) {
        let [root, mid, end] = [self.root, self.mid, self.end].map(|joint| pose.position(joint));
        let rotation = pose.rotation(self.end);
        let (upper, lower) = (mid - root, end - mid);
        let Some(line) = arc::unit(end - root) else { return };
        let off = arc::reject(bend, line);
        let Some(way) = arc::unit(off) else { return };
        let height = off.length().min(upper.length()).min(lower.length());
        let along = |bone: DVec3| {
            let rest = (bone.length_squared() - height * height).max(0.0).sqrt();
            line * rest.copysign(bone.dot(line))
        };
        let rises = way * height;
        turn(skeleton, pose, self.root, upper, along(upper) + rises);
        let lower = pose.position(self.end) - pose.position(self.mid);
        let lies = end - mid;
        turn(skeleton, pose, self.mid, lower, along(lies) - rises);
        if self.keeps {
            let above = above(skeleton, pose, self.end);
            pose.edit(skeleton).rotation(self.end, above.conjugate() * rotation);
        }
    }

    /// How the limb lies in a pose; where it is straight it bends to where it was asked to.
    pub(super) fn lie(&self, pose: &Pose, asked: Option<DVec3>) -> Lie {
        let [root, mid, end] = [self.root, self.mid, self.end].map(|joint| pose.position(joint));
        let (across, bones) = (self.across(pose), [root.distance(mid), mid.distance(end)]);
        let is_seen = across.length() > SEEN * (bones[0] + bones[1]);
        let side = asked.filter(|_| !is_seen).unwrap_or(across);
        Lie { line: end - root, side, bones }
    }

    /// Where the end of the limb is where it reaches so far towards a place.
    pub(super) fn reaching(&self, pose: &Pose, to: DVec3, reach: f64) -> Option<DVec3> {
        let root = pose.position(self.root);
        Some(root + arc::unit(to - root)? * reach)
    }

    /// Whether the limb ends at a joint.
    pub(super) fn ends_at(&self, joint: Joint) -> bool {
        self.end == joint
    }

    /// Whether the limb may be bent beforehand: no hinge gives it the plane in which it bends.
    pub(super) fn is_free(&self, skeleton: &Skeleton) -> bool {
        skeleton.parent(self.root).is_some()
            && [self.root, self.mid].iter().all(|&joint| matches!(skeleton.kind(joint), Kind::Ball(_) | Kind::Free))
    }
}

/// Turns a joint so that what points one way in the model points another.
fn turn(skeleton: &Skeleton, pose: &mut Pose, joint: Joint, from: DVec3, to: DVec3) {
    let (Some(from), Some(to)) = (arc::unit(from), arc::unit(to)) else { return };
    let turned = arc::arc(from, to, arc::any_perpendicular(from)) * pose.rotation(joint);
    let above = above(skeleton, pose, joint);
    pose.edit(skeleton).rotation(joint, above.conjugate() * turned);
}

fn above(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> DQuat {
    skeleton.parent(joint).map_or(DQuat::IDENTITY, |parent| pose.rotation(parent))
}
