//! What goals ask of the parts of a body, in the body's own directions.

use glam::{DQuat, DVec3};

use super::look::Look;

/// What is asked of one joint; what is `None` is free.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Wanted {
    pub(super) position: Option<DVec3>,
    pub(super) rotation: Option<DQuat>,
}

/// What is asked of an arm or a leg.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LimbWanted {
    /// Hand or foot.
    pub(super) end: Wanted,
    /// From the hand or foot, in its own frame, to the point that is to be at `end.position`; the wrist or ankle is kept.
    pub(super) tip: DVec3,
    /// Elbow or knee: the limb bends towards it.
    pub(super) middle: Option<DVec3>,
    /// By how much it is turned about the line between its ends from where it points by itself (radians), if that is to be kept.
    pub(super) turned: Option<f64>,
}

/// What is asked of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BodyTargets {
    pub(super) hips: Wanted,
    pub(super) head: Wanted,
    pub(super) look: Option<Look>,
    /// Rotation of the chest.
    pub(super) chest: Option<DQuat>,
    /// Left, right.
    pub(super) arms: [LimbWanted; 2],
    pub(super) legs: [LimbWanted; 2],
}

impl BodyTargets {
    /// Whether hips and head are told, between which then nothing is free to lean or to turn.
    pub(super) fn is_spanned(&self) -> bool {
        let is_told = |wanted: Wanted| wanted.position.is_some() && wanted.rotation.is_some();
        is_told(self.hips) && is_told(self.head)
    }
}
