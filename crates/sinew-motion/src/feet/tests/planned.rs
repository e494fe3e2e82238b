//! What is better for being known beforehand.

use glam::{DQuat, DVec3};
use sinew::{Goal, Pose, Solver, Target, TwoBone, Workspace};

use super::super::{FeetState, FeetStep};
use super::{feet, measure, planted, toed, walk, walker};
use crate::Clip;
use crate::ground::{Ground, GroundPoint, Plane, Stairs};

fn hips(poses: &[Pose], clip: &Clip, skeleton: &sinew::Skeleton) -> f64 {
    let clip = Clip::new(skeleton, clip.times().to_vec(), poses.to_vec()).unwrap();
    clip.positions(skeleton.joint("hips").unwrap()).derivative(2).peak().1
}

#[test]
fn a_planned_body_hurries_less_and_its_feet_reach_as_well() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let stairs = Stairs { start: DVec3::Z, along: DVec3::Z, up: DVec3::Y, rise: 0.12, run: 0.35, steps: 6 };
    let (followed, contacts) = planted(&skeleton, &feet, &clip, &stairs);
    let ways = feet.plan(&clip, &contacts, &stairs);
    let (mut state, mut hints, mut poses) = (FeetState::default(), Vec::new(), clip.poses().to_vec());
    for (frame, pose) in poses.iter_mut().enumerate() {
        contacts.hints(clip.times()[frame], &mut hints);
        let dt = if frame == 0 { 0.0 } else { 1.0 / 60.0 };
        let step = FeetStep { dt, hints: &hints, body: Some(ways[frame]) };
        feet.step(&skeleton, pose, &stairs, step, &mut state);
    }
    let [deep, high, slide] = measure(&feet, &clip, &poses, &contacts, &stairs).map(|worst| worst * 1e3);
    let [hurried, calm] = [&followed, &poses].map(|poses| hips(poses, &clip, &skeleton));
    println!("{hurried} then {calm} m/s²; {deep} mm deep, {high} mm high, {slide} mm slide");
    assert!(calm < 0.5 * hurried, "{hurried} {calm}");
    assert!(deep < 5.0 && high < 5.0 && slide < 1.0, "{deep} {high} {slide}");
}

/// Feet that lift with the toes down do not jump out of the ground: what toes bend while they bear fades.
#[test]
fn toes_leave_the_ground_without_a_step() {
    let (skeleton, legs) = toed();
    let feet = feet(&skeleton, &legs);
    let mut clip = walk(&skeleton, &legs, 120.0, 0.0);
    let times = clip.times().to_vec();
    for (pose, time) in clip.poses_mut().iter_mut().zip(times) {
        for (number, leg) in legs.iter().enumerate() {
            // Up on the ball about where the foot lifts, six tenths of a second into its cycle.
            let within = (time + 0.5 * number as f64).fract() - 0.6;
            let turn = DQuat::from_rotation_x(0.5 * (1.0 - (within / 0.3).powi(2)).max(0.0).powi(2));
            let ball = feet.soles(pose, number)[1];
            let [hip, knee, ankle] = [0, 1, 2].map(|part| leg.joints[part]);
            let mut goal = Goal::position(ankle, DVec3::ZERO);
            let position = ball + turn * (pose.position(ankle) - ball);
            goal.target = Target::Frame { position, rotation: turn * pose.rotation(ankle) };
            let limb = TwoBone::new(&skeleton, hip, knee, ankle).unwrap();
            let _ = limb.solve(&skeleton, &[goal], pose, &mut Workspace::default());
        }
    }
    let (poses, _) = planted(&skeleton, &feet, &clip, &Plane::new(DVec3::ZERO, DVec3::Y));
    let after = Clip::new(&skeleton, clip.times().to_vec(), poses).unwrap();
    let peak = |clip: &Clip| clip.positions(legs[0].joints[2]).derivative(2).peak().1;
    println!("{} then {} m/s²", peak(&clip), peak(&after));
    assert!(peak(&after) < 1.5 * peak(&clip), "{} {}", peak(&clip), peak(&after));
}

/// A clip that begins deep under a terrain of one sheet comes up to it.
#[test]
fn feet_that_begin_under_the_ground_stand_on_it() {
    struct Sheet;
    impl Ground for Sheet {
        fn below(&self, point: DVec3, up: DVec3) -> Option<GroundPoint> {
            Plane::new(DVec3::Y * 2.0, DVec3::Y).below(point, up).filter(|at| at.position.y <= point.y)
        }
    }
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let mut pose = skeleton.rest_pose();
    feet.step(&skeleton, &mut pose, &Sheet, FeetStep::default(), &mut FeetState::default());
    let lowest = feet.soles(&pose, 0).map(|sole| sole.y);
    assert!(lowest.iter().all(|low| (low - 2.0).abs() < 1e-3), "{lowest:?}");
}

/// What the clip's own step clears is not cleared twice.
#[test]
fn feet_are_lifted_over_steps_no_higher_than_they_must() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let curb = Stairs { start: DVec3::Z * 1.4, along: DVec3::Z, up: DVec3::Y, rise: 0.08, run: 0.35, steps: 1 };
    let (poses, _) = planted(&skeleton, &feet, &clip, &curb);
    let highest = |poses: &[Pose]| poses.iter().map(|pose| feet.soles(pose, 0)[1].y).fold(0.0, f64::max);
    println!("{} then {}", highest(clip.poses()), highest(&poses));
    assert!(highest(&poses) < highest(clip.poses()) + 0.09, "{} {}", highest(clip.poses()), highest(&poses));
}
