//! Law 9: once a workspace has seen a skeleton and so many goals, solving allocates nothing.

use sinew::glam::DVec3;
use sinew::solve::two_bone::{End, Reach, Twist};
use sinew::{Goal, Pose, Sequence, Skeleton, Solver, TwoBone, Workspace};

/// Allocations of a third solve, after two that may grow buffers.
fn allocations(skeleton: &Skeleton, solver: &dyn Solver, goals: &[Goal]) -> u64 {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let solve = |pose: &mut Pose, work: &mut Workspace| {
        pose.reset(skeleton);
        let _ = solver.solve(skeleton, goals, pose, work);
    };
    solve(&mut pose, &mut work);
    solve(&mut pose, &mut work);
    allocation_counter::measure(|| solve(&mut pose, &mut work)).count_total
}

#[test]
fn the_counter_counts() {
    assert!(allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1)))).count_total > 0);
}

#[test]
fn two_bone_and_sequences_allocate_nothing() {
    let skeleton = Skeleton::from_lengths(&[0.3, 0.1, 0.25, 0.1, 0.2]).unwrap();
    let [root, mid, tip, last] = skeleton.joints(["joint_0", "joint_2", "joint_4", "joint_5"]).unwrap();
    let limb = TwoBone::new(&skeleton, root, mid, tip).unwrap();
    let near = DVec3::new(0.2, 0.3, 0.1);
    let goals = [
        Goal::position(tip, near).pole(DVec3::Z),
        Goal::position(tip, near * 9.0).weight(0.5),
        Goal::rotation(tip, sinew::Rotation::about(DVec3::X, 1.0)),
        Goal::position(last, near),
    ];
    let variants = [
        limb,
        TwoBone { reach: Reach::Stretch { limit: 2.0 }, twist: Twist::Shared, ..limb },
        TwoBone { reach: Reach::Hold, end: End::Model, ..limb },
    ];
    for solver in variants {
        assert_eq!(allocations(&skeleton, &solver, &goals), 0, "{solver:?}");
    }
    let inner = Sequence::new().then(limb);
    let sequence = Sequence::new().then(inner).then(TwoBone::ending_at(&skeleton, last).unwrap());
    assert_eq!(allocations(&skeleton, &sequence, &goals), 0);
    // Refusals, too.
    let bad = [Goal::position(tip, DVec3::NAN)];
    assert_eq!(allocations(&skeleton, &limb, &bad), 0);
}
