//! The legs of a rig: their ends, their feet that are bones of their own, and the floor below.

use sinew::glam::DVec3;
use sinew::{Goal, Joint, Pose};
use sinew_rig::Limb;

use crate::figure::Figure;
use crate::rig::Rig;

/// The end of a joint's bone.
fn tip(rig: &Rig, joint: Joint) -> Option<Joint> {
    rig.skeleton().children(joint).find(|&child| rig.figure.is_tip(child))
}

/// The joint at a limb's end: a foot that is a bone of its own, else its last joint, or the end of its last bone where it has no other
/// bone to bend.
pub(crate) fn end(rig: &Rig, limb: &Limb) -> Option<Joint> {
    let &last = limb.joints.last()?;
    let foot = rig.found().detached_feet.iter().find(|(_, leg)| *leg == last).map(|(foot, _)| *foot);
    let tip = tip(rig, last).filter(|_| limb.joints.len() < 3);
    Some(foot.or(tip).unwrap_or(last))
}

/// The end of the leg to which a foot belongs that is a bone of its own, and where the foot begins in that end's frame at the start.
pub(crate) fn end_of_detached(rig: &Rig, foot: Joint) -> Option<(Joint, DVec3)> {
    let &(_, leg) = rig.found().detached_feet.iter().find(|(own, _)| *own == foot)?;
    let end = tip(rig, leg)?;
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
