//! The hind leg of a dog: the last link stands upright, whatever the hip does. `cargo run -p sinew --example three_link`

mod sketch;

use sinew::glam::DVec3;
use sinew::{Goal, Skeleton, Solver, ThreeLink, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let leg = Skeleton::from_lengths(&[0.3, 0.3, 0.2])?;
    let toes = leg.joint("joint_3")?;
    let solver = ThreeLink::ending_at(&leg, toes)?;
    let (mut pose, mut work) = (leg.rest_pose(), Workspace::default());
    for ahead in [-0.15, 0.1] {
        let place = DVec3::new(ahead, -0.6, 0.0);
        let goals = [Goal::position(toes, place).pole(DVec3::X), solver.direction(&leg, DVec3::NEG_Y)];
        let outcome = solver.solve(&leg, &goals, &mut pose, &mut work);
        println!("toes at x = {ahead}: {}", outcome.status);
        sketch::draw(&leg, &pose, &[place]);
    }
    Ok(())
}
