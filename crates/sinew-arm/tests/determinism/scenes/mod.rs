//! Many solves of arms, hashed, and the hashes that they had when they were last looked at: as the core's
//! `tests/determinism` has them.

#[path = "../../../../sinew/tests/determinism/scenes/hash.rs"]
mod hash;
mod path;
mod serial;

use hash::Hash;

/// Solves: name, how to hash them, and the pinned hash.
pub(crate) type Scene = (&'static str, fn() -> u64, u64);

pub(crate) const SCENES: [Scene; 2] =
    [("serial", serial::hash, 18_055_309_018_002_859_855), ("path", path::hash, 16_527_538_605_115_769_214)];
