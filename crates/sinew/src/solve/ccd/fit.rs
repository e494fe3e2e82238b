//! The rotation that fits pairs of vectors best (Wahba 1965), by Davenport's quaternion form: the
//! eigenvector of the largest eigenvalue of a symmetric 4×4 matrix, by Jacobi's method, which needs
//! square roots only.

use glam::{DMat3, DQuat, DVec3};

use crate::math::{arc, ops};

/// Preference, as a share of the pairs' own pull, for turning little: decides where they leave a turn open.
const LITTLE: f64 = 1e-10;
/// Sweeps of Jacobi's method at most; it converges quadratically, in four or five.
const SWEEPS: u32 = 12;
/// Newton steps at most, where the turn is small.
const NEWTON: u32 = 6;

/// Sum of `weight · to fromᵀ` over pairs, as columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    columns: [DVec3; 3],
}

impl Moments {
    #[inline(always)]
    pub(super) fn add(&mut self, from: DVec3, to: DVec3, weight: f64) {
        let to = to * weight;
        self.columns[0] += to * from.x;
        self.columns[1] += to * from.y;
        self.columns[2] += to * from.z;
    }

    /// The same sum with every `from` turned by `q`.
    pub(super) fn turned(&self, q: DQuat) -> Self {
        let [x, y, z] = self.columns;
        let turn = DMat3::from_quat(q);
        Self {
            columns: [0, 1, 2].map(|i| {
                let row = turn.row(i);
                x * row.x + y * row.y + z * row.z
            }),
        }
    }

    /// The rotation `R` for which the sum of `weight · to·(R from)` is largest.
    pub(super) fn turn(&self) -> DQuat {
        let size: f64 = self.columns.iter().map(|c| c.dot(*c)).sum();
        if !(size > 1e-280 && size < 1e280) {
            return DQuat::IDENTITY;
        }
        let scaled = Self { columns: self.columns.map(|c| c / ops::sqrt(size)) };
        scaled.small_turn().unwrap_or_else(|| scaled.any_turn())
    }

    /// The turn by Newton's method from no turn on; `None` where it is not clearly a small one.
    fn small_turn(&self) -> Option<DQuat> {
        let mut moments = *self;
        let mut turn = DQuat::IDENTITY;
        for _ in 0..NEWTON {
            let step = moments.newton_step()?;
            let delta = arc::normalize(DQuat::from_xyzw(0.5 * step.x, 0.5 * step.y, 0.5 * step.z, 1.0));
            turn = arc::normalize(delta * turn);
            if step.dot(step) < 1e-18 {
                return Some(turn);
            }
            moments = self.turned(turn);
        }
        None
    }

    /// Rotation vector to where the gradient is zero; `None` unless it is small and the way is uphill.
    fn newton_step(&self) -> Option<DVec3> {
        let [x, y, z] = self.columns;
        let gradient = DVec3::new(y.z - z.y, z.x - x.z, x.y - y.x);
        let trace = x.x + y.y + z.z;
        let stay = trace * (1.0 + LITTLE);
        // Half of what turns take away: trace - symmetric part.
        let (xx, yy, zz) = (stay - x.x, stay - y.y, stay - z.z);
        let (xy, xz, yz) = (-0.5 * (x.y + y.x), -0.5 * (x.z + z.x), -0.5 * (y.z + z.y));
        // Cholesky; every pivot must be positive.
        let l11 = xx;
        let (l21, l31) = (xy / l11, xz / l11);
        let l22 = yy - l21 * xy;
        let l32 = (yz - l31 * xy) / l22;
        let l33 = zz - l31 * xz - l32 * l32 * l22;
        if !(trace > 0.0 && l11 > 0.0 && l22 > 0.0 && l33 > 1e-11 * trace) {
            return None;
        }
        let b1 = gradient.x;
        let b2 = gradient.y - l21 * b1;
        let b3 = gradient.z - l31 * b1 - l32 * b2;
        let third = b3 / l33;
        let second = b2 / l22 - l32 * third;
        let step = DVec3::new(b1 / l11 - l21 * second - l31 * third, second, third);
        (step.dot(step) < 0.25).then_some(step)
    }

    /// The turn, however large, by Davenport's matrix.
    fn any_turn(&self) -> DQuat {
        let [x, y, z] = self.columns;
        let trace = x.x + y.y + z.z;
        let (xy, xz, yz) = (x.y + y.x, x.z + z.x, y.z + z.y);
        let (wx, wy, wz) = (y.z - z.y, z.x - x.z, x.y - y.x);
        let matrix = [
            [2.0 * x.x - trace, xy, xz, wx],
            [xy, 2.0 * y.y - trace, yz, wy],
            [xz, yz, 2.0 * z.z - trace, wz],
            [wx, wy, wz, trace + LITTLE],
        ];
        let [x, y, z, w] = largest_eigenvector(matrix);
        let turn = arc::normalize(DQuat::from_xyzw(x, y, z, w));
        if turn.w < 0.0 { -turn } else { turn }
    }
}

/// Unit eigenvector of the largest eigenvalue of a symmetric matrix of size about 1 (Jacobi 1846; Golub &
/// Van Loan, *Matrix Computations*, 8.5).
fn largest_eigenvector(mut a: [[f64; 4]; 4]) -> [f64; 4] {
    let mut v = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        let mut off = 0.0;
        for p in 0..3 {
            for q in p + 1..4 {
                off += a[p][q] * a[p][q];
                rotate(&mut a, &mut v, p, q);
            }
        }
        if off < 1e-34 {
            break;
        }
    }
    // Of equal ones the last, which began as no turn.
    let best = (0..4).fold(3, |best, i| if a[i][i] > a[best][best] { i } else { best });
    [v[0][best], v[1][best], v[2][best], v[3][best]]
}

/// One Jacobi rotation, which makes `a[p][q]` zero.
fn rotate(a: &mut [[f64; 4]; 4], v: &mut [[f64; 4]; 4], p: usize, q: usize) {
    if a[p][q].abs() < 1e-300 {
        return;
    }
    let tau = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let root = ops::sqrt(1.0 + tau * tau);
    let t = if tau >= 0.0 { 1.0 / (tau + root) } else { 1.0 / (tau - root) };
    let c = 1.0 / ops::sqrt(1.0 + t * t);
    let s = t * c;
    for row in a.iter_mut().chain(v.iter_mut()) {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    let (above, below) = (a[p], a[q]);
    a[p] = [0, 1, 2, 3].map(|k| c * above[k] - s * below[k]);
    a[q] = [0, 1, 2, 3].map(|k| s * above[k] + c * below[k]);
}
