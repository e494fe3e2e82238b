//! Closing a chain: every bone leans by one common share towards the line from root to target, or away
//! from it, until the chord is as long as the target is far; then the chain turns onto the target.
//!
//! With `v` a bone of length `l` and `u` the unit chord, the bone becomes `l` times the unit of
//! `(1 - s) v + s l u`. At `s = 1` the chain is straight, so every target beyond the chord is reached; `s`
//! below zero folds. Newton on `sqrt(L - chord)`, which is nearly linear in `s`.

use glam::DVec3;

use super::bones::Bones;
use crate::math::{arc, ops};

/// Steps at most, and the share at which folding ends.
const STEPS: u32 = 24;
const LOWEST: f64 = -1e3;

/// Closes the chain, or leaves it as it is where leaning does not get there; whether it did.
pub(super) fn close(points: &mut [DVec3], bones: &Bones<'_>, target: DVec3, near: f64) -> bool {
    let (root, n) = (points[0], bones.lengths.len());
    let wanted = arc::length(target - root);
    let (Some(line), Some(to)) = (arc::unit(points[n] - root), arc::unit(target - root)) else { return false };
    let root_of_rest = ops::sqrt_clamped(bones.total - wanted);
    let (mut share, mut good) = (0.0, 0.0);
    for _ in 0..STEPS {
        let (chord, change) = chord_at(points, bones, line, share);
        let length = arc::length(chord);
        // Folded past the root: not so far.
        if chord.dot(line) <= 0.5 * length {
            share = 0.5 * (share + good);
            continue;
        }
        good = share;
        if (length - wanted).abs() <= near {
            return turn(points, bones, line, share, chord / length, to);
        }
        let speed = chord.dot(change) / length;
        let rest = ops::sqrt_clamped(bones.total - length);
        if speed.is_nan() || speed <= 1e-9 * bones.total {
            return false;
        }
        let step = (rest - root_of_rest) * 2.0 * rest / speed;
        share = if share + step >= 1.0 { 0.5 * (share + 1.0) } else { share + step };
        if share.is_nan() || share <= LOWEST {
            return false;
        }
    }
    false
}

/// The chord at a share, and its derivative.
fn chord_at(points: &[DVec3], bones: &Bones<'_>, line: DVec3, share: f64) -> (DVec3, DVec3) {
    let (mut chord, mut change) = (DVec3::ZERO, DVec3::ZERO);
    for (pair, &length) in points.windows(2).zip(bones.lengths) {
        let bone = pair[1] - pair[0];
        let towards = line * length - bone;
        let way = bone + towards * share;
        let square = way.dot(way);
        if square > 1e-280 {
            let scale = length / ops::sqrt(square);
            chord += way * scale;
            change += (towards - way * (way.dot(towards) / square)) * scale;
        }
    }
    (chord, change)
}

/// Writes the chain at a share, turned from its chord's direction to the target's.
fn turn(points: &mut [DVec3], bones: &Bones<'_>, line: DVec3, share: f64, from: DVec3, to: DVec3) -> bool {
    let turn = arc::arc(from, to, arc::any_perpendicular(from));
    let (mut at, mut before) = (points[0], points[0]);
    for (point, &length) in points[1..].iter_mut().zip(bones.lengths) {
        let bone = *point - before;
        before = *point;
        let way = bone + (line * length - bone) * share;
        let square = way.dot(way);
        if square > 1e-280 {
            at += turn * (way * (length / ops::sqrt(square)));
        }
        *point = at;
    }
    true
}
