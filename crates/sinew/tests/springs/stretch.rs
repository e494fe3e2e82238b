//! Bones that lengthen: frequency, equilibrium, and what of it the pose shows.

use std::f64::consts::TAU;

use sinew::glam::DVec3;
use sinew::springs::{Bone, Springs};

use super::{GRAVITY, Run, chain, joint};

#[test]
fn a_hanging_weight_has_its_place_and_period() {
    let (skeleton, springs) = chain(1, 0.5);
    let (mass, stiffness, damping) = (0.8, 120.0_f64, 0.5);
    let springs = Springs { gravity: DVec3::Y * GRAVITY, ..springs };
    let springs = springs.each(|bone| Bone { mass, stretch: 1.0 / stiffness, stretch_damping: damping, ..bone });
    for rate in [30.0, 60.0, 240.0] {
        let mut run = Run::new(&skeleton);
        let place = 0.5 + mass * GRAVITY / stiffness;
        let mut extremes = vec![];
        let (mut last, mut before) = ((0.0, 0.0), 0.0);
        for frame in 1..=(6.0 * rate) as usize {
            run.frame(&springs, 1.0 / rate);
            let off = run.tip().y - place;
            if before < last.1 && off <= last.1 {
                let (a, b, c) = (before, last.1, off);
                let curve = 2.0 * b - a - c;
                extremes.push((last.0 + 0.5 * (c - a) / curve / rate, b + (a - c) * (a - c) / (8.0 * curve)));
            }
            (before, last) = (last.1, (frame as f64 / rate, off));
        }
        let speed = (stiffness / mass).sqrt();
        let ratio = damping / (2.0 * mass * speed);
        let wanted = TAU / (speed * (1.0 - ratio * ratio).sqrt());
        let (first, end) = (extremes[0], extremes[extremes.len() - 1]);
        let period = (end.0 - first.0) / (extremes.len() - 1) as f64;
        assert!((period / wanted - 1.0).abs() < 0.01, "{rate}: {period} {wanted}");
        let decay = (first.1 / end.1).ln() / (end.0 - first.0);
        assert!((decay / (ratio * speed) - 1.0).abs() < 0.02, "{rate}: {decay} {}", ratio * speed);
        run.run(&springs, rate, 60.0);
        assert!((run.tip().y - place).abs() < 1e-9, "{}", run.tip());
    }
}

/// Stretch as longer ways, and as a scale along the bone: the joints are in the same places, and the mesh is as much.
#[test]
fn squash_shows_the_same_places_with_the_same_volume() {
    let (skeleton, springs) = chain(5, 0.1);
    let springs = Springs { gravity: DVec3::new(4.0, 7.0, 2.0), ..springs };
    let springs = springs.each(|bone| Bone { stretch: 5e-4, stretch_damping: 2.0, ..bone }).tuned(&skeleton, 2.0, 0.3);
    let squashed = Springs { squash: true, ..springs.clone() };
    let (mut long, mut squash) = (Run::new(&skeleton), Run::new(&skeleton));
    let mut most = 0.0_f64;
    for _ in 0..120 {
        long.frame(&springs, 1.0 / 60.0);
        squash.frame(&squashed, 1.0 / 60.0);
        for i in 0..=5 {
            let [a, b] = [&long, &squash].map(|run| run.pose.position(joint(&skeleton, i)));
            assert!(a.distance(b) < 1e-9, "joint {i}: {a} {b}");
        }
        for i in 0..5 {
            let scale = squash.pose.local(joint(&skeleton, i)).scale;
            let length =
                squash.pose.position(joint(&skeleton, i)).distance(squash.pose.position(joint(&skeleton, i + 1)));
            most = most.max((length / 0.1 - 1.0).abs());
            if i == 0 {
                assert!((scale.y - length / 0.1).abs() < 1e-9 && (scale.x - 1.0 / scale.y.sqrt()).abs() < 1e-9);
            }
            // What reaches the mesh of each bone: its own squash, whatever those above it do.
            let volume = squash.pose.model(joint(&skeleton, i)).matrix3.determinant();
            assert!((volume - 1.0).abs() < 1e-9, "joint {i}: {volume}");
        }
    }
    assert!(most > 0.02, "nothing stretched: {most}");
    // Written without a reset it does not add up.
    let before = squash.pose.clone();
    let mut kept = squash.pose.clone();
    for _ in 0..50 {
        squashed.step(&skeleton, &mut kept, &mut squash.state, 0.0);
    }
    for joint in skeleton.iter() {
        assert!(kept.local(joint).scale.distance(before.local(joint).scale) < 1e-12);
        assert!(kept.position(joint).distance(before.position(joint)) < 1e-12);
    }
}

/// A child askew cannot carry the inverse scale whole, yet every place is right.
#[test]
fn squash_of_bent_shapes_keeps_places() {
    let mut builder = sinew::SkeletonBuilder::new();
    let turn = sinew::Rotation::about(DVec3::new(1.0, 0.3, 0.5), 0.7);
    let mut parent = builder.add(sinew::JointSpec::named("0"));
    for i in 1..6 {
        let spec = sinew::JointSpec::named(format!("{i}")).child_of(parent).translation(DVec3::Y * 0.1);
        let joint = builder.add(if i < 5 { spec.rotation(turn) } else { spec });
        if i == 2 {
            builder.add(sinew::JointSpec::named("aside").child_of(joint).translation(DVec3::new(0.05, 0.02, 0.0)));
        }
        parent = joint;
    }
    let skeleton = builder.build().unwrap();
    let [base, tip] = skeleton.joints(["0", "5"]).unwrap();
    let springs = Springs { gravity: DVec3::new(4.0, 7.0, 2.0), ..Springs::chain(&skeleton, base, tip).unwrap() };
    let springs = springs.each(|bone| Bone { stretch: 5e-4, stretch_damping: 2.0, ..bone }).tuned(&skeleton, 2.0, 0.3);
    let squashed = Springs { squash: true, ..springs.clone() };
    let (mut long, mut squash) = (Run::new(&skeleton), Run::new(&skeleton));
    for _ in 0..60 {
        long.frame(&springs, 1.0 / 60.0);
        squash.frame(&squashed, 1.0 / 60.0);
        for joint in skeleton.iter() {
            let off = long.pose.position(joint).distance(squash.pose.position(joint));
            // The joint aside is carried by the bone's turn about itself, which shear may change a little.
            let allowed = if skeleton.name(joint) == Some("aside") { 0.02 } else { 1e-9 };
            assert!(off < allowed, "{:?}: {off}", skeleton.name(joint));
        }
    }
}

/// A joint without a bone takes back the squash above it: what hangs on it does not do so again.
#[test]
fn a_joint_between_takes_back_a_squash_once() {
    let (skeleton, springs) = chain(4, 0.1);
    let mut springs = Springs { gravity: DVec3::Y * GRAVITY, squash: true, ..springs };
    springs.bones.remove(2);
    springs.bones[1].stretch = 5e-3;
    let mut run = Run::new(&skeleton);
    for _ in 0..60 {
        run.frame(&springs, 1.0 / 60.0);
        let [squashed, below] = [1, 3].map(|i| run.pose.model(joint(&skeleton, i)).matrix3.y_axis.length());
        assert!(squashed >= 1.0 && (below - 1.0).abs() < 1e-9, "{squashed} {below}");
    }
    assert!(run.tip().y > 0.41, "nothing stretched: {}", run.tip());
}
