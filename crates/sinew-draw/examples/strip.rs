//! What does a limb do as its target leaves? `cargo run -p sinew-draw --example strip > strip.svg`

use sinew::glam::DVec3;
use sinew::solve::two_bone::Reach;
use sinew::{Goal, Skeleton, Solver, TwoBone, Workspace};
use sinew_draw::{Mark, Picture, Strip};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
    let [elbow, hand] = arm.joints(["joint_1", "joint_2"])?;
    let limb = TwoBone { reach: Reach::SOFT, ..TwoBone::ending_at(&arm, hand)? };
    let (mut pose, mut work, mut swivel) = (arm.rest_pose(), Workspace::default(), None);
    let mut poses = Vec::new();
    for step in 0..8 {
        let target = DVec3::new(0.0, 0.2 + 0.02 * f64::from(step), 0.1 + 0.07 * f64::from(step));
        let outcome =
            limb.solve(&arm, &[Goal::position(hand, target).pole(DVec3::Y).swivel(swivel)], &mut pose, &mut work);
        swivel = work.residuals()[0].swivel;
        poses.push((pose.clone(), target, outcome.status));
    }
    let frames = poses.iter().map(|(pose, target, status)| {
        let mut mark = Mark::new("hand", *target, pose.position(hand));
        mark.limb = vec![DVec3::ZERO, pose.position(elbow), pose.position(hand)];
        Picture { marks: vec![mark], title: status.to_string(), ..Picture::new(&arm, pose) }
    });
    let strip = Strip {
        frames: frames.collect(),
        title: "An arm under soft reach, its target leaving".into(),
        ..Strip::default()
    };
    println!("{}", strip.svg());
    Ok(())
}
