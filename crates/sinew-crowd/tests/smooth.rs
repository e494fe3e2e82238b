//! Chains inside limits move with their targets: nearby targets have nearby answers, in reach and out of it.

use sinew::glam::{DVec3, Vec3};
use sinew::math::arc::axis_angle;
use sinew::solve::fabrik::Fabrik;
use sinew::{Kind, Pose, Skeleton, Status};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Poses};

use crate::chains::{Limits, allowed, chain};
use crate::vector;

const COUNT: usize = 128;
const FRAMES: usize = 40;
/// How far a target moves in a frame at most, as a share of the chain's length.
const SPEED: f64 = 0.005;

/// A pose in which every joint is bent a little.
fn bent(skeleton: &Skeleton) -> Pose {
    let mut pose = skeleton.rest_pose();
    let mut edit = pose.edit(skeleton);
    for joint in skeleton.iter().skip(1) {
        let axis = if let Kind::Hinge { axis, .. } = skeleton.kind(joint) { axis } else { DVec3::Z };
        edit.rotation(joint, axis_angle(axis, 0.3));
    }
    drop(edit);
    pose
}

/// Turns of the fastest joint of each chain and frame, in units of the angle that the target's way has in the distance of the chain's
/// length, in order; and the statuses of the last frame.
fn turns(bones: usize, limits: Limits, is_far: bool, is_carried: bool) -> (Vec<f64>, Vec<Status>) {
    let random = &mut fastrand::Rng::with_seed(17);
    let (skeleton, base, tip) = chain(bones, limits, random);
    let crowd = Crowd::new(&skeleton).unwrap().fabrik(&Fabrik::from_base(base), tip).unwrap();
    let start = bent(&skeleton);
    let root = start.position(base);
    let length: f64 = skeleton.iter().skip(2).map(|joint| skeleton.rest(joint).translation.length()).sum();
    let paths: Vec<(DVec3, DVec3)> = (0..COUNT)
        .map(|_| {
            let line = allowed(&skeleton, random).position(tip) - root;
            let line = if is_far { line.normalize() * 1.3 * length } else { line };
            (root + line, vector(random).normalize() * length)
        })
        .collect();
    let (mut poses, mut goals) = (Poses::new(&crowd, COUNT), Goals::new(&crowd, COUNT));
    (0..COUNT).for_each(|one| poses.set_pose(&skeleton, one, &start));
    let (fresh, mut before, mut turns) = (poses.clone(), poses.clone(), Vec::new());
    for frame in 0..FRAMES {
        if !is_carried {
            poses = fresh.clone();
        }
        for (one, (middle, way)) in paths.iter().enumerate() {
            let target = *middle + *way * (0.1 * (10.0 * SPEED * frame as f64).sin());
            goals.set(one, 0, Some(CrowdTarget::new(target.as_vec3())));
        }
        crowd.solve(&mut poses, &mut goals);
        for one in (0..COUNT).filter(|_| frame > 1) {
            let turn = |joint| before.rotation(one, joint).angle_between(poses.rotation(one, joint));
            turns.push(f64::from(skeleton.iter().map(turn).fold(0.0, f32::max)) / SPEED);
        }
        before = poses.clone();
    }
    turns.sort_by(f64::total_cmp);
    (turns, (0..COUNT).map(|one| goals.result(one, 0).0).collect())
}

#[test]
fn chains_inside_limits_move_with_their_targets() {
    let mut jumps = Vec::new();
    for (limits, bones) in
        [Limits::Cones, Limits::Hinges].into_iter().flat_map(|limits| [2, 5, 10].map(|n| (limits, n)))
    {
        for (is_far, is_carried) in [(false, false), (false, true), (true, false), (true, true)] {
            let (turns, statuses) = turns(bones, limits, is_far, is_carried);
            let [median, most] = [50, 99].map(|percent| turns[turns.len() * percent / 100]);
            if median > 4.0 || most > 60.0 {
                jumps.push((limits, bones, is_far, is_carried, median, most));
            }
            assert!(!is_far || statuses.iter().all(|&status| status == Status::OutOfReach), "{statuses:?}");
        }
    }
    assert!(jumps.is_empty(), "{jumps:?}");
}

#[test]
fn chains_that_limits_stop_say_so_and_stay() {
    let random = &mut fastrand::Rng::with_seed(9);
    let (skeleton, base, tip) = chain(3, Limits::Cones, random);
    let crowd = Crowd::new(&skeleton).unwrap().fabrik(&Fabrik::from_base(base), tip).unwrap();
    let (mut poses, mut goals) = (Poses::new(&crowd, COUNT), Goals::new(&crowd, COUNT));
    let rest = skeleton.rest_pose();
    let (root, line) = (rest.position(base), rest.position(tip) - rest.position(base));
    let aside = line.any_orthogonal_vector().normalize() * line.length();
    for one in 0..COUNT {
        // Farther aside than limits let the tip go.
        let target = root + (aside * 0.9 - line * 0.3) + vector(random) * 0.02;
        goals.set(one, 0, Some(CrowdTarget::new(target.as_vec3())));
    }
    crowd.solve(&mut poses, &mut goals);
    let before = poses.clone();
    crowd.solve(&mut poses, &mut goals);
    for one in 0..COUNT {
        assert_eq!(goals.result(one, 0).0, Status::Limited, "{one}");
        for joint in skeleton.iter() {
            let turn = before.rotation(one, joint).angle_between(poses.rotation(one, joint));
            assert!(turn < 2e-3, "{one} {joint:?} {turn}");
        }
    }
}

#[test]
fn straight_chains_inside_limits_fold() {
    for limits in [Limits::Cones, Limits::Hinges] {
        let random = &mut fastrand::Rng::with_seed(4);
        let (skeleton, base, tip) = chain(6, limits, random);
        let crowd = Crowd::new(&skeleton).unwrap().fabrik(&Fabrik::from_base(base), tip).unwrap();
        let (mut poses, mut goals) = (Poses::new(&crowd, 1), Goals::new(&crowd, 1));
        let rest = skeleton.rest_pose();
        let target: Vec3 = rest.position(base).lerp(rest.position(tip), 0.8).as_vec3();
        goals.set(0, 0, Some(CrowdTarget::new(target)));
        crowd.solve(&mut poses, &mut goals);
        assert_eq!(goals.result(0, 0).0, Status::Reached, "{limits:?}");
    }
}
