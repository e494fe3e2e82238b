//! Feet: where those stand that no goal tells of, and how those are turned that are told their place alone.

use glam::DVec3;
use sinew::math::arc;
use sinew::math::ops::sqrt_clamped;

use super::hips;
use super::layout::{Layout, Limb};
use super::place::Room;
use super::seen::Frame;
use super::targets::{BodyTargets, LimbWanted, Wanted};

/// A leg that stands by itself comes to be straight the more slowly, the straighter it is: from this share of its length on, and never to
/// this one.
const UNLOCKED: [f64; 2] = [0.97, 0.997];

/// Below hips that are as high as a leg is long its foot has this much room (share of its length).
const STEPS: f64 = 0.01;

/// A foot that is told no rotation keeps its own on the floor, and goes with its shin from this height on (share of its leg).
const LEVEL: f64 = 0.4;

impl Room {
    /// A foot that is not told stays where it is as long as its leg reaches it from hips that are told, and comes below them where they go
    /// further; below a head that is told it stands flat under the hips.
    pub(super) fn foot(
        &self,
        layout: &Layout,
        asked: &BodyTargets,
        leg: &Limb,
        wanted: &LimbWanted,
        hips: &Frame,
    ) -> Wanted {
        let (now, told) = (self.seen.at(leg.end), wanted.end);
        if told.position.is_some() {
            return told;
        }
        let upright = arc::axis_angle(DVec3::Y, arc::twist_angle(hips.rotation, DVec3::Y));
        let start = hips.point(self.seen.bone(layout.hips, leg.upper));
        let reach = self.seen.reach(leg);
        let stands =
            |position, rotation| Wanted { position: Some(position), rotation: told.rotation.or(Some(rotation)) };
        if asked.hips.position.is_some() {
            let below = DVec3::new(start.x, now.position.y, start.z);
            let (off, high) = (now.position - below, start.y - below.y);
            let room = sqrt_clamped(reach * reach - high * high).max(STEPS * reach);
            let share = room / arc::length(off).max(room);
            let share = share * share * share;
            return stands(below + off * share, arc::nlerp(upright, now.rotation, share));
        }
        if asked.head.position.is_none() || asked.head.rotation.is_none() {
            return stands(now.position, now.rotation);
        }
        let below = hips.position + upright * self.seen.bone(layout.hips, leg.upper);
        let line = DVec3::new(below.x, now.position.y, below.z) - start;
        // Where it is a guess, no knee need lock.
        let share = unlocked(arc::length(line) / reach) * reach / arc::length(line).max(f64::MIN_POSITIVE);
        stands(if reach > 0.0 { start + line * share } else { start + line }, upright)
    }

    /// Holds the sole of a foot that is told no rotation as it is in the pose given, near the floor; higher up the foot goes along with
    /// its shin.
    pub(super) fn level(&mut self, layout: &Layout, leg: &Limb) {
        let (now, given) = (self.out.at(leg.end), self.seen.at(leg.end).rotation);
        let reach = self.seen.reach(leg);
        let high = (now.position.y - hips::floor(layout, &self.seen)) / (LEVEL * reach).max(f64::MIN_POSITIVE);
        let share = high.clamp(0.0, 1.0);
        let share = share * share * (3.0 - 2.0 * share);
        self.out.set(leg.end, Frame { rotation: arc::nlerp(given, now.rotation, share), ..now });
    }
}

/// How far a leg reaches for a foot so far away (shares of its length): never straight, so that its knee does not run ahead.
fn unlocked(far: f64) -> f64 {
    let [from, most] = UNLOCKED;
    let over = (far - from) / (most - from);
    if over > 0.0 { from + (far - from) / (1.0 + over) } else { far }
}
