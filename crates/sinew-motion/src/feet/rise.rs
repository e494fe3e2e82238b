//! Feet of a whole clip go over the ground on the least bent ways, for what is in their way is known beforehand.

use glam::DVec3;
use sinew::Pose;

use super::Feet;
use super::aloft::{Aloft, hurry, quickest};
use super::body::Body;
use super::foot::Footing;
use crate::clip::Clip;
use crate::course::Course;
use crate::ground::Ground;
use crate::least_bent::least_bent;

/// Seconds before and after an edge in which a foot may be over it, however its leg folds.
const EDGES: f64 = 0.06;
/// How much higher, in lengths of its leg, an edge is than a foot that stands before or behind it and is lifted for it.
const EDGE: f64 = 0.02;

/// How high a foot is moved by in each frame of a clip, and between what it may be.
pub(super) struct Rise {
    foot: usize,
    /// As it would be moved with nothing in its way, back at the clip's height over the ground between where it lifts and lands.
    plain: Vec<f64>,
    lowest: Vec<f64>,
    /// As it is moved.
    heights: Vec<f64>,
    /// When it is in the air or must leave the ground, and how much it may hurry there.
    alofts: Vec<Aloft>,
    hurry: f64,
}

impl Rise {
    /// Of a foot that was moved frame by frame.
    pub(super) fn new(
        feet: &Feet,
        clip: &Clip,
        ground: &(impl Ground + ?Sized),
        foot: usize,
        frames: &mut [Vec<Footing>],
    ) -> Self {
        let (up, ankle) = (feet.settings.up, feet.legs[foot].ankle);
        let of = |(pose, frame): (&Pose, &Vec<Footing>)| {
            let mut frame = frame[foot];
            let ankle = pose.position(ankle);
            let height = (frame.motion.transform_point3(ankle) - ankle).dot(up);
            if !frame.swings {
                // Where toes are farther in the ground than they bend, it rises too.
                let stuck =
                    feet.legs[foot].toes.map_or(0.0, |toes| toes.stuck(pose, &frame.motion, ground, up).max(0.0));
                return (stuck > 0.0, [height, height + stuck], height);
            }
            frame.motion.translation -= up * frame.over;
            let plain = height - frame.over;
            (true, [plain, plain + feet.depth(pose, ground, foot, &frame)], height)
        };
        let found: Vec<(bool, [f64; 2], f64)> = clip.poses().iter().zip(&*frames).map(of).collect();
        // A foot that stands just before or behind an edge is lifted for it in time.
        let edges = edges(up, clip.times(), found.iter().map(|(aloft, [_, lowest], _)| aloft.then_some(*lowest)));
        let above = |(edge, (aloft, _, height)): (f64, &(bool, [f64; 2], f64))| {
            *aloft || edge > height + EDGE * feet.length(foot)
        };
        let alofts = Aloft::all(&edges.into_iter().zip(&found).map(above).collect::<Vec<bool>>());
        let [plain, lowest] =
            [0, 1].map(|bound| found.iter().map(|(_, bounds, _)| bounds[bound]).collect::<Vec<f64>>());
        let heights = found.into_iter().map(|(.., height)| height).collect();
        let mut rise = Self { foot, plain, lowest, heights, alofts, hurry: hurry(feet, clip, foot) };
        rise.come_back(feet, clip, frames);
        rise
    }

    /// Has the foot be as high over the ground as in the clip between where it lifts and lands, and the body go along.
    fn come_back(&mut self, feet: &Feet, clip: &Clip, frames: &mut [Vec<Footing>]) {
        let (up, floor) = (feet.settings.up, feet.settings.floor);
        // How far a foot that stands is above the ground's height over the clip's floor.
        let over = |frame: usize| {
            let [heel, ball] = feet.soles(&clip.poses()[frame], self.foot).map(|sole| sole.dot(up) - floor);
            self.heights[frame] + heel.min(ball)
        };
        for aloft in &self.alofts {
            let (air, [before, after]) = (aloft.air.clone(), aloft.held());
            let first = if before > 0 { self.plain[air.start] - over(air.start - 1) } else { 0.0 };
            let last = if after > 0 { self.plain[air.end - 1] - over(air.end) } else { 0.0 };
            for (frame, fades) in air.zip(aloft.fading(clip.times(), [first, last].map(|off| up * off))) {
                self.plain[frame] -= fades.dot(up);
                frames[frame][self.foot].offset -= fades;
            }
        }
    }

    /// Has the foot go over the ground while it is in the air, in place of what it was lifted by frame by frame, and no higher than
    /// `highest` where the ground lets it.
    pub(super) fn lay(&mut self, up: DVec3, times: &[f64], highest: &[f64], frames: &mut [Vec<Footing>]) {
        let Self { foot, plain, lowest, heights, alofts, hurry } = self;
        for aloft in &*alofts {
            let around = aloft.around.clone();
            let (times, bounds) = (&times[around.clone()], [&lowest[around.clone()], &highest[around.clone()]]);
            let values = quickest(times, *hurry, |fades| {
                let mut values = heights[around.clone()].to_vec();
                values[aloft.held()[0]..][..aloft.air.len()].copy_from_slice(&plain[aloft.air.clone()]);
                least_bent(times, &mut values, bounds, aloft.held(), fades);
                values.into_iter().map(|value| up * value).collect()
            });
            for frame in aloft.air.clone() {
                let height = values[frame - around.start].dot(up);
                frames[frame][*foot].motion.translation += up * (height - heights[frame]);
                heights[frame] = height;
            }
        }
    }

    /// How high a foot may be moved under a body that is moved so, for its leg to fold no more than it does well; no lower than what it
    /// must go over about then.
    pub(super) fn highest(&self, feet: &Feet, clip: &Clip, bodies: &[Body], frames: &[Vec<Footing>]) -> Vec<f64> {
        let (leg, up, times) = (&feet.legs[self.foot], feet.settings.up, clip.times());
        let edges = edges(up, times, self.lowest.iter().copied().map(Some));
        let most = |(frame, pose): (usize, &Pose)| {
            let near = leg.near(pose, &frames[frame][self.foot].motion, bodies[frame].way_of(leg, pose), up);
            if near > 0.0 { (self.heights[frame] - near).max(edges[frame]) } else { f64::INFINITY }
        };
        clip.poses().iter().enumerate().map(most).collect()
    }
}

/// The highest of some heights about each moment; the lowest of all where there is none.
fn edges(up: DVec3, times: &[f64], heights: impl Iterator<Item = Option<f64>> + Clone) -> Vec<f64> {
    let least = heights.clone().flatten().fold(f64::INFINITY, f64::min);
    let over = heights.map(|height| up * height.map_or(0.0, |height| height - least)).collect();
    let highest = Course::new(times.to_vec(), over).largest_about(times, EDGES);
    highest.into_iter().map(|over| least + over).collect()
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
            let own = (1.0 - frame.load * frame.load) * depth(toes.tip(pose));
            own.max(toes.stuck(pose, &frame.motion, ground, up))
        });
        self.soles(pose, foot).into_iter().map(depth).fold(toes, f64::max)
    }
}
