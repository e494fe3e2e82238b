//! `sinew crowd`: many instances of one rig, solved in vector registers; times, a picture and a curve out.

pub(crate) mod args;
mod bends;
mod cast;
mod draw;
mod human;
mod report;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use indicatif::ProgressBar;
use sinew::Status;
use sinew_crowd::{Goals, Poses};

use crate::Ending;
use crate::output::{self, Written};
use crate::rig::Rig;
use crate::{picture, progress};

use args::{CrowdArgs, CrowdSolver};
use cast::Cast;

/// Bytes that a crowd takes at most.
const MEMORY: usize = 4 << 30;
/// Limbs of the crowds of a curve.
const SIZES: [usize; 7] = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
/// Frames measured of each: more of small crowds, until so many limbs were solved.
const CURVE_FRAMES: usize = 11;
const CURVE_LIMBS: usize = 1_000_000;

/// Times of one crowd.
struct Measured {
    characters: usize,
    /// Of a frame, sorted.
    times: Vec<Duration>,
    /// Share of the targets that were reached in the last frame, looks aside.
    reached: f64,
    /// Share of limbs and looks, or of bodies, that were left to the core.
    by_core: f64,
}

impl Measured {
    fn median(&self) -> f64 {
        self.times[self.times.len() / 2].as_secs_f64()
    }

    fn best(&self) -> f64 {
        self.times[0].as_secs_f64()
    }
}

/// Runs the verb.
pub(crate) fn run(args: &CrowdArgs) -> Result<Ending> {
    picture::check(args.picture.as_deref())?;
    picture::check_as("--curve", args.curve.as_deref())?;
    ensure!(args.count > 0, "--count 0: a crowd has 1 character or more");
    ensure!((1..=100_000).contains(&args.frames), "--frames {}: write 1 to 100000", args.frames);
    let rig = Rig::only(&args.rig, "crowd")?;
    ensure!(
        args.curve.is_none() || args.solver == CrowdSolver::Limbs,
        "--curve: it counts limbs; leave out --solver body, or --curve"
    );
    let cast = Cast::new(&rig, args.solver)?;
    let most = MEMORY / bytes(&cast);
    ensure!(
        args.count <= most,
        "--count {}: so many take more than {} GiB; write {most} or less",
        args.count,
        MEMORY >> 30
    );
    let each = cast.limbs();
    ensure!(args.curve.is_none() || each > 0, "--curve: {} has no limbs that a crowd moves, only a head", rig.title);
    let sizes = if args.curve.is_some() { &SIZES[..] } else { &[] };
    let frames = |limbs: usize| CURVE_FRAMES.max(CURVE_LIMBS / limbs);
    let all = args.frames + sizes.iter().map(|&limbs| frames(limbs)).sum::<usize>();
    let bar = progress::bar("solving", all, "frames", args.json);
    let (measured, poses) = measure(&cast, args.count, args.frames, &bar);
    let curve: Vec<Measured> =
        sizes.iter().map(|&limbs| measure(&cast, limbs.div_ceil(each), frames(limbs), &bar).0).collect();
    bar.finish_and_clear();
    let mut written = Written::noting(cast.notes.iter().cloned().chain(rig.notes()).collect());
    if let Some(path) = &args.picture {
        written.files.push(draw::draw(&rig, &cast, &poses, path)?);
    }
    if let Some(path) = &args.curve {
        let plot = draw::curve(&cast, &curve);
        written.files.push(picture::save_as(path, || plot.png(), || plot.svg())?);
    }
    output::tell(
        args.json,
        &rig.title,
        &written,
        || report::CrowdObject::of(&cast, &measured, &curve),
        || report::page(&rig, &cast, &measured, &curve),
    )?;
    Ok(Ending::Fine)
}

/// Bytes that each character takes.
fn bytes(cast: &Cast) -> usize {
    Poses::new(&cast.crowd, 1).bytes_each() + Goals::new(&cast.crowd, 1).bytes_each()
}

/// Solves so many frames of so many characters, after one to warm up.
fn measure(cast: &Cast, characters: usize, frames: usize, bar: &ProgressBar) -> (Measured, Poses) {
    let (mut poses, mut goals) = (Poses::new(&cast.crowd, characters), Goals::new(&cast.crowd, characters));
    cast.set(&mut goals, characters, 0);
    cast.crowd.solve(&mut poses, &mut goals);
    let mut times = Vec::with_capacity(frames);
    for frame in 1..=frames {
        cast.set(&mut goals, characters, frame);
        let start = Instant::now();
        cast.crowd.solve(&mut poses, &mut goals);
        times.push(start.elapsed());
        bar.inc(1);
    }
    times.sort_unstable();
    let solvers = 0..cast.ends();
    let ends = (0..characters).flat_map(|character| solvers.clone().map(move |solver| (character, solver)));
    let reached = ends.filter(|&(character, solver)| goals.result(character, solver).0 == Status::Reached).count();
    let reached = reached as f64 / (characters * cast.ends()).max(1) as f64;
    let all = (0..characters).flat_map(|character| (0..cast.crowd.solvers()).map(move |solver| (character, solver)));
    let by_core = all.filter(|&(character, solver)| goals.is_by_core(character, solver)).count();
    let by_core = by_core as f64 / (characters * cast.crowd.solvers()).max(1) as f64;
    (Measured { characters, times, reached, by_core }, poses)
}
