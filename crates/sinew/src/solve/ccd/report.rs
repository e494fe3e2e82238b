//! Why goals were missed.

use super::descent::Stop;
use super::effector::Effector;
use super::settings::Ccd;
use super::step;
use super::tree::PartTree;
use crate::goal::{Goal, Tolerance};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::problem::Engine as _;
use crate::solve::report::{Miss, out_of_reach, report};
use crate::solve::{Status, Workspace};

/// Reports every goal that was served.
pub(super) fn report_all(
    ccd: &Ccd,
    skeleton: &Skeleton,
    goals: &[Goal],
    tree: &mut PartTree,
    stop: Stop,
    pose: &Pose,
    work: &mut Workspace,
) {
    if stop != Stop::Met {
        tree.down(None);
    }
    let tree = &*tree;
    for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| ccd.acts_on(skeleton, goal)) {
        let effector = tree.effectors.iter().find(|effector| effector.place == place);
        let near = effector.map_or((0.0, ccd.rotation_tolerance), |effector| effector.near);
        let own = Tolerance { position: near.0, rotation: near.1 };
        report(skeleton, (place, goal), pose, own, work, |work| {
            let Some(effector) = effector else { return Miss::of(Status::Singular) };
            block(skeleton, tree, effector, work);
            Miss {
                shown: out_of_reach(skeleton, goal, pose, &|joint| {
                    movers(skeleton, tree, effector).any(|at| tree.parts[at].joint == joint)
                }),
                spent: stop == Stop::Spent,
                ..Miss::default()
            }
        });
    }
}

/// Parts on a goal's way that may move for it.
fn movers<'a>(skeleton: &'a Skeleton, tree: &'a PartTree, effector: &'a Effector) -> impl Iterator<Item = usize> + 'a {
    (0..tree.parts.len()).filter(move |&at| {
        let part = &tree.parts[at];
        part.moves && skeleton.is_below(effector.joint, part.joint) && skeleton.is_below(part.joint, effector.top)
    })
}

/// Names the joints whose limits hold a goal back.
fn block(skeleton: &Skeleton, tree: &PartTree, effector: &Effector, work: &mut Workspace) {
    for at in movers(skeleton, tree, effector) {
        let part = &tree.parts[at];
        if step::is_blocked(part, tree.state.settings[at], &tree.entries[part.first as usize..part.end as usize]) {
            work.block(effector.place, part.joint);
        }
    }
}
