//! Feet that are known, and which way the knees of a walk bend.

#![allow(clippy::unwrap_used, reason = "a test's own rig")]

use glam::DVec3;
use sinew::{Joint, JointSpec, Skeleton, SkeletonBuilder};
use sinew_motion::{Gait, GaitState, Leg, PathPoint, Plane};

const PARTS: [&str; 5] = ["hip", "knee", "ankle", "ball", "tip"];

/// Two legs: where hip, knee, ankle, ball and tip of the left and of the right one are from the joint before.
fn walker(left: [[f64; 3]; 5], right: [[f64; 3]; 5]) -> (Skeleton, [Vec<Joint>; 2]) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("body").translation([0.0, 0.52, 0.0]));
    for (side, at) in [("l", left), ("r", right)] {
        for (part, at) in at.into_iter().enumerate() {
            let above = if part == 0 { "body".to_owned() } else { format!("{}{side}", PARTS[part - 1]) };
            builder.add(JointSpec::named(format!("{}{side}", PARTS[part])).child_of(above.as_str()).translation(at));
        }
    }
    let skeleton = builder.build().unwrap();
    let joints = |side: &str| PARTS.map(|part| skeleton.joint(&format!("{part}{side}")).unwrap()).to_vec();
    let legs = [joints("l"), joints("r")];
    (skeleton, legs)
}

/// How far ahead of the line from hip to ankle each knee is at least and at most in a walk ahead; and the foot's own turn at least (cosine).
fn knees(skeleton: &Skeleton, joints: &[Vec<Joint>; 2], legs: &[Leg]) -> [[f64; 2]; 2] {
    let gait = Gait::new(skeleton, legs, DVec3::Y, DVec3::Z, None).unwrap();
    let (ground, mut state) = (Plane::new(DVec3::ZERO, DVec3::Y), GaitState::default());
    let mut found = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for frame in 0..300 {
        let velocity = DVec3::Z * 0.8;
        let position = velocity * (f64::from(frame) / 60.0);
        let point = PathPoint { position, forward: DVec3::Z, velocity, turning: 0.0 };
        let mut pose = skeleton.rest_pose();
        gait.step(skeleton, point, &ground, &mut pose, &mut state, 1.0 / 60.0);
        for (leg, [least, most]) in joints.iter().zip(&mut found) {
            let [hip, knee, ankle] = [0, 1, 2].map(|part| pose.position(leg[part]));
            let ahead = (knee - hip).reject_from(ankle - hip).dot(DVec3::Z);
            (*least, *most) = (least.min(ahead), most.max(ahead));
        }
    }
    found
}

/// As a knight of the data is built: an ankle high over the ground, of which form alone makes a second knee.
#[test]
fn a_foot_that_is_known_is_one_whatever_its_shape() {
    let leg =
        |x: f64| [[x, 0.0, 0.0], [0.0, -0.23, 0.008], [0.0, -0.15, -0.027], [0.0, -0.12, 0.115], [0.0, 0.08, 0.2]];
    let (skeleton, joints) = walker(leg(0.17), leg(-0.17));
    let legs: Vec<Leg> = joints
        .iter()
        .map(|leg| Leg { joints: leg[..3].to_vec(), toe: Some(leg[3]), end: Some(leg[4]), apart: None })
        .collect();
    let known = knees(&skeleton, &joints, &legs);
    assert!(known.iter().all(|[least, _]| *least > 0.0), "{known:?}");
    let gait = Gait::new(&skeleton, &legs, DVec3::Y, DVec3::Z, None).unwrap();
    assert_eq!(gait.touching(0), Some(joints[0][3]));
}

/// A leg that rests straight bends back, as the one across the body that is bent at rest.
#[test]
fn legs_that_are_straight_bend_as_their_mirror_images() {
    let foot = [[0.0, -0.04, 0.06], [0.0, -0.01, 0.06]];
    let bent = [[0.15, 0.0, 0.0], [0.0, -0.23, -0.08], [0.0, -0.23, 0.08], foot[0], foot[1]];
    let straight = [[-0.15, 0.0, 0.0], [0.0, -0.24, 0.0], [0.0, -0.23, 0.0], foot[0], foot[1]];
    let (skeleton, joints) = walker(bent, straight);
    let legs: Vec<Leg> = joints.iter().cloned().map(Leg::from).collect();
    let found = knees(&skeleton, &joints, &legs);
    assert!(found.iter().all(|[_, most]| *most < 1e-9), "{found:?}");
}
