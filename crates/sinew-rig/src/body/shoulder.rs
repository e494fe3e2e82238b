//! Shoulders: collar bones that go with the hand, and how near an arm has to come before the trunk leans.

use glam::{DQuat, DVec3};
use sinew::Joint;
use sinew::math::arc;
use sinew::math::ops::sqrt_clamped;

use super::allowed::Allowed;
use super::layout::{Layout, Limb};
use super::natural::{self, Side};
use super::place::{ROUNDING, bones};
use super::seen::{Frame, Seen};
use super::targets::BodyTargets;
use super::trunk::Hang;

/// An arm is stretched this far, and no further, before its collar bone follows (share of its length).
const STRETCHED: f64 = 0.9999;
/// Share of an arm's length from which its collar bone follows the hand.
const FOLLOWS: f64 = 0.985;

/// What hands that are told ask of the trunk: from where, on the chest, and how near to their places (in the frame of the hips) it is to
/// bring them.
pub(super) fn hang(
    allowed: &Allowed<'_>,
    asked: &BodyTargets,
    chest: &Frame,
    hands: [Option<DVec3>; 2],
) -> [Option<Hang>; 2] {
    let Allowed { layout, seen, .. } = *allowed;
    let from = layout.trunk[layout.chest];
    [0, 1].map(|side| {
        let (arm, tip) = (layout.arms[side]?, asked.arms[side].tip);
        let (hand, reach) = (asked.arms[side].end.position?, bones(seen, &arm, tip, true).reach());
        let (point, near) = match arm.collar {
            Some(collar) if !allowed.is_limited(collar) => {
                (seen.bone(from, collar), follows_to(seen, layout, (&arm, collar), chest, (hand, STRETCHED * reach)))
            }
            Some(collar) => {
                let (_, shoulder, _) = collar_bone(allowed, (&arm, collar), chest, (hand, reach));
                (seen.bone(from, collar) + chest.rotation.conjugate() * shoulder, STRETCHED * reach)
            }
            None => (seen.bone(from, arm.upper), STRETCHED * reach),
        };
        hands[side].map(|target| Hang { point, target, near })
    })
}

/// How a collar bone is turned that follows the hand of an arm that reaches so far, as far as its limit lets it, and where the shoulder
/// then is from its joint; whether the limit holds it.
pub(super) fn collar_bone(
    allowed: &Allowed<'_>,
    (arm, collar): (&Limb, Joint),
    chest: &Frame,
    (hand, reach): (DVec3, f64),
) -> (DQuat, DVec3, bool) {
    let Allowed { layout, seen, .. } = *allowed;
    let from = layout.trunk[layout.chest];
    let (base, bone) = (chest.point(seen.bone(from, collar)), seen.bone(collar, arm.upper));
    let away = chest.rotation.conjugate() * (hand - base) - bone;
    let natural = chest.rotation * natural::collar(away / reach.max(f64::MIN_POSITIVE), Side(arm.sign));
    let shoulder = follow(natural * bone, hand - base, STRETCHED * reach);
    let turn = match (arc::unit(natural * bone), arc::unit(shoulder)) {
        (Some(from), Some(to)) => arc::arc(from, to, DVec3::Y),
        _ => DQuat::IDENTITY,
    };
    let told = arc::normalize(turn * natural);
    let rotation = allowed.nearest(collar, (from, chest.rotation), told);
    let is_held = rotation.dot(told).abs() < 1.0 - ROUNDING;
    if is_held { (rotation, rotation * bone, true) } else { (told, shoulder, false) }
}

/// How far from its collar bone's joint an arm that reaches so far gets before the trunk leans: its collar bone turns half the way from
/// where people hold it to the hand. Near the whole way the shoulder would move without bound.
fn follows_to(
    seen: &Seen,
    layout: &Layout,
    (arm, collar): (&Limb, Joint),
    chest: &Frame,
    (hand, reach): (DVec3, f64),
) -> f64 {
    let (from, bone) = (seen.bone(layout.trunk[layout.chest], collar), seen.bone(collar, arm.upper));
    let line = chest.local(hand) - from;
    let natural = natural::collar((line - bone) / reach.max(f64::MIN_POSITIVE), Side(arm.sign)) * bone;
    let long = arc::length(bone);
    let halfway = arc::unit(natural).zip(arc::unit(line)).and_then(|(natural, line)| arc::unit(natural + line));
    let cosine = halfway.zip(arc::unit(line)).map_or(1.0, |(halfway, line)| halfway.dot(line));
    long * cosine + sqrt_clamped(reach * reach - long * long * (1.0 - cosine * cosine))
}

/// The shoulder, from the collar bone's joint, turned towards the hand as an arm of this length needs it: the more, the straighter
/// the arm, from `FOLLOWS` of its length on.
fn follow(shoulder: DVec3, hand: DVec3, reach: f64) -> DVec3 {
    let over = (arc::length(hand - shoulder) / reach - FOLLOWS) / (1.0 - FOLLOWS);
    if !(over > 0.0 && over.is_finite()) {
        return shoulder;
    }
    // As far as before where it begins, as fast, and never straight.
    let reach = reach * (1.0 - (1.0 - FOLLOWS) / (1.0 + over));
    let (long, far) = (arc::length(shoulder), arc::length(hand));
    let Some(line) = arc::unit(hand) else { return shoulder };
    let cosine = (long * long + far * far - reach * reach) / (2.0 * long * far);
    let Some(across) = arc::unit_reject(shoulder, line, 1e-9) else { return shoulder };
    let half = arc::unit(shoulder).and_then(|own| arc::unit(own + line));
    let most = half.and_then(|half| arc::unit(half + line)).map_or(1.0, |most| most.dot(line));
    let cosine = cosine.min(most);
    line * (long * cosine) + across * (long * sqrt_clamped(1.0 - cosine * cosine))
}
