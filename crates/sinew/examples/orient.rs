//! The arm goes where it must, and the hand stays level: a limb, then one joint. `cargo run -p sinew --example orient`

use sinew::glam::{DQuat, DVec3};
use sinew::{Goal, Orient, Sequence, Skeleton, Solver, TwoBone, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
    let hand = arm.joint("joint_2")?;
    let solver = Sequence::new().then(TwoBone::ending_at(&arm, hand)?).then(Orient { joint: hand });
    let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
    for height in [-0.2, 0.0, 0.2] {
        let place = Goal::position(hand, DVec3::new(0.35, height, 0.0));
        let level = Goal::rotation(hand, DQuat::IDENTITY).base(hand);
        let outcome = solver.solve(&arm, &[place, level], &mut pose, &mut work);
        let tilt = pose.rotation(hand).angle_between(DQuat::IDENTITY).to_degrees();
        println!("hand at {:.2}: {}, tilted by {tilt:.1e} degrees", pose.position(hand), outcome.status);
    }
    Ok(())
}
