//! Brings the tool of a robot arm to a frame and prints its joints: `cargo run -p sinew-urdf --example arm -- my.urdf tool0`.
//! Without arguments it takes the arm of this repository.

use sinew::glam::{DQuat, DVec3};
use sinew::{Goal, Jacobian, Solver, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let robot = match arguments.next() {
        Some(path) => sinew_urdf::load(path)?,
        None => sinew_urdf::parse(include_str!("../../../rigs/arm6.urdf"))?,
    };
    let tool = match arguments.next() {
        Some(link) => robot.link(&link)?,
        None => robot.tips().next().ok_or("no tip")?,
    };
    let skeleton = &robot.skeleton;

    // Half a reach ahead, half a reach to the side and low, with the tool's Z pointing down.
    let reach = skeleton.rest_pose().position(tool).length();
    let place = DVec3::new(0.5, 0.4, 0.2) * reach;
    let goal = Goal::frame(tool, place, DQuat::from_rotation_x(std::f64::consts::PI));
    let solver = Jacobian { position_tolerance: 1e-6, rotation_tolerance: 1e-6, restarts: 32, ..Jacobian::default() };
    let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
    let outcome = solver.solve(skeleton, &[goal], &mut pose, &mut work);

    println!("{}: {} after {} steps", robot.name, outcome.status, outcome.iterations);
    println!("{} at {:.4}, wanted {place:.4}", skeleton.name(tool).unwrap_or("-"), pose.position(tool));
    let mut columns = vec![[0.0; 6]; skeleton.coordinates().len()];
    pose.jacobian(skeleton, tool, &mut columns);
    println!("{:>12}  {:>9}  {:>9}  {:>9}  {:>9}", "", "value", "min", "max", "m/rad");
    for ((coordinate, q), column) in skeleton.coordinates().iter().zip(pose.coordinates()).zip(&columns) {
        let (name, range) = (coordinate.name.as_deref().unwrap_or("-"), coordinate.range);
        let speed = DVec3::from_slice(column).length();
        println!("{name:>12}  {q:9.5}  {:9.5}  {:9.5}  {speed:9.5}", range.min, range.max);
    }
    Ok(())
}
