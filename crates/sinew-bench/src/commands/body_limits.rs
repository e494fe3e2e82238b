//! `body-limits FILE.bvh...`: which share of real motion lies inside a human's limits (the preset of `--limits preset`), by part.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::people::admitted::{self, Outside, OutsideOf};
use crate::people::clip::Clip;
use crate::table::Row as _;
use anyhow::Result;
use clap::Args;
use sinew_rig::Part;
use sinew_rig::limits_fit::{self, Shown};

/// Shares of real motion that lie inside a human's limits.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// BVH files of people; others are passed over.
    files: Vec<PathBuf>,
    /// Turns beside a hinge's axis do not count: skeletons roll a forearm at the elbow, and knees wobble.
    #[arg(long)]
    along: bool,
    /// Names what lies outside in every file.
    #[arg(long)]
    each: bool,
    /// Counts files with one of these words in their name apart: motion that the limits were not widened by.
    #[arg(long, value_delimiter = ',')]
    not_shown: Vec<String>,
    /// Prints `crates/sinew-rig/src/human/shown.rs`: how far the tables' ranges are widened to hold the motion of the files; with
    /// `--each` also, on standard error, how much of each file lies outside where the others alone widen them (this takes ten minutes).
    #[arg(long)]
    fit: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    if arguments.fit {
        return fit(&arguments.files, arguments.each);
    }
    println!("{}", OutsideOf::heading());
    let mut parts: BTreeMap<String, Outside> = BTreeMap::new();
    let mut not_shown = Outside::default();
    for file in &arguments.files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let clip = Clip::load(file)?;
        let Some(found) = admitted::measure(&clip, arguments.along)? else {
            eprintln!("{name}: no human in motion, passed over");
            continue;
        };
        for (part, outside) in found {
            if arguments.each && outside.share() > 0.0 {
                println!("{}", outside.clone().row(format!("{name}: {part}")).line());
            }
            if arguments.not_shown.iter().any(|word| name.contains(word)) {
                not_shown.add(outside);
            } else {
                parts.entry(part).or_default().add(outside);
            }
        }
    }
    let mut all = Outside::default();
    for (part, outside) in parts {
        all.add(outside.clone());
        println!("{}", outside.row(part).line());
    }
    println!("{}", all.row("all".into()).line());
    if !arguments.not_shown.is_empty() {
        println!("{}", not_shown.row("not shown".into()).line());
    }
    Ok(true)
}

/// Frames of a part that may be outside (share).
const OUT: f64 = 2e-4;

/// Clips by name, with how their joints turn.
type Clips = Vec<(String, Vec<Shown>)>;

fn fit(files: &[PathBuf], is_each: bool) -> Result<bool> {
    let mut clips = Clips::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(shown) = admitted::shown(&Clip::load(file)?) {
            clips.push((name, shown));
        }
    }
    let names: Vec<String> = clips.iter().map(|(name, _)| format!("`{name}`")).collect();
    println!("{}", HEAD.replace("FILES", &names.join(",\n//! ")));
    for part in parts(&clips) {
        if let Some([flex, side, twist]) = limits_fit::ends(part, &of(&clips, part, |_| true), OUT) {
            let part = format!("{part:?}").replace("Finger(", "Finger(Digit::");
            println!("    (Part::{part}, [{flex:?}, {side:?}, {twist:?}]),");
        }
    }
    println!("];");
    if is_each {
        without(&clips, "file", |name| name);
        without(&clips, "source", |name| name.split('_').next().unwrap_or(name));
    }
    Ok(true)
}

fn parts(clips: &Clips) -> BTreeSet<Part> {
    clips.iter().flat_map(|(_, shown)| shown).map(|shown| shown.part).collect()
}

/// A part's joints in the clips whose name fits.
fn of(clips: &Clips, part: Part, fits: impl Fn(&str) -> bool) -> Vec<&Shown> {
    let chosen = clips.iter().filter(|(name, _)| fits(name));
    chosen.flat_map(|(_, shown)| shown).filter(|shown| shown.part == part).collect()
}

/// Reports how much of the clips of each kind lies inside limits that were widened by the others alone.
fn without(clips: &Clips, what: &str, kind: impl Fn(&str) -> &str) {
    let kinds: BTreeSet<&str> = clips.iter().map(|(name, _)| kind(name)).collect();
    let (mut all, mut out) = (0, 0);
    for left in kinds {
        let (mut own, mut off) = (0, 0);
        for part in parts(clips) {
            let Some(ends) = limits_fit::ends(part, &of(clips, part, |name| kind(name) != left), OUT) else { continue };
            let (count, outside) = limits_fit::count(&of(clips, part, |name| kind(name) == left), ends);
            (own, off) = (own + count, off + outside);
        }
        eprintln!("{left:28} {own:7} joint-frames, {:6.3} % outside without it", 100.0 * off as f64 / own as f64);
        (all, out) = (all + own, out + off);
    }
    eprintln!("every {what} left out in turn: {all} joint-frames, {:.3} % outside", 100.0 * out as f64 / all as f64);
}

const HEAD: &str = "\
//! How far the tables' ranges of a human's joints are widened to hold real motion: the ends of [`super::motion`], of flexing, leaning
//! aside and twisting. Written by `cargo run --release -p sinew-bench -- body-limits --fit`, from motion capture whose licences allow it (CMU Graphics
//! Lab, free for all use; others MIT, BSD or CC0; `shared/data` names each):
//! FILES.

use super::motion::Ends;
use crate::role::{Digit, Part};

/// By part, spine and neck as a whole, fingers as the index finger.
pub(super) static SHOWN: &[(Part, Ends)] = &[";
