//! Any settings at all: bones of every kind, mass and stretch on bodies that jitter, turn, jump and hitch. Every number
//! stays a number, rigid bones keep their length, bones that stretch stay within the lengths that their docs state,
//! joints end inside their limits, and what is the body's stays as the body has it.

mod make;

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::limit::Range;
use sinew::springs::{Bone, SpringState, Springs, Tail};
use sinew::{Joint, Kind, Pose, Skeleton};

use make::{Setup, direction, one_of, rotation, spread};

/// How long bones may become that stretch, as shares of their length at rest.
const LENGTHS: Range = Range::new(0.05, 20.0);

/// Runs the set-up of a number for so many frames; what broke, if anything did.
pub(crate) fn broken(seed: u64, frames: usize) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let setup = make::setup(&mut rng);
    let Setup { skeleton, springs, .. } = &setup;
    springs.check(skeleton).map_err(|error| error.to_string())?;
    let (mut state, mut body) = (SpringState::default(), Body::default());
    let mut pose = skeleton.rest_pose();
    let mut farthest = 0.0_f64;
    for frame in 0..frames {
        body.moves(&mut rng, &setup, &mut pose, &mut state);
        let given = pose.clone();
        let step = springs.step(skeleton, &mut pose, &mut state, one_of(&mut rng, &setup.rates));
        if step.refused {
            return Err(format!("frame {frame} refused"));
        }
        let places = skeleton.iter().map(|joint| pose.position(joint)).chain(state.particles().map(|end| end.position));
        farthest = places.map(DVec3::length).fold(farthest, f64::max);
        let judge = Judge { skeleton, springs, given: &given, rounding: 4e-15 * farthest };
        judge.pose(&pose).map_err(|what| format!("frame {frame}, pose: {what}"))?;
        judge.ends(&state, step.steps > 0).map_err(|what| format!("frame {frame}: {what}"))?;
    }
    Ok(())
}

/// Where the body is.
#[derive(Default)]
struct Body {
    at: DVec3,
    turn: DQuat,
}

impl Body {
    fn moves(&mut self, rng: &mut Rng, setup: &Setup, pose: &mut Pose, state: &mut SpringState) {
        let Setup { skeleton, springs, .. } = setup;
        match rng.u8(..40) {
            0 => self.at = direction(rng) * spread(rng, -1.0, 4.0),
            1 => self.turn = rotation(rng),
            2 => state.teleport(),
            _ => {
                let more = DQuat::from_scaled_axis(direction(rng) * (setup.turn * rng.f64()));
                self.turn = (self.turn * more).normalize();
            }
        }
        if setup.reset {
            pose.reset(skeleton);
        }
        let mut edit = pose.edit(skeleton);
        for bone in springs.bones.iter().filter(|_| !setup.reset) {
            // What the pose holds for the bones themselves does not matter.
            if !is_held(skeleton, bone.joint) {
                edit.rotation(bone.joint, rotation(rng));
            }
            if let Tail::Joint(tail) = bone.tail
                && is_written(skeleton, bone)
            {
                edit.translation(tail, direction(rng));
            }
        }
        for joint in skeleton.iter().filter(|&joint| setup.travels && is_held(skeleton, joint)) {
            if let Some(drive) = skeleton.drive(joint) {
                let range = skeleton.coordinates()[drive.coordinate].range;
                edit.coordinate(drive.coordinate, range.clamp(0.2 * rng.f64() - 0.1));
            }
        }
        let place = self.at + direction(rng) * (setup.jitter * rng.f64());
        edit.translation(skeleton.joint("body").unwrap(), place);
        edit.rotation(skeleton.joint("body").unwrap(), self.turn);
    }
}

/// Whether a joint does not swing: the body holds it where the pose has it.
fn is_held(skeleton: &Skeleton, joint: Joint) -> bool {
    let shared = |joint| skeleton.drive(joint).is_some_and(|drive| skeleton.driven(drive.coordinate).count() > 1);
    matches!(skeleton.kind(joint), Kind::Fixed | Kind::Slide { .. }) || shared(joint)
}

/// Whether a bone's length is its own: it is as long as the body has it where a slide or a joint between makes it so.
fn is_written(skeleton: &Skeleton, bone: &Bone) -> bool {
    let Tail::Joint(tail) = bone.tail else { return true };
    skeleton.parent(tail) == Some(bone.joint) && !matches!(skeleton.kind(tail), Kind::Slide { .. })
}

/// What a bone's length may be, as shares of that at rest.
fn allowed(bone: &Bone) -> Range {
    let (min, max) = (bone.lengths.min.max(LENGTHS.min), bone.lengths.max.min(LENGTHS.max));
    let (min, max) = (min.min(LENGTHS.max), max.max(min));
    let nearest = 1.0_f64.clamp(min, max);
    if bone.stretch > 0.0 { Range::new(min, max) } else { Range::new(nearest, nearest) }
}

/// What every pose and every end is held to.
struct Judge<'a> {
    skeleton: &'a Skeleton,
    springs: &'a Springs,
    given: &'a Pose,
    /// What places lose to rounding, far from the origin (metres).
    rounding: f64,
}

impl Judge<'_> {
    /// The length of a bone between two places.
    fn length(&self, place: usize, [from, to]: [DVec3; 2]) -> Result<(), String> {
        let bone = &self.springs.bones[place];
        let scale = self.skeleton.rest(self.skeleton.joint("body").unwrap()).scale.x.abs();
        let (rest, range) = match bone.tail {
            Tail::Point(point) => (point.length() * scale, allowed(bone)),
            Tail::Joint(tail) if is_written(self.skeleton, bone) => {
                (self.skeleton.rest(tail).translation.length() * scale, allowed(bone))
            }
            Tail::Joint(tail) => {
                (self.given.position(tail).distance(self.given.position(bone.joint)), Range::new(1.0, 1.0))
            }
        };
        let length = from.distance(to);
        let off = (length - range.max * rest).max(range.min * rest - length);
        if off <= 1e-9 * rest + self.rounding {
            return Ok(());
        }
        Err(format!("bone {place}, stretch {:e}: {length:e} of {rest:e}, allowed {range:?}", bone.stretch))
    }

    fn pose(&self, pose: &Pose) -> Result<(), String> {
        let is_number = |joint: Joint| {
            let local = pose.local(joint);
            local.translation.is_finite() && local.rotation.is_finite() && local.scale.is_finite()
        };
        if let Some(joint) = self.skeleton.iter().find(|&joint| !is_number(joint)) {
            return Err(format!("joint {}: {:?}", joint.index(), pose.local(joint)));
        }
        for (place, bone) in self.springs.bones.iter().enumerate() {
            self.joint(pose, bone.joint)?;
            if let Tail::Joint(tail) = bone.tail {
                self.length(place, [bone.joint, tail].map(|joint| pose.position(joint)))?;
            }
        }
        Ok(())
    }

    /// Limits, and what the body holds.
    fn joint(&self, pose: &Pose, joint: Joint) -> Result<(), String> {
        let (local, given, value) = (pose.local(joint), self.given.local(joint), pose.value(self.skeleton, joint));
        let holds = if is_held(self.skeleton, joint) {
            let slides = matches!(self.skeleton.kind(joint), Kind::Slide { .. });
            let stays = !slides || self.springs.squash || local.translation == given.translation;
            stays && local.rotation == given.rotation && value == self.given.value(self.skeleton, joint)
        } else {
            let allowed = self.skeleton.nearest_allowed(joint, local, value).rotation;
            let range = self.skeleton.range(joint);
            allowed.angle_between(local.rotation) < 1e-7 && (value - range.clamp(value)).abs() < 1e-9
        };
        let kind = self.skeleton.kind(joint);
        if holds {
            Ok(())
        } else {
            Err(format!("joint {}, {kind:?} at {value}: {local:?} of {given:?}", joint.index()))
        }
    }

    /// Bones whose ends were moved.
    fn ends(&self, state: &SpringState, moved: bool) -> Result<(), String> {
        if let Some(end) = state.particles().find(|end| !(end.position.is_finite() && end.velocity.is_finite())) {
            return Err(format!("{end:?}"));
        }
        let bones = &self.springs.bones;
        // A bone to an anchored end is as long as the anchor asks.
        for end in state.particles().filter(|end| !bones[end.bone].anchored) {
            let bone = &bones[end.bone];
            let Some(above) = bones.iter().position(|other| other.tail == Tail::Joint(bone.joint)) else { continue };
            let from = state.particles().find(|end| end.bone == above).unwrap().position;
            if moved || is_written(self.skeleton, bone) {
                self.length(end.bone, [from, end.position])?;
            }
        }
        Ok(())
    }
}

/// Runs so many set-ups; the numbers of those that broke, with what did.
fn all(seeds: std::ops::Range<u64>, frames: usize) -> Vec<String> {
    seeds.filter_map(|seed| broken(seed, frames).err().map(|what| format!("set-up {seed}, {what}"))).collect()
}

/// `SPRINGS_SETUPS` says how many, `SPRINGS_SEED` from which on.
#[test]
fn any_settings_stay_numbers_and_lengths() {
    let from = |name, default| std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(default);
    let (count, first) = (from("SPRINGS_SETUPS", crate::cases(300)), from("SPRINGS_SEED", 0));
    let broken = all(first..first + count, 60);
    assert!(broken.is_empty(), "{} of {count}: {}", broken.len(), broken[..broken.len().min(12)].join("\n"));
}
