//! Many targets for one arm, one a lane: each lane searches as it would alone, and takes the next target when it is through.

use alloc::vec::Vec;

use crate::aims::Aims;
use crate::arm::{Aim, Arm};
use crate::descend::{Descent, Feed, Start};
use crate::frames::{Sized, sized};
use crate::number::MOST_LANES;
use crate::pose_target::PoseTarget;
use crate::search::{HASTY, IkSolution, PATIENT, Room};
use crate::solver::Serial;
use crate::starts::{NO_SCORES, Scores};
use crate::step::Bounds;
use crate::width::Width;

/// Targets with seeds, and where answers go.
#[derive(Debug)]
struct Batch<'a> {
    targets: &'a [PoseTarget],
    seeds: &'a [f64],
    settings: &'a Serial,
    answers: &'a mut [f64],
    /// One for each target.
    found: &'a mut [IkSolution],
}

impl Arm {
    /// [`Arm::solve`] for many targets, as many at a time as [`Serial::width`] has lanes; the answers have the same bits.
    /// `seeds` and `answers` hold as many numbers as the arm has coordinates for each target, one after another; `found`
    /// becomes one for each. Nothing is allocated where `found` has room.
    ///
    /// # Panics
    /// Where `seeds` or `answers` have another length.
    pub fn solve_many(
        &self,
        targets: &[PoseTarget],
        seeds: &[f64],
        settings: &Serial,
        (answers, found): (&mut [f64], &mut Vec<IkSolution>),
    ) {
        let count = targets.len() * self.coordinates().len();
        assert!(seeds.len() == count && answers.len() == count, "a number a coordinate of each target");
        found.clear();
        found.resize(targets.len(), IkSolution::INVALID);
        let batch = Batch { targets, seeds, settings, answers, found };
        sized!(self, |sized| Many { sized, batch }.run(settings.width), ());
    }

    /// Whether a target is one, from its seed.
    fn is_posed(&self, batch: &Batch<'_>, target: usize) -> bool {
        batch.targets[target].is_valid() && self.seed(batch, target).iter().all(|q| q.is_finite())
    }

    fn seed<'a>(&self, batch: &Batch<'a>, target: usize) -> &'a [f64] {
        let count = self.coordinates().len();
        &batch.seeds[target * count..][..count]
    }
}

/// A batch for an arm at its size.
#[derive(Debug)]
struct Many<'a, const N: usize> {
    sized: Sized<'a, N>,
    batch: Batch<'a>,
}

impl<const N: usize> Many<'_, N> {
    fn run(self, width: Width) {
        if width.lanes() > 1 { self.side_by_side(width) } else { self.one_by_one() }
    }

    fn one_by_one(self) {
        let Batch { targets, settings, answers, found, .. } = self.batch;
        let (arm, count) = (self.sized.arm, self.sized.arm.coordinates().len());
        for (target, (pose_target, found)) in targets.iter().zip(found).enumerate() {
            let places = target * count..(target + 1) * count;
            let room = (&self.batch.seeds[places.clone()], Room::Limits);
            *found = arm.search(pose_target, room, settings, &mut answers[places]);
        }
    }

    fn side_by_side(self, width: Width) {
        let Some(mut queue) = Queue::new(self.sized, self.batch) else { return };
        let (aim, bounds, steps) = (queue.searches[0].aim, Bounds::of(self.sized.arm), queue.batch.settings.iterations);
        self.sized.side_by_side(width, (&aim, queue.is_whole), (&bounds, steps), &mut queue);
    }
}

/// A lane's search: what [`Arm::solve`] would do next.
#[derive(Clone, Copy, Debug)]
struct Search<const N: usize> {
    target: usize,
    aim: Aim,
    scores: Scores,
    /// Where the next descent starts, and how patient it is; `None` once the target is done with.
    next: Option<([f64; N], u32)>,
    stage: Stage,
    best: Descent<N>,
}

/// Which of a search's descents is on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Seed,
    Restart(u32),
    Last,
}

/// Targets to give, and what lanes search for.
#[derive(Debug)]
struct Queue<'a, const N: usize> {
    sized: Sized<'a, N>,
    batch: Batch<'a>,
    searches: [Search<N>; MOST_LANES],
    /// The next target, and how many have no answer yet.
    next: usize,
    left: usize,
    is_whole: bool,
}

impl<'a, const N: usize> Queue<'a, N> {
    /// Answers the invalid; `None` where there is nothing else.
    fn new(sized: Sized<'a, N>, batch: Batch<'a>) -> Option<Self> {
        let (arm, count) = (sized.arm, sized.arm.coordinates().len());
        let (mut left, mut is_whole, mut any) = (0, true, None);
        for (target, pose_target) in batch.targets.iter().enumerate() {
            if arm.is_posed(&batch, target) {
                let aim = arm.aim(pose_target);
                (left, is_whole, any) = (left + 1, is_whole && aim.is_whole, Some(aim));
            } else {
                batch.found[target] = IkSolution::INVALID;
                let seed = arm.seed(&batch, target);
                batch.answers[target * count..][..count].copy_from_slice(seed);
            }
        }
        let idle = Search {
            target: 0,
            aim: any?,
            scores: NO_SCORES,
            next: None,
            stage: Stage::Last,
            best: Descent::at([0.0; N]),
        };
        Some(Self { sized, batch, searches: [idle; MOST_LANES], next: 0, left, is_whole })
    }

    /// Begins with the next target, if there is one.
    fn begin(&mut self, lane: usize) -> bool {
        let arm = self.sized.arm;
        while self.next < self.batch.targets.len() && !arm.is_posed(&self.batch, self.next) {
            self.next += 1;
        }
        let Some(pose_target) = self.batch.targets.get(self.next) else { return false };
        let (start, _) = self.sized.begin(arm.seed(&self.batch, self.next), Room::Limits);
        let search = &mut self.searches[lane];
        (search.target, search.aim, search.stage) = (self.next, arm.aim(pose_target), Stage::Seed);
        search.next = Some((start, PATIENT));
        self.next += 1;
        true
    }

    /// What follows on the descent that ended; `None` where the search is over.
    fn advance(&mut self, lane: usize, ended: &Descent<N>) -> Option<([f64; N], u32)> {
        let (settings, search) = (self.batch.settings, &mut self.searches[lane]);
        let number = match search.stage {
            Stage::Seed => {
                search.best = *ended;
                if ended.is_met || settings.restarts == 0 {
                    return None;
                }
                search.scores = self.sized.scores(&search.aim);
                1
            }
            Stage::Restart(number) => {
                search.best.judge(ended);
                if search.best.is_met {
                    return None;
                }
                number + 1
            }
            Stage::Last => {
                search.best = Descent { steps: search.best.steps + ended.steps, ..*ended };
                return None;
            }
        };
        if number > settings.restarts {
            search.stage = Stage::Last;
            return Some((search.best.values, PATIENT));
        }
        search.stage = Stage::Restart(number);
        let bounds = Bounds::of(self.sized.arm);
        Some((self.sized.next_start(number, &mut search.scores, &bounds), HASTY))
    }

    /// Writes a search's answer.
    fn finish(&mut self, lane: usize) {
        let (arm, Search { target, aim, best, .. }) = (self.sized.arm, &self.searches[lane]);
        let (seed, count) = (arm.seed(&self.batch, *target), arm.coordinates().len());
        let answer = &mut self.batch.answers[target * count..][..count];
        let (aims, bounds) = (Aims::of(0.0, aim), Bounds::of(arm));
        let room = (seed, Room::Limits);
        self.batch.found[*target] =
            self.sized.conclude((aim, &aims), (best, &bounds), room, self.batch.settings, answer);
        self.left -= 1;
    }
}

impl<const N: usize> Feed<N> for Queue<'_, N> {
    fn take(&mut self, lane: usize, ended: &Descent<N>) {
        let next = self.advance(lane, ended);
        self.searches[lane].next = next;
        if next.is_none() {
            self.finish(lane);
        }
    }

    fn is_over(&self) -> bool {
        self.left == 0
    }

    fn give(&mut self, lane: usize) -> Option<Start<'_, N>> {
        let is_new = self.searches[lane].next.is_none();
        if is_new && !self.begin(lane) {
            return None;
        }
        let search = &mut self.searches[lane];
        let (from, idle) = search.next.take()?;
        Some(Start { from, idle, aim: is_new.then_some(&search.aim) })
    }
}
