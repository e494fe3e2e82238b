//! Limbs of a body whose hands have goals together: each folds to the side on which the pose given folds it, however the trunk moves.

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::laws::rigs::direction;
use sinew::limit::{Range, SwingTwist};
use sinew::{
    Auto, BallLimit, Goal, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Solver, Status, Transform, TwoBone,
    Workspace,
};

/// Sine of a bend from which its side is clear.
const CLEAR: f64 = 0.05;

/// Two straight arms of free balls on a spine of two: the skeleton, and of each arm shoulder, elbow and hand.
fn body() -> (Skeleton, [[Joint; 3]; 2]) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("hips"));
    builder.add(JointSpec::named("chest").child_of(0).translation(DVec3::Y * 0.3));
    for (side, name) in [(-0.2, "left"), (0.2, "right")] {
        let mut above = 1;
        for (part, at) in [
            ("shoulder", DVec3::new(side, 0.3, 0.0)),
            ("elbow", DVec3::X * side * 1.5),
            ("hand", DVec3::X * side * 1.4),
        ] {
            above = builder.add(JointSpec::named(format!("{name} {part}")).child_of(above).translation(at));
        }
    }
    let skeleton = builder.build().expect("two arms");
    let arm = |side: &str| {
        ["shoulder", "elbow", "hand"]
            .map(|part| skeleton.joint(format!("{side} {part}").as_str()).expect("named above"))
    };
    let arms = [arm("left"), arm("right")];
    (skeleton, arms)
}

/// The sine of an elbow's bend times its axis, as the upper arm sees it.
fn bend(skeleton: &Skeleton, pose: &Pose, [_, elbow, hand]: [Joint; 3]) -> DVec3 {
    let upper = skeleton.rest(elbow).translation.normalize();
    upper.cross(pose.local(elbow).rotation * skeleton.rest(hand).translation.normalize())
}

#[test]
fn free_limbs_keep_the_side_of_the_pose_given() {
    let (skeleton, arms) = body();
    let mut clear = 0;
    for seed in 0..400 {
        let rng = &mut Rng::with_seed(seed);
        let mut given = skeleton.rest_pose();
        let mut edit = given.edit(&skeleton);
        for [shoulder, elbow, _] in arms {
            edit.rotation(shoulder, DQuat::from_scaled_axis(direction(rng) * rng.f64()));
            edit.rotation(elbow, DQuat::from_scaled_axis(direction(rng) * (0.3 + 1.5 * rng.f64())));
        }
        drop(edit);
        let far = DVec3::new(-0.5, 0.6, 0.0) + direction(rng) * 0.4;
        let goals = [Goal::position(arms[0][2], far), Goal::position(arms[1][2], given.position(arms[1][2]))];
        let mut pose = given.clone();
        let _ = Auto::default().solve(&skeleton, &goals, &mut pose, &mut Workspace::default());
        for arm in arms {
            let (before, after) = (bend(&skeleton, &given, arm), bend(&skeleton, &pose, arm));
            if before.length() < CLEAR || after.length() < CLEAR {
                continue;
            }
            clear += 1;
            let cosine = before.normalize().dot(after.normalize());
            assert!(cosine > 0.9, "seed {seed}: an elbow folds aside, by a cosine of {cosine}");
        }
    }
    assert!(clear > 400, "{clear} bends are clear");
}

/// A hand that holds on to the other one is where the report says, also where that one's arm would fold otherwise.
#[test]
fn an_arm_that_carries_a_target_stays() {
    let (skeleton, [left, right]) = body();
    for seed in 0..200 {
        let rng = &mut Rng::with_seed(seed);
        let mut pose = skeleton.rest_pose();
        let mut edit = pose.edit(&skeleton);
        for [shoulder, elbow, _] in [left, right] {
            edit.rotation(shoulder, DQuat::from_scaled_axis(direction(rng) * rng.f64()));
            edit.rotation(elbow, DQuat::from_scaled_axis(direction(rng) * (0.3 + 1.5 * rng.f64())));
        }
        drop(edit);
        let beside = direction(rng) * 0.2;
        let goals = [
            Goal::position(left[2], DVec3::new(-0.5, 0.6, 0.0) + direction(rng) * 0.4),
            Goal::position(right[2], beside).relative_to(left[2]),
        ];
        let mut work = Workspace::default();
        let _ = Auto::default().solve(&skeleton, &goals, &mut pose, &mut work);
        let left_over = pose.model(left[2]).transform_point3(beside) - pose.position(right[2]);
        let told = work.residuals()[1].position;
        assert!(told.distance(left_over) < 1e-9, "seed {seed}: {told} said, {left_over} left");
    }
}

/// Elbows that are hinges, and shoulders inside cones.
fn in_limits(skeleton: &Skeleton, arms: [[Joint; 3]; 2]) -> Skeleton {
    let cone = SwingTwist::new(DVec3::X, 1.4, Range::new(-1.0, 1.0)).expect("a cone");
    let limited = skeleton.revised(|joint, spec| {
        for [shoulder, elbow, _] in arms {
            if joint == shoulder {
                spec.kind = Kind::Ball(BallLimit::SwingTwist(cone));
            } else if joint == elbow {
                spec.kind = Kind::hinge(DVec3::Y).within(0.0, 2.5);
            }
        }
    });
    limited.expect("the same joints")
}

/// How many arms lie as their closed form lays them from the pose given, of those that it brings as near: hands whose targets are
/// nearby, or of which one's is so many times as far from the hips.
fn laid(skeleton: &Skeleton, arms: [[Joint; 3]; 2], reach: f64) -> [usize; 2] {
    let arms = arms.map(|arm| arm.map(|joint| skeleton.at(joint.index()).expect("the same joints")));
    let [mut laid, mut all] = [0; 2];
    for seed in 0..200 {
        let rng = &mut Rng::with_seed(seed);
        let mut given = skeleton.neutral_pose();
        for [shoulder, elbow, _] in arms {
            let turned = Transform {
                rotation: DQuat::from_scaled_axis(direction(rng) * 0.8 * rng.f64()),
                ..*given.local(shoulder)
            };
            let allowed = skeleton.nearest_allowed(shoulder, &turned, 0.0);
            given
                .edit(skeleton)
                .local(shoulder, allowed)
                .rotation(elbow, DQuat::from_axis_angle(DVec3::Y, 0.3 + 1.5 * rng.f64()));
        }
        let [hand, other] = [given.position(arms[0][2]) + direction(rng) * 0.2, given.position(arms[1][2])];
        let goals = [Goal::position(arms[0][2], hand * reach), Goal::position(arms[1][2], other)];
        let (mut pose, mut work) = (given.clone(), Workspace::default());
        let reaches = Auto::default().solve(skeleton, &goals, &mut pose, &mut work).status == Status::Reached;
        if reaches != (reach == 1.0) {
            continue;
        }
        let left = [0, 1].map(|place| work.residuals()[place].position_error());
        for (([shoulder, elbow, tip], goal), left) in arms.into_iter().zip(goals).zip(left) {
            let limb = TwoBone::new(skeleton, shoulder, elbow, tip).expect("a limb");
            let mut lone = pose.clone();
            lone.edit(skeleton).local(shoulder, *given.local(shoulder)).local(elbow, *given.local(elbow));
            let _ = limb.solve(skeleton, &[goal], &mut lone, &mut work);
            if work.residuals()[0].position_error() <= left + 1e-9 {
                let off = lone.local(shoulder).rotation.angle_between(pose.local(shoulder).rotation);
                laid += usize::from(off < 1e-5);
                all += 1;
            }
        }
    }
    [laid, all]
}

#[test]
fn limbs_inside_limits_lie_as_the_closed_form_lays_them_from_the_pose_given() {
    let (free, arms) = body();
    let [laid, all] = laid(&in_limits(&free, arms), arms, 1.0);
    assert!(laid == all && all > 150, "{laid} of {all} limbs were laid");
}

/// Also where one hand's target is far out of reach, and the answer is one near the pose given.
#[test]
fn so_do_free_limbs_of_answers_near_the_pose_given() {
    let (free, arms) = body();
    let [laid, all] = laid(&free, arms, 3.0);
    assert!(laid == all && all > 150, "{laid} of {all} limbs were laid");
}
