//! Start after start until one reaches the target; or several side by side, judged in the order in which they would be made
//! one after another, so that the winner is the same.

use crate::aims::Aims;
use crate::arm::Aim;
use crate::descend::{Descent, Feed, Patience, Start};
use crate::frames::Sized;
use crate::number::MOST_LANES;
use crate::search::Room;
use crate::starts::Scores;
use crate::step::Bounds;
use crate::width::Width;

/// Share of the squared error that another start may leave, to be worth a jump.
const CLEARLY: f64 = 0.98;
/// Results that may wait for those of earlier starts.
const WAITING: usize = 4 * MOST_LANES;

impl<const N: usize> Descent<N> {
    /// Becomes a later one where that is met, or clearly nearer; with the steps of both.
    pub(crate) fn judge(&mut self, next: &Self) {
        let steps = self.steps + next.steps;
        if next.is_met || next.square < CLEARLY * self.square {
            *self = *next;
        }
        self.steps = steps;
    }
}

/// A search for better than the first descent came to. What comes out is the first that meets the target, or else the one
/// that came nearest, with the steps of all up to it.
#[derive(Debug)]
pub(crate) struct Restarts<'a, const N: usize> {
    pub(crate) sized: Sized<'a, N>,
    pub(crate) aims: (&'a Aim, &'a Aims<f64>),
    pub(crate) place: (&'a Bounds<N>, Room<'a>),
    /// How long each lasts, and how many there are.
    pub(crate) search: (Patience, u32),
    pub(crate) first: Descent<N>,
}

impl<const N: usize> Restarts<'_, N> {
    pub(crate) fn run(self, width: Width) -> Descent<N> {
        if width.lanes() > 1 { self.side_by_side(width) } else { self.one_by_one() }
    }

    fn one_by_one(self) -> Descent<N> {
        let ((bounds, _), (patience, most)) = (self.place, self.search);
        let mut scores = self.sized.scores(self.aims.0);
        let mut best = self.first;
        for number in 1..=most {
            let from = self.start(number, &mut scores);
            best.judge(&self.sized.descend(&from, bounds, self.aims.1, patience));
            if best.is_met {
                break;
            }
        }
        best
    }

    fn side_by_side(self, width: Width) -> Descent<N> {
        let ((bounds, _), (Patience { steps, .. }, last)) = (self.place, self.search);
        let aim = self.aims.0;
        let mut queue = Queue {
            scores: self.sized.scores(self.aims.0),
            numbers: [0; MOST_LANES],
            waiting: [const { None }; WAITING],
            due: 1,
            next: 1,
            last,
            best: self.first,
            restarts: &self,
        };
        self.sized.side_by_side(width, (aim, aim.is_whole), (bounds, steps), &mut queue);
        queue.best
    }

    /// The values of the `number`-th start.
    fn start(&self, number: u32, scores: &mut Scores) -> [f64; N] {
        let (bounds, room) = self.place;
        match room {
            Room::Limits => self.sized.next_start(number, scores, bounds),
            Room::Near(_) => self.sized.even(self.sized.arm.starts.step(), number, bounds),
        }
    }
}

/// Starts to give, and what those given came to.
#[derive(Debug)]
struct Queue<'a, const N: usize> {
    restarts: &'a Restarts<'a, N>,
    scores: Scores,
    /// Number of each lane's start.
    numbers: [u32; MOST_LANES],
    /// Results by number, from the one that is due on.
    waiting: [Option<Descent<N>>; WAITING],
    due: u32,
    /// Number of the next start, and of the last one that matters.
    next: u32,
    last: u32,
    best: Descent<N>,
}

impl<const N: usize> Feed<N> for Queue<'_, N> {
    fn take(&mut self, lane: usize, ended: &Descent<N>) {
        let number = self.numbers[lane];
        if number > self.last {
            return;
        }
        self.waiting[number as usize % WAITING] = Some(*ended);
        if ended.is_met {
            // Of those after it none can win.
            self.last = number;
        }
        while self.due <= self.last {
            let Some(next) = self.waiting[self.due as usize % WAITING].take() else { break };
            self.best.judge(&next);
            self.due = self.due.saturating_add(1);
        }
    }

    fn is_over(&self) -> bool {
        self.due > self.last
    }

    fn give(&mut self, lane: usize) -> Option<Start<'_, N>> {
        if self.next > self.last || self.next - self.due >= WAITING as u32 {
            return None;
        }
        let from = self.restarts.start(self.next, &mut self.scores);
        self.numbers[lane] = self.next;
        self.next = self.next.saturating_add(1);
        Some(Start { from, idle: self.restarts.search.0.idle, aim: None })
    }
}
