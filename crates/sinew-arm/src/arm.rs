//! What never changes about a serial arm: joints and the fixed pieces between them, folded together.

use alloc::vec::Vec;
use core::fmt;

use sinew::glam::{DMat3, DQuat, DVec3};
use sinew::limit::Range;
use sinew::math::{arc, ops};
use sinew::{Chain, ChainError, Joint, Skeleton};

use crate::lay::{At, Place};
use crate::normal::Six;
use crate::pose_target::PoseTarget;
use crate::starts::Starts;

/// Joints that an arm may have.
pub(crate) const MOST: usize = 64;

/// One moving joint, and the way to the next. Every joint turns about, or slides along, its frame's z axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    /// Which value drives it, and how fast its angle (radians) or way (units) grows with that.
    pub(crate) slot: usize,
    pub(crate) rate: f64,
    /// 1 for a hinge, else 0; 1 for a slide, else 0.
    pub(crate) turns: f64,
    pub(crate) slides: f64,
    /// Angle, and way, at the value 0.
    pub(crate) angle: f64,
    pub(crate) way: f64,
    /// To the next joint, in the frame after the motion (units).
    pub(crate) offset: DVec3,
    /// Sine and cosine of the tilt about x to the next axis.
    pub(crate) tilt: (f64, f64),
}

/// A value that moves joints: a coordinate of the skeleton, in radians or units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slot {
    /// Metres (or radians) of the coordinate by one of the value.
    pub(crate) scale: f64,
    /// What is allowed, of the coordinate and of the value.
    pub(crate) limit: Range,
    pub(crate) range: Range,
    /// Whether whole turns of it change nothing, and all angles are allowed.
    pub(crate) is_round: bool,
}

/// A chain of hinges and slides from a base to a tip, prepared for solving.
///
/// It depends on the skeleton alone, so make it once. Coordinates are in radians and metres, in the order of
/// [`coordinates`](Self::coordinates); a mimic joint has that of its leader.
///
/// ```
/// use sinew_arm::{Arm, PoseTarget, Serial};
/// use sinew::{JointSpec, Kind, SkeletonBuilder, Status, glam::DVec3};
///
/// let mut builder = SkeletonBuilder::new();
/// builder.add(JointSpec::named("base"));
/// for (i, axis) in [DVec3::Z, DVec3::Y, DVec3::Y, DVec3::Z, DVec3::Y, DVec3::Z].into_iter().enumerate() {
///     let joint = JointSpec::named(format!("joint_{i}")).child_of(i).translation(DVec3::Z * 0.2);
///     builder.add(joint.kind(Kind::hinge(axis).within(-2.9, 2.9)));
/// }
/// builder.add(JointSpec::named("tool").kind(Kind::Fixed).child_of(6).translation(DVec3::Z * 0.1));
/// let skeleton = builder.build()?;
///
/// let arm = Arm::new(&skeleton, skeleton.joint("base")?, skeleton.joint("tool")?)?;
/// let (position, rotation) = arm.forward(&[0.3, -0.5, 1.2, 0.4, 0.9, -0.2]);
/// let mut answer = [0.0; 6];
/// let settings = Serial { restarts: 100, ..Serial::default() };
/// let found = arm.solve(&PoseTarget::frame(position, rotation), &[0.0; 6], &settings, &mut answer);
/// assert_eq!(found.status, Status::Reached);
/// assert!(arm.forward(&answer).0.distance(position) < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Arm {
    /// As many as the loops are compiled for; those beyond `joints` stand still and lead nowhere.
    pub(crate) links: Vec<Link>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) joints: usize,
    /// The skeleton's coordinates in use, base first.
    pub(crate) coordinates: Vec<usize>,
    /// Whether joints share a value.
    pub(crate) is_shared: bool,
    /// Metres that count as one.
    pub(crate) unit: f64,
    /// Where the first joint is (units), how its frame stands, and -1 where that is mirrored, else 1.
    pub(crate) start: DVec3,
    pub(crate) stand: DMat3,
    pub(crate) handed: f64,
    /// The last frame to the tip's.
    pub(crate) tip: DMat3,
    /// Way along the chain from the first joint to the tip (units), and whether none of it slides.
    pub(crate) length: f64,
    pub(crate) is_rigid: bool,
    pub(crate) starts: Starts,
    /// The path, while it is laid.
    pub(crate) path: Vec<Joint>,
    pub(crate) places: Vec<Place>,
}

/// Why two joints cannot make an arm.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArmError {
    /// The two joints make no chain.
    Chain(ChainError),
    /// A joint between base and tip is a ball or free.
    NotSerial {
        /// The joint.
        joint: Joint,
    },
    /// Nothing between base and tip moves.
    Stiff,
    /// More than 64 joints move.
    TooLong,
    /// A joint between base and tip is scaled unequally, mirrored or to nothing.
    Scaled {
        /// The joint.
        joint: Joint,
    },
}

impl fmt::Display for ArmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain(error) => error.fmt(f),
            Self::NotSerial { joint } => {
                write!(f, "joint {} is a ball or free; begin below it, or solve with Jacobian", joint.index())
            }
            Self::Stiff => write!(f, "no hinge or slide lies between base and tip; name a tip further down"),
            Self::TooLong => write!(f, "more than {MOST} joints move; solve with Jacobian"),
            Self::Scaled { joint } => {
                write!(f, "joint {} is scaled unequally, mirrored or to nothing; solve with Jacobian", joint.index())
            }
        }
    }
}

impl core::error::Error for ArmError {}

impl From<ChainError> for ArmError {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

impl Arm {
    /// The joints below `base` down to `tip`; frames are the tip's in that of `base`, which itself stands still. Fixed
    /// joints are where they rest.
    pub fn new(skeleton: &Skeleton, base: Joint, tip: Joint) -> Result<Self, ArmError> {
        let chain = Chain::new(skeleton, base, tip)?;
        let mut arm = Self::default();
        arm.path.extend_from_slice(&chain.joints()[1..]);
        arm.lay(skeleton, At::default(), DVec3::ZERO, |joint| (*skeleton.rest(joint), skeleton.kind(joint)))?;
        arm.spread();
        Ok(arm)
    }

    /// The skeleton's coordinates that move the tip, base first: what each number given and taken is.
    pub fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    /// Length of the chain from the first moving joint to the tip (metres): with slides at 0, no point of reach is
    /// farther from there.
    pub fn length(&self) -> f64 {
        self.length * self.unit
    }

    /// The tip's frame at coordinates of the arm's own.
    ///
    /// # Panics
    /// Where there are fewer than [`coordinates`](Self::coordinates) names.
    pub fn forward(&self, coordinates: &[f64]) -> (DVec3, DQuat) {
        let mut rotation = self.stand;
        let mut position = self.start;
        for link in &self.links[..self.joints] {
            let value = link.rate * (coordinates[link.slot] / self.slots[link.slot].scale);
            let (s, c) = ops::sin_cos(link.turns * value + link.angle);
            position += rotation.z_axis * (link.slides * value + link.way);
            rotation *= DMat3::from_cols(DVec3::new(c, s, 0.0), DVec3::new(-s, c, 0.0), DVec3::Z);
            position += rotation * link.offset;
            let (s, c) = link.tilt;
            rotation *= DMat3::from_cols(DVec3::X, DVec3::new(0.0, c, s), DVec3::new(0.0, -s, c));
        }
        let mut rotation = rotation * self.tip;
        rotation.x_axis *= self.handed;
        (position * self.unit, arc::normalize(arc::from_matrix(&rotation)))
    }

    /// What is asked, in units, of the last joint's frame.
    pub(crate) fn aim(&self, asked: &PoseTarget) -> Aim {
        let mut frame = DMat3::from_quat(asked.rotation);
        frame.x_axis *= self.handed;
        let (position, rotation) = (asked.mask.position, asked.mask.rotation);
        let rows = [position.x, position.y, position.z, rotation.x, rotation.y, rotation.z];
        let (place, turn) = (asked.slack.position / self.unit, asked.slack.rotation);
        let mut slack = [place.x, place.y, place.z, turn.x, turn.y, turn.z];
        for (slack, counts) in slack.iter_mut().zip(rows) {
            *slack = if counts { *slack } else { f64::INFINITY };
        }
        let axis = asked.free_about.and_then(arc::unit).map(|axis| self.tip * axis);
        Aim {
            position: asked.position / self.unit,
            frame: frame * self.tip.transpose(),
            axis,
            slack,
            is_whole: axis.is_none() && slack == [0.0; 6],
            near: asked.tolerance.position / self.unit,
            turn: asked.tolerance.rotation,
        }
    }
}

/// A target in the arm's units, of the last joint's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    pub(crate) position: DVec3,
    pub(crate) frame: DMat3,
    /// The only direction of the last joint's frame that counts, where not all do.
    pub(crate) axis: Option<DVec3>,
    /// How far each row may stay from the target; infinite for those that do not count.
    pub(crate) slack: Six,
    /// Whether all counts.
    pub(crate) is_whole: bool,
    pub(crate) near: f64,
    pub(crate) turn: f64,
}
