//! `sinew walk`: a rig, a path and a ground in; a clip of the rig walking, a film strip and a table out.

pub(crate) mod args;
mod draw;
mod measure;
mod report;
mod route;
mod stance;

use anyhow::{Context as _, Result, bail};
use sinew::glam::DVec3;
use sinew::{Joint, Pose, Skeleton};
use sinew_motion::{Clip, Gait, GaitState};

use crate::Ending;
use crate::ground::{self, Start};
use crate::output::{self, Written};
use crate::picture;
use crate::rig::{self, Rig};

use args::WalkArgs;
use route::Route;
use stance::Stance;

/// More frames fill the memory.
const MOST_FRAMES: f64 = 20_000.0;

/// All that walks.
pub(super) struct Walk<'a> {
    rig: &'a Rig,
    /// At rest as it stands.
    skeleton: Skeleton,
    gait: Gait,
    legs: Vec<Vec<Joint>>,
    start: Start,
    route: Route,
    notes: Vec<String>,
}

/// Runs the verb.
pub(crate) fn run(args: &WalkArgs) -> Result<Ending> {
    picture::check(args.out.picture.as_deref())?;
    let frames = args.seconds * args.rate;
    if !((1.0..=1000.0).contains(&args.rate) && args.seconds > 0.0 && frames <= MOST_FRAMES) {
        bail!("--seconds and --rate: a clip is longer than 0 and has 1 to 1000 frames a second, {MOST_FRAMES} at most");
    }
    let rig = Rig::only(&args.rig, "walk")?;
    rig.figure.check_output(args.out.output.as_deref())?;
    let walk = walk(&rig, args)?;
    let ground = ground::read(&args.terrain.ground, walk.start, walk.gait.height())?;
    let (mut state, skeleton) = (GaitState::default(), &walk.skeleton);
    let frames = (walk.route.seconds * args.rate).round().max(1.0);
    let mut contacts = Vec::new();
    let times: Vec<f64> = std::iter::successors(Some(0.0), |frame| (*frame < frames).then(|| frame + 1.0))
        .map(|frame| frame / args.rate)
        .collect();
    let mut last = 0.0;
    let clip = Clip::sampled(skeleton, times, |time, pose: &mut Pose| {
        walk.gait.step(skeleton, walk.route.at(time), &*ground, pose, &mut state, time - last);
        last = time;
        contacts.push(state.feet().iter().map(|foot| (foot.contact(), foot.steps(), foot.forced())).collect());
    })?;
    let measures = measure::measure(&walk, &*ground, &contacts, &clip);
    let written = write(&walk, args, &*ground, &clip)?;
    output::tell(
        args.out.json,
        &rig.title,
        &written,
        || report::Walked::of(&walk, &measures, &clip),
        || report::table(&walk, &measures, &clip),
    )?;
    Ok(Ending::Fine)
}

fn walk<'a>(rig: &'a Rig, args: &WalkArgs) -> Result<Walk<'a>> {
    let (up, forward) = (rig.found().up, rig.found().forward);
    let Stance { skeleton, legs, floor, notes, .. } = Stance::of(rig)?;
    if legs.len() < 2 {
        let why = notes.first().map_or(String::new(), |note| format!(" ({note})"));
        bail!(
            "{}: has no two legs that can walk{why}; name them in a sidecar (`sinew inspect RIG --write-sidecar` makes one)",
            rig.title
        );
    }
    let mut gait = Gait::new(&skeleton, &legs, up, forward, floor).context("the legs cannot walk")?;
    // Also what is not finite.
    if gait.height().partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
        bail!("{}: its hips are not over the lowest point of its mesh, so that it has no ground to walk on", rig.title);
    }
    if rig.height() > rig::TALL {
        gait = gait.with_gravity(981.0);
    }
    let legs: Vec<Vec<Joint>> = legs
        .into_iter()
        .map(|leg| leg.joints.into_iter().chain(leg.apart).chain(leg.toe).chain(leg.end).collect())
        .collect();
    let rest = skeleton.rest_pose();
    let middle = legs.iter().map(|leg| rest.position(leg[0])).sum::<DVec3>() / legs.len() as f64;
    let start = Start { at: middle - up * (middle.dot(up) - gait.floor()), up, forward };
    let speed = args.speed.unwrap_or_else(|| gait.easy_speed());
    if !(speed.is_finite() && speed.abs() < 1e6) {
        bail!("--speed {speed:?}: write a number of the file's lengths a second");
    }
    let route = Route::read(&args.route, start, speed, args.seconds, gait.height())?;
    Ok(Walk { rig, skeleton, gait, legs, start, route, notes })
}

fn write(walk: &Walk<'_>, args: &WalkArgs, ground: &dyn sinew_motion::Ground, clip: &Clip) -> Result<Written> {
    let mut written = Written::noting(walk.notes.clone());
    written.notes.extend(walk.rig.notes());
    if let Some(path) = &args.out.output {
        written.notes.extend(walk.rig.figure.write_animated(
            "walk",
            clip.times(),
            clip.poses(),
            path,
            args.out.still,
        )?);
        written.files.push(output::whole_path(path));
    }
    if let Some(path) = &args.out.picture {
        written.files.push(draw::draw(walk, ground, clip, path)?);
    }
    Ok(written.or_hint("-o OUT.glb writes the clip, --picture OUT.svg a film strip"))
}
