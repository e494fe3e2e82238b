//! What nobody puts in does not come out.

use sinew::glam::DVec3;
use sinew::springs::{Bone, Springs};

use super::{GRAVITY, Run, chain};

/// Energy of a chain whose shape is straight along +Y: of motion, of place, of bends and of stretch.
fn energy(run: &Run<'_>, springs: &Springs, length: f64) -> f64 {
    let (mut sum, mut place, mut before) = (0.0, DVec3::ZERO, DVec3::Y);
    for (end, bone) in run.state.particles().zip(&springs.bones) {
        sum += end.mass * (0.5 * end.velocity.length_squared() - springs.gravity.dot(end.position));
        let way = end.position - place;
        let stretch = way.length() - length;
        sum += (1.0 - before.dot(way.normalize())) / bone.bend;
        sum += if bone.stretch > 0.0 { 0.5 * stretch * stretch / bone.stretch } else { 0.0 };
        (place, before) = (end.position, way.normalize());
    }
    sum
}

/// Ten seconds of a chain that falls from its shape; the most its energy exceeds what it began with, as a share of what it
/// could win by falling straight down.
fn excess(springs: &Springs, skeleton: &sinew::Skeleton, length: f64) -> f64 {
    let mut run = Run::new(skeleton);
    run.frame(springs, 0.0);
    let first = energy(&run, springs, length);
    let fall: f64 = run.state.particles().map(|end| end.mass * GRAVITY * end.position.length()).sum();
    let mut most = f64::NEG_INFINITY;
    for _ in 0..2400 {
        run.frame(springs, 1.0 / 240.0);
        most = most.max(energy(&run, springs, length) - first);
    }
    most / fall
}

#[test]
fn a_falling_chain_never_gains_energy() {
    for count in [1, 2, 3, 10, 40] {
        let length = 1.0 / count as f64;
        let (skeleton, springs) = chain(count, length);
        let springs = Springs { gravity: DVec3::X * GRAVITY, ..springs };
        let loose = excess(&springs, &skeleton, length);
        let bent = excess(&springs.clone().tuned(&skeleton, 2.0, 0.0), &skeleton, length);
        let elastic = springs.each(|bone| Bone { mass: length, stretch: 1e-4, bend: 0.1, ..bone });
        let elastic = excess(&elastic, &skeleton, length);
        // Second-order steps let it waver by the square of the sub-step; it never grows.
        assert!(loose.max(bent) < 1e-5 && elastic < 5e-4, "{count} bones: {loose} {bent} {elastic}");
    }
}

#[test]
fn bones_keep_their_length_in_the_wildest_fall() {
    let (skeleton, springs) = chain(10, 0.1);
    let springs = Springs { gravity: DVec3::X * GRAVITY, ..springs };
    let mut run = Run::new(&skeleton);
    for _ in 0..600 {
        run.frame(&springs, 1.0 / 60.0);
        let mut place = DVec3::ZERO;
        for (end, _) in run.ends() {
            assert!((end.distance(place) / 0.1 - 1.0).abs() < 1e-4, "{}", end.distance(place));
            place = end;
        }
        // The pose itself keeps its translations bit for bit, and shows where the ends are.
        for joint in skeleton.iter() {
            assert_eq!(run.pose.local(joint).translation, skeleton.rest(joint).translation);
        }
    }
}

#[test]
fn ten_thousand_frames_at_rest_drift_nothing() {
    let (skeleton, springs) = chain(8, 0.1);
    let springs = Springs { gravity: DVec3::new(3.0, -9.0, 1.0), ..springs };
    let springs = springs
        .each(|bone| Bone { stretch: 1e-5, stretch_damping: 20.0, drag: 3.0, ..bone })
        .tuned(&skeleton, 3.0, 0.7);
    let mut run = Run::new(&skeleton);
    run.run(&springs, 60.0, 60.0);
    let before = run.pose.clone();
    run.run(&springs, 60.0, 10_000.0 / 60.0);
    for joint in skeleton.iter() {
        let drift = run.pose.position(joint).distance(before.position(joint));
        assert!(drift < 1e-10, "joint {}: {drift}", joint.index());
    }
    // Without anything that moves it the rest pose is left bit for bit.
    let still = Springs { gravity: DVec3::ZERO, ..springs };
    let mut run = Run::new(&skeleton);
    run.run(&still, 60.0, 20.0);
    for joint in skeleton.iter() {
        assert!(run.pose.position(joint).distance(skeleton.rest_pose().position(joint)) < 1e-15);
    }
}
