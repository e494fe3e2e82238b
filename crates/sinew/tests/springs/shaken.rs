//! Chains on bodies that shake and turn at random: what the body does not put in does not come out.

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::springs::{Bone, Springs};
use sinew::{JointSpec, Kind, Skeleton, SkeletonBuilder, Transform};

use super::{GRAVITY, Run};

/// A body two metres across that carries a chain of so long bones on joints of these kinds.
fn carried(bones: &[(f64, Kind)]) -> (Skeleton, Springs) {
    let mut builder = SkeletonBuilder::new();
    let body = builder.add(JointSpec::named("body"));
    let (mut parent, mut way) = (body, DVec3::ZERO);
    for (number, &(length, kind)) in bones.iter().enumerate() {
        let spec = JointSpec::named(format!("{number}")).child_of(parent).translation(way).kind(kind);
        (parent, way) = (builder.add(spec), DVec3::Y * length);
    }
    builder.add(JointSpec::named("tip").child_of(parent).translation(way));
    builder.add(JointSpec::named("far").child_of(body).translation(DVec3::X * 2.0));
    let skeleton = builder.build().unwrap();
    let [base, tip] = skeleton.joints(["0", "tip"]).unwrap();
    let springs = Springs::chain(&skeleton, base, tip).unwrap();
    (skeleton, Springs { gravity: DVec3::NEG_Y * GRAVITY, ..springs })
}

/// Twenty seconds on a body that shakes by so many metres and turns by so many radians a frame: how far an end comes from
/// the body, and how fast one becomes.
fn shaken((skeleton, springs): &(Skeleton, Springs), shake: f64, turn: f64, seed: u64) -> (f64, f64) {
    let mut rng = Rng::with_seed(seed);
    let body = skeleton.joint("body").unwrap();
    let (mut run, mut rotation) = (Run::new(skeleton), DQuat::IDENTITY);
    let (mut farthest, mut fastest) = (0.0_f64, 0.0_f64);
    for _ in 0..1200 {
        let mut aside = |size: f64| (DVec3::new(rng.f64(), rng.f64(), rng.f64()) * 2.0 - 1.0) * size;
        rotation = (rotation * DQuat::from_scaled_axis(aside(turn))).normalize();
        let translation = aside(shake);
        run.moved(springs, 1.0 / 60.0, |pose| {
            pose.edit(skeleton).local(body, Transform { translation, rotation, ..Transform::IDENTITY });
        });
        for (place, velocity) in run.ends() {
            // A number that is none is farther than any.
            assert!(place.is_finite() && velocity.is_finite());
            farthest = farthest.max(place.distance(translation));
            fastest = fastest.max(velocity.length());
        }
    }
    (farthest, fastest)
}

#[test]
fn a_heavy_end_on_a_stretchy_bone_stays() {
    for (mass, stretch) in [(1.0, 1e-5), (30.0, 1e-5), (100.0, 1e-5), (100.0, 1e-6), (1000.0, 1e-7)] {
        let (skeleton, mut springs) = carried(&[(0.1, Kind::BALL); 2]);
        springs = springs.each(|bone| Bone { bend: 0.1, ..bone });
        springs.bones[1] = Bone { mass, stretch, ..springs.bones[1] };
        let chain = (skeleton, springs);
        for shake in [0.0, 0.005, 0.02] {
            // Falling from above to below the body it stretches by `sqrt(4 m g l · stretch)`; the body adds to it at random.
            let drop = (4.0 * mass * GRAVITY * 0.2 * stretch).sqrt();
            let (farthest, fastest) = shaken(&chain, shake, 0.0, 3);
            assert!(farthest < 0.2 + 1.5 * drop + 10.0 * shake, "{mass} kg, {stretch} m/N, {shake} m: {farthest} m");
            assert!(fastest < 5.0 + 3000.0 * shake, "{mass} kg, {stretch} m/N, {shake} m: {fastest} m/s");
        }
    }
}

#[test]
fn loose_chains_with_hinges_swing_like_those_without() {
    let (across, along) = (Kind::hinge(DVec3::X), Kind::hinge(DVec3::Y));
    for (kind, length) in
        [(Kind::BALL, 0.1), (across, 0.1), (across.within(0.0, 2.6), 0.1), (along, 0.1), (across, 0.0), (along, 0.0)]
    {
        let chain = carried(&[(0.1, Kind::BALL), (length, kind), (0.1, Kind::BALL)]);
        for (turn, seed) in [(0.02, 0), (0.1, 1), (0.2, 2), (0.5, 3)] {
            let (farthest, fastest) = shaken(&chain, 0.0, turn, seed);
            assert!(farthest < (0.2 + length) * (1.0 + 1e-9), "{kind:?} of {length} m, {turn}: {farthest} m");
            // Nothing but its own fall of twice its length drives it; the last bone may crack a little.
            let fall = (4.0 * GRAVITY * (0.2 + length)).sqrt();
            assert!(fastest < 1.8 * fall, "{kind:?} of {length} m, {turn}: {fastest} m/s, fall {fall} m/s");
        }
    }
}
