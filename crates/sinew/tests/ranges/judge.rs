//! A test of limits of its own: nothing here asks the crate's projections.

use std::f64::consts::{PI, TAU};

use sinew::glam::{DMat3, DQuat, DVec3};
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use sinew::{BallLimit, Joint, Kind, Pose, Skeleton};

/// Angle (radians), or share of a length or value, that counts as rounding.
const ROUNDING: f64 = 1e-9;
/// The same of a ball, whose solvers search to a chord of 1e-11 and whose swing is read by an arc tangent.
const BALL: f64 = 1e-7;

/// Why a joint is outside what it may do; `None` where it is inside.
pub(crate) fn outside(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> Option<String> {
    let (local, zero) = (pose.local(joint), skeleton.zero(joint));
    let value = pose.value(skeleton, joint);
    let turn = zero.rotation.conjugate() * local.rotation;
    let over = |range: Range, unit: f64| {
        let off = (range.min - value).max(value - range.max);
        (off > ROUNDING * (unit + value.abs())).then(|| format!("{value} is outside of {range:?}"))
    };
    match skeleton.kind(joint) {
        Kind::Hinge { axis, range } => {
            let v = DVec3::new(turn.x, turn.y, turn.z);
            let along = v.dot(axis);
            let (off, angle) = (2.0 * (v - axis * along).length(), 2.0 * along.atan2(turn.w));
            let wrong = (angle - value).rem_euclid(TAU).min((value - angle).rem_euclid(TAU));
            match () {
                () if off > ROUNDING => Some(format!("turned off its axis by {off}")),
                () if wrong > ROUNDING * (1.0 + value.abs()) => {
                    Some(format!("its value {value} is not its turn {angle}"))
                }
                () => over(range, 1.0),
            }
        }
        Kind::Slide { axis, range } => {
            let (line, way) = (zero.rotation * axis, local.translation - zero.translation);
            let size = local.translation.length().max(zero.translation.length());
            let off = (way - line * value).length();
            if off > ROUNDING * size { Some(format!("beside its line by {off}")) } else { over(range, size) }
        }
        Kind::Ball(limit) => {
            let off = ball(&limit, turn.normalize());
            (off > BALL).then(|| format!("outside its limit by {off}: {limit:?}"))
        }
        _ => None,
    }
}

fn ball(limit: &BallLimit, q: DQuat) -> f64 {
    match limit {
        BallLimit::SwingTwist(cone) => round(cone, q),
        BallLimit::EllipticSwing(ellipse) => elliptic(ellipse, q),
        BallLimit::Euler(ranges) => euler(ranges, q),
        _ => 0.0,
    }
}

/// Angle by which `x` is outside of a range on the circle.
fn circle(x: f64, range: Range) -> f64 {
    let wide = range.max - range.min;
    let past = (x - range.min).rem_euclid(TAU);
    if wide >= TAU || range.min == f64::NEG_INFINITY || past <= wide { 0.0 } else { (past - wide).min(TAU - past) }
}

fn round(cone: &SwingTwist, q: DQuat) -> f64 {
    let v = DVec3::new(q.x, q.y, q.z);
    let along = v.dot(cone.axis());
    let planar = along.hypot(q.w);
    let swing = 2.0 * (v - cone.axis() * along).length().atan2(planar);
    // Near a half-turn swing the twist is next to nothing.
    (swing - cone.swing()).max(planar * circle(2.0 * along.atan2(q.w), cone.twist()))
}

fn elliptic(ellipse: &EllipticSwing, q: DQuat) -> f64 {
    let (axis, across) = (ellipse.axis(), ellipse.across());
    let along = DVec3::new(q.x, q.y, q.z).dot(axis);
    let (planar, twist) = (along.hypot(q.w), 2.0 * along.atan2(q.w));
    let swing = q * DQuat::from_axis_angle(axis, -twist);
    let swing = DVec3::new(swing.x, swing.y, swing.z);
    let (x, y) = (swing.dot(across), swing.dot(axis.cross(across)));
    let most = |part: f64, Range { min, max }: Range| (0.5 * if part < 0.0 { -min } else { max }).sin();
    let [about_x, about_y] = ellipse.swing();
    let off = 2.0 * from_ellipse(x.abs(), y.abs(), most(x, about_x), most(y, about_y));
    // At a half-turn swing every twist is its own.
    if planar < 1e-5 { 0.0 } else { off.max(planar * circle(twist, ellipse.twist())) }
}

/// Distance of a point of the first quadrant from the filled ellipse of half-axes `a` and `b`.
pub(crate) fn from_ellipse(x: f64, y: f64, a: f64, b: f64) -> f64 {
    let share = |value: f64, most: f64| if value == 0.0 { 0.0 } else { value / most };
    if share(x, a).hypot(share(y, b)) <= 1.0 {
        return 0.0;
    }
    let at = |angle: f64| (x - a * angle.cos()).hypot(y - b * angle.sin());
    let step = PI / 1600.0;
    let best = (0..=800).map(|i| step * f64::from(i)).min_by(|&s, &t| at(s).total_cmp(&at(t))).unwrap();
    let (mut low, mut high) = ((best - step).max(0.0), (best + step).min(0.5 * PI));
    for _ in 0..100 {
        let (s, t) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        if at(s) < at(t) { high = t } else { low = s }
    }
    at(0.5 * (low + high))
}

fn euler(limit: &EulerRanges, q: DQuat) -> f64 {
    let ([i, j, k], sign) = match limit.order() {
        EulerOrder::Xyz => ([0, 1, 2], 1.0),
        EulerOrder::Yzx => ([1, 2, 0], 1.0),
        EulerOrder::Zxy => ([2, 0, 1], 1.0),
        EulerOrder::Xzy => ([0, 2, 1], -1.0),
        EulerOrder::Yxz => ([1, 0, 2], -1.0),
        EulerOrder::Zyx => ([2, 1, 0], -1.0),
    };
    let (m, ranges) = (DMat3::from_quat(q), limit.ranges());
    let at = |row: usize, column: usize| m.col(column)[row];
    let (sine, cosine) = (sign * at(i, k), at(i, i).hypot(at(i, j)));
    if cosine < 1e-5 {
        return 0.0;
    }
    let (first, third) = ((-sign * at(j, k)).atan2(at(k, k)), (-sign * at(i, j)).atan2(at(i, i)));
    let off = |a: f64, b: f64, c: f64| circle(a, ranges[i]).max(circle(b, ranges[j])).max(circle(c, ranges[k]));
    let middle = sine.atan2(cosine);
    off(first, middle, third).min(off(first + PI, PI - middle, third + PI))
}
