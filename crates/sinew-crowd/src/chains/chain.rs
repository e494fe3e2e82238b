//! A chain of all characters: its joints, their limits, and how it is solved.

use sinew::solve::fabrik::{Fabrik, Twist};
use sinew::solve::two_bone::Reach;
use sinew::{Joint, Skeleton, Start};

use crate::error::CrowdError;
use crate::limit::Limit;

/// Bones of the longest chain.
pub(crate) const MOST: usize = 64;
/// The finest tolerance that `f32` keeps, as a share of the chain's length.
const FINEST: f64 = 2e-6;

/// A chain from a base to the joint above its tip.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// Each joint is the parent of the next.
    pub(crate) joints: Vec<usize>,
    /// Where each joint's bone leads: the next joint, last the tip.
    pub(crate) ends: Vec<usize>,
    pub(crate) limits: Vec<Limit>,
    pub(crate) tip: usize,
    /// Whether no joint has a limit.
    pub(crate) free: bool,
    pub(crate) iterations: u32,
    /// As a share of the chain's length.
    pub(crate) tolerance: f32,
}

impl Chain {
    pub(crate) fn new(skeleton: &Skeleton, fabrik: &Fabrik, tip: Joint) -> Result<Self, CrowdError> {
        if fabrik.start != Start::Given || fabrik.reach != Reach::Clamp || fabrik.twist != Twist::Given {
            return Err(CrowdError::Unknown("a chain that starts at rest, stretches, softens or takes other twist"));
        }
        let mut joints = Vec::new();
        let mut next = skeleton.parent(tip);
        while let Some(joint) = next {
            joints.push(joint);
            next = if fabrik.base == Some(joint) { None } else { skeleton.parent(joint) };
        }
        joints.reverse();
        let starts = joints.first().is_some_and(|&first| fabrik.base.is_none_or(|base| base == first));
        if !starts || joints.len() > MOST {
            return Err(CrowdError::Unknown("a chain whose base is not above its tip, or of more than 64 bones"));
        }
        let limits = joints.iter().map(|&joint| Limit::of(skeleton, joint)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            ends: joints.iter().skip(1).chain([&tip]).map(|joint| joint.index()).collect(),
            free: limits.iter().all(|limit| matches!(limit, Limit::Free)),
            joints: joints.into_iter().map(Joint::index).collect(),
            limits,
            tip: tip.index(),
            iterations: fabrik.iterations,
            tolerance: fabrik.position_tolerance.max(FINEST) as f32,
        })
    }
}
