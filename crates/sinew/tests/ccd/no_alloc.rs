//! No allocation after the first solves.

use sinew::Mask;
use sinew::Start;
use sinew::glam::BVec3;
use sinew::solve::ccd::Balls;

use super::*;

/// Allocations of a third solve, after two that may grow buffers.
fn allocations(skeleton: &Skeleton, ccd: &Ccd, goals: &[Goal]) -> u64 {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let solve = |pose: &mut Pose, work: &mut Workspace| {
        pose.reset(skeleton);
        let _ = ccd.solve(skeleton, goals, pose, work);
    };
    solve(&mut pose, &mut work);
    solve(&mut pose, &mut work);
    allocation_counter::measure(|| solve(&mut pose, &mut work)).count_total
}

#[test]
fn descents_allocate_nothing() {
    let cone = SwingTwist::new(DVec3::Y, 0.5, Range::new(-0.4, 0.4)).unwrap();
    let hinge = Kind::hinge(DVec3::X).within(-0.3, 1.3);
    let mut builder = SkeletonBuilder::new();
    let bone = |name: &str, parent: usize| JointSpec::named(name).child_of(parent).translation(DVec3::Y);
    builder.add(JointSpec::named("root").kind(Kind::Ball(BallLimit::SwingTwist(cone))));
    builder.add(bone("arm", 0));
    builder.add(bone("finger", 1).kind(hinge));
    builder.add(bone("tip", 2).kind(hinge).mimic("finger", 0.7, 0.0));
    builder.add(bone("other", 0).translation(DVec3::X));
    builder.add(bone("end", 4).translation(DVec3::X));
    let skeleton = builder.build().unwrap();
    let [arm, tip, end] = skeleton.joints(["arm", "tip", "end"]).unwrap();
    let all = Mask { position: BVec3::new(true, false, true), ..Mask::default() };
    for reach in [1.0, 9.0] {
        let goals = [
            Goal::frame(tip, DVec3::new(0.5, 2.0, 0.3) * reach, Rotation::about(DVec3::X, 1.0)),
            Goal::position(end, DVec3::new(1.0, 0.5, 0.2) * reach).relative_to(tip),
            Goal::position(arm, DVec3::X).mask(all).weight(0.5),
            Goal::aim(end, DVec3::Z, DVec3::new(0.0, 3.0, 9.0)).base(skeleton.joint("other").unwrap()),
        ];
        let variants = [Ccd::default(), Ccd { start: Start::Rest, balls: Balls::PerAxis, ..Ccd::default() }];
        for ccd in variants {
            assert_eq!(allocations(&skeleton, &ccd, &goals), 0, "{ccd:?}");
            assert_eq!(allocations(&skeleton, &ccd, &goals[..1]), 0, "{ccd:?}");
        }
    }
}
