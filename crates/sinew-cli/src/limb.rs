//! The limb that serves a goal, or why there is none, in the names of the file.

use anyhow::{Result, anyhow};
use sinew::{ChainError, Joint, Skeleton, ThreeLink, TwoBone};
use sinew_rig::{Limb, LimbKind, Part};

use crate::one_bone::OneBone;
use crate::rig::Rig;
use crate::text;

/// A joint nearer to the one above it than this part of the limb is at its place.
const DOUBLED: f64 = 1e-3;
/// How far down a better tip is looked for.
const DEEPEST: usize = 8;

/// A limb as it was recognised.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Recognized {
    One(OneBone),
    Two(TwoBone),
    Three(ThreeLink),
}

impl Recognized {
    /// Root, middle and tip of what bends.
    pub(crate) fn bend(self) -> Option<[Joint; 3]> {
        match self {
            Self::One(_) => None,
            Self::Two(limb) => Some([limb.root, limb.mid, limb.tip]),
            Self::Three(limb) => Some([limb.root, limb.mid, limb.tip]),
        }
    }
}

/// The recognised arm, leg or finger that ends at `tip`, from its first joint on: two bones, three links where it has
/// so many, one bone where an arm or leg has no more. The wrist of an arm of four joints goes with the forearm, collar bones stay out.
pub(crate) fn recognized(rig: &Rig, tip: Joint) -> Option<Recognized> {
    let (skeleton, found) = (rig.skeleton(), rig.found());
    let down_to = |limb: &Limb| {
        let mut joints = limb.joints.clone();
        // The end of its last bone, in the file or not.
        let is_end = skeleton.children(tip).next().is_none() && joints.last().copied() == skeleton.parent(tip);
        joints.extend(Some(tip).filter(|_| is_end));
        let last = joints.iter().position(|&joint| joint == tip)?;
        joints.truncate(last + 1);
        // What lies before the thigh or the upper arm is no bone of the limb, nor is what doubles a joint.
        let part = |joint: Joint| found.role(joint).map(|guess| guess.role.part);
        let is_upper = |&joint: &Joint| matches!(part(joint), Some(Part::UpperLeg | Part::UpperArm));
        joints.drain(..joints.iter().position(is_upper).unwrap_or(0));
        let doubled =
            |pair: &[Joint]| skeleton.rest(pair[1]).translation.length() < DOUBLED * joints_length(skeleton, &joints);
        let doubles: Vec<Joint> =
            joints.windows(2).filter(|pair| doubled(pair) && part(pair[0]).is_none()).map(|pair| pair[0]).collect();
        joints.retain(|joint| part(*joint) != Some(Part::Shoulder) && !doubles.contains(joint));
        Some((limb.kind, joints))
    };
    let of_kind = |limb: &&Limb| matches!(limb.kind, LimbKind::Arm | LimbKind::Leg | LimbKind::Finger(_));
    let (kind, joints) = found.limbs.iter().filter(of_kind).find_map(down_to)?;
    match (kind, &joints[..]) {
        (LimbKind::Finger(_), &[.., root, mid, low, tip]) | (LimbKind::Leg, &[root, mid, low, tip]) => {
            ThreeLink::new(skeleton, root, mid, low, tip).ok().map(Recognized::Three)
        }
        (_, &[root, mid, tip]) | (LimbKind::Arm, &[root, mid, _, tip]) => {
            TwoBone::new(skeleton, root, mid, tip).ok().map(Recognized::Two)
        }
        (LimbKind::Arm | LimbKind::Leg, &[root, tip]) => {
            skeleton.kind(root).turns().then_some(Recognized::One(OneBone { root, tip }))
        }
        _ => None,
    }
}

/// How long the bones between joints are together.
fn joints_length(skeleton: &Skeleton, joints: &[Joint]) -> f64 {
    joints.iter().skip(1).map(|&joint| skeleton.rest(joint).translation.length()).sum()
}

/// The limb from `base` down to `tip`, else up to the second bend above it.
pub(crate) fn ending_at(rig: &Rig, tip: Joint, base: Option<Joint>) -> Result<TwoBone> {
    let skeleton = rig.skeleton();
    match base {
        None => TwoBone::ending_at(skeleton, tip),
        Some(base) => TwoBone::between(skeleton, base, tip),
    }
    .map_err(|error| explain(rig, tip, base, &error))
}

/// The limb of three links from `base` down to `tip`, else up to the third bend above it.
pub(crate) fn three_links(rig: &Rig, tip: Joint, base: Option<Joint>) -> Result<ThreeLink> {
    let skeleton = rig.skeleton();
    let limb = match base {
        None => ThreeLink::ending_at(skeleton, tip),
        Some(base) => ThreeLink::between(skeleton, base, tip),
    };
    limb.map_err(|error| match (&error, base) {
        (ChainError::TooShort { .. }, None) => {
            anyhow!("three links need three bends above their tip, '{}' has fewer; name a joint further down", rig.label(tip))
        }
        (ChainError::TooShort { .. }, Some(base)) => {
            let (base, name) = (rig.label(base), rig.label(tip));
            anyhow!("the path from '{base}' to '{name}' has not three bends, the first at '{base}'; as --base, name the third above '{name}'")
        }
        _ => explain(rig, tip, base, &error),
    })
}

fn explain(rig: &Rig, tip: Joint, base: Option<Joint>, error: &ChainError) -> anyhow::Error {
    let name = rig.label(tip);
    match (error, base) {
        (_, Some(base)) if base == tip => {
            anyhow!("'{name}' cannot be its own base; name a joint at least two above it")
        }
        (ChainError::NotBelow { .. }, Some(base)) => {
            let (base, above) = (rig.label(base), text::list(above(rig, tip).into_iter()));
            anyhow!("'{name}' does not lie below '{base}'; as --base, name a joint above it: {above}")
        }
        (ChainError::TooShort { .. }, Some(base)) => {
            let base_name = rig.label(base);
            let instead = lower(rig, tip, Some(base)).map_or("a base further up".to_owned(), |tip| format!("'{tip}'"));
            anyhow!("no joint with a length can bend between '{base_name}' and '{name}'; name {instead} instead")
        }
        (ChainError::TooShort { .. }, None) => {
            let instead = match (lower(rig, tip, None), rig.skeleton().parent(tip)) {
                (Some(tip), _) => format!("name a joint further down, such as '{tip}'"),
                (None, None) => {
                    "it hangs on no other joint: parent it in the file, or turn it by --turn or --aim".to_owned()
                }
                (None, Some(_)) => "no joint below has more; turn one by --turn or --aim".to_owned(),
            };
            anyhow!("a limb needs two bends above its tip, '{name}' has fewer; {instead}")
        }
        (ChainError::Stiff { joint }, _) => {
            let label = rig.skeleton().at(joint.index).map_or_else(|| joint.to_string(), |joint| rig.label(joint));
            anyhow!("'{label}' cannot turn, so no limb begins there; as --base, name a joint that can")
        }
        _ => anyhow!("'{name}': {error}"),
    }
}

/// The joints at which a limb may begin, nearest first.
fn above(rig: &Rig, tip: Joint) -> Vec<String> {
    let skeleton = rig.skeleton();
    let up = std::iter::successors(skeleton.parent(tip), |&joint| skeleton.parent(joint)).skip(1);
    up.filter(|&joint| skeleton.kind(joint).turns()).map(|joint| rig.label(joint)).collect()
}

/// The first joint below that would do as a tip.
fn lower(rig: &Rig, tip: Joint, base: Option<Joint>) -> Option<String> {
    let skeleton = rig.skeleton();
    let down = std::iter::successors(skeleton.children(tip).next(), |&joint| skeleton.children(joint).next());
    let does = |joint: &Joint| match base {
        None => TwoBone::ending_at(skeleton, *joint).is_ok(),
        Some(base) => TwoBone::between(skeleton, base, *joint).is_ok(),
    };
    down.take(DEEPEST).find(does).map(|joint| rig.label(joint))
}
