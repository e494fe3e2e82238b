//! What no goal tells, once steps have turned what carries it: as the closed form carries it. Else a body that goes on from its own answers,
//! the closed form and steps turning its trunk to and fro, would turn its head and arms further in every frame.

use sinew::math::arc;
use sinew::{Pose, Skeleton, Transform};

use super::Body;
use super::layout::Limb;
use super::place::Room;
use super::seen::{self, frame_of};
use super::targets::BodyTargets;

impl Body {
    /// Turns the head that no goal turns back to where it looked, and has arms that no goal is for come along with the chest; both as far as
    /// limits let them.
    pub(super) fn carry_untold(&self, skeleton: &Skeleton, room: &mut Room, asked: &BodyTargets, pose: &mut Pose) {
        let layout = &self.layout;
        let chest = layout.trunk[layout.chest];
        let chest = frame_of(layout, chest, pose.position(chest), pose.rotation(chest));
        let free = [0, 1].map(|side| layout.arms[side].filter(|_| asked.arms[side].is_free()));
        for (arm, wanted) in free.iter().zip(&asked.arms) {
            let Some(arm) = arm else { continue };
            room.carry_arm((skeleton, layout), arm, &chest);
            room.lift_fingers((skeleton, layout), arm, wanted);
        }
        let root = |arm: &Limb| arm.collar.unwrap_or(arm.upper);
        for &(joint, _) in &layout.joints {
            let is_head = layout.trunk.last() == Some(&joint) && !asked.turns_head();
            let mut roots = free.iter().flatten().map(root);
            let Some(parent) = skeleton.parent(joint) else { continue };
            if is_head || roots.any(|root| joint == root || skeleton.is_below(joint, root)) {
                let turned = layout.axes * seen::turned(layout, joint, &room.out.at(joint));
                let rotation = arc::normalize(pose.rotation(parent).conjugate() * turned);
                let wanted = Transform { rotation, ..*pose.local(joint) };
                let allowed = skeleton.nearest_allowed(joint, &wanted, pose.value(skeleton, joint));
                pose.edit(skeleton).local(joint, allowed);
            }
        }
    }
}
