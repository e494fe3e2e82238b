//! What planting tells: a table for people, an object for programs.

use serde::Serialize;
use sinew::Joint;

use super::measure::{Foot, Measures, Side};
use super::{Planting, travel};
use crate::text;

/// The table.
pub(super) fn table(planting: &Planting<'_>, measures: &Measures) -> String {
    let (rig, clip) = (planting.rig, &planting.after);
    let page = format!(
        "{} on {}: {} in {} s\n",
        travel::title(rig, &planting.source),
        text::short_name(planting.terrain),
        text::count(clip.len(), "frame"),
        text::decimals(clip.length(), 2),
    );
    let head = ["foot", "touches", "", "under ground", "floating", "slide a frame", "mean"].map(str::to_owned);
    let row = |one: &Foot, when: &str| {
        let first = when == "before";
        let own = |text: String| if first { text } else { String::new() };
        [
            own(name(planting, one.joint)),
            own(one.touches.to_string()),
            when.to_owned(),
            rig.length(one.penetration),
            rig.length(one.floating),
            rig.length(one.slide),
            rig.length(one.slide_mean),
        ]
    };
    let pairs = measures.before.feet.iter().zip(&measures.after.feet);
    let both = pairs.flat_map(|(before, after)| [row(before, "before"), row(after, "after")]);
    let rows: Vec<_> = std::iter::once(head).chain(both).collect();
    let grown = measures.acceleration.map_or(String::new(), |(joint, ratio, time)| {
        let (label, ratio, time) = (rig.label(joint), text::decimals(ratio, 2), text::decimals(time, 2));
        let asked = measures.asked;
        let ground = if asked > 1.0 {
            format!(" (the ground asks for {} at least)", text::decimals(asked, 2))
        } else {
            String::new()
        };
        format!("; {label} accelerates {ratio} times as much as in the clip, at {time} s{ground}")
    });
    let away = measures.away.map_or(String::new(), |(joint, far)| {
        format!(
            "; seen from the hips {} is farthest from the clip, {} in the median",
            rig.label(joint),
            rig.length(far)
        )
    });
    let pops = text::count(measures.after.pops, "frame");
    page + &text::columns(&rows) + &format!("  knees pop in {pops}{grown}{away}\n")
}

fn name(planting: &Planting<'_>, joint: Option<Joint>) -> String {
    joint.map_or_else(String::new, |joint| planting.rig.label(joint))
}

/// The object.
#[derive(Serialize)]
pub(super) struct Planted {
    clip: String,
    ground: String,
    frames: usize,
    rate: f64,
    floor: f64,
    leg: f64,
    travel: [f64; 3],
    before: SideObject,
    after: SideObject,
    acceleration: Option<Acceleration>,
    away: Option<Away>,
}

#[derive(Serialize)]
struct SideObject {
    feet: Vec<FootObject>,
    pops: usize,
}

#[derive(Serialize)]
struct FootObject {
    joint: String,
    touches: usize,
    penetration: f64,
    floating: f64,
    floating_median: f64,
    slide: f64,
    slide_mean: f64,
}

/// Of the joint that accelerates most against the clip.
#[derive(Serialize)]
struct Acceleration {
    joint: String,
    ratio: f64,
    time: f64,
    asked: f64,
}

/// The joint that is farthest from the clip, seen from the hips.
#[derive(Serialize)]
struct Away {
    joint: String,
    distance: f64,
}

impl Planted {
    pub(super) fn of(planting: &Planting<'_>, measures: &Measures) -> Self {
        let label = |joint: Joint| planting.rig.label(joint);
        let foot = |one: &Foot| FootObject {
            joint: name(planting, one.joint),
            touches: one.touches,
            penetration: one.penetration,
            floating: one.floating,
            floating_median: one.floating_median,
            slide: one.slide,
            slide_mean: one.slide_mean,
        };
        let side = |side: &Side| SideObject { feet: side.feet.iter().map(foot).collect(), pops: side.pops };
        let acceleration = measures.acceleration.map(|(joint, ratio, time)| Acceleration {
            joint: label(joint),
            ratio,
            time,
            asked: measures.asked,
        });
        Self {
            clip: planting.source.name.clone(),
            ground: planting.terrain.to_owned(),
            frames: planting.after.len(),
            rate: planting.source.rate,
            floor: planting.feet.settings.floor,
            leg: (0..planting.feet.len()).map(|foot| planting.feet.length(foot)).fold(0.0, f64::max),
            travel: planting.travel.to_array(),
            before: side(&measures.before),
            after: side(&measures.after),
            acceleration,
            away: measures.away.map(|(joint, distance)| Away { joint: label(joint), distance }),
        }
    }
}
