//! The triangle in space, shared by the forms that give rotations: where the first bone points,
//! about which normal the limb folds, and half the folding angle.

use glam::DVec3;

use super::carry::{Middle, carry};
use super::reach::{Rim, Span};
use super::spatial::triangle;
use crate::goal::Swivel;
use crate::math::{arc, ops};
use crate::solve::Status;

/// A solved triangle. Turning the straight limb `x` about `normal` by the exterior angle of the
/// elbow bends it; `normal` is perpendicular to `x` and to the target line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    /// Unit direction of the first bone.
    pub(super) x: DVec3,
    /// Unit folding axis.
    pub(super) normal: DVec3,
    /// Sine and cosine of half the exterior angle.
    pub(super) fold: (f64, f64),
    /// How the target was met.
    pub(super) status: Status,
    /// Factor on both bones, 1 unless stretched.
    pub(super) stretch: f64,
}

/// What decides where the target and the pole do not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    /// Unit direction from root to tip.
    pub(super) line: DVec3,
    /// Unit direction of the bend, perpendicular to it.
    pub(super) bend: DVec3,
}

impl Reference {
    /// The bend carried along to another line by the shortest arc (a half turn is about the bend
    /// itself, and keeps it).
    pub(super) fn carried(&self, line: DVec3) -> DVec3 {
        let carried = arc::arc(self.line, line, self.bend) * self.bend;
        arc::unit(arc::reject(carried, line)).unwrap_or_else(|| arc::any_perpendicular(line))
    }
}

/// The triangle for a target at `p` from the root and a raw pole direction `pole` (zero for none).
#[inline(always)]
pub(super) fn solve(p: DVec3, pole: DVec3, l1: f64, l2: f64, rim: &Rim, reference: impl Fn() -> Reference) -> Triangle {
    let h = p.dot(p);
    let (sum, difference) = (l1 + l2, l1 - l2);
    let (outer, inner) = (sum * sum - h, h - difference * difference);
    let (nearest, farthest) = rim.plain();
    let k = pole.cross(p);
    let kk = k.dot(k);
    // The comparison fails for NaN, too.
    if h < farthest && h > nearest && kk > 1e-6 * h * pole.dot(pole) && kk > 1e-250 && kk < 1e250 {
        let normal = k * (1.0 / ops::sqrt(kk));
        let (o, i) = (ops::sqrt(outer), ops::sqrt(inner));
        let scale = 1.0 / (2.0 * l1 * h);
        let x = (p * (h + sum * difference) + p.cross(normal) * (o * i)) * scale;
        let half = 0.5 / ops::sqrt(l1 * l2);
        return Triangle { x, normal, fold: (o * half, i * half), status: Status::Reached, stretch: 1.0 };
    }
    at_the_rim(p, pole, l1, l2, rim, reference())
}

/// The same with the bend of an earlier solve carried along, and the state for the next.
pub(super) fn carried(
    p: DVec3,
    pole: DVec3,
    l1: f64,
    l2: f64,
    rim: &Rim,
    reference: Reference,
    last: Option<&Swivel>,
) -> (Triangle, Swivel) {
    let aligned = Aligned::new(p, pole, rim, &reference);
    let (along, across) = triangle(aligned.span.distance / aligned.span.stretch, l1, l2);
    let mid = Middle { along: along * aligned.span.stretch, across: across * aligned.span.stretch };
    let swivel = carry(last, p, aligned.line, aligned.bend, mid, rim.ratio());
    (Aligned { bend: swivel.bend, ..aligned }.triangle(l1, l2), swivel)
}

#[cold]
#[inline(never)]
fn at_the_rim(p: DVec3, pole: DVec3, l1: f64, l2: f64, rim: &Rim, reference: Reference) -> Triangle {
    let finite = p.is_finite() && pole.is_finite() && l1.is_finite() && l2.is_finite();
    let triangle = Aligned::new(p, pole, rim, &reference).triangle(l1, l2);
    if finite { triangle } else { Triangle { status: Status::Invalid, ..triangle } }
}

/// The line to the target, the bend, and how far to go.
#[derive(Clone, Copy, Debug)]
struct Aligned {
    line: DVec3,
    bend: DVec3,
    span: Span,
}

impl Aligned {
    fn new(p: DVec3, pole: DVec3, rim: &Rim, reference: &Reference) -> Self {
        let line = arc::unit(p);
        let span = rim.span(line.map_or(0.0, |u| u.dot(p)));
        let line = line.unwrap_or(reference.line);
        let bend = arc::unit_reject(pole, line, 1e-10).unwrap_or_else(|| reference.carried(line));
        Self { line, bend, span }
    }

    fn triangle(&self, l1: f64, l2: f64) -> Triangle {
        let Self { line, bend, span } = *self;
        let d = span.distance / span.stretch;
        let (along, across) = triangle(d, l1, l2);
        let x = arc::unit(line * along + bend * across).unwrap_or(line);
        let (outer, inner) = (l1 + l2, (l1 - l2).abs());
        let (s, c) = (ops::sqrt_clamped((outer - d) * (outer + d)), ops::sqrt_clamped((d - inner) * (d + inner)));
        let norm = ops::sqrt(s * s + c * c);
        let jointless = l1 == 0.0 || l2 == 0.0 || norm == 0.0;
        let fold = if jointless { (0.0, 1.0) } else { (s / norm, c / norm) };
        let x = if jointless { line } else { x };
        Triangle { x, normal: bend.cross(line), fold, status: span.status, stretch: span.stretch }
    }
}
