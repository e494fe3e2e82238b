//! The ground that feet stand on: one question, answered by planes, stairs, height fields, triangles or a closure.

mod field;
mod triangles;

use glam::{DAffine3, DVec3};
use sinew::math::arc;

pub use field::HeightField;
pub use triangles::Triangles;

/// A point of the ground, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPoint {
    /// Where it is (metres).
    pub position: DVec3,
    /// Unit direction away from the ground.
    pub normal: DVec3,
    /// Which moving part of the ground it belongs to, for [`Ground::frame`]; 0 where nothing moves.
    pub part: usize,
}

/// What feet stand on. A closure `Fn(DVec3, DVec3) -> Option<GroundPoint>` is one, such as an engine's own ray cast.
pub trait Ground {
    /// The highest ground at or below `point`, on the line through it along the unit direction `up`; `None` where there is none.
    /// Feet ask from above the ground, by a step's height.
    fn below(&self, point: DVec3, up: DVec3) -> Option<GroundPoint>;

    /// Where a moving part of the ground is now; identity for what stands still, the default. Locked feet go along.
    fn frame(&self, _part: usize) -> DAffine3 {
        DAffine3::IDENTITY
    }
}

impl<F: Fn(DVec3, DVec3) -> Option<GroundPoint>> Ground for F {
    fn below(&self, point: DVec3, up: DVec3) -> Option<GroundPoint> {
        self(point, up)
    }
}

/// A plane: flat ground, or a slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    point: DVec3,
    normal: DVec3,
}

impl Plane {
    /// Through a point, with a direction away from the ground; one of no length counts as +Y.
    pub fn new(point: DVec3, normal: DVec3) -> Self {
        Self { point, normal: arc::unit(normal).unwrap_or(DVec3::Y) }
    }
}

impl Ground for Plane {
    fn below(&self, point: DVec3, up: DVec3) -> Option<GroundPoint> {
        let slope = up.dot(self.normal);
        let away = (point - self.point).dot(self.normal) / slope;
        let on = || GroundPoint { position: point - up * away, normal: self.normal, part: 0 };
        (slope > 0.0 && away >= 0.0).then(on)
    }
}

/// Stairs of even steps: level ground, steps that rise (or fall, where `rise` is negative) along a direction, level ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stairs {
    /// Where the first riser stands, on the level ground before it (metres).
    pub start: DVec3,
    /// Horizontal unit direction in which they lead.
    pub along: DVec3,
    /// Unit direction up.
    pub up: DVec3,
    /// Height of a step (metres).
    pub rise: f64,
    /// Depth of a step (metres).
    pub run: f64,
    /// How many.
    pub steps: u32,
}

impl Ground for Stairs {
    fn below(&self, point: DVec3, up: DVec3) -> Option<GroundPoint> {
        let ahead = (point - self.start).dot(self.along);
        let step = if ahead < 0.0 { 0.0 } else { ((ahead / self.run).floor() + 1.0).min(f64::from(self.steps)) };
        let tread = Plane::new(self.start + self.up * (self.rise * step), self.up);
        tread.below(point, up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_and_stairs_answer_from_above_alone() {
        let slope = Plane::new(DVec3::ZERO, DVec3::new(0.0, 1.0, -1.0));
        let at = slope.below(DVec3::new(3.0, 5.0, 2.0), DVec3::Y).unwrap();
        assert!(at.position.distance(DVec3::new(3.0, 2.0, 2.0)) < 1e-12);
        assert!(slope.below(DVec3::new(3.0, 1.9, 2.0), DVec3::Y).is_none());
        let stairs = Stairs { start: DVec3::Z, along: DVec3::Z, up: DVec3::Y, rise: 0.2, run: 0.3, steps: 3 };
        let height = |z: f64| stairs.below(DVec3::new(0.0, 9.0, z), DVec3::Y).unwrap().position.y;
        let heights = [0.99, 1.01, 1.29, 1.31, 1.61, 9.0].map(height);
        for (found, wanted) in heights.iter().zip([0.0, 0.2, 0.2, 0.4, 0.6, 0.6]) {
            assert!((found - wanted).abs() < 1e-12, "{heights:?}");
        }
    }

    #[test]
    fn a_field_and_its_triangles_are_one_ground() {
        let field = HeightField::rough(7, [20, 24], 0.25, 0.1, DVec3::new(-2.0, 0.5, -2.0));
        let (vertices, indices) = field.triangles();
        let triangles = Triangles::new(vertices, &indices, DVec3::Y);
        let other = Triangles::new(triangles.vertices().to_vec(), &indices, DVec3::Z);
        let mut random = fastrand::Rng::with_seed(3);
        let mut found = 0;
        for _ in 0..2000 {
            let point = DVec3::new(random.f64() * 6.0 - 3.0, 3.0, random.f64() * 8.0 - 3.0);
            let (a, b) = (field.below(point, DVec3::Y), triangles.below(point, DVec3::Y));
            // The grid of cells, and all triangles one by one.
            let c = other.below(point, DVec3::Y);
            assert_eq!(a.is_some(), b.is_some(), "{point}");
            let (Some(a), Some(b), Some(c)) = (a, b, c) else { continue };
            found += 1;
            assert!(a.position.distance(b.position) < 1e-9 && b == c, "{a:?} {b:?} {c:?}");
            assert!(a.normal.distance(b.normal) < 1e-9 && (a.normal.length() - 1.0).abs() < 1e-12);
            assert!((a.position.y - 0.5).abs() <= 0.1);
        }
        assert!(found > 800, "{found}");
        // Two floors: which is met is a matter of where one asks from.
        let floor = |y: f64| [DVec3::new(-9.0, y, -9.0), DVec3::new(9.0, y, -9.0), DVec3::new(0.0, y, 9.0)];
        let house = Triangles::new([floor(0.0), floor(3.0)].concat(), &[0, 1, 2, 3, 4, 5], DVec3::Y);
        let height = |y: f64| house.below(DVec3::new(0.1, y, 0.2), DVec3::Y).map(|at| at.position.y);
        assert_eq!([4.0, 2.0, -1.0].map(height), [Some(3.0), Some(0.0), None]);
    }

    #[test]
    fn closures_are_ground() {
        let bumps = |point: DVec3, _: DVec3| {
            let position = DVec3::new(point.x, 0.1 * point.x * point.x, point.z);
            Some(GroundPoint { position, normal: DVec3::new(-0.2 * point.x, 1.0, 0.0).normalize(), part: 0 })
        };
        let ground: &dyn Ground = &bumps;
        assert_eq!(ground.below(DVec3::new(2.0, 3.0, 1.0), DVec3::Y).unwrap().position.y, 0.4);
        assert_eq!(ground.frame(0), DAffine3::IDENTITY);
    }
}
