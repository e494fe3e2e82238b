//! Left for right: poses seen in a mirror.
//!
//! A joint's turn from its rest, in the axes of the model at rest, is what is mirrored and given to its partner; how
//! either's own axes lie does not matter. Where the rest pose is symmetric, so is every pose and its mirror image.

use glam::{DMat3, DQuat, DVec3};
use sinew::math::arc;
use sinew::{Joint, Pose, Skeleton, Transform};

use crate::clip::Clip;
use crate::turn::{above, turn_of, turned_by};

/// How the poses of a skeleton are mirrored: made once.
#[derive(Clone, Debug)]
pub struct Mirror {
    joints: Vec<Half>,
}

/// How one joint takes over from its partner.
#[derive(Clone, Copy, Debug)]
struct Half {
    joint: Joint,
    partner: Joint,
    /// Rotations in the model at rest.
    rest: DQuat,
    partner_rest: DQuat,
    normal: DVec3,
    /// A way from rest in the partner's parent's frame, as the one in the joint's parent's frame.
    way: DMat3,
}

impl Mirror {
    /// The mirror whose plane is perpendicular to `normal` (model space, any length but zero; usually +X for a human), with
    /// `pairs` of joints that mirror each other. A joint in no pair mirrors itself.
    ///
    /// Roots are mirrored about where they rest. When a joint has several partners the last counts. `None` when the normal
    /// has no direction.
    ///
    /// # Panics
    /// Where a joint is another skeleton's.
    pub fn new(skeleton: &Skeleton, normal: impl Into<DVec3>, pairs: &[(Joint, Joint)]) -> Option<Self> {
        let normal = arc::unit(normal.into())?;
        let rest = skeleton.rest_pose();
        let mut partners: Vec<Joint> = skeleton.iter().collect();
        for &(a, b) in pairs {
            (partners[a.index()], partners[b.index()]) = (b, a);
        }
        let reflect = DMat3::from_cols_array(&std::array::from_fn(|i| {
            let (column, row) = (i / 3, i % 3);
            f64::from(u8::from(column == row)) - 2.0 * normal[column] * normal[row]
        }));
        let half = |(joint, partner): (Joint, Joint)| Half {
            joint,
            partner,
            rest: rest.rotation(joint),
            partner_rest: rest.rotation(partner),
            normal,
            way: above(skeleton, &rest, joint).inverse() * reflect * above(skeleton, &rest, partner),
        };
        Some(Self { joints: skeleton.iter().zip(partners).map(half).collect() })
    }

    /// The mirror image of a pose, in `image`. What is not finite, because a parent has a scale of zero, stays at rest.
    ///
    /// # Panics
    /// Where the skeleton is not that of pose and mirror.
    pub fn pose(&self, skeleton: &Skeleton, pose: &Pose, image: &mut Pose) {
        image.reset(skeleton);
        let mut edit = image.edit(skeleton);
        for half in &self.joints {
            let local = half.local(skeleton, pose.local(half.partner));
            if local.is_finite() && local != *skeleton.rest(half.joint) {
                edit.local(half.joint, local);
            }
        }
    }
}

impl Half {
    fn local(&self, skeleton: &Skeleton, of_partner: &Transform) -> Transform {
        let (rest, other) = (skeleton.rest(self.joint), skeleton.rest(self.partner));
        Transform {
            translation: rest.translation + self.way * (of_partner.translation - other.translation),
            rotation: self.rotation(rest.rotation, other.rotation, of_partner.rotation),
            scale: rest.scale * ratio(of_partner.scale, other.scale),
        }
    }

    fn rotation(&self, rest: DQuat, other_rest: DQuat, other: DQuat) -> DQuat {
        if other == other_rest {
            return rest;
        }
        let turn = turn_of(other_rest, self.partner_rest, other);
        // A turn's axis is mirrored and goes round the other way.
        let v = DVec3::new(turn.x, turn.y, turn.z);
        let v = self.normal * (2.0 * self.normal.dot(v)) - v;
        turned_by(rest, self.rest, DQuat::from_xyzw(v.x, v.y, v.z, turn.w))
    }
}

/// Each factor over that at rest; 1 where that is 0.
fn ratio(scale: DVec3, rest: DVec3) -> DVec3 {
    DVec3::select(rest.cmpeq(DVec3::ZERO), DVec3::ONE, scale / rest)
}

impl Clip {
    /// The clip seen in a mirror.
    ///
    /// # Panics
    /// Where the skeleton is not that of clip and mirror.
    pub fn mirrored(&self, skeleton: &Skeleton, mirror: &Mirror) -> Self {
        let image = |pose: &Pose| {
            let mut image = skeleton.rest_pose();
            mirror.pose(skeleton, pose, &mut image);
            image
        };
        Self::of(self.times().to_vec(), self.poses().iter().map(image).collect())
    }
}
