//! What swings: bones, and links between their ends.

use core::f64::consts::TAU;

use glam::DVec3;

use crate::limit::Range;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};

/// A bone that swings: the joint that turns, where the bone ends, and how it resists. Bones that begin at the end of
/// another follow it. Several bones may be on one joint, which then turns as its bones do together.
///
/// Coordinates that do not belong to one bone alone are left to the body. A fixed or prismatic joint, and a joint whose
/// coordinate others share (mimic joints), does not swing: it and its bones stay where the pose given has them. A bone that
/// ends at a prismatic joint, or past joints without bones, has the length of the pose given, and does not stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// The joint that turns.
    pub joint: Joint,
    /// Where the bone ends. No other bone's joint may be between.
    pub tail: Tail,
    /// Mass at the bone's end (kg); 1 by default. Only ratios matter, except for forces. Zero counts as very little. What
    /// is below a bone counts for at most 100,000 times the bone's own mass.
    pub mass: f64,
    /// Compliance of its turn from the shape: rad/(N·m), one over stiffness; infinite (loose) by default, 0 is rigid. The
    /// torque is that of a pendulum, `sin(angle) / bend`.
    pub bend: f64,
    /// Damping of that turn (N·m·s/rad); 0 by default.
    pub bend_damping: f64,
    /// How it lengthens: m/N, one over stiffness; 0, rigid, by default. Whatever pulls or pushes, a bone ends between 1/20
    /// and 20 times its length at rest.
    pub stretch: f64,
    /// Damping of that (N·s/m); 0 by default.
    pub stretch_damping: f64,
    /// Lengths allowed, as shares of the length at rest; any from 1/20 to 20 by default, and none beyond those counts. A
    /// rigid bone has the nearest to 1.
    pub lengths: Range,
    /// Drag of the air (1/s): the speed against the wind falls by `exp(-drag · t)`; 0 by default.
    pub drag: f64,
    /// Share of the gravity that it feels; 1 by default.
    pub gravity: f64,
    /// Acceleration of its own beside it, in model space (m/s²); none by default.
    pub pull: DVec3,
    /// Largest angle from its shape (radians); π, none, by default. The joint's own limit holds besides.
    pub swing: f64,
    /// Radius of its end against colliders (metres); 0 by default.
    pub radius: f64,
    /// What it collides with: colliders that have one of these bits; all by default.
    pub layers: u64,
    /// A joint in whose frame it swings, so that the motion of that joint does not move it: hair in the frame of a walking
    /// head does not trail behind. None by default. The first bone of a tree of bones decides for the whole tree.
    pub carrier: Option<Joint>,
    /// Whether its end stays where the pose given has it (an anchor); not by default.
    pub anchored: bool,
}

/// Where a bone ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tail {
    /// At a joint below.
    Joint(Joint),
    /// At a point in the joint's frame (metres): the tip of a last joint.
    Point(DVec3),
}

/// Two bones' ends that keep their distance, as the strands of a cloth do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Places in [`Springs::bones`](super::Springs::bones).
    pub bones: [usize; 2],
    /// m/N; 0, rigid, by default; infinite where only the range of lengths ties.
    pub compliance: f64,
    /// N·s/m; 0 by default.
    pub damping: f64,
    /// Distances allowed, as shares of that in the shape; any by default.
    pub lengths: Range,
}

impl Link {
    /// A rigid link.
    pub fn new(a: usize, b: usize) -> Self {
        Self { bones: [a, b], compliance: 0.0, damping: 0.0, lengths: Range::FREE }
    }

    /// Whether it ties two of so many bones, with numbers in range.
    pub(super) fn is_valid(&self, bones: usize) -> bool {
        let [a, b] = self.bones;
        a != b
            && a.max(b) < bones
            && self.compliance >= 0.0
            && self.damping >= 0.0
            && self.damping.is_finite()
            && self.lengths.is_valid()
            && self.lengths.max >= 0.0
    }
}

impl Bone {
    /// A bone without springs, drag or limits.
    pub fn new(joint: Joint, tail: Tail) -> Self {
        Self {
            joint,
            tail,
            mass: 1.0,
            bend: f64::INFINITY,
            bend_damping: 0.0,
            stretch: 0.0,
            stretch_damping: 0.0,
            lengths: Range::FREE,
            drag: 0.0,
            gravity: 1.0,
            pull: DVec3::ZERO,
            swing: core::f64::consts::PI,
            radius: 0.0,
            layers: u64::MAX,
            carrier: None,
            anchored: false,
        }
    }

    /// Sets drag so that a swing of `frequency` (Hz) dies away at the share `damping` of critical damping.
    pub fn dragged(self, frequency: f64, damping: f64) -> Self {
        Self { drag: 2.0 * damping * TAU * frequency, ..self }
    }

    /// From the joint to the tail in the joint's frame, in a pose.
    pub(super) fn arm(&self, skeleton: &Skeleton, pose: &Pose) -> DVec3 {
        match self.tail {
            Tail::Point(point) => point,
            Tail::Joint(tail) => {
                let mut arm = DVec3::ZERO;
                let mut at = Some(tail);
                while let Some(joint) = at.filter(|&joint| joint != self.joint) {
                    arm = pose.local(joint).to_affine().transform_point3(arm);
                    at = skeleton.parent(joint);
                }
                arm
            }
        }
    }

    /// Whether another bone's joint is between its joint and its tail.
    pub(super) fn passes(&self, skeleton: &Skeleton, bones: &[Self]) -> bool {
        let Tail::Joint(tail) = self.tail else { return false };
        let mut at = skeleton.parent(tail);
        while let Some(joint) = at.filter(|&joint| joint != self.joint) {
            if bones.iter().any(|bone| bone.joint == joint) {
                return true;
            }
            at = skeleton.parent(joint);
        }
        false
    }

    /// Whether its numbers are numbers in range, and its joints the skeleton's with the tail below the joint.
    pub(super) fn is_valid(&self, skeleton: &Skeleton) -> bool {
        let tail = match self.tail {
            Tail::Joint(tail) => skeleton.contains(tail) && tail != self.joint && skeleton.is_below(tail, self.joint),
            Tail::Point(point) => point.is_finite(),
        };
        let finite = [self.mass, self.bend_damping, self.stretch, self.stretch_damping, self.drag, self.radius];
        skeleton.contains(self.joint)
            && tail
            && finite.iter().all(|&number| number >= 0.0 && number.is_finite())
            && self.bend >= 0.0
            && self.swing >= 0.0
            && self.gravity.is_finite()
            && self.pull.is_finite()
            && self.carrier.is_none_or(|joint| skeleton.contains(joint))
            && self.lengths.is_valid()
            && self.lengths.max >= 0.0
    }
}
