//! Whole bodies in balance: what springs decide, who follows whom, what stands and what is said.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use crate::body::body;
use fastrand::Rng;
use sinew::glam::{BVec3, DQuat, DVec2, DVec3};
use sinew::laws::rigs::{direction, rotation};
use sinew::solve::mass_spring::{Balance, Root, support};
use sinew::{
    Goal, Joint, JointSpec, Kind, Mask, Mass, MassSpring, Outcome, Pose, Residual, Rotation, Sequence, Skeleton,
    SkeletonBuilder, Solver, Start, Status, TwoBone, Workspace,
};

fn solve(solver: &MassSpring, skeleton: &Skeleton, goals: &[Goal]) -> (Pose, Outcome, Vec<Residual>) {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let outcome = solver.solve(skeleton, goals, &mut pose, &mut work);
    (pose, outcome, work.residuals().to_vec())
}

/// Turn of a joint from its rest (radians).
fn turn(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> f64 {
    pose.local(joint).rotation.angle_between(skeleton.rest(joint).rotation)
}

/// Feet where they are, and hands low and far in front.
fn reaching(skeleton: &Skeleton) -> [Goal; 4] {
    let rest = skeleton.rest_pose();
    let [l, r, left, right] = skeleton.joints(["hand_l", "hand_r", "foot_l", "foot_r"]).unwrap();
    [
        Goal::position(l, DVec3::new(0.2, 0.4, 0.6)),
        Goal::position(r, DVec3::new(-0.2, 0.4, 0.6)),
        Goal::position(left, rest.position(left)),
        Goal::position(right, rest.position(right)),
    ]
}

#[test]
fn hips_and_spine_follow_the_hands_while_the_feet_stand() {
    let body = body(|_| 1.0);
    let goals = reaching(&body);
    let [hips, spine, chest] = body.joints(["hips", "spine", "chest"]).unwrap();
    for root in [Root::Free, Root::Pulled { stiffness: 1.0 }] {
        let (pose, outcome, residuals) =
            solve(&MassSpring { root: Some(root), ..MassSpring::default() }, &body, &goals);
        assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
        assert!(residuals.iter().all(|residual| residual.position_error() < 2e-10));
        let moved = pose.position(hips) - body.rest_pose().position(hips);
        assert!(moved.y < -0.1 && moved.z > 0.1, "{root:?}: hips go down and forward: {moved}");
        assert!([spine, chest].iter().all(|&joint| turn(&body, &pose, joint) > 0.02));
        // What is the same on both sides stays so.
        assert!(moved.x.abs() < 1e-6, "{moved}");
    }
    let (pose, outcome, _) = solve(&MassSpring::default(), &body, &goals);
    assert_eq!(pose.position(hips), body.rest_pose().position(hips));
    assert!(outcome.status > Status::Ignored, "pinned hips cannot go down: {outcome:?}");
}

#[test]
fn a_stiff_spine_bends_less() {
    let total = |stiffness: f64| {
        let body = body(|name| if name == "spine" || name == "chest" { stiffness } else { 1.0 });
        let hand = body.joint("hand_l").unwrap();
        let (pose, outcome, _) =
            solve(&MassSpring::default(), &body, &[Goal::position(hand, DVec3::new(0.3, 1.2, 0.5))]);
        assert_eq!(outcome.status, Status::Reached);
        body.joints(["spine", "chest"]).unwrap().iter().map(|&joint| turn(&body, &pose, joint)).sum::<f64>()
    };
    let [soft, even, stiff] = [0.2, 1.0, 20.0].map(total);
    assert!(soft > 1.5 * even && even > 5.0 * stiff && stiff > 0.0, "{soft} {even} {stiff}");
}

/// Three hinges about Z in a plane, bent a little at rest.
fn planar(stiffness: [f64; 3]) -> (Skeleton, Joint) {
    let mut builder = SkeletonBuilder::new();
    let mut parent = None;
    for (i, stiffness) in stiffness.into_iter().chain([1.0]).enumerate() {
        let spec = JointSpec { stiffness, ..JointSpec::named(format!("j{i}")) };
        let spec = spec.kind(if i == 3 { Kind::Fixed } else { Kind::hinge(DVec3::Z) });
        let spec = spec.rotation(Rotation::about(DVec3::Z, if i == 0 { 0.2 } else { 0.4 }));
        parent = Some(builder.add(match parent {
            Some(parent) => spec.child_of(parent).translation(DVec3::X),
            None => spec,
        }));
    }
    let skeleton = builder.build().unwrap();
    let tip = skeleton.joint("j3").unwrap();
    (skeleton, tip)
}

#[test]
fn springs_bend_least() {
    // One angle is left free by a place in a plane: of all poses that meet it, tried one after another, none
    // bends the springs less.
    for (stiffness, target) in [
        ([1.0, 1.0, 1.0], DVec3::new(0.9, 1.7, 0.0)),
        ([5.0, 1.0, 0.3], DVec3::new(1.9, 1.2, 0.0)),
        ([0.2, 3.0, 1.0], DVec3::new(0.5, -1.6, 0.0)),
    ] {
        let (arm, tip) = planar(stiffness);
        let (pose, outcome, _) = solve(&MassSpring::default(), &arm, &[Goal::position(tip, target)]);
        assert_eq!(outcome.status, Status::Reached);
        let energy = |q: [f64; 3]| q.iter().zip(stiffness).map(|(q, k)| k * q * q).sum::<f64>();
        let got = energy([pose.coordinates()[0], pose.coordinates()[1], pose.coordinates()[2]]);
        let mut best = f64::INFINITY;
        for step in 0..200_000 {
            let first = -3.0 + f64::from(step) * 3e-5;
            let at = DVec2::from_angle(0.2 + first);
            let rest = target.truncate() - at;
            let half = 0.5 * rest.length();
            if half < 1.0 {
                for bend in [2.0, -2.0].map(|side| side * half.acos()) {
                    let second = rest.to_angle() - 0.5 * bend;
                    let turns = [first, second - (0.2 + first) - 0.4, bend - 0.4];
                    let near = turns.map(|q| q - std::f64::consts::TAU * (q / std::f64::consts::TAU).round());
                    best = best.min(energy(near));
                }
            }
        }
        assert!(got < best * (1.0 + 1e-6), "{stiffness:?}: {got}, tried {best}");
    }
}

#[test]
fn pulled_roots_travel_as_far_as_springs_say() {
    // A root that only travels, pulled by k1, below it a slide of stiffness k2: springs in a row share the way
    // as 1/k. Lengths of the chain are the unit of both.
    let mut builder = SkeletonBuilder::new();
    let root = builder.add(JointSpec::named("root").kind(Kind::Fixed));
    let slide = JointSpec { stiffness: 3.0, ..JointSpec::named("slide").kind(Kind::slide(DVec3::X)) };
    let slide = builder.add(slide.child_of(root).translation(DVec3::Y));
    builder.add(JointSpec::named("tip").kind(Kind::Fixed).child_of(slide).translation(DVec3::Y));
    let skeleton = builder.build().unwrap();
    let [root, tip] = skeleton.joints(["root", "tip"]).unwrap();
    let solver = MassSpring { root: Some(Root::Pulled { stiffness: 1.5 }), ..MassSpring::default() };
    let (pose, outcome, _) = solve(&solver, &skeleton, &[Goal::position(tip, DVec3::new(0.9, 2.0, 0.0))]);
    assert_eq!(outcome.status, Status::Reached);
    assert!((pose.position(root).x - 0.6).abs() < 1e-6, "{}", pose.position(root));
    assert!((pose.coordinates()[0] - 0.3).abs() < 1e-6, "{:?}", pose.coordinates());
}

#[test]
fn pull_weighs_goals_that_compete() {
    // Two places for one joint of a free chain: between them, by pull.
    let arm = Skeleton::from_lengths(&[1.0, 1.0, 1.0]).unwrap();
    let tip = arm.joint("joint_3").unwrap();
    let (a, b) = (DVec3::new(1.5, 1.0, 0.0), DVec3::new(1.0, 1.0, 0.6));
    for (first, second) in [(1.0, 1.0), (3.0, 1.0), (0.5, 2.0)] {
        let goals = [Goal::position(tip, a).pull(first), Goal::position(tip, b).pull(second)];
        let (pose, outcome, _) = solve(&MassSpring::default(), &arm, &goals);
        let between = (a * first + b * second) / (first + second);
        assert!(pose.position(tip).distance(between) < 1e-4, "{} {between}", pose.position(tip));
        assert_eq!(outcome.status, Status::Stalled);
    }
}

fn center(skeleton: &Skeleton, pose: &Pose) -> DVec3 {
    let place = |joint: Joint| pose.model(joint).transform_point3(skeleton.mass(joint).center);
    skeleton.iter().map(place).sum::<DVec3>() / skeleton.len() as f64
}

#[test]
fn the_centre_of_mass_stays_over_the_feet() {
    let body = body(|_| 1.0);
    let goals = reaching(&body);
    let [hips, left, right] = body.joints(["hips", "foot_l", "foot_r"]).unwrap();
    let corners = |joint| [DVec3::new(0.0, 0.0, -0.06), DVec3::new(0.0, 0.0, 0.1)].map(|at| (joint, at));
    let balance =
        Balance { body: hips, up: DVec3::Y * 3.0, support: [corners(left), corners(right)].concat(), margin: 0.0 };
    let hold = |joint| Goal::frame(joint, body.rest_pose().position(joint), Rotation::IDENTITY);
    let goals = [goals[0], goals[1], hold(left), hold(right)];
    let free = MassSpring { root: Some(Root::Free), ..MassSpring::default() };
    let (fallen, _, _) = solve(&free, &body, &goals);
    assert!(center(&body, &fallen).z > 0.15, "without balance it falls forwards: {}", center(&body, &fallen));
    assert!(balance.offset(&body, &fallen).unwrap().length() > 0.05);

    let solver = MassSpring { balance: Some(balance.clone()), ..free };
    let (pose, outcome, residuals) = solve(&solver, &body, &goals);
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    assert!(residuals.iter().all(|residual| residual.position_error() < 2e-10));
    let center = center(&body, &pose);
    let mut points: Vec<DVec2> = balance
        .support
        .iter()
        .map(|&(joint, at)| pose.model(joint).transform_point3(at))
        .map(|p| DVec2::new(p.x, p.z))
        .collect();
    assert!(support::offset(&mut points, DVec2::new(center.x, center.z)).length() < 1e-9, "{center}");
    // Solving again moves nothing.
    let mut again = pose.clone();
    let _ = solver.solve(&body, &goals, &mut again, &mut Workspace::default());
    assert_eq!(again, pose);
    // What cannot be is said.
    let far = Balance { support: vec![(left, DVec3::Z * 9.0)], ..balance };
    let (_, outcome, _) = solve(&MassSpring { balance: Some(far), ..solver }, &body, &goals);
    assert!(outcome.status > Status::Ignored);
}

#[test]
fn a_centre_of_mass_goes_where_it_is_asked() {
    let body = body(|_| 1.0);
    let hips = body.joint("hips").unwrap();
    let left = body.joint("foot_l").unwrap();
    let to = center(&body, &body.rest_pose()) + DVec3::new(0.1, -0.1, 0.05);
    let flat = Mask { position: BVec3::new(true, false, true), ..Mask::default() };
    for mask in [Mask::default(), flat] {
        let goals = [Goal::center_of_mass(hips, to).mask(mask), Goal::position(left, DVec3::new(0.1, 0.1, 0.0))];
        let (pose, outcome, _) = solve(&MassSpring { root: Some(Root::Free), ..MassSpring::default() }, &body, &goals);
        assert_eq!(outcome.status, Status::Reached);
        let off = center(&body, &pose) - to;
        assert!(DVec3::select(mask.position, off, DVec3::ZERO).length() < 2e-10, "{off}");
    }
}

#[test]
fn kinds_of_goals_are_met_together() {
    let body = body(|_| 1.0);
    let [l, r, head, foot] = body.joints(["hand_l", "hand_r", "head", "foot_r"]).unwrap();
    let goals = [
        Goal::frame(l, DVec3::new(0.3, 1.3, 0.4), Rotation::about(DVec3::Y, 0.7)),
        // The right hand on the left one.
        Goal::position(r, DVec3::new(0.0, 0.1, 0.0)).relative_to(l),
        Goal::aim(head, DVec3::Z, DVec3::new(1.0, 1.2, 2.0)).up(DVec3::Y).offset(DVec3::Y * 0.1),
        Goal::axis(foot, DVec3::Y, DVec3::new(0.1, 1.0, 0.2)),
        Goal::position(foot, DVec3::new(-0.2, 0.2, 0.1)).offset(DVec3::new(0.0, 0.0, 0.05)),
    ];
    let (pose, outcome, residuals) = solve(&MassSpring::default(), &body, &goals);
    assert_eq!(outcome.status, Status::Reached, "{residuals:?}");
    assert!(pose.position(r).distance(pose.model(l).transform_point3(DVec3::Y * 0.1)) < 1e-9);
    let look = pose.model(head).transform_vector3(DVec3::Z);
    let to = DVec3::new(1.0, 1.2, 2.0) - pose.model(head).transform_point3(DVec3::Y * 0.1);
    assert!(look.angle_between(to) < 1e-7);
    // In another order: the same bits.
    let mut turned = goals;
    turned.reverse();
    assert_eq!(solve(&MassSpring::default(), &body, &turned).0, pose);
}

#[test]
fn solving_again_is_still_and_rest_forgets() {
    let body = body(|_| 1.0);
    let goals = reaching(&body);
    let solver = MassSpring { root: Some(Root::Pulled { stiffness: 0.5 }), ..MassSpring::default() };
    let (pose, _, _) = solve(&solver, &body, &goals);
    let mut again = pose.clone();
    let outcome = solver.solve(&body, &goals, &mut again, &mut Workspace::default());
    assert!(again == pose && outcome.iterations == 0);
    let from_rest = MassSpring { start: Start::Rest, ..solver };
    let _ = from_rest.solve(&body, &goals, &mut again, &mut Workspace::default());
    assert_eq!(again, pose);
}

#[test]
fn what_is_not_asked_stays() {
    let body = body(|_| 1.0);
    let [chest, l, r, head] = body.joints(["chest", "hand_l", "hand_r", "head"]).unwrap();
    let goals = [Goal::position(l, DVec3::new(0.4, 1.5, 0.3)), Goal::position(r, DVec3::NEG_X).weight(0.0)];
    let (pose, _, residuals) = solve(&MassSpring { hips: Some(chest), ..MassSpring::default() }, &body, &goals);
    assert_eq!(residuals[1].status, Status::Ignored);
    let rest = body.rest_pose();
    let moves = |joint: Joint| joint == chest || body.is_below(l, joint) && body.is_below(joint, chest);
    assert!(body.iter().filter(|&joint| !moves(joint)).all(|joint| pose.local(joint) == rest.local(joint)));
    // A goal with a base comes after, and moves nothing above it.
    let arm = body.joint("arm_l").unwrap();
    let look = Goal::axis(head, DVec3::Z, DVec3::X);
    let based = [look, Goal::position(l, DVec3::new(0.4, 1.5, 0.3)).base(arm)];
    let (both, outcome, _) = solve(&MassSpring::default(), &body, &based);
    let (alone, _, _) = solve(&MassSpring::default(), &body, &[look]);
    assert_eq!(outcome.status, Status::Reached);
    assert_eq!(both.local(chest), alone.local(chest));
    // What a limb solver owns, it leaves alone.
    let limb = Goal::position(l, DVec3::new(0.35, 1.5, 0.2)).base(arm);
    let sequence = Sequence::new().then(TwoBone::ending_at(&body, l).unwrap()).then(MassSpring::default());
    let (mut pose, mut work) = (body.rest_pose(), Workspace::default());
    let _ = sequence.solve(&body, &[limb, look], &mut pose, &mut work);
    assert_eq!(work.residuals()[1].status, Status::Reached);
}

#[test]
fn bad_settings_are_refused() {
    let body = body(|_| 1.0);
    let other = Skeleton::from_lengths(&[1.0]).unwrap();
    let [hips, hand] = body.joints(["hips", "hand_l"]).unwrap();
    let balance = |up, margin| Some(Balance { margin, ..Balance::new(hips, up, [hand]) });
    for solver in [
        MassSpring { root: Some(Root::Pulled { stiffness: 0.0 }), ..MassSpring::default() },
        MassSpring { root: Some(Root::Pulled { stiffness: f64::NAN }), ..MassSpring::default() },
        MassSpring { hips: other.joint("joint_0").ok(), ..MassSpring::default() },
        MassSpring { balance: balance(DVec3::NAN, 0.0), ..MassSpring::default() },
        MassSpring { balance: balance(DVec3::Y, 2.0), ..MassSpring::default() },
    ] {
        let (pose, outcome, _) = solve(&solver, &body, &[Goal::position(hand, DVec3::ONE)]);
        assert!(outcome.status == Status::Invalid && pose == body.rest_pose(), "{solver:?}");
    }
    // No up, nothing to stand on, nothing that weighs: nothing to balance.
    let nothing = MassSpring { balance: balance(DVec3::ZERO, 0.0), ..MassSpring::default() };
    assert_eq!(solve(&nothing, &body, &[]).1.status, Status::Reached);
    assert_eq!(Balance::new(hips, DVec3::Y, []).offset(&body, &body.rest_pose()), None);
}

/// What a sequence says of a centre of mass is what is left of it.
#[test]
fn sequences_measure_the_centre_of_mass() {
    let mut builder = SkeletonBuilder::new();
    let heavy = |name: &str| JointSpec { mass: Mass { mass: 1.0, center: DVec3::ZERO }, ..JointSpec::named(name) };
    let root = builder.add(heavy("root"));
    let mid = builder.add(heavy("mid").child_of(root).translation(DVec3::Y));
    builder.add(heavy("tip").child_of(mid).translation(DVec3::Y));
    let skeleton = builder.build().unwrap();
    let root = skeleton.at(0).unwrap();
    for (place, off) in [(DVec3::new(0.5, 0.6, 0.0), 0.0), (DVec3::Y * 5.0, 4.0)] {
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let solver = Sequence::new().then(MassSpring::default());
        let outcome = solver.solve(&skeleton, &[Goal::center_of_mass(root, place)], &mut pose, &mut work);
        assert!((outcome.position_error - off).abs() < 1e-6, "{outcome:?}");
        assert_eq!(outcome.status == Status::Reached, off == 0.0, "{outcome:?}");
    }
}

/// What a workspace keeps of joints that share a coordinate belongs to the solve that it was made for.
#[test]
fn a_workspace_that_saw_followers_serves_what_moves_nothing() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root").kind(Kind::hinge(DVec3::X)));
    builder.add(
        JointSpec::named("mid").child_of(0).translation(DVec3::Y).kind(Kind::hinge(DVec3::X)).mimic("root", 0.5, 0.0),
    );
    builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::Y).kind(Kind::Fixed));
    let skeleton = builder.build().unwrap();
    let [mid, tip] = skeleton.joints(["mid", "tip"]).unwrap();
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let _ = MassSpring::default().solve(&skeleton, &[Goal::position(tip, DVec3::Z)], &mut pose, &mut work);
    let (before, hipless) = (pose.clone(), MassSpring { hips: Some(tip), ..MassSpring::default() });
    let outcome = hipless.solve(&skeleton, &[Goal::position(mid, DVec3::Z)], &mut pose, &mut work);
    assert!(pose == before && outcome.status != Status::Reached, "{outcome:?}");
}

/// What pushed in an earlier solve says nothing of the next one.
#[test]
fn a_balanced_body_forgets_what_pushed_it_before() {
    let mut used = Workspace::default();
    for seed in 0..100 {
        let rng = &mut Rng::with_seed(seed);
        let mut builder = SkeletonBuilder::new();
        for i in 0..6 {
            let mass = Mass { mass: rng.f64(), center: direction(rng) };
            let spec = JointSpec { mass, ..JointSpec::named(format!("{i}")).translation(direction(rng)) };
            builder.add(if i == 0 { spec } else { spec.child_of(i - 1) });
        }
        let body = builder.build().unwrap();
        let [hips, knee, tip] = [0, 2, 5].map(|place| body.at(place).unwrap());
        let solver = MassSpring { balance: Some(Balance::new(hips, direction(rng), [knee])), ..MassSpring::default() };
        let goals = [Goal::frame(tip, direction(rng) * 2.0, rotation(rng)), Goal::position(knee, direction(rng))];
        let (mut pose, mut again) = (body.rest_pose(), body.rest_pose());
        let _ = solver.solve(&body, &goals, &mut pose, &mut Workspace::default());
        let _ = solver.solve(&body, &goals, &mut again, &mut used);
        assert_eq!(pose, again, "seed {seed}");
    }
}

#[test]
fn springs_rest_at_a_pose_of_the_callers() {
    let skeleton = Skeleton::from_lengths(&[0.2; 6]).unwrap();
    let tip = skeleton.joint("joint_6").unwrap();
    let bent = |angle: f64| {
        let mut pose = skeleton.rest_pose();
        for joint in skeleton.iter() {
            pose.edit(&skeleton).rotation(joint, Rotation::about(DVec3::Z, angle));
        }
        pose
    };
    let (rest, given) = (bent(0.25), bent(0.5));
    let goal = Goal::position(tip, rest.position(tip) + DVec3::new(0.05, -0.1, 0.1));
    let from = |solver: &MassSpring, start: &Pose| {
        let mut pose = start.clone();
        assert_eq!(solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default()).status, Status::Reached);
        pose
    };
    // What the springs hold by an account of its own: the squares of all turns from where they rest.
    let energy = |pose: &Pose| {
        let turn = |joint| pose.joint_difference(&rest, joint).angle;
        skeleton.iter().map(|joint| turn(joint) * turn(joint)).sum::<f64>()
    };
    let [usual, resting] = [None, Some(rest.clone())].map(|rest| MassSpring { rest, ..MassSpring::default() });
    let (near, far) = (from(&resting, &rest), from(&resting, &given));
    assert!(near.difference(&far).angle < 1e-3, "{:?}", near.difference(&far));
    let (least, kept) = (energy(&far), energy(&from(&usual, &given)));
    assert!(least < 0.5 * kept, "{least} beside {kept}");
    // A pose of another skeleton is none to rest at.
    let other = Skeleton::from_lengths(&[0.2; 5]).unwrap().rest_pose();
    let wrong = MassSpring { rest: Some(other), ..MassSpring::default() };
    let mut pose = given.clone();
    assert_eq!(wrong.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default()).status, Status::Invalid);
    assert!(pose == given);
}

/// What held the step of one part was looked up among the fewer joints of the next, which made no step.
#[test]
fn limits_that_hold_one_part_are_not_those_of_another() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root").kind(Kind::Fixed));
    for place in 0..3 {
        let held = Kind::hinge(DVec3::X).within(0.0, if place == 2 { 0.0 } else { 1.0 });
        builder.add(JointSpec::named(format!("arm_{place}")).child_of(place).translation(DVec3::Y).kind(held));
    }
    builder.add(JointSpec::named("tip").child_of(3).translation(DVec3::Y));
    let rolled = Kind::hinge(DVec3::Z).within(0.5, 1.0);
    builder.add(JointSpec::named("eye").child_of(0).translation(DVec3::X).kind(rolled));
    let skeleton = builder.build().unwrap();
    let [tip, eye, last] = skeleton.joints(["tip", "eye", "arm_2"]).unwrap();
    let goals = [
        Goal::position(tip, DVec3::new(0.0, 2.5, 2.0)),
        // The hinge looks there, and its limit keeps it from what hardly counts.
        Goal::aim(eye, DVec3::Z, DVec3::new(1.0, 0.0, 5.0)),
        Goal::rotation(eye, DQuat::IDENTITY).pull(0.0),
    ];
    let solver = MassSpring { iterations: 0, ..MassSpring::default() };
    let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
    let _ = solver.solve(&skeleton, &goals, &mut pose, &mut work);
    assert!(work.blocking(0).any(|joint| joint == last), "{:?}", work.residuals());
    assert!(work.blocking(2).all(|joint| joint == eye), "{:?}", work.residuals());
}

/// Steps for goals out of reach of a chain of sixty hinges that have so many coordinates.
fn steps_of_coupled(coordinates: usize) -> u32 {
    let mut builder = SkeletonBuilder::new();
    for place in 0..60 {
        let spec = JointSpec::named(format!("{place}")).translation(DVec3::new(0.1, 1.0, 0.0));
        let spec = if place > 0 { spec.child_of(place - 1) } else { spec };
        let spec = spec.kind(Kind::hinge([DVec3::X, DVec3::Z][place % 2]).within(-0.02, 0.02));
        builder.add(if place < coordinates { spec } else { spec.mimic(format!("{}", place % coordinates), 1.0, 0.0) });
    }
    let skeleton = builder.build().unwrap();
    let [mid, tip] = skeleton.joints(["30", "59"]).unwrap();
    let goals = [Goal::position(mid, DVec3::new(9.0, 3.0, 7.0)), Goal::position(tip, DVec3::new(-9.0, 1.0, -20.0))];
    solve(&MassSpring { iterations: 10_000, ..MassSpring::default() }, &skeleton, &goals).1.iterations
}

/// Couplings fill the system of a step, which makes it dear.
#[test]
fn steps_of_coupled_joints_count_as_what_they_cost() {
    let [free, coupled] = [60, 30].map(steps_of_coupled);
    assert!(2 * coupled < free, "{coupled} of coupled ones, {free}");
}
