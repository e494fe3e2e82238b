//! All tests of `sinew-rig`: one program, so that it is linked once.

mod body;
mod bvh;
mod human;
mod made;
mod odd_bodies;
mod preferred;
mod promises;
mod recognition;
mod reference;
mod roll;
mod sidecar;
mod smooth;
mod stand;

/// So many cases in release; in debug, which is ten times as slow, a tenth. `.ci/run` runs both.
const fn cases(all: usize) -> usize {
    if cfg!(debug_assertions) { all.div_ceil(10) } else { all }
}
