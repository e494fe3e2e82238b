//! Many frames in turn, without a jump from one to the next.
//!
//! From each of several answers to the first frame the arm follows as far as small steps lead; the way that leads farthest
//! is taken. Where none leads on the arm must change to another branch, and so again from there: as few changes as
//! those answers allow.

use alloc::vec;
use alloc::vec::Vec;

use super::arm::Arm;
use super::asked::Asked;
use super::search::{Found, Room};
use super::solver::Serial;
use crate::solve::Status;

/// How a path is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Following {
    /// Largest change of a coordinate from frame to frame (radians or metres); 0.1 by default.
    pub step: f64,
    /// Other answers to the first frame that are tried where the one nearest to the seed does not lead to the end; 32 by
    /// default. 0 keeps to that one.
    pub others: u32,
    /// Steps of each descent; its `restarts` look for the first frame, and for those after a change of branch. 100 by
    /// default.
    pub serial: Serial,
}

impl Default for Following {
    fn default() -> Self {
        Self { step: 0.1, others: 32, serial: Serial { restarts: 100, ..Serial::default() } }
    }
}

/// A way through the frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Followed {
    /// Coordinates, as many as the arm has for each frame; where a frame was missed those that come nearest.
    pub coordinates: Vec<f64>,
    /// Frames before which a coordinate changes by more than the step: no way was found that does not.
    pub jumps: Vec<usize>,
    /// Frames that are not reached.
    pub missed: Vec<usize>,
}

impl Arm {
    /// Coordinates for frame after frame from `seed` on, each within a small step of the one before where that is
    /// possible. The first frame may be anywhere in reach; of its answers the one nearest to the seed is preferred.
    /// Frames that are no numbers are missed. Allocates.
    ///
    /// ```
    /// # use sinew::solve::serial::{Arm, Asked, Following};
    /// # use sinew::{JointSpec, Kind, SkeletonBuilder, glam::DVec3};
    /// # let mut builder = SkeletonBuilder::new();
    /// # for i in 0..3 {
    /// #     let joint = JointSpec::named(format!("joint_{i}")).translation(DVec3::X);
    /// #     let joint = if i > 0 { joint.child_of(i - 1).kind(Kind::hinge(DVec3::Z)) } else { joint };
    /// #     builder.add(joint);
    /// # }
    /// # builder.add(JointSpec::named("tip").kind(Kind::Fixed).child_of(2).translation(DVec3::X));
    /// # let skeleton = builder.build()?;
    /// let arm = Arm::new(&skeleton, skeleton.joint("joint_0")?, skeleton.joint("tip")?)?;
    /// let circle = (0..=100).map(|i| 0.0628 * f64::from(i));
    /// let frames: Vec<Asked> =
    ///     circle.map(|t| Asked::position(DVec3::new(2.3 + 0.4 * t.cos(), 0.4 * t.sin(), 0.0))).collect();
    /// let way = arm.path(&frames, &[0.0, 1.0], &Following::default());
    /// assert!(way.jumps.is_empty() && way.missed.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Where `seed` has another length than [`coordinates`](Arm::coordinates).
    pub fn path(&self, frames: &[Asked], seed: &[f64], following: &Following) -> Followed {
        let mut way = Followed::default();
        let mut last = seed.to_vec();
        let mut begun = false;
        while way.coordinates.len() < frames.len() * seed.len() {
            let at = way.coordinates.len() / seed.len().max(1);
            let stretch = self.stretch(&frames[at..], &last, following);
            let is_missed = stretch.is_empty();
            if begun && !is_missed {
                way.jumps.push(at);
            }
            begun |= !is_missed;
            if is_missed {
                let mut nearest = last.clone();
                let _ = self.solve(&frames[at], &last, &following.serial, &mut nearest);
                way.missed.push(at);
                way.coordinates.extend_from_slice(&nearest);
            } else {
                way.coordinates.extend_from_slice(&stretch);
                last.copy_from_slice(&stretch[stretch.len() - seed.len()..]);
            }
        }
        self.forget_small(&mut way, following.step);
        way
    }

    /// Changes of branch that are none: after a miss the arm may go on where it was.
    fn forget_small(&self, way: &mut Followed, step: f64) {
        let (count, all) = (self.coordinates.len(), &way.coordinates);
        let change = |at: usize| {
            let (before, after) = (&all[(at - 1) * count..at * count], &all[at * count..(at + 1) * count]);
            before.iter().zip(after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        way.jumps.retain(|&at| change(at) > step * ROUNDING);
    }

    /// The longest stretch of frames that small steps lead through, from any answer to the first one.
    fn stretch(&self, frames: &[Asked], seed: &[f64], following: &Following) -> Vec<f64> {
        let mut answer = seed.to_vec();
        if self.solve(&frames[0], seed, &following.serial, &mut answer).status != Status::Reached {
            return Vec::new();
        }
        let mut longest = self.follow_from(frames, &answer, following);
        let alone = Serial { restarts: 0, ..following.serial };
        for number in 1..=following.others {
            if longest.len() == frames.len() * seed.len() {
                break;
            }
            let from = self.start(number, seed);
            if self.solve(&frames[0], &from, &alone, &mut answer).status != Status::Reached {
                continue;
            }
            let next = self.follow_from(frames, &answer, following);
            if next.len() > longest.len() {
                longest = next;
            }
        }
        longest
    }

    /// As far as small steps lead from an answer to the first frame.
    fn follow_from(&self, frames: &[Asked], first: &[f64], following: &Following) -> Vec<f64> {
        let within = vec![following.step; first.len()];
        let alone = Serial { restarts: 0, ..following.serial };
        let (mut way, mut last, mut next) = (first.to_vec(), first.to_vec(), first.to_vec());
        for frame in &frames[1..] {
            let Found { status, .. } = self.search(frame, &last, Room::Near(&within), &alone, &mut next);
            if status != Status::Reached {
                break;
            }
            way.extend_from_slice(&next);
            core::mem::swap(&mut last, &mut next);
        }
        way
    }
}

/// Share by which rounding may lengthen a step.
const ROUNDING: f64 = 1.0 + 1e-9;
