//! Where a limb is to go, and how it is placed there.

use glam::{DQuat, DVec3};

use super::measure::Measured;
use super::settings::TwoBone;
use crate::goal::Swivel;
use crate::solve::{Bend, Status};

/// The limb's new rotations, in the space of the root's parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// Local rotations.
    pub(super) root: DQuat,
    pub(super) mid: DQuat,
    /// The hinge's value, where the middle joint is one.
    pub(super) mid_value: Option<f64>,
    /// Factor on rest translations.
    pub(super) stretch: f64,
    pub(super) status: Status,
    /// Line to the target, bend, middle joint: for the next solve.
    pub(super) swivel: Swivel,
}

impl Placement {
    /// Notes where limits have turned the bend.
    pub(super) fn bent(&mut self, measured: &Measured, bend: DVec3) {
        self.swivel.bend = bend;
        self.swivel.mid = self.root * measured.a * self.stretch;
    }
}

/// Where to go, in the space of the root's parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacementTarget<'a> {
    /// Target from the root.
    pub(super) p: DVec3,
    /// The pole's direction from the root.
    pub(super) pole: Option<DVec3>,
    /// The bend to carry along.
    pub(super) last: Option<&'a Swivel>,
    /// How far target and bend stand between those of the pose given and what is asked, and the target at full weight.
    pub(super) weight: f64,
    pub(super) whole: DVec3,
}

impl PlacementTarget<'_> {
    /// Whether the limb keeps the bend of the pose given.
    pub(super) fn keeps(&self, limb: &TwoBone) -> bool {
        limb.bend == Bend::Given && self.pole.is_none()
    }
}
