//! Sixty frames: a goal appears, moves and goes, and the hand eases in and out. `cargo run -p sinew --example follow`

use sinew::glam::DVec3;
use sinew::solve::follow::Pace;
use sinew::{Auto, Follow, FollowState, Goal, Skeleton, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
    let hand = arm.joint("joint_2")?;
    let follow = Follow { turns: Pace { speed: 6.0, acceleration: 60.0 }, ..Follow::new(Auto::default()) };
    let (mut state, mut work) = (FollowState::default(), Workspace::default());
    let mut pose = arm.rest_pose();
    let _ = follow.step(&arm, &[], &mut pose, &mut state, &mut work, 0.0);
    for frame in 0..60 {
        pose.reset(&arm); // The animation of this frame: here always the rest pose.
        let ball = DVec3::new(0.3, 0.1 + 0.005 * f64::from(frame), 0.1);
        let goals = if (10..40).contains(&frame) { vec![Goal::position(hand, ball)] } else { Vec::new() };
        let outcome = follow.step(&arm, &goals, &mut pose, &mut state, &mut work, 1.0 / 60.0);
        if frame % 5 == 4 {
            let height = pose.position(hand).y;
            let bar: String = (0..60).take_while(|&i| f64::from(i) < height * 100.0).map(|_| '#').collect();
            println!("frame {frame:2}  {:>9}  hand's height {bar}", outcome.status);
        }
    }
    Ok(())
}
