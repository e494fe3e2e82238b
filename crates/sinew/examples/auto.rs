//! One solver for whatever the goals are: a limb, a tentacle, a look. `cargo run -p sinew --example auto`

use sinew::glam::DVec3;
use sinew::{Auto, Goal, Skeleton, Solver, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
    let tentacle = Skeleton::from_lengths(&[0.1; 12])?;
    let (hand, tip, middle) = (arm.joint("joint_2")?, tentacle.joint("joint_12")?, tentacle.joint("joint_6")?);
    let place = DVec3::new(0.2, 0.3, 0.1);
    let problems = [
        ("a hand at a place", &arm, vec![Goal::position(hand, place).pole(DVec3::Z)]),
        ("a tip at a place", &tentacle, vec![Goal::position(tip, place)]),
        ("two places", &tentacle, vec![Goal::position(tip, place), Goal::position(middle, DVec3::new(0.3, 0.1, 0.0))]),
        ("a look", &tentacle, vec![Goal::aim(tip, DVec3::Y, DVec3::new(2.0, 1.0, 0.0))]),
        ("out of reach", &arm, vec![Goal::position(hand, DVec3::ONE)]),
    ];
    for (name, skeleton, goals) in problems {
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let outcome = Auto::default().solve(skeleton, &goals, &mut pose, &mut work);
        let (status, left) = (outcome.status.name(), outcome.position_error);
        println!("{name:>18}: {status:>12}, {:2} passes, {left:.1e} m off", outcome.iterations);
    }
    Ok(())
}
