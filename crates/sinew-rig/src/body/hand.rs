//! Hands whose fingers stay above the floor.

use glam::DVec3;
use sinew::Skeleton;
use sinew::math::arc;
use sinew::math::ops::sqrt_clamped;

use super::allowed::Allowed;
use super::hips;
use super::layout::{Layout, Limb};
use super::place::Room;
use super::seen::Frame;
use super::targets::LimbWanted;

/// Fingers that would go so far through the floor (share of their length) turn ahead with it; so those that point straight down do not
/// turn any way.
const DEEP: f64 = 0.3;
/// How steeply they rise at most (sine), from a wrist below the floor.
const STEEP: f64 = 0.5;

impl Room {
    /// Bends a hand that is told no rotation up, no further than its fingers need to stay above the floor that the feet stand on in the pose
    /// given. Where they are lower there, that is no floor.
    pub(super) fn lift_fingers(
        &mut self,
        (skeleton, layout): (&Skeleton, &Layout),
        arm: &Limb,
        wanted: &LimbWanted,
        hips: &Frame,
    ) {
        let is_free = wanted.end.rotation.is_none() && wanted.tip == DVec3::ZERO;
        let Some(finger) = arm.finger.filter(|_| is_free) else { return };
        let (seen, hand) = (&self.seen, self.out.at(arm.end));
        let floor = hips::ground(layout, seen);
        let line = hand.rotation * seen.bone(arm.end, finger);
        let (deep, long) = (floor - hand.position.y - line.y, arc::length(line));
        let Some(way) = arc::unit(line).filter(|_| deep > 0.0 && seen.at(finger).position.y >= floor) else { return };
        let ahead = hips::level_part(hips.rotation * DVec3::Z) * (DEEP * (deep / (DEEP * long)).min(1.0));
        let Some(heading) = arc::unit(hips::level_part(way) + ahead) else { return };
        let rise = ((floor - hand.position.y) / long).min(STEEP);
        let turned = heading * sqrt_clamped(1.0 - rise * rise) + DVec3::Y * rise;
        let rotation = arc::normalize(arc::arc(way, turned, hips.rotation * DVec3::X) * hand.rotation);
        let lower = (arm.lower, self.out.at(arm.lower).rotation);
        let rotation = Allowed { skeleton, layout, seen }.nearest(arm.end, lower, rotation);
        self.out.set(arm.end, Frame { rotation, ..hand });
    }
}
