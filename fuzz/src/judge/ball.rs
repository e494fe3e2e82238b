//! How far a rotation lies outside a ball's limit, straight from what the limits are said to mean.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use sinew::BallLimit;
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};

use super::linear::{Quaternion, about, cross, dot, imaginary, inverse, length, matrix, product, scaled, sub, unit};

/// Radians by which a rotation, measured from the joint's zero, is outside, and the limit's name; 0 inside.
pub(super) fn outside(limit: &BallLimit, turn: Quaternion) -> (f64, &'static str) {
    let turn = unit(turn);
    match limit {
        BallLimit::SwingTwist(cone) => (outside_cone(cone, turn), "ball outside its cone"),
        BallLimit::EllipticSwing(ellipse) => (outside_ellipse(ellipse, turn), "ball outside its ellipse"),
        BallLimit::Euler(ranges) => (outside_euler(ranges, turn), "ball outside its Euler ranges"),
        _ => (0.0, ""),
    }
}

/// How far an angle is outside a range on the circle.
fn outside_circle(angle: f64, range: Range) -> f64 {
    let width = range.max - range.min;
    if width >= TAU {
        return 0.0;
    }
    let past = (angle - range.min).rem_euclid(TAU);
    if past <= width { 0.0 } else { (past - width).min(TAU - past) }
}

fn outside_cone(cone: &SwingTwist, turn: Quaternion) -> f64 {
    let axis = cone.axis().to_array();
    let along = dot(imaginary(turn), axis);
    // Cosine of half the swing: near 0 nothing is left of the twist.
    let planar = along.hypot(turn[3]);
    let swing = 2.0 * length(sub(imaginary(turn), scaled(axis, along))).atan2(planar);
    let over = (swing - cone.swing()).max(0.0);
    if planar < 1e-7 {
        return over;
    }
    over.max(planar * outside_circle(2.0 * along.atan2(turn[3]), cone.twist()))
}

fn outside_ellipse(limit: &EllipticSwing, turn: Quaternion) -> f64 {
    let (axis, x) = (limit.axis().to_array(), limit.across().to_array());
    let y = cross(axis, x);
    let along = dot(imaginary(turn), axis);
    let planar = along.hypot(turn[3]);
    let [about_x, about_y] = limit.swing();
    let most = |part: f64, Range { min, max }: Range| (0.5 * if part < 0.0 { -min } else { max }).sin();
    let swung = |twist: f64, side: f64| {
        let swing = imaginary(product(turn, inverse(about(axis, twist))));
        let (a, b) = (side * dot(swing, x), side * dot(swing, y));
        2.0 * distance_from_ellipse([a.abs(), b.abs()], [most(a, about_x), most(b, about_y)])
    };
    if planar > 1e-5 {
        let twist = 2.0 * along.atan2(turn[3]);
        return swung(twist, 1.0).max(planar * outside_circle(twist, limit.twist()));
    }
    // Half a turn of swing leaves the twist open, and is one to either side: any that is allowed will do.
    let (low, high) = (limit.twist().min.max(-3.2), limit.twist().max.min(3.2));
    let tried = (0..=2000).map(|step| low + (high - low) * f64::from(step) / 2000.0);
    let tried = tried.map(|twist| swung(twist, 1.0).min(swung(twist, -1.0)));
    (tried.fold(f64::INFINITY, f64::min) - 4e-3).max(0.0)
}

/// Distance of a point of the first quadrant from a filled ellipse: tried along its edge, then halved.
fn distance_from_ellipse(point: [f64; 2], half_axes: [f64; 2]) -> f64 {
    let [u, w] = point;
    let [a, b] = half_axes;
    // An ellipse flat to a line holds what lies on the line.
    let share = |x: f64, half: f64| if half > 0.0 { x / half } else { 2.0 * x.signum() * f64::from(x != 0.0) };
    if share(u, a).powi(2) + share(w, b).powi(2) <= 1.0 {
        return 0.0;
    }
    let distance = |angle: f64| (u - a * angle.cos()).hypot(w - b * angle.sin());
    let step = FRAC_PI_2 / 400.0;
    let tried = (0..=400).map(|i| f64::from(i) * step);
    let best = tried.min_by(|&s, &t| distance(s).total_cmp(&distance(t))).unwrap_or(0.0);
    let (mut low, mut high) = ((best - step).max(0.0), (best + step).min(FRAC_PI_2));
    for _ in 0..100 {
        let (one, other) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
        if distance(one) < distance(other) { high = other } else { low = one }
    }
    distance(0.5 * (low + high)).min(distance(best))
}

/// The axes in the order of turning, and whether they follow one another as x, y, z do.
fn axes(order: EulerOrder) -> ([usize; 3], f64) {
    match order {
        EulerOrder::Xyz => ([0, 1, 2], 1.0),
        EulerOrder::Yzx => ([1, 2, 0], 1.0),
        EulerOrder::Zxy => ([2, 0, 1], 1.0),
        EulerOrder::Xzy => ([0, 2, 1], -1.0),
        EulerOrder::Yxz => ([1, 0, 2], -1.0),
        EulerOrder::Zyx => ([2, 1, 0], -1.0),
    }
}

/// Of both triples of angles that make the rotation, the one nearer to the ranges counts.
fn outside_euler(limit: &EulerRanges, turn: Quaternion) -> f64 {
    let ([i, j, k], sign) = axes(limit.order());
    let (m, ranges) = (matrix(turn), limit.ranges());
    let worst = |a: f64, b: f64, c: f64| {
        let each = [outside_circle(a, ranges[i]), outside_circle(b, ranges[j]), outside_circle(c, ranges[k])];
        each.into_iter().fold(0.0, f64::max)
    };
    let middle = (sign * m[i][k]).clamp(-1.0, 1.0).atan2(m[i][i].hypot(m[i][j]));
    if middle.cos() > 1e-6 {
        let (first, last) = ((-sign * m[j][k]).atan2(m[k][k]), (-sign * m[i][j]).atan2(m[i][i]));
        return worst(first, middle, last).min(worst(first + PI, PI - middle, last + PI));
    }
    // Gimbal lock: only the sum or the difference of the outer angles is known, so all pairs are tried.
    let whole = (sign * m[k][j]).atan2(m[j][j]);
    let pair = |step: u32| {
        let first = f64::from(step) * TAU / 7200.0;
        worst(first, middle, if middle * sign > 0.0 { whole - first } else { first - whole })
    };
    ((0..7200).map(pair).fold(f64::INFINITY, f64::min) - 1e-3).max(0.0)
}
