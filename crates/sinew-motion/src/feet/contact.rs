//! When the feet of a whole clip touch, and where they come down next.

use glam::DVec3;

use super::Feet;
use crate::clip::Clip;

/// Shorter touches, and shorter gaps between two, are none (seconds).
const SHORTEST: f64 = 0.05;

/// What each foot does in each frame of a clip, found with what comes known.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts {
    /// By frame, then foot.
    touches: Vec<Vec<bool>>,
    landings: Vec<Vec<DVec3>>,
}

impl Contacts {
    /// By height and speed, as the feet's settings have it.
    pub fn find(feet: &Feet, clip: &Clip) -> Self {
        let found: Vec<(Vec<bool>, Vec<DVec3>)> = (0..feet.len()).map(|foot| one(feet, clip, foot)).collect();
        let at = |frame: usize| found.iter().map(|one| (one.0[frame], one.1[frame])).unzip();
        let (touches, landings) = (0..clip.len()).map(at).unzip();
        Self { touches, landings }
    }

    /// Whether each foot touches in a frame; nothing behind the end.
    pub fn touches(&self, frame: usize) -> &[bool] {
        self.touches.get(frame).map_or(&[], Vec::as_slice)
    }

    /// Where each foot comes down next.
    pub fn landings(&self, frame: usize) -> &[DVec3] {
        self.landings.get(frame).map_or(&[], Vec::as_slice)
    }
}

fn one(feet: &Feet, clip: &Clip, foot: usize) -> (Vec<bool>, Vec<DVec3>) {
    let (times, settings, length) = (clip.times(), &feet.settings, feet.length(foot));
    let soles: Vec<[DVec3; 2]> = clip.poses().iter().map(|pose| feet.soles(pose, foot)).collect();
    let height = |sole: DVec3| sole.dot(settings.up) - settings.floor;
    let lowest = |frame: usize| usize::from(height(soles[frame][1]) < height(soles[frame][0]));
    let last = times.len() - 1;
    let mut touches = Vec::with_capacity(times.len());
    for frame in 0..times.len() {
        let (from, to, sole) = (frame.saturating_sub(1), (frame + 1).min(last), lowest(frame));
        let speed = (soles[to][sole] - soles[from][sole]).length() / (times[to] - times[from]).max(1e-9);
        let factor = if touches.last() == Some(&true) { settings.leave } else { 1.0 };
        let low = height(soles[frame][sole]) < factor * settings.height * length;
        touches.push(low && speed < factor * settings.speed * length);
    }
    // First gaps, then touches.
    for value in [false, true] {
        let mut begin = 0;
        for frame in 1..=touches.len() {
            if frame < touches.len() && touches[frame] == touches[begin] {
                continue;
            }
            let inner = begin > 0 && frame < touches.len();
            if inner && touches[begin] == value && times[frame] - times[begin] < SHORTEST {
                touches[begin..frame].fill(!value);
            }
            begin = frame;
        }
    }
    let mut landings = vec![soles[last][lowest(last)]; times.len()];
    for frame in (0..last).rev() {
        let lands = touches[frame + 1] && !touches[frame];
        landings[frame] = if touches[frame] {
            soles[frame][lowest(frame)]
        } else if lands {
            soles[frame + 1][lowest(frame + 1)]
        } else {
            landings[frame + 1]
        };
    }
    (touches, landings)
}
