//! Where the body goes over a whole clip: known beforehand, it need not hurry to where its legs reach.

use glam::DVec3;
use sinew::Pose;

use super::{Contacts, Feet, FeetState, FeetStep};
use crate::clip::Clip;
use crate::ground::Ground;

/// Half-lives of the body's spring ([`FeetSettings::body`](super::FeetSettings::body)) to each side over which its way is averaged.
const HALVES: f64 = 1.5;

impl Feet {
    /// How far the body moves from where the clip has it, for each of its poses (metres, model space): what [`FeetStep::body`] takes.
    /// It follows the mean of the feet, and comes down as far as the legs need, both averaged over the time around; where it must be
    /// low it comes down before and rises after, so that it is never higher than the legs reach.
    ///
    /// # Panics
    /// Where the clip is another skeleton's.
    pub fn plan(&self, clip: &Clip, contacts: &Contacts, ground: &(impl Ground + ?Sized)) -> Vec<DVec3> {
        let (mut state, mut hints) = (FeetState::default(), Vec::new());
        let times = clip.times();
        let mut dt = 0.0;
        let mut frames = Vec::with_capacity(clip.len());
        for (frame, pose) in clip.poses().iter().enumerate() {
            contacts.hints(times[frame], &mut hints);
            self.advance(pose, ground, &FeetStep { dt, hints: &hints, body: None }, &mut state);
            frames.push((state.feet.clone(), self.mean_offset(&state)));
            dt = times.get(frame + 1).map_or(0.0, |next| next - times[frame]);
        }
        let span = HALVES * self.settings.body;
        let offsets: Vec<DVec3> = frames.iter().map(|frame| frame.1).collect();
        let mut ways = averaged(times, &offsets, span);
        let down = |(frame, way): (usize, &DVec3)| {
            state.feet.clone_from(&frames[frame].0);
            self.lowered(&clip.poses()[frame], ground, *way, &mut state)
        };
        let needs: Vec<f64> = ways.iter().enumerate().map(down).collect();
        let most = largest(times, &needs, span);
        let depths = averaged(times, &most.into_iter().map(|deep| self.settings.up * deep).collect::<Vec<_>>(), span);
        ways.iter_mut().zip(depths).for_each(|(way, deep)| *way -= deep);
        ways
    }

    /// How far the body must come down from a way so that all legs which bear reach.
    fn lowered(&self, pose: &Pose, ground: &(impl Ground + ?Sized), way: DVec3, state: &mut FeetState) -> f64 {
        (way - self.reaching(pose, ground, way, state)).dot(self.settings.up)
    }
}

/// The moments within `span` of one.
fn around(times: &[f64], at: f64, span: f64) -> std::ops::Range<usize> {
    times.partition_point(|time| *time < at - span)..times.partition_point(|time| *time <= at + span)
}

/// The largest within `span`.
fn largest(times: &[f64], values: &[f64], span: f64) -> Vec<f64> {
    let most = |&at: &f64| values[around(times, at, span)].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    times.iter().map(most).collect()
}

/// The mean within `span`, weighted by `(1 - x²)³` and by how long each moment lasts: two times differentiable.
fn averaged(times: &[f64], values: &[DVec3], span: f64) -> Vec<DVec3> {
    let last = times.len() - 1;
    let lasts = |frame: usize| (times[(frame + 1).min(last)] - times[frame.saturating_sub(1)]).max(f64::MIN_POSITIVE);
    let mean = |&at: &f64| {
        let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
        for frame in around(times, at, span) {
            let x = (times[frame] - at) / span;
            let near = (1.0 - x * x).max(0.0);
            let weight = near * near * near * lasts(frame);
            (sum, weights) = (sum + values[frame] * weight, weights + weight);
        }
        // The moment itself is among them.
        sum / weights.max(f64::MIN_POSITIVE)
    };
    times.iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_averaged_after_the_largest_is_never_below_it_and_smooth() {
        let times: Vec<f64> = (0..200).map(|frame| f64::from(frame) / 100.0).collect();
        let needs: Vec<f64> = times.iter().map(|time| if (0.7..0.75).contains(time) { 0.1 } else { 0.0 }).collect();
        let most: Vec<DVec3> = largest(&times, &needs, 0.2).into_iter().map(|deep| DVec3::Y * deep).collect();
        let way = averaged(&times, &most, 0.2);
        assert!(way.iter().zip(&needs).all(|(way, need)| way.y >= need - 1e-12));
        assert!(way[20].y == 0.0 && way[150].y == 0.0);
        let fastest = way.windows(3).map(|w| (w[0].y - 2.0 * w[1].y + w[2].y).abs() * 1e4).fold(0.0, f64::max);
        assert!(fastest < 6.0, "{fastest} m/s²");
    }
}
