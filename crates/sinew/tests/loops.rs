//! Targets that go round: warm-started, the second lap should repeat the first, and no frame should jump.

use std::f64::consts::TAU;

use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::math::{arc, ops};
use sinew::solve::jacobian::Posture;
use sinew::{
    Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, MassSpring, Pose, Skeleton, SkeletonBuilder,
    Solver, Start, Status, Transform, TwoBone, Workspace,
};

/// Frames a lap.
const LAP: usize = 600;

/// A skeleton, and the goals of every frame.
struct Ride {
    name: String,
    skeleton: Skeleton,
    goals: Vec<Vec<Goal>>,
}

/// A smooth closed curve about a middle, `size` wide; `turn` sets where it begins.
fn curve(frame: usize, middle: DVec3, size: f64, turn: f64) -> DVec3 {
    let t = TAU * (frame % LAP) as f64 / LAP as f64 + turn;
    let wave = |times: f64| ops::sin_cos(times * t).0;
    let (s, c) = ops::sin_cos(t);
    middle + DVec3::new(c, wave(2.0) * 0.5, s) * size
}

fn chain(n: usize) -> Ride {
    let skeleton = Skeleton::from_lengths(&vec![1.0 / n as f64; n]).expect("bones");
    let tip = skeleton.at(n).expect("a tip");
    let goals = (0..LAP).map(|i| vec![Goal::position(tip, curve(i, DVec3::new(0.3, 0.45, 0.1), 0.25, 0.0))]).collect();
    Ride { name: format!("{n} balls"), skeleton, goals }
}

/// Ten balls that each swing and twist by so many degrees.
fn cones() -> Ride {
    let limit = SwingTwist::new(DVec3::Y, 40.0_f64.to_radians(), Range::new(-0.5, 0.5)).expect("an axis");
    let mut builder = SkeletonBuilder::new();
    for i in 0..=10 {
        let spec = JointSpec::named(format!("joint_{i}")).kind(Kind::Ball(BallLimit::SwingTwist(limit)));
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1).translation(DVec3::Y * 0.1) });
    }
    let skeleton = builder.build().expect("a chain");
    let tip = skeleton.joint("joint_10").expect("a tip");
    let goals = (0..LAP).map(|i| vec![Goal::position(tip, curve(i, DVec3::new(0.1, 0.5, 0.1), 0.35, 0.0))]).collect();
    Ride { name: "10 cones".into(), skeleton, goals }
}

fn hinges() -> Ride {
    let mut builder = SkeletonBuilder::new();
    let range = 60.0_f64.to_radians();
    for i in 0..=10 {
        let axis = if i % 2 == 0 { DVec3::X } else { DVec3::Z };
        let spec = JointSpec::named(format!("joint_{i}")).kind(Kind::hinge(axis).within(-range, range));
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1).translation(DVec3::Y * 0.1) });
    }
    let skeleton = builder.build().expect("a chain");
    let tip = skeleton.joint("joint_10").expect("a tip");
    let goals = (0..LAP).map(|i| vec![Goal::position(tip, curve(i, DVec3::new(0.1, 0.6, 0.1), 0.2, 0.0))]).collect();
    Ride { name: "10 hinges".into(), skeleton, goals }
}

/// A spine of three with two arms of four bones: both hands go round.
fn arms() -> Ride {
    let mut builder = SkeletonBuilder::new();
    for i in 0..3 {
        let spec = JointSpec::named(format!("spine_{i}"));
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1).translation(DVec3::Y * 0.2) });
    }
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        for i in 0..5 {
            let above = if i == 0 { "spine_2".to_string() } else { format!("arm_{side}_{}", i - 1) };
            let place = if i == 0 { DVec3::new(0.15 * sign, 0.1, 0.0) } else { DVec3::X * (0.2 * sign) };
            builder.add(JointSpec::named(format!("arm_{side}_{i}")).child_of(above.as_str()).translation(place));
        }
    }
    let skeleton = builder.build().expect("two arms");
    let hands = skeleton.joints(["arm_l_4", "arm_r_4"]).expect("hands");
    let goal = |hand: Joint, i: usize, sign: f64| {
        Goal::position(hand, curve(i, DVec3::new(0.5 * sign, 0.6, 0.3), 0.2, 1.0 + sign))
    };
    let goals = (0..LAP).map(|i| vec![goal(hands[0], i, 1.0), goal(hands[1], i, -1.0)]).collect();
    Ride { name: "two arms".into(), skeleton, goals }
}

/// What became of two laps (degrees).
struct Ridden {
    /// Largest turn of a joint in one frame, after the first.
    step: f64,
    /// Largest turn of a joint between the same frames of both laps.
    drift: f64,
    reached: usize,
    /// Iterations of all frames.
    steps: u32,
}

fn turned(skeleton: &Skeleton, a: &Pose, b: &Pose) -> f64 {
    let turn = |joint: Joint| {
        arc::length(arc::rotation_vector(arc::normalize(a.local(joint).rotation * b.local(joint).rotation.conjugate())))
    };
    skeleton.iter().map(turn).fold(0.0, f64::max).to_degrees()
}

fn ride(ride: &Ride, solver: &dyn Solver) -> Ridden {
    let (mut pose, mut work) = (ride.skeleton.rest_pose(), Workspace::default());
    let mut lap: Vec<Pose> = Vec::new();
    let mut ridden = Ridden { step: 0.0, drift: 0.0, reached: 0, steps: 0 };
    for frame in 0..2 * LAP {
        let before = pose.clone();
        let outcome = solver.solve(&ride.skeleton, &ride.goals[frame % LAP], &mut pose, &mut work);
        ridden.reached += usize::from(outcome.status == Status::Reached);
        ridden.steps += outcome.iterations;
        if frame > 0 {
            ridden.step = ridden.step.max(turned(&ride.skeleton, &pose, &before));
        }
        match lap.get(frame % LAP) {
            Some(first) if frame >= LAP => ridden.drift = ridden.drift.max(turned(&ride.skeleton, &pose, first)),
            _ => lap.push(pose.clone()),
        }
    }
    ridden
}

/// A solver, and the largest step (degrees) it is held to on each course; none where it jumps.
struct Rider {
    name: &'static str,
    solver: Box<dyn Solver>,
    steps: [f64; 6],
    returns: bool,
}

const JUMPS: f64 = f64::INFINITY;

fn riders() -> Vec<Rider> {
    let jacobian = |start: Start, posture: Option<Posture>| {
        Box::new(Jacobian { start, posture, exact_posture: true, ..Jacobian::default() })
    };
    let rider = |name, solver: Box<dyn Solver>, steps, returns| Rider { name, solver, steps, returns };
    vec![
        rider(
            "fabrik from rest",
            Box::new(Fabrik { start: Start::Rest, ..Fabrik::default() }),
            [0.7, 0.7, 0.7, 10.0, 3.0, 3.0],
            true,
        ),
        rider("jacobian from rest", jacobian(Start::Rest, None), [3.0, 3.0, 9.0, 2.5, 0.5, 1.0], true),
        rider(
            "jacobian, rest posture",
            jacobian(Start::Given, Some(Posture::Rest)),
            [5.0, 4.0, 1.5, JUMPS, 0.4, 1.0],
            true,
        ),
        rider("ccd from rest", Box::new(Ccd { start: Start::Rest, ..Ccd::default() }), [JUMPS; 6], true),
        // Small steps, but they wander.
        rider("jacobian as given", jacobian(Start::Given, None), [0.5, 0.3, 0.2, 0.5, 0.5, 0.5], false),
        rider("fabrik as given", Box::<Fabrik>::default(), [2.0, 4.0, JUMPS, JUMPS, 2.0, 4.0], false),
        rider("ccd as given", Box::<Ccd>::default(), [JUMPS; 6], false),
        rider(
            "auto from rest",
            Box::new(Auto { start: Start::Rest, ..Auto::default() }),
            [1.0, 1.0, 1.0, 2.5, 0.5, 3.0],
            true,
        ),
        rider("auto as given", Box::<Auto>::default(), [JUMPS; 6], false),
    ]
}

#[test]
fn a_second_lap_repeats_the_first() {
    for (number, course) in [chain(4), chain(10), chain(30), hinges(), arms(), cones()].iter().enumerate() {
        let at = |i: usize| course.goals[i % LAP][0].target.position().expect("a place");
        let far = (0..LAP).map(|i| at(i).distance(at(i + 1))).fold(0.0, f64::max);
        println!("{}: the target's step is {far:.4} (chains are 1 long); degrees:", course.name);
        // In debug every other one, and on the next course the others.
        let (first, every) = if cfg!(debug_assertions) { (number % 2, 2) } else { (0, 1) };
        for Rider { name, solver, steps, returns } in riders().into_iter().skip(first).step_by(every) {
            let Ridden { step, drift, reached, steps: made } = ride(course, &*solver);
            let made = f64::from(made) / (2.0 * LAP as f64);
            println!("  {name:24} step {step:8.3}  drift {drift:9.4}  {made:6.1} iterations a frame");
            assert_eq!(reached, 2 * LAP, "{name}, {}", course.name);
            assert!(!returns || drift <= 0.1, "{name}, {}: drifts {drift}", course.name);
            assert!(step <= steps[number], "{name}, {}: a step of {step}", course.name);
        }
    }
}

/// The pose that an animation has in a frame: all joints sway.
fn animated(skeleton: &Skeleton, frame: usize) -> Pose {
    let mut pose = skeleton.rest_pose();
    let turn = TAU * (frame % LAP) as f64 / LAP as f64;
    for (i, joint) in skeleton.iter().enumerate() {
        let sway = arc::axis_angle(DVec3::Z, 0.2 * ops::sin_cos(turn + i as f64).0);
        let local = *pose.local(joint);
        let swayed = Transform { rotation: arc::normalize(local.rotation * sway), ..local };
        let allowed = skeleton.nearest_allowed(joint, &swayed, 0.0);
        pose.edit(skeleton).local(joint, allowed);
    }
    pose
}

/// Where the pose is fed anew in each frame, an answer depends on that frame alone.
#[test]
fn fed_anew_the_second_lap_is_the_first_bit_for_bit() {
    for course in [chain(2), chain(4), hinges(), arms()] {
        let tip = course.goals[0][0].joint;
        let mut solvers: Vec<Box<dyn Solver>> = vec![
            Box::<Auto>::default(),
            Box::<Ccd>::default(),
            Box::<Fabrik>::default(),
            Box::<Jacobian>::default(),
            Box::<MassSpring>::default(),
        ];
        solvers.extend(TwoBone::ending_at(&course.skeleton, tip).ok().map(|limb| Box::new(limb) as Box<dyn Solver>));
        for solver in solvers {
            let mut work = Workspace::default();
            let mut lap: Vec<Pose> = Vec::new();
            for frame in (0..2 * LAP).step_by(5) {
                let mut pose = animated(&course.skeleton, frame);
                let _ = solver.solve(&course.skeleton, &course.goals[frame % LAP], &mut pose, &mut work);
                match lap.get(frame % LAP / 5) {
                    Some(first) if frame >= LAP => {
                        assert_eq!(pose, *first, "{solver:?}, {}: frame {frame}", course.name);
                    }
                    _ => lap.push(pose),
                }
            }
        }
    }
}
