//! The legs of a rig: the joints from each hip to what touches the ground, and which of them are ankle and toes.

use sinew::glam::DVec3;
use sinew::{Goal, Joint, Pose};
use sinew_motion::Leg;
use sinew_rig::{Limb, LimbKind, Part};

use crate::figure::Figure;
use crate::rig::Rig;

/// Links that begin nearer to the ground than this share of the leg's height, and are no steeper than this, are the foot's.
const NEAR_GROUND: f64 = 0.24;
const LEVEL: f64 = 0.8;
/// Legs shorter than this share of their hip's height do not reach the ground.
const REACHES: f64 = 0.8;
/// A foot apart begins nearer to the leg's last joint than this share of the leg's height.
const APART: f64 = 0.2;

/// The recognised legs that reach the ground when stretched, which short arms do not; each with its joints down to the end of its last
/// bone, as long as there is one way.
pub(crate) fn chains(rig: &Rig) -> Vec<(&Limb, Vec<Joint>)> {
    let legs = rig.found().limbs.iter().filter(|limb| limb.kind == LimbKind::Leg);
    let whole = |limb: &Limb| {
        let mut joints = limb.joints.clone();
        while let Some(child) = joints.last().and_then(|&last| only_child(rig, last)) {
            joints.push(child);
        }
        joints
    };
    let legs: Vec<(&Limb, Vec<Joint>)> = legs.map(|limb| (limb, whole(limb))).collect();
    let rest = rig.skeleton().rest_pose();
    let high = |joint: Joint| rest.position(joint).dot(rig.found().up);
    let lowest = legs.iter().flat_map(|(_, joints)| joints).copied().map(high).fold(f64::INFINITY, f64::min);
    let long = |joints: &[Joint]| -> f64 {
        joints.windows(2).map(|pair| rest.position(pair[0]).distance(rest.position(pair[1]))).sum()
    };
    let stands = |joints: &[Joint]| long(joints) > REACHES * (high(joints[0]) - lowest);
    legs.into_iter().filter(|(_, joints)| stands(joints)).collect()
}

fn only_child(rig: &Rig, joint: Joint) -> Option<Joint> {
    let mut children = rig.skeleton().children(joint);
    children.next().filter(|_| children.next().is_none())
}

/// The joint at a limb's end: a foot that is a bone of its own, else its last joint, or the end of its last bone where it has no other
/// bone to bend.
pub(crate) fn end(rig: &Rig, limb: &Limb) -> Option<Joint> {
    let &last = limb.joints.last()?;
    let foot = rig.found().detached_feet.iter().find(|(_, leg)| *leg == last).map(|(foot, _)| *foot);
    let tip = only_child(rig, last).filter(|&tip| rig.figure.is_tip(tip) && limb.joints.len() < 3);
    Some(foot.or(tip).unwrap_or(last))
}

/// The end of the leg to which a foot belongs that is a bone of its own, and where the foot begins in that end's frame at the start.
pub(crate) fn end_of_detached(rig: &Rig, foot: Joint) -> Option<(Joint, DVec3)> {
    let &(_, leg) = rig.found().detached_feet.iter().find(|(own, _)| *own == foot)?;
    let end = only_child(rig, leg).filter(|&end| rig.figure.is_tip(end))?;
    let start = rig.start();
    Some((end, start.model(end).inverse().transform_point3(start.position(foot))))
}

/// Brings feet that are bones of their own along with their legs, which have moved since `start`; those that goals are for stay turned
/// as they are.
pub(crate) fn carry_feet(rig: &Rig, goals: &[Goal], start: &Pose, pose: &mut Pose) {
    let is_for = |foot: Joint| {
        let end = end_of_detached(rig, foot).map(|(end, _)| end);
        let own =
            |joint: Joint| joint == foot || Some(joint) == end || rig.found().detached_feet.contains(&(foot, joint));
        goals.iter().any(|goal| own(goal.joint))
    };
    rig.found().carry_feet(rig.skeleton(), start, pose, is_for);
}

/// How low the mesh is in a pose.
pub(crate) fn floor(rig: &Rig, pose: &Pose) -> Option<f64> {
    let Figure::Gltf(character) = &rig.figure else { return None };
    let triangles = character.surface(pose);
    let lowest = triangles.iter().flatten().map(|corner| corner.dot(rig.found().up)).fold(f64::INFINITY, f64::min);
    lowest.is_finite().then_some(lowest)
}

/// Where among a leg's joints its foot begins, as it was recognised: below a knee.
fn known_foot(rig: &Rig, joints: &[Joint]) -> Option<usize> {
    let is_foot = |joint: &Joint| rig.found().role(*joint).is_some_and(|guess| guess.role.part == Part::Foot);
    joints.iter().position(is_foot).filter(|&foot| foot >= 2)
}

/// A leg that walks, with the foot that was recognised; where none was, its shape tells.
pub(crate) fn with_known_foot(rig: &Rig, mut joints: Vec<Joint>) -> Leg {
    let foot = known_foot(rig, &joints).map_or_else(Vec::new, |foot| joints.split_off(foot + 1));
    Leg { joints, toe: foot.first().copied(), end: foot.get(1).copied(), apart: None }
}

/// The recognised legs for planting feet.
pub(crate) fn planted(rig: &Rig) -> Vec<Leg> {
    let rest = rig.skeleton().rest_pose();
    let hidden = rig.figure.control_joints();
    chains(rig).into_iter().map(|(_, joints)| leg(rig, &rest, joints, &hidden)).collect()
}

fn leg(rig: &Rig, rest: &Pose, mut joints: Vec<Joint>, hidden: &[Joint]) -> Leg {
    let up = rig.found().up;
    let high = |joint: Joint| rest.position(joint).dot(up);
    let lowest = joints.iter().copied().map(high).fold(f64::INFINITY, f64::min);
    let tall = high(joints[0]) - lowest;
    let near = |joint: &Joint| high(*joint) - lowest < NEAR_GROUND * tall;
    let steep = |from: Joint, to: Joint| {
        let link = rest.position(to) - rest.position(from);
        link.dot(up).abs() / link.length().max(f64::MIN_POSITIVE)
    };
    let mut end = joints.len() - 1;
    while end > 2 && near(&joints[end - 1]) && steep(joints[end - 1], joints[end]) < LEVEL {
        end -= 1;
    }
    // What is known to be a foot is one, whatever its shape.
    end = known_foot(rig, &joints).unwrap_or(end);
    if end + 1 == joints.len()
        && let Some(foot) = apart(rig, rest, &joints, tall, hidden)
    {
        let toe = only_child(rig, foot);
        let end = toe.and_then(|toe| only_child(rig, toe)).filter(|end| !rig.figure.is_inferred(*end));
        return Leg { joints, toe, end, apart: Some(foot) };
    }
    let foot = joints.split_off(end + 1);
    // Where toes end is not guessed: they would be lifted out of a ground that they do not touch.
    let end = foot.get(1).copied().filter(|end| !rig.figure.is_inferred(*end));
    Leg { joints, toe: foot.first().copied(), end, apart: None }
}

/// A joint beside the leg at its end, that moves a mesh and is no part of another leg.
fn apart(rig: &Rig, rest: &Pose, joints: &[Joint], tall: f64, hidden: &[Joint]) -> Option<Joint> {
    let skeleton = rig.skeleton();
    let &last = joints.last()?;
    let taken: Vec<Joint> = rig.found().limbs.iter().flat_map(|limb| limb.joints.iter().copied()).collect();
    let beside = |joint: &Joint| {
        !skeleton.is_below(*joint, joints[0])
            && !taken.iter().any(|taken| skeleton.is_below(*taken, *joint))
            && !hidden.contains(joint)
            && !rig.figure.is_inferred(*joint)
            && rest.position(*joint).distance(rest.position(last)) < APART * tall
    };
    let far = |joint: &Joint| rest.position(*joint).distance(rest.position(last));
    skeleton.iter().filter(beside).min_by(|a, b| far(a).total_cmp(&far(b)))
}
