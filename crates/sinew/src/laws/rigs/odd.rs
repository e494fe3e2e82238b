//! Rigs beyond arms, legs and spines of balls: hinge roots, followers, one-sided and many-turn ranges, elliptic
//! and Euler limits, slides, free roots, two tips.

use fastrand::Rng;
use glam::DVec3;

use super::{Rig, any, base, direction, limb, limb_specs, rotation, signed, spine, three_link};
use crate::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use crate::math::arc;
use crate::skeleton::{BallLimit, JointSpec, Kind};

/// A limb whose root is a hinge askew, above a ball that is free or within a cone.
pub fn hinge_root_limb(rng: &mut Rng) -> Rig {
    let root = Kind::Hinge { axis: direction(rng), range: ordinary_range(rng) };
    let mid = if rng.bool() { Kind::BALL } else { cone(rng) };
    limb(rng, root, mid, false)
}

/// A limb of two hinges, in one plane or askew.
pub fn hinge_pair_limb(rng: &mut Rng) -> Rig {
    let mut hinge = |lean: f64| Kind::Hinge { axis: DVec3::X + direction(rng) * lean, range: ordinary_range(rng) };
    let (root, mid) = (hinge(0.0), hinge(0.0));
    let askew = hinge(0.5);
    let mid = if rng.bool() { mid } else { askew };
    limb(rng, root, mid, true)
}

/// A limb whose hinges have ranges without a lower or an upper end, of several turns, or beyond a turn.
pub fn turning_limb(rng: &mut Rng) -> Rig {
    let root = if rng.bool() { Kind::BALL } else { Kind::Hinge { axis: direction(rng), range: odd_range(rng) } };
    let mid = Kind::Hinge { axis: DVec3::X, range: odd_range(rng) };
    limb(rng, root, mid, true)
}

/// A limb whose middle joint is a ball within a limit: a cone, an ellipse or Euler ranges.
pub fn limited_elbow_limb(rng: &mut Rng) -> Rig {
    let mid = odd_ball(rng);
    limb(rng, Kind::BALL, mid, false)
}

/// A limb with a shoulder within an ellipse or Euler ranges, and a hinged elbow.
pub fn odd_shoulder_limb(rng: &mut Rng) -> Rig {
    let root = if rng.bool() { ellipse(rng) } else { euler(rng) };
    limb(rng, root, Kind::hinge(DVec3::X).within(0.0, 2.6), true)
}

/// A limb with a hinged elbow, which another joint follows; the follower's own range holds the elbow back.
pub fn followed_limb(rng: &mut Rng) -> Rig {
    let sign = if rng.bool() { 1.0 } else { -1.0 };
    let elbow = Kind::hinge(DVec3::X).within(-0.3, 2.6);
    let mut specs = limb_specs(rng, Kind::BALL, elbow, true);
    let end = sign * (0.8 + rng.f64());
    let follower = Kind::hinge(direction(rng)).within(end.min(-0.2 * sign), end.max(-0.2 * sign));
    let place = direction(rng) * arc::length(specs[1].rest.translation);
    let spec = JointSpec::named("follower").child_of("sibling").translation(place).kind(follower);
    specs.push(spec.mimic("mid", sign * (0.5 + 0.5 * rng.f64()), 0.0));
    Rig::build(specs)
}

/// A finger whose last joint follows the one above, within a range of its own that ends first.
///
/// # Panics
/// Never: its last joint has a name.
pub fn following_finger(rng: &mut Rng) -> Rig {
    let knuckle = Kind::hinge(DVec3::X);
    let end = 0.7 + rng.f64();
    let mut specs = three_link(rng, knuckle.within(-0.2, 1.9), knuckle.within(-0.2, end));
    let low = specs.iter().position(|spec| spec.name.as_deref() == Some("low")).expect("a finger has a last joint");
    specs[low] = specs[low].clone().mimic("mid", 0.5 + 0.5 * rng.f64(), 0.1 * signed(rng));
    Rig::build(specs)
}

/// Three links, the first on a hinge, the others hinges or balls, with any limits.
pub fn mixed_three_link(rng: &mut Rng) -> Rig {
    let mut kind = || match rng.u8(0..3) {
        0 => Kind::BALL,
        1 => cone(rng),
        _ => Kind::Hinge { axis: DVec3::X + direction(rng) * 0.3, range: ordinary_range(rng) },
    };
    let (mid, low) = (kind(), kind());
    let mut specs = three_link(rng, mid, low);
    if rng.bool() {
        specs[1].kind = Kind::Hinge { axis: direction(rng), range: ordinary_range(rng) };
    }
    Rig::build(specs)
}

/// A root that turns, a telescope that draws in its bone from its length at rest, and a tip.
///
/// # Panics
/// Never: its middle joint has a name.
pub fn telescope(rng: &mut Rng) -> Rig {
    let root = if rng.bool() { Kind::BALL } else { Kind::Hinge { axis: direction(rng), range: ordinary_range(rng) } };
    let mut specs = limb_specs(rng, root, Kind::Fixed, true);
    let mid = specs.iter().position(|spec| spec.name.as_deref() == Some("mid")).expect("a limb has a middle joint");
    // Slides run along axes of their zero, whose rotation is that of the rest.
    let bone = specs[mid].rest.translation;
    let along = specs[mid].rest.rotation.conjugate() * -bone;
    specs[mid].kind = Kind::slide(along).within(0.0, (0.2 + 0.5 * rng.f64()) * arc::length(bone));
    Rig::build(specs)
}

/// A limb whose root may be anywhere.
pub fn free_root_limb(rng: &mut Rng) -> Rig {
    let mid = if rng.bool() { Kind::BALL } else { Kind::hinge(DVec3::X).within(0.0, 2.6) };
    let bone = |rng: &mut Rng| DVec3::Y * (0.2 + rng.f64());
    Rig::build(alloc::vec![
        JointSpec { base: base(rng), ..JointSpec::named("root").rotation(rotation(rng)).kind(Kind::Free) },
        JointSpec::named("sibling").child_of(0).translation(direction(rng)),
        JointSpec::named("mid").child_of(0).translation(bone(rng)).kind(mid).bend(DVec3::X),
        JointSpec::named("tip").child_of(2).translation(bone(rng)).rotation(rotation(rng)),
    ])
}

/// Two hands on one elbow: the limb, and a second tip below its middle joint.
pub fn two_tips(rng: &mut Rng) -> Rig {
    let (root, mid) = match rng.u8(0..3) {
        0 => (Kind::BALL, Kind::BALL),
        1 => (Kind::BALL, Kind::hinge(DVec3::X).within(-0.5, 2.6)),
        _ => (cone(rng), Kind::BALL),
    };
    let mut specs = limb_specs(rng, root, mid, true);
    let place = direction(rng) * arc::length(specs[1].rest.translation) * (0.2 + 0.5 * rng.f64());
    specs.push(JointSpec::named("other tip").child_of("mid").translation(place));
    Rig::build(specs)
}

/// A serial arm of hinges and slides whose ranges are one-sided, of many turns or beyond a turn, one of which
/// another follows.
pub fn odd_serial_arm(rng: &mut Rng) -> Rig {
    let size = any(rng, [1e-4, 1.0, 1.0, 1e4]);
    let mut specs = alloc::vec![JointSpec { base: base(rng), ..JointSpec::named("pelvis").rotation(rotation(rng)) }];
    for (above, name) in ["root", "mid", "low"].into_iter().enumerate() {
        let bone = size * (0.2 + rng.f64());
        let kind = match rng.u8(0..4) {
            0 if above > 0 => Kind::slide(direction(rng)).within(-0.3 * bone, 0.3 * bone),
            1 => Kind::Hinge { axis: direction(rng), range: odd_range(rng) },
            _ => Kind::Hinge { axis: direction(rng), range: ordinary_range(rng) },
        };
        let spec = JointSpec::named(name).child_of(above).translation(direction(rng) * bone).rotation(rotation(rng));
        specs.push(spec.kind(kind));
    }
    if rng.bool() {
        let follower = Kind::hinge(direction(rng)).within(-1.0, 0.8);
        specs[3] = specs[3].clone().kind(follower).mimic("root", 0.5, 0.0);
        specs[1].kind = Kind::Hinge { axis: direction(rng), range: ordinary_range(rng) };
    }
    let bone = direction(rng) * size * (0.2 + rng.f64());
    specs.push(JointSpec::named("tip").child_of(3).translation(bone).kind(Kind::Fixed));
    Rig::build(specs)
}

/// Spine, neck and head: hinges, cones, ellipses and Euler ranges.
pub fn odd_spine(rng: &mut Rng) -> Rig {
    spine(rng, |rng| match rng.u8(0..3) {
        0 => Kind::Hinge { axis: direction(rng), range: ordinary_range(rng) },
        _ => odd_ball(rng),
    })
}

/// A range about 0 that is less than a turn wide.
fn ordinary_range(rng: &mut Rng) -> Range {
    Range::new(-0.2 - 2.4 * rng.f64(), 0.2 + 2.4 * rng.f64())
}

/// Ranges that are not an arc about 0.
fn odd_range(rng: &mut Rng) -> Range {
    match rng.u8(0..6) {
        0 => Range::new(f64::NEG_INFINITY, 0.3),
        1 => Range::new(-0.3, f64::INFINITY),
        2 => Range::new(-20.0, 20.0),
        3 => Range::new(7.0, 8.0 + rng.f64()),
        4 => Range::new(-9.0, -7.5),
        _ => Range::new(0.4, 2.5),
    }
}

fn odd_ball(rng: &mut Rng) -> Kind {
    match rng.u8(0..3) {
        0 => cone(rng),
        1 => ellipse(rng),
        _ => euler(rng),
    }
}

fn twist(rng: &mut Rng) -> Range {
    Range::new(-0.3 - rng.f64(), 0.3 + rng.f64())
}

fn cone(rng: &mut Rng) -> Kind {
    let limit = SwingTwist::new(DVec3::Y, 0.5 + rng.f64(), twist(rng));
    Kind::Ball(BallLimit::SwingTwist(limit.expect("a cone in range")))
}

/// An ellipse, in one of six about one axis alone: a joint that nods; the wide ones are half as wide to one side.
fn ellipse(rng: &mut Rng) -> Kind {
    let swing = [0.4 + rng.f64(), if rng.u8(0..6) == 0 { 0.0 } else { 0.2 + 2.0 * rng.f64() }];
    let least = swing.map(|most| if most > 1.0 { -0.5 * most } else { -most });
    let swing = [Range::new(least[0], swing[0]), Range::new(least[1], swing[1])];
    let limit = EllipticSwing::uneven(DVec3::Y, direction(rng) + DVec3::X, swing, twist(rng));
    Kind::Ball(BallLimit::EllipticSwing(limit.expect("an ellipse in range")))
}

fn euler(rng: &mut Rng) -> Kind {
    let orders = [EulerOrder::Xyz, EulerOrder::Xzy, EulerOrder::Yxz, EulerOrder::Yzx, EulerOrder::Zxy, EulerOrder::Zyx];
    let order = orders[usize::from(rng.u8(0..6))];
    let limit = EulerRanges::new(order, ordinary_range(rng), twist(rng), twist(rng));
    Kind::Ball(BallLimit::Euler(limit.expect("ranges in order")))
}
