//! What lies about a moment: shares for means that change smoothly, and the largest in a time.

use std::collections::VecDeque;

use crate::course::Course;

/// The times nearer than `half` seconds to the time `at`, with their weights in a mean about it: from 1 at `at` to 0 at
/// both ends as `(1 - x²)²`, so that the mean changes its speed without a jump. `times` increase. None when `half` is 0 or
/// less.
pub fn shares(times: &[f64], at: f64, half: f64) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
    let near = times.partition_point(|&time| time <= at - half)..times.partition_point(|&time| time < at + half);
    near.map(move |index| (index, fall((times[index] - at) / half)))
}

/// From 1 at 0 to 0 at 1 and beyond on either side: `(1 - x²)²`.
pub fn fall(x: f64) -> f64 {
    let x = x.abs().min(1.0);
    (1.0 - x * x) * (1.0 - x * x)
}

impl Course {
    /// The largest size within `about` seconds of each of some increasing times; 0 when there is no value.
    pub fn largest_about(&self, times: &[f64], about: f64) -> Vec<f64> {
        let (at, sizes): (&[f64], Vec<f64>) = (self.times(), self.sizes().collect());
        let (mut next, mut falling) = (0, VecDeque::new());
        let of_time = |&time: &f64| {
            while next < at.len() && at[next] <= time + about {
                while falling.back().is_some_and(|&last: &usize| sizes[last] <= sizes[next]) {
                    falling.pop_back();
                }
                falling.push_back(next);
                next += 1;
            }
            while falling.front().is_some_and(|&first| at[first] < time - about) {
                falling.pop_front();
            }
            falling.front().map_or(0.0, |&first| sizes[first])
        };
        times.iter().map(of_time).collect()
    }

    /// The mean within `half` seconds of each value, weighted by [`shares`] and by how long each lasts.
    pub fn averaged(&self, half: f64) -> Self {
        let (times, values) = (self.times(), self.values());
        let last = times.len().saturating_sub(1);
        let lasts =
            |frame: usize| (times[(frame + 1).min(last)] - times[frame.saturating_sub(1)]).max(f64::MIN_POSITIVE);
        let mean = |frame: usize| {
            let near = shares(times, times[frame], half).map(|(at, share)| (values[at], share * lasts(at)));
            let (sum, all) =
                near.fold((glam::DVec3::ZERO, 0.0), |(sum, all), (value, share)| (sum + value * share, all + share));
            if all > 0.0 { sum / all } else { values[frame] }
        };
        Self::new(times.to_vec(), (0..times.len()).map(mean).collect())
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn the_largest_about_each_time_is_what_a_search_finds() {
        let times: Vec<f64> = (0..200_u32).map(|at| f64::from(at) * 0.01 + 0.001 * f64::from(at * at % 7)).collect();
        let sizes: Vec<f64> = (0..200_u32).map(|at| f64::from(at * at * 31 % 101)).collect();
        let course = Course::new(times.clone(), sizes.iter().map(|&size| DVec3::X * size).collect());
        for (time, found) in times.iter().zip(course.largest_about(&times, 0.1)) {
            let near = times.iter().zip(&sizes).filter(|(at, _)| (time - 0.1..=time + 0.1).contains(*at));
            assert_eq!(found, near.map(|(_, size)| *size).fold(0.0, f64::max), "{time}");
        }
    }

    #[test]
    fn what_is_averaged_after_the_largest_is_never_below_it_and_smooth() {
        let times: Vec<f64> = (0..200).map(|frame| f64::from(frame) / 100.0).collect();
        let need = |time: &f64| if (0.7..0.75).contains(time) { DVec3::Y * 0.1 } else { DVec3::ZERO };
        let needs = Course::new(times.clone(), times.iter().map(need).collect());
        let most = needs.largest_about(&times, 0.2).into_iter().map(|deep| DVec3::Y * deep).collect();
        let way = Course::new(times, most).averaged(0.2);
        assert!(way.values().iter().zip(needs.values()).all(|(way, need)| way.y >= need.y - 1e-12));
        assert!(way.values()[20].y == 0.0 && way.values()[150].y == 0.0);
        let fastest = way.derivative(2).peak().1;
        assert!(fastest < 4.5, "{fastest} m/s²");
        // Moments that last longer count for more: an even way stays what it is, whatever its moments are.
        let uneven: Vec<f64> = (0..40_u32).map(|at| f64::from(at) * 0.05 + 0.015 * f64::from(at % 2)).collect();
        let even = Course::new(uneven.clone(), uneven.iter().map(|&time| DVec3::X * time).collect());
        let off = |at: usize| (even.averaged(0.3).values()[at].x - uneven[at]).abs();
        assert!((8..32).all(|at| off(at) < 2e-3), "{:?}", (8..32).map(off).collect::<Vec<_>>());
        assert_eq!(even.averaged(0.0), even);
    }
}
