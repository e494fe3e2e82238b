//! Where a clip goes: on the spot, made to travel; and where it begins.

use anyhow::{Result, bail};
use sinew::glam::{DAffine3, DVec3};
use sinew::{Joint, Pose};
use sinew_motion::{Clip, Feet, Leg, carry};

use crate::ground::Start;
use crate::rig::Rig;
use crate::source::Source;
use crate::text;

/// Feet that slide quicker than this while they are low (leg lengths a second) walk on the spot.
const SLIDES: f64 = 0.25;
/// Share of a body's speed below which a foot stands for it.
const SLOW: f64 = 0.35;
/// A way shorter than this (leg lengths) has no direction.
const GOES: f64 = 0.5;

/// Has a clip that walks on the spot travel, so many times round; the speed that was put in.
pub(super) fn put_in(rig: &Rig, feet: &Feet, source: &mut Source, laps: u32) -> Result<DVec3> {
    let slide = feet.slide_of(&source.clip);
    let on_the_spot = slide.length() > SLIDES * longest(feet);
    if laps > 1 {
        if !on_the_spot {
            bail!("--laps {laps}: the clip does not walk on the spot; leave it out");
        }
        source.clip = round(rig, &source.clip, laps)?;
        source.own_frames = false;
    }
    if !on_the_spot {
        return Ok(DVec3::ZERO);
    }
    let start = source.clip.start();
    let times = source.clip.times().to_vec();
    for (pose, time) in source.clip.poses_mut().iter_mut().zip(times) {
        carry(rig.skeleton(), pose, &DAffine3::from_translation(-slide * (time - start)));
    }
    let speed = rig.length(slide.length());
    source.notes.push(format!("note: the clip walks on the spot; it travels now, at {speed} a second"));
    Ok(-slide)
}

/// The clip so many times, one behind the other; its last pose is its first one again.
fn round(rig: &Rig, clip: &Clip, laps: u32) -> Result<Clip> {
    let (mut times, mut poses) = (clip.times().to_vec(), clip.poses().to_vec());
    for lap in 1..laps {
        let later = clip.length() * f64::from(lap);
        times.extend(clip.times()[1..].iter().map(|time| time + later));
        poses.extend(clip.poses()[1..].iter().cloned());
    }
    Ok(Clip::new(rig.skeleton(), times, poses)?)
}

fn longest(feet: &Feet) -> f64 {
    (0..feet.len()).map(|foot| feet.length(foot)).fold(0.0, f64::max)
}

/// Feet of a clip that goes quickly touch while they are slow for it: a share of the body's own speed.
pub(super) fn quicken(feet: &mut Feet, legs: &[Leg], clip: &Clip) {
    let up = feet.settings.up;
    let way: f64 = clip
        .poses()
        .windows(2)
        .map(|two| {
            (two[1].position(legs[0].joints[0]) - two[0].position(legs[0].joints[0]))
                .reject_from_normalized(up)
                .length()
        })
        .sum();
    let speed = way / clip.length().max(f64::MIN_POSITIVE);
    if speed.is_finite() {
        feet.settings.speed = feet.settings.speed.max(SLOW * speed / longest(feet));
    }
}

/// Where the clip begins, under the middle between the hips, and where it goes or else looks.
pub(super) fn start(rig: &Rig, feet: &Feet, legs: &[Leg], clip: &Clip) -> Start {
    let (up, floor) = (feet.settings.up, feet.settings.floor);
    let hips: Vec<Joint> = legs.iter().map(|leg| leg.joints[0]).collect();
    let middle = |pose: &Pose| hips.iter().map(|&hip| pose.position(hip)).sum::<DVec3>() / hips.len() as f64;
    let (first, last) = (middle(&clip.poses()[0]), middle(&clip.poses()[clip.len() - 1]));
    let way = (last - first).reject_from_normalized(up);
    let forward = if way.length() > GOES * longest(feet) { way.normalize() } else { rig.found().forward };
    Start { at: first - up * (first.dot(up) - floor), up, forward }
}

/// What is said of the clip's way.
pub(super) fn title(rig: &Rig, source: &Source) -> String {
    format!("{}: {}", text::short_name(rig.name()), text::short_name(&source.name))
}
