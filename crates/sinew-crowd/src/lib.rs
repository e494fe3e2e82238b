//! Thousands of characters a frame: poses of many instances of one skeleton, in `f32` lanes.
//!
//! A [`Crowd`] is a [`Skeleton`](sinew::Skeleton) with solvers that run one after another. [`Poses`] hold the rotations of
//! many instances, [`Goals`] their targets. [`Crowd::solve`] works on independent blocks of characters: the feature `rayon`
//! runs them on all cores, and [`Crowd::blocks`] lends them to any other job system. A frame allocates nothing. Space,
//! units and words are those of `sinew`; each character has a model space of its own.
//!
//! Answers have the same bits at every [`Width`], on every machine and in every order: operations are rounded exactly,
//! never fused or estimated. Positions differ from those of the `f64` solvers of `sinew` by 3e-4 of the limb's length at
//! most, rotations by 3e-3 rad (three links whose last one gives way: three times as much); a test checks this on six
//! thousand limbs of each kind. Soft reach takes the inner band of the rest pose.
//!
//! Limbs and aims keep the limits of their joints. Lanes find where a limb goes without limits, and whether that is clearly
//! inside them. When it is not, the core solves that limb by itself, at the core's price ([`Goals::is_by_core`] tells
//! which). Chains ([`Crowd::fabrik`]) keep cones and hinges and come within their tolerance, but their bends differ from
//! the core's. A setting that lanes do not serve, such as stretch, is an error where the solver is added;
//! [`Block::each_pose`] lends poses to the solvers of the core, which serve all of them. With the feature `body`,
//! `Crowd::body` solves whole bodies from six trackers as `sinew_rig::Body` does, to 3e-5 m and 3e-4 rad, limits included.
//! [`Crowd::planted`] lowers bodies so that their legs reach. [`Limbs`] are limbs as plain numbers, for engines with their
//! own skeletons.
//!
//! ```
//! use sinew::{Skeleton, Status, TwoBone, glam::Vec3};
//! use sinew_crowd::{Crowd, CrowdTarget, Goals, Poses};
//!
//! let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
//! let hand = arm.joint("joint_2")?;
//! let crowd = Crowd::new(&arm)?.two_bone(&TwoBone::ending_at(&arm, hand)?)?;
//! let (mut poses, mut goals) = (Poses::new(&crowd, 1000), Goals::new(&crowd, 1000));
//! for character in 0..1000 {
//!     let ball = Vec3::new(0.2, 0.3, 1e-4 * character as f32);
//!     goals.set(character, 0, Some(CrowdTarget::new(ball).pole(Vec3::Z)));
//! }
//! crowd.solve(&mut poses, &mut goals);
//! assert_eq!(goals.result(999, 0).0, Status::Reached);
//! assert!(poses.position(999, hand).distance(Vec3::new(0.2, 0.3, 0.0999)) < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aim;
mod angle;
mod bend;
mod block;
mod blocks;
#[cfg(feature = "body")]
mod body;
mod by_core;
mod chains;
mod crowd;
mod error;
mod forward;
mod given;
mod goals;
mod inside;
mod lane_pose;
mod lanes;
mod limbs;
mod limit;
mod limited;
mod number;
mod outcome;
#[cfg(portable)]
mod pair;
mod pelvis;
mod poses;
mod steps;
mod three_link;
mod two_bone;
mod vector;

pub use block::{BLOCK, Block};
pub use crowd::Crowd;
pub use error::CrowdError;
pub use goals::{CrowdTarget, Goals};
pub use lanes::Width;
pub use limbs::Limbs;
pub use poses::Poses;
