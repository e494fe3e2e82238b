//! The three by three system of a Newton step: by how much the tip moves for a push in each direction.

use crate::number::Lanes;
use crate::vector::Vector;

/// Share of the trace that keeps the system regular.
const DAMPING: f32 = 1e-5;

/// A symmetric matrix: `xx`, `yy`, `zz`, `xy`, `xz`, `yz`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing<L>([L; 6]);

impl<L: Lanes> Closing<L> {
    #[inline(always)]
    pub(super) fn new(like: L) -> Self {
        Self([like.of(0.0); 6])
    }

    /// `weight 1`, of which `weight u uᵀ` is to be [subtracted](Self::subtract) for unit vectors whose weights add up to it.
    #[inline(always)]
    pub(super) fn new_across(like: L, weight: L) -> Self {
        let mut new = Self::new(like);
        new.add_diagonal(weight);
        new
    }

    #[inline(always)]
    pub(super) fn add_diagonal(&mut self, by: L) {
        for part in &mut self.0[..3] {
            *part = *part + by;
        }
    }

    /// Its product with a vector.
    #[inline(always)]
    pub(super) fn times(&self, v: Vector<L>) -> Vector<L> {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        let row = |a: L, b: L, c: L| a * v.0 + b * v.1 + c * v.2;
        Vector(row(xx, xy, xz), row(xy, yy, yz), row(xz, yz, zz))
    }

    /// Subtracts `a bᵀ`, of two vectors along one line.
    #[inline(always)]
    pub(super) fn subtract(&mut self, a: Vector<L>, b: Vector<L>) {
        let s = &mut self.0;
        (s[0], s[1], s[2]) = (s[0] - a.0 * b.0, s[1] - a.1 * b.1, s[2] - a.2 * b.2);
        (s[3], s[4], s[5]) = (s[3] - a.0 * b.1, s[4] - a.0 * b.2, s[5] - a.1 * b.2);
    }
}

/// The push that moves the tip by `error`; zero where the system says nothing. Where joints cannot move the tip in a direction
/// at all it may be long that way, which turns nothing.
#[inline(always)]
pub(super) fn solve<L: Lanes>(system: &Closing<L>, error: Vector<L>) -> Vector<L> {
    let [xx, yy, zz, xy, xz, yz] = system.0;
    let (like, one) = (xx, xx.of(1.0));
    let damping = (xx + yy + zz) * like.of(DAMPING);
    let (xx, yy, zz) = (xx + damping, yy + damping, zz + damping);
    let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
    let (d, e, f) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy);
    let determinant = xx * a + xy * b + xz * c;
    let push = Vector(
        a * error.0 + b * error.1 + c * error.2,
        b * error.0 + d * error.1 + e * error.2,
        c * error.0 + e * error.1 + f * error.2,
    );
    let regular = like.of(0.0).is_less(determinant);
    let push = push * (one / L::select(regular, determinant, one));
    Vector::select(regular & push.dot(push).is_finite(), push, Vector::of(like, [0.0; 3]))
}
