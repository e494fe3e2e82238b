//! Where no turn of the limb is allowed as it is: root and middle joint give way inside their limits,
//! each taking up what the other may not do, to the nearest miss.
//!
//! A root whose limit does not let the limb point at the target stops at the border of that limit (see
//! [`border`](super::border)), and a hinge in the middle then has one best angle. So two values are left: the lowest place of
//! that border is the answer, to the last digit after a few of Newton's steps in the limits' own coordinates. As the target
//! moves it moves along, but where two places are equally near: there it goes over to the other one.
//!
//! A ball in the middle has no best turn in closed form. A limb that limits block stands at the border of one of them, so the
//! lowest places of both borders, each with the other joint about at its best, are where descents inside the limits start; and
//! the placement brought inside the limits, or the pose given where the limb keeps its bend. Two limited balls also start at the
//! nearest of many postures spread over the limits. Beside Euler ranges such postures alone serve: a border of six faces takes
//! longer to search and says less. A descent ends as soon as it can hardly come nearer than the nearest. Two balls have many
//! postures for one place of the tip: where the target is reached, the one that is next to the placement, or to the pose given
//! where that leads nowhere; of those that miss as little, the pose given.

use glam::{DMat3, DQuat};

use super::border::{Border, COARSE, FINE, KEPT, Place};
use super::fold;
use super::hinge_pair;
use super::placement::Placement;
use super::response::{Response, RootResponse};
use super::rest::STRAIGHT;
use super::stuck::Stuck;
use crate::math::{arc, ops};
use crate::skeleton::{BallLimit, Joint, Kind};
use crate::solve::limited::{Links, Nearest, Search, Turning};
use crate::solve::{Bend, Status};
use crate::transform::Transform;

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

/// Root and middle joint, both allowed.
pub(in crate::solve) type Pair = [Turning; 2];

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

/// Places of the root at the border of its limit, with the middle joint about at its best.
struct Roots<'a> {
    stuck: &'a Stuck<'a>,
    border: Border,
    response: Response<'a>,
    lowest: [Option<Place>; KEPT],
}

impl<'a> Roots<'a> {
    fn of(stuck: &'a Stuck<'a>) -> Option<Self> {
        let border = Border::of(stuck.skeleton, stuck.limb.root, &COARSE)?;
        let response = Response::of(stuck, border.right);
        let target = border.left.conjugate() * stuck.p;
        let lowest = border.lowest(|turn| response.miss(turn.conjugate() * target), false);
        Some(Self { stuck, border, response, lowest })
    }

    fn pair(&self, place: &Place) -> Pair {
        let root = self.border.rotation(place);
        let target = self.border.right * (root.conjugate() * self.stuck.p);
        [self.stuck.root(root), self.stuck.mid(self.response.rotation(target))]
    }
}

/// Places of the middle joint at the border of its limit, with the root about at its best.
struct Mids<'a> {
    stuck: &'a Stuck<'a>,
    border: Border,
    response: &'a RootResponse<'a>,
    lowest: [Option<Place>; KEPT],
}

impl<'a> Mids<'a> {
    fn of(stuck: &'a Stuck<'a>, response: &'a RootResponse<'a>) -> Option<Self> {
        let border = Border::of(stuck.skeleton, stuck.limb.mid, &COARSE)?;
        let lowest = border.lowest(|turn| response.miss(border.left * turn * border.right), false);
        Some(Self { stuck, border, response, lowest })
    }

    fn pair(&self, place: &Place) -> Pair {
        let mid = self.border.rotation(place);
        [self.stuck.root(self.response.rotation(mid)), self.stuck.mid(mid)]
    }
}

/// Moves the placement inside the limits; one that `keeps` is looked for from the pose given first.
pub(super) fn give_way(stuck: &Stuck<'_>, keeps: bool, placement: &mut Placement, blocked: &mut dyn FnMut(Joint)) {
    // In units of the unstretched limb.
    let stuck = Stuck { p: stuck.p / placement.stretch, ..*stuck };
    let links = stuck.links();
    let given = [stuck.limb.root, stuck.limb.mid].map(|joint| {
        let rotation = stuck.pose.local(joint).rotation;
        (stuck.at(joint, rotation), rotation)
    });
    let found = if let Some([root, mid]) = hinge_pair::nearest(&stuck) {
        Some(links.nearest([stuck.root(root), stuck.mid(mid)], stuck.p))
    } else {
        stuck.found(&links, keeps, &given.map(|(turning, _)| turning), placement)
    };
    let Some(found) = found else { return };
    stuck.settle(&links.settled(found, given, stuck.p), placement, blocked);
}

impl Stuck<'_> {
    fn links(&self) -> Links<2, 6> {
        let measured = self.measured;
        // At rest, so that it does not depend on the pose.
        let second = measured.link * (self.skeleton.rest(self.limb.mid).rotation * measured.b);
        Links {
            offsets: [measured.a, measured.b],
            maps: [measured.link, DMat3::IDENTITY],
            length: arc::length(measured.a) + arc::length(second),
        }
    }

    /// The nearest pair, and its miss.
    fn found(&self, links: &Links<2, 6>, keeps: bool, given: &Pair, placement: &Placement) -> Option<(Pair, f64)> {
        let (circle, range) = fold::circle(self.limb, self.skeleton, self.measured);
        if range.is_some()
            && circle.is_uniform()
            && let Some(start) = self.at_border()
        {
            return Some(links.nearest(start, self.p));
        }
        self.searched(links, keeps, given, placement)
    }

    /// The nearest pair by descents: from the lowest places of both borders and from the placement brought inside the limits.
    fn searched(&self, links: &Links<2, 6>, keeps: bool, given: &Pair, placement: &Placement) -> Option<(Pair, f64)> {
        let from_root = RootResponse::of(self);
        let first = if keeps { *given } else { self.swept(&from_root, placement) };
        let mut starts = [(f64::INFINITY, Start::First); 2 * PLACES + 1];
        let ahead = if keeps { AHEAD * links.length } else { 0.0 };
        starts[0].0 = arc::length(self.p - links.tip(&first)) - ahead;
        let (by_borders, spread_starts) = self.ways_to_start();
        let roots = by_borders.then(|| Roots::of(self)).flatten();
        let mids = by_borders.then(|| Mids::of(self, &from_root)).flatten();
        let at_roots = roots.iter().flat_map(|roots| roots.lowest).flatten().take(PLACES).map(Start::Root);
        let at_mids = mids.iter().flat_map(|mids| mids.lowest).flatten().take(PLACES).map(Start::Mid);
        for (slot, start) in starts[1..].iter_mut().zip(at_roots.chain(at_mids)) {
            *slot = (ops::sqrt_clamped(start.height()), start);
        }
        starts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let tried = starts.iter().filter(|(miss, _)| *miss < f64::INFINITY).take(STARTS);
        let mut starts = tried.filter_map(|(_, start)| match start {
            Start::First => Some(first),
            Start::Root(place) => roots.as_ref().map(|roots| roots.pair(place)),
            Start::Mid(place) => mids.as_ref().map(|mids| mids.pair(place)),
        });
        let mut search = Search::from(links, self.p, starts.next()?, STEPS);
        starts.any(|start| search.try_from(start));
        let is_placed = search.has_arrived();
        let spread = || first.each_ref().map(Turning::spread);
        if spread_starts > 0 && !is_placed {
            let mut nearest = Nearest::to(links, self.p, spread_starts);
            let [roots, mids] = spread();
            let mids = mids.map(|mid| (mid, links.beyond(0, mid * links.offsets[1])));
            for root in roots {
                for (mid, tip) in mids {
                    nearest.offer_at([root, mid], root * tip);
                }
            }
            self.try_all(nearest, &mut search);
        }
        if !self.one_blocks() && !search.has_arrived() && search.miss() < NEARLY * links.length {
            let mut nearest = Nearest::to(links, self.p, OTHERS);
            let response = Response::of(self, DQuat::IDENTITY);
            let [roots, mids] = spread();
            for (root, mid) in roots.into_iter().zip(mids) {
                nearest.offer([from_root.rotation(mid), mid]);
                nearest.offer([root, response.rotation(root.conjugate() * self.p)]);
            }
            self.try_all(nearest, &mut search);
        }
        // Of postures that miss as little as the nearest, the one given; which of those spread arrives first says nothing.
        let is_open = if search.has_arrived() { !is_placed } else { search.is_near(given) };
        if !keeps && self.limb.bend == Bend::Given && is_open {
            search.prefer(*given);
        }
        if search.has_arrived() {
            search.prefer(first);
        }
        Some(search.finished())
    }

    /// Descents from what is nearest of spread postures, until one arrives.
    fn try_all(&self, nearest: Nearest<'_, 2, 6>, search: &mut Search<'_, 2, 6>) {
        search.go_on(STEPS);
        nearest
            .starts()
            .any(|[root, mid]| search.try_from([self.inside(self.limb.root, root), self.inside(self.limb.mid, mid)]));
    }

    /// Whether descents start at the borders, and from how many postures spread over the limits.
    fn ways_to_start(&self) -> (bool, usize) {
        let limits = [self.limb.root, self.limb.mid].map(|joint| match self.skeleton.kind(joint) {
            Kind::Ball(limit) => Some(limit),
            _ => None,
        });
        match limits {
            _ if self.one_blocks() => (true, 0),
            [Some(BallLimit::Euler(_)), _] | [_, Some(BallLimit::Euler(_))] => (false, INSTEAD),
            [Some(_), Some(_)] => (true, BESIDE),
            _ => (true, 0),
        }
    }

    /// Whether one joint is a free ball: then the border of the other is all that blocks, and its lowest places say all.
    fn one_blocks(&self) -> bool {
        [self.limb.root, self.limb.mid].into_iter().any(|joint| self.skeleton.is_free_ball(joint))
    }

    /// The placement brought inside the limits, and its joints turned to the target in turn.
    fn swept(&self, from_root: &RootResponse<'_>, placement: &Placement) -> Pair {
        let mid = self.mid(placement.mid).rotation;
        let root = from_root.toward(placement.root, mid);
        let response = Response::of(self, DQuat::IDENTITY);
        let mid = response.toward(mid, root.conjugate() * self.p);
        [self.root(from_root.toward(root, mid)), self.mid(mid)]
    }

    /// The root at the border of its limit with a hinge in the middle at its best.
    fn at_border(&self) -> Option<Pair> {
        let border = Border::of(self.skeleton, self.limb.root, &FINE)?;
        let response = Response::of(self, border.right);
        let target = border.left.conjugate() * self.p;
        let place = (*border.lowest(|turn| response.miss(turn.conjugate() * target), true).first()?)?;
        let root = border.rotation(&place);
        Some([self.root(root), self.mid(response.rotation(border.right * (root.conjugate() * self.p)))])
    }

    fn root(&self, rotation: DQuat) -> Turning {
        self.at(self.limb.root, rotation)
    }

    fn mid(&self, rotation: DQuat) -> Turning {
        self.at(self.limb.mid, rotation)
    }

    /// A joint at a rotation that is allowed.
    fn inside(&self, joint: Joint, rotation: DQuat) -> Turning {
        Turning::inside(self.skeleton, joint, rotation, self.pose.value(self.skeleton, joint))
    }

    fn at(&self, joint: Joint, rotation: DQuat) -> Turning {
        let local = Transform { rotation, ..*self.pose.local(joint) };
        Turning::at(self.skeleton, joint, &local, self.pose.value(self.skeleton, joint))
    }

    /// Writes the pair into the placement and names the joints that would go on if they might.
    fn settle(&self, [root, mid]: &Pair, placement: &mut Placement, blocked: &mut dyn FnMut(Joint)) {
        let value = mid.value();
        // Once more through the limits, for their own bits.
        let (root, mid) = (self.root(root.rotation).rotation, self.mid(mid.rotation).rotation);
        let tip = self.measured.tip(mid);
        let reach = root * tip;
        (placement.root, placement.mid, placement.mid_value) = (root, mid, value);
        let bend = arc::unit(reach).and_then(|line| arc::unit_reject(root * self.measured.a, line, STRAIGHT));
        placement.bent(self.measured, bend.unwrap_or(placement.swivel.bend));
        if arc::length(self.p - reach) <= 1e-9 * self.measured.length {
            return;
        }
        placement.status = Status::Limited;
        // Where the middle joint would have to point its tip, in its parent's frame.
        let wanted = self.measured.link.inverse() * (root.conjugate() * self.p - self.measured.a);
        let (root_now, mid_now) = (reach, mid * self.measured.b);
        for (joint, now, wanted) in [(self.limb.root, root_now, self.p), (self.limb.mid, mid_now, wanted)] {
            let (Some(from), Some(to)) = (arc::unit(now), arc::unit(wanted)) else { continue };
            if arc::length(from - to) > 1e-7 {
                blocked(joint);
            }
        }
    }
}
