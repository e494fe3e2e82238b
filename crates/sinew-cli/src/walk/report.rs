//! What a walk tells: a table for people, an object for programs.

use serde::Serialize;
use sinew_motion::Clip;

use super::Walk;
use super::measure::{Measured, Measures};
use crate::text;

fn name(walk: &Walk<'_>, leg: usize) -> String {
    walk.gait.touching(leg).map_or_else(String::new, |joint| walk.rig.label(joint))
}

/// The table.
pub(super) fn table(walk: &Walk<'_>, measures: &Measures, clip: &Clip) -> String {
    let rig = walk.rig;
    let page = format!(
        "{}: {} for {} s at {} a second\n",
        text::one_line(&rig.title),
        text::count(walk.legs.len(), "leg"),
        text::decimals(clip.end(), 2),
        rig.length(walk.route.speed),
    );
    let head = ["foot", "steps", "slide", "under ground", "stretched to"].map(str::to_owned);
    let row = |(leg, one): (usize, &Measured)| {
        let early = if one.forced > 0 { format!(" ({} early)", one.forced) } else { String::new() };
        [
            name(walk, leg),
            format!("{}{early}", one.steps),
            rig.length(one.slide.max(one.miss)),
            rig.length(one.penetration),
            format!("{:.1} %", 100.0 * one.extension),
        ]
    };
    let rows: Vec<_> = std::iter::once(head).chain(measures.legs.iter().enumerate().map(row)).collect();
    let ending = format!(
        "  legs cross in {}; the body accelerates by {}/s² at most, joints by {:.0} °/s²\n",
        text::count(measures.crossings, "frame"),
        rig.length(measures.body_acceleration),
        measures.joint_acceleration.to_degrees(),
    );
    let early = measures.legs.iter().any(|leg| leg.forced > 0);
    let told =
        if early { "  early: begun while a leg beside it was in the air, because it reached no farther\n" } else { "" };
    page + &text::columns(&rows) + &ending + told
}

/// The object.
#[derive(Serialize)]
pub(super) struct Walked {
    speed: f64,
    height: f64,
    frames: usize,
    seconds: f64,
    legs: Vec<Leg>,
    crossings: usize,
    crossed: f64,
    body_acceleration: f64,
    joint_acceleration: f64,
}

#[derive(Serialize)]
struct Leg {
    joint: String,
    steps: u32,
    early: u32,
    slide: f64,
    miss: f64,
    penetration: f64,
    sunk: f64,
    extension: f64,
}

impl Walked {
    pub(super) fn of(walk: &Walk<'_>, measures: &Measures, clip: &Clip) -> Self {
        let leg = |(leg, one): (usize, &Measured)| Leg {
            joint: name(walk, leg),
            steps: one.steps,
            early: one.forced,
            slide: one.slide,
            miss: one.miss,
            penetration: one.penetration,
            sunk: one.sunk,
            extension: one.extension,
        };
        Self {
            speed: walk.route.speed,
            height: walk.gait.height(),
            frames: clip.len(),
            seconds: clip.end(),
            legs: measures.legs.iter().enumerate().map(leg).collect(),
            crossings: measures.crossings,
            crossed: measures.crossed,
            body_acceleration: measures.body_acceleration,
            joint_acceleration: measures.joint_acceleration,
        }
    }
}
