//! A tail held out straight falls, swings and comes to rest. `cargo run -p sinew --example springs`

mod sketch;

use sinew::glam::DVec3;
use sinew::springs::{SpringState, Springs};
use sinew::{Rotation, Skeleton, Start};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tail = Skeleton::from_lengths(&[0.1; 6])?;
    let [base, tip] = tail.joints(["joint_0", "joint_6"])?;
    // Bends pull back to the shape that the animation gives. The whole chain swings at 1.5 Hz and loses most of it in two swings.
    let loose = Springs { gravity: DVec3::NEG_Y * 9.81, shape: Start::Given, ..Springs::chain(&tail, base, tip)? };
    let springs = loose.tuned(&tail, 1.5, 0.2);
    let (mut pose, mut state) = (tail.rest_pose(), SpringState::default());
    for frame in 0..=90 {
        pose.reset(&tail); // The animation of this frame: the tail straight out, along x.
        pose.edit(&tail).rotation(base, Rotation::about(DVec3::Z, -std::f64::consts::FRAC_PI_2));
        springs.step(&tail, &mut pose, &mut state, if frame == 0 { 0.0 } else { 1.0 / 60.0 });
        if frame % 15 == 0 {
            println!("{:.2} s: the tip is at {:.3}", f64::from(frame) / 60.0, pose.position(tip));
        }
    }
    sketch::draw(&tail, &pose, &[]);
    Ok(())
}
