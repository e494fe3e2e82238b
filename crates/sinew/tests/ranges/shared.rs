//! Joints of one limb that have a coordinate in common: placing one moves the other, and both end inside their ranges.

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::{Aim, Bend, Goal, JointSpec, Kind, Skeleton, SkeletonBuilder, Solver, ThreeLink, TwoBone};

use super::rig::{direction, signed};
use super::{CASES, moved_outside};

/// Four joints in a row of which the first leads one below: its place.
fn coupled(rng: &mut Rng) -> (Skeleton, usize) {
    let follower = rng.usize(1..3);
    let low = -2.0 * rng.f64();
    let range = Range::new(low, low + 2.0 * rng.f64());
    let mut builder = SkeletonBuilder::new();
    for place in 0..4 {
        let spec = JointSpec::named(format!("{place}")).translation(DVec3::Y + 0.3 * direction(rng));
        let spec = if place > 0 { spec.child_of(place - 1) } else { spec };
        let axis = direction(rng);
        builder.add(match place {
            0 => spec.kind(Kind::Hinge { axis, range }),
            _ if place == follower => {
                let multiplier = [1e-9, 1e-6, 0.5, 1.0, -1.0, 2.0][rng.usize(..6)];
                spec.kind(Kind::hinge(axis)).mimic("0", multiplier, [0.0, 0.3][rng.usize(..2)])
            }
            _ => spec.kind(Kind::BALL),
        });
    }
    (builder.build().unwrap(), follower)
}

#[test]
fn joints_of_a_limb_that_share_a_coordinate_end_inside() {
    let mut broken = [0; 3];
    for seed in 0..CASES {
        let mut rng = Rng::with_seed(seed);
        let (skeleton, follower) = coupled(&mut rng);
        let [root, mid, low, tip] = skeleton.joints(["0", "1", "2", "3"]).unwrap();
        let mut before = skeleton.neutral_pose();
        let range = skeleton.coordinates()[0].range;
        let beyond = [0.05 * signed(&mut rng), signed(&mut rng)][rng.usize(..2)];
        let end = if rng.bool() { range.max + beyond.abs() } else { range.min - beyond.abs() };
        before.edit(&skeleton).coordinate(0, if rng.u8(..4) == 0 { range.min } else { end });
        let target = before.position(root) + direction(&mut rng) * 3.5 * rng.f64();
        let bend = [Bend::Given, Bend::Rest][rng.usize(..2)];
        let middle = [mid, low][follower - 1];
        let limb = TwoBone { bend, ..TwoBone::new(&skeleton, root, middle, tip).unwrap() };
        let three = ThreeLink { bend, ..ThreeLink::new(&skeleton, root, mid, low, tip).unwrap() };
        let aim = Aim::over(&skeleton, root, low).unwrap();
        let solvers: [(&dyn Solver, Goal); 3] = [
            (&limb, Goal::position(tip, target)),
            (&three, Goal::position(tip, target)),
            (&aim, Goal::aim(low, DVec3::Y, target)),
        ];
        for (broken, (solver, goal)) in broken.iter_mut().zip(solvers) {
            let why = moved_outside(&skeleton, solver, &[goal], &before);
            if let Some(why) = why {
                *broken += 1;
                eprintln!("seed {seed}, joint {why}, {goal:?}");
            }
        }
    }
    assert_eq!(broken, [0; 3], "of {CASES} limbs of two bones, of three links, and aims");
}
