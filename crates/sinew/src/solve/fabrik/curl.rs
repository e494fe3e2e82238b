//! Bending a whole chain more, or less: every joint by one common angle, all about one axis across the chord, until the chord is as
//! long as the target is far. A straight chain becomes a regular arc, a bent one keeps its shape and curls; no joint folds for
//! the others, as sweeps make it do. What is pulled in and let out again is as it was.
//!
//! In the plane across the axis a bone is a complex number, and the `i`-th turns by `i` times the angle, so that the chord is
//! `Σ zᵢ wⁱ` for a unit `w`; along the axis nothing changes. Newton on `sqrt(L - chord)`, which is nearly linear in the
//! angle, as in `lean.rs`; by tangents of a quarter of it, so that no step needs a sine.

use glam::{DVec2, DVec3};

use super::bones::Bones;
use crate::math::ops;

/// Steps at most.
const STEPS: u32 = 24;
/// Share of the chain's length by which the chord, or the bulge, may be off: what is left is closed as ever.
const NEAR: f64 = 1e-6;
/// A bound, times the bones, of the tangent of a quarter of an angle that makes a whole turn of the chain.
const LARGEST: f64 = 2.0;
/// How much of the bulge of a regular arc with its chord a chain keeps that is let out. Without any it would have no side to which to
/// bend again.
const BULGE: f64 = 0.5;

/// To which side a chain bulges (unit, across the chord), and how much: the sum of its points' ways there from the chord.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bulge {
    pub(super) side: DVec3,
    pub(super) sum: f64,
}

/// Bends the chain, whose chord has this direction and length, until that is about `wanted` long, its direction kept. To a shorter one it
/// bulges more; to a longer one it bulges less, but not less than half as much as a regular arc, even if that is not long
/// enough. It stays as it is where that does not get there.
pub(super) fn bend(points: &mut [DVec3], bones: &Bones<'_>, (line, chord): (DVec3, f64), wanted: f64, bulge: Bulge) {
    let frame = [line, bulge.side];
    let Some((step, sum)) = angle(points, bones, frame, (chord, wanted, bulge.sum)) else { return };
    // Back onto the chord's direction.
    let mut turn = DVec2::new(sum.x, -sum.y) * (1.0 / ops::sqrt(sum.dot(sum)));
    let (mut at, mut before) = (points[0], points[0]);
    for point in &mut points[1..] {
        let bone = *point - before;
        before = *point;
        let flat = DVec2::new(bone.dot(line), bone.dot(bulge.side));
        let new = times(flat, turn);
        at += bone + line * (new.x - flat.x) + bulge.side * (new.y - flat.y);
        *point = at;
        turn = times(turn, step);
    }
}

/// The turn from bone to bone at which the chord is as long as wanted or the chain bulges least, and that chord, if any up to a whole
/// turn of the chain.
fn angle(
    points: &[DVec3],
    bones: &Bones<'_>,
    frame: [DVec3; 2],
    (chord, wanted, bulge): (f64, f64, f64),
) -> Option<(DVec2, DVec2)> {
    let n = bones.lengths.len() as f64;
    let sign = if wanted < chord { 1.0 } else { -1.0 };
    let root = |length: f64| ops::sqrt_clamped(bones.total - length);
    let root_of_wanted = root(wanted);
    // By how much the chain, where it is let out, may bulge less; a regular arc's bulge to second order.
    let least = |length: f64| BULGE * ops::sqrt(bones.total * (n * n - 1.0) / 6.0) * root(length);
    let room = |length: f64, bulge: f64| if sign < 0.0 { bulge - least(length) } else { f64::INFINITY };
    if room(chord, bulge) <= 0.0 {
        return None;
    }
    // Tangents of a quarter of the angle: one that is too small, one that is too large.
    let (mut low, mut high) = ((0.0, room(chord, bulge)), (sign * LARGEST / n, f64::NAN));
    // To second order, as of a straight chain: chord - wanted = bulge k + chord (n² - 1) k² / 24, for the angle k.
    let (curve, excess) = (chord * (n * n - 1.0) / 6.0, chord - wanted);
    let guess = 2.0 * excess / (bulge.max(0.0) + ops::sqrt_clamped(bulge * bulge + curve * excess));
    let mut tangent = sign * (0.25 * guess * sign).min(0.9 * high.0 * sign);
    let mut was_past = None;
    for _ in 0..STEPS {
        let step = turned(tangent);
        let (sum, change) = sum_at(points, frame, step);
        let length = ops::sqrt(sum.dot(sum));
        // The chord grows as fast as the chain bulges.
        let room = room(length, -change);
        let is_least = length < wanted && room.abs() <= NEAR * bones.total;
        if (length - wanted).abs() <= NEAR * bones.total || is_least {
            return Some((step, sum));
        }
        let is_flat = room <= 0.0;
        let is_past = is_flat || (length - wanted) * sign < 0.0;
        let (end, other) = if is_past { (&mut high, &mut low) } else { (&mut low, &mut high) };
        *end = (tangent, room);
        if was_past == Some(is_past) {
            // So that no end stays for ever (the Illinois method).
            other.1 *= 0.5;
        }
        was_past = Some(is_past);
        // An angle is four times that of its tangent.
        let speed = change * 4.0 / (1.0 + tangent * tangent);
        let rest = root(length);
        let newton = tangent + (rest - root_of_wanted) * 2.0 * rest / speed;
        let level = low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1));
        let inside = |next: &f64| (next - low.0) * sign > 0.0 && (high.0 - next) * sign > 0.0;
        let newton = Some(newton).filter(|_| !is_flat).filter(inside);
        tangent = newton.or(Some(level).filter(inside)).unwrap_or(0.5 * (low.0 + high.0));
        if (high.0 - low.0).abs() <= f64::EPSILON * high.0.abs() {
            break;
        }
    }
    // What is let out may stop anywhere.
    let step = turned(low.0);
    (sign < 0.0).then(|| (step, sum_at(points, frame, step).0))
}

/// The turn from one bone to the next, four times the angle of a tangent, towards the line.
fn turned(tangent: f64) -> DVec2 {
    let square = tangent * tangent;
    let half = DVec2::new(1.0 - square, -2.0 * tangent) * (1.0 / (1.0 + square));
    times(half, half)
}

/// The chord in the plane, and how fast its length grows with the angle.
fn sum_at(points: &[DVec3], [line, side]: [DVec3; 2], step: DVec2) -> (DVec2, f64) {
    let (mut sum, mut moment, mut turn) = (DVec2::ZERO, DVec2::ZERO, DVec2::new(1.0, 0.0));
    let mut number = 0.0;
    for pair in points.windows(2) {
        let bone = pair[1] - pair[0];
        let bone = times(DVec2::new(bone.dot(line), bone.dot(side)), turn);
        sum += bone;
        moment += bone * number;
        number += 1.0;
        turn = times(turn, step);
    }
    // Of `Σ zᵢ e^(-i k)`: times -i.
    let length = ops::sqrt(sum.dot(sum)).max(f64::MIN_POSITIVE);
    (sum, (sum.x * moment.y - sum.y * moment.x) / length)
}

/// The product as complex numbers.
fn times(a: DVec2, b: DVec2) -> DVec2 {
    DVec2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use fastrand::Rng;

    use super::*;
    use crate::math::arc;

    /// An arc of so many bones that turns by `angle` in all, each bone off by up to `rough` radians.
    fn bent(rng: &mut Rng, bones: usize, angle: f64, rough: f64) -> Vec<DVec3> {
        let mut points = alloc::vec![DVec3::ZERO];
        for i in 0..bones {
            let turned = angle * (i as f64 / bones as f64 - 0.5) + rough * (rng.f64() - 0.5);
            let (sine, cosine) = ops::sin_cos(turned);
            points.push(points[i] + DVec3::new(cosine, -sine, rough * (rng.f64() - 0.5)).normalize());
        }
        points
    }

    /// The chord's direction and length, and how the chain bulges.
    fn chord(points: &[DVec3]) -> ((DVec3, f64), Bulge) {
        let tip = points[points.len() - 1];
        let line = arc::unit(tip).unwrap();
        let sum: DVec3 = points.iter().sum();
        let side = arc::unit_reject(sum, line, 0.0).unwrap();
        ((line, arc::length(tip)), Bulge { side, sum: sum.dot(side) })
    }

    #[test]
    fn what_is_pulled_in_is_let_out_again() {
        let rng = &mut Rng::with_seed(7);
        for case in 0..300 {
            let (count, angle) = (3 + case % 20, 0.2 + 3.0 * rng.f64());
            let start = bent(rng, count, angle, 0.2 * angle);
            let lengths = alloc::vec![1.0; count];
            let bones = Bones::of(&lengths).unwrap();
            let (own, bulge) = chord(&start);
            let mut points = start.clone();
            bend(&mut points, &bones, own, 0.7 * own.1, bulge);
            let (near, bulge) = chord(&points);
            assert!((near.1 - 0.7 * own.1).abs() < 1e-5 * bones.total, "{case}");
            bend(&mut points, &bones, near, own.1, bulge);
            let off = points.iter().zip(&start).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            // The axis lies across the chain's bulge, which is another once it is bent.
            assert!(off < 0.02 * bones.total, "{case}: {off}, {count} bones, {angle}");
        }
    }

    #[test]
    fn what_is_let_out_keeps_half_the_bulge_of_an_arc() {
        let rng = &mut Rng::with_seed(8);
        let mut let_out = 0;
        for case in 0..300 {
            let count = 3 + case % 20;
            let start = bent(rng, count, 0.2, 0.4);
            let lengths = alloc::vec![1.0; count];
            let bones = Bones::of(&lengths).unwrap();
            let (own, bulge) = chord(&start);
            let mut points = start.clone();
            bend(&mut points, &bones, own, bones.total * (1.0 - 1e-9), bulge);
            let (far, left) = chord(&points);
            // Of an arc with this chord, by its own points: the angle of which halves of sines make the chord, by bisection.
            let (mut low, mut high) = (0.0, core::f64::consts::TAU / count as f64);
            let sine = |x: f64| ops::sin_cos(x).0;
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                let is_longer = sine(0.5 * middle * count as f64) > far.1 * sine(0.5 * middle);
                (low, high) = if is_longer { (middle, high) } else { (low, middle) };
            }
            let arc = bent(&mut Rng::with_seed(0), count, low * count as f64, 0.0);
            let half = 0.5 * chord(&arc).1.sum;
            let moved = points.iter().zip(&start).any(|(a, b)| a.distance(*b) > 1e-9);
            let_out += u32::from(moved);
            assert!(far.1 >= own.1 - 1e-9, "{case}: {} {}", far.1, own.1);
            assert!(!moved || (left.sum / half - 1.0).abs() < 0.02, "{case}: {} {half}", left.sum);
            assert!(moved || bulge.sum < 1.02 * half, "{case}: {} {half}", bulge.sum);
        }
        assert!((50..250).contains(&let_out), "{let_out}");
    }
}
