//! Random kinds and limits, among them those that allow almost nothing, begin beyond a turn or have one end only.

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use sinew::{BallLimit, Kind};

use super::random::{direction, pick, signed};

/// A kind, with a limit in so many of all cases.
pub(super) fn random(rng: &mut Rng, limits: f64) -> Kind {
    if rng.f64() > limits {
        return pick(rng, &[Kind::BALL, Kind::BALL, Kind::BALL, Kind::hinge(DVec3::X), Kind::Free]);
    }
    match rng.u8(0..12) {
        0 => Kind::Fixed,
        1..=4 => Kind::Hinge { axis: axis(rng), range: range(rng) },
        5 => Kind::Slide { axis: axis(rng), range: range(rng) },
        6 => Kind::Free,
        _ => ball(rng),
    }
}

fn axis(rng: &mut Rng) -> DVec3 {
    match rng.u8(0..4) {
        0 => DVec3::Y,
        1 => DVec3::X,
        _ => direction(rng),
    }
}

/// A range of a hinge (radians) or slide (metres).
fn range(rng: &mut Rng) -> Range {
    match rng.u8(0..10) {
        0 => Range::FREE,
        1 => {
            let only = 2.0 * signed(rng);
            Range::new(only, only)
        }
        2 => Range::new(7.0, 8.0),
        3 => Range::new(-20.0, 20.0),
        4 => Range::new(0.0, 2.6),
        5 => Range::new(-2.6, 0.0),
        6 => Range::new(f64::NEG_INFINITY, signed(rng)),
        7 => Range::new(signed(rng), f64::INFINITY),
        8 => Range::new(-0.1 * rng.f64(), 0.2 * rng.f64()),
        _ => Range::new(-3.0 * rng.f64(), 3.0 * rng.f64()),
    }
}

fn twist(rng: &mut Rng) -> Range {
    match rng.u8(0..6) {
        0 => Range::new(0.0, 0.0),
        1 => Range::FREE,
        2 => Range::new(1.0, 1.5),
        3 => Range::new(-7.0, 7.0),
        _ => Range::new(-2.0 * rng.f64(), 2.0 * rng.f64()),
    }
}

fn ball(rng: &mut Rng) -> Kind {
    let limit = match rng.u8(0..5) {
        0 => None,
        1 | 2 => cone(rng),
        3 => ellipse(rng),
        _ => euler(rng),
    };
    Kind::Ball(limit.unwrap_or(BallLimit::Free))
}

/// A factor for the width of a swing: mostly one, at times nothing or next to it.
fn width(rng: &mut Rng) -> f64 {
    pick(rng, &[1.0, 1.0, 1.0, 0.0, 1e-9])
}

fn cone(rng: &mut Rng) -> Option<BallLimit> {
    let swing = width(rng) * if rng.bool() { 3.3 * rng.f64() } else { 0.2 + rng.f64() };
    let twist = twist(rng);
    SwingTwist::new(direction(rng), swing, twist).map(BallLimit::SwingTwist)
}

fn ellipse(rng: &mut Rng) -> Option<BallLimit> {
    let swing = [width(rng) * 3.2 * rng.f64(), pick(rng, &[1.0, 1.0, 0.0]) * 3.2 * rng.f64()];
    let twist = twist(rng);
    // Half of them farther to one side than to the other, some to one side alone.
    let [x, y] = swing.map(|most| Range::new(-most, most));
    let [x, y] = match swing {
        [one, other] if one < 0.5 * other => [x, Range::new(-one, other)],
        [one, other] if one > 2.0 * other => [Range::new(-other, one), Range::new(-0.3 * other, other)],
        _ => [x, y],
    };
    EllipticSwing::uneven(direction(rng), direction(rng), [x, y], twist).map(BallLimit::EllipticSwing)
}

fn euler(rng: &mut Rng) -> Option<BallLimit> {
    use EulerOrder::{Xyz, Xzy, Yxz, Yzx, Zxy, Zyx};
    let order = pick(rng, &[Xyz, Xzy, Yxz, Yzx, Zxy, Zyx]);
    EulerRanges::new(order, range(rng), range(rng), range(rng)).map(BallLimit::Euler)
}
