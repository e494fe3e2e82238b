//! Descents inside the limits of root and middle joint, where no closed form tells the nearest pair.
//!
//! A ball in the middle has no best turn in closed form. A limb that limits block stands at the border of one of them, so the
//! lowest places of both borders, each with the other joint about at its best, are where descents inside the limits start; and
//! the placement brought inside the limits, or the pose given where the limb keeps its bend. Two limited balls also start at the
//! nearest of many postures spread over the limits. Beside Euler ranges such postures alone serve: a border of six faces takes
//! longer to search and says less. A descent ends as soon as it can hardly come nearer than the nearest. Two balls have many
//! postures for one place of the tip: where the target is reached, the one that is next to the placement, or to the pose given
//! where that leads nowhere; of those that miss as little, the pose given.

use glam::DQuat;

use super::at_border::{Mids, Roots};
use super::border::Place;
use super::placement::Placement;
use super::response::{Response, RootResponse};
use super::stuck::{Pair, Stuck};
use crate::math::{arc, ops};
use crate::skeleton::{BallLimit, Kind};
use crate::solve::Bend;
use crate::solve::limited::{Links, Nearest, Search, Turning};

/// Places of each border from which descents may start, and how many are tried. HEURISTIC: measured by
/// `benches/blocked_limbs.rs`.
const PLACES: usize = 3;
const STARTS: usize = 5;
/// Postures spread over the limits that are tried: beside the places of the borders, and instead of them. HEURISTIC: from the borders
/// 19 of 1,600 limbs with Euler ranges at both joints miss more than the best of 300 random poses, from these postures none.
const BESIDE: usize = 2;
const INSTEAD: usize = 8;
/// Lengths of the limb by which the pose given may miss more than other starts and still go first, where the limb keeps its
/// bend: others count only where they come clearly nearer. HEURISTIC: farther than a target moves in a frame.
const AHEAD: f64 = 0.05;
/// Steps of all descents but the first.
const STEPS: u32 = 36;
/// Miss, in lengths of the limb, below which a place may be reached after all; so many postures spread over the limits are tried
/// then.
const NEARLY: f64 = 0.015;
const OTHERS: usize = 16;

/// Where descents start, besides the first pair.
struct Sources {
    /// Whether at the lowest places of both borders.
    borders: bool,
    /// At how many of the postures spread over the limits.
    spread: usize,
}

impl Sources {
    fn of(stuck: &Stuck<'_>) -> Self {
        let limits = [stuck.limb.root, stuck.limb.mid].map(|joint| match stuck.skeleton.kind(joint) {
            Kind::Ball(limit) => Some(limit),
            _ => None,
        });
        let (borders, spread) = match limits {
            _ if one_blocks(stuck) => (true, 0),
            [Some(BallLimit::Euler(_)), _] | [_, Some(BallLimit::Euler(_))] => (false, INSTEAD),
            [Some(_), Some(_)] => (true, BESIDE),
            _ => (true, 0),
        };
        Self { borders, spread }
    }
}

/// Whether one joint is a free ball: then the border of the other is all that blocks, and its lowest places say all.
fn one_blocks(stuck: &Stuck<'_>) -> bool {
    [stuck.limb.root, stuck.limb.mid].into_iter().any(|joint| stuck.skeleton.is_free_ball(joint))
}

/// Where a descent starts.
#[derive(Clone, Copy)]
enum Start {
    First,
    Root(Place),
    Mid(Place),
}

impl Start {
    /// The square of about how far off it is.
    fn height(&self) -> f64 {
        match self {
            Self::First => f64::INFINITY,
            Self::Root(place) | Self::Mid(place) => place.height,
        }
    }
}

/// The nearest pair, and its miss; one that `keeps` is looked for from the pair given first.
pub(super) fn nearest(
    stuck: &Stuck<'_>,
    links: &Links<2, 6>,
    keeps: bool,
    given: &Pair,
    placement: &Placement,
) -> Option<(Pair, f64)> {
    let from_root = RootResponse::of(stuck);
    let first = if keeps { *given } else { swept(stuck, &from_root, placement) };
    let sources = Sources::of(stuck);
    let descents = Descents { stuck, links, from_root, first };
    let mut search = descents.search_borders(sources.borders, if keeps { AHEAD * links.length } else { 0.0 })?;
    let is_placed = search.has_arrived();
    if sources.spread > 0 && !is_placed {
        descents.search_spread(sources.spread, &mut search);
    }
    if !one_blocks(stuck) && !search.has_arrived() && search.miss() < NEARLY * links.length {
        descents.search_each_joint(&mut search);
    }
    // Of postures that miss as little as the nearest, the one given; which of those spread arrives first says nothing.
    let is_open = if search.has_arrived() { !is_placed } else { search.is_near(given) };
    if !keeps && stuck.limb.bend == Bend::Given && is_open {
        search.prefer(*given);
    }
    if search.has_arrived() {
        search.prefer(first);
    }
    Some(search.finished())
}

/// The placement brought inside the limits, and its joints turned to the target in turn.
fn swept(stuck: &Stuck<'_>, from_root: &RootResponse<'_>, placement: &Placement) -> Pair {
    let mid = stuck.mid(placement.mid).rotation;
    let root = from_root.toward(placement.root, mid);
    let response = Response::of(stuck, DQuat::IDENTITY);
    let mid = response.toward(mid, root.conjugate() * stuck.p);
    [stuck.root(from_root.toward(root, mid)), stuck.mid(mid)]
}

/// Where all descents of one limb start from.
struct Descents<'a> {
    stuck: &'a Stuck<'a>,
    links: &'a Links<2, 6>,
    from_root: RootResponse<'a>,
    first: Pair,
}

impl<'a> Descents<'a> {
    /// From the first pair and the lowest places of the borders: the nearest first, and the first pair so much `ahead`.
    fn search_borders(&self, borders: bool, ahead: f64) -> Option<Search<'a, 2, 6>> {
        let Self { stuck, links, from_root, first } = self;
        let roots = borders.then(|| Roots::rough(stuck)).flatten();
        let mids = borders.then(|| Mids::rough(stuck, from_root)).flatten();
        let at_roots = roots.iter().flat_map(Roots::places).take(PLACES).map(Start::Root);
        let at_mids = mids.iter().flat_map(Mids::places).take(PLACES).map(Start::Mid);
        let mut starts = [(f64::INFINITY, Start::First); 2 * PLACES + 1];
        starts[0].0 = arc::length(stuck.p - links.tip(first)) - ahead;
        for (slot, start) in starts[1..].iter_mut().zip(at_roots.chain(at_mids)) {
            *slot = (ops::sqrt_clamped(start.height()), start);
        }
        starts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let tried = starts.iter().filter(|(miss, _)| *miss < f64::INFINITY).take(STARTS);
        let mut pairs = tried.filter_map(|(_, start)| match start {
            Start::First => Some(*first),
            Start::Root(place) => roots.as_ref().map(|roots| roots.pair(place)),
            Start::Mid(place) => mids.as_ref().map(|mids| mids.pair(place)),
        });
        let mut search = Search::from(links, stuck.p, pairs.next()?, STEPS);
        pairs.any(|pair| search.try_from(pair));
        Some(search)
    }

    /// From so many of the postures spread over both limits.
    fn search_spread(&self, most: usize, search: &mut Search<'_, 2, 6>) {
        let links = self.links;
        let mut nearest = Nearest::to(links, self.stuck.p, most);
        let [roots, mids] = self.first.each_ref().map(Turning::spread);
        let mids = mids.map(|mid| (mid, links.beyond(0, mid * links.offsets[1])));
        for root in roots {
            for (mid, tip) in mids {
                nearest.offer_at([root, mid], root * tip);
            }
        }
        self.try_all(nearest, search);
    }

    /// From rotations spread over the limit of each joint, with the other one at its best.
    fn search_each_joint(&self, search: &mut Search<'_, 2, 6>) {
        let p = self.stuck.p;
        let mut nearest = Nearest::to(self.links, p, OTHERS);
        let response = Response::of(self.stuck, DQuat::IDENTITY);
        let [roots, mids] = self.first.each_ref().map(Turning::spread);
        for (root, mid) in roots.into_iter().zip(mids) {
            nearest.offer([self.from_root.rotation(mid), mid]);
            nearest.offer([root, response.rotation(root.conjugate() * p)]);
        }
        self.try_all(nearest, search);
    }

    /// Descents from what is nearest of spread postures, until one arrives.
    fn try_all(&self, nearest: Nearest<'_, 2, 6>, search: &mut Search<'_, 2, 6>) {
        search.go_on(STEPS);
        let Stuck { limb, .. } = self.stuck;
        nearest
            .starts()
            .any(|[root, mid]| search.try_from([self.stuck.inside(limb.root, root), self.stuck.inside(limb.mid, mid)]));
    }
}
