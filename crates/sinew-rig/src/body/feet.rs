//! Feet: where those stand that no goal tells of, and how those are turned that are told their place alone.

use glam::DVec3;
use sinew::Skeleton;
use sinew::math::arc;
use sinew::math::ops::sqrt_clamped;

use super::allowed::Allowed;
use super::hips;
use super::layout::{Layout, Limb};
use super::place::Room;
use super::seen::{self, Frame};
use super::swivel::{INSIDE, edge};
use super::targets::{BodyTargets, LimbWanted, Wanted};

/// A leg that stands by itself comes to be straight the more slowly, the straighter it is: from this share of its length on, and never to
/// this one.
const UNLOCKED: [f64; 2] = [0.97, 0.997];

/// Below hips that are as high as a leg is long its foot has this much room (share of its length).
const STEPS: f64 = 0.01;

/// A foot that is told no rotation keeps its own on the floor, and goes with its shin from this height on (share of its leg).
const LEVEL: f64 = 0.4;

/// A heel rises no further (radians).
const RISES: f64 = 1.1;

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

    /// Lifts the heel of a foot that stands by itself as far as its ankle's limit needs, about the joint of its toes, which stay flat: so
    /// people crouch.
    pub(super) fn rise(
        &mut self,
        (skeleton, layout): (&Skeleton, &Layout),
        leg: &Limb,
        wanted: &mut LimbWanted,
        start: DVec3,
        hips: &Frame,
    ) {
        let allowed = Allowed { skeleton, layout, seen: &self.seen };
        let (Some(toes), Some(position), Some(rotation)) = (leg.toes, wanted.end.position, wanted.end.rotation) else {
            return;
        };
        if !allowed.is_limited(leg.end) {
            return;
        }
        let flat = Frame { position, rotation };
        let ball = flat.point(self.seen.bone(leg.end, toes));
        let Some(axis) = arc::unit(DVec3::Y.cross(ball - position)) else { return };
        let risen = |angle: f64| {
            let turn = arc::axis_angle(axis, angle);
            Frame { position: ball + turn * (position - ball), rotation: arc::normalize(turn * rotation) }
        };
        let told = |foot: Frame| Wanted { position: Some(foot.position), rotation: Some(foot.rotation) };
        // How far the limit turns a foot down that has risen so far, and how it then is turned.
        let lacks = |angle: f64| {
            let foot = risen(angle);
            let (placed, _) = self.lay(layout, leg, &LimbWanted { end: told(foot), ..*wanted }, start, hips)?;
            let nearest = allowed.nearest(leg.end, (leg.lower, placed.lower), foot.rotation);
            Some(arc::rotation_vector(arc::normalize(nearest * foot.rotation.conjugate())).dot(axis))
        };
        let off = |angle: f64| lacks(angle).map_or(0.0, |lack| lack.max(0.0) * lack.max(0.0));
        let flatly = off(0.0);
        if flatly <= INSIDE {
            return;
        }
        let angle = if off(RISES) > INSIDE { RISES } else { edge(off, (0.0, flatly), RISES) };
        let foot = risen(angle);
        wanted.end = told(foot);
        // The toes as they were, on what carries them now.
        let turned = |foot: &Frame| seen::turned(layout, leg.end, foot) * self.seen.turned(leg.end).conjugate();
        let carrier = skeleton.parent(toes).map_or(layout.base, |above| self.seen.turned(above));
        let local = (turned(&foot) * carrier).conjugate() * (turned(&flat) * self.seen.turned(toes));
        self.toes[leg.place - 2] = Some((toes, arc::normalize(local)));
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
