//! One foot from frame to frame: locked or free, and where it is to be.

use glam::{DAffine3, DQuat, DVec3};
use sinew::math::{arc, ops};

use super::FeetSettings;
use crate::ground::Ground;
use crate::spring::{Pull, Spring};

/// Share of the leg by which the other point of the sole must be lower to bear the foot.
const LOWER: f64 = 0.004;
/// Points looked at on the way to where a foot comes down.
const AHEAD: u32 = 6;
/// Seconds ahead that a foot's speed tells of.
const SOON: f64 = 0.2;

/// A point of the ground that a foot is locked to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lock {
    part: usize,
    /// In the part's frame.
    place: DVec3,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FootState {
    /// The ankle's frame in the clip.
    pub(super) clip: DAffine3,
    pub(super) hip: DVec3,
    soles: [DVec3; 2],
    /// Which point of the sole bears the foot.
    pivot: usize,
    touches: bool,
    lock: Option<Lock>,
    /// Where the pivot is to be from where the clip has it, and where it was before.
    offset: DVec3,
    before: DVec3,
    /// What is left of the last change.
    rest: Spring,
    /// Height of the ground below a foot that swings, along up.
    base: Spring,
    /// Normal of the ground.
    tilt: Spring,
    up: DVec3,
}

impl FootState {
    pub(super) fn touches(&self) -> bool {
        self.touches
    }

    pub(super) fn offset(&self) -> DVec3 {
        self.offset
    }

    /// From where the clip has the foot to where it is to be.
    pub(super) fn motion(&self) -> DAffine3 {
        let turn = self.turn();
        let pivot = self.soles[self.pivot];
        DAffine3::from_rotation_translation(turn, pivot + self.offset - turn * pivot)
    }

    fn turn(&self) -> DQuat {
        DQuat::from_rotation_arc(self.up, self.tilt.value.try_normalize().unwrap_or(self.up))
    }

    /// Goes on by a frame, to soles that the clip has there; `dt` 0 starts.
    pub(super) fn advance(
        &mut self,
        settings: &FeetSettings,
        length: f64,
        soles: [DVec3; 2],
        ground: &(impl Ground + ?Sized),
        dt: f64,
        (touches, landing): (Option<bool>, Option<DVec3>),
    ) {
        let up = settings.up;
        let starts = dt == 0.0;
        let below = |point: DVec3| {
            let over = settings.step * length + (settings.floor - point.dot(up)).max(0.0);
            ground.below(point + up * over, up)
        };
        if starts {
            *self = Self { clip: self.clip, hip: self.hip, soles, up, tilt: Spring::at(up), ..Self::default() };
        }
        let old = std::mem::replace(&mut self.soles, soles);
        let heights = soles.map(|sole| sole.dot(up) - settings.floor);
        let other = 1 - self.pivot;
        if starts || heights[other] < heights[self.pivot] - LOWER * length {
            let lower = usize::from(heights[1] < heights[0]);
            if lower != self.pivot {
                self.switch(lower, old, ground);
            }
        }
        let (pivot, height) = (soles[self.pivot], heights[self.pivot]);
        let velocity = if starts { DVec3::ZERO } else { (pivot - old[self.pivot]) / dt };
        let factor = if self.touches { settings.leave } else { 1.0 };
        let still = velocity.length() < factor * settings.speed * length;
        let touches = touches.unwrap_or(height < factor * settings.height * length && still);
        let speed = if starts { DVec3::ZERO } else { (self.offset - self.before) / dt };
        // The ground that a foot passes on its way.
        let here = pivot + self.offset;
        let way = landing.map_or(velocity * SOON, |landing| landing - pivot);
        let way = way.reject_from_normalized(up);
        let points = (0..=AHEAD).map(|step| here + way * (f64::from(step) / f64::from(AHEAD)));
        let found = points.filter_map(below).map(|at| at.position.dot(up)).fold(f64::NEG_INFINITY, f64::max);
        let level = if found.is_finite() { found } else { settings.floor };
        if starts {
            self.base = Spring::at(up * level);
            self.offset = up * (level - settings.floor);
        } else {
            self.base.follow(up * level, DVec3::ZERO, &Pull::halving(settings.fade, dt));
        }
        let free = |base: DVec3| base - up * settings.floor;
        let was = self.touches;
        self.touches = touches;
        if touches && (!was || starts) {
            self.lock = below(pivot + self.offset)
                .map(|at| Lock { part: at.part, place: ground.frame(at.part).inverse().transform_point3(at.position) });
            if let Some(target) = self.locked(ground) {
                // It stands at once, and comes down the rest of the way.
                let gap = (self.offset - (target - pivot)).dot(up);
                let fall = (speed + velocity).dot(up).min(0.0);
                self.rest = if starts { Spring::default() } else { Spring { value: up * gap, speed: up * fall } };
            }
        }
        let slipped = self.locked(ground).is_some_and(|target| {
            (target - pivot - free(self.base.value)).reject_from_normalized(up).length() > settings.slip * length
        });
        if self.lock.is_some() && (!touches || slipped) {
            let at = self.locked(ground).unwrap_or(pivot);
            self.lock = None;
            self.base = Spring::at(up * at.dot(up));
            self.rest = Spring { value: self.offset - free(self.base.value), speed };
        }
        self.rest.follow(DVec3::ZERO, DVec3::ZERO, &Pull::halving(settings.fade, dt));
        self.before = self.offset;
        let target = self.locked(ground);
        if let Some(at) = target {
            self.base = Spring::at(up * at.dot(up));
        }
        self.offset = target.map_or_else(|| free(self.base.value), |at| at - pivot) + self.rest.value;
        self.lean(settings, &below, dt);
        // Nothing goes through the ground.
        let motion = self.motion();
        let depth = |sole: DVec3| {
            let at = motion.transform_point3(sole);
            below(at).map_or(0.0, |ground| (ground.position - at).dot(up))
        };
        let lift = soles.into_iter().map(depth).fold(0.0, f64::max);
        self.offset += up * lift;
        if starts {
            self.before = self.offset;
        }
    }

    /// Where the pivot is locked to.
    fn locked(&self, ground: &(impl Ground + ?Sized)) -> Option<DVec3> {
        self.lock.map(|lock| ground.frame(lock.part).transform_point3(lock.place))
    }

    /// Has the other point of the sole bear the foot, where it is.
    fn switch(&mut self, pivot: usize, old: [DVec3; 2], ground: &(impl Ground + ?Sized)) {
        let turn = self.turn();
        // Where the new one was before, by the motion of the old one.
        let moved = turn * (old[pivot] - old[self.pivot]) + old[self.pivot] + self.offset - old[pivot];
        let change = moved - self.offset;
        self.before += change;
        self.offset = moved;
        self.pivot = pivot;
        if let Some(lock) = &mut self.lock {
            lock.place = ground.frame(lock.part).inverse().transform_point3(old[pivot] + moved - self.rest.value);
        }
    }

    /// Turns the sole along the ground below heel and ball.
    fn lean(&mut self, settings: &FeetSettings, below: &impl Fn(DVec3) -> Option<crate::ground::GroundPoint>, dt: f64) {
        let up = settings.up;
        let found = self.soles.map(|sole| below(sole + self.offset));
        let wanted = match found {
            [Some(heel), Some(ball)] => {
                let normal = (heel.normal + ball.normal).normalize_or(up);
                let along = arc::unit(ball.position - heel.position);
                let level = (self.soles[1] - self.soles[0]).reject_from_normalized(up).length() > 1e-9;
                along.filter(|_| level).and_then(|along| arc::unit(arc::reject(normal, along))).unwrap_or(normal)
            }
            [Some(at), None] | [None, Some(at)] => at.normal,
            _ => up,
        };
        let (aside, along) = (wanted.reject_from_normalized(up), wanted.dot(up));
        let (sin, cos) = ops::sin_cos(settings.slope.clamp(0.0, 1.5));
        let most = sin / cos;
        let steep = aside.length() / along.max(1e-9);
        let slope = aside / along.max(1e-9) * if steep > most { most / steep } else { 1.0 };
        if dt == 0.0 {
            self.tilt = Spring::at(up + slope);
        } else {
            self.tilt.follow(up + slope, DVec3::ZERO, &Pull::halving(settings.fade, dt));
        }
    }
}
