//! When a foot touches in a clip: low and slow with hysteresis, slow also for its body, and no farther away than its leg reaches.

use glam::DVec3;

use super::super::Feet;
use super::super::leg::room;
use super::{between, lower, runs, ways};
use crate::clip::Clip;
use crate::course::Course;

/// How much higher than the clip's floor, in lengths of its leg, a foot may come down.
const UNEVEN: f64 = 0.15;
/// Share of the leg by which the end of a sole that touches is at most over the lowest that it is within so many seconds: recorded floors
/// are uneven, and heels and balls of a body that was transferred stand at heights of their own.
const OVER_LOWEST: f64 = 0.02;
const ABOUT: f64 = 0.4;
/// The same share for feet of clips on the spot that are slow: animators let them sink as they stand.
const SINKS: f64 = 0.04;
/// How far a leg may be from reaching where its foot stands, as a share of it: farther, the foot does not stand.
const OUT_OF_REACH: f64 = 0.05;
/// Share of the leg by which both ends of a sole are over where they stand when it has lifted: 5 mm of a person's.
const LIFTED: f64 = 0.006;
/// Share of its body's speed that a foot of a clip on the spot has at most when it comes down; what it may have more when it lifts is
/// [`FeetSettings::leave`](super::super::FeetSettings::leave).
const STANDS: f64 = 0.5;
/// Shorter touches, and shorter gaps between two, are none (seconds); those of a clip on the spot are no accidents of a recording.
const SHORTEST: f64 = 0.1;
const SHORTEST_MADE: f64 = 0.07;

/// Whether a foot touches in each frame, by height and speed with hysteresis.
pub(super) fn found(feet: &Feet, times: &[f64], soles: &[[DVec3; 2]], length: f64, travel: DVec3) -> Vec<bool> {
    let settings = &feet.settings;
    // Feet of one clip may come down at heights a little different.
    let mut heights: Vec<f64> = soles.iter().map(|soles| soles[lower(soles, settings.up)].dot(settings.up)).collect();
    heights.sort_by(f64::total_cmp);
    let floor = heights[heights.len() / 5].clamp(settings.floor, settings.floor + UNEVEN * length);
    let over = over_lowest(settings.up, settings.floor, times, soles);
    let mut touches: Vec<bool> = Vec::with_capacity(times.len());
    for frame in 0..times.len() {
        let (velocity, sole) = (velocity(settings.up, times, soles, frame), lower(&soles[frame], settings.up));
        let factor = if touches.last() == Some(&true) { settings.leave } else { 1.0 };
        let high = soles[frame][sole].dot(settings.up) - floor;
        let slow = velocity.length() < factor * settings.speed * length;
        let over_lowest = if slow && travel != DVec3::ZERO { SINKS } else { OVER_LOWEST };
        let low = high < factor * settings.height * length && over[frame] < factor * over_lowest * length;
        touches.push(low && (slow || (velocity - travel).dot(travel) < 0.0));
    }
    let shortest = if travel == DVec3::ZERO { SHORTEST } else { SHORTEST_MADE };
    // First gaps, then touches.
    for value in [false, true] {
        for (begin, end) in runs(&touches, value) {
            let inner = begin > 0 && end < touches.len();
            if inner && times[end] - times[begin] < shortest {
                touches[begin..end].fill(!value);
            }
        }
    }
    touches
}

/// How fast the lower end of a sole moves about a moment.
fn velocity(up: DVec3, times: &[f64], soles: &[[DVec3; 2]], moment: usize) -> DVec3 {
    let (from, to, sole) = (moment.saturating_sub(2), (moment + 2).min(times.len() - 1), lower(&soles[moment], up));
    (soles[to][sole] - soles[from][sole]) / (times[to] - times[from]).max(1e-9)
}

/// Shortens touches of a clip on the spot that travels so to the time in which the foot is slow for its body; not below the shortest.
pub(super) fn slow_for_the_body(
    feet: &Feet,
    travel: DVec3,
    (times, soles): (&[f64], &[[DVec3; 2]]),
    touches: &mut [bool],
) {
    let share = |moment: usize| velocity(feet.settings.up, times, soles, moment).dot(travel) / travel.length_squared();
    for (mut begin, mut end) in runs(touches, true) {
        while times[end - 1] - times[begin] > SHORTEST_MADE {
            // A clip begins and ends amid what it does.
            let lands = if begin > 0 { share(begin) / STANDS } else { 0.0 };
            let lifts = if end < times.len() { share(end - 1) / (STANDS * feet.settings.leave) } else { 0.0 };
            if lands.max(lifts) < 1.0 {
                break;
            }
            let out = if lands > lifts { begin } else { end - 1 };
            touches[out] = false;
            if out == begin { begin += 1 } else { end -= 1 }
        }
    }
}

/// How far the end of the sole that is nearest to the lowest it is within a time is over that, or over the floor if that is higher.
fn over_lowest(up: DVec3, floor: f64, times: &[f64], soles: &[[DVec3; 2]]) -> Vec<f64> {
    let over = |sole: usize| {
        let heights: Vec<f64> = soles.iter().map(|soles| soles[sole].dot(up)).collect();
        let top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let depths = heights.iter().map(|height| up * (top - height)).collect();
        let lowest = Course::new(times.to_vec(), depths).largest_about(times, ABOUT);
        heights.into_iter().zip(lowest).map(|(height, deep)| height - (top - deep).max(floor)).collect::<Vec<f64>>()
    };
    over(0).into_iter().zip(over(1)).map(|(heel, ball)| heel.min(ball)).collect()
}

/// Shortens touches to the time in which the leg reaches where the foot stands, amid where it is in the clip; not below the shortest.
pub(super) fn within_reach(
    feet: &Feet,
    clip: &Clip,
    foot: usize,
    (times, soles): (&[f64], &[[DVec3; 2]]),
    touches: &mut [bool],
) {
    let (leg, up) = (&feet.legs[foot], feet.settings.up);
    let lines: Vec<DVec3> = clip.poses().iter().map(|pose| leg.line(pose)).collect();
    let line = |time: f64| {
        let (next, share) = between(clip.times(), time);
        lines.get(next).map_or(lines[0], |after| lines[next - 1].lerp(*after, share))
    };
    for (mut begin, mut end) in runs(touches, true) {
        let ways = ways(up, &soles[begin..end]);
        let first = begin;
        let far = |frame: usize, mean: DVec3| {
            let line = line(times[frame]);
            -room(line + mean - ways[frame - first], up, leg.span_of(line, feet.settings.longest))
        };
        let mut sum: DVec3 = ways.iter().sum();
        while times[end - 1] - times[begin] > SHORTEST {
            let mean = sum / (end - begin) as f64;
            // A clip begins and ends amid what it does.
            let cut = |frame: usize| frame == 0 || frame + 1 == times.len();
            let [at_begin, at_end] = [begin, end - 1].map(|frame| if cut(frame) { 0.0 } else { far(frame, mean) });
            if at_begin.max(at_end) < OUT_OF_REACH * leg.length {
                break;
            }
            let out = if at_begin > at_end { begin } else { end - 1 };
            sum -= ways[out - first];
            touches[out] = false;
            if out == begin { begin += 1 } else { end -= 1 }
        }
    }
}

/// Shortens touches to the time in which an end of the sole is on the floor that it stands on amid them; not below the shortest.
pub(super) fn on_the_floor(up: DVec3, length: f64, (times, soles): (&[f64], &[[DVec3; 2]]), touches: &mut [bool]) {
    for (mut begin, mut end) in runs(touches, true) {
        // A floor may drift.
        let first = begin..times.partition_point(|&time| time < times[begin] + ABOUT).min(end);
        let last = times.partition_point(|&time| time <= times[end - 1] - ABOUT).max(begin)..end;
        let [first, last] = [first, last].map(|about| standing(up, &soles[about]));
        let lifted = |frame: usize, stands: [f64; 2]| {
            (0..2).all(|sole| soles[frame][sole].dot(up) > stands[sole] + LIFTED * length)
        };
        // A clip begins and ends amid what it does.
        while times[end - 1] - times[begin] > SHORTEST {
            if begin > 0 && lifted(begin, first) {
                touches[begin] = false;
                begin += 1;
            } else if end < times.len() && lifted(end - 1, last) {
                touches[end - 1] = false;
                end -= 1;
            } else {
                break;
            }
        }
    }
}

/// How high each end of a sole is in the median while it bears the foot; below all heights where it never does.
fn standing(up: DVec3, soles: &[[DVec3; 2]]) -> [f64; 2] {
    [0, 1].map(|sole: usize| {
        let bears = soles.iter().filter(|soles| lower(soles, up) == sole);
        let mut heights: Vec<f64> = bears.map(|soles| soles[sole].dot(up)).collect();
        heights.sort_by(f64::total_cmp);
        heights.get(heights.len() / 2).copied().unwrap_or(f64::NEG_INFINITY)
    })
}
