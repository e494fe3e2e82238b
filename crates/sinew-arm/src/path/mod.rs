//! Many frames in turn, without a jump from one to the next.
//!
//! The way from the answer nearest to the seed is followed first. Where it breaks off, many are together, each drawn
//! towards a posture of its own ([`ways`]), from there back to the first frame and on ([`stretch`]), and the one taken is
//! drawn straight ([`smooth`]). Where none of those goes on the arm must change to another branch, so as late as it can:
//! changes are as few as those ways allow.
//!
//! Source: Oriolo, Ottavi & Vendittelli, *Probabilistic Motion Planning for Redundant Robots along Given End-Effector Paths*
//! (2002) for growing many ways along one path. Departures: postures are the same ones every time, and all ways advance
//! frame by frame.

mod smooth;
mod stretch;
mod ways;

use alloc::vec;
use alloc::vec::Vec;

use sinew::Status;

use super::arm::Arm;
use super::frames::sized;
use super::pose_target::PoseTarget;
use super::search::{IkSolution, Room};
use super::solver::Serial;

/// How a path is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathOptions {
    /// Largest change of a coordinate from frame to frame (radians or metres); 0.1 by default.
    pub step: f64,
    /// How many alternative paths are followed together when the one from the seed does not lead to the end; 64 by default,
    /// which takes some hundred bytes a frame each. 0 keeps to that one.
    pub alternatives: u32,
    /// Steps of each descent; its `restarts` look for the first frame, and for those after a change of branch. 100 by
    /// default.
    pub serial: Serial,
}

impl Default for PathOptions {
    fn default() -> Self {
        Self { step: 0.1, alternatives: 64, serial: Serial { restarts: 100, ..Serial::default() } }
    }
}

/// Joint values for every frame of a path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Coordinates, as many as the arm has for each frame. For a frame that was missed, the values within a step of the
    /// frame before that come nearest; for the first, the nearest found. [`Arm::forward`] tells where the tip then is.
    pub coordinates: Vec<f64>,
    /// Frames before which a coordinate changes by more than the step. The search found no path without this jump; that is
    /// no proof that there is none.
    pub jumps: Vec<usize>,
    /// Frames that are not reached from any start, in their order.
    pub missed: Vec<Missed>,
}

/// A frame that a path missed, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
    /// Its index.
    pub frame: usize,
    /// What is left where the trajectory is then.
    pub left: IkSolution,
    /// What is left at the nearest values that were found from any start, however far from the frame before. Its status is why the
    /// frame was missed.
    pub nearest: IkSolution,
}

impl Trajectory {
    /// What is known of a frame that was missed; none where it was reached.
    pub fn missed_at(&self, frame: usize) -> Option<&Missed> {
        self.missed.binary_search_by_key(&frame, |missed| missed.frame).ok().map(|place| &self.missed[place])
    }
}

impl Arm {
    /// Coordinates for frame after frame from `seed` on, each within a small step of the one before if that is possible.
    /// The first frame may be solved anywhere in reach; paths that begin near the seed are preferred, then smooth ones.
    /// Frames with numbers that are not finite count as missed. Allocates.
    ///
    /// ```
    /// # use sinew_arm::{Arm, PoseTarget, PathOptions};
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
    /// let frames: Vec<PoseTarget> =
    ///     circle.map(|t| PoseTarget::position(DVec3::new(2.3 + 0.4 * t.cos(), 0.4 * t.sin(), 0.0))).collect();
    /// let way = arm.path(&frames, &[0.0, 1.0], &PathOptions::default());
    /// assert!(way.jumps.is_empty() && way.missed.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Where `seed` has another length than [`coordinates`](Arm::coordinates).
    pub fn path(&self, frames: &[PoseTarget], seed: &[f64], options: &PathOptions) -> Trajectory {
        let aims: Vec<_> = frames.iter().map(|asked| asked.is_valid().then(|| self.aim(asked))).collect();
        let mut way = Trajectory::default();
        let (mut last, mut first) = (seed.to_vec(), seed.to_vec());
        while way.coordinates.len() < frames.len() * seed.len() {
            let at = way.coordinates.len() / seed.len();
            let nearest = self.solve(&frames[at], &last, &options.serial, &mut first);
            if nearest.status == Status::Reached {
                let stretch = sized!(self, |sized| sized.stretch(&aims[at..], &last, &first, options), first.clone());
                way.coordinates.extend_from_slice(&stretch);
            } else {
                let left = if at > 0 { self.come_near(&frames[at], &last, options, &mut first) } else { nearest };
                way.missed.push(Missed { frame: at, left, nearest });
                way.coordinates.extend_from_slice(&first);
            }
            last.copy_from_slice(&way.coordinates[way.coordinates.len() - seed.len()..]);
        }
        way.jumps = jumps(&way, seed.len(), options.step);
        way
    }

    /// As near to a frame that is not reached as one step leads.
    fn come_near(&self, asked: &PoseTarget, last: &[f64], options: &PathOptions, nearest: &mut [f64]) -> IkSolution {
        let within = vec![options.step; last.len()];
        let alone = Serial { restarts: 0, ..options.serial };
        self.search(asked, (last, Room::Near(&within)), &alone, nearest)
    }
}

/// Frames after the first one reached that are more than a step from the one before.
fn jumps(way: &Trajectory, count: usize, step: f64) -> Vec<usize> {
    let rows: Vec<&[f64]> = way.coordinates.chunks_exact(count.max(1)).collect();
    let first = (0..rows.len()).find(|&at| way.missed_at(at).is_none()).unwrap_or(rows.len());
    let is_far = |at: &usize| rows[*at].iter().zip(rows[at - 1]).any(|(a, b)| (a - b).abs() > step * ROUNDING);
    (first + 1..rows.len()).filter(is_far).collect()
}

/// Share by which rounding may lengthen a step.
const ROUNDING: f64 = 1.0 + 1e-9;
