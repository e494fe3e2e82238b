//! Conversions between conventions: known values, round trips, and the same limb solved in each.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use proptest::prelude::*;
use sinew::glam::{DAffine3, DQuat, DVec3};
use sinew::solve::two_bone::{self, Limb};
use sinew::{Convention, Goal, JointSpec, Pole, SkeletonBuilder, Solver, Status, Transform, TwoBone, Workspace};

const ALL: [Convention; 5] =
    [Convention::GLTF, Convention::UNITY, Convention::UNREAL, Convention::BLENDER, Convention::ROS];

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    (-size..size, -size..size, -size..size).prop_map(DVec3::from)
}

fn rotation() -> impl Strategy<Value = DQuat> {
    (vector(1.0), -3.0..3.0_f64)
        .prop_map(|(axis, angle)| DQuat::from_axis_angle((axis + DVec3::X * 1e-3).normalize(), angle))
}

proptest! {
    #[test]
    fn everything_commutes_and_comes_back(a in 0..5_usize, b in 0..5_usize, c in 0..5_usize, p in vector(10.0), t in vector(3.0), q in rotation(), s in (0.1..3.0_f64, 0.1..3.0_f64, 0.1..3.0_f64)) {
        let (here, there, third) = (ALL[a], ALL[b], ALL[c]);
        let to = here.to(there);
        let back = to.inverse();
        prop_assert_eq!(back, there.to(here));
        let exact = to.scale() == 1.0;
        let near = if exact { 0.0 } else { 4e-16 * p.length() };
        prop_assert!(back.point(to.point(p)).distance(p) <= near);
        prop_assert_eq!(back.direction(to.direction(p)), p);
        prop_assert_eq!(back.rotation(to.rotation(q)), q);
        // By way of a third.
        let through = there.to(third).point(to.point(p));
        prop_assert!(through.distance(here.to(third).point(p)) <= 4e-16 * through.length());
        // A turned point is the turned point.
        prop_assert!((to.rotation(q) * to.point(p)).distance(to.point(q * p)) < 1e-14 * to.point(p).length());
        let local = Transform { translation: t, rotation: q, scale: DVec3::new(s.0, s.1, s.2) };
        let moved = to.transform(&local);
        let size = to.scale() * (p.length() * 3.0 + t.length());
        let wanted = to.point(local.to_affine().transform_point3(p));
        prop_assert!(moved.to_affine().transform_point3(to.point(p)).distance(wanted) < 1e-14 * size);
        let affine: DAffine3 = to.affine(&local.to_affine());
        prop_assert!(affine.transform_point3(to.point(p)).distance(wanted) < 1e-14 * size);
    }

    #[test]
    fn the_same_limb_is_solved_in_each(mid in vector(1.0), tip in vector(1.0), target in vector(1.2), pole in vector(1.0)) {
        prop_assume!(mid.length() > 0.1 && tip.length() > 0.1 && pole.cross(target).length() > 0.05 && mid.cross(tip).length() > 0.01);
        let limb = Limb { root: DVec3::ZERO, mid, tip: mid + tip };
        let turns = two_bone::bend(&limb, target, Pole::Direction(pole));
        let elbow: DVec3 = turns.root * mid;
        let hand = elbow + turns.mid * (turns.root * tip);
        for there in ALL {
            let to = Convention::GLTF.to(there);
            let moved = Limb { root: DVec3::ZERO, mid: to.point(mid), tip: to.point(limb.tip) };
            let there = two_bone::bend(&moved, to.point(target), Pole::Direction(to.direction(pole)));
            let size = to.scale() * (mid.length() + tip.length());
            let moved_elbow = there.root * moved.mid;
            let moved_hand = moved_elbow + there.mid * (there.root * to.point(tip));
            // At the rim the elbow is off by the root of rounding.
            prop_assert!(moved_elbow.distance(to.point(elbow)) < 1e-7 * size);
            prop_assert!(moved_hand.distance(to.point(hand)) < 1e-12 * size);
            if turns.status == Status::Reached && target.length() < 0.99 * (mid.length() + tip.length()) && target.length() > 1.05 * (mid.length() - tip.length()).abs() + 0.05 {
                prop_assert!(moved_elbow.distance(to.point(elbow)) < 1e-12 * size);
                prop_assert!(there.root.dot(to.rotation(turns.root)).abs() > 1.0 - 1e-13);
            }
        }
    }
}

#[test]
fn known_points_and_turns() {
    let p = DVec3::new(1.0, 2.0, 3.0);
    for (there, wanted) in [
        (Convention::GLTF, p),
        (Convention::UNITY, DVec3::new(-1.0, 2.0, 3.0)),
        (Convention::UNREAL, DVec3::new(300.0, -100.0, 200.0)),
        (Convention::BLENDER, DVec3::new(1.0, -3.0, 2.0)),
        (Convention::ROS, DVec3::new(3.0, 1.0, 2.0)),
    ] {
        assert_eq!(Convention::GLTF.to(there).point(p), wanted, "{there:?}");
    }
    // A character that turns to its left (about up, by the right-hand rule) turns to its left in each.
    let left = DQuat::from_axis_angle(DVec3::Y, 0.3);
    for there in ALL {
        let turned = Convention::GLTF.to(there).rotation(left) * there.forward();
        assert!((turned.dot(there.left()) - 0.3_f64.sin()).abs() < 1e-15, "{there:?}");
    }
    // A hinge that is turned by an angle is turned by the same angle in each.
    let axis = DVec3::new(2.0, -3.0, 6.0) / 7.0;
    for to in ALL.map(|there| Convention::GLTF.to(there)) {
        let turned = to.rotation(DQuat::from_axis_angle(axis, 0.7));
        assert!(turned.dot(DQuat::from_axis_angle(to.turn_axis(axis), 0.7)) > 1.0 - 1e-15);
    }
    assert_eq!(ALL.map(|c| c.is_right_handed()), [true, false, false, true, true]);
    assert!(
        Convention::GLTF.to(Convention::UNITY).changes_hand()
            && !Convention::GLTF.to(Convention::BLENDER).changes_hand()
    );
}

#[test]
fn a_convention_of_ones_own_is_checked() {
    let own = Convention::new(DVec3::NEG_Z, DVec3::Y, DVec3::NEG_X, 0.0254).unwrap();
    assert!(own.is_right_handed());
    assert!(own.to(Convention::GLTF).point(DVec3::Z * -100.0).distance(DVec3::Z * 2.54) < 1e-15);
    for (forward, up, unit) in [
        (DVec3::X, DVec3::X, 1.0),
        (DVec3::new(0.6, 0.0, 0.8), DVec3::Y, 1.0),
        (DVec3::Z, DVec3::Y, 0.0),
        (DVec3::Z, DVec3::Y, f64::NAN),
        (DVec3::NAN, DVec3::Y, 1.0),
    ] {
        assert!(Convention::new(forward, up, DVec3::NEG_X, unit).is_none(), "{forward} {up} {unit}");
    }
}

/// A skeleton converted joint by joint, posed in each convention.
#[test]
fn the_same_skeleton_is_posed_in_each() {
    let turn = |axis: DVec3, angle: f64| DQuat::from_axis_angle(axis.normalize(), angle);
    let rest = [
        Transform {
            translation: DVec3::new(0.1, 1.4, 0.0),
            rotation: turn(DVec3::new(1.0, 2.0, 0.3), 0.7),
            ..Transform::IDENTITY
        },
        Transform { translation: DVec3::new(0.3, 0.02, 0.0), rotation: turn(DVec3::Z, -0.3), ..Transform::IDENTITY },
        Transform { translation: DVec3::new(0.25, 0.0, 0.05), rotation: turn(DVec3::X, 0.4), ..Transform::IDENTITY },
    ];
    let (target, pole) = (DVec3::new(0.3, 1.2, 0.3), DVec3::new(0.4, 0.5, -1.0));
    let posed = |to: sinew::Conversion| {
        let mut builder = SkeletonBuilder::new();
        for (i, (local, name)) in rest.iter().zip(["root", "mid", "tip"]).enumerate() {
            let local = to.transform(local);
            let spec = JointSpec::named(name).translation(local.translation).rotation(local.rotation);
            builder.add(if i > 0 { spec.child_of(i - 1) } else { spec });
        }
        let skeleton = builder.build().unwrap();
        let [root, mid, tip] = skeleton.joints(["root", "mid", "tip"]).unwrap();
        let solver = TwoBone::new(&skeleton, root, mid, tip).unwrap();
        let mut pose = skeleton.rest_pose();
        let goal = Goal::position(tip, to.point(target)).pole(to.point(pole));
        let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
        assert_eq!(outcome.status, Status::Reached);
        [root, mid, tip]
            .map(|joint| (to.inverse().point(pose.position(joint)), to.inverse().rotation(pose.local(joint).rotation)))
    };
    let here = posed(Convention::GLTF.to(Convention::GLTF));
    for there in ALL {
        for ((p, q), (p2, q2)) in here.into_iter().zip(posed(Convention::GLTF.to(there))) {
            assert!(p.distance(p2) < 1e-12 && q.dot(q2).abs() > 1.0 - 1e-13, "{there:?}");
        }
    }
}
