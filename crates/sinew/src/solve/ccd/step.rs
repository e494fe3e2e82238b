//! One joint's step: the best setting for the pairs that pass through it, inside its limit.

use glam::DVec3;

use super::ball::{move_free, turn_ball, whole};
use super::effector::Form;
use super::kernel::{Circle, one_turn};
use super::part::{Freedom, Part, Setting, limited};
use super::settings::{Balls, Ccd};
use super::tree::{Entry, Shared};
use crate::math::{arc, ops};

/// Turn (radians) that is rounding.
pub(super) const STILL: f64 = 1e-12;
/// Share of the pairs' size below which a hinge's effect is rounding.
const NOTHING: f64 = 1e-13;

/// How far and in which way joints may turn in one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) balls: Balls,
    /// Cosine and sine of the largest turn, and of half of it, where there is one.
    pub(super) largest: Option<((f64, f64), (f64, f64))>,
}

impl Limits {
    pub(super) fn of(ccd: &Ccd) -> Self {
        let direction = |angle: f64| {
            let (sine, cosine) = ops::sin_cos(angle);
            (cosine, sine)
        };
        let damped = ccd.damping < core::f64::consts::PI;
        let angle = ccd.damping.max(0.0);
        Self { balls: ccd.balls, largest: damped.then(|| (direction(angle), direction(0.5 * angle))) }
    }
}

/// The joint's new setting, a share of the way for a stiff one; one that shares its coordinate only says what it would gain.
#[inline(always)]
pub(super) fn step(
    part: &Part,
    setting: Setting,
    entries: &[Entry],
    limits: &Limits,
    shared: &mut [Shared],
) -> Setting {
    let best = best_step(part, setting, entries, limits, shared);
    if part.ease < 1.0 { part_way(part, setting, best) } else { best }
}

/// A share of the way from one setting to another, inside the limit.
#[cold]
fn part_way(part: &Part, now: Setting, best: Setting) -> Setting {
    let ease = part.ease;
    match (part.motion, now, best) {
        (Freedom::Hinge { sector, .. }, Setting::Turned(now), Setting::Turned(best)) => {
            Setting::Turned(sector.between(now, best, ease))
        }
        (Freedom::Ball { limit, zero }, Setting::Ball(now), Setting::Ball(best)) => {
            Setting::Ball(limited(&limit, zero, arc::nlerp(now, best, ease)))
        }
        (_, Setting::Slid(now), Setting::Slid(best)) => Setting::Slid(now + (best - now) * ease),
        (_, Setting::Free(turn, place), Setting::Free(best, to)) => {
            Setting::Free(arc::nlerp(turn, best, ease), place.lerp(to, ease))
        }
        _ => best,
    }
}

/// The joint's best setting.
#[inline(always)]
fn best_step(part: &Part, setting: Setting, entries: &[Entry], limits: &Limits, shared: &mut [Shared]) -> Setting {
    if let (Some(place), Some(drive)) = (part.shared, part.drive) {
        let (slope, bend) = slope(part, setting, entries);
        let shared = &mut shared[place as usize];
        shared.slope += drive.multiplier * slope;
        shared.bend += drive.multiplier.abs() * ops::sqrt(bend);
        return setting;
    }
    match (part.motion, setting) {
        (Freedom::Hinge { axis, sector }, Setting::Turned(now)) => {
            let Some(best) = best_direction(axis, part.origin, entries) else { return setting };
            let to = sector.clamp(best);
            if same_direction(now, to) {
                return setting;
            }
            Setting::Turned(limits.largest.map_or(to, |(largest, _)| damped(now, to, largest, sector.middle)))
        }
        (Freedom::Slide { axis, range }, Setting::Slid(_)) => {
            best_shift(axis, part.origin, entries).map_or(setting, |value| Setting::Slid(range.clamp(value)))
        }
        (Freedom::Ball { limit, zero }, Setting::Ball(now)) => {
            Setting::Ball(turn_ball(part, (&limit, zero), now, entries, limits))
        }
        (Freedom::Free, Setting::Free(turn, place)) => {
            let (turn, place) = move_free(turn, place, entries, limits);
            Setting::Free(turn, place)
        }
        _ => setting,
    }
}

/// The setting at which a vector (in the parent's axes, the joint's turn left out) points along `to` as
/// nearly as the joint may.
pub(super) fn turn_toward(part: &Part, setting: Setting, from: DVec3, to: DVec3) -> Setting {
    match (part.motion, setting) {
        (Freedom::Hinge { axis, sector }, Setting::Turned(_)) => {
            let mut circle = Circle::default();
            circle.add(axis, from, to, 1.0);
            let length = ops::sqrt(circle.sine * circle.sine + circle.cosine * circle.cosine);
            let defined = length > NOTHING * arc::length(from);
            if defined {
                Setting::Turned(sector.clamp((circle.cosine / length, circle.sine / length)))
            } else {
                setting
            }
        }
        (Freedom::Ball { limit, zero }, Setting::Ball(now)) => {
            let turn = one_turn(now * from, to, Some(now * part.bend));
            Setting::Ball(limited(&limit, zero, arc::normalize(turn * now)))
        }
        _ => setting,
    }
}

/// Shows each pair that counts, from the joint's origin: where it is with the joint's turn left out, where
/// it should be, and its weight.
#[inline(always)]
pub(super) fn each(entries: &[Entry], origin: DVec3, mut see: impl FnMut(DVec3, DVec3, f64)) {
    for (i, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.weight > 0.0) {
        match entry.form {
            Form::Point if entry.from.dot(entry.from) <= entry.least => {}
            Form::Point => see(entry.from, entry.target - origin, entry.weight),
            Form::Vector => see(entry.from, entry.target, entry.weight),
            Form::Ray => {
                if let Some((from, to)) = ray(entry.from, entries[i + 1].from, entry.target - origin) {
                    see(from, to, entry.weight);
                }
            }
            Form::Sight => {}
        }
    }
}

/// Where a line of sight meets the sphere through the target (or comes nearest to it), and the target, both
/// scaled to the length of `sight`: turning one onto the other turns the line through the target.
pub(super) fn ray(muzzle: DVec3, sight: DVec3, target: DVec3) -> Option<(DVec3, DVec3)> {
    let (way, to) = (arc::unit(sight)?, arc::unit(target)?);
    let across = arc::reject(muzzle, way);
    let along = ops::sqrt_clamped(target.dot(target) - across.dot(across));
    let arm = arc::length(sight);
    Some((arc::unit(across + way * along)? * arm, to * arm))
}

/// `(cos, sin)` of the best angle about `axis`; `None` where all are as good.
#[inline(always)]
fn best_direction(axis: DVec3, origin: DVec3, entries: &[Entry]) -> Option<(f64, f64)> {
    let mut circle = Circle::default();
    let mut size = 0.0;
    each(entries, origin, |from, to, weight| {
        circle.add(axis, from, to, weight);
        size += weight * weight * from.dot(from) * to.dot(to);
    });
    let squared = circle.sine * circle.sine + circle.cosine * circle.cosine;
    if !(squared > NOTHING * NOTHING * size && squared < f64::INFINITY) {
        return None;
    }
    let length = ops::sqrt(squared);
    Some((circle.cosine / length, circle.sine / length))
}

/// Whether two unit vectors differ by rounding only.
#[inline(always)]
fn same_direction(a: (f64, f64), b: (f64, f64)) -> bool {
    (a.0 * b.1 - a.1 * b.0).abs() < STILL && a.0 * b.0 + a.1 * b.1 > 0.0
}

/// A slide's best value.
fn best_shift(axis: DVec3, origin: DVec3, entries: &[Entry]) -> Option<f64> {
    let (mut along, mut total) = (0.0, 0.0);
    for entry in entries.iter().filter(|entry| entry.form == Form::Point) {
        along += entry.weight * axis.dot(entry.target - origin - entry.from);
        total += entry.weight;
    }
    (total > 0.0).then(|| along / total)
}

/// A direction on the way from one to another, at most `largest` from the first. Ends of a range are
/// `middle`'s opposite apart: the way does not lead over it.
fn damped(now: (f64, f64), to: (f64, f64), largest: (f64, f64), middle: (f64, f64)) -> (f64, f64) {
    let between = |a: (f64, f64), b: (f64, f64)| (a.0 * b.0 + a.1 * b.1, a.0 * b.1 - a.1 * b.0);
    let turn = between(now, to);
    let from_middle = |direction: (f64, f64)| {
        let (cosine, sine) = between(middle, direction);
        ops::atan2(sine, cosine)
    };
    if turn.0 >= largest.0 {
        return to;
    }
    let forward = from_middle(to) > from_middle(now);
    let sine = if forward { largest.1 } else { -largest.1 };
    (now.0 * largest.0 - now.1 * sine, now.1 * largest.0 + now.0 * sine)
}

/// What a shared coordinate's joint would gain by a small turn or shift, and how fast that changes.
fn slope(part: &Part, setting: Setting, entries: &[Entry]) -> (f64, f64) {
    match (part.motion, setting) {
        (Freedom::Hinge { axis, .. }, Setting::Turned((cosine, sine))) => {
            let (mut circle, mut lever) = (Circle::default(), 0.0);
            each(entries, part.origin, |from, to, weight| {
                circle.add(axis, from, to, weight);
                let across = arc::reject(from, axis);
                lever += weight * across.dot(across);
            });
            let size = ops::sqrt(circle.sine * circle.sine + circle.cosine * circle.cosine);
            (circle.sine * cosine - circle.cosine * sine, size.max(lever))
        }
        (Freedom::Slide { axis, .. }, Setting::Slid(value)) => {
            let total: f64 = entries.iter().filter(|e| e.form == Form::Point).map(|e| e.weight).sum();
            let best = best_shift(axis, part.origin, entries);
            best.map_or((0.0, 0.0), |best| (total * (best - value), total))
        }
        _ => (0.0, 0.0),
    }
}

/// Angle (radians), or share of what is wanted of a slide, that a limit must forbid to stand in the way.
const BLOCKED: f64 = 1e-6;

/// Whether the joint's limit keeps it from its best step.
pub(super) fn is_blocked(part: &Part, setting: Setting, entries: &[Entry]) -> bool {
    match (part.motion, setting) {
        (Freedom::Hinge { axis, sector }, Setting::Turned(_)) => best_direction(axis, part.origin, entries)
            .is_some_and(|best| {
                let nearest = sector.clamp(best);
                (nearest.0 - best.0).abs() + (nearest.1 - best.1).abs() > BLOCKED
            }),
        (Freedom::Slide { axis, range }, Setting::Slid(_)) => {
            best_shift(axis, part.origin, entries).is_some_and(|best| !range.contains(best))
        }
        (Freedom::Ball { limit, zero }, Setting::Ball(now)) => {
            let wanted = zero.conjugate() * arc::normalize(whole(part, now, entries) * now);
            arc::length(arc::rotation_vector(wanted * limit.project(wanted).conjugate())) > BLOCKED
        }
        _ => false,
    }
}
