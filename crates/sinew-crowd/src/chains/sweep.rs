//! A sweep of FABRIK over registers of chains side by side.

use crate::block::Line;
use crate::crowd::Crowd;
use crate::number::Lanes;
use crate::vector::Vector;

/// Square of a length below which two points are one (square metres).
const TINY: f32 = 1e-30;

/// A length over the distance between two points, whose difference this is.
#[inline(always)]
pub(super) fn over<L: Lanes>(length: L, line: Vector<L>) -> L {
    length / (line.dot(line) + length.of(TINY)).sqrt()
}

/// The point at a length from another, towards a third.
#[inline(always)]
pub(super) fn toward<L: Lanes>(from: Vector<L>, to: Vector<L>, length: L) -> Vector<L> {
    let line = to - from;
    from + line * over(length, line)
}

/// The bones of a block.
pub(super) struct Bones<'a> {
    pub(super) crowd: &'a Crowd,
    pub(super) models: &'a mut [Line],
    pub(super) lengths: &'a [Line],
}

/// Where a register's chains stand among them.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The first line of the tile's model transforms, and that of its lengths, if there are any.
    pub(super) models: usize,
    pub(super) lengths: usize,
    pub(super) at: usize,
}

impl Place {
    /// Lengths of the bones that lead to a joint.
    #[inline(always)]
    pub(super) fn bone<L: Lanes>(self, like: L, bones: &Bones<'_>, joint: usize) -> L {
        bones.crowd.length(like, joint, bones.lengths.get(self.lengths..).unwrap_or(&[]), self.at)
    }

    /// The lines of a joint's position.
    #[inline(always)]
    pub(super) fn point(self, joint: usize) -> usize {
        self.models + 7 * joint + 4
    }

    /// The lines in which the direction of a joint's bone is kept, those of its rotation, which is made anew at the end.
    #[inline(always)]
    pub(super) fn direction(self, joint: usize) -> usize {
        self.models + 7 * joint
    }

    /// Three lines.
    #[inline(always)]
    pub(super) fn load<L: Lanes>(self, like: L, bones: &Bones<'_>, first: usize) -> Vector<L> {
        Vector::load(like, &bones.models[first..][..3], self.at)
    }

    #[inline(always)]
    pub(super) fn store<L: Lanes>(self, v: Vector<L>, bones: &mut Bones<'_>, first: usize) {
        v.store(&mut bones.models[first..][..3], self.at);
    }
}

/// Registers that are swept side by side: one, or two of what is swept. Types, not an array, so that each has its numbers in registers.
pub(super) trait Swept<L: Lanes> {
    /// Lays the bone from a joint to another back from where that one is.
    fn back(&mut self, like: L, bones: &mut Bones<'_>, joint: usize, end: usize);
    /// Begins again at the base.
    fn begin(&mut self, like: L, bones: &Bones<'_>, base: usize);
    /// Lays a bone from a joint towards where the next one is, the last one towards the target, and keeps its direction.
    fn forth(&mut self, like: L, bones: &mut Bones<'_>, joint: usize, end: usize, next: Option<usize>);
}

/// A register's sweep.
#[derive(Clone, Copy)]
pub(super) struct Sweep<L: Lanes> {
    pub(super) place: Place,
    pub(super) target: Vector<L>,
    /// The lanes that take its directions.
    pub(super) sweeps: L::Mask,
    /// Where the bones laid so far end; the target before the first.
    pub(super) tip: Vector<L>,
}

impl<L: Lanes> Swept<L> for Sweep<L> {
    #[inline(always)]
    fn back(&mut self, like: L, bones: &mut Bones<'_>, joint: usize, end: usize) {
        let point = self.place.point(joint);
        let before = self.place.load(like, bones, point);
        self.tip = toward(self.tip, before, self.place.bone(like, bones, end));
        self.place.store(self.tip, bones, point);
    }

    #[inline(always)]
    fn begin(&mut self, like: L, bones: &Bones<'_>, base: usize) {
        self.tip = self.place.load(like, bones, self.place.point(base));
    }

    #[inline(always)]
    fn forth(&mut self, like: L, bones: &mut Bones<'_>, joint: usize, end: usize, next: Option<usize>) {
        let to = if let Some(next) = next { self.place.load(like, bones, self.place.point(next)) } else { self.target };
        let (line, direction) = (to - self.tip, self.place.direction(joint));
        let unit = line * over(like.of(1.0), line);
        let unit = Vector::select(self.sweeps, unit, self.place.load(like, bones, direction));
        self.place.store(unit, bones, direction);
        self.tip = self.tip + unit * self.place.bone(like, bones, end);
    }
}

impl<L: Lanes, A: Swept<L>, B: Swept<L>> Swept<L> for (A, B) {
    #[inline(always)]
    fn back(&mut self, like: L, bones: &mut Bones<'_>, joint: usize, end: usize) {
        self.0.back(like, bones, joint, end);
        self.1.back(like, bones, joint, end);
    }

    #[inline(always)]
    fn begin(&mut self, like: L, bones: &Bones<'_>, base: usize) {
        self.0.begin(like, bones, base);
        self.1.begin(like, bones, base);
    }

    #[inline(always)]
    fn forth(&mut self, like: L, bones: &mut Bones<'_>, joint: usize, end: usize, next: Option<usize>) {
        self.0.forth(like, bones, joint, end, next);
        self.1.forth(like, bones, joint, end, next);
    }
}
