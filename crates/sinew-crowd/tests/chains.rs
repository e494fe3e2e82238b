//! Chains: they reach what is in reach, inside their limits, and leave the rest as near as they can.

use sinew::glam::{DVec3, Vec3};
use sinew::limit::{EllipticSwing, Range, SwingTwist};
use sinew::solve::fabrik::Fabrik;
use sinew::solve::two_bone::Reach;
use sinew::{BallLimit, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Status, TwoBone};
use sinew_crowd::{Crowd, CrowdError, CrowdTarget, Goals, Poses};

use crate::{rotation, vector};

/// What the joints of a chain may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Limits {
    Free,
    Cones,
    Hinges,
}

/// A chain of so many bones of 0.05 to 0.15 m below a turned root, and its tip.
pub(crate) fn chain(bones: usize, limits: Limits, random: &mut fastrand::Rng) -> (Skeleton, Joint, Joint) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("hips").translation(vector(random)).rotation(rotation(random)));
    for index in 0..=bones {
        let bone = DVec3::new(0.1 + 0.1 * (random.f64() - 0.5), 0.0, 0.0);
        let spec = JointSpec::named(format!("bone_{index}")).child_of(index);
        let spec = spec.translation(if index == 0 { vector(random) } else { bone });
        let degree = std::f64::consts::PI / 180.0;
        builder.add(spec.kind(match limits {
            Limits::Free => Kind::BALL,
            Limits::Cones => {
                let cone = SwingTwist::new(DVec3::X, 45.0 * degree, Range::new(-0.5, 0.5)).unwrap();
                Kind::Ball(BallLimit::SwingTwist(cone))
            }
            Limits::Hinges => {
                Kind::hinge(if index % 2 == 0 { DVec3::Y } else { DVec3::Z }).within(-45.0 * degree, 45.0 * degree)
            }
        }));
    }
    let skeleton = builder.build().unwrap();
    let (base, tip) = (skeleton.joint("bone_0").unwrap(), skeleton.joint(&format!("bone_{bones}")).unwrap());
    (skeleton, base, tip)
}

/// A random pose inside all limits.
pub(crate) fn allowed(skeleton: &Skeleton, random: &mut fastrand::Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    let mut edit = pose.edit(skeleton);
    for joint in skeleton.iter().skip(1) {
        match skeleton.kind(joint) {
            Kind::Hinge { axis, range } => {
                let value = range.min + (range.max - range.min) * random.f64();
                edit.rotation(joint, sinew::math::arc::axis_angle(axis, value))
            }
            Kind::Ball(limit) => edit.rotation(joint, limit.project(rotation(random))),
            _ => &mut edit,
        };
    }
    drop(edit);
    pose
}

/// A crowd of chains with targets that some allowed pose reaches, solved.
fn solved(bones: usize, limits: Limits, count: usize) -> (Crowd, Poses, Goals, Vec<Vec3>, [Joint; 2]) {
    let random = &mut fastrand::Rng::with_seed(3);
    let (skeleton, base, tip) = chain(bones, limits, random);
    let fabrik = Fabrik { position_tolerance: 1e-5, ..Fabrik::from_base(base) };
    let crowd = Crowd::new(&skeleton).unwrap().fabrik(&fabrik, tip).unwrap();
    let (mut poses, mut goals) = (Poses::new(&crowd, count), Goals::new(&crowd, count));
    let targets: Vec<Vec3> = (0..count).map(|_| allowed(&skeleton, random).position(tip).as_vec3()).collect();
    for (character, &target) in targets.iter().enumerate() {
        goals.set(character, 0, Some(CrowdTarget::new(target)));
    }
    crowd.solve(&mut poses, &mut goals);
    (crowd, poses, goals, targets, [base, tip])
}

#[test]
fn what_is_in_reach_is_reached_inside_limits() {
    let mut short = Vec::new();
    for (limits, least) in [(Limits::Free, 1.0), (Limits::Cones, 0.98), (Limits::Hinges, 0.998)] {
        for bones in [2, 4, 5, 10, 20, 40] {
            let count = 400;
            let (crowd, poses, goals, targets, [_, tip]) = solved(bones, limits, count);
            let skeleton = crowd.skeleton();
            let (mut reached, mut passes) = (0, 0);
            for (character, target) in targets.iter().enumerate() {
                let (status, error) = goals.result(character, 0);
                let mut pose = skeleton.rest_pose();
                poses.write_pose(skeleton, character, &mut pose);
                let miss = pose.position(tip).distance(target.as_dvec3());
                assert!((miss - f64::from(error)).abs() < 1e-6 * bones as f64, "{limits:?} {bones} {miss} {error}");
                assert!(status != Status::Reached || miss < 4e-6 * bones as f64, "{limits:?} {bones} {miss}");
                for joint in skeleton.iter() {
                    let local = pose.local(joint);
                    let nearest = skeleton.nearest_allowed(joint, local, 0.0).rotation;
                    let off = 2.0 * (1.0 - nearest.dot(local.rotation).abs().min(1.0)).sqrt();
                    assert!(off < 2e-5, "{limits:?} {bones} {joint:?} {off}");
                }
                reached += usize::from(status == Status::Reached);
                passes += goals.iterations(character, 0);
            }
            let rate = reached as f64 / count as f64;
            println!("{limits:?} {bones}: {:.2} %, {:.2} passes", 100.0 * rate, f64::from(passes) / count as f64);
            if rate < least {
                short.push((limits, bones, rate));
            }
        }
    }
    assert!(short.is_empty(), "{short:?}");
}

#[test]
fn what_is_out_of_reach_is_left_as_near_as_can_be() {
    let random = &mut fastrand::Rng::with_seed(8);
    let mut builder = SkeletonBuilder::new();
    let lengths = [0.5, 0.1, 0.15];
    builder.add(JointSpec::named("base").translation(vector(random)));
    for (index, length) in lengths.into_iter().enumerate() {
        builder.add(JointSpec::default().child_of(index).translation(vector(random).normalize() * length));
    }
    let skeleton = builder.build().unwrap();
    let tip = skeleton.at(3).unwrap();
    let crowd = Crowd::new(&skeleton).unwrap().fabrik(&Fabrik::default(), tip).unwrap();
    let (mut poses, mut goals) = (Poses::new(&crowd, 300), Goals::new(&crowd, 300));
    let root = skeleton.rest_pose().position(skeleton.at(0).unwrap());
    let targets: Vec<f64> = (0..300).map(|_| 1.5 * random.f64()).collect();
    for (character, &distance) in targets.iter().enumerate() {
        let target = root + vector(random).normalize() * distance;
        goals.set(character, 0, Some(CrowdTarget::new(target.as_vec3())));
    }
    crowd.solve(&mut poses, &mut goals);
    for (character, &distance) in targets.iter().enumerate() {
        let (status, error) = goals.result(character, 0);
        let nearest = (0.25 - distance).max(distance - 0.75).max(0.0);
        assert!((f64::from(error) - nearest).abs() < 5e-6, "{character} {distance} {status} {error} {nearest}");
        let wanted = if distance < 0.25 { Status::TooClose } else { Status::OutOfReach };
        assert!(status == if nearest > 1e-5 { wanted } else { Status::Reached }, "{character} {distance} {status}");
    }
}

#[test]
fn chains_stand_still_without_a_goal_and_where_it_is_met() {
    for limits in [Limits::Free, Limits::Cones, Limits::Hinges] {
        let (crowd, mut poses, mut goals, targets, [_, tip]) = solved(7, limits, 100);
        let before = poses.clone();
        for (character, &target) in targets.iter().enumerate() {
            let other = CrowdTarget::new(target + Vec3::X);
            goals.set(
                character,
                0,
                match character % 4 {
                    0 => Some(CrowdTarget::new(poses.position(character, tip))),
                    1 => Some(other.weight(0.0)),
                    2 => Some(other.pole(Vec3::Y)),
                    _ => Some(CrowdTarget::new(Vec3::NAN)),
                },
            );
        }
        crowd.solve(&mut poses, &mut goals);
        let wanted = [Status::Reached, Status::Ignored, Status::Ignored, Status::Invalid];
        for character in 0..100 {
            assert_eq!(goals.result(character, 0).0, wanted[character % 4]);
            assert_eq!(goals.iterations(character, 0), 0);
            for joint in crowd.skeleton().iter() {
                assert_eq!(poses.rotation(character, joint), before.rotation(character, joint), "{limits:?}");
                assert!(poses.position(character, joint).is_finite());
            }
        }
    }
}

#[test]
fn part_of_the_way_is_along_the_line() {
    let (crowd, mut poses, mut goals, targets, [_, tip]) = solved(6, Limits::Free, 40);
    let before = poses.clone();
    for (character, &target) in targets.iter().enumerate() {
        let target = CrowdTarget::new(target + Vec3::splat(0.05)).weight(0.25);
        goals.set(character, 0, Some(target));
    }
    crowd.solve(&mut poses, &mut goals);
    for (character, &target) in targets.iter().enumerate() {
        if goals.result(character, 0).0 == Status::Reached {
            let from = before.position(character, tip);
            let wanted = from + (target + Vec3::splat(0.05) - from) * 0.25;
            assert!(poses.position(character, tip).distance(wanted) < 1e-5, "{character}");
        }
    }
}

#[test]
fn what_lanes_do_not_keep_is_refused() {
    let random = &mut fastrand::Rng::with_seed(5);
    let (hinged, ..) = chain(2, Limits::Hinges, random);
    let crowd = |skeleton: &Skeleton| Crowd::new(skeleton).unwrap();
    let refused = |result: Result<Crowd, CrowdError>| result.map(|_| ()).unwrap_err().to_string();
    let (coned, _, _) = chain(2, Limits::Cones, random);
    let shared = hinged.revised(|joint, spec| {
        if joint.index() == 3 {
            spec.mimic = Some(sinew::Mimic { of: "bone_1".into(), multiplier: 1.0, offset: 0.0 });
        }
    });
    let shared = shared.unwrap();
    let [base, mid, end] = shared.joints(["bone_0", "bone_1", "bone_2"]).unwrap();
    let limb = TwoBone::new(&shared, base, mid, end).unwrap();
    assert!(refused(crowd(&shared).two_bone(&limb)).contains("moves others along"));
    let elliptic = EllipticSwing::new(DVec3::X, DVec3::Y, [0.5, 0.9], Range::FREE).unwrap();
    let elliptic = coned.revised(|joint, spec| {
        if joint.index() > 0 {
            spec.kind = Kind::Ball(BallLimit::EllipticSwing(elliptic));
        }
    });
    let elliptic = elliptic.unwrap();
    let tip = elliptic.joint("bone_2").unwrap();
    assert!(refused(crowd(&elliptic).fabrik(&Fabrik::default(), tip)).contains("elliptic"));
    let soft = Fabrik { reach: Reach::SOFT, ..Fabrik::default() };
    assert!(refused(crowd(&coned).fabrik(&soft, tip)).contains("softens"));
}
