//! A spine with two arms: hands pull, and all joints bend as little as they can, the stiff ones least.
//! `cargo run -p sinew --example mass_spring`

mod sketch;

use sinew::glam::DVec3;
use sinew::{Goal, JointSpec, MassSpring, SkeletonBuilder, Solver, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = SkeletonBuilder::new();
    let mut chest = builder.add(JointSpec { stiffness: 4.0, ..JointSpec::named("hips") });
    for _ in 0..3 {
        let spine = JointSpec { stiffness: 4.0, ..JointSpec::default() };
        chest = builder.add(spine.child_of(chest).translation(DVec3::Y * 0.15));
    }
    for (side, name) in [(1.0, "left"), (-1.0, "right")] {
        let mut last = chest;
        for (part, bone) in [("shoulder", 0.2), ("elbow", 0.3), ("hand", 0.3)] {
            let spec = JointSpec::named(format!("{name} {part}")).child_of(last);
            last = builder.add(spec.translation(DVec3::X * side * bone));
        }
    }
    let body = builder.build()?;
    let hands = body.joints(["left hand", "right hand"])?;
    let places = [DVec3::new(0.7, 0.7, 0.0), DVec3::new(0.1, 0.8, 0.3)];
    let goals = [Goal::position(hands[0], places[0]), Goal::position(hands[1], places[1])];
    let (mut pose, mut work) = (body.rest_pose(), Workspace::default());
    let outcome = MassSpring::default().solve(&body, &goals, &mut pose, &mut work);
    println!("{} after {} steps, {:.1e} m off", outcome.status, outcome.iterations, outcome.position_error);
    sketch::draw(&body, &pose, &places);
    Ok(())
}
