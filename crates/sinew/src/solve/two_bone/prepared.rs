//! The prepared form: a limb of one skeleton whose lengths, bone axes and hinge frame are known, so
//! that a target and a pole give the local rotations of two joints in a few dozen nanoseconds.

use glam::{DQuat, DVec3};

use super::geometry::{self, Reference, Triangle};
use super::pole_from;
use super::reach::{Reach, Rim};
use super::rest::rest_bend;
use super::soft::Bones;
use crate::chain::{Chain, ChainError};
use crate::goal::{Pole, Swivel};
use crate::math::arc;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::Status;

/// A limb that is ready to solve. Joints between root and mid, and between mid and tip, keep their rest rotations. Limits
/// and hinge ranges are ignored ([`TwoBone`](super::TwoBone) keeps them).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prepared {
    origin: DVec3,
    l1: f64,
    l2: f64,
    /// Undoes the frame of first bone and folding axis in the root joint.
    unframe: DQuat,
    /// Local rotation of the middle joint at half fold `(s, c)`: `c · straight + s · folded`.
    straight: DQuat,
    folded: DQuat,
    rim: Rim,
    rest: [DQuat; 2],
    rest_line: DVec3,
    rest_bend: DVec3,
}

/// A limb as solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bent {
    /// Local rotations of the root and of the middle joint.
    pub rotations: [DQuat; 2],
    /// Factor on the rest translations of the joints below the root, 1 unless stretched.
    pub stretch: f64,
    /// How the target was met.
    pub status: Status,
}

impl Prepared {
    /// Measures the limb in the rest pose. Scale inside the limb must be uniform.
    pub fn new(skeleton: &Skeleton, root: Joint, mid: Joint, tip: Joint) -> Result<Self, ChainError> {
        Chain::new(skeleton, root, mid)?;
        Chain::new(skeleton, mid, tip)?;
        let pose = skeleton.rest_pose();
        let to_root = pose.model(root).inverse();
        let rest = *skeleton.rest(root);
        let scaled = |joint: Joint| to_root.transform_point3(pose.position(joint)) * rest.scale;
        let (a, v) = (scaled(mid), scaled(tip));
        let c = v - a;
        let (Some(x), Some(second)) = (arc::unit(a), arc::unit(c)) else {
            return Err(ChainError::too_short(skeleton, tip));
        };
        let bend = rest_bend(skeleton, root, mid, tip);
        let normal = arc::unit(arc::reject(bend.axis, x)).unwrap_or_else(|| arc::any_perpendicular(x));
        // The middle joint's rest rotation, in the root joint's frame, with the limb straightened.
        let above = skeleton.parent(mid).map_or(DQuat::IDENTITY, |parent| pose.rotation(parent));
        let above = pose.rotation(root).conjugate() * above;
        let second = arc::unit(arc::reject(second, normal)).ok_or_else(|| ChainError::too_short(skeleton, tip))?;
        let straighten = arc::arc(second, x, normal);
        let straight = above.conjugate() * straighten * above * skeleton.rest(mid).rotation;
        let fold = DQuat::from_xyzw(normal.x, normal.y, normal.z, 0.0);
        let folded = above.conjugate() * fold * straighten * above * skeleton.rest(mid).rotation;
        let (l1, l2) = (arc::length(a), arc::length(c));
        Ok(Self {
            origin: rest.translation,
            l1,
            l2,
            unframe: arc::from_frame(x, normal).conjugate(),
            straight,
            folded,
            rim: Rim::new(Reach::Clamp, Bones::new(l1, l2)),
            rest: [rest.rotation, skeleton.rest(mid).rotation],
            rest_line: bend.line,
            rest_bend: bend.bend,
        })
    }

    /// The same limb with another answer to targets out of reach; [`Reach::Clamp`] by default.
    pub fn with_reach(self, reach: Reach) -> Self {
        Self { rim: Rim::new(reach, Bones::new(self.l1, self.l2)), ..self }
    }

    /// The rotations that bring the tip to `target`, and how it was met. Target and pole are in the
    /// space of the root's parent. A pole on the line to the target falls back on the rest pose's
    /// bend, carried along; input that is not finite gives the rest rotations and `Invalid`. Under
    /// [`Reach::Hold`] the rotations are those of clamping, for the caller to drop.
    #[inline]
    pub fn solve(&self, target: DVec3, pole: impl Into<Pole>) -> Bent {
        let pole = pole_from(self.origin, pole.into());
        let reference = || self.reference();
        self.bent(&geometry::solve(target - self.origin, pole, self.l1, self.l2, &self.rim, reference))
    }

    /// As [`solve`](Self::solve), with the bend of an earlier call. It turns toward the pole no faster than the ratio of
    /// [`Reach::Soft`] (else [`Reach::RATIO`]) allows, so that nothing jumps when the target passes the line to the pole.
    /// The second value is for the next call; with `None` the pole is met at once. Input that is not finite gives the state
    /// back.
    pub fn solve_carried(&self, target: DVec3, pole: impl Into<Pole>, last: Option<&Swivel>) -> (Bent, Option<Swivel>) {
        let (p, pole) = (target - self.origin, pole_from(self.origin, pole.into()));
        if !(p.is_finite() && pole.is_finite()) {
            return (Bent { rotations: self.rest, stretch: 1.0, status: Status::Invalid }, last.copied());
        }
        let (triangle, swivel) = geometry::carried(p, pole, self.l1, self.l2, &self.rim, self.reference(), last);
        (self.bent(&triangle), Some(swivel))
    }

    fn reference(&self) -> Reference {
        Reference { line: self.rest_line, bend: self.rest_bend }
    }

    #[inline(always)]
    fn bent(&self, triangle: &Triangle) -> Bent {
        if triangle.status == Status::Invalid {
            return Bent { rotations: self.rest, stretch: 1.0, status: Status::Invalid };
        }
        let root = arc::from_frame(triangle.x, triangle.normal) * self.unframe;
        let mid = self.straight * triangle.fold.1 + self.folded * triangle.fold.0;
        Bent { rotations: [root, mid], stretch: triangle.stretch, status: triangle.status }
    }

    /// Lengths of the two bones, in the space of the root's parent.
    pub fn lengths(&self) -> [f64; 2] {
        [self.l1, self.l2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::{JointSpec, SkeletonBuilder};
    use crate::transform::Rotation;
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        (-size..size, -size..size, -size..size).prop_map(DVec3::from)
    }

    fn rotation() -> impl Strategy<Value = DQuat> {
        (vector(1.0), -3.0..3.0_f64)
            .prop_map(|(axis, angle)| Rotation::about(axis + DVec3::X * 1e-3, angle).quaternion())
    }

    proptest! {
        #[test]
        fn the_tip_arrives(r in prop::array::uniform4(rotation()), a in vector(1.0), t in vector(0.1), c in vector(1.0), origin in vector(1.0), p in vector(1.5), pole in vector(1.0), straight in prop::bool::ANY) {
            prop_assume!(a.length() > 0.1 && c.length() > 0.1);
            // With a twist bone between root and middle joint.
            let c = if straight { r[2].conjugate() * (r[1].conjugate() * t) * 5.0 + c * 1e-12 } else { c };
            prop_assume!(c.length() > 0.1);
            let mut builder = SkeletonBuilder::new();
            builder.add(JointSpec::named("root").translation(origin).rotation(r[0]));
            builder.add(JointSpec::named("twist").child_of(0).translation(a).rotation(r[1]));
            builder.add(JointSpec::named("mid").child_of(1).translation(r[1].conjugate() * t).rotation(r[2]));
            builder.add(JointSpec::named("tip").child_of(2).translation(c).rotation(r[3]));
            let skeleton = builder.build().unwrap();
            let [root, mid, tip] = skeleton.joints(["root", "mid", "tip"]).unwrap();
            prop_assume!((a + t).length() > 0.05);
            let limb = Prepared::new(&skeleton, root, mid, tip).unwrap();
            let [l1, l2] = limb.lengths();
            let Bent { rotations: [q_root, q_mid], status, .. } = limb.solve(origin + p, Pole::Direction(pole));
            let mut pose = skeleton.rest_pose();
            pose.edit(&skeleton).rotation(root, q_root).rotation(mid, q_mid);
            let d = p.length();
            let miss = (d - d.clamp((l1 - l2).abs(), l1 + l2)).abs();
            prop_assert!((pose.position(tip).distance(origin + p) - miss).abs() < 1e-12 * (l1 + l2), "{status}");
            prop_assert_eq!(status == Status::Reached, miss == 0.0);
            let off = (pose.position(mid) - origin).reject_from(p);
            let wanted = pole.reject_from(p);
            prop_assume!(off.length() > 1e-3 && wanted.length() > 1e-3);
            prop_assert!(off.normalize().dot(wanted.normalize()) > 1.0 - 1e-9);
        }
    }

    #[test]
    fn what_is_no_number_gives_the_rest_rotations() {
        let arm = Skeleton::from_lengths(&[0.3, 0.25]).unwrap();
        let [root, mid, tip] = arm.joints(["joint_0", "joint_1", "joint_2"]).unwrap();
        let limb = Prepared::new(&arm, root, mid, tip).unwrap();
        let none = limb.solve(DVec3::NAN, DVec3::Z);
        assert_eq!((none.rotations, none.status), ([DQuat::IDENTITY; 2], Status::Invalid));
        // A pole on the line, and a target on the root.
        for target in [DVec3::Y * 0.4, DVec3::ZERO, DVec3::Y * 9.0] {
            let rotations = limb.solve(target, Pole::Direction(DVec3::Y)).rotations;
            assert!(rotations.iter().all(|q| (q.length() - 1.0).abs() < 1e-14), "{target}");
        }
    }

    #[test]
    fn out_of_reach_is_the_callers_choice() {
        let arm = Skeleton::from_lengths(&[0.3, 0.25]).unwrap();
        let [root, mid, tip] = arm.joints(["joint_0", "joint_1", "joint_2"]).unwrap();
        let limb = Prepared::new(&arm, root, mid, tip).unwrap();
        let target = DVec3::new(0.0, 0.3, 0.6);
        let stretched = limb.with_reach(Reach::Stretch { limit: 2.0 }).solve(target, DVec3::X);
        assert_eq!(stretched.status, Status::Reached);
        let mut pose = arm.rest_pose();
        let [q_root, q_mid] = stretched.rotations;
        let long = |joint| arm.rest(joint).translation * stretched.stretch;
        pose.edit(&arm)
            .rotation(root, q_root)
            .rotation(mid, q_mid)
            .translation(mid, long(mid))
            .translation(tip, long(tip));
        assert!(pose.position(tip).distance(target) < 1e-12);
        assert_eq!(limb.with_reach(Reach::Hold).solve(target, DVec3::X).status, Status::Held);
        assert_eq!(limb.solve(target, DVec3::X).status, Status::OutOfReach);
    }
}
