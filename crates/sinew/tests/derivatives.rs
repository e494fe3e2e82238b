//! Columns of every kind of goal against finite differences, on every kind of joint, below mirrors and
//! scale.

use sinew::glam::{BVec3, DAffine3, DMat3, DQuat, DVec3};
use sinew::laws::rigs::{direction, rotation};
use sinew::math::arc;
use sinew::solve::jacobian::{GoalTask, Task, derivative};
use sinew::{Goal, Joint, JointSpec, Kind, Mask, Mass, Pose, Skeleton, SkeletonBuilder, Slack, Transform};

const STEP: f64 = 1e-6;

/// A body that travels, with two arms of unlike joints.
fn body(rng: &mut fastrand::Rng, base: DMat3) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let mut add = |name: &str, parent: Option<&str>, kind: Kind, rng: &mut fastrand::Rng| {
        let weight = Mass { mass: rng.f64(), center: direction(rng) * 0.2 };
        let spec = JointSpec { mass: weight, ..JointSpec::named(name) };
        let spec = spec.kind(kind).translation(direction(rng)).rotation(rotation(rng));
        builder.add(match parent {
            Some(parent) => spec.child_of(parent),
            None => JointSpec { base: DAffine3::from_mat3(base), ..spec },
        });
    };
    add("root", None, Kind::Free, rng);
    add("spine", Some("root"), Kind::hinge(direction(rng)), rng);
    add("chest", Some("spine"), Kind::BALL, rng);
    add("lift", Some("chest"), Kind::slide(direction(rng)), rng);
    add("left", Some("lift"), Kind::BALL, rng);
    add("hand", Some("left"), Kind::hinge(direction(rng)), rng);
    add("right", Some("chest"), Kind::hinge(direction(rng)), rng);
    add("foot", Some("right"), Kind::BALL, rng);
    builder.build().expect("a body")
}

fn posed(skeleton: &Skeleton, rng: &mut fastrand::Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    for joint in skeleton.iter() {
        if let Some(drive) = skeleton.drive(joint) {
            pose.edit(skeleton).coordinate(drive.coordinate, rng.f64() - 0.5);
        } else {
            pose.edit(skeleton).rotation(joint, rotation(rng));
        }
    }
    pose
}

/// The pose with one freedom of a joint moved, as `derivative` counts them.
fn moved(skeleton: &Skeleton, pose: &Pose, joint: Joint, freedom: usize, by: f64) -> Pose {
    let mut pose = pose.clone();
    let local = *pose.local(joint);
    if let Some(drive) = skeleton.drive(joint) {
        let q = pose.coordinates()[drive.coordinate];
        pose.edit(skeleton).coordinate(drive.coordinate, q + by);
    } else if freedom < 3 {
        let turn = arc::axis_angle(DVec3::AXES[freedom], by);
        pose.edit(skeleton).local(joint, Transform { rotation: turn * local.rotation, ..local });
    } else {
        pose.edit(skeleton).translation(joint, local.translation + DVec3::AXES[freedom - 3] * by);
    }
    pose
}

fn error(task: &GoalTask, skeleton: &Skeleton, pose: &Pose) -> Vec<f64> {
    let mut rows = vec![0.0; task.rows()];
    task.error(skeleton, pose, &mut rows);
    rows
}

/// Every column of every part of a goal; `rotations` says whether rotation rows are exact here.
fn check(skeleton: &Skeleton, pose: &Pose, goal: &Goal, rotations: bool) {
    for task in GoalTask::parts(skeleton, goal) {
        let turns = goal.target.rotation().is_some() && goal.target.position().is_none();
        if turns && !rotations {
            continue;
        }
        for joint in skeleton.iter() {
            for (freedom, column) in derivative(&task, skeleton, pose, joint).iter().enumerate() {
                let at = |by: f64| error(&task, skeleton, &moved(skeleton, pose, joint, freedom, by));
                let (ahead, behind) = (at(STEP), at(-STEP));
                for (row, rate) in column.iter().enumerate() {
                    let difference = (behind[row] - ahead[row]) / (2.0 * STEP);
                    let name = skeleton.name(joint).unwrap_or_default();
                    assert!(
                        (difference - rate).abs() < 2e-7 * (1.0 + rate.abs()),
                        "{name} {freedom}, row {row} of {task:?}: {rate}, differences say {difference}"
                    );
                }
            }
        }
    }
}

fn goals(skeleton: &Skeleton, rng: &mut fastrand::Rng) -> Vec<Goal> {
    let [hand, foot, chest, spine] = skeleton.joints(["hand", "foot", "chest", "spine"]).expect("its joints");
    let place = direction(rng) * 2.0;
    let turn: DQuat = rotation(rng).into();
    let half =
        Mask { position: BVec3::new(true, false, true), rotation: BVec3::new(false, true, true), ..Mask::default() };
    let plain = [
        Goal::position(hand, place).offset(direction(rng)),
        Goal::rotation(hand, turn),
        Goal::frame(foot, place, turn),
        Goal::aim(hand, direction(rng), place).offset(direction(rng) * 0.3),
        Goal::aim(foot, direction(rng), place).up(direction(rng)),
        Goal::axis(hand, direction(rng), direction(rng)).up(direction(rng)),
        Goal::center_of_mass(chest, place),
        Goal::center_of_mass(spine, place),
    ];
    let masked = plain.map(|goal| goal.mask(half));
    let slack = Slack { position: DVec3::new(0.8, 0.0, 0.3), rotation: DVec3::new(0.0, 1.1, 0.4) };
    let loose = plain.map(|goal| goal.slack(slack));
    let related = plain.map(|goal| goal.relative_to(if goal.joint == hand { foot } else { hand }));
    plain.into_iter().chain(masked).chain(loose).chain(related).collect()
}

#[test]
fn columns_are_the_derivatives() {
    for seed in 0..12 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mirror = if rng.bool() { DVec3::new(-1.0, 1.0, 1.0) } else { DVec3::ONE };
        let turn = DMat3::from_quat(rotation(&mut rng).quaternion());
        let base = turn * DMat3::from_diagonal(mirror * [0.5, 1.0, 3.0][rng.usize(0..3)]);
        let skeleton = body(&mut rng, base);
        let pose = posed(&skeleton, &mut rng);
        for goal in goals(&skeleton, &mut rng) {
            check(&skeleton, &pose, &goal, true);
        }
    }
}

#[test]
fn points_and_directions_are_exact_below_shear_too() {
    for seed in 0..6 {
        let mut rng = fastrand::Rng::with_seed(100 + seed);
        let skew = DMat3::from_cols(DVec3::new(1.0, 0.3, 0.0), DVec3::new(-0.2, 2.0, 0.1), DVec3::new(0.0, 0.4, 0.7));
        let skeleton = body(&mut rng, skew);
        let pose = posed(&skeleton, &mut rng);
        let [hand, chest] = skeleton.joints(["hand", "chest"]).expect("its joints");
        let place = direction(&mut rng) * 2.0;
        for goal in [
            Goal::position(hand, place).offset(direction(&mut rng)),
            Goal::aim(hand, direction(&mut rng), place),
            Goal::axis(hand, direction(&mut rng), direction(&mut rng)),
            Goal::center_of_mass(chest, place),
        ] {
            check(&skeleton, &pose, &goal, false);
        }
    }
}
