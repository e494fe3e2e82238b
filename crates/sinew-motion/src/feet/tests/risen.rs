//! The ways of feet over what is in their way, of a whole clip.

use glam::{DQuat, DVec3};
use sinew::Pose;
use sinew::math::arc;

use super::super::{Contacts, Feet, FeetSettings};
use super::{feet, measure, on_the_ball, planted, stepped, walk, walker};
use crate::Clip;
use crate::ground::{Ground, Plane, Stairs};

/// Wherever an edge is, feet are over it in time and hurry no more than a way over it must.
#[test]
fn feet_rise_before_edges_and_hurry_little() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 120.0, 0.0);
    let ankle = legs[0].joints[2];
    let peak = |clip: &Clip| clip.positions(ankle).derivative(2).peak().1;
    for shift in 0..8 {
        let start = DVec3::Z * (1.0 + 0.045 * f64::from(shift));
        let stairs = Stairs { start, along: DVec3::Z, up: DVec3::Y, rise: 0.16, run: 0.36, steps: 6 };
        let (poses, contacts) = planted(&skeleton, &feet, &clip, &stairs);
        let deep = measure(&feet, &clip, &poses, &contacts, &stairs)[0];
        let after = Clip::new(&skeleton, clip.times().to_vec(), poses).unwrap();
        let hurry = peak(&after) / peak(&clip);
        assert!(deep < 5e-3 && hurry < 1.5, "{hurry} times, {deep} m deep");
    }
}

/// A foot on its toes that turns under a body which goes round a bend keeps its heading however upright it stands.
#[test]
fn feet_on_their_toes_keep_their_heading() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    // Up on the ball to beyond the upright, and turned a little.
    let turn = |share: f64| DQuat::from_rotation_y(0.15 * share) * DQuat::from_rotation_x(1.7 * share);
    let clip = on_the_ball(&skeleton, &legs, &feet, turn);
    let flat = Plane::new(DVec3::ZERO, DVec3::Y);
    let (poses, _) = planted(&skeleton, &feet, &clip, &flat);
    let turned = |pose: &Pose| pose.rotation(legs[0].joints[2]);
    let yaw = |(a, b): (&Pose, &Pose)| arc::twist_angle(turned(b) * turned(a).conjugate(), DVec3::Y).abs();
    let most = clip.poses().iter().zip(&poses).map(yaw).fold(0.0, f64::max);
    assert!(most < 0.25, "{most} rad");
}

/// Knees that the stance bends the other way than the clip go on bending as in the clip where a leg is shorter.
#[test]
fn knees_bend_as_in_the_clip() {
    let (skeleton, legs) = walker();
    let times = (0..30).map(|frame| f64::from(frame) / 30.0).collect();
    // It stands with its knees a little ahead.
    let clip = Clip::sampled(&skeleton, times, |_, _| {}).unwrap();
    let mut stance = skeleton.rest_pose();
    for leg in &legs {
        for (joint, angle) in leg.joints.iter().zip([0.3, -0.6, 0.3]) {
            stance.edit(&skeleton).rotation(*joint, DQuat::from_rotation_x(angle));
        }
    }
    let mut feet = Feet::new(&skeleton, &legs, &stance, None, FeetSettings::default()).unwrap();
    feet.settings.floor = feet.floor_of(&clip);
    let step = |point: DVec3, up: DVec3| {
        let high = if point.x > 0.0 { 0.15 } else { 0.0 };
        Plane::new(DVec3::Y * high, DVec3::Y).below(point, up)
    };
    let ahead = |feet: &Feet| {
        let (poses, _) = planted(&skeleton, feet, &clip, &step);
        let [hip, knee, ankle] = [0, 1, 2].map(|part| legs[0].joints[part]);
        let bent = |pose: &Pose| pose.position(knee).z - 0.5 * (pose.position(hip).z + pose.position(ankle).z);
        poses.iter().map(bent).fold(f64::INFINITY, f64::min)
    };
    let before = ahead(&feet);
    feet.bend_as(&clip);
    assert!(before < -0.05 && ahead(&feet) > 0.05, "{before} {}", ahead(&feet));
}

/// A body that stands with one foot on a high step comes down for the other one no lower than the first leg folds.
#[test]
fn bodies_come_no_lower_than_legs_fold() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let times = (0..30).map(|frame| f64::from(frame) / 30.0).collect();
    let still = Clip::sampled(&skeleton, times, |_, _| {}).unwrap();
    let step = |point: DVec3, up: DVec3| {
        let high = if point.x > 0.0 { 0.82 } else { 0.0 };
        Plane::new(DVec3::Y * high, DVec3::Y).below(point, up)
    };
    let stood = stepped(&skeleton, &feet, &still, Some(&Contacts::find(&feet, &still)), &step);
    for poses in [planted(&skeleton, &feet, &still, &step).0, stood] {
        let long = |pose: &Pose| pose.position(legs[0].joints[0]).distance(pose.position(legs[0].joints[2]));
        let least = poses.iter().map(long).fold(f64::INFINITY, f64::min);
        assert!(least > 0.14 * 0.862, "{least} m");
    }
}
