//! A slide among the bones of a limb that may stretch keeps its own length and its range; as a limb's tip it does not turn.

use sinew::glam::DVec3;
use sinew::solve::two_bone::{End, Reach};
use sinew::{Goal, JointSpec, Kind, Skeleton, SkeletonBuilder, Solver, Status, ThreeLink, TwoBone, Workspace};

use crate::ranges::judge;

/// A chain of five joints of which one slides.
fn limb(slide: usize) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for i in 0..5 {
        let kind = if i == slide { Kind::slide(DVec3::Y).within(-0.1, 0.1) } else { Kind::BALL };
        let spec = JointSpec::named(format!("{i}")).kind(kind).translation(DVec3::new(0.1, 1.0, 0.0));
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1) });
    }
    builder.build().unwrap()
}

fn solved(skeleton: &Skeleton, solver: &dyn Solver, value: f64) -> (f64, Status) {
    let slide = skeleton.iter().find(|&joint| matches!(skeleton.kind(joint), Kind::Slide { .. })).unwrap();
    let (mut pose, tip) = (skeleton.rest_pose(), skeleton.joint("4").unwrap());
    pose.edit(skeleton).coordinate(0, value);
    let goal = Goal::position(tip, DVec3::new(9.0, 1.0, 0.0));
    let outcome = solver.solve(skeleton, &[goal], &mut pose, &mut Workspace::default());
    assert_eq!(judge::outside(skeleton, &pose, slide), None, "{solver:?}");
    (pose.value(skeleton, slide), outcome.status)
}

#[test]
fn slides_are_not_stretched() {
    for reach in [Reach::Stretch { limit: 3.0 }, Reach::Soft { ratio: 3.0, stretch: 3.0 }] {
        for slide in [3, 4] {
            let skeleton = limb(slide);
            let joints = ["0", "1", "2", "4"].map(|name| skeleton.joint(name).unwrap());
            let [root, mid, low, tip] = joints;
            let two = TwoBone { reach, ..TwoBone::new(&skeleton, root, mid, tip).unwrap() };
            let three = ThreeLink { reach, ..ThreeLink::new(&skeleton, root, mid, low, tip).unwrap() };
            for solver in [&two as &dyn Solver, &three] {
                assert_eq!(solved(&skeleton, solver, 0.05), (0.05, Status::OutOfReach));
            }
        }
    }
}

#[test]
fn slides_are_not_turned() {
    let skeleton = limb(4);
    let [root, mid, low, tip] = ["0", "1", "2", "4"].map(|name| skeleton.joint(name).unwrap());
    let two = TwoBone { end: End::Model, ..TwoBone::new(&skeleton, root, mid, tip).unwrap() };
    let three = ThreeLink { end: End::Model, ..ThreeLink::new(&skeleton, root, mid, low, tip).unwrap() };
    for solver in [&two as &dyn Solver, &three] {
        let mut pose = skeleton.rest_pose();
        pose.edit(&skeleton).coordinate(0, 0.05);
        let before = pose.clone();
        let goal = Goal::position(tip, DVec3::new(2.5, 2.5, 0.3));
        let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
        assert_eq!((outcome.status, pose.local(tip)), (Status::Reached, before.local(tip)), "{solver:?}");
        assert_eq!(pose.value(&skeleton, tip), 0.05);
    }
}
