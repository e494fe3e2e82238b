//! The quick way through the door: one goal of full weight for one [plain](super::plain) limb. Most calls are that, and need no
//! easing, owners, stages or priorities. The answer is the door's, bit for bit.

use glam::DVec3;

use super::settings::TwoBone;
use super::{plain, run};
use crate::goal::{Goal, Slack};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::report::{Miss, first_reason, is_there, report, tolerance};
use crate::solve::{Outcome, TargetInModel, Workspace, orient, place_left};

/// Solves what is plain; `None`, with nothing touched, where the door has to look.
#[inline(never)]
pub(super) fn solve(
    limb: &TwoBone,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
) -> Option<Outcome> {
    let [goal] = goals else { return None };
    if work.is_nested() || !pose.fits(skeleton) || !is_one_place(limb, skeleton, goal) || !goal.is_valid(skeleton) {
        return None;
    }
    let target = TargetInModel::of(goal, pose);
    let own = run::tolerance(limb, goal, pose);
    if is_there(goal, pose, place_left(goal, pose), tolerance(goal, own)) {
        return None;
    }
    let arrival = &limb.arrival(target.position, target.rotation, goal.offset, pose)?;
    let pole = goal.pole.map(|pole| (pole, goal.pole_relative_to.or(goal.relative_to)));
    let placement = &plain::place(limb, skeleton, pose, (arrival.target?, arrival.offset), pole)?;
    work.begin(goals);
    limb.apply(skeleton, placement, pose);
    let turned = orient::turn(skeleton, pose, limb.tip, arrival.rotation, &mut |joint| work.block(0, joint));
    let status = first_reason(placement.status, turned);
    // The tip's turn carries its point nearer or farther.
    let own = if goal.offset == DVec3::ZERO { own } else { run::tolerance(limb, goal, pose) };
    report(skeleton, (0, goal), pose, own, work, |_| Miss::of(status));
    work.residuals_mut()[0].swivel = Some(placement.swivel);
    Some(work.outcome(1))
}

/// Whether a goal asks for the place of the limb's tip, with or without its rotation, as most do.
fn is_one_place(limb: &TwoBone, skeleton: &Skeleton, goal: &Goal) -> bool {
    goal.joint == limb.tip
        && goal.weight == 1.0
        && goal.swivel.is_none()
        && goal.pole.is_none_or(|pole| pole.asks())
        && goal.base.is_none()
        && goal.mask.position.all()
        && goal.mask.rotation.all()
        && goal.slack == Slack::NONE
        && goal.target.position().is_some()
        && [limb.root, limb.mid].iter().all(|&joint| skeleton.contains(joint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::Pole;
    use crate::skeleton::{JointSpec, SkeletonBuilder};
    use crate::solve::{Solver as _, problem};
    use crate::transform::Transform;
    use glam::DQuat;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn says_and_does_what_the_door_does(
            v in prop::array::uniform8(vector()),
            (mirrored, framed, posed, from_chest) in (prop::bool::ANY, prop::bool::ANY, prop::bool::ANY, prop::bool::ANY),
        ) {
            let mut builder = SkeletonBuilder::new();
            for (place, (name, translation)) in
                [("chest", v[0]), ("arm", v[1]), ("elbow", v[2]), ("hand", v[3]), ("finger", v[1])].into_iter().enumerate()
            {
                let scale = DVec3::new(if mirrored && place == 0 { -1.0 } else { 1.0 }, 1.0, 1.0);
                let spec = JointSpec::named(name).rest(Transform { scale, ..Transform::from_translation(translation + DVec3::Y * 2.0) });
                builder.add(if place == 0 { spec } else { spec.child_of(place - 1) });
            }
            let skeleton = builder.build().expect("five joints in a row");
            let [chest, hand] = skeleton.joints(["chest", "hand"]).expect("named above");
            let limb = TwoBone::ending_at(&skeleton, hand).expect("two bones");
            let mut pose = skeleton.rest_pose();
            for joint in [limb.root, limb.mid] {
                pose.edit(&skeleton).rotation(joint, DQuat::from_scaled_axis(v[4] + v[joint.index()]));
            }
            let target = if from_chest { v[5] } else { pose.position(limb.root) + v[5] * 2.0 };
            let rotation = DQuat::from_scaled_axis(v[6]);
            let mut goal = if framed { Goal::frame(hand, target, rotation) } else { Goal::position(hand, target) };
            if posed {
                goal = goal.pole(Pole::Direction(v[7])).offset(v[7] * 0.1);
            }
            if from_chest {
                goal = goal.relative_to(chest);
            }
            let (mut quick, mut door) = (pose.clone(), pose);
            let (mut work, mut told) = (Workspace::default(), Workspace::default());
            let outcome = solve(&limb, &skeleton, &[goal], &mut quick, &mut work);
            prop_assume!(outcome.is_some());
            let expected = problem::solve(&limb, &skeleton, &[goal], &mut door, &mut told);
            prop_assert_eq!(&quick, &door);
            prop_assert_eq!(outcome, Some(expected));
            let near = |work: &Workspace| work.residuals()[0].tolerance.expect("it was served").position;
            prop_assert!((near(&work) - near(&told)).abs() <= 1e-12 * near(&told));
            told.residuals_mut()[0].tolerance = work.residuals()[0].tolerance;
            prop_assert_eq!(work.residuals(), told.residuals());
            prop_assert_eq!(limb.solve(&skeleton, &[goal], &mut quick, &mut work).status, expected.status);
        }
    }
}
