//! `sinew bake`: goals over a clip in; the file with the baked clip, curves, a film strip and a report out.

pub(crate) mod args;
mod bend;
mod calm;
mod draw;
mod ease;
mod film;
mod goals;
mod interrupt;
mod measure;
mod part;
mod report;
mod steady;
mod table;
mod track;
mod windows;

use anyhow::{Result, bail};
use sinew::Joint;
use sinew_motion::Clip;

use crate::Ending;
use crate::figure::Baked;
use crate::output::{self, Written};
use crate::rig::Rig;
use crate::served::Settings;
use crate::source::{self, Source};
use crate::{picture, progress, text, value};

use args::BakeArgs;
use calm::GaveWay;
use film::{Plan, Shot};
use measure::{Changed, Pop};
use report::Tally;
use track::Track;

/// What is told of joints' places, by the order of the derivative.
const NAMES: [&str; 3] = ["speed", "acceleration", "jerk"];
/// Joints that the table tells of.
const TOLD: usize = 12;

/// A clip that is baked.
struct Baking<'a> {
    rig: &'a Rig,
    source: &'a Source,
    plan: &'a Plan<'a>,
    shots: Vec<Shot>,
    after: Clip,
    changed: Vec<Changed>,
    pops: Vec<Pop>,
    gave_way: Vec<GaveWay>,
}

/// Runs the verb.
pub(crate) fn run(args: &BakeArgs) -> Result<Ending> {
    interrupt::watch();
    picture::check(args.picture.as_deref())?;
    picture::check_as("--curves", args.curves.as_deref())?;
    let rig = Rig::only(&source::with_body(&args.rig, &args.clip), "bake")?;
    rig.figure.check_output(args.output.as_deref())?;
    let source = Source::open(&rig, &args.clip, args.rate)?;
    let settings = Settings { method: args.solver, reach: value::reach(&args.reach)?, ..Settings::plain() };
    let mut plan = Plan::new(&rig, &source.clip, tracks(args, source.clip.times())?, settings)?;
    let bar = progress::bar("baking", source.clip.len(), "frames", args.json);
    let mut shots = plan.bake(&source.clip, || bar.inc(1));
    ease::lengthen(&mut plan, &source.clip, &mut shots)?;
    let own = |joint| !rig.figure.is_inferred(joint);
    let gave_way = if args.exact { Vec::new() } else { calm::calm(&plan, &source.clip, &mut shots, own)? };
    bar.finish_and_clear();
    let baking = Baking { gave_way, ..Baking::new(&rig, &source, &plan, shots)? };
    let written = interrupt::undisturbed(|| write(&baking, args))?;
    output::tell(args.json, &rig.title, &written, || report::Baked::of(&baking), || report::table(&baking))?;
    Ok(if args.strict && baking.is_flawed() { Ending::Missed } else { Ending::Fine })
}

/// What the file of goals and the options ask for in these frames.
fn tracks(args: &BakeArgs, frames: &[f64]) -> Result<Vec<Track>> {
    let mut tracks = args.goals.as_deref().map(goals::read).transpose()?.unwrap_or_default();
    let keep = |joint: &String| Track::keep(format!("--keep {}", text::short_name(joint)), joint);
    tracks.extend(args.keeps.iter().map(keep));
    let shows = args.output.is_some() || args.picture.is_some();
    if tracks.is_empty() && (!shows || args.curves.is_some()) {
        bail!(
            "nothing to do; write goals into a file and name it: --goals FILE (`sinew help bake` shows one), or draw the clip as it is: --picture OUT.svg"
        );
    }
    for track in &mut tracks {
        track.span = track.span.over(frames);
    }
    Ok(tracks)
}

impl<'a> Baking<'a> {
    fn new(rig: &'a Rig, source: &'a Source, plan: &'a Plan<'a>, shots: Vec<Shot>) -> Result<Self> {
        let poses = shots.iter().map(|shot| shot.pose.clone()).collect();
        let after = Clip::new(rig.skeleton(), source.clip.times().to_vec(), poses)?;
        let changed = measure::changed(rig.skeleton(), &source.clip, &after);
        // Ends that the file lacks are nobody's joints.
        let own: Vec<Changed> = changed.iter().filter(|one| !rig.figure.is_inferred(one.joint)).copied().collect();
        let pops = measure::pops(plan, &shots, &source.clip, &after, &own);
        Ok(Self { rig, source, plan, shots, after, changed, pops, gave_way: Vec::new() })
    }

    /// The changed joints that serve goals; where there are too many, the first.
    fn foremost(&self) -> Vec<Changed> {
        let serving: Vec<Joint> = self.plan.asked.iter().flat_map(|one| one.served.joints()).collect();
        let asked = |joint: Joint| self.plan.parts.iter().any(|part| part.joint == joint);
        let told = self.changed.iter().filter(|one| asked(one.joint) || serving.contains(&one.joint));
        told.take(TOLD).copied().collect()
    }

    /// Whether a goal was missed where it holds wholly, or a joint pops.
    fn is_flawed(&self) -> bool {
        let missed = self.plan.parts.iter().enumerate().any(|(number, part)| {
            let tally = Tally::of(self, number, part);
            tally.reached < tally.frames
        });
        missed || !self.pops.is_empty()
    }
}

fn write(baking: &Baking<'_>, args: &BakeArgs) -> Result<Written> {
    let mut written = Written::noting(baking.source.notes.clone());
    written.notes.extend(baking.rig.notes());
    if let Some(path) = &args.output {
        let baked =
            Baked { source: baking.source, clip: &baking.after, beside: args.beside.as_deref(), still: args.still };
        written.notes.extend(baking.rig.figure.write_baked(baked, path)?);
        written.files.push(output::whole_path(path));
    }
    if let Some(path) = &args.picture {
        written.files.push(draw::strip(baking, path)?);
    }
    if let Some(path) = &args.curves {
        written.files.push(draw::curves(baking, path)?);
    }
    let ends = if baking.source.own.is_some() { "OUT.glb" } else { "OUT.bvh" };
    Ok(written
        .or_hint(&format!("-o {ends} writes the clip, --picture OUT.svg a film strip, --curves OUT.svg its curves")))
}
