//! From options to goals: one wish a joint, with everything that was said about it.

use anyhow::{Context as _, Result, anyhow, bail};
use sinew::{Goal, Joint, Skeleton};

use crate::args::GoalArgs;
use crate::place::{self, Measures};
use crate::rig::Rig;
use crate::served::{Pointing, Served, Settings};
use crate::text;
use crate::value::Use;
use crate::wish::Wish;

/// What joints are called: a character's, or a robot's links.
pub(crate) trait Names {
    fn skeleton(&self) -> &Skeleton;

    /// The joint that the text means. The error is half a line, to be put behind the option's.
    fn find(&self, wanted: &str) -> Result<Joint>;

    /// What places are measured from that are not the scene's; robots have none.
    fn measures(&self) -> Option<Measures<'_>>;

    /// What the joint is called in reports.
    fn label(&self, joint: Joint) -> String;

    /// A length with its unit.
    fn length(&self, length: f64) -> String {
        text::length(length)
    }
}

/// A goal and what serves it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) goal: Goal,
    pub(crate) served: Served,
}

/// What the options ask for, in the order in which joints are first mentioned.
pub(crate) fn read(rig: &Rig, args: &GoalArgs, settings: Settings) -> Result<Vec<Asked>> {
    read_after(rig, Vec::new(), args, settings)
}

/// The same after wishes of `--move`, of which the options may say more.
pub(crate) fn read_after(rig: &Rig, wishes: Vec<Wish>, args: &GoalArgs, settings: Settings) -> Result<Vec<Asked>> {
    let moved = wishes.len();
    let mut wishes = wishes_after(rig, wishes, args)?;
    for one in uses("--base", &args.bases) {
        let (joint, base) = base(rig, &wishes, one)?;
        set_at(rig, &mut wishes, one, joint, false, |wish| wish.base.replace(base).is_some())?;
    }
    let mut asked = Vec::with_capacity(wishes.len());
    for (place, wish) in wishes.into_iter().enumerate() {
        let option = if place < moved { "--move" } else { wish.option() };
        asked.extend(wish.into_asked(rig, settings).context(option)?);
    }
    let goals = asked.iter().filter(|one| matches!(one.served, Served::Body { .. })).map(|one| &one.goal);
    settings.refuse_unserved(rig, goals)?;
    Ok(asked)
}

/// Wishes with what the options say more of them and beside them; all but `--base`.
pub(crate) fn wishes_after(rig: &dyn Names, mut wishes: Vec<Wish>, args: &GoalArgs) -> Result<Vec<Wish>> {
    for one in uses("--goal", &args.goals) {
        let (joint, point) = place::read(rig, one)?;
        set_at(rig, &mut wishes, one, joint, true, |wish| wish.position.replace(point).is_some())?;
    }
    for one in uses("--turn", &args.turns) {
        let (joint, told) = one.turn()?;
        let joint = rig.find(joint).with_context(|| one.to_string())?;
        let rotation = told.unwrap_or_else(|| rig.skeleton().rest_pose().rotation(joint));
        set_at(rig, &mut wishes, one, joint, true, |wish| wish.rotation.replace(rotation).is_some())?;
    }
    hold(rig, &mut wishes, args)?;
    for one in uses("--aim", &args.aims) {
        let (joint, place) = place::read(rig, one)?;
        set_at(rig, &mut wishes, one, joint, true, |wish| wish.pointing.replace(Pointing::At(place)).is_some())?;
    }
    for one in uses("--along", &args.alongs) {
        let (joint, to) = one.direction()?;
        set(rig, &mut wishes, one, joint, true, |wish| wish.pointing.replace(Pointing::Along(to)).is_some())?;
    }
    for one in uses("--scale", &args.scales) {
        let (joint, ratio) = one.factors()?;
        set(rig, &mut wishes, one, joint, true, |wish| wish.scale.replace(ratio).is_some())?;
    }
    for one in uses("--axis", &args.axes) {
        let (joint, axis) = one.direction()?;
        set(rig, &mut wishes, one, joint, false, |wish| wish.axis.replace(axis).is_some())?;
    }
    for one in uses("--up", &args.ups) {
        let (joint, up) = one.direction()?;
        set(rig, &mut wishes, one, joint, false, |wish| wish.up.replace(up).is_some())?;
    }
    for one in uses("--fold", &args.folds) {
        let (joint, angle) = one.degrees()?;
        set(rig, &mut wishes, one, joint, false, |wish| wish.fold.replace(angle).is_some())?;
    }
    for one in uses("--pole", &args.poles) {
        let (joint, point) = place::read(rig, one)?;
        set_at(rig, &mut wishes, one, joint, false, |wish| wish.pole.replace(point).is_some())?;
    }
    for one in uses("--slack", &args.slacks) {
        let (joint, slack) = one.slack()?;
        set(rig, &mut wishes, one, joint, false, |wish| wish.slack.replace(slack).is_some())?;
    }
    for one in uses("--weight", &args.weights) {
        let (joint, weight) = one.weight()?;
        set(rig, &mut wishes, one, joint, false, |wish| wish.weight.replace(weight).is_some())?;
    }
    Ok(wishes)
}

/// Notes `--keep` and `--plant`: joints that stay where they start, and those that go down to the floor there.
fn hold(rig: &dyn Names, wishes: &mut Vec<Wish>, args: &GoalArgs) -> Result<()> {
    let keeps = uses("--keep", &args.keeps).map(|one| (one, false));
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
        let has_goal = |wish: &Wish| wish.joint == joint && (wish.position.is_some() || wish.rotation.is_some());
        if wishes.iter().any(has_goal) {
            bail!("{one}: '{}' has a goal already; leave one of them out", rig.label(joint));
        }
        set_at(rig, wishes, one, joint, true, |wish| {
            (wish.position, wish.rotation) = (Some(position), Some(rotation));
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
    rig: &dyn Names,
    wishes: &mut Vec<Wish>,
    one: Use<'_>,
    joint: &str,
    begins: bool,
    note: impl FnOnce(&mut Wish) -> bool,
) -> Result<()> {
    let joint = rig.find(joint).with_context(|| one.to_string())?;
    set_at(rig, wishes, one, joint, begins, note)
}

/// Notes what was said about a joint. `begins`: whether the option may be the first to mention it;
/// `note` says whether it was said before.
fn set_at(
    rig: &dyn Names,
    wishes: &mut Vec<Wish>,
    one: Use<'_>,
    joint: Joint,
    begins: bool,
    note: impl FnOnce(&mut Wish) -> bool,
) -> Result<()> {
    let place = match wishes.iter().position(|wish| wish.joint == joint) {
        Some(place) => place,
        None if begins => {
            wishes.push(Wish::of(joint));
            wishes.len() - 1
        }
        None => bail!("{one}: '{name}' has no goal; add --goal '{name}=X,Y,Z'", name = rig.label(joint)),
    };
    let repeated = wishes.get_mut(place).is_some_and(note);
    if repeated {
        bail!("{one}: '{}' has one {} already; leave one of them out", rig.label(joint), one.option);
    }
    Ok(())
}

/// Reads `JOINT=JOINT`, whose names may hold `=` themselves: the reading in which both are joints, and
/// of several the one whose first joint has a goal.
fn base(rig: &dyn Names, wishes: &[Wish], one: Use<'_>) -> Result<(Joint, Joint)> {
    let find = |text: &str| rig.find(text).with_context(|| one.to_string());
    let pairs = one.pairs()?;
    let read = |&(tip, base): &(&str, &str)| Ok((find(tip)?, find(base)?));
    let mut readings: Vec<(Joint, Joint)> = pairs.iter().filter_map(|pair| read(pair).ok()).collect();
    readings.dedup();
    if readings.len() > 1 {
        readings.retain(|(tip, _)| wishes.iter().any(|wish| wish.joint == *tip));
    }
    match (&readings[..], pairs.last()) {
        ([reading], _) => Ok(*reading),
        ([], Some(pair)) => read(pair),
        _ => Err(anyhow!("{one}: can be read in several ways; write #N for the joints")),
    }
}
