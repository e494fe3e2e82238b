//! Rates, tracking, stillness: chains of limited hinges and balls.

use sinew::Start;
use sinew::Status;
use sinew::glam::DAffine3;
use sinew::solve::ccd::{Balls, Order};

use super::*;

/// Share of random goals, made by allowed poses, that are reached from the middle of the limits.
fn rate(ccd: &Ccd, (skeleton, tip): &(Skeleton, Joint), goal: impl Fn(&Pose, Joint) -> Goal, seed: u64) -> f64 {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut work = Workspace::default();
    let reached = (0..500).filter(|_| {
        let goal = goal(&allowed(skeleton, &mut rng), *tip);
        let mut pose = skeleton.rest_pose();
        let outcome = ccd.solve(skeleton, &[goal], &mut pose, &mut work);
        assert!(inside(skeleton, &pose), "outside a limit");
        outcome.status == Status::Reached
    });
    reached.count() as f64 / 500.0
}

#[test]
fn limited_chains_reach_what_can_be_reached() {
    for order in [Order::RootToTip, Order::TipToRoot] {
        let ccd = Ccd { position_tolerance: 1e-4, rotation_tolerance: 1e-4, order, ..Ccd::default() };
        for n in [5, 10, 20] {
            let (hinged, coned) = (rate(&ccd, &hinges(n), place, 1), rate(&ccd, &cones(n), place, 2));
            println!("{order:?} {n}: hinges {hinged}, cones {coned}");
            assert!(hinged >= 0.998 && coned >= 0.998, "{order:?} {n}: {hinged} {coned}");
        }
    }
}

#[test]
fn frames_are_reached_too() {
    let ccd = Ccd::default();
    let free = rate(&ccd, &chain(&[Kind::BALL; 4]), frame, 3);
    let arm =
        [DVec3::Z, DVec3::Y, DVec3::Y, DVec3::X, DVec3::Y, DVec3::X].map(|axis| Kind::hinge(axis).within(-PI, PI));
    let arm = rate(&ccd, &chain(&arm), frame, 4);
    let hinged = rate(&ccd, &hinges(10), frame, 5);
    println!("frames: balls {free}, six hinges {arm}, ten limited hinges {hinged}");
    assert!(free >= 0.995 && arm >= 0.89 && hinged >= 0.985, "{free} {arm} {hinged}");
}

/// One sweep a frame after a target that moves along a loop; the largest and the last miss after one lap.
fn tracked(skeleton: &Skeleton, tip: Joint, balls: bool) -> (f64, f64) {
    let center = if balls { DVec3::new(0.5, 0.2, 0.0) } else { DVec3::new(0.75, 0.0, 0.0) };
    let at = |frame: u32| {
        let angle = core::f64::consts::TAU * f64::from(frame) / 600.0;
        center + DVec3::new(0.0, libm::cos(angle), libm::sin(angle)) * 0.2
    };
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let _ = Ccd::default().solve(skeleton, &[Goal::position(tip, at(0))], &mut pose, &mut work);
    let warm = Ccd { iterations: 1, ..Ccd::default() };
    let misses = (1..=1200)
        .map(|frame| warm.solve(skeleton, &[Goal::position(tip, at(frame))], &mut pose, &mut work).position_error);
    misses.fold((0.0, 0.0), |(most, _), miss| (f64::max(most, miss), miss))
}

#[test]
fn one_warm_sweep_a_frame_tracks() {
    // The target moves by 2.1e-3 of the chain's length a frame. Sweeps are slower where all balls bend alike.
    let ((hinged, h), (free, b)) = (hinges(10), chain(&[Kind::BALL; 10]));
    let (limited, free) = (tracked(&hinged, h, false), tracked(&free, b, true));
    println!("tracking: hinges {limited:?}, balls {free:?}");
    assert!(limited.0 < 4e-5 && free.0 < 1e-3, "{limited:?} {free:?}");
}

#[test]
fn from_rest_the_answer_is_the_same_whatever_came_before() {
    let ccd = Ccd { start: Start::Rest, ..Ccd::default() };
    for (skeleton, tip) in [hinges(8), cones(6)] {
        let mut rng = fastrand::Rng::with_seed(7);
        let goal = place(&allowed(&skeleton, &mut rng), tip);
        let answers: Vec<Pose> = (0..5)
            .map(|_| {
                let mut pose = allowed(&skeleton, &mut rng);
                let _ = solve(&ccd, &skeleton, &[goal], &mut pose);
                pose
            })
            .collect();
        let joints = |pose: &Pose| skeleton.iter().map(|joint| pose.local(joint).rotation).collect::<Vec<_>>();
        assert!(answers.iter().all(|pose| joints(pose) == joints(&answers[0])));
    }
}

#[test]
fn an_unreachable_goal_is_left_as_it_was_for_ten_thousand_frames() {
    for (skeleton, tip) in [hinges(6), cones(5), chain(&[Kind::BALL; 4])] {
        for to in [DVec3::new(-0.4, 0.3, 0.2), DVec3::new(0.9, 0.9, 0.9), DVec3::new(0.1, 0.0, 0.05)] {
            let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
            let goal = [Goal::position(tip, to)];
            let _ = Ccd::default().solve(&skeleton, &goal, &mut pose, &mut work);
            let first = pose.clone();
            for _ in 0..crate::cases(10_000) {
                let _ = Ccd { restarts: 2, ..Ccd::default() }.solve(&skeleton, &goal, &mut pose, &mut work);
            }
            let moved = skeleton.iter().map(|j| first.position(j).distance(pose.position(j))).fold(0.0, f64::max);
            assert!(moved < 1e-9, "{moved} {to}");
        }
    }
}

/// Frames that cannot all be met, on a long chain inside cones: restarts would sweep thousands of times.
#[test]
fn large_problems_end_in_bounded_work() {
    let cone = || SwingTwist::new(DVec3::X, 0.3, Range::new(-0.3, 0.3)).expect("a cone");
    let kinds: Vec<Kind> = (0..60).map(|_| Kind::Ball(BallLimit::SwingTwist(cone()))).collect();
    let (skeleton, _) = chain(&kinds);
    let joints: Vec<Joint> = skeleton.iter().collect();
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut most, mut work) = (0, Workspace::default());
    for _ in 0..5 {
        let goals: Vec<Goal> = [15, 30, 45, 60]
            .map(|at| {
                let turn = Rotation::about(vector(&mut rng), 3.0 * rng.f64());
                Goal::frame(joints[at], vector(&mut rng), turn)
            })
            .into();
        let outcome = Ccd::default().solve(&skeleton, &goals, &mut skeleton.rest_pose(), &mut work);
        most = most.max(outcome.iterations);
    }
    assert!(most > 5 && most < 30, "{most}");
}

/// Below uneven scale a chain's length, of which the tolerance is a share, is another in every pose.
#[test]
fn below_uneven_scale_what_is_reached_stays() {
    let base = DAffine3::from_scale(DVec3::new(1.7, 1.0, 0.6));
    let spec = |i: usize| JointSpec { base, ..JointSpec::named(format!("{i}")) }.kind(Kind::BALL);
    let bone = DVec3::new(0.1, 0.5, 0.2);
    let skeleton = built((0..4).map(|i| if i > 0 { spec(i).child_of(i - 1).translation(bone) } else { spec(i) }));
    let tip = skeleton.find("3").expect("named above");
    let mut rng = fastrand::Rng::with_seed(5);
    for case in 0..400 {
        let place = allowed(&skeleton, &mut rng).position(tip);
        let mut pose = allowed(&skeleton, &mut rng);
        let ccd = Ccd { balls: Balls::PerAxis, ahead: false, ..Ccd::default() };
        if solve(&ccd, &skeleton, &[Goal::position(tip, place)], &mut pose).status == Status::Reached {
            let first = pose.clone();
            let _ = solve(&ccd, &skeleton, &[Goal::position(tip, place)], &mut pose);
            assert_eq!(pose, first, "case {case}");
        }
    }
}
