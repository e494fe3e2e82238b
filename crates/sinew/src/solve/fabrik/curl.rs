//! Pulling a chain in: every joint bends by one common angle more, all about one axis across the chord, until the chord is as
//! long as the target is far. A straight chain becomes a regular arc, a bent one keeps its shape and curls; no joint folds for
//! the others, as sweeps make it do.
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
    let Some((step, sum)) = bend(points, bones, frame, (chord, wanted, bulge.sum)) else { return };
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
    // The tangent of a quarter of the angle; a bound of that of `2 π / n`.
    let (mut low, mut high) = (0.0, 2.0 / n);
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
