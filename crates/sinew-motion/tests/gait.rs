//! Legs that walk: standing feet stay, neighbours take turns, nothing is torn, and frames of any rate show the same.

#![allow(clippy::unwrap_used, reason = "a test's own rig")]

use glam::DVec3;
use sinew::{Joint, JointSpec, Skeleton, SkeletonBuilder};
use sinew_motion::{Gait, GaitState, Ground, GroundPoint, Leg, PathPoint, Stairs};

/// A body on pairs of legs with two links, 1 m high.
pub(crate) fn walker(pairs: usize) -> (Skeleton, Vec<Vec<Joint>>) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("body").translation([0.0, 1.0, 0.0]));
    let mut names = Vec::new();
    for pair in 0..pairs {
        let z = 0.9 * (pair as f64 - 0.5 * (pairs as f64 - 1.0));
        for (side, x) in [("l", 0.2), ("r", -0.2)] {
            let parts = ["hip", "knee", "foot"].map(|part| format!("{part}{side}{pair}"));
            builder.add(JointSpec::named(&parts[0]).child_of("body").translation([x, 0.0, z]));
            builder.add(JointSpec::named(&parts[1]).child_of(parts[0].as_str()).translation([0.0, -0.5, 0.2]));
            builder.add(JointSpec::named(&parts[2]).child_of(parts[1].as_str()).translation([0.0, -0.5, -0.2]));
            names.push(parts);
        }
    }
    let skeleton = builder.build().unwrap();
    let joints = |parts: &[String; 3]| parts.iter().map(|name| skeleton.joint(name).unwrap()).collect();
    let legs = names.iter().map(joints).collect();
    (skeleton, legs)
}

/// Legs whose feet are told by their shape.
pub(crate) fn unknown(legs: &[Vec<Joint>]) -> Vec<Leg> {
    legs.iter().cloned().map(Leg::from).collect()
}

pub(crate) fn hills(seed: f64) -> impl Fn(DVec3, DVec3) -> Option<GroundPoint> {
    move |point: DVec3, _: DVec3| {
        let (x, z) = (2.1 * point.x + seed, 1.7 * point.z + 2.0 * seed);
        let position = DVec3::new(point.x, 0.06 * (x.sin() + z.sin()), point.z);
        let normal = DVec3::new(-0.126 * x.cos(), 1.0, -0.102 * z.cos()).normalize();
        Some(GroundPoint { position, normal, part: 0 })
    }
}

/// Sets out, walks in a wide curve, stops.
fn path(time: f64) -> PathPoint {
    let come = |t: f64| {
        let ramp = |t: f64| {
            if t < 0.0 {
                0.0
            } else if t < 1.0 {
                0.5 * t * t
            } else {
                t - 0.5
            }
        };
        1.1 * (ramp(t) - ramp(t - 5.0))
    };
    let place = |t: f64| {
        let angle = come(t) / 6.0;
        DVec3::new(6.0 * (1.0 - angle.cos()), 0.0, 6.0 * angle.sin())
    };
    let (angle, h) = (come(time) / 6.0, 1e-5);
    PathPoint {
        position: place(time),
        forward: DVec3::new(angle.sin(), 0.0, angle.cos()),
        velocity: (place(time + h) - place(time - h)) / (2.0 * h),
        turning: (come(time + h) - come(time - h)) / (12.0 * h),
    }
}

#[test]
fn standing_feet_stay_and_neighbours_take_turns() {
    for pairs in 1..=4 {
        let (skeleton, legs) = walker(pairs);
        let gait = Gait::new(&skeleton, &unknown(&legs), DVec3::Y, DVec3::Z, None).unwrap();
        let mut forced = 0;
        for seed in [0.0, 1.3, 2.9] {
            let (ground, mut state) = (hills(seed), GaitState::default());
            let mut before: Vec<Option<(DVec3, u32)>> = vec![None; legs.len()];
            for frame in 0..500 {
                let mut pose = skeleton.rest_pose();
                gait.step(&skeleton, path(f64::from(frame) / 60.0), &ground, &mut pose, &mut state, 1.0 / 60.0);
                for (leg, foot) in state.feet().iter().enumerate() {
                    let now = foot.contact().map(|_| (pose.position(legs[leg][2]), foot.steps()));
                    if let (Some((was, steps)), Some((is, same))) = (before[leg], now) {
                        assert!(steps != same || was.distance(is) < 1e-12, "{pairs} pairs, leg {leg}: {was} {is}");
                    }
                    before[leg] = now;
                    let torn = gait.neighbours(leg).iter().any(|&next| state.feet()[next].contact().is_none());
                    let any_forced = state.feet().iter().any(|foot| foot.forced() > 0);
                    assert!(any_forced || foot.contact().is_some() || !torn, "{pairs} pairs, leg {leg}");
                    let left = (pose.position(legs[leg][2]) - path(f64::from(frame) / 60.0).position)
                        .dot(DVec3::Y.cross(path(f64::from(frame) / 60.0).forward));
                    assert!(left * if leg % 2 == 0 { 1.0 } else { -1.0 } > 0.0, "{pairs} pairs, leg {leg} crosses");
                }
            }
            forced += state.feet().iter().map(sinew_motion::Foot::forced).sum::<u32>();
            let steps: Vec<_> = state.feet().iter().map(|foot| (foot.steps(), foot.contact())).collect();
            assert!(steps.iter().all(|(steps, contact)| *steps > 3 && contact.is_some()), "{pairs} pairs: {steps:?}");
            assert!(state.is_resting(), "{pairs} pairs");
        }
        println!("{pairs} pairs: {forced} forced");
    }
}

#[test]
fn frames_of_any_rate_show_the_same_walk() {
    let (skeleton, legs) = walker(2);
    let gait = Gait::new(&skeleton, &unknown(&legs), DVec3::Y, DVec3::Z, None).unwrap();
    let at = |rate: u32| {
        let (ground, mut state, mut pose) = (hills(0.4), GaitState::default(), skeleton.rest_pose());
        for frame in 0..=4 * rate {
            pose = skeleton.rest_pose();
            let dt = if frame == 0 { 0.0 } else { 1.0 / f64::from(rate) };
            gait.step(&skeleton, path(f64::from(frame) / f64::from(rate)), &ground, &mut pose, &mut state, dt);
        }
        pose
    };
    let (slow, quick) = (at(30), at(240));
    for leg in &legs {
        let apart = slow.position(leg[2]).distance(quick.position(leg[2]));
        assert!(apart < 0.02, "{apart}");
    }
    let root = skeleton.joint("body").unwrap();
    assert!(slow.position(root).distance(quick.position(root)) < 0.005);
}

#[test]
fn steps_after_the_first_do_not_allocate() {
    let (skeleton, legs) = walker(3);
    let gait = Gait::new(&skeleton, &unknown(&legs), DVec3::Y, DVec3::Z, None).unwrap();
    let (ground, mut state, rest) = (hills(0.4), GaitState::default(), skeleton.rest_pose());
    let mut pose = rest.clone();
    gait.step(&skeleton, path(0.0), &ground, &mut pose, &mut state, 0.0);
    let counted = allocation_counter::measure(|| {
        for frame in 1..400 {
            pose.clone_from(&rest);
            gait.step(&skeleton, path(f64::from(frame) / 60.0), &ground, &mut pose, &mut state, 1.0 / 60.0);
        }
    });
    assert_eq!(counted.count_total, 0);
    assert!(state.feet().iter().all(|foot| foot.steps() > 2));
}

/// A low body on pairs of legs that reach aside: a coxa that turns about up, over and down.
fn insect(pairs: usize) -> (Skeleton, Vec<Vec<Joint>>) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("body").translation([0.0, 0.5, 0.0]));
    let mut names = Vec::new();
    for pair in 0..pairs {
        let along = if pairs > 1 { pair as f64 / (pairs as f64 - 1.0) - 0.5 } else { 0.0 };
        for (side, x) in [("l", 1.0), ("r", -1.0)] {
            let (sine, cosine) = (1.2 * along).sin_cos();
            let out = |far: f64, high: f64| [x * far * cosine, high, far * sine];
            let parts = ["coxa", "femur", "tibia", "tip"].map(|part| format!("{part}{side}{pair}"));
            let at = [[0.15 * x, 0.0, 0.25 * pairs as f64 * along], out(0.1, 0.0), out(0.4, 0.3), out(0.3, -0.8)];
            for part in 0..4 {
                let above = if part == 0 { "body" } else { parts[part - 1].as_str() };
                builder.add(JointSpec::named(&parts[part]).child_of(above).translation(at[part]));
            }
            names.push(parts);
        }
    }
    let skeleton = builder.build().unwrap();
    let legs = names.iter().map(|parts| parts.iter().map(|name| skeleton.joint(name).unwrap()).collect()).collect();
    (skeleton, legs)
}

/// Stands, turns on the spot, walks ahead, then aside in a curve, stops.
pub(crate) fn errand(time: f64) -> PathPoint {
    let ease = |from: f64, to: f64| {
        let x = ((time - from) / (to - from)).clamp(0.0, 1.0);
        [x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x) / (to - from)]
    };
    let [turned, turning] = ease(0.5, 2.5);
    let [ahead, speed] = ease(3.0, 5.5);
    let [aside, drift] = ease(5.5, 8.0);
    let angle = 1.5 * turned;
    let [forward, left] =
        [0.0, std::f64::consts::FRAC_PI_2].map(|more: f64| DVec3::new((angle + more).sin(), 0.0, (angle + more).cos()));
    PathPoint {
        position: forward * (1.5 * ahead) + left * aside,
        forward,
        velocity: forward * (1.5 * speed) + left * drift,
        turning: 1.5 * turning,
    }
}

#[test]
fn six_eight_and_ten_legs_turn_and_go_aside_and_never_cross() {
    for pairs in [3, 4, 5] {
        let (skeleton, legs) = insect(pairs);
        let gait = Gait::new(&skeleton, &unknown(&legs), DVec3::Y, DVec3::Z, None).unwrap();
        let body = skeleton.joint("body").unwrap();
        for seed in [0.0, 1.3, 2.9] {
            let (ground, mut state) = (hills(seed), GaitState::default());
            let mut before: Vec<Option<(DVec3, u32)>> = vec![None; legs.len()];
            let (mut bodies, mut longest) = (Vec::new(), 0.0_f64);
            for frame in 0..1320 {
                let mut pose = skeleton.rest_pose();
                gait.step(&skeleton, errand(f64::from(frame) / 120.0), &ground, &mut pose, &mut state, 1.0 / 120.0);
                for (leg, foot) in state.feet().iter().enumerate() {
                    let at = |joint: usize| pose.position(legs[leg][joint]);
                    let now = foot.contact().map(|_| (at(3), foot.steps()));
                    if let (Some((was, steps)), Some((is, same))) = (before[leg], now) {
                        assert!(steps != same || was.distance(is) < 1e-9, "{pairs} pairs, leg {leg} slides");
                    }
                    before[leg] = now;
                    let bones = at(1).distance(at(2)) + at(2).distance(at(3));
                    longest = longest.max(at(1).distance(at(3)) / bones);
                    for other in 0..leg {
                        let line = [legs[leg][0], legs[leg][3]].map(|joint| pose.position(joint));
                        let its = [legs[other][0], legs[other][3]].map(|joint| pose.position(joint));
                        assert!(!cross(line, its), "{pairs} pairs: {leg} and {other} cross in frame {frame}");
                    }
                }
                bodies.push(pose.position(body));
            }
            let jolt = |three: &[DVec3]| (three[2] - three[1] * 2.0 + three[0]).length() * 14_400.0;
            let most = bodies.windows(3).map(jolt).fold(0.0, f64::max);
            println!("{pairs} pairs, seed {seed}: body {most} m/s2, stretched to {longest}");
            assert!(most < 20.0, "{pairs} pairs: the body pops, {most} m/s2");
            assert!(longest < 0.994, "{pairs} pairs: stretched to {longest}");
            let steps: Vec<_> = state.feet().iter().map(|foot| (foot.steps(), foot.forced())).collect();
            let taken = steps.iter().all(|(steps, forced)| *steps > 3 && *forced == 0);
            assert!(state.is_resting() && taken, "{pairs} pairs: {steps:?}");
        }
    }
}

/// Whether two lines cross, seen from above.
pub(crate) fn cross(one: [DVec3; 2], other: [DVec3; 2]) -> bool {
    let side = |line: [DVec3; 2], at: DVec3| (line[1] - line[0]).cross(at - line[0]).y;
    side(one, other[0]) * side(one, other[1]) < 0.0 && side(other, one[0]) * side(other, one[1]) < 0.0
}

/// Feet that swing go over the edges of steps, also where the walk is quick and they land elsewhere than they set out for.
#[test]
fn feet_do_not_swing_through_steps() {
    for (pairs, speed) in [(1, 1.2), (1, 1.8), (2, 1.2), (3, 0.8)] {
        let (skeleton, legs) = walker(pairs);
        let gait = Gait::new(&skeleton, &unknown(&legs), DVec3::Y, DVec3::Z, None).unwrap();
        let (start, along) = (DVec3::Z * 2.0, DVec3::new(0.5, 0.0, 1.0).normalize());
        let stairs = Stairs { start, along, up: DVec3::Y, rise: 0.17, run: 0.4, steps: 9 };
        let (mut state, mut deep) = (GaitState::default(), 0.0_f64);
        for frame in 0..960 {
            let time = f64::from(frame) / 120.0;
            let ease = (time / 0.8).min(1.0);
            let come = speed * if time < 0.8 { 0.5 * ease * time } else { time - 0.4 };
            let point = PathPoint {
                position: DVec3::Z * come,
                forward: DVec3::Z,
                velocity: DVec3::Z * (speed * ease),
                turning: 0.0,
            };
            let mut pose = skeleton.rest_pose();
            gait.step(&skeleton, point, &stairs, &mut pose, &mut state, 1.0 / 120.0);
            for leg in &legs {
                let at = pose.position(leg[2]);
                let height = |at: DVec3| stairs.below(at + DVec3::Y * 9.0, DVec3::Y).unwrap().position.y;
                // Up, or back out of the riser.
                deep = deep.max((height(at) - at.y).min(1e3).min(beside(&stairs, at)));
            }
        }
        println!("{pairs} pairs at {speed}: {deep} m deep");
        assert!(deep < 5e-3, "{pairs} pairs at {speed}: {deep} m deep");
    }
}

/// How far a point has come into the riser behind which it is; a step's depth where it is over the tread.
fn beside(stairs: &Stairs, at: DVec3) -> f64 {
    let ahead = (at - stairs.start).dot(stairs.along);
    ahead - (ahead / stairs.run).floor().clamp(0.0, f64::from(stairs.steps) - 1.0) * stairs.run
}
