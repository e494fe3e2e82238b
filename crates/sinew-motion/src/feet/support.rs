//! How a flat foot lies on the ground: on a slope along it, on an edge on the higher side.

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops};

use crate::ground::GroundPoint;

/// Ground whose heights below heel and ball differ by more than its slope says, times their distance, has an edge between.
const EDGE: f64 = 0.3;

/// A plane that a flat foot lies on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    pub(super) part: usize,
    pub(super) normal: DVec3,
    point: DVec3,
}

impl Support {
    /// Below heel and ball, no steeper than `slope` (radians) and nowhere below the ground; level where they are one point, for the ground
    /// at a point would swing a whole leg that stands on its tip. `None` without ground.
    pub(super) fn find(
        soles: [DVec3; 2],
        up: DVec3,
        slope: f64,
        below: &impl Fn(DVec3) -> Option<GroundPoint>,
    ) -> Option<Self> {
        let long = (soles[1] - soles[0]).reject_from_normalized(up).length();
        let heel = below(soles[0]);
        if long < 1e-9 {
            return heel.map(|at| Self { part: at.part, normal: up, point: at.position });
        }
        let (ball, middle) = (below(soles[1]), below((soles[0] + soles[1]) * 0.5));
        let [Some(heel), Some(ball)] = [heel.or(ball), ball.or(heel)] else { return None };
        let along = (ball.position - heel.position).reject_from_normalized(up).normalize_or_zero();
        let rise = (ball.position - heel.position).dot(up) / long;
        let slopes = [heel, ball].map(|at| -at.normal.dot(along) / at.normal.dot(up).max(1e-3));
        let higher = if rise > 0.0 { ball } else { heel };
        let normal = if (rise - 0.5 * (slopes[0] + slopes[1])).abs() > EDGE {
            higher.normal
        } else {
            let line = along + up * rise;
            arc::unit(arc::reject(heel.normal + ball.normal, line.normalize_or_zero())).unwrap_or(up)
        };
        let mut support = Self { part: higher.part, normal: gentle(normal, up, slope), point: higher.position };
        for at in [heel, ball].into_iter().chain(middle) {
            let over = (at.position - support.under(at.position, up)).dot(up);
            support.point += up * over.max(0.0);
        }
        Some(support)
    }

    /// The plane's point on the upright through a point.
    pub(super) fn under(&self, point: DVec3, up: DVec3) -> DVec3 {
        point - up * ((point - self.point).dot(self.normal) / self.normal.dot(up))
    }

    /// The turn from level to the plane.
    pub(super) fn turn(&self, up: DVec3) -> DQuat {
        DQuat::from_rotation_arc(up, self.normal)
    }
}

/// A normal no farther from up than an angle (radians).
fn gentle(normal: DVec3, up: DVec3, slope: f64) -> DVec3 {
    let (sin, cos) = ops::sin_cos(slope.clamp(0.0, 1.5));
    let aside = normal.reject_from_normalized(up);
    let steep = arc::length(aside);
    if normal.dot(up) > 0.0 && steep <= sin {
        return arc::unit(normal).unwrap_or(up);
    }
    arc::unit(aside).map_or(up, |aside| up * cos + aside * sin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Ground, Plane, Stairs};

    fn find(ground: &dyn Ground, heel: DVec3) -> Support {
        let soles = [heel, heel + DVec3::Z * 0.2];
        let below = |point: DVec3| ground.below(point + DVec3::Y, DVec3::Y);
        Support::find(soles, DVec3::Y, 0.6, &below).unwrap()
    }

    #[test]
    fn feet_lie_along_slopes_and_level_on_edges() {
        let slope = DVec3::new(0.1, 1.0, -0.3).normalize();
        let on = find(&Plane::new(DVec3::ZERO, slope), DVec3::ZERO);
        assert!(
            on.normal.distance(slope) < 1e-9 && on.under(DVec3::Z, DVec3::Y).distance(DVec3::new(0.0, 0.3, 1.0)) < 1e-9
        );
        let below = |point: DVec3| Plane::new(DVec3::ZERO, slope).below(point + DVec3::Y, DVec3::Y);
        let tip = Support::find([DVec3::Z; 2], DVec3::Y, 0.6, &below).unwrap();
        assert!(tip.normal == DVec3::Y && (tip.under(DVec3::Z, DVec3::Y).y - 0.3).abs() < 1e-9);
        let stairs = Stairs { start: DVec3::Z, along: DVec3::Z, up: DVec3::Y, rise: 0.2, run: 0.5, steps: 3 };
        let on = find(&stairs, DVec3::Z * 0.9);
        assert!(on.normal.distance(DVec3::Y) < 1e-9 && (on.under(DVec3::Z * 0.9, DVec3::Y).y - 0.2).abs() < 1e-9);
        // Steeper than soles may be: as steep as they may, and not in the ground.
        let steep = find(&Plane::new(DVec3::ZERO, DVec3::new(0.0, 1.0, -2.0)), DVec3::ZERO);
        assert!((steep.normal.dot(DVec3::Y) - ops::sin_cos(0.6).1).abs() < 1e-9);
        let heights = [0.0, 0.2].map(|z| steep.under(DVec3::Z * z, DVec3::Y).y - 2.0 * z);
        assert!(heights[0] >= -1e-9 && heights[1] >= -1e-9, "{heights:?}");
    }
}
