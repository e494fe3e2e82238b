//! What bones' ends may not enter: spheres, capsules and planes, at rest or carried by a joint.

use glam::{DAffine3, DVec3};

use crate::math::arc;
use crate::skeleton::Joint;

/// A body that bones' ends stay out of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// The joint that carries it; model space where there is none.
    pub joint: Option<Joint>,
    /// Its shape, in the joint's frame (metres).
    pub shape: Shape,
    /// Which bones it stops: those that have one of these bits; all by default.
    pub layers: u64,
}

/// Shapes of colliders. Radii are scaled with the joint, by its largest axis.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// All within a radius of a point; ends stay outside, or `inside`.
    Sphere {
        /// Middle.
        center: DVec3,
        /// Radius, not negative.
        radius: f64,
        /// Whether ends are kept in instead of out.
        inside: bool,
    },
    /// All within a radius of a line from point to point.
    Capsule {
        /// The ends of the line.
        ends: [DVec3; 2],
        /// Radius, not negative.
        radius: f64,
        /// Whether ends are kept in instead of out.
        inside: bool,
    },
    /// All behind a plane.
    Plane {
        /// Any point on it.
        point: DVec3,
        /// Points out of it, to where ends may be (any length but zero).
        normal: DVec3,
    },
}

impl Collider {
    /// A shape at rest in model space.
    pub fn new(shape: Shape) -> Self {
        Self { joint: None, shape, layers: u64::MAX }
    }

    /// A sphere that ends stay out of.
    pub fn sphere(center: impl Into<DVec3>, radius: f64) -> Self {
        Self::new(Shape::Sphere { center: center.into(), radius, inside: false })
    }

    /// A capsule that ends stay out of.
    pub fn capsule(from: impl Into<DVec3>, to: impl Into<DVec3>, radius: f64) -> Self {
        Self::new(Shape::Capsule { ends: [from.into(), to.into()], radius, inside: false })
    }

    /// The half space behind a plane; ends stay on the side of the normal.
    pub fn plane(point: impl Into<DVec3>, normal: impl Into<DVec3>) -> Self {
        Self::new(Shape::Plane { point: point.into(), normal: normal.into() })
    }

    /// Carried by `joint`, whose frame the shape is given in.
    pub fn carried_by(self, joint: Joint) -> Self {
        Self { joint: Some(joint), ..self }
    }

    pub(super) fn is_valid(&self) -> bool {
        match self.shape {
            Shape::Sphere { center, radius, .. } => center.is_finite() && radius >= 0.0 && radius.is_finite(),
            Shape::Capsule { ends: [from, to], radius, .. } => {
                from.is_finite() && to.is_finite() && radius >= 0.0 && radius.is_finite()
            }
            Shape::Plane { point, normal } => point.is_finite() && arc::unit(normal).is_some(),
        }
    }
}

impl Shape {
    /// The shape in model space, carried by `frame`.
    pub(super) fn carried(&self, frame: &DAffine3) -> Self {
        let columns = [frame.matrix3.x_axis, frame.matrix3.y_axis, frame.matrix3.z_axis];
        let size = columns.into_iter().map(arc::length).fold(0.0, f64::max);
        let place = |point| frame.transform_point3(point);
        match *self {
            Self::Sphere { center, radius, inside } => {
                Self::Sphere { center: place(center), radius: radius * size, inside }
            }
            Self::Capsule { ends, radius, inside } => {
                Self::Capsule { ends: ends.map(place), radius: radius * size, inside }
            }
            Self::Plane { point, normal } => {
                // Normals go by the inverse transpose, so that the plane stays a plane under any scale.
                let normal = frame.matrix3.inverse().transpose() * normal;
                Self::Plane { point: place(point), normal: if normal.is_finite() { normal } else { DVec3::ZERO } }
            }
        }
    }

    /// Part of the way to the same shape elsewhere, 0 to 1.
    pub(super) fn toward(&self, other: &Self, share: f64) -> Self {
        let mix = |from: DVec3, to: DVec3| from + (to - from) * share;
        match (*self, *other) {
            (Self::Sphere { center: a, .. }, Self::Sphere { center, radius, inside }) => {
                Self::Sphere { center: mix(a, center), radius, inside }
            }
            (Self::Capsule { ends: [a, b], .. }, Self::Capsule { ends: [c, d], radius, inside }) => {
                Self::Capsule { ends: [mix(a, c), mix(b, d)], radius, inside }
            }
            (Self::Plane { point: a, normal: n }, Self::Plane { point, normal }) => {
                Self::Plane { point: mix(a, point), normal: mix(n, normal) }
            }
            (_, other) => other,
        }
    }

    /// How deep a ball at `point` is inside (metres, below zero where it is outside) and the unit direction out. At the
    /// very middle of a round shape `out` decides.
    pub(super) fn depth(&self, point: DVec3, radius: f64, out: DVec3) -> (f64, DVec3) {
        let (nearest, hull, inside) = match *self {
            Self::Sphere { center, radius, inside } => (center, radius, inside),
            Self::Capsule { ends: [from, to], radius, inside } => (nearest_on(from, to, point), radius, inside),
            Self::Plane { point: on, normal } => {
                let normal = arc::unit(normal).unwrap_or(out);
                return (radius - normal.dot(point - on), normal);
            }
        };
        let away = point - nearest;
        let distance = arc::length(away);
        let direction = arc::unit(away).unwrap_or(out);
        if inside { (distance + radius - hull, -direction) } else { (hull + radius - distance, direction) }
    }
}

/// The point of a line from point to point that is nearest to another.
fn nearest_on(from: DVec3, to: DVec3, point: DVec3) -> DVec3 {
    let along = to - from;
    let squared = along.dot(along);
    if squared <= 0.0 {
        return from;
    }
    from + along * ((point - from).dot(along) / squared).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn depths_are_those_of_the_shapes() {
        let at = |shape: Shape, point| shape.depth(point, 0.1, DVec3::Y);
        let near = |(depth, out): (f64, DVec3), wanted: f64, way: DVec3| (depth - wanted).abs() < 1e-15 && out == way;
        let sphere = Collider::sphere(DVec3::X, 1.0).shape;
        assert!(near(at(sphere, DVec3::X * 1.5), 0.6, DVec3::X));
        assert!(near(at(sphere, DVec3::X * 2.25), -0.15, DVec3::X));
        // At the middle the way out is the fallback.
        assert!(near(at(sphere, DVec3::X), 1.1, DVec3::Y));
        let capsule = Collider::capsule(DVec3::ZERO, DVec3::Y * 2.0, 0.5).shape;
        assert!(near(at(capsule, DVec3::new(0.25, 1.0, 0.0)), 0.35, DVec3::X));
        assert!(near(at(capsule, DVec3::new(0.0, 2.5, 0.0)), 0.1, DVec3::Y));
        // No length: a sphere.
        assert!(near(at(Collider::capsule(DVec3::ZERO, DVec3::ZERO, 0.5).shape, DVec3::X), -0.4, DVec3::X));
        assert!(near(at(Collider::plane(DVec3::ZERO, DVec3::Y * 3.0).shape, DVec3::NEG_Y), 1.1, DVec3::Y));
        let room = Shape::Sphere { center: DVec3::ZERO, radius: 1.0, inside: true };
        assert!(near(at(room, DVec3::X * 0.5), -0.4, DVec3::NEG_X));
        assert!(near(at(room, DVec3::X * 1.4), 0.5, DVec3::NEG_X));
    }

    #[test]
    fn carried_shapes_move_with_their_joint() {
        let frame = DAffine3::from_scale_rotation_translation(
            DVec3::splat(2.0),
            DQuat::from_rotation_z(core::f64::consts::FRAC_PI_2),
            DVec3::new(0.0, 0.0, 5.0),
        );
        let Shape::Sphere { center, radius, .. } = Collider::sphere(DVec3::X, 0.5).shape.carried(&frame) else {
            panic!()
        };
        assert!(center.distance(DVec3::new(0.0, 2.0, 5.0)) < 1e-15 && radius == 1.0);
        let Shape::Plane { normal, .. } = Collider::plane(DVec3::ZERO, DVec3::X).shape.carried(&frame) else {
            panic!()
        };
        assert!(normal.normalize().distance(DVec3::Y) < 1e-15);
    }
}
