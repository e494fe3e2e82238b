//! The least turn of the last joint for which the limb reaches.
//!
//! It is on the rim of what the other joints can do: the first link in line with the chord, or the middle joint at an end of its
//! range; each is a triangle again. Only where limits are cones, or hinges are not parallel, a search along the angle finds what
//! those miss.

use glam::DVec3;

use super::heel::{Heel, Middle};
use crate::math::{arc, ops};
use crate::skeleton::{BallLimit, Kind, Skeleton};
use crate::solve::two_bone::swivel::{self, Scan};

/// Relative miss that counts as none.
pub(super) const MET: f64 = 1e-10;
/// Relative distance past the rim.
const HAIR: f64 = 4e-13;
/// Turn (radians), for each length of the limb that is missed, by which no turn that reaches is nearer: half of what the longest
/// last link needs, as limits may turn it farther.
const AWAY: f64 = 0.5;

impl Heel {
    /// The least turn for which the limb reaches, else that for which it misses least.
    pub(super) fn unfolded(&self, skeleton: &Skeleton, miss: &dyn Fn(f64) -> f64, narrow: f64) -> f64 {
        let (mut best, mut lowest) = (0.0, miss(0.0));
        let mut consider = |turn: f64| {
            let here = miss(turn);
            let reached = here <= MET && (lowest > MET || turn.abs() < f64::abs(best) - 1e-9);
            if reached || lowest > MET && here < lowest * (1.0 - 1e-9) {
                (best, lowest) = (turn, here);
            }
        };
        self.rims(skeleton, &mut consider);
        if lowest <= MET || self.is_flat(skeleton) {
            return best;
        }
        Self::searched(best, lowest, miss, narrow)
    }

    /// Turns at which the other joints are at the rim of what they can do.
    fn rims(&self, skeleton: &Skeleton, consider: &mut dyn FnMut(f64)) {
        let (first, distance) = (arc::length(self.first), self.distance);
        // A hair past the rim, so that the limb is straight, or folded flat, and not nearly so.
        let hair = HAIR * (first + arc::length(self.second) + arc::length(self.last));
        let chord =
            arc::length(self.second + self.last).max((distance - first).abs() - hair).min(distance + first + hair);
        self.turns(self.second, chord).into_iter().for_each(&mut *consider);
        if let Middle::Hinge { axis, range, value } = self.middle {
            for end in [range.min, range.max].into_iter().filter(|end| end.is_finite()) {
                let first = arc::axis_angle(axis, value - end) * self.first;
                self.turns(self.second - first, self.distance).into_iter().for_each(&mut *consider);
            }
        }
        if let Some((axis, range)) = skeleton.hinge(self.joint) {
            let turn = skeleton.zero(self.joint).rotation.conjugate() * self.start.rotation;
            let sense = if (skeleton.zero(self.joint).rotation * axis).dot(self.axis) < 0.0 { -1.0 } else { 1.0 };
            let from = arc::twist_angle(turn, axis);
            [range.min, range.max]
                .into_iter()
                .filter(|end| end.is_finite())
                .for_each(|end| consider(sense * (end - from)));
        }
    }

    /// Both turns, less first, at which a vector and the last link add up to a length, or to what is nearest.
    fn turns(&self, vector: DVec3, length: f64) -> [f64; 2] {
        let (s, v) = (arc::reject(vector, self.axis), arc::reject(self.last, self.axis));
        let both = arc::length(s) * arc::length(v);
        if both == 0.0 {
            return [0.0; 2];
        }
        let height = self.axis.dot(vector + self.last);
        let now = ops::atan2(self.axis.dot(s.cross(v)), s.dot(v));
        let c = ((length * length - height * height - s.dot(s) - v.dot(v)) / (2.0 * both)).clamp(-1.0, 1.0);
        let wanted = ops::atan2(ops::sqrt((1.0 - c) * (1.0 + c)), c);
        let [plus, minus] = [wanted, -wanted].map(|angle| ops::nearest_turn(angle - now, 0.0));
        if plus.abs() <= minus.abs() { [plus, minus] } else { [minus, plus] }
    }

    /// Whether the rims are all there is: no cones, and hinges about one axis.
    fn is_flat(&self, skeleton: &Skeleton) -> bool {
        let plain = matches!(skeleton.kind(self.joint), Kind::Hinge { .. } | Kind::Ball(BallLimit::Free) | Kind::Free);
        plain
            && match self.middle {
                Middle::Free => true,
                Middle::Hinge { axis, .. } => arc::length(axis.cross(self.axis)) < 1e-9,
                Middle::Cone => false,
            }
    }

    /// The least turn that reaches, by search, else the lowest miss of a scan, refined.
    fn searched(mut best: f64, mut lowest: f64, miss: &dyn Fn(f64) -> f64, narrow: f64) -> f64 {
        let mut scan = Scan::of(miss);
        if let Some(turn) = scan.nearest_allowed(AWAY) {
            return turn;
        }
        for [before, after] in scan.dips() {
            let turn = swivel::minimum(miss, before, after, narrow);
            let here = miss(turn);
            if here < lowest * (1.0 - 1e-9) {
                (best, lowest) = (turn, here);
            }
        }
        best
    }
}
