//! All tests of `sinew-rig`: one program, so that it is linked once.

mod body;
mod bvh;
mod human;
mod made;
mod odd_bodies;
mod preferred;
mod recognition;
mod reference;
mod roll;
mod sidecar;
mod smooth;
mod stand;
