//! What became of each goal, measured on the pose.

use super::body::{Motion, NONE};
use super::solver::Fabrik;
use super::tree::{Tree, cube_root_of_volume};
use crate::goal::Goal;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::{Residual, Solver, Status, Workspace};

/// Share of a turn that a limit must keep from a joint for it to be named.
const BLOCKED: f64 = 0.1;
/// Turn (radians) that is worth nothing.
const STILL: f64 = 1e-6;

/// Reports every goal served.
pub(super) fn report(
    settings: &Fabrik,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &Pose,
    tree: &mut Tree,
    spent: bool,
    work: &mut Workspace,
) {
    for (i, goal) in goals.iter().enumerate().filter(|(_, goal)| goal.weight > 0.0 && settings.serves(skeleton, goal)) {
        let residual = Residual::measured(goal, pose, Status::Reached);
        let Some(e) = tree.effectors.iter().position(|effector| effector.goal == i) else {
            let near = goal.tolerance.map_or((0.0, settings.tolerance), |t| (t.position, t.rotation));
            let met = residual.position_error() <= near.0 && residual.rotation_error() <= near.1;
            let status = match () {
                () if Fabrik::is_aim(goal) && residual.rotation.is_none() => Status::Singular,
                () if met => Status::Reached,
                () if tree.is_singular(goal) => Status::Singular,
                () => Status::Stalled,
            };
            work.residuals_mut()[i] = Residual { status, ..residual };
            continue;
        };
        let effector = &tree.effectors[e];
        let scale = cube_root_of_volume(&tree.spaces[effector.space].out);
        // Rounding in the pose's own coordinates, far from the origin.
        let rounding = 1e-14 * (arc::length(pose.position(goal.joint)) + effector.reach * scale);
        let met = residual.position_error() <= effector.near_in_model + rounding
            && residual.rotation_error() <= effector.near.1.max(1e-12);
        let status = match () {
            () if Fabrik::is_aim(goal) && residual.rotation.is_none() => Status::TooClose,
            () if met => Status::Reached,
            () if tree.was_met[e] && goal.weight < 1.0 => Status::Softened,
            () => missed(skeleton, tree, e, i, spent, work),
        };
        work.residuals_mut()[i] = Residual { status, ..residual };
    }
}

/// Why a goal is not met; blocking joints are named.
fn missed(skeleton: &Skeleton, tree: &mut Tree, e: usize, goal: usize, spent: bool, work: &mut Workspace) -> Status {
    let mut limited = false;
    let mut at = tree.effectors[e].body;
    while at != NONE {
        if tree.acts(at, e) && is_blocked(skeleton, tree, at, e) {
            work.block(goal, tree.bodies[at].joint);
            limited = true;
        }
        at = tree.bodies[at].above;
    }
    let effector = &tree.effectors[e];
    let beyond = effector.beyond(&tree.bodies).filter(|&beyond| beyond > effector.near.0);
    let far = effector.target.zip(tree.bodies.get(effector.top)).map(|(to, top)| arc::length(to - top.place));
    match far.filter(|_| beyond.is_some()) {
        Some(far) if far > effector.reach => Status::OutOfReach,
        Some(_) => Status::TooClose,
        _ if limited => Status::Limited,
        _ if spent => Status::OutOfIterations,
        _ => Status::Stalled,
    }
}

/// Whether a joint's limit keeps it from bringing the goal nearer.
fn is_blocked(skeleton: &Skeleton, tree: &mut Tree, body: usize, e: usize) -> bool {
    if tree.bodies[body].motion == Motion::Free {
        return false;
    }
    let above = tree.above(body);
    let now = tree.bodies[body];
    tree.collect_goal(body, e);
    let mut wanted = now;
    wanted.motion = match now.motion {
        Motion::Hinge { axis, .. } => Motion::Hinge { axis, range: crate::limit::Range::FREE },
        _ => Motion::Free,
    };
    wanted.fit(skeleton, above, &tree.pairs);
    let mut allowed = now;
    allowed.fit(skeleton, above, &tree.pairs);
    let turn = |q: glam::DQuat| arc::length(arc::rotation_vector(q * now.turn.conjugate()));
    let (whole, part) = (turn(wanted.turn), turn(allowed.turn));
    whole > STILL && part < (1.0 - BLOCKED) * whole
}
