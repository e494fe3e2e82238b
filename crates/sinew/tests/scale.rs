//! Scale goals: the product, the limits, who takes what, and what comes after.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use fastrand::Rng;
use sinew::glam::{BVec3, DVec3};
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::Range;
use sinew::solve::scale::{Distribution, Limit, distribute};
use sinew::{
    Aim, Auto, Goal, Joint, JointSpec, Kind, Mask, Outcome, Pose, ScaleTarget, Sequence, Skeleton, SkeletonBuilder,
    Solver, Status, Transform, TwoBone, Workspace,
};

const BOTH: [Distribution; 2] = [Distribution::RootFirst, Distribution::Even];

fn product(ratios: &[f64]) -> f64 {
    ratios.iter().product()
}

/// Both ends, one or none.
fn any_range(rng: &mut Rng) -> Range {
    let (a, b) = (4.0_f64.powf(2.0 * rng.f64() - 1.0), 4.0_f64.powf(2.0 * rng.f64() - 1.0));
    let min = if rng.bool() { a.min(b) } else { [0.0, f64::NEG_INFINITY][usize::from(rng.bool())] };
    Range::new(min, if rng.bool() { a.max(b) } else { f64::INFINITY })
}

/// A size that the range allows.
fn any_size(rng: &mut Rng, range: Range) -> f64 {
    let (lo, hi) = (range.min.max(0.05), range.max.min(20.0));
    lo * (hi / lo).powf(rng.f64())
}

#[test]
fn every_goal_that_sizes_in_range_make_is_met() {
    let mut rng = Rng::with_seed(1);
    for case in 0..40_000 {
        let count = rng.usize(1..9);
        // Now and then more joints than ranges: the last are free.
        let ranges: Vec<Range> = (0..rng.usize(0..=count)).map(|_| any_range(&mut rng)).collect();
        let of = |joint: usize| ranges.get(joint).copied().unwrap_or(Range::FREE);
        let sizes: Vec<f64> = (0..count).map(|joint| any_size(&mut rng, of(joint))).collect();
        let goal = product(&sizes) * if rng.u8(0..4) == 0 { -1.0 } else { 1.0 };
        for distribution in BOTH {
            let mut ratios = vec![0.0; count];
            let status = distribute(goal, &ranges, distribution, &mut ratios);
            let off = (product(&ratios) - goal).abs() / goal.abs();
            assert!(status == Status::Reached && off < 1e-12, "{case}: {goal} {ranges:?} {ratios:?} {status} {off}");
            let within = |(joint, ratio): (usize, &f64)| of(joint).min <= ratio.abs() && ratio.abs() <= of(joint).max;
            assert!(ratios.iter().enumerate().all(within), "{case}: {ranges:?} {ratios:?}");
        }
    }
}

#[test]
fn the_product_is_the_nearest_by_brute_force() {
    let mut rng = Rng::with_seed(2);
    for case in 0..300 {
        let ranges: Vec<Range> = (0..3).map(|_| any_range(&mut rng)).collect();
        let goal = 6.0 * rng.f64() * if rng.bool() { 1.0 } else { -1.0 };
        // Every triple of a grid on the ranges, ends and either sign of one joint included.
        let grid = |range: Range| {
            let (lo, hi) = (range.min.max(0.0), range.max.min(50.0));
            (0..=24).map(move |step| lo + (hi - lo) * f64::from(step) / 24.0)
        };
        let sign = goal.signum();
        let mut best = f64::INFINITY;
        for a in grid(ranges[0]) {
            for b in grid(ranges[1]) {
                for c in grid(ranges[2]) {
                    best = best.min((sign * a * b * c - goal).abs());
                }
            }
        }
        for distribution in BOTH {
            let mut ratios = [0.0; 3];
            let status = distribute(goal, &ranges, distribution, &mut ratios);
            let left = (product(&ratios) - goal).abs();
            assert!(left <= best + 1e-12, "{case}: {goal} {ranges:?}: {ratios:?} leaves {left}, a grid {best}");
            assert_eq!(status == Status::Reached, left <= 1e-12 * goal.abs(), "{case}: {status}");
            assert!(status == Status::Reached || status == Status::Limited, "{case}: {status}");
        }
    }
}

#[test]
fn without_limits_every_joint_takes_the_root() {
    for (goal, count) in [(8.0_f64, 3_u8), (0.25, 2), (1e300, 7), (1e-300, 5), (1.0, 4), (3.0, 1)] {
        for distribution in BOTH {
            let mut ratios = vec![0.0; usize::from(count)];
            assert_eq!(distribute(goal, &[], distribution, &mut ratios), Status::Reached);
            let root = (goal.ln() / f64::from(count)).exp();
            assert!(ratios.iter().all(|ratio| (ratio / root - 1.0).abs() < 1e-12), "{goal}: {ratios:?}");
        }
    }
}

#[test]
fn excess_goes_to_the_tip_or_to_all() {
    let ranges = [Range::FREE, Range::new(0.0, 1.5), Range::FREE, Range::FREE];
    let (mut first, mut even) = ([0.0; 4], [0.0; 4]);
    let _ = distribute(16.0, &ranges, Distribution::RootFirst, &mut first);
    let _ = distribute(16.0, &ranges, Distribution::Even, &mut even);
    // The base is past when the second joint refuses: the last two share what it leaves.
    let below = (16.0_f64 / 3.0).sqrt();
    for (ratio, expected) in first.into_iter().zip([2.0, 1.5, below, below]) {
        assert!((ratio - expected).abs() < 1e-12, "{first:?}");
    }
    let all = (16.0_f64 / 1.5).cbrt();
    for (ratio, expected) in even.into_iter().zip([all, 1.5, all, all]) {
        assert!((ratio - expected).abs() < 1e-12, "{even:?}");
    }
}

#[test]
fn even_is_one_ratio_for_all_but_those_at_limits() {
    let mut rng = Rng::with_seed(3);
    for case in 0..20_000 {
        let ranges: Vec<Range> = (0..rng.usize(1..8)).map(|_| any_range(&mut rng)).collect();
        let sizes: Vec<f64> = ranges.iter().map(|&range| any_size(&mut rng, range)).collect();
        let mut ratios = vec![0.0; ranges.len()];
        let _ = distribute(product(&sizes), &ranges, Distribution::Even, &mut ratios);
        let pairs = || ratios.iter().zip(&ranges);
        let inside: Vec<f64> =
            pairs().filter(|(r, range)| range.min < **r && **r < range.max).map(|(r, _)| *r).collect();
        let Some(&shared) = inside.first() else { continue };
        let near = 1.0 + 1e-12;
        assert!(inside.iter().all(|ratio| ratio / shared < near && shared / ratio < near), "{case}: {ratios:?}");
        // Those at an end would go on to the same ratio.
        let beyond = |(ratio, range): (&f64, &Range)| {
            (*ratio > range.min || *ratio >= shared / near) && (*ratio < range.max || *ratio <= shared * near)
        };
        assert!(pairs().all(beyond), "{case}: {ratios:?} {ranges:?}");
    }
}

#[test]
fn goals_of_zero_and_below() {
    let mut ratios = [0.0; 5];
    for goal in [0.0, -1.0, -0.3, -7.0, -1e9, -1e-9] {
        for distribution in BOTH {
            assert_eq!(distribute(goal, &[], distribution, &mut ratios), Status::Reached);
            assert!((product(&ratios) - goal).abs() <= 1e-12 * goal.abs(), "{goal}: {ratios:?}");
        }
    }
    // Intermediate products of the steps keep off zero.
    let _ = distribute(-1.0, &[], Distribution::RootFirst, &mut ratios[..4]);
    let mut before = 1.0;
    for (step, ratio) in (1..).zip(&ratios[..4]) {
        before *= ratio;
        let wanted: f64 = 1.0 - 0.5 * f64::from(step);
        assert!(before.abs() >= 0.125 - 1e-12 && (before - wanted).abs() <= 0.125 + 1e-12, "{ratios:?}");
    }
    // Limits are on sizes; zero is as near as they go.
    let (limits, mut three) = ([Range::new(0.5, 2.0); 3], [0.0; 3]);
    assert_eq!(distribute(-4.0, &limits, Distribution::RootFirst, &mut three), Status::Reached);
    assert!(three[0] > 0.0 && three[1] > 0.0 && three[2] < 0.0);
    assert_eq!(distribute(-9.0, &limits, Distribution::RootFirst, &mut three), Status::Limited);
    assert_eq!(three, [2.0, 2.0, -2.0]);
    for distribution in BOTH {
        assert_eq!(distribute(0.0, &limits, distribution, &mut three), Status::Limited);
        assert_eq!(three, [0.5; 3]);
        assert_eq!(distribute(0.0, &limits[..2], distribution, &mut three), Status::Reached);
        assert_eq!(three, [0.5, 0.5, 0.0]);
    }
}

#[test]
fn hostile_numbers_have_an_answer() {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let mut ratios = [9.0; 3];
    for goal in bad {
        assert_eq!(distribute(goal, &[], Distribution::Even, &mut ratios), Status::Invalid);
        assert_eq!(ratios, [1.0; 3]);
    }
    let inside_out = [
        Range::new(2.0, 1.0),
        Range::new(f64::NAN, 1.0),
        Range::new(0.5, f64::NAN),
        Range::new(-0.5, 2.0),
        Range::new(0.0, 0.0),
        Range::new(f64::NEG_INFINITY, -1.0),
        Range::new(f64::INFINITY, f64::INFINITY),
    ];
    for range in inside_out {
        assert_eq!(distribute(2.0, &[Range::FREE, range], Distribution::RootFirst, &mut ratios), Status::Invalid);
    }
    assert_eq!(distribute(2.0, &[], Distribution::Even, &mut []), Status::Stalled);
    assert_eq!(distribute(1.0, &[Range::FREE], Distribution::RootFirst, &mut []), Status::Reached);
    let extreme = [5e-324, 1e-300, 1e-160, 1e-9, 1.0, 1e9, 1e160, 1e300, f64::MAX];
    let mut rng = Rng::with_seed(4);
    for _ in 0..50_000 {
        let mut pick = || extreme[rng.usize(0..extreme.len())];
        let ranges: Vec<Range> =
            (0..3).map(|_| (pick(), pick())).map(|(a, b)| Range::new(a.min(b), a.max(b))).collect();
        let goal = if rng.bool() { 1.0 } else { -1.0 } * extreme[rng.usize(0..extreme.len())];
        for (distribution, known) in [(BOTH[0], 0..3), (BOTH[1], 0..3), (BOTH[0], 1..2), (BOTH[1], 0..1)] {
            let status = distribute(goal, &ranges[known], distribution, &mut ratios);
            assert!(ratios.iter().all(|ratio| ratio.is_finite()), "{goal} {ranges:?} {status}");
        }
    }
}

/// A chain of turned joints of all kinds with rest scales, a side branch, and one below the tip.
fn awkward(rng: &mut Rng, count: usize) -> (Skeleton, Vec<Joint>) {
    let kinds = [Kind::BALL, Kind::Fixed, Kind::hinge(DVec3::X), Kind::slide(DVec3::Y), Kind::Free];
    let mut builder = SkeletonBuilder::new();
    for joint in 0..count {
        let scale = DVec3::new(0.5 + rng.f64(), -0.5 - rng.f64(), 0.1 + rng.f64());
        let scale = [DVec3::ONE, scale][usize::from(rng.bool())];
        let rest = Transform { scale, ..Transform::IDENTITY };
        let spec = JointSpec { rest, ..JointSpec::named(format!("{joint}")) };
        let spec = spec.translation(direction(rng)).rotation(rotation(rng)).kind(kinds[rng.usize(0..kinds.len())]);
        builder.add(if joint > 0 { spec.child_of(joint - 1) } else { spec });
    }
    builder.add(JointSpec::named("side").child_of(0).translation(DVec3::X));
    builder.add(JointSpec::named("below").child_of(count - 1).translation(DVec3::X));
    let skeleton = builder.build().unwrap();
    let chain = (0..count).map(|joint| skeleton.joint(&format!("{joint}")).unwrap()).collect();
    (skeleton, chain)
}

/// Product of a chain's ratios.
fn ratio(skeleton: &Skeleton, pose: &Pose, chain: &[Joint]) -> DVec3 {
    chain.iter().fold(DVec3::ONE, |p, &joint| p * pose.local(joint).scale / skeleton.rest(joint).scale)
}

fn solve(solver: &dyn Solver, skeleton: &Skeleton, goals: &[Goal]) -> (Pose, Outcome, Workspace) {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let outcome = solver.solve(skeleton, goals, &mut pose, &mut work);
    (pose, outcome, work)
}

#[test]
fn turned_chains_with_scales_at_rest_meet_goals_of_any_sign() {
    let mut rng = Rng::with_seed(5);
    for case in 0..2000 {
        let count = rng.usize(1..7);
        let (skeleton, chain) = awkward(&mut rng, count);
        let wanted = DVec3::new(4.0 * rng.f64(), -3.0 * rng.f64(), [0.0, 2.0][usize::from(rng.bool())]);
        let solver = ScaleTarget { distribution: BOTH[case % 2], ..ScaleTarget::default() };
        let tip = chain[count - 1];
        let goals = [Goal::scale(tip, wanted)];
        let (mut pose, outcome, mut work) = solve(&solver, &skeleton, &goals);
        let left = (ratio(&skeleton, &pose, &chain) - wanted).abs();
        assert_eq!(outcome.status, Status::Reached, "{case}: {wanted} {left}");
        assert!(left.cmple(1e-12 * wanted.abs()).all() && outcome.scale_error <= 1e-11, "{case}: {left}");
        for joint in skeleton.iter() {
            let (now, rest) = (pose.local(joint), skeleton.rest(joint));
            assert_eq!(Transform { scale: rest.scale, ..*now }, *rest, "only scales change");
            assert!(chain.contains(&joint) || now == rest, "others stay");
        }
        assert_eq!(pose.coordinates(), skeleton.rest_pose().coordinates());
        // Again, and from any other scales: the same bits.
        let first = pose.clone();
        let _ = solver.solve(&skeleton, &goals, &mut pose, &mut work);
        assert_eq!(pose, first);
        for &joint in &chain {
            pose.edit(&skeleton).scale(joint, direction(&mut rng));
        }
        let _ = solver.solve(&skeleton, &goals, &mut pose, &mut work);
        assert_eq!(pose, first);
    }
}

#[test]
fn limits_of_joints_and_of_all_hold_and_name_who_blocks() {
    let skeleton = Skeleton::from_lengths(&[1.0; 3]).unwrap();
    let joints: Vec<Joint> = skeleton.iter().collect();
    let own = Limit { joint: joints[1], ranges: [Range::new(1.0, 1.0), Range::FREE, Range::new(0.0, 1.5)] };
    let solver = ScaleTarget { ranges: [Range::new(0.5, 2.0); 3], limits: vec![own], ..ScaleTarget::default() };
    let (pose, outcome, work) = solve(&solver, &skeleton, &[Goal::scale(joints[3], DVec3::new(7.0, 100.0, 13.0))]);
    assert_eq!(outcome.status, Status::Limited);
    let scales: Vec<DVec3> = joints.iter().map(|&joint| pose.local(joint).scale).collect();
    assert_eq!(scales[1].x, 1.0);
    assert!(scales.iter().all(|scale| scale.x >= 0.5 && scale.x <= 2.0), "{scales:?}");
    // x and y are met; z ends at 2 · 1.5 · 2 · 2.
    assert_eq!(work.residuals()[0].scale, DVec3::new(0.0, 0.0, 1.0));
    assert_eq!(outcome.scale_error, 1.0);
    assert_eq!(work.blocking(0).collect::<Vec<_>>(), joints);
}

#[test]
fn bases_and_masks_say_what_is_scaled() {
    let skeleton = Skeleton::from_lengths(&[1.0; 4]).unwrap();
    let joints: Vec<Joint> = skeleton.iter().collect();
    let solver = ScaleTarget::default();
    let mut pose = skeleton.rest_pose();
    pose.edit(&skeleton).scale(joints[0], DVec3::splat(5.0)).scale(joints[3], DVec3::new(1.0, 7.0, 1.0));
    let given = pose.clone();
    let mask = Mask { scale: BVec3::new(true, false, true), ..Mask::default() };
    let goal = Goal::scale(joints[3], DVec3::splat(4.0)).base(joints[2]).mask(mask);
    let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
    assert_eq!(outcome.status, Status::Reached);
    assert_eq!(pose.local(joints[2]).scale, DVec3::new(2.0, 1.0, 2.0));
    assert_eq!(pose.local(joints[3]).scale, DVec3::new(2.0, 7.0, 2.0));
    assert!([0, 1, 4].into_iter().all(|at| pose.local(joints[at]) == given.local(joints[at])));
    // Not its goals: measured from a joint, with a base that is not above.
    let others = [goal.relative_to(joints[0]), goal.base(joints[4]), Goal::position(joints[3], DVec3::X)];
    for goal in others {
        let before = pose.clone();
        let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
        assert!(outcome.status == Status::Ignored && pose == before && !solver.serves(&skeleton, &goal));
    }
}

#[test]
fn weight_blends_without_a_jump_and_stays_in_limits() {
    let mut rng = Rng::with_seed(6);
    let (skeleton, chain) = awkward(&mut rng, 4);
    let solver = ScaleTarget { ranges: [Range::new(0.4, 3.0); 3], ..ScaleTarget::default() };
    let mut given = skeleton.rest_pose();
    for &joint in &chain {
        let scale = skeleton.rest(joint).scale * DVec3::new(0.5, 1.0, 2.0);
        given.edit(&skeleton).scale(joint, scale);
    }
    let goal = Goal::scale(chain[3], DVec3::new(60.0, 0.2, 1.0));
    let at = |weight: f64| {
        let mut pose = given.clone();
        let outcome = solver.solve(&skeleton, &[goal.weight(weight)], &mut pose, &mut Workspace::default());
        (pose, outcome)
    };
    let (none, outcome) = at(0.0);
    assert!(none == given && outcome.status == Status::Ignored && outcome.iterations == 0);
    assert_eq!(at(0.5).1.status, Status::Softened);
    let whole = at(1.0).0;
    let mut last = given.clone();
    for step in 1..=1000 {
        let next = at(f64::from(step) / 1000.0).0;
        for &joint in &chain {
            let (from, to) = (given.local(joint).scale, whole.local(joint).scale);
            let moved = (next.local(joint).scale - last.local(joint).scale).abs();
            assert!(moved.cmple((to - from).abs() / 1000.0 + 1e-12).all(), "step {step}: {moved}");
            let sizes = (next.local(joint).scale / skeleton.rest(joint).scale).abs();
            assert!(sizes.min_element() > 0.4 - 1e-12 && sizes.max_element() < 3.0 + 1e-12);
        }
        last = next;
    }
    assert_eq!(last, whole);
}

#[test]
fn goals_on_shared_joints_are_met_together_in_any_order() {
    let mut rng = Rng::with_seed(7);
    for _ in 0..200 {
        let (skeleton, chain) = awkward(&mut rng, 6);
        let side = skeleton.joint("side").unwrap();
        let mut wanted = || DVec3::new(0.3 + rng.f64(), 0.3 + 3.0 * rng.f64(), -0.2 - rng.f64());
        let goals = [
            Goal::scale(chain[5], wanted()),
            Goal::scale(chain[2], wanted()),
            Goal::scale(side, wanted()),
            Goal::scale(chain[4], wanted()).base(chain[4]),
        ];
        let (pose, outcome, _) = solve(&ScaleTarget::default(), &skeleton, &goals);
        assert_eq!(outcome.status, Status::Reached);
        let of = |chain: &[Joint]| ratio(&skeleton, &pose, chain);
        let chains: [&[Joint]; 4] = [&chain, &chain[..3], &[chain[0], side], &chain[4..5]];
        for (goal, chain) in goals.iter().zip(chains) {
            let sinew::Target::Scale(wanted) = goal.target else { unreachable!() };
            assert!((of(chain) - wanted).abs().max_element() < 1e-12 * 4.0);
        }
        let mut shuffled = goals;
        rng.shuffle(&mut shuffled);
        assert_eq!(solve(&ScaleTarget::default(), &skeleton, &shuffled).0, pose);
    }
}

#[test]
fn what_leaves_no_answer_says_so_and_moves_nothing() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root"));
    let rest = Transform { scale: DVec3::new(1.0, 0.0, 1.0), ..Transform::IDENTITY };
    builder.add(JointSpec { rest, ..JointSpec::named("flat").child_of(0) });
    builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::X));
    let skeleton = builder.build().unwrap();
    let [root, flat, tip] = skeleton.joints(["root", "flat", "tip"]).unwrap();
    let solver = ScaleTarget::default();
    let rest = skeleton.rest_pose();
    let singular = [Goal::scale(tip, DVec3::splat(2.0)), Goal::scale(flat, DVec3::ONE), Goal::scale(tip, DVec3::ZERO)];
    for goal in singular {
        let (pose, outcome, work) = solve(&solver, &skeleton, &[goal]);
        assert!(outcome.status == Status::Singular && pose == rest && work.residuals()[0].scale.is_finite());
    }
    // Below the flat joint, or leaving its flat axis out, there is an answer.
    let without = Mask { scale: BVec3::new(true, false, true), ..Mask::default() };
    for goal in [Goal::scale(tip, DVec3::splat(2.0)).base(tip), singular[0].mask(without)] {
        assert_eq!(solve(&solver, &skeleton, &[goal]).1.status, Status::Reached);
    }
    // What one goal makes zero, one below cannot make anything else; zero it is.
    let arm = Skeleton::from_lengths(&[1.0, 1.0]).unwrap();
    let [base, mid, _] = arm.joints(["joint_0", "joint_1", "joint_2"]).unwrap();
    for (below, status) in [(DVec3::ONE, Status::Singular), (DVec3::ZERO, Status::Reached)] {
        let (_, _, work) = solve(&solver, &arm, &[Goal::scale(base, DVec3::ZERO), Goal::scale(mid, below)]);
        assert_eq!(work.residuals()[1].status, status);
    }
    // A second goal of the same joint finds nothing left to scale.
    let (_, _, work) = solve(&solver, &arm, &[Goal::scale(mid, DVec3::ONE), Goal::scale(mid, DVec3::splat(2.0))]);
    assert_eq!([0, 1].map(|goal| work.residuals()[goal].status), [Status::Reached, Status::Stalled]);
    // Places that would overflow.
    let long = Skeleton::from_lengths(&[1e10]).unwrap();
    let goal = Goal::scale(long.joint("joint_0").unwrap(), DVec3::splat(1e300));
    let (pose, outcome, _) = solve(&solver, &long, &[goal]);
    assert!(outcome.status == Status::Singular && pose == long.rest_pose());
    let _ = root;
}

#[test]
fn settings_that_are_none_refuse_the_call() {
    let skeleton = Skeleton::from_lengths(&[1.0, 1.0]).unwrap();
    let tip = skeleton.joint("joint_2").unwrap();
    let foreign = Skeleton::from_lengths(&[1.0; 9]).unwrap().joint("joint_8").unwrap();
    let free = ScaleTarget::default;
    let bad = [
        ScaleTarget { ranges: [Range::FREE, Range::new(2.0, 1.0), Range::FREE], ..free() },
        ScaleTarget { limits: vec![Limit::new(tip, Range::new(f64::NAN, 1.0))], ..free() },
        ScaleTarget { limits: vec![Limit::new(tip, Range::new(-1.0, 1.0))], ..free() },
        ScaleTarget { limits: vec![Limit::new(foreign, Range::FREE)], ..free() },
    ];
    for solver in bad {
        let (pose, outcome, _) = solve(&solver, &skeleton, &[Goal::scale(tip, DVec3::ONE)]);
        assert!(outcome.status == Status::Invalid && pose == skeleton.rest_pose(), "{solver:?}");
    }
    for ratio in [DVec3::NAN, DVec3::INFINITY] {
        assert_eq!(solve(&free(), &skeleton, &[Goal::scale(tip, ratio)]).1.status, Status::Invalid);
    }
}

#[test]
fn a_scaled_arm_reaches_what_only_the_longer_one_can() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("shoulder"));
    builder.add(JointSpec::named("elbow").child_of(0).translation(DVec3::X * 0.3).bend(DVec3::Z));
    builder.add(JointSpec::named("hand").child_of(1).translation(DVec3::X * 0.25));
    let arm = builder.build().unwrap();
    let [shoulder, elbow, hand] = arm.joints(["shoulder", "elbow", "hand"]).unwrap();
    // 1.5 times as long is 0.825; at rest 0.55.
    let far = DVec3::new(0.3, 0.7, 0.1);
    let reach = Goal::position(hand, far).base(shoulder);
    let goals = [reach, Goal::scale(shoulder, DVec3::splat(1.5)), Goal::scale(elbow, DVec3::splat(1.5)).base(shoulder)];
    let limb = TwoBone::ending_at(&arm, hand).unwrap();
    let after: [Box<dyn Solver>; 3] = [Box::new(limb), Box::new(Auto::default()), Box::new(sinew::Fabrik::default())];
    for then in after {
        assert_eq!(solve(&*then, &arm, &[reach]).1.status, Status::OutOfReach, "{then:?} without scale");
        let mut sequence = Sequence::new().then(ScaleTarget::default());
        sequence.solvers.push(then);
        let (mut pose, outcome, mut work) = solve(&sequence, &arm, &goals);
        assert_eq!(outcome.status, Status::Reached, "{sequence:?}");
        assert!(pose.position(hand).distance(far) < 1e-9 && outcome.iterations > 0);
        assert!((pose.position(shoulder).distance(pose.position(elbow)) - 0.45).abs() < 1e-12);
        let first = pose.clone();
        let _ = sequence.solve(&arm, &goals, &mut pose, &mut work);
        assert!(arm.iter().all(|joint| pose.position(joint).distance(first.position(joint)) < 1e-12));
    }
}

#[test]
fn in_a_sequence_the_report_is_of_the_pose_that_leaves_it() {
    let skeleton = Skeleton::from_lengths(&[1.0; 3]).unwrap();
    let joints: Vec<Joint> = skeleton.iter().collect();
    let goal = Goal::scale(joints[2], DVec3::splat(4.0));
    // A second scale solver with other limits moves the first one's goal away.
    let fixed = ScaleTarget { ranges: [Range::new(1.0, 1.0); 3], ..ScaleTarget::default() };
    let sequence = Sequence::new().then(ScaleTarget::default()).then(fixed);
    let (_, outcome, work) = solve(&sequence, &skeleton, &[goal]);
    assert_eq!((outcome.status, work.residuals()[0].scale), (Status::Limited, DVec3::splat(3.0)));
    // Joints that an aim with a base owns keep their scale; the others take it all.
    let look = Goal::axis(joints[1], DVec3::Y, DVec3::X).base(joints[0]);
    let aim = Aim::over(&skeleton, joints[0], joints[1]).unwrap();
    let sequence = Sequence::new().then(aim).then(ScaleTarget::default());
    let (pose, outcome, _) = solve(&sequence, &skeleton, &[look, goal]);
    assert_eq!(outcome.status, Status::Reached);
    assert_eq!([0, 1, 2].map(|at| pose.local(joints[at]).scale.x), [1.0, 1.0, 4.0]);
}

/// Serves nothing, and shrinks a joint all the same.
#[derive(Debug)]
struct Shrink(Joint);

impl Solver for Shrink {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        work.begin(goals);
        pose.edit(skeleton).scale(self.0, DVec3::splat(0.5));
        work.outcome(0)
    }

    fn serves(&self, _: &Skeleton, _: &Goal) -> bool {
        true
    }
}

#[test]
fn a_scale_that_is_moved_away_again_has_stalled() {
    let skeleton = Skeleton::from_lengths(&[1.0; 3]).unwrap();
    let [base, tip] = skeleton.joints(["joint_0", "joint_3"]).unwrap();
    let sequence = Sequence::new().then(ScaleTarget::default()).then(Shrink(base));
    let (_, outcome, _) = solve(&sequence, &skeleton, &[Goal::scale(tip, DVec3::splat(16.0))]);
    assert_eq!(outcome.status, Status::Stalled);
    assert!((outcome.scale_error - 12.0).abs() < 1e-12);
}

#[test]
fn auto_chooses_as_if_no_scale_were_asked_for() {
    let arm = Skeleton::from_lengths(&[0.3, 0.25]).unwrap();
    let hand = arm.joint("joint_2").unwrap();
    let reach = Goal::position(hand, DVec3::new(0.1, 0.3, 0.2));
    let (alone, outcome, _) = solve(&Auto::default(), &arm, &[reach]);
    let (pose, with, work) = solve(&Auto::default(), &arm, &[Goal::scale(hand, DVec3::splat(2.0)), reach]);
    assert!(pose == alone && with.iterations == outcome.iterations);
    assert_eq!([0, 1].map(|goal| work.residuals()[goal].status), [Status::Ignored, Status::Reached]);
}

#[test]
fn scaling_a_hinge_leaves_its_coordinate_and_followers_bit_for_bit() {
    let mut rng = Rng::with_seed(8);
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("lead").rotation(rotation(&mut rng)).kind(Kind::hinge(direction(&mut rng))));
    builder.add(JointSpec::named("follow").child_of(0).kind(Kind::hinge(DVec3::X)).mimic("lead", 0.7, 0.1));
    let skeleton = builder.build().unwrap();
    let lead = skeleton.joint("lead").unwrap();
    for _ in 0..100 {
        let mut pose = skeleton.rest_pose();
        pose.edit(&skeleton).coordinate(0, 3.0 * rng.f64());
        let before = pose.clone();
        pose.edit(&skeleton).scale(lead, DVec3::splat(2.0)).scale(lead, before.local(lead).scale);
        assert_eq!(pose, before);
    }
}
