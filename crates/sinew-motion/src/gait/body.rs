//! Where the body is over its feet: the height, tilt and sway that its springs follow.

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops};

use super::cadence::Cadence;
use super::leg::{EASY, Footing, Measured, REACH};
use super::state::{Foot, GaitState};
use super::stride::{Stride, most_crouch};
use super::{Gait, PathPoint};
use crate::least_jerk::{bump, smooth};

/// How far hips come down at most for long strides (share of their height).
pub(super) const CROUCH: f64 = 0.1;
/// Steepest tilt of the body (a tangent).
const MOST_TILT: f64 = 0.7;

/// Share of a raised heel on which the body's height counts: the rest is left for legs that are late.
const LIFTED: f64 = 0.8;
/// Share of a leg's reach at which the body comes down for it, before it is stretched.
const SPARE: f64 = 0.98;
/// How much longer than a standing leg folds the body leaves it.
const FOLDED: f64 = 1.15;
/// How far the body comes down at most for feet that stand low (share of the hips' height).
const MOST_LOWERED: f64 = 0.4;
/// Share of the sway along the way that is left: bodies sway aside, and surge little.
const SURGE: f64 = 0.3;
/// Of two legs: how far they stretch where they stand (of other legs it is `EASY`), and the share of a stride for which the body stays
/// low. For the rest it comes down when they need it, and rises over the one that stands.
const UPRIGHT: f64 = 0.99;
const LOW: f64 = 0.6;

/// Where the body is: the rigid motion of model space from rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) turn: DQuat,
    pub(super) pivot: DVec3,
    from: DVec3,
}

impl Frame {
    pub(super) fn at_rest() -> Self {
        Self { turn: DQuat::IDENTITY, pivot: DVec3::ZERO, from: DVec3::ZERO }
    }

    /// At another point of the path, level, as high as it is.
    pub(super) fn moved_to(&self, gait: &Gait, path: &PathPoint) -> Self {
        let up = gait.axes.up;
        let pivot = arc::reject(path.position, up) + up * self.pivot.dot(up);
        Self { turn: gait.heading(path.forward), pivot, from: self.from }
    }

    pub(super) fn at(&self, rest: DVec3) -> DVec3 {
        self.pivot + self.turn * (rest - self.from)
    }
}

impl Gait {
    /// What the body's springs follow: the floor's height (along up), its slope, and the sway.
    pub(super) fn goal(&self, path: &PathPoint, cadence: &Cadence, state: &GaitState) -> [DVec3; 3] {
        let feet = &state.feet;
        let up = self.axes.up;
        let (mut sum, mut height, mut middle, mut load) = (DVec3::ZERO, 0.0, DVec3::ZERO, 0.0);
        let count = feet.len() as f64;
        let spot = |leg: usize| {
            let foot = &feet[leg];
            let sole = self.legs[leg].contact.dot(up) - self.floor;
            let place =
                foot.swing.map_or(foot.place, |swing| foot.place + (swing.to - foot.place) * smooth(swing.share(0.0)));
            (place, place.dot(up) - sole)
        };
        for (leg, foot) in feet.iter().enumerate() {
            let (place, high) = spot(leg);
            sum += place / count;
            height += high / count;
            let weight = foot.swing.map_or(1.0, |swing| 1.0 - bump(swing.share(0.0)));
            middle += arc::reject(foot.place - self.home(leg, path), up) * weight;
            load += weight;
        }
        let tilt = self.tilt_over(feet.len(), sum, height, &spot);
        // Feet behind or ahead of the body say how high the floor is under it.
        let home = (0..feet.len()).map(|leg| self.home(leg, path)).sum::<DVec3>() / count;
        let climbs = arc::unit(path.velocity).unwrap_or(DVec3::ZERO) * state.steep;
        let lean = if self.is_upright() { climbs } else { tilt };
        height += lean.dot(arc::reject(home - sum, up));
        height -= self.crouch(path, cadence, state);
        // Standing feet must stay within reach.
        let low = self.lowered(path, feet, height, tilt);
        let sway = middle / load.max(1.0) * self.sway;
        [up * low, tilt * self.tilt, arc::reject(sway, path.forward) + sway.project_onto(path.forward) * SURGE]
    }

    /// The slope of the ground under the feet (a tangent along each of the body's directions): least squares of their heights; none on
    /// two feet.
    fn tilt_over(&self, feet: usize, middle: DVec3, height: f64, spot: &impl Fn(usize) -> (DVec3, f64)) -> DVec3 {
        if feet < 3 {
            return DVec3::ZERO;
        }
        let (mut xx, mut xy, mut yy, mut xz, mut yz) = (1e-9, 0.0, 1e-9, 0.0, 0.0);
        for leg in 0..feet {
            let (place, high) = spot(leg);
            let off = place - middle;
            let (x, y, z) = (off.dot(self.axes.forward), off.dot(self.axes.left), high - height);
            (xx, xy, yy, xz, yz) = (xx + x * x, xy + x * y, yy + y * y, xz + x * z, yz + y * z);
        }
        let determinant = xx * yy - xy * xy;
        if determinant <= 1e-3 * xx * yy {
            return DVec3::ZERO;
        }
        let x = (xz * yy - yz * xy) / determinant;
        let y = (yz * xx - xz * xy) / determinant;
        let tilt = self.axes.forward * x + self.axes.left * y;
        tilt * (MOST_TILT / arc::length(tilt).max(MOST_TILT)).min(1.0)
    }

    /// Whether it walks on two legs, which stand straighter than those of beasts.
    pub(super) fn is_upright(&self) -> bool {
        self.legs.len() <= 2
    }

    /// Share of a leg's reach to which it stretches where it stands, before its heel rises or the body comes down.
    pub(super) fn stands(&self) -> f64 {
        if self.is_upright() { UPRIGHT } else { EASY }
    }

    /// How far the body comes down for its stride; over two legs also for what the ground falls to where it leads.
    fn crouch(&self, path: &PathPoint, cadence: &Cadence, state: &GaitState) -> f64 {
        let (up, heading) = (self.axes.up, self.heading(path.forward));
        let (low, steep) = if self.is_upright() { (LOW, state.steep) } else { (1.0, 0.0) };
        let need = |(one, stride): (&Measured, &Stride)| {
            let ankle = one.contact + one.ankle;
            let lead = stride.lead(cadence) * low;
            let out = heading * arc::reject(ankle - one.hip, up) + lead;
            let reach = self.stands() * REACH * one.reach;
            let falls = (-steep).max(0.0) * arc::length(lead);
            (one.hip - ankle).dot(up) + falls - ops::sqrt_clamped(reach * reach - out.dot(out))
        };
        self.legs.iter().zip(&state.strides).map(need).fold(0.0, f64::max).min(most_crouch(steep) * self.height)
    }

    /// The highest floor not above `height` under which standing legs reach their feet with something to spare.
    fn lowered(&self, path: &PathPoint, feet: &[Foot], height: f64, tilt: DVec3) -> f64 {
        let up = self.axes.up;
        let frame = self.frame(path, [up * height, tilt * self.tilt, DVec3::ZERO]);
        let turn = self.heading(path.forward);
        let (mut low, mut least) = (height, height - MOST_LOWERED * self.height);
        for (leg, foot) in feet.iter().enumerate() {
            let one = &self.legs[leg];
            let place = foot.swing.map_or(foot.place, |swing| swing.to);
            let near = foot.swing.map_or(1.0, |swing| smooth(2.0 * swing.share(0.0) - 1.0));
            let heel = one.heel_for(&self.axes, place, foot.turn, frame.at(one.hip), self.stands() * REACH * one.reach);
            let ankle = one.ankle_at(&self.axes, &Footing { place, turn: foot.turn, heel: LIFTED * heel });
            let off = ankle - frame.at(one.hip);
            let (aside, reach) = (arc::reject(off, up), SPARE * REACH * one.reach);
            let too_high = -off.dot(up) - ops::sqrt_clamped(reach * reach - aside.dot(aside));
            low = low.min(height - too_high.max(0.0) * near);
            if let Some(high) = one.room(aside) {
                let folded = height + off.dot(up) + FOLDED * high;
                least += (folded - least).max(0.0) * near;
            }
            // So must one in the air have room to fold.
            if let Some(swing) = foot.swing {
                let off = swing.place(up, 0.0) + turn * one.ankle - frame.at(one.hip);
                let room = one.room(arc::reject(off, up)).map(|high| height + off.dot(up) + high);
                least = room.map_or(least, |folded| least.max(folded));
            }
        }
        low.max(least)
    }

    pub(super) fn frame(&self, path: &PathPoint, [floor, slope, sway]: [DVec3; 3]) -> Frame {
        let up = self.axes.up;
        let normal = arc::unit(up - slope).unwrap_or(up);
        let turn = arc::arc(up, normal, self.axes.left) * self.heading(path.forward);
        let pivot = arc::reject(path.position, up) + sway + up * (self.pivot.dot(up) - self.floor) + floor;
        Frame { turn, pivot, from: self.pivot }
    }
}
