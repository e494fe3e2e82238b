//! Twist shared along a bone: joints on its line take even shares of the turn about it, each as far as its limit
//! allows, and what one may not take the others do. Places and the tip's rotation stay.

use glam::{DQuat, DVec3};

use super::measure::STILL_ANGLE;
use super::settings::TwoBone;
use super::{swivel, twist};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::transform::Transform;

/// How far off its bone's line a joint may lie, in lengths of the bone, to count as on it.
const ON_LINE: f64 = 1e-4;
/// Sine below which a hinge's axis lies along the bone.
const ALONG: f64 = 1e-6;

/// Shares the root's twist among the joints down to the middle one, and the tip's among those from there on.
pub(super) fn share(limb: &TwoBone, skeleton: &Skeleton, pose: &mut Pose) {
    for (above, below, end) in [(limb.root, limb.mid, limb.root), (limb.mid, limb.tip, limb.tip)] {
        let bone = Bone { skeleton, pose, above, below };
        if bone.sharers().next().is_none() {
            continue;
        }
        let Some((level, kept)) = bone.end(end).and_then(|end| bone.levels(&end)) else { continue };
        let mut edit = pose.edit(skeleton);
        for joint in twist::between(skeleton, above, below) {
            let sharer = Bone { skeleton, pose: edit.pose(), above, below }.sharer(joint);
            if let Some(to) = sharer.map(|sharer| sharer.at(sharer.toward(skeleton, edit.pose(), 0.0, level))) {
                edit.rotation(joint, to);
            }
        }
        if let Some(to) = (Bone { skeleton, pose: edit.pose(), above, below }).end(end).map(|end| end.at(kept)) {
            edit.rotation(end, to);
        }
    }
}

/// A bone on a pose, from the joint above to the one below.
#[derive(Clone, Copy)]
struct Bone<'a> {
    skeleton: &'a Skeleton,
    pose: &'a Pose,
    above: Joint,
    below: Joint,
}

/// A joint on the bone's line, with its part of the twist.
#[derive(Clone, Copy, Debug)]
struct Sharer {
    joint: Joint,
    local: Transform,
    /// Unit axis of the bone, in the joint's frame, or in its parent's where it turns `before`.
    axis: DVec3,
    before: bool,
    /// Its part now (radians).
    twist: f64,
}

impl<'a> Bone<'a> {
    /// The joints between that can take a share.
    fn sharers(self) -> impl Iterator<Item = Sharer> + 'a {
        twist::between(self.skeleton, self.above, self.below).filter_map(move |joint| self.sharer(joint))
    }

    /// A joint between, where it can turn about the bone and lies on its line.
    fn sharer(&self, joint: Joint) -> Option<Sharer> {
        let line = self.pose.position(self.below) - self.pose.position(self.above);
        let off = arc::reject(self.pose.position(joint) - self.pose.position(self.above), arc::unit(line)?);
        if !twist::is_reset(self.skeleton, joint) || arc::length(off) > ON_LINE * arc::length(line) {
            return None;
        }
        let mut axis = self.axis(joint)?;
        if let Some((hinge, _)) = self.skeleton.hinge(joint) {
            if arc::length(hinge.cross(axis)) > ALONG {
                return None;
            }
            axis = if hinge.dot(axis) < 0.0 { -hinge } else { hinge };
        }
        let local = *self.pose.local(joint);
        let turn = twist::reset(self.skeleton, joint).conjugate() * local.rotation;
        Some(Sharer { joint, local, axis, before: false, twist: arc::twist_angle(turn, axis) })
    }

    /// The root, or the tip, whose twist is shared.
    fn end(&self, joint: Joint) -> Option<Sharer> {
        let (local, rest) = (*self.pose.local(joint), self.skeleton.rest(joint).rotation);
        let before = joint == self.below;
        let (axis, turn) = if before {
            (self.axis(self.skeleton.parent(joint)?)?, local.rotation * rest.conjugate())
        } else {
            (self.axis(joint)?, rest.conjugate() * local.rotation)
        };
        Some(Sharer { joint, local, axis, before, twist: arc::twist_angle(turn, axis) })
    }

    /// Unit direction of the bone in the frame of a joint.
    fn axis(&self, joint: Joint) -> Option<DVec3> {
        let line = self.pose.position(self.below) - self.pose.position(self.above);
        arc::unit(self.pose.rotation(joint).conjugate() * line)
    }

    /// The share that each takes, or comes as near to as it may, and what the end keeps; `None` where nothing moves.
    fn levels(&self, end: &Sharer) -> Option<(f64, f64)> {
        // A limb that stands may have joints between that are turned otherwise than about the bone.
        if !self.sharers().all(|sharer| sharer.allows(self.skeleton, self.pose, 0.0)) {
            return None;
        }
        let whole = end.twist + self.sharers().map(|sharer| sharer.twist).sum::<f64>();
        let (mut level, mut kept) = self.even(whole, 1.0);
        let most = end.toward(self.skeleton, self.pose, whole, kept);
        if (most - kept).abs() > STILL_ANGLE {
            // So much the end must keep.
            (level, kept) = self.even(whole - most, 0.0);
            kept += most;
        }
        let moves = (kept - end.twist).abs() > STILL_ANGLE;
        (moves && end.allows(self.skeleton, self.pose, kept)).then_some((level, kept))
    }

    /// The level at which those whose limits do not hold them back, and as many more as `beside`, stand alike and
    /// all together have the whole; and what is left for those beside.
    fn even(&self, whole: f64, beside: f64) -> (f64, f64) {
        let count = self.sharers().count();
        let (mut level, mut left) = (whole / (beside + count as f64), whole);
        // Each round holds one more, or is the last.
        for _ in 0..=count {
            let (mut held, mut free) = (0.0, 0.0);
            for sharer in self.sharers() {
                let taken = sharer.toward(self.skeleton, self.pose, 0.0, level);
                if taken == level { free += 1.0 } else { held += taken }
            }
            left = whole - held - free * level;
            let next = if beside + free > 0.0 { (whole - held) / (beside + free) } else { level };
            if (next - level).abs() <= STILL_ANGLE {
                break;
            }
            level = next;
        }
        (level, left)
    }
}

impl Sharer {
    /// The local rotation with another part of the twist.
    fn at(&self, twist: f64) -> DQuat {
        let turn = arc::axis_angle(self.axis, twist - self.twist);
        arc::normalize(if self.before { turn * self.local.rotation } else { self.local.rotation * turn })
    }

    fn excess(&self, skeleton: &Skeleton, pose: &Pose, twist: f64) -> f64 {
        pose.excess(skeleton, self.joint, &Transform { rotation: self.at(twist), ..self.local })
    }

    fn allows(&self, skeleton: &Skeleton, pose: &Pose, twist: f64) -> bool {
        self.excess(skeleton, pose, twist) < swivel::ALLOWED
    }

    /// The part nearest to `wanted` on the way there from one that is allowed.
    fn toward(&self, skeleton: &Skeleton, pose: &Pose, from: f64, wanted: f64) -> f64 {
        if self.allows(skeleton, pose, wanted) {
            return wanted;
        }
        swivel::rim(|twist| self.excess(skeleton, pose, twist), wanted, from)
    }
}
