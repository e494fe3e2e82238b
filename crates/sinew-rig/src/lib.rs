//! What a bare skeleton lacks: which joints are arms, legs, spine, head, fingers and tail, the limits of a human's joints,
//! and a sidecar file beside the rig that overrides all of it.
//!
//! ```
//! use sinew::{JointSpec, SkeletonBuilder};
//! use sinew_rig::{Evidence, LimbKind, Part, Role, Side, recognize};
//!
//! let mut builder = SkeletonBuilder::new();
//! builder.add(JointSpec::named("chest").translation([0.0, 1.4, 0.0]));
//! for (name, parent, x) in [("upper_arm.L", "chest", 0.2), ("forearm.L", "upper_arm.L", 0.3), ("hand.L", "forearm.L", 0.25)] {
//!     builder.add(JointSpec::named(name).child_of(parent).translation([x, 0.0, 0.0]));
//! }
//! let skeleton = builder.build()?;
//! let found = recognize(&Evidence::of(&skeleton));
//! let arm = found.limb(LimbKind::Arm, Some(Side::Left)).expect("an arm");
//! assert_eq!(arm.joints.len(), 3);
//! let elbow = found.joint(&skeleton, Role::on(Side::Left, Part::LowerArm));
//! assert_eq!(elbow, Some(skeleton.joint("forearm.L")?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`prepare`] does the same, and also gives limbs that are straight at rest the preferred bend of their body, so that
//! solvers know how their elbows and knees fold. With the feature `gltf`, [`load`] does both for a file.
//!
//! This crate knows no file format: [`Evidence`] is what a loader can tell. The feature `gltf` fills it from a
//! `sinew_gltf::Character`, the feature `bvh` from a `sinew_bvh::Bvh`. With the feature `motion`
//! [`Recognition::feet_legs`] and [`Recognition::gait_legs`] give the legs that `sinew-motion` moves. When a rest pose is not one that a body can take,
//! [`mod@reference`] finds a better one in a motion.

mod bends;
pub mod body;
mod evidence;
mod facing;
mod feet;
mod finger;
mod human;
#[cfg(feature = "motion")]
mod legs;
mod limb;
mod merge;
mod name;
mod named;
mod parts;
mod preferred;
mod recognize;
pub mod reference;
mod role;
mod shape;
pub mod sidecar;
mod stand;
mod t_pose;
mod tree;
mod trunk;

pub use body::Body;
pub use evidence::Evidence;
pub use human::Human;
#[cfg(feature = "fit")]
#[doc(hidden)]
pub use human::fit as limits_fit;
pub use limb::{Limb, LimbKind};
#[cfg(feature = "gltf")]
pub use preferred::load;
pub use preferred::prepare;
pub use recognize::{BodyKind, Guess, Recognition, recognize};
pub use reference::Reference;
pub use role::{Digit, Part, Role, Side};
pub use sidecar::{Sidecar, SidecarError};
