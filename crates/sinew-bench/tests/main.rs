//! All tests of `sinew-bench`: one program, so that it is linked once.

mod away;
mod bodies;
mod chains;
mod command;
mod humanoids;
mod judge;
mod jumps;
mod peers;
mod posture;
mod robots;
mod sweeps;
