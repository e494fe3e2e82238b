//! Four passes on one pose, each on what the one before left: the head grows, a foot steps up, the upper body reaches,
//! a loose arm swings after. `cargo run -p sinew-gltf --example together` writes two seconds of it to `together.glb`.
//! Nearly the same on the command line: `sinew simulate --scale Head=1.3 --goal LeftFoot=0.1,0.3,0.2 --seconds 2 \
//! --move RightHand=0.1,1.3,0.6 --base RightHand=Spine --solver whole --chain LeftUpperArm,LeftHand -o together.glb`.

use std::error::Error;

use sinew::glam::DVec3;
use sinew::springs::{SpringState, Springs};
use sinew::{Auto, Goal, ScaleTarget, Sequence, Solver, TwoBone, Workspace};

/// Frames a second.
const RATE: f64 = 30.0;

fn main() -> Result<(), Box<dyn Error>> {
    let human = sinew_gltf::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb"))?;
    let skeleton = &human.skeleton;
    let [head, hand, spine, foot, arm, wrist] =
        skeleton.joints(["Head", "RightHand", "Spine", "LeftFoot", "LeftUpperArm", "LeftHand"])?;
    let limb = TwoBone::ending_at(skeleton, foot)?;
    // Joints from a goal's base to its tip belong to the pass that serves it first.
    let solver = Sequence::new().then(ScaleTarget::default()).then(limb).then(Auto::default());
    let springs =
        Springs { gravity: DVec3::NEG_Y * 9.81, ..Springs::chain(skeleton, arm, wrist)? }.tuned(skeleton, 2.0, 0.15);

    let (mut body, mut work, mut state) = (skeleton.rest_pose(), Workspace::default(), SpringState::default());
    let rest = body.position(hand);
    let mut clip = sinew_gltf::Clip { name: "together".into(), ..sinew_gltf::Clip::default() };
    for frame in 0..=60 {
        let time = f64::from(frame) / RATE;
        let reach = rest.lerp(DVec3::new(0.1, 1.3, 0.6), 0.5 - 0.5 * (std::f64::consts::PI * time).cos());
        let goals = [
            Goal::scale(head, DVec3::splat(1.3)).base(head),
            Goal::position(foot, DVec3::new(0.1, 0.3, 0.2)).base(limb.root).pole(DVec3::new(0.1, 0.5, 2.0)),
            Goal::position(hand, reach).base(spine),
        ];
        // From frame to frame the body goes on; what swings is written into a copy.
        let outcome = solver.solve(skeleton, &goals, &mut body, &mut work);
        let mut pose = body.clone();
        let step = springs.step(skeleton, &mut pose, &mut state, if frame == 0 { 0.0 } else { 1.0 / RATE });
        if frame % 15 == 0 {
            println!("{time:.1} s: {}, then {} sub-steps of the springs", outcome.status, step.steps);
        }
        clip.times.push(time);
        clip.poses.push(pose);
    }
    human.write_animated(&clip, "together.glb")?;
    Ok(())
}
