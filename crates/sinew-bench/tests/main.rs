//! All tests of `sinew-bench`: one program, so that it is linked once.

mod away;
mod bodies;
mod command;
mod humanoids;
mod judge;
mod peers;
mod posture;
mod robots;
mod sweeps;
