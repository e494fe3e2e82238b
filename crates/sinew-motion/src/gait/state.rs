//! What a walk remembers from frame to frame.

use glam::{DQuat, DVec3};
use sinew::Joint;

use super::PathPoint;
use super::stride::Stride;
use super::swing::Swing;
use crate::spring::Spring;

/// A foot of a walk: where it stands, or how it moves to its landing.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Where it stands or last stood: the joint that touches the ground, in model space.
    pub(super) place: DVec3,
    pub(super) turn: DQuat,
    pub(super) swing: Option<Swing>,
    /// Turns that have begun, and whether one waits.
    pub(super) turns: f64,
    pub(super) due: bool,
    /// Ticks for which it lets others go first.
    pub(super) waits: u8,
    /// Steps taken, and those for want of reach while a neighbour was in the air.
    pub(super) steps: u32,
    pub(super) forced: u32,
}

impl Foot {
    /// Where the foot touches the ground (model space); `None` in the air.
    pub fn contact(&self) -> Option<DVec3> {
        self.swing.is_none().then_some(self.place)
    }

    /// Where it will land (model space); `None` while it stands.
    pub fn landing(&self) -> Option<DVec3> {
        self.swing.map(|swing| swing.to)
    }

    /// Number of steps begun.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Number of steps begun while a neighbour was in the air, because the leg could not reach any longer.
    pub fn forced(&self) -> u32 {
        self.forced
    }
}

/// How fast the speeds of a path change: velocity (model units a second squared) and turning (radians a second squared).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quicken {
    pub(super) velocity: DVec3,
    pub(super) turning: f64,
}

/// What a walk keeps from frame to frame. The default begins standing where the path first is.
#[derive(Clone, Debug, Default)]
pub struct GaitState {
    pub(super) feet: Vec<Foot>,
    pub(super) last: Option<PathPoint>,
    /// The path at the last tick, and how it quickens.
    pub(super) ticked: Option<PathPoint>,
    pub(super) quicken: Quicken,
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
    /// How much the ground under the body rises over distance.
    pub(super) steep: f64,
    /// How fast the floor is taken to rise.
    pub(super) drift: DVec3,
    /// What the tick asks of each leg.
    pub(super) strides: Vec<Stride>,
}

impl GaitState {
    /// The feet, one for each leg.
    pub fn feet(&self) -> &[Foot] {
        &self.feet
    }

    /// Whether all feet stand and none is about to step.
    pub fn is_resting(&self) -> bool {
        self.resting
    }
}
