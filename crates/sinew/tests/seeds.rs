//! Solvers go on from each other's poses: all work on the same one.

use sinew::glam::DVec3;
use sinew::{Ccd, Goal, Jacobian, Rotation, Skeleton, Solver, Status, Workspace};

#[test]
fn ccds_pose_seeds_the_jacobian_and_back() {
    let skeleton = Skeleton::from_lengths(&[0.1; 10]).unwrap();
    let tip = skeleton.joint("joint_10").unwrap();
    let (rough, short) = (
        Ccd { position_tolerance: 1e-2, rotation_tolerance: 1e-2, ..Ccd::default() },
        Jacobian { iterations: 2, ..Jacobian::default() },
    );
    // Bent to more than a half circle, from where the Jacobian goes all the way by steps.
    let mut curled = skeleton.rest_pose();
    for joint in skeleton.iter().skip(1) {
        curled.edit(&skeleton).rotation(joint, Rotation::about(DVec3::X, 0.45));
    }
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut seeded, mut plain) = (0, 0);
    for _ in 0..50 {
        let mut random = || rng.f64() * 2.0 - 1.0;
        let goal = [Goal::position(tip, DVec3::new(random(), random(), random()) * 0.4 + DVec3::Y * 0.1)];
        let (mut pose, mut fresh, mut work) = (curled.clone(), curled.clone(), Workspace::default());
        let _ = rough.solve(&skeleton, &goal, &mut pose, &mut work);
        let to_the_end = Jacobian { position_tolerance: 1e-10, ..Jacobian::default() };
        let fine = to_the_end.solve(&skeleton, &goal, &mut pose, &mut work);
        assert!(fine.status == Status::Reached && fine.position_error < 1e-9, "{fine:?}");
        seeded += fine.iterations;
        plain += to_the_end.solve(&skeleton, &goal, &mut fresh, &mut work).iterations;
        // Where the Jacobian has been, CCD has nothing left to do; where it has only begun, CCD ends it.
        let before = pose.clone();
        let again = Ccd::default().solve(&skeleton, &goal, &mut pose, &mut work);
        assert!(again.status == Status::Reached && pose == before, "{again:?}");
        let mut begun = curled.clone();
        let _ = short.solve(&skeleton, &goal, &mut begun, &mut work);
        let ended = Ccd::default().solve(&skeleton, &goal, &mut begun, &mut work);
        assert!(ended.status == Status::Reached && ended.position_error < 1e-5, "{ended:?}");
    }
    println!("steps of the Jacobian after CCD {seeded}, from the pose given {plain}");
    assert!(2 * seeded < plain, "{seeded} {plain}");
}
