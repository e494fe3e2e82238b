//! Arms: those that are told where to be, those that come along, and fingers that stay above the floor.

use core::iter;

use glam::DVec3;
use sinew::Skeleton;
use sinew::math::arc;

use super::allowed::Allowed;
use super::hips;
use super::layout::{Layout, Limb};
use super::place::Room;
use super::seen::Frame;
use super::shoulder::collar_bone;
use super::targets::LimbWanted;

/// How fast a body comes to follow a hand that a collar bone without its limit would reach, with what it would have to spare.
const SETS_IN: f64 = 8.0;
/// Fingers that would go so far through the floor (share of their length) turn ahead with it; so those that point straight down do not
/// turn any way.
const DEEP: f64 = 0.3;
/// How steeply they rise at most (sine), from a wrist below the floor.
const STEEP: f64 = 0.5;

impl Room {
    /// Places an arm that is told where to be.
    pub(super) fn place_arm(
        &mut self,
        skeleton: &Skeleton,
        layout: &Layout,
        arm: &Limb,
        wanted: &LimbWanted,
        chest: &Frame,
    ) {
        let from = layout.trunk[layout.chest];
        let Some(collar) = arm.collar else {
            let start = chest.point(self.seen.bone(from, arm.upper));
            let wanted = self.along(arm, wanted, start, chest);
            return self.place_limb((skeleton, layout), arm, &wanted, start, chest);
        };
        let seen = &self.seen;
        let base = chest.point(seen.bone(from, collar));
        let hand = wanted.end.position.unwrap_or(chest.point(seen.at(from).local(seen.at(arm.end).position)));
        let reach = seen.bones(arm, wanted.tip).reach;
        let allowed = Allowed { skeleton, layout, seen };
        let (rotation, shoulder, held) = collar_bone(&allowed, (arm, collar, wanted), chest, (hand, reach));
        // Where its limit holds the shoulder back from a hand that it would reach, the trunk has to come.
        let spare = |shoulder: DVec3| (reach - arc::length(hand - base - shoulder)) / reach;
        if let Some(free) = held.filter(|_| wanted.end.position.is_some()) {
            self.outside = self.outside.max((SETS_IN * spare(free)).min(-spare(shoulder)));
        }
        self.out.set(collar, Frame { position: base, rotation });
        let wanted = self.along(arm, wanted, base + shoulder, chest);
        self.place_limb((skeleton, layout), arm, &wanted, base + shoulder, chest);
    }

    /// Brings an arm along that no goal is for: it goes with the chest as that turns about the upright, and hangs as it hung where that
    /// leans. So an arm of a body that stands stays as it is in the pose given.
    pub(super) fn carry_arm(&mut self, (skeleton, layout): (&Skeleton, &Layout), arm: &Limb, chest: &Frame) {
        let (seen, from) = (&self.seen, layout.trunk[layout.chest]);
        let allowed = Allowed { skeleton, layout, seen };
        let turn = arc::normalize(chest.rotation * seen.at(from).rotation.conjugate());
        let (mut above, mut carrier) = ((from, chest.rotation), *chest);
        let mut start = chest.point(seen.bone(from, arm.upper));
        if let Some(collar) = arm.collar {
            let rotation = allowed.nearest(collar, above, arc::normalize(turn * seen.at(collar).rotation));
            carrier = Frame { position: carrier.point(seen.bone(from, collar)), rotation };
            (above, start) = ((collar, rotation), carrier.point(seen.bone(collar, arm.upper)));
            self.out.set(collar, carrier);
        }
        let heading = arc::axis_angle(DVec3::Y, arc::twist_angle(turn, DVec3::Y));
        let given = seen.at(arm.upper).rotation;
        let rotation = allowed.nearest(arm.upper, above, arc::normalize(heading * given));
        let turn = arc::normalize(rotation * given.conjugate());
        self.out.set(arm.upper, Frame { position: start, rotation });
        let between = layout.rolls.iter().filter(|bone| bone.lower == arm.lower && bone.joint != arm.lower);
        for joint in iter::once(arm.lower).chain(between.map(|bone| bone.joint)).chain([arm.end]) {
            let Some(above) = layout.above(joint) else { continue };
            let carrier = self.out.at(above);
            let told = arc::normalize(turn * seen.at(joint).rotation);
            let rotation = allowed.nearest(joint, (above, carrier.rotation), told);
            self.out.set(joint, Frame { position: carrier.point(seen.bone(above, joint)), rotation });
        }
    }

    /// Bends a hand that is told no rotation up, no further than its fingers need to stay above the floor that the feet stand on in the pose
    /// given. Where they are lower there, that is no floor.
    pub(super) fn lift_fingers(&mut self, (skeleton, layout): (&Skeleton, &Layout), arm: &Limb, wanted: &LimbWanted) {
        let is_free = wanted.end.rotation.is_none() && wanted.tip == DVec3::ZERO;
        let Some(finger) = arm.finger.filter(|_| is_free) else { return };
        let (seen, hand, hips) = (&self.seen, self.out.at(arm.end), self.out.at(layout.hips));
        let floor = hips::ground(layout, seen);
        let line = hand.rotation * seen.bone(arm.end, finger);
        let (deep, long) = (floor - hand.position.y - line.y, arc::length(line));
        let Some(way) = arc::unit(line).filter(|_| deep > 0.0 && seen.at(finger).position.y >= floor) else { return };
        let ahead = hips::level_part(hips.rotation * DVec3::Z) * (DEEP * (deep / (DEEP * long)).min(1.0));
        let Some(heading) = arc::unit(hips::level_part(way) + ahead) else { return };
        let rise = ((floor - hand.position.y) / long).min(STEEP);
        let rotation =
            arc::normalize(arc::arc(way, hips::rising(heading, rise), hips.rotation * DVec3::X) * hand.rotation);
        let lower = (arm.lower, self.out.at(arm.lower).rotation);
        let rotation = Allowed { skeleton, layout, seen }.nearest(arm.end, lower, rotation);
        self.out.set(arm.end, Frame { rotation, ..hand });
    }
}
