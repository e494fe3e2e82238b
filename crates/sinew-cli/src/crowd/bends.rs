//! How a crowd bends a recognised limb: as two bones where these are most of it, else as a chain.

use sinew::{Bend, Chain, Fabrik, Joint, Skeleton, TwoBone};
use sinew_crowd::{Crowd, CrowdError};
use sinew_rig::{Limb, Part};

use crate::limb::{Recognized, recognized};
use crate::rig::Rig;

/// Share of a limb that two bones must be at least, so that the rest may ride on them: a foot does, half a spider's leg does not.
const MOST: f64 = 0.6;
/// How near the tip of a chain comes to its target (share of the chain's length).
const NEAR: f64 = 1e-4;

/// What bends.
pub(super) enum Bends {
    Two(TwoBone),
    /// From its base to its tip, each the parent of the next.
    Chain(Vec<Joint>),
}

impl Bends {
    /// `None` where nothing of a limb can bend so that it reaches.
    pub(super) fn of(rig: &Rig, limb: &Limb) -> Option<Self> {
        let skeleton = rig.skeleton();
        let last = *limb.joints.last()?;
        // The end of the last bone, where nothing else has two.
        let end = skeleton.children(last).find(|&end| skeleton.children(end).next().is_none());
        let two = limb.joints.iter().rev().copied().chain(end).find_map(|tip| match recognized(rig, tip) {
            Some(Recognized::Two(own)) => Some(TwoBone { bend: Bend::Rest, ..own }),
            _ => None,
        });
        let part = |joint: &Joint| rig.found().role(*joint).map(|guess| guess.role.part);
        let first = limb.joints.iter().position(|joint| part(joint) != Some(Part::Shoulder))?;
        let chain = path(skeleton, limb.joints[first], last);
        let share = |own: &TwoBone| length(skeleton, &path(skeleton, own.root, own.tip)) / length(skeleton, &chain);
        match two {
            Some(own) if MOST <= share(&own) || chain.len() < 3 => Some(Self::Two(own)),
            _ if chain.len() < 3 => None,
            _ => Some(Self::Chain(chain)),
        }
    }

    /// The crowd that bends it, too.
    pub(super) fn add_to(&self, crowd: Crowd) -> Result<Crowd, CrowdError> {
        match self {
            Self::Two(own) => crowd.two_bone(own),
            Self::Chain(joints) => {
                let fabrik = Fabrik { base: Some(joints[0]), position_tolerance: NEAR, ..Fabrik::default() };
                crowd.fabrik(&fabrik, joints[joints.len() - 1])
            }
        }
    }

    /// Its joints that bend, and its tip.
    pub(super) fn joints(&self) -> Vec<Joint> {
        match self {
            Self::Two(own) => vec![own.root, own.mid, own.tip],
            Self::Chain(joints) => joints.clone(),
        }
    }
}

/// From a joint down to one below it, both included.
fn path(skeleton: &Skeleton, from: Joint, to: Joint) -> Vec<Joint> {
    Chain::new(skeleton, from, to).map_or_else(|_| vec![to], |chain| chain.joints().to_vec())
}

/// Length of the way along joints at rest (metres).
pub(super) fn length(skeleton: &Skeleton, joints: &[Joint]) -> f64 {
    let rest = skeleton.rest_pose();
    joints.windows(2).map(|pair| rest.position(pair[0]).distance(rest.position(pair[1]))).sum()
}
