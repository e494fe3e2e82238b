//! What it costs to stand at a place for the sake of the other legs, the foot's own ends and the leg's reach.

use glam::{DQuat, DVec3};
use sinew::math::arc;

use super::body::Frame;
use super::foothold::{BAD, MOST_SLOPE};
use super::leg::REACH;
use super::state::Foot;
use super::{Gait, Near, PathPoint};

/// Cost of legs that nearly touch, and the share of their clearance at rest within which they are near.
const NEAR: f64 = 0.6;
const CLEAR: f64 = 0.4;
/// Cost of heel or toes in a riser, and of those that stand over an edge.
const RISER: f64 = 1.0;
const OVERHANG: f64 = 0.2;
/// How far the body comes down for a foot that steps (share of the hips' height), and the cost of a place out of reach by that height.
const COMES_DOWN: f64 = 0.08;
const FAR: f64 = 20.0;

impl Gait {
    /// What it costs to stand at a place, in a body at some moments of the path that comes: much where legs would cross or not reach, some
    /// where they would come near, seen from above.
    pub(super) fn hindrance(
        &self,
        leg: usize,
        place: DVec3,
        then: &[PathPoint],
        frame: &Frame,
        feet: &[Foot],
        ground: Near<'_>,
    ) -> f64 {
        let (up, one) = (self.axes.up, &self.legs[leg]);
        // Heel and toes in a riser, or over an edge.
        let [heel, tip] = one.ends(&self.axes).map(|end| frame.turn * end);
        let edge = |end: DVec3| {
            let off = ground(place + arc::reject(end, up))
                .map_or(-1.0, |(found, _)| (found - place).dot(up) / arc::length(end).max(1e-9));
            if off > MOST_SLOPE { RISER } else { OVERHANG * (-off - MOST_SLOPE).clamp(0.0, 1.0) }
        };
        let edges = [heel, tip].into_iter().filter(|end| arc::length(*end) > 0.01 * self.height).map(edge).sum::<f64>();
        let turn = self.heading(then[0].forward);
        let crossing = then
            .iter()
            .map(|path| self.crossing(leg, (place, turn), &frame.moved_to(self, path), feet))
            .fold(0.0, f64::max);
        let sole = one.contact.dot(up) - self.floor;
        let ankle = place + up * sole + frame.turn * one.ankle;
        // The body comes down for a foot that will stand low.
        let line = ankle - frame.at(one.hip);
        let down = (-line.dot(up)).clamp(0.0, COMES_DOWN * self.height);
        let far = arc::length(line + up * down) - REACH * one.reach;
        edges + crossing + FAR * far.max(0.0) / self.height
    }

    /// What it costs that legs cross or come near each other, seen from above, with a foot at a place, turned so, and the body somewhere.
    pub(super) fn crossing(&self, leg: usize, foot: (DVec3, DQuat), frame: &Frame, feet: &[Foot]) -> f64 {
        let own = self.outline(leg, foot, frame);
        let beside = self.legs[leg].neighbours.iter().zip(&self.legs[leg].apart);
        beside.map(|(&next, &rest)| self.crossing_one(leg, &own, (next, rest), frame, feet)).sum()
    }

    /// The same for one of the legs beside: much also where the foot stands on the wrong side of its foot.
    fn crossing_one(
        &self,
        leg: usize,
        own: &[DVec3; 4],
        (next, rest): (usize, f64),
        frame: &Frame,
        feet: &[Foot],
    ) -> f64 {
        let there = feet[next].swing.map_or((feet[next].place, feet[next].turn), |swing| (swing.to, swing.turns[1]));
        let its = self.outline(next, there, frame);
        let sides = [leg, next].map(|leg| (self.legs[leg].contact - self.pivot).dot(self.axes.left));
        let beside = (own[3] - its[3]).dot(frame.turn * self.axes.left) * sides[0].signum();
        let wrong = if sides[0] * sides[1] < 0.0 { beside } else { f64::INFINITY };
        let (now, near) = (apart(own, &its, self.axes.up).min(wrong), CLEAR * rest);
        if now <= 0.0 { BAD * (1.0 - now / rest) } else { NEAR * (1.0 - now / near).max(0.0) }
    }

    /// Hip, knee, ankle and what touches the ground, with the foot at a place, turned so.
    fn outline(&self, leg: usize, (place, turn): (DVec3, DQuat), frame: &Frame) -> [DVec3; 4] {
        let one = &self.legs[leg];
        let (hip, ankle) = (frame.at(one.hip), place + turn * one.ankle);
        [hip, one.knee(&self.axes, frame.turn, hip, ankle), ankle, place]
    }

    /// How far two legs are apart at rest, seen from above.
    pub(super) fn apart_at_rest(&self, leg: usize, other: usize) -> f64 {
        let frame = Frame::at_rest();
        let [own, its] = [leg, other].map(|leg| self.outline(leg, (self.legs[leg].contact, DQuat::IDENTITY), &frame));
        apart(&own, &its, self.axes.up).max(1e-9)
    }
}

/// How far two legs are from crossing, seen from above, by what their lines from hip to foot leave; less than 0 where bones cross.
fn apart(one: &[DVec3; 4], other: &[DVec3; 4], up: DVec3) -> f64 {
    let [one, other] = [one, other].map(|leg| leg.map(|at| arc::reject(at, up)));
    let pairs = || one.windows(2).flat_map(|a| other.windows(2).map(move |b| [a[0], a[1], b[0], b[1]]));
    let ends = [one[0], one[3], other[0], other[3]];
    let deepest = std::iter::once(ends).chain(pairs()).filter(|pair| cross(*pair, up)).map(|pair| -near(pair));
    let deepest = deepest.fold(0.0, f64::min);
    if deepest < 0.0 { deepest } else { near(ends) }
}

/// Whether two bones cross, by their ends.
fn cross([hip, foot, other, its]: [DVec3; 4], up: DVec3) -> bool {
    let side = |from: DVec3, to: DVec3, at: DVec3| (to - from).cross(at - from).dot(up);
    side(hip, foot, other) * side(hip, foot, its) < 0.0 && side(other, its, hip) * side(other, its, foot) < 0.0
}

/// How near the end of one comes to the other.
fn near([hip, foot, other, its]: [DVec3; 4]) -> f64 {
    let from_line = |from: DVec3, to: DVec3, at: DVec3| {
        let way = to - from;
        let share = ((at - from).dot(way) / way.length_squared().max(1e-18)).clamp(0.0, 1.0);
        arc::length(at - from - way * share)
    };
    from_line(hip, foot, its).min(from_line(other, its, foot))
}
