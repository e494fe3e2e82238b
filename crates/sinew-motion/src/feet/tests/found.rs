//! When feet touch, and how fast a clip on the spot walks.

use glam::{DAffine3, DVec3};

use super::super::{Contacts, FeetState, FeetStep, FootHint, Landing, SWING_MOMENTS};
use super::{feet, planted, walk, walker};
use crate::ground::{Plane, Stairs};
use crate::{Clip, carry};

fn carried(skeleton: &sinew::Skeleton, clip: &Clip, way: impl Fn(f64) -> DVec3) -> Clip {
    let mut clip = clip.clone();
    let times = clip.times().to_vec();
    for (pose, time) in clip.poses_mut().iter_mut().zip(times) {
        carry(skeleton, pose, &DAffine3::from_translation(way(time)));
    }
    clip
}

/// A recorded floor may drift, but a foot that rises from where it stood does not stand.
#[test]
fn touches_end_where_feet_rise() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let times = (0..180).map(|frame| f64::from(frame) / 60.0).collect();
    let still = Clip::sampled(&skeleton, times, |_, _| {}).unwrap();
    let until = |speed: f64| {
        let rises = carried(&skeleton, &still, |time| DVec3::Y * (speed * (time - 1.0)).clamp(0.0, 0.05));
        Contacts::find(&feet, &rises).of(0)[0].until
    };
    let (slow, quick) = (until(0.025), until(0.1));
    assert!(slow > 2.9 && (1.02..1.3).contains(&quick), "{slow} {quick}");
}

/// A foot of a clip on the spot stands while it is slow for its body. One that never is touches all the same where it is slowest.
#[test]
fn feet_of_clips_on_the_spot_lift_when_they_hurry() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let times = (0..180).map(|frame| f64::from(frame) / 60.0).collect();
    let still = Clip::sampled(&skeleton, times, |_, _| {}).unwrap();
    // Quicker than the body, then at two speeds, each for a quarter of a second, and quicker again.
    let touch = |first: f64, second: f64| {
        let way = |time: f64| {
            let slow = (time - 1.0).clamp(0.0, 0.25) * (first - 2.0) + (time - 1.25).clamp(0.0, 0.25) * (second - 2.0);
            DVec3::Z * (2.0 * time + slow)
        };
        let contacts = Contacts::of_travelling(&feet, &carried(&skeleton, &still, way), DVec3::Z * 1.5);
        assert_eq!(contacts.of(0).len(), 1, "{first} {second}");
        [contacts.of(0)[0].from, contacts.of(0)[0].until]
    };
    let near = |found: [f64; 2], wanted: [f64; 2]| found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.05);
    // It comes down at less than 0.75 m/s and lifts at more than 1.05 m/s.
    for (speeds, wanted) in
        [([0.9, 0.2], [1.25, 1.5]), ([0.2, 0.9], [1.0, 1.5]), ([0.2, 1.2], [1.0, 1.25]), ([1.2, 0.2], [1.25, 1.5])]
    {
        let found = touch(speeds[0], speeds[1]);
        assert!(near(found, wanted), "{speeds:?}: {found:?}");
    }
    let [from, until] = touch(1.2, 1.2);
    assert!((0.06..0.12).contains(&(until - from)), "{from} {until}");
}

/// Feet that an animator eased slide quickest in the middle of their stand: the body goes at what they slide in the mean.
#[test]
fn eased_walks_on_the_spot_go_at_the_mean_of_their_slide() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let eased = |time: f64| {
        let phase = std::f64::consts::TAU * (time - 0.3) * 2.0;
        DVec3::Z * (-1.1 * time - 0.07 * phase.sin())
    };
    let clip = carried(&skeleton, &walk(&skeleton, &legs, 60.0, 0.0), eased);
    let slide = feet.slide_of(&clip);
    let even = feet.slide_of(&carried(&skeleton, &walk(&skeleton, &legs, 60.0, 0.0), |time| DVec3::Z * -1.1 * time));
    // Feet stand a little longer than the sway takes: 0.578 m in six tenths of a second.
    assert!((slide.z + 0.963).abs() < 0.09 && (even.z + 1.1).abs() < 0.07, "{slide} {even}");
}

/// Feet that an animator let sink while they stand touch from when they come down.
#[test]
fn feet_of_walks_on_the_spot_may_sink_while_they_stand() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let walk = walk(&skeleton, &legs, 60.0, 0.0);
    // The left foot stands for the first six tenths of each second, and is lowest at their end: by 30 mm of a leg of 0.86 m.
    let sunk = |time: f64| {
        let late = ((time.fract() - 0.3) / 0.4).clamp(0.0, 1.0);
        DVec3::Y * 0.03 * (std::f64::consts::PI * late).cos().powi(2)
    };
    let clip = carried(&skeleton, &walk, sunk);
    let stood = |clip: &Clip, travel: f64| {
        let contacts = Contacts::of_travelling(&feet, clip, DVec3::Z * travel);
        contacts.of(0).iter().map(|contact| contact.until - contact.from).sum::<f64>()
    };
    assert!(stood(&clip, 1.3) > 0.95 * stood(&walk, 1.3));
}

/// A foot that is on the floor but goes far while it is does not hold the body back.
#[test]
fn bodies_do_not_sink_for_feet_that_are_out_of_reach() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 1.3);
    let contacts = Contacts::of_travelling(&feet, &clip, DVec3::Z * 3.0);
    let mut after = clip.clone();
    feet.plant(&skeleton, &mut after, &contacts, &Plane::new(DVec3::ZERO, DVec3::Y));
    let hips = skeleton.joint("hips").unwrap();
    let sinks = clip.poses().iter().zip(after.poses()).map(|(a, b)| a.position(hips).y - b.position(hips).y);
    let most = sinks.fold(0.0, f64::max);
    assert!(most < 0.16 && contacts.of(0).len() >= 3, "{most}");
}

/// A clip that ends just after a foot lifted does not hurry it to where the clip has it.
#[test]
fn feet_need_not_be_where_the_clip_ends() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 120.0, 0.3);
    let lifts = Contacts::find(&feet, &clip).of(0)[1].until;
    let clip = clip.trimmed(&skeleton, 0.0, lifts + 0.05);
    let flat = Plane::new(DVec3::ZERO, DVec3::Y);
    let after = Clip::new(&skeleton, clip.times().to_vec(), planted(&skeleton, &feet, &clip, &flat).0).unwrap();
    let last = |clip: &Clip| {
        let speeds = clip.positions(legs[0].joints[2]).derivative(2);
        speeds.values()[speeds.values().len() - 10..].iter().map(|speed| speed.length()).fold(0.0, f64::max)
    };
    assert!(last(&after) < 1.25 * last(&clip), "{} {}", last(&clip), last(&after));
}

/// Down stairs, heels come over the edge before they come down, and no foot falls off it.
#[test]
fn feet_do_not_fall_off_steps() {
    let (skeleton, legs) = super::toed();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let ankle = legs[0].joints[2];
    let own = clip.positions(ankle).derivative(2).peak().1;
    let mut hurries = Vec::new();
    for shift in 0..8 {
        let start = DVec3::Z * (1.0 + 0.045 * f64::from(shift));
        let stairs = Stairs { start, along: DVec3::Z, up: DVec3::Y, rise: -0.16, run: 0.36, steps: 7 };
        let poses = planted(&skeleton, &feet, &clip, &stairs).0;
        let after = Clip::new(&skeleton, clip.times().to_vec(), poses).unwrap();
        hurries.push(after.positions(ankle).derivative(2).peak().1 / own);
    }
    assert!(hurries.iter().all(|hurry| *hurry < 4.0), "{hurries:?}");
}

/// A foot that comes back to where it lands is no nearer to a riser then than its toes are before.
#[test]
fn feet_that_overshoot_land_farther_from_risers() {
    let (skeleton, legs) = super::toed();
    let feet = feet(&skeleton, &legs);
    let rest = skeleton.rest_pose();
    let (soles, tip) = (feet.soles(&rest, 0), feet.tip(&rest, 0).unwrap());
    let landed = |beyond: f64| {
        // Ahead by 0.4 m in half a second, and over that by so much in the last tenth of it.
        let way = |share: f64| {
            let back = if share > 0.8 { 20.0 * (share - 0.8) * (1.0 - share) } else { 0.0 };
            let high = 0.4 * share * (1.0 - share);
            DVec3::new(0.0, high, 0.4 * share.min(0.8) / 0.8 + 5.0 * beyond * back)
        };
        let start = DVec3::Z * (0.4 + tip.z + 0.1 * (tip.z - soles[1].z) + 0.08);
        let stairs = Stairs { start, along: DVec3::Z, up: DVec3::Y, rise: 0.16, run: 0.6, steps: 3 };
        let line = rest.position(legs[0].joints[2]) - rest.position(legs[0].joints[0]);
        let swing = std::array::from_fn(|moment| {
            let by = way(moment as f64 / (SWING_MOMENTS - 1) as f64);
            [soles[0] + by, soles[1] + by, tip + by, line]
        });
        let landing = Landing { soles: soles.map(|sole| sole + way(1.0)), leg: line, ..Landing::default() };
        let (mut state, mut pose) = (FeetState::default(), rest.clone());
        for frame in 0..=31 {
            let time = f64::from(frame) / 60.0;
            pose = rest.clone();
            carry(&skeleton, &mut pose, &DAffine3::from_translation(way((time / 0.5).min(1.0))));
            let touches = time > 0.5;
            let landing = (!touches).then_some(Landing { time: 0.5 - time, ..landing });
            let hint =
                FootHint { touches: Some(touches), landing, swing: Some(swing), lifted: time, ..FootHint::default() };
            let dt = if frame == 0 { 0.0 } else { 1.0 / 60.0 };
            feet.step(&skeleton, &mut pose, &stairs, FeetStep { dt, hints: &[hint] }, &mut state);
        }
        feet.soles(&pose, 0)[1].z - soles[1].z - 0.4
    };
    let (straight, over) = (landed(0.0), landed(0.05));
    assert!(straight.abs() < 2e-3 && (-0.08..-0.02).contains(&over), "{straight} {over}");
}
