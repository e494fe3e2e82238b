//! Poses lent to the core's solvers.

use sinew::glam::Vec3;
use sinew::{Auto, Goal, Skeleton, Solver as _, Workspace};
use sinew_crowd::{Crowd, Goals, Poses};

use crate::{arm, body, random_pose, vector};

/// A crowd of bodies in poses and with bones of their own.
fn crowd(skeleton: &Skeleton, count: usize, random: &mut fastrand::Rng) -> (Crowd, Poses, Goals) {
    let crowd = Crowd::new(skeleton).unwrap();
    let mut poses = Poses::new(&crowd, count);
    for character in 0..count {
        poses.set_pose(skeleton, character, &random_pose(skeleton, random));
        poses.set_root_position(character, 0, vector(random).as_vec3());
        for joint in skeleton.iter() {
            poses.set_length(character, joint, 0.8 + 0.4 * random.f32());
        }
    }
    let goals = Goals::new(&crowd, count);
    (crowd, poses, goals)
}

#[test]
fn the_core_solves_each_character_and_the_lanes_place_its_joints() {
    let random = &mut fastrand::Rng::with_seed(9);
    let (skeleton, count) = (body(random), 300);
    let hand = arm(&skeleton, "l").1[2];
    let (crowd, mut poses, mut goals) = crowd(&skeleton, count, random);
    let mut direct = Vec::new();
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    for character in 0..count {
        poses.write_pose(&skeleton, character, &mut pose);
        let target = pose.position(hand) + vector(random) * 0.1;
        let outcome = Auto::default().solve(&skeleton, &[Goal::position(hand, target)], &mut pose, &mut work);
        direct.push((target, pose.clone(), outcome.status == sinew::Status::Reached));
    }
    assert!(direct.iter().filter(|(.., reached)| *reached).count() > count / 2);
    let mut met = vec![0; count];
    for mut block in crowd.blocks(&mut poses, &mut goals) {
        block.each_pose(&crowd, &mut pose, |character, pose| {
            met[character] += 1;
            let goal = Goal::position(hand, direct[character].0);
            let _ = Auto::default().solve(&skeleton, &[goal], pose, &mut work);
        });
        block.solve(&crowd, crowd.width());
    }
    assert!(met.iter().all(|&times| times == 1), "each character once");
    for (character, (_, pose, _)) in direct.iter().enumerate() {
        for joint in skeleton.iter() {
            let apart = poses.position(character, joint).distance(pose.position(joint).as_vec3());
            assert!(apart < 1e-5, "{character}: {joint:?} is {apart} away");
            let rotation = poses.rotation(character, joint).as_dquat().dot(pose.local(joint).rotation).abs();
            assert!(rotation > 1.0 - 3e-7, "{character}: {joint:?}");
        }
    }
}

#[test]
fn what_is_left_alone_keeps_its_bits() {
    let random = &mut fastrand::Rng::with_seed(10);
    let skeleton = body(random);
    let (crowd, mut poses, mut goals) = crowd(&skeleton, 40, random);
    let before = poses.clone();
    let mut pose = skeleton.rest_pose();
    let moved = skeleton.at(0).unwrap();
    for mut block in crowd.blocks(&mut poses, &mut goals) {
        block.each_pose(&crowd, &mut pose, |character, pose| {
            if character == 7 {
                pose.edit(&skeleton).translation(moved, sinew::glam::DVec3::ONE);
            }
        });
    }
    for character in 0..40 {
        let place = if character == 7 { Vec3::ONE } else { before.root_position(character, 0) };
        assert_eq!(poses.root_position(character, 0), place);
        for joint in skeleton.iter() {
            assert_eq!(poses.rotation(character, joint), before.rotation(character, joint), "{character}: {joint:?}");
        }
    }
}

#[test]
fn translations_are_handed_to_nobody_else() {
    let random = &mut fastrand::Rng::with_seed(11);
    let skeleton = body(random);
    let rest = skeleton.rest_pose();
    let (_, own, elsewhere) = crowd(&skeleton, 40, random);
    // With bones of their own, and all of the rest lengths.
    let crowd = Crowd::new(&skeleton).unwrap();
    for (mut poses, mut goals) in [(own, elsewhere), (Poses::new(&crowd, 40), Goals::new(&crowd, 40))] {
        let before = poses.clone();
        let (mut pose, mut expected) = (rest.clone(), rest.clone());
        let mut met = 0;
        for mut block in crowd.blocks(&mut poses, &mut goals) {
            block.each_pose(&crowd, &mut pose, |character, pose| {
                before.write_pose(&skeleton, character, &mut expected);
                for joint in skeleton.iter() {
                    let (given, own) = (pose.local(joint).translation, expected.local(joint).translation);
                    assert!(given.distance(own) < 1e-6, "{character}: {joint:?} at {given}, not {own}");
                    // As a solver leaves it that stretches.
                    pose.edit(&skeleton).translation(joint, own * 1.5);
                }
                met += 1;
            });
        }
        assert_eq!(met, 40);
    }
}
