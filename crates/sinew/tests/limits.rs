//! Ball limits against brute force: the projection is the nearest allowed rotation, idempotent, and
//! leaves allowed rotations bit for bit.

use std::f64::consts::PI;

use proptest::prelude::*;
use sinew::glam::{DQuat, DVec3};
use sinew::limit::{Range, SwingTwist};
use sinew::math::{arc, ops};

fn rotation() -> impl Strategy<Value = DQuat> {
    (-1.0..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0).prop_filter_map("short", |(x, y, z, w): (f64, f64, f64, f64)| {
        let q = DQuat::from_xyzw(x, y, z, w);
        (q.length() > 0.1).then(|| q.normalize())
    })
}

/// Swing by `swing` toward `azimuth`, after a twist about z.
fn compose(azimuth: f64, swing: f64, twist: f64) -> DQuat {
    let (sine, cosine) = ops::sin_cos(azimuth);
    let axis = DVec3::new(cosine, sine, 0.0);
    DQuat::from_axis_angle(axis, swing) * DQuat::from_rotation_z(twist)
}

proptest! {
    #[test]
    fn nearest_of_all(q in rotation(), swing in 0.0..3.1_f64, low in -3.0..3.0_f64, width in 0.0..3.0_f64) {
        let limit = SwingTwist::new(DVec3::Z, swing, Range::new(low, low + width)).unwrap();
        let nearest = limit.project(q);
        prop_assert!((nearest.length() - 1.0).abs() < 1e-14);
        prop_assert_eq!(limit.project(nearest), nearest);
        let (mut best, steps) = (0.0_f64, 40);
        for i in 0..steps {
            for j in 0..=12 {
                for k in 0..=12 {
                    let azimuth = std::f64::consts::TAU * f64::from(i) / f64::from(steps);
                    let allowed = compose(azimuth, swing * f64::from(j) / 12.0, low + width * f64::from(k) / 12.0);
                    best = best.max(allowed.dot(q).abs());
                }
            }
        }
        // The grid never beats it, and it is itself allowed: near some point of a fine grid.
        prop_assert!(nearest.dot(q).abs() >= best - 1e-12, "{} {}", nearest.dot(q).abs(), best);
        let twist = 2.0 * ops::atan2(nearest.z, nearest.w);
        let off = Range::new(low, low + width).clamp_angle(twist, low) - twist;
        let bent = 2.0 * ops::atan2(nearest.x.hypot(nearest.y), nearest.z.hypot(nearest.w));
        prop_assert!(bent <= swing + 1e-7);
        prop_assert!(ops::sin_cos(off).0.abs() < 1e-6 || bent > PI - 1e-4, "twist {twist} of {low}..{}", low + width);
    }

    #[test]
    fn allowed_rotations_pass_bit_for_bit_about_any_axis(a in -1.0..1.0_f64, b in 0.0..0.99_f64, c in 0.01..0.99_f64, axis in (-1.0..1.0_f64, -1.0..1.0_f64)) {
        let axis = DVec3::new(axis.0, axis.1, 0.5).normalize();
        let limit = SwingTwist::new(axis, 1.2, Range::new(-0.5, 0.8)).unwrap();
        let frame = arc::arc(DVec3::Z, axis, DVec3::X);
        let allowed = frame * compose(a * 3.1, 1.2 * b, -0.5 + 1.3 * c) * frame.conjugate();
        prop_assert_eq!(limit.project(allowed), allowed);
        prop_assert_eq!(limit.project(-allowed), -allowed);
    }
}

#[test]
fn a_half_turn_swing_and_bad_input_are_defined() {
    let limit = SwingTwist::new(DVec3::Z, 0.5, Range::new(-0.1, 0.3)).unwrap();
    let q = limit.project(DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    assert!(q.is_finite() && (q.length() - 1.0).abs() < 1e-15);
    assert!(SwingTwist::new(DVec3::ZERO, 0.5, Range::FREE).is_none());
    assert!(SwingTwist::new(DVec3::Z, f64::NAN, Range::FREE).is_none());
    assert!(SwingTwist::new(DVec3::Z, 0.5, Range::new(1.0, 0.0)).is_none());
}
