//! A motion to be written: a pose for each of some moments, and what of it moves.
//!
//! glTF stores a motion as tracks, one for the translation, rotation or scale of one node. A track is worth its
//! place where a pose differs from rest; one that stays at a single value needs only two keys, the first and the
//! last, so that the clip keeps its length.

use glam::{DQuat, DVec3};
use sinew::{Joint, Pose, Transform};

use crate::animation::Animation;
use crate::character::Character;
use crate::error::WriteError;

/// Differences up to this part of the greatest component are rounding: the step of 32-bit floats.
const ROUNDING: f64 = 1e-7;

/// A motion of a character, for [`Character::write_animated`](crate::Character::write_animated).
#[derive(Clone, Debug, Default)]
pub struct Clip {
    /// What viewers call it; a clip without a name where it is empty.
    pub name: String,
    /// Seconds, from 0 or later, each later than the one before.
    pub times: Vec<f64>,
    /// A pose of the character's skeleton for each time. Between two of them viewers blend every joint's
    /// translation, rotation (the short way round) and scale.
    pub poses: Vec<Pose>,
}

/// The motion of one property of one node.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) node: usize,
    pub(crate) property: Property,
    /// A value for every key, or for the first and the last where `still`.
    pub(crate) values: Vec<f32>,
    pub(crate) still: bool,
}

/// What a file must store of a clip.
#[derive(Debug, Default)]
pub(crate) struct Tracks {
    pub(crate) new: Vec<Track>,
    /// What of which node the animation does otherwise than the clip.
    pub(crate) replaced: Vec<(usize, Property)>,
}

/// A property at a moment of an animation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// As it is in poses: rotations are unit quaternions.
    pub(crate) value: [f64; 4],
    /// As it is in the file where the moment is that of a key.
    pub(crate) stored: [f64; 4],
}

/// What of a node moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    Translation,
    Rotation,
    Scale,
}

impl Property {
    const ALL: [Self; 3] = [Self::Translation, Self::Rotation, Self::Scale];

    /// The one that glTF calls so.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|property| property.name() == name)
    }

    /// As glTF calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
        }
    }

    /// The numbers of it, the last of them 0 where there are three.
    fn of(self, local: &Transform) -> [f64; 4] {
        let three = |v: DVec3| [v.x, v.y, v.z, 0.0];
        match self {
            Self::Translation => three(local.translation),
            Self::Rotation => local.rotation.to_array(),
            Self::Scale => three(local.scale),
        }
    }

    /// Numbers of a value.
    pub(crate) fn size(self) -> usize {
        if self == Self::Rotation { 4 } else { 3 }
    }
}

impl Clip {
    /// The times as glTF stores them.
    pub(crate) fn stored_times(&self) -> Result<Vec<f32>, WriteError> {
        if self.times.is_empty() && self.poses.is_empty() {
            return Err(WriteError::EmptyClip);
        }
        if self.times.len() != self.poses.len() {
            return Err(WriteError::UnpairedKeys { times: self.times.len(), poses: self.poses.len() });
        }
        let mut stored: Vec<f32> = Vec::with_capacity(self.times.len());
        for (key, &time) in self.times.iter().enumerate() {
            // Zero loses its sign.
            let rounded = time as f32 + 0.0;
            let later = stored.last().is_none_or(|&before| rounded > before);
            if !(time >= 0.0 && rounded.is_finite() && later) {
                return Err(WriteError::Time { key, time });
            }
            stored.push(rounded);
        }
        Ok(stored)
    }

    /// What the file must store of the poses, in the skeleton's order, beside what an animation does already.
    pub(crate) fn tracks(&self, character: &Character, base: Option<&Animation<'_>>) -> Result<Tracks, WriteError> {
        let skeleton = &character.skeleton;
        if let Some(other) = self.poses.iter().find(|pose| !pose.fits(skeleton)) {
            return Err(WriteError::OtherSkeleton { found: other.len(), expected: skeleton.len() });
        }
        let mut tracks = Tracks::default();
        let mut first = None;
        for joint in skeleton.iter() {
            let Some(node) = character.node(joint) else { continue };
            let given = self.given(joint, base);
            let locals = locals(&given, joint, skeleton.rest(joint))?;
            for property in Property::ALL {
                let keys = base.and_then(|base| base.keys(joint, property, &self.times));
                let new = match &keys {
                    Some(keys) if is_as_in(keys, &given, property) => continue,
                    Some(keys) => {
                        tracks.replaced.push((node, property));
                        track(node, property, &as_stored(keys, &given, property, &locals), skeleton.rest(joint))
                    }
                    None => track(node, property, &locals, skeleton.rest(joint)),
                };
                tracks.new.extend(new);
            }
            first = first.or(Some((node, locals)));
        }
        let carried = base.is_some_and(|base| base.has_channels_beside(&tracks.replaced));
        if let Some((node, locals)) = first.filter(|_| tracks.new.is_empty() && !carried) {
            tracks.new.push(still_track(node, Property::Rotation, &locals));
        }
        Ok(tracks)
    }

    /// The joint's transform at each key as the file holds it.
    fn given(&self, joint: Joint, base: Option<&Animation<'_>>) -> Vec<Transform> {
        let one = |(pose, &time): (&Pose, &f64)| {
            let local = pose.local(joint);
            base.map_or(*local, |base| base.in_file(joint, time, local))
        };
        self.poses.iter().zip(&self.times).map(one).collect()
    }
}

/// Whether a joint has, at every key, just what an animation has then.
fn is_as_in(keys: &[Key], given: &[Transform], property: Property) -> bool {
    given.iter().zip(keys).all(|(local, key)| property.of(local) == key.value)
}

/// The joint's transforms, with the animation's rotations as the file has them wherever the poses have the same:
/// normalised in 64 bits and rounded to 32 they might differ in the last.
fn as_stored(keys: &[Key], given: &[Transform], property: Property, locals: &[Transform]) -> Vec<Transform> {
    if property != Property::Rotation {
        return locals.to_vec();
    }
    let stored = given.iter().zip(keys).zip(locals).map(|((given, key), local)| {
        let is_same = Property::Rotation.of(given) == key.value;
        let rotation = if is_same { DQuat::from_array(key.stored) } else { local.rotation };
        Transform { rotation, ..*local }
    });
    stored.collect()
}

/// The joint's transform at each key, its rotations on the same side as the one before, the first as rest.
fn locals(given: &[Transform], joint: Joint, rest: &Transform) -> Result<Vec<Transform>, WriteError> {
    let mut before = rest.rotation;
    let mut locals = Vec::with_capacity(given.len());
    for (key, &given) in given.iter().enumerate() {
        let mut local = given;
        if local.rotation != rest.rotation {
            local.rotation = local.rotation.normalize();
        }
        local.rotation = near(local.rotation, before);
        let stored = |number: &f64| (*number as f32).is_finite();
        if !Property::ALL.iter().all(|property| property.of(&local).iter().all(stored)) {
            return Err(WriteError::KeyNotFinite { key, joint });
        }
        before = local.rotation;
        locals.push(local);
    }
    Ok(locals)
}

/// The same rotation as the quaternion that is nearer to `before`, so that blending goes the short way.
fn near(rotation: DQuat, before: DQuat) -> DQuat {
    if rotation.dot(before) < 0.0 { -rotation } else { rotation }
}

/// The track of a property; `None` where it stays as it is at rest.
fn track(node: usize, property: Property, locals: &[Transform], rest: &Transform) -> Option<Track> {
    let differ = |from: &Transform| {
        let from = property.of(from);
        locals.iter().any(|local| is_other(property.of(local), from))
    };
    if !differ(rest) {
        return None;
    }
    if !differ(locals.first()?) {
        return Some(still_track(node, property, locals));
    }
    Some(Track { node, property, values: values(property, locals.iter()), still: false })
}

fn still_track(node: usize, property: Property, locals: &[Transform]) -> Track {
    // The first key twice, unless there is no second.
    let ends = locals.first().into_iter().cycle().take(locals.len().min(2));
    Track { node, property, values: values(property, ends), still: true }
}

fn values<'a>(property: Property, locals: impl Iterator<Item = &'a Transform>) -> Vec<f32> {
    let numbers = |local| property.of(local).into_iter().take(property.size());
    locals.flat_map(numbers).map(|number| number as f32).collect()
}

fn is_other(a: [f64; 4], b: [f64; 4]) -> bool {
    let greatest = |numbers: [f64; 4]| numbers.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
    let apart = greatest(std::array::from_fn(|i| a[i] - b[i]));
    apart > ROUNDING * greatest(a).max(greatest(b))
}
