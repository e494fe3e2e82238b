//! Which joints a human's body is made of, and how each is turned in the T-pose.

use glam::{DMat3, DQuat};
use sinew::math::arc;
use sinew::{Joint, Skeleton};

use super::roll::{self, Rolling};
use crate::limb::LimbKind;
use crate::recognize::Recognition;
use crate::role::{Part, Role, Side};
use crate::t_pose::TPose;

/// An arm or a leg.
#[derive(Clone, Copy, Debug)]
pub struct Limb {
    /// Collar bone, of an arm that has one.
    pub collar: Option<Joint>,
    /// Upper arm or thigh.
    pub upper: Joint,
    /// Forearm or shin.
    pub lower: Joint,
    /// Hand or foot.
    pub end: Joint,
    /// Whether the body's left is on its other side: 1 on the left, -1 on the right.
    pub sign: f64,
    /// What a foot rolls over: its toes, else its end.
    pub(super) toes: Option<Joint>,
    /// The end of a hand that is farthest from it at rest: of its longest finger.
    pub(super) finger: Option<Joint>,
    /// Its place among the [limbs](Layout::limbs).
    pub(super) place: usize,
}

impl Limb {
    pub(super) fn is_arm(&self) -> bool {
        self.place < 2
    }
}

/// The joints that a body is solved by. Directions are the body's own: x to the left, y up, z ahead, as it stands in the T-pose.
#[derive(Clone, Debug)]
pub struct Layout {
    /// From the body's directions to model space.
    pub(super) axes: DQuat,
    /// Rotation of what the root hangs on, in the body's directions.
    pub(super) base: DQuat,
    /// The hips.
    pub hips: Joint,
    /// The joint that carries hips and head: the hips, or what hips and spine hang on.
    pub core: Joint,
    /// From the first joint above the hips to the head.
    pub trunk: Vec<Joint>,
    /// Place in the trunk of the joint at which the arms hang.
    pub chest: usize,
    /// Left, right.
    pub arms: [Option<Limb>; 2],
    /// Left, right.
    pub legs: [Option<Limb>; 2],
    /// Bones that share the roll of hands, of each forearm from the elbow on.
    pub(super) rolls: Vec<Rolling>,
    /// By joint: itself, and the hand or foot that it is, or that it hangs on if it is no finger (toes, what a hand holds).
    ends: Vec<(Joint, Option<Joint>)>,
    /// By joint: from the body's directions to the joint's own frame, in the T-pose.
    own: Vec<DQuat>,
    /// All of these joints, parents first, each with the nearest of them above it.
    pub joints: Vec<(Joint, Option<Joint>)>,
    /// These, toes, and all above them, parents first.
    pub(super) path: Vec<Joint>,
}

impl Layout {
    /// `None` where hips, a head above them and two legs or two arms are not recognised.
    pub(super) fn of(skeleton: &Skeleton, found: &Recognition) -> Option<Self> {
        let t_pose = TPose::of(skeleton, found)?;
        let hips = found.joint(skeleton, Role::middle(Part::Hips))?;
        let head = found.joint(skeleton, Role::middle(Part::Head))?;
        let [left, up, ahead] = t_pose.axes();
        let right_handed = up.cross(ahead);
        let sign = if left.dot(right_handed) < 0.0 { -1.0 } else { 1.0 };
        let axes = arc::from_matrix(&DMat3::from_cols(right_handed, up, ahead));
        let base = arc::rotation_of(&skeleton.base(skeleton.roots().next()?).matrix3)?;
        let own = skeleton.iter().map(|joint| t_pose.rotation(joint).conjugate() * axes).collect();
        let core = above(skeleton, hips).find(|&joint| joint == head || skeleton.is_below(head, joint))?;
        let mut trunk: Vec<Joint> = above(skeleton, head).take_while(|&joint| joint != core).collect();
        trunk.reverse();
        let limb = |kind, side| limb(skeleton, found, kind, side, sign);
        let sides = [Side::Left, Side::Right];
        let (arms, legs) = (sides.map(|side| limb(LimbKind::Arm, side)), sides.map(|side| limb(LimbKind::Leg, side)));
        let hangs = |arm: &Limb| trunk.iter().rposition(|&joint| skeleton.is_below(arm.upper, joint));
        let chest = arms.iter().flatten().map(hangs).collect::<Option<Vec<_>>>()?.into_iter().min()?;
        let is_whole = !trunk.is_empty() && legs.iter().chain(&arms).all(Option::is_some);
        let (base, axes) = (axes.conjugate(), base * axes);
        let of_limbs = || arms.iter().chain(&legs).flatten().map(|limb| limb.end);
        let is_finger =
            |joint: Joint| found.role(joint).is_some_and(|guess| matches!(guess.role.part, Part::Finger(..)));
        let hangs = |joint: Joint| !above(skeleton, joint).any(is_finger);
        let on = |joint: Joint| of_limbs().find(|&end| joint == end || skeleton.is_below(joint, end) && hangs(joint));
        let ends = skeleton.iter().map(|joint| (joint, on(joint))).collect();
        let rolls = arms.iter().flatten().flat_map(|arm| roll::along(skeleton, arm)).collect();
        let (joints, path) = (Vec::new(), Vec::new());
        let mut layout = Self { axes, base, hips, core, trunk, chest, arms, legs, rolls, ends, own, joints, path };
        layout.joints = layout.listed(skeleton);
        let toes = || layout.limbs().filter_map(|limb| limb.toes);
        let leads = |joint: &Joint| {
            layout.joints.iter().map(|&(own, _)| own).chain(toes()).any(|own| skeleton.is_below(own, *joint))
        };
        layout.path = skeleton.iter().filter(leads).collect();
        let below = |limb: &Option<Limb>| limb.is_some_and(|limb| skeleton.is_below(limb.upper, core));
        (is_whole && layout.arms.iter().chain(&layout.legs).all(below)).then_some(layout)
    }

    /// Bones along forearms, each with its forearm's joint, which itself is such a bone, and its share of the hand's roll.
    pub fn rolls(&self) -> impl Iterator<Item = (Joint, Joint, f64)> {
        self.rolls.iter().map(|bone| (bone.joint, bone.lower, bone.share))
    }

    /// The hand or foot that a joint hangs on; any other joint itself.
    pub(super) fn part(&self, joint: Joint) -> Joint {
        self.end(joint).unwrap_or(joint)
    }

    /// The hand or foot that a joint is, or hangs on.
    pub(super) fn end(&self, joint: Joint) -> Option<Joint> {
        self.ends.get(joint.index()).filter(|(own, _)| *own == joint)?.1
    }

    pub(super) fn limbs(&self) -> impl Iterator<Item = &Limb> {
        self.arms.iter().chain(&self.legs).flatten()
    }

    /// Whether it is a hand or foot.
    pub(super) fn is_end(&self, joint: Joint) -> bool {
        self.end(joint) == Some(joint)
    }

    /// The nearest joint of the body above one.
    pub(super) fn above(&self, joint: Joint) -> Option<Joint> {
        self.joints.iter().find(|(own, _)| *own == joint).and_then(|&(_, above)| above)
    }

    /// From the body's directions to the joint's own frame, in the T-pose.
    pub fn own(&self, joint: Joint) -> DQuat {
        self.own[joint.index()]
    }

    fn listed(&self, skeleton: &Skeleton) -> Vec<(Joint, Option<Joint>)> {
        let of_limb = |limb: &Limb| [limb.collar, Some(limb.upper), Some(limb.lower), Some(limb.end)];
        let mut joints: Vec<Joint> =
            self.limbs().flat_map(of_limb).flatten().chain(self.trunk.iter().copied()).collect();
        joints.extend([self.hips, self.core]);
        joints.extend(self.rolls.iter().map(|bone| bone.joint));
        joints.sort_by_key(|joint| joint.index());
        joints.dedup();
        let nearest = |joint| above(skeleton, joint).skip(1).find(|above| joints.contains(above));
        joints.iter().map(|&joint| (joint, nearest(joint))).collect()
    }
}

/// A joint and all above it, upwards.
fn above(skeleton: &Skeleton, joint: Joint) -> impl Iterator<Item = Joint> {
    core::iter::successors(Some(joint), |&joint| skeleton.parent(joint))
}

fn limb(skeleton: &Skeleton, found: &Recognition, kind: LimbKind, side: Side, sign: f64) -> Option<Limb> {
    let parts = match kind {
        LimbKind::Arm => [Part::UpperArm, Part::LowerArm, Part::Hand],
        _ => [Part::UpperLeg, Part::LowerLeg, Part::Foot],
    };
    let joint = |part| found.joint(skeleton, Role::on(side, part));
    let [upper, lower, end] = parts.map(joint);
    let (upper, lower, end) = (upper?, lower?, end?);
    let collar = joint(Part::Shoulder).filter(|&collar| kind == LimbKind::Arm && skeleton.is_below(upper, collar));
    let row = skeleton.is_below(lower, upper) && skeleton.is_below(end, lower);
    let place = usize::from(side == Side::Right) + if kind == LimbKind::Arm { 0 } else { 2 };
    let sign = if side == Side::Left { sign } else { -sign };
    let is_leaf = |joint: &Joint| skeleton.children(*joint).next().is_none();
    let toes = joint(Part::Toes).filter(|&toes| skeleton.is_below(toes, end));
    let toes = toes.or_else(|| skeleton.children(end).find(is_leaf)).filter(|_| kind == LimbKind::Leg);
    let rest = skeleton.rest_pose();
    let far = |joint: &Joint| rest.position(*joint).distance(rest.position(end));
    let fingers =
        skeleton.iter().filter(|&joint| kind == LimbKind::Arm && is_leaf(&joint) && skeleton.is_below(joint, end));
    let finger = fingers.filter(|&joint| joint != end).max_by(|a, b| far(a).total_cmp(&far(b)));
    row.then_some(Limb { collar, upper, lower, end, sign, toes, finger, place })
}
