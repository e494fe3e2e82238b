//! A joint that moves, with all that hangs rigidly on it, as a body: how it is jointed, where its springs rest, and
//! how it stands in the pose.

use glam::{DMat3, DVec3};

use crate::limit::Range;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::transform::Transform;

/// Deviation from a similarity, relative, that counts as shear.
const SHEAR: f64 = 1e-9;

/// How a body turns on the one above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TurnKind {
    Held,
    /// About an axis in the parent's space.
    About(DVec3),
    Ball {
        limited: bool,
    },
}

/// How its origin moves on the one above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shift {
    Held,
    /// Along a unit direction in the parent's space.
    Along(DVec3),
    /// Anywhere, against a spring of this stiffness, that pulls back unless the body may travel at no cost.
    Anywhere {
        stiffness: f64,
        pulls: bool,
    },
}

/// The coordinate of a hinge or slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Driven {
    pub(super) index: usize,
    pub(super) multiplier: f64,
    /// Of the coordinate.
    pub(super) range: Range,
    /// The sign of its change that bends the joint the way it prefers.
    pub(super) prefers: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct MassBody {
    pub(super) joint: Joint,
    /// The body that carries it.
    pub(super) above: Option<usize>,
    pub(super) turn: TurnKind,
    pub(super) shift: Shift,
    pub(super) driven: Option<Driven>,
    pub(super) stiffness: f64,
    /// Variables: of its origin, unless it is given, and of its turn.
    pub(super) place: Option<usize>,
    pub(super) turned: usize,
    /// Where its springs rest.
    shape: Transform,
    value: f64,
    /// Origin, and the way to it from the body above's (lengths of the chain, model space).
    pub(super) at: DVec3,
    pub(super) arm: DVec3,
    /// Rotation vectors in the parent's space to model space; `None` under a scale of zero.
    pub(super) axial: Option<DMat3>,
    /// Shifts (metres) in the parent's space to lengths of the chain in model space.
    pub(super) linear: DMat3,
    /// How far its springs are turned (rotation vector) and drawn out, in model space.
    pub(super) bent: DVec3,
    pub(super) drawn: DVec3,
    /// How much of its stiffness a ball has across the axis that it is bent about.
    pub(super) across: f64,
}

impl MassBody {
    /// Of a joint that turns or shifts; `None` of another.
    pub(super) fn new(skeleton: &Skeleton, joint: Joint, travels: Option<Shift>) -> Option<Self> {
        let zero = skeleton.zero(joint).rotation;
        let stiffness = skeleton.stiffness(joint);
        let (turn, shift) = match skeleton.kind(joint) {
            Kind::Fixed => (TurnKind::Held, Shift::Held),
            Kind::Hinge { axis, .. } => (TurnKind::About(zero * axis), Shift::Held),
            Kind::Slide { axis, .. } => (TurnKind::Held, Shift::Along(zero * axis)),
            Kind::Ball(limit) => (TurnKind::Ball { limited: limit != BallLimit::Free }, Shift::Held),
            Kind::Free => (TurnKind::Ball { limited: false }, Shift::Anywhere { stiffness, pulls: true }),
        };
        let driven = skeleton.drive(joint).map(|drive| Driven {
            index: drive.coordinate,
            multiplier: drive.multiplier,
            range: skeleton.coordinates()[drive.coordinate].range,
            prefers: match (skeleton.kind(joint), skeleton.bend(joint)) {
                (Kind::Hinge { axis, .. }, Some(bend)) if bend.dot(axis) * drive.multiplier < 0.0 => -1.0,
                _ => 1.0,
            },
        });
        let shift = travels.unwrap_or(shift);
        let moves = turn != TurnKind::Held || shift != Shift::Held;
        moves.then_some(Self {
            joint,
            above: None,
            turn,
            shift,
            driven,
            stiffness,
            place: None,
            turned: 0,
            shape: Transform::IDENTITY,
            value: 0.0,
            at: DVec3::ZERO,
            arm: DVec3::ZERO,
            axial: None,
            linear: DMat3::IDENTITY,
            bent: DVec3::ZERO,
            drawn: DVec3::ZERO,
            across: 1.0,
        })
    }

    /// Its springs rest as the pose has it.
    pub(super) fn relax(&mut self, skeleton: &Skeleton, pose: &Pose) {
        self.shape = *pose.local(self.joint);
        self.value = pose.value(skeleton, self.joint);
    }

    /// Brings what depends on the pose up to date; `unit` is the length of the chain (metres).
    pub(super) fn refresh(&mut self, skeleton: &Skeleton, pose: &Pose, unit: f64) {
        let above = skeleton.parent(self.joint).map_or(skeleton.base(self.joint).matrix3, |up| pose.model(up).matrix3);
        self.at = pose.position(self.joint) / unit;
        self.axial = axial(&above);
        self.linear = above * (1.0 / unit);
        let local = pose.local(self.joint);
        let off = pose.value(skeleton, self.joint) - self.value;
        let bent = match self.turn {
            TurnKind::Held => DVec3::ZERO,
            TurnKind::About(axis) => axis * off,
            TurnKind::Ball { .. } => {
                let turn = arc::normalize(local.rotation * self.shape.rotation.conjugate());
                let bent = arc::rotation_vector(turn);
                // Half the angle times its cotangent.
                let sine = arc::length(DVec3::new(turn.x, turn.y, turn.z));
                self.across = if sine > 1e-9 { 0.5 * arc::length(bent) * turn.w.abs() / sine } else { 1.0 };
                bent
            }
        };
        self.bent = self.axial.map_or(DVec3::ZERO, |axial| axial * bent);
        self.drawn = match self.shift {
            Shift::Held => DVec3::ZERO,
            Shift::Along(axis) => self.linear * (axis * off),
            Shift::Anywhere { .. } => self.linear * (local.translation - self.shape.translation),
        };
    }

    /// What its springs hold: half of stiffness times square.
    pub(super) fn energy(&self) -> f64 {
        let turn = if self.is_carried_freely() { 0.0 } else { self.stiffness };
        0.5 * (turn * self.bent.dot(self.bent) + self.shift_stiffness() * self.drawn.dot(self.drawn))
    }

    /// Stiffness of the spring that draws its origin back.
    pub(super) fn shift_stiffness(&self) -> f64 {
        match self.shift {
            Shift::Along(_) => self.stiffness,
            Shift::Anywhere { stiffness, pulls: true } => stiffness,
            _ => 0.0,
        }
    }

    /// Whether it travels and turns at no cost.
    pub(super) fn is_carried_freely(&self) -> bool {
        matches!(self.shift, Shift::Anywhere { pulls: false, .. })
    }

    /// Unit axis of a hinge in model space.
    pub(super) fn axis(&self) -> Option<DVec3> {
        let TurnKind::About(axis) = self.turn else { return None };
        self.axial.map(|axial| axial * axis)
    }

    /// Unit direction of a slide in model space, and its length for a metre (lengths of the chain).
    pub(super) fn slide(&self) -> Option<(DVec3, f64)> {
        let Shift::Along(axis) = self.shift else { return None };
        let along = self.linear * axis;
        arc::unit(along).map(|unit| (unit, arc::length(along)))
    }
}

/// How a map carries rotation vectors: by its rotation, mirrored back where it mirrors. `None` where it is flat.
fn axial(map: &DMat3) -> Option<DMat3> {
    let (x, y, z) = (map.x_axis, map.y_axis, map.z_axis);
    let square = (x.dot(x) + y.dot(y) + z.dot(z)) / 3.0;
    let volume = x.dot(y.cross(z));
    if !(square > 0.0 && square.is_finite() && volume.abs() > 1e-12 * square * ops::sqrt(square)) {
        return None;
    }
    let skew = x.dot(y).abs() + y.dot(z).abs() + z.dot(x).abs();
    let uneven = (x.dot(x) - square).abs() + (y.dot(y) - square).abs();
    if skew + uneven <= SHEAR * square {
        let size = ops::sqrt(square);
        return Some(*map * (1.0 / if volume < 0.0 { -size } else { size }));
    }
    let turn = DMat3::from_quat(arc::rotation_of(map)?);
    Some(if volume < 0.0 { DMat3::from_cols(turn.x_axis, -turn.y_axis, -turn.z_axis) } else { turn })
}
