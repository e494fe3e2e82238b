//! Feet that lie over edges, and legs whose joints are scaled.

#![allow(clippy::unwrap_used, reason = "a test's own rig")]

use glam::DVec3;
use sinew::{Joint, JointSpec, Skeleton, SkeletonBuilder, Transform};
use sinew_motion::{Foot, Gait, GaitState, Ground, Leg, PathPoint, Plane, Stairs};

const PARTS: [&str; 5] = ["hip", "knee", "ankle", "ball", "tip"];

/// Two legs of five joints, 1 m high, with feet 0.3 m long; knees are scaled by this.
fn walker(scale: [f64; 3]) -> (Skeleton, [Vec<Joint>; 2]) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("body").translation([0.0, 1.0, 0.0]));
    for (side, x) in [("l", 0.15), ("r", -0.15)] {
        let places = [[x, 0.0, 0.0], [0.0, -0.45, 0.05], [0.0, -0.45, -0.1], [0.0, -0.08, 0.15], [0.0, 0.0, 0.15]];
        for (part, at) in places.into_iter().enumerate() {
            let above = if part == 0 { "body".to_owned() } else { format!("{}{side}", PARTS[part - 1]) };
            let joint = JointSpec::named(format!("{}{side}", PARTS[part])).child_of(above.as_str());
            let scale = if part == 1 { DVec3::from(scale) } else { DVec3::ONE };
            builder.add(joint.rest(Transform { translation: at.into(), scale, ..Transform::IDENTITY }));
        }
    }
    let skeleton = builder.build().unwrap();
    let joints = |side: &str| PARTS.map(|part| skeleton.joint(&format!("{part}{side}")).unwrap()).to_vec();
    let legs = [joints("l"), joints("r")];
    (skeleton, legs)
}

fn gait(skeleton: &Skeleton, joints: &[Vec<Joint>; 2]) -> Gait {
    let leg = |joints: &Vec<Joint>| Leg {
        joints: joints[..3].to_vec(),
        toe: Some(joints[3]),
        end: Some(joints[4]),
        apart: None,
    };
    Gait::new(skeleton, &joints.each_ref().map(leg), DVec3::Y, DVec3::Z, None).unwrap()
}

/// Walks ahead at a speed, and shows each frame.
fn walk(
    skeleton: &Skeleton,
    joints: &[Vec<Joint>; 2],
    ground: &dyn Ground,
    speed: f64,
    mut see: impl FnMut(&sinew::Pose, &GaitState),
) {
    let (gait, mut state) = (gait(skeleton, joints), GaitState::default());
    for frame in 0..720 {
        let velocity = DVec3::Z * speed;
        let position = velocity * (f64::from(frame) / 120.0);
        let point = PathPoint { position, forward: DVec3::Z, velocity, turning: 0.0 };
        let mut pose = skeleton.rest_pose();
        gait.step(skeleton, point, ground, &mut pose, &mut state, 1.0 / 120.0);
        see(&pose, &state);
    }
}

/// Feet that are longer than treads lie over their edges, and no part of their soles is in the steps.
#[test]
fn long_feet_lie_over_the_edges_of_steps() {
    let (skeleton, joints) = walker([1.0; 3]);
    for (rise, run) in [(0.1, 0.2), (0.08, 0.16), (-0.1, 0.2), (0.15, 0.3)] {
        let stairs = Stairs { start: DVec3::Z * 0.8, along: DVec3::Z, up: DVec3::Y, rise, run, steps: 30 };
        let mut deep = 0.0_f64;
        walk(&skeleton, &joints, &stairs, 0.8, |pose, state| {
            for (leg, _) in joints.iter().zip(state.feet()).filter(|(_, foot)| foot.contact().is_some()) {
                let [ball, tip] = [3, 4].map(|part| pose.position(leg[part]));
                for part in 0..=20 {
                    let at = ball.lerp(tip, f64::from(part) / 20.0);
                    deep = deep.max(stairs.below(at + DVec3::Y, DVec3::Y).unwrap().position.y - at.y);
                }
            }
        });
        println!("{rise} over {run}: {deep} m deep");
        assert!(deep < 5e-3, "{rise} over {run}: {deep} m deep");
    }
}

/// Legs whose joints are longer one way than another reach their feet all the same.
#[test]
fn legs_that_are_scaled_unevenly_reach_their_feet() {
    for scale in [[1.0; 3], [1.0, 1.1, 1.0], [1.0, 1.0, 1.3], [0.8, 1.1, 0.9]] {
        let (skeleton, joints) = walker(scale);
        let mut miss = 0.0_f64;
        walk(&skeleton, &joints, &Plane::new(DVec3::ZERO, DVec3::Y), 0.8, |pose, state| {
            for (leg, place) in joints.iter().zip(state.feet().iter().map(Foot::contact)) {
                miss = miss.max(place.map_or(0.0, |place| pose.position(leg[3]).distance(place)));
            }
        });
        println!("{scale:?}: {miss} m off");
        assert!(miss < 1e-4, "{scale:?}: {miss} m off");
    }
}

/// Feet that are bones of their own stand where their legs end, and lie along the ground.
#[test]
fn feet_apart_lie_along_the_ground() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root"));
    builder.add(JointSpec::named("body").child_of("root").translation([0.0, 1.0, 0.0]));
    for (side, x) in [("l", 0.15), ("r", -0.15)] {
        let name = |part: &str| format!("{part}{side}");
        let mut add = |part: &str, above: String, at: [f64; 3]| {
            builder.add(JointSpec::named(name(part)).child_of(above.as_str()).translation(at));
        };
        add("hip", "body".into(), [x, 0.0, 0.0]);
        add("knee", name("hip"), [0.0, -0.45, 0.1]);
        add("end", name("knee"), [0.0, -0.55, -0.1]);
        add("foot", "root".into(), [x, 0.0, 0.0]);
        add("tip", name("foot"), [0.0, 0.0, 0.3]);
    }
    let skeleton = builder.build().unwrap();
    let joint = |part: &str, side: &str| skeleton.joint(&format!("{part}{side}")).unwrap();
    let leg = |side: &str| Leg {
        joints: ["hip", "knee", "end"].map(|part| joint(part, side)).to_vec(),
        toe: Some(joint("tip", side)),
        end: None,
        apart: Some(joint("foot", side)),
    };
    let gait = Gait::new(&skeleton, &["l", "r"].map(leg), DVec3::Y, DVec3::Z, None).unwrap();
    let ground = Plane::new(DVec3::ZERO, DVec3::new(0.0, 1.0, -0.27).normalize());
    let (mut state, mut off, mut stood) = (GaitState::default(), 0.0_f64, 0);
    for frame in 0..480 {
        let velocity = DVec3::Z * 0.8;
        let position = velocity * (f64::from(frame) / 120.0);
        let point = PathPoint { position, forward: DVec3::Z, velocity, turning: 0.0 };
        let mut pose = skeleton.rest_pose();
        gait.step(&skeleton, point, &ground, &mut pose, &mut state, 1.0 / 120.0);
        for (foot, side) in state.feet().iter().zip(["l", "r"]) {
            let Some(place) = foot.contact() else { continue };
            let [heel, tip] = ["foot", "tip"].map(|part| pose.position(joint(part, side)));
            let under = ground.below(tip + DVec3::Y, DVec3::Y).unwrap().position.y;
            off = off.max(heel.distance(place)).max((tip.y - under).abs());
            stood += 1;
        }
    }
    println!("{off} m off in {stood} frames");
    assert!(off < 1e-9 && stood > 300, "{off} m off in {stood} frames");
}
