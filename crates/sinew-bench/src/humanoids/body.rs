//! A character with a human's limits and the five joints that have goals.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use sinew::{BallLimit, Joint, Kind, Skeleton};
use sinew_gltf::Character;
use sinew_rig::{BodyKind, Evidence, Human, LimbKind, Part, Recognition, Role, Side, recognize};

/// The human of this project's own making; see `rigs/`.
const HUMAN: &[u8] = include_bytes!("../../../../rigs/human.glb");

/// A character recognised as a humanoid.
#[derive(Clone, Debug)]
pub struct Humanoid {
    /// The file's name without folder and extension; `human` for the one built in.
    pub name: String,
    /// Its joints with a human's limits: the hips turn freely, what is no part of a human does not move.
    pub skeleton: Skeleton,
    /// Left and right hand, left and right foot, head.
    pub goals: [Joint; 5],
    /// Elbows and knees: hinges whose values are positive where they fold.
    pub folds: Vec<Joint>,
    /// What it was recognised as.
    pub recognition: Recognition,
    /// Extent along Y at rest (model units), the measure of misses.
    pub height: f64,
}

impl Humanoid {
    /// The human built in.
    pub fn built_in() -> Result<Self> {
        Self::of(&Character::from_slice(HUMAN, None)?, "human")
    }

    /// Loads a file.
    ///
    /// # Errors
    /// What cannot be loaded, is no humanoid, or lacks a hand, a foot or a head.
    pub fn load(path: &Path) -> Result<Self> {
        let character = sinew_gltf::load(path)?;
        Self::of(&character, character.name()).with_context(|| path.display().to_string())
    }

    fn of(character: &Character, name: &str) -> Result<Self> {
        let found = recognize(&Evidence::of_character(character));
        ensure!(found.body == BodyKind::Humanoid, "recognised as {}, not as a humanoid", found.body.name());
        let hips = hips(&character.skeleton, &found).context("its hips are not recognised")?;
        let limited = Human::default().apply(&character.skeleton, &found)?;
        let skeleton = limited.revised(|joint, spec| {
            if joint.index() == hips.index() {
                spec.kind = Kind::BALL;
            } else if spec.kind == Kind::BALL || spec.kind == Kind::Free {
                spec.kind = Kind::Fixed;
            }
        })?;
        let found = found.on(&skeleton);
        let height = character.height();
        ensure!(height > 0.0, "it has no height");
        let folds = folds(&skeleton, &found);
        Ok(Self {
            name: name.to_owned(),
            goals: goals(&skeleton, &found)?,
            folds,
            height,
            skeleton,
            recognition: found,
        })
    }

    /// How many freedoms the goals' joints hang on: three a ball, one a hinge.
    pub fn freedoms(&self) -> usize {
        let above =
            |joint: &Joint| self.goals.iter().any(|&goal| goal != *joint && self.skeleton.is_below(goal, *joint));
        let count = |joint: Joint| match self.skeleton.kind(joint) {
            Kind::Ball(BallLimit::Free | BallLimit::EllipticSwing(_)) => 3,
            Kind::Hinge { .. } => 1,
            _ => 0,
        };
        self.skeleton.iter().filter(above).map(count).sum()
    }
}

/// The joint that carries the body.
fn hips(skeleton: &Skeleton, found: &Recognition) -> Option<Joint> {
    let first = || found.limb(LimbKind::Spine, None)?.joints.first().copied();
    found.joint(skeleton, Role::middle(Part::Hips)).or_else(first)
}

fn goals(skeleton: &Skeleton, found: &Recognition) -> Result<[Joint; 5]> {
    let of = |role: Role| found.joint(skeleton, role);
    let last = |kind, side| found.limb(kind, side).and_then(|limb| limb.joints.last().copied());
    let on = |side: Side| -> Result<[Joint; 2]> {
        let hand = of(Role::on(side, Part::Hand)).or_else(|| last(LimbKind::Arm, Some(side)));
        let foot = of(Role::on(side, Part::Foot)).or_else(|| last(LimbKind::Leg, Some(side)));
        let missing = |part: &str| format!("no {} {part} is recognised", side.name());
        Ok([hand.with_context(|| missing("hand"))?, foot.with_context(|| missing("foot"))?])
    };
    let ([left_hand, left_foot], [right_hand, right_foot]) = (on(Side::Left)?, on(Side::Right)?);
    let head = of(Role::middle(Part::Head)).or_else(|| last(LimbKind::Head, None)).context("no head is recognised")?;
    Ok([left_hand, right_hand, left_foot, right_foot, head])
}

/// Hinges of forearms and shins.
fn folds(skeleton: &Skeleton, found: &Recognition) -> Vec<Joint> {
    let folds = |joint: &Joint| {
        found.role(*joint).is_some_and(|guess| matches!(guess.role.part, Part::LowerArm | Part::LowerLeg))
            && matches!(skeleton.kind(*joint), Kind::Hinge { .. })
    };
    skeleton.iter().filter(folds).collect()
}
