//! All that was said about one joint, and the goals that it makes.

use anyhow::{Result, bail};
use sinew::glam::{DQuat, DVec3};
use sinew::solve::three_link::Last;
use sinew::solve::two_bone::End;
use sinew::{Chain, Goal, Joint, Orient, Slack};

use crate::legs;
use crate::request::ServedGoal;
use crate::rig::Rig;
use crate::served::{self, Pointing, Served, Settings};

/// All that was said about one joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointRequest {
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

impl JointRequest {
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

    /// The goals and what serves them; none where nothing is asked for. A foot that is a bone of its own is brought to its place by
    /// its leg.
    pub(crate) fn into_asked(self, rig: &Rig, settings: Settings) -> Result<Vec<ServedGoal>> {
        if let (Some(_), Some((end, place))) = (self.position, legs::end_of_detached(rig, self.joint)) {
            let leg = Self { joint: end, offset: place + self.offset, rotation: None, ..self };
            let foot = Self { rotation: self.rotation, weight: self.weight, ..Self::of(self.joint) };
            return Ok([leg.into_asked(rig, settings)?, foot.into_asked(rig, settings)?].concat());
        }
        let mut asked = self.moving(rig, settings)?;
        if let Some(ratio) = self.scale {
            // The base is that of the other goals, where there are any.
            let base = self.base.filter(|_| asked.is_empty()).unwrap_or(self.joint);
            let chain = Chain::new(rig.skeleton(), base, self.joint);
            let joints = chain.map_or_else(|_| vec![self.joint], |chain| chain.joints().to_vec());
            let goal = Goal::scale(self.joint, ratio).base(base).weight(self.weight.unwrap_or(1.0));
            asked.push(ServedGoal { goal, served: Served::Scale(joints) });
        }
        Ok(asked)
    }

    /// All but the scale.
    fn moving(self, rig: &Rig, settings: Settings) -> Result<Vec<ServedGoal>> {
        let mut asked = self.without_slack(rig, settings)?;
        for ServedGoal { goal, served } in asked.iter_mut().filter(|_| self.slack.is_some()) {
            goal.slack = self.slack.unwrap_or_default();
            if !matches!(served, Served::Body { .. }) {
                bail!("--slack: {} meets '{}' itself; add --solver jacobian", served.name(), rig.label(self.joint));
            }
        }
        Ok(asked)
    }

    fn without_slack(self, rig: &Rig, settings: Settings) -> Result<Vec<ServedGoal>> {
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
        if let Some(served) = settings.on_body(rig, self.joint, self.base) {
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
        let mut asked = vec![ServedGoal { goal: goal.offset(self.offset).weight(weight), served }];
        asked.extend(along.map(|(goal, limb)| ServedGoal { goal: goal.weight(weight), served: Served::Along(limb) }));
        Ok(asked)
    }

    /// The goals of one solver for all: a place, and an axis pointed with it.
    fn on_body(self, rig: &Rig, goal: &Goal, served: &Served) -> Result<Vec<ServedGoal>> {
        if self.fold.is_some() {
            bail!("--fold is for limbs of three links alone; with --solver {} leave it out", served.name());
        }
        let mut asked = vec![ServedGoal { goal: *goal, served: served.clone() }];
        if let Some(pointing) = self.pointing {
            let pointed = served::pointing(rig, self.joint, self.axis, pointing).weight(goal.weight);
            let pointed = if let Some(base) = self.base { pointed.base(base) } else { pointed };
            let goal = if let Some(up) = self.up { pointed.up(up) } else { pointed };
            asked.push(ServedGoal { goal, served: served.clone() });
        }
        Ok(asked)
    }

    /// A rotation, or an axis pointed.
    fn without_place(self, rig: &Rig, settings: Settings) -> Result<Vec<ServedGoal>> {
        let (name, weight) = (rig.label(self.joint), self.weight.unwrap_or(1.0));
        if self.fold.is_some() {
            bail!("--fold: '{name}' has no position to reach; add --goal '{name}=X,Y,Z', or leave --fold out");
        }
        let body = settings.on_body(rig, self.joint, self.base);
        let (goal, served) = match (self.rotation, self.pointing) {
            (Some(_), Some(_)) => bail!("'{name}' cannot both take a rotation and aim; leave out --turn or --aim"),
            (Some(rotation), None) => {
                let alone = Served::Turn(Orient { joint: self.joint });
                (Goal::rotation(self.joint, rotation), body.unwrap_or(alone))
            }
            (None, Some(pointing)) => {
                let mut goal = served::pointing(rig, self.joint, self.axis, pointing).offset(self.offset);
                let alone = || served::upright(rig, self.joint, self.axis, pointing).filter(|_| body.is_none());
                if let Some(up) = self.up.or_else(alone) {
                    goal = goal.up(up);
                }
                (goal, body.map_or_else(|| Served::aim(rig, self.joint, self.base), Ok)?)
            }
            (None, None) => return Ok(Vec::new()),
        };
        let goal = if let Some(base) = self.base { goal.base(base) } else { goal };
        Ok(vec![ServedGoal { goal: goal.weight(weight), served }])
    }
}
