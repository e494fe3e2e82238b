//! What it says of goals that cannot be met, and where it ends.

use sinew::Status;

use super::*;

#[test]
fn places_beyond_reach_end_straight_or_folded() {
    let lengths = [0.5, 0.3, 0.1];
    let skeleton = Skeleton::from_lengths(&lengths).unwrap();
    let tip = skeleton.joint("joint_3").unwrap();
    let mut rng = fastrand::Rng::with_seed(31);
    for _ in 0..100 {
        let way = vector(&mut rng).normalize_or(DVec3::X);
        for (distance, miss, status) in [
            (0.9, 0.0, Status::Reached),
            (0.95, 0.05, Status::OutOfReach),
            (9.0, 8.1, Status::OutOfReach),
            (0.04, 0.06, Status::TooClose),
        ] {
            let mut pose = allowed(&skeleton, &mut rng);
            let goal = Goal::position(tip, way * distance);
            let outcome = solve(&Ccd::default(), &skeleton, &[goal], &mut pose);
            assert_eq!(outcome.status, status, "{distance}: {outcome:?}");
            assert!((outcome.position_error - miss).abs() < 1e-6, "{distance}: {outcome:?}");
        }
    }
}

#[test]
fn a_straight_chain_with_its_target_on_the_line_bends() {
    for order in [sinew::solve::ccd::Order::RootToTip, sinew::solve::ccd::Order::TipToRoot] {
        for n in [2, 3, 10_usize] {
            let skeleton = Skeleton::from_lengths(&vec![1.0 / n as f64; n]).unwrap();
            let tip = skeleton.at(n).unwrap();
            for share in [0.9, 0.5, 0.3, -0.4] {
                let mut pose = skeleton.rest_pose();
                let ccd = Ccd { order, ..Ccd::default() };
                let outcome = solve(&ccd, &skeleton, &[Goal::position(tip, DVec3::Y * share)], &mut pose);
                assert_eq!(outcome.status, Status::Reached, "{order:?} {n} {share}: {outcome:?}");
                // Joints prefer to bend about X: all stay in the plane across it.
                assert!(skeleton.iter().all(|joint| pose.position(joint).x.abs() < 1e-6), "{order:?} {n} {share}");
            }
            // At full reach straight is right.
            let mut pose = skeleton.rest_pose();
            let outcome =
                solve(&Ccd { order, ..Ccd::default() }, &skeleton, &[Goal::position(tip, DVec3::Y)], &mut pose);
            assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 0));
            assert_eq!(pose, skeleton.rest_pose());
        }
    }
}

#[test]
fn limits_in_the_way_are_named() {
    let (skeleton, tip) = hinges(2);
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let outcome =
        Ccd::default().solve(&skeleton, &[Goal::position(tip, DVec3::new(-0.3, 0.0, 0.3))], &mut pose, &mut work);
    assert_eq!(outcome.status, Status::Limited);
    assert!(work.blocking(0).count() > 0);
    assert!(work.blocking(0).all(|joint| pose.value(&skeleton, joint).abs() > FRAC_PI_4 - 1e-12));
}

#[test]
fn few_iterations_say_so() {
    let (skeleton, tip) = chain(&[Kind::BALL; 10]);
    let goal = place(&allowed(&skeleton, &mut fastrand::Rng::with_seed(32)), tip);
    for iterations in [0, 1] {
        let mut pose = skeleton.rest_pose();
        let outcome = solve(&Ccd { iterations, damping: 1.0, ..Ccd::default() }, &skeleton, &[goal], &mut pose);
        assert_eq!((outcome.status, outcome.iterations), (Status::OutOfIterations, iterations));
        assert_eq!(pose == skeleton.rest_pose(), iterations == 0);
    }
    // A limit that stands in the way comes first.
    let (skeleton, tip) = hinges(10);
    let goal = place(&allowed(&skeleton, &mut fastrand::Rng::with_seed(32)), tip);
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let outcome = Ccd { iterations: 1, ..Ccd::default() }.solve(&skeleton, &[goal], &mut pose, &mut work);
    assert_eq!((outcome.status, outcome.iterations), (Status::Limited, 1));
    assert!(work.blocking(0).count() > 0);
}

#[test]
fn a_foreign_base_or_a_negative_setting_is_refused() {
    let (skeleton, tip) = hinges(3);
    let goal = Goal::position(tip, DVec3::Y);
    let other = Skeleton::from_lengths(&[1.0]).unwrap().at(0);
    for ccd in [
        Ccd { base: other, ..Ccd::default() },
        Ccd { position_tolerance: -1.0, rotation_tolerance: -1.0, ..Ccd::default() },
        Ccd { damping: f64::NAN, ..Ccd::default() },
    ] {
        let mut pose = skeleton.rest_pose();
        assert_eq!(solve(&ccd, &skeleton, &[goal], &mut pose).status, Status::Invalid);
        assert_eq!(pose, skeleton.rest_pose());
    }
}
