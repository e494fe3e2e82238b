//! The polygon that a body stands on, and how far its centre of mass is from it.
//!
//! A body at rest does not fall while its centre of mass, looked at along the vertical, is inside the convex hull of
//! the points that it stands on. The hull is wrapped corner by corner (Jarvis 1973).

use alloc::vec::Vec;

use glam::{DVec2, DVec3};

use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};

/// Share of the points' spread within which they are one, and a corner is on its neighbours' line.
const SAME: f64 = 1e-12;

/// Moves the corners of the convex hull of the points to the front, counter-clockwise from the leftmost, and returns their
/// number: 0 without points, 1 when all are equal, 2 when they lie on a line.
pub fn hull(points: &mut [DVec2]) -> usize {
    let leftmost = |a: &(usize, DVec2), b: &(usize, DVec2)| a.1.x.total_cmp(&b.1.x).then(a.1.y.total_cmp(&b.1.y));
    let Some((place, first)) = points.iter().copied().enumerate().min_by(leftmost) else { return 0 };
    points.swap(0, place);
    let spread = points.iter().map(|&point| (point - first).abs().max_element()).fold(0.0, f64::max);
    let near = SAME * spread;
    for corners in 1..points.len() {
        let from = points[corners - 1];
        let mut next: Option<(usize, DVec2)> = None;
        // The first corner before others that are equal to it: there the ring closes.
        for (place, &point) in [(0, &first)].into_iter().chain(points.iter().enumerate().skip(corners)) {
            let way = point - from;
            if way.abs().max_element() <= near {
                continue;
            }
            let better = next.is_none_or(|(_, best)| {
                let right = best.perp_dot(way);
                right < -near * spread || right <= near * spread && way.dot(way) > best.dot(best)
            });
            if better {
                next = Some((place, way));
            }
        }
        match next {
            Some((place, _)) if place > 0 => points.swap(corners, place),
            _ => return corners,
        }
    }
    points.len()
}

/// The offset from `point` to the nearest point of the convex hull of `points`, whose order changes. Zero inside, on the
/// border, and without points.
pub fn offset(points: &mut [DVec2], point: DVec2) -> DVec2 {
    let count = hull(points);
    let corners = &points[..count];
    let sides = || corners.iter().zip(corners.iter().cycle().skip(1));
    if count > 2 && sides().all(|(&a, &b)| (b - a).perp_dot(point - a) >= 0.0) {
        return DVec2::ZERO;
    }
    let ways = sides().map(|(&a, &b)| {
        let (side, square) = (b - a, (b - a).dot(b - a));
        let along = if square > 0.0 { ((point - a).dot(side) / square).clamp(0.0, 1.0) } else { 0.0 };
        a + side * along - point
    });
    ways.min_by(|a, b| a.dot(*a).total_cmp(&b.dot(*b))).unwrap_or(DVec2::ZERO)
}

/// Keeps the centre of mass of a body over what it stands on.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Balance {
    /// The joint that, with all below it, is the body.
    pub body: Joint,
    /// The way up, in model space; of any length but zero.
    pub up: DVec3,
    /// Points that the body stands on, each in the frame of a joint: heels, balls and tips of the feet.
    pub support: Vec<(Joint, DVec3)>,
    /// How far inside the polygon the centre of mass should be, as a share of the distance from its border to its middle; 0
    /// by default.
    pub margin: f64,
}

impl Balance {
    /// The body from a joint on, standing on the origins of joints (ankles and toes, say).
    pub fn new(body: Joint, up: impl Into<DVec3>, support: impl IntoIterator<Item = Joint>) -> Self {
        let support = support.into_iter().map(|joint| (joint, DVec3::ZERO)).collect();
        Self { body, up: up.into(), support, margin: 0.0 }
    }

    /// The offset, perpendicular to up (metres, model space), by which the centre of mass misses balance; zero in balance.
    /// `None` when nothing has mass, or there is no up or no support.
    pub fn offset(&self, skeleton: &Skeleton, pose: &Pose) -> Option<DVec3> {
        self.offset_with(skeleton, pose, DVec3::ZERO, &mut Vec::new())
    }

    /// The same for a centre of mass that is moved by `shift`.
    pub(super) fn offset_with(
        &self,
        skeleton: &Skeleton,
        pose: &Pose,
        shift: DVec3,
        points: &mut Vec<DVec2>,
    ) -> Option<DVec3> {
        let up = arc::unit(self.up).filter(|_| !self.support.is_empty())?;
        let center = pose.center_of_mass(skeleton, self.body)?;
        let across = arc::any_perpendicular(up);
        let other = up.cross(across);
        points.clear();
        // From the centre of mass, so that far from the origin no digits are lost.
        points.extend(self.support.iter().map(|&(joint, point)| {
            let way = pose.model(joint).transform_point3(point) - center;
            DVec2::new(way.dot(across), way.dot(other))
        }));
        let middle = points.iter().copied().sum::<DVec2>() / points.len() as f64;
        for point in points.iter_mut() {
            *point += (middle - *point) * self.margin;
        }
        let way = offset(points, DVec2::new(shift.dot(across), shift.dot(other)));
        Some(across * way.x + other * way.y)
    }

    /// Whether its joints are the skeleton's and its numbers are numbers.
    pub(super) fn is_valid(&self, skeleton: &Skeleton) -> bool {
        let support = |&(joint, point): &(Joint, DVec3)| skeleton.contains(joint) && point.is_finite();
        skeleton.contains(self.body)
            && self.up.is_finite()
            && self.support.iter().all(support)
            && (0.0..=1.0).contains(&self.margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = DVec2> {
        // On a coarse grid, so that equal and collinear points are common.
        (-4..5_i8, -4..5_i8).prop_map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)))
    }

    proptest! {
        #[test]
        fn corners_are_a_convex_ring_around_all(points in prop::collection::vec(point(), 1..12)) {
            let mut sorted = points.clone();
            let count = hull(&mut sorted);
            let corners = &sorted[..count];
            prop_assert!(count >= 1 && points.iter().all(|p| sorted.contains(p)));
            for i in 0..count {
                let (a, b, c) = (corners[i], corners[(i + 1) % count], corners[(i + 2) % count]);
                prop_assert!(count < 3 || (b - a).perp_dot(c - b) > 0.0, "{corners:?}");
                prop_assert!(points.iter().all(|&p| (b - a).perp_dot(p - a) >= 0.0), "{corners:?} {points:?}");
            }
        }

        #[test]
        fn the_offset_ends_at_the_nearest_mix_of_points(points in prop::collection::vec(point(), 1..6), from in point(), half in prop::bool::ANY) {
            let from = from * 1.5 + if half { DVec2::splat(0.25) } else { DVec2::ZERO };
            let way = offset(&mut points.clone(), from);
            // Nearest: every point lies beyond the plane through the end, across the way.
            let end = from + way;
            prop_assert!(points.iter().all(|&p| (p - end).dot(way) >= -1e-9), "{way}");
            // Inside the hull: no direction separates the end from all points.
            for step in 0..64 {
                let direction = DVec2::from_angle(f64::from(step) * core::f64::consts::TAU / 64.0);
                prop_assert!(points.iter().any(|&p| (p - end).dot(direction) >= -1e-9), "{end}");
            }
        }
    }

    #[test]
    fn points_and_lines_are_hulls() {
        let (a, b) = (DVec2::new(1.0, 1.0), DVec2::new(3.0, 1.0));
        assert_eq!(offset(&mut [], b), DVec2::ZERO);
        assert_eq!(offset(&mut [a, a], b), a - b);
        assert_eq!(offset(&mut [b, a, (a + b) * 0.5], DVec2::new(2.5, 4.0)), DVec2::new(0.0, -3.0));
        assert_eq!((hull(&mut []), hull(&mut [a]), hull(&mut [b, a, b, (a + b) * 0.5])), (0, 1, 2));
        assert_eq!((hull(&mut [a, b, a]), hull(&mut [a, a])), (2, 1));
    }
}
