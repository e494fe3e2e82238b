//! Feet of a whole clip rise over the ground in good time, for what is in their way is known beforehand.

use glam::DVec3;

use super::foot::Footing;
use crate::course::Course;
use crate::least_jerk::smooth;

/// Seconds to each side over which a foot rises before it must, and comes down after.
const ABOUT: f64 = 0.1;

/// Has a foot in the air rise over the ground to what it is lifted by in the frames before and after each.
pub(super) fn rise(up: DVec3, times: &[f64], foot: usize, frames: &mut [Vec<Footing>]) {
    let course = |sizes: Vec<f64>| Course::new(times.to_vec(), sizes.into_iter().map(|size| up * size).collect());
    let lifts = frames.iter().map(|frame| if frame[foot].swings { frame[foot].lift } else { 0.0 });
    let most = course(lifts.collect()).largest_about(times, ABOUT);
    let risen: Vec<f64> = course(most).averaged(ABOUT).sizes().collect();
    let stands: Vec<f64> =
        times.iter().zip(frames.iter()).filter(|(_, frame)| !frame[foot].swings).map(|(time, _)| *time).collect();
    for ((frame, &time), high) in frames.iter_mut().zip(times).zip(risen) {
        // Where it stands it stays.
        let next = stands.partition_point(|&stand| stand < time);
        let ago = next.checked_sub(1).map_or(f64::INFINITY, |last| time - stands[last]);
        let near = stands.get(next).map_or(f64::INFINITY, |next| next - time).min(ago);
        let more = (high * smooth(near / (2.0 * ABOUT)) - frame[foot].lift).max(0.0);
        frame[foot].motion.translation += up * more;
    }
}
