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
    /// Whether that is a goal for the elbow or knee itself, not a pole.
    pub(super) tells_middle: bool,
    /// How far from its place in the pose given (share of the limb's length) it still keeps something of how far it is turned there about
    /// the line between its ends, if it does.
    pub(super) keeps: Option<f64>,
}

impl LimbWanted {
    /// Where the elbow or knee of a limb is to be whose hand or foot goes along with it.
    pub(super) fn lone_middle(&self) -> Option<DVec3> {
        self.middle.filter(|_| self.tells_middle && self.end.position.is_none())
    }

    /// Whether nothing is asked of it.
    pub(super) fn is_free(&self) -> bool {
        self.end == Wanted::default() && self.middle.is_none()
    }

    /// How much it keeps of how it is bent in the pose given, so far from its place there (share of the limb's length): 1 there, 0 far away.
    pub(super) fn kept(&self, away: f64) -> f64 {
        let far = self.keeps.map_or(1.0, |within| (away / within).min(1.0));
        if far < 1.0 { 1.0 - far * far * (3.0 - 2.0 * far) } else { 0.0 }
    }
}

/// How far from its place in the pose given (share of the limb's length) a hand or foot is for which nothing of that pose's bend is kept.
const KEEPS: f64 = 0.5;

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
    /// The same on top of the pose given. Below a head that is told all of the body is found anew; a hand or foot whose rotation is told
    /// tells how its limb bends.
    pub(super) fn on_top(mut self) -> Self {
        if self.head.position.is_none() {
            let limbs = self.arms.iter_mut().chain(&mut self.legs);
            limbs.filter(|limb| limb.end.rotation.is_none()).for_each(|limb| limb.keeps = Some(KEEPS));
        }
        self
    }

    /// Whether a goal tells how the head is turned.
    pub(super) fn turns_head(&self) -> bool {
        self.head.rotation.is_some() || self.look.is_some()
    }

    /// Whether hips and head are told, between which then nothing is free to lean or to turn.
    pub(super) fn is_spanned(&self) -> bool {
        let is_told = |wanted: Wanted| wanted.position.is_some() && wanted.rotation.is_some();
        is_told(self.hips) && is_told(self.head)
    }
}
