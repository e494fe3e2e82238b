//! How quick joints are, as a share of their largest acceleration in a clip.

use sinew::{Joint, Pose, Skeleton};

use super::Feet;
use super::leg::Measured;
use crate::clip::Clip;
use crate::course::Course;

/// Share of the largest acceleration of all that a joint counts with which has less: one that hardly moves in the clip.
const LEAST: f64 = 0.02;

/// Some joints, and their largest accelerations in a clip.
pub(super) struct Peaks(Vec<(Joint, f64)>);

impl Peaks {
    fn of(clip: &Clip, joints: impl Iterator<Item = Joint>) -> Self {
        let peak = |joint| clip.positions(joint).derivative(2).peak().1.max(f64::MIN_POSITIVE);
        Self(joints.map(|joint| (joint, peak(joint))).collect())
    }

    /// A knee and its foot.
    pub(super) fn of_leg(feet: &Feet, clip: &Clip, foot: usize) -> Self {
        Self::of(clip, [feet.knee(foot), feet.joint(foot)].into_iter())
    }

    /// The body with its legs and feet; what carries it is measured by the hips if it is still in the clip.
    pub(super) fn of_body(feet: &Feet, skeleton: &Skeleton, clip: &Clip) -> Self {
        let hips: Vec<Joint> = feet.legs.iter().map(Measured::hip).collect();
        let carries = |joint: Joint| hips.iter().all(|&hip| skeleton.is_below(hip, joint));
        // What does not hang on it are controls of whoever made the clip.
        let body = skeleton.iter().rfind(|&joint| carries(joint));
        let of_body = |joint: Joint| carries(joint) || body.is_none_or(|body| skeleton.is_below(joint, body));
        let is_foot =
            |joint: Joint| feet.legs.iter().any(|leg| joint == leg.foot || skeleton.is_below(joint, leg.foot));
        let mut peaks = Self::of(clip, skeleton.iter().filter(|&joint| of_body(joint) || is_foot(joint)));
        let largest = |peaks: &Self| peaks.0.iter().fold(0.0, |most: f64, (_, peak)| most.max(*peak));
        let (of_hips, least) = (largest(&Self::of(clip, hips.iter().copied())), LEAST * largest(&peaks));
        for (joint, peak) in &mut peaks.0 {
            *peak = peak.max(if carries(*joint) { of_hips.max(least) } else { least });
        }
        peaks
    }

    /// How many times as much as in the clip the quickest of them accelerates, for each pose between the first and the last.
    pub(super) fn quickness(&self, times: &[f64], poses: &[Pose]) -> Vec<f64> {
        let mut most = vec![0.0; poses.len().saturating_sub(2)];
        for &(joint, peak) in &self.0 {
            let places = poses.iter().map(|pose| pose.position(joint)).collect();
            let sizes = Course::new(times.to_vec(), places).derivative(2);
            most.iter_mut().zip(sizes.sizes()).for_each(|(most, size): (&mut f64, f64)| *most = most.max(size / peak));
        }
        most
    }

    pub(super) fn most(&self, times: &[f64], poses: &[Pose]) -> f64 {
        self.quickness(times, poses).into_iter().fold(0.0, f64::max)
    }
}
