//! Who acts: a rig's limbs and head as a crowd solves them, or its whole body, and where their targets go.

use anyhow::{Context as _, Result, bail};
use sinew::glam::{DVec3, Vec3};
use sinew::{Aim, Joint};
use sinew_crowd::{Crowd, CrowdError, CrowdTarget, Goals};
use sinew_rig::{LimbKind, Part, Role};

use super::args::CrowdSolver;
use super::bends::{Bends, length};
use super::human::Human;
use crate::rig::Rig;

/// Steps in which a target goes round once.
const ROUND: f64 = 60.0;
/// Size of the circle, as a share of the limb's length.
const CIRCLE: f64 = 0.25;
/// How far towards the limb's root the circle lies, as a share of the limb's length.
const INWARD: f64 = 0.15;

/// A limb at rest.
struct Actor {
    tip: DVec3,
    root: DVec3,
    length: f64,
}

/// Why a crowd leaves a part alone, and what to do.
pub(super) fn reason(rig: &Rig, error: &CrowdError) -> String {
    let CrowdError::Limited { joint, what } = error else { return error.to_string() };
    let name = rig.skeleton().at(joint.index).map_or_else(|| joint.to_string(), |joint| rig.label(joint));
    format!("{name} {what}; --limits none frees it")
}

/// A crowd with the targets of one character.
pub(super) struct Cast {
    pub(super) crowd: Crowd,
    limbs: Vec<Actor>,
    /// Solved as a whole; then there are neither limbs nor a look.
    human: Option<Human>,
    /// Where the head is, and how far off it looks.
    look: Option<(DVec3, f64)>,
    axes: [DVec3; 3],
    /// The joints of the left, right and other limbs that move.
    pub(super) sides: Vec<(&'static str, Vec<Joint>)>,
    pub(super) notes: Vec<String>,
}

impl Cast {
    /// What is to be solved of a rig.
    pub(super) fn new(rig: &Rig, solver: CrowdSolver) -> Result<Self> {
        match solver {
            CrowdSolver::Limbs => Self::of_limbs(rig),
            CrowdSolver::Body => Self::of_body(rig),
        }
    }

    /// The whole body.
    fn of_body(rig: &Rig) -> Result<Self> {
        let (human, crowd, sides) = Human::new(rig)?;
        let (limbs, notes) = (Vec::new(), Vec::new());
        Ok(Self { crowd, limbs, human: Some(human), look: None, axes: axes(rig), sides, notes })
    }

    /// All arms and legs, and the head.
    fn of_limbs(rig: &Rig) -> Result<Self> {
        let (skeleton, found) = (rig.skeleton(), rig.found());
        let rest = skeleton.rest_pose();
        let mut crowd = Crowd::new(skeleton).with_context(|| rig.title.clone())?;
        let (mut limbs, mut notes) = (Vec::new(), Vec::new());
        let mut sides: Vec<(&'static str, Vec<Joint>)> = Vec::new();
        for limb in found.limbs.iter().filter(|limb| matches!(limb.kind, LimbKind::Arm | LimbKind::Leg)) {
            let Some(bends) = Bends::of(rig, limb) else {
                notes.push(format!("the {limb} stays as it is: crowds bend limbs of two bones and more"));
                continue;
            };
            match bends.add_to(crowd.clone()) {
                Ok(more) => crowd = more,
                Err(error) => {
                    notes.push(format!("the {limb} stays as it is: {}", reason(rig, &error)));
                    continue;
                }
            }
            let joints = bends.joints();
            let (root, tip) = (rest.position(joints[0]), rest.position(joints[joints.len() - 1]));
            limbs.push(Actor { tip, root, length: length(skeleton, &joints) });
            let side = limb.side.map_or("other", sinew_rig::Side::name);
            let moved = &joints[..joints.len() - 1];
            match sides.iter_mut().find(|(name, _)| *name == side) {
                Some((_, joints)) => joints.extend(moved),
                None => sides.push((side, moved.to_vec())),
            }
        }
        let head = found.joint(skeleton, Role::middle(Part::Head));
        let mut look = None;
        if let Some((head, aim)) = head.and_then(|head| Some((head, Aim::new(skeleton, head).ok()?))) {
            let axis = rest.model(head).matrix3.inverse() * found.forward;
            match crowd.clone().aim(&aim, axis) {
                Ok(more) => (crowd, look) = (more, Some((rest.position(head), rig.height()))),
                Err(error) => notes.push(format!("the head does not look: {}", reason(rig, &error))),
            }
        }
        if crowd.solvers() == 0 {
            match notes.first() {
                Some(first) => bail!("{}: no limb and no head that a crowd can move; {first}", rig.title),
                None => bail!(
                    "{}: has no arm, leg or head; name them in a sidecar (`sinew inspect RIG --write-sidecar` makes one)",
                    rig.title
                ),
            }
        }
        Ok(Self { crowd, limbs, human: None, look, axes: axes(rig), sides, notes })
    }

    /// Limbs of one character.
    pub(super) fn limbs(&self) -> usize {
        self.limbs.len()
    }

    /// Targets for positions of one character: the first solvers are theirs.
    pub(super) fn ends(&self) -> usize {
        if self.is_whole() { self.crowd.solvers() } else { self.limbs() }
    }

    /// Whether each character is solved as a whole.
    pub(super) fn is_whole(&self) -> bool {
        self.human.is_some()
    }

    /// Whether the head looks.
    pub(super) fn looks(&self) -> bool {
        self.look.is_some()
    }

    /// Sets all targets of a frame: each character is at another point of its circles.
    pub(super) fn set(&self, goals: &mut Goals, characters: usize, frame: usize) {
        let [forward, up, left] = self.axes;
        for character in 0..characters {
            // The golden angle spreads any number of characters evenly.
            let own = 2.399_963_229_728_653 * character as f64;
            let turn = own + std::f64::consts::TAU * frame as f64 / ROUND;
            if let Some(human) = &self.human {
                human.set(goals, character, turn, self.axes);
            }
            for (solver, limb) in self.limbs.iter().enumerate() {
                let phase = turn + 1.7 * solver as f64;
                let inward = (limb.root - limb.tip) * INWARD;
                let round = (forward * phase.sin() + up * (0.5 + 0.5 * phase.cos())) * (CIRCLE * limb.length);
                goals.set(character, solver, Some(CrowdTarget::new((limb.tip + inward + round).as_vec3())));
            }
            if let Some((head, far)) = self.look {
                let aside = left * turn.sin() + up * (0.3 * turn.cos());
                let point: Vec3 = (head + (forward + aside * 0.7) * far).as_vec3();
                goals.set(character, self.limbs.len(), Some(CrowdTarget::new(point)));
            }
        }
    }
}

/// Ahead, up and left.
fn axes(rig: &Rig) -> [DVec3; 3] {
    let (forward, up) = (rig.found().forward, rig.found().up);
    [forward, up, up.cross(forward)]
}
