//! Two goals for the same joints: the hand's frame first, the elbow's place as far as that lets it.
//! `cargo run -p sinew --example jacobian`

mod sketch;

use sinew::glam::{DQuat, DVec3};
use sinew::{Goal, Jacobian, Skeleton, Solver, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = Skeleton::from_lengths(&[0.2; 5])?;
    let [elbow, hand] = arm.joints(["joint_3", "joint_5"])?;
    let (place, high) = (DVec3::new(0.6, 0.2, 0.0), DVec3::new(0.3, 0.5, 0.0));
    let goals = [Goal::frame(hand, place, DQuat::from_rotation_z(-1.0)), Goal::position(elbow, high).priority(1)];
    let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
    let outcome = Jacobian::default().solve(&arm, &goals, &mut pose, &mut work);
    println!("{} steps", outcome.iterations);
    for (name, residual) in ["hand", "elbow"].iter().zip(work.residuals()) {
        println!("{name:>5}: {}, {:.1e} m off", residual.status, residual.position_error());
    }
    sketch::draw(&arm, &pose, &[place, high]);
    Ok(())
}
