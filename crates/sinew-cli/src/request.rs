//! From options to goals: one wish a joint, with everything that was said about it, and its limb.

use anyhow::{Context as _, Result, anyhow, bail};
use sinew::glam::{DQuat, DVec3};
use sinew::solve::three_link::Last;
use sinew::solve::two_bone::End;
use sinew::{Chain, Goal, Joint, Orient, Skeleton, Slack};

use crate::args::GoalArgs;
use crate::place::{self, Measures};
use crate::rig::Rig;
use crate::served::{self, Pointing, Served, Settings};
use crate::text;
use crate::value::Use;

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

/// All that was said about one joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    pub(crate) joint: Joint,
    pub(crate) position: Option<DVec3>,
    /// The point that goes there, in the joint's frame; its origin by default.
    pub(crate) offset: DVec3,
    pub(crate) rotation: Option<DQuat>,
    /// How far it may stay from its target.
    pub(crate) slack: Option<Slack>,
    pub(crate) pole: Option<DVec3>,
    pub(crate) pointing: Option<Pointing>,
    pub(crate) axis: Option<DVec3>,
    pub(crate) up: Option<DVec3>,
    /// Turn of the last link against the second (radians).
    pub(crate) fold: Option<f64>,
    pub(crate) base: Option<Joint>,
    /// Ratio of the joint's scale to its rest.
    pub(crate) scale: Option<DVec3>,
    pub(crate) weight: Option<f64>,
    /// What becomes of the joint's rotation where nothing asks for one.
    pub(crate) end: End,
}

impl Wish {
    /// Nothing yet.
    pub(crate) fn of(joint: Joint) -> Self {
        Self {
            joint,
            position: None,
            offset: DVec3::ZERO,
            rotation: None,
            slack: None,
            pole: None,
            pointing: None,
            axis: None,
            up: None,
            fold: None,
            base: None,
            scale: None,
            weight: None,
            end: End::Local,
        }
    }

    /// The option that began it.
    pub(crate) fn option(&self) -> &'static str {
        match (self.position, self.pointing, self.rotation) {
            (Some(_), ..) => "--goal",
            (None, Some(_), _) => "--aim",
            (None, None, Some(_)) => "--turn",
            (None, None, None) => "--scale",
        }
    }

    /// The goals and what serves them; none where nothing is wished for.
    pub(crate) fn into_asked(self, rig: &Rig, settings: Settings) -> Result<Vec<Asked>> {
        let mut asked = self.moving(rig, settings)?;
        if let Some(ratio) = self.scale {
            // The base is that of the other goals, where there are any.
            let base = self.base.filter(|_| asked.is_empty()).unwrap_or(self.joint);
            let chain = Chain::new(rig.skeleton(), base, self.joint);
            let joints = chain.map_or_else(|_| vec![self.joint], |chain| chain.joints().to_vec());
            let goal = Goal::scale(self.joint, ratio).base(base).weight(self.weight.unwrap_or(1.0));
            asked.push(Asked { goal, served: Served::Scale(joints) });
        }
        Ok(asked)
    }

    /// All but the scale.
    fn moving(self, rig: &Rig, settings: Settings) -> Result<Vec<Asked>> {
        let mut asked = self.without_slack(rig, settings)?;
        for Asked { goal, served } in asked.iter_mut().filter(|_| self.slack.is_some()) {
            goal.slack = self.slack.unwrap_or_default();
            if !matches!(served, Served::Body { .. }) {
                bail!("--slack: {} meets '{}' itself; add --solver jacobian", served.name(), rig.label(self.joint));
            }
        }
        Ok(asked)
    }

    fn without_slack(self, rig: &Rig, settings: Settings) -> Result<Vec<Asked>> {
        let weight = self.weight.unwrap_or(1.0);
        let Some(position) = self.position else { return self.without_place(rig, settings) };
        let mut goal = match self.rotation {
            Some(rotation) => Goal::frame(self.joint, position, rotation),
            None => Goal::position(self.joint, position),
        };
        if let Some(pole) = self.pole {
            goal = goal.pole(pole);
        }
        if let Some(base) = self.base {
            goal = goal.base(base);
        }
        if let Some(served) = settings.on_body(rig.skeleton(), self.joint, self.base) {
            return self.on_body(rig, &goal.offset(self.offset).weight(weight), &served);
        }
        let last = self.fold.map(Last::Angle);
        let points = self.pointing.is_some();
        let served = Served::limb(rig, settings, self.joint, self.base, self.end, last, points)?;
        let along = match (&served, self.pointing) {
            (Served::ThreeLink(limb), Some(Pointing::At(place))) => Some((limb.toward(rig.skeleton(), place), *limb)),
            (Served::ThreeLink(limb), Some(Pointing::Along(to))) => Some((limb.direction(rig.skeleton(), to), *limb)),
            _ => None,
        };
        let mut asked = vec![Asked { goal: goal.offset(self.offset).weight(weight), served }];
        asked.extend(along.map(|(goal, limb)| Asked { goal: goal.weight(weight), served: Served::Along(limb) }));
        Ok(asked)
    }

    /// The goals of one solver for all: a place, and an axis pointed with it.
    fn on_body(self, rig: &Rig, goal: &Goal, served: &Served) -> Result<Vec<Asked>> {
        if self.fold.is_some() {
            bail!("--fold keeps the last of three links; with --solver {} leave it out", served.name());
        }
        let mut asked = vec![Asked { goal: *goal, served: served.clone() }];
        if let Some(pointing) = self.pointing {
            let pointed = served::pointing(rig, self.joint, self.axis, pointing).weight(goal.weight);
            let pointed = if let Some(base) = self.base { pointed.base(base) } else { pointed };
            let goal = if let Some(up) = self.up { pointed.up(up) } else { pointed };
            asked.push(Asked { goal, served: served.clone() });
        }
        Ok(asked)
    }

    /// A rotation, or an axis pointed.
    fn without_place(self, rig: &Rig, settings: Settings) -> Result<Vec<Asked>> {
        let (name, weight) = (rig.label(self.joint), self.weight.unwrap_or(1.0));
        let body = settings.on_body(rig.skeleton(), self.joint, self.base);
        let (goal, served) = match (self.rotation, self.pointing) {
            (Some(_), Some(_)) => bail!("'{name}' cannot both take a rotation and aim; leave out --turn or --aim"),
            (Some(rotation), None) => {
                let alone = Served::Turn(Orient { joint: self.joint });
                (Goal::rotation(self.joint, rotation), body.unwrap_or(alone))
            }
            (None, Some(pointing)) => {
                let mut goal = served::pointing(rig, self.joint, self.axis, pointing).offset(self.offset);
                if let Some(up) = self.up {
                    goal = goal.up(up);
                }
                (goal, body.map_or_else(|| Served::aim(rig, self.joint, self.base), Ok)?)
            }
            (None, None) => return Ok(Vec::new()),
        };
        let goal = if let Some(base) = self.base { goal.base(base) } else { goal };
        Ok(vec![Asked { goal: goal.weight(weight), served }])
    }
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
        let (joint, rotation) = match one.rest() {
            Some(joint) => {
                let joint = rig.find(joint).with_context(|| one.to_string())?;
                (joint, rig.skeleton().rest_pose().rotation(joint))
            }
            None => {
                let (joint, rotation) = one.rotation()?;
                (rig.find(joint).with_context(|| one.to_string())?, rotation)
            }
        };
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
