//! A robot of six axes draws a line with its tool pointing down, without a jump: `cargo run -p sinew-arm --example robot_path`.

use std::f64::consts::PI;

use sinew::glam::{DQuat, DVec3};
use sinew_arm::{Arm, PathOptions, PoseTarget};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = sinew_urdf::parse(include_str!("../../../rigs/arm6.urdf"))?;
    let skeleton = &robot.skeleton;
    let base = skeleton.roots().next().ok_or("no root")?;
    let arm = Arm::new(skeleton, base, robot.tips().next().ok_or("no tip")?)?;

    // Sixty frames across a table, a third of the robot's reach ahead and low.
    let size = arm.length();
    let down = DQuat::from_rotation_x(PI);
    let place = |i: u32| DVec3::new(0.35, 0.01 * f64::from(i) - 0.3, 0.1) * size;
    let frames: Vec<PoseTarget> = (0..60).map(|i| PoseTarget::frame(place(i), down)).collect();

    let seed = vec![0.0; arm.coordinates().len()];
    let way = arm.path(&frames, &seed, &PathOptions::default());
    println!("{}: {} frames missed, {} jumps", robot.name, way.missed.len(), way.jumps.len());
    for (frame, joints) in way.coordinates.chunks(seed.len()).enumerate().step_by(10) {
        let degrees: Vec<String> = joints.iter().map(|q| format!("{:7.1}", q.to_degrees())).collect();
        println!("frame {frame:2} {}", degrees.join(" "));
    }
    Ok(())
}
