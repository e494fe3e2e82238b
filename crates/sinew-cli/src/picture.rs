//! The picture of a solve: what `sinew-draw` is to show.

use std::path::Path;

use anyhow::{Result, bail};
use sinew::glam::DVec3;
use sinew::{Joint, Pole, Pose, Status, Target};
use sinew_draw::{Look, Mark, Picture, RobotPicture, Strip};
use sinew_rig::{Limb, LimbKind};

use crate::rig::Rig;
use crate::run::{GoalEnd, Run};
use crate::{output, text};

/// Ubuntu Light has Latin, Greek and Cyrillic.
const LAST_OF_FONT: char = '\u{52f}';

/// The formats of pictures, by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

impl Format {
    /// The format that a file's name asks for.
    fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_lowercase().as_str() {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}

/// Says so before anything is done where a picture's name names no format.
pub(crate) fn check(path: Option<&Path>) -> Result<()> {
    check_as("--picture", path)
}

/// The same for a picture that another option names.
pub(crate) fn check_as(option: &str, path: Option<&Path>) -> Result<()> {
    if let Some(path) = path.filter(|path| !output::is_standard(path) && Format::of_path(path).is_none()) {
        bail!("{option} {}: the extension names no picture format; end it in .svg or .png", path.display());
    }
    Ok(())
}

/// What a joint is called in a picture at `path`: its name, but `#N` where the font of PNGs lacks its script.
/// Whoever shows an SVG has fonts of their own.
pub(crate) fn name(rig: &Rig, joint: Joint, path: &Path) -> String {
    let (label, png) = (rig.label(joint), Format::of_path(path) == Some(Format::Png));
    match rig.figure.node(joint) {
        Some(node) if png && label.chars().any(|c| c > LAST_OF_FONT && c != '…') => format!("#{node}"),
        _ => label,
    }
}

/// From where a strip of the rig is seen: as was said, else from where more of what moves is seen.
pub(crate) fn look(rig: &Rig, from_front: bool) -> Look {
    rig.looks.first().copied().unwrap_or(if from_front { Look::Front } else { Look::Side })
}

/// A picture of the rig in a pose: mesh, bones, and faint what is none of its body; the rig's name and what to say after it.
pub(crate) fn of<'a>(rig: &'a Rig, pose: &'a Pose, after: &str) -> Picture<'a> {
    Picture {
        surface: rig.figure.surface(pose),
        faint: faint(rig),
        up: rig.found().up,
        forward: rig.found().forward,
        title: text::short_name(rig.name()) + after,
        unit: rig.unit(),
        looks: if rig.looks.is_empty() { vec![Look::ThreeQuarter, Look::Side] } else { rig.looks.clone() },
        ..Picture::new(rig.skeleton(), pose)
    }
}

/// What is none of the rig's body. The bones between its origin and its limbs count where there is no other body.
pub(crate) fn faint(rig: &Rig) -> Vec<Joint> {
    let (mut faint, carriers, skeleton) = (rig.figure.control_joints(), carriers(rig), rig.skeleton());
    let outer = |limb: &&Limb| !matches!(limb.kind, LimbKind::Spine | LimbKind::Head);
    let limbs: Vec<Joint> =
        rig.found().limbs.iter().filter(outer).filter_map(|limb| limb.joints.first().copied()).collect();
    let in_limb = |joint: Joint| limbs.iter().any(|&first| first == joint || skeleton.is_below(joint, first));
    let is_body = |joint: &Joint| {
        let is_other = skeleton.parent(*joint).is_some() && !faint.contains(joint) && !carriers.contains(joint);
        is_other && !in_limb(*joint)
    };
    if skeleton.iter().any(|joint| is_body(&joint)) {
        faint.extend(carriers);
    }
    faint
}

/// A leg's joints with all of its foot where that does not hang on the leg.
pub(crate) fn with_foot(rig: &Rig, leg: &[Joint]) -> Vec<Joint> {
    let skeleton = rig.skeleton();
    let feet = rig.found().detached_feet.iter().filter(|(_, end)| leg.contains(end));
    let below = feet.flat_map(|(foot, _)| skeleton.subtree(*foot)).filter_map(|index| skeleton.at(index));
    leg.iter().copied().chain(below).collect()
}

/// The bones between the rig's origin and its body.
fn carriers(rig: &Rig) -> Vec<Joint> {
    let skeleton = rig.skeleton();
    let limbs = || rig.found().limbs.iter().flat_map(|limb| limb.joints.iter().copied());
    let origin = |joint: Joint| skeleton.parent(joint).is_none() || limbs().all(|limb| skeleton.is_below(limb, joint));
    let carries = |joint: Joint| limbs().all(|limb| limb == joint || skeleton.is_below(limb, joint));
    let beside = |&joint: &Joint| {
        let above = skeleton.parent(joint).unwrap_or(joint);
        let is_first = skeleton.parent(above).is_none();
        origin(above) && !limbs().any(|limb| limb == above) && (is_first || carries(joint))
    };
    skeleton.iter().filter(beside).collect()
}

/// Writes a picture in the format that the path names; the whole path.
pub(crate) fn save(picture: &Picture<'_>, path: &Path) -> Result<String> {
    save_as(path, || picture.png(), || picture.svg())
}

/// The same for a strip.
pub(crate) fn save_strip(strip: &Strip<'_>, path: &Path) -> Result<String> {
    save_as(path, || strip.png(), || strip.svg())
}

/// The same for a robot.
pub(crate) fn save_robot(picture: &RobotPicture<'_>, path: &Path) -> Result<String> {
    save_as(path, || picture.png(), || picture.svg())
}

/// Writes what draws itself in the format that the path names; the whole path.
pub(crate) fn save_as(path: &Path, png: impl FnOnce() -> Vec<u8>, svg: impl FnOnce() -> String) -> Result<String> {
    let bytes = if Format::of_path(path) == Some(Format::Png) { png() } else { svg().into_bytes() };
    output::save(path, &bytes)?;
    Ok(output::whole_path(path))
}

/// Draws a solve: the solved pose before the one that it started from, with goals and poles.
pub(crate) fn draw(rig: &Rig, run: &Run, path: &Path) -> Result<String> {
    let after = match run.ends.len() {
        0 if rig.starts_at_rest() => ": at rest".to_owned(),
        0 => ": no goals".to_owned(),
        goals => format!(": {}, {}", text::count(goals, "goal"), run.outcome.status),
    };
    let picture = Picture {
        rest: Some(&run.start),
        forward: rig.axes().ahead(),
        limits: run.ends.iter().flat_map(|end| end.asked.served.joints()).collect(),
        marks: run.ends.iter().filter_map(|end| mark(rig, run, end)).collect(),
        ..of(rig, &run.pose, &after)
    };
    save(&picture, path)
}

/// A goal's mark, where it asks for a place.
pub(crate) fn mark(rig: &Rig, run: &Run, end: &GoalEnd) -> Option<Mark> {
    let goal = &end.asked.goal;
    if let Target::Aim { axis, point, .. } = goal.target {
        return Some(sight(rig, run, end, (axis, point)));
    }
    let target = goal.target.position()?;
    let pole = goal.pole.and_then(|pole| match pole {
        Pole::Point(point) => Some((point, run.pose.position(end.asked.served.bend()?[1]))),
        Pole::Direction(_) => None,
    });
    let reached = run.pose.model(goal.joint).transform_point3(goal.offset);
    Some(Mark {
        met: end.residual.status == Status::Reached,
        pole,
        limb: bent(rig, end).into_iter().map(|joint| run.pose.position(joint)).collect(),
        ..Mark::new(rig.label(goal.joint), target, reached)
    })
}

/// The goal's joint and the two above it in its recognised arm or leg, also where more than the limb is moved; else all that are.
fn bent(rig: &Rig, end: &GoalEnd) -> Vec<Joint> {
    let up_to = |limb: &Limb| {
        let last = limb.joints.iter().position(|&joint| joint == end.asked.goal.joint)?;
        let is_bent = matches!(limb.kind, LimbKind::Arm | LimbKind::Leg);
        Some(limb.joints[last.checked_sub(2).filter(|_| is_bent)?..=last].to_vec())
    };
    rig.found().limbs.iter().find_map(up_to).unwrap_or_else(|| end.asked.served.joints())
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
