//! All tests of `sinew-arm`: one program, so that it is linked once.

mod arm;
mod arm_alone;
mod determinism;
mod laws;
mod no_alloc;
mod path;
mod reach;
mod real_reach;
mod serial;
mod still;
mod tasks;
