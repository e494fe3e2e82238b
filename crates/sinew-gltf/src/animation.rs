//! An animation of the file as motion of the skeleton, at any time.

use std::fmt;

use glam::{DQuat, DVec3};
use sinew::{Joint, Pose};

use crate::channel::Channel;
use crate::character::Character;
use crate::clip::{Key, Property};
use crate::curve::Curve;
use crate::document::in_range;
use crate::error::Fault;

/// One of a character's animations, open for sampling. Keys stay in the file's bytes, so that a large animation
/// takes no memory of its own.
///
/// Joints alone are sampled: what it does to meshes' morph targets, to nodes that are no joints and to nodes above
/// the roots is left alone.
///
/// ```no_run
/// let fox = sinew_gltf::load("Fox.glb")?;
/// let walk = fox.animation(1)?;
/// let mut pose = fox.skeleton.rest_pose();
/// walk.pose(0.35, &mut pose);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Animation<'a> {
    character: &'a Character,
    index: usize,
    name: String,
    tracks: Vec<Track<'a>>,
    moves_base: bool,
}

/// How one property of a joint goes.
#[derive(Debug)]
struct Track<'a> {
    joint: Joint,
    property: Property,
    curve: Curve<'a>,
}

/// Opens an animation; faults are seen from the document.
pub(crate) fn open(character: &Character, index: usize) -> Result<Animation<'_>, Fault> {
    let file = character.file();
    let index = in_range(index, file.animations.len(), "animation")
        .map_err(|fault| fault.at("animations").advise("count them from 0, in the file's order"))?;
    let listing = &file.animations[index];
    let mut tracks: Vec<Track<'_>> = Vec::new();
    for channel in &listing.channels {
        let Some(joint) = character.joint_of_node(channel.node) else { continue };
        let Some(&sampler) = listing.samplers.get(channel.sampler) else { continue };
        let curve = Curve::open(sampler, channel.property, &file.accessors, &file.buffers);
        let Some(curve) = curve? else { continue };
        // Two channels for one property are against the specification: the last one holds.
        tracks.retain(|track| (track.joint, track.property) != (joint, channel.property));
        tracks.push(Track { joint, property: channel.property, curve });
    }
    tracks.sort_by_key(|track| track.joint);
    let is_base = |node: &usize| character.is_above_roots(*node);
    let moves_base = listing.nodes.iter().any(is_base);
    Ok(Animation { character, index, name: character.animation_name(index), tracks, moves_base })
}

impl Animation<'_> {
    /// Its place among the file's animations.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name in the file; `animation 0`, by its index, where it has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// When the first key of a joint is (seconds); 0 where no joint has one.
    pub fn start(&self) -> f64 {
        self.ends().fold(f64::INFINITY, |first, [start, _]| first.min(start)).min(self.end())
    }

    /// When the last key of a joint is (seconds); 0 where no joint has one.
    pub fn end(&self) -> f64 {
        self.ends().map(|[_, end]| end).reduce(f64::max).unwrap_or(0.0)
    }

    /// When joints have keys (seconds), in order, each moment once.
    pub fn key_times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = Vec::new();
        for track in &self.tracks {
            // Most tracks have the same keys.
            if !track.curve.times().eq(times.iter().copied()) {
                times.extend(track.curve.times());
                times.sort_by(f64::total_cmp);
                times.dedup();
            }
        }
        times
    }

    /// The joints that it drives, in the skeleton's order.
    pub fn joints(&self) -> impl Iterator<Item = Joint> + '_ {
        self.tracks.chunk_by(|a, b| a.joint == b.joint).filter_map(|one| Some(one.first()?.joint))
    }

    /// Whether it also drives nodes above the skeleton's roots, which stay where they are at rest here.
    pub fn moves_base(&self) -> bool {
        self.moves_base
    }

    /// Puts the joints where they are at a moment (seconds): before the first key of a track its first value holds, after
    /// the last its last. Rotations between linear keys take the shortest turn at even speed. What the animation does
    /// not drive stays as it is in the pose.
    ///
    /// # Panics
    /// Where the pose is another skeleton's.
    pub fn pose(&self, time: f64, pose: &mut Pose) {
        let mut edit = pose.edit(&self.character.skeleton);
        for one in self.tracks.chunk_by(|a, b| a.joint == b.joint) {
            let Some(joint) = one.first().map(|track| track.joint) else { continue };
            let mut local = *edit.pose().local(joint);
            for track in one {
                let numbers @ [x, y, z, _] = track.curve.at(time);
                match track.property {
                    Property::Translation => local.translation = DVec3::new(x, y, z),
                    Property::Rotation => local.rotation = DQuat::from_array(numbers),
                    Property::Scale => local.scale = DVec3::new(x, y, z),
                }
            }
            edit.local(joint, local);
        }
    }

    /// A property of a joint at each of these moments; `None` where the animation does not drive it.
    pub(crate) fn keys(&self, joint: Joint, property: Property, times: &[f64]) -> Option<Vec<Key>> {
        let first = self.tracks.partition_point(|track| track.joint < joint);
        let mut own = self.tracks[first..].iter().take_while(|track| track.joint == joint);
        let curve = &own.find(|track| track.property == property)?.curve;
        let key = |&time: &f64| Key { value: curve.at(time), stored: curve.stored_at(time) };
        Some(times.iter().map(key).collect())
    }

    /// Whether it drives anything but these properties of nodes.
    pub(crate) fn has_channels_beside(&self, replaced: &[(usize, Property)]) -> bool {
        let document = &self.character.file().document;
        let channels = document["animations"][self.index]["channels"].as_array().map_or(0, Vec::len);
        channels > self.places_of(replaced).len()
    }

    /// Places of the channels that drive these properties of nodes, in the file's order.
    pub(crate) fn places_of(&self, replaced: &[(usize, Property)]) -> Vec<usize> {
        let listing = self.character.file().animations.get(self.index);
        let channels = listing.into_iter().flat_map(|listing| &listing.channels);
        let is_replaced = |channel: &&Channel| replaced.contains(&(channel.node, channel.property));
        channels.filter(is_replaced).map(|channel| channel.place).collect()
    }

    fn ends(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.tracks.iter().map(|track| track.curve.ends())
    }
}

/// The name and how much there is; not the keys.
impl fmt::Debug for Animation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = [self.start(), self.end()];
        f.debug_struct("Animation")
            .field("name", &self.name)
            .field("ends", &ends)
            .field("tracks", &self.tracks.len())
            .finish_non_exhaustive()
    }
}
