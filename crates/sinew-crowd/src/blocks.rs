//! A crowd's characters in blocks, for all cores or another job system.

use crate::block::{ASKED, Block, Line, TILE, TILES, TOLD, Tile};
use crate::crowd::Crowd;
use crate::goals::Goals;
use crate::poses::Poses;

impl Crowd {
    /// Solves all goals and brings all model transforms up to date: on all cores with the feature `rayon`, else on this one.
    /// Allocates nothing.
    ///
    /// # Panics
    /// Where poses or goals were made for another crowd.
    pub fn solve(&self, poses: &mut Poses, goals: &mut Goals) {
        assert!(poses.fits(self) && goals.fits(self, poses.len()), "poses and goals of this crowd");
        #[cfg(feature = "rayon")]
        {
            use rayon::iter::ParallelIterator;
            self.par_blocks(poses, goals).for_each(|mut block| block.solve(self, self.width));
        }
        #[cfg(not(feature = "rayon"))]
        for mut block in self.blocks(poses, goals) {
            block.solve(self, self.width);
        }
    }

    /// Blocks of [`BLOCK`](crate::BLOCK) characters that other job systems can [solve](Block::solve), in any order.
    ///
    /// # Panics
    /// Where poses or goals were made for another crowd.
    pub fn blocks<'a>(&self, poses: &'a mut Poses, goals: &'a mut Goals) -> impl Iterator<Item = Block<'a>> {
        assert!(poses.fits(self) && goals.fits(self, poses.len()), "poses and goals of this crowd");
        let (joints, steps) = (self.bones.len(), self.steps.len());
        let block = self.block(poses.len(), &poses.lengths, &goals.asked);
        let rotations = poses.rotations.chunks_mut(4 * TILES * joints.max(1));
        let models = poses.models.chunks_mut(7 * TILES * joints.max(1));
        let places = poses.places.chunks_mut(3 * TILES * self.roots.max(1));
        let results = goals.results.chunks_mut(TILES * (TOLD * steps + 1));
        rotations.zip(models).zip(places).zip(results).enumerate().map(block)
    }

    /// [`blocks`](Self::blocks) for `rayon`.
    ///
    /// # Panics
    /// As that.
    #[cfg(feature = "rayon")]
    pub fn par_blocks<'a>(
        &self,
        poses: &'a mut Poses,
        goals: &'a mut Goals,
    ) -> impl rayon::iter::ParallelIterator<Item = Block<'a>> {
        use rayon::iter::{IndexedParallelIterator, ParallelIterator};
        use rayon::slice::ParallelSliceMut;
        assert!(poses.fits(self) && goals.fits(self, poses.len()), "poses and goals of this crowd");
        let (joints, steps) = (self.bones.len(), self.steps.len());
        let block = self.block(poses.len(), &poses.lengths, &goals.asked);
        let rotations = poses.rotations.par_chunks_mut(4 * TILES * joints.max(1));
        let models = poses.models.par_chunks_mut(7 * TILES * joints.max(1));
        let places = poses.places.par_chunks_mut(3 * TILES * self.roots.max(1));
        let results = goals.results.par_chunks_mut(TILES * (TOLD * steps + 1));
        rotations.zip(models).zip(places).zip(results).enumerate().map(block)
    }

    /// Puts a block together of its share of what is read and of what is written.
    fn block<'a>(
        &self,
        count: usize,
        lengths: &'a [Line],
        asked: &'a [Line],
    ) -> impl Fn((usize, Written<'a>)) -> Block<'a> + Send + Sync + use<'a> {
        let (joints, steps) = (self.bones.len(), self.steps.len());
        move |(index, (((rotations, models), places), results))| {
            let (first, tiles) = (TILES * index, results.len() / (TOLD * steps + 1));
            let lengths = of_tiles(lengths, joints, first, tiles);
            let goals = of_tiles(asked, ASKED * steps, first, tiles);
            let first = TILE * first;
            let count = (count - first).min(TILE * tiles);
            Block { tiles, first, count, lines: Tile { rotations, places, lengths, models, goals, results } }
        }
    }
}

/// Rotations, model transforms, places of roots and results of a block.
type Written<'a> = (((&'a mut [Line], &'a mut [Line]), &'a mut [Line]), &'a mut [Line]);

/// Lines of some tiles among those of all, none where there are none.
fn of_tiles(lines: &[Line], each: usize, first: usize, count: usize) -> &[Line] {
    if lines.is_empty() { lines } else { &lines[each * first..][..each * count] }
}
