//! Three straight parts: the closed form that reaches whatever a free chain can reach.
//!
//! Cut at both ends of the bone `m` that holds the middle of the length: `A` before it, `B` after. With
//! the bone's far end at `r` from the root, the triangles `(A, m, r)` and `(r, B, d)` exist for every `r` in
//! `[max(|A - m|, |d - B|), min(A + m, d + B)]`, which is never empty within reach.

use glam::DVec3;

use super::bones::Bones;
use crate::math::ops;

/// Places the points from the first one, `distance` along `way` and bulging to `side` (both unit).
pub(super) fn place(points: &mut [DVec3], bones: &Bones<'_>, distance: f64, way: DVec3, side: DVec3) {
    let (mut before, mut middle) = (0.0, 0);
    while middle + 1 < bones.lengths.len() && before + bones.lengths[middle] < 0.5 * bones.total {
        before += bones.lengths[middle];
        middle += 1;
    }
    let m = bones.lengths[middle];
    let after: f64 = bones.lengths[middle + 1..].iter().sum();
    let least = (before - m).abs().max((distance - after).abs());
    let r = 0.5 * (least + (before + m).min(distance + after));
    // The bone's far end, seen from the root; then its near end, seen from the far one's direction.
    let far = corner(r, after, distance);
    let near = corner(before, m, r);
    let (c, s) = if r > 0.0 { (far.0 / r, far.1 / r) } else { (1.0, 0.0) };
    let near = (c * near.0 - s * near.1, s * near.0 + c * near.1);
    let at = |(x, y): (f64, f64)| points[0] + way * x + side * y;
    let (root, near, far, target) = (points[0], at(near), at(far), points[0] + way * distance);
    straight(points, &bones.lengths[..middle], 0, root, near);
    points[middle + 1] = far;
    straight(points, &bones.lengths[middle + 1..], middle + 1, far, target);
}

/// Place of the corner `a` from the start and `b` from the end of a base, along it and off it.
fn corner(a: f64, b: f64, base: f64) -> (f64, f64) {
    if base <= 0.0 {
        return (0.0, a);
    }
    let x = (0.5 * (base + (a - b) * (a + b) / base)).clamp(-a, a);
    // Heron's form, which knows a flat triangle from a thin one.
    let area = (a + base + b) * (a + base - b).max(0.0) * (b + a - base).max(0.0) * (b - a + base).max(0.0);
    (x, ops::sqrt(area) / (2.0 * base))
}

/// Lays bones in a straight line between two points.
fn straight(points: &mut [DVec3], lengths: &[f64], first: usize, from: DVec3, to: DVec3) {
    let total: f64 = lengths.iter().sum();
    let mut gone = 0.0;
    for (i, &length) in lengths.iter().enumerate() {
        gone += length;
        points[first + i + 1] = if total > 0.0 { from + (to - from) * (gone / total) } else { from };
    }
}
