//! An arm that has been solved stands still under the same goal, met or not.

use sinew::glam::BVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::{Goal, JointSpec, Kind, Mask, Mimic, Pose, Skeleton, SkeletonBuilder, Solver, Status, Workspace};
use sinew_arm::Serial;

/// A fortieth in dev builds; `.ci/run` runs all in release.
const SHARE: u64 = if cfg!(debug_assertions) { 40 } else { 1 };

/// A chain of hinges, perhaps limited, of slides and followers now and then.
fn arm(rng: &mut fastrand::Rng, joints: usize, limited: bool) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base").kind(Kind::Fixed));
    for i in 0..joints {
        let hinge = Kind::hinge(direction(rng));
        let slide = Kind::slide(direction(rng)).within(-0.3, 0.2 + rng.f64());
        let kind = match rng.u8(0..8) {
            0 => slide,
            _ if limited => hinge.within(-0.2 - 1.3 * rng.f64(), 0.2 + 2.0 * rng.f64()),
            _ => hinge,
        };
        let place = direction(rng) * (0.3 + rng.f64());
        let mut joint =
            JointSpec::named(format!("j{i}")).child_of(i).translation(place).rotation(rotation(rng)).kind(kind);
        if i > 1 && rng.u8(0..8) == 0 {
            joint = joint.kind(Kind::hinge(direction(rng)));
            joint.mimic = Some(Mimic { of: "j0".into(), multiplier: -0.5, offset: 0.2 });
        }
        builder.add(joint);
    }
    builder.add(JointSpec::named("tip").child_of(joints).translation(direction(rng)).kind(Kind::Fixed));
    builder.build().expect("an arm")
}

fn goal(rng: &mut fastrand::Rng, arm: &Skeleton) -> Goal {
    let tip = arm.joint("tip").expect("a tip");
    let length: f64 = arm.iter().map(|joint| arm.rest(joint).translation.length()).sum();
    let place = direction(rng) * length * 1.1 * rng.f64();
    let mask = Mask { rotation: BVec3::new(true, false, true), ..Mask::default() };
    match rng.u8(0..5) {
        0 => Goal::frame(tip, place, rotation(rng)),
        1 => Goal::axis(tip, direction(rng), direction(rng)),
        2 => Goal::frame(tip, place, rotation(rng)).mask(mask),
        _ => Goal::position(tip, place),
    }
}

fn moved(arm: &Skeleton, a: &Pose, b: &Pose) -> f64 {
    let apart = |(x, y): (&f64, &f64)| (x - y).abs();
    assert_eq!(arm.coordinates().len(), a.coordinates().len());
    a.coordinates().iter().zip(b.coordinates()).map(apart).fold(0.0, f64::max)
}

fn stands_still(solver: Serial, arms: u64, frames: u32) {
    let (mut walking, mut spent, mut unmet) = (Vec::new(), 0, 0);
    for seed in 0..arms {
        let mut rng = fastrand::Rng::with_seed(seed);
        let joints = [2, 3, 6, 7][rng.u64(0..4) as usize];
        let limited = rng.bool();
        let arm = arm(&mut rng, joints, limited);
        let goal = [goal(&mut rng, &arm)];
        let (mut pose, mut work) = (arm.neutral_pose(), Workspace::default());
        let first = solver.solve(&arm, &goal, &mut pose, &mut work);
        unmet += u32::from(first.status != Status::Reached);
        if first.status == Status::OutOfIterations {
            spent += 1;
            continue;
        }
        let (answer, mut walked) = (pose.clone(), 0.0);
        for _ in 0..frames {
            let before = pose.clone();
            let _ = solver.solve(&arm, &goal, &mut pose, &mut work);
            walked += moved(&arm, &before, &pose);
        }
        if walked > 1e-9 || first.status == Status::Reached && pose != answer {
            walking.push((seed, first.status, walked));
        }
    }
    assert!(walking.is_empty(), "{} of {arms} walk on: {:?}", walking.len(), &walking[..walking.len().min(20)]);
    assert!(unmet > arms as u32 / 5 && spent <= arms as u32 / 20, "{unmet} unmet, {spent} spent, of {arms}");
}

#[test]
fn an_arm_solved_once_is_solved() {
    stands_still(Serial::default(), 2000 / SHARE, 3);
    stands_still(Serial { restarts: 16, ..Serial::default() }, 300 / SHARE, 2);
}

#[test]
fn ten_thousand_frames_move_nothing() {
    stands_still(Serial::default(), if SHARE > 1 { 4 } else { 12 }, 10_000 / SHARE as u32);
}
