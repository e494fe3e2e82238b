//! What planting tells: a table for people, an object for programs.

use serde_json::{Value, json};
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
        format!("; {} is farthest from the clip, {} in the median", rig.label(joint), rig.length(far))
    });
    let pops = text::count(measures.after.pops, "frame");
    page + &text::columns(&rows) + &format!("  knees pop in {pops}{grown}{away}\n")
}

fn name(planting: &Planting<'_>, joint: Option<Joint>) -> String {
    joint.map_or_else(String::new, |joint| planting.rig.label(joint))
}

/// The object.
pub(super) fn object(planting: &Planting<'_>, measures: &Measures) -> Value {
    let foot = |one: &Foot| {
        json!({
            "joint": name(planting, one.joint),
            "touches": one.touches,
            "penetration": one.penetration,
            "floating": one.floating,
            "floating_median": one.floating_median,
            "slide": one.slide,
            "slide_mean": one.slide_mean,
        })
    };
    let side = |side: &Side| json!({ "feet": side.feet.iter().map(foot).collect::<Vec<_>>(), "pops": side.pops });
    let acceleration = measures
        .acceleration
        .map(|(joint, ratio, time)| json!({ "joint": planting.rig.label(joint), "ratio": ratio, "time": time, "asked": measures.asked }));
    let away = measures.away.map(|(joint, far)| json!({ "joint": planting.rig.label(joint), "distance": far }));
    json!({
        "clip": planting.source.name,
        "ground": planting.terrain,
        "frames": planting.after.len(),
        "rate": planting.source.rate,
        "floor": planting.feet.settings.floor,
        "leg": (0..planting.feet.len()).map(|foot| planting.feet.length(foot)).fold(0.0, f64::max),
        "travel": planting.travel.to_array(),
        "before": side(&measures.before),
        "after": side(&measures.after),
        "acceleration": acceleration,
        "away": away,
    })
}
