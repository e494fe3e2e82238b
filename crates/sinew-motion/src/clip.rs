//! Poses of one skeleton, each at its time.

use glam::DVec3;
use sinew::{Joint, Pose, Skeleton};

use crate::course::Course;
use crate::error::ClipError;

/// Poses a second that a clip can be resampled at.
const RATES: std::ops::RangeInclusive<f64> = 1e-3..=1e4;
/// Times nearer to a multiple of the step than this share of it are that multiple.
const ROUNDING: f64 = 1e-6;

/// Sampled motion: a pose at each of some times (seconds), at least one, in order. All poses are of one skeleton, which
/// the caller keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    times: Vec<f64>,
    poses: Vec<Pose>,
}

impl Clip {
    /// A clip of these poses.
    ///
    /// # Errors
    /// No poses, not as many times, times that do not increase or are not finite, poses of another skeleton.
    pub fn new(skeleton: &Skeleton, times: Vec<f64>, poses: Vec<Pose>) -> Result<Self, ClipError> {
        if times.len() != poses.len() {
            return Err(ClipError::Unpaired { times: times.len(), poses: poses.len() });
        }
        if poses.is_empty() {
            return Err(ClipError::Empty);
        }
        let mut before = f64::NEG_INFINITY;
        for (index, &time) in times.iter().enumerate() {
            if !(time.is_finite() && time > before) {
                return Err(ClipError::Time { index, time });
            }
            before = time;
        }
        match poses.iter().position(|pose| !pose.fits(skeleton)) {
            Some(index) => Err(ClipError::OtherSkeleton { index }),
            None => Ok(Self { times, poses }),
        }
    }

    /// A clip of the poses that `at` makes of the rest pose at each of these times: how clips of any format become one of
    /// these.
    ///
    /// # Errors
    /// No times, and times that do not increase or are not finite.
    pub fn sampled(
        skeleton: &Skeleton,
        times: Vec<f64>,
        mut at: impl FnMut(f64, &mut Pose),
    ) -> Result<Self, ClipError> {
        let rest = skeleton.rest_pose();
        let pose = |&time: &f64| {
            let mut pose = rest.clone();
            at(time, &mut pose);
            pose
        };
        let poses = times.iter().map(pose).collect();
        Self::new(skeleton, times, poses)
    }

    /// A clip of times and poses that are known to be one.
    pub(crate) fn of(times: Vec<f64>, poses: Vec<Pose>) -> Self {
        Self { times, poses }
    }

    /// When the poses are (seconds).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The poses, in order.
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// The poses, to be changed; they stay of their skeleton.
    pub fn poses_mut(&mut self) -> &mut [Pose] {
        &mut self.poses
    }

    /// Times and poses apart.
    pub fn into_parts(self) -> (Vec<f64>, Vec<Pose>) {
        (self.times, self.poses)
    }

    /// Number of poses.
    pub fn len(&self) -> usize {
        self.poses.len()
    }

    /// Never: a clip has a pose.
    pub fn is_empty(&self) -> bool {
        self.poses.is_empty()
    }

    /// The time of the first pose (seconds).
    pub fn start(&self) -> f64 {
        self.times.first().copied().unwrap_or(0.0)
    }

    /// The time of the last pose (seconds).
    pub fn end(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Seconds from the first pose to the last.
    pub fn length(&self) -> f64 {
        self.end() - self.start()
    }

    /// Sets a pose to that of the clip at a time: the first pose before it begins, the last one after it ends, and a blend
    /// of two between. At the time of a pose it is that pose, bit for bit. Does not allocate for a pose of the same
    /// skeleton.
    ///
    /// # Panics
    /// Where the skeleton is not the poses'.
    pub fn pose(&self, skeleton: &Skeleton, time: f64, pose: &mut Pose) {
        let next = self.times.partition_point(|&at| at <= time);
        let last = next.saturating_sub(1);
        pose.clone_from(&self.poses[last]);
        assert!(pose.fits(skeleton), "the clip is of another skeleton");
        if let (Some(to), Some(until)) = (self.poses.get(next), self.times.get(next)) {
            let from = self.times[last];
            if time > from {
                pose.blend(skeleton, to, (time - from) / (until - from));
            }
        }
    }

    /// The clip at an even rate (poses per second) from its first time on; what is left at the end after the last whole
    /// step is dropped.
    ///
    /// # Errors
    /// Rates outside 0.001 to 10,000.
    ///
    /// # Panics
    /// Where the skeleton is not the poses'.
    pub fn resampled(&self, skeleton: &Skeleton, rate: f64) -> Result<Self, ClipError> {
        let times = even_times(self.start(), self.end(), rate)?;
        Self::sampled(skeleton, times, |time, pose| self.pose(skeleton, time, pose))
    }

    /// The part of the clip from one time to another, sampled at its ends. Times keep their values;
    /// [`shifted`](Self::shifted) makes them begin at 0. When the part is empty or outside the clip, the nearest pose.
    ///
    /// # Panics
    /// Where the skeleton is not the poses'.
    pub fn trimmed(&self, skeleton: &Skeleton, from: f64, to: f64) -> Self {
        let from = from.clamp(self.start(), self.end());
        let to = to.clamp(from, self.end());
        let inside = self.times.iter().copied().filter(|&time| time > from && time < to);
        let mut times: Vec<f64> = std::iter::once(from).chain(inside).collect();
        if to > from {
            times.push(to);
        }
        let at = |&time: &f64| {
            let mut pose = skeleton.rest_pose();
            self.pose(skeleton, time, &mut pose);
            pose
        };
        let poses = times.iter().map(at).collect();
        Self { times, poses }
    }

    /// The clip with all times later by this (seconds).
    pub fn shifted(mut self, later: f64) -> Self {
        self.times.iter_mut().for_each(|time| *time += later);
        self
    }

    /// Where a joint is in model space (metres).
    ///
    /// # Panics
    /// Where the joint is another skeleton's.
    pub fn positions(&self, joint: Joint) -> Course {
        self.points(joint, DVec3::ZERO)
    }

    /// Where a point in the joint's frame is in model space (metres).
    ///
    /// # Panics
    /// Where the joint is another skeleton's.
    pub fn points(&self, joint: Joint, point: DVec3) -> Course {
        let places = self.poses.iter().map(|pose| pose.model(joint).transform_point3(point));
        Course::new(self.times.clone(), places.collect())
    }

    /// How fast a joint turns in model space: the rotation vector from each pose to the next over the time between (radians
    /// a second), halfway between them. Its [`derivative`](Course::derivative)s are angular acceleration and jerk.
    ///
    /// # Panics
    /// Where the joint is another skeleton's.
    pub fn turning(&self, joint: Joint) -> Course {
        let rotations: Vec<_> = self.poses.iter().map(|pose| pose.rotation(joint)).collect();
        Course::turning(&self.times, &rotations)
    }

    /// How fast a joint turns against its parent, in the parent's frame, as [`turning`](Self::turning).
    ///
    /// # Panics
    /// Where the joint is another skeleton's.
    pub fn bending(&self, joint: Joint) -> Course {
        let rotations: Vec<_> = self.poses.iter().map(|pose| pose.local(joint).rotation).collect();
        Course::turning(&self.times, &rotations)
    }
}

/// Times from one to another at an even rate, the first of them `start`.
///
/// # Errors
/// Rates outside 0.001 to 10,000.
pub(crate) fn even_times(start: f64, end: f64, rate: f64) -> Result<Vec<f64>, ClipError> {
    let seconds = end - start;
    let steps = (seconds * rate + ROUNDING).floor();
    if !(RATES.contains(&rate) && steps < 1e9) {
        return Err(ClipError::Rate { rate, seconds });
    }
    #[allow(clippy::cast_sign_loss, reason = "not negative")]
    let steps = steps.max(0.0) as usize;
    // The last one may be a hair behind the end.
    Ok((0..=steps).map(|step| (start + step as f64 / rate).min(end)).collect())
}
