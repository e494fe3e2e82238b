//! Any settings at all: bones of every kind, mass and stretch on bodies that jitter, turn, jump and hitch. Every number
//! stays a number, rigid bones keep their length, and bones that stretch stay within the lengths that their docs state.

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use sinew::springs::{Bone, Collider, Link, Shape, SpringState, Springs, Tail};
use sinew::{BallLimit, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Start};

/// How long bones may become that stretch, as shares of their length at rest.
const LENGTHS: Range = Range::new(0.05, 20.0);

/// One set-up, its bones' lengths at rest, and how its body moves.
struct Setup {
    skeleton: Skeleton,
    springs: Springs,
    jitter: f64,
    turn: f64,
    rates: [f64; 3],
}

/// A number whose logarithm (base ten) is anywhere between two.
fn spread(rng: &mut Rng, from: f64, to: f64) -> f64 {
    10.0_f64.powf(from + (to - from) * rng.f64())
}

fn direction(rng: &mut Rng) -> DVec3 {
    loop {
        let v = DVec3::new(rng.f64(), rng.f64(), rng.f64()) * 2.0 - 1.0;
        if v.length() > 0.1 && v.length() < 1.0 {
            return v.normalize();
        }
    }
}

fn rotation(rng: &mut Rng) -> DQuat {
    DQuat::from_axis_angle(direction(rng), std::f64::consts::PI * rng.f64())
}

fn one_of<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.usize(..choices.len())]
}

fn kind(rng: &mut Rng) -> Kind {
    let axis = if rng.bool() { one_of(rng, &[DVec3::X, DVec3::Y, DVec3::Z]) } else { direction(rng) };
    let range = Range::new(-2.0 * rng.f64(), 2.0 * rng.f64());
    let ball = |limit: Option<BallLimit>| limit.map_or(Kind::BALL, Kind::Ball);
    match rng.u8(..10) {
        0 => Kind::Fixed,
        1 => Kind::slide(axis),
        2 => Kind::Free,
        3 => Kind::hinge(axis),
        4 => Kind::hinge(axis).within(range.min, range.max),
        5 => ball(SwingTwist::new(axis, 2.0 * rng.f64(), range).map(BallLimit::SwingTwist)),
        6 => {
            let swings = [0.1 + rng.f64(), 0.1 + 2.0 * rng.f64()];
            ball(EllipticSwing::new(axis, direction(rng), swings, range).map(BallLimit::EllipticSwing))
        }
        7 => ball(EulerRanges::new(EulerOrder::Xyz, range, range, range).map(BallLimit::Euler)),
        _ => Kind::BALL,
    }
}

/// A body, a joint far from it that gives it size, and a tree of joints on it.
fn skeleton(rng: &mut Rng) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let mut body = JointSpec::named("body");
    let mirror = if rng.u8(..6) == 0 { DVec3::new(1.0, 1.0, -1.0) } else { DVec3::ONE };
    body.rest.scale = mirror * one_of(rng, &[1.0, 1.0, 1.0, 0.01, 40.0]);
    let body = builder.add(body);
    let straight = rng.bool();
    let count = 2 + rng.usize(..8);
    let (plain, forks, mut joints) = (rng.u8(..3) == 0, rng.u8(..3) == 0, vec![body]);
    for _ in 0..count {
        let parent = if forks { joints[rng.usize(..joints.len())] } else { joints[joints.len() - 1] };
        let way = if straight { DVec3::Y } else { direction(rng) };
        let length = match rng.u8(..12) {
            0 => 0.0,
            1 => spread(rng, -12.0, 0.0),
            _ => 0.05 + 0.1 * rng.f64(),
        };
        let spec = JointSpec::default().child_of(parent).translation(way * length);
        let spec = spec.kind(if plain { Kind::BALL } else { kind(rng) });
        joints.push(builder.add(if straight { spec } else { spec.rotation(rotation(rng)) }));
    }
    builder.add(JointSpec::named("far").child_of(body).translation(DVec3::X * one_of(rng, &[0.0, 2.0, 100.0])));
    builder.build().unwrap()
}

fn bone(rng: &mut Rng, bone: Bone, (wild, soft): (bool, bool)) -> Bone {
    let mass = if wild { spread(rng, -6.0, 12.0) } else { spread(rng, -1.0, 1.0) };
    let stretch = match rng.u8(..4) {
        _ if !soft => 0.0,
        0 => 0.0,
        1 => rng.f64(),
        _ => spread(rng, -12.0, 0.0),
    };
    Bone {
        mass,
        stretch,
        stretch_damping: if rng.bool() { 0.0 } else { spread(rng, -4.0, 4.0) },
        bend: match rng.u8(..4) {
            0 => spread(rng, -8.0, 3.0),
            1 => one_of(rng, &[0.0, 0.1]),
            _ => f64::INFINITY,
        },
        bend_damping: if rng.bool() { 0.0 } else { spread(rng, -4.0, 2.0) },
        lengths: match rng.u8(..6) {
            0 => Range::new(0.8, 1.2),
            1 => Range::new(0.0, 1.0 + rng.f64()),
            2 => Range::new(1.5 * rng.f64(), f64::INFINITY),
            _ => Range::FREE,
        },
        drag: if rng.bool() { 0.0 } else { spread(rng, -2.0, 4.0) },
        gravity: one_of(rng, &[1.0, 1.0, 0.0, -1.0]),
        swing: if rng.u8(..4) == 0 { 2.0 * rng.f64() } else { 4.0 },
        radius: one_of(rng, &[0.0, 0.02]),
        ..bone
    }
}

fn setup(rng: &mut Rng) -> Setup {
    let skeleton = skeleton(rng);
    let body = skeleton.joint("body").unwrap();
    let mut springs = Springs::below(&skeleton, body);
    let far = skeleton.joint("far").unwrap();
    springs.bones.retain(|bone| bone.tail != Tail::Joint(far) && bone.joint != body);
    let tips: Vec<Joint> = skeleton.iter().filter(|&joint| skeleton.children(joint).next().is_none()).collect();
    for tip in tips.into_iter().filter(|&tip| tip != far) {
        if rng.bool() {
            springs.bones.push(Bone::new(tip, Tail::Point(direction(rng) * 0.1)));
        }
    }
    let how = (rng.bool(), rng.bool());
    springs = springs.each(|one| bone(rng, one, how));
    if rng.u8(..4) == 0 {
        springs = springs.each(|one| Bone { carrier: Some(body), ..one });
    }
    if rng.u8(..8) == 0 && !springs.bones.is_empty() {
        let place = rng.usize(..springs.bones.len());
        springs.bones[place].anchored = true;
    }
    if rng.u8(..6) == 0 && springs.bones.len() > 1 {
        let compliance = one_of(rng, &[0.0, 1e-3, f64::INFINITY]);
        springs.links = vec![Link { compliance, ..Link::new(0, springs.bones.len() - 1) }];
    }
    if rng.u8(..3) == 0 {
        let room = Shape::Sphere { center: DVec3::ZERO, radius: 0.5, inside: true };
        let shapes = [
            Collider::sphere(direction(rng) * 0.3, 0.2),
            Collider::capsule(direction(rng) * 0.3, direction(rng) * 0.3, 0.05).carried_by(body),
            Collider::plane(DVec3::NEG_Y * 0.2, direction(rng)),
            Collider::new(room),
        ];
        springs.colliders = shapes.into_iter().filter(|_| rng.bool()).collect();
    }
    springs.gravity = direction(rng) * one_of(rng, &[9.81, 9.81, 0.0, 1000.0]);
    springs.wind = direction(rng) * one_of(rng, &[0.0, 1.0, 100.0]);
    springs.shape = one_of(rng, &[Start::Rest, Start::Rest, Start::Given]);
    springs.step = one_of(rng, &[1.0 / 240.0, 1.0 / 240.0, 1.0 / 60.0, 1e-4, 0.1, 1.0]);
    springs.iterations = one_of(rng, &[8, 8, 1, 3, 20]);
    springs.squash = rng.u8(..4) == 0;
    if rng.u8(..4) == 0 {
        springs.teleport.distance = f64::INFINITY;
        springs.teleport.angle = f64::INFINITY;
    }
    let frame = one_of(rng, &[1.0 / 60.0, 1.0 / 24.0]);
    let rates = if rng.bool() { [frame; 3] } else { [frame, 10.0 * rng.f64(), one_of(rng, &[0.0, 1e-5, 0.1, 10.0])] };
    let jitter = one_of(rng, &[0.0, 0.002, 0.02, 0.1, 1.0]);
    Setup { skeleton, springs, jitter, turn: one_of(rng, &[0.0, 0.02, 0.2, 1.0, 3.0]), rates }
}

/// Runs the set-up of a number for so many frames; what broke, if anything did.
pub(crate) fn broken(seed: u64, frames: usize) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let Setup { skeleton, springs, jitter, turn, rates } = setup(&mut rng);
    springs.check(&skeleton).map_err(|error| error.to_string())?;
    let (mut state, mut at, mut q) = (SpringState::default(), DVec3::ZERO, DQuat::IDENTITY);
    let mut pose = skeleton.rest_pose();
    let body = skeleton.joint("body").unwrap();
    let mut farthest = 0.0_f64;
    for frame in 0..frames {
        pose.reset(&skeleton);
        match rng.u8(..40) {
            0 => at = direction(&mut rng) * spread(&mut rng, -1.0, 4.0),
            1 => q = rotation(&mut rng),
            2 => state.teleport(),
            _ => q = (q * DQuat::from_scaled_axis(direction(&mut rng) * (turn * rng.f64()))).normalize(),
        }
        let place = at + direction(&mut rng) * (jitter * rng.f64());
        pose.edit(&skeleton).translation(body, place).rotation(body, q);
        let step = springs.step(&skeleton, &mut pose, &mut state, one_of(&mut rng, &rates));
        if step.refused {
            return Err(format!("frame {frame} refused"));
        }
        farthest = farthest.max(place.length() + 10.0);
        let lengths = Lengths { skeleton: &skeleton, springs: &springs, rounding: 4e-15 * farthest };
        lengths.of_pose(&pose).map_err(|what| format!("frame {frame}, pose: {what}"))?;
        lengths.of_ends(&state).map_err(|what| format!("frame {frame}: {what}"))?;
    }
    Ok(())
}

/// What a bone's length may be, as shares of that at rest.
fn allowed(bone: &Bone) -> Range {
    let (min, max) = (bone.lengths.min.max(LENGTHS.min), bone.lengths.max.min(LENGTHS.max));
    let (min, max) = (min.min(LENGTHS.max), max.max(min));
    let nearest = 1.0_f64.clamp(min, max);
    if bone.stretch > 0.0 { Range::new(min, max) } else { Range::new(nearest, nearest) }
}

/// What every length is held to.
struct Lengths<'a> {
    skeleton: &'a Skeleton,
    springs: &'a Springs,
    /// What places lose to rounding, far from the origin (metres).
    rounding: f64,
}

impl Lengths<'_> {
    /// A bone between two places, whose length at rest is given in its own frame.
    fn check(&self, place: usize, [from, to]: [DVec3; 2], rest: f64) -> Result<(), String> {
        let bone = &self.springs.bones[place];
        let body = self.skeleton.joint("body").unwrap();
        let rest = rest * self.skeleton.rest(body).scale.x.abs();
        let (length, range) = (from.distance(to), allowed(bone));
        let off = (length - range.max * rest).max(range.min * rest - length);
        if off <= 1e-9 * rest + self.rounding {
            return Ok(());
        }
        Err(format!("bone {place}, stretch {:e}: {length:e} of {rest:e}, allowed {range:?}", bone.stretch))
    }

    fn of_pose(&self, pose: &Pose) -> Result<(), String> {
        let is_number = |joint: Joint| {
            let local = pose.local(joint);
            local.translation.is_finite() && local.rotation.is_finite() && local.scale.is_finite()
        };
        if let Some(joint) = self.skeleton.iter().find(|&joint| !is_number(joint)) {
            return Err(format!("joint {}: {:?}", joint.index(), pose.local(joint)));
        }
        for (place, bone) in self.springs.bones.iter().enumerate() {
            let Tail::Joint(tail) = bone.tail else { continue };
            let ends = [bone.joint, tail].map(|joint| pose.position(joint));
            self.check(place, ends, self.skeleton.rest(tail).translation.length())?;
        }
        Ok(())
    }

    fn of_ends(&self, state: &SpringState) -> Result<(), String> {
        if let Some(end) = state.particles().find(|end| !(end.position.is_finite() && end.velocity.is_finite())) {
            return Err(format!("{end:?}"));
        }
        let bones = &self.springs.bones;
        // A bone to an anchored end is as long as the anchor asks.
        for end in state.particles().filter(|end| !bones[end.bone].anchored) {
            let bone = &bones[end.bone];
            let Some(above) = bones.iter().position(|other| other.tail == Tail::Joint(bone.joint)) else { continue };
            let from = state.particles().find(|end| end.bone == above).unwrap().position;
            let rest = match bone.tail {
                Tail::Joint(tail) => self.skeleton.rest(tail).translation,
                Tail::Point(point) => point,
            };
            self.check(end.bone, [from, end.position], rest.length())?;
        }
        Ok(())
    }
}

/// Runs so many set-ups; the numbers of those that broke, with what did.
fn all(count: u64, frames: usize) -> Vec<String> {
    (0..count).filter_map(|seed| broken(seed, frames).err().map(|what| format!("set-up {seed}, {what}"))).collect()
}

#[test]
fn any_settings_stay_numbers_and_lengths() {
    let count = std::env::var("SPRINGS_SETUPS").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let broken = all(count, 60);
    assert!(broken.is_empty(), "{} of {count}: {}", broken.len(), broken[..broken.len().min(12)].join("\n"));
}
