//! Law 9 from frame to frame: a first frame with a skeleton and goals, whatever happens in it, is the last to allocate.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::solve::ccd::Balls;
use sinew::solve::mass_spring::{Balance, Root};
use sinew::{
    Aim, Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, Mass, MassSpring, Orient, Pose,
    Rotation, Sequence, Skeleton, SkeletonBuilder, Solver, Start, Target, ThreeLink, TwoBone, Workspace,
};

/// What is asked in each frame: first what the pose given meets, the last goal at weight zero; then what is near, at
/// limits, out of reach, at the root, and weights between.
fn frames(skeleton: &Skeleton, goals: &[Goal]) -> Vec<Vec<Goal>> {
    let given = skeleton.neutral_pose();
    let size: f64 = skeleton.iter().map(|joint| skeleton.rest(joint).translation.length()).sum();
    let offsets = [
        DVec3::ZERO,
        DVec3::new(0.02, -0.01, 0.015) * size,
        DVec3::new(0.3, -0.2, 0.4) * size,
        DVec3::new(5.0, 1.0, -3.0) * size,
        DVec3::new(-0.6, -1.4, 0.2) * size,
    ];
    let mut frames = Vec::new();
    for (number, offset) in offsets.into_iter().enumerate() {
        for weights in [[1.0, 0.0], [0.5, 0.7], [0.0, 1.0], [1.0, 1.0]] {
            let moved = |(place, goal): (usize, &Goal)| {
                let at = given.position(goal.joint) + offset * (1.0 - 1.5 * place as f64);
                let turn = given.rotation(goal.joint) * Rotation::about(DVec3::ONE, number as f64).quaternion();
                let target = match goal.target {
                    Target::Position(_) => Target::Position(at),
                    Target::Rotation(_) => Target::Rotation(turn),
                    Target::Frame { .. } => Target::Frame { position: at, rotation: turn },
                    Target::Aim { axis, up, .. } => {
                        let ahead = given.rotation(goal.joint) * axis;
                        Target::Aim { axis, up, point: given.position(goal.joint) + ahead * size + offset }
                    }
                    other => other,
                };
                let mut moved = goal.weight(weights[usize::from(place + 1 == goals.len())]);
                moved.target = target;
                moved
            };
            frames.push(goals.iter().enumerate().map(moved).collect());
        }
    }
    frames
}

/// The frames after the first that allocate, and how often.
fn allocating(skeleton: &Skeleton, solver: &dyn Solver, goals: &[Goal]) -> Vec<(usize, u64)> {
    let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
    let mut solve = |goals: &[Goal], pose: &mut Pose| {
        allocation_counter::measure(|| {
            let _ = solver.solve(skeleton, goals, pose, &mut work);
        })
        .count_total
    };
    let frames = frames(skeleton, goals);
    // In debug a third, of every offset and all weights.
    let step = if cfg!(debug_assertions) { 3 } else { 1 };
    let counts = frames.iter().enumerate().step_by(step).map(|(number, goals)| (number, solve(goals, &mut pose)));
    counts.skip(1).filter(|&(_, count)| count > 0).collect()
}

fn cone(angle: f64) -> Kind {
    Kind::Ball(BallLimit::SwingTwist(SwingTwist::new(DVec3::Y, angle, Range::new(-0.4, 0.4)).unwrap()))
}

/// A limited body that weighs: two arms on a spine, knuckles that share a coordinate.
fn body() -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let heavy = |name: String| JointSpec { mass: Mass { mass: 1.0, center: DVec3::Y * 0.1 }, ..JointSpec::named(name) };
    let root = builder.add(heavy("root".into()));
    let chest = builder.add(heavy("chest".into()).child_of(root).translation(DVec3::Y * 0.3).kind(cone(0.5)));
    for side in ["left", "right"] {
        let x = if side == "left" { 0.2 } else { -0.2 };
        let arm = heavy(format!("{side} arm")).child_of(chest).translation(DVec3::new(x, 0.3, 0.0));
        let arm = builder.add(arm.kind(cone(1.2)));
        let elbow = heavy(format!("{side} elbow")).child_of(arm).translation(DVec3::Y * 0.3);
        let elbow = builder.add(elbow.kind(Kind::hinge(DVec3::X).within(0.0, 2.5)));
        let hand = heavy(format!("{side} hand")).child_of(elbow).translation(DVec3::Y * 0.3);
        let hand = builder.add(hand.kind(cone(0.8)));
        let knuckle = heavy(format!("{side} knuckle")).child_of(hand).translation(DVec3::Y * 0.1);
        let knuckle = builder.add(knuckle.kind(Kind::hinge(DVec3::X).within(0.0, 1.5)));
        let tip = heavy(format!("{side} tip")).child_of(knuckle).translation(DVec3::Y * 0.05);
        let tip = tip.kind(Kind::hinge(DVec3::X).within(0.0, 1.0)).mimic(format!("{side} knuckle"), 0.5, 0.0);
        builder.add(tip);
    }
    builder.build().unwrap()
}

/// A chain of joints of one kind.
fn chain(joints: usize, kind: impl Fn(usize) -> Kind) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for i in 0..=joints {
        let spec = JointSpec::named(format!("{i}")).kind(if i == joints { Kind::Fixed } else { kind(i) });
        builder.add(if i > 0 { spec.child_of(i - 1).translation(DVec3::new(0.02, 0.2, 0.0)) } else { spec });
    }
    builder.build().unwrap()
}

/// A kind of goal for each joint.
fn goals(joints: &[Joint], based: Option<Joint>) -> Vec<Vec<Goal>> {
    let at = |joint: Joint| Goal::position(joint, DVec3::ZERO);
    let frame = |joint: Joint| Goal::frame(joint, DVec3::ZERO, Rotation::IDENTITY);
    let [first, last] = [joints[0], joints[joints.len() - 1]];
    let mut sets = vec![
        vec![at(last)],
        vec![frame(last)],
        vec![Goal::aim(last, DVec3::Y, DVec3::Y)],
        vec![at(first), at(last)],
        vec![frame(first), frame(last)],
        vec![at(first), Goal::aim(last, DVec3::Y, DVec3::Y), Goal::rotation(first, Rotation::IDENTITY)],
        vec![at(first), frame(last), at(joints[joints.len() / 2])],
    ];
    sets.extend(based.map(|base| vec![at(first), at(last).base(base)]));
    sets.extend(based.map(|base| vec![at(last).base(base)]));
    sets
}

fn solvers() -> Vec<Box<dyn Solver>> {
    vec![
        Box::new(Auto::default()),
        Box::new(Auto { restarts: 3, ..Auto::default() }),
        Box::new(Auto { start: Start::Rest, ..Auto::default() }),
        Box::new(Ccd::default()),
        Box::new(Ccd { balls: Balls::PerAxis, start: Start::Rest, ..Ccd::default() }),
        Box::new(Fabrik::default()),
        Box::new(Fabrik { start: Start::Rest, twist: sinew::solve::fabrik::Twist::Shared, ..Fabrik::default() }),
        Box::new(Jacobian::default()),
        Box::new(Jacobian { restarts: 2, start: Start::Rest, ..Jacobian::default() }),
        Box::new(MassSpring::default()),
        Box::new(MassSpring { root: Some(Root::Free), start: Start::Rest, ..MassSpring::default() }),
    ]
}

/// All solvers on all goals of a skeleton; the complaint names those that allocate.
fn check(name: &str, skeleton: &Skeleton, sets: &[Vec<Goal>], solvers: &[Box<dyn Solver>]) {
    let mut found = Vec::new();
    for solver in solvers {
        for (number, goals) in sets.iter().enumerate() {
            let frames = allocating(skeleton, &**solver, goals);
            let total: u64 = frames.iter().map(|(_, count)| count).sum();
            if let Some((first, _)) = frames.first() {
                found.push(format!("{solver:?}, goals {number}: {total} in {} frames, from {first} on", frames.len()));
            }
        }
    }
    assert!(found.is_empty(), "{name}: {found:#?}");
}

#[test]
fn bodies_allocate_in_the_first_frame_alone() {
    let skeleton = body();
    let [left, arm, right, root] = skeleton.joints(["left hand", "right arm", "right hand", "root"]).unwrap();
    let mut solvers = solvers();
    let balance = Some(Balance::new(root, DVec3::Y, [left, right]));
    solvers.push(Box::new(MassSpring { balance, ..MassSpring::default() }));
    let limb = TwoBone::ending_at(&skeleton, left).unwrap();
    solvers.push(Box::new(limb));
    solvers.push(Box::new(Sequence::new().then(Aim::over(&skeleton, root, right).unwrap()).then(Auto::default())));
    check("body", &skeleton, &goals(&[left, right], Some(arm)), &solvers);
    let [tip] = skeleton.joints(["right tip"]).unwrap();
    check("fingers", &skeleton, &goals(&[left, tip], Some(arm)), &solvers[..11]);
}

#[test]
fn chains_allocate_in_the_first_frame_alone() {
    for (name, skeleton) in [
        ("free", chain(6, |_| Kind::BALL)),
        ("limited", chain(6, |_| cone(0.4))),
        ("long", chain(7, |i| if i % 2 == 0 { Kind::hinge(DVec3::X).within(0.0, 0.2) } else { cone(0.1) })),
        ("two", chain(2, |_| cone(0.4))),
        ("three", chain(3, |i| if i == 0 { Kind::hinge(DVec3::Y).within(-0.3, 0.3) } else { cone(0.4) })),
    ] {
        let [mid, end] = [skeleton.len() / 2, skeleton.len() - 1].map(|at| skeleton.at(at).unwrap());
        let mut solvers = solvers();
        solvers.push(Box::new(Orient { joint: end }));
        solvers.extend(TwoBone::ending_at(&skeleton, end).ok().map(|limb| Box::new(limb) as Box<dyn Solver>));
        solvers.extend(ThreeLink::ending_at(&skeleton, end).ok().map(|limb| Box::new(limb) as Box<dyn Solver>));
        check(name, &skeleton, &goals(&[mid, end], Some(mid)), &solvers);
    }
}

#[test]
fn arms_allocate_in_the_first_frame_alone() {
    let axes = [DVec3::Y, DVec3::X, DVec3::X, DVec3::Y, DVec3::X, DVec3::Y];
    let skeleton = chain(6, |i| Kind::hinge(axes[i]).within(-0.5, 0.8));
    let [mid, end] = [3, 6].map(|at| skeleton.at(at).unwrap());
    check("arm", &skeleton, &goals(&[mid, end], Some(mid)), &solvers());
}
