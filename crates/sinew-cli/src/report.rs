//! What people read after a solve: each goal, how it ended, and the limb that served it.

use sinew::glam::DVec3;
use sinew::{BallLimit, Goal, Joint, Kind, Pole, Pose, Skeleton, Status, Target};

use crate::run::{GoalEnd, Run};
use crate::served::Served;
use crate::subject::Subject;
use crate::text;

/// Relative to the limb, and in radians: what is left of a goal met in full is rounding.
const EXACT: f64 = 1e-9;
/// Radians beyond which a limb is said not to turn to its pole.
const FORBIDDEN: f64 = 0.02;

/// The report on a solve.
pub(crate) fn page(subject: &dyn Subject, run: &Run) -> String {
    let title = text::one_line(subject.title());
    let what = if subject.robot().is_some() { "LINK" } else { "JOINT" };
    let pose = subject.pose_page(run);
    if run.ends.is_empty() {
        return format!("{title}: no goals, so nothing moved; add --goal {what}=X,Y,Z\n{pose}");
    }
    let (goals, solvers) = (text::count(run.ends.len(), "goal"), run.solvers());
    let time = run.time.as_nanos() as f64 * 1e-3;
    let rows: Vec<[String; 5]> = run.ends.iter().map(|end| row(subject, run, end)).collect();
    let head = format!("{title}: {goals}, {solvers}, {time:.1} µs: {}\n", run.outcome.status);
    head + &text::columns(&rows) + &pose
}

/// What a goal is, how it ended, and the joints that served it: of a robot its coordinates are told below instead.
fn row(subject: &dyn Subject, run: &Run, end: &GoalEnd) -> [String; 5] {
    let goal = &end.asked.goal;
    let from = goal.relative_to.map(|base| format!(" from {}", subject.label(base))).unwrap_or_default();
    let (kind, path) = if subject.robot().is_some() {
        (kind(goal).to_owned(), String::new())
    } else {
        let path: Vec<String> = end.asked.served.joints().into_iter().map(|joint| subject.label(joint)).collect();
        (String::new(), path.join(" > "))
    };
    let status = end.residual.status.name().to_owned();
    [subject.label(goal.joint) + &from, kind, status, left(subject, run, end), path]
}

fn kind(goal: &Goal) -> &'static str {
    match goal.target {
        Target::Position(_) => "position",
        Target::Rotation(_) => "rotation",
        Target::Frame { .. } => "position and rotation",
        Target::Aim { .. } => "aim",
        _ => "axis",
    }
}

/// Whether the body as a whole is to look somewhere.
fn looks(end: &GoalEnd) -> bool {
    let is_aim = matches!(end.asked.goal.target, Target::Aim { .. } | Target::Axis { .. });
    is_aim && matches!(end.asked.served, Served::Body { .. })
}

/// How far limits keep the limb's middle from the pole that it should turn to (radians), where they do.
pub(crate) fn forbidden_pole(skeleton: &Skeleton, end: &GoalEnd, pose: &Pose) -> Option<f64> {
    let Some(Pole::Point(pole)) = end.asked.goal.pole.filter(|_| end.asked.goal.weight == 1.0) else { return None };
    let [root, mid, tip] = end.asked.served.bend()?.map(|joint| pose.position(joint));
    let along = (tip - root).try_normalize()?;
    let aside = |point: DVec3| (point - root).reject_from_normalized(along);
    let (bent, wanted) = (aside(mid), aside(pole));
    // A straight limb turns nowhere.
    let is_bent = bent.length() > 1e-3 * root.distance(tip) && wanted.length() > 1e-6 * root.distance(tip);
    let limited =
        |joint: &Joint| !matches!(skeleton.kind(*joint), Kind::Fixed | Kind::Free | Kind::Ball(BallLimit::Free));
    let is_limited = end.asked.served.joints().iter().any(limited);
    Some(bent.angle_between(wanted)).filter(|angle| is_bent && is_limited && *angle > FORBIDDEN)
}

/// How far off the goal is, and why.
fn left(subject: &dyn Subject, run: &Run, end: &GoalEnd) -> String {
    let is_robot = subject.robot().is_some();
    let error = error(subject, end);
    let (limb, missed) = if is_robot { ("arm", error.clone() + &offset(end)) } else { ("limb", error.clone()) };
    match end.residual.status {
        Status::Ignored => "left out, its weight is 0".to_owned(),
        Status::Softened if end.asked.goal.weight < 1.0 => {
            format!("{error}, on purpose: its weight is {}", end.asked.goal.weight)
        }
        Status::Softened => format!("{error}, on purpose: soft reach holds back near full stretch and full fold"),
        Status::Held => format!("left as it was, {error}: out of reach"),
        Status::TooClose if matches!(end.asked.served, Served::Aim(_)) => {
            format!("{error}: the target is too near to aim at")
        }
        Status::TooClose => format!("{missed}: the {limb} folds no nearer"),
        Status::OutOfReach if looks(end) => {
            format!("{error}: as far as a person turns (--solver limbs turns all the way)")
        }
        Status::OutOfReach if is_robot => format!("{missed}: the arm is too short"),
        Status::OutOfReach if end.asked.goal.target.position().is_none() => {
            format!("{error}: it gives way for the tip's position (--yields position keeps it)")
        }
        Status::OutOfReach => {
            format!("{} short{}", subject.length(end.residual.position_error()), subject.shortness(run, end))
        }
        Status::Limited => {
            let blocking = text::list(subject.blocking(end).into_iter());
            format!("{missed}: the limits of {blocking} stand in the way")
        }
        Status::Reached => match forbidden_pole(subject.skeleton(), end, &run.pose) {
            Some(angle) => {
                let mid = end.asked.served.bend().map(|[_, mid, _]| subject.label(mid)).unwrap_or_default();
                format!("{error}, but limits keep {mid} {} from its pole", text::angle(angle))
            }
            None => error,
        },
        Status::Singular => format!("{error}: a scale of zero or bones of no length leave no answer"),
        Status::Stalled | Status::OutOfIterations if is_robot => {
            format!("{missed}: nothing nearer was found; more --restarts or another --seed may find it")
        }
        Status::Stalled => format!("{error}: other goals or uneven scale stand in the way"),
        Status::OutOfIterations => format!("{error}: the solver's steps ran out; more --restarts may come nearer"),
        _ => missed,
    }
}

/// Where a missed target lies from the tip.
fn offset(end: &GoalEnd) -> String {
    let left = end.residual.position;
    if left == DVec3::ZERO {
        return String::new();
    }
    let [x, y, z] = left.to_array().map(text::length);
    format!(" (the target lies {x}, {y}, {z} from there)")
}

/// `3.20 mm and 0.50° off`, as far as the goal asks for them.
fn error(rig: &dyn Subject, end: &GoalEnd) -> String {
    let (goal, residual) = (&end.asked.goal, &end.residual);
    let (far, turned) = (residual.position_error(), residual.rotation_error());
    let far = (goal.target.position().is_some() && far > EXACT * limb_length(rig, end)).then(|| rig.length(far));
    let points = matches!(goal.target, Target::Aim { .. } | Target::Axis { .. });
    let turned = ((points || goal.target.rotation().is_some()) && turned > EXACT).then(|| text::angle(turned));
    let scaled = matches!(goal.target, Target::Scale(_)) && residual.scale_error() > EXACT;
    match (far, turned) {
        (None, None) if scaled => format!("{:.3} off in scale", residual.scale_error()),
        (Some(far), Some(turned)) => format!("{far} and {turned} off"),
        (Some(off), None) | (None, Some(off)) => format!("{off} off"),
        (None, None) => "exactly".to_owned(),
    }
}

/// Length of the limb at rest, the unit of errors.
fn limb_length(rig: &dyn Subject, end: &GoalEnd) -> f64 {
    let rest = rig.skeleton().rest_pose();
    end.asked.served.joints().windows(2).map(|pair| rest.position(pair[0]).distance(rest.position(pair[1]))).sum()
}

/// What to say about clips that will hide the pose in viewers.
pub(crate) fn clips(names: &[String]) -> String {
    let (clips, move_them) =
        (text::count(names.len(), "animation clip"), if names.len() == 1 { "moves" } else { "move" });
    let names = text::list(names.iter().map(|name| text::short_name(name)));
    format!("{clips} {move_them} these joints ({names}); viewers play them: --still leaves them out")
}
