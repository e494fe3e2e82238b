//! The roll of a hand, shared by forearm, twist bones and wrist.
//!
//! The radius turns about the ulna, so that skin rolls the further, the nearer it is to the wrist (Kapandji, *The Physiology of the Joints*
//! 1, 2007). Each bone along the forearm rolls as the middle of its stretch does: a forearm without twist bones by half. Motion capture
//! does not tell: its skeletons have all of the roll at the elbow, or all at the wrist.

use core::f64::consts::PI;

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops};
use sinew::{Joint, Kind, Skeleton};

use super::allowed::Allowed;
use super::layout::{Layout, Limb};
use super::place::Room;
use super::seen::Frame;

/// A hand's roll (radians, palm down 0, palm up positive) in the middle of what people do: see `human/motion.rs`.
pub const MIDDLE: f64 = 1.0;
/// Further than this from there nobody rolls; beyond, what is shared goes back until both ways round are one.
pub const FARTHEST: f64 = 2.1;
/// A hand that is bent back on its forearm has no roll: the less of it counts, the less (square of the cosine of half the bend) is left.
pub const BENT: f64 = 0.3;
/// A twist bone beside the chain is no farther from the line from elbow to hand (share of its length).
const BESIDE: f64 = 0.3;

/// A bone along a forearm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rolling {
    pub(super) joint: Joint,
    /// The forearm's joint, which itself is such a bone.
    pub(super) lower: Joint,
    /// Share of the hand's roll.
    pub(super) share: f64,
}

/// The bones along a forearm: itself, joints between it and the hand, and twist bones that hang beside.
pub(super) fn along(skeleton: &Skeleton, arm: &Limb) -> Vec<Rolling> {
    let rest = skeleton.rest_pose();
    let (from, line) = (rest.position(arm.lower), rest.position(arm.end) - rest.position(arm.lower));
    let at = |joint: Joint| (rest.position(joint) - from).dot(line) / line.length_squared();
    let is_between = |joint: Joint| skeleton.is_below(arm.end, joint);
    let is_twist = |joint: Joint| {
        let name = skeleton.name(joint).unwrap_or_default().to_ascii_lowercase();
        let off = arc::length(rest.position(joint) - from - line * at(joint));
        let is_beside = off <= BESIDE * arc::length(line) && (-BESIDE..=1.0 + BESIDE).contains(&at(joint));
        is_beside && (name.contains("twist") || name.contains("roll"))
    };
    let is_own = |joint: Joint| skeleton.is_below(joint, arm.lower) && !skeleton.is_below(joint, arm.end);
    let below = skeleton.iter().filter(|&joint| joint != arm.lower && joint != arm.end && is_own(joint));
    let mut bones: Vec<(f64, Joint)> = below
        .filter(|&joint| is_between(joint) || is_twist(joint))
        .map(|joint| (at(joint).clamp(0.0, 1.0), joint))
        .collect();
    bones.push((0.0, arm.lower));
    bones.sort_by(|(a, one), (b, other)| a.total_cmp(b).then(one.index().cmp(&other.index())));
    let end = |place: usize| bones.get(place + 1).map_or(1.0, |&(at, _)| at);
    let bone = |(place, &(at, joint))| Rolling { joint, lower: arm.lower, share: 0.5 * (at + end(place)) };
    bones.iter().enumerate().map(bone).collect()
}

impl Room {
    /// Rolls an arm's bones, whose forearm is placed without roll, for a hand that is told or rides along; `point` is where the forearm's
    /// bone ends. The rotation of the hand.
    pub(super) fn roll(
        &mut self,
        (skeleton, layout): (&Skeleton, &Layout),
        arm: &Limb,
        point: DVec3,
        hand: Option<DQuat>,
    ) -> DQuat {
        let (seen, plain) = (&self.seen, self.out.at(arm.lower));
        let allowed = Allowed { skeleton, layout, seen };
        let line = arc::unit(point).unwrap_or(DVec3::X);
        let now = |from: Joint, to: Joint| seen.at(from).rotation.conjugate() * seen.at(to).rotation;
        let total = hand.map(|hand| rolled(plain.rotation.conjugate() * hand, line, arm));
        let rolls_itself = matches!(skeleton.kind(arm.lower), Kind::BALL | Kind::Free);
        let bones = || layout.rolls.iter().filter(|bone| bone.lower == arm.lower);
        let share = |joint| {
            let own = bones().find(|bone| bone.joint == joint && (joint != arm.lower || rolls_itself));
            own.map_or(0.0, |bone| bone.share)
        };
        for &Rolling { joint, .. } in bones() {
            if joint == arm.lower {
                // By as much against the upper arm as in the pose given, of which the bend itself may be a part.
                let kept = || {
                    let bend = self.out.at(arm.upper).rotation.conjugate() * plain.rotation;
                    let kept = twist(bend, line).conjugate() * twist(now(arm.upper, joint), line);
                    if rolls_itself { kept } else { DQuat::IDENTITY }
                };
                let turn = total.map_or_else(kept, |total| arc::axis_angle(line, total * share(joint)));
                self.out.set(joint, Frame { rotation: arc::normalize(plain.rotation * turn), ..plain });
                continue;
            }
            let Some(above) = layout.above(joint) else { continue };
            let (carrier, riding) = (self.out.at(above), now(above, joint));
            // About the line to the hand, which so stays where it is.
            let rolling = |total: f64, own: DVec3| {
                let left = total * (share(joint) - share(above));
                twist(riding, own).conjugate() * arc::axis_angle(own, left)
            };
            let own = arc::unit(seen.bone(joint, arm.end));
            let turn = total.zip(own).map_or(DQuat::IDENTITY, |(total, own)| rolling(total, own));
            let told = arc::normalize(carrier.rotation * riding * turn);
            let rotation = allowed.nearest(joint, (above, carrier.rotation), told);
            self.out.set(joint, Frame { position: carrier.point(seen.bone(above, joint)), rotation });
        }
        let above = layout.above(arm.end).unwrap_or(arm.lower);
        hand.unwrap_or_else(|| arc::normalize(self.out.at(above).rotation * now(above, arm.end)))
    }
}

/// By how much what is at the wrist rolls about the forearm's line (radians about it), for a hand turned so against a forearm without
/// roll: as far as the hand does, where people's hands do.
fn rolled(hand: DQuat, line: DVec3, arm: &Limb) -> f64 {
    let along = line.dot(DVec3::new(hand.x, hand.y, hand.z));
    // Palms turn up against the sense of the bone on the left.
    let middle = -arm.sign * MIDDLE;
    let off = ops::nearest_turn(arc::twist_angle(hand, line) - middle, 0.0);
    let back = FARTHEST * (PI - off.abs()) / (PI - FARTHEST);
    let told = ((along * along + hand.w * hand.w) / BENT).min(1.0);
    (middle + off.signum() * off.abs().min(back)) * told
}

/// What of a rotation is a turn about an axis.
fn twist(rotation: DQuat, axis: DVec3) -> DQuat {
    let along = axis * axis.dot(DVec3::new(rotation.x, rotation.y, rotation.z));
    let twist = DQuat::from_xyzw(along.x, along.y, along.z, rotation.w);
    if twist.length_squared() > f64::MIN_POSITIVE { arc::normalize(twist) } else { DQuat::IDENTITY }
}
