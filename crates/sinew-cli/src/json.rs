//! The objects that `--json` prints of a solve. Numbers are whole `f64`s in radians and metres; rotations are `x, y, z, w`.

use serde::Serialize;
use sinew::{Joint, Pose, Target};

use crate::run::{GoalEnd, Run};
use crate::subject::Subject;

/// The object of `solve`, and of each solver of `compare`.
#[derive(Serialize)]
pub(crate) struct Solved {
    #[serde(skip_serializing_if = "Option::is_none")]
    robot: Option<String>,
    pub(crate) solver: String,
    pub(crate) outcome: Ended,
    goals: Vec<GoalObject>,
    #[serde(flatten)]
    posed: Posed,
}

#[derive(Serialize)]
pub(crate) struct Ended {
    status: &'static str,
    iterations: u32,
    pub(crate) time_us: f64,
}

#[derive(Serialize)]
struct GoalObject {
    #[serde(flatten)]
    name: GoalName,
    base: Option<String>,
    solver: &'static str,
    status: &'static str,
    position_error: f64,
    rotation_error: f64,
    /// From where the joint ended to the target, in the root's frame; none where the goal asks for no place.
    position_left: Option<[f64; 3]>,
    rotation_left: Option<[f64; 3]>,
    blocking: Vec<String>,
}

/// What is told of a goal of a character or a robot alone.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum GoalName {
    Joint { joint: String, index: Option<usize>, limb: Vec<String>, pole_error: Option<f64> },
    Link { link: String },
}

/// A pose: the joints of a character, the coordinates and links of a robot.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Posed {
    Character { joints: Vec<JointObject> },
    Robot { coordinates: Vec<Coordinate>, links: Vec<Link> },
}

#[derive(Serialize)]
pub(crate) struct JointObject {
    pub(crate) index: Option<usize>,
    pub(crate) name: Option<String>,
    pub(crate) parent: Option<usize>,
    pub(crate) local: Local,
    pub(crate) model: Placed,
}

#[derive(Serialize)]
pub(crate) struct Local {
    pub(crate) translation: [f64; 3],
    pub(crate) rotation: [f64; 4],
    pub(crate) scale: [f64; 3],
}

#[derive(Serialize)]
pub(crate) struct Placed {
    pub(crate) translation: [f64; 3],
    pub(crate) rotation: [f64; 4],
}

/// A robot's coordinate; an end of its range is none where it has no limit.
#[derive(Serialize)]
pub(crate) struct Coordinate {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    /// To the nearer end, negative outside.
    pub(crate) margin: Option<f64>,
    pub(crate) moved: f64,
}

#[derive(Serialize)]
pub(crate) struct Link {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) placed: Placed,
}

impl Placed {
    pub(crate) fn of(pose: &Pose, at: Joint) -> Self {
        Self { translation: pose.position(at).to_array(), rotation: pose.rotation(at).to_array() }
    }
}

impl Solved {
    pub(crate) fn of(subject: &dyn Subject, run: &Run) -> Self {
        let Run { outcome, .. } = run;
        Self {
            robot: subject.robot().map(str::to_owned),
            solver: run.solvers(),
            outcome: Ended {
                status: outcome.status.name(),
                iterations: outcome.iterations,
                time_us: run.time.as_nanos() as f64 * 1e-3,
            },
            goals: run.ends.iter().map(|end| goal(subject, run, end)).collect(),
            posed: subject.posed(run),
        }
    }
}

fn goal(subject: &dyn Subject, run: &Run, end: &GoalEnd) -> GoalObject {
    let (goal, residual) = (&end.asked.goal, &end.residual);
    let turns = matches!(goal.target, Target::Aim { .. } | Target::Axis { .. }) || goal.target.rotation().is_some();
    GoalObject {
        name: subject.goal_name(end, &run.pose),
        base: goal.relative_to.map(|base| subject.label(base)),
        solver: end.asked.served.name(),
        status: residual.status.name(),
        position_error: residual.position_error(),
        rotation_error: residual.rotation_error(),
        position_left: goal.target.position().map(|_| residual.position.to_array()),
        rotation_left: turns.then(|| residual.rotation_vector().to_array()),
        blocking: subject.blocking(end),
    }
}

/// A number that JSON can hold.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
