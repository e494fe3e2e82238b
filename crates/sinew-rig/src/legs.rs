//! The legs of a body as motions want them: from each hip to what touches the ground, and which of their joints are ankle and toes.

use sinew::{Joint, Pose, Skeleton};
use sinew_motion::Leg;

use crate::limb::{Limb, LimbKind};
use crate::recognize::Recognition;
use crate::role::Part;

/// Links that begin nearer to the ground than this share of the leg's height, and are no steeper than this, are the foot's.
const NEAR_GROUND: f64 = 0.24;
const LEVEL: f64 = 0.8;
/// Legs shorter than this share of their hip's height do not reach the ground.
const REACHES: f64 = 0.8;
/// A foot apart begins nearer to the leg's last joint than this share of the leg's height.
const APART: f64 = 0.2;

impl Recognition {
    /// The legs that reach the ground, for [`sinew_motion::Feet`]; of any body. Where no foot was recognised the shape tells where it
    /// begins. `skeleton` has the joints that were recognised in their order.
    ///
    /// `control_joints` deform no mesh, and are no feet (`Character::control_joints` of a glTF file). `is_guess` says which ends of bones
    /// the file lacks (`Character::is_inferred`): toes that end there would be lifted out of a ground that they do not touch.
    pub fn feet_legs(
        &self,
        skeleton: &Skeleton,
        control_joints: &[Joint],
        is_guess: impl Fn(Joint) -> bool,
    ) -> Vec<Leg> {
        let rest = skeleton.rest_pose();
        let leg = |(_, joints)| self.leg(skeleton, &rest, joints, control_joints, &is_guess);
        self.whole_legs(skeleton).into_iter().map(leg).collect()
    }

    /// The same legs for [`sinew_motion::Gait`], each with the limb that it is: with the foot that was recognised, else down to the end of
    /// the last bone, and the gait looks at the shape. Feet that are bones of their own go with their legs.
    pub fn gait_legs(&self, skeleton: &Skeleton) -> Vec<(&Limb, Leg)> {
        let leg = |mut joints: Vec<Joint>| {
            if let Some(&(foot, _)) = self.detached_feet.iter().find(|(_, leg)| joints.contains(leg)) {
                return Leg { joints, toe: only_child(skeleton, foot), end: None, apart: Some(foot) };
            }
            let foot = self.foot_of(&joints).map_or_else(Vec::new, |foot| joints.split_off(foot + 1));
            Leg { joints, toe: foot.first().copied(), end: foot.get(1).copied(), apart: None }
        };
        self.whole_legs(skeleton).into_iter().map(|(limb, joints)| (limb, leg(joints))).collect()
    }

    /// The recognised legs that reach the ground when stretched, which short arms do not; each with its joints down to the end of its
    /// last bone, as long as there is one way.
    fn whole_legs(&self, skeleton: &Skeleton) -> Vec<(&Limb, Vec<Joint>)> {
        let legs = self.limbs.iter().filter(|limb| limb.kind == LimbKind::Leg && !limb.joints.is_empty());
        let whole = |limb: &Limb| {
            let mut joints = limb.joints.clone();
            while let Some(child) = joints.last().and_then(|&last| only_child(skeleton, last)) {
                joints.push(child);
            }
            joints
        };
        let legs: Vec<(&Limb, Vec<Joint>)> = legs.map(|limb| (limb, whole(limb))).collect();
        let rest = skeleton.rest_pose();
        let high = |joint: Joint| rest.position(joint).dot(self.up);
        let lowest = legs.iter().flat_map(|(_, joints)| joints).copied().map(high).fold(f64::INFINITY, f64::min);
        let long = |joints: &[Joint]| -> f64 {
            joints.windows(2).map(|pair| rest.position(pair[0]).distance(rest.position(pair[1]))).sum()
        };
        let stands = |joints: &[Joint]| long(joints) > REACHES * (high(joints[0]) - lowest);
        legs.into_iter().filter(|(_, joints)| stands(joints)).collect()
    }

    /// Where among a leg's joints its foot begins, as it was recognised: below a knee.
    fn foot_of(&self, joints: &[Joint]) -> Option<usize> {
        let is_foot = |joint: &Joint| self.role(*joint).is_some_and(|guess| guess.role.part == Part::Foot);
        joints.iter().position(is_foot).filter(|&foot| foot >= 2)
    }

    fn leg(
        &self,
        skeleton: &Skeleton,
        rest: &Pose,
        mut joints: Vec<Joint>,
        hidden: &[Joint],
        is_guess: &impl Fn(Joint) -> bool,
    ) -> Leg {
        let high = |joint: Joint| rest.position(joint).dot(self.up);
        let lowest = joints.iter().copied().map(high).fold(f64::INFINITY, f64::min);
        let tall = high(joints[0]) - lowest;
        let near = |joint: &Joint| high(*joint) - lowest < NEAR_GROUND * tall;
        let steep = |from: Joint, to: Joint| {
            let link = rest.position(to) - rest.position(from);
            link.dot(self.up).abs() / link.length().max(f64::MIN_POSITIVE)
        };
        let mut end = joints.len() - 1;
        while end > 2 && near(&joints[end - 1]) && steep(joints[end - 1], joints[end]) < LEVEL {
            end -= 1;
        }
        // What is known to be a foot is one, whatever its shape.
        end = self.foot_of(&joints).unwrap_or(end);
        let far = |joint: &Joint| rest.position(*joint).distance(rest.position(joints[joints.len() - 1]));
        let is_apart = |joint: &Joint| far(joint) < APART * tall && !hidden.contains(joint) && !is_guess(*joint);
        if end + 1 == joints.len()
            && let Some(foot) =
                self.beside(skeleton, joints[0]).filter(is_apart).min_by(|a, b| far(a).total_cmp(&far(b)))
        {
            let toe = only_child(skeleton, foot);
            let end = toe.and_then(|toe| only_child(skeleton, toe)).filter(|end| !is_guess(*end));
            return Leg { joints, toe, end, apart: Some(foot) };
        }
        let foot = joints.split_off(end + 1);
        let end = foot.get(1).copied().filter(|end| !is_guess(*end));
        Leg { joints, toe: foot.first().copied(), end, apart: None }
    }

    /// The joints beside a leg that are part of no limb, and have none below them.
    fn beside<'a>(&'a self, skeleton: &'a Skeleton, hip: Joint) -> impl Iterator<Item = Joint> + 'a {
        let taken = || self.limbs.iter().flat_map(|limb| &limb.joints);
        let is_free = move |joint: &Joint| !taken().any(|&taken| skeleton.is_below(taken, *joint));
        skeleton.iter().filter(move |&joint| !skeleton.is_below(joint, hip)).filter(is_free)
    }
}

fn only_child(skeleton: &Skeleton, joint: Joint) -> Option<Joint> {
    let mut children = skeleton.children(joint);
    children.next().filter(|_| children.next().is_none())
}
