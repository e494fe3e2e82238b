//! A joint turned so that its bone points in a direction, and back into its limit: what postures are compared by before
//! any is descended from. A swing beyond an ellipse goes straight back to its middle, which is not quite the nearest, but
//! costs no search.

use glam::{DQuat, DVec3};

use crate::limit::{EulerRanges, Range, Sines};
use crate::math::{arc, ops};
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::transform::Transform;

/// Share of twice the lengths below which two vectors are opposite.
const OPPOSITE: f64 = 1e-9;

/// A joint's limit, made ready.
pub(in crate::solve) struct Pointer<'a> {
    skeleton: &'a Skeleton,
    joint: Joint,
    limit: Limit,
}

enum Limit {
    Free,
    /// With the rotation of zero.
    Hinge(DQuat, DVec3, Range),
    /// From the parent into the limit's frame and from there into the joint's; the sines of half the largest swings; the sine
    /// and cosine of half the lowest and the highest twist, `None` where all are allowed.
    Swing {
        into: DQuat,
        frame: DQuat,
        size: Sines,
        ends: Option<[(f64, f64); 2]>,
    },
    /// With the rotation of zero.
    Euler(DQuat, EulerRanges),
    Other,
}

impl<'a> Pointer<'a> {
    pub(in crate::solve) fn of(skeleton: &'a Skeleton, joint: Joint) -> Self {
        let zero = skeleton.zero(joint).rotation;
        let swing = |frame: DQuat, size: Sines, Range { min, max }: Range| {
            let ends = (max - min < core::f64::consts::TAU).then(|| [min, max].map(|end| ops::sin_cos(0.5 * end)));
            Limit::Swing { into: frame.conjugate() * zero.conjugate(), frame, size, ends }
        };
        let limit = match skeleton.kind(joint) {
            Kind::Ball(BallLimit::Free) | Kind::Free => Limit::Free,
            Kind::Hinge { axis, .. } => Limit::Hinge(zero, axis, skeleton.range(joint)),
            Kind::Ball(BallLimit::SwingTwist(limit)) => swing(limit.frame(), limit.sines(), limit.twist()),
            Kind::Ball(BallLimit::EllipticSwing(limit)) => swing(limit.frame(), limit.sines(), limit.twist()),
            Kind::Ball(BallLimit::Euler(limit)) => Limit::Euler(zero, limit),
            _ => Limit::Other,
        };
        Self { skeleton, joint, limit }
    }

    /// The joint's allowed rotation next to that which turns `from` the shortest way so that `bone` points along `wanted`.
    pub(in crate::solve) fn toward(&self, from: DQuat, bone: DVec3, wanted: DVec3) -> DQuat {
        if let Limit::Hinge(zero, axis, range) = self.limit {
            // The best angle itself, wherever the joint is.
            let angle = arc::comparable(bone, zero.conjugate() * wanted).map_or(0.0, |[bone, wanted]| {
                let cosine = bone.dot(wanted) - axis.dot(bone) * axis.dot(wanted);
                ops::atan2(axis.dot(bone.cross(wanted)), cosine)
            });
            return zero * arc::axis_angle(axis, range.clamp_angle(angle, range.clamp(0.0)));
        }
        let turned = arc::comparable(from * bone, wanted).map_or(from, |[now, wanted]| {
            let (both, along) = (ops::sqrt(now.dot(now) * wanted.dot(wanted)), now.dot(wanted));
            if both + along > OPPOSITE * both {
                let cross = now.cross(wanted);
                DQuat::from_xyzw(cross.x, cross.y, cross.z, both + along) * from
            } else {
                let across = arc::any_perpendicular(now);
                DQuat::from_xyzw(across.x, across.y, across.z, 0.0) * from
            }
        });
        match &self.limit {
            Limit::Free => arc::normalize(turned),
            Limit::Swing { into, frame, size, ends } => {
                let local = clamped(arc::normalize(*into * turned * *frame), *size, ends.as_ref());
                into.conjugate() * local * frame.conjugate()
            }
            Limit::Euler(zero, limit) => {
                *zero * arc::normalize(limit.clamped_inner(arc::normalize(zero.conjugate() * turned)))
            }
            Limit::Hinge(..) | Limit::Other => {
                let local = Transform { rotation: arc::normalize(turned), ..*self.skeleton.rest(self.joint) };
                self.skeleton.nearest_allowed(self.joint, &local, 0.0).rotation
            }
        }
    }
}

/// A rotation in a limit's frame with its twist about z, and the swing that is left before it, inside the limit.
fn clamped(q: DQuat, size: Sines, ends: Option<&[(f64, f64); 2]>) -> DQuat {
    let planar = ops::sqrt(q.z * q.z + q.w * q.w);
    let (mut sine, mut cosine) = if planar > 0.0 { (q.z / planar, q.w / planar) } else { (0.0, 1.0) };
    if let Some([low, high]) = ends {
        let middle = (low.0 + high.0) * sine + (low.1 + high.1) * cosine;
        let sign = if middle < 0.0 { -1.0 } else { 1.0 };
        let (above, below) = (sine * low.1 - cosine * low.0, cosine * high.0 - sine * high.1);
        if above * sign < 0.0 || below * sign < 0.0 {
            let along = |end: &(f64, f64)| (sine * end.0 + cosine * end.1).abs();
            (sine, cosine) = if along(low) > along(high) { *low } else { *high };
        }
    }
    let (mut a, mut b) = (q.x * cosine - q.y * sine, q.x * sine + q.y * cosine);
    let real = q.w * cosine + q.z * sine;
    if real < 0.0 {
        (a, b) = (-a, -b);
    }
    let size = size.at(a, b);
    let share = |part: f64, most: f64| if most > 0.0 { part / most } else { f64::from(part != 0.0) * 2.0 };
    let (u, v) = (share(a, size[0]), share(b, size[1]));
    let out = u * u + v * v;
    if out > 1.0 {
        let out = ops::sqrt(out);
        (a, b) = (if size[0] > 0.0 { a / out } else { 0.0 }, if size[1] > 0.0 { b / out } else { 0.0 });
    }
    let real = ops::sqrt_clamped(1.0 - a * a - b * b);
    DQuat::from_xyzw(a * cosine + b * sine, b * cosine - a * sine, real * sine, real * cosine)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::laws::rigs::{direction, rotation};
    use crate::skeleton::{JointSpec, SkeletonBuilder};
    use crate::solve::two_bone::swivel_ends::tests::ball;

    /// How long the bone and how far the target is changes nothing, also where squares of these are no numbers any more; a bone without a
    /// direction turns nothing.
    #[test]
    fn lengths_do_not_count() {
        let mut rng = Rng::with_seed(5);
        for case in 0..100 {
            let mut builder = SkeletonBuilder::new();
            let hinge = JointSpec::named("0").kind(Kind::hinge(direction(&mut rng)).within(-1.0, 1.2));
            builder.add(if case % 4 == 0 { hinge } else { ball(&mut rng) });
            let skeleton = builder.build().unwrap();
            let pointer = Pointer::of(&skeleton, skeleton.at(0).unwrap());
            let (bone, wanted): (DVec3, DVec3) = (direction(&mut rng), direction(&mut rng));
            let from = rotation(&mut rng).quaternion();
            let plain = pointer.toward(from, bone, wanted);
            for [long, far] in [[1e-200, 1e-3], [1e-170, 1e-170], [1e120, 1e90], [1e-290, 1e200]] {
                let scaled = pointer.toward(from, bone * long, wanted * far);
                assert!(scaled.dot(plain).abs() > 1.0 - 1e-12, "{case}, {long}, {far}: {scaled} {plain}");
            }
            for long in [0.0, 1e-302] {
                let stays = pointer.toward(from, bone * long, wanted);
                assert!((stays.length_squared() - 1.0).abs() < 1e-9, "{case}, {long}: {stays}");
            }
        }
    }
}
