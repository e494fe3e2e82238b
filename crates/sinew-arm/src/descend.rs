//! From one start downhill, until the target is met or nothing is gained; several starts side by side where numbers have
//! lanes.

use crate::aims::Aims;
use crate::arm::Aim;
use crate::frames::Sized;
use crate::normal::{Six, dot};
use crate::number::{Kernel, Lanes, MOST_LANES};
use crate::step::Bounds;
use crate::width::Width;

/// Where a descent ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descent<const N: usize> {
    pub(crate) values: [f64; N],
    /// What is left (units and radians), and its square.
    pub(crate) error: Six,
    pub(crate) square: f64,
    pub(crate) is_met: bool,
    pub(crate) steps: u32,
    /// Whether it ended because its steps were spent.
    pub(crate) is_spent: bool,
}

impl<const N: usize> Descent<N> {
    /// None yet.
    pub(crate) fn at(values: [f64; N]) -> Self {
        Self { values, error: [0.0; 6], square: f64::INFINITY, is_met: false, steps: 0, is_spent: false }
    }
}

/// How long a descent goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    pub(crate) steps: u32,
    /// Steps in a row without [`PROGRESS`].
    pub(crate) idle: u32,
}

/// Share of the squared error that counts as progress.
const PROGRESS: f64 = 0.5;

/// Where a lane starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<'a, const N: usize> {
    pub(crate) from: [f64; N],
    /// Steps in a row without progress that it puts up with.
    pub(crate) idle: u32,
    /// Its target, where that is another one than before.
    pub(crate) aim: Option<&'a Aim>,
}

/// Who gives lanes their starts, and takes what they come to. Called through a table, so that descents side by side, which are most
/// of the compiling, are compiled once a size and a width.
pub(crate) trait Feed<const N: usize> {
    /// Takes what a lane came to.
    fn take(&mut self, lane: usize, ended: &Descent<N>);
    /// Whether all that was asked for is known.
    fn is_over(&self) -> bool;
    /// The next start of a lane that stands still, if there is one for it now.
    fn give(&mut self, lane: usize) -> Option<Start<'_, N>>;
}

/// Descents side by side until the feed has what it wants.
#[cfg_attr(not(all(feature = "std", target_arch = "x86_64")), allow(dead_code, reason = "no lanes"))]
struct SideBySide<'a, const N: usize> {
    sized: Sized<'a, N>,
    /// The target of lanes that are given none, and whether all of every target counts.
    aim: (&'a Aim, bool),
    bounds: &'a Bounds<N>,
    /// At most from each start.
    steps: u32,
    feed: &'a mut dyn Feed<N>,
}

impl<const N: usize> Kernel for SideBySide<'_, N> {
    #[inline(always)]
    fn run<L: Lanes>(self, like: L) {
        let Self { sized, aim: (aim, is_whole), bounds, steps, feed } = self;
        let mut lanes = LaneStates::new(Aims::of(like, aim));
        lanes.aim.is_whole = is_whole;
        for lane in 0..L::LANES {
            lanes.feed(lane, feed);
        }
        sized.run(&mut lanes, bounds, steps, feed);
    }
}

/// Descents side by side.
#[derive(Clone, Debug)]
struct LaneStates<const N: usize, L: Lanes> {
    aim: Aims<L>,
    /// Steps in a row without progress that each lane puts up with.
    patience: L,
    now: [L; N],
    /// The best values seen, what is left there, and its square.
    best: [L; N],
    error: Six<L>,
    square: L,
    milestone: L,
    idle: L,
    steps: L,
    /// 1 for each lane that is on its way, else 0.
    runs: L,
}

#[allow(clippy::needless_range_loop, reason = "index arithmetic")]
impl<const N: usize, L: Lanes> LaneStates<N, L> {
    /// All standing still.
    #[inline(always)]
    fn new(aim: Aims<L>) -> Self {
        const { assert!(L::LANES <= MOST_LANES, "more lanes than the kernel keeps books for") };
        let zero = aim.near.of(0.0);
        Self {
            aim,
            patience: zero,
            now: [zero; N],
            best: [zero; N],
            error: [zero; 6],
            square: zero,
            milestone: zero,
            idle: zero,
            steps: zero,
            runs: zero,
        }
    }

    /// Sends a lane on its way.
    #[inline(always)]
    fn start(&mut self, lane: usize, from: &[f64; N], idle: u32) {
        for i in 0..N {
            self.now[i].set_lane(lane, from[i]);
            self.best[i].set_lane(lane, from[i]);
        }
        for x in &mut self.error {
            x.set_lane(lane, 0.0);
        }
        self.patience.set_lane(lane, f64::from(idle));
        self.square.set_lane(lane, f64::INFINITY);
        self.milestone.set_lane(lane, f64::INFINITY);
        self.idle.set_lane(lane, 0.0);
        self.steps.set_lane(lane, 0.0);
        self.runs.set_lane(lane, 1.0);
    }

    /// Gives a lane that stands still its next start.
    #[inline(always)]
    fn feed(&mut self, lane: usize, feed: &mut dyn Feed<N>) {
        if let Some(Start { from, idle, aim }) = feed.give(lane) {
            if let Some(aim) = aim {
                self.aim.set_lane(lane, aim);
            }
            self.start(lane, &from, idle);
        }
    }

    #[inline(always)]
    fn runs(&self) -> L::Mask {
        self.runs.of(0.0).is_less(self.runs)
    }

    /// Keeps the best, and what counts as progress.
    #[inline(always)]
    fn note(&mut self, error: &Six<L>, square: L, is_met: L::Mask) {
        let is_better = square.is_less(self.square) | is_met;
        for i in 0..N {
            self.best[i] = L::select(is_better, self.now[i], self.best[i]);
        }
        for row in 0..6 {
            self.error[row] = L::select(is_better, error[row], self.error[row]);
        }
        self.square = L::select(is_better, square, self.square);
        let is_progress = square.is_less(square.of(PROGRESS) * self.milestone);
        self.milestone = L::select(is_progress, square, self.milestone);
        self.idle = L::select(is_progress, square.of(0.0), self.idle + square.of(1.0));
    }

    /// What a lane came to, which stands still from now on.
    #[inline(always)]
    #[allow(clippy::cast_sign_loss, reason = "steps are counted from 0 up")]
    fn end(&mut self, lane: usize, is_met: bool, steps: u32) -> Descent<N> {
        self.runs.set_lane(lane, 0.0);
        let made = self.steps.lane(lane) as u32;
        let mut descent = Descent {
            values: [0.0; N],
            error: self.error.map(|x| x.lane(lane)),
            square: self.square.lane(lane),
            is_met,
            steps: made,
            is_spent: !is_met && made >= steps,
        };
        for i in 0..N {
            descent.values[i] = self.best[i].lane(lane);
        }
        descent
    }
}

#[allow(clippy::needless_range_loop, reason = "index arithmetic")]
impl<const N: usize> Sized<'_, N> {
    /// Steps until the feed has what it wants; `steps` at most from each start.
    #[inline(always)]
    fn run<L: Lanes>(&self, lanes: &mut LaneStates<N, L>, bounds: &Bounds<N>, steps: u32, feed: &mut dyn Feed<N>) {
        let (most, endless) = (lanes.runs.of(f64::from(steps)), lanes.runs.of(f64::INFINITY));
        loop {
            let frames = self.frames(&lanes.now, &lanes.aim);
            let square = dot(&frames.error, &frames.error);
            let met = is_met(&frames.error, &lanes.aim);
            lanes.note(&frames.error, square, met);
            let is_idle = lanes.patience.is_less(lanes.idle);
            let is_through = met | most.is_at_most(lanes.steps) | is_idle | !square.is_less(endless);
            let ended = is_through & lanes.runs();
            if L::any(ended) {
                for lane in (0..L::LANES).filter(|&lane| L::holds(ended, lane)) {
                    feed.take(lane, &lanes.end(lane, L::holds(met, lane), steps));
                }
                if feed.is_over() {
                    return;
                }
            }
            let step = self.step(&frames, square, &lanes.now, bounds, lanes.runs());
            for i in 0..N {
                lanes.now[i] = bounds.clamp(i, lanes.now[i] + step[i]);
            }
            lanes.steps = lanes.steps + lanes.steps.of(1.0);
            if L::any(ended) {
                for lane in 0..L::LANES {
                    if lanes.runs.lane(lane) == 0.0 {
                        lanes.feed(lane, feed);
                    }
                }
            }
        }
    }

    /// Descents side by side, of `steps` at most, until the feed has what it wants: from the target of those that are given none, and
    /// whether all of every target counts. Nothing at a width of one.
    pub(crate) fn side_by_side(
        self,
        width: Width,
        aim: (&Aim, bool),
        (bounds, steps): (&Bounds<N>, u32),
        feed: &mut dyn Feed<N>,
    ) {
        width.dispatch(SideBySide { sized: self, aim, bounds, steps, feed });
    }

    /// Steps from `values` on; the best values seen.
    #[inline(never)]
    pub(crate) fn descend(
        &self,
        values: &[f64; N],
        bounds: &Bounds<N>,
        aim: &Aims<f64>,
        patience: Patience,
    ) -> Descent<N> {
        let mut lanes = LaneStates::new(*aim);
        lanes.start(0, values, patience.idle);
        let mut one = One(None);
        self.run(&mut lanes, bounds, patience.steps, &mut one);
        one.0.unwrap_or_else(|| lanes.end(0, false, patience.steps))
    }

    /// Values at an end of their range that would have to go beyond it to come nearer: a bit each.
    pub(crate) fn blocking(&self, values: &[f64; N], bounds: &Bounds<N>, aim: &Aims<f64>) -> u64 {
        let frames = self.frames_of(values, aim);
        let columns = self.by_value(&frames.columns, &frames.counts);
        let size = dot(&frames.error, &frames.error);
        let mut blocking = 0;
        for i in 0..self.arm.coordinates.len() {
            let pull = dot(&columns[i], &frames.error);
            let is_at_end = if pull < 0.0 { values[i] <= bounds.low[i] } else { values[i] >= bounds.high[i] };
            if is_at_end && pull * pull > MATTERS * MATTERS * dot(&columns[i], &columns[i]) * size {
                blocking |= 1 << i;
            }
        }
        blocking
    }
}

/// One descent.
struct One<const N: usize>(Option<Descent<N>>);

impl<const N: usize> Feed<N> for One<N> {
    #[inline(always)]
    fn take(&mut self, _lane: usize, ended: &Descent<N>) {
        self.0 = Some(*ended);
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.0.is_some()
    }

    #[inline(always)]
    fn give(&mut self, _lane: usize) -> Option<Start<'_, N>> {
        None
    }
}

/// Cosine between a column and what is left that a joint at its end must have to be blamed.
const MATTERS: f64 = 1e-3;

#[inline(always)]
pub(crate) fn is_met<L: Lanes>(error: &Six<L>, aim: &Aims<L>) -> L::Mask {
    let [x, y, z, a, b, c] = *error;
    (x * x + y * y + z * z).is_at_most(aim.near * aim.near) & (a * a + b * b + c * c).is_at_most(aim.turn * aim.turn)
}
