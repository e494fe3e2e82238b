//! Feet on the ground: what the feet of a clip do on a flat floor, they do on any ground, frame by frame.
//!
//! - A foot that touches is locked where it came down, about the lowest point of its sole (heel or ball). So heels lift as in the
//!   clip, and toes bend where the ground is in their way.
//! - A foot in the air goes to its next landing on a path of least jerk, over what lies between, if the landing is known
//!   ([`Contacts`]). Else it follows the clip, at the clip's height above the ground below it, and changes fade by critically damped
//!   springs (Bollo, "Inertialization", 2018). Both are closed forms, so the frame rate does not matter.
//! - The body follows its feet, and comes down as far as the legs need to reach. On three legs and more it tilts with them.

mod ahead;
mod aloft;
mod body;
mod contact;
mod ease;
mod floor;
mod fold;
mod foot;
mod heel;
mod hint;
mod hop;
mod knees;
mod leg;
mod plan;
mod quick;
mod rise;
mod show;
mod spread;
mod support;
#[cfg(test)]
mod tests;
mod toes;
mod way;

use glam::DVec3;
use sinew::{Joint, Pose, Skeleton, Workspace};

use crate::clip::Clip;
use crate::ground::Ground;
use crate::least_bent::Beam;
use crate::spring::Spring;
use ahead::Height;
pub use contact::{Contact, Contacts};
use fold::Swinging;
use foot::{FootState, Footing, Frame};
pub use hint::{FeetStep, FootHint, Landing, Leaving, SWING_MOMENTS};
use hop::Hop;
pub use leg::Leg;
use leg::Measured;
pub(crate) use leg::put_apart;

/// What can be asked of feet. Distances are shares of a leg's length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeetSettings {
    /// Unit direction up; +Y by default.
    pub up: DVec3,
    /// Height along `up` of the floor that clips are made for (metres); 0 by default. [`Feet::floor_of`] finds a clip's. Set it before
    /// [`Feet::slide_of`] and [`Contacts`], which count from it.
    pub floor: f64,
    /// Steepest ground to which soles are turned (radians); 0.6 by default.
    pub slope: f64,
    /// Height above a foot from which the ground below it is looked for; 0.6 by default. If there is none, it is looked for from far above.
    pub step: f64,
    /// A foot touches when it is lower than this and slower than `speed`; 0.07 by default.
    pub height: f64,
    /// See `height`; in leg lengths a second; 0.4 by default.
    pub speed: f64,
    /// Factor on `height` and `speed` beyond which a foot that touched lifts; 1.4 by default.
    pub leave: f64,
    /// Largest distance of a locked foot from the clip's. Beyond it the foot is let go until it touches again; 0.4 by default.
    pub slip: f64,
    /// Largest angle of a locked foot from the clip's, about up. Beyond it the foot turns along (radians); 0.6 by default.
    pub twist: f64,
    /// Longest a leg is while the body can come down; 0.99 by default.
    pub longest: f64,
    /// Seconds in which half of a foot's distance from where it should be fades; 0.05 by default.
    pub fade: f64,
    /// The same of the body; 0.12 by default.
    pub body: f64,
}

impl Default for FeetSettings {
    fn default() -> Self {
        Self {
            up: DVec3::Y,
            floor: 0.0,
            slope: 0.6,
            step: 0.6,
            height: 0.07,
            speed: 0.4,
            leave: 1.4,
            slip: 0.4,
            twist: 0.6,
            longest: 0.99,
            fade: 0.05,
            body: 0.12,
        }
    }
}

/// Plants feet of one skeleton. Made once; everything that changes is in a [`FeetState`].
#[doc(alias = "foot placement")]
#[doc(alias = "foot IK")]
#[doc(alias = "foot locking")]
#[derive(Clone, Debug)]
pub struct Feet {
    legs: Vec<Measured>,
    /// What is asked.
    pub settings: FeetSettings,
}

/// Feet from frame to frame, the caller's. The default is the beginning.
#[derive(Debug, Default)]
pub struct FeetState {
    feet: Vec<FootState>,
    asked: Vec<Footing>,
    body: Spring,
    /// How feet are spread and raised over time.
    spread: [Spring; 2],
    /// How high it is over where the clip has it.
    height: Height,
    /// By how much feet in the air are raised for their legs.
    folds: Vec<Height>,
    beam: Beam,
    work: Workspace,
}

impl Feet {
    /// Legs of a skeleton whose soles are level in `stance`, on a ground at the height `floor` along up (metres; `None`: each foot's
    /// lowest joint). `None` where there are no legs, or joints are no leg.
    pub fn new(
        skeleton: &Skeleton,
        legs: &[Leg],
        stance: &Pose,
        floor: Option<f64>,
        settings: FeetSettings,
    ) -> Option<Self> {
        let measured: Option<Vec<Measured>> =
            legs.iter().map(|leg| Measured::of(skeleton, leg, stance, settings.up, floor)).collect();
        measured.filter(|legs| !legs.is_empty()).map(|legs| Self { legs, settings })
    }

    /// Has knees bend the way in which they are bent in the mean of a clip, where they bend more than there; as in the stance where they
    /// are straight in the clip.
    pub fn bend_as(&mut self, clip: &Clip) {
        self.legs.iter_mut().for_each(|leg| leg.bend_as(clip.poses()));
    }

    /// Number of feet.
    pub fn len(&self) -> usize {
        self.legs.len()
    }

    /// Never: there is a foot.
    pub fn is_empty(&self) -> bool {
        self.legs.is_empty()
    }

    /// Heel and ball of a foot (model space).
    ///
    /// # Panics
    /// Where there is no such foot.
    pub fn soles(&self, pose: &Pose, foot: usize) -> [DVec3; 2] {
        let leg = &self.legs[foot];
        leg.soles.map(|sole| pose.model(leg.foot).transform_point3(sole))
    }

    /// The tip of a foot's toes, at the sole (model space); `None` where toes do not bend.
    ///
    /// # Panics
    /// Where there is no such foot.
    pub fn tip(&self, pose: &Pose, foot: usize) -> Option<DVec3> {
        self.legs[foot].toes.map(|toes| toes.tip(pose))
    }

    /// The joint that bends between hip and ankle.
    ///
    /// # Panics
    /// Where there is no such foot.
    pub fn knee(&self, foot: usize) -> Joint {
        self.legs[foot].knee()
    }

    /// Where the bones that bend begin.
    ///
    /// # Panics
    /// Where there is no such foot.
    pub fn hip(&self, foot: usize) -> Joint {
        self.legs[foot].hip()
    }

    /// The joint that has the sole.
    ///
    /// # Panics
    /// Where there is no such foot.
    pub fn joint(&self, foot: usize) -> Joint {
        self.legs[foot].foot
    }

    /// Length of a leg from hip to ankle, stretched (metres).
    ///
    /// # Panics
    /// Where there is no such foot.
    pub fn length(&self, foot: usize) -> f64 {
        self.legs[foot].length
    }

    /// Brings the clip's pose of this frame onto the ground. Does not allocate after the first call with a state.
    ///
    /// # Panics
    /// Where the skeleton is not the pose's.
    pub fn step(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        ground: &(impl Ground + ?Sized),
        step: FeetStep<'_>,
        state: &mut FeetState,
    ) {
        let dt = self.advance(pose, ground, &step, state);
        state.asked.clear();
        let footing = |(leg, foot): (&Measured, &FootState)| foot.footing(pose.position(leg.ankle), self.settings.up);
        state.asked.extend(self.legs.iter().zip(&state.feet).map(footing));
        let body = self.go_along(pose, dt, step.hints, state);
        for (index, leg) in self.legs.iter().enumerate() {
            let hint = step.hints.get(index).copied().unwrap_or_default();
            let (foot, height) = (&state.feet[index], &state.height);
            let swinging = Swinging { leg, foot, hint: &hint, pose, body: &body, height, dt };
            self.unfold_ahead(&swinging, &mut state.asked[index], &mut state.folds[index], ground);
        }
        self.show(skeleton, pose, ground, body, &mut state.asked, &mut state.work);
        for toes in self.legs.iter().filter_map(|leg| leg.toes) {
            toes.bend(skeleton, pose, toes.needed(pose, ground, self.settings.up));
        }
    }

    /// Brings the feet on to a frame; the seconds since the last one, 0 where it starts.
    fn advance(&self, pose: &Pose, ground: &(impl Ground + ?Sized), step: &FeetStep<'_>, state: &mut FeetState) -> f64 {
        let starts = state.feet.len() != self.legs.len() || step.dt.is_nan() || step.dt <= 0.0;
        let dt = if starts { 0.0 } else { step.dt };
        if state.feet.len() != self.legs.len() {
            state.feet.resize(self.legs.len(), FootState::default());
            state.folds.resize_with(self.legs.len(), Height::new);
            state.beam = Hop::beam();
        }
        for (index, leg) in self.legs.iter().enumerate() {
            let hint = step.hints.get(index).copied().unwrap_or_default();
            let frame = Frame { settings: &self.settings, length: leg.length, ground, dt, stands: 0.0, hint };
            let facing = pose.rotation(leg.foot);
            state.feet[index].advance(&frame, self.soles(pose, index), self.tip(pose, index), facing, &mut state.beam);
        }
        dt
    }
}
