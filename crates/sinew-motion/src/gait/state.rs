//! What a walk remembers from frame to frame.

use glam::{DQuat, DVec3};
use sinew::Joint;

use super::PathPoint;
use super::swing::Swing;
use crate::spring::Spring;

/// A foot: where it stands, or how it goes to where it will.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Where it stands or last stood: the joint that touches the ground, in model space.
    pub(super) place: DVec3,
    pub(super) turn: DQuat,
    pub(super) swing: Option<Swing>,
    /// Turns that have begun, and whether one waits.
    pub(super) turns: f64,
    pub(super) due: bool,
    /// Steps taken, and those for want of reach while a neighbour was in the air.
    pub(super) steps: u32,
    pub(super) forced: u32,
}

impl Foot {
    /// Where the foot is in contact with the ground; `None` in the air.
    pub fn contact(&self) -> Option<DVec3> {
        self.swing.is_none().then_some(self.place)
    }

    /// Where it lands, while it is in the air.
    pub fn landing(&self) -> Option<DVec3> {
        self.swing.map(|swing| swing.to)
    }

    /// Steps begun.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Steps begun while a neighbour was in the air, since the leg could reach no longer.
    pub fn forced(&self) -> u32 {
        self.forced
    }
}

/// A walk under way; the default stands nowhere yet, and begins standing where the path first is.
#[derive(Clone, Debug, Default)]
pub struct GaitState {
    pub(super) feet: Vec<Foot>,
    pub(super) last: Option<PathPoint>,
    /// Seconds since the last tick.
    pub(super) since: f64,
    /// Strides since the beginning.
    pub(super) clock: f64,
    /// What the clock was when it last set out.
    pub(super) begun: f64,
    pub(super) resting: bool,
    /// Height of the floor under the body and how far it is crouched (along up), slope and sway (along the ground).
    pub(super) floor: Spring,
    pub(super) slope: Spring,
    pub(super) sway: Spring,
    /// How far legs that cannot reach their feet pull the body.
    pub(super) pulled: Spring,
    pub(super) goal: [DVec3; 3],
    pub(super) turned: Vec<(Joint, DQuat)>,
}

impl GaitState {
    /// The feet, a leg each.
    pub fn feet(&self) -> &[Foot] {
        &self.feet
    }

    /// Whether all feet stand and no turn is waited for.
    pub fn is_resting(&self) -> bool {
        self.resting
    }
}
