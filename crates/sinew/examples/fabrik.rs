//! A tentacle of twelve bones reaches for a place; one round is exact. `cargo run -p sinew --example fabrik`

mod sketch;

use sinew::glam::DVec3;
use sinew::{Fabrik, Goal, Skeleton, Solver, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tentacle = Skeleton::from_lengths(&[0.1; 12])?;
    let tip = tentacle.joint("joint_12")?;
    let (mut pose, mut work) = (tentacle.rest_pose(), Workspace::default());
    let place = DVec3::new(0.2, 0.5, 0.0);
    let outcome = Fabrik::default().solve(&tentacle, &[Goal::position(tip, place)], &mut pose, &mut work);
    println!("{} after {} passes, {:.1e} m off", outcome.status, outcome.iterations, outcome.position_error);
    sketch::draw(&tentacle, &pose, &[place]);
    Ok(())
}
