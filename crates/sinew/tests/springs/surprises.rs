//! Hitches, jumps, odd masses and hostile numbers.

use sinew::glam::{DQuat, DVec3};
use sinew::springs::{Bone, Collider, Link, SpringState, Springs, SpringsError, Tail};
use sinew::{NamedJoint, Pose, Skeleton, Start};

use super::{GRAVITY, Run, chain, joint};

/// So many bones that hang from a body of one joint, which lies on the first of them.
fn hanging(count: usize) -> (Skeleton, Springs) {
    let skeleton = Skeleton::from_lengths(&[&[0.0], &vec![0.1; count][..]].concat()).unwrap();
    let springs = Springs::chain(&skeleton, joint(&skeleton, 1), joint(&skeleton, count + 1)).unwrap();
    let springs = Springs { gravity: DVec3::Y * GRAVITY, ..springs }.tuned(&skeleton, 2.0, 0.1);
    (skeleton, springs)
}

fn place_root(pose: &mut Pose, skeleton: &Skeleton, place: DVec3, turn: DQuat) {
    let root = joint(skeleton, 0);
    pose.edit(skeleton).translation(root, place).rotation(root, turn);
}

#[test]
fn a_hitch_neither_explodes_nor_sinks() {
    let (skeleton, springs) = hanging(8);
    let mut run = Run::new(&skeleton);
    run.run(&springs, 60.0, 10.0);
    let calm = run.tip();
    // A second without a frame, at rest and while the body moves on.
    run.frame(&springs, 1.0);
    assert!(run.tip().distance(calm) < 1e-2);
    for frame in 0..120 {
        let dt = if frame == 30 { 1.0 } else { 1.0 / 60.0 };
        let place = DVec3::X * if frame < 30 { 0.0 } else { 0.3 };
        run.moved(&springs, dt, |pose| place_root(pose, &skeleton, place, DQuat::IDENTITY));
        assert!(run.ends().iter().all(|end| end.1.length() < 8.0), "frame {frame}");
        assert!(run.tip().distance(place) < 0.8 + 1e-9);
    }
    let mut state = SpringState::default();
    let mut pose = skeleton.rest_pose();
    let step = springs.step(&skeleton, &mut pose, &mut state, 1.0);
    assert_eq!(step.steps, 24);
    assert!((step.dropped - 0.9).abs() < 1e-9);
    // Hours are no different, nor are a thousand tiny frames.
    assert_eq!(springs.step(&skeleton, &mut pose, &mut state, 1e9).steps, 24);
    let made: u32 = (0..1000).map(|_| springs.step(&skeleton, &mut pose, &mut state, 1e-4).steps).sum();
    assert!((23..=25).contains(&made), "{made}");
}

#[test]
fn a_jump_carries_the_bones() {
    let (skeleton, springs) = hanging(6);
    let mut run = Run::new(&skeleton);
    run.run(&springs, 60.0, 10.0);
    let calm: Vec<DVec3> = run.ends().iter().map(|end| end.0).collect();
    let far = DVec3::new(100.0, 5.0, -30.0);
    run.moved(&springs, 1.0 / 60.0, |pose| place_root(pose, &skeleton, far, DQuat::IDENTITY));
    for ((place, speed), before) in run.ends().into_iter().zip(&calm) {
        assert!((place - far).distance(*before) < 1e-3 && speed.length() < 0.1, "{place} {speed}");
    }
    // A turn of half a circle is a jump, too; gravity then finds the bones in a new place.
    let step = {
        run.pose.reset(&skeleton);
        place_root(&mut run.pose, &skeleton, far, DQuat::from_rotation_y(3.0));
        springs.step(&skeleton, &mut run.pose, &mut run.state, 1.0 / 60.0)
    };
    assert!(step.jumped && run.ends().iter().all(|end| end.1.length() < 1.0));
    // Said by the caller, a small one is.
    run.state.teleport();
    let near = far + DVec3::X * 0.05;
    run.moved(&springs, 1.0 / 60.0, |pose| place_root(pose, &skeleton, near, DQuat::from_rotation_y(3.0)));
    assert!(run.ends().iter().all(|end| end.1.length() < 1.0));
}

#[test]
fn odd_masses_neither_explode_nor_sink() {
    let patterns: [fn(usize) -> f64; 7] = [
        |_| 0.0,
        |i| if i == 3 { 0.0 } else { 1.0 },
        |i| if i == 7 { 1e12 } else { 1.0 },
        |i| if i == 3 { 1e12 } else { 1e-6 },
        |i| 1e-3_f64.powf(i as f64),
        |i| 1e3_f64.powf(i as f64),
        |_| 1e-300,
    ];
    for (number, mass) in patterns.into_iter().enumerate() {
        let (skeleton, springs) = chain(8, 0.1);
        let mut place = 0;
        let springs = Springs { gravity: DVec3::X * GRAVITY, ..springs }.each(|bone| {
            place += 1;
            Bone { mass: mass(place - 1), drag: 4.0, ..bone }
        });
        let mut run = Run::new(&skeleton);
        for frame in 0..900 {
            run.frame(&springs, 1.0 / 60.0);
            let mut from = DVec3::ZERO;
            for (place, speed) in run.ends() {
                // A whip whose masses fall a thousandfold from bone to bone cracks.
                assert!(speed.length() < 300.0, "pattern {number}, frame {frame}: {speed}");
                // A million million times its own weight on a bone may stretch it a moment.
                assert!(
                    (place.distance(from) / 0.1 - 1.0).abs() < 0.1,
                    "pattern {number}, frame {frame}: {}",
                    place.distance(from)
                );
                from = place;
            }
        }
        assert!(run.tip().distance(DVec3::X * 0.8) < 0.05, "pattern {number}: {}", run.tip());
    }
}

#[test]
fn the_pose_written_is_where_the_ends_are() {
    let (skeleton, springs) = hanging(6);
    let mut run = Run::new(&skeleton);
    for frame in 0..200 {
        // Whole sub-steps: what is shown is one sub-step old.
        let before = run.ends();
        run.frame(&springs, 1.0 / 240.0);
        for (i, end) in before.iter().enumerate() {
            let shown = run.pose.position(joint(&skeleton, i + 2));
            assert!(frame == 0 || shown.distance(end.0) < 2e-5, "frame {frame}: {shown} {}", end.0);
        }
    }
}

#[test]
fn bones_in_any_order_swing_alike() {
    let (skeleton, springs) = hanging(6);
    let mut other = springs.clone();
    other.bones.reverse();
    let (mut a, mut b) = (Run::new(&skeleton), Run::new(&skeleton));
    a.run(&springs, 60.0, 1.0);
    b.run(&other, 60.0, 1.0);
    assert_eq!(a.pose, b.pose);
}

#[test]
fn a_given_shape_is_what_bones_return_to() {
    let (skeleton, springs) = chain(4, 0.1);
    let springs = Springs { shape: Start::Given, ..springs.tuned(&skeleton, 3.0, 0.8) };
    let curl = |pose: &mut Pose| {
        for i in 0..4 {
            pose.edit(&skeleton).rotation(joint(&skeleton, i), DQuat::from_rotation_x(0.4));
        }
    };
    let mut run = Run::new(&skeleton);
    (0..300).for_each(|_| run.moved(&springs, 1.0 / 60.0, curl));
    let mut wanted = skeleton.rest_pose();
    curl(&mut wanted);
    assert!(run.tip().distance(wanted.position(joint(&skeleton, 4))) < 1e-9);
}

#[test]
fn forces_of_the_caller_count() {
    let (skeleton, springs) = hanging(5);
    let springs = springs.each(|bone| Bone { bend: f64::INFINITY, mass: 0.3, drag: 4.0, ..bone });
    let mut run = Run::new(&skeleton);
    // Lighter than water: it stands on its head in it.
    for _ in 0..900 {
        run.pose.reset(&skeleton);
        let state = &mut run.state;
        springs.step_with(&skeleton, &mut run.pose, state, 1.0 / 60.0, &mut |end| {
            DVec3::new(1e-3, -2.5 * GRAVITY * end.mass, 0.0)
        });
    }
    assert!(run.tip().distance(DVec3::NEG_Y * 0.5) < 1e-2, "{}", run.tip());
    // What is no number is no force.
    for wild in [DVec3::NAN, DVec3::splat(f64::INFINITY)] {
        run.pose.reset(&skeleton);
        springs.step_with(&skeleton, &mut run.pose, &mut run.state, 1.0 / 60.0, &mut |_| wild);
        assert!(run.tip().is_finite());
    }
    // A force beyond all numbers ends in the shape, not in NaN.
    for _ in 0..5 {
        run.pose.reset(&skeleton);
        springs.step_with(&skeleton, &mut run.pose, &mut run.state, 1.0 / 60.0, &mut |_| DVec3::splat(1e300));
        assert!(run.tip().is_finite() && run.tip().length() < 0.5 + 1e-9);
    }
}

#[test]
fn what_cannot_be_used_is_refused_and_nothing_moves() {
    let (skeleton, springs) = hanging(3);
    let (other, _) = chain(9, 1.0);
    let foreign = Bone::new(joint(&other, 7), Tail::Joint(joint(&other, 8)));
    let upside = Bone::new(joint(&skeleton, 3), Tail::Joint(joint(&skeleton, 2)));
    let first = springs.bones[0];
    let bone = |bone: Bone| {
        let joint = NamedJoint::of(&skeleton, bone.joint);
        (Springs { bones: vec![first, bone], ..springs.clone() }, SpringsError::Bone { place: 1, joint })
    };
    let with = |change: &dyn Fn(&mut Springs), error| {
        let mut springs = springs.clone();
        change(&mut springs);
        (springs, error)
    };
    let cases = [
        bone(foreign),
        bone(upside),
        bone(Bone::new(joint(&skeleton, 0), Tail::Joint(joint(&skeleton, 3)))),
        bone(Bone { mass: f64::NAN, ..first }),
        bone(Bone { mass: -1.0, ..first }),
        bone(Bone { bend: -1.0, ..first }),
        bone(Bone { stretch: f64::INFINITY, ..first }),
        bone(Bone { drag: f64::NAN, ..first }),
        with(&|s| s.gravity = DVec3::NAN, SpringsError::World),
        with(&|s| s.step = 0.0, SpringsError::World),
        with(&|s| s.links.push(Link::new(0, 9)), SpringsError::Link { place: 0 }),
        with(&|s| s.links.push(Link::new(1, 1)), SpringsError::Link { place: 0 }),
        with(&|s| s.colliders.push(Collider::sphere(DVec3::NAN, 1.0)), SpringsError::Collider { place: 0 }),
        with(&|s| s.colliders.push(Collider::plane(DVec3::ZERO, DVec3::ZERO)), SpringsError::Collider { place: 0 }),
        with(
            &|s| s.colliders.push(Collider::sphere(DVec3::ZERO, 1.0).carried_by(joint(&other, 8))),
            SpringsError::Collider { place: 0 },
        ),
    ];
    for (springs, error) in cases {
        assert_eq!(springs.check(&skeleton), Err(error));
        let mut pose = skeleton.rest_pose();
        assert!(springs.step(&skeleton, &mut pose, &mut SpringState::default(), 0.1).refused);
        assert_eq!(pose, skeleton.rest_pose());
    }
    for dt in [f64::NAN, -1.0, f64::INFINITY] {
        let mut pose = skeleton.rest_pose();
        assert!(springs.step(&skeleton, &mut pose, &mut SpringState::default(), dt).refused);
    }
    assert!(springs.step(&other, &mut skeleton.rest_pose(), &mut SpringState::default(), 0.1).refused);
    // A pose that is no number, then one that is.
    let mut run = Run::new(&skeleton);
    run.run(&springs, 60.0, 0.5);
    let mut broken = skeleton.rest_pose();
    broken.edit(&skeleton).translation(joint(&skeleton, 0), DVec3::NAN);
    assert!(springs.step(&skeleton, &mut broken, &mut run.state, 0.1).refused);
    run.run(&springs, 60.0, 0.5);
    assert!(run.tip().is_finite());
}

#[test]
fn other_bones_begin_anew() {
    let (skeleton, springs) = hanging(5);
    let (other, fewer) = hanging(3);
    let mut state = SpringState::default();
    let mut pose = skeleton.rest_pose();
    springs.step(&skeleton, &mut pose, &mut state, 0.5);
    assert_eq!(state.particles().len(), 5);
    let mut pose = other.rest_pose();
    fewer.step(&other, &mut pose, &mut state, 0.0);
    assert_eq!(state.particles().len(), 3);
    assert_eq!(pose, other.rest_pose());
    // None at all is fine.
    let none = Springs::default();
    assert!(!none.step(&other, &mut pose, &mut state, 0.1).refused);
    // Zero-length bones keep their shape.
    let flat = Skeleton::from_lengths(&[0.1, 0.0, 0.1, 0.0]).unwrap();
    let springs = Springs { gravity: DVec3::X, ..Springs::chain(&flat, joint(&flat, 0), joint(&flat, 4)).unwrap() };
    let mut run = Run::new(&flat);
    run.run(&springs, 60.0, 2.0);
    assert!(run.tip().is_finite() && run.tip().x > 0.0);
}
