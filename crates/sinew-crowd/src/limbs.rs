//! Limbs of two bones by numbers alone, for engines with skeletons of their own: what a limb costs at the least.

use core::marker::PhantomData;

use crate::lanes::{Kernel, Width};
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Share of the limb's length below which a target is at its root.
const TINY: f32 = 1e-6;
/// Square of the sine to its line from which a pole is clearly across, so that one rejection is enough.
const CLEAR: f32 = 1e-3;

/// Many limbs of two bones, each of whose numbers stands in a slice: `root[1][7]` is the y of limb 7's root.
///
/// One space for all of them, any unit of length, distances up to 1e18. Lengths are positive. A target out of reach is pointed
/// at with a straight limb, one that is too close with a folded one; a target at the root counts as one along the pole, or +X.
/// Where the pole is 0 or along the line to the target, the limb bends to the side of the axis that the line is least along. Numbers that are
/// not finite give numbers that are not. Each limb has the same bits at every [`Width`], wherever in the slices it stands.
///
/// ```
/// use sinew_crowd::{Limbs, Width};
///
/// let (zero, one) = ([0.0; 5], [1.0; 5]);
/// let across = [0.5, 0.6, 0.7, 0.8, 0.9];
/// let limbs = Limbs { root: [&zero; 3], target: [&across, &zero, &zero], pole: [&zero, &one, &zero], lengths: [&one; 2] };
/// let (mut mid, mut tip) = ([[0.0; 5]; 3], [[0.0; 5]; 3]);
/// limbs.positions(Width::new(), mid.each_mut().map(|x| &mut x[..]), tip.each_mut().map(|x| &mut x[..]));
/// assert!((mid[0][4] - 0.45).abs() < 1e-6 && mid[1][4] > 0.8 && (tip[0][4] - 0.9).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Limbs<'a> {
    /// Where limbs begin: x, y and z.
    pub root: [&'a [f32]; 3],
    /// Where their tips should be.
    pub target: [&'a [f32]; 3],
    /// The direction to which their middle joints bend; of any length.
    pub pole: [&'a [f32]; 3],
    /// Lengths of the first and of the second bone.
    pub lengths: [&'a [f32]; 2],
}

impl Limbs<'_> {
    /// Positions of middle joints and tips.
    ///
    /// # Panics
    /// Where a slice has another length than the first one.
    pub fn positions(&self, width: Width, mid: [&mut [f32]; 3], tip: [&mut [f32]; 3]) {
        let ([a, b, c], [d, e, f]) = (mid, tip);
        self.solve::<Positions>(width, [a, b, c, d, e, f]);
    }

    /// Rotations of the first bones (`xyzw`), in the space of the roots, and of the second ones against the first.
    ///
    /// Bones lie along +X of their frames, and +Y of the first one's is to the side of the pole. The second one turns about Z by
    /// nothing but a fold: `mid` is its quaternion's z, which is never positive, and w.
    ///
    /// # Panics
    /// Where a slice has another length than the first one.
    pub fn rotations(&self, width: Width, root: [&mut [f32]; 4], mid: [&mut [f32]; 2]) {
        let ([a, b, c, d], [e, f]) = (root, mid);
        self.solve::<Rotations>(width, [a, b, c, d, e, f]);
    }

    /// Numbers in, one slice after another.
    fn inputs(&self) -> [&[f32]; 11] {
        let ([a, b, c], [d, e, f], [g, h, i], [j, k]) = (self.root, self.target, self.pole, self.lengths);
        [a, b, c, d, e, f, g, h, i, j, k]
    }

    /// Fills the slices of `out` by a kernel for [`CHUNK`] limbs.
    fn solve<K: Chunked>(&self, width: Width, mut out: [&mut [f32]; 6]) {
        let (inputs, count) = (self.inputs(), self.root[0].len());
        let same = inputs.iter().all(|slice| slice.len() == count) && out.iter().all(|slice| slice.len() == count);
        assert!(same, "a number a limb in each slice");
        width.run(Chunks::<K> { inputs, out: out.each_mut().map(|slice| &mut **slice), kernel: PhantomData });
    }
}

/// Limbs in a chunk.
const CHUNK: usize = 64;

/// What is found for some limbs.
trait Chunked {
    /// Finds six numbers for each limb from `at` on.
    fn run<L: Lanes>(like: L, inputs: &[&[f32; CHUNK]; 11], out: &mut [&mut [f32; CHUNK]; 6], at: usize);
}

/// Limbs in chunks, so that no number's place in them need be checked.
struct Chunks<'a, K> {
    inputs: [&'a [f32]; 11],
    out: [&'a mut [f32]; 6],
    kernel: PhantomData<K>,
}

impl<K: Chunked> Kernel for Chunks<'_, K> {
    #[inline(always)]
    fn run<L: Lanes>(mut self, like: L) {
        let count = self.inputs[0].len();
        let (mut own, mut found) = ([[1.0; CHUNK]; 11], [[0.0; CHUNK]; 6]);
        for first in (0..count).step_by(CHUNK) {
            let held = (count - first).min(CHUNK);
            // The last ones, fewer than a chunk, are copied.
            if held < CHUNK {
                for (own, slice) in own.iter_mut().zip(self.inputs) {
                    own[..held].copy_from_slice(&slice[first..]);
                }
            }
            let mut inputs = own.each_ref();
            let mut out = found.each_mut();
            if held == CHUNK {
                for (input, slice) in inputs.iter_mut().zip(self.inputs) {
                    *input = slice[first..].first_chunk().unwrap_or(input);
                }
                for (out, slice) in out.iter_mut().zip(&mut self.out) {
                    if let Some(chunk) = slice[first..].first_chunk_mut() {
                        *out = chunk;
                    }
                }
            }
            for at in (0..CHUNK).step_by(L::LANES) {
                K::run(like, &inputs, &mut out, at);
            }
            if held < CHUNK {
                for (slice, found) in self.out.iter_mut().zip(&found) {
                    slice[first..].copy_from_slice(&found[..held]);
                }
            }
        }
    }
}

/// Positions of middle joints and tips.
struct Positions;

impl Chunked for Positions {
    #[inline(always)]
    fn run<L: Lanes>(like: L, inputs: &[&[f32; CHUNK]; 11], out: &mut [&mut [f32; CHUNK]; 6], at: usize) {
        let Triangle { line, bend, forward, aside, tip, .. } = Triangle::new(like, inputs, at);
        let root = vector(like, inputs, 0, at);
        let mid = root + line * forward + bend * aside;
        for (slice, x) in out.iter_mut().zip([mid.0, mid.1, mid.2, tip.0, tip.1, tip.2]) {
            x.store(&mut slice[at..]);
        }
    }
}

/// Rotations of both bones.
struct Rotations;

impl Chunked for Rotations {
    #[inline(always)]
    fn run<L: Lanes>(like: L, inputs: &[&[f32; CHUNK]; 11], out: &mut [&mut [f32; CHUNK]; 6], at: usize) {
        let Triangle { line, bend, forward, aside, square, lengths: [l1, l2], .. } = Triangle::new(like, inputs, at);
        let r1 = like.of(1.0) / l1;
        let (along, across) = (forward * r1, aside * r1);
        let (x, y) = (line * along + bend * across, bend * along - line * across);
        let Turn { v, w } = Turn::of_axes(x, y, line.cross(bend)).renormalized();
        // Half the fold, from the sides as the area is: nothing is an angle.
        let (size, difference, scale) = (l1 + l2, l1 - l2, like.of(0.25) * r1 / l2);
        let sine = ((size * size - square) * scale).sqrt_clamped();
        let cosine = ((square - difference * difference) * scale).sqrt_clamped();
        for (slice, x) in out.iter_mut().zip([v.0, v.1, v.2, w, -sine, cosine]) {
            x.store(&mut slice[at..]);
        }
    }
}

/// A limb's plane, and where its middle joint is in it.
#[derive(Clone, Copy)]
struct Triangle<L> {
    /// Units: from the root to the target, and across that to the pole.
    line: Vector<L>,
    bend: Vector<L>,
    /// The middle joint along both.
    forward: L,
    aside: L,
    tip: Vector<L>,
    /// How far the tip is along the line, squared.
    square: L,
    lengths: [L; 2],
}

impl<L: Lanes> Triangle<L> {
    #[inline(always)]
    fn new(like: L, inputs: &[&[f32; CHUNK]; 11], at: usize) -> Self {
        let (target, pole) = (vector(like, inputs, 3, at), vector(like, inputs, 6, at));
        let lengths @ [l1, l2] = [like.load(&inputs[9][at..]), like.load(&inputs[10][at..])];
        let (p, one, half) = (target - vector(like, inputs, 0, at), like.of(1.0), like.of(0.5));
        let (longest, difference) = (l1 + l2, l1 - l2);
        let square = p.dot(p);
        let d = square.sqrt();
        let r = one / d;
        let line = p * r;
        let bend = pole.reject(line);
        let across = bend.dot(bend);
        let area = (longest * longest - square) * (square - difference * difference);
        // What is in reach, and has a pole clearly across.
        let nearest = difference.abs().or_more(longest * like.of(TINY));
        let plain = nearest.is_less(d) & d.is_less(longest) & (pole.dot(pole) * like.of(CLEAR)).is_less(across);
        let limb = Self {
            line,
            bend: bend * (one / across.sqrt()),
            forward: half * (square + difference * longest) * r,
            aside: half * area.sqrt_clamped() * r,
            tip: target,
            square,
            lengths,
        };
        // Few are not, and pay for it; who is keeps its bits.
        if L::any(!plain) { limb.select(plain, limb.rare(like, inputs, at, d)) } else { limb }
    }

    /// A limb whose target is out of reach, too close or at its root, or whose pole is nearly along its line.
    #[inline(always)]
    fn rare(&self, like: L, inputs: &[&[f32; CHUNK]; 11], at: usize, d: L) -> Self {
        let [l1, l2] = self.lengths;
        let (longest, difference, half) = (l1 + l2, l1 - l2, like.of(0.5));
        let (shortest, tiny) = (difference.abs(), longest * like.of(TINY));
        let (solved, pole) = (d.or_more(shortest).or_less(longest), vector(like, inputs, 6, at));
        let line = Vector::select(
            d.is_at_most(tiny),
            pole.unit_or(like.of(0.0), Vector::of(like, [1.0, 0.0, 0.0])),
            self.line,
        );
        let folded = solved.is_at_most(tiny);
        let r = like.of(1.0) / L::select(folded, like.of(1.0), solved);
        let forward = half * (solved * solved + difference * longest) * r;
        let area = ((longest - solved) * (longest + solved)) * ((solved - shortest) * (solved + shortest));
        Self {
            line,
            bend: pole.unit_reject_or(line, 1e-5, line.any_perpendicular()),
            forward: L::select(folded, l1, forward),
            aside: L::select(folded, like.of(0.0), half * area.sqrt_clamped() * r),
            tip: vector(like, inputs, 0, at) + line * solved,
            square: solved * solved,
            lengths: self.lengths,
        }
    }

    #[inline(always)]
    fn select(self, mask: L::Mask, no: Self) -> Self {
        Self {
            line: Vector::select(mask, self.line, no.line),
            bend: Vector::select(mask, self.bend, no.bend),
            forward: L::select(mask, self.forward, no.forward),
            aside: L::select(mask, self.aside, no.aside),
            tip: Vector::select(mask, self.tip, no.tip),
            square: L::select(mask, self.square, no.square),
            lengths: self.lengths,
        }
    }
}

/// A vector a limb, of the slices from `index` on.
#[inline(always)]
fn vector<L: Lanes>(like: L, inputs: &[&[f32; CHUNK]; 11], index: usize, at: usize) -> Vector<L> {
    Vector(like.load(&inputs[index][at..]), like.load(&inputs[index + 1][at..]), like.load(&inputs[index + 2][at..]))
}
