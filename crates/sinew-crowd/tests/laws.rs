//! The laws, lane by lane: lengths hold, the same bits at every width and in every order, finite answers to any input,
//! nothing moves without weight, nothing is allocated.

use sinew::glam::Vec3;
use sinew::solve::fabrik::Fabrik;
use sinew::solve::two_bone::Reach;
use sinew::{Aim, Status};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Poses, Width};

use sinew::ThreeLink;
use sinew::solve::three_link::{Last, Yields};

use crate::chains::{Limits, allowed, chain};
use crate::{arm, body, random_pose, vector};

/// A crowd with two limbs and a look, own lengths, and awkward goals.
fn crowd(count: usize) -> (Crowd, Poses, Goals) {
    let random = &mut fastrand::Rng::with_seed(11);
    let skeleton = body(random);
    let (mut left, _) = arm(&skeleton, "l");
    left.reach = Reach::SOFT;
    let (right, _) = arm(&skeleton, "r");
    let head = Aim::new(&skeleton, skeleton.joint("head").unwrap()).unwrap();
    let crowd = Crowd::new(&skeleton).unwrap().two_bone(&left).unwrap().two_bone(&right).unwrap();
    let crowd = crowd.aim(&head, Vec3::Z.as_dvec3()).unwrap();
    let hand = skeleton.joint("r_hand").unwrap();
    let crowd = crowd.fabrik(&Fabrik::from_base(skeleton.joint("r_arm").unwrap()), hand).unwrap();
    let [root, mid, low, tip] = skeleton.joints(["r_arm", "r_twist", "r_elbow", "r_hand"]).unwrap();
    let mut links = ThreeLink::new(&skeleton, root, mid, low, tip).unwrap();
    (links.last, links.yields) = (Some(Last::Toward(vector(random))), Yields::Direction);
    let crowd = crowd.three_link(&links).unwrap();
    let (mut poses, mut goals) = (Poses::new(&crowd, count), Goals::new(&crowd, count));
    for character in 0..count {
        let pose = random_pose(&skeleton, random);
        poses.set_pose(&skeleton, character, &pose);
        for joint in skeleton.iter() {
            poses.set_length(character, joint, 0.7 + 0.6 * random.f32());
        }
        let root = pose.position(skeleton.joint("l_arm").unwrap()).as_vec3();
        for solver in 0..5 {
            let near = vector(random).as_vec3() * 2.0;
            let point = match random.u32(..10) {
                0 => Vec3::NAN,
                1 => Vec3::INFINITY,
                2 => root,
                3 => root + near * 1e20,
                4 => root + near * 1e-12,
                _ => root + near,
            };
            let pole = [near, Vec3::ZERO, Vec3::NAN, vector(random).as_vec3(), Vec3::Y][random.usize(..5)];
            let weight = [1.0, 1.0, 0.5, 0.0, f32::NAN][random.usize(..5)];
            let target = CrowdTarget::new(point).weight(weight);
            goals.set(character, solver, Some(if random.bool() { target.pole(pole) } else { target }));
        }
    }
    (crowd, poses, goals)
}

#[test]
fn the_same_bits_at_every_width_and_in_every_order() {
    let (crowd, poses, goals) = crowd(333);
    let answers = Width::all().map(|width| {
        let (mut poses, mut goals) = (poses.clone(), goals.clone());
        // The last blocks first.
        let mut blocks: Vec<_> = crowd.blocks(&mut poses, &mut goals).collect();
        blocks.iter_mut().rev().for_each(|block| block.solve(&crowd, width));
        (width.name(), bits(&crowd, &poses, &goals))
    });
    let answers: Vec<_> = answers.collect();
    let (mut poses, mut goals) = (poses.clone(), goals.clone());
    crowd.solve(&mut poses, &mut goals);
    let own = bits(&crowd, &poses, &goals);
    assert!(answers.len() >= 2 || cfg!(any(unoptimized, debug_assertions)));
    for (name, answer) in &answers {
        assert!(*answer == own, "{name}");
    }
}

/// All numbers of an answer, NaN like NaN.
pub(crate) fn bits(crowd: &Crowd, poses: &Poses, goals: &Goals) -> Vec<u32> {
    let mut bits = Vec::new();
    for character in 0..poses.len() {
        for joint in crowd.skeleton().iter() {
            bits.extend(poses.rotation(character, joint).to_array().map(f32::to_bits));
            bits.extend(poses.model_rotation(character, joint).to_array().map(f32::to_bits));
            bits.extend(poses.position(character, joint).to_array().map(f32::to_bits));
        }
        for solver in 0..crowd.solvers() {
            let (status, error) = goals.result(character, solver);
            bits.extend([status as u32, error.to_bits()]);
        }
    }
    bits
}

#[test]
fn lengths_hold_and_answers_are_finite() {
    let (crowd, mut poses, mut goals) = crowd(4000);
    let (start, skeleton) = (poses.clone(), crowd.skeleton());
    let mut before = start.clone();
    let mut none = Goals::new(&crowd, 4000);
    crowd.solve(&mut before, &mut none);
    crowd.solve(&mut poses, &mut goals);
    let mut seen = std::collections::BTreeSet::new();
    for character in 0..4000 {
        for joint in skeleton.iter() {
            let (q, p) = (poses.rotation(character, joint), poses.position(character, joint));
            assert!((q.length() - 1.0).abs() < 1e-6 && p.is_finite(), "{character} {joint:?} {q}");
            let Some(parent) = skeleton.parent(joint) else { continue };
            let length = |poses: &Poses| poses.position(character, parent).distance(poses.position(character, joint));
            assert!((length(&poses) - length(&before)).abs() < 3e-6, "{character} {joint:?}");
        }
        for solver in 0..5 {
            let (status, error) = goals.result(character, solver);
            seen.insert(status);
            assert!(error.is_finite(), "{status} {error}");
            let joints: &[&str] = [&["l_arm", "l_elbow"][..], &[], &["head"], &[], &[]][solver];
            for name in joints {
                let joint = skeleton.joint(name).unwrap();
                let stays = poses.rotation(character, joint) == start.rotation(character, joint);
                assert!(stays || !matches!(status, Status::Ignored | Status::Invalid), "{status} moved {name}");
            }
        }
    }
    assert!(seen.len() >= 5, "{seen:?}");
}

#[test]
fn chains_have_the_same_bits_at_every_width_and_in_every_order() {
    for limits in [Limits::Free, Limits::Cones, Limits::Hinges] {
        let random = &mut fastrand::Rng::with_seed(21);
        let (skeleton, base, tip) = chain(6, limits, random);
        let crowd = Crowd::new(&skeleton).unwrap().fabrik(&Fabrik::from_base(base), tip).unwrap();
        let (mut poses, mut goals) = (Poses::new(&crowd, 301), Goals::new(&crowd, 301));
        for character in 0..301 {
            poses.set_pose(&skeleton, character, &allowed(&skeleton, random));
            poses.set_length(character, tip, 0.5 + random.f32());
            let target = allowed(&skeleton, random).position(tip) + vector(random) * 0.2;
            let target = if character % 17 == 0 { Vec3::NAN } else { target.as_vec3() };
            goals.set(character, 0, Some(CrowdTarget::new(target)));
        }
        let mut answers = Width::all().map(|width| {
            let (mut poses, mut goals) = (poses.clone(), goals.clone());
            let mut blocks: Vec<_> = crowd.blocks(&mut poses, &mut goals).collect();
            blocks.iter_mut().rev().for_each(|block| block.solve(&crowd, width));
            (width.name(), bits(&crowd, &poses, &goals))
        });
        let (_, first) = answers.next().unwrap();
        answers.for_each(|(name, answer)| assert!(answer == first, "{limits:?} {name}"));
        // A character has the same answer alone.
        let (mut own, mut goal) = (Poses::new(&crowd, 1), Goals::new(&crowd, 1));
        let (mut all, mut asked) = (poses.clone(), goals.clone());
        crowd.solve(&mut all, &mut asked);
        let mut pose = skeleton.rest_pose();
        for character in [3, 150, 300] {
            poses.write_pose(&skeleton, character, &mut pose);
            skeleton.iter().for_each(|joint| own.set_rotation(0, joint, poses.rotation(character, joint)));
            own.set_length(0, tip, poses.length(character, tip));
            goal.set(0, 0, goals.get(character, 0));
            crowd.solve(&mut own, &mut goal);
            for joint in skeleton.iter() {
                assert_eq!(own.rotation(0, joint), all.rotation(character, joint), "{limits:?} {character}");
            }
        }
    }
}

#[test]
fn a_frame_allocates_nothing() {
    let (crowd, mut poses, mut goals) = crowd(100);
    crowd.solve(&mut poses, &mut goals);
    let info = allocation_counter::measure(|| {
        for mut block in crowd.blocks(&mut poses, &mut goals) {
            block.solve(&crowd, crowd.width());
        }
    });
    assert_eq!(info.count_total, 0);
}
