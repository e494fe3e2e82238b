//! What it costs to stand at a place for the sake of the other legs, the foot's own ends and the leg's reach.

use glam::DVec3;
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
        let crossing = then.iter().map(|path| self.crossing(leg, place, path, feet)).fold(0.0, f64::max);
        let sole = one.contact.dot(up) - self.floor;
        let ankle = place + up * sole + frame.turn * one.ankle;
        // The body comes down for a foot that will stand low.
        let line = ankle - frame.at(one.hip);
        let down = (-line.dot(up)).clamp(0.0, COMES_DOWN * self.height);
        let far = arc::length(line + up * down) - REACH * one.reach;
        edges + crossing + FAR * far.max(0.0) / self.height
    }

    /// What it costs that legs cross or come near each other, seen from above, with a foot at a place and the body at a point of the path.
    pub(super) fn crossing(&self, leg: usize, place: DVec3, path: &PathPoint, feet: &[Foot]) -> f64 {
        let (up, heading) = (self.axes.up, self.heading(path.forward));
        let flat = |point: DVec3| arc::reject(point, up);
        let hip = |leg: usize| flat(path.position) + heading * flat(self.legs[leg].hip - self.pivot);
        let cost = |&next: &usize| {
            let (own, other) = (&self.legs[leg], &self.legs[next]);
            let rest = apart([own.hip, own.contact, other.hip, other.contact].map(flat), up);
            let there = flat(feet[next].swing.map_or(feet[next].place, |swing| swing.to));
            let now = apart([hip(leg), flat(place), hip(next), there], up);
            let near = CLEAR * rest.max(1e-9);
            if now <= 0.0 { BAD * (1.0 - now / rest.max(1e-9)) } else { NEAR * (1.0 - now / near).max(0.0) }
        };
        self.legs[leg].neighbours.iter().map(cost).sum()
    }
}

/// How far two legs are from crossing, seen from above: hip and foot of one, hip and foot of the other. Less than 0 where they cross.
fn apart([hip, foot, other, its]: [DVec3; 4], up: DVec3) -> f64 {
    let from_line = |from: DVec3, to: DVec3, at: DVec3| {
        let way = to - from;
        let share = ((at - from).dot(way) / way.length_squared().max(1e-18)).clamp(0.0, 1.0);
        arc::length(at - from - way * share)
    };
    let side = |from: DVec3, to: DVec3, at: DVec3| (to - from).cross(at - from).dot(up);
    let near = from_line(hip, foot, its).min(from_line(other, its, foot));
    let cross =
        side(hip, foot, other) * side(hip, foot, its) < 0.0 && side(other, its, hip) * side(other, its, foot) < 0.0;
    if cross { -near } else { near }
}
