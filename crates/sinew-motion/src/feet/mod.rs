//! Feet on the ground: what a clip's feet do on a flat floor, done on any ground, frame by frame.
//!
//! A foot that touches is locked to the ground where it came down, about the point of its sole that is lowest (heel or ball), so
//! that heels lift as in the clip. One that swings follows the clip above the ground that it passes. What changes between both
//! fades by critically damped springs, solved exactly, so that the frame rate does not matter (Bollo, "Inertialization", 2018). The
//! body goes along with its feet, and as low as the legs need to reach.

mod contact;
mod foot;
#[cfg(test)]
mod tests;

use glam::{DAffine3, DVec3};
use sinew::{Goal, Joint, Pose, Skeleton, Solver, Status, Target, ThreeLink, TwoBone, Workspace};

use crate::ground::Ground;
use crate::spring::{Pull, Spring};
use crate::travel::carry;
pub use contact::Contacts;
use foot::FootState;

/// A leg by its joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// Hip, knee and ankle; or hip, knee, hock and ankle. Joints between them keep their rotations.
    pub joints: Vec<Joint>,
    /// Where the toes begin, below the ankle; without one the sole is a point.
    pub toe: Option<Joint>,
    /// A foot that is a bone of its own beside the leg, and moves along with the ankle.
    pub apart: Option<Joint>,
}

/// How a leg is solved.
#[derive(Clone, Copy, Debug)]
enum Limb {
    Two(TwoBone),
    Three(ThreeLink),
}

/// A leg, measured.
#[derive(Clone, Debug)]
struct Measured {
    limb: Limb,
    hip: Joint,
    ankle: Joint,
    apart: Option<Joint>,
    length: f64,
    /// Heel and ball in the ankle's frame; twice the same where there is no toe.
    soles: [DVec3; 2],
}

/// What can be asked of feet. Distances are shares of a leg's length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FeetSettings {
    /// Unit direction up; +Y by default.
    pub up: DVec3,
    /// Height along `up` of the floor that clips are made for (metres); 0 by default.
    pub floor: f64,
    /// Steepest ground to which soles are turned (radians); 0.6 by default.
    pub slope: f64,
    /// Height from above which the ground is looked for; 0.6 by default.
    pub step: f64,
    /// Lower than this, and slower than `speed` (lengths a second), a foot touches; 0.07 by default.
    pub height: f64,
    /// See `height`; 0.5 by default.
    pub speed: f64,
    /// Times height and speed at which it touches no more; 1.6 by default.
    pub leave: f64,
    /// Distance between a locked foot and the clip's beyond which it is let go until it touches again; 0.4 by default.
    pub slip: f64,
    /// Share of its length to which a leg stretches, unless the clip's is longer; 0.995 by default.
    pub reach: f64,
    /// Seconds in which half of what a foot is off fades; 0.05 by default.
    pub fade: f64,
    /// The same of the body; 0.08 by default.
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
            speed: 0.5,
            leave: 1.6,
            slip: 0.4,
            reach: 0.995,
            fade: 0.05,
            body: 0.08,
        }
    }
}

/// What is known in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct FeetStep<'a> {
    /// Seconds since the last frame; 0 or less starts anew.
    pub dt: f64,
    /// Whether each foot touches, where the caller knows; found from height and speed where this is empty.
    pub touches: &'a [bool],
    /// Where each foot comes down next in the clip (model space), where the caller knows; else by its speed.
    pub landings: &'a [DVec3],
}

/// Plants feet of one skeleton. Made once; everything that changes is in a [`FeetState`].
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
    body: Spring,
    work: Workspace,
}

impl Feet {
    /// Legs of a skeleton whose soles are level in `stance`, the lowest of each on the ground; `None` where there are none, or joints are
    /// no leg.
    pub fn new(skeleton: &Skeleton, legs: &[Leg], stance: &Pose, settings: FeetSettings) -> Option<Self> {
        let measured: Option<Vec<Measured>> =
            legs.iter().map(|leg| Measured::of(skeleton, leg, stance, settings.up)).collect();
        measured.filter(|legs| !legs.is_empty()).map(|legs| Self { legs, settings })
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
        leg.soles.map(|sole| pose.model(leg.ankle).transform_point3(sole))
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
        let starts = state.feet.len() != self.legs.len() || step.dt.is_nan() || step.dt <= 0.0;
        state.feet.resize(self.legs.len(), FootState::default());
        for (index, leg) in self.legs.iter().enumerate() {
            let foot = &mut state.feet[index];
            let soles = self.soles(pose, index);
            let known = (step.touches.get(index).copied(), step.landings.get(index).copied());
            foot.clip = *pose.model(leg.ankle);
            foot.hip = pose.position(leg.hip);
            foot.advance(&self.settings, leg.length, soles, ground, if starts { 0.0 } else { step.dt }, known);
        }
        let way = self.body(state, if starts { 0.0 } else { step.dt });
        if way != DVec3::ZERO {
            carry(skeleton, pose, &DAffine3::from_translation(way));
        }
        for (leg, foot) in self.legs.iter().zip(&state.feet) {
            leg.place(skeleton, pose, &foot.motion(), &foot.clip, &mut state.work);
        }
    }

    /// How far the body moves.
    fn body(&self, state: &mut FeetState, dt: f64) -> DVec3 {
        let FeetSettings { up, reach, body, .. } = self.settings;
        let wanted = state.feet.iter().map(FootState::offset).sum::<DVec3>() / self.legs.len() as f64;
        if dt > 0.0 {
            state.body.follow(wanted, DVec3::ZERO, &Pull::halving(body, dt));
        } else {
            state.body = Spring::at(wanted);
        }
        let mut way = state.body.value;
        for (leg, foot) in self.legs.iter().zip(&state.feet).filter(|(_, foot)| foot.touches()) {
            let ankle = foot.motion().transform_point3(foot.clip.translation);
            let longest = (reach * leg.length).max(foot.hip.distance(foot.clip.translation));
            let from = foot.hip + way - ankle;
            let (high, aside) = (from.dot(up), from.reject_from_normalized(up).length_squared());
            let room = longest * longest - aside;
            if room > 0.0 && high > room.sqrt() {
                way -= up * (high - room.sqrt());
            }
        }
        way
    }
}

impl Measured {
    fn of(skeleton: &Skeleton, leg: &Leg, stance: &Pose, up: DVec3) -> Option<Self> {
        let (&hip, &ankle) = (leg.joints.first()?, leg.joints.last()?);
        let limb = match *leg.joints.as_slice() {
            [hip, knee, ankle] => Limb::Two(TwoBone::new(skeleton, hip, knee, ankle).ok()?),
            [hip, knee, hock, ankle] => Limb::Three(ThreeLink::new(skeleton, hip, knee, hock, ankle).ok()?),
            _ => return None,
        };
        let place = |joint: Joint| stance.position(joint);
        let length = leg.joints.windows(2).map(|pair| place(pair[0]).distance(place(pair[1]))).sum();
        let foot = leg.apart.unwrap_or(ankle);
        let low = [Some(ankle), Some(foot), leg.toe].into_iter().flatten();
        let floor = low.map(|joint| place(joint).dot(up)).fold(f64::INFINITY, f64::min);
        let into = stance.model(ankle).inverse();
        let down = |joint: Joint| into.transform_point3(place(joint) - up * (place(joint).dot(up) - floor));
        let soles = [down(foot), down(leg.toe.unwrap_or(foot))];
        (length > 0.0 && soles.iter().all(|sole| sole.is_finite())).then_some(Self {
            limb,
            hip,
            ankle,
            apart: leg.apart,
            length,
            soles,
        })
    }

    fn place(&self, skeleton: &Skeleton, pose: &mut Pose, motion: &DAffine3, clip: &DAffine3, work: &mut Workspace) {
        let now = pose.rotation(self.ankle);
        // What carried the body did not turn it: the rotation is the clip's, before the leg is solved.
        let turn = glam::DQuat::from_mat3(&motion.matrix3);
        let target = Target::Frame { position: motion.transform_point3(clip.translation), rotation: turn * now };
        let apart = self.apart.map(|joint| (joint, pose.rotation(joint)));
        let beside = apart.map(|(joint, _)| pose.position(joint) - pose.position(self.ankle));
        let mut goal = Goal::position(self.ankle, DVec3::ZERO);
        goal.target = target;
        let _: Status = match &self.limb {
            Limb::Two(limb) => limb.solve(skeleton, &[goal], pose, work).status,
            Limb::Three(limb) => limb.solve(skeleton, &[goal], pose, work).status,
        };
        let (Some((joint, rotation)), Some(beside)) = (apart, beside) else { return };
        let place = pose.position(self.ankle) + turn * beside;
        let above = skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *pose.model(parent));
        let upright = sinew::math::arc::rotation_of(&above.matrix3).unwrap_or(glam::DQuat::IDENTITY);
        pose.edit(skeleton)
            .translation(joint, above.inverse().transform_point3(place))
            .rotation(joint, (upright.conjugate() * turn * rotation).normalize());
    }
}
