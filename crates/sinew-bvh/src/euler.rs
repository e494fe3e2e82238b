//! Turns about a joint's own axes, one after another, as one rotation, and back.

use glam::DQuat;
use sinew::math::{arc, ops};

use crate::channel::Axis;

/// The middle turn is a quarter, so that the outer two are about one line, below this cosine.
const LOCKED: f64 = 1e-9;

/// The rotation of a turn in degrees.
pub(crate) fn turn(axis: Axis, degrees: f64) -> DQuat {
    let (sin, cos) = ops::sin_cos(0.5 * degrees.to_radians());
    let v = axis.unit() * sin;
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

/// The turn about one axis that comes nearest to the rotation, in degrees.
pub(crate) fn one_angle(rotation: DQuat, axis: Axis, near: f64) -> f64 {
    ops::nearest_turn(arc::twist_angle(rotation, axis.unit()), near.to_radians()).to_degrees()
}

/// Turns about two different axes in degrees, the first outermost, that make the rotation but for what it turns about the
/// third.
pub(crate) fn two_angles(rotation: DQuat, axes: [Axis; 2], near: [f64; 2]) -> [f64; 2] {
    // The second turn leaves its own axis where the first brings it.
    let [first, second] = axes.map(Axis::unit);
    let brought = rotation * second;
    let (sin, cos) = (brought.dot(first.cross(second)), brought.dot(second));
    let outer = if sin.abs() + cos.abs() < LOCKED { near[0].to_radians() } else { ops::atan2(sin, cos) };
    let outer = ops::nearest_turn(outer, near[0].to_radians()).to_degrees();
    [outer, one_angle(turn(axes[0], outer).conjugate() * rotation, axes[1], near[1])]
}

/// Turns about three different axes in degrees, the first outermost, that make the rotation: of all that do the nearest to
/// `near`.
pub(crate) fn three_angles(rotation: DQuat, axes: [Axis; 3], near: [f64; 3]) -> [f64; 3] {
    let [a, b, c] = axes.map(Axis::index);
    let m = glam::DMat3::from_quat(rotation).to_cols_array_2d();
    let entry = |row: usize, column: usize| m[column][row];
    let sign = if (a + 1) % 3 == b { 1.0 } else { -1.0 };
    let across = ops::sqrt(entry(a, a) * entry(a, a) + entry(a, b) * entry(a, b));
    let middle = ops::atan2(sign * entry(a, c), across);
    if across < LOCKED {
        // Any last turn will do: it stays, and the first takes the rest.
        let rest = rotation * turn(axes[2], near[2]).conjugate() * arc::axis_angle(axes[1].unit(), -middle);
        return nearest([arc::twist_angle(rest, axes[0].unit()), middle, near[2].to_radians()], near);
    }
    let first = ops::atan2(-sign * entry(b, c), entry(c, c));
    let last = ops::atan2(-sign * entry(a, b), entry(a, a));
    let half = core::f64::consts::PI;
    let one = nearest([first, middle, last], near);
    let other = nearest([first + half, half - middle, last + half], near);
    let apart = |angles: &[f64; 3]| (0..3).map(|i| (angles[i] - near[i]).abs()).sum::<f64>();
    if apart(&other) < apart(&one) { other } else { one }
}

/// In degrees, with the whole turns that are nearest.
fn nearest(radians: [f64; 3], near: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|i| ops::nearest_turn(radians[i], near[i].to_radians()).to_degrees())
}
