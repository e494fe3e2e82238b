//! Colliders, and bodies that move.

use sinew::glam::{DQuat, DVec3};
use sinew::springs::{Bone, Collider, Shape, Springs};
use sinew::{JointSpec, Skeleton, SkeletonBuilder};

use super::{GRAVITY, Run, chain, joint};

#[test]
fn ends_stay_out_of_colliders() {
    let (skeleton, springs) = chain(12, 0.1);
    let springs = Springs { gravity: DVec3::new(0.3, -GRAVITY, 0.1), ..springs };
    let springs = springs.each(|bone| Bone { radius: 0.02, drag: 1.5, ..bone });
    // The chain falls from above on each of them.
    let shapes = [
        Collider::sphere(DVec3::new(0.1, -0.5, 0.0), 0.4),
        Collider::capsule(DVec3::new(-1.0, -0.4, 0.0), DVec3::new(1.0, -0.3, 0.2), 0.15),
        Collider::plane(DVec3::NEG_Y * 0.3, DVec3::new(0.1, 1.0, 0.0)),
        Collider::new(Shape::Sphere { center: DVec3::Y * 0.5, radius: 1.2, inside: true }),
    ];
    for collider in shapes {
        let springs = Springs { colliders: vec![collider], ..springs.clone() };
        let mut run = Run::new(&skeleton);
        let depth = |at: DVec3| match collider.shape {
            Shape::Sphere { center, radius, inside: false } => radius + 0.02 - at.distance(center),
            Shape::Sphere { center, radius, .. } => at.distance(center) + 0.02 - radius,
            Shape::Capsule { ends: [a, b], radius, .. } => {
                let share = ((at - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                radius + 0.02 - at.distance(a + (b - a) * share)
            }
            Shape::Plane { point, normal } => 0.02 - (at - point).dot(normal.normalize()),
            _ => f64::NAN,
        };
        let (mut deepest, mut touched) = (0.0_f64, false);
        run.frame(&springs, 0.0);
        let energy = |run: &Run<'_>| -> f64 {
            run.ends().iter().map(|end| 0.5 * end.1.length_squared() - springs.gravity.dot(end.0)).sum()
        };
        let first = energy(&run);
        for frame in 0..600 {
            run.frame(&springs, 1.0 / 60.0);
            assert!(energy(&run) < first + 1e-6, "{collider:?}: frame {frame} gains {}", energy(&run) - first);
            let worst = run.ends().iter().map(|end| depth(end.0)).fold(f64::NEG_INFINITY, f64::max);
            touched |= worst > -1e-3;
            // While twelve kilograms fall on it, an end may dip in.
            assert!(frame < 60 || worst < 0.04, "{collider:?}: frame {frame}: {worst}");
            if frame > 300 {
                deepest = deepest.max(worst);
            }
        }
        assert!(touched && deepest < 3e-3, "{collider:?}: {deepest}");
        // At rest in the end, and where it was pushed to.
        let before = run.tip();
        run.run(&springs, 60.0, 1.0);
        assert!(run.tip().distance(before) < 0.03, "{collider:?}: {}", run.tip().distance(before));
    }
}

#[test]
fn layers_choose_what_stops_what() {
    let (skeleton, springs) = chain(3, 0.2);
    let floor = Collider { layers: 0b10, ..Collider::plane(DVec3::NEG_Y * 0.3, DVec3::Y) };
    let springs = Springs { gravity: DVec3::new(0.1, -GRAVITY, 0.0), colliders: vec![floor], ..springs };
    let lowest = |layers: u64| {
        let mut run = Run::new(&skeleton);
        run.run(&springs.clone().each(|bone| Bone { layers, drag: 4.0, ..bone }), 60.0, 5.0);
        run.tip().y
    };
    assert!(lowest(0b110) > -0.301 && lowest(0b01) < -0.59);
}

/// A tail on a body, somewhere below a scaled and perhaps mirrored root.
fn tailed(scale: DVec3) -> (Skeleton, Springs) {
    let mut builder = SkeletonBuilder::new();
    let mut root = JointSpec::named("root");
    root.rest.scale = scale;
    let mut parent = builder.add(root);
    for i in 0..6 {
        let bent = sinew::Rotation::about(DVec3::new(0.2, 0.1, 1.0), 0.2);
        let spec = JointSpec::named(format!("tail_{i}")).child_of(parent).translation(DVec3::new(0.02, 0.1, 0.0));
        parent = builder.add(spec.rotation(bent));
    }
    let skeleton = builder.build().unwrap();
    let [base, tip] = skeleton.joints(["tail_0", "tail_5"]).unwrap();
    let springs = Springs::chain(&skeleton, base, tip).unwrap();
    (skeleton, springs)
}

/// Turned, scaled and mirrored bodies swing alike.
#[test]
fn motion_carries_the_swing() {
    let run = |scale: DVec3, turn: DQuat, place: DVec3| {
        let (skeleton, springs) = tailed(scale);
        let size = scale.y;
        let springs = Springs { gravity: turn * (DVec3::new(2.0, -9.0, 0.0) * size), ..springs };
        let springs = springs.tuned(&skeleton, 2.0, 0.2);
        let mut run = Run::new(&skeleton);
        for frame in 0..90 {
            let sway = DQuat::from_rotation_z((f64::from(frame) * 0.1).sin());
            run.moved(&springs, 1.0 / 60.0, |pose| {
                let root = joint(&skeleton, 0);
                pose.edit(&skeleton).rotation(root, turn * sway).translation(root, place);
            });
        }
        skeleton.iter().map(|joint| run.pose.position(joint)).collect::<Vec<_>>()
    };
    let plain = run(DVec3::ONE, DQuat::IDENTITY, DVec3::ZERO);
    let turn = DQuat::from_rotation_x(1.1) * DQuat::from_rotation_y(0.7);
    let place = DVec3::new(3.0, -2.0, 5.0);
    for (scale, mirror) in
        [(DVec3::ONE, 1.0), (DVec3::splat(40.0), 1.0), (DVec3::splat(0.01), 1.0), (DVec3::new(1.0, 1.0, -1.0), -1.0)]
    {
        let size = scale.y;
        for (a, b) in plain.iter().zip(run(scale, turn, place)) {
            // The mirror's plane is the swing's own: gravity and sway lie in it.
            let wanted = turn * (DVec3::new(a.x, a.y, a.z * mirror) * size) + place;
            // Rounding may decide whether a sub-step is right to 1e-5 of a bone already.
            assert!(wanted.distance(b) < 1e-4 * size, "{scale}: {wanted} {b}");
        }
    }
}

#[test]
fn a_carried_tail_does_not_trail() {
    let (skeleton, springs) = tailed(DVec3::ONE);
    let root = joint(&skeleton, 0);
    let springs = springs.tuned(&skeleton, 1.5, 0.2);
    let largest = |carrier| {
        let springs = springs.clone().each(|bone| Bone { carrier, ..bone });
        let mut run = Run::new(&skeleton);
        let mut largest = 0.0_f64;
        for frame in 0..120 {
            let place = DVec3::X * (0.02 * f64::from(frame).powf(1.5));
            let turn = DQuat::from_rotation_y(0.05 * f64::from(frame));
            run.moved(&springs, 1.0 / 60.0, |pose| {
                pose.edit(&skeleton).translation(root, place).rotation(root, turn);
            });
            let rest = skeleton.rest_pose();
            let tip = joint(&skeleton, 6);
            largest = largest.max(run.tip().distance(turn * rest.position(tip) + place));
        }
        largest
    };
    let (trailing, carried) = (largest(None), largest(Some(root)));
    assert!(trailing > 0.05 && carried < 1e-9, "{trailing} {carried}");
}
