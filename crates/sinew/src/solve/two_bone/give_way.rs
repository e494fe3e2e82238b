//! Where no turn of the limb is allowed as it is: root and middle joint give way inside their limits,
//! each taking up what the other may not do, to the nearest miss.
//!
//! A root whose limit does not let the limb point at the target stops at the border of that limit (see
//! [`border`](super::border)), and a hinge in the middle then has one best angle. So two values are left: the lowest place of
//! that border is the answer, to the last digit after a few of Newton's steps in the limits' own coordinates. As the target
//! moves it moves along, but where two places are equally near: there it goes over to the other one.
//!
//! A ball in the middle has no best turn in closed form. Places of both joints' borders, and bends round the line with turns of
//! the second bone round the first, are where descents inside the limits start, in an order that depends on goal and rest pose
//! alone; where the limb keeps the bend of the pose given, that pose comes first. The first that arrives is taken, else the
//! nearest. Two balls have many postures for one place of the tip: of those that miss as little, the one that a descent from
//! the pose given comes to, also with a pole, which none of them can follow.

use core::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};

use super::border::{Border, COARSE, FINE, Place};
use super::carry::turned_about;
use super::fold;
use super::hinge_pair;
use super::placement::Placement;
use super::reach::Reach;
use super::response::{self, Response};
use super::rest::STRAIGHT;
use super::stuck::Stuck;
use crate::math::{arc, ops};
use crate::skeleton::{Joint, Kind};
use crate::solve::limited::{Links, Nearest, Search, Turning};
use crate::solve::{Bend, Status};
use crate::transform::Transform;

/// Bends tried round the line, in parts of a turn, nearest first.
const SIDES: [f64; 4] = [0.0, 0.25, -0.25, 0.5];
/// Turns of the second bone about the first, likewise.
const ROLLS: [f64; 8] = [0.0, 0.125, -0.125, 0.25, -0.25, 0.375, -0.375, 0.5];

/// Places of each border from which descents start. HEURISTIC: so many other starts after them, and more where these nearly
/// arrive (a share of the length); of 1,500 blocked limbs one ends farther off than the best of 300 random poses.
const PLACES: usize = 2;
const FEW: usize = 3;
const EACH: usize = 16;
const NEARLY: f64 = 0.1;

/// Root and middle joint, both allowed.
pub(in crate::solve) type Pair = [Turning; 2];

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
        stuck.found(&links, keeps, &given.map(|(turning, _)| turning))
    };
    let Some(found) = found else { return };
    stuck.settle(&links.settled(found, given, stuck.p), placement, blocked);
}

impl Stuck<'_> {
    fn links(&self) -> Links<2> {
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
    fn found(&self, links: &Links<2>, keeps: bool, given: &Pair) -> Option<(Pair, f64)> {
        let (circle, range) = fold::circle(self.limb, self.skeleton, self.measured);
        if range.is_some()
            && circle.is_uniform()
            && let Some(start) = self.at_border()
        {
            return Some(links.nearest(start, self.p));
        }
        let mut starts = self.starts();
        let first = if keeps { *given } else { starts.next()? };
        let mut search = Search::from(links, self.p, first);
        let mut borders = [Self::roots, Self::bent].into_iter().flat_map(|places| places(self)).flatten();
        if !search.has_arrived() && !borders.any(|start| search.try_from(start)) {
            let tried = if search.miss() < NEARLY * links.length { EACH } else { FEW };
            let mut nearest = Nearest::to(links, self.p, tried);
            starts.for_each(|start| nearest.offer(start));
            nearest.starts().any(|start| search.try_from(start));
        }
        // Of postures that miss as little as the nearest, the one beside the pose given.
        if !keeps && self.limb.bend == Bend::Given {
            search.prefer(*given);
        }
        Some(search.finished())
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

    /// Places of the root at the border of its limit, with the middle joint about at its best.
    fn roots(&self) -> [Option<Pair>; PLACES] {
        let Some(border) = Border::of(self.skeleton, self.limb.root, &COARSE) else { return [None; PLACES] };
        let response = Response::of(self, border.right);
        let target = border.left.conjugate() * self.p;
        let lowest = border.lowest(|turn| response.miss(turn.conjugate() * target), false);
        let pair = |place: Place| {
            let root = border.rotation(&place);
            [self.root(root), self.mid(response.rotation(border.right * (root.conjugate() * self.p)))]
        };
        core::array::from_fn(|i| lowest[i].map(pair))
    }

    /// Places of the middle joint at the border of its limit, with the root about at its best.
    fn bent(&self) -> [Option<Pair>; PLACES] {
        let Some(border) = Border::of(self.skeleton, self.limb.mid, &COARSE) else { return [None; PLACES] };
        let free = self.skeleton.is_free_ball(self.limb.root);
        let lowest = border.lowest(|turn| response::miss(self, border.left * turn * border.right), free);
        let pair = |place: Place| {
            let mid = border.rotation(&place);
            [self.root(response::root(self, mid)), self.mid(mid)]
        };
        core::array::from_fn(|i| lowest[i].map(pair))
    }

    /// Where descents start.
    pub(in crate::solve) fn starts(&self) -> impl Iterator<Item = Pair> {
        let (mids, count) = self.mids();
        let sides = SIDES.into_iter();
        let around = sides.flat_map(move |side| mids.into_iter().take(count).map(move |mid| (side, mid)));
        around.map(|(side, mid)| {
            let mid = self.mid(mid);
            [self.toward(mid.rotation, turned_about(self.line, self.bend, side * TAU)), mid]
        })
    }

    /// Rotations of the middle joint at which the tip is as far as the target: both of a hinge, those of a
    /// ball all round the first bone. Out of reach they are one, and bent ones stand beside it, which limits may have
    /// nearer.
    fn mids(&self) -> ([DQuat; ROLLS.len()], usize) {
        let (circle, range) = fold::circle(self.limb, self.skeleton, self.measured);
        let away = arc::length(self.p);
        let distance = circle.span(away, Reach::Clamp).distance;
        let at = |distance: f64| circle.angles(distance).map(|angle| circle.rotation(angle));
        let [one, other] = at(distance);
        let (shortest, longest) = circle.bounds();
        let bent = (distance != away).then(|| at(0.5 * (shortest + longest)));
        let mut mids = [one; ROLLS.len()];
        if range.is_some() {
            let ordered = |[one, other]: [DQuat; 2]| if circle.along(self.limb) { [one, other] } else { [other, one] };
            let count = if let Some(bent) = bent {
                [mids[1], mids[2]] = ordered(bent);
                3
            } else {
                [mids[0], mids[1]] = ordered([one, other]);
                2
            };
            return (mids, count);
        }
        let Some(bone) = arc::unit(self.measured.link.inverse() * self.measured.a) else { return (mids, 1) };
        let rolled = |mid: DQuat, roll: f64| arc::normalize(arc::axis_angle(bone, roll) * mid);
        let around = |mid: DQuat| ROLLS.map(|roll| rolled(mid, roll * TAU));
        if let Some([bent, _]) = bent {
            mids = around(bent);
            mids[0] = one;
        } else if let (Some(exact), Some(second)) = (self.rolls(one, bone), arc::unit(self.measured.b)) {
            // Both, with the joint twisted about the second bone, which moves nothing.
            for (i, mid) in mids.iter_mut().enumerate() {
                let twist = arc::axis_angle(second, SIDES[i / exact.len()] * TAU);
                *mid = rolled(one, exact[i % exact.len()]) * twist;
            }
        } else {
            mids = around(one);
        }
        (mids, ROLLS.len())
    }

    /// Below a hinge, the turns of the second bone about the first at which the tip is as high on the hinge's
    /// axis as the target.
    fn rolls(&self, mid: DQuat, bone: DVec3) -> Option<[f64; 2]> {
        let Kind::Hinge { axis, .. } = self.skeleton.kind(self.limb.root) else { return None };
        let zero = self.skeleton.zero(self.limb.root).rotation;
        let (second, height) = (mid * self.measured.b, |v: DVec3| axis.dot(self.measured.link * v));
        let along = bone * bone.dot(second);
        let (x, y) = (height(second - along), height(bone.cross(second)));
        let wanted = axis.dot(zero.conjugate() * self.p - self.measured.a) - height(along);
        let off = ops::sqrt_clamped(x * x + y * y - wanted * wanted);
        let (middle, aside) = (ops::atan2(y, x), ops::atan2(off, wanted));
        Some([middle + aside, middle - aside])
    }

    /// The root with the tip on the line and the limb bent towards `bend`, as nearly as it may.
    fn toward(&self, mid: DQuat, bend: DVec3) -> Turning {
        let line = arc::unit(self.measured.tip(mid)).unwrap_or(self.limb.rest.line);
        let bulge = arc::unit_reject(self.measured.a, line, STRAIGHT);
        let bulge = bulge.unwrap_or_else(|| arc::any_perpendicular(line));
        self.root(arc::between_frames(line, bulge, self.line, bend))
    }

    fn root(&self, rotation: DQuat) -> Turning {
        self.at(self.limb.root, rotation)
    }

    fn mid(&self, rotation: DQuat) -> Turning {
        self.at(self.limb.mid, rotation)
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
