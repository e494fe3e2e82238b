//! Affine maps: inverses that exist, and scale that is the same all round.

use glam::{DAffine3, DMat3};

use super::arc;

/// Deviation from a similarity, relative, at which lengths depend on angles.
const SHEAR: f64 = 1e-9;

/// Inverse of an affine map that has one.
pub(crate) fn inverse(map: &DAffine3) -> Option<DAffine3> {
    let inverse = is_regular(&map.matrix3).then(|| map.inverse())?;
    inverse.is_finite().then_some(inverse)
}

/// Whether a linear map is finite and flattens nothing.
pub(crate) fn is_regular(map: &DMat3) -> bool {
    let (x, y, z) = (map.x_axis, map.y_axis, map.z_axis);
    let volume = x.dot(y.cross(z)).abs();
    let size = arc::length(x) * arc::length(y) * arc::length(z);
    size.is_finite() && volume > 1e-12 * size
}

/// Factor by which a map scales every direction; `None` where that differs.
pub(crate) fn even_scale(map: &DMat3) -> Option<f64> {
    even_square(map, SHEAR).map(|_| arc::length(map.x_axis))
}

/// Square of that factor; `None` where directions differ by more than a share of it.
#[inline(always)]
pub(crate) fn even_square(map: &DMat3, share: f64) -> Option<f64> {
    let (x, y, z) = (map.x_axis, map.y_axis, map.z_axis);
    let square = x.dot(x);
    let uneven = (square - y.dot(y)).abs() + (square - z.dot(z)).abs();
    let skew = x.dot(y).abs() + y.dot(z).abs() + z.dot(x).abs();
    (uneven + skew <= share * square).then_some(square)
}
