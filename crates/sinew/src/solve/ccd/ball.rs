//! Steps of balls and free joints.

use glam::{DMat3, DQuat, DVec3};

use super::effector::Form;
use super::fit::Moments;
use super::kernel::{Circle, one_turn};
use super::part::{Part, limited};
use super::settings::Balls;
use super::step::{Limits, STILL, each, ray};
use super::tree::Entry;
use crate::math::{arc, ops};
use crate::skeleton::BallLimit;

/// Rounds of turning and projecting, where a limit leaves a turn about the target free.
const ROUNDS: u32 = 3;
/// `(cos, sin)` of a middle angle's end, a degree off a quarter turn.
const GIMBAL: (f64, f64) = (0.017_452_406_437_283_51, 0.999_847_695_156_391_2);
/// Share of a turn that is tried where a limit stands in the way of more.
const SMALLEST: f64 = 0.01;

/// A ball's new rotation.
pub(super) fn turn_ball(
    part: &Part,
    (limit, zero): (&BallLimit, DQuat),
    now: DQuat,
    entries: &[Entry],
    limits: &Limits,
) -> DQuat {
    if *limit == BallLimit::Free {
        return best(part, zero, now, entries, limits);
    }
    let pull = |q: DQuat| {
        let mut sum = 0.0;
        each(entries, part.origin, |from, to, weight| sum += weight * to.dot(q * from));
        sum
    };
    let (mut turned, mut most) = (now, pull(now));
    // More rounds than one might turn farther than a step may.
    let rounds = if limits.largest.is_some() { 1 } else { ROUNDS };
    for _ in 0..rounds {
        let wanted = best(part, zero, turned, entries, limits);
        // What is nearest to the best turn is not always better than none; what is nearest to a part of it is.
        let shares = core::iter::successors(Some(1.0), |share| Some(0.25 * share).filter(|&share| share > SMALLEST));
        let better = shares
            .map(|share| limited(limit, zero, arc::nlerp(turned, wanted, share)))
            .map(|allowed| (allowed, pull(allowed)))
            .find(|&(_, pull)| pull > most);
        let Some((allowed, pull)) = better else { break };
        (turned, most) = (allowed, pull);
        if allowed == wanted {
            break;
        }
    }
    turned
}

/// The best rotation of a ball without a limit, at most one step from its present one.
fn best(part: &Part, zero: DQuat, now: DQuat, entries: &[Entry], limits: &Limits) -> DQuat {
    let turn = match limits.balls {
        Balls::Whole => whole(part, now, entries),
        Balls::PerAxis => arc::normalize(per_axis(now, zero, part.origin, entries) * now.conjugate()),
    };
    // What is a straight chain's turn but for rounding would bend it any way.
    if turn.x * turn.x + turn.y * turn.y + turn.z * turn.z < STILL * STILL {
        return now;
    }
    let turn = limits.largest.map_or(turn, |(_, half)| damped_turn(turn, half));
    arc::normalize(turn * now)
}

/// The best turn of a ball from its present rotation.
pub(super) fn whole(part: &Part, now: DQuat, entries: &[Entry]) -> DQuat {
    let mut moments = Moments::default();
    let (mut count, mut only) = (0, (DVec3::ZERO, DVec3::ZERO));
    each(entries, part.origin, |from, to, weight| {
        count += 1;
        only = (from, to);
        moments.add(from, to, weight);
    });
    if count == 1 {
        return one_turn(now * only.0, only.1, Some(now * part.bend));
    }
    moments.turned(now).turn()
}

/// A ball's rotation as turns about its zero's x, y and z, each set to its best in turn; the middle one
/// stays off a quarter turn, where the other two are about one axis.
fn per_axis(now: DQuat, zero: DQuat, origin: DVec3, entries: &[Entry]) -> DQuat {
    let turn = DMat3::from_quat(zero.conjugate() * now);
    let level = ops::sqrt(turn.z_axis.y * turn.z_axis.y + turn.z_axis.z * turn.z_axis.z);
    let unit = |cosine: f64, sine: f64| {
        let length = ops::sqrt(cosine * cosine + sine * sine);
        if length > 1e-12 { (cosine / length, sine / length) } else { (1.0, 0.0) }
    };
    let mut x = unit(turn.z_axis.z, -turn.z_axis.y);
    let mut y = unit(level, turn.z_axis.x);
    let mut z = unit(turn.x_axis.x, -turn.y_axis.x);
    let rotation = |axis: DVec3, (cosine, sine): (f64, f64)| {
        // Half of an angle in -π to π.
        let (c, s) = (ops::sqrt_clamped(0.5 * (1.0 + cosine)), ops::sqrt_clamped(0.5 * (1.0 - cosine)));
        let s = if sine < 0.0 { -s } else { s };
        DQuat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, c)
    };
    let best = |axis: DVec3, before: DQuat, after: DQuat, now: (f64, f64)| {
        let (mut circle, back) = (Circle::default(), before.conjugate());
        each(entries, origin, |from, to, weight| circle.add(axis, after * from, back * to, weight));
        let length = ops::sqrt(circle.sine * circle.sine + circle.cosine * circle.cosine);
        if length > 1e-150 { (circle.cosine / length, circle.sine / length) } else { now }
    };
    x = best(DVec3::X, zero, rotation(DVec3::Y, y) * rotation(DVec3::Z, z), x);
    y = best(DVec3::Y, zero * rotation(DVec3::X, x), rotation(DVec3::Z, z), y);
    if y.0 < GIMBAL.0 {
        y = (GIMBAL.0, if y.1 < 0.0 { -GIMBAL.1 } else { GIMBAL.1 });
    }
    let outer = zero * rotation(DVec3::X, x) * rotation(DVec3::Y, y);
    z = best(DVec3::Z, outer, DQuat::IDENTITY, z);
    arc::normalize(outer * rotation(DVec3::Z, z))
}

/// A free joint's new rotation and place: the best rigid fit.
pub(super) fn move_free(turn: DQuat, place: DVec3, entries: &[Entry], limits: &Limits) -> (DQuat, DVec3) {
    let points = || entries.iter().filter(|entry| entry.form == Form::Point && entry.weight > 0.0);
    let total: f64 = points().map(|entry| entry.weight).sum();
    let mean = |of: fn(&Entry) -> DVec3| points().map(|e| of(e) * e.weight).fold(DVec3::ZERO, |a, b| a + b) / total;
    let (from, to) =
        if total > 0.0 { (mean(|entry| entry.from), mean(|entry| entry.target)) } else { (DVec3::ZERO, place) };
    let mut moments = Moments::default();
    points().for_each(|entry| moments.add(entry.from - from, entry.target - to, entry.weight));
    for (i, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.weight > 0.0) {
        match entry.form {
            Form::Vector => moments.add(entry.from, entry.target, entry.weight),
            Form::Ray => {
                if let Some((from, to)) = ray(entry.from, entries[i + 1].from, entry.target - place) {
                    moments.add(from, to, entry.weight);
                }
            }
            Form::Point | Form::Sight => {}
        }
    }
    let delta = moments.turned(turn).turn();
    let delta = limits.largest.map_or(delta, |(_, half)| damped_turn(delta, half));
    let turn = arc::normalize(delta * turn);
    (turn, to - turn * from)
}

/// A turn of at most so much; `half` is the cosine and sine of half of it.
fn damped_turn(turn: DQuat, half: (f64, f64)) -> DQuat {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    if turn.w >= half.0 {
        return turn;
    }
    let v = DVec3::new(turn.x, turn.y, turn.z);
    let v = v * (half.1 / arc::length(v));
    DQuat::from_xyzw(v.x, v.y, v.z, half.0)
}
