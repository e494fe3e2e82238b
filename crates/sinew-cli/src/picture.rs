//! The picture of a solve: what `sinew-draw` is to show.

use std::path::Path;

use sinew::glam::DVec3;
use sinew::{Pole, Status, Target};
use sinew_draw::{Mark, Picture};

use crate::rig::Rig;
use crate::run::{GoalEnd, Run};
use crate::text;

/// The formats of pictures, by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Svg,
    Png,
}

impl Format {
    /// The format that a file's name asks for.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_lowercase().as_str() {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}

/// The solved pose before the rest pose, with goals and poles.
pub(crate) fn draw(rig: &Rig, run: &Run, format: Format) -> Vec<u8> {
    let rest = rig.skeleton().rest_pose();
    let outcome = format!("{}, {}", text::count(run.ends.len(), "goal"), run.outcome.status);
    let picture = Picture {
        rest: Some(&rest),
        surface: rig.character.surface(&run.pose),
        faint: rig.character.control_joints(),
        forward: rig.character.forward(),
        marks: run.ends.iter().filter_map(|end| mark(rig, run, end)).collect(),
        title: format!("{}: {}", text::short_name(rig.name()), if run.ends.is_empty() { "at rest" } else { &outcome }),
        ..Picture::new(rig.skeleton(), &run.pose)
    };
    match format {
        Format::Svg => picture.svg().into_bytes(),
        Format::Png => picture.png(),
    }
}

/// A goal's mark, where it asks for a place.
fn mark(rig: &Rig, run: &Run, end: &GoalEnd) -> Option<Mark> {
    let goal = &end.asked.goal;
    if let Target::Aim { axis, point, .. } = goal.target {
        return Some(sight(rig, run, end, (axis, point)));
    }
    let target = goal.target.position()?;
    let pole = goal.pole.and_then(|pole| match pole {
        Pole::Point(point) => Some((point, run.pose.position(end.asked.served.mid()?))),
        Pole::Direction(_) => None,
    });
    let reached = run.pose.model(goal.joint).transform_point3(goal.offset);
    Some(Mark {
        met: end.residual.status == Status::Reached,
        pole,
        ..Mark::new(rig.label(goal.joint), target, reached)
    })
}

/// The mark of a place that is looked at: where the axis passes it, at its distance.
fn sight(rig: &Rig, run: &Run, end: &GoalEnd, (axis, point): (DVec3, DVec3)) -> Mark {
    let goal = &end.asked.goal;
    let model = run.pose.model(goal.joint);
    let from = model.transform_point3(goal.offset);
    let along = model.transform_vector3(axis).normalize_or_zero();
    Mark {
        met: end.residual.status == Status::Reached,
        sight: Some(from),
        ..Mark::new(rig.label(goal.joint), point, from + along * from.distance(point))
    }
}
