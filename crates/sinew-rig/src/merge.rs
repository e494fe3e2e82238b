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
/// Joints nearer to one another than this part of their limb are at one place.
pub(crate) const NO_LENGTH: f64 = 1e-3;
/// Arms of an animal that stands on two legs are shorter than this part of them, and end by this part of its height above their ends.
const SMALL_ARM: f64 = 0.75;
const OFF_GROUND: f64 = 0.2;
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
                let is_finger = |chain: &Chain| {
                    chain.joints.first().is_some_and(|&first| matches!(body.hint(first), Hint::Finger(_)))
                };
                let free =
                    |chain: &&Chain| !is_finger(chain) && !drafts.iter().any(|draft| meet(body, &draft.joints, chain));
                // Twins are cut alike, as far as both have joints.
                let joints = |chain: &Chain| -> usize {
                    let own = chain.joints.len();
                    chain.twin.map_or(own, |twin| chains[twin].joints.len().min(own))
                };
                let bones = |chain: &Chain| Bones::of(body, &chain.joints[..joints(chain)], kind == LimbKind::Arm);
                let upper = |chain: &Chain| bones(chain).upper;
                let cut = |chain: &Chain| chain.twin.map_or(0, |twin| upper(&chains[twin])).max(upper(chain));
                let new: Vec<Draft> =
                    chains.iter().filter(free).map(|chain| of_shape(chain, &bones(chain), cut(chain), kind)).collect();
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
        Family::Fin => LimbKind::Fin,
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
    small_arms(body, drafts);
    // Beside fore legs the others are hind legs.
    if drafts.iter().any(|draft| draft.front == Some(true)) {
        drafts
            .iter_mut()
            .filter(|draft| draft.kind == LimbKind::Leg && draft.front.is_none())
            .for_each(|draft| draft.front = Some(false));
    }
}

/// The fore legs of an animal that stands on two are its arms: shorter, and off the ground on which the others stand.
fn small_arms(body: &Tree, drafts: &mut [Draft]) {
    let of = |front: bool| drafts.iter().filter(move |draft| draft.kind == LimbKind::Leg && draft.front == Some(front));
    let lowest = |front: bool| {
        let joints = of(front).flat_map(|leg| &leg.joints);
        let places = joints.flat_map(|&joint| [body.place[joint], body.end_of(joint)]);
        places.map(|place| body.above_floor(place)).fold(f64::INFINITY, f64::min)
    };
    let longest = |front: bool| {
        of(front).filter_map(|leg| leg.joints.first()).map(|&first| body.reach[first]).fold(0.0, f64::max)
    };
    let stands_on_two = of(true).count() == 2
        && of(false).count() == 2
        && longest(true) < SMALL_ARM * longest(false)
        && lowest(true) - lowest(false) > OFF_GROUND * body.height();
    if !stands_on_two {
        return;
    }
    for draft in drafts.iter_mut().filter(|draft| draft.kind == LimbKind::Leg && draft.front.is_some()) {
        if draft.front == Some(true) {
            draft.kind = LimbKind::Arm;
            draft.reason += "; named a leg, but it hangs above the ground on which two others stand";
        }
        draft.front = None;
    }
}

fn agree(draft: &mut Draft) {
    draft.confidence += AGREED;
    draft.reason += ", and by shape";
}

/// A limb by shape, cut where a hand or the toes begin.
fn of_shape(chain: &Chain, bones: &Bones, upper: usize, kind: LimbKind) -> Draft {
    let wanted = upper + if kind == LimbKind::Arm { 3 } else { 4 };
    let last = bones.begins.get(wanted - 1).or(bones.begins.last());
    let joints: Vec<usize> = chain.joints.iter().copied().take(last.map_or(1, |last| last + 1)).collect();
    let paired = if chain.twin.is_some() { "one of a pair of like chains" } else { "one of several like chains" };
    let where_ = if kind == LimbKind::Leg { "down to the ground" } else { "off the ground" };
    Draft { kind, side: None, front: None, joints, confidence: SHAPED, reason: format!("shape: {paired}, {where_}") }
}

/// The bones of a limb, each as the place of its joint in the limb: of joints at one place the last begins the bone.
pub(crate) struct Bones {
    pub(crate) begins: Vec<usize>,
    /// Which bone is the upper arm or leg.
    pub(crate) upper: usize,
}

impl Bones {
    /// The upper bone is the first of the two longest in a row. Bones of a leg count mostly by how far they come down, since a foot
    /// may be as long as a shin. Of an arm whose second bone is clearly the longest the first is a collar bone.
    pub(crate) fn of(body: &Tree, joints: &[usize], arm: bool) -> Self {
        let apart = |place: usize| {
            let next = joints.get(place + 1).map(|&next| body.place[next]);
            let slack = NO_LENGTH * body.reach[joints[0]];
            next.is_none_or(|next| next.distance(body.place[joints[place]]) > slack)
        };
        let begins: Vec<usize> = (0..joints.len()).filter(|&place| apart(place)).collect();
        let mut places: Vec<glam::DVec3> = begins.iter().map(|&place| body.place[joints[place]]).collect();
        places.extend(joints.last().map(|&last| body.end_of(last)));
        let size = |bone: &[glam::DVec3]| {
            let (length, drop) = (bone[0].distance(bone[1]), (bone[0] - bone[1]).dot(body.up).abs());
            if arm { length } else { 0.2 * length + 0.8 * drop }
        };
        let bones: Vec<f64> = places.windows(2).map(size).collect();
        let mut best = (0, f64::NEG_INFINITY);
        for (place, pair) in bones.windows(2).enumerate().take(begins.len().saturating_sub(1)) {
            // Of equals the upper.
            if pair[0] + pair[1] > best.1 * (1.0 + 1e-9) {
                best = (place, pair[0] + pair[1]);
            }
        }
        let collar = |at: &[f64]| at[0] < COLLAR * at[1] && at[2] > HAND * at[1];
        // Where a joint before it may be the collar bone's, it is none.
        let is_collar = arm && best.0 == 0 && bones.get(best.0..best.0 + 3).is_some_and(collar);
        let upper = best.0 + usize::from(is_collar && best.0 + 1 < begins.len());
        Self { begins, upper }
    }

    /// The bone that begins at a place in the limb, or at the same place after it.
    pub(crate) fn at(&self, place: usize) -> usize {
        self.begins.iter().position(|&begin| begin >= place).unwrap_or(self.begins.len())
    }
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
