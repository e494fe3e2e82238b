//! What a user sets: the bones that swing and the world they swing in.

use alloc::vec::Vec;
use core::fmt;

use glam::DVec3;

use super::bone::{Bone, Link, Tail};
use super::collider::Collider;
use crate::chain::{Chain, ChainError};
use crate::skeleton::{Joint, NamedJoint, Skeleton};
use crate::solve::Start;

/// Bones that swing after the rest of the body: hair, tails, ears, cloth strips. Plain settings, for any number of
/// characters; what moves is in each one's [`SpringState`](super::SpringState).
#[doc(alias = "spring bone")]
#[doc(alias = "jiggle bone")]
#[doc(alias = "dynamic bone")]
#[doc(alias = "secondary motion")]
#[derive(Clone, Debug, PartialEq)]
pub struct Springs {
    /// The bones, in any order.
    pub bones: Vec<Bone>,
    /// What ties ends of bones to one another; nothing by default.
    pub links: Vec<Link>,
    /// What ends of bones stay out of; nothing by default.
    pub colliders: Vec<Collider>,
    /// Acceleration in model space (m/s²); none by default, since nothing here knows what is down.
    pub gravity: DVec3,
    /// Velocity of the air in model space (m/s), felt by bones with drag; none by default.
    pub wind: DVec3,
    /// The shape that bends pull back to: the skeleton's rest pose (by default), or the pose given, when an animation bends
    /// the bones. The pose must then be set anew before each step, since a step writes into it.
    pub shape: Start,
    /// Length of a sub-step (seconds); 1/240 by default. A swing of 2 Hz then keeps its period within 0.1 % and its decay
    /// within 0.2 %.
    pub step: f64,
    /// Largest number of sub-steps in one call, so that a long frame does not slow the next; 24 by default, a tenth of a
    /// second. The time beyond is left out: the bones are carried with their anchors.
    pub most_steps: u32,
    /// Largest number of Newton rounds in each sub-step; 8 by default. Calm swings take one, blows more. A round ends the
    /// sub-step when every bone is right to 1e-5 of its length.
    pub iterations: u32,
    /// Which motion of the body counts as a jump.
    pub teleport: Teleport,
    /// Whether a bone that stretches is written as a scale along it, and thinner across it by the square root, instead of
    /// as a longer distance to its child; `false` by default. It has no effect on a bone whose length the body decides.
    /// Local transforms of children carry the inverse scale; with the shape at rest, their positions and scales are those
    /// at rest.
    pub squash: bool,
}

/// The motion of an anchor within one call from which it is a jump: its bones are then carried along instead of dragged
/// after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Teleport {
    /// Distance as a share of the skeleton's size at rest (its joints' largest distance from the first); 1 by default.
    pub distance: f64,
    /// Turn (radians); 2 by default.
    pub angle: f64,
}

impl Default for Teleport {
    fn default() -> Self {
        Self { distance: 1.0, angle: 2.0 }
    }
}

impl Default for Springs {
    fn default() -> Self {
        Self {
            bones: Vec::new(),
            links: Vec::new(),
            colliders: Vec::new(),
            gravity: DVec3::ZERO,
            wind: DVec3::ZERO,
            shape: Start::Rest,
            step: 1.0 / 240.0,
            most_steps: 24,
            iterations: 8,
            teleport: Teleport::default(),
            squash: false,
        }
    }
}

impl Springs {
    /// The bones from `base`, which stays where it is, down to `tip`, loose and without gravity; shape them with
    /// [`tuned`](Self::tuned) and [`each`](Self::each). An error where the tip is not below the base.
    ///
    /// ```
    /// use sinew::{Skeleton, glam::DVec3, springs::{SpringState, Springs}};
    ///
    /// let tail = Skeleton::from_lengths(&[0.1; 5])?;
    /// let [base, tip] = tail.joints(["joint_0", "joint_5"])?;
    /// let springs = Springs { gravity: DVec3::NEG_Y * 9.81, ..Springs::chain(&tail, base, tip)? }
    ///     .tuned(&tail, 2.0, 0.1);
    /// let (mut pose, mut state) = (tail.rest_pose(), SpringState::default());
    /// for _ in 0..60 {
    ///     pose.reset(&tail);                                  // or what an animation and solvers leave
    ///     springs.step(&tail, &mut pose, &mut state, 1.0 / 60.0);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chain(skeleton: &Skeleton, base: Joint, tip: Joint) -> Result<Self, ChainError> {
        let chain = Chain::new(skeleton, base, tip)?;
        let bones = chain.joints().windows(2).map(|pair| Bone::new(pair[0], Tail::Joint(pair[1]))).collect();
        Ok(Self { bones, ..Self::default() })
    }

    /// All bones from `base` down, branches and all, loose and without gravity. Joints without children end no bone of
    /// their own; push one with a [`Tail::Point`] where their tip is known.
    pub fn below(skeleton: &Skeleton, base: Joint) -> Self {
        let joints = skeleton.subtree(base).filter_map(|index| skeleton.at(index));
        let bones = joints.flat_map(|joint| skeleton.children(joint).map(move |tail| (joint, tail)));
        Self { bones: bones.map(|(joint, tail)| Bone::new(joint, Tail::Joint(tail))).collect(), ..Self::default() }
    }

    /// Changes every bone.
    pub fn each(mut self, mut change: impl FnMut(Bone) -> Bone) -> Self {
        self.bones.iter_mut().for_each(|bone| *bone = change(*bone));
        self
    }

    /// Whether every setting can be used with `skeleton`; [`step`](Self::step) does nothing where it cannot.
    pub fn check(&self, skeleton: &Skeleton) -> Result<(), SpringsError> {
        let world = self.gravity.is_finite() && self.wind.is_finite();
        let time = self.step > 0.0 && self.step.is_finite();
        let jump = self.teleport.distance >= 0.0 && self.teleport.angle >= 0.0;
        if !(world && time && jump) {
            return Err(SpringsError::World);
        }
        let is_bone = |bone: &Bone| bone.is_valid(skeleton) && !bone.passes(skeleton, &self.bones);
        if let Some(place) = self.bones.iter().position(|bone| !is_bone(bone)) {
            let joint = NamedJoint::of(skeleton, self.bones[place].joint);
            return Err(SpringsError::Bone { place, joint });
        }
        if let Some(place) = self.links.iter().position(|link| !link.is_valid(self.bones.len())) {
            return Err(SpringsError::Link { place });
        }
        let is_collider = |one: &Collider| one.is_valid() && one.joint.is_none_or(|joint| skeleton.contains(joint));
        match self.colliders.iter().position(|collider| !is_collider(collider)) {
            Some(place) => Err(SpringsError::Collider { place }),
            None => Ok(()),
        }
    }
}

/// What about the settings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpringsError {
    /// Gravity or wind is not finite, the sub-step is not above zero, or a teleport's threshold is below it.
    World,
    /// A bone has a joint of another skeleton, a tail that is not below its joint or has another bone's joint between, or
    /// a number out of range.
    Bone {
        /// Its index in [`Springs::bones`].
        place: usize,
        /// Its joint.
        joint: NamedJoint,
    },
    /// A link's bones are not two bones, or a number is out of range.
    Link {
        /// Its index in [`Springs::links`].
        place: usize,
    },
    /// A collider has a joint of another skeleton, a plane without a normal, or a number out of range.
    Collider {
        /// Its index in [`Springs::colliders`].
        place: usize,
    },
}

impl fmt::Display for SpringsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::World => {
                write!(
                    f,
                    "gravity, wind, sub-step or teleport is not a finite number, or is below zero; see the fields of Springs"
                )
            }
            Self::Bone { place, joint } => write!(
                f,
                "bone {place} ({joint}) has a joint of another skeleton, a tail that is not below its joint or has another \
                 bone's joint between, or a mass, compliance, damping, drag or radius that is negative or no number"
            ),
            Self::Link { place } => {
                write!(f, "link {place} must tie two different bones, with compliance and damping not negative")
            }
            Self::Collider { place } => write!(
                f,
                "collider {place} has a joint of another skeleton, a plane without a normal, or a radius that is negative \
                 or no number"
            ),
        }
    }
}

impl core::error::Error for SpringsError {}
