//! One foot from frame to frame: locked or free, and where it is to be.

mod locked;
pub(super) mod swing;

use glam::{DAffine3, DQuat, DVec3};
use sinew::math::arc;

use super::hop::Hop;
use super::support::Support;
use super::way::Way;
use super::{FeetSettings, FootHint, Landing, Leaving};
use crate::ground::{Ground, GroundPoint};
use crate::least_bent::Beam;
use crate::least_jerk::smooth;
use crate::spring::{Pull, Spring};
use locked::Lock;

/// Share of the leg by which the other point of the sole must be lower to bear the foot.
const LOWER: f64 = 0.001;
/// Ground below a foot that is within this share of the leg of one plane is even.
const EVEN: f64 = 0.04;
/// Points looked at on the way to where a foot comes down.
const AHEAD: u32 = 6;
/// Lengths of the leg above a foot from which the ground is looked for where there is none below it.
const ABOVE: f64 = 100.0;
/// Seconds ahead that a foot's speed tells of.
const SOON: f64 = 0.2;
/// Seconds after lifting and before landing in which a foot bears less and less, and more and more.
pub(super) const LOADS: f64 = 0.15;

/// What changes from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FootState {
    soles: [DVec3; 2],
    /// The clip's tip of the toes, where there is one, and how it has the foot turned.
    tip: Option<DVec3>,
    facing: DQuat,
    /// Which point of the sole bears the foot, and which is to where it lands.
    pivot: usize,
    lands: usize,
    touches: bool,
    lock: Option<Lock>,
    /// Where the pivot is to be from where the clip has it, without hop and lift.
    offset: Way,
    /// Rotation vector of the foot's turn from the clip's.
    turn: Way,
    /// What is left of place and turn when the foot came down, and of their speeds when it lifted.
    rest: [Spring; 2],
    /// From the way to the landing to one that arrives at the clip's speed.
    arrival: DVec3,
    /// How much the foot bears, from 0 to 1, and for how many seconds it has been in the air.
    load: f64,
    air: f64,
    /// For how many seconds it has touched.
    stood: f64,
    /// Height of the ground below a foot that swings to where nobody knows (along up).
    base: Spring,
    hop: Hop,
    /// How far from where it should land it is to land, so that no edge is in its way.
    nudge: DVec3,
    /// Where it is about to land, when it lifts then, and what its pivot is moved by and turned by between.
    aim: Option<Landing>,
    leaving: Option<Leaving>,
    goal: [DVec3; 2],
    /// Out of the ground.
    lift: DVec3,
}

/// Where a foot is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footing {
    /// From where the clip has it.
    pub(super) motion: DAffine3,
    /// Where its ankle is, and what the body goes along with: what that is moved by without what it is lifted over.
    pub(super) place: DVec3,
    pub(super) offset: DVec3,
    /// How much it bears, from 0 to 1: wholly while it touches.
    pub(super) load: f64,
    /// Whether it is in the air, and how much higher there than on its way without what lies below.
    pub(super) swings: bool,
    pub(super) over: f64,
    /// How far it may come down for its leg, for what is known to lie on its way.
    pub(super) room: f64,
    /// Whether it stands on its heel, and how far that is raised at least (radians).
    pub(super) on_heel: bool,
    pub(super) heel: f64,
}

impl Footing {
    /// How exactly it is to be where it is asked to be, from 0 to 1: in the air only just after it lifted and before it lands.
    pub(super) fn grip(&self) -> f64 {
        self.load.powi(4)
    }
}

/// What a foot is asked in a frame.
pub(super) struct Frame<'a, G: ?Sized> {
    pub(super) settings: &'a FeetSettings,
    pub(super) length: f64,
    pub(super) ground: &'a G,
    /// Seconds since the last frame; 0 starts.
    pub(super) dt: f64,
    /// Seconds for which a foot still stands whose next swing is planned; else 0.
    pub(super) stands: f64,
    pub(super) hint: FootHint,
}

impl<G: Ground + ?Sized> Frame<'_, G> {
    fn below(&self, point: DVec3) -> Option<GroundPoint> {
        let FeetSettings { up, step, floor, .. } = *self.settings;
        let over = step * self.length + (floor - point.dot(up)).max(0.0);
        let found = self.ground.below(point + up * over, up);
        found.or_else(|| self.ground.below(point + up * (ABOVE * self.length), up))
    }

    fn support(&self, soles: [DVec3; 2]) -> Option<Support> {
        Support::find(soles, self.settings.up, self.settings.slope, &|point| self.below(point))
    }
}

impl FootState {
    /// Where the foot is to be.
    pub(super) fn footing(&self, ankle: DVec3, up: DVec3) -> Footing {
        let over = self.hop.height() + self.lift.dot(up);
        let (load, swings, room) = (self.load, self.lock.is_none(), self.hop.room());
        let offset = self.offset_in(0.0, ankle);
        let (motion, place, on_heel) = (self.motion(up), ankle + offset, !swings && self.pivot == 0);
        Footing { motion, place, offset, load, swings, over, room, on_heel, heel: 0.0 }
    }

    /// Where a foot stands that is about to land or to lift: seconds until then, from the hip to the end of the leg in the clip then, and
    /// how it is moved there from where the clip has it.
    pub(super) fn stances(&self) -> impl Iterator<Item = (f64, DVec3, DAffine3)> {
        let lands = self.aim.filter(|aim| aim.height <= 0.0 && aim.leg != DVec3::ZERO).map(|aim| (aim.time, aim.leg));
        let lifts =
            self.leaving.filter(|leaving| leaving.leg != DVec3::ZERO).map(|leaving| (leaving.time, leaving.leg));
        let (pivot, turn) = (self.soles[self.pivot], arc::turn_by(self.goal[1]));
        let motion = DAffine3::from_rotation_translation(turn, pivot + self.goal[0] - turn * pivot);
        lands.into_iter().chain(lifts).map(move |(time, leg)| (time, leg, motion))
    }

    /// What the ankle is moved by in so many seconds without what it is lifted over, if its way is known.
    pub(super) fn offset_in(&self, seconds: f64, ankle: DVec3) -> DVec3 {
        let (mut offset, mut turn) = (self.offset, self.turn);
        if let Some(aim) = self.aim.filter(|_| seconds > 0.0) {
            offset.lead(self.goal[0], aim.time, seconds);
            turn.lead(self.goal[1], aim.time, seconds);
        }
        let arm = ankle - self.soles[self.pivot];
        offset.value + arc::turn_by(turn.value) * arm - arm
    }

    /// How the clip's way to a landing that is known is moved in so many seconds, at an ankle: and how far down from there it may come.
    pub(super) fn swing_in(&self, seconds: f64, ankle: DVec3, up: DVec3) -> (DVec3, f64) {
        let hop = self.hop.later(seconds);
        let arrives = |aim: Landing| swing::arrival(aim.velocity, (aim.time - seconds).max(0.0));
        let moved = self.offset_in(seconds, ankle) + self.aim.map_or(DVec3::ZERO, arrives);
        (moved + up * hop.height(), hop.room())
    }

    /// When it is to land, if that is known.
    pub(super) fn lands_in(&self) -> Option<f64> {
        self.aim.map(|aim| aim.time)
    }

    /// How much it bears in so many seconds, if it lifted so long ago.
    pub(super) fn load_in(&self, seconds: f64, lifted: f64) -> f64 {
        let lands = self.aim.filter(|aim| aim.height <= 0.0).map_or(f64::INFINITY, |aim| aim.time - seconds);
        bears_about(lifted + seconds, lands)
    }

    fn motion(&self, up: DVec3) -> DAffine3 {
        let turn = arc::turn_by(self.turn.value + self.rest[1].value);
        let pivot = self.soles[self.pivot];
        let hop = up * self.hop.height();
        let offset = self.offset.value + self.rest[0].value + self.arrival + hop + self.lift;
        DAffine3::from_rotation_translation(turn, pivot + offset - turn * pivot)
    }

    /// Goes on by a frame, to soles that the clip has there.
    pub(super) fn advance<G: Ground + ?Sized>(
        &mut self,
        frame: &Frame<'_, G>,
        soles: [DVec3; 2],
        tip: Option<DVec3>,
        facing: DQuat,
        beam: &mut Beam,
    ) {
        let (settings, dt) = (frame.settings, frame.dt);
        let (up, starts) = (settings.up, frame.dt == 0.0);
        if starts {
            *self = Self { soles, ..Self::default() };
        }
        (self.tip, self.leaving) = (tip, frame.hint.leaving);
        let old = std::mem::replace(&mut self.soles, soles);
        let faced = if starts { facing } else { self.facing };
        self.facing = facing;
        let heights = soles.map(|sole| sole.dot(up) - settings.floor);
        let lower = usize::from(heights[1] < heights[0]);
        let velocity = if starts { DVec3::ZERO } else { (soles[lower] - old[lower]) / dt };
        let factor = if self.touches { settings.leave } else { 1.0 };
        let still = velocity.length() < factor * settings.speed * frame.length;
        let near = heights[lower] < factor * settings.height * frame.length;
        let was = std::mem::replace(&mut self.touches, frame.hint.touches.unwrap_or(near && still));
        let comes_down = self.touches && (!was || starts);
        let foreseen = self.aim.is_some() || starts;
        if let Some(aim) = self.aim.take().filter(|_| comes_down) {
            self.land(&aim, frame, beam);
        } else if comes_down && lower != self.pivot {
            self.switch(lower, soles, frame);
        } else if !comes_down && self.touches && self.rolls_over(old, frame) {
            self.switch(1 - self.pivot, old, frame);
        }
        if starts {
            self.begin(frame);
        }
        if comes_down && self.lock.is_none() {
            self.come_down(frame, up * velocity.dot(up).min(0.0));
        }
        self.rest.iter_mut().for_each(|rest| rest.follow(DVec3::ZERO, DVec3::ZERO, &Pull::halving(settings.fade, dt)));
        self.arrival = DVec3::ZERO;
        self.air += dt;
        let mut free = dt;
        if (!self.touches || self.is_off(frame))
            && let Some(lock) = self.lock.take()
        {
            free = self.lift_off(&lock, (old, faced), frame);
        }
        match (self.lock, frame.hint.landing) {
            (Some(lock), _) => {
                self.stand(&lock, dt, frame);
                self.rise_ahead(&lock, frame, beam);
            }
            (None, Some(landing)) if !self.touches => self.swing(&landing, free, frame, beam),
            _ => self.follow(velocity, frame),
        }
        let lands = frame.hint.landing.filter(|landing| landing.height <= 0.0);
        let ahead = lands.map_or(f64::INFINITY, |landing| landing.time);
        // A foot that comes down unforeseen is out of reach perhaps.
        self.stood = if !self.touches {
            0.0
        } else if comes_down && foreseen {
            LOADS
        } else {
            self.stood + dt
        };
        self.load = if self.touches { self.load.max(smooth(self.stood / LOADS)) } else { bears_about(self.air, ahead) };
        self.stay_out(frame);
    }

    /// Where the clip begins: over the ground there.
    fn begin<G: Ground + ?Sized>(&mut self, frame: &Frame<'_, G>) {
        let FeetSettings { up, floor, .. } = *frame.settings;
        let pivot = self.soles[self.pivot];
        let support = frame.support(self.soles);
        let level = support.map_or(floor, |support| support.under(pivot, up).dot(up));
        self.turn = Way::at(support.map_or(DVec3::ZERO, |support| arc::rotation_vector(support.turn(up))));
        self.base = Spring::at(up * level);
        self.offset = Way::at(up * (level - floor));
        // What is in the air when the clip begins bears nothing yet.
        let lifted = if frame.hint.lifted > 0.0 { frame.hint.lifted } else { f64::INFINITY };
        self.air = if self.touches { 0.0 } else { lifted };
    }

    /// Goes along with the clip over the ground that it passes.
    fn follow<G: Ground + ?Sized>(&mut self, velocity: DVec3, frame: &Frame<'_, G>) {
        let FeetSettings { up, floor, fade, .. } = *frame.settings;
        if frame.dt == 0.0 {
            return;
        }
        let here = self.soles[self.pivot] + self.offset.value;
        let way = (velocity * SOON).reject_from_normalized(up);
        let points = (0..=AHEAD).map(|step| here + way * (f64::from(step) / f64::from(AHEAD)));
        let found = points.filter_map(|point| frame.below(point)).map(|at| at.position.dot(up));
        let found = found.fold(f64::NEG_INFINITY, f64::max);
        let pull = Pull::halving(fade, frame.dt);
        self.base.follow(up * if found.is_finite() { found } else { floor }, DVec3::ZERO, &pull);
        let motion = self.motion(up);
        let support = frame.support(self.soles.map(|sole| motion.transform_point3(sole)));
        let turn = support.map_or(DQuat::IDENTITY, |support| support.turn(up));
        self.offset.fade(self.base.value - up * floor, &pull);
        self.turn.fade(arc::rotation_vector(turn), &pull);
    }

    /// Nothing goes through the ground.
    fn stay_out<G: Ground + ?Sized>(&mut self, frame: &Frame<'_, G>) {
        self.lift = DVec3::ZERO;
        self.lift = frame.settings.up * self.depth(frame).max(0.0);
    }

    /// How deep it is in the ground; negative over it.
    fn depth<G: Ground + ?Sized>(&self, frame: &Frame<'_, G>) -> f64 {
        let up = frame.settings.up;
        let motion = self.motion(up);
        let depth = |sole: DVec3| {
            let at = motion.transform_point3(sole);
            frame.below(at).map_or(f64::NEG_INFINITY, |ground| (ground.position - at).dot(up))
        };
        // Toes bend as far as the foot bears.
        let tip = self.tip.map_or(f64::NEG_INFINITY, |tip| (1.0 - self.load * self.load) * depth(tip));
        self.soles.into_iter().map(depth).fold(tip, f64::max)
    }
}

/// How much a foot bears that lifted so many seconds ago and lands in so many.
fn bears_about(lifted: f64, lands: f64) -> f64 {
    smooth(1.0 - lifted.min(lands) / LOADS)
}
