//! The objects that `--json` prints. Numbers are whole `f64`s; rotations are `x, y, z, w`.

use serde_json::{Value, json};
use sinew::glam::{DQuat, DVec3};
use sinew::{Joint, Pose};

use crate::report;
use crate::rig::Rig;
use crate::run::{GoalEnd, Run};

/// The object of `solve`.
pub(crate) fn solved(rig: &Rig, run: &Run) -> Value {
    json!({
        "rig": rig.title,
        "solver": run.solvers(),
        "outcome": {
            "status": run.outcome.status.name(),
            "iterations": run.outcome.iterations,
            "time_us": run.time.as_nanos() as f64 * 1e-3,
        },
        "goals": run.ends.iter().map(|end| goal(rig, end, &run.pose)).collect::<Vec<_>>(),
        "joints": rig.skeleton().iter().map(|at| joint(rig, &run.pose, at)).collect::<Vec<_>>(),
    })
}

fn goal(rig: &Rig, end: &GoalEnd, pose: &Pose) -> Value {
    let limb: Vec<String> = end.asked.served.joints().into_iter().map(|at| rig.label(at)).collect();
    json!({
        "joint": rig.label(end.asked.goal.joint),
        "index": rig.figure.node(end.asked.goal.joint),
        "solver": end.asked.served.name(),
        "status": end.residual.status.name(),
        "position_error": end.residual.position_error(),
        "rotation_error": end.residual.rotation_error(),
        "limb": limb,
        "pole_error": report::forbidden_pole(rig, end, pose),
        "blocking": end.blocking.iter().map(|&at| rig.label(at)).collect::<Vec<_>>(),
    })
}

fn joint(rig: &Rig, pose: &Pose, at: Joint) -> Value {
    let local = pose.local(at);
    json!({
        "index": rig.figure.node(at),
        "name": rig.skeleton().name(at),
        "parent": parent(rig, at),
        "local": {
            "translation": vector(local.translation),
            "rotation": quaternion(local.rotation),
            "scale": vector(local.scale),
        },
        "model": {
            "translation": vector(pose.position(at)),
            "rotation": quaternion(pose.rotation(at)),
        },
    })
}

/// The node of the joint's parent; none for roots.
pub(crate) fn parent(rig: &Rig, at: Joint) -> Option<usize> {
    rig.skeleton().parent(at).and_then(|parent| rig.figure.node(parent))
}

fn vector(v: DVec3) -> Value {
    json!(v.to_array())
}

fn quaternion(q: DQuat) -> Value {
    json!(q.to_array())
}
