//! To which side the limbs of a recognised body fold that its rest pose shows straight.

use glam::DVec3;
use sinew::math::arc;
use sinew::{Joint, Pose, Skeleton};

use crate::evidence::Evidence;
use crate::human::motion::{self, Motion};
use crate::limb::{Limb, LimbKind};
use crate::recognize::{BodyKind, Recognition, recognize};
use crate::role::{Part, Side};
use crate::t_pose::TPose;

/// A rest bend by more than this (sine) shows how a joint folds: ten degrees.
const BENT: f64 = 0.17;
/// Below this sine a bone lies along the direction to which it should fold, and that says nothing.
const ALONG: f64 = 0.2;

/// [Recognises](recognize) a body, and gives its joints that are straight at rest the [preferred
/// bend](sinew::JointSpec::bend) of such a body, unless they have one. The result has the same joints in the same order.
///
/// Elbows, knees and fingers of a human fold as a human's do. On animals with four legs, hind legs fold with the knee ahead
/// and the hock back, fore legs with the elbow back; legs of many-legged bodies fold with the knee up. When the same limb
/// on the other side is bent, a limb folds as that does. Joints that are bent at rest fold as they are bent. Kinds, limits
/// and joints that were not recognised stay as they are.
///
/// Solvers take the preferred bend where neither a pole nor the pose given says how a limb bends; without one, the elbow of an
/// arm that rests straight may turn to any side.
///
/// A leg whose last bone has no end in the file ends where its foot begins, when that is a bone of its own.
pub fn prepare(evidence: &Evidence<'_>) -> (Skeleton, Recognition) {
    let found = recognize(evidence);
    let skeleton = &found.legs_to_feet(evidence);
    let found = found.on(skeleton);
    let bends = if found.body == BodyKind::Humanoid || found.body == BodyKind::Hand {
        human(skeleton, &found)
    } else {
        let legs = found.limbs.iter().filter(|limb| matches!(limb.kind, LimbKind::Arm | LimbKind::Leg));
        legs.flat_map(|limb| beast(skeleton, &found, limb)).collect()
    };
    let bent = skeleton.revised(|joint, spec| {
        let own = bends.iter().find(|(of, _)| *of == joint).map(|&(_, axis)| axis);
        spec.bend = spec.bend.or(own);
    });
    // Unit axes are no reason to refuse it.
    let bent = bent.unwrap_or_else(|_| skeleton.clone());
    let found = found.on(&bent);
    (bent, found)
}

/// Loads a glTF, GLB or VRM file, and [prepares](prepare) its skeleton.
///
/// # Errors
/// Those of [`sinew_gltf::load`].
#[cfg(feature = "gltf")]
pub fn load(path: impl AsRef<std::path::Path>) -> Result<(sinew_gltf::Character, Recognition), sinew_gltf::LoadError> {
    let mut character = sinew_gltf::load(path)?;
    let (skeleton, found) = prepare(&Evidence::of_character(&character));
    character.skeleton = skeleton;
    Ok((character, found))
}

/// The human's own hinges.
fn human(skeleton: &Skeleton, found: &Recognition) -> Vec<(Joint, DVec3)> {
    let Some(straight) = TPose::of(skeleton, found) else { return Vec::new() };
    let rest = skeleton.rest_pose();
    let axis = |joint: Joint| {
        let role = found.role(joint)?.role;
        let Motion::Hinge(turn) = motion::of(role.part)? else { return None };
        let limb = found.limbs.iter().find(|limb| limb.joints.contains(&joint))?;
        let place = limb.joints.iter().position(|&other| other == joint)?;
        let is_bent =
            bones(skeleton, &rest, limb, place).is_some_and(|[before, after]| before.cross(after).length() > BENT);
        let index = joint.index();
        let axis = straight.bone(index)?.cross(straight.way(turn.towards, role.side)).try_normalize()?;
        (!is_bent).then(|| (joint, straight.own(index, axis)))
    };
    skeleton.iter().filter_map(axis).collect()
}

/// The joints after a limb's first that are straight at rest.
fn beast(skeleton: &Skeleton, found: &Recognition, limb: &Limb) -> Vec<(Joint, DVec3)> {
    let rest = skeleton.rest_pose();
    let is_upper = |joint: &Joint| {
        found.role(*joint).is_some_and(|guess| matches!(guess.role.part, Part::UpperArm | Part::UpperLeg))
    };
    let upper = limb.joints.iter().position(is_upper).unwrap_or(0);
    let is_fore = limb.front == Some(true) || limb.kind == LimbKind::Arm;
    let twin = found.limbs.iter().find(|other| {
        let alike = (other.kind, other.front, other.joints.len()) == (limb.kind, limb.front, limb.joints.len());
        alike && limb.side.is_some() && other.side == limb.side.map(Side::other)
    });
    let axis = |place: usize| {
        let [before, after] = bones(skeleton, &rest, limb, place)?;
        // Knees up; else each joint folds against the one before it, the first of fore legs and arms ahead.
        let folds_ahead = is_fore == ((place - upper) % 2 == 1);
        let towards = match found.body {
            BodyKind::ManyLegged => -found.up,
            _ if folds_ahead => found.forward,
            _ => -found.forward,
        };
        // What its twin shows goes before that.
        let shown = twin.and_then(|twin| {
            let [before, after] = bones(skeleton, &rest, twin, place)?;
            let left = found.up.cross(found.forward);
            let aside = after - before * after.dot(before);
            (before.cross(after).length() > BENT).then(|| aside - left * (2.0 * aside.dot(left)))
        });
        let axis = before.cross(shown.and_then(arc::unit).unwrap_or(towards));
        let joint = *limb.joints.get(place)?;
        let is_told = before.cross(after).length() <= BENT && axis.length() > ALONG;
        // A positive turn folds, also below a mirror.
        let frame = rest.model(joint).matrix3;
        let own = arc::unit(frame.inverse() * axis)? * frame.determinant().signum();
        is_told.then_some((joint, own))
    };
    // The foot of a leg that has one is no knee.
    let last = limb.joints.len().min(if found.body == BodyKind::ManyLegged { usize::MAX } else { upper + 3 });
    (upper + 1..last).filter_map(axis).collect()
}

/// Unit directions of the bones before and after a joint of a limb; the last joint's bone ends at its only child.
fn bones(skeleton: &Skeleton, rest: &Pose, limb: &Limb, place: usize) -> Option<[DVec3; 2]> {
    let end = || {
        let mut children = skeleton.children(*limb.joints.last()?);
        children.next().filter(|_| children.next().is_none())
    };
    let at = |place: usize| {
        let beyond = (place == limb.joints.len()).then(end).flatten();
        Some(rest.position(limb.joints.get(place).copied().or(beyond)?))
    };
    let bone = |from: usize| arc::unit(at(from + 1)? - at(from)?);
    Some([bone(place.checked_sub(1)?)?, bone(place)?])
}
