//! A clip of three poses: sampled, and how fast the hand goes. `cargo run -p sinew-motion --example wave`

use sinew::glam::DVec3;
use sinew::{Rotation, Skeleton};
use sinew_motion::Clip;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
    let [elbow, hand] = arm.joints(["joint_1", "joint_2"])?;
    let (rest, mut bent) = (arm.rest_pose(), arm.rest_pose());
    bent.edit(&arm).rotation(elbow, Rotation::about(DVec3::X, 1.2));
    let wave = Clip::new(&arm, vec![0.0, 0.5, 1.0], vec![rest.clone(), bent, rest])?;
    let mut pose = arm.rest_pose();
    for step in 0..=8 {
        let time = 0.125 * f64::from(step);
        wave.pose(&arm, time, &mut pose);
        println!("{time:.3} s: the hand is at {:.3}", pose.position(hand));
    }
    let (time, speed) = wave.resampled(&arm, 60.0)?.positions(hand).derivative(1).peak();
    println!("it is fastest at {time:.2} s: {speed:.3} m/s");
    Ok(())
}
