//! `body-fit FILE.bvh...`: fits what people do to motion capture, and prints `crates/sinew-rig/src/body/coefficients.rs`.
//!
//! With `--leave-out WORD` files with the word in their name are fitted without, and judged: what the numbers are worth on people
//! that they were not fitted to.

use std::path::PathBuf;

use crate::people::clip::Clip;
use crate::people::fit;
use anyhow::{Result, bail};
use clap::Args;
use sinew_rig::Body;
use sinew_rig::body::fit::{Pointing, Samples, hanging};

/// Frames a second that are looked at.
const RATE: f64 = 30.0;
/// Length of a leg and of an arm (cm), for reports.
const LEG: f64 = 85.0;
const ARM: f64 = 52.0;
/// How much hands before the trunk count beside the clips, for elbows whose hands may turn.
const HANGING: f64 = 0.3;
/// Pull to zero of what turns spines and collar bones.
const RIDGE: f64 = 1e-4;

/// Fits what people do to motion capture.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// BVH files of people; others are passed over.
    files: Vec<PathBuf>,
    /// Judge on files with this word in their name, which the fit does not see.
    #[arg(long)]
    leave_out: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let (mut all, mut kept) = (Samples::default(), Samples::default());
    let mut used = Vec::new();
    for file in &arguments.files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let clip = Clip::load(file)?;
        let Some(samples) = samples(&clip) else {
            eprintln!("{name}: no human in motion, passed over");
            continue;
        };
        let is_out = arguments.leave_out.as_ref().is_some_and(|word| name.contains(word.as_str()));
        let to = if is_out { &mut kept } else { &mut all };
        append(to, samples);
        used.push(name);
    }
    let hanging = hanging();
    // Together they count as much as a share of the clips' own.
    let share = (HANGING * all.elbow_free.iter().map(|sample| sample.weight * sample.weight).sum::<f64>()
        / hanging.len() as f64)
        .sqrt();
    all.elbow_free.extend(hanging.into_iter().map(|sample| Pointing { weight: share, ..sample }));
    let names = ["KNEE", "KNEE_FREE", "ELBOW", "ELBOW_FREE"];
    let told = ["a knee, by line and foot", "a knee, by line", "an elbow, by line and hand", "an elbow, by line"];
    let used: Vec<String> = used.iter().map(|name| format!("`{name}`")).collect();
    println!("{}", HEAD.replace("FILES", &used.join(",\n//! ")));
    let pairs = [
        (&all.knee, &kept.knee),
        (&all.knee_free, &kept.knee_free),
        (&all.elbow, &kept.elbow),
        (&all.elbow_free, &kept.elbow_free),
    ];
    for ((name, told), (seen, unseen)) in names.iter().zip(told).zip(pairs) {
        let rows = fit::pointing(seen, if *name == "ELBOW_FREE" { 4.0 } else { 0.5 })?;
        let unit = if name.starts_with('K') { LEG } else { ARM };
        eprintln!(
            "{name:11} {:.2} cm fitted, {:.2} cm left out",
            fit::miss(seen, &rows) * unit,
            fit::miss(unseen, &rows) * unit
        );
        println!("/// Where {told} points.\npub static {name}: [[f64; 3]; {}] = [", rows.len());
        for [x, y, z] in &rows {
            println!("    [{x:.4}, {y:.4}, {z:.4}],");
        }
        println!("];\n");
    }
    let vectors = [
        ("COLLAR", "a collar bone is turned, by the hand", &all.collar),
        ("HIPS_PLACE", "hips lie below a head", &all.hips_place),
        ("HIPS_TURN", "hips are turned below a head", &all.hips_turn),
    ];
    for (name, told, axes) in vectors {
        let axes: Vec<Vec<f64>> = axes.iter().map(|axis| fit::value(axis, RIDGE)).collect::<Result<_>>()?;
        println!("/// How {told}.\npub static {name}: [[f64; 3]; {}] = [", axes[0].len());
        (0..axes[0].len())
            .for_each(|row| println!("    [{:.4}, {:.4}, {:.4}],", axes[0][row], axes[1][row], axes[2][row]));
        println!("];\n");
    }
    for ((name, told), axis) in [("PITCH", "nods"), ("YAW", "turns"), ("ROLL", "leans aside")].iter().zip(&all.trunk) {
        let row: Vec<String> = fit::value(axis, RIDGE)?.iter().map(|weight| format!("{weight:.4}")).collect();
        println!("/// How the trunk {told}.\npub static {name}: [f64; {}] = [{}];\n", row.len(), row.join(", "));
    }
    if all.knee.is_empty() {
        bail!("no file shows a human in motion");
    }
    Ok(true)
}

/// What the clip's frames say; each clip counts by the root of its frames, so that long ones do not drown the others.
fn samples(clip: &Clip) -> Option<Samples> {
    let (bvh, skeleton) = (&clip.bvh, &clip.bvh.skeleton);
    let body = Body::of(skeleton, &clip.found)?;
    let step = (1.0 / (RATE * bvh.motion.frame_time)).round().max(1.0);
    #[allow(clippy::cast_sign_loss, reason = "at least one")]
    let frames: Vec<usize> = (0..bvh.motion.len()).step_by(step as usize).collect();
    if frames.len() < 5 {
        return None;
    }
    let (mut pose, mut samples) = (skeleton.rest_pose(), Samples::default());
    let mut feet: Vec<f64> = Vec::new();
    for &frame in &frames {
        bvh.pose_frame(frame, &mut pose);
        feet.push(body.floor(skeleton, &pose));
    }
    feet.sort_by(f64::total_cmp);
    // Of all frames the lowest few may be wrong.
    let floor = feet[feet.len() / 20];
    for &frame in &frames {
        bvh.pose_frame(frame, &mut pose);
        body.sample(skeleton, &pose, floor, &mut samples);
    }
    let weight = 1.0 / (frames.len() as f64).sqrt().sqrt();
    let pointings = [&mut samples.knee, &mut samples.knee_free, &mut samples.elbow, &mut samples.elbow_free];
    pointings.into_iter().flatten().for_each(|sample: &mut Pointing| sample.weight *= weight);
    samples.values_mut().for_each(|sample| sample.weight *= weight);
    Some(samples)
}

fn append(to: &mut Samples, from: Samples) {
    to.knee.extend(from.knee);
    to.knee_free.extend(from.knee_free);
    to.elbow.extend(from.elbow);
    to.elbow_free.extend(from.elbow_free);
    let rows = to.collar.iter_mut().zip(from.collar).chain(to.trunk.iter_mut().zip(from.trunk));
    let hips = to.hips_place.iter_mut().zip(from.hips_place).chain(to.hips_turn.iter_mut().zip(from.hips_turn));
    rows.chain(hips).for_each(|(to, from)| to.extend(from));
}

const HEAD: &str = "\
//! The numbers of [`super::natural`]. Written by `cargo run --release -p sinew-bench -- body-fit`, from motion capture whose
//! licences allow it (CMU Graphics Lab, free for all use; others MIT, BSD or CC0; `shared/data` names each):
//! FILES.
";
