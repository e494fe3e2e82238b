//! What a game loop shows, frame by frame, of feet whose clip is known.

use glam::{DAffine3, DQuat, DVec3};
use sinew::{Goal, Joint, Pose, Solver, Target, TwoBone, Workspace};

use super::super::{Contacts, Leg};
use super::{feet, measure, pitched, planted, stepped, toed, walk, walker};
use crate::ground::{Plane, Stairs};
use crate::{Clip, carry};

fn peak(skeleton: &sinew::Skeleton, clip: &Clip, poses: &[Pose], joint: Joint) -> f64 {
    let clip = Clip::new(skeleton, clip.times().to_vec(), poses.to_vec()).unwrap();
    clip.positions(joint).derivative(2).peak().1
}

/// A foot goes over an edge on a way that it is set on when it lifts: it does not jump up before the edge, nor fall behind it.
#[test]
fn feet_go_over_edges_without_a_jump() {
    let (skeleton, legs) = toed();
    let feet = feet(&skeleton, &legs);
    let clip = pitched(&skeleton, &walk(&skeleton, &legs, 120.0, 0.0), &legs);
    let contacts = Contacts::find(&feet, &clip);
    let ankle = legs[0].joints[2];
    let own = peak(&skeleton, &clip, clip.poses(), ankle);
    // A leg that is softly short of its landing down a step comes to it from behind the edge.
    for (rise, most) in [(0.12, 5e-3), (-0.12, 1.2e-2)] {
        for shift in 0..8 {
            let start = DVec3::Z * (1.0 + 0.045 * f64::from(shift));
            let stairs = Stairs { start, along: DVec3::Z, up: DVec3::Y, rise, run: 0.36, steps: 6 };
            let poses = stepped(&skeleton, &feet, &clip, Some(&contacts), &stairs);
            let [deep, _, slide] = measure(&feet, &clip, &poses, &contacts, &stairs);
            let hurry = peak(&skeleton, &clip, &poses, ankle) / own;
            assert!(hurry < 1.8 && deep < most && slide < 1e-3, "{rise} {shift}: {hurry} times, {deep} m, {slide} m");
        }
    }
}

/// The body is where it is when all is planned, not behind its feet: they are told where they land.
#[test]
fn bodies_keep_up_with_feet_that_climb() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let contacts = Contacts::find(&feet, &clip);
    let hips = skeleton.joint("hips").unwrap();
    for (rise, most) in [(0.12, 0.07), (-0.12, 0.02)] {
        let stairs = Stairs { start: DVec3::Z, along: DVec3::Z, up: DVec3::Y, rise, run: 0.35, steps: 9 };
        let known = planted(&skeleton, &feet, &clip, &stairs).0;
        let poses = stepped(&skeleton, &feet, &clip, Some(&contacts), &stairs);
        // Amid the stairs.
        let behind: Vec<f64> = (60..200)
            .map(|frame| (known[frame].position(hips) - poses[frame].position(hips)).y * rise.signum())
            .collect();
        let mean = behind.iter().sum::<f64>() / behind.len() as f64;
        assert!(mean.abs() < most, "{rise}: {mean} m behind");
    }
}

/// A body comes down for a foot that stays behind before it lifts, so that it stands on its ground all the while.
#[test]
fn feet_stay_on_the_ground_until_they_lift() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let contacts = Contacts::find(&feet, &clip);
    for steep in [-0.35, -0.25, 0.25, 0.35] {
        let slope = Plane::new(DVec3::ZERO, DVec3::new(0.0, 1.0, steep));
        let poses = stepped(&skeleton, &feet, &clip, Some(&contacts), &slope);
        let [deep, high, slide] = measure(&feet, &clip, &poses, &contacts, &slope).map(|worst| worst * 1e3);
        assert!(deep < 5.0 && high < 16.0 && slide < 1.0, "{steep}: {deep} mm deep, {high} mm high, {slide} mm slide");
    }
}

/// Down stairs the body is low enough in time for legs to land bent: on one that is all but straight the knee would jerk.
#[test]
fn legs_land_bent_on_lower_steps() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = crouched(&skeleton, walk(&skeleton, &legs, 120.0, 0.0), &legs, 0.06);
    let contacts = Contacts::find(&feet, &clip);
    let [hip, ankle] = [0, 2].map(|part| legs[0].joints[part]);
    let stairs = Stairs { start: DVec3::Z, along: DVec3::Z, up: DVec3::Y, rise: -0.16, run: 0.36, steps: 9 };
    let poses = stepped(&skeleton, &feet, &clip, Some(&contacts), &stairs);
    for contact in &contacts.of(0)[1..] {
        let frame = clip.times().partition_point(|time| *time < contact.from);
        let long = |pose: &Pose| pose.position(hip).distance(pose.position(ankle)) / feet.length(0);
        let (own, now) = (long(&clip.poses()[frame]), long(&poses[frame]));
        assert!(own < 0.96 && now < 0.975, "at {}: {now}, {own} in the clip", contact.from);
    }
}

/// A foot that goes over high steps under a body that is still low comes down in time for its leg. Stopped where its leg is folded, in the
/// frame in which it is, its ankle would accelerate 2.1 to 5.7 times as much as in the clip.
#[test]
fn legs_that_fold_over_high_steps_do_not_jerk() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    for rate in [30.0, 120.0] {
        let clip = crouched(&skeleton, walk(&skeleton, &legs, rate, 0.0), &legs, 0.1);
        let contacts = Contacts::find(&feet, &clip);
        for (rise, run, most) in [(0.2, 0.3, 1.95), (0.35, 0.4, 2.8)] {
            let stairs = Stairs { start: DVec3::Z, along: DVec3::Z, up: DVec3::Y, rise, run, steps: 6 };
            let poses = stepped(&skeleton, &feet, &clip, Some(&contacts), &stairs);
            let [deep, ..] = measure(&feet, &clip, &poses, &contacts, &stairs);
            let of = |poses: &[Pose]| peak(&skeleton, &clip, poses, legs[0].joints[2]);
            let times = of(&poses) / of(clip.poses());
            assert!(times < most && deep < 1e-3, "{rate} Hz, {rise}: {times} times, {deep} m deep");
        }
    }
}

/// A clip whose hips are so much lower over the same feet.
fn crouched(skeleton: &sinew::Skeleton, mut clip: Clip, legs: &[Leg], lower: f64) -> Clip {
    for pose in clip.poses_mut() {
        let ankles: Vec<DAffine3> = legs.iter().map(|leg| *pose.model(leg.joints[2])).collect();
        carry(skeleton, pose, &DAffine3::from_translation(-DVec3::Y * lower));
        for (leg, ankle) in legs.iter().zip(ankles) {
            let limb = TwoBone::new(skeleton, leg.joints[0], leg.joints[1], leg.joints[2]).unwrap();
            let mut goal = Goal::position(leg.joints[2], DVec3::ZERO);
            goal.target = Target::Frame { position: ankle.translation, rotation: DQuat::from_mat3(&ankle.matrix3) };
            let _ = limb.solve(skeleton, &[goal], pose, &mut Workspace::default());
        }
    }
    clip
}

/// A foot that stands close before a riser rises in time before it lifts: it does not hurry over the edge.
#[test]
fn feet_before_a_riser_rise_in_time() {
    let (skeleton, legs) = toed();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 120.0, 0.0);
    let contacts = Contacts::find(&feet, &clip);
    let ankle = legs[0].joints[2];
    let own = peak(&skeleton, &clip, clip.poses(), ankle);
    for shift in 0..12 {
        let start = DVec3::Z * (1.0 + 0.03 * f64::from(shift));
        let stairs = Stairs { start, along: DVec3::Z, up: DVec3::Y, rise: 0.16, run: 0.36, steps: 6 };
        let poses = stepped(&skeleton, &feet, &clip, Some(&contacts), &stairs);
        let [deep, _, slide] = measure(&feet, &clip, &poses, &contacts, &stairs);
        let hurry = peak(&skeleton, &clip, &poses, ankle) / own;
        assert!(hurry < 2.0 && deep < 5e-3 && slide < 1e-3, "{shift}: {hurry} times, {deep} m, {slide} m");
    }
}
