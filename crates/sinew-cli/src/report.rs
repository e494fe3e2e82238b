//! What people read after a solve: each goal, how it ended, and the limb that served it.

use sinew::glam::DVec3;
use sinew::{BallLimit, Joint, Kind, Pole, Pose, Status, Target};

use crate::request::Names;
use crate::rig::Rig;
use crate::run::{GoalEnd, Run};
use crate::served::Served;
use crate::text;

/// Relative to the limb, and in radians: what is left of a goal met in full is rounding.
const EXACT: f64 = 1e-9;
/// Radians beyond which a limb is said not to turn to its pole.
const FORBIDDEN: f64 = 0.02;

/// The report on a solve.
pub(crate) fn solved(rig: &Rig, run: &Run) -> String {
    let title = text::one_line(&rig.title);
    if run.ends.is_empty() {
        return format!("{title}: no goals, so nothing moved; add --goal JOINT=X,Y,Z\n");
    }
    let (goals, solvers) = (text::count(run.ends.len(), "goal"), run.solvers());
    let time = run.time.as_nanos() as f64 * 1e-3;
    let report = format!("{title}: {goals}, {solvers}, {time:.1} µs: {}\n", run.outcome.status);
    let rows: Vec<[String; 4]> = run.ends.iter().map(|end| row(rig, end, &run.pose)).collect();
    report + &text::columns(&rows)
}

fn row(rig: &Rig, end: &GoalEnd, pose: &Pose) -> [String; 4] {
    let path: Vec<String> = end.asked.served.joints().into_iter().map(|joint| rig.label(joint)).collect();
    let path = path.join(" > ");
    [rig.label(end.asked.goal.joint), end.residual.status.name().to_owned(), left(rig, end, pose), path]
}

/// Whether the body as a whole is to look somewhere.
fn looks(end: &GoalEnd) -> bool {
    let is_aim = matches!(end.asked.goal.target, Target::Aim { .. } | Target::Axis { .. });
    is_aim && matches!(end.asked.served, Served::Body { .. })
}

/// How far limits keep the limb's middle from the pole that it should turn to (radians), where they do.
pub(crate) fn forbidden_pole(rig: &Rig, end: &GoalEnd, pose: &Pose) -> Option<f64> {
    let (Some(Pole::Point(pole)), &[root, mid, .., tip]) = (end.asked.goal.pole, &end.asked.served.joints()[..]) else {
        return None;
    };
    end.asked.served.mid().filter(|_| end.asked.goal.weight == 1.0)?;
    let [root, mid, tip] = [root, mid, tip].map(|joint| pose.position(joint));
    let along = (tip - root).try_normalize()?;
    let aside = |point: DVec3| (point - root).reject_from_normalized(along);
    let (bent, wanted) = (aside(mid), aside(pole));
    // A straight limb turns nowhere.
    let is_bent = bent.length() > 1e-3 * root.distance(tip) && wanted.length() > 1e-6 * root.distance(tip);
    let limited =
        |joint: &Joint| !matches!(rig.skeleton().kind(*joint), Kind::Fixed | Kind::Free | Kind::Ball(BallLimit::Free));
    let is_limited = end.asked.served.joints().iter().any(limited);
    Some(bent.angle_between(wanted)).filter(|angle| is_bent && is_limited && *angle > FORBIDDEN)
}

/// How far off the goal is, and why.
fn left(rig: &Rig, end: &GoalEnd, pose: &Pose) -> String {
    let error = error(rig, end);
    match end.residual.status {
        Status::Ignored => "left out, its weight is 0".to_owned(),
        Status::Softened if end.asked.goal.weight < 1.0 => {
            format!("{error}, on purpose: its weight is {}", end.asked.goal.weight)
        }
        Status::Softened => format!("{error}, on purpose: soft reach holds back near full stretch and full fold"),
        Status::Held => format!("left as it was, {error}: out of reach"),
        Status::TooClose if matches!(end.asked.served, Served::Aim(_)) => {
            format!("{error}: the place is too near to aim at")
        }
        Status::TooClose => format!("{error}: the limb folds no nearer"),
        Status::OutOfReach if looks(end) => format!("{error}: as far as a person turns (--solver limbs: all the way)"),
        Status::OutOfReach if end.asked.goal.target.position().is_none() => {
            format!("{error}: it gives way for the tip's place (--yields position keeps it)")
        }
        Status::OutOfReach => format!("{} short", rig.length(end.residual.position_error())),
        Status::Limited => {
            let blocking = text::list(end.blocking.iter().map(|&joint| rig.label(joint)));
            format!("{error}: the limits of {blocking} stand in the way")
        }
        Status::Reached => match forbidden_pole(rig, end, pose) {
            Some(angle) => {
                let mid = end.asked.served.mid().map(|mid| rig.label(mid)).unwrap_or_default();
                format!("{error}, but limits keep {mid} {} from its pole", text::angle(angle))
            }
            None => error,
        },
        Status::Singular => format!("{error}: a scale of zero or bones of no length leave no answer"),
        Status::Stalled => format!("{error}: other goals or uneven scale stand in the way"),
        _ => error,
    }
}

/// `3.20 mm and 0.50° off`, as far as the goal asks for them.
pub(crate) fn error(rig: &dyn Names, end: &GoalEnd) -> String {
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
fn limb_length(rig: &dyn Names, end: &GoalEnd) -> f64 {
    let rest = rig.skeleton().rest_pose();
    end.asked.served.joints().windows(2).map(|pair| rest.position(pair[0]).distance(rest.position(pair[1]))).sum()
}

/// What to say about clips that will hide the pose in viewers.
pub(crate) fn clips(names: &[String]) -> String {
    let (clips, move_them) =
        (text::count(names.len(), "animation clip"), if names.len() == 1 { "moves" } else { "move" });
    let names = text::list(names.iter().map(|name| text::short_name(name)));
    format!("note: {clips} {move_them} these joints ({names}); viewers play them: --still leaves them out")
}
