//! Where descents start: of many postures, those from which the tip misses least.

use glam::{DQuat, DVec3};

use super::links::Links;
use super::search::MOST_KEPT;
use crate::math::arc;

/// Of many starts, by their joints' rotations, those from which the tip misses least.
#[derive(Debug)]
pub(in crate::solve) struct Nearest<'a, const N: usize, const M: usize> {
    links: &'a Links<N, M>,
    target: DVec3,
    count: usize,
    /// How many are kept, and the place of the next one: that of the farthest.
    most: usize,
    next: usize,
    /// Each with its number and its miss.
    kept: [Option<(usize, f64, [DQuat; N])>; MOST_KEPT],
    misses: [f64; MOST_KEPT],
}

impl<'a, const N: usize, const M: usize> Nearest<'a, N, M> {
    pub(in crate::solve) fn to(links: &'a Links<N, M>, target: DVec3, most: usize) -> Self {
        let (most, misses) = (most.min(MOST_KEPT), [f64::INFINITY; MOST_KEPT]);
        Self { links, target, count: 0, most, next: 0, kept: [None; MOST_KEPT], misses }
    }

    /// The miss from which no start is kept any more.
    pub(in crate::solve) fn farthest(&self) -> f64 {
        self.misses[self.next]
    }

    /// Keeps a start in the place of the farthest, where it is nearer.
    pub(in crate::solve) fn offer(&mut self, start: [DQuat; N]) {
        self.offer_at(start, self.links.tip_at(start));
    }

    /// The same where the tip of that start is known.
    pub(in crate::solve) fn offer_at(&mut self, start: [DQuat; N], tip: DVec3) {
        let miss = arc::length(self.target - tip);
        if miss < self.farthest() {
            self.kept[self.next] = Some((self.count, miss, start));
            self.misses[self.next] = miss;
            self.next = (0..self.most).fold(0, |most, at| if self.misses[at] > self.misses[most] { at } else { most });
        }
        self.count += 1;
    }

    /// The nearest first.
    pub(in crate::solve) fn starts(mut self) -> impl Iterator<Item = [DQuat; N]> {
        let order = |kept: &Option<(usize, f64, [DQuat; N])>| {
            kept.as_ref().map_or((f64::INFINITY, 0), |&(number, miss, _)| (miss, number))
        };
        self.kept.sort_unstable_by(|a, b| order(a).0.total_cmp(&order(b).0).then(order(a).1.cmp(&order(b).1)));
        self.kept.into_iter().flatten().map(|(_, _, start)| start)
    }
}
