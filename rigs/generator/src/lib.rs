//! Makes the rigs that ship with sinew, from numbers alone.
//!
//! The rigs are our own work and not exports of somebody's model, so that they can be given away
//! freely, and so that every length and angle in them has a reason that can be read here. The
//! same source gives the same bytes on every machine: trigonometry goes through `libm`, and
//! nothing depends on time, on a random number or on the order of a hash map.
//!
//! - [`skeleton`]: joints, their frames, and how the left side gives the right one.
//! - [`human`]: where the joints of the human are.
//! - [`chain`]: a path along bones, which says how a ring of skin lies and who moves it.
//! - [`mesh`]: rings stitched into a closed surface.
//! - [`body`]: the flesh of the human, ring by ring.
//! - [`creatures`]: a dog, a spider and a machine on two legs.
//! - [`glb`]: the binary glTF file.

pub mod body;
pub mod chain;
pub mod creatures;
pub mod glb;
pub mod human;
pub mod mesh;
pub mod skeleton;
pub mod weights;

use std::path::PathBuf;

/// Where the human is committed: `rigs/human.glb`.
pub fn human_path() -> PathBuf {
    rig_path("human")
}

/// Where a rig of that name is committed: `rigs/NAME.glb`.
pub fn rig_path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", &format!("{name}.glb")].iter().collect()
}
