//! Feet of a whole clip go over the ground on the least bent ways, for what is in their way is known beforehand.

use std::ops::Range;

use glam::DVec3;
use sinew::Pose;

use super::Feet;
use super::foot::Footing;
use crate::clip::Clip;
use crate::course::Course;
use crate::ground::Ground;
use crate::least_bent::least_bent;

/// Seconds in which a way comes back to where it would be without what is in it, where nothing else holds it.
const FADES: f64 = 0.2;
/// Seconds before and after an edge in which a foot may be over it, however its leg folds.
const EDGES: f64 = 0.06;

/// How high a foot is moved by in each frame of a clip, and between what it may be.
pub(super) struct Rise {
    foot: usize,
    /// As it would be moved with nothing in its way.
    plain: Vec<f64>,
    lowest: Vec<f64>,
    /// As it is moved.
    heights: Vec<f64>,
    /// The frames in which it is in the air.
    swings: Vec<Range<usize>>,
}

impl Rise {
    /// Of a foot that was moved frame by frame.
    pub(super) fn new(
        feet: &Feet,
        clip: &Clip,
        ground: &(impl Ground + ?Sized),
        foot: usize,
        frames: &[Vec<Footing>],
    ) -> Self {
        let (up, ankle) = (feet.settings.up, feet.legs[foot].ankle);
        let of = |(pose, frame): (&Pose, &Vec<Footing>)| {
            let mut frame = frame[foot];
            let ankle = pose.position(ankle);
            let height = (frame.motion.transform_point3(ankle) - ankle).dot(up);
            if !frame.swings {
                let stuck = feet.legs[foot].toes.map_or(0.0, |toes| toes.stuck(pose, &frame.motion, ground, up));
                return ([height, height + stuck], height + stuck);
            }
            frame.motion.translation -= up * frame.over;
            let plain = height - frame.over;
            ([plain, plain + feet.depth(pose, ground, foot, &frame)], height)
        };
        let (bounds, heights): (Vec<[f64; 2]>, Vec<f64>) = clip.poses().iter().zip(frames).map(of).unzip();
        let mut swings = Vec::new();
        let mut begin = 0;
        for run in frames.chunk_by(|a, b| a[foot].swings == b[foot].swings) {
            if run[0][foot].swings {
                swings.push(begin..begin + run.len());
            }
            begin += run.len();
        }
        let [plain, lowest] = [0, 1].map(|bound| bounds.iter().map(|bounds| bounds[bound]).collect());
        Self { foot, plain, lowest, heights, swings }
    }

    /// Has the foot go over the ground while it is in the air, in place of what it was lifted by frame by frame, and no higher than
    /// `highest` where the ground lets it.
    pub(super) fn lay(&mut self, up: DVec3, times: &[f64], highest: &[f64], frames: &mut [Vec<Footing>]) {
        for swing in &self.swings {
            let (first, last) = (swing.start.saturating_sub(2), (swing.end + 2).min(times.len()));
            let held = [swing.start - first, last - swing.end];
            let mut values = self.heights[first..last].to_vec();
            values[held[0]..held[0] + swing.len()].copy_from_slice(&self.plain[swing.clone()]);
            let bounds = [&self.lowest[first..last], &highest[first..last]];
            least_bent(&times[first..last], &mut values, bounds, held, FADES);
            for frame in swing.clone() {
                frames[frame][self.foot].motion.translation += up * (values[frame - first] - self.heights[frame]);
                self.heights[frame] = values[frame - first];
            }
        }
    }

    /// How high a foot may be moved under a body that is moved so, for its leg to fold no more than it does well; no lower than what it
    /// must go over about then.
    pub(super) fn highest(&self, feet: &Feet, clip: &Clip, ways: &[DVec3], frames: &[Vec<Footing>]) -> Vec<f64> {
        let (leg, up, times) = (&feet.legs[self.foot], feet.settings.up, clip.times());
        let least = self.lowest.iter().copied().fold(f64::INFINITY, f64::min);
        let over = self.lowest.iter().map(|low| up * (low - least)).collect();
        let edges = Course::new(times.to_vec(), over).largest_about(times, EDGES);
        let most = |(frame, pose): (usize, &Pose)| {
            let near = leg.near(pose, &frames[frame][self.foot].motion, ways[frame], up);
            if near > 0.0 { (self.heights[frame] - near).max(least + edges[frame]) } else { f64::INFINITY }
        };
        clip.poses().iter().enumerate().map(most).collect()
    }
}

impl Feet {
    /// How deep a foot in the air is in the ground; negative over it.
    fn depth(&self, pose: &Pose, ground: &(impl Ground + ?Sized), foot: usize, frame: &Footing) -> f64 {
        let (leg, up) = (&self.legs[foot], self.settings.up);
        let depth = |point: DVec3| {
            let at = frame.motion.transform_point3(point);
            ground.below(at + up * leg.length, up).map_or(f64::NEG_INFINITY, |below| (below.position - at).dot(up))
        };
        // Toes bend as far as the foot bears, and no farther than they can.
        let toes = leg.toes.map_or(f64::NEG_INFINITY, |toes| {
            let own = (1.0 - frame.load) * depth(toes.tip(pose));
            own.max(toes.stuck(pose, &frame.motion, ground, up))
        });
        self.soles(pose, foot).into_iter().map(depth).fold(toes, f64::max)
    }
}
