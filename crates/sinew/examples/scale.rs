//! An arm twice as long, of which the upper arm may be 1.2 times as long at most: the rest falls to the joints below.
//! `cargo run -p sinew --example scale`

use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::solve::scale::Limit;
use sinew::{Goal, ScaleTarget, Skeleton, Solver, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
    let [upper, hand] = arm.joints(["joint_0", "joint_2"])?;
    let solver = ScaleTarget { limits: vec![Limit::new(upper, Range::new(0.8, 1.2))], ..ScaleTarget::default() };
    let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
    let outcome = solver.solve(&arm, &[Goal::scale(hand, DVec3::splat(2.0))], &mut pose, &mut work);
    println!("{}: the hand is at {:.3}", outcome.status, pose.position(hand));
    for joint in arm.iter() {
        println!("{:>8} scaled by {:.4}", arm.name(joint).unwrap_or("-"), pose.local(joint).scale.x);
    }
    Ok(())
}
