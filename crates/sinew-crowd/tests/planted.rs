//! Planted feet: the body comes down as far as its legs need.

use sinew::glam::{DQuat, DVec3, Vec3};
use sinew::{JointSpec, Skeleton, SkeletonBuilder, Status, TwoBone};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Poses, Width};

use crate::vector;

/// Hips with two legs, below a base that is turned and moved; up is +Z of the model.
fn legs() -> (Skeleton, [TwoBone; 2]) {
    let mut builder = SkeletonBuilder::new();
    let base = sinew::glam::DAffine3::from_rotation_translation(DQuat::from_rotation_x(1.2), DVec3::new(1.0, 2.0, 3.0));
    let down = DQuat::from_rotation_x(1.2).conjugate() * -DVec3::Z;
    builder.add(JointSpec { base, ..JointSpec::named("hips").translation(-down * 0.9) });
    for (side, x) in [("l", 0.1), ("r", -0.1)] {
        let hip = builder.add(JointSpec::named(format!("{side}_hip")).child_of(0).translation(DVec3::X * x));
        let bend = DVec3::X.cross(down) * 0.05;
        let knee = builder.add(JointSpec::named(format!("{side}_knee")).child_of(hip).translation(down * 0.45 + bend));
        builder.add(JointSpec::named(format!("{side}_foot")).child_of(knee).translation(down * 0.42 - bend));
    }
    let skeleton = builder.build().unwrap();
    let leg = |side: &str| TwoBone::ending_at(&skeleton, skeleton.joint(&format!("{side}_foot")).unwrap()).unwrap();
    let legs = [leg("l"), leg("r")];
    (skeleton, legs)
}

#[test]
fn bodies_come_down_as_far_as_their_legs_need() {
    const REACH: f64 = 0.99;
    let random = &mut fastrand::Rng::with_seed(2);
    let (skeleton, legs) = legs();
    let crowd = Crowd::new(&skeleton).unwrap().planted(&legs, DVec3::Z * 2.0, REACH).unwrap();
    assert_eq!(crowd.solvers(), 3);
    let count = 300;
    let (poses, mut goals) = (Poses::new(&crowd, count), Goals::new(&crowd, count));
    let rest = skeleton.rest_pose();
    let mut wanted = Vec::new();
    for character in 0..count {
        let mut way = 0.0;
        for (index, leg) in legs.iter().enumerate() {
            let [hip, knee, foot] = [leg.root, leg.mid, leg.tip].map(|joint| rest.position(joint));
            // From a step up to a hole.
            let target = (foot + vector(random) * 0.1 - DVec3::Z * (0.3 * random.f64() - 0.1)).as_vec3();
            let weight = [1.0, 1.0, 0.4, 0.0][random.usize(..4)];
            goals.set(character, 1 + index, Some(CrowdTarget::new(target).weight(weight)));
            let bones = hip.distance(knee) + knee.distance(foot);
            let from = hip - DVec3::Z * way - target.as_dvec3();
            let over = from.z - (REACH * REACH * bones * bones - from.x * from.x - from.y * from.y).max(0.0).sqrt();
            let band = (1.0 - REACH) * bones;
            way += f64::from(weight) * 0.5 * (over + (over * over + band * band).sqrt());
        }
        wanted.push(way);
    }
    let answers: Vec<_> = Width::all()
        .map(|width| {
            let (mut poses, mut goals) = (poses.clone(), goals.clone());
            let crowd = crowd.clone().with_width(width);
            crowd.solve(&mut poses, &mut goals);
            (poses, goals)
        })
        .collect();
    let (solved, told) = &answers[0];
    let mut lowest = 0.0_f64;
    for (character, &way) in wanted.iter().enumerate() {
        let (status, down) = told.result(character, 0);
        assert!((f64::from(down) - way).abs() < 2e-6, "{character} {down} {way}");
        let hips = solved.position(character, skeleton.at(0).unwrap()).as_dvec3();
        let before = rest.position(skeleton.at(0).unwrap());
        assert!((before - DVec3::Z * way).distance(hips) < 4e-6, "{character} {hips} {way}");
        let mut pose = skeleton.rest_pose();
        solved.write_pose(&skeleton, character, &mut pose);
        assert!(pose.position(skeleton.at(0).unwrap()).distance(hips) < 4e-6, "{character}");
        let weights = [1, 2].map(|solver| goals.get(character, solver).map_or(0.0, |goal| goal.weight));
        assert_eq!(status, if weights == [0.0; 2] { Status::Ignored } else { Status::Reached });
        for (solver, weight) in [1, 2].into_iter().zip(weights) {
            if weight == 1.0 && told.result(character, solver).0 != Status::TooClose {
                assert_eq!(told.result(character, solver).0, Status::Reached, "{character}");
            }
        }
        lowest = lowest.max(way);
        for (poses, goals) in &answers {
            assert_eq!(
                poses.root_position(character, 0).to_array().map(f32::to_bits),
                solved.root_position(character, 0).to_array().map(f32::to_bits)
            );
            assert_eq!(goals.result(character, 1).1.to_bits(), told.result(character, 1).1.to_bits());
        }
    }
    assert!(lowest > 0.1, "{lowest}");
}

#[test]
fn bodies_without_feet_to_plant_stay_where_they_are() {
    let (skeleton, legs) = legs();
    let crowd = Crowd::new(&skeleton).unwrap().planted(&legs, DVec3::Z, 0.99).unwrap();
    let (mut poses, mut goals) = (Poses::new(&crowd, 20), Goals::new(&crowd, 20));
    goals.set(3, 1, Some(CrowdTarget::new(Vec3::NAN)));
    let before = poses.clone();
    crowd.solve(&mut poses, &mut goals);
    for character in 0..20 {
        assert_eq!(poses.root_position(character, 0), before.root_position(character, 0));
        assert_eq!(goals.result(character, 0), (Status::Ignored, 0.0));
    }
    let refused = Crowd::new(&skeleton).unwrap().planted(&legs, DVec3::ZERO, 0.99);
    assert!(refused.unwrap_err().to_string().contains("up"));
    assert!(Crowd::new(&skeleton).unwrap().planted(&[], DVec3::Z, 0.99).is_err());
}
