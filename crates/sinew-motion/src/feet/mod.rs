//! Feet on the ground: what the feet of a clip do on a flat floor, they do on any ground, frame by frame.
//!
//! A foot that touches is locked to the ground where it came down, about the point of its sole that is lowest (heel or ball), so
//! that heels lift as in the clip, and toes bend where the ground is in their way. One that swings goes on a way of least jerk to
//! where it will come down, if that is known ([`Contacts`]), over what lies between; else it follows the clip above the ground that
//! it passes, and what changes fades by critically damped springs (Bollo, "Inertialization", 2018). Both are exact, so that the
//! frame rate does not matter. The body goes along with its feet, and as low as the legs need to reach.

mod aloft;
mod body;
mod contact;
mod foot;
mod hint;
mod hop;
mod leg;
mod plan;
mod rise;
mod support;
#[cfg(test)]
mod tests;
mod toes;
mod way;

use glam::{DAffine3, DVec3};
use sinew::{Joint, Pose, Skeleton, Workspace};

use crate::clip::Clip;
use crate::ground::Ground;
use crate::least_bent::Beam;
use crate::least_jerk::eased;
use crate::spring::Spring;
use crate::travel::carry;
pub use contact::{Contact, Contacts};
use foot::{FootState, Footing, Frame};
pub use hint::{FeetStep, FootHint, Landing, Leaving};
use hop::Hop;
pub use leg::Leg;
use leg::{LEFT, Measured};

/// How far over its place a foot that bears stands at most, as a share of its leg, while the body comes down.
const MOST_OVER: f64 = 0.1;

/// What can be asked of feet. Distances are shares of a leg's length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeetSettings {
    /// Unit direction up; +Y by default.
    pub up: DVec3,
    /// Height along `up` of the floor that clips are made for (metres); 0 by default. [`Feet::floor_of`] finds a clip's.
    pub floor: f64,
    /// Steepest ground to which soles are turned (radians); 0.6 by default.
    pub slope: f64,
    /// Height from above which the ground is looked for; 0.6 by default. Where there is none below that, it is looked for from far above.
    pub step: f64,
    /// Lower than this, and slower than `speed` (lengths a second), a foot touches; 0.07 by default.
    pub height: f64,
    /// See `height`; 0.4 by default.
    pub speed: f64,
    /// Times height and speed at which it touches no more; 1.4 by default.
    pub leave: f64,
    /// Distance between a locked foot and the clip's beyond which it is let go until it touches again; 0.4 by default.
    pub slip: f64,
    /// Angle about up between a locked foot and the clip's beyond which it turns along (radians); 0.6 by default.
    pub twist: f64,
    /// Share of its length to which a leg stretches while the body can come down; 0.99 by default.
    pub reach: f64,
    /// Seconds in which half of what a foot is off fades; 0.05 by default.
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
            reach: 0.99,
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
    /// How far it is to be lower than its feet have it.
    deep: Spring,
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
        self.go_along(pose, dt, state);
        state.asked.clear();
        state.asked.extend(state.feet.iter().map(|foot| foot.footing(self.settings.up)));
        for (leg, foot) in self.legs.iter().zip(&mut state.asked) {
            foot.motion.translation -= self.settings.up * self.unfolds(leg, pose, ground, foot, state.body.value);
        }
        self.show(skeleton, pose, ground, state.body.value, &mut state.asked, &mut state.work);
    }

    /// Brings the feet on to a frame; the seconds since the last one, 0 where it starts.
    fn advance(&self, pose: &Pose, ground: &(impl Ground + ?Sized), step: &FeetStep<'_>, state: &mut FeetState) -> f64 {
        let starts = state.feet.len() != self.legs.len() || step.dt.is_nan() || step.dt <= 0.0;
        let dt = if starts { 0.0 } else { step.dt };
        if state.feet.len() != self.legs.len() {
            state.feet.resize(self.legs.len(), FootState::default());
            state.beam = Hop::beam();
        }
        for (index, leg) in self.legs.iter().enumerate() {
            let hint = step.hints.get(index).copied().unwrap_or_default();
            let frame = Frame { settings: &self.settings, length: leg.length, ground, dt, hint };
            let facing = pose.rotation(leg.foot);
            state.feet[index].advance(&frame, self.soles(pose, index), self.tip(pose, index), facing, &mut state.beam);
        }
        dt
    }

    /// The mean of what feet are moved by: what the body goes along with.
    fn mean_offset(&self, feet: &[FootState]) -> DVec3 {
        feet.iter().map(FootState::offset).sum::<DVec3>() / self.legs.len() as f64
    }

    /// Shows a body that is moved so far from where the clip has it, and its feet where they are asked to be. Heels rise for legs that are
    /// too short; a foot that is out of reach all the same is over its place, and for what is more than a little the body comes down at
    /// once where the foot bears.
    fn show(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        ground: &(impl Ground + ?Sized),
        way: DVec3,
        feet: &mut [Footing],
        work: &mut Workspace,
    ) {
        let FeetSettings { up, reach, .. } = self.settings;
        let mut deep: f64 = 0.0;
        for (leg, foot) in self.legs.iter().zip(&mut *feet) {
            foot.motion = self.raised(leg, pose, ground, foot, way);
            deep = deep.max(foot.load * leg.short(pose, &foot.motion, way, up, reach) - MOST_OVER * leg.length);
        }
        let way = way - up * deep;
        for (leg, foot) in self.legs.iter().zip(&mut *feet) {
            let short = leg.short(pose, &foot.motion, way, up, reach);
            foot.motion.translation += up * eased(short, 2.0 * LEFT * (1.0 - reach) * leg.length);
        }
        if way != DVec3::ZERO {
            carry(skeleton, pose, &DAffine3::from_translation(way));
        }
        for (leg, foot) in self.legs.iter().zip(&*feet) {
            leg.place(skeleton, pose, foot, way, reach, work);
            if let Some(toes) = leg.toes {
                toes.bend(skeleton, pose, ground, up);
            }
        }
    }

    /// How far a foot in the air that is nearer to its hip than a leg folds well is to come down, as far as what is known to lie on its
    /// way and the ground let it.
    fn unfolds(&self, leg: &Measured, pose: &Pose, ground: &(impl Ground + ?Sized), foot: &Footing, way: DVec3) -> f64 {
        let up = self.settings.up;
        let near = ((1.0 - foot.load) * leg.near(pose, &foot.motion, way, up)).min(foot.room);
        if near <= 1e-6 * leg.length {
            return 0.0;
        }
        let over = |point: DVec3| {
            let at = foot.motion.transform_point3(point);
            ground.below(at + up * leg.length, up).map_or(near, |below| (at - below.position).dot(up))
        };
        let soles = leg.soles.map(|sole| pose.model(leg.foot).transform_point3(sole));
        let tip = leg.toes.map(|toes| toes.tip(pose));
        near.min(soles.into_iter().chain(tip).map(over).fold(f64::INFINITY, f64::min).max(0.0))
    }

    /// Where a foot is with its heel raised and its toes out of the ground, under a body that is moved so far.
    fn raised(
        &self,
        leg: &Measured,
        pose: &Pose,
        ground: &(impl Ground + ?Sized),
        foot: &Footing,
        way: DVec3,
    ) -> DAffine3 {
        let FeetSettings { up, reach, .. } = self.settings;
        let mut motion = leg.raised(pose, foot, way, up, reach);
        motion.translation += up * leg.toes.map_or(0.0, |toes| toes.stuck(pose, &motion, ground, up));
        motion
    }
}
