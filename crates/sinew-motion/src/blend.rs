//! Two clips as one.

use sinew::{Pose, Skeleton};

use crate::clip::Clip;
use crate::least_jerk::smooth;

impl Clip {
    /// This clip with a share of another in it, which may change over time: 0 is this one, 1 the other, at this clip's
    /// times. A pose whose share is 0 stays bit for bit.
    ///
    /// # Panics
    /// Where the skeleton is not that of both.
    pub fn blended(&self, skeleton: &Skeleton, other: &Self, mut share: impl FnMut(f64) -> f64) -> Self {
        let mut blended = self.clone();
        let mut at = skeleton.rest_pose();
        let times = self.times().to_vec();
        for (pose, time) in blended.poses_mut().iter_mut().zip(times) {
            other.pose(skeleton, time, &mut at);
            pose.blend(skeleton, &at, share(time));
        }
        blended
    }

    /// This clip, then another that begins `overlap` seconds before this one ends: their poses blend over that time,
    /// smoothly at both ends. The times of the other are moved accordingly. Without an overlap its first pose replaces
    /// this clip's last.
    ///
    /// # Panics
    /// Where the skeleton is not that of both.
    pub fn then(&self, skeleton: &Skeleton, next: &Self, overlap: f64) -> Self {
        let overlap = overlap.clamp(0.0, self.length().min(next.length()));
        let begins = self.end() - overlap;
        let moved = next.clone().shifted(begins - next.start());
        let share = |time: f64| smooth((time - begins) / overlap);
        let own = self.times().iter().zip(self.poses()).filter(|(time, _)| **time < begins);
        let (mut times, mut poses): (Vec<f64>, Vec<Pose>) = own.map(|(time, pose)| (*time, pose.clone())).unzip();
        for (&time, pose) in moved.times().iter().zip(moved.poses()) {
            let mut at = pose.clone();
            if time < self.end() {
                self.pose(skeleton, time, &mut at);
                at.blend(skeleton, pose, share(time));
            }
            times.push(time);
            poses.push(at);
        }
        Self::of(times, poses)
    }
}
