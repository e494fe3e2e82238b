//! What a stride asks of a leg: where its foot rests, how far ahead and behind it may stand, and when its turn comes.

use glam::DVec3;
use sinew::math::{arc, ops};

use super::body::CROUCH;
use super::cadence::{Cadence, cadence};
use super::leg::{EASY, REACH};
use super::{Gait, Near, PathPoint};
use crate::least_jerk::smooth;

/// Share of the distance between rests of two neighbours that each may stand ahead or behind: less than half, so that they do not
/// tread on each other.
const OWN_GROUND: f64 = 0.44;
/// Feet whose rests lie apart mostly across the way (share along it) are not in each other's way; those of twice the share are.
const IN_LINE: f64 = 0.2;
/// Share of the foot's length by which a raised heel brings the ankle up behind the body: the sine of a usual heel lift of 45 degrees.
const HEEL_LIFT: f64 = 0.7;

/// How far behind and ahead of a body the ground says how steep its way is (share of the hips' height), and how steep at most.
const AROUND: f64 = 0.7;
const STEEPEST: f64 = 1.0;
/// In how many parts each way is looked at.
const PARTS: u32 = 2;

/// Where and how far a foot goes for a stride.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    /// How fast its place of rest moves.
    pub(super) speed: DVec3,
    /// How far ahead of its rest and behind it the foot may stand along that.
    pub(super) ahead: f64,
    pub(super) behind: f64,
}

/// How far the hips over two legs come down at most for strides on ground so steep (share of their height).
pub(super) fn most_crouch(steep: f64) -> f64 {
    CROUCH * (1.0 + steep.abs())
}

impl Stride {
    /// How far ahead of its rest the foot lands so that it is behind by what the leg can as it lifts.
    pub(super) fn lead(&self, cadence: &Cadence) -> DVec3 {
        let share = self.ahead / (self.ahead + self.behind).max(1e-9);
        self.speed * (share * cadence.duty * cadence.period)
    }
}

impl Gait {
    /// Where a foot rests under the body, at the height of the path.
    pub(super) fn home(&self, leg: usize, path: &PathPoint) -> DVec3 {
        path.position + self.heading(path.forward) * arc::reject(self.legs[leg].contact - self.pivot, self.axes.up)
    }

    /// How fast that place moves.
    pub(super) fn home_speed(&self, leg: usize, path: &PathPoint) -> DVec3 {
        let up = self.axes.up;
        arc::reject(path.velocity, up) + up.cross(self.home(leg, path) - path.position) * path.turning
    }

    /// What a stride asks of a leg: along its way, or ahead where it has none, on ground that rises by so much over distance. Feet that stand
    /// lower, behind a body that climbs and ahead of one that goes down, are nearer.
    pub(super) fn stride(&self, leg: usize, path: &PathPoint, steep: f64) -> Stride {
        let (one, up) = (&self.legs[leg], self.axes.up);
        let speed = self.home_speed(leg, path);
        let along = arc::unit(speed).unwrap_or(path.forward);
        let heading = self.heading(path.forward);
        let ankle = one.contact + one.ankle;
        let out = heading * arc::reject(ankle - one.hip, up);
        let reach = EASY * REACH * one.reach;
        let far = |rise: f64, falls: f64, sign: f64, crouch: f64| {
            let tall = (one.hip - ankle).dot(up) - rise - crouch * self.height;
            let (across, falls) = (reach * reach - tall * tall - out.dot(out), falls.max(0.0));
            let (o, far) = (out.dot(along) * sign + falls * tall, 1.0 + falls * falls);
            ((ops::sqrt_clamped(across * far + o * o) - o) / far).max(0.0)
        };
        let foot = arc::length(arc::reject(one.ankle, up));
        let rise = foot * HEEL_LIFT * along.dot(path.forward).max(0.0);
        let both = |steep: f64, crouch: f64| [far(0.0, -steep, 1.0, crouch), far(rise, steep, -1.0, crouch)];
        let [mut ahead, mut behind] = if self.is_upright() {
            // The body stays between its feet, also where they come nearer.
            let (level, steep) = (both(0.0, CROUCH), both(steep, most_crouch(steep)));
            let share = |side: usize| if level[side] > 0.0 { steep[side] / level[side] } else { 1.0 };
            level.map(|far| far * share(0).min(share(1)).min(1.0))
        } else {
            both(steep, CROUCH)
        };
        for &next in &one.neighbours {
            let apart = heading * arc::reject(self.legs[next].contact - one.contact, up);
            let gap = apart.dot(along).abs();
            let in_line = smooth((gap / arc::length(apart).max(1e-9) - IN_LINE) / IN_LINE);
            let most = if in_line > 0.0 { OWN_GROUND * gap / in_line } else { f64::INFINITY };
            (ahead, behind) = (ahead.min(most), behind.min(most));
        }
        Stride { speed, ahead, behind }
    }

    /// The turns that legs take, and what that asks of each.
    pub(super) fn cadence(&self, path: &PathPoint, steep: f64, strides: &mut Vec<Stride>) -> Cadence {
        strides.clear();
        strides.extend((0..self.legs.len()).map(|leg| self.stride(leg, path, steep)));
        let fastest = strides.iter().map(|stride| arc::length(stride.speed)).fold(0.0, f64::max);
        let travel = strides.iter().map(|stride| stride.ahead + stride.behind).fold(f64::INFINITY, f64::min);
        let travel = travel.max(0.1 * self.height);
        cadence(fastest, path.turning, self.height, self.gravity, travel, self.legs.len())
    }

    /// How much the ground under a body rises over distance along its way; 0 where it has none or there is no ground.
    pub(super) fn steep(&self, path: &PathPoint, floor: f64, ground: Near<'_>) -> f64 {
        let up = self.axes.up;
        let Some(along) = arc::unit(arc::reject(path.velocity, up)) else { return 0.0 };
        let middle = arc::reject(path.position, up);
        let step = along * (AROUND * self.height / f64::from(PARTS));
        let high = |at: DVec3, from: f64| ground(at + up * from).map(|(found, _)| found.dot(up));
        // From one place to the next, as feet find the ground: a flight of stairs is higher than a step.
        let end = |from: f64, sign: f64| {
            (1..=PARTS).try_fold(from, |from, part| high(middle + step * (sign * f64::from(part)), from))
        };
        let ends = high(middle, floor).and_then(|from| Some([end(from, -1.0)?, end(from, 1.0)?]));
        let rise = ends.map_or(0.0, |[behind, ahead]| ahead - behind);
        (rise / (2.0 * AROUND * self.height)).clamp(-STEEPEST, STEEPEST)
    }

    /// When a leg's turn comes, in strides after the first one's.
    pub(super) fn offset(&self, leg: usize, lag: f64) -> f64 {
        let side = |one: usize| (self.legs[one].contact - self.pivot).dot(self.axes.left) > 0.0;
        let along = |one: usize| (self.legs[one].contact - self.pivot).dot(self.axes.forward);
        let behind = (0..self.legs.len())
            .filter(|&one| one != leg && side(one) == side(leg) && (along(one), one) < (along(leg), leg))
            .count();
        let other = if side(leg) { 0.0 } else { 0.5 };
        -(behind as f64 * lag + other)
    }
}
