//! All tests of `sinew`: one program, so that it is linked once.

mod accuracy;
mod aim;
mod auto;
mod bend;
mod best_pose;
mod beyond;
mod body;
mod carried;
mod carry;
mod ccd;
mod continuity;
mod convention;
mod derivatives;
mod determinism;
mod fabrik;
mod fabrik_aims;
mod folds;
mod follow;
mod geometric_jacobian;
mod hinges;
mod hostile;
mod invalid;
mod inverse;
mod jacobian;
mod jacobian_limits;
mod laid_limbs;
mod last_steps;
mod laws;
mod limbs_in_limits;
mod limited_bodies;
mod limits;
mod loops;
mod many_legs;
mod mass_spring;
mod no_alloc;
mod no_alloc_frames;
mod orient;
mod ownership;
mod poles;
mod pose;
mod priorities;
mod pulled_in;
mod pulls;
mod ranges;
mod restarts;
mod rims;
mod scale;
mod seeds;
mod serde;
mod settled;
mod skeleton;
mod spine;
mod springs;
mod statuses;
mod stiffness;
mod three_link;
mod two_bone;

/// All of some settings in release, in debug a third.
fn some<T>(all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    all.into_iter().step_by(if cfg!(debug_assertions) { 3 } else { 1 })
}

/// So many cases or frames in release; in debug, which is ten times as slow, a tenth. `.ci/run` runs both.
const fn cases(all: u64) -> u64 {
    if cfg!(debug_assertions) { all.div_ceil(10) } else { all }
}
