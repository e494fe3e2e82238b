//! The floor that a clip was made for, and how its feet slide over it.

use glam::DVec3;

use super::Feet;
use super::contact::{lower, soles};
use crate::clip::Clip;

/// Feet that slide quicker than this (leg lengths a second) walk on the spot.
const QUICK: f64 = 0.25;
/// Share of the median below which a foot that is low does not stand.
const AGAINST: f64 = 0.25;

impl Feet {
    /// How high the floor is that a clip was made for (along up): the height that the lowest sole is below in a fifth of the poses.
    pub fn floor_of(&self, clip: &Clip) -> f64 {
        let lowest = |frame: usize| {
            let heights = (0..self.len()).flat_map(|foot| self.soles(&clip.poses()[frame], foot));
            heights.map(|sole| sole.dot(self.settings.up)).fold(f64::INFINITY, f64::min)
        };
        let mut heights: Vec<f64> = (0..clip.len()).map(lowest).collect();
        heights.sort_by(f64::total_cmp);
        heights[heights.len() / 5]
    }

    /// How fast the feet of a clip slide over the floor while they are low, along the ground (metres a second): the median, and of one
    /// that is quick the mean while they go that way. That of a clip which walks on the spot is its way backwards; of one that travels it is
    /// nearly nothing. Feet are low by their height over [`FeetSettings::floor`](super::FeetSettings::floor): set that to
    /// [`floor_of`](Self::floor_of) the clip first, else other frames count.
    pub fn slide_of(&self, clip: &Clip) -> DVec3 {
        let found: Vec<DVec3> = (0..self.len()).flat_map(|foot| self.slides(clip, foot)).collect();
        let median = |axis: usize| {
            let mut values: Vec<f64> = found.iter().map(|slide| slide[axis]).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(0.0)
        };
        let median = DVec3::new(median(0), median(1), median(2));
        let longest = self.legs.iter().map(|leg| leg.length).fold(0.0, f64::max);
        if median.length() < QUICK * longest {
            return median;
        }
        // Feet that an animator eased dwell and hurry while they stand, and some are low all the while they swing too.
        let (sum, count) = found
            .iter()
            .filter(|slide| slide.dot(median) > AGAINST * median.length_squared())
            .fold((DVec3::ZERO, 0.0_f64), |(sum, count), slide| (sum + *slide, count + 1.0));
        sum / count.max(1.0)
    }

    /// How a foot moves along the ground from frame to frame while it is low (metres a second).
    fn slides(&self, clip: &Clip, foot: usize) -> impl Iterator<Item = DVec3> {
        let (times, up) = (clip.times(), self.settings.up);
        let (soles, low) =
            (soles(self, clip, foot), 0.5 * self.settings.height * self.length(foot) + self.settings.floor);
        (1..soles.len()).filter_map(move |frame| {
            let lower = lower(&soles[frame], up);
            let speed = (soles[frame][lower] - soles[frame - 1][lower]) / (times[frame] - times[frame - 1]);
            (soles[frame][lower].dot(up) < low).then(|| speed.reject_from_normalized(up))
        })
    }
}
