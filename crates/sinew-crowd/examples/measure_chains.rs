//! Time chains inside limits on one thread: cones of 45 degrees, alternating hinges of 45 degrees, 5 to 20 bones, targets that an
//! allowed pose reaches, to 1e-5 of the length; in lanes at every width, and by the core one after another.
//! `cargo run --release -p sinew-crowd --example measure_chains`
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::f64::consts::FRAC_PI_4;
use std::time::Instant;

use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::math::arc::axis_angle;
use sinew::solve::fabrik::Fabrik;
use sinew::{BallLimit, Goal, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Solver as _, Status, Workspace};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Poses, Width};

const COUNT: usize = 1024;
const ROUNDS: usize = 20;

/// A chain of bones of 0.1 m, its tip a joint of its own, bent by 0.2 rad a joint as it starts.
fn chain(bones: usize, hinges: bool) -> Result<(Skeleton, Joint), Box<dyn Error>> {
    let cone = SwingTwist::new(DVec3::X, FRAC_PI_4, Range::new(-0.5, 0.5)).ok_or("no cone")?;
    let mut builder = SkeletonBuilder::new();
    for index in 0..=bones {
        let axis = if index % 2 == 0 { DVec3::Y } else { DVec3::Z };
        let hinge = Kind::hinge(axis).within(-FRAC_PI_4, FRAC_PI_4);
        let kind = if hinges { hinge } else { Kind::Ball(BallLimit::SwingTwist(cone)) };
        let spec = JointSpec::default().kind(kind);
        builder.add(match index {
            0 => spec,
            _ => spec.child_of(index - 1).translation(DVec3::X * 0.1),
        });
    }
    let skeleton = builder.build()?;
    let tip = skeleton.at(bones).ok_or("no tip")?;
    Ok((skeleton, tip))
}

/// A pose inside all limits, by what a number from 0 to 1 says of each joint.
fn posed(skeleton: &Skeleton, mut number: impl FnMut() -> f64) -> Pose {
    let mut pose = skeleton.rest_pose();
    let mut edit = pose.edit(skeleton);
    for joint in skeleton.iter() {
        match skeleton.kind(joint) {
            Kind::Hinge { axis, range } => {
                edit.rotation(joint, axis_angle(axis, range.min + (range.max - range.min) * number()))
            }
            Kind::Ball(limit) => {
                let across = DVec3::new(0.0, number() - 0.5, number() - 0.5).normalize_or(DVec3::Y);
                edit.rotation(joint, limit.project(axis_angle(across, FRAC_PI_4 * number())))
            }
            _ => &mut edit,
        };
    }
    drop(edit);
    pose
}

/// Share of the chains that arrive, in percent.
fn share(reached: usize) -> f64 {
    100.0 * reached as f64 / COUNT as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    for (hinges, bones) in [false, true].into_iter().flat_map(|hinges| [5, 10, 20].map(|bones| (hinges, bones))) {
        let (skeleton, tip) = chain(bones, hinges)?;
        let fabrik = Fabrik { position_tolerance: 1e-5, ..Fabrik::default() };
        let crowd = Crowd::new(&skeleton)?.fabrik(&fabrik, tip)?;
        let start = posed(&skeleton, || 0.6);
        let (mut poses, mut goals) = (Poses::new(&crowd, COUNT), Goals::new(&crowd, COUNT));
        let random = &mut fastrand::Rng::with_seed(1);
        let targets: Vec<DVec3> = (0..COUNT).map(|_| posed(&skeleton, || random.f64()).position(tip)).collect();
        for (character, target) in targets.iter().enumerate() {
            poses.set_pose(&skeleton, character, &start);
            goals.set(character, 0, Some(CrowdTarget::new(target.as_vec3())));
        }
        let name = if hinges { "hinges" } else { "cones" };
        for width in Width::all() {
            let mut best = f64::INFINITY;
            for _ in 0..ROUNDS {
                let mut poses = poses.clone();
                let mut blocks: Vec<_> = crowd.blocks(&mut poses, &mut goals).collect();
                let begun = Instant::now();
                for block in &mut blocks {
                    block.solve(&crowd, width);
                }
                best = best.min(begun.elapsed().as_secs_f64());
            }
            let reached = (0..COUNT).filter(|&one| goals.result(one, 0).0 == Status::Reached).count();
            let passes = (0..COUNT).map(|one| f64::from(goals.iterations(one, 0))).sum::<f64>() / COUNT as f64;
            println!(
                "{name}, {bones} bones, {:9} {:7.2} us a chain, {:5.1} ns a bone and pass, {passes:.2} passes, {:.1} % reached",
                width.name(),
                1e6 * best / COUNT as f64,
                1e9 * best / (COUNT as f64 * bones as f64 * passes),
                share(reached),
            );
        }
        let (mut work, mut reached, mut best) = (Workspace::default(), 0, f64::INFINITY);
        for _ in 0..3 {
            let begun = Instant::now();
            reached = 0;
            for &target in &targets {
                let mut pose = start.clone();
                let outcome = fabrik.solve(&skeleton, &[Goal::position(tip, target)], &mut pose, &mut work);
                reached += usize::from(outcome.status == Status::Reached);
            }
            best = best.min(begun.elapsed().as_secs_f64());
        }
        println!(
            "{name}, {bones} bones, the core  {:7.2} us a chain, {:.1} % reached",
            1e6 * best / COUNT as f64,
            share(reached)
        );
    }
    Ok(())
}
