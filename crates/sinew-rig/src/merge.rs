//! Names against shape: what both say is surer, and where they contradict each other the ground decides.

use crate::limb::LimbKind;
use crate::name::{Family, Hint};
use crate::named::Named;
use crate::role::Side;
use crate::shape::{Chain, Shape};
use crate::tree::Tree;

/// Confidence of a limb that names give on both sides.
const NAMED: f64 = 0.9;
/// On one side only, or of one joint.
const NAMED_ALONE: f64 = 0.7;
/// Of a limb that shape alone gives.
const SHAPED: f64 = 0.7;
/// A collar bone is shorter than this part of the upper arm, a forearm is longer than this part of it.
const COLLAR: f64 = 0.85;
const HAND: f64 = 0.4;
/// What agreement of both adds.
const AGREED: f64 = 0.07;

/// A limb in the making; joints are depth-first indices.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) kind: LimbKind,
    pub(crate) side: Option<Side>,
    pub(crate) front: Option<bool>,
    pub(crate) joints: Vec<usize>,
    pub(crate) confidence: f64,
    pub(crate) reason: String,
}

/// Arms, legs, tails and wings.
pub(crate) fn limbs(body: &Tree, named: &[Named], shape: &Shape, source: &str) -> Vec<Draft> {
    let from_file = source.contains("map");
    let mut drafts: Vec<Draft> = named.iter().map(|limb| of_name(limb, named, source, from_file)).collect();
    if !from_file {
        let quadruped = shape.legs.len() >= 4;
        contradict(body, &mut drafts, shape, quadruped);
        for (chains, kind) in [(&shape.arms, LimbKind::Arm), (&shape.legs, LimbKind::Leg)] {
            if !drafts.iter().any(|draft| draft.kind == kind) {
                let free = |chain: &&Chain| !drafts.iter().any(|draft| meet(body, &draft.joints, chain));
                let upper = |chain: &Chain| upper_bone(body, &chain.joints, kind == LimbKind::Arm);
                // Twins are cut alike.
                let cut = |chain: &Chain| chain.twin.map_or(0, |twin| upper(&chains[twin])).max(upper(chain));
                let new: Vec<Draft> =
                    chains.iter().filter(free).map(|chain| of_shape(chain, cut(chain), kind)).collect();
                drafts.extend(new);
            }
        }
    }
    drafts
}

fn of_name(limb: &Named, all: &[Named], source: &str, from_file: bool) -> Draft {
    let kind = match limb.family {
        Family::Arm => LimbKind::Arm,
        Family::Leg => LimbKind::Leg,
        Family::Tail => LimbKind::Tail,
        Family::Wing => LimbKind::Wing,
    };
    let twin = |other: &Named| {
        let same = other.family == limb.family && other.front == limb.front;
        same && limb.side.is_some()
            && other.side == limb.side.map(Side::other)
            && other.joints.len() == limb.joints.len()
    };
    let sure = all.iter().any(twin) || (kind == LimbKind::Tail && limb.joints.len() > 2);
    let confidence = match (from_file, sure && limb.joints.len() > 1) {
        (true, _) => 0.99,
        (false, true) => NAMED,
        (false, false) => NAMED_ALONE,
    };
    Draft {
        kind,
        side: limb.side,
        front: limb.front,
        joints: limb.joints.clone(),
        confidence,
        reason: source.to_owned(),
    }
}

/// Whether a limb and a chain share joints, or one begins in the other.
fn meet(body: &Tree, joints: &[usize], chain: &Chain) -> bool {
    let (Some(&limb), Some(&start)) = (joints.first(), chain.joints.first()) else { return false };
    body.is_below(limb, start)
        || (body.is_below(start, limb) && joints.iter().any(|joint| chain.joints.contains(joint)))
}

/// Fore legs that are called arms, and names that say arm where legs are and leg where arms are.
fn contradict(body: &Tree, drafts: &mut [Draft], shape: &Shape, quadruped: bool) {
    let is = |draft: &Draft, chains: &[Chain]| chains.iter().any(|chain| meet(body, &draft.joints, chain));
    let all = |kind: LimbKind, chains: &[Chain]| {
        let mut of_kind = drafts.iter().filter(|draft| draft.kind == kind).peekable();
        of_kind.peek().is_some() && of_kind.all(|draft| is(draft, chains))
    };
    let swapped = !quadruped && all(LimbKind::Arm, &shape.legs) && all(LimbKind::Leg, &shape.arms);
    for draft in drafts.iter_mut() {
        let (arm, leg) = (is(draft, &shape.arms), is(draft, &shape.legs));
        match draft.kind {
            LimbKind::Arm | LimbKind::Leg if swapped => {
                draft.kind = if draft.kind == LimbKind::Arm { LimbKind::Leg } else { LimbKind::Arm };
                draft.confidence = SHAPED;
                draft.reason = format!(
                    "shape; its names say {}",
                    if leg { "arm, but it stands" } else { "leg, but it hangs above the legs" }
                );
            }
            LimbKind::Arm if quadruped && leg => {
                (draft.kind, draft.front) = (LimbKind::Leg, Some(true));
                draft.reason += "; named an arm, but it stands on the ground as the legs do";
            }
            LimbKind::Arm if arm && !quadruped => agree(draft),
            LimbKind::Leg if leg => agree(draft),
            _ => {}
        }
    }
    // Beside fore legs the others are hind legs.
    if drafts.iter().any(|draft| draft.front == Some(true)) {
        drafts
            .iter_mut()
            .filter(|draft| draft.kind == LimbKind::Leg && draft.front.is_none())
            .for_each(|draft| draft.front = Some(false));
    }
}

fn agree(draft: &mut Draft) {
    draft.confidence += AGREED;
    draft.reason += ", and by shape";
}

/// A limb by shape, cut where a hand or the toes begin.
fn of_shape(chain: &Chain, upper: usize, kind: LimbKind) -> Draft {
    let wanted = upper + if kind == LimbKind::Arm { 3 } else { 4 };
    let joints: Vec<usize> = chain.joints.iter().copied().take(wanted).collect();
    let paired = if chain.twin.is_some() { "one of a pair of like chains" } else { "one of several like chains" };
    let where_ = if kind == LimbKind::Leg { "down to the ground" } else { "off the ground" };
    Draft { kind, side: None, front: None, joints, confidence: SHAPED, reason: format!("shape: {paired}, {where_}") }
}

/// Place in a chain of the joint at which its two longest bones in a row begin: the upper arm or leg. Bones of a leg
/// count mostly by how far they come down, since a foot may be as long as a shin. Of an arm whose second bone is
/// clearly the longest the first is a collar bone.
pub(crate) fn upper_bone(body: &Tree, joints: &[usize], arm: bool) -> usize {
    let mut places: Vec<glam::DVec3> = joints.iter().map(|&joint| body.place[joint]).collect();
    places.extend(joints.last().map(|&last| body.end_of(last)));
    let size = |bone: &[glam::DVec3]| {
        let (length, drop) = (bone[0].distance(bone[1]), (bone[0] - bone[1]).dot(body.up).abs());
        if arm { length } else { 0.2 * length + 0.8 * drop }
    };
    let bones: Vec<f64> = places.windows(2).map(size).collect();
    let mut best = (0, f64::NEG_INFINITY);
    for (place, pair) in bones.windows(2).enumerate().take(joints.len().saturating_sub(1)) {
        // Of equals the upper.
        if pair[0] + pair[1] > best.1 * (1.0 + 1e-9) {
            best = (place, pair[0] + pair[1]);
        }
    }
    let collar = |at: &[f64]| at[0] < COLLAR * at[1] && at[2] > HAND * at[1];
    // Where a joint before it may be the collar bone's, it is none.
    let shift = arm && best.0 == 0 && bones.get(best.0..best.0 + 3).is_some_and(collar) && best.0 + 1 < joints.len();
    best.0 + usize::from(shift)
}

/// The one row of joints that a body without limbs is, with two bones at least.
pub(crate) fn lone_chain(body: &Tree) -> Option<Draft> {
    let &[root] = body.roots.as_slice() else { return None };
    let mut joints = vec![root];
    while let [next] = body.children[joints[joints.len() - 1]].as_slice() {
        joints.push(*next);
    }
    let last = joints[joints.len() - 1];
    let size = body.reach[root];
    let ends = joints.iter().skip(1).map(|&joint| body.place[joint]).chain([body.end_of(last)]);
    let bones = joints.iter().zip(ends).filter(|(joint, end)| body.place[**joint].distance(*end) > 1e-6 * size).count();
    let named = joints.iter().any(|&joint| !matches!(body.hint(joint), Hint::Nothing | Hint::Root));
    (body.children[last].is_empty() && bones >= 2 && !named).then(|| Draft {
        kind: LimbKind::Chain,
        side: None,
        front: None,
        joints,
        confidence: SHAPED,
        reason: "shape: the whole is one row of joints".to_owned(),
    })
}
