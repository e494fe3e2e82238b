//! What a body is made of, as lanes need it: the joints of `sinew_rig::Body`, their bones and how each is turned in the T-pose.

use sinew::glam::{DQuat, DVec3, Vec3};
use sinew::math::arc;
use sinew::{Joint, Kind, Skeleton};
use sinew_rig::Body;
use sinew_rig::body::author::{Layout, Limb as LimbJoints};

use crate::block::Line;
use crate::body::between::{Between, others};
use crate::body::fold::Fold;
use crate::body::trunk::MOST;
use crate::body::twist::{self, Twist};
use crate::crowd::Bone;
use crate::error::CrowdError;
use crate::inside::Inside;
use crate::limit::narrow;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Sine below which a bone lies along the way it folds, as in `sinew_rig`.
const FLAT: f64 = 1e-6;

/// A joint and the bone that leads to it.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) joint: usize,
    /// The bone in the T-pose, in the body's directions, and its length (metres).
    bone: [f32; 3],
    length: f32,
    /// From the frame of the joint above to the body's directions in the T-pose, and from these to the joint's own.
    above: [f32; 4],
    own: [f32; 4],
    /// Its limit.
    pub(crate) inside: Inside,
}

/// An arm or a leg.
#[derive(Clone, Debug)]
pub(crate) struct Limb {
    pub(crate) collar: Option<Span>,
    pub(crate) upper: Span,
    pub(crate) lower: Span,
    pub(crate) end: Span,
    /// 1 on the body's left, -1 on its right.
    pub(crate) sign: f32,
    /// How the upper and the lower bone, and the axis that each folds about, lie in the T-pose.
    pub(crate) frames: [[f32; 4]; 2],
    /// The direction of the lower bone.
    pub(crate) line: [f32; 3],
    /// Elbow or knee, where it is a hinge.
    pub(crate) fold: Option<Fold>,
    /// Share of a hand's roll that a forearm has, and bones beside it that have more.
    pub(crate) share: f32,
    pub(crate) twists: Vec<Twist>,
}

/// The joints of a body.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// Whether lanes know bodies like it.
    pub(crate) is_known: bool,
    /// Other joints between its parts: lanes know them as they are at rest.
    pub(crate) between: Vec<Between>,
    /// What carries hips and head: the hips, or what hips and spine hang on.
    pub(crate) core: Joint,
    pub(crate) hips: usize,
    /// From the hips' own frame to the body's directions in the T-pose, and back.
    pub(crate) own: [[f32; 4]; 2],
    /// From the first joint above the hips to the head.
    pub(crate) trunk: Vec<Span>,
    /// Its joint that the arms hang on.
    pub(crate) chest: usize,
    pub(crate) arms: [Limb; 2],
    pub(crate) legs: [Limb; 2],
    /// Hips, head, hands and feet, and how each is turned in the T-pose: from its own frame to the body's directions.
    pub(crate) ends: [(Joint, [f32; 4]); 6],
    /// The length of a leg at rest (metres).
    pub(crate) leg: f32,
    /// The limit of the hips.
    pub(crate) inside: Inside,
    /// Whether no joint has a limit.
    pub(crate) is_free: bool,
}

impl Parts {
    pub(crate) fn of(skeleton: &Skeleton, bones: &[Bone], body: &Body) -> Result<Self, CrowdError> {
        let layout = body.layout();
        let unknown = CrowdError::Unknown;
        let fits = layout.joints.iter().all(|&(joint, _)| skeleton.contains(joint));
        let ([Some(left), Some(right)], [Some(left_leg), Some(right_leg)]) = (layout.arms, layout.legs) else {
            return Err(unknown("a body without two arms and two legs"));
        };
        let limbs = [left, right, left_leg, right_leg];
        let count =
            1 + layout.trunk.len() + limbs.iter().map(|limb| 3 + usize::from(limb.collar.is_some())).sum::<usize>();
        if !fits {
            return Err(unknown("a body of another skeleton"));
        }
        let is_row = |limb: &LimbJoints| {
            skeleton.parent(limb.end) == Some(limb.lower) && skeleton.parent(limb.lower) == Some(limb.upper)
        };
        let twists = || layout.rolls().filter(|(joint, lower, _)| joint != lower);
        let are_beside = twists().all(|(joint, lower, _)| skeleton.parent(joint) == Some(lower));
        let is_whole = layout.core == layout.hips
            && layout.joints.len() == count + twists().count()
            && limbs.iter().all(is_row)
            && are_beside;
        let are_few = limbs.iter().all(|limb| twists().filter(|roll| roll.1 == limb.lower).count() <= twist::MOST);
        let has_trunk = layout.trunk.len() <= MOST + 1 && layout.chest + 1 < layout.trunk.len();
        let turns = layout.joints.iter().all(|&(joint, _)| Inside::of(skeleton, joint).is_ok());
        let is_free = |&(joint, _): &(Joint, Option<Joint>)| matches!(skeleton.kind(joint), Kind::BALL | Kind::Free);
        let span = |joint: Joint| span(layout, skeleton, bones, joint);
        let limb = |joints: &LimbJoints, fold| {
            let limb = Limb { fold: folded(layout, skeleton, joints, &span), ..limb(joints, fold, &span) };
            rolling(layout, joints, &span, limb)
        };
        let (hips, head) = (layout.hips, layout.trunk[layout.trunk.len() - 1]);
        let legs = [limb(&left_leg, DVec3::NEG_Z), limb(&right_leg, DVec3::NEG_Z)];
        let ends = [hips, head, left.end, right.end, left_leg.end, right_leg.end];
        Ok(Self {
            is_known: is_whole && are_few && has_trunk && turns,
            between: Between::all(layout, skeleton),
            core: layout.core,
            hips: hips.index(),
            own: [narrow(layout.own(hips)), narrow(layout.own(hips).conjugate())],
            trunk: layout.trunk.iter().map(|&joint| span(joint)).collect(),
            chest: layout.chest,
            arms: [limb(&left, DVec3::Z), limb(&right, DVec3::Z)],
            leg: legs[0].lower.length + legs[0].end.length,
            legs,
            inside: inside(skeleton, hips),
            is_free: layout.joints.iter().all(is_free),
            ends: ends.map(|joint| (joint, narrow(layout.own(joint)))),
        })
    }

    /// All joints but the hips.
    pub(crate) fn spans(&self) -> impl Iterator<Item = &Span> {
        self.trunk.iter().chain(self.arms.iter().chain(&self.legs).flat_map(Limb::spans))
    }

    /// Where all bones are longer than nothing.
    #[inline(always)]
    pub(crate) fn are_long<L: Lanes>(&self, like: L, lengths: &[Line], at: usize) -> L::Mask {
        let zero = like.of(0.0);
        let mut least = like.of(1.0);
        for span in self.spans() {
            if let Some(line) = lengths.get(span.joint) {
                least = least.or_less(like.load(&line.0[at..]));
            }
        }
        zero.is_less(least)
    }
}

fn span(layout: &Layout, skeleton: &Skeleton, bones: &[Bone], joint: Joint) -> Span {
    let offset = |joint: Joint| Vec3::from_array(bones[joint.index()].offset).as_dvec3();
    let (mut bone, mut turn, mut last) = (offset(joint), DQuat::IDENTITY, joint);
    for other in others(layout, skeleton, joint) {
        let rest = skeleton.rest(other).rotation;
        (bone, turn, last) = (offset(other) + rest * bone, rest * turn, other);
    }
    let above = skeleton.parent(last).map_or(DQuat::IDENTITY, |above| layout.own(above));
    let length = if last == joint { bones[joint.index()].length } else { arc::length(bone) as f32 };
    let (in_body, above) = (above.conjugate() * bone, turn.conjugate() * above);
    Span {
        joint: joint.index(),
        bone: in_body.as_vec3().to_array(),
        length,
        above: narrow(above),
        own: narrow(layout.own(joint).conjugate()),
        inside: inside(skeleton, joint),
    }
}

/// A joint's limit.
fn inside(skeleton: &Skeleton, joint: Joint) -> Inside {
    Inside::of(skeleton, joint).unwrap_or(Inside::Unknown)
}

/// A limb with its shares of the hand's roll.
fn rolling(layout: &Layout, joints: &LimbJoints, span: &impl Fn(Joint) -> Span, limb: Limb) -> Limb {
    let rolls = || layout.rolls().filter(|roll| roll.1 == joints.lower);
    let own = rolls().find(|roll| roll.0 == joints.lower).map_or(0.0, |roll| roll.2 as f32);
    let share = if limb.fold.is_none() { own } else { 0.0 };
    let twists = rolls().filter(|roll| roll.0 != joints.lower);
    let twists = twists.map(|roll| Twist { span: span(roll.0), share: roll.2 as f32 - share }).collect();
    Limb { share, twists, ..limb }
}

/// The hinge of a limb.
fn folded(layout: &Layout, skeleton: &Skeleton, joints: &LimbJoints, span: &impl Fn(Joint) -> Span) -> Option<Fold> {
    let Kind::Hinge { axis, range } = skeleton.kind(joints.lower) else { return None };
    let [above, own] = [joints.upper, joints.lower].map(|joint| layout.own(joint));
    let zero = above.conjugate() * skeleton.zero(joints.lower).rotation * own;
    Some(Fold::new([span(joints.lower).bone, span(joints.end).bone], (zero, own.conjugate() * axis), range))
}

fn limb(joints: &LimbJoints, fold: DVec3, span: &impl Fn(Joint) -> Span) -> Limb {
    let [upper, lower, end] = [joints.upper, joints.lower, joints.end].map(span);
    let unit = |span: &Span| arc::unit(Vec3::from_array(span.bone).as_dvec3()).unwrap_or(DVec3::X);
    let frame = |span: &Span| {
        let from = unit(span);
        let own = arc::unit_reject(from.cross(fold), from, FLAT).unwrap_or_else(|| arc::any_perpendicular(from));
        narrow(arc::between_frames(from, own, DVec3::X, DVec3::Y))
    };
    Limb {
        collar: joints.collar.map(span),
        sign: if joints.sign > 0.0 { 1.0 } else { -1.0 },
        frames: [frame(&lower), frame(&end)],
        line: unit(&end).as_vec3().to_array(),
        fold: None,
        share: 0.0,
        twists: Vec::new(),
        upper,
        lower,
        end,
    }
}

impl Span {
    /// The bone in the T-pose, as long as the character's is, and its length.
    #[inline(always)]
    pub(crate) fn bone<L: Lanes>(&self, like: L, lengths: &[Line], at: usize) -> (Vector<L>, L) {
        let (bone, length) = (Vector::of(like, self.bone), like.of(self.length));
        if let Some(line) = lengths.get(self.joint) {
            let factor = like.load(&line.0[at..]);
            (bone * factor, length * factor)
        } else {
            (bone, length)
        }
    }

    /// How many times as long as at rest it is.
    #[inline(always)]
    pub(crate) fn factor<L: Lanes>(&self, like: L, lengths: &[Line], at: usize) -> L {
        if let Some(line) = lengths.get(self.joint) { like.load(&line.0[at..]) } else { like.of(1.0) }
    }

    /// What a local rotation turns the joint by against the T-pose, on the joint above.
    #[inline(always)]
    pub(crate) fn against_t_pose<L: Lanes>(&self, local: Turn<L>) -> Turn<L> {
        let (before, after) = (Turn::of(local.w, self.above), Turn::of(local.w, self.own));
        before.conjugate().then_after(local).then_after(after.conjugate())
    }

    /// The local rotation that takes the joint from one above it, which is turned so, to where it is to be, both against the T-pose.
    #[inline(always)]
    pub(crate) fn local<L: Lanes>(&self, above: Turn<L>, new: Turn<L>) -> Turn<L> {
        let (before, after) = (Turn::of(new.w, self.above), Turn::of(new.w, self.own));
        before.then_after(above.conjugate().then_after(new)).then_after(after).renormalized()
    }
}

impl Limb {
    /// All its joints.
    fn spans(&self) -> impl Iterator<Item = &Span> {
        // Twist bones apart.
        self.collar.iter().chain([&self.upper, &self.lower, &self.end])
    }

    /// How many times as long as at rest its two bones are.
    #[inline(always)]
    pub(crate) fn factors<L: Lanes>(&self, like: L, lengths: &[Line], at: usize) -> [L; 2] {
        [self.lower.factor(like, lengths, at), self.end.factor(like, lengths, at)]
    }

    /// How far its two bones reach.
    #[inline(always)]
    pub(crate) fn reach<L: Lanes>(&self, like: L, lengths: &[Line], at: usize) -> L {
        if let Some(fold) = &self.fold {
            return fold.spans(self.factors(like, lengths, at)).0[0];
        }
        self.lower.bone(like, lengths, at).1 + self.end.bone(like, lengths, at).1
    }
}
