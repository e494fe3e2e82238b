//! Why goals were missed.

use super::body::{Body, BodyMotion, NONE};
use super::settings::Fabrik;
use super::tree::BodyTree;
use crate::goal::Goal;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::problem::Engine as _;
use crate::solve::report::{Miss, out_of_reach, report};
use crate::solve::{Status, Workspace};

/// Share of a turn that a limit must keep from a joint for it to be named.
const BLOCKED: f64 = 0.1;
/// Turn (radians) that is worth nothing.
const STILL: f64 = 1e-6;

/// Reports every goal served.
pub(super) fn report_all(
    settings: &Fabrik,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &Pose,
    tree: &mut BodyTree,
    spent: bool,
    work: &mut Workspace,
) {
    for (i, goal) in goals.iter().enumerate().filter(|(_, goal)| settings.acts_on(skeleton, goal)) {
        let hung = tree.effector_of(goals, i);
        let own = settings.tolerance(skeleton, goals, goal, pose);
        report(skeleton, (i, goal), pose, own, work, |work| match hung {
            Some(e) => missed(skeleton, (tree, e), (i, goal), pose, spent, work),
            None if tree.is_singular(goal) => Miss::of(Status::Singular),
            None => Miss::default(),
        });
    }
}

/// Why a goal is not met; blocking joints are named.
fn missed(
    skeleton: &Skeleton,
    (tree, e): (&mut BodyTree, usize),
    (place, goal): (usize, &Goal),
    pose: &Pose,
    spent: bool,
    work: &mut Workspace,
) -> Miss {
    let mut at = tree.effectors[e].body;
    while at != NONE {
        if tree.acts(at, e) && is_blocked(skeleton, tree, at, e) {
            work.block(place, tree.bodies[at].joint);
        }
        at = tree.bodies[at].above;
    }
    let acts = |joint| tree.bodies.iter().position(|body| body.joint == joint).is_some_and(|body| tree.acts(body, e));
    let shown = out_of_reach(skeleton, goal, pose, &acts);
    Miss { shown, spent, ..Miss::default() }
}

/// Whether a joint's limit keeps it from bringing the goal nearer.
fn is_blocked(skeleton: &Skeleton, tree: &mut BodyTree, body: usize, e: usize) -> bool {
    if tree.bodies[body].motion == BodyMotion::Free {
        return false;
    }
    let above = tree.above(body);
    let now = Body { ease: 1.0, ..tree.bodies[body] };
    tree.collect_goal(body, e);
    let mut wanted = now;
    wanted.motion = match now.motion {
        BodyMotion::Hinge { axis, .. } => BodyMotion::Hinge { axis, range: crate::limit::Range::FREE },
        _ => BodyMotion::Free,
    };
    wanted.fit(skeleton, above, &tree.pairs);
    let mut allowed = now;
    allowed.fit(skeleton, above, &tree.pairs);
    let turn = |q: glam::DQuat| arc::length(arc::rotation_vector(q * now.turn.conjugate()));
    let (whole, part) = (turn(wanted.turn), turn(allowed.turn));
    whole > STILL && part < (1.0 - BLOCKED) * whole
}
