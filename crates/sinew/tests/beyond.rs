//! Goals out of reach inside limits, several on one tree: how near the descent from one start comes to the best of several.

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::{Range, SwingTwist};
use sinew::math::ops;
use sinew::{
    Auto, BallLimit, Goal, Jacobian, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Solver, Workspace,
};

/// A trunk and two branches of limited joints; their tips and the length of all bones.
fn tree(rng: &mut Rng) -> (Skeleton, [Joint; 2], f64) {
    let mut builder = SkeletonBuilder::new();
    let (mut count, mut length) = (0, 0.0);
    let mut add = |rng: &mut Rng, parent: Option<usize>, is_tip: bool| {
        let kind = match rng.u8(0..2) {
            _ if is_tip => Kind::Fixed,
            0 => {
                let first = -0.2 - 1.3 * rng.f64();
                Kind::hinge(direction(rng)).within(first, first + 0.4 + 2.0 * rng.f64())
            }
            _ => {
                let twist = Range::new(-0.2 - rng.f64(), 0.2 + rng.f64());
                let cone = SwingTwist::new(direction(rng), 0.2 + 1.2 * rng.f64(), twist).expect("a cone");
                Kind::Ball(BallLimit::SwingTwist(cone))
            }
        };
        let bone = if parent.is_some() { 0.3 + rng.f64() } else { 0.0 };
        length += bone;
        let spec = JointSpec::default().translation(direction(rng) * bone).rotation(rotation(rng)).kind(kind);
        builder.add(parent.map_or(spec.clone(), |parent| spec.child_of(parent)));
        count += 1;
        count - 1
    };
    let mut fork = add(rng, None, false);
    for _ in 0..rng.usize(1..4) {
        fork = add(rng, Some(fork), false);
    }
    let tips = [(); 2].map(|()| {
        let upper = add(rng, Some(fork), false);
        let lower = add(rng, Some(upper), false);
        add(rng, Some(lower), true)
    });
    let skeleton = builder.build().expect("a tree");
    let tips = tips.map(|tip| skeleton.from_caller(tip).expect("a tip"));
    (skeleton, tips, length)
}

/// A chain of three to six limited hinges; its tip and the length of all bones.
fn hinges(rng: &mut Rng) -> (Skeleton, Joint, f64) {
    let mut builder = SkeletonBuilder::new();
    let (count, mut length) = (rng.usize(3..7), 0.0);
    for place in 0..=count {
        let first = -0.2 - 1.3 * rng.f64();
        let hinge = Kind::hinge(direction(rng)).within(first, first + 0.4 + 2.0 * rng.f64());
        let bone = if place > 0 { 0.3 + rng.f64() } else { 0.0 };
        length += bone;
        let kind = if place < count { hinge } else { Kind::Fixed };
        let spec = JointSpec::default().translation(direction(rng) * bone).rotation(rotation(rng)).kind(kind);
        builder.add(if place > 0 { spec.child_of(place - 1) } else { spec });
    }
    let skeleton = builder.build().expect("a chain");
    let tip = skeleton.from_caller(count).expect("a tip");
    (skeleton, tip, length)
}

/// How far the goals are left (root of the sum of squares, lengths of the bones).
fn left(solver: &dyn Solver, skeleton: &Skeleton, goals: &[Goal], length: f64) -> f64 {
    let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
    let _ = solver.solve(skeleton, goals, &mut pose, &mut work);
    let squares = work.residuals().iter().map(|residual| residual.position.length_squared());
    ops::sqrt(squares.sum::<f64>()) / length
}

/// How many are missed by all, and by how many of them `Jacobian` and `Auto` are behind the best by more than a thousandth of the length.
fn behind(problems: impl Iterator<Item = (Skeleton, Vec<Goal>, f64)>) -> (u32, [u32; 2]) {
    let (mut missed, mut behind) = (0, [0; 2]);
    for (skeleton, goals, length) in problems {
        let left = |solver: &dyn Solver| left(solver, &skeleton, &goals, length);
        let own = [left(&Jacobian::default()), left(&Auto::default())];
        let best = own.into_iter().fold(left(&Jacobian { restarts: 24, ..Jacobian::default() }), f64::min);
        missed += u32::from(best > 1e-6);
        for (behind, own) in behind.iter_mut().zip(own) {
            *behind += u32::from(own > best + 1e-3);
        }
    }
    (missed, behind)
}

/// A descent may end at another minimum than the least where limits are in the way: then others start elsewhere. Of 179 trees `Jacobian`
/// and `Auto` leave 11 and 8 behind, for the sake of an answer near the pose given; the nearest of all starts leaves 5.
#[test]
fn trees_come_nearly_as_near_as_from_many_starts() {
    let (missed, behind) = behind((0..180).map(|seed| {
        let rng = &mut Rng::with_seed(seed);
        let (skeleton, tips, length) = tree(rng);
        let goals = tips.map(|tip| Goal::position(tip, direction(rng) * length * (0.2 + 0.7 * rng.f64())));
        (skeleton, goals.to_vec(), length)
    }));
    assert!(missed > 150 && behind.iter().all(|&behind| behind <= 13), "of {missed} trees {behind:?} are behind");
}

/// The same of hinges: of 224 chains `Jacobian` leaves 3 behind, and left 30; `Auto` none.
#[test]
fn hinges_come_nearly_as_near_as_from_many_starts() {
    let (missed, behind) = behind((0..240).map(|seed| {
        let rng = &mut Rng::with_seed(seed);
        let (skeleton, tip, length) = hinges(rng);
        let goal = Goal::position(tip, direction(rng) * length * (0.2 + 0.7 * rng.f64()));
        (skeleton, vec![goal], length)
    }));
    assert!(missed > 150 && behind.iter().all(|&behind| behind <= 10), "of {missed} chains {behind:?} are behind");
}

/// A limb's form comes as near to the place as may be and leaves the turn: where the tip cannot turn, another method does better.
#[test]
fn a_frame_out_of_reach_is_not_left_to_a_tip_that_cannot_turn() {
    let mut worse = 0;
    for seed in 0..40 {
        let rng = &mut Rng::with_seed(seed);
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::default().kind(Kind::BALL));
        builder.add(JointSpec::default().child_of(0).translation(direction(rng)).kind(Kind::hinge(direction(rng))));
        builder.add(JointSpec::default().child_of(1).translation(direction(rng)).kind(Kind::Fixed));
        let skeleton = builder.build().expect("a limb");
        let tip = skeleton.from_caller(2).expect("a tip");
        let goal = [Goal::frame(tip, direction(rng) * 2.2, rotation(rng))];
        let cost = |solver: &dyn Solver| {
            let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
            let _ = solver.solve(&skeleton, &goal, &mut pose, &mut work);
            let left = &work.residuals()[0];
            let (far, turned) = (left.position_error(), 2.0 * left.rotation_error());
            far * far + turned * turned
        };
        worse += u32::from(cost(&Auto::default()) > 1.01 * cost(&Jacobian::default()));
    }
    assert!(worse <= 2, "{worse} of 40 frames are left farther than by `Jacobian`");
}

/// A robot's arm of six hinges: its tip and its length.
fn arm(rng: &mut Rng) -> (Skeleton, Joint, f64) {
    let mut builder = SkeletonBuilder::new();
    let mut parent = builder.add(JointSpec::default().kind(Kind::Fixed));
    let mut length = 0.0;
    for axis in [DVec3::Z, DVec3::Y, DVec3::Y, DVec3::Z, DVec3::Y, DVec3::Z] {
        let bone = 0.1 + 0.3 * rng.f64();
        let most = 1.5 + 1.5 * rng.f64();
        length += bone;
        let spec = JointSpec::default().child_of(parent).translation(DVec3::Z * bone);
        parent = builder.add(spec.kind(Kind::hinge(axis).within(-most, most)));
    }
    let skeleton = builder.build().expect("an arm");
    let tip = skeleton.from_caller(parent).expect("a tip");
    (skeleton, tip, length)
}

/// Of 100 frames beyond the reach of robots' arms `Auto` leaves 2 by a hundredth more than the best of a dozen starts; by one descent 15.
#[test]
fn a_frame_beyond_an_arm_is_left_by_its_nearest_branch() {
    let mut behind = 0;
    for seed in 0..100 {
        let rng = &mut Rng::with_seed(seed);
        let (skeleton, tip, length) = arm(rng);
        let goal = Goal::frame(tip, direction(rng) * length * (1.1 + rng.f64()), rotation(rng));
        let left = |solver: &dyn Solver, mut pose: Pose| {
            let mut work = Workspace::default();
            let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
            let turned = outcome.rotation_error * length;
            ops::sqrt(outcome.position_error * outcome.position_error + turned * turned) / length
        };
        let asked = left(&Auto::default(), skeleton.neutral_pose());
        let best = (0..12).map(|_| {
            let mut start = skeleton.neutral_pose();
            for (index, coordinate) in skeleton.coordinates().iter().enumerate() {
                let Range { min, max } = coordinate.range;
                start.edit(&skeleton).coordinate(index, min + (max - min) * rng.f64());
            }
            left(&Jacobian::default(), start)
        });
        behind += usize::from(asked > best.fold(f64::INFINITY, f64::min) + 0.01);
    }
    assert!(behind <= 6, "{behind} of 100");
}
