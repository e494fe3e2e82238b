//! An arm of five hinges, all about z and within 60 degrees, one sweep after another. `cargo run -p sinew --example ccd`

mod sketch;

use sinew::glam::DVec3;
use sinew::{Ccd, Goal, JointSpec, Kind, SkeletonBuilder, Solver, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = SkeletonBuilder::new();
    let mut last = builder.add(JointSpec::named("base").kind(Kind::hinge(DVec3::Z).within(-1.05, 1.05)));
    for _ in 0..4 {
        let hinge = JointSpec::default().kind(Kind::hinge(DVec3::Z).within(-1.05, 1.05));
        last = builder.add(hinge.child_of(last).translation(DVec3::X * 0.2));
    }
    builder.add(JointSpec::named("tip").child_of(last).translation(DVec3::X * 0.2).kind(Kind::Fixed));
    let arm = builder.build()?;
    let tip = arm.joint("tip")?;
    let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());

    let place = DVec3::new(0.1, 0.6, 0.0);
    let sweep = Ccd { iterations: 1, ..Ccd::default() };
    for number in 1..=5 {
        let outcome = sweep.solve(&arm, &[Goal::position(tip, place)], &mut pose, &mut work);
        println!("sweep {number}: {:.2e} m off, {}", outcome.position_error, outcome.status);
    }
    sketch::draw(&arm, &pose, &[place]);
    Ok(())
}
