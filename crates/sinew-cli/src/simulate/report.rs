//! What a simulation tells: a table for people, an object for programs.

use std::fmt::Write as _;

use serde::Serialize;
use sinew::Status;

use super::Scene;
use super::film::Film;
use crate::text;

/// The table.
pub(super) fn table(scene: &Scene<'_>, film: &Film) -> String {
    let rig = scene.rig;
    let swing = if scene.chains.len() == 1 { "swings" } else { "swing" };
    let chains = text::count(scene.chains.len(), "chain");
    let seconds = film.times.last().copied().unwrap_or(0.0);
    let mut page = format!(
        "{}: {chains} {swing} while {}, {seconds} s at {} frames a second\n",
        text::one_line(&rig.title),
        scene.travel.text(rig),
        scene.timing.rate
    );
    let mut rows = vec![["chain", "joints", "swings", "at the end", "stretch", "calm"].map(str::to_owned)];
    for (chain, take) in scene.chains.iter().zip(&film.takes) {
        let calm = match take.calm_after(&film.times) {
            Some(0.0) => "throughout".to_owned(),
            Some(calm) => format!("after {calm:.1} s"),
            None => "not yet".to_owned(),
        };
        rows.push([
            rig.label(chain.base),
            chain.joints(&scene.springs).len().to_string(),
            angle(take.swing()),
            angle(take.end()),
            format!("{:.3}", take.stretch),
            calm,
        ]);
    }
    page += &text::columns(&rows);
    for (one, worst) in scene.asked.iter().zip(&film.worst).filter(|(_, worst)| worst.status != Status::Reached) {
        let off = rig.length(worst.position_error());
        let _ =
            writeln!(page, "  goal of {}: {} in its worst frame, {off} off", rig.label(one.goal.joint), worst.status);
    }
    page
}

/// A whole number of tenths of a degree.
fn angle(radians: f64) -> String {
    format!("{:.1}°", radians.to_degrees())
}

/// The object.
#[derive(Serialize)]
pub(super) struct Simulated {
    motion: String,
    frames: usize,
    seconds: Option<f64>,
    rate: f64,
    gravity: [f64; 3],
    chains: Vec<Swung>,
    jumps: usize,
    goals: Vec<GoalObject>,
}

#[derive(Serialize)]
struct Swung {
    base: String,
    joints: Vec<String>,
    swing_degrees: f64,
    end_degrees: f64,
    stretch: f64,
    calm_after: Option<f64>,
}

#[derive(Serialize)]
struct GoalObject {
    joint: String,
    solver: &'static str,
    worst_status: &'static str,
    worst_position_error: f64,
    worst_rotation_error: f64,
}

impl Simulated {
    pub(super) fn of(scene: &Scene<'_>, film: &Film) -> Self {
        let rig = scene.rig;
        let chains = scene.chains.iter().zip(&film.takes).map(|(chain, take)| Swung {
            base: rig.label(chain.base),
            joints: chain.joints(&scene.springs).into_iter().map(|joint| rig.label(joint)).collect(),
            swing_degrees: take.swing().to_degrees(),
            end_degrees: take.end().to_degrees(),
            stretch: take.stretch,
            calm_after: take.calm_after(&film.times),
        });
        let goals = scene.asked.iter().zip(&film.worst).map(|(one, worst)| GoalObject {
            joint: rig.label(one.goal.joint),
            solver: one.served.name(),
            worst_status: worst.status.name(),
            worst_position_error: worst.position_error(),
            worst_rotation_error: worst.rotation_error(),
        });
        Self {
            motion: scene.travel.text(rig),
            frames: film.times.len(),
            seconds: film.times.last().copied(),
            rate: scene.timing.rate,
            gravity: scene.springs.gravity.to_array(),
            chains: chains.collect(),
            jumps: film.jumps,
            goals: goals.collect(),
        }
    }
}
