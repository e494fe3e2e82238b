//! Robot arms, several descents at once: the solver of [`sinew::solve::serial`] with restarts, or targets, side by side in
//! the lanes of a vector register.
//!
//! [`Wide`] finds out at run time which instructions there are, and gives the bits of the core's own solver at every width:
//! each lane does what a lone descent would, and restarts are judged in the order in which they would be made one after
//! another. The kernel is the core's, over numbers that [`sinew::solve::serial::lanes`] asks for.
//!
//! ```
//! use sinew::solve::serial::{Arm, Asked};
//! use sinew::{JointSpec, Kind, Serial, SkeletonBuilder, Status, glam::DVec3};
//! use sinew_arm::Wide;
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
//! // A hundred places on a line, all from the same seed, eight at a time where the machine has AVX-512.
//! let asked: Vec<Asked> = (0..100).map(|i| Asked::position(DVec3::new(0.4, 0.006 * f64::from(i) - 0.3, 0.5))).collect();
//! let seeds = [0.1, 0.5, 0.5, 0.0, 0.5, 0.0].repeat(asked.len());
//! let (mut answers, mut found) = (seeds.clone(), Vec::new());
//! let settings = Serial { restarts: 100, ..Serial::default() };
//! Wide::new().solve_many(&arm, &asked, &seeds, &settings, (&mut answers, &mut found));
//! assert!(found.iter().all(|found| found.status == Status::Reached));
//!
//! // The same bits as one at a time.
//! let mut answer = [0.0; 6];
//! let alone = arm.solve(&asked[7], &seeds[..6], &settings, &mut answer);
//! assert_eq!((alone, &answer[..]), (found[7], &answers[42..48]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(target_arch = "x86_64")]
mod lanes;
mod wide;

pub use wide::{Wide, WideSerial};
