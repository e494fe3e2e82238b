//! A sidecar put to a skeleton: what is recognised with its limbs and roles in place, then the preset, then each
//! joint's table.

use std::ops::Range;

use glam::DVec3;
use sinew::{Joint, JointSpec, Mass, NamedJoint, Skeleton, SkeletonError};

use super::limit::direction;
use super::{JointEntry, LimbEntry, Sidecar, SidecarError};
use crate::evidence::Evidence;
use crate::human::Human;
use crate::limb::LimbKind;
use crate::recognize::{Recognition, Told, ToldLimb, recognize_as};
use crate::role::{Role, Side};

/// A skeleton as a sidecar has it.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The same joints in the same order, with the names, kinds, limits, bends, stiffness and masses asked for.
    pub skeleton: Skeleton,
    /// What it was recognised as; its joints are the new skeleton's.
    pub recognition: Recognition,
    /// Whether the human's limits were put on.
    pub preset: bool,
}

impl Sidecar {
    /// Puts the sidecar to a skeleton. `find` finds joints by what the file calls them, and says in a few words why
    /// it does not.
    ///
    /// # Errors
    /// Joints that are not found, and values that mean nothing, each with its line.
    pub fn apply(
        &self,
        evidence: &Evidence<'_>,
        find: impl Fn(&str) -> Result<Joint, String>,
    ) -> Result<Applied, SidecarError> {
        let skeleton = evidence.skeleton;
        let mut evidence = evidence.clone();
        if let Some(up) = &self.contents.up {
            evidence.up = self.unit(up)?;
        }
        let mut told = Told { up: self.contents.up.is_some(), ..Told::default() };
        told.forward = self.contents.forward.as_ref().map(|forward| self.unit(forward)).transpose()?;
        for entry in &self.contents.limb {
            told.limbs.push(self.limb(entry.as_ref(), &find)?);
        }
        let mut entries: Vec<(Joint, &JointEntry, Range<usize>)> = Vec::new();
        for (name, entry) in &self.contents.joint {
            let joint = find(name).map_err(|why| self.wrong(&entry.span(), why))?;
            if entries.iter().any(|(other, ..)| *other == joint) {
                return Err(self.wrong(&entry.span(), format!("'{name}' has two tables; put them together")));
            }
            entries.push((joint, entry.as_ref(), entry.span()));
            if let Some(role) = &entry.as_ref().role {
                told.roles.push((joint, self.role(role.as_ref(), &role.span())?));
            }
        }
        let recognition = recognize_as(&evidence, &told);
        let (with_preset, preset) = self.preset(skeleton, &recognition)?;
        let skeleton = self.revise(&with_preset, &entries)?;
        Ok(Applied { recognition: recognition.on(&skeleton), skeleton, preset })
    }

    fn unit(&self, direction_: &toml::Spanned<[f64; 3]>) -> Result<DVec3, SidecarError> {
        let read = direction(direction_.as_ref(), &direction_.span());
        read.map(DVec3::normalize).map_err(|(span, what)| self.wrong(&span, what))
    }

    fn limb(&self, entry: &LimbEntry, find: &impl Fn(&str) -> Result<Joint, String>) -> Result<ToldLimb, SidecarError> {
        let known = "there are spine, head, arm, leg, tail, wing, fin, chain, finger, thumb, index finger, middle finger, ring finger and little finger";
        let kind = LimbKind::from_name(entry.kind.as_ref()).ok_or_else(|| {
            self.wrong(&entry.kind.span(), format!("'{}' is no kind of limb; {known}", entry.kind.as_ref()))
        })?;
        let side = match entry.side.as_ref().map(|side| (side.as_ref().as_str(), side.span())) {
            None => None,
            Some(("left", _)) => Some(Side::Left),
            Some(("right", _)) => Some(Side::Right),
            Some((other, span)) => return Err(self.wrong(&span, format!("'{other}' is no side; write left or right"))),
        };
        let front = match entry.place.as_ref().map(|place| (place.as_ref().as_str(), place.span())) {
            None => None,
            Some(("fore", _)) => Some(true),
            Some(("hind", _)) => Some(false),
            Some((other, span)) => return Err(self.wrong(&span, format!("'{other}' is no place; write fore or hind"))),
        };
        let joint = |name: &toml::Spanned<String>| find(name.as_ref()).map_err(|why| self.wrong(&name.span(), why));
        let joints = entry.joints.iter().map(joint).collect::<Result<_, _>>()?;
        Ok(ToldLimb { kind, side, front, joints })
    }

    fn role(&self, words: &str, at: &Range<usize>) -> Result<Option<Role>, SidecarError> {
        if words == "none" {
            return Ok(None);
        }
        let example = "write one such as 'left upper arm', 'spine', 'right index finger 1', or 'none'";
        Role::from_words(words)
            .map(Some)
            .ok_or_else(|| self.wrong(at, format!("'{words}' is no part of a body; {example}")))
    }

    fn preset(&self, skeleton: &Skeleton, recognition: &Recognition) -> Result<(Skeleton, bool), SidecarError> {
        let Some(preset) = &self.contents.preset else { return Ok((skeleton.clone(), false)) };
        match preset.as_ref().as_str() {
            "none" => Ok((skeleton.clone(), false)),
            "human" => {
                let mass = self.contents.mass.as_ref().map_or(Human::default().mass, |mass| *mass.as_ref());
                let at = self.contents.mass.as_ref().map_or(preset.span(), toml::Spanned::span);
                let applied = Human { mass }.apply(skeleton, recognition);
                Ok((applied.map_err(|error| self.wrong(&at, reason(&error)))?, true))
            }
            other => Err(self.wrong(&preset.span(), format!("'{other}' is no preset; there are human and none"))),
        }
    }

    fn revise(
        &self,
        skeleton: &Skeleton,
        entries: &[(Joint, &JointEntry, Range<usize>)],
    ) -> Result<Skeleton, SidecarError> {
        let mut failed = None;
        let revised = skeleton.revised(|joint, spec| {
            let of = |(other, ..): &&(Joint, &JointEntry, Range<usize>)| other.index() == joint.index();
            if let Some((_, entry, span)) = entries.iter().find(of)
                && let Err((at, what)) = change(spec, entry, span)
            {
                failed = failed.take().or(Some(self.wrong(&at, what)));
            }
        });
        if let Some(failed) = failed {
            return Err(failed);
        }
        revised.map_err(|error| {
            let of =
                |named: &NamedJoint| entries.iter().find(|(joint, ..)| skeleton.caller_index(*joint) == named.index);
            let span = culprit(&error).and_then(of).map_or(0..0, |(_, _, span)| span.clone());
            self.wrong(&span, reason(&error))
        })
    }
}

/// Changes a joint's description as its table says.
fn change(spec: &mut JointSpec, entry: &JointEntry, table: &Range<usize>) -> Result<(), (Range<usize>, String)> {
    spec.kind = entry.kind(spec.kind, table)?;
    if let Some(zero) = entry.zero()? {
        spec.zero.get_or_insert(spec.rest).rotation = zero;
    }
    if let Some(bend) = entry.bend()? {
        spec.bend = Some(bend);
    }
    if let Some(stiffness) = &entry.stiffness {
        let value = *stiffness.as_ref();
        if !(value > 0.0 && value.is_finite()) {
            return Err((stiffness.span(), format!("a stiffness of {value}; it must be greater than zero")));
        }
        spec.stiffness = value;
    }
    if let Some(mass) = &entry.mass {
        let value = *mass.as_ref();
        if !(value >= 0.0 && value.is_finite()) {
            return Err((mass.span(), format!("a mass of {value}; it must not be negative")));
        }
        spec.mass = Mass { mass: value, ..spec.mass };
    }
    if let Some(center) = &entry.center {
        spec.mass.center = DVec3::from_array(*center.as_ref());
        if !spec.mass.center.is_finite() {
            return Err((center.span(), "a centre of mass must be three numbers".to_owned()));
        }
    }
    if let Some(name) = &entry.name {
        spec.name = Some(name.as_ref().clone());
    }
    Ok(())
}

/// The joint that an error names; its index is in the order in which joints were added.
fn culprit(error: &SkeletonError) -> Option<&NamedJoint> {
    match error {
        SkeletonError::Invalid { joint, .. }
        | SkeletonError::EmptyRange { joint }
        | SkeletonError::Mimic { joint, .. } => Some(joint),
        _ => None,
    }
}

/// An error without the joint, which the line of the file names.
fn reason(error: &SkeletonError) -> String {
    let text = error.to_string();
    let named = culprit(error).map(|joint| format!("{joint}: "));
    named.and_then(|named| text.strip_prefix(&named)).map_or(text.clone(), str::to_owned)
}
