//! A neck of four joints looks at a ball; each takes a share, the head is exact. `cargo run -p sinew --example aim`

use sinew::glam::DVec3;
use sinew::{Aim, Goal, Skeleton, Solver, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let neck = Skeleton::from_lengths(&[0.1, 0.1, 0.1])?;
    let [base, head] = neck.joints(["joint_0", "joint_3"])?;
    let mut solver = Aim::over(&neck, base, head)?;
    // The head turns three times as much as each joint below it.
    solver.joints[3].share = 3.0;
    let (mut pose, mut work) = (neck.rest_pose(), Workspace::default());
    let ball = DVec3::new(0.5, 1.0, 0.3);
    let outcome = solver.solve(&neck, &[Goal::aim(head, DVec3::Y, ball)], &mut pose, &mut work);
    println!("{}, {:.1e} rad off", outcome.status, outcome.rotation_error);
    for joint in neck.iter() {
        let turn = pose.local(joint).rotation.angle_between(neck.rest(joint).rotation);
        println!("{:>8} turns by {:5.1} degrees", neck.name(joint).unwrap_or("-"), turn.to_degrees());
    }
    Ok(())
}
