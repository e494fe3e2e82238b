//! What serves a goal: the solver that `--solver` names, or that suits what was asked.

use anyhow::{Context as _, Result, bail};
use sinew::glam::DVec3;
use sinew::solve::jacobian;
use sinew::solve::mass_spring::{Balance, Root};
use sinew::solve::three_link::{Last, Plane, Yields};
use sinew::solve::two_bone::{End, Reach};
use sinew::{
    Aim, Auto, Bend, Ccd, Fabrik, Goal, Jacobian, Joint, MassSpring, Orient, Sequence, Solver, Start, ThreeLink,
    TwoBone,
};
use sinew_arm::Serial;
use sinew_rig::Body;

use crate::args::SolveArgs;
use crate::choices::{BendChoice, Method, PlaneChoice, YieldsChoice};
use crate::limb;
use crate::one_bone::OneBone;
use crate::rig::Rig;
use crate::subject::Subject;

/// Cosine against the upright from which nothing leans up any more.
const STEEP: f64 = 0.98;
/// Damping of damped least squares (lengths of the chain): calm, and quick enough.
const DAMPING: f64 = 0.1;

/// Settings that hold for every goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) method: Method,
    pub(crate) reach: Reach,
    pub(crate) plane: Plane,
    pub(crate) yields: Yields,
    pub(crate) bend: Bend,
    /// Other starts where the first falls short; the solver's own number by default.
    pub(crate) restarts: Option<u32>,
    /// What the body's root does.
    pub(crate) root: Root,
}

impl Settings {
    /// What the options say.
    pub(crate) fn of(args: &SolveArgs, reach: Reach, root: Root) -> Self {
        let plane = match args.plane {
            PlaneChoice::Pole => Plane::Pole,
            PlaneChoice::Natural => Plane::Natural { side: 1.0 },
            PlaneChoice::Back => Plane::Natural { side: -1.0 },
        };
        let yields = match args.yields {
            YieldsChoice::Position => Yields::Position,
            YieldsChoice::Direction => Yields::Direction,
        };
        let bend = match args.bend {
            BendChoice::Given => Bend::Given,
            BendChoice::Rest => Bend::Rest,
        };
        Self { method: args.solver, reach, plane, yields, bend, restarts: args.restarts, root }
    }

    /// The body's where `auto` may choose it: what else was asked for is not for limbs alone.
    pub(crate) fn for_body(self) -> Option<Self> {
        let Self { reach, plane, yields, bend, .. } = Self::plain();
        let is_plain = (self.reach, self.plane, self.yields, self.bend) == (reach, plane, yields, bend);
        (self.method == Method::Auto && is_plain).then_some(Self { method: Method::Body, ..self })
    }

    /// Clamped reach and the rest by default.
    pub(crate) fn plain() -> Self {
        let (reach, plane, yields, bend) = (Reach::Clamp, Plane::Pole, Yields::Direction, Bend::Given);
        Self { method: Method::Auto, reach, plane, yields, bend, restarts: None, root: Root::Pulled { stiffness: 1.0 } }
    }

    /// The one solver for all goals of a rig together; `None` where each has a solver of its own.
    pub(crate) fn body(&self, rig: &Rig) -> Result<Option<Box<dyn Solver>>> {
        Ok(self.body_by(self.human(rig)?.as_ref()))
    }

    /// The same, with the rig's human.
    pub(crate) fn body_by(&self, human: Option<&Body>) -> Option<Box<dyn Solver>> {
        human.map(|human| Box::new(human.clone()) as Box<dyn Solver>).or_else(|| self.body_of(None))
    }

    /// The human that is solved as a whole, where it is to be.
    pub(crate) fn human(&self, rig: &Rig) -> Result<Option<Body>> {
        if self.method != Method::Body {
            return Ok(None);
        }
        match Body::of(rig.skeleton(), rig.found()) {
            Some(body) => Ok(Some(body)),
            None => bail!(
                "--solver body: no human was recognised (hips, a head above them, two arms, two legs); name the parts in a sidecar, or write --solver whole"
            ),
        }
    }

    /// The same, where it is a solver that can be told so, of these joints alone.
    pub(crate) fn body_of(&self, joints: Option<Vec<Joint>>) -> Option<Box<dyn Solver>> {
        let (restarts, reach) = (self.restarts.unwrap_or(0), self.reach);
        let by = |method| -> Option<Box<dyn Solver>> {
            Some(Box::new(Jacobian { method, reach, restarts, joints, ..Jacobian::default() }))
        };
        match self.method {
            Method::Fabrik => {
                let default = Fabrik { reach, ..Fabrik::default() };
                Some(Box::new(Fabrik { restarts: self.restarts.unwrap_or(default.restarts), ..default }))
            }
            Method::Ccd => {
                let default = Ccd { reach, ..Ccd::default() };
                Some(Box::new(Ccd { restarts: self.restarts.unwrap_or(default.restarts), ..default }))
            }
            Method::Jacobian => by(jacobian::Method::default()),
            Method::Transpose => by(jacobian::Method::Transpose),
            Method::Damped => by(jacobian::Method::DampedLeastSquares { damping: DAMPING }),
            Method::Selective => by(jacobian::Method::SelectivelyDamped),
            Method::MassSpring => Some(Box::new(self.springs(None))),
            Method::Serial => Some(Box::new(Serial { restarts, ..Serial::default() })),
            Method::Whole => {
                let start = if self.bend == Bend::Rest { Start::Rest } else { Start::Given };
                Some(Box::new(Auto { start, restarts, reach, ..Auto::default() }))
            }
            _ => None,
        }
    }

    /// Says so where the one solver for all goals does not act on one of them.
    pub(crate) fn refuse_unserved<'a>(&self, names: &dyn Subject, goals: impl Iterator<Item = &'a Goal>) -> Result<()> {
        let Some((name, body)) = self.body_name().zip(self.body_of(None)) else { return Ok(()) };
        let mut counted = goals.filter(|goal| goal.weight > 0.0);
        match counted.find(|goal| !body.serves(names.skeleton(), goal)) {
            Some(goal) => {
                let joint = names.label(goal.joint);
                bail!("--solver {name}: this method cannot serve the goal of '{joint}'; leave --solver out")
            }
            None => Ok(()),
        }
    }

    /// The body as springs, perhaps in balance.
    pub(crate) fn springs(&self, balance: Option<Balance>) -> MassSpring {
        MassSpring { root: Some(self.root), balance, reach: self.reach, ..MassSpring::default() }
    }

    /// What serves a goal together with all others; `None` where each has a solver of its own.
    pub(crate) fn on_body(&self, rig: &Rig, joint: Joint, base: Option<Joint>) -> Option<Served> {
        let name = self.body_name()?;
        let parent = |&joint: &Joint| rig.skeleton().parent(joint).filter(|_| Some(joint) != base);
        let up = std::iter::successors(Some(joint), parent);
        let mut joints: Vec<Joint> = up.collect();
        joints.reverse();
        let limb =
            limb::recognized(rig, joint).and_then(limb::Recognized::bend).filter(|_| self.method == Method::Body);
        Some(Served::Body { name, joints, limb })
    }

    /// The name of the one solver for all goals together; `None` where each has a solver of its own.
    pub(crate) fn body_name(&self) -> Option<&'static str> {
        match self.method {
            Method::Fabrik => Some("fabrik"),
            Method::Ccd => Some("ccd"),
            Method::Jacobian => Some("jacobian"),
            Method::Transpose => Some("transpose"),
            Method::Damped => Some("damped"),
            Method::Selective => Some("selective"),
            Method::MassSpring => Some("mass-spring"),
            Method::Serial => Some("serial"),
            Method::Whole => Some("whole"),
            Method::Body => Some("body"),
            _ => None,
        }
    }
}

/// Where an axis is pointed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pointing {
    At(DVec3),
    Along(DVec3),
}

/// A goal's solver.
#[derive(Clone, Debug)]
pub(crate) enum Served {
    OneBone(OneBone),
    TwoBone(TwoBone),
    ThreeLink(ThreeLink),
    Aim(Aim),
    /// The joint by itself takes a rotation.
    Turn(Orient),
    /// By the solver of the limb whose last link it is.
    Along(ThreeLink),
    /// These joints take a scale, before all else.
    Scale(Vec<Joint>),
    /// By a solver of all goals together, on these joints.
    Body {
        name: &'static str,
        joints: Vec<Joint>,
        /// The arm or leg among them that turns to the goal's pole: root, middle and tip.
        limb: Option<[Joint; 3]>,
    },
}

impl Served {
    /// The limb for a place.
    pub(crate) fn limb(
        rig: &Rig,
        settings: Settings,
        tip: Joint,
        base: Option<Joint>,
        end: End,
        last: Option<Last>,
        points: bool,
    ) -> Result<Self> {
        let Settings { method, reach, plane, yields, bend, .. } = settings;
        let lies = points || last.is_some();
        let three = match method {
            Method::Auto | Method::Limbs => {
                lies || base.is_some_and(|base| ThreeLink::between(rig.skeleton(), base, tip).is_ok())
            }
            Method::TwoBone if lies => bail!("two bones have no last link to lay; leave out --solver two-bone"),
            Method::ThreeLink => true,
            Method::Aim => bail!("--solver aim cannot serve a position goal; leave --solver out"),
            // The others are one solver for all, which has no limbs.
            _ => false,
        };
        let as_recognized = matches!(method, Method::Auto | Method::Limbs) && base.is_none();
        match limb::recognized(rig, tip).filter(|_| as_recognized) {
            Some(limb::Recognized::Three(limb)) => {
                return Ok(Self::ThreeLink(ThreeLink { reach, plane, yields, last, end, bend, ..limb }));
            }
            Some(limb::Recognized::Two(limb)) if !three => {
                return Ok(Self::TwoBone(TwoBone { reach, end, bend, ..limb }));
            }
            Some(limb::Recognized::One(limb)) if !three => return Ok(Self::OneBone(limb)),
            _ => {}
        }
        if three {
            let limb = limb::three_links(rig, tip, base)?;
            return Ok(Self::ThreeLink(ThreeLink { reach, plane, yields, last, end, bend, ..limb }));
        }
        let limb = limb::ending_at(rig, tip, base)?;
        Ok(Self::TwoBone(TwoBone { reach, end, bend, ..limb }))
    }

    /// The chain that aims, in even shares from its base.
    pub(crate) fn aim(rig: &Rig, joint: Joint, base: Option<Joint>) -> Result<Self> {
        let aim = Aim::over(rig.skeleton(), base.unwrap_or(joint), joint);
        Ok(Self::Aim(aim.with_context(|| format!("'{}' cannot aim", rig.label(joint)))?))
    }

    /// The joints that serve the goal, first to last.
    pub(crate) fn joints(&self) -> Vec<Joint> {
        match self {
            Self::OneBone(limb) => vec![limb.root, limb.tip],
            Self::TwoBone(limb) => vec![limb.root, limb.mid, limb.tip],
            Self::ThreeLink(limb) => vec![limb.root, limb.mid, limb.low, limb.tip],
            Self::Along(limb) => vec![limb.low, limb.tip],
            Self::Aim(aim) => aim.joints.iter().map(|share| share.joint).collect(),
            Self::Turn(turn) => vec![turn.joint],
            Self::Scale(joints) | Self::Body { joints, .. } => joints.clone(),
        }
    }

    /// Root, middle and tip of the limb whose middle joint bends to the pole.
    pub(crate) fn bend(&self) -> Option<[Joint; 3]> {
        match self {
            Self::TwoBone(limb) => Some([limb.root, limb.mid, limb.tip]),
            Self::ThreeLink(limb) => Some([limb.root, limb.mid, limb.tip]),
            Self::Body { limb, .. } => *limb,
            _ => None,
        }
    }

    /// The method's name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::OneBone(_) => "one-bone",
            Self::TwoBone(_) => "two-bone",
            Self::ThreeLink(_) | Self::Along(_) => "three-link",
            Self::Aim(_) => "aim",
            Self::Turn(_) => "orient",
            Self::Scale(_) => "scale",
            Self::Body { name, .. } => name,
        }
    }

    /// The sequence with this solver added, unless the limb's is there already.
    pub(crate) fn after(&self, sequence: Sequence) -> Sequence {
        match self {
            Self::OneBone(limb) => sequence.then(*limb),
            Self::TwoBone(limb) => sequence.then(*limb),
            Self::ThreeLink(limb) => sequence.then(*limb),
            Self::Aim(aim) => sequence.then(aim.clone()),
            Self::Turn(turn) => sequence.then(*turn),
            Self::Along(_) | Self::Scale(_) | Self::Body { .. } => sequence,
        }
    }
}

/// What leans up where nothing was said: a joint that looks, as by default ahead, stays upright, also where it looks back.
pub(crate) fn upright(rig: &Rig, joint: Joint, axis: Option<DVec3>, to: Pointing) -> Option<DVec3> {
    let Pointing::At(place) = to else { return None };
    let rest = rig.skeleton().rest_pose();
    let way = (place - rest.position(joint)).normalize_or_zero();
    // Straight up and down no side is up.
    (axis.is_none() && way.dot(rig.found().up).abs() < STEEP).then_some(rig.found().up)
}

/// The goal that points a joint's axis.
pub(crate) fn pointing(rig: &Rig, joint: Joint, axis: Option<DVec3>, to: Pointing) -> Goal {
    let rest = rig.skeleton().rest_pose();
    let axis = axis.unwrap_or_else(|| rest.rotation(joint).conjugate() * rig.found().forward);
    match to {
        Pointing::At(place) => Goal::aim(joint, axis, place),
        Pointing::Along(direction) => Goal::axis(joint, axis, direction),
    }
}
