//! Names and shape together: which limbs a body has, which way it looks, and what each joint is.

use glam::DVec3;
use sinew::{Joint, Skeleton};

use crate::evidence::Evidence;
use crate::facing;
use crate::feet;
use crate::finger;
use crate::limb::{Limb, LimbKind};
use crate::merge::{self, Draft};
use crate::name::{Family, Scheme};
use crate::named;
use crate::parts;
use crate::role::{Role, Side};
use crate::shape::Shape;
use crate::tree::Tree;
use crate::trunk;

/// Trees of fewer joints are no bodies of their own.
const SMALLEST_BODY: usize = 8;
/// Bodies looked for in one file.
const MOST_BODIES: usize = 16;

/// What kind of body it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyKind {
    /// Two arms, two legs: a human, or near enough for human limits.
    Humanoid,
    /// Two legs and no arms, such as a bird; or a trunk that is not upright, such as a tyrannosaurus.
    Biped,
    /// Four legs.
    Quadruped,
    /// More legs than four.
    ManyLegged,
    /// One row of joints.
    Chain,
    /// A hand alone.
    Hand,
    /// Nothing that was recognised.
    Other,
}

impl BodyKind {
    /// One or two words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Humanoid => "humanoid",
            Self::Biped => "biped",
            Self::Quadruped => "quadruped",
            Self::ManyLegged => "many-legged",
            Self::Chain => "chain",
            Self::Hand => "hand",
            Self::Other => "other",
        }
    }
}

/// A role with how sure it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// The role.
    pub role: Role,
    /// From 0 to 1; that of the limb.
    pub confidence: f64,
}

/// What a skeleton was recognised as.
#[doc(alias = "humanoid")]
#[doc(alias = "retarget")]
#[derive(Clone, Debug)]
pub struct Recognition {
    /// The body as a whole.
    pub body: BodyKind,
    /// Unit direction in model space that is up for it: that of the evidence, unless it lies down that way.
    pub up: DVec3,
    /// Unit direction in model space in which it looks, perpendicular to up.
    pub forward: DVec3,
    /// What that is known by.
    pub forward_reason: String,
    /// Limbs: spine and head, arms, legs, fingers, tail, others; of each kind left before right.
    pub limbs: Vec<Limb>,
    /// Detached feet, which do not hang on a leg, each with the last joint of its leg. Solvers do not move them;
    /// [`carry_feet`](Self::carry_feet) does.
    pub detached_feet: Vec<(Joint, Joint)>,
    /// By depth-first index.
    roles: Vec<Option<Guess>>,
}

impl Recognition {
    /// What a joint is on a body like a human's; `None` for others, and for joints that add to a part (a second
    /// spine joint between chest and neck, the second half of a split bone).
    pub fn role(&self, joint: Joint) -> Option<&Guess> {
        self.roles.get(joint.index())?.as_ref()
    }

    /// The joint that plays a role, the first in depth-first order.
    pub fn joint(&self, skeleton: &Skeleton, role: Role) -> Option<Joint> {
        let index = self.roles.iter().position(|guess| guess.as_ref().is_some_and(|guess| guess.role == role))?;
        skeleton.at(index)
    }

    /// The same of a skeleton with the same joints in the same order, such as one with limits.
    pub fn on(mut self, skeleton: &Skeleton) -> Self {
        let same = |joint: &Joint| skeleton.at(joint.index());
        for limb in &mut self.limbs {
            limb.joints = limb.joints.iter().filter_map(same).collect();
        }
        self.detached_feet =
            self.detached_feet.iter().filter_map(|(foot, leg)| Some((same(foot)?, same(leg)?))).collect();
        self
    }

    /// The first limb of a kind on a side.
    pub fn limb(&self, kind: LimbKind, side: Option<Side>) -> Option<&Limb> {
        self.limbs.iter().find(|limb| limb.kind == kind && limb.side == side)
    }
}

/// What someone says who knows better.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// Whether the evidence's up is said, not only presumed.
    pub(crate) up: bool,
    pub(crate) forward: Option<DVec3>,
    /// In place of limbs of the same kind, side and place; without joints there is none.
    pub(crate) limbs: Vec<ToldLimb>,
    pub(crate) roles: Vec<(Joint, Option<Role>)>,
}

/// A limb as it is said to be.
#[derive(Clone, Debug)]
pub(crate) struct ToldLimb {
    pub(crate) kind: LimbKind,
    pub(crate) side: Option<Side>,
    pub(crate) front: Option<bool>,
    pub(crate) joints: Vec<Joint>,
}

/// Recognises the limbs of a body. Never fails: what is not recognised is left out.
pub fn recognize(evidence: &Evidence<'_>) -> Recognition {
    recognize_as(evidence, &Told::default())
}

/// [`recognize`], with what is told in place of what is recognised. Several bodies in one file are recognised one by
/// one; the first, of the most joints, gives the kind and the directions.
pub(crate) fn recognize_as(evidence: &Evidence<'_>, told: &Told) -> Recognition {
    let skeleton = evidence.skeleton;
    let body = Tree::of(evidence);
    let size = |root: usize| body.subtree(root).filter(|&joint| body.kept[joint]).count();
    let mut bodies: Vec<(usize, usize)> = body.roots.iter().map(|&root| (size(root), root)).collect();
    bodies.retain(|(size, _)| *size >= SMALLEST_BODY);
    bodies.sort_by_key(|(size, root)| (std::cmp::Reverse(*size), *root));
    bodies.truncate(MOST_BODIES);
    if bodies.len() < 2 {
        return recognize_one(evidence, told);
    }
    let alone = |&(_, root): &(usize, usize)| {
        let own = body.subtree(root);
        let others = skeleton.iter().filter(|joint| !own.contains(&joint.index()));
        let control_joints = evidence.control_joints.iter().copied().chain(others).collect();
        let roles = evidence.roles.iter().copied().filter(|(joint, _)| own.contains(&joint.index())).collect();
        recognize_one(&Evidence { roles, control_joints, ..evidence.clone() }, told)
    };
    let mut all = bodies.iter().map(alone);
    let mut first = all.next().unwrap_or_else(|| recognize_one(evidence, told));
    for other in all {
        first.limbs.extend(other.limbs);
        first.detached_feet.extend(other.detached_feet);
        let roles = first.roles.iter_mut().zip(other.roles);
        roles.for_each(|(role, other)| *role = role.take().or(other));
    }
    first
}

/// A body all of whose roots belong together.
fn recognize_one(evidence: &Evidence<'_>, told: &Told) -> Recognition {
    let (body, shape) = if told.up { stand(evidence, evidence.up) } else { upright(evidence) };
    let named = named::limbs(&body);
    let skeleton = evidence.skeleton;
    let own = skeleton.iter().filter(|joint| !evidence.tips.contains(joint));
    let scheme = Scheme::of(own.filter_map(|joint| skeleton.name(joint)));
    let source = source(evidence, scheme);
    let is_silent = named.is_empty() && shape.legs.is_empty() && !evidence.plain_nodes;
    let hand = if is_silent { finger::lone_hand(&body) } else { Vec::new() };
    let mut drafts = if hand.is_empty() { merge::limbs(&body, &named, &shape, &source) } else { Vec::new() };
    let trunk = trunk::find(&body, &mut drafts, &source);
    let mirrored = skeleton.roots().next().is_some_and(|root| skeleton.base(root).matrix3.determinant() < 0.0);
    let is_upright = !evidence.roles.is_empty() || trunk.is_upright(&body);
    let mut facing = facing::find(&body, &drafts, &trunk, shape.lateral, mirrored, evidence.forward);
    if let Some(forward) = told.forward {
        facing = facing.told(&body, forward);
    }
    facing::give_sides(&body, &mut drafts, &facing);
    drafts
        .iter_mut()
        .filter(|draft| draft.kind == LimbKind::Leg)
        .for_each(|leg| parts::up_to_toes(&body, &mut leg.joints));
    drafts.extend(trunk.drafts());
    let fingers = if hand.is_empty() { finger::find(&body, &drafts, &source) } else { hand };
    drafts.extend(fingers);
    if drafts.is_empty() && !evidence.plain_nodes {
        drafts.extend(merge::lone_chain(&body));
    }
    for limb in &told.limbs {
        limb.replace(&mut drafts);
    }
    drafts.sort_by_key(order);
    let body_kind = body_kind(&drafts, is_upright);
    let feet = feet::find(&body, &drafts, evidence);
    let mut roles = parts::roles(&body, &drafts, &feet, evidence);
    if body_kind == BodyKind::Humanoid {
        parts::hands_without_joints(&mut drafts, &mut roles, evidence);
    }
    for (joint, role) in &told.roles {
        roles[joint.index()] = role.map(|role| Guess { role, confidence: 1.0 });
    }
    let joint = |&index: &usize| skeleton.at(index);
    let limb = |draft: Draft| Limb {
        kind: draft.kind,
        side: draft.side,
        front: draft.front,
        joints: draft.joints.iter().filter_map(joint).collect(),
        confidence: draft.confidence,
        reason: draft.reason,
    };
    Recognition {
        body: body_kind,
        up: body.up,
        forward: facing.forward,
        forward_reason: facing.reason,
        detached_feet: feet.iter().filter_map(|(foot, leg)| Some((joint(foot)?, joint(leg)?))).collect(),
        limbs: drafts.into_iter().map(limb).collect(),
        roles,
    }
}

impl ToldLimb {
    /// Puts the limb in place of what was recognised.
    fn replace(&self, drafts: &mut Vec<Draft>) {
        drafts.retain(|draft| (draft.kind, draft.side, draft.front) != (self.kind, self.side, self.front));
        if !self.joints.is_empty() {
            drafts.push(Draft {
                kind: self.kind,
                side: self.side,
                front: self.front,
                joints: self.joints.iter().map(|joint| joint.index()).collect(),
                confidence: 1.0,
                reason: "the sidecar says so".to_owned(),
            });
        }
    }
}

/// The body with a direction up, and its shape.
fn stand(evidence: &Evidence<'_>, up: DVec3) -> (Tree, Shape) {
    let body = Tree::of(&Evidence { up, ..evidence.clone() });
    let shape = if evidence.plain_nodes { Shape::default() } else { Shape::of(&body) };
    (body, shape)
}

/// The body with the direction up in which it stands: what the evidence says, unless it lies down that way and
/// stands in another of the six.
fn upright(evidence: &Evidence<'_>) -> (Tree, Shape) {
    let stand = |up: DVec3| stand(evidence, up);
    let given = stand(evidence.up);
    if !given.1.legs.is_empty() {
        return given;
    }
    let called_leg = |limb: &named::Named| limb.family == Family::Leg && limb.joints.len() > 1;
    let along = |limb: named::Named| {
        let (first, last) = (limb.joints[0], limb.joints[limb.joints.len() - 1]);
        given.0.place[first] - given.0.end_of(last)
    };
    let legs: DVec3 = named::limbs(&given.0).into_iter().filter(called_leg).map(along).sum();
    let six = [DVec3::Y, DVec3::Z, DVec3::X, DVec3::NEG_Z, DVec3::NEG_X, DVec3::NEG_Y];
    if let Some(legs) = legs.try_normalize() {
        let lies = legs.dot(evidence.up) < 0.3;
        let other = six.into_iter().find(|up| legs.dot(*up) > 0.8).filter(|_| lies);
        return other.map_or(given, stand);
    }
    let others = six.into_iter().filter(|&up| up != evidence.up).map(stand);
    others.into_iter().find(|(_, shape)| shape.legs.len() == 2 && shape.arms.len() == 2).unwrap_or(given)
}

/// What names come from, for reasons.
fn source(evidence: &Evidence<'_>, scheme: Option<Scheme>) -> String {
    match scheme {
        _ if !evidence.roles.is_empty() => "the file's own map of a human".to_owned(),
        Some(scheme) => format!("names, as {} has them", scheme.name()),
        None => "names".to_owned(),
    }
}

/// Trunk, arms, legs, others, then fingers hand by hand; fore before hind, left before right, then by place.
fn order(draft: &Draft) -> (u8, Option<Side>, u8, Option<bool>, Option<usize>) {
    let (group, within) = match draft.kind {
        LimbKind::Spine => (0, 0),
        LimbKind::Head => (1, 0),
        LimbKind::Arm => (2, 0),
        LimbKind::Leg => (3, 0),
        LimbKind::Wing => (4, 0),
        LimbKind::Fin => (5, 0),
        LimbKind::Tail => (6, 0),
        LimbKind::Chain => (7, 0),
        LimbKind::Finger(digit) => (8, digit.map_or(5, |digit| digit as u8)),
    };
    let hind = draft.front.map(|front| !front);
    let (group, side) =
        if draft.kind == LimbKind::Leg && hind == Some(true) { (4, draft.side) } else { (group, draft.side) };
    (group, side, within, hind, draft.joints.first().copied())
}

fn body_kind(drafts: &[Draft], is_upright: bool) -> BodyKind {
    let count = |fits: &dyn Fn(&LimbKind) -> bool| drafts.iter().filter(|draft| fits(&draft.kind)).count();
    let arms = count(&|kind| *kind == LimbKind::Arm);
    let legs = count(&|kind| *kind == LimbKind::Leg);
    let fingers = count(&|kind| matches!(kind, LimbKind::Finger(_)));
    match (arms, legs) {
        (1.., 1 | 2) if is_upright => BodyKind::Humanoid,
        (_, 2) => BodyKind::Biped,
        (_, 3 | 4) => BodyKind::Quadruped,
        (_, 5..) => BodyKind::ManyLegged,
        (0 | 1, 0) if fingers > 1 => BodyKind::Hand,
        (0, 0) if count(&|kind| *kind == LimbKind::Chain) > 0 => BodyKind::Chain,
        _ => BodyKind::Other,
    }
}
