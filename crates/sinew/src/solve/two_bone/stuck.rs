//! A limb that limits keep from where it is to go.

use glam::DVec3;

use super::measure::Measured;
use super::settings::TwoBone;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// A limb whose limits forbid its placement.
#[derive(Clone, Copy)]
pub(in crate::solve) struct Stuck<'a> {
    pub(in crate::solve) limb: &'a TwoBone,
    pub(in crate::solve) skeleton: &'a Skeleton,
    pub(in crate::solve) pose: &'a Pose,
    pub(in crate::solve) measured: &'a Measured,
    /// Target from the root.
    pub(in crate::solve) p: DVec3,
}
