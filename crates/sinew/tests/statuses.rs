//! What solvers say of goals holds in the pose they leave: a goal said to be reached is within its own tolerance, and
//! what is said to be left of it is its target minus its point.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::solve::ccd::Balls;
use sinew::solve::mass_spring;
use sinew::{
    Aim, Auto, Ccd, Fabrik, Goal, Jacobian, JointSpec, Kind, MassSpring, Orient, Outcome, Pose, Residual, Rotation,
    ScaleTarget, Sequence, Skeleton, SkeletonBuilder, Solver, Status, ThreeLink, Tolerance, TwoBone, Workspace,
};

fn build(specs: impl IntoIterator<Item = JointSpec>) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for spec in specs {
        builder.add(spec);
    }
    builder.build().unwrap()
}

fn solve(solver: &dyn Solver, skeleton: &Skeleton, goals: &[Goal]) -> (Pose, Workspace) {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let _ = solver.solve(skeleton, goals, &mut pose, &mut work);
    (pose, work)
}

/// A chain of eight joints of many kinds, with a branch.
fn tree(rng: &mut Rng) -> Skeleton {
    let size = [1e-12, 1e-3, 1.0, 1e3][rng.usize(0..4)];
    build((0..10).map(|i: usize| {
        let axis = direction(rng);
        let kind = match rng.u8(0..8) {
            0 | 1 => Kind::hinge(axis).within(-1.0 - rng.f64(), rng.f64()),
            2 => Kind::Fixed,
            3 => Kind::slide(axis).within(-0.2 * size, 0.3 * size),
            _ => Kind::BALL,
        };
        let spec = JointSpec::named(format!("j{i}")).kind(kind).translation(direction(rng) * size * (0.1 + rng.f64()));
        let spec = spec.rotation(Rotation::about(DVec3::X, rng.f64()));
        if i == 0 { spec } else { spec.child_of(if i == 8 { 3 } else { i - 1 }) }
    }))
}

fn any_goal(skeleton: &Skeleton, rng: &mut Rng) -> Goal {
    let joint = skeleton.at(3 + rng.usize(0..7)).unwrap();
    let rest = skeleton.rest_pose();
    let length: f64 = skeleton.iter().map(|joint| skeleton.rest(joint).translation.length()).sum();
    let place = rest.position(joint) + direction(rng) * length * 0.3 * rng.f64();
    let mut goal = match rng.u8(0..7) {
        0 => Goal::rotation(joint, rotation(rng)),
        1 => Goal::frame(joint, place, rotation(rng)),
        2 => Goal::aim(joint, direction(rng), place),
        3 => Goal::axis(joint, direction(rng), direction(rng)),
        4 => Goal::position(joint, place).offset(direction(rng) * length * 0.1),
        _ => Goal::position(joint, place),
    };
    match rng.u8(0..8) {
        0 => goal = goal.relative_to(skeleton.at(rng.usize(0..10)).unwrap()),
        1 => goal = goal.base(skeleton.at(rng.usize(0..4)).unwrap()),
        2 => goal = goal.tolerance(Tolerance { position: length * 0.05 * rng.f64(), rotation: 0.1 }),
        3 => goal = goal.tolerance(Tolerance { position: 0.0, rotation: 0.0 }),
        4 => goal = goal.priority(1),
        5 => goal = goal.weight(rng.f64()),
        _ => {}
    }
    if rng.u8(0..6) == 0 { goal.pull([0.0, 1e-300, 1e155, 1e300][rng.usize(0..4)]) } else { goal }
}

#[test]
fn reached_goals_are_within_their_own_tolerance_in_the_pose_left() {
    for seed in 0..crate::cases(300) {
        let mut rng = Rng::with_seed(seed);
        let skeleton = tree(&mut rng);
        let goals: Vec<Goal> = (0..=rng.usize(0..4)).map(|_| any_goal(&skeleton, &mut rng)).collect();
        let length: f64 = skeleton.iter().map(|joint| skeleton.rest(joint).translation.length()).sum();
        let tip = goals[0].joint;
        let mut solvers: Vec<Box<dyn Solver>> = vec![
            Box::new(Fabrik::default()),
            Box::new(Ccd { iterations: 50, ..Ccd::default() }),
            Box::new(Jacobian { iterations: 50, ..Jacobian::default() }),
            Box::new(MassSpring { iterations: 50, ..MassSpring::default() }),
            Box::new(Auto::default()),
            Box::new(Orient { joint: tip }),
            Box::new(Sequence::new().then(Ccd::default()).then(Orient { joint: tip })),
        ];
        solvers.extend(TwoBone::ending_at(&skeleton, tip).ok().map(|limb| Box::new(limb) as Box<dyn Solver>));
        solvers.extend(ThreeLink::ending_at(&skeleton, tip).ok().map(|limb| Box::new(limb) as Box<dyn Solver>));
        solvers.extend(
            Aim::over(&skeleton, skeleton.at(0).unwrap(), tip).ok().map(|aim| Box::new(aim) as Box<dyn Solver>),
        );
        for solver in solvers {
            let (pose, work) = solve(&*solver, &skeleton, &goals);
            for (goal, residual) in goals.iter().zip(work.residuals()) {
                honest(&skeleton, goal, residual, &pose, length).unwrap_or_else(|why| {
                    panic!("seed {seed}, {solver:?}: {why}: {residual:?} of {goal:?}");
                });
            }
        }
    }
}

fn honest(skeleton: &Skeleton, goal: &Goal, residual: &Residual, pose: &Pose, length: f64) -> Result<(), String> {
    if !skeleton.iter().all(|joint| pose.model(joint).is_finite()) {
        return Err("the pose is none".into());
    }
    if residual.status == Status::Ignored {
        return Ok(());
    }
    let rounding = 1e-13 * (length + pose.position(goal.joint).length());
    let point = pose.model(goal.joint).transform_point3(goal.offset);
    let from = |place| goal.relative_to.map_or(place, |from| pose.model(from).transform_point3(place));
    let far = goal.target.position().map_or(DVec3::ZERO, |place| from(place) - point);
    if (far - residual.position).length() > rounding {
        return Err(format!("{far} is left"));
    }
    let turned = match goal.target.rotation() {
        Some(rotation) => {
            let wanted = goal.relative_to.map_or(rotation, |from| pose.rotation(from) * rotation);
            wanted.angle_between(pose.rotation(goal.joint))
        }
        None => residual.rotation_error(),
    };
    // The loosest of the solvers' own tolerances is 1e-6.
    let near = goal.tolerance.unwrap_or(Tolerance { position: 1.1e-6 * length, rotation: 1.1e-6 });
    let close = far.length() <= near.position + rounding && turned <= near.rotation + 5e-8;
    if residual.status == Status::Reached && !close {
        return Err(format!("it is {} m and {turned} rad off", far.length()));
    }
    let own = residual.tolerance.ok_or("no tolerance is told")?;
    if goal.tolerance.is_some_and(|tolerance| tolerance != own) {
        return Err(format!("{own:?} is not the goal's own"));
    }
    Ok(())
}

#[test]
fn every_goal_of_a_limb_has_its_own_tolerance() {
    let skeleton = Skeleton::from_lengths(&[0.5, 0.5]).unwrap();
    let tip = skeleton.joint("joint_2").unwrap();
    let loose = Tolerance { position: 0.2, rotation: 1.0 };
    let goals = [
        Goal::position(tip, DVec3::new(0.6, 0.1, 0.0)),
        Goal::position(tip, DVec3::new(0.6, -0.1, 0.0)).tolerance(loose),
    ];
    let (_, work) = solve(&TwoBone::ending_at(&skeleton, tip).unwrap(), &skeleton, &goals);
    let statuses: Vec<Status> = work.residuals().iter().map(|residual| residual.status).collect();
    assert_eq!(statuses, [Status::Stalled, Status::Reached]);
}

#[test]
fn what_is_left_of_a_singular_goal_is_told() {
    let mut flat = JointSpec::named("flat").child_of(0).translation(DVec3::Y);
    flat.rest.scale = DVec3::new(1.0, 0.0, 1.0);
    let skeleton = build([JointSpec::named("root"), flat, JointSpec::named("tip").child_of(1).translation(DVec3::X)]);
    let tip = skeleton.joint("tip").unwrap();
    let target = DVec3::new(0.3, 0.4, 0.5);
    for solver in [&Ccd::default() as &dyn Solver, &Fabrik::default(), &Jacobian::default(), &MassSpring::default()] {
        let (pose, work) = solve(solver, &skeleton, &[Goal::frame(tip, target, Rotation::IDENTITY)]);
        let residual = work.residuals()[0];
        assert_eq!(residual.status, Status::Singular, "{solver:?}");
        assert!((residual.position - (target - pose.position(tip))).length() < 1e-12, "{solver:?}: {residual:?}");
    }
}

#[test]
fn a_sequence_says_again_what_holds_at_its_end() {
    let skeleton = Skeleton::from_lengths(&[0.5, 0.5, 0.2]).unwrap();
    let [hand, finger] = skeleton.joints(["joint_2", "joint_3"]).unwrap();
    let hand_first = Sequence::new().then(TwoBone::ending_at(&skeleton, hand).unwrap()).then(Fabrik::default());
    let goals = [Goal::position(hand, DVec3::new(0.3, 0.6, 0.0)), Goal::position(finger, DVec3::new(0.6, 0.2, 0.0))];
    let (_, work) = solve(&hand_first, &skeleton, &goals);
    for residual in work.residuals() {
        let near = residual.tolerance.unwrap().position;
        assert_eq!(residual.status == Status::Reached, residual.position_error() <= near + 1e-13, "{residual:?}");
    }
    let scaled = Sequence::new().then(ScaleTarget::default());
    let (_, work) = solve(&scaled, &skeleton, &[Goal::scale(hand, DVec3::splat(2.0))]);
    assert_eq!(work.residuals()[0].status, Status::Reached);
}

/// Scales the root, whatever the goals are.
#[derive(Debug)]
struct Scaled(f64);

impl Solver for Scaled {
    fn serves(&self, _: &Skeleton, _: &Goal) -> bool {
        false
    }

    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        work.begin(goals);
        pose.edit(skeleton).scale(skeleton.roots().next().unwrap(), DVec3::splat(self.0));
        work.outcome(0)
    }
}

#[test]
fn a_sequence_measures_by_the_chain_that_it_leaves() {
    let skeleton = Skeleton::from_lengths(&[0.5, 0.5]).unwrap();
    let tip = skeleton.joint("joint_2").unwrap();
    let sequence = Sequence::new().then(Scaled(1e9)).then(Jacobian::default()).then(Scaled(1.0));
    let (pose, work) = solve(&sequence, &skeleton, &[Goal::position(tip, DVec3::new(3e8, 4e8, 0.0))]);
    assert_eq!(work.residuals()[0].status, Status::Stalled);
    // Within a millionth of the long chain, not of the one that is left.
    let (_, work) = solve(&sequence, &skeleton, &[Goal::position(tip, pose.position(tip) + DVec3::X)]);
    let told = work.residuals()[0];
    assert!(told.status == Status::Stalled && told.tolerance.unwrap().position < 1e-5, "{told:?}");
}

/// Asserts that what is left of each place is its target minus its point in the pose that was left.
fn assert_measured_at_the_end(solver: &dyn Solver, skeleton: &Skeleton, goals: &[Goal]) {
    let (pose, work) = solve(solver, skeleton, goals);
    for (goal, residual) in goals.iter().zip(work.residuals()) {
        let Some(target) = goal.target.position() else { continue };
        let left = target - pose.model(goal.joint).transform_point3(goal.offset);
        assert!(left.distance(residual.position) < 1e-12, "{left} is left, {} was told: {solver:?}", residual.position);
    }
}

/// Goals that a travelling root carries are solved together, whatever the root's kind.
#[test]
fn a_root_that_travels_is_every_goals() {
    let kind = |i: usize| if i == 0 { Kind::Fixed } else { Kind::BALL };
    let chain = (0..6).map(|i| {
        let spec = JointSpec::named(format!("{i}")).kind(kind(i)).translation(DVec3::new(0.1, 1.0, 0.0));
        if i == 0 { spec } else { spec.child_of(i - 1) }
    });
    let skeleton = build(chain);
    let [one, two, tip] = [1, 2, 5].map(|place| skeleton.at(place).unwrap());
    let solver = MassSpring { root: Some(mass_spring::Root::Free), ..MassSpring::default() };
    let goals = [
        Goal::position(two, DVec3::new(1.0, 1.0, 1.0)),
        Goal::frame(tip, DVec3::new(-1.0, 4.0, 0.0), Rotation::about(DVec3::X, 1.0)).base(one),
    ];
    assert_measured_at_the_end(&solver, &skeleton, &goals);
}

/// A goal's own base stands in for the solver's, also where it is told which goals carry which.
#[test]
fn a_joint_above_the_solvers_base_carries_goals_below() {
    let chain = (0..5).map(|i| {
        let kind = if i == 0 || i == 3 { Kind::hinge(DVec3::Z) } else { Kind::BALL };
        let spec = JointSpec::named(format!("{i}")).kind(kind).translation(DVec3::Y);
        let spec = if i == 3 { spec.mimic("0", -1.0, 0.0) } else { spec };
        if i == 0 { spec } else { spec.child_of(i - 1) }
    });
    let skeleton = build(chain);
    let [root, two, tip] = [0, 2, 4].map(|place| skeleton.at(place).unwrap());
    let solver = Ccd { base: Some(two), ..Ccd::default() };
    let goals = [Goal::position(tip, DVec3::new(1.0, 3.0, 0.5)), Goal::axis(root, DVec3::Y, DVec3::X).base(root)];
    assert_measured_at_the_end(&solver, &skeleton, &goals);
}

#[test]
fn tolerances_are_those_of_the_length_that_is_left() {
    let mut rng = Rng::with_seed(130);
    let solvers: [(&str, Box<dyn Solver>); 5] = [
        ("auto", Box::new(Auto::default())),
        ("ccd", Box::new(Ccd::default())),
        ("per axis", Box::new(Ccd { balls: Balls::PerAxis, ..Ccd::default() })),
        ("jacobian", Box::new(Jacobian::default())),
        ("springs", Box::new(MassSpring::default())),
    ];
    let mut reached = [0; 5];
    for _ in 0..200 {
        let out = rng.f64() * 6.0;
        let mut builder = SkeletonBuilder::new();
        let kinds = [Kind::BALL, Kind::slide(direction(&mut rng)), Kind::BALL, Kind::hinge(direction(&mut rng))];
        for (place, kind) in kinds.into_iter().chain([Kind::Fixed]).enumerate() {
            let spec = JointSpec::named(format!("{place}")).kind(kind).translation(direction(&mut rng) * 0.3);
            builder.add(if place > 0 { spec.child_of(place - 1) } else { spec });
        }
        let skeleton = builder.build().unwrap();
        let joints: Vec<_> = skeleton.iter().collect();
        let mut pose = skeleton.rest_pose();
        let target = pose.position(joints[4]) + direction(&mut rng) * 0.2;
        pose.edit(&skeleton).coordinate(0, libm::pow(10.0, out));
        let goals = [Goal::position(joints[4], target)];
        for ((name, solver), reached) in solvers.iter().zip(&mut reached) {
            let mut left = pose.clone();
            let outcome = solver.solve(&skeleton, &goals, &mut left, &mut Workspace::default());
            if outcome.status == Status::Reached {
                let ways = joints.windows(2).map(|of| left.position(of[1]).distance(left.position(of[0])));
                let length: f64 = ways.sum();
                assert!(outcome.position_error <= 1e-5 * length, "{name}: {}", outcome.position_error);
                *reached += 1;
            }
        }
    }
    assert!(reached.iter().all(|&reached| reached > 70), "{reached:?}");
}

/// Squares of lengths below 1e-162 are zero: what is left of a goal is measured without them.
#[test]
fn what_is_left_is_measured_however_small() {
    let skeleton = build([JointSpec::named("root").kind(Kind::Free)]);
    let root = skeleton.joint("root").unwrap();
    for small in [1e-140, 1e-155, 1e-170, 1e-200, 1e-300] {
        let goal = Goal::position(root, DVec3::ZERO).offset(DVec3::new(3.0, 0.0, 4.0) * small);
        let still = Jacobian { iterations: 0, ..Jacobian::default() };
        let left = solve(&still, &skeleton, &[goal]).1.residuals()[0].position_error();
        assert!((left - 5.0 * small).abs() < 1e-12 * small, "{left} of {small}");
    }
}

/// A target that its frame's scale carries farther than numbers are is as far as solvers see it.
#[test]
fn what_is_left_is_a_number_however_far() {
    let skeleton = build([JointSpec::named("root").kind(Kind::Free)]);
    let root = skeleton.joint("root").unwrap();
    let mut pose = skeleton.rest_pose();
    pose.edit(&skeleton).scale(root, DVec3::new(1.0, 1e100, 1.0));
    for target in [DVec3::Y, DVec3::new(-0.3, 0.9, 0.3)] {
        let goal = Goal::position(root, target * 1e300).relative_to(root);
        let left = Residual::measured(&goal, &pose, Status::Stalled);
        assert!(left.position.is_finite() && left.position.y > 1e49, "{left:?}");
    }
}
