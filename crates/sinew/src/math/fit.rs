//! The rotation of a rigid body that brings its points nearest to where they should be.
//!
//! One point: the shortest arc. Several: the largest root of `λ = σ + zᵀ y`, `y = ((λ + σ) I - S)⁻¹ z`, with
//! `B = Σ w d aᵀ`, `S = B + Bᵀ`, `σ = tr B`, `z = Σ w a × d`; `y` is the axis times the tangent of half the
//! angle (Davenport's problem as Shuster and Oh 1981 solve it, without trigonometry).

use glam::{DMat3, DQuat, DVec3};

use super::arc;

/// Newton steps for the root.
const STEPS: u32 = 12;
/// Share of the weight that holds the body as it is, where its points leave a turn free.
const HOLD: f64 = 1e-7;

/// A point of a body and where it should be, both from the body's origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    /// In the body's frame.
    pub(crate) arm: DVec3,
    /// In the space of the solve.
    pub(crate) to: DVec3,
    pub(crate) weight: f64,
}

/// The rotation nearest to `turn` that brings the pairs nearest.
pub(crate) fn fitted(turn: DQuat, pairs: &[Pair]) -> DQuat {
    match pairs {
        [] => turn,
        [one] => along(turn, one.arm, one.to),
        many => best(turn, many),
    }
}

/// The shortest way from `turn` to where `arm` points along `to`.
pub(crate) fn along(turn: DQuat, arm: DVec3, to: DVec3) -> DQuat {
    let (Some(held), Some(to)) = (arc::unit(arm), arc::unit(to)) else { return turn };
    arc::normalize(arc::arc_or(turn * held, to, || turn * arc::any_perpendicular(held)) * turn)
}

fn best(turn: DQuat, pairs: &[Pair]) -> DQuat {
    let (mut b, mut z, mut most) = (DMat3::ZERO, DVec3::ZERO, 0.0);
    for pair in pairs {
        let (a, d) = (turn * pair.arm, pair.to * pair.weight);
        b += DMat3::from_cols(d * a.x, d * a.y, d * a.z);
        z += a.cross(d);
        most += arc::length(a) * arc::length(d);
    }
    if most.is_nan() || most <= 0.0 {
        return turn;
    }
    let hold = HOLD * most;
    b += DMat3::from_diagonal(DVec3::splat(hold));
    let trace = b.x_axis.x + b.y_axis.y + b.z_axis.z;
    let s = b + b.transpose();
    // The largest root lies between the matrix's last pole and the sum of all lengths.
    let mut root = most + 3.0 * hold;
    let (mut good, mut half) = (root, DVec3::ZERO);
    for _ in 0..STEPS {
        let m = DMat3::from_diagonal(DVec3::splat(root + trace)) - s;
        if !is_positive(&m) {
            root = 0.5 * (root + good);
            continue;
        }
        good = root;
        half = m.inverse() * z;
        let off = root - trace - z.dot(half);
        if off.abs() <= 1e-14 * most {
            break;
        }
        root -= off / (1.0 + half.dot(half));
    }
    arc::normalize(DQuat::from_xyzw(half.x, half.y, half.z, 1.0) * turn)
}

/// Whether a symmetric matrix is positive definite.
fn is_positive(m: &DMat3) -> bool {
    let (x, y) = (m.x_axis, m.y_axis);
    x.x > 0.0 && x.x * y.y > x.y * x.y && m.determinant() > 0.0
}

/// The turn about the unit `axis` that brings the pairs nearest, as sine and cosine times one number.
pub(crate) fn about(axis: DVec3, turn: DQuat, pairs: &[Pair]) -> (f64, f64) {
    pairs.iter().fold((0.0, 0.0), |(sine, cosine), pair| {
        let a = turn * pair.arm;
        let along = axis.dot(a) * axis.dot(pair.to);
        (sine + pair.weight * axis.dot(a.cross(pair.to)), cosine + pair.weight * (a.dot(pair.to) - along))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0)
            .prop_map(|(x, y, z)| DVec3::new(x, y, z))
            .prop_filter("short", |v| v.length() > 0.1)
    }

    proptest! {
        #[test]
        fn a_turned_body_is_turned_back(a in vector(), b in vector(), c in vector(), axis in vector(), angle in -2.5..2.5_f64) {
            let turn = arc::axis_angle(axis.normalize(), angle);
            let pairs = [a, b, c].map(|arm| Pair { arm, to: turn * arm, weight: 1.0 });
            let got = (0..8).fold(DQuat::IDENTITY, |q, _| fitted(q, &pairs));
            let left = pairs.iter().map(|pair| (got * pair.arm).distance(pair.to)).fold(0.0, f64::max);
            prop_assert!(left < 1e-5, "{left}");
        }

        #[test]
        fn no_small_turn_is_better(a in vector(), b in vector(), c in vector(), d in vector(), axis in vector()) {
            let pairs = [Pair { arm: a, to: b, weight: 1.0 }, Pair { arm: c, to: d, weight: 0.3 }];
            let score = |q: DQuat| pairs.iter().map(|pair| pair.weight * (q * pair.arm).dot(pair.to)).sum::<f64>();
            let got = (0..20).fold(DQuat::IDENTITY, |q, _| fitted(q, &pairs));
            let turned = arc::axis_angle(axis.normalize(), 0.01) * got;
            prop_assert!(score(turned) <= score(got) + 1e-5);
        }
    }
}
