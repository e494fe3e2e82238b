//! Walks up and down stairs.

#![allow(clippy::unwrap_used, reason = "a test's own rig")]

use glam::DVec3;
use sinew::{Joint, JointSpec, SkeletonBuilder};
use sinew_motion::{Gait, GaitState, Ground, PathPoint, Stairs};

use crate::gait::{unknown, walker};

#[test]
fn walkers_climb_stairs_that_rise_by_more_than_a_step_in_a_stride() {
    for (pairs, rise) in [(1, 0.18), (1, -0.18), (2, 0.18), (4, 0.15)] {
        let (skeleton, legs) = walker(pairs);
        let gait = Gait::new(&skeleton, &unknown(&legs), DVec3::Y, DVec3::Z, None).unwrap();
        let start = DVec3::Z * 3.0;
        let stairs = Stairs { start, along: DVec3::Z, up: DVec3::Y, rise, run: 0.42, steps: 12 };
        let (mut state, mut off, mut fastest) = (GaitState::default(), 0.0_f64, 0.0_f64);
        let mut bodies = Vec::new();
        for frame in 0..700 {
            let velocity = DVec3::Z * 1.2;
            let position = velocity * (f64::from(frame) / 60.0);
            let point = PathPoint { position, forward: DVec3::Z, velocity, turning: 0.0 };
            let mut pose = skeleton.rest_pose();
            gait.step(&skeleton, point, &stairs, &mut pose, &mut state, 1.0 / 60.0);
            for place in state.feet().iter().filter_map(sinew_motion::Foot::contact) {
                let ground = stairs.below(place + DVec3::Y * 9.0, DVec3::Y).unwrap().position;
                off = off.max(place.distance(ground));
            }
            bodies.push(pose.position(skeleton.joint("body").unwrap()));
        }
        // Once it is on its way.
        for three in bodies[60..].windows(3) {
            fastest = fastest.max((three[2] - three[1] * 2.0 + three[0]).length() * 3600.0);
        }
        println!("{pairs} pairs, rise {rise}: {off} m off the treads, body {fastest} m/s2");
        assert!(off < 1e-6, "{pairs} pairs, rise {rise}: {off}");
        assert!(fastest < 50.0, "{pairs} pairs, rise {rise}: the body pops, {fastest} m/s2");
        let last = bodies[bodies.len() - 1];
        assert!((last.y - 1.0 - 12.0 * rise).abs() < 0.2, "{pairs} pairs, rise {rise}: {last}");
    }
}

/// Legs of a long and a short link, which fold no nearer than the difference: on stairs up which the body leans, feet that stand stay.
#[test]
fn legs_that_fold_little_do_not_slide_on_stairs() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("body").translation([0.0, 1.0, 0.0]));
    let mut names = Vec::new();
    for (pair, z) in [-0.7, 0.7].into_iter().enumerate() {
        for (side, x) in [("l", 0.2), ("r", -0.2)] {
            let parts = ["hip", "knee", "foot"].map(|part| format!("{part}{side}{pair}"));
            builder.add(JointSpec::named(&parts[0]).child_of("body").translation([x, 0.0, z]));
            builder.add(JointSpec::named(&parts[1]).child_of(parts[0].as_str()).translation([0.0, -0.16, 0.2]));
            builder.add(JointSpec::named(&parts[2]).child_of(parts[1].as_str()).translation([0.0, -0.84, -0.2]));
            names.push(parts);
        }
    }
    let skeleton = builder.build().unwrap();
    let joints = |parts: &[String; 3]| parts.iter().map(|name| skeleton.joint(name).unwrap()).collect();
    let legs: Vec<Vec<Joint>> = names.iter().map(joints).collect();
    let gait = Gait::new(&skeleton, &unknown(&legs), DVec3::Y, DVec3::Z, None).unwrap();
    let stairs = Stairs { start: DVec3::Z * 2.0, along: DVec3::Z, up: DVec3::Y, rise: 0.2, run: 0.42, steps: 12 };
    let (mut state, mut off, mut stretched) = (GaitState::default(), 0.0_f64, 0.0_f64);
    for frame in 0..500 {
        let velocity = DVec3::Z * 1.2;
        let point =
            PathPoint { position: velocity * (f64::from(frame) / 60.0), forward: DVec3::Z, velocity, turning: 0.0 };
        let mut pose = skeleton.rest_pose();
        gait.step(&skeleton, point, &stairs, &mut pose, &mut state, 1.0 / 60.0);
        for (leg, foot) in legs.iter().zip(state.feet()) {
            off = off.max(foot.contact().map_or(0.0, |place| pose.position(leg[2]).distance(place)));
            let long = pose.position(leg[0]).distance(pose.position(leg[1]))
                + pose.position(leg[1]).distance(pose.position(leg[2]));
            stretched = stretched.max(pose.position(leg[0]).distance(pose.position(leg[2])) / long);
        }
    }
    println!("{off} m off, stretched to {stretched}");
    assert!(off < 1e-9, "{off}");
    assert!(stretched < 0.994, "{stretched}");
}

/// Walks two legs at a speed over stairs that begin after 2 m, at 120 Hz, and shows each frame's state, place on the path and hips.
fn walk_stairs(rise: f64, run: f64, speed: f64, mut seen: impl FnMut(&GaitState, DVec3, DVec3)) {
    let (skeleton, legs) = walker(1);
    let gait = Gait::new(&skeleton, &unknown(&legs), DVec3::Y, DVec3::Z, None).unwrap();
    let body = skeleton.joint("body").unwrap();
    let stairs = Stairs { start: DVec3::Z * 2.0, along: DVec3::Z, up: DVec3::Y, rise, run, steps: 40 };
    let mut state = GaitState::default();
    for frame in 0..900 {
        let velocity = DVec3::Z * speed;
        let position = velocity * (f64::from(frame) / 120.0);
        let point = PathPoint { position, forward: DVec3::Z, velocity, turning: 0.0 };
        let mut pose = skeleton.rest_pose();
        gait.step(&skeleton, point, &stairs, &mut pose, &mut state, 1.0 / 120.0);
        seen(&state, position, pose.position(body));
    }
}

/// Up steep stairs strides are short, so that a body that must stay near the foot behind does not squat over the one ahead.
#[test]
fn bodies_do_not_squat_on_stairs() {
    for (rise, run) in [(0.17, 0.28), (0.1, 0.2)] {
        let mut low = f64::INFINITY;
        walk_stairs(rise, run, 1.1, |state, position, hips| {
            // Over a foot that stands alone, with the body past it.
            let mut standing = state.feet().iter().filter_map(sinew_motion::Foot::contact);
            if let (Some(at), None) = (standing.next(), standing.next())
                && at.z < position.z
            {
                low = low.min(hips.y - at.y);
            }
        });
        println!("{rise} over {run}: hips {low} m over the foot");
        assert!(low > 0.66, "{rise} over {run}: {low}");
    }
}

/// Down stairs feet land under the body or ahead of it, and none is left more than two treads behind.
#[test]
fn two_legs_go_down_stairs_over_their_feet() {
    for speed in [0.6, 1.1] {
        let (mut ahead, mut behind, mut landings) = (0.0, 0.0_f64, 0.0);
        let mut stood = [true; 2];
        walk_stairs(-0.17, 0.28, speed, |state, position, _| {
            for (foot, stood) in state.feet().iter().zip(&mut stood) {
                let place = foot.contact();
                if let Some(off) = place.map(|place| place.z - position.z).filter(|_| position.z > 2.5) {
                    behind = behind.max(-off);
                    (ahead, landings) = if *stood { (ahead, landings) } else { (ahead + off, landings + 1.0) };
                }
                *stood = place.is_some();
            }
        });
        ahead /= landings;
        println!("at {speed} m/s: {landings} landings {ahead} m ahead in the mean, feet {behind} m behind at most");
        assert!(ahead > 0.0 && behind < 0.55, "at {speed} m/s: {ahead} {behind}");
    }
}

/// The body rides stairs without jolts.
#[test]
fn bodies_ride_stairs_smoothly() {
    for rise in [0.17, -0.17] {
        for speed in [0.6, 1.1] {
            let (mut bodies, mut peak) = (Vec::new(), 0.0_f64);
            walk_stairs(rise, 0.28, speed, |_, _, hips| bodies.push(hips));
            for three in bodies[60..].windows(3) {
                peak = peak.max((three[2] - three[1] * 2.0 + three[0]).length() * 14400.0);
            }
            println!("rise {rise} at {speed} m/s: {peak} m/s2");
            assert!(peak < 12.0, "rise {rise} at {speed} m/s: {peak} m/s2");
        }
    }
}
