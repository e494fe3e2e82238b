//! `sinew simulate`: the body moves, its limbs solve their goals, chains swing after it; out come a clip, a film strip
//! and a table.

pub(crate) mod args;
mod chains;
mod film;
mod report;
mod strip;
mod travel;
mod tune;
mod world;

use anyhow::{Context as _, Result, bail};
use sinew::glam::DVec3;
use sinew::springs::Springs;

use crate::Ending;
use crate::joint_request::JointRequest;
use crate::output::{self, Written};
use crate::request::{self, ServedGoal};
use crate::rig::Rig;
use crate::served::{Served, Settings};
use crate::{picture, progress};

use args::SimulateArgs;
use chains::{Chain, Manner};
use film::{Body, Film, Timing};
use travel::Travel;

/// More frames fill the memory; five minutes of film.
const MOST_FRAMES: f64 = 10_000.0;
/// Seconds for which chains settle.
const SETTLE: f64 = 3.0;

/// All that was asked.
struct Scene<'a> {
    rig: &'a Rig,
    travel: Travel,
    asked: Vec<ServedGoal>,
    springs: Springs,
    chains: Vec<Chain>,
    timing: Timing,
    notes: Vec<String>,
}

/// Runs the verb.
pub(crate) fn run(args: &SimulateArgs) -> Result<Ending> {
    picture::check(args.out.picture.as_deref())?;
    let timing = timing(args)?;
    let rig = Rig::only(&args.rig, "simulate")?;
    rig.figure.check_output(args.out.output.as_deref())?;
    let scene = scene(&rig, args, timing)?;
    let settings = Settings { method: args.solver, ..Settings::plain() };
    let mut body = Body::new(&rig, &scene.travel, &scene.asked, settings.body(&rig)?);
    let bar = progress::bar("simulating", scene.timing.frames + 1, "frames", args.out.json);
    let moments = strip::moments(scene.timing.frames);
    let film = film::run(&mut body, &scene.springs, &scene.chains, scene.timing, &moments, || bar.inc(1));
    bar.finish_and_clear();
    let written = write(&scene, args, &film)?;
    output::tell(
        args.out.json,
        &rig.title,
        &written,
        || report::Simulated::of(&scene, &film),
        || report::table(&scene, &film),
    )?;
    Ok(Ending::Fine)
}

fn timing(args: &SimulateArgs) -> Result<Timing> {
    let (seconds, rate) = (args.seconds, args.rate);
    if !(1.0..=1000.0).contains(&rate) {
        bail!("--rate {rate:?}: a clip has 1 to 1000 frames a second; write --rate 30");
    }
    if !(seconds > 0.0 && seconds * rate <= MOST_FRAMES) {
        bail!(
            "--seconds {seconds:?}: a clip is longer than 0 and has at most {MOST_FRAMES} frames; write --seconds 4, or lower --rate"
        );
    }
    let numbers = [
        ("--settle", args.settle, 0.0, 600.0),
        ("--stretch", args.stretch, 1.0, 10.0),
        ("--radius", Some(args.radius), 0.0, 1e9),
        ("--ground", args.ground, -1e9, 1e9),
    ];
    for (option, number, low, high) in numbers {
        if let Some(number) = number.filter(|number| !(low..=high).contains(number)) {
            bail!("{option} {number:?}: write a number from {low:?} to {high:?}");
        }
    }
    Ok(Timing { frames: whole(seconds * rate).max(1), rate, settle: args.settle.unwrap_or(SETTLE) })
}

/// The whole number nearest to one that is not negative.
#[allow(clippy::cast_sign_loss, reason = "not negative")]
fn whole(number: f64) -> usize {
    number.round() as usize
}

fn scene<'a>(rig: &'a Rig, args: &SimulateArgs, timing: Timing) -> Result<Scene<'a>> {
    let travel = travel::read(rig, &args.moves, size(rig), args.seconds)?;
    let manner = Manner {
        radius: args.radius,
        stretch: args.stretch.unwrap_or(1.0),
        squash: args.squash,
        by_air: args.wind.is_some(),
    };
    let (mut springs, chains) = chains::read(rig, &args.chains, manner)?;
    let note = world::set(rig, args, &mut springs)?;
    // Frames may be as long as they like.
    springs.most_steps = u32::MAX;
    springs.check(rig.skeleton()).context("what was asked cannot be simulated")?;
    let settings = Settings { method: args.solver, ..Settings::plain() };
    let rest = rig.skeleton().rest_pose();
    let request =
        |way: &travel::Way| JointRequest { position: Some(rest.position(way.joint)), ..JointRequest::of(way.joint) };
    let requests = travel.ways.iter().map(request).collect();
    let asked =
        request::read_after(rig, requests, &args.wanted, settings).map_err(|error| moved(rig, &travel, error))?;
    apart(rig, &asked, &springs)?;
    let settle = if args.settle.is_none() && travel.is_still() { 0.0 } else { timing.settle };
    Ok(Scene {
        rig,
        travel,
        asked,
        springs,
        chains,
        timing: Timing { settle, ..timing },
        notes: note.into_iter().collect(),
    })
}

/// A complaint about a limb, where roots would do.
fn moved(rig: &Rig, travel: &Travel, error: anyhow::Error) -> anyhow::Error {
    let root = rig.skeleton().roots().next();
    match root.filter(|_| !travel.ways.is_empty()) {
        Some(root) => anyhow::anyhow!("{error:#} (--move {}=X,Y,Z carries the whole body)", rig.key(root)),
        None => error,
    }
}

/// Says so where a goal's joints swing.
fn apart(rig: &Rig, asked: &[ServedGoal], springs: &Springs) -> Result<()> {
    for one in asked.iter().filter(|one| !matches!(one.served, Served::Scale(_))) {
        let mut joints = one.served.joints();
        // The last joint of a limb may begin to swing, unless it is the one that turns.
        let tip = joints.last().copied();
        joints.retain(|joint| Some(*joint) != tip || matches!(one.served, Served::Turn(_) | Served::Aim(_)));
        if let Some(joint) = joints.into_iter().find(|joint| springs.bones.iter().any(|bone| bone.joint == *joint)) {
            let (joint, goal) = (rig.label(joint), rig.label(one.goal.joint));
            bail!(
                "'{joint}' swings, so no goal of '{goal}' can hold it; leave out the goal, or begin the chain further down"
            );
        }
    }
    Ok(())
}

/// The larger of the body's height and its joints' extent along an axis, for motions that suit it.
fn size(rig: &Rig) -> f64 {
    let rest = rig.skeleton().rest_pose();
    let control_joints = rig.figure.control_joints();
    let joints = rig.skeleton().iter().filter(|joint| !control_joints.contains(joint));
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    joints.map(|joint| rest.position(joint)).for_each(|at| (low, high) = (low.min(at), high.max(at)));
    let size = (high - low).max_element().max(rig.height());
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

fn write(scene: &Scene<'_>, args: &SimulateArgs, film: &Film) -> Result<Written> {
    let mut written = Written::noting(scene.notes.clone());
    written.notes.extend(scene.rig.notes());
    if let Some(path) = &args.out.output {
        let notes = scene.rig.figure.write_animated("simulated", &film.times, &film.poses, path, args.out.still)?;
        written.notes.extend(notes);
        written.files.push(output::whole_path(path));
    }
    if let Some(path) = &args.out.picture {
        written.files.push(strip::draw(scene, film, path)?);
    }
    Ok(written.or_hint("-o OUT.glb writes the clip, --picture OUT.svg a film strip"))
}
