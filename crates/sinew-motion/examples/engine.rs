//! Planted feet on a skeleton of an engine's own: its bones go in once, its pose goes in and comes out every frame.
//!
//! `cargo run -p sinew-motion --example engine`

use sinew::glam::{DQuat, DVec3};
use sinew::{JointSpec, SkeletonBuilder, Transform};
use sinew_motion::{Feet, FeetSettings, FeetState, FeetStep, GroundPoint, Leg};

/// A bone as an engine has it: its parent's number, and its transform relative to it.
struct Bone {
    name: &'static str,
    parent: Option<usize>,
    place: DVec3,
    rotation: DQuat,
}

/// The engine's skeleton at rest.
fn bones() -> Vec<Bone> {
    let bone = |name, parent, place: [f64; 3]| Bone { name, parent, place: place.into(), rotation: DQuat::IDENTITY };
    vec![
        bone("pelvis", None, [0.0, 0.95, 0.0]),
        bone("thigh_l", Some(0), [0.1, 0.0, 0.0]),
        bone("calf_l", Some(1), [0.0, -0.43, 0.03]),
        bone("foot_l", Some(2), [0.0, -0.43, -0.03]),
        bone("ball_l", Some(3), [0.0, -0.07, 0.14]),
        bone("thigh_r", Some(0), [-0.1, 0.0, 0.0]),
        bone("calf_r", Some(5), [0.0, -0.43, 0.03]),
        bone("foot_r", Some(6), [0.0, -0.43, -0.03]),
        bone("ball_r", Some(7), [0.0, -0.07, 0.14]),
    ]
}

/// The engine's ray cast: here a ramp that rises ahead.
fn ray_cast(from: DVec3, up: DVec3) -> Option<GroundPoint> {
    let normal = DVec3::new(0.0, 1.0, -0.25).normalize();
    let away = from.dot(normal) / up.dot(normal);
    (away >= 0.0).then_some(GroundPoint { position: from - up * away, normal, part: 0 })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Once: the skeleton, in the engine's order, and the legs.
    let mut engine = bones();
    let mut builder = SkeletonBuilder::new();
    for bone in &engine {
        let joint = JointSpec::named(bone.name).translation(bone.place).rotation(bone.rotation);
        builder.add(match bone.parent {
            Some(parent) => joint.child_of(parent),
            None => joint,
        });
    }
    let skeleton = builder.build()?;
    let leg = |side: &str| -> Result<Leg, sinew::NameError> {
        let joint = |name: &str| skeleton.joint(&format!("{name}_{side}"));
        let joints = vec![joint("thigh")?, joint("calf")?, joint("foot")?];
        Ok(Leg { joints, toe: Some(joint("ball")?), end: None, apart: None })
    };
    let rest = skeleton.rest_pose();
    let feet = Feet::new(&skeleton, &[leg("l")?, leg("r")?], &rest, None, FeetSettings::default());
    let feet = feet.ok_or("no legs")?;
    // A character: a pose to work in, and its state.
    let (mut pose, mut state) = (rest.clone(), FeetState::default());
    for frame in 0..120 {
        // The engine's animation; here it stands and sways.
        engine[0].place = DVec3::new(0.02 * (0.1 * f64::from(frame)).sin(), 0.94, 0.0);
        let mut edit = pose.edit(&skeleton);
        for (number, bone) in engine.iter().enumerate() {
            let joint = skeleton.from_caller(number).ok_or("a bone of the skeleton")?;
            let local = Transform { translation: bone.place, rotation: bone.rotation, ..*skeleton.rest(joint) };
            edit.local(joint, local);
        }
        drop(edit);
        let dt = if frame == 0 { 0.0 } else { 1.0 / 60.0 };
        feet.step(&skeleton, &mut pose, &ray_cast, FeetStep { dt, ..FeetStep::default() }, &mut state);
        // What the engine draws: the same bones, relative to their parents.
        if frame % 30 == 0 {
            for (number, bone) in engine.iter().enumerate().filter(|(_, bone)| bone.name.starts_with("foot")) {
                let joint = skeleton.from_caller(number).ok_or("a bone of the skeleton")?;
                let (local, at) = (pose.local(joint), pose.position(joint));
                println!("frame {frame}: {} at {at:.3}, turned by {:.3}", bone.name, local.rotation);
            }
        }
    }
    Ok(())
}
