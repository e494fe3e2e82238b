//! The bones in the order in which they hang on one another.

use alloc::vec::Vec;

use glam::{DQuat, DVec3};

use super::bone::{Bone, Link, Tail};
use super::settings::Springs;
use crate::limit::Range;
use crate::math::ops;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::transform::Transform;

/// How much heavier than a bone's end all that hangs on it may count.
const HEAVIER: f64 = 1e5;
/// The smallest mass (kg) that is one.
const LEAST: f64 = 1e-200;
/// Mass of what has none, as a share of the heaviest.
const NEXT_TO_NOTHING: f64 = 1e-6;

/// A joint that turns, with the bones on it.
#[derive(Clone, Debug)]
pub(super) struct TurningJoint {
    pub(super) joint: Joint,
    /// Variable of its turn.
    pub(super) turn: usize,
    /// Whether its turn is the body's: fixed, prismatic, or on a coordinate that other joints share.
    pub(super) held: bool,
    /// What it hangs on; an anchor where there is none.
    pub(super) above: Option<Hang>,
    /// The anchor at the top.
    pub(super) anchor: usize,
    /// Its bones in [`SpringPlan::parts`].
    pub(super) parts: core::ops::Range<usize>,
    /// Local shape: from the joint's parent.
    pub(super) shape: Transform,
    /// Rotations from the frame above to the joint's parent, and in the shape to the joint; mirrored where the anchor is.
    pub(super) led: DQuat,
    pub(super) turned: DQuat,
    /// Inertia about the joint of all that hangs on it, in its shape stretched out.
    pub(super) inertia: f64,
    /// Scale of the joint with those of the frames above, axis by axis.
    pub(super) scale: DVec3,
    /// Rotation and place in the shape, where it is laid out.
    pub(super) shaped: DQuat,
    pub(super) shaped_start: DVec3,
}

/// Where a frame hangs on another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hang {
    pub(super) frame: usize,
    /// The bone at whose end it hangs; where it hangs elsewhere on the frame it follows without pulling.
    pub(super) part: Option<usize>,
    /// Elsewhere: from the frame's joint, in its frame, in the units of model space.
    pub(super) offset: DVec3,
}

/// A bone's end.
#[derive(Clone, Debug)]
pub(super) struct BoneEnd {
    /// Place in the settings.
    pub(super) bone: usize,
    pub(super) frame: usize,
    /// Variable of the end's place; none where it is anchored.
    pub(super) end: Option<usize>,
    /// The joint at the end.
    pub(super) tail: Option<Joint>,
    pub(super) mass: f64,
    /// Whether its length is its own, not the body's: its end is a point, or a child that does not slide.
    pub(super) free: bool,
    /// How it lengthens and how much (metres): nothing where it is not free.
    pub(super) stretch: f64,
    pub(super) lengths: Range,
    /// From the joint in the joint's frame: the shape's, in the skeleton's numbers.
    pub(super) offset: DVec3,
    /// The same in the units of model space, mirrored where the anchor is.
    pub(super) arm: DVec3,
    pub(super) length: f64,
    /// Sine and cosine of the largest swing.
    pub(super) swing: (f64, f64),
    /// Mass that hangs on its end, with its first and second moment about it.
    pub(super) hung: [f64; 3],
    /// Place in the shape, where it is laid out.
    pub(super) shaped: DVec3,
}

/// Settings and skeleton, made ready.
#[derive(Clone, Debug, Default)]
pub(super) struct SpringPlan {
    pub(super) frames: Vec<TurningJoint>,
    pub(super) parts: Vec<BoneEnd>,
    /// First frame of each tree.
    pub(super) roots: Vec<usize>,
    /// Which trees are tied to one another: those of one number.
    pub(super) groups: Vec<usize>,
    /// Places of links' bones in `parts`.
    pub(super) links: Vec<[usize; 2]>,
    /// Distances of the links' ends in the shape.
    pub(super) distances: Vec<f64>,
    /// Number of variables.
    pub(super) size: usize,
    /// Largest distance of a joint from the first, at rest.
    pub(super) extent: f64,
    pub(super) bones: Vec<Bone>,
    tied: Vec<Link>,
    skeleton: u32,
}

/// Whether a joint is prismatic.
pub(super) fn slides(skeleton: &Skeleton, joint: Joint) -> bool {
    matches!(skeleton.kind(joint), Kind::Slide { .. })
}

/// Whether other joints are on the joint's coordinate.
fn is_shared(skeleton: &Skeleton, joint: Joint) -> bool {
    skeleton.drive(joint).is_some_and(|drive| skeleton.driven(drive.coordinate).nth(1).is_some())
}

impl SpringPlan {
    /// Whether this is the plan of these bones and links, tied as they are; takes over their numbers.
    pub(super) fn adopt(&mut self, springs: &Springs, skeleton: &Skeleton) -> bool {
        let tied = |a: &Link, b: &Link| a.bones == b.bones;
        let hung = |a: &Bone, b: &Bone| (a.joint, a.tail, a.anchored) == (b.joint, b.tail, b.anchored);
        let fits = self.skeleton == skeleton.fingerprints().all
            && self.bones.len() == springs.bones.len()
            && self.tied.len() == springs.links.len()
            && self.tied.iter().zip(&springs.links).all(|(a, b)| tied(a, b))
            && self.bones.iter().zip(&springs.bones).all(|(a, b)| hung(a, b));
        if fits && self.bones != springs.bones {
            self.bones.clone_from(&springs.bones);
            self.weigh();
        }
        fits
    }

    /// Makes the plan; pairs of variables that share a constraint are written to `pairs`.
    pub(super) fn make(&mut self, springs: &Springs, skeleton: &Skeleton, pairs: &mut Vec<(usize, usize)>) {
        *self = Self { skeleton: skeleton.fingerprints().all, ..Self::default() };
        self.bones.clone_from(&springs.bones);
        self.tied.clone_from(&springs.links);
        let rest = skeleton.rest_pose();
        let first = skeleton.at(0).map_or(DVec3::ZERO, |joint| rest.position(joint));
        self.extent = skeleton.iter().map(|joint| rest.position(joint).distance(first)).fold(0.0, f64::max);
        let mut order: Vec<usize> = (0..self.bones.len()).collect();
        let tail = |bone: &Bone| match bone.tail {
            Tail::Joint(joint) => joint.index(),
            Tail::Point(_) => usize::MAX,
        };
        order.sort_by_key(|&place| (self.bones[place].joint, tail(&self.bones[place]), place));
        for place in order {
            self.add(skeleton, place, pairs);
        }
        self.weigh();
        for link in &springs.links {
            let ends = link.bones.map(|bone| self.parts.iter().position(|part| part.bone == bone).unwrap_or_default());
            if let [Some(a), Some(b)] = ends.map(|part| self.parts[part].end) {
                pairs.push((a, b));
            }
            self.links.push(ends);
        }
        self.group();
        self.distances.resize(self.links.len(), 0.0);
    }

    /// Numbers the trees, those that links tie by one number.
    fn group(&mut self) {
        self.groups = (0..self.roots.len()).collect();
        for ends in &self.links {
            let [a, b] = ends.map(|part| self.groups[self.frames[self.parts[part].frame].anchor]);
            self.groups.iter_mut().filter(|group| **group == b).for_each(|group| *group = a);
        }
    }

    /// Adds one bone, whose joint comes after those added before.
    fn add(&mut self, skeleton: &Skeleton, place: usize, pairs: &mut Vec<(usize, usize)>) {
        let bone = self.bones[place];
        if self.frames.last().is_none_or(|frame| frame.joint != bone.joint) {
            self.add_frame(skeleton, bone.joint, pairs);
        }
        let frame = self.frames.len() - 1;
        let end = (!bone.anchored).then_some(self.size);
        self.size += usize::from(!bone.anchored);
        let TurningJoint { turn, above, .. } = self.frames[frame];
        let start = above.and_then(|hang| self.parts[hang.part?].end);
        pairs.push((self.frames[frame].turn, start.unwrap_or(turn)));
        if let Some(end) = end {
            pairs.extend([(end, turn), (end, start.unwrap_or(turn))]);
        }
        self.frames[frame].parts.end += 1;
        let tail = if let Tail::Joint(tail) = bone.tail { Some(tail) } else { None };
        self.parts.push(BoneEnd {
            bone: place,
            frame,
            end,
            tail,
            mass: 0.0,
            free: tail.is_none_or(|tail| skeleton.parent(tail) == Some(bone.joint) && !slides(skeleton, tail)),
            stretch: 0.0,
            lengths: Range::FREE,
            offset: DVec3::ZERO,
            arm: DVec3::ZERO,
            length: 0.0,
            swing: (0.0, -1.0),
            hung: [0.0; 3],
            shaped: DVec3::ZERO,
        });
    }

    /// The nearest frame above a joint that hangs at no bone's end.
    fn frame_above(&self, skeleton: &Skeleton, joint: Joint) -> Option<Hang> {
        let mut at = skeleton.parent(joint);
        while let Some(joint) = at {
            // Frames come in the order of their joints.
            if let Ok(frame) = self.frames.binary_search_by_key(&joint, |frame| frame.joint) {
                return Some(Hang { frame, part: None, offset: DVec3::ZERO });
            }
            at = skeleton.parent(joint);
        }
        None
    }

    fn add_frame(&mut self, skeleton: &Skeleton, joint: Joint, pairs: &mut Vec<(usize, usize)>) {
        let ends_here = |part: &BoneEnd| self.bones[part.bone].tail == Tail::Joint(joint);
        let end = self.parts.iter().rposition(ends_here);
        let above = end.map(|part| Hang { frame: self.parts[part].frame, part: Some(part), offset: DVec3::ZERO });
        let above = above.or_else(|| self.frame_above(skeleton, joint));
        let anchor = above.map_or(self.roots.len(), |hang| self.frames[hang.frame].anchor);
        if let Some(hang) = above {
            pairs.push((self.size, self.frames[hang.frame].turn));
        } else {
            self.roots.push(self.frames.len());
        }
        self.frames.push(TurningJoint {
            joint,
            turn: self.size,
            held: skeleton.kind(joint) == Kind::Fixed || slides(skeleton, joint) || is_shared(skeleton, joint),
            above,
            anchor,
            parts: self.parts.len()..self.parts.len(),
            shape: Transform::IDENTITY,
            inertia: 0.0,
            led: DQuat::IDENTITY,
            turned: DQuat::IDENTITY,
            scale: DVec3::ONE,
            shaped: DQuat::IDENTITY,
            shaped_start: DVec3::ZERO,
        });
        self.size += 1;
    }

    /// Takes over masses, lengths and swings; gives what has no mass a little, and what hangs on nothing something to hang on.
    fn weigh(&mut self) {
        for part in &mut self.parts {
            let bone = &self.bones[part.bone];
            if part.free {
                (part.stretch, part.lengths) = (bone.stretch, bone.lengths);
            }
            (part.mass, part.swing) = (bone.mass, ops::sin_cos(bone.swing.min(core::f64::consts::PI)));
        }
        let most = self.parts.iter().map(|part| part.mass).fold(0.0, f64::max);
        let most = if most > LEAST { most } else { 1.0 };
        for part in &mut self.parts {
            if part.mass <= LEAST {
                part.mass = NEXT_TO_NOTHING * most;
            }
        }
        self.parts.iter_mut().for_each(|part| part.hung = [0.0; 3]);
        for place in (0..self.parts.len()).rev() {
            let part = &mut self.parts[place];
            part.mass = part.mass.max(part.hung[0] / HEAVIER);
            let (mass, frame) = (part.mass + part.hung[0], part.frame);
            if let Some(above) = self.frames[frame].above.and_then(|hang| hang.part) {
                self.parts[above].hung[0] += mass;
            }
        }
    }
}
