//! Inverse kinematics: given a [`Skeleton`] and [`Goal`]s ("this hand there, that foot on the step"), a [`Solver`]
//! finds the [`Pose`], inside the limits of the joints. When no pose meets the goals it says how far off it is, and
//! why.
//!
//! # The tour
//!
//! A [`Skeleton`] is immutable and shared: joints in depth-first order, with rest transforms, kinds and limits. A
//! [`Pose`] is one configuration of it. A solver takes a skeleton, goals and a pose, moves the pose, and returns an
//! [`Outcome`]. The caller's [`Workspace`] keeps the buffers and the report on each goal:
//!
//! ```
//! use sinew::{Goal, Skeleton, Solver, Status, TwoBone, Workspace, glam::Vec3};
//!
//! let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
//! let hand = arm.joint("joint_2")?;
//! let solver = TwoBone::ending_at(&arm, hand)?;
//! let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
//!
//! let ball = Vec3::new(0.2, 0.3, 0.1);
//! let outcome = solver.solve(&arm, &[Goal::position(hand, ball).pole(Vec3::Z)], &mut pose, &mut work);
//! assert_eq!(outcome.status, Status::Reached);
//! assert!(pose.position(hand).distance(ball.as_dvec3()) < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An engine with its own skeleton calls the pure functions under the solvers, on points and rotations:
//! [`solve::two_bone`].
//!
//! # Conventions
//!
//! Right-handed, metres, radians, quaternions `xyzw`. A local transform is translation · rotation · scale. Targets are
//! in model space, or relative to a joint. No axis is assumed to be up. The computation is in `f64`, made of `+ - * /
//! sqrt` and the functions of `libm` in a fixed order, so the same input gives the same bits on every machine.

#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod chain;
mod convention;
mod goal;
mod jacobian;
#[cfg(feature = "laws")]
pub mod laws;
pub mod limit;
mod linear;
#[doc(hidden)]
pub mod math;
mod pose;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "serde")]
mod serde;
mod skeleton;
pub mod solve;
pub mod springs;
mod transform;

#[doc(inline)]
pub use chain::{Chain, ChainError};
pub use convention::{Convention, Conversion};
#[doc(no_inline)]
pub use glam;
pub use goal::{Goal, GoalError, Mask, Pole, Slack, Swivel, Target, Tolerance};
pub use pose::{Difference, Edit, Pose};
#[cfg(feature = "serde")]
pub use saved::{SavedPose, SavedPoseError};
pub use skeleton::{
    BallLimit, Coordinate, Drive, Joint, JointSpec, Kind, Mass, Mimic, NameError, NamedJoint, ParentRef, Skeleton,
    SkeletonBuilder, SkeletonError,
};
#[doc(inline)]
pub use solve::{
    Aim, Auto, Bend, Ccd, Fabrik, Follow, FollowState, Jacobian, MassSpring, Orient, Outcome, Residual, ScaleTarget,
    Sequence, Solver, Start, Status, ThreeLink, TwoBone, Workspace,
};
pub use transform::{Rotation, Transform};
