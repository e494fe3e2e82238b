//! Conventions of engines and tools, and exact conversion between them.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::transform::Transform;

/// Axes and unit of an engine, tool or file.
///
/// A convention says which axes are forward, up and left for a character or a robot, and how long a unit is. Whether it is
/// right- or left-handed follows from the axes.
///
/// | | forward | up | left | hand | unit |
/// |---|---|---|---|---|---|
/// | [`GLTF`](Self::GLTF) (glTF, VRM) | +Z | +Y | +X | right | 1 m |
/// | [`UNITY`](Self::UNITY) | +Z | +Y | -X | left | 1 m |
/// | [`UNREAL`](Self::UNREAL) | +X | +Z | -Y | left | 1 cm |
/// | [`BLENDER`](Self::BLENDER) | -Y | +Z | +X | right | 1 m |
/// | [`ROS`](Self::ROS) (URDF) | +X | +Z | +Y | right | 1 m |
///
/// Between two of them everything is a signed permutation of axes and a factor on lengths, so a [`Conversion`] is exact.
///
/// ```
/// use sinew::{Convention, glam::DVec3};
///
/// let to_unreal = Convention::GLTF.to(Convention::UNREAL);
/// assert_eq!(to_unreal.point(DVec3::new(1.0, 2.0, 3.0)), DVec3::new(300.0, -100.0, 200.0));
/// ```
#[doc(alias = "handedness")]
#[doc(alias = "coordinate system")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convention {
    /// Forward, up and left: distinct axes, each with a sign.
    axes: [DVec3; 3],
    /// Metres in a unit.
    unit: f64,
}

impl Convention {
    /// glTF, VRM and sinew's characters.
    pub const GLTF: Self = Self { axes: [DVec3::Z, DVec3::Y, DVec3::X], unit: 1.0 };
    /// Unity.
    pub const UNITY: Self = Self { axes: [DVec3::Z, DVec3::Y, DVec3::NEG_X], unit: 1.0 };
    /// Unreal Engine.
    pub const UNREAL: Self = Self { axes: [DVec3::X, DVec3::Z, DVec3::NEG_Y], unit: 0.01 };
    /// Blender, whose characters look along -Y.
    pub const BLENDER: Self = Self { axes: [DVec3::NEG_Y, DVec3::Z, DVec3::X], unit: 1.0 };
    /// ROS (REP 103) and URDF.
    pub const ROS: Self = Self { axes: [DVec3::X, DVec3::Z, DVec3::Y], unit: 1.0 };

    /// A convention of your own: three coordinate axes, each plus or minus, and the metres in a unit.
    /// `None` unless the axes are distinct and the unit is positive and finite.
    pub fn new(forward: DVec3, up: DVec3, left: DVec3, unit: f64) -> Option<Self> {
        let axes = [forward, up, left];
        let is_axis = |v: DVec3| v.abs() == DVec3::X || v.abs() == DVec3::Y || v.abs() == DVec3::Z;
        let whole = axes.iter().all(|&v| is_axis(v)) && forward.abs() + up.abs() + left.abs() == DVec3::ONE;
        (whole && unit > 0.0 && unit.is_finite()).then_some(Self { axes, unit })
    }

    /// The direction in which a character looks.
    pub fn forward(&self) -> DVec3 {
        self.axes[0]
    }

    /// Up.
    pub fn up(&self) -> DVec3 {
        self.axes[1]
    }

    /// A character's left.
    pub fn left(&self) -> DVec3 {
        self.axes[2]
    }

    /// Whether `x × y = z`.
    pub fn is_right_handed(&self) -> bool {
        self.up().cross(self.forward()) == self.left()
    }

    /// The conversion from this convention to another.
    pub fn to(self, other: Self) -> Conversion {
        // Where each of our axes goes: forward to forward, up to up, left to left.
        let column = |axis: DVec3| (0..3).map(|i| other.axes[i] * self.axes[i].dot(axis)).sum::<DVec3>();
        let axes = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
        let sense = if self.is_right_handed() == other.is_right_handed() { 1.0 } else { -1.0 };
        Conversion { axes, sense, unit: self.unit, per: other.unit }
    }
}

/// An exact conversion between two conventions: [`Convention::to`] makes it.
///
/// Points and scales are permuted. Rotations are too, and their sense is reversed where handedness changes, since a rotation is a
/// pseudo-vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    /// Signed permutation.
    axes: DMat3,
    /// -1 where handedness changes.
    sense: f64,
    /// Metres in a unit, here and there.
    unit: f64,
    per: f64,
}

impl Conversion {
    /// The inverse.
    pub fn inverse(&self) -> Self {
        Self { axes: self.axes.transpose(), sense: self.sense, unit: self.per, per: self.unit }
    }

    /// Factor on lengths.
    pub fn scale(&self) -> f64 {
        self.unit / self.per
    }

    /// Whether the conversion mirrors.
    pub fn changes_hand(&self) -> bool {
        self.sense < 0.0
    }

    /// A position: permuted, and in the other unit.
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.direction(point) * self.scale()
    }

    /// A direction, a normal, or an axis along which something lies: permuted.
    pub fn direction(&self, direction: DVec3) -> DVec3 {
        // Products with 0 and ±1 are exact; adding zero takes the sign off a zero.
        self.axes * direction + DVec3::ZERO
    }

    /// The axis of a turn, such as a hinge's: permuted, and reversed where handedness changes, so that angles
    /// keep their sign.
    pub fn turn_axis(&self, axis: DVec3) -> DVec3 {
        self.direction(axis) * self.sense
    }

    /// A rotation: its axis permuted, its sense reversed where handedness changes. Exact.
    pub fn rotation(&self, rotation: DQuat) -> DQuat {
        let v = self.turn_axis(DVec3::new(rotation.x, rotation.y, rotation.z));
        DQuat::from_xyzw(v.x, v.y, v.z, rotation.w)
    }

    /// Factors along axes: permuted, never negated.
    pub fn scaling(&self, scale: DVec3) -> DVec3 {
        self.axes.x_axis.abs() * scale.x + self.axes.y_axis.abs() * scale.y + self.axes.z_axis.abs() * scale.z
    }

    /// A local transform.
    pub fn transform(&self, transform: &Transform) -> Transform {
        Transform {
            translation: self.point(transform.translation),
            rotation: self.rotation(transform.rotation),
            scale: self.scaling(transform.scale),
        }
    }

    /// An affine map of points.
    pub fn affine(&self, map: &DAffine3) -> DAffine3 {
        let matrix3 = self.axes * map.matrix3 * self.axes.transpose();
        DAffine3 { matrix3, translation: self.point(map.translation) }
    }
}
