//! Limbs of three links against those of the core.

use sinew::glam::DVec3;
use sinew::solve::three_link::{Last, Plane, Yields};
use sinew::solve::two_bone::{End, Reach};
use sinew::{Bend, Goal, Pole, Skeleton, Solver, Status, ThreeLink, Workspace};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Poses};

use crate::{body, rotation, vector};

fn limb(skeleton: &Skeleton) -> ThreeLink {
    let [root, mid, low, tip] = skeleton.joints(["l_arm", "l_twist", "l_elbow", "l_hand"]).unwrap();
    let last = Some(Last::Direction(DVec3::NEG_Y));
    ThreeLink { last, yields: Yields::Position, ..ThreeLink::new(skeleton, root, mid, low, tip).unwrap() }
}

#[test]
fn three_links_bend_as_those_of_the_core() {
    let random = &mut fastrand::Rng::with_seed(23);
    let mut seen = std::collections::BTreeMap::new();
    let mut worst = std::collections::BTreeMap::new();
    for round in 0..96 {
        let skeleton = body(random);
        let mut limb = limb(&skeleton);
        limb.reach = [Reach::Clamp, Reach::SOFT, Reach::Hold][round % 3];
        limb.end = [End::Local, End::Model][round / 3 % 2];
        limb.bend = [Bend::Given, Bend::Rest][round / 48];
        limb.last = match round / 6 % 4 {
            0 | 1 => Some(Last::Direction(vector(random))),
            2 => Some(Last::Toward(vector(random) * 2.0)),
            _ => {
                limb.plane = Plane::Natural { side: if random.bool() { 1.0 } else { -1.0 } };
                Some(Last::Direction(vector(random)))
            }
        };
        if round / 24 % 2 == 1 {
            limb.yields = Yields::Direction;
        }
        let crowd = Crowd::new(&skeleton).unwrap().three_link(&limb).unwrap();
        let count = 64;
        let (mut poses, mut goals) = (Poses::new(&crowd, count), Goals::new(&crowd, count));
        let mut wanted = Vec::new();
        for character in 0..count {
            let mut pose = skeleton.rest_pose();
            for joint in skeleton.iter() {
                pose.edit(&skeleton).rotation(joint, rotation(random));
            }
            poses.set_pose(&skeleton, character, &pose);
            let p = (pose.position(limb.root) + vector(random) * 2.0).as_vec3();
            let weight = if character % 4 == 3 { 0.6 } else { 1.0 };
            let mut target = CrowdTarget::new(p).weight(weight as f32);
            let mut goal = Goal::position(limb.tip, p.as_dvec3()).weight(f64::from(weight as f32));
            if random.bool() {
                let pole = Pole::Direction(vector(random).as_vec3().as_dvec3());
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
            assert_eq!(status, outcome.status, "{round} {character} {limb:?}");
            assert!(
                (f64::from(error) - outcome.position_error).abs() < 3e-4,
                "{round} {character} {error} {outcome:?}"
            );
            let places = [limb.root, limb.mid, limb.low, limb.tip].map(|joint| pose.position(joint));
            let length: f64 = places.windows(2).map(|two| two[0].distance(two[1])).sum();
            let off = |joint| {
                let off = poses.position(character, joint).as_dvec3().distance(pose.position(joint)) / length;
                let turned = poses.model_rotation(character, joint).as_dquat().dot(pose.rotation(joint)).abs();
                off.max(2.0 * (1.0 - turned.min(1.0)).sqrt() * 0.1)
            };
            let (off, yields) = (skeleton.iter().map(off).fold(0.0, f64::max), limb.yields);
            worst.entry(format!("{yields:?}")).and_modify(|worst: &mut f64| *worst = worst.max(off)).or_insert(off);
        }
    }
    println!("{worst:?}, {seen:?}");
    assert!(seen.len() >= 4, "{seen:?}");
    // A last link that gives way leaves the first two straight, or folded flat, where rounding counts by its root.
    assert!(worst["Position"] < 3e-4 && worst["Direction"] < 1e-3, "{worst:?}");
}

#[test]
fn a_last_link_points_as_told_and_the_tip_arrives() {
    let skeleton = Skeleton::from_lengths(&[0.45, 0.45, 0.2]).unwrap();
    let joints = skeleton.joints(["joint_0", "joint_1", "joint_2", "joint_3"]).unwrap();
    let mut limb = ThreeLink::new(&skeleton, joints[0], joints[1], joints[2], joints[3]).unwrap();
    limb.last = Some(Last::Direction(DVec3::NEG_Y));
    let crowd = Crowd::new(&skeleton).unwrap().three_link(&limb).unwrap();
    let (mut poses, mut goals) = (Poses::new(&crowd, 40), Goals::new(&crowd, 40));
    for character in 0..40 {
        let foot = DVec3::new(0.01 * f64::from(character as u8), -0.8, 0.2).as_vec3();
        goals.set(character, 0, Some(CrowdTarget::new(foot).pole(Pole::Direction(DVec3::Z))));
    }
    crowd.solve(&mut poses, &mut goals);
    for character in 0..40 {
        assert_eq!(goals.result(character, 0).0, Status::Reached);
        let [low, tip] = [joints[2], joints[3]].map(|joint| poses.position(character, joint));
        let foot = DVec3::new(0.01 * f64::from(character as u8), -0.8, 0.2).as_vec3();
        assert!(tip.distance(foot) < 1e-6 && (low - tip).normalize().y > 1.0 - 1e-6, "{character}: {low} {tip}");
    }
}

#[test]
fn what_lanes_do_not_know_of_three_links_is_an_error() {
    let skeleton = body(&mut fastrand::Rng::with_seed(2));
    let limb = limb(&skeleton);
    let refused = |limb: ThreeLink| Crowd::new(&skeleton).unwrap().three_link(&limb).is_err();
    assert!(!refused(limb));
    assert!(refused(ThreeLink { last: None, ..limb }));
    assert!(refused(ThreeLink { last: Some(Last::Angle(0.3)), ..limb }));
    assert!(refused(ThreeLink { last: Some(Last::Direction(DVec3::ZERO)), ..limb }));
    assert!(refused(ThreeLink { last: Some(Last::Direction(DVec3::NAN)), ..limb }));
}
