//! Every solver with random settings.

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::solve::{ccd, fabrik, jacobian, mass_spring, scale, three_link, two_bone};
use sinew::{
    Aim, Auto, Bend, Ccd, Fabrik, Jacobian, Joint, MassSpring, Orient, ScaleTarget, Sequence, Skeleton, Solver, Start,
    ThreeLink, TwoBone,
};
use sinew_arm::Serial;

use super::Problem;
use super::random::{direction, one_in, pick, signed};

/// A solver, and what it may do to a pose beside turning and sliding joints, by its documentation.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) solver: Box<dyn Solver>,
    pub(crate) may: Permits,
}

/// See [`Made`].
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Permits {
    /// Lengthen bones.
    pub(crate) stretch: bool,
    /// Scale joints.
    pub(crate) scale: bool,
    /// Carry the body's root along.
    pub(crate) travel: bool,
    /// Turn any joint to keep the body's balance, whatever the goals.
    pub(crate) balance: bool,
    /// Go on to a posture where the goals are met.
    pub(crate) posture: bool,
}

impl Permits {
    fn of_reach(reach: two_bone::Reach) -> Self {
        let stretch = matches!(reach, two_bone::Reach::Stretch { .. })
            || matches!(reach, two_bone::Reach::Soft { stretch, .. } if stretch > 1.0);
        Self { stretch, ..Self::default() }
    }

    fn or(self, other: Self) -> Self {
        Self {
            stretch: self.stretch || other.stretch,
            scale: self.scale || other.scale,
            travel: self.travel || other.travel,
            balance: self.balance || other.balance,
            posture: self.posture || other.posture,
        }
    }
}

/// The solvers by name; settings that make another method of one have a name of their own. The last is none, but swings
/// in time.
pub(crate) const SOLVERS: [&str; 21] = [
    "TwoBone",
    "ThreeLink",
    "Aim",
    "Orient",
    "Fabrik",
    "FabrikRest",
    "Ccd",
    "CcdPerAxis",
    "Jacobian",
    "JacobianDls",
    "JacobianSdls",
    "JacobianTranspose",
    "JacobianContinuous",
    "JacobianRestarts",
    "MassSpring",
    "ScaleTarget",
    "Serial",
    "SerialRestarts",
    "Auto",
    "Sequence",
    "Springs",
];

/// Place of the springs.
pub(crate) const SPRINGS: usize = SOLVERS.len() - 1;

/// The solver at this place of [`SOLVERS`]; `None` where the skeleton has nothing for it.
pub(super) fn random(rng: &mut Rng, kind: usize, problem: &Problem, depth: u32) -> Option<Made> {
    let (skeleton, goals) = (&problem.skeleton, &problem.goals);
    let joints: Vec<Joint> = skeleton.iter().collect();
    // Mostly the joint of a goal.
    let tip = if goals.is_empty() || one_in(rng, 8) { pick(rng, &joints) } else { pick(rng, goals).joint };
    let mut may = Permits::default();
    let solver: Box<dyn Solver> = match SOLVERS[kind] {
        "TwoBone" => {
            let limb = two_bone(rng, skeleton, tip)?;
            may = Permits::of_reach(limb.reach);
            Box::new(limb)
        }
        "ThreeLink" => {
            let limb = three_link(rng, skeleton, tip)?;
            may = Permits::of_reach(limb.reach);
            Box::new(limb)
        }
        "Jacobian" => {
            let postures = [None, None, None, Some(jacobian::Posture::Rest), Some(jacobian::Posture::LimitCentre)];
            let jacobian = Jacobian { start: start(rng), posture: pick(rng, &postures), ..Jacobian::default() };
            may.posture = jacobian.posture.is_some();
            Box::new(jacobian)
        }
        "Aim" => Box::new(aim(rng, skeleton, tip)?),
        "Orient" => Box::new(Orient { joint: tip }),
        "MassSpring" => {
            let springs = mass_spring(rng, &joints);
            may.travel = !matches!(springs.root, Some(mass_spring::Root::Pinned));
            may.balance = springs.balance.is_some();
            Box::new(springs)
        }
        "ScaleTarget" => {
            may.scale = true;
            Box::new(ScaleTarget {
                distribution: pick(rng, &[scale::Distribution::RootFirst, scale::Distribution::Even]),
                ranges: [pick(rng, &[Range::FREE, Range::new(0.5, 2.0)]); 3],
                ..ScaleTarget::default()
            })
        }
        "Serial" => Box::new(Serial::default()),
        "SerialRestarts" => Box::new(Serial { restarts: 8, ..Serial::default() }),
        "Auto" => Box::new(Auto { start: start(rng), restarts: pick(rng, &[0, 0, 2]), ..Auto::default() }),
        "Sequence" if depth < 2 => return Some(sequence(rng, problem, depth)),
        name => descent(rng, name, &joints)?,
    };
    Some(Made { solver, may })
}

/// The iterative solvers of several methods each.
fn descent(rng: &mut Rng, name: &str, joints: &[Joint]) -> Option<Box<dyn Solver>> {
    Some(match name {
        "Fabrik" => Box::new(Fabrik {
            base: any_joint(rng, joints),
            restarts: pick(rng, &[0, 8]),
            twist: twist(rng),
            ..Fabrik::default()
        }),
        "FabrikRest" => Box::new(Fabrik { start: Start::Rest, twist: twist(rng), ..Fabrik::default() }),
        "Ccd" => Box::new(Ccd {
            base: any_joint(rng, joints),
            restarts: pick(rng, &[0, 16]),
            ahead: rng.bool(),
            damping: pick(rng, &[f64::INFINITY, 0.1]),
            start: start(rng),
            order: pick(rng, &[ccd::Order::RootToTip, ccd::Order::TipToRoot]),
            ..Ccd::default()
        }),
        "CcdPerAxis" => {
            Box::new(Ccd { balls: ccd::Balls::PerAxis, start: start(rng), iterations: 50, ..Ccd::default() })
        }
        "JacobianDls" => {
            let damping = pick(rng, &[0.1, 0.0, 1e-6]);
            Box::new(by_method(rng, jacobian::Method::DampedLeastSquares { damping }))
        }
        "JacobianSdls" => Box::new(by_method(rng, jacobian::Method::SelectivelyDamped)),
        "JacobianContinuous" => Box::new(by_method(rng, jacobian::Method::Continuous)),
        "JacobianTranspose" => Box::new(by_method(rng, jacobian::Method::Transpose)),
        "JacobianRestarts" => Box::new(Jacobian { restarts: 3, start: start(rng), ..Jacobian::default() }),
        _ => return None,
    })
}

fn start(rng: &mut Rng) -> Start {
    pick(rng, &[Start::Given, Start::Rest])
}

fn any_joint(rng: &mut Rng, joints: &[Joint]) -> Option<Joint> {
    one_in(rng, 4).then(|| pick(rng, joints))
}

fn twist(rng: &mut Rng) -> fabrik::Twist {
    use fabrik::Twist::{Given, Goal, Rest, Shared};
    pick(rng, &[Given, Rest, Goal, Shared])
}

/// A joint and all above it.
fn up_from(skeleton: &Skeleton, joint: Joint) -> Vec<Joint> {
    std::iter::successors(Some(joint), |&joint| skeleton.parent(joint)).collect()
}

fn reach(rng: &mut Rng) -> two_bone::Reach {
    use two_bone::Reach;
    match rng.u8(0..6) {
        0 => Reach::Hold,
        1 => Reach::SOFT,
        2 => Reach::Stretch { limit: pick(rng, &[1.2, 0.5, 1e6, 1.0]) },
        3 => Reach::Soft { ratio: pick(rng, &[0.5, 1.0, 3.0, 1e9]), stretch: pick(rng, &[1.0, 1.3, 0.1]) },
        _ => Reach::Clamp,
    }
}

fn bend(rng: &mut Rng) -> Bend {
    pick(rng, &[Bend::Given, Bend::Rest])
}

fn end(rng: &mut Rng) -> two_bone::End {
    pick(rng, &[two_bone::End::Local, two_bone::End::Model])
}

fn two_bone(rng: &mut Rng, skeleton: &Skeleton, tip: Joint) -> Option<TwoBone> {
    let limb = if rng.bool() {
        TwoBone::ending_at(skeleton, tip).ok()?
    } else {
        let up = up_from(skeleton, tip);
        if up.len() < 3 {
            return None;
        }
        let mid = 1 + rng.u64(0..up.len() as u64 - 2) as usize;
        let root = mid + 1 + rng.u64(0..(up.len() - mid) as u64 - 1) as usize;
        TwoBone::new(skeleton, up[root], up[mid], tip).ok()?
    };
    Some(TwoBone {
        reach: reach(rng),
        end: end(rng),
        match_rotation: pick(rng, &[1.0, 0.5, 0.0]),
        pole_angle: pick(rng, &[0.0, 0.0, 1.0]),
        twist_bones: pick(rng, &[two_bone::TwistBones::Rigid, two_bone::TwistBones::Shared]),
        bend: bend(rng),
        ..limb
    })
}

fn three_link(rng: &mut Rng, skeleton: &Skeleton, tip: Joint) -> Option<ThreeLink> {
    use three_link::{Last, Plane, Yields};
    let limb = ThreeLink::ending_at(skeleton, tip).ok()?;
    let last = match rng.u8(0..4) {
        0 => None,
        1 => Some(Last::Direction(direction(rng))),
        2 => Some(Last::Toward(direction(rng))),
        _ => Some(Last::Angle(4.0 * signed(rng))),
    };
    let side = pick(rng, &[1.0, -1.0, 0.0]);
    Some(ThreeLink {
        reach: reach(rng),
        last,
        yields: pick(rng, &[Yields::Position, Yields::Direction]),
        plane: pick(rng, &[Plane::Pole, Plane::Natural { side }]),
        end: end(rng),
        bend: bend(rng),
        ..limb
    })
}

fn aim(rng: &mut Rng, skeleton: &Skeleton, tip: Joint) -> Option<Aim> {
    let base = pick(rng, &up_from(skeleton, tip));
    let aim = Aim::over(skeleton, base, tip).ok()?;
    let up_axis = pick(rng, &[None, Some(DVec3::Y), Some(DVec3::ZERO)]);
    Some(Aim { up_axis, roll: pick(rng, &[None, Some(0.4)]), start: start(rng), ..aim })
}

fn by_method(rng: &mut Rng, method: jacobian::Method) -> Jacobian {
    Jacobian { method, start: start(rng), ..Jacobian::default() }
}

fn mass_spring(rng: &mut Rng, joints: &[Joint]) -> MassSpring {
    use mass_spring::{Balance, Root};
    let root = match rng.u8(0..5) {
        0 => Some(Root::Pinned),
        1 => Some(Root::Pulled { stiffness: pick(rng, &[1.0, 1e-6, 1e6]) }),
        2 => Some(Root::Free),
        _ => None,
    };
    let balance = one_in(rng, 8).then(|| Balance {
        body: joints[0],
        up: direction(rng),
        support: (0..rng.u8(0..5)).map(|_| (pick(rng, joints), direction(rng) * 0.1)).collect(),
        margin: pick(rng, &[0.0, 0.5, 1.0]),
    });
    MassSpring { start: start(rng), hips: any_joint(rng, joints), root, balance, ..MassSpring::default() }
}

fn sequence(rng: &mut Rng, problem: &Problem, depth: u32) -> Made {
    let (mut sequence, mut may) = (Sequence::new(), Permits::default());
    for _ in 0..rng.u8(1..4) {
        let kind = rng.u64(0..SPRINGS as u64) as usize;
        if let Some(made) = random(rng, kind, problem, depth + 1) {
            may = may.or(made.may);
            sequence.solvers.push(made.solver);
        }
    }
    Made { solver: Box::new(sequence), may }
}
