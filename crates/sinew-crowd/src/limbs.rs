//! Limbs of two bones by numbers alone, for engines with skeletons of their own: what a limb costs at the least.

use crate::lanes::{Kernel, Width};
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// What no bone that counts is as short as (metres), so that nothing is divided by 0.
const TINY: f32 = 1e-30;

/// Many limbs of two bones, each of whose numbers stands in a slice: `root[1][7]` is the y of limb 7's root.
///
/// One space for all of them, any unit of length, distances up to 1e18. Lengths are positive. A target out of reach is pointed
/// at with a straight limb, one that is too close with a folded one; a target at the root counts as one along +X. Where the pole
/// is 0 or along the line to the target, the limb bends to the side of the axis that the line is least along. Numbers that are
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
        let count = self.count();
        assert!(mid.iter().chain(&tip).all(|slice| slice.len() == count), "a number a limb in each slice");
        width.run(Positions { limbs: *self, mid, tip });
    }

    /// Rotations of the first bones (`xyzw`), in the space of the roots, and of the second ones against the first.
    ///
    /// Bones lie along +X of their frames, and +Y of the first one's is to the side of the pole. The second one turns about Z by
    /// nothing but a fold: `mid` is its quaternion's z, which is never positive, and w.
    ///
    /// # Panics
    /// Where a slice has another length than the first one.
    pub fn rotations(&self, width: Width, root: [&mut [f32]; 4], mid: [&mut [f32]; 2]) {
        let count = self.count();
        assert!(root.iter().chain(&mid).all(|slice| slice.len() == count), "a number a limb in each slice");
        width.run(Rotations { limbs: *self, root, mid });
    }

    /// How many there are.
    fn count(&self) -> usize {
        let count = self.root[0].len();
        let vectors = [self.root, self.target, self.pole];
        let same = vectors.iter().flatten().chain(&self.lengths).all(|slice| slice.len() == count);
        assert!(same, "a number a limb in each slice");
        count
    }
}

/// Positions to be found.
struct Positions<'a, 'b> {
    limbs: Limbs<'a>,
    mid: [&'b mut [f32]; 3],
    tip: [&'b mut [f32]; 3],
}

impl Kernel for Positions<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(mut self, like: L) {
        let count = self.limbs.root[0].len();
        let whole = count - count % L::LANES;
        for first in (0..whole).step_by(L::LANES) {
            self.at(like, first);
        }
        for first in whole..count {
            self.at(0.0_f32, first);
        }
    }
}

impl Positions<'_, '_> {
    #[inline(always)]
    fn at<L: Lanes>(&mut self, like: L, first: usize) {
        let Triangle { line, bend, forward, aside, solved, .. } = Triangle::new(like, &self.limbs, first);
        let root = vector(like, self.limbs.root, first);
        store(root + line * forward + bend * aside, &mut self.mid, first);
        store(root + line * solved, &mut self.tip, first);
    }
}

/// Rotations to be found.
struct Rotations<'a, 'b> {
    limbs: Limbs<'a>,
    root: [&'b mut [f32]; 4],
    mid: [&'b mut [f32]; 2],
}

impl Kernel for Rotations<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(mut self, like: L) {
        let count = self.limbs.root[0].len();
        let whole = count - count % L::LANES;
        for first in (0..whole).step_by(L::LANES) {
            self.at(like, first);
        }
        for first in whole..count {
            self.at(0.0_f32, first);
        }
    }
}

impl Rotations<'_, '_> {
    #[inline(always)]
    fn at<L: Lanes>(&mut self, like: L, first: usize) {
        let Triangle { line, bend, forward, aside, solved, lengths: [l1, l2] } =
            Triangle::new(like, &self.limbs, first);
        let (one, r1) = (like.of(1.0), like.of(1.0) / l1);
        let (along, across) = (forward * r1, aside * r1);
        let (x, y) = (line * along + bend * across, bend * along - line * across);
        let Turn { v, w } = Turn::of_axes(x, y, line.cross(bend)).renormalized();
        let [vx, vy, vz, vw] = &mut self.root;
        v.0.store(&mut vx[first..]);
        v.1.store(&mut vy[first..]);
        v.2.store(&mut vz[first..]);
        w.store(&mut vw[first..]);
        // Half the fold, from the sides: nothing is an angle.
        let size = l1 + l2;
        let half = (size - solved) * (size + solved) / (like.of(4.0) * l1 * l2);
        (-half.sqrt_clamped()).store(&mut self.mid[0][first..]);
        (one - half).sqrt_clamped().store(&mut self.mid[1][first..]);
    }
}

/// A limb's plane, and where its middle joint is in it.
struct Triangle<L> {
    /// Units: from the root to the target, and across that to the pole.
    line: Vector<L>,
    bend: Vector<L>,
    /// The middle joint along both.
    forward: L,
    aside: L,
    /// How far the tip is along the line.
    solved: L,
    lengths: [L; 2],
}

impl<L: Lanes> Triangle<L> {
    #[inline(always)]
    fn new(like: L, limbs: &Limbs<'_>, first: usize) -> Self {
        let p = vector(like, limbs.target, first) - vector(like, limbs.root, first);
        let lengths @ [l1, l2] = limbs.lengths.map(|slice| like.load(&slice[first..]));
        let (longest, difference, one) = (l1 + l2, l1 - l2, like.of(1.0));
        let (shortest, tiny) = (difference.abs(), longest * like.of(1e-6));
        let d = p.length();
        let solved = d.or_more(shortest).or_less(longest);
        let r = one / d;
        let mut line = p * r;
        // What few limbs need is selected, so that no lane's numbers hang on another's.
        let at_root = d.is_at_most(tiny);
        if L::any(at_root) {
            line = Vector::select(at_root, Vector::of(like, [1.0, 0.0, 0.0]), line);
        }
        let clamped = solved.is_less(d) | d.is_less(solved) | at_root;
        let r = if L::any(clamped) { L::select(clamped, one / solved.or_more(like.of(TINY)), r) } else { r };
        let forward = like.of(0.5) * (solved * solved + difference * longest) * r;
        let area = ((longest - solved) * (longest + solved)) * ((solved - shortest) * (solved + shortest));
        let aside = like.of(0.5) * area.sqrt_clamped() * r;
        // A tip on its root: the middle joint is straight aside.
        let folded = solved.is_at_most(tiny);
        let (forward, aside) = if L::any(folded) {
            (L::select(folded, like.of(0.0), forward), L::select(folded, l1, aside))
        } else {
            (forward, aside)
        };
        let (mut bend, clear) = vector(like, limbs.pole, first).unit_reject(line, 1e-5);
        if L::any(!clear) {
            bend = Vector::select(clear, bend, line.any_perpendicular());
        }
        Self { line, bend, forward, aside, solved, lengths }
    }
}

/// A vector a limb.
#[inline(always)]
fn vector<L: Lanes>(like: L, slices: [&[f32]; 3], first: usize) -> Vector<L> {
    let [x, y, z] = slices;
    Vector(like.load(&x[first..]), like.load(&y[first..]), like.load(&z[first..]))
}

/// Writes a vector a limb.
#[inline(always)]
fn store<L: Lanes>(v: Vector<L>, slices: &mut [&mut [f32]; 3], first: usize) {
    let [x, y, z] = slices;
    v.0.store(&mut x[first..]);
    v.1.store(&mut y[first..]);
    v.2.store(&mut z[first..]);
}
