//! Vectors, rotations and affine maps as plain arrays: none of the engine's mathematics.

use sinew::glam::DAffine3;

pub(super) type Vector = [f64; 3];
/// A quaternion: x, y, z, w.
pub(super) type Quaternion = [f64; 4];
/// A matrix by rows.
type Matrix = [Vector; 3];

pub(super) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn scaled(a: Vector, by: f64) -> Vector {
    a.map(|x| x * by)
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Without overflow.
pub(super) fn length(a: Vector) -> f64 {
    a[0].hypot(a[1]).hypot(a[2])
}

/// The product of two rotations, the second first.
pub(super) fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

pub(super) fn inverse(a: Quaternion) -> Quaternion {
    [-a[0], -a[1], -a[2], a[3]]
}

pub(super) fn squared(a: Quaternion) -> f64 {
    a.iter().map(|x| x * x).sum()
}

pub(super) fn unit(a: Quaternion) -> Quaternion {
    let length = squared(a).sqrt();
    a.map(|x| x / length)
}

/// The part of a rotation that turns about no axis of its own: x, y and z.
pub(super) fn imaginary(a: Quaternion) -> Vector {
    [a[0], a[1], a[2]]
}

/// The turn about an axis of length 1.
pub(super) fn about(axis: Vector, angle: f64) -> Quaternion {
    let (sin, cos) = (0.5 * angle).sin_cos();
    [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos]
}

/// Angle between two rotations, exact also near 0 and π.
pub(super) fn angle(a: Quaternion, b: Quaternion) -> f64 {
    let turn = product(inverse(unit(a)), unit(b));
    2.0 * length(imaginary(turn)).atan2(turn[3].abs())
}

pub(super) fn matrix(q: Quaternion) -> Matrix {
    let [x, y, z, w] = q;
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

pub(super) fn times(m: &Matrix, v: Vector) -> Vector {
    m.map(|row| dot(row, v))
}

/// A linear map and what is added to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    pub(super) linear: Matrix,
    pub(super) origin: Vector,
}

impl Affine {
    pub(super) fn of(map: &DAffine3) -> Self {
        let [x, y, z] = [map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis].map(|column| column.to_array());
        Self { linear: [0, 1, 2].map(|row| [x[row], y[row], z[row]]), origin: map.translation.to_array() }
    }

    pub(super) fn point(&self, point: Vector) -> Vector {
        add(times(&self.linear, point), self.origin)
    }

    /// This map after another.
    pub(super) fn after(&self, first: &Self) -> Self {
        let entry = |row: usize, column: usize| (0..3).map(|k| self.linear[row][k] * first.linear[k][column]).sum();
        let linear = [0, 1, 2].map(|row| [0, 1, 2].map(|column| entry(row, column)));
        Self { linear, origin: self.point(first.origin) }
    }
}
