//! Pulling a chain in: every joint bends by one common angle more, all about one axis across the chord, until the chord is as
//! long as the target is far. A straight chain becomes a regular arc, a bent one keeps its shape and curls; no joint folds for
//! the others, as sweeps make it do. Letting it out is the same with an angle less, so that a target that goes in and out again leaves
//! the chain as it was.
//!
//! In the plane across the axis a bone is a complex number, and the `i`-th turns by `i` times the angle, so that the chord is
//! `Σ zᵢ wⁱ` for a unit `w`; along the axis nothing changes. Newton on `sqrt(L - chord)`, which is nearly linear in the
//! angle, as in `lean.rs`; by tangents of a quarter of it, so that no step needs a sine.

use glam::{DVec2, DVec3};

use super::bones::Bones;
use crate::math::ops;

/// Steps at most.
const STEPS: u32 = 24;
/// Share of the chain's length by which the chord may be off: what is left is closed as ever.
const NEAR: f64 = 1e-6;

/// A bound, times the bones, of the tangent of a quarter of an angle that makes a whole turn of the chain.
const LARGEST: f64 = 2.0;

/// To which side a chain bulges (unit, across the chord), and how much: the sum of its points' ways there from the chord.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bulge {
    pub(super) side: DVec3,
    pub(super) sum: f64,
}

/// Bends the chain, whose chord has this direction and length, until that is about `wanted` long, bulging more, its direction
/// kept; or leaves it as it is where that does not get there.
pub(super) fn pull_in(points: &mut [DVec3], bones: &Bones<'_>, (line, chord): (DVec3, f64), wanted: f64, bulge: Bulge) {
    let frame = [line, bulge.side];
    if let Some((step, sum)) = bend(points, bones, frame, (chord, wanted, bulge.sum)) {
        turn(points, frame, step, sum);
    }
}

/// Unbends the chain, whose chord has this direction and length, until that is about `wanted` long, or as long as it gets by that.
pub(super) fn let_out(points: &mut [DVec3], bones: &Bones<'_>, (line, chord): (DVec3, f64), wanted: f64, bulge: Bulge) {
    let frame = [line, bulge.side];
    if let Some((step, sum)) = unbend(points, bones, frame, (chord, wanted, bulge.sum)) {
        turn(points, frame, step, sum);
    }
}

/// Turns each bone by so much more than the one before, and all back onto the chord's direction, along which `sum` was.
fn turn(points: &mut [DVec3], [line, side]: [DVec3; 2], step: DVec2, sum: DVec2) {
    let mut turn = DVec2::new(sum.x, -sum.y) * (1.0 / ops::sqrt(sum.dot(sum)));
    let (mut at, mut before) = (points[0], points[0]);
    for point in &mut points[1..] {
        let bone = *point - before;
        before = *point;
        let flat = DVec2::new(bone.dot(line), bone.dot(side));
        let new = times(flat, turn);
        at += bone + line * (new.x - flat.x) + side * (new.y - flat.y);
        *point = at;
        turn = times(turn, step);
    }
}

/// The turn from bone to bone at which the chord is as long as wanted, and that chord, if any up to a whole turn of the chain.
fn bend(
    points: &[DVec3],
    bones: &Bones<'_>,
    frame: [DVec3; 2],
    (chord, wanted, slope): (f64, f64, f64),
) -> Option<(DVec2, DVec2)> {
    let n = bones.lengths.len() as f64;
    let root = |length: f64| ops::sqrt_clamped(bones.total - length);
    let root_of_wanted = root(wanted);
    // The tangent of a quarter of the angle.
    let (mut low, mut high) = (0.0, LARGEST / n);
    // To second order, as of a straight chain: chord - wanted = slope k + chord (n² - 1) k² / 24, for the angle k.
    let (curve, excess) = (chord * (n * n - 1.0) / 6.0, chord - wanted);
    let guess = 2.0 * excess / (slope.max(0.0) + ops::sqrt_clamped(slope * slope + curve * excess));
    let mut tangent = (0.25 * guess).min(0.9 * high);
    for _ in 0..STEPS {
        let step = turned(tangent);
        let (sum, change) = sum_at(points, frame, step);
        let length = ops::sqrt(sum.dot(sum));
        if (length - wanted).abs() <= NEAR * bones.total {
            return Some((step, sum));
        }
        if length > wanted {
            low = tangent;
        } else {
            high = tangent;
        }
        // An angle is four times that of its tangent.
        let speed = change * 4.0 / (1.0 + tangent * tangent);
        let rest = root(length);
        let next = tangent + (rest - root_of_wanted) * 2.0 * rest / speed;
        tangent = if next > low && next < high { next } else { 0.5 * (low + high) };
        if high - low <= f64::EPSILON * high {
            break;
        }
    }
    None
}

/// The turn from bone to bone, the other way, at which the chord is as long as wanted, or the longest before; and that chord.
fn unbend(
    points: &[DVec3],
    bones: &Bones<'_>,
    frame: [DVec3; 2],
    (chord, wanted, slope): (f64, f64, f64),
) -> Option<(DVec2, DVec2)> {
    let n = bones.lengths.len() as f64;
    let root_of_wanted = ops::sqrt_clamped(bones.total - wanted);
    // To second order, as in `bend`, with the angle less.
    let (curve, missing) = (chord * (n * n - 1.0) / 12.0, wanted - chord);
    let guess = (slope - ops::sqrt_clamped(slope * slope - 2.0 * curve * missing)) / curve;
    // Tangents of a quarter of the angle, at which the chord still grows, and at which it is past the longest or long enough.
    let (mut low, mut high) = ((0.0, slope), None);
    let mut tangent = (0.25 * guess).min(LARGEST / n);
    for _ in 0..STEPS {
        let step = turned(-tangent);
        let (sum, change) = sum_at(points, frame, step);
        let (length, grows) = (ops::sqrt(sum.dot(sum)), -change);
        let is_longest = grows.abs() <= NEAR * bones.total;
        if (length - wanted).abs() <= NEAR * bones.total || is_longest && length < wanted {
            return Some((step, sum));
        }
        if length > wanted || grows < 0.0 {
            high = Some((tangent, grows));
        } else {
            low = (tangent, grows);
        }
        let rest = ops::sqrt_clamped(bones.total - length);
        let newton = tangent + (rest - root_of_wanted) * 2.0 * rest * (1.0 + tangent * tangent) / (4.0 * grows);
        let (end, at_end) = high.unwrap_or((LARGEST / n, f64::NAN));
        // Towards the length wanted, else to where it grows no more.
        let level = low.0 + (end - low.0) * (low.1 / (low.1 - at_end));
        let inside = |next: &f64| *next > low.0 && *next < end;
        let middle = 0.5 * (low.0 + end);
        tangent = Some(newton).filter(|_| grows > 0.0).filter(inside).or(Some(level).filter(inside)).unwrap_or(middle);
        if end - low.0 <= f64::EPSILON * end {
            break;
        }
    }
    None
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
            pull_in(&mut points, &bones, own, 0.7 * own.1, bulge);
            let (near, bulge) = chord(&points);
            assert!((near.1 - 0.7 * own.1).abs() < 1e-5 * bones.total, "{case}");
            let_out(&mut points, &bones, near, own.1, bulge);
            let off = points.iter().zip(&start).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            // The axis lies across the chain's bulge, which is another once it is bent.
            assert!(off < 0.02 * bones.total, "{case}: {off}, {count} bones, {angle}");
        }
    }

    #[test]
    fn what_gets_no_longer_is_let_out_as_far_as_it_gets() {
        let rng = &mut Rng::with_seed(8);
        for case in 0..300 {
            let count = 3 + case % 20;
            let start = bent(rng, count, 1.0, 2.0);
            let lengths = alloc::vec![1.0; count];
            let bones = Bones::of(&lengths).unwrap();
            let (own, bulge) = chord(&start);
            let mut points = start.clone();
            let_out(&mut points, &bones, own, bones.total * (1.0 - 1e-9), bulge);
            let (far, bulge) = chord(&points);
            let longest = |angle: f64| {
                let (sine, cosine) = ops::sin_cos(angle);
                let (sum, _) = sum_at(&points, [far.0, bulge.side], DVec2::new(cosine, sine));
                ops::sqrt(sum.dot(sum))
            };
            let flat = longest(0.0);
            assert!(far.1 >= own.1 - 1e-9, "{case}: {} {}", far.1, own.1);
            assert!(longest(1e-3) <= flat + 1e-4 && longest(-1e-3) <= flat + 1e-4, "{case}");
        }
    }
}
