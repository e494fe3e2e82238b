//! `sinew plant`: a clip and a ground in; the clip on that ground, a film strip and what was measured before and after out.

pub(crate) mod args;
mod draw;
mod least;
mod measure;
mod report;
mod travel;

use anyhow::{Context as _, Result, bail};
use sinew::Joint;
use sinew::glam::DVec3;
use sinew_motion::{Clip, Contacts, Feet, FeetSettings, FeetState, FeetStep, Ground};

use crate::Ending;
use crate::figure::Baked;
use crate::ground::{self, Start};
use crate::legs;
use crate::output::{self, Written};
use crate::picture;
use crate::rig::Rig;
use crate::source::{self, Source};

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
    /// The joints of each leg, with those of its foot.
    legs: Vec<Vec<Joint>>,
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
    let rig = Rig::only(&source::with_body(&args.rig, &args.clip), "plant")?;
    rig.figure.check_output(args.out.output.as_deref())?;
    let planting = plant(&rig, args)?;
    let measures = measure::measure(&planting);
    let written = write(&planting, args)?;
    output::tell(
        args.out.json,
        &rig.title,
        &written,
        || report::Planted::of(&planting, &measures),
        || report::table(&planting, &measures),
    )?;
    Ok(Ending::Fine)
}

fn plant<'a>(rig: &'a Rig, args: &'a PlantArgs) -> Result<Planting<'a>> {
    let skeleton = rig.skeleton();
    let mut source = Source::open(rig, &args.clip, args.rate)?;
    let is_guess = |joint| rig.figure.is_inferred(joint);
    let legs = rig.found().feet_legs(skeleton, is_guess);
    let settings = FeetSettings { up: rig.found().up, ..FeetSettings::default() };
    let feet = Feet::new(skeleton, &legs, &skeleton.rest_pose(), legs::floor(rig, &skeleton.rest_pose()), settings);
    let mut feet = feet.with_context(|| {
        let title = &rig.title;
        format!("{title}: has no legs with a hip, a knee and a foot; name them in a sidecar (`sinew inspect RIG --write-sidecar` makes one)")
    })?;
    feet.settings.floor = feet.floor_of(&source.clip);
    feet.bend_as(&source.clip);
    let travel = travel::put_in(rig, &feet, &legs, &mut source, args.laps)?;
    travel::quicken(&mut feet, &legs, &source.clip);
    let contacts = Contacts::of_travelling(&feet, &source.clip, travel);
    let start = travel::start(rig, &feet, &legs, &source.clip);
    let height = (0..feet.len()).map(|foot| feet.length(foot)).fold(0.0, f64::max);
    let ground = ground::read(&args.terrain.ground, start, height)?;
    let after = walk(rig, &feet, &source.clip, &contacts, &*ground, args.live);
    let legs = legs
        .into_iter()
        .map(|leg| leg.joints.into_iter().chain(leg.apart).chain(leg.toe).chain(leg.end).collect())
        .collect();
    Ok(Planting { rig, ground, terrain: &args.terrain.ground, feet, legs, start, source, travel, contacts, after })
}

/// The clip on the ground; `live`, as a game loop steps it.
fn walk(rig: &Rig, feet: &Feet, clip: &Clip, contacts: &Contacts, ground: &dyn Ground, live: bool) -> Clip {
    let mut planted = clip.clone();
    if !live {
        feet.plant(rig.skeleton(), &mut planted, contacts, ground);
        return planted;
    }
    let (mut state, mut hints, mut last) = (FeetState::default(), Vec::new(), clip.start());
    for (pose, &time) in planted.poses_mut().iter_mut().zip(clip.times()) {
        contacts.hints(time, &mut hints);
        feet.step(rig.skeleton(), pose, ground, FeetStep { dt: time - last, hints: &hints }, &mut state);
        last = time;
    }
    planted
}

fn write(planting: &Planting<'_>, args: &PlantArgs) -> Result<Written> {
    let mut written = Written::noting(planting.source.notes.clone());
    written.notes.extend(planting.rig.notes());
    if let Some(path) = &args.out.output {
        let baked = Baked { source: &planting.source, clip: &planting.after, beside: None, still: args.out.still };
        written.notes.extend(planting.rig.figure.write_baked(baked, path)?);
        written.files.push(output::whole_path(path));
    }
    if let Some(path) = &args.out.picture {
        written.files.push(draw::draw(planting, path)?);
    }
    Ok(written.or_hint("-o OUT.glb writes the clip, --picture OUT.svg a film strip"))
}
