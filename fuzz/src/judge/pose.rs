//! Promises about the pose: transforms, lengths, limits, and which joints may move.

use sinew::{Joint, Kind, Pose, Target};

use super::linear::{Affine, length, squared, sub};
use super::{Check, Findings, limits};
use crate::make::{Made, Problem};

const ROUNDING: f64 = 1e-9;

pub(super) fn check(problem: &Problem, made: &Made, pose: &Pose, maps: &[Affine], size: f64, found: &mut Findings) {
    for joint in problem.skeleton.iter() {
        let origin = maps[joint.index()].origin;
        let off = length(sub(origin, pose.position(joint).to_array())) / (length(origin) + size);
        if off > ROUNDING {
            found.add(Check::Transforms, off, "a model transform is not what the local ones make");
        }
        if pose.local(joint) != problem.before.local(joint) {
            moved(problem, made, pose, joint, size, found);
        }
    }
}

/// What a joint must keep to that the solver moved.
fn moved(problem: &Problem, made: &Made, pose: &Pose, joint: Joint, size: f64, found: &mut Findings) {
    let (skeleton, may) = (&problem.skeleton, made.may);
    let (now, before) = (pose.local(joint), problem.before.local(joint));
    let off_length = (squared(now.rotation.to_array()) - 1.0).abs();
    if off_length > ROUNDING {
        found.add(Check::Transforms, off_length, "a rotation has not length 1");
    }
    let (turned, shifted) = (now.rotation != before.rotation, now.translation != before.translation);
    let may_shift = may.stretch || may.travel;
    let kind = skeleton.kind(joint);
    let is_slide = matches!(kind, Kind::Slide { .. });
    if kind == Kind::Fixed && (turned || shifted) && !may_shift {
        found.add(Check::Lengths, 0.0, "a fixed joint moved");
    } else if shifted && !may_shift && !is_slide && kind != Kind::Free {
        let share = now.translation.distance(before.translation) / size;
        if share > ROUNDING {
            found.add(Check::Lengths, share, "a translation changed");
        }
    }
    found.require(!(is_slide && turned) || may.travel, Check::Limits, "a slide turned");
    found.require(may.scale || now.scale == before.scale, Check::Lengths, "a scale changed");
    if (turned || (shifted && !may_shift))
        && let Some((off, how)) = limits::outside(skeleton, pose, joint)
    {
        found.add(Check::Limits, off, how);
    }
    let follows = skeleton.drive(joint).is_some_and(|drive| skeleton.driven(drive.coordinate).count() > 1);
    if !follows && !may.travel && !may.balance {
        found.require(is_above_a_goal(problem, joint), Check::Others, "a joint above no goal moved");
        found.require(is_in_reach_of_a_base(problem, joint), Check::Others, "a joint above every base moved");
    }
}

/// Whether a goal's point, or what it is measured from, hangs on the joint.
fn is_above_a_goal(problem: &Problem, joint: Joint) -> bool {
    let below = |end| problem.skeleton.is_below(end, joint);
    problem.goals.iter().filter(|goal| goal.weight > 0.0).any(|goal| {
        below(goal.joint) || goal.relative_to.is_some_and(below) || matches!(goal.target, Target::CenterOfMass(_))
    })
}

/// Whether some goal has its base above the joint, or no base that counts.
fn is_in_reach_of_a_base(problem: &Problem, joint: Joint) -> bool {
    let skeleton = &problem.skeleton;
    problem
        .goals
        .iter()
        .filter(|goal| goal.weight > 0.0)
        .any(|goal| goal.base.is_none_or(|base| skeleton.is_below(joint, base) || !skeleton.is_below(goal.joint, base)))
}
