//! glTF, GLB and VRM characters as [`sinew`] skeletons, and back without losing anything.
//!
//! ```no_run
//! let hero = sinew_gltf::load("hero.glb")?;
//! let mut pose = hero.skeleton.rest_pose();
//! let head = hero.skeleton.find("head")?;
//! pose.edit(&hero.skeleton).rotation(head, sinew::Rotation::about([1.0, 0.0, 0.0], 0.3));
//! hero.write_posed(&pose, "posed.glb")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which nodes are joints
//! The joints of all skins; in a file without skins the humanoid bones of VRM 0 or 1 with everything
//! below them; in any other file everything in its default (else first) scene. Joints are balls. A node
//! that lies between two joints of skins, or between two humanoid bones, is a fixed joint; what lies above
//! a root is that root's constant affine base, so that model space is the scene space of the file. Roots
//! are pinned, and there may be several. Matrices become translation, rotation and scale, rotations are
//! renormalised, and a bone without end gets a tip ([`Character::is_inferred`]).
//!
//! # Animations
//! [`Character::animation`] opens one and samples it at any time as poses. What it does to morph targets and to nodes that
//! are not joints is ignored. [`Character::write_animated`] writes a clip before the others, beside the one it was made
//! from, or in its place ([`ClipSlot`]). A clip in its place keeps, key by key, what the old one did to everything else.
//!
//! # What is ignored
//! Morph targets, cameras, lights, materials, constraints and expressions are written back without being read. So is
//! `skin.skeleton`, which names no joint. When meshes are compressed (Draco, meshopt), tips come from the bones alone. The
//! springs of a VRM are read on demand ([`Character::spring_bones`]), without their limits (`VRMC_springBone_limit`).
//!
//! # Why no glTF library
//! The document stays one JSON value that is read property by property and patched in place. The crate
//! `gltf` would drop unknown plain properties on the way through, panics on some hostile accessors, cannot
//! name the place of an error, and has been quiet since 2024.

mod above;
mod accessor;
mod animation;
mod buffer;
mod channel;
mod character;
mod clip;
mod container;
mod control;
mod curve;
mod document;
mod element;
mod error;
mod extension;
mod file;
mod height;
mod humanoid;
mod image;
mod merge;
mod mesh;
mod node;
mod pack;
mod patch;
mod placement;
mod record;
mod skeleton;
mod skin;
mod springs;
mod springs_vrm0;
mod springs_vrm1;
mod surface;
mod swing;
mod tip;
mod write;

pub use animation::Animation;
pub use character::{Character, load};
pub use clip::Clip;
pub use error::{LoadError, WriteError};
pub use springs::{Spring, SpringBones, SpringJoint, SpringSpace};
pub use write::{ClipSlot, Format, WriteOptions};
