//! Law 15: the answer stays near the pose given.

use alloc::format;

use fastrand::Rng;

use super::rigs::direction;
use super::{Case, Task, Verdict, ensure};
use crate::goal::Goal;
use crate::math::arc;
use crate::pose::Pose;
use crate::solve::Workspace;

/// How far the target is from the tip (lengths of the limb).
const STEP: f64 = 1e-3;
/// How many times as far as the target any joint of the limb may move.
const MOST: f64 = 20.0;
/// Poses tried for one that bends.
const TRIES: u32 = 50;
/// Least distance of the tip from the root, and of the middle joint from the line between (lengths of the limb).
const BENDS: [f64; 2] = [0.2, 0.15];

impl Case<'_> {
    pub(super) fn bend_is_kept(&self, rng: &mut Rng) -> Verdict {
        let mut poses = (0..TRIES).map(|_| self.rig.allowed_pose(rng));
        let Some(given) = poses.find(|pose| self.bends(pose)).filter(|_| self.subject.task == Task::Reach) else {
            return Ok(());
        };
        let length = self.rig.length();
        let goal = Goal::position(self.rig.tip, given.position(self.rig.tip) + direction(rng) * STEP * length);
        let mut pose = given.clone();
        let _ = self.solver.solve(&self.rig.skeleton, &[goal], &mut pose, &mut Workspace::default());
        let moved = |joint| pose.position(joint).distance(given.position(joint)) / (STEP * length);
        let farthest = self.rig.limb().map(moved).fold(0.0, f64::max);
        ensure(farthest <= MOST, || format!("a joint moves {farthest} times as far as the target"))
    }

    /// Whether a pose shows in which plane the limb bends.
    fn bends(&self, pose: &Pose) -> bool {
        let [root, mid, tip] = [self.rig.root, self.rig.mid, self.rig.tip].map(|joint| pose.position(joint));
        let [far, off] = BENDS.map(|share| share * self.rig.length());
        let line = arc::unit(tip - root).filter(|_| arc::length(tip - root) > far);
        line.is_some_and(|line| arc::length(arc::reject(mid - root, line)) > off)
    }
}
