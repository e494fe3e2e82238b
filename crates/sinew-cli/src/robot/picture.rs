//! Pictures of robots: what `sinew-draw` is to show.

use std::path::Path;

use anyhow::Result;
use sinew::glam::DQuat;
use sinew::{Joint, Kind, Pose, Status, Target};
use sinew_draw::{Axes, Mark, RobotPicture, RobotStrip};

use super::Machine;
use crate::picture;
use crate::run::{GoalEnd, Run};
use crate::text;

/// Share of a range within which a joint stands at its limit.
const AT_LIMIT: f64 = 1e-6;

/// Draws the robot in a pose with the names of its joints and their limits; the whole path.
pub(crate) fn draw(machine: &Machine, pose: &Pose, path: &Path) -> Result<String> {
    let skeleton = machine.skeleton();
    let moving = machine.robot.joints().filter(|&(_, link)| skeleton.drive(link).is_some());
    let picture = RobotPicture {
        limits: skeleton.iter().collect(),
        names: moving.map(|(joint, link)| (link, text::short_name(joint))).collect(),
        axes: machine.robot.tips().map(|tip| axes(pose, tip)).collect(),
        title: format!("{}: {}", machine.name(), at(machine)),
        ..RobotPicture::new(skeleton, pose)
    };
    picture::save_robot(&picture, path)
}

/// What the pose of [`Machine::home`] is.
pub(super) fn at(machine: &Machine) -> &'static str {
    let all = 0..machine.skeleton().coordinates().len();
    if all.into_iter().all(|one| machine.range(one).contains(0.0)) {
        "every coordinate at 0"
    } else {
        "coordinates at 0, or amid their limits"
    }
}

/// Draws a solve: the robot before the pose it started from, with tips and targets.
pub(crate) fn draw_solved(machine: &Machine, run: &Run, path: &Path) -> Result<String> {
    let outcome = match run.ends.len() {
        0 => "no goals".to_owned(),
        goals => format!("{}, {}", text::count(goals, "goal"), run.outcome.status),
    };
    picture::save_robot(&solved(machine, run, format!("{}: {outcome}", machine.name())), path)
}

/// Draws solves side by side.
pub(super) fn draw_all(machine: &Machine, title: String, runs: &[(String, &Run)], path: &Path) -> Result<String> {
    let frames = runs.iter().map(|(caption, run)| solved(machine, run, caption.clone())).collect();
    let strip = RobotStrip { frames, title };
    picture::save_as(path, || strip.png(), || strip.svg())
}

fn solved<'a>(machine: &'a Machine, run: &'a Run, title: String) -> RobotPicture<'a> {
    let arms: Vec<Joint> = run.ends.iter().flat_map(|end| end.asked.served.joints()).collect();
    RobotPicture {
        start: Some(&run.start).filter(|start| **start != run.pose),
        stuck: arms.iter().copied().filter(|&link| is_stuck(machine, &run.pose, link)).collect(),
        axes: run.ends.iter().flat_map(|end| goal_axes(&run.pose, end)).collect(),
        marks: run.ends.iter().filter_map(|end| mark(machine, &run.pose, end)).collect(),
        title,
        arms,
        ..RobotPicture::new(machine.skeleton(), &run.pose)
    }
}

fn axes(pose: &Pose, link: Joint) -> Axes {
    Axes { position: pose.position(link), rotation: pose.rotation(link), is_target: false }
}

/// The tip's frame, and the target's where a rotation is asked for.
fn goal_axes(pose: &Pose, end: &GoalEnd) -> Vec<Axes> {
    let goal = &end.asked.goal;
    let left = end.residual.rotation.unwrap_or(DQuat::IDENTITY);
    let target = Axes {
        position: pose.position(goal.joint) + end.residual.position,
        rotation: left * pose.rotation(goal.joint),
        is_target: true,
    };
    let asks = matches!(goal.target, Target::Frame { .. } | Target::Rotation(_));
    let missed = end.residual.status != Status::Reached && asks;
    std::iter::once(axes(pose, goal.joint)).chain(missed.then_some(target)).collect()
}

/// The mark of a place, or of what is aimed at.
pub(crate) fn mark(machine: &Machine, pose: &Pose, end: &GoalEnd) -> Option<Mark> {
    let goal = &end.asked.goal;
    let at = pose.position(goal.joint);
    let met = end.residual.status == Status::Reached;
    let mark = |target, reached| Mark { met, ..Mark::new(machine.label(goal.joint), target, reached) };
    if let Target::Aim { axis, point, .. } = goal.target {
        let point = goal.relative_to.map_or(point, |from| pose.model(from).transform_point3(point));
        let passes = at + pose.rotation(goal.joint) * axis.normalize_or_zero() * at.distance(point);
        return Some(Mark { sight: Some(at), ..mark(point, passes) });
    }
    goal.target.position().map(|_| mark(at + end.residual.position, at))
}

/// Whether a link's joint stands at an end of its range.
fn is_stuck(machine: &Machine, pose: &Pose, link: Joint) -> bool {
    let (Kind::Hinge { range, .. } | Kind::Slide { range, .. }) = machine.skeleton().kind(link) else { return false };
    let value = pose.value(machine.skeleton(), link);
    let near = AT_LIMIT * (range.max - range.min);
    near.is_finite() && (value - range.min <= near || range.max - value <= near)
}
