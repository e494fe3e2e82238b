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

impl Recognition {
    /// The legs that reach the ground, for [`sinew_motion::Feet`]; of any body. Where no foot was recognised the shape tells where it
    /// begins. Feet that are bones of their own go with their legs. `skeleton` has the joints that were recognised in their order.
    ///
    /// `is_guess` says which ends of bones the file lacks (`Character::is_inferred`): toes that end there would be lifted out of a
    /// ground that they do not touch.
    pub fn feet_legs(&self, skeleton: &Skeleton, is_guess: impl Fn(Joint) -> bool) -> Vec<Leg> {
        let rest = skeleton.rest_pose();
        let leg = |(_, mut joints): (_, Vec<Joint>)| {
            let apart = self.detached_foot(&joints);
            let foot = match apart {
                Some(foot) => bones_below(skeleton, foot),
                None => {
                    joints.split_off(self.foot_of(&joints).unwrap_or_else(|| self.last_above_foot(&rest, &joints)) + 1)
                }
            };
            Leg { joints, toe: foot.first().copied(), end: foot.get(1).copied().filter(|end| !is_guess(*end)), apart }
        };
        self.whole_legs(skeleton).into_iter().map(leg).collect()
    }

    /// The same legs for [`sinew_motion::Gait`], each with the limb that it is: with the foot that was recognised, else down to the end of
    /// the last bone, and the gait looks at the shape.
    pub fn gait_legs(&self, skeleton: &Skeleton) -> Vec<(&Limb, Leg)> {
        let leg = |mut joints: Vec<Joint>| {
            let apart = self.detached_foot(&joints);
            let foot = match (apart, self.foot_of(&joints)) {
                (Some(foot), _) => bones_below(skeleton, foot),
                (None, Some(foot)) => joints.split_off(foot + 1),
                (None, None) => Vec::new(),
            };
            Leg { joints, toe: foot.first().copied(), end: foot.get(1).copied(), apart }
        };
        self.whole_legs(skeleton).into_iter().map(|(limb, joints)| (limb, leg(joints))).collect()
    }

    /// The recognised legs that reach the ground when stretched, which short arms do not; each with its joints down to the end of its
    /// last bone, as long as there is one way.
    fn whole_legs(&self, skeleton: &Skeleton) -> Vec<(&Limb, Vec<Joint>)> {
        let legs = self.limbs.iter().filter(|limb| limb.kind == LimbKind::Leg && !limb.joints.is_empty());
        let whole = |limb: &Limb| {
            let mut joints = limb.joints.clone();
            if let Some(&last) = joints.last() {
                joints.extend(bones_below(skeleton, last));
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

    /// The foot of a leg that is a bone of its own.
    fn detached_foot(&self, joints: &[Joint]) -> Option<Joint> {
        self.detached_feet.iter().find(|(_, leg)| joints.contains(leg)).map(|&(foot, _)| foot)
    }

    /// Where among a leg's joints its foot seems to begin: the links below it are near the ground and not steep.
    fn last_above_foot(&self, rest: &Pose, joints: &[Joint]) -> usize {
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
        end
    }
}

/// The joints below one, as long as there is one way.
fn bones_below(skeleton: &Skeleton, joint: Joint) -> Vec<Joint> {
    std::iter::successors(only_child(skeleton, joint), |&below| only_child(skeleton, below)).collect()
}

fn only_child(skeleton: &Skeleton, joint: Joint) -> Option<Joint> {
    let mut children = skeleton.children(joint);
    children.next().filter(|_| children.next().is_none())
}
