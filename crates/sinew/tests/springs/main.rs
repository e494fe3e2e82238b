//! Springs in time, against closed forms of pendulums and springs.

mod energy;
mod motion;

use sinew::glam::DVec3;
use sinew::springs::{SpringState, Springs};
use sinew::{Pose, Skeleton};

/// A chain of so many bones, each so long, along +Y from the origin, and springs on all of them.
fn chain(count: usize, length: f64) -> (Skeleton, Springs) {
    let skeleton = Skeleton::from_lengths(&vec![length; count]).unwrap();
    let [base, tip] = [0, count].map(|joint| skeleton.at(joint).unwrap());
    let springs = Springs::chain(&skeleton, base, tip).unwrap();
    (skeleton, springs)
}

/// A run of frames on a body that stands still; the pose is reset before each, as an animation does.
struct Run<'a> {
    skeleton: &'a Skeleton,
    springs: &'a Springs,
    pose: Pose,
    state: SpringState,
}

impl<'a> Run<'a> {
    fn new(skeleton: &'a Skeleton, springs: &'a Springs) -> Self {
        Self { skeleton, springs, pose: skeleton.rest_pose(), state: SpringState::default() }
    }

    fn frame(&mut self, dt: f64) {
        self.pose.reset(self.skeleton);
        assert!(!self.springs.step(self.skeleton, &mut self.pose, &mut self.state, dt).refused);
    }

    /// Where the last joint is.
    fn tip(&self) -> DVec3 {
        self.pose.position(self.skeleton.at(self.skeleton.len() - 1).unwrap())
    }
}
