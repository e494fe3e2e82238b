//! From options to goals of a robot's links, and the solver that serves them.

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum as _;
use sinew::glam::DVec3;
use sinew::solve::mass_spring::Root;
use sinew::{Goal, Joint, Kind, Solver, Target, Tolerance};
use sinew_arm::Serial;

use super::Machine;
use crate::args::{GoalArgs, SolveArgs};
use crate::choices::{BendChoice, Method, PlaneChoice, YieldsChoice};
use crate::joint_request::JointRequest;
use crate::request::{self, ServedGoal};
use crate::served::{Pointing, Served, Settings};
use crate::{text, value};

/// Starts besides the seed, unless `--restarts` says otherwise: enough for all but one in some thousand frames.
const RESTARTS: u32 = 100;

/// Says so where an option was given that means something for characters only.
pub(crate) fn refuse_foreign(args: &SolveArgs) -> Result<()> {
    let given = [
        ("--stand", !args.stands.is_empty()),
        ("--reach", args.reach != "clamp"),
        ("--plane", args.plane != PlaneChoice::Pole),
        ("--yields", args.yields != YieldsChoice::Direction),
        ("--bend", args.bend != BendChoice::Given),
        ("--still", args.out.still),
    ];
    refuse_first(&given)
}

/// The same of options for goals.
fn refuse_foreign_goals(args: &GoalArgs) -> Result<()> {
    let given =
        [("--pole", !args.poles.is_empty()), ("--fold", !args.folds.is_empty()), ("--scale", !args.scales.is_empty())];
    refuse_first(&given)
}

fn refuse_first(given: &[(&str, bool)]) -> Result<()> {
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => bail!("{option}: it is for characters and means nothing for a robot; leave it out"),
        None => Ok(()),
    }
}

/// What the options ask for, in the order in which links are first mentioned.
pub(crate) fn read(machine: &Machine, args: &GoalArgs) -> Result<Vec<Goal>> {
    refuse_foreign_goals(args)?;
    let mut requests = request::requests_after(machine, Vec::new(), args)?;
    set_bases(machine, &mut requests, args)?;
    let mut goals: Vec<Goal> = Vec::new();
    for request in &requests {
        let option = request.option();
        if machine.coordinates_between(request.base, request.joint).is_empty() && !machine.floats(request.joint) {
            let (name, from) = (machine.label(request.joint), request.base.unwrap_or_else(|| machine.robot.base()));
            bail!("{option}: no joint moves '{name}' against '{}'; name a link further down", machine.label(from));
        }
        goals.extend(goals_of(request).with_context(|| format!("{option}: '{}'", machine.label(request.joint)))?);
    }
    if let Some(tolerance) = args.tolerance.as_deref().map(value::tolerance).transpose()? {
        for goal in &mut goals {
            goal.tolerance = Some(tolerance);
        }
    }
    Ok(goals)
}

/// What a frame is reached within that fewer than six joints can come no nearer to: the digits in which it was told.
pub(crate) const NEAR: Tolerance = Tolerance { position: 1e-6, rotation: 1e-5 };

/// The tolerance of a goal where nothing nearer was found.
pub(crate) fn near(machine: &Machine, goal: &Goal) -> Option<Tolerance> {
    let is_frame = matches!(goal.target, Target::Frame { .. }) && goal.tolerance.is_none();
    (is_frame && machine.coordinates_between(goal.relative_to, goal.joint).len() < 6).then_some(NEAR)
}

/// Notes `--base LINK`, for all, and `--base TIP=LINK`, for one.
fn set_bases(machine: &Machine, requests: &mut [JointRequest], args: &GoalArgs) -> Result<()> {
    for one in request::uses("--base", &args.bases) {
        let base = |text: &str| machine.link(text).with_context(|| one.to_string());
        if let Some((tip, link)) = one.value.split_once('=') {
            let (tip, link) = (base(tip)?, base(link)?);
            let Some(request) = requests.iter_mut().find(|request| request.joint == tip) else {
                bail!("{one}: '{name}' has no goal; add --goal '{name}=X,Y,Z'", name = machine.label(tip));
            };
            request.base = Some(link);
        } else {
            let link = base(one.value)?;
            requests.iter_mut().filter(|request| request.base.is_none()).for_each(|request| request.base = Some(link));
        }
    }
    Ok(())
}

/// A place with a turn is one goal; an axis beside a place is one of its own.
fn goals_of(request: &JointRequest) -> Result<Vec<Goal>> {
    let link = request.joint;
    if request.rotation.is_some() && request.pointing.is_some() {
        bail!("it cannot both take a rotation and aim; leave out --turn or --aim and --along");
    }
    if request.slack.is_some() && request.position.is_none() && request.rotation.is_none() {
        bail!("--slack is for positions and rotations; add --goal or --turn");
    }
    let place = match (request.position, request.rotation) {
        (Some(position), Some(rotation)) => Some(Goal::frame(link, position, rotation)),
        (Some(position), None) => Some(Goal::position(link, position)),
        (None, Some(rotation)) => Some(Goal::rotation(link, rotation)),
        (None, None) => None,
    };
    let axis = request.axis.unwrap_or(DVec3::Z);
    let pointed = request.pointing.map(|pointing| match pointing {
        Pointing::At(place) => Goal::aim(link, axis, place),
        Pointing::Along(direction) => Goal::axis(link, axis, direction),
    });
    let pointed = match (pointed, request.up) {
        (Some(goal), Some(up)) => Some(goal.up(up)),
        (goal, _) => goal,
    };
    let finish = |goal: Goal| {
        let goal = goal.weight(request.weight.unwrap_or(1.0)).slack(request.slack.unwrap_or_default());
        if let Some(base) = request.base { goal.relative_to(base) } else { goal }
    };
    Ok([place, pointed].into_iter().flatten().map(finish).collect())
}

/// The settings of the solver that a method names or that suits the goals, and its name.
pub(crate) fn settings(
    machine: &Machine,
    goals: &[Goal],
    method: Method,
    restarts: Option<u32>,
) -> Result<(&'static str, Settings)> {
    let skeleton = machine.skeleton();
    let serial = |goal: &Goal| Serial::default().serves(skeleton, goal) && !machine.floats(goal.joint);
    let chosen = match method {
        Method::Auto if goals.iter().all(serial) => Method::Serial,
        Method::Auto => Method::Jacobian,
        given => given,
    };
    let restarts = restarts.unwrap_or(RESTARTS);
    let settings = Settings { method: chosen, restarts: Some(restarts), root: Root::Pinned, ..Settings::plain() };
    let Some(name) = settings.body_name() else {
        let name = method.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        bail!("--solver {name}: it is for limbs of characters; leave it out, or name serial or jacobian");
    };
    settings.refuse_unserved(machine, goals.iter())?;
    if goals.iter().any(|goal| goal.relative_to.is_some()) && !keeps_bases(chosen) {
        bail!("--base: {name} lets nothing stand still; leave --solver out, or name serial or jacobian");
    }
    Ok((name, settings))
}

/// Whether a solver leaves alone what targets are measured from.
fn keeps_bases(method: Method) -> bool {
    matches!(method, Method::Serial | Method::Jacobian | Method::Transpose | Method::Damped | Method::Selective)
}

/// The solver of these settings, of the links that serve the goals alone.
pub(crate) fn solver(machine: &Machine, settings: Settings, asked: &[ServedGoal]) -> Option<Box<dyn Solver>> {
    let skeleton = machine.skeleton();
    let mut links: Vec<Joint> = asked.iter().flat_map(|one| one.served.joints()).collect();
    let drives: Vec<_> = links.iter().filter_map(|&link| skeleton.drive(link)).collect();
    links.extend(drives.iter().flat_map(|drive| skeleton.driven(drive.coordinate)));
    settings.body_of(Some(links))
}

/// The goals with the links that serve them, from the base down.
pub(crate) fn asked(machine: &Machine, goals: &[Goal], name: &'static str) -> Vec<ServedGoal> {
    let skeleton = machine.skeleton();
    let served = |goal: &Goal| {
        let is_still = |link: Joint| goal.relative_to.is_some_and(|base| skeleton.is_below(base, link));
        let up = std::iter::successors(Some(goal.joint), |&link| skeleton.parent(link));
        let mut joints: Vec<Joint> = up.take_while(|&link| !is_still(link)).collect();
        joints.reverse();
        Served::Body { name, joints, limb: None }
    };
    goals.iter().map(|goal| ServedGoal { served: served(goal), goal: *goal }).collect()
}

impl Machine {
    /// Whether a floating joint lies at the link or above it.
    pub(crate) fn floats(&self, link: Joint) -> bool {
        let skeleton = self.skeleton();
        std::iter::successors(Some(link), |&link| skeleton.parent(link)).any(|link| skeleton.kind(link) == Kind::Free)
    }

    /// The same robot with a root that travels freely. Links found before are no longer its own.
    pub(crate) fn floating(mut self) -> Result<Self> {
        let base = self.robot.base();
        self.robot.skeleton = self.robot.skeleton.revised(|link, spec| {
            if link == base {
                spec.kind = Kind::Free;
            }
        })?;
        Ok(self)
    }

    /// The robot as `--root` has it.
    pub(crate) fn rooted(self, root: Option<&str>) -> Result<Self> {
        match root {
            None | Some("pinned") => Ok(self),
            Some("free") => self.floating(),
            Some(other) => bail!("--root {}: a robot's root is pinned or free", text::short_name(other)),
        }
    }
}
