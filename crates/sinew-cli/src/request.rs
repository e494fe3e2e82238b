//! From options to goals: one wish a joint, with everything that was said about it, and its limb.

use anyhow::{Context as _, Result, anyhow, bail};
use sinew::glam::{DQuat, DVec3};
use sinew::solve::two_bone::{End, Reach};
use sinew::{Goal, Joint, TwoBone};

use crate::args::SolveArgs;
use crate::rig::Rig;
use crate::value::{self, Use};
use crate::{joint_ref, limb};

/// A goal and the limb that serves it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) goal: Goal,
    /// `None` for a rotation alone, which the joint takes by itself.
    pub(crate) limb: Option<TwoBone>,
}

impl Asked {
    /// The joints that serve the goal: root, mid and tip of its limb, or the joint alone.
    pub(crate) fn joints(&self) -> Vec<Joint> {
        self.limb.map_or_else(|| vec![self.goal.joint], |limb| vec![limb.root, limb.mid, limb.tip])
    }
}

/// All that was said about one joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    pub(crate) joint: Joint,
    pub(crate) position: Option<DVec3>,
    /// The point that goes there, in the joint's frame; its origin by default.
    pub(crate) offset: DVec3,
    pub(crate) rotation: Option<DQuat>,
    pub(crate) pole: Option<DVec3>,
    pub(crate) base: Option<Joint>,
    pub(crate) weight: Option<f64>,
    /// What becomes of the joint's rotation where nothing asks for one.
    pub(crate) end: End,
}

impl Wish {
    /// Nothing yet.
    pub(crate) fn of(joint: Joint) -> Self {
        let (position, offset, rotation) = (None, DVec3::ZERO, None);
        Self { joint, position, offset, rotation, pole: None, base: None, weight: None, end: End::Local }
    }

    /// The goal and its limb; `None` where neither a place nor a rotation is wished for.
    pub(crate) fn into_asked(self, rig: &Rig, reach: Reach) -> Result<Option<Asked>> {
        let mut goal = match (self.position, self.rotation) {
            (Some(position), Some(rotation)) => Goal::frame(self.joint, position, rotation),
            (Some(position), None) => Goal::position(self.joint, position),
            (None, Some(rotation)) => Goal::rotation(self.joint, rotation),
            (None, None) => return Ok(None),
        };
        if let Some(pole) = self.pole {
            goal = goal.pole(pole);
        }
        if let Some(base) = self.base {
            goal = goal.base(base);
        }
        let goal = goal.offset(self.offset).weight(self.weight.unwrap_or(1.0));
        if self.position.is_none() {
            return Ok(Some(Asked { goal, limb: None }));
        }
        let limb = limb::ending_at(rig, self.joint, self.base)?;
        Ok(Some(Asked { goal, limb: Some(TwoBone { reach, end: self.end, ..limb }) }))
    }
}

/// What the options ask for, in the order in which joints are first mentioned.
pub(crate) fn read(rig: &Rig, args: &SolveArgs) -> Result<Vec<Asked>> {
    let reach = value::reach(&args.reach)?;
    let mut wishes = Vec::new();
    for one in uses("--goal", &args.goals) {
        let (joint, point) = one.point()?;
        set(rig, &mut wishes, one, joint, true, |wish| wish.position.replace(point).is_some())?;
    }
    for one in uses("--turn", &args.turns) {
        let (joint, rotation) = one.rotation()?;
        set(rig, &mut wishes, one, joint, true, |wish| wish.rotation.replace(rotation).is_some())?;
    }
    for one in uses("--pole", &args.poles) {
        let (joint, point) = one.point()?;
        set(rig, &mut wishes, one, joint, false, |wish| wish.pole.replace(point).is_some())?;
    }
    for one in uses("--base", &args.bases) {
        let (joint, base) = base(rig, &wishes, one)?;
        set_at(rig, &mut wishes, one, joint, false, |wish| wish.base.replace(base).is_some())?;
    }
    for one in uses("--weight", &args.weights) {
        let (joint, weight) = one.weight()?;
        set(rig, &mut wishes, one, joint, false, |wish| wish.weight.replace(weight).is_some())?;
    }
    let mut asked = Vec::with_capacity(wishes.len());
    for wish in wishes {
        let option = if wish.position.is_some() { "--goal" } else { "--turn" };
        asked.extend(wish.into_asked(rig, reach).context(option)?);
    }
    Ok(asked)
}

fn uses<'a>(option: &'static str, values: &'a [String]) -> impl Iterator<Item = Use<'a>> {
    values.iter().map(move |value| Use { option, value })
}

/// Finds the joint by its text and notes what was said about it.
fn set(
    rig: &Rig,
    wishes: &mut Vec<Wish>,
    one: Use<'_>,
    joint: &str,
    begins: bool,
    note: impl FnOnce(&mut Wish) -> bool,
) -> Result<()> {
    let joint = joint_ref::find(rig, joint).with_context(|| one.to_string())?;
    set_at(rig, wishes, one, joint, begins, note)
}

/// Notes what was said about a joint. `begins`: whether the option may be the first to mention it;
/// `note` says whether it was said before.
fn set_at(
    rig: &Rig,
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
fn base(rig: &Rig, wishes: &[Wish], one: Use<'_>) -> Result<(Joint, Joint)> {
    let find = |text: &str| joint_ref::find(rig, text).with_context(|| one.to_string());
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
