//! Robot arms for [`sinew`]: one chain of hinges and slides whose tip takes a position, a rotation or a frame, in microseconds.
//!
//! An [`Arm`] is a chain, prepared once. Steps are of third order far from the target and Newton's near it, damped by the
//! error. A joint that meets its limit leaves the system, and the rest is solved again. When one start does not lead to the
//! target, [`Serial::restarts`] tries others. [`Arm::nearest`] stays near the seed, [`Arm::path`] follows many frames
//! without a jump, and [`Arm::reach`] finds all that the tip can reach. [`Serial`] is also a [`Solver`](sinew::Solver) of
//! goals, beside the core's.
//!
//! Several descents, of restarts or of targets ([`Arm::solve_many`]), go side by side in the lanes of a vector register. The
//! instructions are chosen at run time ([`Width`]), and the bits are the same at every width: each lane does what a lone
//! descent would, and restarts are compared in the order of a search without lanes.
//!
//! Sources: Lloyd, Irani & Ahmadi, *Fast and Robust Inverse Kinematics of Serial Robots Using Halley's Method* (2022);
//! Chan & Lawrence (1988) and Sugihara (2011) for damping. Departures: ends of ranges are part of each step, and starts are
//! chosen by where their tips are.
//!
//! ```
//! use sinew::{JointSpec, Kind, SkeletonBuilder, Status, glam::DVec3};
//! use sinew_arm::{Arm, PoseTarget, Serial};
//!
//! let mut builder = SkeletonBuilder::new();
//! builder.add(JointSpec::named("base"));
//! for (i, axis) in [DVec3::Z, DVec3::Y, DVec3::Y, DVec3::Z, DVec3::Y, DVec3::Z].into_iter().enumerate() {
//!     let joint = JointSpec::named(format!("joint_{i}")).child_of(i).translation(DVec3::Z * 0.2);
//!     builder.add(joint.kind(Kind::hinge(axis).within(-2.9, 2.9)));
//! }
//! let skeleton = builder.build()?;
//! let arm = Arm::new(&skeleton, skeleton.joint("base")?, skeleton.joint("joint_5")?)?;
//!
//! // A hundred positions on a line, all from the same seed, eight at a time where the machine has AVX-512.
//! let asked: Vec<PoseTarget> = (0..100).map(|i| PoseTarget::position(DVec3::new(0.4, 0.006 * f64::from(i) - 0.3, 0.5))).collect();
//! let seeds = [0.1, 0.5, 0.5, 0.0, 0.5, 0.0].repeat(asked.len());
//! let (mut answers, mut found) = (seeds.clone(), Vec::new());
//! let settings = Serial { restarts: 100, ..Serial::default() };
//! arm.solve_many(&asked, &seeds, &settings, (&mut answers, &mut found));
//! assert!(found.iter().all(|found| found.status == Status::Reached));
//!
//! // The same bits as one at a time.
//! let mut answer = [0.0; 6];
//! let alone = arm.solve(&asked[7], &seeds[..6], &settings, &mut answer);
//! assert_eq!((alone, &answer[..]), (found[7], &answers[42..48]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;
// What tests share names the crate so.
#[cfg(test)]
extern crate self as sinew_arm;

mod aims;
mod angles;
mod arm;
mod descend;
mod extent;
mod frames;
mod groups;
#[cfg_attr(not(all(feature = "std", target_arch = "x86_64")), path = "no_lanes.rs")]
mod lanes;
mod lay;
mod log;
mod many;
mod normal;
mod number;
mod path;
mod pose_target;
mod reach;
mod restarts;
mod search;
mod settle;
mod solver;
mod starts;
mod step;
#[cfg(all(test, not(debug_assertions)))]
mod three;
mod vector;
mod width;

pub use arm::{Arm, ArmError};
pub use path::{Missed, PathOptions, Trajectory};
pub use pose_target::PoseTarget;
pub use reach::{Directions, ReachError, ReachableWorkspace, Reached, Sample, WorkspaceOptions};
pub use search::IkSolution;
pub use solver::Serial;
pub use width::Width;

// The tests of bits, here in three lanes without vector registers. In release alone, as all widths but one.
#[cfg(all(test, not(debug_assertions)))]
#[path = "../tests/arms/mod.rs"]
mod arms;
#[cfg(all(test, not(debug_assertions)))]
#[path = "../tests/same_bits/mod.rs"]
mod same_bits;
#[cfg(all(test, not(debug_assertions)))]
fn widths() -> Vec<Width> {
    vec![Width::THREE]
}
