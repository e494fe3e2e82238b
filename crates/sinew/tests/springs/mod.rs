//! Springs in time, against closed forms of pendulums and springs.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::cast_sign_loss,
    reason = "helpers of tests may fail, and compare with std"
)]

mod anything;
mod bodies;
mod energy;
mod limits;
mod motion;
mod shaken;
mod stretch;
mod surprises;

use sinew::glam::DVec3;
use sinew::springs::{SpringState, Springs};
use sinew::{Joint, Pose, Skeleton};

const GRAVITY: f64 = 9.81;

/// A chain of so many bones, each so long, along +Y from the origin, and springs on all of them.
fn chain(count: usize, length: f64) -> (Skeleton, Springs) {
    let skeleton = Skeleton::from_lengths(&vec![length; count]).unwrap();
    let springs = Springs::chain(&skeleton, joint(&skeleton, 0), joint(&skeleton, count)).unwrap();
    (skeleton, springs)
}

fn joint(skeleton: &Skeleton, index: usize) -> Joint {
    skeleton.at(index).unwrap()
}

/// Frames of one character; the pose is reset before each, as an animation does.
struct Run<'a> {
    skeleton: &'a Skeleton,
    pose: Pose,
    state: SpringState,
}

impl<'a> Run<'a> {
    fn new(skeleton: &'a Skeleton) -> Self {
        Self { skeleton, pose: skeleton.rest_pose(), state: SpringState::default() }
    }

    /// One frame of a body that stands still.
    fn frame(&mut self, springs: &Springs, dt: f64) {
        self.moved(springs, dt, |_| {});
    }

    /// One frame of a body that is posed first.
    fn moved(&mut self, springs: &Springs, dt: f64, body: impl FnOnce(&mut Pose)) {
        self.pose.reset(self.skeleton);
        body(&mut self.pose);
        let step = springs.step(self.skeleton, &mut self.pose, &mut self.state, dt);
        assert!(!step.refused);
    }

    /// Many frames.
    fn run(&mut self, springs: &Springs, rate: f64, seconds: f64) {
        (0..(seconds * rate).round() as usize).for_each(|_| self.frame(springs, 1.0 / rate));
    }

    /// Where the last joint is.
    fn tip(&self) -> DVec3 {
        self.pose.position(joint(self.skeleton, self.skeleton.len() - 1))
    }

    /// Where the ends of the bones are, and how fast.
    fn ends(&self) -> Vec<(DVec3, DVec3)> {
        self.state.particles().map(|end| (end.position, end.velocity)).collect()
    }
}
