//! Joints of a whole clip that hurry no more than they must: knees of feet in the air, and toes.

use glam::{DAffine3, DQuat, DVec3};
use sinew::{Goal, Joint, Pose, Skeleton, Solver, Target, TwoBone, Workspace};

use super::super::Feet;
use super::super::ease::Easing;
use super::super::foot::Footing;
use super::super::quick::Peaks;
use super::{feet, planted, toed, walk, walker};
use crate::ground::{Plane, Stairs};
use crate::{Clip, carry};

fn stairs(shift: u32, rise: f64) -> Stairs {
    let start = DVec3::Z * (1.0 + 0.06 * f64::from(shift));
    Stairs { start, along: DVec3::Z, up: DVec3::Y, rise, run: 0.36, steps: 7 }
}

fn peak(clip: &Clip, joint: Joint) -> f64 {
    clip.positions(joint).derivative(2).peak().1
}

/// A leg in the air that is straight of a sudden comes to be so evenly, and its foot no lower.
#[test]
fn knees_of_legs_in_the_air_stretch_evenly() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let [hip, knee, ankle] = [0, 1, 2].map(|part| legs[0].joints[part]);
    let limb = TwoBone::new(&skeleton, hip, knee, ankle).unwrap();
    // So long is the leg: as long as it is high over the ground, and no longer.
    let clip = |long: &dyn Fn(f64) -> f64| {
        let times = (0..61).map(|frame| f64::from(frame) / 60.0).collect();
        Clip::sampled(&skeleton, times, |time, pose| {
            let position = pose.position(hip) - DVec3::Y * long(time);
            let mut goal = Goal::position(ankle, DVec3::ZERO);
            goal.target = Target::Frame { position, rotation: DQuat::IDENTITY };
            let _ = limb.solve(&skeleton, &[goal], pose, &mut Workspace::default());
        })
        .unwrap()
    };
    let own = clip(&|time| 0.75 + 0.05 * (std::f64::consts::TAU * time).sin());
    let given = clip(&|time| (0.6 + 0.5 * time).min(0.85));
    let (mut eased, peaks) = (given.clone(), Peaks::of_leg(&feet, &own, 0));
    let swings: Vec<bool> = (0..61).map(|frame| (10..50).contains(&frame)).collect();
    ease(&feet, &skeleton, &swings, &peaks, &mut eased);
    let (before, after) = (peak(&given, knee), peak(&eased, knee));
    assert!(after < 0.5 * before, "{before} {after}");
    for (frame, (was, is)) in given.poses().iter().zip(eased.poses()).enumerate() {
        assert!(swings[frame] || was.position(ankle).distance(is.position(ankle)) < 0.0031 * 0.86, "{frame}");
        assert!(is.position(ankle).y > was.position(ankle).y - 1e-3 || is.position(ankle).y > 0.08, "{frame}");
    }
}

/// A foot that is brought from under its hip ahead and up takes its knee along, also past where that points in the clip.
#[test]
fn knees_go_along_with_their_legs() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let (rest, [hip, knee, ankle]) = (skeleton.rest_pose(), [0, 1, 2].map(|part| legs[0].joints[part]));
    let knees = (0..100).map(|part| {
        let turn = DQuat::from_rotation_x(-0.02 * f64::from(part));
        let goal = rest.position(hip) + turn * (rest.position(ankle) - rest.position(hip)) * 0.6;
        let mut pose = rest.clone();
        moved(&feet, &skeleton, &mut pose, goal - rest.position(ankle));
        pose.position(knee)
    });
    let knees: Vec<DVec3> = knees.collect();
    let most = knees.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f64::max);
    assert!(most < 0.02, "{most}");
}

/// Shows the first foot, which is in the air, moved so far.
fn moved(feet: &Feet, skeleton: &Skeleton, pose: &mut Pose, by: DVec3) {
    let foot = Footing {
        motion: DAffine3::from_translation(by),
        place: pose.position(feet.legs[0].ankle) + by,
        offset: DVec3::ZERO,
        load: 0.0,
        swings: true,
        over: 0.0,
        room: 0.0,
        on_heel: false,
        heel: 0.0,
    };
    feet.legs[0].place(skeleton, pose, &foot, &DAffine3::IDENTITY, (DVec3::Y, 0.99), &mut Workspace::default());
}

/// A knee that the clip bends a little back and forth stays on its own side when the leg is shown shorter, and does not go around it; where
/// the leg is as in the clip, so is the knee.
#[test]
fn knees_that_bend_back_do_not_go_around_their_legs() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let [hip, knee, ankle] = [0, 1, 2].map(|part| legs[0].joints[part]);
    let turned =
        |rest: DVec3, angle: f64| DQuat::from_rotation_arc(rest.normalize(), DQuat::from_rotation_x(angle) * -DVec3::Y);
    let shown = |part: u32, up: f64| {
        // From bent by 0.3 rad to bent back by 0.1, and a little aside.
        let angle = 0.3 - 0.004 * f64::from(part);
        let mut pose = skeleton.rest_pose();
        let (thigh, shin) = (skeleton.rest(knee).translation, skeleton.rest(ankle).translation);
        let thigh = DQuat::from_rotation_z(0.01) * turned(thigh, -0.5 * angle);
        pose.edit(&skeleton).rotation(hip, thigh);
        pose.edit(&skeleton).rotation(knee, thigh.conjugate() * turned(shin, 0.5 * angle));
        let own = pose.position(knee);
        moved(&feet, &skeleton, &mut pose, DVec3::Y * up);
        (own, pose.position(knee), pose.position(hip))
    };
    let knees: Vec<DVec3> = (0..100).map(|part| shown(part, 0.001)).map(|(_, knee, hip)| knee - hip).collect();
    let most = knees.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f64::max);
    assert!(most < 0.005, "{most}");
    assert!(knees.iter().all(|knee| knee.z > 0.02), "{knees:?}");
    assert!((0..5).map(|part| shown(part, 0.0)).all(|(own, knee, _)| own.distance(knee) < 1e-6));
}

fn ease(feet: &Feet, skeleton: &Skeleton, swings: &[bool], peaks: &Peaks, clip: &mut Clip) {
    let ground = &Plane::new(DVec3::Y * 0.02, DVec3::Y);
    Easing { feet, skeleton, ground, foot: 0, swings, peaks }.ease(clip, &mut Workspace::default());
}

/// A leg that stands behind its body and is straight of a sudden comes to be so more evenly, by its heel: its ball stays, and all but stays on
/// the ground.
#[test]
fn heels_rise_for_knees_that_stretch_too_quickly() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let [hip, knee, ankle] = [0, 1, 2].map(|part| legs[0].joints[part]);
    let limb = TwoBone::new(&skeleton, hip, knee, ankle).unwrap();
    let stands = skeleton.rest_pose().position(ankle);
    // The body goes ahead of its foot, down at first.
    let clip = |low: &dyn Fn(f64) -> f64, lifts: f64| {
        let times = (0..61).map(|frame| f64::from(frame) / 60.0).collect();
        Clip::sampled(&skeleton, times, |time, pose| {
            let stands = stands + DVec3::Y * (lifts * (std::f64::consts::TAU * time).sin());
            carry(&skeleton, pose, &DAffine3::from_translation(DVec3::new(0.0, -low(time), 0.25 + 0.1 * time)));
            let mut goal = Goal::position(ankle, DVec3::ZERO);
            goal.target = Target::Frame { position: stands, rotation: DQuat::IDENTITY };
            let _ = limb.solve(&skeleton, &[goal], pose, &mut Workspace::default());
        })
        .unwrap()
    };
    let own = clip(&|time| 0.25 + 0.02 * (std::f64::consts::TAU * time).sin(), 0.01);
    let given = clip(&|time| if time < 0.5 { 0.22 - 0.3 * time } else { 0.07 }, 0.0);
    let (mut eased, peaks) = (given.clone(), Peaks::of_leg(&feet, &own, 0));
    ease(&feet, &skeleton, &[false; 61], &peaks, &mut eased);
    let (before, after) = (peak(&given, knee) / peak(&own, knee), peak(&eased, knee) / peak(&own, knee));
    assert!(after < 0.8 * before, "{before} {after}");
    for (frame, (was, is)) in given.poses().iter().zip(eased.poses()).enumerate() {
        let off = feet.soles(is, 0)[1] - feet.soles(was, 0)[1];
        assert!(off.reject_from_normalized(DVec3::Y).length() < 1e-6, "{frame} {off}");
        assert!(off.y > -1e-6 && off.y < 0.0031 * 0.86, "{frame} {off}");
    }
}

/// Toes that a riser bends begin to bend before they come to it.
#[test]
fn toes_bend_in_good_time() {
    let (skeleton, legs) = toed();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 120.0, 0.0);
    let end = legs[0].end.unwrap();
    let grown = |shift: u32| {
        let (poses, _) = planted(&skeleton, &feet, &clip, &stairs(shift, 0.16));
        peak(&Clip::new(&skeleton, clip.times().to_vec(), poses).unwrap(), end) / peak(&clip, end)
    };
    let grown: Vec<f64> = (0..6).map(grown).collect();
    assert!(grown.iter().all(|grown| *grown < 2.0), "{grown:?}");
}

/// Feet high over the ground may come down for their legs, with toes too.
#[test]
fn toes_over_the_ground_are_so_far_over_it() {
    let (skeleton, legs) = toed();
    let toes = feet(&skeleton, &legs).legs[0].toes.unwrap();
    let floor = Plane::new(DVec3::ZERO, DVec3::Y);
    let stuck =
        |high: f64| toes.stuck(&skeleton.rest_pose(), &DAffine3::from_translation(DVec3::Y * high), &floor, DVec3::Y);
    // Deeper by 1.2 m is deeper by that, over the floor and under it.
    let (over, under) = (stuck(0.7), stuck(-0.5));
    assert!(over < -0.5 && (under - over - 1.2).abs() < 1e-12, "{over} {under}");
}
