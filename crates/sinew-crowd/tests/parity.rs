//! The same answers as the core, within the bounds that the crate's documentation states.

use sinew::glam::{DVec3, Vec3};
use sinew::solve::two_bone::{End, Reach};
use sinew::{Aim, Bend, Goal, JointSpec, Pole, SkeletonBuilder, Solver, Status, Transform, Workspace};
use sinew_crowd::{Crowd, CrowdError, CrowdTarget, Goals, Poses};

use crate::{arm, body, random_pose, vector};

#[test]
fn limbs_bend_as_those_of_the_core() {
    let random = &mut fastrand::Rng::with_seed(19);
    let (mut worst, mut rim) = (0.0_f64, 0.0_f64);
    let mut seen = std::collections::BTreeMap::new();
    for round in 0..60 {
        let skeleton = body(random);
        let (mut limb, joints) = arm(&skeleton, "l");
        limb.reach = [Reach::Clamp, Reach::SOFT, Reach::Hold][round % 3];
        limb.bend = [Bend::Given, Bend::Rest][round / 3 % 2];
        limb.end = [End::Local, End::Model][round / 6 % 2];
        let crowd = Crowd::new(&skeleton).unwrap().two_bone(&limb).unwrap();
        let count = 100;
        let (mut poses, mut goals) = (Poses::new(&crowd, count), Goals::new(&crowd, count));
        let mut wanted = Vec::new();
        for character in 0..count {
            let mut pose = random_pose(&skeleton, random);
            poses.set_pose(&skeleton, character, &pose);
            let p = pose.position(joints[0]) + vector(random) * 1.6;
            let p = p.as_vec3();
            let weight = if random.u32(..4) == 0 { 0.6 } else { 1.0 };
            let mut target = CrowdTarget::new(p).weight(weight);
            let mut goal = Goal::position(joints[2], p.as_dvec3()).weight(f64::from(weight));
            let pole: Option<Pole> = match random.u32(..3) {
                0 => None,
                1 => Some(Pole::Direction(vector(random).as_vec3().as_dvec3())),
                _ => Some(Pole::Point((pose.position(joints[0]) + vector(random)).as_vec3().as_dvec3())),
            };
            if let Some(pole) = pole {
                (target, goal) = (target.pole(pole), goal.pole(pole));
            }
            goals.set(character, 0, Some(target));
            let outcome = limb.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
            wanted.push((pose, outcome));
        }
        crowd.solve(&mut poses, &mut goals);
        for (character, (pose, outcome)) in wanted.iter().enumerate() {
            let (status, error) = goals.result(character, 0);
            *seen.entry(status).or_insert(0) += 1;
            assert_eq!(status, outcome.status, "{round} {character}");
            assert!((f64::from(error) - outcome.position_error).abs() < 1e-4, "{error} {outcome:?}");
            let length: f64 = pose.position(joints[0]).distance(pose.position(joints[1]))
                + pose.position(joints[1]).distance(pose.position(joints[2]));
            let near = matches!(status, Status::OutOfReach | Status::TooClose | Status::Held);
            for joint in skeleton.iter() {
                let off = poses.position(character, joint).as_dvec3().distance(pose.position(joint)) / length;
                let turned = poses.model_rotation(character, joint).as_dquat().dot(pose.rotation(joint)).abs();
                let off = off.max(2.0 * (1.0 - turned.min(1.0)).sqrt() * 0.1);
                let worst = if near { &mut rim } else { &mut worst };
                assert!(off < 3e-4, "{round} {character} {status} {joint:?}: {off}");
                *worst = worst.max(off);
            }
        }
    }
    println!("worst {worst:e}, at the rim {rim:e}, {seen:?}");
    assert!(seen.len() >= 5, "{seen:?}");
    assert!(worst < 3e-4 && rim < 3e-4, "{worst:e} {rim:e}");
}

#[test]
fn nearly_straight_limbs_lean_as_those_of_the_core() {
    let skeleton = sinew::Skeleton::from_lengths(&[0.3, 0.25]).unwrap();
    let [root, mid, tip] = skeleton.joints(["joint_0", "joint_1", "joint_2"]).unwrap();
    let limb = sinew::TwoBone::new(&skeleton, root, mid, tip).unwrap();
    let crowd = Crowd::new(&skeleton).unwrap().two_bone(&limb).unwrap();
    let (mut poses, mut goals) = (Poses::new(&crowd, 64), Goals::new(&crowd, 64));
    let random = &mut fastrand::Rng::with_seed(7);
    let mut poses64 = Vec::new();
    for character in 0..64 {
        let mut pose = skeleton.rest_pose();
        let fold = 0.1 * random.f64() * random.f64();
        let axis = DVec3::new(random.f64() - 0.5, 0.0, random.f64() - 0.5);
        pose.edit(&skeleton).rotation(mid, sinew::Rotation::about(axis, fold));
        poses.set_pose(&skeleton, character, &pose);
        let p = Vec3::new(0.1, 0.35, -0.1);
        goals.set(character, 0, Some(CrowdTarget::new(p)));
        let _ = limb.solve(&skeleton, &[Goal::position(tip, p.as_dvec3())], &mut pose, &mut Workspace::default());
        poses64.push(pose);
    }
    crowd.solve(&mut poses, &mut goals);
    for (character, pose) in poses64.iter().enumerate() {
        let off = poses.position(character, mid).as_dvec3().distance(pose.position(mid));
        assert!(off < 1e-3, "{character}: {off}");
    }
}

#[test]
fn heads_look_where_those_of_the_core_look() {
    let random = &mut fastrand::Rng::with_seed(3);
    for _ in 0..20 {
        let skeleton = body(random);
        let head = skeleton.joint("head").unwrap();
        let aim = Aim::new(&skeleton, head).unwrap();
        let axis = vector(random);
        let crowd = Crowd::new(&skeleton).unwrap().aim(&aim, axis).unwrap();
        let (mut poses, mut goals) = (Poses::new(&crowd, 40), Goals::new(&crowd, 40));
        let mut wanted = Vec::new();
        for character in 0..40 {
            let mut pose = random_pose(&skeleton, random);
            poses.set_pose(&skeleton, character, &pose);
            let p = (vector(random) * 10.0).as_vec3();
            goals.set(character, 0, Some(CrowdTarget::new(p)));
            let goal = Goal::aim(head, axis, p.as_dvec3());
            let _ = aim.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
            wanted.push(pose);
        }
        crowd.solve(&mut poses, &mut goals);
        for (character, pose) in wanted.iter().enumerate() {
            let turned = poses.rotation(character, head).as_dquat().dot(pose.local(head).rotation).abs();
            assert!(turned > 1.0 - 1e-7, "{turned}");
            assert_eq!(goals.result(character, 0).0, Status::Reached);
        }
    }
}

#[test]
fn matrices_are_the_model_transforms() {
    let random = &mut fastrand::Rng::with_seed(5);
    let skeleton = body(random);
    let crowd = Crowd::new(&skeleton).unwrap();
    let (mut poses, mut goals) = (Poses::new(&crowd, 21), Goals::new(&crowd, 21));
    let models: Vec<_> = (0..21).map(|_| random_pose(&skeleton, random)).collect();
    for (character, pose) in models.iter().enumerate() {
        poses.set_pose(&skeleton, character, pose);
    }
    crowd.solve(&mut poses, &mut goals);
    let mut matrices = vec![[0.0; 12]; 21 * skeleton.len()];
    poses.matrices(&crowd, &mut matrices);
    for (character, pose) in models.iter().enumerate() {
        for joint in skeleton.iter() {
            let (m, model) = (matrices[character * skeleton.len() + joint.index()], pose.model(joint));
            let rows = model.matrix3.transpose();
            for (row, axis) in [rows.x_axis, rows.y_axis, rows.z_axis].into_iter().enumerate() {
                for (column, x) in axis.to_array().into_iter().chain([model.translation[row]]).enumerate() {
                    assert!((f64::from(m[4 * row + column]) - x).abs() < 3e-6, "{m:?} {model:?}");
                }
            }
        }
    }
}

#[test]
fn scales_are_even_as_far_as_exporters_round_them() {
    let legs = |off: f64| {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("hips"));
        let rest = Transform { scale: DVec3::new(1.0, 1.0 + off, 1.0 - off), ..Transform::from_translation(DVec3::X) };
        builder.add(JointSpec::named("knee").rest(rest).child_of("hips"));
        builder.add(JointSpec::named("foot").translation(DVec3::ONE).child_of("knee"));
        builder.build().unwrap()
    };
    let skeleton = legs(5e-5);
    let (crowd, foot) = (Crowd::new(&skeleton).unwrap(), skeleton.joint("foot").unwrap());
    let (mut poses, mut goals) = (Poses::new(&crowd, 1), Goals::new(&crowd, 1));
    crowd.solve(&mut poses, &mut goals);
    let there = skeleton.rest_pose().position(foot).as_vec3();
    assert!(poses.position(0, foot).distance(there) < 3e-4 * there.length());
    assert!(matches!(Crowd::new(&legs(1e-3)), Err(CrowdError::UnevenScale { .. })));
}
