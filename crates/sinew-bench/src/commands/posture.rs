//! `posture [FILE...]`: how every human given (the one built in by default) holds itself in motions with few goals, solved as
//! `sinew solve` does: knees, elbows, soles, trunk, balance. A table, or with `--json` a line of JSON each.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum as _};
use sinew::Status;
use sinew_draw::{Look, Mark, Picture, Strip};

use crate::people::motions::Motion;
use crate::people::person::Person;
use crate::people::posture::{self, Report, Shot};
use crate::table;

/// Frames of a motion that a film strip shows.
const SHOWN: usize = 4;

/// Measures how bodies hold themselves.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// glTF, GLB or VRM files of humans; what shows no human is passed over. The human built in where there are none.
    files: Vec<PathBuf>,
    /// One motion alone.
    #[arg(long, value_enum)]
    motion: Option<Motion>,
    /// `preset` gives the bodies a human's limits.
    #[arg(long, value_parser = ["none", "preset"], default_value = "none")]
    limits: String,
    /// Writes lines of JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Draws each human in all motions, as `NAME.png` in this folder.
    #[arg(long)]
    film: Option<PathBuf>,
}

/// Whether nothing is wrong.
pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let is_limited = arguments.limits == "preset";
    let mut people = Vec::new();
    for file in &arguments.files {
        match Person::load(file, is_limited) {
            Ok(person) => people.push(person),
            Err(error) => eprintln!("{error:#}; passed over"),
        }
    }
    if arguments.files.is_empty() {
        people.push(Person::built_in(is_limited)?);
    }
    table::print_heading::<Report>(arguments.json);
    let motions = Motion::value_variants().iter().copied();
    let motions: Vec<Motion> = motions.filter(|&one| arguments.motion.is_none_or(|only| only == one)).collect();
    let mut is_right = true;
    for person in &people {
        for &motion in &motions {
            let report = Report::of(person, motion);
            is_right &= report.faults.is_empty();
            table::print(&report, arguments.json)?;
        }
        if let Some(folder) = &arguments.film {
            let path = folder.join(format!("{}.png", person.name));
            std::fs::write(&path, film(person, &motions)).with_context(|| path.display().to_string())?;
        }
    }
    Ok(is_right)
}

/// Frames of all motions.
fn film(person: &Person, motions: &[Motion]) -> Vec<u8> {
    let shots: Vec<(Motion, Shot)> = motions
        .iter()
        .flat_map(|&motion| posture::solve(person, motion, SHOWN).into_iter().map(move |shot| (motion, shot)))
        .collect();
    let frames = shots.iter().map(|(motion, shot)| frame(person, *motion, shot)).collect();
    let look = if motions == [Motion::Behind] { Look::Back } else { Look::ThreeQuarter };
    Strip { frames, title: person.name.clone(), look, ..Strip::default() }.png()
}

fn frame<'a>(person: &'a Person, motion: Motion, shot: &'a Shot) -> Picture<'a> {
    let mark = |goal: &sinew::Goal| {
        let target = goal.target.position()?;
        let met = shot.status == Status::Reached;
        Some(Mark { met, ..Mark::new("", target, shot.pose.position(goal.joint)) })
    };
    Picture {
        surface: person.character.surface(&shot.pose),
        faint: person.character.control_joints(),
        marks: shot.goals.iter().filter_map(mark).collect(),
        up: person.axes[1],
        forward: person.axes[2],
        title: format!("{} {:.0} %", posture::name(motion), 100.0 * shot.share),
        ..Picture::new(&person.skeleton, &shot.pose)
    }
}
