//! Pictures of a bake: a film strip with the clip pale behind, and curves of error, speed and jerk.

use std::path::Path;

use anyhow::Result;
use sinew::glam::DVec3;
use sinew::{Status, Target};
use sinew_draw::{Curve, Mark, Picture, Plot, Strip, Trail, Unit, stacked, stacked_png};

use super::Baking;
use super::part::Part;
use super::track::Wanted;
use crate::{picture, text};

/// Moments in a film strip.
const MOMENTS: usize = 8;
/// Joints whose error, and whose speed, is drawn at most.
const MOST_CURVES: usize = 5;
const MOST_SPEEDS: usize = 3;
/// Millimetres, another unit, or degrees, to which the axis of errors goes at least: rounding is no curve.
const LEAST: f64 = 1.0;
const PALE: [u8; 3] = [200, 205, 212];
const WENT: &str = "#d1601f";
const NOTE: &str = "pale: the clip; thin: paths of the goals' joints";

/// Draws the film strip; the whole path of the file.
pub(super) fn strip(baking: &Baking<'_>, path: &Path) -> Result<String> {
    let (last, has_goals) = (baking.shots.len() - 1, !baking.plan.parts.is_empty());
    let count = baking.shots.len().min(MOMENTS);
    let frames = (0..count).map(|moment| moment * last / (count - 1).max(1));
    let pictures = frames.map(|frame| Picture {
        rest: has_goals.then(|| &baking.source.clip.poses()[frame]),
        trails: trails(baking, frame),
        marks: marks(baking, frame),
        title: format!("{:.2} s", baking.after.times()[frame]),
        ..picture::of(baking.rig, &baking.after.poses()[frame], "")
    });
    let title = format!("{}: {}", text::short_name(baking.rig.name()), text::short_name(&baking.source.name));
    let strip = Strip {
        frames: pictures.collect(),
        title,
        look: picture::look(baking.rig, from_front(baking)),
        note: if has_goals { NOTE } else { "" }.to_owned(),
    };
    picture::save_strip(&strip, path)
}

fn marks(baking: &Baking<'_>, frame: usize) -> Vec<Mark> {
    let shot = &baking.shots[frame];
    let mark = |(number, part): (usize, &Part)| {
        let asked = baking.plan.asked[part.goals.clone()].first()?;
        let met =
            shot.ends[part.goals.clone()].iter().all(|end| matches!(end.status, Status::Reached | Status::Softened));
        let (weight, time) = (shot.weights[number], baking.after.times()[frame]);
        let at = shot.pose.position(part.joint);
        let mark = |target, reached| {
            let label = baking.rig.label(part.joint);
            Some(Mark { met, eases: weight < 1.0, ..Mark::new(label, target, reached) }).filter(|_| weight > 0.0)
        };
        match (&part.track.wanted, asked.goal.target) {
            (Wanted::Look(keys), Target::Aim { axis, .. }) => {
                let point = keys.vector_at(time);
                let passes = at + shot.pose.rotation(part.joint) * axis.normalize_or_zero() * at.distance(point);
                mark(point, passes).map(|mark| Mark { sight: Some(at), ..mark })
            }
            (_, target) => {
                let place = part.place(time, &baking.source.clip.poses()[frame]);
                target.position().and_then(|_| mark(place, at))
            }
        }
    };
    baking.plan.parts.iter().enumerate().filter_map(mark).collect()
}

fn trails(baking: &Baking<'_>, frame: usize) -> Vec<Trail> {
    let way = |part: &Part| baking.after.positions(part.joint).values()[..=frame].to_vec();
    baking.plan.parts.iter().map(|part| Trail { color: WENT, points: way(part) }).collect()
}

/// Whether more of the goals' joints' ways is seen from the front.
fn from_front(baking: &Baking<'_>) -> bool {
    let (up, forward) = (baking.rig.found().up, baking.rig.found().forward);
    let extent = |part: &Part| {
        let way = baking.after.positions(part.joint);
        let span = |(low, high): (DVec3, DVec3), at: &DVec3| (low.min(*at), high.max(*at));
        let (low, high) = way.values().iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), span);
        high - low
    };
    let ways: DVec3 = baking.plan.parts.iter().map(extent).sum();
    ways.dot(up.cross(forward).abs()) > ways.dot(forward.abs())
}

/// Draws the curves; the whole path of the file.
pub(super) fn curves(baking: &Baking<'_>, path: &Path) -> Result<String> {
    let unit = baking.rig.unit().name();
    let (speed, jerk) = (format!("speed ({unit}/s)"), format!("jerk ({unit}/s³)"));
    let plots = [errors(baking), measured(baking, 1, &speed), measured(baking, 3, &jerk)];
    picture::save_as(path, || stacked_png(&plots), || stacked(&plots))
}

/// How far the joints are from where they should be, where goals hold wholly.
fn errors(baking: &Baking<'_>) -> Plot {
    let (factor, unit) = match baking.rig.unit() {
        Unit::Metres => (1e3, Unit::Millimetres),
        unit => (1.0, unit),
    };
    let curve = |(number, part): (usize, &Part)| {
        let point = |(frame, time): (usize, &f64)| {
            let shot = &baking.shots[frame];
            let (place, turn) = shot.error(part);
            let asks_place =
                baking.plan.asked[part.goals.clone()].iter().any(|one| one.goal.target.position().is_some());
            let error = if asks_place { place * factor } else { turn.to_degrees() };
            (*time, if shot.weights[number] >= 1.0 { error } else { f64::NAN })
        };
        let points = baking.after.times().iter().enumerate().map(point).collect();
        Curve { name: baking.rig.label(part.joint), color: Curve::color(number), width: 2, points }
    };
    let curves: Vec<Curve> = baking.plan.parts.iter().enumerate().take(MOST_CURVES).map(curve).collect();
    let errors = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
    let top = errors.filter(|error| error.is_finite()).fold(LEAST, f64::max);
    let title = format!("{}: error", text::short_name(&baking.source.name));
    let (x, y) = ("time (s)".to_owned(), format!("error ({}, or degrees)", unit.name()));
    Plot { title, x, y, curves, range: Some(-0.04 * top..1.06 * top), ..Plot::default() }
}

/// Speed or jerk of the goals' joints, those of the clip pale behind.
fn measured(baking: &Baking<'_>, order: usize, y: &str) -> Plot {
    // What is kept goes as in the clip.
    let moves = |(_, part): &(usize, &Part)| part.track.wanted != Wanted::Keep;
    let parts = || baking.plan.parts.iter().enumerate().filter(moves).take(MOST_SPEEDS);
    let points = |clip: &sinew_motion::Clip, part: &Part| {
        let course = clip.positions(part.joint).derivative(order);
        course.times().iter().copied().zip(course.sizes()).collect()
    };
    let before = parts().map(|(_, part)| Curve {
        name: format!("{} in the clip", baking.rig.label(part.joint)),
        color: PALE,
        width: 2,
        points: points(&baking.source.clip, part),
    });
    let after = parts().map(|(number, part)| Curve {
        name: baking.rig.label(part.joint),
        color: Curve::color(number),
        width: 2,
        points: points(&baking.after, part),
    });
    let curves = before.chain(after).collect();
    Plot {
        title: super::NAMES[order - 1].to_owned(),
        x: "time (s)".to_owned(),
        y: y.to_owned(),
        curves,
        ..Plot::default()
    }
}
