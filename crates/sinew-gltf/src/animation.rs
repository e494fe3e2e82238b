//! An animation of the file as motion of the skeleton, at any time.

use std::fmt;

use sinew::{Joint, Pose, Transform};

use crate::above::Above;
use crate::channel::{Channel, Listing};
use crate::character::Character;
use crate::clip::{Key, Property};
use crate::curve::Curve;
use crate::document::in_range;
use crate::error::Fault;

/// One of a character's animations, open for sampling. Keys stay in the file's bytes, so that a large animation
/// takes no memory of its own.
///
/// Only joints are sampled. What the animation does to morph targets and to nodes that are not joints is ignored. What it
/// does to nodes above a root is given to the root, so that the root moves as in the file while its base stays at rest.
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
    above: Vec<Above<'a>>,
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
        let Some(curve) = curve_of(character, listing, channel)? else { continue };
        // Two channels for one property are against the specification: the last one holds.
        tracks.retain(|track| (track.joint, track.property) != (joint, channel.property));
        tracks.push(Track { joint, property: channel.property, curve });
    }
    tracks.sort_by_key(|track| track.joint);
    let name = character.animation_name(index);
    let mut animation = Animation { character, index, name, tracks, above: Vec::new(), moves_base: false };
    animation.open_above(listing)?;
    Ok(animation)
}

fn curve_of<'a>(character: &'a Character, listing: &Listing, channel: &Channel) -> Result<Option<Curve<'a>>, Fault> {
    let file = character.file();
    let Some(&sampler) = listing.samplers.get(channel.sampler) else { return Ok(None) };
    Curve::open(sampler, channel.property, &file.accessors, &file.buffers)
}

impl<'a> Animation<'a> {
    /// Takes along the nodes above the roots; all or none of them, where that would shear.
    fn open_above(&mut self, listing: &Listing) -> Result<(), Fault> {
        let (character, file) = (self.character, self.character.file());
        if !listing.nodes.iter().any(|&node| character.is_above_roots(node)) {
            return Ok(());
        }
        let mut fault = None;
        let mut above = Vec::new();
        for root in character.skeleton.roots() {
            let Some(node) = character.node(root) else { continue };
            above.extend(Above::of(file, &character.skeleton, root, node, |node| {
                let mut curves: Vec<(Property, Curve<'a>)> = Vec::new();
                for channel in listing.channels.iter().filter(|channel| channel.node == node) {
                    match curve_of(character, listing, channel) {
                        Ok(Some(curve)) => {
                            curves.retain(|(property, _)| *property != channel.property);
                            curves.push((channel.property, curve));
                        }
                        Ok(None) => {}
                        Err(one) => fault = Some(one),
                    }
                }
                curves
            }));
        }
        if let Some(fault) = fault {
            return Err(fault);
        }
        self.above = above;
        let mut times = self.key_times();
        // Turned by a right angle nothing shears; on the way there it does.
        times.extend(times.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect::<Vec<_>>());
        let holds = |above: &Above<'_>, time| above.on_base(time, &self.own_local(above.root, time)).is_some();
        self.moves_base = !self.above.iter().all(|above| times.iter().all(|&time| holds(above, time)));
        if self.moves_base {
            self.above.clear();
        }
        Ok(())
    }
}

impl Animation<'_> {
    /// Its index in the file.
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
        let above = self.above.iter().flat_map(Above::curves);
        for curve in self.tracks.iter().map(|track| &track.curve).chain(above) {
            // Most tracks have the same keys.
            if !curve.times().eq(times.iter().copied()) {
                times.extend(curve.times());
                times.sort_by(f64::total_cmp);
                times.dedup();
            }
        }
        times
    }

    /// The joints that it drives, in the skeleton's order.
    pub fn joints(&self) -> impl Iterator<Item = Joint> + '_ {
        let drives = |joint: &Joint| {
            let above = self.above.iter().any(|above| above.root == *joint);
            above || self.tracks.binary_search_by_key(joint, |track| track.joint).is_ok()
        };
        self.character.skeleton.iter().filter(drives)
    }

    /// Whether it also scales nodes above the skeleton's roots in a way under which a root would shear. Those nodes then
    /// stay at rest here.
    pub fn moves_base(&self) -> bool {
        self.moves_base
    }

    /// Puts the joints where they are at a time (seconds). Before the first key of a track its first value holds, after the
    /// last its last. Between linear keys rotations take the shortest turn at even speed. What the animation does not drive
    /// stays as it is in the pose, except a root below nodes that it drives, which starts from rest.
    ///
    /// # Panics
    /// Where the pose is another skeleton's.
    pub fn pose(&self, time: f64, pose: &mut Pose) {
        let mut edit = pose.edit(&self.character.skeleton);
        for one in self.tracks.chunk_by(|a, b| a.joint == b.joint) {
            let Some(joint) = one.first().map(|track| track.joint) else { continue };
            let mut local = *edit.pose().local(joint);
            for track in one {
                track.property.put(track.curve.at(time), &mut local);
            }
            edit.local(joint, local);
        }
        for above in &self.above {
            let own = self.own_local(above.root, time);
            edit.local(above.root, above.on_base(time, &own).unwrap_or(own));
        }
    }

    /// A joint's transform as the file has it; at rest in what the animation does not drive.
    fn own_local(&self, joint: Joint, time: f64) -> Transform {
        let mut local = *self.character.skeleton.rest(joint);
        for track in self.tracks.iter().filter(|track| track.joint == joint) {
            track.property.put(track.curve.at(time), &mut local);
        }
        local
    }

    /// A joint's transform in a pose at a moment as the file has to hold it: without what the nodes above a root do.
    pub(crate) fn in_file(&self, joint: Joint, time: f64, local: &Transform) -> Transform {
        let Some(above) = self.above.iter().find(|above| above.root == joint) else { return *local };
        let own = self.own_local(joint, time);
        if above.on_base(time, &own).unwrap_or(own) == *local {
            return own;
        }
        above.off_base(time, local).unwrap_or(*local)
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
        let above = self.above.iter().flat_map(Above::curves);
        self.tracks.iter().map(|track| &track.curve).chain(above).map(Curve::ends)
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
