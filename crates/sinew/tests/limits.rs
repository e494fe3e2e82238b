//! Ball limits against brute force: the projection is the nearest allowed rotation, idempotent, and
//! leaves allowed rotations bit for bit.

use std::f64::consts::PI;

use proptest::prelude::*;
use sinew::glam::{self, DQuat, DVec3};
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
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

/// One of the orders, as glam has it, and its axes as they come.
fn orders(number: usize) -> (EulerOrder, glam::EulerRot, [usize; 3]) {
    use glam::EulerRot;
    [
        (EulerOrder::Xyz, EulerRot::XYZ, [0, 1, 2]),
        (EulerOrder::Xzy, EulerRot::XZY, [0, 2, 1]),
        (EulerOrder::Yxz, EulerRot::YXZ, [1, 0, 2]),
        (EulerOrder::Yzx, EulerRot::YZX, [1, 2, 0]),
        (EulerOrder::Zxy, EulerRot::ZXY, [2, 0, 1]),
        (EulerOrder::Zyx, EulerRot::ZYX, [2, 1, 0]),
    ][number]
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

/// Swing quaternion `(a, b, 0, r)` after a twist about z.
fn swing_after_twist(a: f64, b: f64, twist: f64) -> DQuat {
    DQuat::from_xyzw(a, b, 0.0, ops::sqrt((1.0 - a * a - b * b).max(0.0))) * DQuat::from_rotation_z(twist)
}

/// The twist of least angle to `q`'s own in a range, as the round cone takes it.
fn clamped_twist(q: DQuat, low: f64, high: f64) -> f64 {
    let own = 2.0 * ops::atan2(q.z, q.w);
    // A twist and its whole turn are the same rotation with the swing's sign changed.
    Range::new(low, high).clamp_angle(own, low)
}

/// Largest swings about two axes, to both sides: none, next to none, any, a half turn, all alike, the same to both sides.
fn swings() -> impl Strategy<Value = [Range; 2]> {
    let one = || prop_oneof![Just(0.0), Just(1e-300), Just(1e-12), Just(1e-9), Just(1e-4), Just(PI), 0.0..PI, 0.0..PI];
    (one(), one(), one(), one(), 0..8_u8).prop_map(|(x, y, back, left, alike)| match alike {
        0 => [Range::new(-x, x), Range::new(-x, x)],
        1 | 2 => [Range::new(-x, x), Range::new(-y, y)],
        3 => [Range::new(-back, x), Range::new(-y, y)],
        _ => [Range::new(-back, x), Range::new(-left, y)],
    })
}

proptest! {
    #[test]
    fn an_ellipse_gives_the_nearest_swing_at_the_clamped_twist(
        q in rotation(), swing in swings(), low in -3.0..3.0_f64, width in 0.0..3.0_f64, beside in 0..3_usize,
    ) {
        let limit = EllipticSwing::uneven(DVec3::Z, DVec3::X, swing, Range::new(low, low + width)).unwrap();
        // Anywhere, or all but in the plane of a flat ellipse.
        let q = match beside {
            0 => q,
            1 => DQuat::from_xyzw(q.x, 1e-12 * q.y, q.z, q.w).normalize(),
            _ => DQuat::from_xyzw(1e-12 * q.x, q.y, q.z, q.w).normalize(),
        };
        let nearest = limit.project(q);
        prop_assert!((nearest.length() - 1.0).abs() < 1e-14);
        prop_assert_eq!(limit.project(nearest), nearest);
        // A half-turn swing has whichever twist suits.
        let is_open = q.z.hypot(q.w) < 1e-9 && nearest.z.hypot(nearest.w) > 1e-9;
        let twist = if is_open { 2.0 * ops::atan2(nearest.z, nearest.w) } else { clamped_twist(q, low, low + width) };
        let most = |value: f64, Range { min, max }: Range| ops::sin_cos(0.5 * if value < 0.0 { -min } else { max }).0;
        let left = nearest * DQuat::from_rotation_z(-twist);
        let share = |value: f64, most: f64| if value.abs() < 1e-14 { 0.0 } else { (value.abs() - 1e-14) / most };
        let out = |q: DQuat| share(q.x, most(q.x, swing[0])).hypot(share(q.y, most(q.y, swing[1])));
        let real = if left.w < 0.0 { -left } else { left };
        let half_turn = real.w < 2e-13;
        prop_assert!(out(real) <= 1.0 || half_turn && out(-real) <= 1.0, "{left} is outside");
        let on_ring = |ring: f64, angle: f64| {
            let (sine, cosine) = ops::sin_cos(angle);
            let (most_x, most_y) = (most(cosine, swing[0]), most(sine, swing[1]));
            swing_after_twist(ring * most_x * cosine, ring * most_y * sine, twist)
        };
        let (mut best, step) = ((0.0, 0.0), std::f64::consts::TAU / 720.0);
        for i in 0..720 {
            for ring in [1.0, 0.8, 0.5, 0.2, 0.0] {
                let allowed = on_ring(ring, step * f64::from(i));
                prop_assert!(limit.project(allowed).dot(allowed).abs() > 1.0 - 1e-13, "an allowed one moved");
                let along = allowed.dot(q).abs();
                best = if along > best.0 { (along, step * f64::from(i)) } else { best };
            }
        }
        let (mut from, mut to) = (best.1 - step, best.1 + step);
        for _ in 0..60 {
            let (a, b) = (from + 0.382 * (to - from), to - 0.382 * (to - from));
            let at = |angle: f64| on_ring(1.0, angle).dot(q).abs();
            if at(a) > at(b) { to = b } else { from = a }
        }
        let best = best.0.max(on_ring(1.0, 0.5 * (from + to)).dot(q).abs());
        // Near half a turn the real part of what is tried is lost in rounding.
        let rounding = if nearest.z.hypot(nearest.w) < 1e-6 { 1e-8 } else { 1e-12 };
        prop_assert!(nearest.dot(q).abs() >= best - rounding, "{} {}", nearest.dot(q).abs(), best);
    }

    #[test]
    fn a_round_ellipse_is_the_cone(q in rotation(), swing in 0.01..3.1_f64, low in -3.0..3.0_f64, width in 0.0..3.0_f64) {
        let range = Range::new(low, low + width);
        let ellipse = EllipticSwing::new(DVec3::Y, DVec3::X, [swing, swing], range).unwrap();
        let cone = SwingTwist::new(DVec3::Y, swing, range).unwrap();
        prop_assert!(ellipse.project(q).dot(cone.project(q)).abs() > 1.0 - 1e-12);
    }

    #[test]
    fn euler_ranges_clamp_each_angle(
        angles in (-3.1..3.1_f64, -3.1..3.1_f64, -3.1..3.1_f64), low in (-3.0..3.0_f64, -1.5..1.5_f64, -3.0..3.0_f64),
        width in (0.0..4.0_f64, 0.0..1.5_f64, 0.0..4.0_f64), order in 0..6_usize,
    ) {
        let (order, glam, axes) = orders(order);
        // In the order of turning.
        let turning = [Range::new(low.0, low.0 + width.0), Range::new(low.1, low.1 + width.1), Range::new(low.2, low.2 + width.2)];
        let mut about = [Range::FREE; 3];
        axes.iter().zip(turning).for_each(|(&axis, range)| about[axis] = range);
        let limit = EulerRanges::new(order, about[0], about[1], about[2]).unwrap();
        prop_assert_eq!(limit.ranges(), about);
        let q = DQuat::from_euler(glam, angles.0, angles.1, angles.2);
        let nearest = limit.project(q);
        prop_assert_eq!(limit.project(nearest), nearest);
        prop_assert!((nearest.length() - 1.0).abs() < 1e-14);
        // Either set of angles, each clamped on the circle: the nearer of the two.
        let (a, b, c) = q.to_euler(glam);
        let clamp = |[a, b, c]: [f64; 3]| {
            let [x, y, z] = [turning[0].clamp_angle(a, 0.0), turning[1].clamp_angle(b, 0.0), turning[2].clamp_angle(c, 0.0)];
            DQuat::from_euler(glam, x, y, z)
        };
        let (one, two) = (clamp([a, b, c]), clamp([a + PI, PI - b, c + PI]));
        let best = one.dot(q).abs().max(two.dot(q).abs());
        prop_assert!((nearest.dot(q).abs() - best).abs() < 1e-12, "{} {best}", nearest.dot(q).abs());
    }

    #[test]
    fn gimbal_lock_takes_the_split_that_is_allowed(
        alpha in -1.0..0.3_f64, gamma in 0.1..0.5_f64, up in prop::bool::ANY, order in 0..6_usize,
    ) {
        let (order, glam, axes) = orders(order);
        let quarter = if up { PI / 2.0 } else { -PI / 2.0 };
        let q = DQuat::from_euler(glam, alpha, quarter, gamma);
        let mut about = [Range::FREE; 3];
        (about[axes[0]], about[axes[1]], about[axes[2]]) = (Range::new(-1.0, 0.3), Range::new(-2.0, 2.0), Range::new(0.1, 0.5));
        let limit = EulerRanges::new(order, about[0], about[1], about[2]).unwrap();
        prop_assert_eq!(limit.project(q), q);
    }
}

#[test]
fn elliptic_and_euler_limits_refuse_what_is_none() {
    let free = Range::FREE;
    assert!(EllipticSwing::new(DVec3::Z, DVec3::X, [0.5, f64::NAN], free).is_none());
    assert!(EllipticSwing::new(DVec3::Z, DVec3::X, [0.5, -0.1], free).is_none());
    assert!(EllipticSwing::uneven(DVec3::Z, DVec3::X, [free, Range::new(0.1, 0.5)], free).is_none());
    assert!(EllipticSwing::uneven(DVec3::Z, DVec3::X, [free, Range::new(f64::NAN, 0.5)], free).is_none());
    assert!(EllipticSwing::new(DVec3::Z, DVec3::Z, [0.5, 0.5], free).is_none());
    assert!(EllipticSwing::new(DVec3::ZERO, DVec3::X, [0.5, 0.5], free).is_none());
    assert!(EllipticSwing::new(DVec3::Z, DVec3::X, [0.5, 0.5], Range::new(1.0, 0.0)).is_none());
    assert!(EulerRanges::new(EulerOrder::Xyz, free, Range::new(1.0, 0.0), free).is_none());
    assert!(EulerRanges::new(EulerOrder::Zyx, free, free, Range::new(f64::NAN, 0.0)).is_none());
    let all = EulerRanges::new(EulerOrder::Xyz, free, free, free).unwrap();
    let q = DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5);
    assert_eq!(all.project(q), q);
}

#[test]
fn a_flat_ellipse_swings_in_one_plane_only() {
    let limit = EllipticSwing::new(DVec3::Z, DVec3::X, [1.0, 0.0], Range::new(0.0, 0.0)).unwrap();
    let q = DQuat::from_axis_angle(DVec3::new(1.0, 1.0, 0.0).normalize(), 0.8);
    let nearest = limit.project(q);
    assert!(nearest.y.abs() < 1e-15 && nearest.z.abs() < 1e-15 && nearest.x > 0.1, "{nearest}");
    assert_eq!(limit.project(nearest), nearest);
    // What lies inside is not pushed to the rim: a joint that only nods, a hair beside its plane.
    let nod = DQuat::from_scaled_axis(DVec3::new(0.1, 1e-12, 0.0));
    assert!((limit.project(nod) - DQuat::from_rotation_x(0.1)).length() < 1e-11);
    // Half turns either way, and no other: the half turn across is as far from all of them.
    let whole = EllipticSwing::new(DVec3::Z, DVec3::X, [PI, 0.0], Range::new(0.0, 0.0)).unwrap();
    for (x, y, w, wanted) in
        [(0.6, 0.0, 0.8, 0.6), (0.48, 0.64, 0.6, 0.48 / ops::sqrt(0.48 * 0.48 + 0.36)), (1.0, 0.0, 0.0, 1.0)]
    {
        let nearest = whole.project(DQuat::from_xyzw(x, y, 0.0, w));
        assert!((nearest.x - wanted).abs() < 1e-15 && nearest.y == 0.0, "{nearest}");
        assert_eq!(whole.project(nearest), nearest);
    }
    let across = whole.project(DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0));
    assert_eq!((across, whole.project(across)), (DQuat::IDENTITY, DQuat::IDENTITY));
    // A half-turn swing has whichever twist lets it be.
    let twisted = EllipticSwing::new(DVec3::Z, DVec3::X, [PI, 0.0], Range::new(-1.0, 1.0)).unwrap();
    let half_turn = DQuat::from_xyzw(ops::sin_cos(0.4).1, ops::sin_cos(0.4).0, 0.0, 0.0);
    assert_eq!(twisted.project(half_turn), half_turn);
}
