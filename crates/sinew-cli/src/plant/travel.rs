//! Where a clip goes: on the spot, made to travel; and where it begins.

use anyhow::{Result, bail};
use sinew::Pose;
use sinew::glam::{DAffine3, DVec3};
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
pub(super) fn put_in(rig: &Rig, feet: &Feet, legs: &[Leg], source: &mut Source, laps: u32) -> Result<DVec3> {
    let slide = feet.slide_of(&source.clip);
    // A body that goes far while its feet slide walks, if badly.
    let on_the_spot =
        slide.length() > SLIDES * longest(feet) && way(feet, legs, &source.clip).length() < GOES * longest(feet);
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
    source.notes.push(format!("the clip walks on the spot; it travels now, at {speed} a second"));
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
    let first = middle(legs, &clip.poses()[0]);
    let way = way(feet, legs, clip);
    let forward = if way.length() > GOES * longest(feet) { way.normalize() } else { rig.found().forward };
    Start { at: first - up * (first.dot(up) - floor), up, forward }
}

/// Between the hips.
fn middle(legs: &[Leg], pose: &Pose) -> DVec3 {
    legs.iter().map(|leg| pose.position(leg.joints[0])).sum::<DVec3>() / legs.len() as f64
}

/// How far a clip goes along the ground.
fn way(feet: &Feet, legs: &[Leg], clip: &Clip) -> DVec3 {
    let [first, last] = [0, clip.len() - 1].map(|frame| middle(legs, &clip.poses()[frame]));
    (last - first).reject_from_normalized(feet.settings.up)
}

/// What is said of the clip's way.
pub(super) fn title(rig: &Rig, source: &Source) -> String {
    format!("{}: {}", text::short_name(rig.name()), text::short_name(&source.name))
}
