//! A character recognised as a human, as `sinew solve` has it, with what postures are measured by.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use sinew::glam::DVec3;
use sinew::{Joint, Pose, Skeleton};
use sinew_gltf::Character;
use sinew_rig::{Body, Evidence, Human, Part, Role, Side, prepare};

use crate::humanoids::HUMAN;

/// An arm or a leg.
#[derive(Clone, Copy, Debug)]
pub struct Limb {
    /// Shoulder or hip.
    pub upper: Joint,
    /// Elbow or knee.
    pub lower: Joint,
    /// Hand or foot.
    pub end: Joint,
    /// What stays where it is while a foot stands: the foot, or what it rolls over where limits have heels rise (toes, else its end).
    pub stands: Joint,
    /// To the side of the body on which it is (unit).
    pub out: DVec3,
}

/// A human of a file, at rest on the floor.
#[derive(Debug)]
pub struct Person {
    /// The file's name without folder and extension; `human` for the one built in.
    pub name: String,
    /// With its mesh.
    pub character: Character,
    /// The file's joints with a human's masses, and no limits but the file's own, or a human's.
    pub skeleton: Skeleton,
    /// How it is solved by default.
    pub body: Body,
    /// Where all motions start.
    pub rest: Pose,
    /// The hips.
    pub hips: Joint,
    /// What both arms hang on.
    pub chest: Joint,
    /// The head.
    pub head: Joint,
    /// Left, right.
    pub arms: [Limb; 2],
    /// Left, right.
    pub legs: [Limb; 2],
    /// To its left, up, ahead (unit).
    pub axes: [DVec3; 3],
    /// From shoulder to hand, along the bones.
    pub arm: f64,
    /// From hip to foot, along the bones.
    pub leg: f64,
    /// From the floor to the head's joint.
    pub tall: f64,
    /// Height of the lowest joint, along up.
    pub floor: f64,
}

impl Person {
    /// The human built in.
    ///
    /// # Errors
    /// Never, unless it is broken.
    pub fn built_in(is_limited: bool) -> Result<Self> {
        Self::of(Character::from_slice(HUMAN, None)?, "human", is_limited)
    }

    /// Loads a file.
    ///
    /// # Errors
    /// What cannot be loaded, or shows no human.
    pub fn load(path: &Path, is_limited: bool) -> Result<Self> {
        let character = sinew_gltf::load(path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self::of(character, &name, is_limited).with_context(|| path.display().to_string())
    }

    fn of(mut character: Character, name: &str, is_limited: bool) -> Result<Self> {
        let (plain, found) = prepare(&Evidence::of_character(&character));
        let weighs = Human::default().apply(&plain, &found)?;
        let weighed = plain.revised(|joint, spec| {
            spec.mass = weighs.at(joint.index()).map_or(spec.mass, |same| weighs.mass(same));
        })?;
        let skeleton = if is_limited { weighs } else { weighed };
        character.skeleton = skeleton.clone();
        let found = found.on(&skeleton);
        let body = Body::of(&skeleton, &found).ok_or_else(|| anyhow!("no human was recognised"))?;
        let (rest, up) = (skeleton.rest_pose(), found.up);
        let part = |role: Role| {
            found.joint(&skeleton, role).ok_or_else(|| anyhow!("its {} is not recognised", role.part.name()))
        };
        let left = up.cross(found.forward);
        let limb = |side: Side, parts: [Part; 3]| -> Result<Limb> {
            let [upper, lower, end] = parts.map(|one| part(Role::on(side, one)));
            let out = if side == Side::Left { left } else { -left };
            let (end, toes) = (end?, found.joint(&skeleton, Role::on(side, Part::Toes)));
            let is_leaf = |joint: &Joint| skeleton.children(*joint).next().is_none();
            let rolls = toes.filter(|&toes| skeleton.is_below(toes, end)).or(skeleton.children(end).find(is_leaf));
            let stands = rolls.filter(|_| is_limited).unwrap_or(end);
            Ok(Limb { upper: upper?, lower: lower?, end, stands, out })
        };
        let both = |parts| -> Result<[Limb; 2]> { Ok([limb(Side::Left, parts)?, limb(Side::Right, parts)?]) };
        let arms = both([Part::UpperArm, Part::LowerArm, Part::Hand])?;
        let legs = both([Part::UpperLeg, Part::LowerLeg, Part::Foot])?;
        let above = |joint: Joint| std::iter::successors(skeleton.parent(joint), |&above| skeleton.parent(above));
        let chest = above(arms[0].upper).find(|&above| skeleton.is_below(arms[1].upper, above));
        let chest = chest.context("its arms hang on nothing")?;
        let (hips, head) = (part(Role::middle(Part::Hips))?, part(Role::middle(Part::Head))?);
        let height = |joint: Joint| rest.position(joint).dot(up);
        let floor = skeleton.iter().map(height).fold(f64::INFINITY, f64::min);
        let long = |limb: &Limb| {
            let apart = |from, to| rest.position(from).distance(rest.position(to));
            apart(limb.upper, limb.lower) + apart(limb.lower, limb.end)
        };
        let (arm, leg) = (long(&arms[0]), long(&legs[0]));
        let (name, axes, tall) = (name.to_owned(), [left, up, found.forward], height(head) - floor);
        Ok(Self { name, character, skeleton, body, rest, hips, chest, head, arms, legs, axes, arm, leg, tall, floor })
    }

    /// A way in the body's own axes: left, up, ahead.
    pub fn way(&self, left: f64, up: f64, ahead: f64) -> DVec3 {
        let [x, y, z] = self.axes;
        x * left + y * up + z * ahead
    }

    /// How high a place is above the floor.
    pub fn height(&self, place: DVec3) -> f64 {
        place.dot(self.axes[1]) - self.floor
    }

    /// The same place on the floor.
    pub fn on_floor(&self, place: DVec3) -> DVec3 {
        place - self.axes[1] * self.height(place)
    }
}
