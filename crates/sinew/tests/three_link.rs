//! The three-link solver on poses: fingers, hind legs, and what the last link is asked for.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::{self, Rig, direction};
use sinew::solve::three_link::{Last, Options, Plane, Yields, spatial};
use sinew::solve::two_bone::Reach;
use sinew::{
    Goal, JointSpec, Pole, Pose, Rotation, Skeleton, SkeletonBuilder, Solver, Status, ThreeLink, Transform, Workspace,
};

fn leg(rig: &Rig) -> ThreeLink {
    ThreeLink::new(&rig.skeleton, rig.root, rig.mid, rig.low.unwrap(), rig.tip).unwrap()
}

fn solve(rig: &Rig, solver: &ThreeLink, goals: &[Goal]) -> (Pose, Workspace, Status) {
    let (mut pose, mut work) = (rig.skeleton.neutral_pose(), Workspace::default());
    let outcome = solver.solve(&rig.skeleton, goals, &mut pose, &mut work);
    (pose, work, outcome.status)
}

fn joints(rig: &Rig, pose: &Pose) -> [DVec3; 4] {
    [rig.root, rig.mid, rig.low.unwrap(), rig.tip].map(|joint| pose.position(joint))
}

#[test]
fn poses_agree_with_the_pure_form() {
    for seed in 0..400 {
        let mut rng = Rng::with_seed(seed);
        let rig = rigs::free_three_link(&mut rng);
        let (rest, length) = (rig.skeleton.rest_pose(), rig.length());
        let [root, mid, low, tip] = joints(&rig, &rest);
        let lengths = [root.distance(mid), mid.distance(low), low.distance(tip)];
        let (target, pole) = (root + direction(&mut rng) * length * 1.2 * rng.f64(), direction(&mut rng));
        let u = direction(&mut rng);
        let plane = [Plane::Pole, Plane::Natural { side: 1.0 }, Plane::Natural { side: -1.0 }][rng.usize(0..3)];
        let yields = if rng.bool() { Yields::Position } else { Yields::Direction };
        let reach = [Reach::Clamp, Reach::SOFT][rng.usize(0..2)];
        let solver = ThreeLink { plane, yields, reach, ..leg(&rig) };
        let place = target + u * length;
        let (pointing, last) = if rng.bool() {
            (solver.direction(&rig.skeleton, u), Last::Direction(u))
        } else {
            (solver.toward(&rig.skeleton, place), Last::Toward(place))
        };
        let goal = Goal::position(rig.tip, target).pole(Pole::Direction(pole));
        let (pose, work, _) = solve(&rig, &solver, &[goal, pointing]);
        // Where the direction yields, its goal is missed though the tip arrives.
        let pure = spatial::positions(root, target, lengths, last, pole, Options { plane, yields, reach });
        let [_, x, y, end] = joints(&rig, &pose);
        // A last link in line with the rest has no plane of its own: the present one stays.
        let flat = plane != Plane::Pole && (end - y).normalize().cross((y - root).normalize()).length() < 1e-6;
        for (got, wanted) in [x, y, end].into_iter().zip(pure.elbows[0]).skip(usize::from(flat)) {
            // At a rim inner joints are off by the root of rounding.
            assert!(
                got.distance(wanted) < if got == end { 1e-9 } else { 2e-6 } * length,
                "seed {seed} {plane:?} {yields:?} {reach:?}: {}",
                got.distance(wanted) / length
            );
        }
        if yields == Yields::Position {
            assert_eq!(work.residuals()[0].status, pure.status, "seed {seed}");
        }
    }
}

#[test]
fn the_setting_stands_in_for_a_goal_and_angles_are_kept() {
    for seed in 0..200 {
        let mut rng = Rng::with_seed(seed);
        let rig = rigs::free_three_link(&mut rng);
        let root = rig.skeleton.rest_pose().position(rig.root);
        let goal = Goal::position(rig.tip, root + direction(&mut rng) * rig.length() * 0.6)
            .pole(Pole::Direction(direction(&mut rng)));
        let u = direction(&mut rng);
        let by_setting = ThreeLink { last: Some(Last::Direction(u)), ..leg(&rig) };
        let (a, _, _) = solve(&rig, &by_setting, &[goal]);
        let (b, _, _) = solve(&rig, &leg(&rig), &[goal, leg(&rig).direction(&rig.skeleton, u)]);
        assert_eq!(a, b, "seed {seed}");
        let angle = 2.0 * rng.f64() - 1.0;
        let by_angle = ThreeLink { last: Some(Last::Angle(angle)), yields: Yields::Position, ..leg(&rig) };
        let (pose, _, _) = solve(&rig, &by_angle, &[goal]);
        let [root, mid, low, tip] = joints(&rig, &pose);
        assert!(((low - mid).angle_between(tip - low) - angle.abs()).abs() < 1e-7, "seed {seed}");
        // Positive folds as the middle joint does: both turns are in one sense.
        let (knee, heel) = ((mid - root).cross(tip - mid), (low - mid).cross(tip - low));
        if angle.abs() > 0.1 && knee.length() > 0.01 * rig.length().powi(2) {
            assert!(knee.dot(heel) * angle > 0.0, "seed {seed}: {knee} {heel} {angle}");
        }
    }
}

/// Fingers and hind legs, whose inner joints are hinges with ranges.
#[test]
fn hinged_limbs_reach_what_they_can_and_the_angle_opens_least() {
    for make in [rigs::finger, rigs::hind_leg] {
        for seed in 0..crate::cases(300) {
            let mut rng = Rng::with_seed(seed);
            let rig = make(&mut rng);
            let target = rig.allowed_pose(&mut rng).position(rig.tip);
            let (pose, work, status) = solve(&rig, &leg(&rig), &[Goal::position(rig.tip, target)]);
            assert_eq!(status, Status::Reached, "seed {seed}: {:?}", work.residuals());
            // Of all heel angles that can reach, none is nearer to the one at rest.
            let distance = target.distance(pose.position(rig.root));
            let size = rig.length();
            let mut trial = rig.skeleton.neutral_pose();
            let ranges: Vec<_> = rig.skeleton.coordinates().iter().map(|c| c.range).collect();
            let at = |i: usize, k: u32| ranges[i].min + (ranges[i].max - ranges[i].min) * f64::from(k) / 100.0;
            let mut least = f64::INFINITY;
            for k in 0..=100 {
                let heel = at(1, k);
                let mut span = (f64::INFINITY, 0.0_f64);
                for j in 0..=100 {
                    trial.edit(&rig.skeleton).coordinate(0, at(0, j)).coordinate(1, heel);
                    let d = trial.position(rig.tip).distance(trial.position(rig.root));
                    span = (span.0.min(d), span.1.max(d));
                }
                if distance > span.0 - 1e-9 * size && distance < span.1 + 1e-9 * size {
                    least = least.min(heel.abs());
                }
            }
            let step = (ranges[1].max - ranges[1].min) / 100.0;
            assert!(pose.coordinates()[1].abs() <= least + step, "seed {seed}: {} {least}", pose.coordinates()[1]);
        }
    }
}

#[test]
fn a_hinged_heel_that_cannot_point_there_still_brings_the_tip() {
    let mut blocked = 0;
    for seed in 0..200 {
        let mut rng = Rng::with_seed(seed);
        let rig = rigs::hind_leg(&mut rng);
        let target = rig.allowed_pose(&mut rng).position(rig.tip);
        let solver = leg(&rig);
        let goals = [Goal::position(rig.tip, target), solver.direction(&rig.skeleton, direction(&mut rng))];
        let (pose, work, _) = solve(&rig, &solver, &goals);
        assert!(pose.position(rig.tip).distance(target) < 1e-9 * rig.length(), "seed {seed}: {:?}", work.residuals());
        assert_eq!(work.residuals()[0].status, Status::Reached);
        let last = work.residuals()[1];
        assert!(last.status == Status::Limited || last.status == Status::OutOfReach || last.rotation_error() < 1e-9);
        blocked += usize::from(work.blocking(1).any(|joint| Some(joint) == rig.low));
    }
    assert!(blocked > 100, "{blocked}");
}

#[test]
fn hold_leaves_the_limb_as_it_is() {
    for (seed, make) in (0..60).zip([rigs::free_three_link, rigs::finger, rigs::hind_leg].into_iter().cycle()) {
        let mut rng = Rng::with_seed(seed);
        let rig = make(&mut rng);
        let far = rig.skeleton.rest_pose().position(rig.root) + direction(&mut rng) * rig.length() * 1.5;
        for last in [None, Some(Last::Angle(0.3)), Some(Last::Direction(direction(&mut rng)))] {
            let solver = ThreeLink { reach: Reach::Hold, last, ..leg(&rig) };
            let given = rig.allowed_pose(&mut rng);
            let (mut pose, mut work) = (given.clone(), Workspace::default());
            let outcome = solver.solve(&rig.skeleton, &[Goal::position(rig.tip, far)], &mut pose, &mut work);
            assert_eq!(outcome.status, Status::Held, "seed {seed} {last:?}");
            for joint in rig.skeleton.iter() {
                assert_eq!(pose.local(joint), given.local(joint), "seed {seed} {last:?}");
            }
        }
    }
}

#[test]
fn stretch_weights_and_a_pointing_goal_alone() {
    let mut rng = Rng::with_seed(3);
    let rig = rigs::free_three_link(&mut rng);
    let rest = rig.skeleton.rest_pose();
    let [root, _, low, tip] = joints(&rig, &rest);
    let (length, u) = (rig.length(), direction(&mut rng));
    let far = root + u * length * 1.1;
    let stretch = ThreeLink { reach: Reach::Stretch { limit: 2.0 }, ..leg(&rig) };
    for goals in
        [vec![Goal::position(rig.tip, far)], vec![Goal::position(rig.tip, far), stretch.direction(&rig.skeleton, u)]]
    {
        let (mut pose, mut work) = (rest.clone(), Workspace::default());
        // Warm starts do not grow the bones further.
        for _ in 0..3 {
            let outcome = stretch.solve(&rig.skeleton, &goals, &mut pose, &mut work);
            assert_eq!(outcome.status, Status::Reached);
            assert!(pose.position(rig.tip).distance(far) < 1e-9 * length);
        }
        if goals.len() == 2 {
            let [.., heel, end] = joints(&rig, &pose);
            assert!((heel.distance(end) - low.distance(tip)).abs() < 1e-9 * length);
        }
    }
    let solver = leg(&rig);
    let goals = [Goal::position(rig.tip, far), solver.direction(&rig.skeleton, -u)];
    let (pose, _, status) = solve(&rig, &solver, &goals.map(|goal| goal.weight(0.0)));
    assert_eq!((pose, status), (rig.skeleton.neutral_pose(), Status::Ignored));
    let (pose, _, status) = solve(&rig, &solver, &goals[1..]);
    let [_, _, heel, end] = joints(&rig, &pose);
    assert!(status == Status::Reached && (end - heel).normalize().distance(-u) < 1e-9);
    assert!(heel.distance(low) < 1e-12 * length, "only the last link moves");
}

#[test]
fn scale_that_is_not_uniform_inside_the_limb_still_arrives() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root").rotation(Rotation::about(DVec3::Z, 0.3)));
    let (translation, scale) = (DVec3::new(0.05, 0.5, 0.0), DVec3::new(1.05, 0.97, 1.0));
    builder.add(JointSpec::named("mid").child_of(0).rest(Transform { translation, scale, ..Transform::IDENTITY }));
    builder.add(JointSpec::named("low").child_of(1).translation(DVec3::new(-0.05, 0.4, 0.0)));
    builder.add(JointSpec::named("tip").child_of(2).translation(DVec3::Y * 0.3));
    let skeleton = builder.build().unwrap();
    let tip = skeleton.joint("tip").unwrap();
    let solver = ThreeLink::ending_at(&skeleton, tip).unwrap();
    let mut rng = Rng::with_seed(1);
    for _ in 0..100 {
        let (target, u) = (direction(&mut rng) * 0.7, direction(&mut rng));
        for goals in
            [vec![Goal::position(tip, target)], vec![Goal::position(tip, target), solver.direction(&skeleton, u)]]
        {
            let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
            let outcome = solver.solve(&skeleton, &goals, &mut pose, &mut work);
            assert!(pose.position(tip).distance(target) < 2e-9, "{outcome:?} {goals:?}");
            assert_eq!(work.residuals()[0].status, Status::Reached);
        }
    }
}

#[test]
fn the_bend_is_carried_along() {
    let mut rng = Rng::with_seed(5);
    let rig = rigs::free_three_link(&mut rng);
    let root = rig.skeleton.rest_pose().position(rig.root);
    let (length, u, pole) = (rig.length(), direction(&mut rng), direction(&mut rng));
    let solver = ThreeLink { reach: Reach::SOFT, yields: Yields::Position, ..leg(&rig) };
    let (mut pose, mut work, mut swivel) = (rig.skeleton.rest_pose(), Workspace::default(), None);
    let (mut last, mut fastest): (Option<(DVec3, DVec3)>, f64) = (None, 0.0);
    // The last link's start passes the pole line by a hair.
    let third = pose.position(rig.low.unwrap()).distance(pose.position(rig.tip));
    for i in -200..200 {
        let start = root
            + pole * 0.7 * (length - third)
            + pole.any_orthonormal_vector() * length * 1e-3 * f64::from(i)
            + u * 1e-7;
        let goal = Goal::position(rig.tip, start + u * third).pole(Pole::Direction(pole)).swivel(swivel);
        let _ = solver.solve(&rig.skeleton, &[goal, solver.direction(&rig.skeleton, u)], &mut pose, &mut work);
        swivel = work.residuals()[0].swivel;
        let mid = pose.position(rig.mid);
        if let Some((before, from)) = last {
            fastest = fastest.max(mid.distance(before) / start.distance(from));
        }
        last = Some((mid, start));
    }
    assert!(fastest <= 3.2, "{fastest}");
}

/// What is held stays bit for bit, also where joints share a coordinate and stand outside their ranges.
#[test]
fn a_held_finger_does_not_move() {
    let (mut work, mut held, mut off) = (Workspace::default(), 0, 0);
    for seed in 0..300 {
        let mut rng = Rng::with_seed(seed);
        let rig = rigs::odd::following_finger(&mut rng);
        let low = rig.low.unwrap();
        let finger = ThreeLink::new(&rig.skeleton, rig.root, rig.mid, low, rig.tip).unwrap();
        let finger = ThreeLink { reach: Reach::Hold, ..finger };
        let mut pose = rig.skeleton.rest_pose();
        let mut edit = pose.edit(&rig.skeleton);
        for coordinate in 0..rig.skeleton.coordinates().len() {
            edit.coordinate(coordinate, 3.0 * rng.f64() - 1.5);
        }
        drop(edit);
        let before = pose.clone();
        let goal = Goal::position(rig.tip, DVec3::splat(1e3));
        let outcome = finger.solve(&rig.skeleton, &[goal], &mut pose, &mut work);
        if outcome.status == Status::Held {
            held += 1;
            off += u32::from(pose != before);
        }
    }
    assert!(held > 100 && off == 0, "{off} of {held} moved");
}

/// Out past full stretch and back: where the last link's angle gives way, it opens as softly as a middle joint does.
#[test]
fn soft_reach_bounds_the_speed_of_all_joints() {
    for seed in 0..60 {
        let mut rng = Rng::with_seed(seed);
        let lengths = [(); 3].map(|()| 0.3 + rng.f64());
        let whole: f64 = lengths.iter().sum();
        let skeleton = Skeleton::from_lengths(&lengths).unwrap();
        let [root, mid, low, tip] = skeleton.joints(["joint_0", "joint_1", "joint_2", "joint_3"]).unwrap();
        let mut solver = ThreeLink::new(&skeleton, root, mid, low, tip).unwrap();
        (solver.reach, solver.last) = (Reach::SOFT, Some(Last::Angle(0.1 + 0.8 * rng.f64())));
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let line = direction(&mut rng);
        let mut before: Option<[DVec3; 3]> = None;
        for frame in -3000..=3000_i32 {
            let step = 1e-4 * whole;
            let target = line * (1.1 * whole - step * f64::from(frame.abs()));
            let goal = Goal::position(tip, target).pole(Pole::Direction(DVec3::X));
            let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
            let now = [mid, low, tip].map(|joint| pose.position(joint));
            if let Some(before) = before {
                let fastest =
                    now.iter().zip(before).map(|(now, before)| now.distance(before) / step).fold(0.0, f64::max);
                assert!(fastest < 5.0, "seed {seed}, {lengths:?}, frame {frame}: {fastest}");
            }
            before = Some(now);
        }
    }
}
