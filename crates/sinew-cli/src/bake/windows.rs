//! The time about each frame over which something is averaged: longest at moments that are too quick, nothing away from them.

use sinew_motion::window;

/// Factor by which the time about a moment grows in one round.
const LONGER: f64 = 1.35;
/// Half the time about a moment at first (frames, and seconds at least).
const FIRST: (f64, f64) = (2.0, 0.05);
/// Half the time is at most so many times that to the next frame that stays: from there it grows evenly, out of nothing.
const PAST: f64 = 2.0;
/// How far around a moment things are averaged, over half the time there.
const AROUND: f64 = 3.0;

/// Half the time about each frame (seconds).
#[derive(Clone, Debug)]
pub(super) struct Windows<'a> {
    times: &'a [f64],
    /// What each frame asks for, at most, and at first.
    asked: Vec<f64>,
    most: f64,
    first: f64,
    /// What frames get from those around, without regard to what stays.
    spread: Vec<f64>,
    /// Seconds to the nearest frame that stays.
    free: Vec<f64>,
}

impl<'a> Windows<'a> {
    /// None yet, at most `most` seconds to either side.
    pub(super) fn new(times: &'a [f64], stays: &[bool], most: f64) -> Self {
        let frame = (times[times.len() - 1] - times[0]) / (times.len().max(2) - 1) as f64;
        let first = FIRST.1.max(FIRST.0 * frame);
        let (asked, spread) = (vec![0.0; times.len()], vec![0.0; times.len()]);
        Self { times, asked, most: most.max(first), first, spread, free: free(times, stays) }
    }

    /// Lets the time about a frame grow; whether it could.
    pub(super) fn lengthen(&mut self, frame: usize) -> bool {
        let longer = (self.asked[frame] * LONGER).clamp(self.first, self.most);
        if longer <= self.asked[frame] {
            return false;
        }
        self.asked[frame] = longer;
        for (at, share) in window::shares(self.times, self.times[frame], AROUND * longer) {
            self.spread[at] = self.spread[at].max(longer * share);
        }
        true
    }

    /// Says anew which frames stay.
    pub(super) fn keep(&mut self, stays: &[bool]) {
        self.free = free(self.times, stays);
    }

    /// Half the time about a frame.
    pub(super) fn half(&self, frame: usize) -> f64 {
        self.spread[frame].min(PAST * self.free[frame])
    }

    /// The frames over which half the time `half` averages about a frame, and how much each counts; none where it is alone.
    pub(super) fn shares(&self, frame: usize, half: f64) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let shares = window::shares(self.times, self.times[frame], half);
        let alone = shares.clone().nth(1).is_none();
        shares.take(if alone { 0 } else { self.times.len() })
    }
}

/// The seconds from each time to the nearest that stays.
fn free(times: &[f64], stays: &[bool]) -> Vec<f64> {
    let mut free = vec![f64::INFINITY; times.len()];
    let mut kept = f64::NEG_INFINITY;
    for (at, &time) in times.iter().enumerate() {
        kept = if stays[at] { time } else { kept };
        free[at] = time - kept;
    }
    kept = f64::INFINITY;
    for (at, &time) in times.iter().enumerate().rev() {
        kept = if stays[at] { time } else { kept };
        free[at] = free[at].min(kept - time);
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_grow_out_of_nothing_and_leave_what_stays() {
        let times: Vec<f64> = (0..101).map(|frame| f64::from(frame) / 100.0).collect();
        let stays: Vec<bool> = (0..101).map(|frame| frame == 0 || frame == 55 || frame == 100).collect();
        let mut windows = Windows::new(&times, &stays, 0.2);
        assert!((0..101).all(|frame| windows.half(frame) == 0.0));
        let rounds = (0..20).take_while(|_| windows.lengthen(50)).count();
        assert!(rounds > 3 && rounds < 10 && !windows.lengthen(50));
        // As long as was asked for, but twice the time to what stays.
        assert!((windows.half(50) - 0.1).abs() < 1e-9 && windows.half(55) == 0.0 && windows.half(0) == 0.0);
        windows.keep(&[false; 101]);
        assert_eq!((windows.half(50), windows.half(50 + 50)), (0.2, windows.half(0)));
        assert!((0..100).all(|frame| (windows.half(frame + 1) - windows.half(frame)).abs() < 0.006));
        // What is averaged lies evenly about it, and an even motion stays.
        let (mut sum, mut all) = (0.0, 0.0);
        for (at, share) in windows.shares(50, windows.half(50)) {
            sum += share * times[at];
            all += share;
        }
        assert!((sum / all - times[50]).abs() < 1e-12);
        assert_eq!(windows.shares(50, 0.005).count(), 0);
    }
}
