//! Random springs, and how the body moves that they swing on.

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::limit::Range;
use sinew::springs::{Bone, Collider, Link, Springs, Tail};
use sinew::{Joint, Kind, Pose, Skeleton, Start};

use super::random::{direction, one_in, pick, rotation, signed};
use super::skeleton::{self, extent};
use crate::mood::Mood;

/// Frames of each set-up.
const FRAMES: usize = 24;

/// Springs on a body that moves.
#[derive(Debug)]
pub(crate) struct Swing {
    pub(crate) skeleton: Skeleton,
    /// The springs at first, and with other numbers from the middle on.
    pub(crate) springs: [Springs; 2],
    pub(crate) frames: Vec<Frame>,
    /// Scale of the roots: equal, but for a mirror.
    pub(crate) scale: DVec3,
    /// Whether each frame begins with the rest pose.
    reset: bool,
    seed: u64,
}

/// One frame of the body.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) dt: f64,
    pub(crate) teleports: bool,
    place: DVec3,
    turn: DQuat,
}

impl Swing {
    /// The set-up of a seed; `None` where the builder refuses the joints.
    pub(crate) fn of(seed: u64, mood: &Mood) -> Option<Self> {
        let mut rng = Rng::with_seed(seed);
        let skeleton = skeleton::random(&mut rng, mood)?;
        let first = springs(&mut rng, &skeleton);
        let mut later = first.clone();
        let how = (rng.bool(), rng.bool());
        for one in &mut later.bones {
            *one = bone(&mut rng, *one, how);
        }
        let reset = first.shape == Start::Given || rng.bool();
        let mirror = pick(&mut rng, &[DVec3::ONE, DVec3::new(1.0, 1.0, -1.0)]);
        // Squash writes the scale of what it squashes.
        let scale = if first.squash { DVec3::ONE } else { mirror * pick(&mut rng, &[1.0, 1.0, 0.01, 30.0]) };
        let frames = frames(&mut rng, extent(&skeleton));
        Some(Self { skeleton, springs: [first, later], frames, scale, reset, seed })
    }

    /// The springs of a frame.
    pub(crate) fn springs(&self, number: usize) -> &Springs {
        &self.springs[usize::from(2 * number >= self.frames.len())]
    }

    /// Whether a joint stays where the body has it, by the documentation.
    pub(crate) fn is_held(&self, joint: Joint) -> bool {
        let driven = |coordinate| self.skeleton.driven(coordinate).count();
        let shared = self.skeleton.drive(joint).is_some_and(|drive| driven(drive.coordinate) > 1);
        let swings = self.springs[0].bones.iter().any(|bone| bone.joint == joint);
        !swings || shared || matches!(self.skeleton.kind(joint), Kind::Fixed | Kind::Slide { .. })
    }

    /// Whether a bone's length is its own, by the documentation.
    pub(crate) fn is_own(&self, bone: &Bone) -> bool {
        let Tail::Joint(tail) = bone.tail else { return true };
        let slides = matches!(self.skeleton.kind(tail), Kind::Slide { .. });
        self.skeleton.parent(tail) == Some(bone.joint) && !slides
    }

    /// Moves the body to where it is in a frame; what the pose holds for the bones becomes anything.
    pub(crate) fn pose(&self, number: usize, pose: &mut Pose) {
        let (mut rng, skeleton) = (Rng::with_seed(self.seed ^ ((number as u64 + 1) << 32)), &self.skeleton);
        if self.reset {
            pose.reset(skeleton);
        }
        let mut edit = pose.edit(skeleton);
        for bone in self.springs[0].bones.iter().filter(|bone| !self.reset && self.is_own(bone)) {
            if let Tail::Joint(tail) = bone.tail {
                edit.translation(tail, direction(&mut rng));
            }
        }
        for joint in skeleton.iter() {
            let (held, drive) = (self.is_held(joint), skeleton.drive(joint));
            match drive.filter(|_| held) {
                Some(drive) => {
                    let near = skeleton.coordinates()[drive.coordinate].range.clamp(0.2 * signed(&mut rng));
                    edit.coordinate(drive.coordinate, near);
                }
                None if skeleton.kind(joint) != Kind::Fixed && held != self.reset => {
                    edit.rotation(joint, rotation(&mut rng));
                }
                None => {}
            }
            if skeleton.parent(joint).is_none() {
                let Frame { place, turn, .. } = self.frames[number];
                if !matches!(skeleton.kind(joint), Kind::Slide { .. }) {
                    edit.translation(joint, place);
                }
                if !held || drive.is_none() {
                    edit.rotation(joint, turn);
                }
                edit.scale(joint, self.scale);
            }
        }
    }
}

/// A number whose logarithm (base ten) is anywhere between two.
fn spread(rng: &mut Rng, from: f64, to: f64) -> f64 {
    10.0_f64.powf(from + (to - from) * rng.f64())
}

fn springs(rng: &mut Rng, skeleton: &Skeleton) -> Springs {
    let (size, wild) = (extent(skeleton) / skeleton.len() as f64, (rng.bool(), rng.bool()));
    let mut bones = bones(rng, skeleton, size);
    for one in &mut bones {
        *one = bone(rng, *one, wild);
    }
    if one_in(rng, 8) && !bones.is_empty() {
        let place = rng.usize(..bones.len());
        bones[place].anchored = true;
    }
    let links = if one_in(rng, 5) && bones.len() > 1 {
        let (compliance, lengths) =
            pick(rng, &[(0.0, Range::FREE), (1e-3, Range::FREE), (f64::INFINITY, Range::new(0.0, 1.0))]);
        vec![Link { compliance, lengths, ..Link::new(0, bones.len() - 1) }]
    } else {
        Vec::new()
    };
    let mut colliders = [
        Collider::sphere(direction(rng) * size, 0.6 * size),
        Collider::capsule(direction(rng) * size, direction(rng) * size, 0.1 * size),
        Collider::plane(direction(rng) * size, direction(rng)),
    ]
    .to_vec();
    colliders.truncate(pick(rng, &[0, 0, 1, 2, 3]));
    let mut springs = Springs {
        bones,
        links,
        colliders,
        gravity: direction(rng) * pick(rng, &[9.81, 9.81, 0.0, 1000.0]),
        wind: direction(rng) * pick(rng, &[0.0, 1.0, 100.0]),
        shape: pick(rng, &[Start::Rest, Start::Rest, Start::Given]),
        step: pick(rng, &[1.0 / 240.0, 1.0 / 240.0, 1.0 / 60.0, 1e-4, 1.0]),
        iterations: pick(rng, &[8, 8, 1, 20]),
        squash: one_in(rng, 4),
        ..Springs::default()
    };
    if one_in(rng, 4) {
        (springs.teleport.distance, springs.teleport.angle) = (f64::INFINITY, f64::INFINITY);
    }
    springs
}

/// Bones on most joints, some of which end past joints that have none, or at points.
fn bones(rng: &mut Rng, skeleton: &Skeleton, size: f64) -> Vec<Bone> {
    let swings: Vec<bool> = skeleton.iter().map(|_| !one_in(rng, 6)).collect();
    let mut bones = Vec::new();
    for joint in skeleton.iter().filter(|joint| swings[joint.index()]) {
        for child in skeleton.children(joint) {
            let mut tail = child;
            while let (false, Some(next)) = (swings[tail.index()] || rng.bool(), skeleton.children(tail).next()) {
                tail = next;
            }
            bones.push(Bone::new(joint, Tail::Joint(tail)));
        }
        if skeleton.children(joint).next().is_none() || one_in(rng, 8) {
            bones.push(Bone::new(joint, Tail::Point(direction(rng) * size)));
        }
    }
    bones
}

fn bone(rng: &mut Rng, bone: Bone, (heavy, soft): (bool, bool)) -> Bone {
    let mut one_of = |often: &[f64], from: f64, to: f64| {
        let any = spread(rng, from, to);
        if rng.bool() { any } else { pick(rng, often) }
    };
    let free = [Range::FREE; 3];
    Bone {
        mass: if heavy { one_of(&[1.0], -6.0, 12.0) } else { one_of(&[1.0], -1.0, 1.0) },
        stretch: if soft { one_of(&[0.0, 0.5, 1.0], -12.0, 0.0) } else { 0.0 },
        stretch_damping: one_of(&[0.0], -4.0, 4.0),
        bend: one_of(&[f64::INFINITY, f64::INFINITY, 0.0], -8.0, 3.0),
        bend_damping: one_of(&[0.0], -4.0, 2.0),
        drag: one_of(&[0.0], -2.0, 4.0),
        swing: one_of(&[4.0], -1.0, 1.0),
        lengths: pick(rng, &[&free[..], &[Range::new(0.8, 1.2), Range::new(1.1, f64::INFINITY)]].concat()),
        gravity: pick(rng, &[1.0, 1.0, 0.0, -1.0]),
        radius: pick(rng, &[0.0, 0.02]),
        ..bone
    }
}

/// A body that jitters, turns, jumps and hitches.
fn frames(rng: &mut Rng, size: f64) -> Vec<Frame> {
    let (mut center, mut turn) = (DVec3::ZERO, DQuat::IDENTITY);
    let (jitter, turns) = (pick(rng, &[0.0, 0.002, 0.02, 0.3]) * size, pick(rng, &[0.0, 0.02, 0.2, 3.0]));
    let rate = pick(rng, &[1.0 / 60.0, 1.0 / 24.0]);
    let rates = if rng.bool() { [rate; 3] } else { [rate, 10.0 * rng.f64(), pick(rng, &[0.0, 1e-5, 0.1, 10.0])] };
    let frame = |_| {
        turn = (turn * DQuat::from_scaled_axis(direction(rng) * (turns * rng.f64()))).normalize();
        match rng.u8(0..20) {
            0 => center = direction(rng) * (size * spread(rng, -1.0, 3.0)),
            1 => turn = rotation(rng),
            _ => {}
        }
        let place = center + direction(rng) * (jitter * rng.f64());
        Frame { dt: pick(rng, &rates), teleports: one_in(rng, 30), place, turn }
    };
    (0..FRAMES).map(frame).collect()
}
