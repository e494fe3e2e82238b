//! What `Auto` promises beyond the laws: it reaches what any of its methods reaches, and its choice looks at no weight.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use sinew::math::ops;
use sinew::{
    Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Solver,
    Status, Target, ThreeLink, Transform, TwoBone, Workspace,
};

/// Kinds of a chain's joints.
#[derive(Clone, Copy, Debug)]
enum Mix {
    Hinges,
    Balls,
    Mixed,
    /// A shoulder, then hinges.
    Arm,
}

fn hinge(rng: &mut Rng) -> Kind {
    let low = -0.2 - 1.3 * rng.f64();
    Kind::hinge(direction(rng)).within(low, low + 0.4 + 2.0 * rng.f64())
}

fn ball(rng: &mut Rng) -> Kind {
    let twist = Range::new(-0.2 - rng.f64(), 0.2 + rng.f64());
    Kind::Ball(match rng.u8(0..3) {
        0 => BallLimit::SwingTwist(SwingTwist::new(direction(rng), 0.2 + 1.2 * rng.f64(), twist).unwrap()),
        1 => {
            let swings = [0.2 + 1.2 * rng.f64(), 0.1 + 0.8 * rng.f64()];
            // Half of them are narrower to one side.
            let share = if swings[0] > 0.8 { 0.4 } else { 1.0 };
            let swings = swings.map(|most| Range::new(-share * most, most));
            BallLimit::EllipticSwing(EllipticSwing::uneven(direction(rng), direction(rng), swings, twist).unwrap())
        }
        _ => {
            let mut range = || Range::new(-0.1 - rng.f64(), 0.1 + rng.f64());
            BallLimit::Euler(EulerRanges::new(EulerOrder::Xyz, range(), range(), range()).unwrap())
        }
    })
}

/// A chain of so many joints that move, with a fixed tip or one on a ball.
fn chain(rng: &mut Rng, joints: usize, mix: Mix, ball_tip: bool) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for i in 0..=joints {
        let kind = match mix {
            _ if i == joints => {
                if ball_tip {
                    ball(rng)
                } else {
                    Kind::Fixed
                }
            }
            Mix::Hinges => hinge(rng),
            Mix::Balls => ball(rng),
            Mix::Mixed => {
                if rng.bool() {
                    hinge(rng)
                } else {
                    ball(rng)
                }
            }
            Mix::Arm => {
                if i == 0 {
                    ball(rng)
                } else {
                    hinge(rng)
                }
            }
        };
        let spec = JointSpec::named(format!("{i}")).kind(kind).rotation(rotation(rng));
        builder.add(match i.checked_sub(1) {
            Some(above) => spec.child_of(above).translation(direction(rng) * (0.3 + rng.f64())),
            None => spec,
        });
    }
    builder.build().unwrap()
}

/// A pose inside all limits.
fn allowed_pose(skeleton: &Skeleton, rng: &mut Rng) -> Pose {
    let mut pose = skeleton.neutral_pose();
    for joint in skeleton.iter() {
        if let (Kind::Hinge { range, .. }, Some(drive)) = (skeleton.kind(joint), skeleton.drive(joint)) {
            let (low, high) = (range.min.max(-3.0), range.max.min(3.0));
            pose.edit(skeleton).coordinate(drive.coordinate, low + (high - low) * rng.f64());
        } else if let Kind::Ball(_) = skeleton.kind(joint) {
            let turned = Transform { rotation: rotation(rng).quaternion(), ..*pose.local(joint) };
            pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &turned, 0.0));
        }
    }
    pose
}

/// The same with balls halfway to where they are at rest, off their limits: a joint at its limit may have to swing round.
fn inner_pose(skeleton: &Skeleton, rng: &mut Rng) -> Pose {
    let mut pose = allowed_pose(skeleton, rng);
    let neutral = skeleton.neutral_pose();
    for joint in skeleton.iter().filter(|&joint| matches!(skeleton.kind(joint), Kind::Ball(_))) {
        let (near, far) = (neutral.local(joint).rotation, *pose.local(joint));
        let half = Transform { rotation: near.lerp(far.rotation, 0.5), ..far };
        pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &half, 0.0));
    }
    pose
}

/// The methods of `Auto`'s table that may serve the tip.
fn methods(skeleton: &Skeleton, tip: Joint) -> Vec<Box<dyn Solver>> {
    let mut methods: Vec<Box<dyn Solver>> =
        vec![Box::new(Fabrik::default()), Box::new(Ccd::default()), Box::new(Jacobian::default())];
    methods.extend(TwoBone::ending_at(skeleton, tip).ok().map(|limb| Box::new(limb) as Box<dyn Solver>));
    methods.extend(ThreeLink::ending_at(skeleton, tip).ok().map(|limb| Box::new(limb) as Box<dyn Solver>));
    methods
}

/// How far a goal is missed (lengths of the chain, radians), from the neutral pose.
fn miss(solver: &dyn Solver, skeleton: &Skeleton, goal: &Goal, wanted: &Pose) -> f64 {
    let mut pose = skeleton.neutral_pose();
    let _ = solver.solve(skeleton, &[*goal], &mut pose, &mut Workspace::default());
    let length: f64 = skeleton.iter().map(|joint| skeleton.rest(joint).translation.length()).sum();
    let far = pose.position(goal.joint).distance(wanted.position(goal.joint)) / length;
    let turned = pose.rotation(goal.joint).angle_between(wanted.rotation(goal.joint));
    if goal.target.rotation().is_some() { far.max(turned) } else { far }
}

#[test]
fn whatever_a_method_reaches_auto_reaches() {
    const NEAR: f64 = 1e-5;
    let mut failures = Vec::new();
    for (row, mix) in [Mix::Hinges, Mix::Balls, Mix::Mixed, Mix::Arm].into_iter().enumerate() {
        for joints in 2..=5_usize {
            for (ball_tip, frame) in [(false, false), (true, false), (false, true), (true, true)] {
                for seed in 0..12_u64 {
                    let rng = &mut Rng::with_seed(seed * 64 + row as u64 * 8 + joints as u64);
                    let skeleton = chain(rng, joints, mix, ball_tip);
                    let tip = skeleton.at(joints).unwrap();
                    let wanted = allowed_pose(&skeleton, rng);
                    let goal = if frame {
                        Goal::frame(tip, wanted.position(tip), wanted.rotation(tip))
                    } else {
                        Goal::position(tip, wanted.position(tip))
                    };
                    let ours = miss(&Auto::default(), &skeleton, &goal, &wanted);
                    let others = methods(&skeleton, tip);
                    let reaches = |solver: &dyn Solver| miss(solver, &skeleton, &goal, &wanted) < NEAR;
                    if ours >= NEAR
                        && let Some(better) = others.iter().find(|solver| reaches(&***solver))
                    {
                        failures
                            .push(format!("{mix:?} {joints} {ball_tip} {frame} {seed}: {ours:.1e}, not {better:?}"));
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of 768: {failures:#?}", failures.len());
}

/// Two branches of hinges on one hinge.
fn fork(rng: &mut Rng) -> (Skeleton, [Joint; 2]) {
    let mut builder = SkeletonBuilder::new();
    for (i, above) in [None, Some(0), Some(1), Some(2), Some(1), Some(4)].into_iter().enumerate() {
        let kind = if matches!(i, 3 | 5) { Kind::Fixed } else { hinge(rng) };
        let spec = JointSpec::named(format!("{i}")).kind(kind).rotation(rotation(rng));
        builder.add(match above {
            Some(above) => spec.child_of(above).translation(direction(rng) * (0.3 + rng.f64())),
            None => spec,
        });
    }
    let skeleton = builder.build().unwrap();
    let tips = ["3", "5"].map(|name| skeleton.joint(name).unwrap());
    (skeleton, tips)
}

/// Hinges have valleys of their own: a descent to several goals that no limit holds back may still be in the wrong one.
#[test]
fn whatever_a_method_reaches_with_two_branches_auto_reaches() {
    const NEAR: f64 = 1e-5;
    let count = if cfg!(debug_assertions) { 1_200 } else { 12_000 };
    let behind = (0..count).filter(|&seed| {
        let rng = &mut Rng::with_seed(seed);
        let (skeleton, tips) = fork(rng);
        let wanted = allowed_pose(&skeleton, rng);
        let goals = tips.map(|tip| Goal::position(tip, wanted.position(tip)));
        let reaches = |solver: &dyn Solver| {
            let mut pose = skeleton.neutral_pose();
            let _ = solver.solve(&skeleton, &goals, &mut pose, &mut Workspace::default());
            tips.iter().all(|&tip| pose.position(tip).distance(wanted.position(tip)) < NEAR)
        };
        !reaches(&Auto::default()) && (reaches(&Fabrik::default()) || reaches(&Jacobian::default()))
    });
    let behind: Vec<u64> = behind.collect();
    assert!(behind.is_empty(), "seeds {behind:?}");
}

/// Lengths show that a target is out of reach; how near limits let a chain come is another matter.
#[test]
fn out_of_reach_a_limited_chain_comes_as_near_as_any_method() {
    for mix in [Mix::Balls, Mix::Mixed, Mix::Hinges] {
        let mut beyond: Vec<_> = (0..60).map(|seed| beyond_the_best(seed, mix)).collect();
        beyond.sort_by(f64::total_cmp);
        // Of 600 the worst is 0.1 to 0.15, with round limits as with others.
        assert!(beyond[54] < 1e-3 && beyond[58] < 0.02 && beyond[59] < 0.05, "{mix:?}: {beyond:?}");
    }
}

/// How much farther `Auto` leaves a chain from a target out of reach than the best method does (lengths of the chain).
fn beyond_the_best(seed: u64, mix: Mix) -> f64 {
    let rng = &mut Rng::with_seed(seed);
    let joints = 4 + (seed % 5) as usize;
    let skeleton = chain(rng, joints, mix, false);
    let tip = skeleton.at(joints).unwrap();
    let length: f64 = skeleton.iter().map(|joint| skeleton.rest(joint).translation.length()).sum();
    let target = direction(rng) * length * (1.05 + rng.f64());
    let left = |solver: &dyn Solver| {
        let mut pose = skeleton.neutral_pose();
        let outcome = solver.solve(&skeleton, &[Goal::position(tip, target)], &mut pose, &mut Workspace::default());
        assert_eq!(outcome.status, Status::OutOfReach);
        pose.position(tip).distance(target) / length
    };
    let best = methods(&skeleton, tip).iter().take(3).map(|solver| left(&**solver)).fold(f64::INFINITY, f64::min);
    left(&Auto::default()) - best
}

/// A closed form comes as near as may be to a place, not to a rotation that the tip of its limb cannot take.
#[test]
fn frames_that_a_limb_cannot_meet_are_left_by_no_more_than_other_methods_leave_them() {
    let mut worse = Vec::new();
    for seed in 0..120 {
        let rng = &mut Rng::with_seed(seed);
        let skeleton = chain(rng, 2 + (seed % 2) as usize, Mix::Balls, false);
        let tip = skeleton.at(skeleton.len() - 1).unwrap();
        let length: f64 = skeleton.iter().map(|joint| skeleton.rest(joint).translation.length()).sum();
        let place = direction(rng) * length * if seed % 4 < 2 { 0.05 } else { 1.1 };
        let wanted = rotation(rng);
        let left = |solver: &dyn Solver| {
            let mut pose = skeleton.neutral_pose();
            let _ = solver.solve(&skeleton, &[Goal::frame(tip, place, wanted)], &mut pose, &mut Workspace::default());
            let turn = pose.rotation(tip).angle_between(wanted.into());
            (pose.position(tip).distance(place) / length).hypot(turn)
        };
        worse.push(left(&Auto::default()) - left(&Jacobian::default()));
    }
    worse.sort_by(f64::total_cmp);
    println!("{:?}", &worse[100..]);
    assert!(worse[119] < 0.01, "{worse:?}");
}

/// Yaw, shoulder and elbow.
fn plain_arm() -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("yaw").kind(Kind::hinge(DVec3::Y).within(-3.0, 3.0)));
    let shoulder = JointSpec::named("shoulder").child_of(0).translation(DVec3::Y * 0.3);
    builder.add(shoulder.kind(Kind::hinge(DVec3::X).within(-2.0, 2.0)));
    let elbow = JointSpec::named("elbow").child_of(1).translation(DVec3::Y * 0.4);
    builder.add(elbow.kind(Kind::hinge(DVec3::X).within(-2.5, 2.5)));
    builder.add(JointSpec::named("tool").child_of(2).translation(DVec3::Y * 0.4).kind(Kind::Fixed));
    builder.build().unwrap()
}

#[test]
fn a_plain_arm_reaches_and_stays_there() {
    let skeleton = plain_arm();
    let tool = skeleton.joint("tool").unwrap();
    for seed in 0..200 {
        let wanted = allowed_pose(&skeleton, &mut Rng::with_seed(seed));
        let goal = Goal::position(tool, wanted.position(tool));
        let mut pose = skeleton.rest_pose();
        pose.edit(&skeleton).coordinate(1, 0.3).coordinate(2, 0.3);
        let mut work = Workspace::default();
        let outcome = Auto::default().solve(&skeleton, &[goal], &mut pose, &mut work);
        assert_eq!(outcome.status, Status::Reached, "seed {seed}: {outcome:?}");
        let before = pose.clone();
        let outcome = Auto::default().solve(&skeleton, &[goal], &mut pose, &mut work);
        assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 0), "seed {seed}");
        assert_eq!(pose, before, "seed {seed}: it moved");
    }
}

/// Two arms on a limited spine.
fn body(rng: &mut Rng) -> (Skeleton, [Joint; 2]) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("spine").kind(ball(rng)));
    for (side, name) in [(-0.2, "left"), (0.2, "right")] {
        let shoulder = JointSpec::named(name).child_of(0).translation(DVec3::new(side, 0.5, 0.0));
        let shoulder = builder.add(shoulder.kind(ball(rng)));
        let elbow = JointSpec::named(format!("{name} elbow")).child_of(shoulder).translation(DVec3::X * side * 1.5);
        let elbow = builder.add(elbow.kind(hinge(rng)));
        builder.add(JointSpec::named(format!("{name} hand")).child_of(elbow).translation(DVec3::X * side * 1.4));
    }
    let skeleton = builder.build().unwrap();
    let hands = skeleton.joints(["left hand", "right hand"]).unwrap();
    (skeleton, hands)
}

/// Largest angle between two poses' local rotations.
fn largest_turn(skeleton: &Skeleton, a: &Pose, b: &Pose) -> f64 {
    let angle = |joint| {
        let (p, q) = (a.local(joint).rotation, b.local(joint).rotation);
        let difference = if p.dot(q) < 0.0 { p + q } else { p - q };
        2.0 * difference.length()
    };
    skeleton.iter().map(angle).fold(0.0, f64::max)
}

#[test]
fn a_weight_of_next_to_nothing_is_next_to_none() {
    let mut swings = Vec::new();
    for seed in 0..60 {
        let rng = &mut Rng::with_seed(seed);
        let (skeleton, [left, right]) = body(rng);
        let (given, wanted) = (inner_pose(&skeleton, rng), allowed_pose(&skeleton, rng));
        let above = |joint| skeleton.parent(skeleton.parent(joint).unwrap());
        // Shared joints, limbs of their own, and a goal that others leave alone.
        for bases in [[None, None], [above(left), above(right)], [above(left), None]] {
            let based = |goal: Goal, base: Option<Joint>| base.map_or(goal, |base| goal.base(base));
            let by = |solver: &dyn Solver, weight: f64| {
                let goals = [
                    based(Goal::position(left, wanted.position(left)), bases[0]).weight(weight),
                    // The pose given meets this one.
                    based(Goal::position(right, given.position(right)), bases[1]),
                ];
                let mut pose = given.clone();
                let _ = solver.solve(&skeleton, &goals, &mut pose, &mut Workspace::default());
                pose
            };
            let solve = |weight| by(&Auto::default(), weight);
            assert_eq!(solve(0.0), given, "seed {seed}, {bases:?}: weight zero moved the pose");
            // Not farther than one solver turns it at every weight.
            let mut last = [given.clone(), given.clone()];
            for (weight, most) in [(1e-9, 1e-6), (1e-6, 1e-3), (1e-3, 0.15), (2e-3, 0.15), (3e-3, 0.15)] {
                let next = [solve(weight), by(&Jacobian::default(), weight)];
                let [jump, own] = [0, 1].map(|i| largest_turn(&skeleton, &last[i], &next[i]));
                if jump > own.max(most) * (1.0 + 1e-6) {
                    swings
                        .push(format!("seed {seed}, {bases:?}: at weight {weight} a joint turns by {jump}, not {own}"));
                }
                last = next;
            }
        }
    }
    // Where a limit is in the way a limb may have to swing round.
    assert!(swings.len() <= 2, "{swings:#?}");
}

#[test]
fn a_goal_that_is_met_moves_nothing() {
    let auto = Auto::default();
    for seed in 0..100 {
        let rng = &mut Rng::with_seed(seed);
        for joints in 2..=4_usize {
            let skeleton = chain(rng, joints, Mix::Mixed, true);
            let tip = skeleton.at(joints).unwrap();
            let given = allowed_pose(&skeleton, rng);
            for goal in [
                Goal::position(tip, given.position(tip)),
                Goal::frame(tip, given.position(tip), given.rotation(tip)),
                Goal::rotation(tip, given.rotation(tip)).base(tip),
            ] {
                let (mut pose, mut work) = (given.clone(), Workspace::default());
                let outcome = auto.solve(&skeleton, &[goal], &mut pose, &mut work);
                assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 0), "seed {seed}, {goal:?}");
                assert_eq!(pose, given, "seed {seed}, {goal:?}");
            }
        }
    }
}

#[test]
fn what_no_method_reaches_stays_where_it_is_when_solved_again() {
    let auto = Auto::default();
    let mut walking = Vec::new();
    for seed in 0..crate::cases(60) {
        let rng = &mut Rng::with_seed(seed);
        let joints = 2 + seed as usize % 3;
        let skeleton = chain(rng, joints, Mix::Mixed, false);
        let tip = skeleton.at(joints).unwrap();
        let length: f64 = skeleton.iter().map(|joint| skeleton.rest(joint).translation.length()).sum();
        let goal = Goal::position(tip, direction(rng) * length * rng.f64());
        let (mut pose, mut work) = (allowed_pose(&skeleton, rng), Workspace::default());
        let first = auto.solve(&skeleton, &[goal], &mut pose, &mut work);
        let before = pose.clone();
        let last = (0..5).fold(first, |_, _| auto.solve(&skeleton, &[goal], &mut pose, &mut work));
        let walked = largest_turn(&skeleton, &before, &pose);
        // What lengths alone rule out is answered by the closed form, whose law is its own.
        let is_forms = [first, last].iter().any(|outcome| outcome.iterations == 1);
        if walked > 1e-9 && !is_forms {
            walking.push(format!("seed {seed} of {joints} joints, by {walked}: {first:?}, then {last:?}"));
        }
    }
    assert!(walking.is_empty(), "{walking:#?}");
}

#[test]
fn what_an_elbow_alone_rules_out_is_the_closed_forms() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("shoulder"));
    let elbow = JointSpec::named("elbow").child_of(0).translation(DVec3::X * 0.3);
    builder.add(elbow.kind(Kind::hinge(DVec3::Z).within(0.2, 2.0)));
    builder.add(JointSpec::named("hand").child_of(1).translation(DVec3::X * 0.25));
    let skeleton = builder.build().unwrap();
    let hand = skeleton.joint("hand").unwrap();
    let distance = |bend: f64| ops::sqrt(0.3 * 0.3 + 0.25 * 0.25 + 2.0 * 0.3 * 0.25 * ops::sin_cos(bend).1);
    for seed in 0..100 {
        let rng = &mut Rng::with_seed(seed);
        for (wanted, nearest) in [(0.1 + 0.1 * rng.f64(), distance(2.0)), (0.5475, distance(0.2))] {
            let goal = Goal::position(hand, direction(rng) * wanted);
            let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
            let outcome = Auto::default().solve(&skeleton, &[goal], &mut pose, &mut work);
            assert_eq!(outcome.status, Status::Limited, "seed {seed}");
            assert!(outcome.iterations <= 2, "seed {seed}: others were tried: {outcome:?}");
            let Target::Position(target) = goal.target else { unreachable!() };
            let left = pose.position(hand).distance(target);
            assert!((left - (wanted - nearest).abs()).abs() < 1e-9, "seed {seed}: {left} left");
        }
    }
}

#[test]
fn a_later_method_serves_what_the_first_does_not() {
    let skeleton = Skeleton::from_lengths(&[0.5, 0.4]).unwrap();
    let tip = skeleton.joint("joint_2").unwrap();
    // Limbs know no slack.
    let slack = sinew::Slack { position: DVec3::splat(0.01), ..sinew::Slack::NONE };
    let goal = Goal::position(tip, DVec3::new(0.3, 0.6, 0.2)).slack(slack);
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    assert_eq!(Auto::default().solve(&skeleton, &[goal], &mut pose, &mut work).status, Status::Reached);
}

/// Not its priority either, though it comes first.
#[test]
fn a_goal_that_is_not_served_changes_nothing() {
    let mut rng = Rng::with_seed(77);
    let mut moved = 0;
    for _ in 0..40 {
        let (skeleton, hands) = body(&mut rng);
        let scale = Goal::scale(hands[0], DVec3::splat(1.5)).priority(2);
        let places = hands.map(|hand| Goal::position(hand, direction(&mut rng) * (2.0 * rng.f64())));
        let solved = |goals: &[Goal]| {
            let mut pose = skeleton.rest_pose();
            let _ = Auto::default().solve(&skeleton, goals, &mut pose, &mut Workspace::default());
            pose
        };
        let alone = solved(&places);
        assert_eq!(alone, solved(&[scale, places[0], places[1]]));
        assert_eq!(alone, solved(&[places[1], places[0], scale]));
        moved += usize::from(alone != skeleton.rest_pose());
    }
    assert!(moved > 30);
}

#[test]
fn a_workspace_may_be_sent_and_shared() {
    fn is_both<T: Send + Sync>() {}
    is_both::<Workspace>();
    is_both::<Pose>();
    is_both::<Skeleton>();
}

#[test]
fn a_budget_bounds_all_methods_together() {
    let mut rng = Rng::with_seed(61);
    let (skeleton, tips) = body(&mut rng);
    let mut work = Workspace::default();
    let mut spent = 0;
    for _ in 0..20 {
        let far = tips.map(|tip| Goal::position(tip, direction(&mut rng) * 50.0));
        let mut pose = skeleton.neutral_pose();
        let auto = Auto { iterations: 6, ..Auto::default() };
        let few = auto.solve(&skeleton, &far, &mut pose, &mut work).iterations;
        assert!(few <= 6, "{few}");
        let mut pose = skeleton.neutral_pose();
        spent = spent.max(Auto::default().solve(&skeleton, &far, &mut pose, &mut work).iterations);
    }
    assert!(spent > 6, "nothing to bound: {spent}");
}

/// A joint that travels, or a slide, lies elsewhere in the answer than in the pose given: no choice may look at where.
#[test]
fn from_rest_answers_do_not_know_the_pose_given() {
    let mut rng = Rng::with_seed(71);
    for seed in 0..40 {
        let mut builder = SkeletonBuilder::new();
        let kinds = [Kind::hinge(direction(&mut rng)).within(-0.5, 0.5), ball(&mut rng), Kind::Free];
        for (i, kind) in kinds.into_iter().enumerate() {
            let spec = JointSpec::named(format!("{i}")).kind(kind).translation(DVec3::new(0.1, 0.3, 0.0));
            builder.add(if i > 0 { spec.child_of(i - 1) } else { spec });
        }
        let skeleton = builder.build().unwrap();
        let goal = Goal::position(skeleton.find("2").unwrap(), direction(&mut rng) * 2.0);
        let auto = Auto { start: sinew::Start::Rest, ..Auto::default() };
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let _ = auto.solve(&skeleton, &[goal], &mut pose, &mut work);
        let first = pose.clone();
        let _ = auto.solve(&skeleton, &[goal], &mut pose, &mut work);
        assert_eq!(pose, first, "case {seed} moves by {} rad", largest_turn(&skeleton, &first, &pose));
    }
}

/// An arm of hinges whose frame cannot be met, though lengths do not show it: one search, and then the nearest answer is kept.
#[test]
fn a_frame_missed_last_frame_stays_cheap() {
    let mut rng = Rng::with_seed(83);
    let (mut searched, mut work) = (0, Workspace::default());
    for seed in 0..20 {
        let mut builder = SkeletonBuilder::new();
        for i in 0..6 {
            let kind = if i < 5 { Kind::hinge(direction(&mut rng)).within(-1.0, 1.0) } else { Kind::Fixed };
            let spec = JointSpec::named(format!("{i}")).kind(kind).translation(direction(&mut rng) * 0.3);
            builder.add(if i > 0 { spec.child_of(i - 1) } else { spec });
        }
        let skeleton = builder.build().unwrap();
        let tip = skeleton.find("5").unwrap();
        let (turn, mut pose) = (rotation(&mut rng), skeleton.neutral_pose());
        let place = pose.position(tip);
        for frame in 0..10 {
            let moved = DVec3::new(1e-4, 0.0, 0.0) * f64::from(frame);
            let outcome =
                Auto::default().solve(&skeleton, &[Goal::frame(tip, place + moved, turn)], &mut pose, &mut work);
            assert_ne!(outcome.status, Status::Reached, "case {seed}: nothing to miss");
            let most = if frame == 0 { u32::MAX } else { 40 };
            assert!(outcome.iterations <= most, "case {seed}, frame {frame}: {} steps", outcome.iterations);
            searched += u32::from(outcome.iterations > 100);
        }
    }
    assert!(searched > 10, "nothing was searched for: {searched}");
}

/// A slide that leans out of an arm's plane by a millionth alone moves it across: the way to the last digits is a curved valley.
#[test]
fn a_narrow_valley_is_followed_to_its_end() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base").kind(Kind::slide(DVec3::new(4e-6, 2e-6, 1.0).normalize()).within(0.0, 0.4)));
    for (i, length) in [0.07, 0.155, 0.135].into_iter().enumerate() {
        let hinge = Kind::hinge(DVec3::Y).within(-1.7, 1.7);
        builder.add(JointSpec::named(format!("{i}")).child_of(i).translation(DVec3::Z * length).kind(hinge));
    }
    builder.add(JointSpec::named("tip").child_of(3).translation(DVec3::Z * 0.1));
    let skeleton = builder.build().unwrap();
    let tip = skeleton.find("tip").unwrap();
    let (mut rng, mut work, mut reached) = (Rng::with_seed(7), Workspace::default(), 0);
    for _ in 0..50 {
        let mut there = skeleton.neutral_pose();
        for (i, coordinate) in skeleton.coordinates().iter().enumerate() {
            let (low, high) = (coordinate.range.min, coordinate.range.max);
            there.edit(&skeleton).coordinate(i, low + (high - low) * rng.f64());
        }
        let mut pose = skeleton.neutral_pose();
        let goal = Goal::frame(tip, there.position(tip), there.rotation(tip));
        let outcome = Auto::default().solve(&skeleton, &[goal], &mut pose, &mut work);
        reached += u32::from(outcome.status == Status::Reached);
        // A few nanometres at most are left.
        assert!(work.residuals()[0].position_error() < 1e-8, "{:?}", work.residuals()[0]);
    }
    assert!(reached >= 49, "{reached} of 50");
}
