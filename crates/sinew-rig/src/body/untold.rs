//! What no goal tells, once steps have turned what carries it: as the closed form carries it. Else a body that goes on from its own answers
//! would turn its head and arms further in every frame: steps turn the trunk with all that it carries, the closed form the trunk alone back.

use sinew::math::arc;
use sinew::{Joint, Pose, Skeleton, Transform};

use super::Body;
use super::place::Room;
use super::seen::{self, frame_of};
use super::targets::BodyTargets;

impl Body {
    /// Turns a head that no goal turns back to where it looked, and has arms that no goal is for come along with the chest.
    pub(super) fn carry_untold(&self, skeleton: &Skeleton, room: &mut Room, asked: &BodyTargets, pose: &mut Pose) {
        let layout = &self.layout;
        let (head, chest) = (layout.trunk.last().filter(|_| !asked.turns_head()), layout.trunk[layout.chest]);
        let chest = frame_of(layout, chest, pose.position(chest), pose.rotation(chest));
        let arms = [0, 1].map(|side| layout.arms[side].filter(|_| asked.arms[side].is_free()));
        for (arm, wanted) in arms.iter().zip(&asked.arms) {
            let Some(arm) = arm else { continue };
            room.carry_arm((skeleton, layout), arm, &chest);
            room.lift_fingers((skeleton, layout), arm, wanted);
        }
        let is_of_arms = |joint: Joint| {
            let mut roots = arms.iter().flatten().map(|arm| arm.collar.unwrap_or(arm.upper));
            roots.any(|root| joint == root || skeleton.is_below(joint, root))
        };
        for &(joint, _) in layout.joints.iter().filter(|&(joint, _)| head == Some(joint) || is_of_arms(*joint)) {
            let Some(parent) = skeleton.parent(joint) else { continue };
            let turned = layout.axes * seen::turned(layout, joint, &room.out.at(joint));
            let rotation = arc::normalize(pose.rotation(parent).conjugate() * turned);
            let wanted = Transform { rotation, ..*pose.local(joint) };
            let allowed = skeleton.nearest_allowed(joint, &wanted, pose.value(skeleton, joint));
            pose.edit(skeleton).local(joint, allowed);
        }
    }
}
