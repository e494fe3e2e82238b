//! From options to goals: one request a joint, with everything that was said about it.

use anyhow::{Context as _, Result, anyhow, bail};
use sinew::{Chain, Goal, Joint};

use crate::advice;
use crate::args::GoalArgs;
use crate::choices::Method;
use crate::joint_request::JointRequest;
use crate::place;
use crate::rig::Rig;
use crate::served::{Pointing, Served, Settings};
use crate::subject::Subject;
use crate::value::{self, Use};

/// `--keep none` keeps nothing.
const NOTHING: &str = "none";

/// A goal and what serves it.
#[derive(Clone, Debug)]
pub(crate) struct ServedGoal {
    pub(crate) goal: Goal,
    pub(crate) served: Served,
}

/// What the options ask for, in the order in which joints are first mentioned.
pub(crate) fn read(rig: &Rig, args: &GoalArgs, settings: Settings) -> Result<Vec<ServedGoal>> {
    read_after(rig, Vec::new(), args, settings)
}

/// The same after requests of `--move`, of which the options may say more.
pub(crate) fn read_after(
    rig: &Rig,
    requests: Vec<JointRequest>,
    args: &GoalArgs,
    settings: Settings,
) -> Result<Vec<ServedGoal>> {
    let moved = requests.len();
    let mut requests = requests_after(rig, requests, args)?;
    for one in uses("--base", &args.bases) {
        let (joint, base) = base(rig, &requests, one)?;
        set_at(rig, &mut requests, one, joint, false, |request| request.base.replace(base).is_some())?;
    }
    let mut asked = Vec::with_capacity(requests.len());
    for (place, request) in requests.into_iter().enumerate() {
        let option = if place < moved { "--move" } else { request.option() };
        asked.extend(request.into_asked(rig, settings).context(option)?);
    }
    if let Some(tolerance) = args.tolerance.as_deref().map(value::tolerance).transpose()? {
        for one in &mut asked {
            one.goal.tolerance = Some(tolerance);
        }
    }
    let goals = asked.iter().filter(|one| matches!(one.served, Served::Body { .. })).map(|one| &one.goal);
    settings.refuse_unserved(rig, goals)?;
    Ok(asked)
}

/// Goals that keep the feet of a figure that stands, beside those asked for: for the solvers that know no bodies, unless
/// `--keep none` lets them go.
pub(crate) fn kept_feet(rig: &Rig, args: &GoalArgs, settings: Settings, asked: &[ServedGoal]) -> Vec<ServedGoal> {
    let is_blind = matches!(settings.method, Method::Whole | Method::Jacobian | Method::MassSpring);
    if !is_blind || args.keeps.iter().any(|keep| keep == NOTHING) {
        return Vec::new();
    }
    let goals: Vec<Goal> = asked.iter().map(|one| one.goal).collect();
    let kept = rig.found().kept_feet(rig.skeleton(), rig.start(), &goals);
    let serve = |goal: Goal| Some(ServedGoal { goal, served: settings.on_body(rig, goal.joint, None)? });
    kept.into_iter().filter_map(serve).collect()
}

/// Whether a goal's base is more than three bends above it: no closed form has so many.
pub(crate) fn has_long_chain(rig: &Rig, args: &GoalArgs) -> Result<bool> {
    let requests = requests_after(rig, Vec::new(), args)?;
    let bends = |joint: &Joint| rig.skeleton().kind(*joint).turns() && !advice::is_twist(rig.skeleton(), *joint);
    for one in uses("--base", &args.bases) {
        let (tip, base) = base(rig, &requests, one)?;
        let is_place = requests.iter().any(|request| request.joint == tip && request.position.is_some());
        let chain = Chain::new(rig.skeleton(), base, tip).ok().filter(|_| is_place);
        let above =
            chain.map_or(0, |chain| chain.joints().iter().filter(|joint| **joint != tip && bends(joint)).count());
        if above > 3 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Wishes with what the options say more of them and beside them; all but `--base`.
pub(crate) fn requests_after(
    rig: &dyn Subject,
    mut requests: Vec<JointRequest>,
    args: &GoalArgs,
) -> Result<Vec<JointRequest>> {
    for one in uses("--goal", &args.goals) {
        let (joint, point) = place::read(rig, one)?;
        set_at(rig, &mut requests, one, joint, true, |request| request.position.replace(point).is_some())?;
    }
    for one in uses("--turn", &args.turns) {
        let (joint, told) = one.turn()?;
        let joint = rig.find(joint).with_context(|| one.to_string())?;
        // The end of a bone rests as the bone does.
        let bone = rig.skeleton().parent(joint).filter(|_| told.is_none() && !rig.skeleton().kind(joint).turns());
        let joint = bone.unwrap_or(joint);
        let rotation = told.unwrap_or_else(|| rig.skeleton().rest_pose().rotation(joint));
        set_at(rig, &mut requests, one, joint, true, |request| request.rotation.replace(rotation).is_some())?;
    }
    hold(rig, &mut requests, args)?;
    for one in uses("--aim", &args.aims) {
        let (joint, place) = place::read(rig, one)?;
        set_at(rig, &mut requests, one, joint, true, |request| {
            request.pointing.replace(Pointing::At(place)).is_some()
        })?;
    }
    for one in uses("--along", &args.alongs) {
        let (joint, to) = one.direction()?;
        set(rig, &mut requests, one, joint, true, |request| request.pointing.replace(Pointing::Along(to)).is_some())?;
    }
    for one in uses("--scale", &args.scales) {
        let (joint, ratio) = one.factors()?;
        set(rig, &mut requests, one, joint, true, |request| request.scale.replace(ratio).is_some())?;
    }
    for one in uses("--axis", &args.axes) {
        let (joint, axis) = one.direction()?;
        set(rig, &mut requests, one, joint, false, |request| request.axis.replace(axis).is_some())?;
    }
    for one in uses("--up", &args.ups) {
        let (joint, up) = one.direction()?;
        set(rig, &mut requests, one, joint, false, |request| request.up.replace(up).is_some())?;
    }
    for one in uses("--fold", &args.folds) {
        let (joint, angle) = one.degrees()?;
        set(rig, &mut requests, one, joint, false, |request| request.fold.replace(angle).is_some())?;
    }
    for one in uses("--pole", &args.poles) {
        let (joint, point) = place::read(rig, one)?;
        set_at(rig, &mut requests, one, joint, false, |request| request.pole.replace(point).is_some())?;
    }
    for one in uses("--slack", &args.slacks) {
        let (joint, slack) = one.slack()?;
        set(rig, &mut requests, one, joint, false, |request| request.slack.replace(slack).is_some())?;
    }
    for one in uses("--weight", &args.weights) {
        let (joint, weight) = one.weight()?;
        set(rig, &mut requests, one, joint, false, |request| request.weight.replace(weight).is_some())?;
    }
    Ok(requests)
}

/// Notes `--keep` and `--plant`: joints that stay where they start, and those that go down to the floor there.
fn hold(rig: &dyn Subject, requests: &mut Vec<JointRequest>, args: &GoalArgs) -> Result<()> {
    let keeps = uses("--keep", &args.keeps).filter(|one| one.value != NOTHING).map(|one| (one, false));
    for (one, is_planted) in keeps.chain(uses("--plant", &args.plants).map(|one| (one, true))) {
        let joint = rig.find(one.value).with_context(|| one.to_string())?;
        let Some(measures) = rig.measures() else {
            bail!("{one}: it is for characters and means nothing for a robot; leave it out");
        };
        let (position, rotation) = if is_planted {
            place::planted(rig, &measures, joint)
        } else {
            (measures.start.position(joint), measures.start.rotation(joint))
        };
        let has_goal = |request: &JointRequest| {
            request.joint == joint && (request.position.is_some() || request.rotation.is_some())
        };
        if requests.iter().any(has_goal) {
            bail!("{one}: '{}' has a goal already; leave one of them out", rig.label(joint));
        }
        set_at(rig, requests, one, joint, true, |request| {
            (request.position, request.rotation) = (Some(position), Some(rotation));
            false
        })?;
    }
    Ok(())
}

pub(crate) fn uses<'a>(option: &'static str, values: &'a [String]) -> impl Iterator<Item = Use<'a>> {
    values.iter().map(move |value| Use { option, value })
}

/// Finds the joint by its text and notes what was said about it.
fn set(
    rig: &dyn Subject,
    requests: &mut Vec<JointRequest>,
    one: Use<'_>,
    joint: &str,
    begins: bool,
    note: impl FnOnce(&mut JointRequest) -> bool,
) -> Result<()> {
    let joint = rig.find(joint).with_context(|| one.to_string())?;
    set_at(rig, requests, one, joint, begins, note)
}

/// Notes what was said about a joint. `begins`: whether the option may be the first to mention it;
/// `note` says whether it was said before.
fn set_at(
    rig: &dyn Subject,
    requests: &mut Vec<JointRequest>,
    one: Use<'_>,
    joint: Joint,
    begins: bool,
    note: impl FnOnce(&mut JointRequest) -> bool,
) -> Result<()> {
    let place = match requests.iter().position(|request| request.joint == joint) {
        Some(place) => place,
        None if begins => {
            requests.push(JointRequest::of(joint));
            requests.len() - 1
        }
        None => bail!("{one}: '{name}' has no goal; add --goal '{name}=X,Y,Z'", name = rig.label(joint)),
    };
    let repeated = requests.get_mut(place).is_some_and(note);
    if repeated {
        bail!("{one}: '{}' has one {} already; leave one of them out", rig.label(joint), one.option);
    }
    Ok(())
}

/// Reads `JOINT=JOINT`, whose names may hold `=` themselves: the reading in which both are joints, and
/// of several the one whose first joint has a goal.
fn base(rig: &dyn Subject, requests: &[JointRequest], one: Use<'_>) -> Result<(Joint, Joint)> {
    let find = |text: &str| rig.find(text).with_context(|| one.to_string());
    let pairs = one.pairs()?;
    let read = |&(tip, base): &(&str, &str)| Ok((find(tip)?, find(base)?));
    let mut readings: Vec<(Joint, Joint)> = pairs.iter().filter_map(|pair| read(pair).ok()).collect();
    readings.dedup();
    if readings.len() > 1 {
        readings.retain(|(tip, _)| requests.iter().any(|request| request.joint == *tip));
    }
    match (&readings[..], pairs.last()) {
        ([reading], _) => Ok(*reading),
        ([], Some(pair)) => read(pair),
        _ => Err(anyhow!("{one}: can be read in several ways; write #N for the joints")),
    }
}
