//! A straight chain whose target lies on its own line feels no pull to either side: it folds all the same, to the side
//! that its joints prefer, else to that of the rest pose, else to one of its own, and with the same bits each time.

use sinew::glam::{BVec3, DVec3};
use sinew::solve::ccd::{Balls, Order};
use sinew::{
    Auto, Ccd, Fabrik, Goal, Jacobian, JointSpec, Kind, Mask, MassSpring, Pose, Rotation, Skeleton, SkeletonBuilder,
    Solver, Start, Status, Workspace,
};

/// What the joints of a chain may do, and to which side they bend by themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Joints {
    /// Balls or hinges that prefer to bend about an axis.
    BallsAbout(DVec3),
    HingesAbout(DVec3),
    /// Balls that are bent about an axis at rest.
    BallsAtRest(DVec3),
    /// Balls without any side.
    Balls,
}

/// Bones of 0.3 along y, as many as the count; straight in the neutral pose but where they are bent at rest.
fn chain(joints: Joints, count: usize) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for i in 0..=count {
        let spec = JointSpec::named(format!("joint_{i}"));
        let spec = if i == 0 { spec } else { spec.child_of(i - 1).translation(DVec3::Y * 0.3) };
        builder.add(match joints {
            Joints::BallsAbout(axis) => spec.bend(axis),
            Joints::HingesAbout(axis) => spec.kind(Kind::hinge(axis.abs())).bend(axis),
            Joints::BallsAtRest(axis) if i > 0 => spec.rotation(Rotation::about(axis, 0.2)),
            Joints::Balls | Joints::BallsAtRest(_) => spec,
        });
    }
    builder.build().expect("a chain")
}

/// All joints straight, whatever the rest pose is.
fn straight(skeleton: &Skeleton) -> Pose {
    let mut pose = skeleton.rest_pose();
    for joint in skeleton.iter() {
        pose.edit(skeleton).rotation(joint, Rotation::IDENTITY);
    }
    pose
}

/// Solves from the straight chain, twice: the goal must be reached, with the same bits. Whether the middle of the joints then
/// lies on the side of the chord to which they bend; a chain that curls has no side.
fn folds(solver: &dyn Solver, joints: Joints, count: usize, goal: impl Fn(&Skeleton) -> Goal) -> bool {
    let skeleton = chain(joints, count);
    let goals = [goal(&skeleton)];
    let solve = || {
        let (mut pose, mut work) = (straight(&skeleton), Workspace::default());
        let outcome = solver.solve(&skeleton, &goals, &mut pose, &mut work);
        (pose, outcome)
    };
    let (pose, outcome) = solve();
    let what = format!("{joints:?}, {count} bones, {:?}: {solver:?}", goals[0].target);
    assert_eq!(outcome.status, Status::Reached, "{what}: {outcome:?}");
    assert!(solve().0 == pose, "{what}: other bits");
    let axis = match joints {
        Joints::BallsAbout(axis) | Joints::HingesAbout(axis) | Joints::BallsAtRest(axis) => axis,
        Joints::Balls => return true,
    };
    let tip = pose.position(goals[0].joint);
    let middle = skeleton.iter().map(|joint| pose.position(joint)).sum::<DVec3>() / (count + 1) as f64;
    let bulge = middle - tip * (middle.dot(tip) / tip.dot(tip));
    // A turn about X brings +Y to +Z, and the bulge to -Z.
    bulge.dot(axis.cross(tip)) < -1e-4 || tip.length() < 0.5 * 0.3 * count as f64
}

const SIDES: [Joints; 8] = [
    Joints::BallsAbout(DVec3::X),
    Joints::BallsAbout(DVec3::NEG_X),
    Joints::BallsAbout(DVec3::Z),
    Joints::HingesAbout(DVec3::X),
    Joints::HingesAbout(DVec3::NEG_X),
    Joints::BallsAtRest(DVec3::X),
    Joints::BallsAtRest(DVec3::NEG_Z),
    Joints::Balls,
];

#[test]
fn descent_without_restarts() {
    for start in [Start::Given, Start::Rest] {
        for joints in SIDES {
            if start == Start::Rest && matches!(joints, Joints::BallsAtRest(_)) {
                continue;
            }
            for (count, share) in
                [2, 3, 4, 7].into_iter().flat_map(|count| [0.9, 0.55, 0.3].map(|share| (count, share)))
            {
                let ccd = Ccd { restarts: 0, start, ..Ccd::default() };
                let height = share * 0.3 * count as f64;
                let goal = |skeleton: &Skeleton| {
                    let tip = skeleton.joint(&format!("joint_{count}")).expect("the tip");
                    Goal::position(tip, DVec3::Y * height)
                };
                for order in [Order::RootToTip, Order::TipToRoot] {
                    let is_on_its_side = folds(&Ccd { order, ..ccd }, joints, count, goal);
                    // Joints beyond the target turn over by themselves, and of balls without a side to any.
                    let turns_over = share < 0.9 && matches!(joints, Joints::BallsAtRest(_));
                    assert!(is_on_its_side || turns_over, "{joints:?}, {count} bones at {share}, {order:?}");
                }
                let _ = folds(&Ccd { balls: Balls::PerAxis, ..ccd }, joints, count, goal);
            }
        }
    }
}

#[test]
fn descent_along_masked_axes() {
    let masks = [BVec3::new(false, true, false), BVec3::new(true, true, false), BVec3::new(false, true, true)];
    for (joints, mask) in SIDES.into_iter().flat_map(|joints| masks.map(|mask| (joints, mask))) {
        for (count, share) in [2, 3, 4, 7].into_iter().flat_map(|count| [0.9, 0.55, 0.3].map(|share| (count, share))) {
            let height = share * 0.3 * count as f64;
            let goal = |skeleton: &Skeleton| {
                let tip = skeleton.joint(&format!("joint_{count}")).expect("the tip");
                Goal::position(tip, DVec3::Y * height).mask(Mask { position: mask, ..Mask::default() })
            };
            for solver in [&Jacobian::default() as &dyn Solver, &Ccd { restarts: 0, ..Ccd::default() }] {
                assert!(folds(solver, joints, count, goal), "{joints:?}, {count} bones at {share}, {mask}: {solver:?}");
            }
        }
    }
}

#[test]
fn every_solver_folds_to_the_side_that_joints_prefer() {
    let solvers: [&dyn Solver; 5] =
        [&Fabrik::default(), &Ccd::default(), &Jacobian::default(), &MassSpring::default(), &Auto::default()];
    for &joints in &SIDES[..5] {
        // Joints beyond the target may turn over by themselves: here there are none.
        for (count, share) in [(2, 0.6), (3, 0.7), (4, 0.8), (7, 0.9), (2, 0.95), (4, 0.95), (7, 0.97)] {
            let goal = |skeleton: &Skeleton| {
                let tip = skeleton.joint(&format!("joint_{count}")).expect("the tip");
                Goal::position(tip, DVec3::Y * (share * 0.3 * count as f64))
            };
            for solver in solvers {
                assert!(folds(solver, joints, count, goal), "{joints:?}, {count} bones at {share}: {solver:?}");
            }
        }
    }
}

/// Straight is right at full reach, and beyond it.
#[test]
fn what_straight_is_right_for_stays_straight() {
    for joints in SIDES {
        let skeleton = chain(joints, 4);
        let tip = skeleton.joint("joint_4").expect("the tip");
        let mask = Mask { position: BVec3::new(false, true, false), ..Mask::default() };
        let goal = Goal::position(tip, DVec3::Y * 1.3);
        for (solver, goal) in
            [(&Ccd { restarts: 0, ..Ccd::default() } as &dyn Solver, goal), (&Jacobian::default(), goal.mask(mask))]
        {
            let mut pose = straight(&skeleton);
            let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
            assert_ne!(outcome.status, Status::Reached, "{joints:?}: {solver:?}");
            assert!(pose == straight(&skeleton), "{joints:?}: {solver:?}");
        }
    }
}
