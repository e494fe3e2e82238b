//! A stiff joint is held back, in every solver that turns joints step by step.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::direction;
use sinew::limit::{Range, SwingTwist};
use sinew::math::arc;
use sinew::{
    Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, MassSpring, Pose, Skeleton, SkeletonBuilder,
    Solver, Status, Workspace,
};

const BONES: usize = 6;
/// The joint that is stiff.
const STIFF: usize = 2;

fn solvers() -> [Box<dyn Solver>; 5] {
    [
        Box::new(Fabrik::default()),
        Box::new(Ccd::default()),
        Box::new(Jacobian::default()),
        Box::new(MassSpring::default()),
        Box::new(Auto::default()),
    ]
}

fn chain(kind: impl Fn(usize) -> Kind, stiffness: f64) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for i in 0..=BONES {
        let spec = JointSpec::named(format!("joint_{i}")).kind(kind(i));
        let spec = if i == 0 { spec } else { spec.child_of(i - 1).translation(DVec3::Y * 0.2) };
        builder.add(JointSpec { stiffness: if i == STIFF { stiffness } else { 1.0 }, ..spec });
    }
    builder.build().unwrap()
}

fn bent(skeleton: &Skeleton, rng: &mut Rng, most: f64) -> Pose {
    let mut pose = skeleton.rest_pose();
    for joint in skeleton.iter() {
        let turn = arc::axis_angle(direction(rng), most * rng.f64());
        let wanted = sinew::Transform { rotation: turn, ..*pose.local(joint) };
        let allowed = skeleton.nearest_allowed(joint, &wanted, 0.0);
        pose.edit(skeleton).local(joint, allowed);
    }
    pose
}

/// The turns of the joint over all problems (radians), and how many goals were met.
fn turned(solver: &dyn Solver, kind: impl Fn(usize) -> Kind + Copy, stiffness: f64) -> (f64, u32) {
    let skeleton = chain(kind, stiffness);
    let joints: Vec<Joint> = skeleton.iter().collect();
    let (mut turns, mut met) = (0.0, 0);
    for seed in 0..40 {
        let rng = &mut Rng::with_seed(seed);
        let given = bent(&skeleton, rng, 0.4);
        let target = given.position(joints[BONES]) + direction(rng) * 0.15;
        let target = target * (0.95 * 1.2 / target.length()).min(1.0);
        let (mut pose, mut work) = (given.clone(), Workspace::default());
        let outcome = solver.solve(&skeleton, &[Goal::position(joints[BONES], target)], &mut pose, &mut work);
        met += u32::from(outcome.status == Status::Reached);
        let turn = pose.local(joints[STIFF]).rotation * given.local(joints[STIFF]).rotation.conjugate();
        turns += arc::length(arc::rotation_vector(turn));
    }
    (turns, met)
}

fn check(kind: impl Fn(usize) -> Kind + Copy, least: u32) {
    for solver in solvers() {
        let ((loose, before), (stiff, after)) =
            (turned(solver.as_ref(), kind, 1.0), turned(solver.as_ref(), kind, 20.0));
        println!("{:.12}: {loose:.3} ({before}), stiff {stiff:.3} ({after})", format!("{solver:?}"));
        assert!(after >= least && after + 2 >= before, "{solver:?}: {before}, {after} met");
        assert!(stiff < 0.5 * loose, "{solver:?}: {stiff} beside {loose}");
    }
}

#[test]
fn stiff_balls_turn_less() {
    check(|_| Kind::BALL, 40);
}

#[test]
fn stiff_cones_turn_less() {
    let cone = SwingTwist::new(DVec3::Y, 1.0, Range::new(-1.0, 1.0)).unwrap();
    check(|_| Kind::Ball(BallLimit::SwingTwist(cone)), 38);
}

#[test]
fn stiff_hinges_turn_less() {
    let kind = |i: usize| Kind::Hinge { axis: DVec3::AXES[[0, 2, 0, 2, 0, 2, 0][i]], range: Range::new(-1.5, 1.5) };
    check(kind, 30);
}

/// Held back or not, a joint that begins outside its range ends inside.
#[test]
fn stiff_hinges_come_in_at_once() {
    let kind = |_| Kind::Hinge { axis: DVec3::Z, range: Range::new(-0.5, 0.5) };
    let skeleton = chain(kind, 20.0);
    let joints: Vec<Joint> = skeleton.iter().collect();
    // Near enough after a pass, before the last exact step.
    let near = sinew::Tolerance { position: 0.3, rotation: 0.1 };
    for (solver, seed) in solvers().iter().flat_map(|solver| (0..20).map(move |seed| (solver, seed))) {
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        pose.edit(&skeleton).rotation(joints[STIFF], arc::axis_angle(DVec3::Z, 2.0));
        let target = DVec3::Y * 0.6 + direction(&mut Rng::with_seed(seed)) * 0.4;
        let goal = Goal::position(joints[BONES], target).tolerance(near);
        let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
        let value = pose.value(&skeleton, joints[STIFF]);
        assert!(value.abs() <= 0.5, "{solver:?}: {value}");
    }
}
