//! A character with a human's limits and the five joints that have goals.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use sinew::{BallLimit, Joint, Kind, Pose, Skeleton};
use sinew_gltf::Character;
use sinew_rig::{BodyKind, Evidence, Human, LimbKind, Part, Recognition, Role, Side, recognize};

use crate::people::clip::Clip;

/// The human of this project's own making; see `rigs/`.
pub(crate) const HUMAN: &[u8] = include_bytes!("../../../../rigs/human.glb");

/// Poses a second in a [`Humanoid`]'s clip.
pub const RATE: f64 = 60.0;

/// A character recognised as a humanoid.
#[derive(Clone, Debug)]
pub struct Humanoid {
    /// The file's name without folder and extension; `human` for the one built in.
    pub name: String,
    /// Its joints with a human's limits: the hips turn freely, what is no part of a human does not move.
    pub skeleton: Skeleton,
    /// The joint that turns the whole body.
    pub hips: Joint,
    /// Left and right hand, left and right foot, head.
    pub goals: [Joint; 5],
    /// Elbows and knees: hinges whose values are positive where they fold.
    pub folds: Vec<Joint>,
    /// What it was recognised as.
    pub recognition: Recognition,
    /// Extent along the body's up at rest (model units), the measure of misses.
    pub height: f64,
    /// The file's first animation, [`RATE`] poses a second; empty where it has none.
    pub clip: Vec<Pose>,
}

impl Humanoid {
    /// The human built in.
    pub fn built_in() -> Result<Self> {
        Self::of(&Character::from_slice(HUMAN, None)?, "human")
    }

    /// Loads files, or has the human built in where there are none.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn all(files: &[PathBuf]) -> Result<Vec<Self>> {
        if files.is_empty() {
            return Ok(vec![Self::built_in()?]);
        }
        files.iter().map(|file| Self::load(file)).collect()
    }

    /// Loads a file: glTF, GLB or VRM, or BVH.
    ///
    /// # Errors
    /// What cannot be loaded, is no humanoid, or lacks a hand, a foot or a head.
    pub fn load(path: &Path) -> Result<Self> {
        let named = || path.display().to_string();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bvh")) {
            return Self::of_bvh(&Clip::load(path)?, path).with_context(named);
        }
        let character = sinew_gltf::load(path)?;
        Self::of(&character, character.name()).with_context(named)
    }

    #[allow(clippy::cast_sign_loss, reason = "animations end after they start")]
    fn of(character: &Character, name: &str) -> Result<Self> {
        let found = recognize(&Evidence::of_character(character));
        let mut clip = Vec::new();
        if character.animation_count() > 0 {
            let animation = character.animation(0)?;
            let mut pose = character.skeleton.rest_pose();
            for frame in 0..=((animation.end() - animation.start()) * RATE) as usize {
                animation.pose(animation.start() + frame as f64 / RATE, &mut pose);
                clip.push(pose.clone());
            }
        }
        Self::new(name, &character.skeleton, &found, character.height(), &clip)
    }

    #[allow(clippy::cast_sign_loss, reason = "times count from 0")]
    fn of_bvh(file: &Clip, path: &Path) -> Result<Self> {
        let (bvh, skeleton) = (&file.bvh, &file.bvh.skeleton);
        let last = bvh.motion.len().saturating_sub(1);
        let frames = if bvh.motion.is_empty() { 0 } else { 1 + (last as f64 * bvh.motion.frame_time * RATE) as usize };
        let (mut before, mut after, mut clip) = (skeleton.rest_pose(), skeleton.rest_pose(), Vec::new());
        for frame in 0..frames {
            let at = frame as f64 / RATE / bvh.motion.frame_time;
            bvh.pose_frame(at as usize, &mut before);
            bvh.pose_frame((at as usize + 1).min(last), &mut after);
            before.blend(skeleton, &after, at.fract());
            clip.push(before.clone());
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::new(&name, skeleton, &file.found, file.height(), &clip)
    }

    fn new(name: &str, free: &Skeleton, found: &Recognition, height: f64, clip: &[Pose]) -> Result<Self> {
        ensure!(found.body == BodyKind::Humanoid, "recognised as {}, not as a humanoid", found.body.name());
        let hips = hips(free, found).context("its hips are not recognised")?;
        let skeleton = Human::default().apply(free, found)?.revised(|joint, spec| {
            if joint.index() == hips.index() {
                spec.kind = Kind::BALL;
            } else if spec.kind == Kind::BALL || spec.kind == Kind::Free {
                spec.kind = Kind::Fixed;
            }
        })?;
        let found = found.clone().on(&skeleton);
        ensure!(height > 0.0, "it has no height");
        let clip = clip.iter().map(|pose| pose.revised(free, &skeleton).context("its clip is another skeleton's"));
        Ok(Self {
            name: name.to_owned(),
            hips: self::hips(&skeleton, &found).context("its hips are not recognised")?,
            goals: goals(&skeleton, &found)?,
            folds: folds(&skeleton, &found),
            height,
            clip: clip.collect::<Result<_>>()?,
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
