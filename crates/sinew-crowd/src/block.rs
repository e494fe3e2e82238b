//! What a core works on at a time: blocks of some tiles, each of sixteen characters side by side.

use core::ops::RangeInclusive;

use crate::crowd::Crowd;
use crate::goals::IGNORED;
use crate::lanes::{Kernel, Width};
use crate::number::Lanes;
use crate::steps::Step;
use crate::two_bone::Plain;
use crate::vector::{Turn, Vector};
use crate::{chains, forward};

/// Characters side by side: one number of each fills a cache line.
pub(crate) const TILE: usize = 16;
/// Tiles in a block, so that chains that end early make room for others.
pub(crate) const TILES: usize = 8;
/// Characters in a block; the last one may have fewer.
pub const BLOCK: usize = TILE * TILES;
/// Numbers of a goal: target, pole, weight and whether the pole is a point; of a turned one that is below zero, and all four are its
/// rotation.
pub(crate) const ASKED: usize = 8;
/// Numbers of a result: status, error, iterations.
pub(crate) const TOLD: usize = 3;

/// One number of each character of a tile, in a cache line of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Line(pub(crate) [f32; TILE]);

impl Line {
    pub(crate) const ZERO: Self = Self([0.0; TILE]);
}

/// Characters and their goals, apart from all others: [`Crowd::blocks`] lends them to any job system.
#[derive(Debug)]
pub struct Block<'a> {
    pub(crate) tiles: usize,
    /// The first character, and how many there are.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// The lines of all tiles, one tile after another.
    pub(crate) lines: Tile<'a>,
}

/// Sixteen characters and their goals.
#[derive(Debug)]
pub(crate) struct Tile<'a> {
    /// Four lines a joint.
    pub(crate) rotations: &'a mut [Line],
    /// Three lines a root.
    pub(crate) places: &'a mut [Line],
    /// A line a joint, or none where all are of the rest lengths.
    pub(crate) lengths: &'a [Line],
    /// Rotation and position: seven lines a joint.
    pub(crate) models: &'a mut [Line],
    /// [`ASKED`] lines a step.
    pub(crate) goals: &'a [Line],
    /// [`TOLD`] lines a step, and one to spare.
    pub(crate) results: &'a mut [Line],
}

impl Tile<'_> {
    /// Rotation of a joint in model space.
    #[inline(always)]
    pub(crate) fn turn<L: Lanes>(&self, like: L, joint: usize, at: usize) -> Turn<L> {
        Turn::load(like, &self.models[7 * joint..][..4], at)
    }

    /// Place of a joint in model space.
    #[inline(always)]
    pub(crate) fn place<L: Lanes>(&self, like: L, joint: usize, at: usize) -> Vector<L> {
        Vector::load(like, &self.models[7 * joint + 4..][..3], at)
    }

    /// Rotation of a joint in its parent.
    #[inline(always)]
    pub(crate) fn local<L: Lanes>(&self, like: L, joint: usize, at: usize) -> Turn<L> {
        Turn::load(like, &self.rotations[4 * joint..][..4], at)
    }

    /// Whether any lane has a goal of a solver's; where none has, that is its result.
    #[inline(always)]
    pub(crate) fn is_asked<L: Lanes>(&mut self, like: L, step: usize, at: usize) -> bool {
        let (weight, zero) = (like.load(&self.goals[ASKED * step + 6].0[at..]), like.of(0.0));
        let is_asked = L::any(zero.is_less(weight) | !weight.is_finite());
        if !is_asked {
            let result = &mut self.results[TOLD * step..][..TOLD];
            like.of(IGNORED).store(&mut result[0].0[at..]);
            zero.store(&mut result[1].0[at..]);
            zero.store(&mut result[2].0[at..]);
        }
        is_asked
    }

    /// Sets it, in the lanes that move.
    #[inline(always)]
    pub(crate) fn set_local<L: Lanes>(&mut self, joint: usize, new: Turn<L>, moves: L::Mask, at: usize) {
        let lines = &mut self.rotations[4 * joint..][..4];
        Turn::select(moves, new, Turn::load(new.w, lines, at)).store(lines, at);
    }
}

impl Block<'_> {
    /// Solves the goals of these characters and brings their model transforms up to date.
    pub fn solve(&mut self, crowd: &Crowd, width: Width) {
        let (mut first, mut before) = (0, None);
        loop {
            let chain = (first..crowd.steps.len()).find(|&step| matches!(crowd.steps[step], Step::Fabrik(_)));
            let last = chain.unwrap_or(crowd.steps.len());
            width.run(TileByTile { crowd, before, steps: first..=last, block: self });
            let Some(step) = chain else { return };
            if let Step::Fabrik(chain) = &crowd.steps[step] {
                chains::solve(width, crowd, chain, step, self);
            }
            (first, before) = (step + 1, chain);
        }
    }

    /// A number of each joint's bone of a tile; none where all are of the rest lengths.
    pub(crate) fn lengths_of(&self, tile: usize) -> &[Line] {
        share(self.lines.lengths, self.tiles, tile)
    }

    /// Lines of each kind that a tile has, as [`Tile`] names them.
    pub(crate) fn sizes(&self) -> [usize; 6] {
        let Tile { rotations, places, lengths, models, goals, results } = &self.lines;
        [rotations.len(), places.len(), lengths.len(), models.len(), goals.len(), results.len()]
            .map(|all| all / self.tiles)
    }

    /// One tile, of so many lines.
    #[inline(always)]
    pub(crate) fn tile(&mut self, sizes: &[usize; 6], index: usize) -> Tile<'_> {
        let [rotations, places, lengths, models, goals, results] = *sizes;
        let lines = &mut self.lines;
        Tile {
            rotations: &mut lines.rotations[rotations * index..][..rotations],
            places: &mut lines.places[places * index..][..places],
            lengths: &lines.lengths[lengths * index..][..lengths],
            models: &mut lines.models[models * index..][..models],
            goals: &lines.goals[goals * index..][..goals],
            results: &mut lines.results[results * index..][..results],
        }
    }
}

/// Some steps one after another, tile by tile, so that the numbers of a tile stay in the cache next to the core: what comes
/// after the passes of a chain, closed forms, and what comes before the passes of the next chain.
struct TileByTile<'a, 'b> {
    crowd: &'a Crowd,
    /// The chain whose passes were made.
    before: Option<usize>,
    /// The last one is a chain, or stands after all steps.
    steps: RangeInclusive<usize>,
    block: &'a mut Block<'b>,
}

impl Kernel for TileByTile<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self, like: L) {
        let Self { crowd, before, steps, block } = self;
        let sizes = block.sizes();
        for (tile, at) in places(like, block.tiles) {
            let tile = &mut block.tile(&sizes, tile);
            if let Some((step, Step::Fabrik(chain))) = before.map(|step| (step, &crowd.steps[step])) {
                chains::finish(like, crowd, chain, step, tile, at);
            }
            for step in steps.clone() {
                forward::run(like, crowd, &crowd.passes[step], tile, at);
                match crowd.steps.get(step) {
                    Some(Step::TwoBone(limb)) if limb.is_plain() => {
                        like.apart(Solving { crowd, solver: &Plain(limb), step, tile, at });
                    }
                    Some(Step::TwoBone(limb)) => like.apart(Solving { crowd, solver: &**limb, step, tile, at }),
                    Some(Step::ThreeLink(limb)) => like.apart(Solving { crowd, solver: &**limb, step, tile, at }),
                    Some(Step::Pelvis(solver)) => like.apart(Solving { crowd, solver, step, tile, at }),
                    Some(Step::Aim(sight)) => like.apart(Solving { crowd, solver: &**sight, step, tile, at }),
                    Some(Step::Fabrik(chain)) => chains::ready(like, crowd, chain, step, tile, at),
                    #[cfg(feature = "body")]
                    Some(Step::Body(people)) => like.apart(Solving { crowd, solver: &**people, step, tile, at }),
                    #[cfg(feature = "body")]
                    Some(Step::Part) => {}
                    None => {}
                }
            }
        }
    }
}

/// A solver of characters from a lane on.
pub(crate) trait Solves {
    /// Solves them; the model transforms that it needs must be up to date.
    fn run<L: Lanes>(&self, like: L, crowd: &Crowd, step: usize, tile: &mut Tile<'_>, at: usize);
}

/// A solver and its characters.
struct Solving<'a, 'b, S> {
    crowd: &'a Crowd,
    solver: &'a S,
    step: usize,
    tile: &'a mut Tile<'b>,
    at: usize,
}

impl<S: Solves> Kernel for Solving<'_, '_, S> {
    #[inline(always)]
    fn run<L: Lanes>(self, like: L) {
        self.solver.run(like, self.crowd, self.step, self.tile, self.at);
    }
}

/// Tile and first lane of all characters of so many tiles, as many at a time as there are lanes.
///
/// Kernels loop over these instead of taking closures: a closure is a function of its own, without the instructions of the one
/// around it, unless the compiler chooses to inline it.
pub(crate) fn places<L: Lanes>(_: L, tiles: usize) -> impl Iterator<Item = (usize, usize)> {
    // Written so that the compiler knows how far a first lane goes.
    let parts = const { TILE / L::LANES };
    (0..tiles * parts).map(move |index| (index / parts, L::LANES * (index % parts)))
}

/// One of so many equal parts.
#[inline(always)]
pub(crate) fn share(lines: &[Line], parts: usize, index: usize) -> &[Line] {
    let each = lines.len() / parts;
    &lines[each * index..][..each]
}
