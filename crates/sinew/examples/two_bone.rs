//! An arm follows a ball along a line, out of its reach and back: what the status says on the way.

use sinew::glam::DVec3;
use sinew::{Goal, Pole, Skeleton, Solver, TwoBone, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = Skeleton::from_lengths(&[0.30, 0.25])?;
    let [elbow, hand] = arm.joints(["joint_1", "joint_2"])?;
    let solver = TwoBone::ending_at(&arm, hand)?;
    let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
    println!("{:>8}  {:>8}  {:>12}  elbow", "ball x", "hand x", "status");
    for step in 0..=14 {
        let ball = DVec3::new(0.05 * f64::from(step), 0.1, 0.0);
        let goal = Goal::position(hand, ball).pole(Pole::Direction(DVec3::Y));
        let outcome = solver.solve(&arm, &[goal], &mut pose, &mut work);
        let height = pose.position(elbow).y;
        let bar: String = (0..30).take_while(|&i| f64::from(i) < height * 80.0).map(|_| '#').collect();
        println!("{:8.3}  {:8.3}  {:>12}  {bar}", ball.x, pose.position(hand).x, outcome.status);
    }
    Ok(())
}
