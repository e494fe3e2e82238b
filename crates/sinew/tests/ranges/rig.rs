//! Random trees of every kind of joint, with ranges of every kind, poses that may begin outside, and goals.

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use sinew::{BallLimit, Goal, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Transform};

/// Between -1 and 1.
pub(crate) fn signed(rng: &mut Rng) -> f64 {
    2.0 * rng.f64() - 1.0
}

/// A unit vector.
pub(crate) fn direction(rng: &mut Rng) -> DVec3 {
    loop {
        let v = DVec3::new(signed(rng), signed(rng), signed(rng));
        if (0.1..1.0).contains(&v.length()) {
            return v.normalize();
        }
    }
}

pub(crate) fn rotation(rng: &mut Rng) -> DQuat {
    DQuat::from_axis_angle(direction(rng), 3.2 * signed(rng))
}

/// Bounded, one-sided, many turns, beyond a turn, a point.
pub(crate) fn range(rng: &mut Rng) -> Range {
    let x = signed(rng);
    match rng.u8(..12) {
        0 => Range::FREE,
        1 => Range::new(2.0 * x, 2.0 * x),
        2 => Range::new(7.0, 8.0),
        3 => Range::new(-14.5, -13.0 + x),
        4 => Range::new(-20.0, 20.0),
        5 => Range::new(0.0, 2.6),
        6 => Range::new(-2.6, 0.0),
        7 => Range::new(f64::NEG_INFINITY, x),
        8 => Range::new(x, f64::INFINITY),
        9 => Range::new(-4.0, 4.0 + x),
        10 => Range::new(-0.1 * rng.f64(), 0.2 * rng.f64()),
        _ => Range::new(-3.0 * rng.f64(), 3.0 * rng.f64()),
    }
}

fn ball(rng: &mut Rng) -> BallLimit {
    let twist = [Range::new(0.0, 0.0), Range::FREE, Range::new(1.0, 1.5), Range::new(-1.2, 0.3)][rng.usize(..4)];
    let flat = [1.0, 1.0, 0.0, 1e-9][rng.usize(..4)];
    match rng.u8(..5) {
        0 => BallLimit::Free,
        1 | 2 => BallLimit::SwingTwist(SwingTwist::new(direction(rng), flat * 2.0 * rng.f64(), twist).unwrap()),
        3 => {
            let mut swing = [1.6 * rng.f64(), flat * 3.2 * rng.f64()];
            if rng.bool() {
                swing.reverse();
            }
            let across = direction(rng);
            // Most of them are narrower to one side, some turn to one alone.
            let [x, y] = swing;
            let swing = [Range::new(-x, x), Range::new(-if y > x { x } else { 0.5 * y }, y)];
            let limit = EllipticSwing::uneven(across.any_orthogonal_vector(), across, swing, twist);
            BallLimit::EllipticSwing(limit.unwrap())
        }
        _ => {
            let order =
                [EulerOrder::Xyz, EulerOrder::Xzy, EulerOrder::Yxz, EulerOrder::Yzx, EulerOrder::Zxy, EulerOrder::Zyx];
            let [x, y, z] = [(); 3].map(|()| range(rng));
            BallLimit::Euler(EulerRanges::new(order[rng.usize(..6)], x, y, z).unwrap())
        }
    }
}

fn kind(rng: &mut Rng) -> Kind {
    let axis = [DVec3::X, DVec3::Y, direction(rng), direction(rng)][rng.usize(..4)];
    match rng.u8(..12) {
        0 => Kind::Fixed,
        1..=5 => Kind::Hinge { axis, range: range(rng) },
        6 => Kind::Slide { axis, range: range(rng) },
        7 => Kind::BALL,
        _ => Kind::Ball(ball(rng)),
    }
}

/// A chain, or a tree with few branches; some hinges and slides follow others, with ranges of their own. `None`
/// where those leave no value.
pub(crate) fn skeleton(rng: &mut Rng) -> Option<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let (count, branches) = (3 + rng.usize(..6), 0.3 * rng.f64());
    let mut driven: Vec<usize> = Vec::new();
    for place in 0..count {
        let along = if rng.bool() { DVec3::Y } else { direction(rng) };
        let mut spec = JointSpec::named(format!("j{place}")).translation(along * (0.2 + rng.f64())).kind(kind(rng));
        if place > 0 {
            let above = if rng.f64() < branches { rng.usize(..place) } else { place - 1 };
            spec = spec.child_of(above);
        }
        if rng.bool() {
            spec = spec.rotation(rotation(rng));
        }
        if rng.u8(..6) == 0 {
            spec.zero = Some(Transform { rotation: rotation(rng), ..spec.rest });
        }
        if matches!(spec.kind, Kind::Hinge { .. } | Kind::Slide { .. }) {
            if !driven.is_empty() && rng.u8(..3) == 0 {
                let of = driven[rng.usize(..driven.len())];
                let (multiplier, offset) = ([1.0, -1.0, 0.5, 2.0][rng.usize(..4)], [0.0, 0.3, -1.0][rng.usize(..3)]);
                spec = spec.mimic(format!("j{of}"), multiplier, offset);
            }
            driven.push(place);
        }
        builder.add(spec);
    }
    builder.build().ok()
}

/// At rest, inside all limits, or anywhere, whole turns off included.
pub(crate) fn pose(rng: &mut Rng, skeleton: &Skeleton) -> Pose {
    let mut pose = if rng.bool() { skeleton.rest_pose() } else { skeleton.neutral_pose() };
    if rng.u8(..3) == 0 {
        return pose;
    }
    for joint in skeleton.iter().filter(|&joint| matches!(skeleton.kind(joint), Kind::Ball(_) | Kind::Free)) {
        pose.edit(skeleton).rotation(joint, rotation(rng));
    }
    for coordinate in 0..skeleton.coordinates().len() {
        pose.edit(skeleton).coordinate(coordinate, [4.0, 12.0][rng.usize(..2)] * signed(rng));
    }
    if rng.bool() { pose } else { inside(skeleton, pose) }
}

/// The same with every joint inside its limits.
fn inside(skeleton: &Skeleton, mut pose: Pose) -> Pose {
    for joint in skeleton.iter() {
        let allowed = skeleton.nearest_allowed(joint, pose.local(joint), pose.value(skeleton, joint));
        pose.edit(skeleton).local(joint, allowed);
    }
    for (place, coordinate) in skeleton.coordinates().iter().enumerate() {
        let value = coordinate.range.clamp(pose.coordinates()[place]);
        pose.edit(skeleton).coordinate(place, value);
    }
    pose
}

/// A goal for the joint: where another pose has it, or anywhere.
pub(crate) fn goal(rng: &mut Rng, skeleton: &Skeleton, joint: Joint) -> Goal {
    let there = pose(rng, skeleton);
    let place = if rng.bool() { there.position(joint) } else { direction(rng) * (3.0 * rng.f64()) };
    let goal = match rng.u8(..5) {
        0 | 1 => Goal::position(joint, place),
        2 => Goal::frame(joint, place, there.rotation(joint)),
        3 => Goal::rotation(joint, rotation(rng)),
        _ => Goal::aim(joint, direction(rng), place),
    };
    if rng.u8(..3) == 0 { goal.weight(rng.f64()) } else { goal }
}
