//! Random set-ups: joints of every kind, bones of every mass and stretch, and how their body moves.

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use sinew::springs::{Bone, Collider, Link, Shape, Springs, Tail};
use sinew::{BallLimit, JointSpec, Kind, Skeleton, SkeletonBuilder, Start};

/// One set-up, and how its body moves.
pub(super) struct Setup {
    pub(super) skeleton: Skeleton,
    pub(super) springs: Springs,
    pub(super) jitter: f64,
    pub(super) turn: f64,
    pub(super) rates: [f64; 3],
    /// Whether the pose is reset before each step; bones may else be anywhere in it.
    pub(super) reset: bool,
    /// Whether coordinates that are the body's move.
    pub(super) travels: bool,
}

/// A number whose logarithm (base ten) is anywhere between two.
pub(super) fn spread(rng: &mut Rng, from: f64, to: f64) -> f64 {
    10.0_f64.powf(from + (to - from) * rng.f64())
}

pub(super) fn direction(rng: &mut Rng) -> DVec3 {
    loop {
        let v = DVec3::new(rng.f64(), rng.f64(), rng.f64()) * 2.0 - 1.0;
        if v.length() > 0.1 && v.length() < 1.0 {
            return v.normalize();
        }
    }
}

pub(super) fn rotation(rng: &mut Rng) -> DQuat {
    DQuat::from_axis_angle(direction(rng), std::f64::consts::PI * rng.f64())
}

pub(super) fn one_of<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.usize(..choices.len())]
}

/// A range of a hinge (radians) or slide (metres), among them those with one end, of many turns, and of one value.
fn range(rng: &mut Rng) -> Range {
    match rng.u8(..8) {
        0 => Range::FREE,
        1 => Range::new(f64::NEG_INFINITY, rng.f64() - 0.5),
        2 => Range::new(rng.f64() - 0.5, f64::INFINITY),
        3 => one_of(rng, &[Range::new(7.0, 8.0), Range::new(-20.0, 20.0), Range::new(0.3, 0.3)]),
        _ => Range::new(-2.0 * rng.f64(), 2.0 * rng.f64()),
    }
}

fn kind(rng: &mut Rng, axis: DVec3) -> Kind {
    let (range, narrow) = (range(rng), Range::new(-2.0 * rng.f64(), 2.0 * rng.f64()));
    let ball = |limit: Option<BallLimit>| limit.map_or(Kind::BALL, Kind::Ball);
    match rng.u8(..12) {
        0 => Kind::Fixed,
        1 | 2 => Kind::Slide { axis, range },
        3 => Kind::Free,
        4..=6 => Kind::Hinge { axis, range },
        7 => ball(SwingTwist::new(axis, 2.0 * rng.f64(), narrow).map(BallLimit::SwingTwist)),
        8 => {
            let swings = [one_of(rng, &[0.0, 0.1, 1.0]) * 3.0 * rng.f64(), 0.1 + 2.0 * rng.f64()];
            let swings = [Range::new(-swings[0], swings[0]), Range::new(-0.5 * swings[1], swings[1])];
            ball(EllipticSwing::uneven(axis, direction(rng), swings, narrow).map(BallLimit::EllipticSwing))
        }
        9 => ball(EulerRanges::new(EulerOrder::Xyz, range, narrow, narrow).map(BallLimit::Euler)),
        _ => Kind::BALL,
    }
}

/// A body, a joint far from it that gives it size, and a tree of joints on it, some of which follow others; `None` where
/// these have no value that is inside the ranges of all.
fn skeleton(rng: &mut Rng) -> Option<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let mut body = JointSpec::named("body").kind(if rng.bool() { Kind::Free } else { Kind::BALL });
    let mirror = if rng.u8(..6) == 0 { DVec3::new(1.0, 1.0, -1.0) } else { DVec3::ONE };
    body.rest.scale = mirror * one_of(rng, &[1.0, 1.0, 1.0, 0.01, 40.0]);
    let straight = rng.bool();
    let count = 2 + rng.usize(..8);
    let (plain, forks) = (rng.u8(..3) == 0, rng.u8(..3) == 0);
    // Each joint with its axis; and those that others may follow.
    let (mut joints, mut driven) = (vec![(builder.add(body), DVec3::Y)], Vec::new());
    for number in 0..count {
        let (parent, above) = joints[if forks { rng.usize(..joints.len()) } else { joints.len() - 1 }];
        let along = straight || rng.u8(..4) == 0;
        let way = if straight {
            DVec3::Y
        } else if along {
            above
        } else {
            direction(rng)
        };
        let length = match rng.u8(..12) {
            0 => 0.0,
            1 => spread(rng, -12.0, 0.0),
            _ => 0.05 + 0.1 * rng.f64(),
        };
        let axis = if rng.bool() { one_of(rng, &[DVec3::X, DVec3::Y, DVec3::Z]) } else { direction(rng) };
        let name = format!("j{number}");
        let mut spec = JointSpec::named(&name).child_of(parent).translation(way * length);
        spec = spec.kind(if plain { Kind::BALL } else { kind(rng, axis) });
        if matches!(spec.kind, Kind::Hinge { .. } | Kind::Slide { .. }) {
            if !driven.is_empty() && rng.u8(..3) == 0 {
                spec = spec.mimic(&driven[rng.usize(..driven.len())], one_of(rng, &[1.0, -1.0, 0.5]), 0.1 * rng.f64());
            }
            driven.push(name);
        }
        joints.push((builder.add(if straight { spec } else { spec.rotation(rotation(rng)) }), axis));
    }
    builder.add(JointSpec::named("far").child_of(0).translation(DVec3::X * one_of(rng, &[0.0, 2.0, 100.0])));
    builder.build().ok()
}

/// Bones on all joints, at times the body's too, with tips on some; one may reach past a joint that does not swing.
fn bones(rng: &mut Rng, skeleton: &Skeleton) -> Vec<Bone> {
    let [body, far] = skeleton.joints(["body", "far"]).unwrap();
    let rooted = rng.u8(..5) == 0;
    let mut bones = Springs::below(skeleton, body).bones;
    bones.retain(|bone| bone.tail != Tail::Joint(far) && (rooted || bone.joint != body));
    let tips = skeleton.iter().filter(|&joint| joint != far && skeleton.children(joint).next().is_none());
    for tip in tips.filter(|_| rng.bool()).collect::<Vec<_>>() {
        bones.push(Bone::new(tip, Tail::Point(direction(rng) * 0.1)));
    }
    if rng.u8(..8) == 0 && !bones.is_empty() {
        let place = rng.usize(..bones.len());
        if let Tail::Joint(past) = bones[place].tail
            && let Some(child) = skeleton.children(past).next()
        {
            bones[place].tail = Tail::Joint(child);
            bones.retain(|bone| bone.joint != past);
        }
    }
    bones
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

pub(super) fn setup(rng: &mut Rng) -> Setup {
    let skeleton = loop {
        if let Some(made) = skeleton(rng) {
            break made;
        }
    };
    let body = skeleton.joint("body").unwrap();
    let mut springs = Springs { bones: bones(rng, &skeleton), ..Springs::default() };
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
    let reset = springs.shape == Start::Given || rng.bool();
    let frame = one_of(rng, &[1.0 / 60.0, 1.0 / 24.0]);
    let rates = if rng.bool() { [frame; 3] } else { [frame, 10.0 * rng.f64(), one_of(rng, &[0.0, 1e-5, 0.1, 10.0])] };
    let jitter = one_of(rng, &[0.0, 0.002, 0.02, 0.1, 1.0]);
    let turn = one_of(rng, &[0.0, 0.02, 0.2, 1.0, 3.0]);
    Setup { skeleton, springs, jitter, turn, rates, reset, travels: rng.bool() }
}
