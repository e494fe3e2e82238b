//! A human's limits, preferred bends and masses, for any skeleton on which a human was recognised.

mod axes;
#[cfg(feature = "fit")]
pub mod fit;
pub(crate) mod motion;
mod shown;

use glam::{DQuat, DVec3};
use sinew::limit::Range;
use sinew::math::arc;
use sinew::{Joint, JointSpec, Kind, Mass, Skeleton, SkeletonError};

use crate::limb::{Limb, LimbKind};
use crate::recognize::Recognition;
use crate::role::{Part, Role};
use crate::t_pose::{self, TPose};
use axes::{Axes, Limit};
use motion::Motion;

/// What a human is like.
#[doc(alias = "joint limits")]
#[doc(alias = "range of motion")]
#[derive(Clone, Debug, PartialEq)]
pub struct Human {
    /// Mass of the whole body in kilograms; 75 by default. 0 leaves the skeleton's masses as they are.
    pub mass: f64,
}

impl Default for Human {
    fn default() -> Self {
        Self { mass: 75.0 }
    }
}

/// What becomes of one joint.
#[derive(Clone, Debug)]
struct Change {
    joint: Joint,
    kind: Kind,
    zero: DQuat,
    bend: Option<DVec3>,
}

impl Human {
    /// The skeleton with a human's limits on every joint whose part is known:
    ///
    /// - hinges for elbows, knees and fingers, about the skeleton's own preferred bends if these are a human's;
    /// - elliptic swings with a twist range for the others;
    /// - twist alone for joints between the parts of a limb.
    ///
    /// Each limit counts from the T-pose, whatever pose the skeleton rests in. Hips, the uppermost part of a body without
    /// hips (such as the wrist of a hand alone), and joints that are no part of a human stay as they are. Sources: see the
    /// module's file, `human/motion.rs`.
    ///
    /// # Errors
    /// A mass that is negative or not finite.
    pub fn apply(&self, skeleton: &Skeleton, found: &Recognition) -> Result<Skeleton, SkeletonError> {
        let Some(zeros) = TPose::of(skeleton, found) else { return skeleton.revised(|_, _| {}) };
        let mut changes: Vec<Change> = Vec::new();
        for joint in skeleton.iter() {
            if let Some((role, share)) = shared_role(found, joint)
                && hangs_on_a_part(skeleton, found, joint)
            {
                changes.extend(change(&zeros, joint, role, share));
            }
        }
        for limb in found.limbs.iter().filter(|limb| matches!(limb.kind, LimbKind::Arm | LimbKind::Leg)) {
            changes.extend(twists(&zeros, found, limb));
        }
        let masses = self.masses(skeleton, found);
        skeleton.revised(|joint, spec| {
            if let Some(change) = changes.iter().find(|change| change.joint == joint) {
                change.make(spec);
            }
            if let Some((_, mass)) = masses.iter().find(|(of, _)| *of == joint) {
                spec.mass = *mass;
            }
        })
    }

    /// Masses by segment, none for a body of mass 0. What a rig has no joint for weighs nothing.
    fn masses(&self, skeleton: &Skeleton, found: &Recognition) -> Vec<(Joint, Mass)> {
        if self.mass == 0.0 {
            return Vec::new();
        }
        let rest = skeleton.rest_pose();
        let mass = |joint: Joint| {
            let (share, along) = motion::mass(found.role(joint)?.role.part)?;
            let next = t_pose::next(skeleton, &rest, found, joint);
            // In the joint's own frame.
            let bone =
                next.map_or(DVec3::ZERO, |next| rest.model(joint).inverse().transform_point3(rest.position(next)));
            let center = if bone.is_finite() { bone * along } else { DVec3::ZERO };
            Some((joint, Mass { mass: share * self.mass, center }))
        };
        skeleton.iter().filter_map(mass).collect()
    }
}

impl Change {
    fn make(&self, spec: &mut JointSpec) {
        spec.kind = self.kind;
        spec.bend = self.bend.or(spec.bend);
        let zero = spec.zero.get_or_insert(spec.rest);
        zero.rotation = self.zero;
    }
}

/// The joint's role, and what part of the role's motion is its own: joints of the spine and of the neck share
/// theirs, more than evenly, also those that no role is left for.
fn shared_role(found: &Recognition, joint: Joint) -> Option<(Role, f64)> {
    let of = |kind, skip: usize, part| {
        let limb = found.limb(kind, None)?;
        let joints = limb.joints.get(skip..)?;
        joints.contains(&joint).then(|| (Role::middle(part), 0.55 + 0.45 / joints.len() as f64))
    };
    let row = of(LimbKind::Spine, 1, Part::Spine).or_else(|| of(LimbKind::Head, 0, Part::Neck));
    row.or_else(|| found.role(joint).map(|guess| (guess.role, 1.0)))
}

/// Whether a part of the body lies above the joint. Without one, as for the wrist of a hand alone, there is nothing
/// that the joint could be bent against: it carries the body, as hips do.
fn hangs_on_a_part(skeleton: &Skeleton, found: &Recognition, joint: Joint) -> bool {
    core::iter::successors(skeleton.parent(joint), |&above| skeleton.parent(above))
        .any(|above| shared_role(found, above).is_some())
}

fn change(zeros: &TPose, joint: Joint, role: Role, share: f64) -> Option<Change> {
    let motion = motion::of(role.part)?;
    let Limit { kind, zero, bend } = Axes::of(zeros, joint, role, motion)?.limit(motion, share)?;
    let zero = arc::normalize(zeros.local(joint.index()) * zero);
    Some(Change { joint, kind, zero, bend })
}

/// Joints of an arm or leg between its parts, such as the second half of a split upper arm: they only twist, by
/// 45 degrees each way, and between elbow and hand as far as the hand does.
fn twists(zeros: &TPose, found: &Recognition, limb: &Limb) -> Vec<Change> {
    let part = |joint: &Joint| found.role(*joint).map(|guess| guess.role.part);
    let place =
        |wanted: &[Part]| limb.joints.iter().position(|joint| part(joint).is_some_and(|part| wanted.contains(&part)));
    let (Some(first), Some(last)) = (place(&[Part::UpperArm, Part::UpperLeg]), place(&[Part::Hand, Part::Foot])) else {
        return Vec::new();
    };
    let elbow = place(&[Part::LowerArm]).unwrap_or(last);
    let change = |(place, &joint): (usize, &Joint)| {
        let index = joint.index();
        let bone = zeros.bone(index)?;
        let range = match motion::of(Part::Hand) {
            Some(Motion::Ball { across, twist, .. }) if place > elbow => {
                axes::twist_range(twist, axes::sense(zeros, (bone, limb.side), across, twist), 1.0)
            }
            _ => Range::new(-45_f64.to_radians(), 45_f64.to_radians()),
        };
        let kind = Kind::hinge(zeros.own(index, bone)).within(range.min, range.max);
        Some(Change { joint, kind, zero: zeros.local(index), bend: None })
    };
    let between = limb.joints.iter().enumerate().take(last).skip(first);
    between.filter(|(_, joint)| part(joint).is_none()).filter_map(change).collect()
}
