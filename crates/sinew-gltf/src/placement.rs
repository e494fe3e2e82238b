//! Where a node stands relative to its parent: translation, rotation and scale, or a matrix.
//!
//! Joints need the former, so a matrix is taken apart: the lengths of its columns are the scale (the
//! first is negative where the matrix mirrors), what is left is the rotation, and a column of length
//! zero gets a direction at right angles to the others. A matrix whose columns are not at right angles
//! shears, which no translation, rotation and scale can express; the specification forbids it, and for
//! a joint it is refused. Nodes above the joints keep their matrices as they are.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew::Transform;

use crate::document::Object;
use crate::error::Fault;

/// How far the columns of a matrix may be from right angles, relative to its greatest column: what
/// numbers rounded to four digits leave.
const SHEAR_TOLERANCE: f64 = 2e-4;

/// A node's transform relative to its parent, as the file gives it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Placement {
    Parts(Transform),
    Matrix(DAffine3),
}

impl Placement {
    /// Reads `matrix`, or else `translation`, `rotation` (renormalised) and `scale`.
    pub(crate) fn read(node: Object<'_>) -> Result<Self, Fault> {
        if let Some(m) = node.numbers::<16>("matrix")? {
            if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
                return Err(Fault::new("the last row is not 0, 0, 0, 1").at("matrix"));
            }
            let columns = [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10], m[12], m[13], m[14]];
            return Ok(Self::Matrix(DAffine3::from_cols_array(&columns)));
        }
        let mut parts = Transform::IDENTITY;
        if let Some(translation) = node.numbers("translation")? {
            parts.translation = DVec3::from_array(translation);
        }
        if let Some(rotation) = node.numbers("rotation")? {
            parts.rotation = unit(rotation).map_err(|fault| fault.at("rotation"))?;
        }
        if let Some(scale) = node.numbers("scale")? {
            parts.scale = DVec3::from_array(scale);
        }
        Ok(Self::Parts(parts))
    }

    /// The map from the node's frame to its parent's.
    pub(crate) fn to_affine(self) -> DAffine3 {
        match self {
            Self::Parts(parts) => parts.to_affine(),
            Self::Matrix(matrix) => matrix,
        }
    }

    /// As translation, rotation and scale.
    pub(crate) fn to_parts(self) -> Result<Transform, Fault> {
        match self {
            Self::Parts(parts) => Ok(parts),
            Self::Matrix(matrix) => take_apart(matrix).ok_or_else(|| {
                let problem = "the matrix of a joint shears, so it is no translation, rotation and scale";
                Fault::new(problem).advise("apply the scale of its parents in the editor and export again").at("matrix")
            }),
        }
    }
}

fn unit([x, y, z, w]: [f64; 4]) -> Result<DQuat, Fault> {
    let q = DQuat::from_xyzw(x, y, z, w);
    let length = q.length();
    if length > 1e-100 && length.is_finite() { Ok(q / length) } else { Err(Fault::new("is no rotation")) }
}

fn take_apart(matrix: DAffine3) -> Option<Transform> {
    let m = matrix.matrix3;
    let mut scale = DVec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
    let size = scale.max_element();
    if !size.is_finite() {
        return None;
    }
    if m.determinant() < 0.0 {
        scale.x = -scale.x;
    }
    let mut axes = [m.x_axis, m.y_axis, m.z_axis];
    for (axis, factor) in axes.iter_mut().zip(scale.to_array()) {
        *axis = if factor.abs() > 1e-12 * size { *axis / factor } else { DVec3::ZERO };
    }
    let rotation = DQuat::from_mat3(&right_angled(axes)).normalize();
    let parts = Transform { translation: matrix.translation, rotation, scale };
    let apart = parts.to_affine().matrix3 - m;
    let error = apart.x_axis.length().max(apart.y_axis.length()).max(apart.z_axis.length());
    // Not a plain comparison the other way round: NaN must not pass.
    (error <= SHEAR_TOLERANCE * size).then_some(parts)
}

/// A right-handed frame along the axes given; zero axes get any direction that fits.
fn right_angled([x, y, z]: [DVec3; 3]) -> DMat3 {
    let x = x.try_normalize().or_else(|| y.cross(z).try_normalize()).unwrap_or_else(|| {
        let other = if y == DVec3::ZERO { z } else { y };
        other.try_normalize().map_or(DVec3::X, DVec3::any_orthonormal_vector)
    });
    let y = (y - x * x.dot(y)).try_normalize().or_else(|| z.cross(x).try_normalize());
    let y = y.unwrap_or_else(|| x.any_orthonormal_vector());
    DMat3::from_cols(x, y, x.cross(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_same(a: DMat3, b: DMat3) {
        assert!((a - b).to_cols_array().iter().all(|d| d.abs() < 1e-12), "{a} is not {b}");
    }

    #[test]
    fn matrices_come_apart_and_together_again() {
        let rotation = DQuat::from_xyzw(0.3, -0.5, 0.1, 0.8).normalize();
        let scales = [[1.0, 1.0, 1.0], [0.01, 2.0, 30.0], [-1.0, 2.0, 3.0], [1.0, -2.0, 3.0], [-1.0, -1.0, -2.0]];
        let flat = [[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [1.0, 2.0, 0.0], [0.0, 0.0, 2.0], [0.0, 3.0, 0.0], [0.0; 3]];
        for scale in scales.iter().chain(&flat) {
            let m = DMat3::from_quat(rotation) * DMat3::from_diagonal(DVec3::from_array(*scale));
            let parts = take_apart(DAffine3 { matrix3: m, translation: DVec3::X }).expect("no shear");
            assert_same(parts.to_affine().matrix3, m);
            assert!(parts.rotation.is_normalized());
        }
    }

    #[test]
    fn shear_is_refused() {
        let m = DMat3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::Z);
        assert!(take_apart(DAffine3 { matrix3: m, translation: DVec3::ZERO }).is_none());
    }
}
