//! How a clip of one rig goes over to another.

use sinew::Joint;
use sinew::glam::DQuat;
use sinew::math::arc;
use sinew_motion::{Partners, Transfer};
use sinew_rig::{Part, Role};

use crate::rig::Rig;

/// Radians by which two bodies face elsewhere.
const FACING: f64 = 0.5;

/// From the first rig to the other, ways as long as its hips stand high; `None` where no joint has a partner.
pub(crate) fn between(other: &Rig, rig: &Rig) -> Option<Transfer> {
    let transfer = Transfer::new(other.skeleton(), rig.skeleton(), &partners(other, rig), facing(other, rig))?;
    Some(match (hips_height(other), hips_height(rig)) {
        (Some(own), Some(new)) => transfer.scaled(new / own),
        _ => transfer,
    })
}

/// Joints that play the same part in both bodies; of the others those that have the same name.
fn partners(other: &Rig, rig: &Rig) -> Vec<Partners> {
    let (from, to) = (other.skeleton(), rig.skeleton());
    let by_role = from.iter().filter_map(|joint| {
        let role = other.found().role(joint)?.role;
        let is_first = other.found().joint(from, role) == Some(joint);
        let partner = rig.found().joint(to, role).filter(|_| is_first)?;
        Some(Partners { from: joint, to: partner, align: points_alike(role.part) })
    });
    let mut partners: Vec<Partners> = by_role.collect();
    for joint in from.iter() {
        let named = from.name(joint).filter(|name| from.joint(name).is_ok()).and_then(|name| to.joint(name).ok());
        let Some(partner) = named else { continue };
        if !partners.iter().any(|both| both.from == joint || both.to == partner) {
            partners.push(Partners { from: joint, to: partner, align: false });
        }
    }
    partners
}

fn points_alike(part: Part) -> bool {
    matches!(part, Part::UpperArm | Part::LowerArm | Part::UpperLeg | Part::LowerLeg)
}

/// From the axes in which the one stands and looks to those of the other; nothing where both are as good as alike.
fn facing(other: &Rig, rig: &Rig) -> DQuat {
    let [now, wanted] = [other, rig].map(Rig::found);
    let turn = arc::between_frames(now.up, now.forward, wanted.up, wanted.forward);
    if arc::length(arc::rotation_vector(turn)) < FACING { DQuat::IDENTITY } else { turn }
}

/// How high the hips are above the lowest joint at rest; `None` of a body without.
fn hips_height(rig: &Rig) -> Option<f64> {
    let (skeleton, rest) = (rig.skeleton(), rig.skeleton().rest_pose());
    let hips = rig.found().joint(skeleton, Role::middle(Part::Hips))?;
    let height = |joint: Joint| rest.position(joint).dot(rig.found().up);
    let floor = skeleton.iter().map(height).fold(f64::INFINITY, f64::min);
    Some(height(hips) - floor).filter(|height| *height > 0.0)
}
