//! Random rigs, awkward on purpose: odd frames, unequal bones, twist joints between, scaled and
//! mirrored parents, siblings that must not move, hinges of either sense, limited shoulders; in [`odd`] hinge
//! roots, followers, ranges of many turns, every limit, slides, free roots, two tips.
//!
//! About one rig in four stands below a mirror (a model matrix of determinant below zero): turn joints there with
//! [`author::turned`](crate::solve::author::turned), since products of rotations in model space turn them elsewhere.

pub mod odd;

use alloc::vec::Vec;

use fastrand::Rng;
use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::limit::{Range, SwingTwist};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Joint, JointSpec, Kind, Skeleton, SkeletonBuilder};
use crate::transform::{Rotation, Transform};

/// A skeleton with the limb under test.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The skeleton.
    pub skeleton: Skeleton,
    /// Uppermost joint of the limb.
    pub root: Joint,
    /// Its middle joint.
    pub mid: Joint,
    /// Where its third link begins, if it has one.
    pub low: Option<Joint>,
    /// Its tip.
    pub tip: Joint,
    /// Another tip below the middle joint, if it has one.
    pub other_tip: Option<Joint>,
    /// What the skeleton was built from, to build it again elsewhere.
    specs: Vec<JointSpec>,
}

impl Rig {
    fn build(specs: Vec<JointSpec>) -> Self {
        let mut builder = SkeletonBuilder::new();
        for spec in &specs {
            builder.add(spec.clone());
        }
        let skeleton = builder.build().expect("the rig's joints make a skeleton");
        let [root, mid, tip] = skeleton.joints(["root", "mid", "tip"]).expect("the rig names its limb");
        let low = skeleton.joint("low").ok();
        let other_tip = skeleton.joint("other tip").ok();
        Self { skeleton, root, mid, low, tip, other_tip, specs }
    }

    /// The joints of the limb, root first.
    pub fn limb(&self) -> impl Iterator<Item = Joint> + Clone + use<> {
        [Some(self.root), Some(self.mid), self.low, Some(self.tip)].into_iter().flatten()
    }

    /// The same rig with everything carried by an affine map.
    pub fn carried(&self, map: &DAffine3) -> Self {
        let mut specs = self.specs.clone();
        specs[0].base = *map * specs[0].base;
        Self::build(specs)
    }

    /// Limb length at rest, in model space (metres): the unit of tolerances.
    pub fn length(&self) -> f64 {
        let rest = self.skeleton.rest_pose();
        let places = self.limb().map(|joint| rest.position(joint));
        places.clone().zip(places.skip(1)).map(|(from, to)| from.distance(to)).sum()
    }

    /// A pose with the limb's joints turned, or slid, at random inside their limits.
    pub fn allowed_pose(&self, rng: &mut Rng) -> Pose {
        let skeleton = &self.skeleton;
        let mut pose = skeleton.neutral_pose();
        for joint in self.limb() {
            let local = Transform { rotation: rotation(rng).quaternion(), ..*pose.local(joint) };
            if let Some(drive) = skeleton.drive(joint) {
                let (low, high) = ends(skeleton.coordinates()[drive.coordinate].range);
                pose.edit(skeleton).coordinate(drive.coordinate, low + (high - low) * rng.f64());
            } else {
                pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &local, 0.0));
            }
        }
        pose
    }

    /// A pose with the limb's joints turned or slid at random, whatever their limits, within four radians or twice
    /// what slides allow.
    pub fn any_pose(&self, rng: &mut Rng) -> Pose {
        let skeleton = &self.skeleton;
        let mut pose = skeleton.neutral_pose();
        for joint in self.limb() {
            match (skeleton.kind(joint), skeleton.drive(joint)) {
                (Kind::Slide { range, .. }, Some(drive)) => {
                    let value = range.min + (range.max - range.min) * (2.0 * rng.f64() - 0.5);
                    pose.edit(skeleton).coordinate(drive.coordinate, value);
                }
                (_, Some(drive)) => {
                    pose.edit(skeleton).coordinate(drive.coordinate, 4.0 * signed(rng));
                }
                (Kind::Fixed, None) => {}
                (_, None) => {
                    pose.edit(skeleton).rotation(joint, rotation(rng));
                }
            }
        }
        pose
    }

    /// Whether the limb's root may be anywhere, so that nothing is out of reach.
    pub fn roams(&self) -> bool {
        self.skeleton.kind(self.root) == Kind::Free
    }
}

/// The part of a range that random poses are from: at most 3.1 to either side of what is nearest to 0.
fn ends(range: Range) -> (f64, f64) {
    let near = range.clamp(0.0);
    (range.min.max(near - 3.1), range.max.min(near + 3.1))
}

/// A number between -1 and 1.
pub fn signed(rng: &mut Rng) -> f64 {
    2.0 * rng.f64() - 1.0
}

/// A unit vector.
pub fn direction(rng: &mut Rng) -> DVec3 {
    loop {
        let v = DVec3::new(signed(rng), signed(rng), signed(rng));
        if v.dot(v) > 0.01 && v.dot(v) < 1.0 {
            return v / arc::length(v);
        }
    }
}

/// Any rotation.
pub fn rotation(rng: &mut Rng) -> Rotation {
    Rotation::about(direction(rng), 3.2 * signed(rng))
}

/// One of a few numbers, the same one where `usize` is narrower and would take another draw.
fn any<const N: usize>(rng: &mut Rng, of: [f64; N]) -> f64 {
    of[rng.u64(0..N as u64) as usize]
}

/// A limb of balls without limits.
pub fn free_limb(rng: &mut Rng) -> Rig {
    limb(rng, Kind::BALL, Kind::BALL, false)
}

/// A limb whose middle joint is a hinge across it, with a one-sided range as a knee has.
pub fn hinged_limb(rng: &mut Rng) -> Rig {
    let sign = if rng.bool() { 1.0 } else { -1.0 };
    let range = if sign > 0.0 { Range::new(0.0, 2.6) } else { Range::new(-2.6, 0.0) };
    limb(rng, Kind::BALL, Kind::Hinge { axis: DVec3::X, range }, true)
}

/// A limb whose hinge is askew and free to turn.
pub fn skew_limb(rng: &mut Rng) -> Rig {
    let axis = DVec3::X + direction(rng) * 0.3;
    limb(rng, Kind::BALL, Kind::hinge(axis), true)
}

/// A limb with a limited shoulder and a hinged elbow.
///
/// # Panics
/// Never: its cones are always in range.
pub fn limited_limb(rng: &mut Rng) -> Rig {
    let cone = SwingTwist::new(DVec3::Y, 0.6 + rng.f64(), Range::new(-0.5 - rng.f64(), 0.4 + rng.f64()));
    let shoulder = BallLimit::SwingTwist(cone.expect("a cone in range"));
    limb(rng, Kind::Ball(shoulder), Kind::Hinge { axis: DVec3::X, range: Range::new(0.0, 2.6) }, true)
}

/// Three links of balls without limits.
pub fn free_three_link(rng: &mut Rng) -> Rig {
    Rig::build(three_link(rng, Kind::BALL, Kind::BALL))
}

/// A finger: two hinges that fold the same way.
pub fn finger(rng: &mut Rng) -> Rig {
    let knuckle = Kind::hinge(DVec3::X).within(0.0, 1.9);
    Rig::build(three_link(rng, knuckle, knuckle))
}

/// The hind leg of an animal: knee and heel fold against each other.
pub fn hind_leg(rng: &mut Rng) -> Rig {
    Rig::build(three_link(rng, Kind::hinge(DVec3::X).within(0.0, 2.6), Kind::hinge(DVec3::X).within(-2.2, 0.3)))
}

/// Three hinges askew and a fixed tip, each limited, below a similarity.
pub fn serial_arm(rng: &mut Rng) -> Rig {
    let size = any(rng, [1e-4, 1.0, 1.0, 1e4]);
    let link = |above: usize, name: &str, rng: &mut Rng| {
        let place = direction(rng) * size * (0.2 + rng.f64());
        JointSpec::named(name).child_of(above).translation(place).rotation(rotation(rng))
    };
    let hinge = |rng: &mut Rng| Kind::hinge(direction(rng)).within(-1.0 - 2.0 * rng.f64(), 1.0 + 2.0 * rng.f64());
    let mut specs = alloc::vec![JointSpec { base: base(rng), ..JointSpec::named("pelvis").rotation(rotation(rng)) }];
    for (above, name) in ["root", "mid", "low"].into_iter().enumerate() {
        let spec = link(above, name, rng);
        specs.push(spec.kind(hinge(rng)));
    }
    specs.push(link(3, "tip", rng).kind(Kind::Fixed));
    specs.push(link(1, "sibling", rng));
    Rig::build(specs)
}

/// Joints: pelvis - root - mid - low - tip, bones along Y, in a plane at rest where hinges ask for one.
fn three_link(rng: &mut Rng, mid: Kind, low: Kind) -> Vec<JointSpec> {
    let size = any(rng, [1e-4, 1.0, 1.0, 1e4]);
    let mut bone = || DVec3::Y * size * (0.2 + rng.f64());
    let bones = [bone(), bone(), bone()];
    let free = matches!(mid, Kind::Ball(_));
    let mut lean = |bone: DVec3| if free { bone + direction(rng) * 0.3 * arc::length(bone) } else { bone };
    let bones = bones.map(&mut lean);
    alloc::vec![
        JointSpec { base: base(rng), ..JointSpec::named("pelvis").rotation(rotation(rng)) },
        JointSpec::named("root").child_of(0).translation(direction(rng) * size).rotation(rotation(rng)),
        JointSpec::named("sibling").child_of(0).translation(direction(rng) * size),
        JointSpec::named("mid").child_of(1).translation(bones[0]).kind(mid).bend(DVec3::X),
        JointSpec::named("low").child_of(3).translation(bones[1]).kind(low).bend(DVec3::X),
        JointSpec::named("tip").child_of(4).translation(bones[2]).rotation(rotation(rng)),
        JointSpec::named("claw").child_of(5).translation(direction(rng) * size * 0.1),
    ]
}

/// Spine, neck and head: balls without limits.
pub fn free_spine(rng: &mut Rng) -> Rig {
    spine(rng, |_| Kind::BALL)
}

/// Spine, neck and head, each within a cone and a range of twist of its own.
pub fn limited_spine(rng: &mut Rng) -> Rig {
    spine(rng, |rng| {
        let twist = Range::new(-0.1 - rng.f64(), 0.1 + rng.f64());
        SwingTwist::new(DVec3::Y, 0.1 + rng.f64(), twist)
            .map_or(Kind::BALL, |cone| Kind::Ball(BallLimit::SwingTwist(cone)))
    })
}

/// Joints: pelvis (below an affine base) - root - mid - tip, an eye on the tip, siblings on the way.
fn spine(rng: &mut Rng, mut kind: impl FnMut(&mut Rng) -> Kind) -> Rig {
    let size = any(rng, [1e-4, 0.1, 1.0, 1.0, 1e4]);
    let bone = |above: usize, name: &str, rng: &mut Rng| {
        let spec = JointSpec::named(name).child_of(above).translation(direction(rng) * size * (0.2 + rng.f64()));
        spec.rotation(rotation(rng))
    };
    let specs = alloc::vec![
        JointSpec { base: base(rng), ..JointSpec::named("pelvis").rotation(rotation(rng)) },
        bone(0, "root", rng).kind(kind(rng)),
        bone(0, "sibling", rng),
        bone(1, "mid", rng).kind(kind(rng)),
        bone(1, "arm", rng),
        bone(3, "tip", rng).kind(kind(rng)),
        bone(5, "eye", rng),
    ];
    Rig::build(specs)
}

/// A limb of these kinds.
fn limb(rng: &mut Rng, root: Kind, mid: Kind, planar: bool) -> Rig {
    Rig::build(limb_specs(rng, root, mid, planar))
}

/// Joints: pelvis (below an affine base) - root - [twist] - mid - [twist] - tip, siblings on the way.
fn limb_specs(rng: &mut Rng, root: Kind, mid: Kind, planar: bool) -> Vec<JointSpec> {
    let size = any(rng, [1e-4, 0.1, 1.0, 1.0, 1e4]);
    let (l1, l2) = (size * (0.2 + rng.f64()), size * (0.2 + rng.f64()));
    // Bones along Y; a small random part of the second unless the limb is planar.
    let lean = if planar { DVec3::ZERO } else { direction(rng) * 0.3 };
    let rest_bend = any(rng, [0.0, 0.3, 1.0]);
    let bend = if planar { arc::axis_angle(DVec3::X, 0.0) } else { arc::axis_angle(direction(rng), rest_bend) };
    let mut specs = alloc::vec![
        JointSpec { base: base(rng), ..JointSpec::named("pelvis").rotation(rotation(rng)) },
        JointSpec::named("root").child_of(0).translation(direction(rng) * size).rotation(rotation(rng)).kind(root),
        JointSpec::named("sibling").child_of(0).translation(direction(rng) * size),
    ];
    let mut above = 1;
    let mut first = DVec3::Y * l1;
    if rng.bool() {
        specs.push(JointSpec::named("upper_twist").child_of(above).translation(first * 0.4));
        (above, first) = (specs.len() - 1, first * 0.6);
    }
    specs.push(JointSpec::named("mid").child_of(above).translation(first).rotation(bend).kind(mid).bend(DVec3::X));
    above = specs.len() - 1;
    let mut second = DVec3::Y * l2 + lean * l2;
    if rng.bool() {
        specs.push(JointSpec::named("lower_twist").child_of(above).translation(second * 0.5));
        (above, second) = (specs.len() - 1, second * 0.5);
    }
    specs.push(JointSpec::named("tip").child_of(above).translation(second).rotation(rotation(rng)));
    above = specs.len() - 1;
    specs.push(JointSpec::named("finger").child_of(above).translation(direction(rng) * size * 0.1));
    specs
}

/// Rigid, scaled, mirrored.
fn base(rng: &mut Rng) -> DAffine3 {
    let turn = DMat3::from_quat(rotation(rng).quaternion());
    let scale = any(rng, [1.0, 1.0, 0.3, 100.0]);
    let mirror = if rng.u8(0..4) == 0 { DVec3::new(-1.0, 1.0, 1.0) } else { DVec3::ONE };
    DAffine3::from_mat3_translation(turn * DMat3::from_diagonal(mirror * scale), direction(rng))
}

/// A similarity: rigid motion, uniform scale, perhaps a mirror.
pub fn similarity(rng: &mut Rng) -> (DAffine3, f64) {
    let scale = 0.5 + 2.0 * rng.f64();
    let mirror = if rng.bool() { DVec3::new(1.0, 1.0, -1.0) } else { DVec3::ONE };
    let turn: DQuat = rotation(rng).quaternion();
    let map = DMat3::from_quat(turn) * DMat3::from_diagonal(mirror * scale);
    (DAffine3::from_mat3_translation(map, direction(rng)), scale)
}
