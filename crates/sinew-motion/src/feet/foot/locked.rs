//! A foot that is locked to the ground: how it comes down, stands and lifts.

use glam::{DAffine3, DQuat, DVec3};
use sinew::math::arc;

use super::super::hop::Hop;
use super::super::{FeetSettings, Landing};
use super::{EVEN, FootState, Frame, LOWER};
use crate::ground::Ground;
use crate::least_bent::Beam;
use crate::spring::{Pull, Spring};

/// A point of the ground that a foot is locked to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lock {
    part: usize,
    /// In the part's frame.
    place: DVec3,
    normal: DVec3,
    /// How the foot is turned, in the part's frame; a sole that is a point turns as it will.
    facing: Option<DQuat>,
}

impl FootState {
    /// Comes down where it was to land, whenever since the last frame that was.
    pub(super) fn land<G: Ground + ?Sized>(&mut self, aim: &Landing, frame: &Frame<'_, G>, beam: &mut Beam) {
        self.swing(&Landing { time: 0.0, ..*aim }, frame.dt, frame, beam);
        (self.aim, self.lift) = (None, DVec3::ZERO);
        let now = std::mem::replace(&mut self.soles, aim.soles);
        if self.lands != self.pivot {
            self.switch(self.lands, aim.soles, frame);
        }
        self.come_down(frame, DVec3::ZERO);
        self.soles = now;
    }

    /// Locks the foot where it is; what is left of height and turn fades.
    pub(super) fn come_down<G: Ground + ?Sized>(&mut self, frame: &Frame<'_, G>, fall: DVec3) {
        let (up, starts) = (frame.settings.up, frame.dt == 0.0);
        let motion = self.motion(up);
        let now = self.soles.map(|sole| motion.transform_point3(sole));
        self.hop = Hop::default();
        self.lift = DVec3::ZERO;
        let Some(support) = frame.support(now) else { return };
        let into = frame.ground.frame(support.part).inverse();
        let place = support.under(now[self.pivot], up);
        let turn = motion_turn(&motion);
        let flat = DQuat::from_mat3(&frame.ground.frame(support.part).matrix3);
        let facing = (now[1] != now[0]).then(|| flat.conjugate() * (turn * self.facing));
        self.lock = Some(Lock {
            part: support.part,
            place: into.transform_point3(place),
            normal: into.transform_vector3(support.normal),
            facing,
        });
        self.goal = [place - self.soles[self.pivot], self.turn.value];
        if starts {
            return;
        }
        let gap = up * (now[self.pivot] - place).dot(up);
        let locked = support.turn(up) * self.heading_to(up, facing.map(|facing| flat * facing));
        let left = arc::rotation_vector(turn * locked.conjugate());
        self.rest = [Spring { value: gap, speed: fall }, Spring::at(left)];
    }

    /// The turn about up from how the clip's foot is turned to another; a foot on its toes has one too.
    fn heading_to(&self, up: DVec3, facing: Option<DQuat>) -> DQuat {
        let turn = facing.map_or(0.0, |facing| arc::twist_angle(facing * self.facing.conjugate(), up));
        arc::axis_angle(up, turn)
    }

    /// Whether the clip's foot is farther from its lock than it may be, beside what the lock was moved from an edge.
    pub(super) fn is_off<G: Ground + ?Sized>(&self, frame: &Frame<'_, G>) -> bool {
        let up = frame.settings.up;
        self.lock.is_some_and(|lock| {
            let place = frame.ground.frame(lock.part).transform_point3(lock.place);
            let off = (place - self.soles[self.pivot] - self.nudge).reject_from_normalized(up);
            off.length() > frame.settings.slip * frame.length
        })
    }

    /// Stays locked; a foot that turns on its pivot farther than it may takes its lock along.
    pub(super) fn stand<G: Ground + ?Sized>(&mut self, lock: &Lock, dt: f64, frame: &Frame<'_, G>) {
        let up = frame.settings.up;
        let part = frame.ground.frame(lock.part);
        let (place, normal) = (part.transform_point3(lock.place), part.transform_vector3(lock.normal));
        let flat = DQuat::from_mat3(&part.matrix3);
        let mut heading = self.heading_to(up, lock.facing.map(|facing| flat * facing));
        let angle = arc::twist_angle(heading, up);
        if angle.abs() > frame.settings.twist {
            heading = arc::axis_angle(up, angle.clamp(-frame.settings.twist, frame.settings.twist));
            self.lock = Some(Lock { facing: Some(flat.conjugate() * (heading * self.facing)), ..*lock });
        }
        let turn = DQuat::from_rotation_arc(up, arc::unit(normal).unwrap_or(up)) * heading;
        self.offset.hold(place - self.soles[self.pivot], dt);
        self.turn.hold(arc::rotation_vector(turn), dt);
    }

    /// Lets go of the lock at the moment of this frame at which the foot lifts; seconds since then.
    pub(super) fn lift_off<G: Ground + ?Sized>(
        &mut self,
        lock: &Lock,
        (old, faced): ([DVec3; 2], DQuat),
        frame: &Frame<'_, G>,
    ) -> f64 {
        let since = frame.hint.lifted.clamp(0.0, frame.dt);
        let stood = frame.dt - since;
        if !self.touches && stood > 1e-6 {
            let (now, facing) = (self.soles, self.facing);
            self.soles = [0, 1].map(|sole: usize| old[sole].lerp(now[sole], stood / frame.dt));
            self.facing = faced.lerp(facing, stood / frame.dt);
            self.stand(lock, stood, frame);
            (self.soles, self.facing, self.lock) = (now, facing, None);
        }
        let FeetSettings { up, floor, fade, .. } = *frame.settings;
        let since = if self.touches { frame.dt } else { since };
        // What the foot was held back from goes on, and fades.
        for (rest, way) in self.rest.iter_mut().zip([&mut self.offset, &mut self.turn]) {
            let mut left = Spring { value: DVec3::ZERO, speed: way.stop() };
            left.follow(DVec3::ZERO, DVec3::ZERO, &Pull::halving(fade, since));
            (rest.value, rest.speed) = (rest.value + left.value, rest.speed + left.speed);
        }
        self.base = Spring::at(up * (self.offset.value.dot(up) + floor));
        self.hop.gone += stood;
        self.hop = if self.touches { Hop::default() } else { Hop::to_go_on(self.hop.motion()) };
        (self.nudge, self.air) = (DVec3::ZERO, since);
        since
    }

    /// Whether a foot that stands comes to the other point of its sole: it is in the ground on which the foot stands, and was over ground.
    /// What is over an edge bears no foot.
    pub(super) fn rolls_over<G: Ground + ?Sized>(&self, old: [DVec3; 2], frame: &Frame<'_, G>) -> bool {
        let Some(lock) = self.lock else { return false };
        let (up, part) = (frame.settings.up, frame.ground.frame(lock.part));
        let (place, normal) = (part.transform_point3(lock.place), part.transform_vector3(lock.normal));
        let turn = arc::turn_by(self.turn.value + self.rest[1].value);
        let to_other = |soles: [DVec3; 2]| turn * (soles[1 - self.pivot] - soles[self.pivot]);
        let deep = |soles| -to_other(soles).dot(normal) / normal.dot(up).max(1e-3);
        if deep(self.soles) < LOWER * frame.length {
            return false;
        }
        let under = place + to_other(old) + up * deep(old);
        frame.below(under).is_some_and(|ground| (under - ground.position).dot(up) < EVEN * frame.length)
    }

    /// Has the other point of the sole bear the foot, where it is.
    pub(super) fn switch<G: Ground + ?Sized>(&mut self, pivot: usize, old: [DVec3; 2], frame: &Frame<'_, G>) {
        let up = frame.settings.up;
        let turn = arc::turn_by(self.turn.value + self.rest[1].value);
        // Where the new one was before, by the motion of the old one.
        let between = old[pivot] - old[self.pivot];
        self.offset.shift(turn * between - between);
        self.pivot = pivot;
        let Some(mut lock) = self.lock else { return };
        let part = frame.ground.frame(lock.part);
        let (old_place, normal) = (part.transform_point3(lock.place), part.transform_vector3(lock.normal));
        let at = old[pivot] + self.offset.value + self.rest[0].value;
        // On the plane of the lock; what is between fades.
        let place = at - up * ((at - old_place).dot(normal) / normal.dot(up).max(1e-3));
        self.rest[0].value = at - place;
        lock.place = part.inverse().transform_point3(place);
        self.lock = Some(lock);
    }
}

fn motion_turn(motion: &DAffine3) -> DQuat {
    DQuat::from_mat3(&motion.matrix3)
}
