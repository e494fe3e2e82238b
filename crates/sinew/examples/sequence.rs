//! Two passes on one pose: the body carries the neck, then the head looks at a ball. `cargo run -p sinew --example sequence`

mod sketch;

use sinew::glam::DVec3;
use sinew::{Aim, Auto, Goal, Sequence, Skeleton, Solver, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let snake = Skeleton::from_lengths(&[0.2, 0.2, 0.2, 0.2, 0.1])?;
    let [neck, tongue] = snake.joints(["joint_4", "joint_5"])?;
    let solver = Sequence::new().then(Auto::default()).then(Aim::new(&snake, neck)?);
    let (place, ball) = (DVec3::new(0.3, 0.4, 0.0), DVec3::new(0.8, 0.3, 0.0));
    // With a base of its own the look owns the neck, and no other goal turns it.
    let goals = [Goal::position(neck, place), Goal::aim(neck, DVec3::Y, ball).base(neck)];
    let (mut pose, mut work) = (snake.rest_pose(), Workspace::default());
    let outcome = solver.solve(&snake, &goals, &mut pose, &mut work);
    println!("{}; the tongue is at {:.3}", outcome.status, pose.position(tongue));
    sketch::draw(&snake, &pose, &[ball]);
    Ok(())
}
