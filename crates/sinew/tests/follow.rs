//! The frame loop: nothing wanders, nothing is faster than allowed, goals come and go, and the animation is kept.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::f64::consts::TAU;

use crate::body::body;
use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::math::{arc, ops};
use sinew::solve::follow::{Follow, FollowState, Pace};
use sinew::{
    Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, JointSpec, Kind, MassSpring, Pose, Rotation, Skeleton,
    SkeletonBuilder, Solver, Start, Status, TwoBone, Workspace,
};

const FRAME: f64 = 1.0 / 60.0;

/// A body whose balls have limits.
fn limited_body() -> Skeleton {
    let free = body(|_| 1.0);
    let mut builder = SkeletonBuilder::new();
    for joint in free.iter() {
        let mut spec = JointSpec::named(free.name(joint).unwrap()).rest(*free.rest(joint));
        if let Some(parent) = free.parent(joint) {
            let limit = BallLimit::SwingTwist(SwingTwist::new(DVec3::X, 1.0, Range::new(-0.6, 0.6)).unwrap());
            spec = spec.child_of(free.name(parent).unwrap()).kind(Kind::Ball(limit));
        }
        builder.add(spec);
    }
    builder.build().unwrap()
}

/// Ten hinges that turn about x and z by turns.
fn hinges() -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for i in 0..=10 {
        let axis = if i % 2 == 0 { DVec3::X } else { DVec3::Z };
        let spec = JointSpec::named(format!("joint_{i}")).kind(Kind::hinge(axis).within(-1.0, 1.0));
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1).translation(DVec3::Y * 0.1) });
    }
    builder.build().unwrap()
}

/// The goals at a time (seconds): the last joint of the first, or a hand of a body, goes round once a second.
fn round(skeleton: &Skeleton, time: f64) -> Vec<Goal> {
    let (sine, cosine) = ops::sin_cos(TAU * time);
    let (tip, place) = skeleton.joint("hand_l").map_or_else(
        |_| (skeleton.joint("joint_10").unwrap(), DVec3::new(0.3 + 0.15 * cosine, 0.6 + 0.1 * sine, 0.2)),
        |hand| (hand, DVec3::new(0.35 + 0.15 * cosine, 1.3 + 0.15 * sine, 0.35)),
    );
    vec![Goal::position(tip, place)]
}

/// A swaying animation.
fn swaying(skeleton: &Skeleton, time: f64) -> Pose {
    let mut pose = skeleton.rest_pose();
    let mut edit = pose.edit(skeleton);
    for (number, joint) in skeleton.iter().enumerate().filter(|&(number, _)| number > 0) {
        let angle = 0.1 * ops::sin_cos(TAU * time + number as f64).0;
        if let Some(drive) = skeleton.drive(joint) {
            edit.coordinate(drive.coordinate, angle);
        } else {
            edit.rotation(joint, skeleton.rest(joint).rotation * Rotation::about(DVec3::X, angle).quaternion());
        }
    }
    drop(edit);
    pose
}

/// The largest angle (degrees) between local rotations of two poses.
fn apart(a: &Pose, b: &Pose) -> f64 {
    a.difference(b).angle.to_degrees()
}

/// Runs so many laps of sixty frames; the poses of frame 0 of the laps asked for.
fn laps(solver: &dyn Solver, skeleton: &Skeleton, wanted: [usize; 2], followed: bool) -> [Pose; 2] {
    let follow = Follow::new(Borrowed(solver));
    let (mut state, mut work) = (FollowState::default(), Workspace::default());
    let mut pose = skeleton.rest_pose();
    let mut kept = wanted.map(|_| Pose::default());
    for lap in 0..=wanted[1] {
        for frame in 0..60 {
            let goals = round(skeleton, f64::from(frame) / 60.0);
            if followed {
                pose = skeleton.rest_pose();
                let outcome = follow.step(skeleton, &goals, &mut pose, &mut state, &mut work, FRAME);
                assert!(
                    lap == 0 || outcome.status == Status::Reached,
                    "{solver:?}: lap {lap}, frame {frame}: {outcome:?}"
                );
            } else {
                let _ = solver.solve(skeleton, &goals, &mut pose, &mut work);
            }
            if let Some(place) = wanted.iter().position(|&one| one == lap).filter(|_| frame == 0) {
                kept[place].clone_from(&pose);
            }
        }
    }
    kept
}

/// A solver lent to a test.
#[derive(Debug)]
struct Borrowed<'a>(&'a dyn Solver);

impl Solver for Borrowed<'_> {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> sinew::Outcome {
        self.0.solve(skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        self.0.serves(skeleton, goal)
    }
}

/// What goals leave free does not wander, however many laps.
#[test]
fn nothing_wanders() {
    let solvers: [&dyn Solver; 5] = [
        &Auto::default(),
        &Jacobian::default(),
        &Fabrik::default(),
        &Ccd { restarts: 0, ..Ccd::default() },
        &MassSpring::default(),
    ];
    let mut unfed = 0.0_f64;
    for skeleton in [body(|_| 1.0), limited_body(), hinges()] {
        for solver in solvers {
            let [early, late] = laps(solver, &skeleton, [10, 40], true);
            assert!(apart(&early, &late) < 1e-3, "{solver:?}: {} degrees", apart(&early, &late));
        }
        let [early, late] = laps(&Jacobian::default(), &skeleton, [10, 40], false);
        unfed = unfed.max(apart(&early, &late));
    }
    assert!(unfed > 10.0, "the laps lead nowhere without: {unfed} degrees");
}

/// Half the frames or twice as many: the same way.
#[test]
fn frame_rates_agree() {
    let skeleton = limited_body();
    let run = |rate: usize| {
        let follow = Follow { turns: Pace { speed: 4.0, acceleration: 40.0 }, ..Follow::new(Jacobian::default()) };
        let (mut state, mut work) = (FollowState::default(), Workspace::default());
        let mut poses = Vec::new();
        for frame in 0..=rate * 2 {
            let time = frame as f64 / rate as f64;
            let goals = if time < 1.0 { round(&skeleton, time) } else { vec![] };
            let mut pose = swaying(&skeleton, time);
            let _ = follow.step(&skeleton, &goals, &mut pose, &mut state, &mut work, 1.0 / rate as f64);
            if frame % (rate / 10) == 0 {
                poses.push(pose);
            }
        }
        poses
    };
    let [slow, usual, fast] = [30, 60, 240].map(run);
    for (frame, ((slow, usual), fast)) in slow.iter().zip(&usual).zip(&fast).enumerate() {
        assert!(apart(usual, fast) < 2.0, "at {frame}: {} degrees", apart(usual, fast));
        assert!(apart(slow, fast) < 5.0, "at {frame}: {} degrees", apart(slow, fast));
    }
}

/// Joints keep to their pace where targets jump, and arrive.
#[test]
fn joints_keep_to_their_pace() {
    let sudden = Pace { speed: 2.0, acceleration: f64::INFINITY };
    let paces = [Pace { speed: 3.0, acceleration: 20.0 }, sudden];
    for (skeleton, pace) in [body(|_| 1.0), hinges()].iter().zip(paces).chain([(&hinges(), sudden)]) {
        let follow = Follow { turns: pace, ease: 0.0, settle: f64::INFINITY, ..Follow::new(Jacobian::default()) };
        let (mut state, mut work) = (FollowState::default(), Workspace::default());
        let mut frames: Vec<Pose> = Vec::new();
        for frame in 0..240 {
            // The target jumps twice a second, and at last rests.
            let time = if frame < 120 { f64::from(frame / 30) * 0.37 } else { 0.5 };
            let mut pose = skeleton.rest_pose();
            let outcome = follow.step(skeleton, &round(skeleton, time), &mut pose, &mut state, &mut work, FRAME);
            assert!(frame < 200 || outcome.status == Status::Reached, "frame {frame}: {outcome:?}");
            frames.push(pose);
        }
        let velocity = |a: &Pose, b: &Pose, joint| {
            arc::rotation_vector(arc::normalize(a.local(joint).rotation.conjugate() * b.local(joint).rotation)) / FRAME
        };
        for window in frames.windows(3) {
            for joint in skeleton.iter() {
                let [before, after] =
                    [velocity(&window[0], &window[1], joint), velocity(&window[1], &window[2], joint)];
                assert!(after.length() <= pace.speed * (1.0 + 1e-9), "{} rad/s", after.length());
                let change = (after - before).length() / FRAME;
                assert!(change <= pace.acceleration * 1.001, "{change} rad/s²");
            }
        }
        // With none it would have been faster.
        let free = Follow { turns: Pace::ANY, ..follow };
        let (mut state, mut pose) = (FollowState::default(), skeleton.rest_pose());
        let _ = free.step(skeleton, &round(skeleton, 0.0), &mut pose, &mut state, &mut work, FRAME);
        let mut next = skeleton.rest_pose();
        let _ = free.step(skeleton, &round(skeleton, 0.5), &mut next, &mut state, &mut work, FRAME);
        assert!(next.difference(&pose).angle / FRAME > 2.0 * pace.speed);
    }
}

/// Runs a hand round once a second at so many frames a second: the poses of laps 20 and 30, and by how much joints change
/// velocity in the latter, of each frame the most (rad/s²), in order.
fn paced_laps(skeleton: &Skeleton, turns: Pace, rate: usize) -> ([Vec<Pose>; 2], Vec<f64>) {
    let follow = Follow { turns, ..Follow::new(Auto::default()) };
    let (mut state, mut work) = (FollowState::default(), Workspace::default());
    let mut poses = Vec::new();
    for frame in 0..rate * 30 {
        let mut pose = skeleton.rest_pose();
        let goals = round(skeleton, frame as f64 / rate as f64);
        let _ = follow.step(skeleton, &goals, &mut pose, &mut state, &mut work, 1.0 / rate as f64);
        poses.push(pose);
    }
    let velocity = |a: &Pose, b: &Pose, joint| {
        let turn = arc::normalize(a.local(joint).rotation.conjugate() * b.local(joint).rotation);
        arc::rotation_vector(turn) * rate as f64
    };
    let change = |three: &[Pose], joint| {
        (velocity(&three[1], &three[2], joint) - velocity(&three[0], &three[1], joint)).length() * rate as f64
    };
    let late = poses.split_off(rate * 29);
    let most = |three: &[Pose]| skeleton.iter().map(|joint| change(three, joint)).fold(0.0, f64::max);
    let mut changes: Vec<f64> = late.windows(3).map(most).collect();
    changes.sort_by(f64::total_cmp);
    ([poses[rate * 19..rate * 20].to_vec(), late], changes)
}

/// Where speed and acceleration are bounded joints do not swing about what they follow, all laps are one, and frame rates
/// agree. Bounds that the motion keeps to change nothing.
#[test]
fn bounded_joints_do_not_chatter() {
    let far = |a: &[Pose], b: &[Pose]| a.iter().zip(b).map(|(a, b)| apart(a, b)).fold(0.0, f64::max);
    let sixths = |lap: &[Pose]| lap.iter().step_by(lap.len() / 6).cloned().collect::<Vec<_>>();
    for skeleton in [body(|_| 1.0), limited_body()] {
        // The motion needs 21 rad/s² at most, and half of that in the median.
        for (speed, acceleration) in [(f64::INFINITY, 23.0), (f64::INFINITY, 10.5), (f64::INFINITY, 7.5), (2.0, 17.0)] {
            let mut usual: Option<Vec<Pose>> = None;
            for rate in [30, 60, 144] {
                let ([early, late], changes) = paced_laps(&skeleton, Pace { speed, acceleration }, rate);
                let about = format!("{speed} rad/s, {acceleration} rad/s² at {rate}");
                let drift = far(&early, &late);
                // At a third of what the motion needs they repeat in more than one lap.
                assert!(
                    drift < if acceleration < 10.0 { 0.3 } else { 0.01 },
                    "{about}: laps are {drift} degrees apart"
                );
                let [middle, largest] =
                    [changes.len() / 2, changes.len() - 1].map(|place| changes[place] / acceleration);
                assert!(largest < 1.001, "{about}: {largest} times the bound");
                assert!(speed > 2.0 || middle < 0.62, "{about}: {middle} of the bound in the median");
                if acceleration > 21.5 {
                    let ([_, free], _) = paced_laps(&skeleton, Pace::ANY, rate);
                    assert!(far(&free, &late) < 1e-9, "{about}: {} degrees", far(&free, &late));
                }
                let sixths = sixths(&late);
                if let Some(usual) = &usual {
                    let off = far(usual, &sixths);
                    assert!(off < 4.0, "{about}: {off} degrees from another rate");
                }
                usual = Some(sixths);
            }
        }
    }
}

/// However long a target was out of reach, the way back takes as long.
#[test]
fn nothing_winds_up() {
    let skeleton = body(|_| 1.0);
    let hand = skeleton.joint("hand_l").unwrap();
    let frames_back = |seconds: usize| {
        let pace = Pace { speed: 3.0, acceleration: 30.0 };
        let follow = Follow { turns: pace, ease: 0.0, ..Follow::new(Auto::default()) };
        let (mut state, mut work) = (FollowState::default(), Workspace::default());
        let mut step = |place: DVec3| {
            let mut pose = skeleton.rest_pose();
            follow.step(&skeleton, &[Goal::position(hand, place)], &mut pose, &mut state, &mut work, FRAME).status
        };
        (0..60 * seconds).for_each(|_| assert!(step(DVec3::new(9.0, 4.0, 3.0)) != Status::Reached));
        (0..600).position(|_| step(DVec3::new(0.4, 1.1, 0.3)) == Status::Reached).unwrap()
    };
    let [short, long] = [4, 20].map(frames_back);
    assert!(short.abs_diff(long) <= 1, "{short} and {long} frames");
}

/// A goal that appears and one that vanishes turn no joint at once, and in the end the animation is back, bit for bit.
#[test]
fn goals_come_and_go() {
    for solver in [&Auto::default() as &dyn Solver, &Jacobian::default(), &MassSpring::default(), &Fabrik::default()] {
        let skeleton = body(|_| 1.0);
        let follow = Follow::new(Borrowed(solver));
        let (mut state, mut work) = (FollowState::default(), Workspace::default());
        let mut last: Option<Pose> = None;
        let mut largest = 0.0_f64;
        for frame in 0..600 {
            let time = f64::from(frame) * FRAME;
            let goals = if (60..120).contains(&frame) { round(&skeleton, 0.0) } else { vec![] };
            let animation = swaying(&skeleton, time);
            let mut pose = animation.clone();
            let outcome = follow.step(&skeleton, &goals, &mut pose, &mut state, &mut work, FRAME);
            assert_eq!(work.residuals().len(), goals.len());
            match frame {
                0..60 | 599 => assert!(pose == animation, "{solver:?}: frame {frame}"),
                62 => assert_eq!(outcome.status, Status::Softened),
                119 => assert_eq!(outcome.status, Status::Reached),
                _ => {}
            }
            largest = largest.max(last.as_ref().map_or(0.0, |last| apart(last, &pose)));
            last = Some(pose);
        }
        assert!(largest < 15.0, "{solver:?}: {largest} degrees in a frame");
    }
}

/// Where the animation meets the goals it stays, bit for bit.
#[test]
fn what_is_met_stays() {
    let skeleton = body(|_| 1.0);
    let hand = skeleton.joint("hand_l").unwrap();
    let follow = Follow::new(Auto::default());
    let (mut state, mut work) = (FollowState::default(), Workspace::default());
    for frame in 0..30 {
        let animation = swaying(&skeleton, f64::from(frame) * FRAME);
        let mut pose = animation.clone();
        let goal = Goal::position(hand, animation.position(hand));
        let outcome = follow.step(&skeleton, &[goal], &mut pose, &mut state, &mut work, FRAME);
        assert!(pose == animation && outcome.status == Status::Reached, "frame {frame}");
    }
}

/// A weight counts from the animation, not from the frame before, also of a goal that stays.
#[test]
fn weights_count_from_the_animation() {
    let skeleton = body(|_| 1.0);
    let hand = skeleton.joint("hand_l").unwrap();
    let rest = skeleton.rest_pose();
    let place = rest.position(hand) + DVec3::new(-0.1, 0.1, 0.2);
    for solver in [&Auto::default() as &dyn Solver, &Jacobian::default(), &Ccd::default()] {
        let follow = Follow::new(Borrowed(solver));
        let (mut state, mut work) = (FollowState::default(), Workspace::default());
        let mut pose = rest.clone();
        for _ in 0..120 {
            pose.clone_from(&rest);
            let goal = Goal::position(hand, place).weight(0.5);
            let _ = follow.step(&skeleton, &[goal], &mut pose, &mut state, &mut work, FRAME);
        }
        let middle = (rest.position(hand) + place) * 0.5;
        assert!(pose.position(hand).distance(middle) < 1e-5, "{solver:?}: {}", pose.position(hand).distance(middle));
    }
}

/// Bad settings, goals, times and skeletons.
#[test]
fn hostile_input_is_refused_or_harmless() {
    let (skeleton, other) = (body(|_| 1.0), hinges());
    let hand = skeleton.joint("hand_l").unwrap();
    let (mut state, mut work) = (FollowState::default(), Workspace::default());
    let good = round(&skeleton, 0.0);
    let bad = [
        Follow { settle: f64::NAN, ..Follow::new(Auto::default()) },
        Follow { ease: -1.0, ..Follow::new(Auto::default()) },
        Follow { turns: Pace { speed: f64::NAN, acceleration: 1.0 }, ..Follow::new(Auto::default()) },
        Follow { travels: Pace { speed: 1.0, acceleration: -1.0 }, ..Follow::new(Auto::default()) },
    ];
    for follow in bad {
        let mut pose = skeleton.rest_pose();
        let outcome = follow.step(&skeleton, &good, &mut pose, &mut state, &mut work, FRAME);
        assert!(outcome.status == Status::Invalid && pose == skeleton.rest_pose());
    }
    let follow = Follow { turns: Pace { speed: 3.0, acceleration: 9.0 }, ..Follow::new(Auto::default()) };
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 1e-300, 10.0, FRAME] {
        let mut pose = skeleton.rest_pose();
        let outcome = follow.step(&skeleton, &good, &mut pose, &mut state, &mut work, dt);
        assert!(outcome.status != Status::Invalid && pose.model(hand).is_finite(), "{dt}: {outcome:?}");
        let mut pose = skeleton.rest_pose();
        let nan = [Goal::position(hand, DVec3::NAN)];
        assert_eq!(follow.step(&skeleton, &nan, &mut pose, &mut state, &mut work, dt).status, Status::Invalid);
        assert!(pose == skeleton.rest_pose());
    }
    // Another skeleton, and limbs that start at rest.
    let mut pose = other.rest_pose();
    assert_eq!(
        follow.step(&other, &round(&other, 0.0), &mut pose, &mut state, &mut work, FRAME).status,
        Status::Reached
    );
    let limb = Follow::new(TwoBone::ending_at(&skeleton, hand).unwrap());
    let rest = Follow::new(Jacobian { start: Start::Rest, ..Jacobian::default() });
    for frame in 0..20 {
        let mut pose = skeleton.rest_pose();
        let _ =
            limb.step(&skeleton, &round(&skeleton, f64::from(frame) * FRAME), &mut pose, &mut state, &mut work, FRAME);
        assert!(pose.model(hand).is_finite());
        let _ =
            rest.step(&skeleton, &round(&skeleton, f64::from(frame) * FRAME), &mut pose, &mut state, &mut work, FRAME);
    }
}

/// Joints stay inside their limits, held back or not.
#[test]
fn limits_hold() {
    let skeleton = limited_body();
    let follow = Follow { turns: Pace { speed: 5.0, acceleration: 50.0 }, ..Follow::new(Auto::default()) };
    let (mut state, mut work) = (FollowState::default(), Workspace::default());
    let hand = skeleton.joint("hand_l").unwrap();
    for frame in 0..300 {
        let mut pose = skeleton.rest_pose();
        let place =
            DVec3::new(0.0, 1.0, 0.0) + Rotation::about(DVec3::ONE, f64::from(frame / 20)).quaternion() * DVec3::X;
        let _ = follow.step(&skeleton, &[Goal::position(hand, place)], &mut pose, &mut state, &mut work, FRAME);
        for joint in skeleton.iter() {
            let nearest = skeleton.nearest_allowed(joint, pose.local(joint), 0.0).rotation;
            assert!(nearest.angle_between(pose.local(joint).rotation) < 1e-6, "frame {frame}");
        }
    }
}

/// After the first frame with a goal no step allocates.
#[test]
fn no_step_allocates() {
    let skeleton = limited_body();
    let hands = skeleton.joints(["hand_l", "hand_r"]).unwrap();
    let follow = Follow { turns: Pace { speed: 5.0, acceleration: 50.0 }, ..Follow::new(Jacobian::default()) };
    let (mut state, mut work, mut pose) = (FollowState::default(), Workspace::default(), skeleton.rest_pose());
    let rest = skeleton.rest_pose();
    for frame in 0..200 {
        let turn = f64::from(frame) * 0.1;
        let place = |sign: f64| DVec3::new(0.3 * sign, 1.2 + 0.6 * ops::sin_cos(turn).0, 0.4);
        let goals = [Goal::position(hands[0], place(1.0)), Goal::position(hands[1], place(-1.0))];
        let goals = if frame % 50 < 30 { &goals[..] } else { &goals[..1] };
        pose.clone_from(&rest);
        let counted = allocation_counter::measure(|| {
            let _ = follow.step(&skeleton, goals, &mut pose, &mut state, &mut work, FRAME);
        });
        assert!(frame < 2 || counted.count_total == 0, "frame {frame}: {counted:?}");
    }
}

#[test]
fn a_pole_of_part_of_its_weight_is_eased_from_the_animation() {
    let skeleton = Skeleton::from_lengths(&[0.3; 5]).unwrap();
    let tip = skeleton.joint("joint_5").unwrap();
    let mut animation = skeleton.rest_pose();
    for joint in skeleton.iter().skip(1) {
        animation.edit(&skeleton).rotation(joint, Rotation::about(DVec3::Z, 0.3));
    }
    let (place, line) = (animation.position(tip), animation.position(tip).normalize());
    // A quarter turn about the line from the side to which the animation bends.
    let side = |pose: &Pose| {
        let middle = pose.position(skeleton.joint("joint_2").unwrap());
        (middle - line * middle.dot(line)).normalize()
    };
    let bends = side(&animation);
    let goal = Goal::position(tip, place + line * 0.01).pole(sinew::Pole::Direction(line.cross(bends))).weight(0.5);
    let follow = Follow { settle: f64::INFINITY, ..Follow::new(Fabrik::default()) };
    let (mut state, mut work) = (FollowState::default(), Workspace::default());
    for frame in 0..60 {
        let mut pose = animation.clone();
        let _ = follow.step(&skeleton, &[goal], &mut pose, &mut state, &mut work, FRAME);
        let turned = side(&pose).angle_between(bends);
        assert!((turned - TAU / 8.0).abs() < 1e-3, "frame {frame}: {turned}");
    }
}
