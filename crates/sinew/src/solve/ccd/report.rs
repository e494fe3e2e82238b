//! What a solve says of each goal.

use super::descent::Stop;
use super::part::{Motion, Setting};
use super::step;
use super::tree::Tree;
use super::wish::Wish;
use crate::goal::Goal;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::{Residual, Status, TargetInModel, Workspace};

/// Share of a chain's length by which a target may lie beyond its reach and count as within.
const SLACK: f64 = 1e-12;

/// Reports every goal that was served.
pub(super) fn report(
    skeleton: &Skeleton,
    goals: &[Goal],
    tree: &mut Tree,
    stop: Stop,
    pose: &Pose,
    work: &mut Workspace,
) {
    if stop != Stop::Met {
        tree.down(None);
    }
    for wish in &tree.wishes {
        let goal = &goals[wish.place];
        let mut residual = Residual::measured(goal, pose, Status::Reached);
        let met = residual.position_error() <= wish.near.0 && residual.rotation_error() <= wish.near.1;
        if !met {
            residual.status = if goal.weight < 1.0 && tree.meets(wish) {
                Status::Softened
            } else {
                let blocked = block(skeleton, tree, wish, work);
                match (reach(skeleton, goal, wish, tree, pose), stop) {
                    (Some(status), _) => status,
                    (None, Stop::Spent) => Status::OutOfIterations,
                    (None, _) if blocked => Status::Limited,
                    (None, _) => Status::Stalled,
                }
            };
        }
        work.residuals_mut()[wish.place] = residual;
    }
}

/// Parts on a goal's way that may move for it.
fn movers<'a>(skeleton: &'a Skeleton, tree: &'a Tree, wish: &'a Wish) -> impl DoubleEndedIterator<Item = usize> + 'a {
    (0..tree.parts.len()).filter(move |&at| {
        let part = &tree.parts[at];
        part.moves && skeleton.is_below(wish.joint, part.joint) && skeleton.is_below(part.joint, wish.top)
    })
}

/// Names the joints whose limits hold a goal back; whether there are any.
fn block(skeleton: &Skeleton, tree: &Tree, wish: &Wish, work: &mut Workspace) -> bool {
    let mut any = false;
    for at in movers(skeleton, tree, wish) {
        let part = &tree.parts[at];
        if step::is_blocked(part, tree.state.settings[at], &tree.entries[part.first as usize..part.end as usize]) {
            work.block(wish.place, part.joint);
            any = true;
        }
    }
    any
}

/// `TooClose` or `OutOfReach` where no turns of the chain bring the goal's point to its place.
fn reach(skeleton: &Skeleton, goal: &Goal, wish: &Wish, tree: &Tree, pose: &Pose) -> Option<Status> {
    let target = TargetInModel::of(goal, pose).position.filter(|_| goal.mask.position.all())?;
    if tree.parts.iter().any(|part| part.even_scale().is_none()) {
        return None;
    }
    let mut last = pose.model(goal.joint).transform_point3(goal.offset);
    let (mut far, mut longest, mut slack) = (0.0, 0.0_f64, 0.0);
    let mut scale = 1.0_f64;
    for at in movers(skeleton, tree, wish).rev() {
        let part = &tree.parts[at];
        let here = pose.position(part.joint);
        let link = arc::length(here - last);
        let columns = pose.model(part.joint).matrix3;
        scale =
            scale.max(arc::length(columns.x_axis)).max(arc::length(columns.y_axis)).max(arc::length(columns.z_axis));
        match (part.motion, tree.state.settings[at]) {
            (Motion::Slide { range, .. }, Setting::Slid(value)) => {
                slack += (range.max - value).max(value - range.min) * scale;
            }
            (Motion::Free, _) => return None,
            _ => {
                far += link;
                longest = longest.max(link);
                last = here;
            }
        }
    }
    let distance = arc::length(target - last);
    let rounding = SLACK * wish.length;
    if distance > far + slack + rounding {
        return Some(Status::OutOfReach);
    }
    (distance < 2.0 * longest - far - slack - rounding).then_some(Status::TooClose)
}
