//! Clips: poses of one [`sinew::Skeleton`] over time, whatever file they came from. [`Feet`] puts the feet of a clip on any
//! [`Ground`], and [`Gait`] moves legs from a path of the body alone.
//!
//! ```
//! use sinew::{Rotation, Skeleton, glam::DVec3};
//! use sinew_motion::Clip;
//!
//! let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
//! let elbow = arm.joint("joint_1")?;
//! let (rest, mut bent) = (arm.rest_pose(), arm.rest_pose());
//! bent.edit(&arm).rotation(elbow, Rotation::about(DVec3::X, 1.2));
//! let wave = Clip::new(&arm, vec![0.0, 0.5, 1.0], vec![rest.clone(), bent, rest])?;
//! let mut pose = arm.rest_pose();
//! wave.pose(&arm, 0.25, &mut pose);
//! assert!((pose.difference(&arm.rest_pose()).angle - 0.6).abs() < 1e-12);
//! // How fast the hand goes, in metres a second.
//! let hand = arm.joint("joint_2")?;
//! let smooth = wave.resampled(&arm, 60.0)?;
//! assert!((smooth.positions(hand).derivative(1).peak().1 - 2.4 * 0.25).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Times are seconds, positions metres in model space, angles radians. Between two poses every joint takes its shortest turn
//! at even speed ([`sinew::Pose::blend`]). Nothing here looks at limits.

mod blend;
mod clip;
mod course;
mod error;
mod feet;
pub mod gait;
mod ground;
mod least_bent;
mod least_jerk;
mod mirror;
mod spring;
mod transfer;
mod travel;
mod turn;
pub mod window;

pub use clip::Clip;
pub use course::Course;
pub use error::ClipError;
pub use feet::{
    Contact, Contacts, Feet, FeetSettings, FeetState, FeetStep, FootHint, Landing, Leaving, Leg, SWING_MOMENTS,
};
pub use gait::{Foot, Gait, GaitError, GaitState, PathPoint};
pub use ground::{Ground, GroundPoint, HeightField, Plane, Stairs, Triangles};
pub use mirror::Mirror;
pub use transfer::{Partners, Transfer};
pub use travel::{Displacement, Travel, carry};
