//! `sinew plant`: a clip and a ground in; the clip on that ground, a film strip and what was measured before and after out.

pub(crate) mod args;
mod draw;
mod measure;
mod report;
mod travel;

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sinew::glam::DVec3;
use sinew_motion::{Clip, Contacts, Feet, FeetSettings, FeetState, FeetStep, Ground};

use crate::Ending;
use crate::figure::Baked;
use crate::ground::{self, Start};
use crate::legs;
use crate::rig::Rig;
use crate::robot::Machine;
use crate::solve::Written;
use crate::source::Source;
use crate::{output, picture};

use args::PlantArgs;

/// More laps fill the memory.
const MOST_LAPS: u32 = 1000;

/// A clip that is planted.
struct Planting<'a> {
    rig: &'a Rig,
    ground: Box<dyn Ground>,
    /// How the ground was named.
    terrain: &'a str,
    feet: Feet,
    start: Start,
    source: Source,
    /// The speed that was put into a clip on the spot.
    travel: DVec3,
    contacts: Contacts,
    after: Clip,
}

/// Runs the verb.
pub(crate) fn run(args: &PlantArgs) -> Result<Ending> {
    picture::check(args.out.picture.as_deref())?;
    if !(1..=MOST_LAPS).contains(&args.laps) {
        bail!("--laps {}: write 1 to {MOST_LAPS}", args.laps);
    }
    if let Some(machine) = Machine::given(&args.rig)? {
        bail!("{}: `sinew plant` is for characters and creatures; robots have `sinew path`", machine.title);
    }
    let rig = Rig::load(&args.rig)?;
    rig.figure.check_output(args.out.output.as_deref())?;
    let planting = plant(&rig, args)?;
    let measures = measure::measure(&planting);
    let written = write(&planting, args)?;
    if args.out.json {
        output::print(&format!("{}\n", report::object(&planting, &measures, &written)))?;
    } else {
        output::print(&(report::table(&planting, &measures) + &written.to_text()))?;
    }
    Ok(Ending::Fine)
}

fn plant<'a>(rig: &'a Rig, args: &'a PlantArgs) -> Result<Planting<'a>> {
    let skeleton = rig.skeleton();
    let mut source = Source::open(rig, &args.clip, args.rate)?;
    let legs = legs::planted(rig);
    let mut settings = FeetSettings::default();
    settings.up = rig.found().up;
    let feet = Feet::new(skeleton, &legs, &skeleton.rest_pose(), legs::floor(rig), settings);
    let mut feet = feet.with_context(|| {
        let title = &rig.title;
        format!("{title}: has no legs with a hip, a knee and a foot; name them in a sidecar (`sinew inspect RIG --write-sidecar` makes one)")
    })?;
    feet.settings.floor = feet.floor_of(&source.clip);
    let travel = travel::put_in(rig, &feet, &mut source, args.laps)?;
    travel::quicken(&mut feet, &legs, &source.clip);
    let contacts = Contacts::of_travelling(&feet, &source.clip, travel);
    let start = travel::start(rig, &feet, &legs, &source.clip);
    let height = (0..feet.len()).map(|foot| feet.length(foot)).fold(0.0, f64::max);
    let ground = ground::read(&args.terrain.ground, start, height)?;
    let after = walk(rig, &feet, &source.clip, &contacts, &*ground, args.out.json);
    Ok(Planting { rig, ground, terrain: &args.terrain.ground, feet, start, source, travel, contacts, after })
}

/// The clip on the ground.
fn walk(rig: &Rig, feet: &Feet, clip: &Clip, contacts: &Contacts, ground: &dyn Ground, hidden: bool) -> Clip {
    let bar = progress(clip.len(), hidden);
    let (mut state, mut hints) = (FeetState::default(), Vec::new());
    let times = clip.times().to_vec();
    let mut planted = clip.clone();
    for (frame, pose) in planted.poses_mut().iter_mut().enumerate() {
        contacts.hints(times[frame], &mut hints);
        let dt = if frame == 0 { 0.0 } else { times[frame] - times[frame - 1] };
        feet.step(rig.skeleton(), pose, ground, FeetStep { dt, hints: &hints }, &mut state);
        bar.inc(1);
    }
    bar.finish_and_clear();
    planted
}

/// A bar on standard error; none where that is no terminal, or a program reads.
fn progress(frames: usize, hidden: bool) -> ProgressBar {
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("planting [{bar:40}] {pos}/{len} frames, {eta} left");
    let bar = ProgressBar::with_draw_target(Some(frames as u64), target);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar
}

fn write(planting: &Planting<'_>, args: &PlantArgs) -> Result<Written> {
    let mut written = Written { notes: planting.source.notes.clone(), ..Written::default() };
    written.notes.extend(planting.rig.notes());
    if let Some(path) = &args.out.output {
        let baked = Baked { source: &planting.source, clip: &planting.after, beside: None, still: args.out.still };
        written.notes.extend(planting.rig.figure.write_baked(baked, path)?);
        written.files.push(output::whole_path(path));
    }
    if let Some(path) = &args.out.picture {
        written.files.push(draw::draw(planting, path)?);
    }
    if written.files.is_empty() {
        written
            .notes
            .push("note: nothing written; -o OUT.glb writes the clip, --picture OUT.svg a film strip".to_owned());
    }
    Ok(written)
}
