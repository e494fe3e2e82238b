//! Stretches of a clip in which a foot is in the air, and how it comes back there to the way that it has in the clip.
//!
//! Where a foot lifts and lands it is off the clip by what it slid, or was under the floor. Between, it comes back as quickly as it may
//! hurry: by a share of what it does in the clip.

use std::ops::Range;

use glam::DVec3;

use super::Feet;
use super::foot::Footing;
use crate::clip::Clip;
use crate::course::Course;
use crate::least_bent::least_bent;
use crate::least_jerk::smooth;

/// Seconds in which a foot comes back to its way, where nothing else holds it: at the quickest, and at the slowest, however it hurries;
/// and how many times as long each trial takes as the one before.
const QUICKEST: f64 = 0.05;
const SLOWEST: f64 = 0.2;
const SLOWER: f64 = 1.2;
/// Share of its foot's largest acceleration in the clip with which it comes back, along the ground and upright: both together and the
/// clip's own are less than twice that.
const HURRY: f64 = 0.5;

/// Frames in which a foot is in the air.
pub(super) struct Aloft {
    pub(super) air: Range<usize>,
    /// With up to two before and after, which hold the ends of its way.
    pub(super) around: Range<usize>,
}

impl Aloft {
    /// All of a foot for which it is told of each frame whether it is in the air.
    pub(super) fn all(frames: &[bool]) -> Vec<Self> {
        let mut begin = 0;
        let mut found = Vec::new();
        for run in frames.chunk_by(|a, b| a == b) {
            let end = begin + run.len();
            if run[0] {
                found.push(Self { air: begin..end, around: begin.saturating_sub(2)..(end + 2).min(frames.len()) });
            }
            begin = end;
        }
        found
    }

    /// How many frames hold the first and the last end.
    pub(super) fn held(&self) -> [usize; 2] {
        [self.air.start - self.around.start, self.around.end - self.air.end]
    }

    /// What fades from one vector where it lifts to another where it lands, in each frame of the air.
    pub(super) fn fading(&self, times: &[f64], [from, to]: [DVec3; 2]) -> impl Iterator<Item = DVec3> {
        let times = &times[self.air.clone()];
        let (begin, end) = (times[0], times[times.len() - 1]);
        times.iter().map(move |time| from.lerp(to, smooth((time - begin) / (end - begin).max(f64::MIN_POSITIVE))))
    }
}

/// How much a foot may accelerate beside the clip.
pub(super) fn hurry(feet: &Feet, clip: &Clip, foot: usize) -> f64 {
    HURRY * clip.positions(feet.legs[foot].ankle).derivative(2).peak().1
}

/// The quickest of the ways back, each for the seconds that it takes, that hurries no more than it may; else the slowest.
pub(super) fn quickest(times: &[f64], hurry: f64, way: impl Fn(f64) -> Vec<DVec3>) -> Vec<DVec3> {
    let mut fades = QUICKEST;
    loop {
        let values = way(fades);
        let hurries = Course::new(times.to_vec(), values.clone()).derivative(2).peak().1;
        if hurries <= hurry || fades >= SLOWEST {
            return values;
        }
        fades = (fades * SLOWER).min(SLOWEST);
    }
}

impl Feet {
    /// Has a foot in the air come back along the ground to where it is in the clip, and the body go along.
    pub(super) fn come_back(&self, clip: &Clip, foot: usize, frames: &mut [Vec<Footing>]) {
        let (times, hurry) = (clip.times(), hurry(self, clip, foot));
        let off = |(pose, frame): (_, &Vec<Footing>)| {
            let [heel, ball] = self.soles(pose, foot);
            let middle = (heel + ball) * 0.5;
            (frame[foot].motion.transform_point3(middle) - middle).reject_from_normalized(self.settings.up)
        };
        let off: Vec<DVec3> = clip.poses().iter().zip(&*frames).map(off).collect();
        let swings: Vec<bool> = frames.iter().map(|frame| frame[foot].swings).collect();
        for aloft in Aloft::all(&swings) {
            let (times, mut given) = (&times[aloft.around.clone()], off[aloft.around.clone()].to_vec());
            let ends = [off[aloft.air.start], off[aloft.air.end - 1]];
            for (frame, faded) in aloft.air.clone().zip(aloft.fading(clip.times(), ends)) {
                given[frame - aloft.around.start] -= faded;
            }
            let back = quickest(times, hurry, |fades| freely(times, &given, aloft.held(), fades));
            for frame in aloft.air.clone() {
                let change = back[frame - aloft.around.start] - off[frame];
                let footing = &mut frames[frame][foot];
                footing.motion.translation += change;
                footing.place += change;
                footing.offset += change;
            }
        }
    }
}

/// Vectors that are least bent with nothing in their way.
pub(super) fn freely(times: &[f64], given: &[DVec3], held: [usize; 2], fades: f64) -> Vec<DVec3> {
    let free = [f64::NEG_INFINITY, f64::INFINITY].map(|bound| vec![bound; times.len()]);
    let axes = [0, 1, 2].map(|axis: usize| {
        let mut values: Vec<f64> = given.iter().map(|vector| vector[axis]).collect();
        least_bent(times, &mut values, [&free[0], &free[1]], held, fades);
        values
    });
    (0..times.len()).map(|at| DVec3::new(axes[0][at], axes[1][at], axes[2][at])).collect()
}
