//! Law 9: once a workspace has seen a skeleton and so many goals, solving allocates nothing.

use sinew::Start;
use sinew::glam::DVec3;
use sinew::solve::mass_spring::{Balance, Root};
use sinew::solve::three_link::Plane;
use sinew::solve::two_bone::{End, Reach, TwistBones};
use sinew::springs::{Bone, Collider, Link, SpringState, Springs};
use sinew::{
    Aim, Auto, BallLimit, Fabrik, Goal, JointSpec, Kind, Mass, MassSpring, Pose, ScaleTarget, Sequence, Skeleton,
    SkeletonBuilder, Solver, ThreeLink, TwoBone, Workspace,
};

/// Allocations of a third solve, after two that may grow buffers.
fn allocations(skeleton: &Skeleton, solver: &dyn Solver, goals: &[Goal]) -> u64 {
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let solve = |pose: &mut Pose, work: &mut Workspace| {
        pose.reset(skeleton);
        let _ = solver.solve(skeleton, goals, pose, work);
    };
    solve(&mut pose, &mut work);
    solve(&mut pose, &mut work);
    allocation_counter::measure(|| solve(&mut pose, &mut work)).count_total
}

#[test]
fn the_counter_counts() {
    assert!(allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1)))).count_total > 0);
}

#[test]
fn two_bone_and_sequences_allocate_nothing() {
    let skeleton = Skeleton::from_lengths(&[0.3, 0.1, 0.25, 0.1, 0.2]).unwrap();
    let [root, mid, tip, last] = skeleton.joints(["joint_0", "joint_2", "joint_4", "joint_5"]).unwrap();
    let limb = TwoBone::new(&skeleton, root, mid, tip).unwrap();
    let near = DVec3::new(0.2, 0.3, 0.1);
    let goals = [
        Goal::position(tip, near).pole(DVec3::Z),
        Goal::position(tip, near * 9.0).weight(0.5),
        Goal::rotation(tip, sinew::Rotation::about(DVec3::X, 1.0)),
        Goal::position(last, near),
    ];
    let variants = [
        limb,
        TwoBone { reach: Reach::Stretch { limit: 2.0 }, twist_bones: TwistBones::Shared, ..limb },
        TwoBone { reach: Reach::Hold, end: End::Model, ..limb },
    ];
    for solver in variants {
        assert_eq!(allocations(&skeleton, &solver, &goals), 0, "{solver:?}");
    }
    let inner = Sequence::new().then(limb);
    let sequence = Sequence::new().then(inner).then(TwoBone::ending_at(&skeleton, last).unwrap());
    assert_eq!(allocations(&skeleton, &sequence, &goals), 0);
    // Refusals, too.
    let bad = [Goal::position(tip, DVec3::NAN)];
    assert_eq!(allocations(&skeleton, &limb, &bad), 0);
}

#[test]
fn three_links_and_soft_limbs_allocate_nothing() {
    let skeleton = Skeleton::from_lengths(&[0.3, 0.25, 0.2]).unwrap();
    let [mid, tip] = skeleton.joints(["joint_2", "joint_3"]).unwrap();
    let limb = ThreeLink::ending_at(&skeleton, tip).unwrap();
    let goals = |place: DVec3| {
        [
            Goal::position(tip, place).pole(DVec3::Z),
            limb.direction(&skeleton, DVec3::X),
            Goal::rotation(tip, sinew::Rotation::IDENTITY),
        ]
    };
    for place in [DVec3::new(0.2, 0.3, 0.1), DVec3::new(0.0, 0.74, 0.0), DVec3::Y * 9.0] {
        for solver in [limb, ThreeLink { reach: Reach::SOFT, plane: Plane::Natural { side: -1.0 }, ..limb }] {
            assert_eq!(allocations(&skeleton, &solver, &goals(place)), 0, "{solver:?}");
            assert_eq!(allocations(&skeleton, &solver, &goals(place)[..1]), 0, "{solver:?}");
        }
        let two = TwoBone { reach: Reach::SOFT, ..TwoBone::ending_at(&skeleton, mid).unwrap() };
        assert_eq!(allocations(&skeleton, &two, &[Goal::position(mid, place)]), 0);
    }
}

#[test]
fn aims_allocate_nothing_free_or_limited() {
    let cone = sinew::limit::SwingTwist::new(DVec3::Y, 0.3, sinew::limit::Range::new(-0.2, 0.2)).unwrap();
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("spine").kind(Kind::Ball(BallLimit::SwingTwist(cone))));
    builder
        .add(JointSpec::named("neck").child_of(0).translation(DVec3::Y).kind(Kind::hinge(DVec3::X).within(-0.3, 0.3)));
    builder
        .add(JointSpec::named("head").child_of(1).translation(DVec3::Y).kind(Kind::Ball(BallLimit::SwingTwist(cone))));
    let skeleton = builder.build().unwrap();
    let [spine, head] = skeleton.joints(["spine", "head"]).unwrap();
    let aim = Aim::over(&skeleton, spine, head).unwrap();
    let goals =
        |point: DVec3| [Goal::aim(head, DVec3::Z, point).up(DVec3::Y), Goal::aim(head, DVec3::Z, -point).weight(0.5)];
    for solver in [aim.clone(), Aim { start: Start::Rest, roll: Some(0.1), ..aim.clone() }] {
        assert_eq!(allocations(&skeleton, &solver, &goals(DVec3::new(1.0, 2.0, 9.0))), 0);
        assert_eq!(allocations(&skeleton, &solver, &goals(DVec3::new(1.0, 2.0, -9.0))), 0);
    }
    // Nor does a limit that is met for the first time.
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let _ = aim.solve(&skeleton, &goals(DVec3::new(0.1, 2.0, 9.0))[..1], &mut pose, &mut work);
    let beyond = goals(DVec3::new(1.0, 2.0, -9.0));
    let report = allocation_counter::measure(|| {
        let _ = aim.solve(&skeleton, &beyond[..1], &mut pose, &mut work);
    });
    assert_eq!(report.count_total, 0, "{report:?}");
}

#[test]
fn fabrik_allocates_nothing_free_or_limited() {
    use sinew::solve::fabrik::{self, Twist};

    let cone = sinew::limit::SwingTwist::new(DVec3::Y, 0.6, sinew::limit::Range::new(-0.4, 0.4)).unwrap();
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("spine").kind(Kind::Ball(BallLimit::SwingTwist(cone))));
    for side in ["left", "right"] {
        let arm =
            builder.add(JointSpec::named(format!("{side} arm")).child_of(0).translation(DVec3::new(0.2, 1.0, 0.0)));
        let elbow = JointSpec::named(format!("{side} elbow")).child_of(arm).translation(DVec3::Y);
        let elbow = builder.add(elbow.kind(Kind::hinge(DVec3::X).within(0.0, 2.5)));
        builder.add(JointSpec::named(format!("{side} hand")).child_of(elbow).translation(DVec3::Y));
    }
    let limited = builder.build().unwrap();
    let free = Skeleton::from_lengths(&[0.3; 10]).unwrap();
    for skeleton in [&limited, &free] {
        let [mid, tip] = [skeleton.len() / 2, skeleton.len() - 1].map(|index| skeleton.at(index).unwrap());
        for place in [DVec3::new(0.3, 1.2, 0.9), DVec3::Y * 9.0, DVec3::new(0.1, -0.2, 0.0)] {
            let goals = [
                Goal::frame(tip, place, sinew::Rotation::about(DVec3::X, 0.5)),
                Goal::position(mid, place * 0.5).weight(0.5),
                Goal::position(tip, place).relative_to(mid),
            ];
            let default = Fabrik::default();
            for solver in [default, Fabrik { start: Start::Rest, twist: Twist::Shared, ..default }] {
                assert_eq!(allocations(skeleton, &solver, &goals), 0, "{solver:?}");
                assert_eq!(allocations(skeleton, &solver, &goals[..1]), 0, "{solver:?}");
            }
        }
    }
    let (mut points, lengths) = ([DVec3::ZERO, DVec3::Y, DVec3::Y * 2.0], [1.0; 2]);
    let report = allocation_counter::measure(|| {
        let _ = fabrik::solve_points(&mut points, &lengths, DVec3::X, &fabrik::Options::default());
    });
    assert_eq!(report.count_total, 0);
}

#[test]
fn scales_allocate_nothing_alone_or_before_others() {
    use sinew::solve::scale::{Distribution, Limit, distribute};

    let skeleton = Skeleton::from_lengths(&[0.3; 20]).unwrap();
    let [mid, tip] = [9, 20].map(|index| skeleton.at(index).unwrap());
    let limits = skeleton.iter().map(|joint| Limit::new(joint, sinew::limit::Range::new(0.8, 1.2))).collect();
    let limited = ScaleTarget { limits, ..ScaleTarget::default() };
    for ratio in [0.5, 2.0, -3.0, 0.0, 1e9] {
        let goals = [
            Goal::scale(tip, DVec3::new(1.0, ratio, 2.0)),
            Goal::scale(mid, DVec3::splat(ratio)).weight(0.5),
            Goal::position(tip, DVec3::new(0.3, 4.0, 0.9)),
        ];
        for solver in [limited.clone(), ScaleTarget { distribution: Distribution::Even, ..limited.clone() }] {
            assert_eq!(allocations(&skeleton, &solver, &goals), 0, "{solver:?}");
            assert_eq!(allocations(&skeleton, &Sequence::new().then(solver).then(Auto::default()), &goals), 0);
        }
    }
    let mut ratios = [0.0; 9];
    let report = allocation_counter::measure(|| {
        let _ = distribute(3.0, &[], Distribution::Even, &mut ratios);
    });
    assert_eq!(report.count_total, 0);
}

#[test]
fn springs_allocate_nothing() {
    let skeleton = Skeleton::from_lengths(&[0.1; 8]).unwrap();
    let [root, base, tip] = skeleton.joints(["joint_0", "joint_1", "joint_8"]).unwrap();
    let springs = Springs { gravity: DVec3::new(1.0, -9.81, 0.0), ..Springs::chain(&skeleton, base, tip).unwrap() };
    let springs =
        springs.tuned(&skeleton, 2.0, 0.1).each(|bone| Bone { swing: 0.5, radius: 0.02, stretch: 1e-4, ..bone });
    let floor = Collider::plane(DVec3::NEG_Y * 0.3, DVec3::Y).carried_by(root);
    let springs = Springs { links: vec![Link::new(0, 3)], colliders: vec![floor], squash: true, ..springs };
    let (mut pose, mut state) = (skeleton.rest_pose(), SpringState::default());
    let mut frame = 0;
    let mut step = || {
        frame += 1;
        pose.reset(&skeleton);
        pose.edit(&skeleton).translation(root, DVec3::X * if frame == 40 { 9.0 } else { 0.1 });
        let dt = if frame == 60 { 1.0 } else { 1.0 / 60.0 };
        assert!(!springs.step(&skeleton, &mut pose, &mut state, dt).refused);
    };
    step();
    step();
    assert_eq!(allocation_counter::measure(|| (0..100).for_each(|_| step())).count_total, 0);
}

#[test]
fn bodies_of_springs_allocate_nothing() {
    let mut builder = SkeletonBuilder::new();
    let heavy = |name: &str| JointSpec { mass: Mass { mass: 1.0, center: DVec3::Y * 0.1 }, ..JointSpec::named(name) };
    let root = builder.add(heavy("root"));
    let arm = |builder: &mut SkeletonBuilder, side: f64| {
        let shoulder = builder.add(heavy("shoulder").child_of(root).translation(DVec3::new(side, 0.4, 0.0)));
        let elbow = heavy("elbow").kind(Kind::hinge(DVec3::Z).within(-2.0, 2.0));
        let elbow = builder.add(elbow.child_of(shoulder).translation(DVec3::Y * 0.3));
        builder.add(heavy("hand").child_of(elbow).translation(DVec3::Y * 0.3))
    };
    let hands = [arm(&mut builder, 0.2), arm(&mut builder, -0.2)];
    let skeleton = builder.build().unwrap();
    let [root, l, r] = [root, hands[0], hands[1]].map(|place| skeleton.from_caller(place).unwrap());
    let goals = [
        Goal::frame(l, DVec3::new(0.5, 0.6, 0.2), sinew::Rotation::about(DVec3::X, 0.4)),
        Goal::position(r, DVec3::new(-9.0, 0.6, 0.2)).weight(0.5),
        Goal::aim(r, DVec3::Y, DVec3::new(0.0, 3.0, 1.0)).up(DVec3::Z),
        Goal::center_of_mass(root, DVec3::Y * 0.4),
        Goal::position(l, DVec3::Y).base(skeleton.parent(l).unwrap()),
    ];
    for root_mode in [None, Some(Root::Free), Some(Root::Pulled { stiffness: 2.0 })] {
        let balance = Some(Balance::new(root, DVec3::Y, [root]));
        let solver = MassSpring { root: root_mode, balance, ..MassSpring::default() };
        assert_eq!(allocations(&skeleton, &solver, &goals), 0, "{solver:?}");
    }
}
