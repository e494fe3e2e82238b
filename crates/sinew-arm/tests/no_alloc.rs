//! After the first solve nothing is allocated.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use sinew::glam::DVec3;
use sinew::{Goal, JointSpec, Kind, Pose, Rotation, Skeleton, SkeletonBuilder, Solver, Workspace};
use sinew_arm::{Arm, PoseTarget, Serial};

/// What a solve allocates once another one has made room.
fn allocations(skeleton: &Skeleton, solver: &dyn Solver, goals: &[Goal]) -> u64 {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let mut solve = |pose: &mut Pose| {
        let _ = solver.solve(skeleton, goals, pose, &mut work);
    };
    solve(&mut pose);
    pose.reset(skeleton);
    allocation_counter::measure(|| solve(&mut pose)).count_total
}

#[test]
fn serial_arms_allocate_nothing_alone_or_together() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("waist").kind(Kind::hinge(DVec3::Y).within(-1.0, 1.0)));
    for side in [-0.2, 0.2] {
        let mut above = 0;
        for (i, axis) in [DVec3::Z, DVec3::X, DVec3::Y, DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
            let joint = JointSpec::named(format!("{side} {i}")).child_of(above).translation(DVec3::new(side, 0.2, 0.0));
            above = builder.add(joint.kind(Kind::hinge(axis).within(-2.0, 2.0)));
        }
    }
    let skeleton = builder.build().unwrap();
    let [waist, left, right] = skeleton.joints(["waist", "-0.2 5", "0.2 5"]).unwrap();
    let solver = Serial { restarts: 3, ..Serial::default() };
    for place in [DVec3::new(0.3, 0.6, 0.4), DVec3::Y * 9.0] {
        let goals =
            [Goal::frame(left, place, Rotation::about(DVec3::X, 0.5)), Goal::position(right, place * 0.5).weight(0.5)];
        assert_eq!(allocations(&skeleton, &solver, &goals), 0);
        assert_eq!(allocations(&skeleton, &solver, &goals[..1]), 0);
        let arm = Arm::new(&skeleton, waist, left).unwrap();
        let mut answer = [0.0; 6];
        let report = allocation_counter::measure(|| {
            let _ = arm.solve(&PoseTarget::position(place), &[0.1; 6], &solver, &mut answer);
            let _ = arm.nearest(&PoseTarget::position(place), &[0.1; 6], &[0.2; 6], &solver, &mut answer);
        });
        assert_eq!(report.count_total, 0);
    }
}
