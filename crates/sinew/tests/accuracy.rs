//! All four forms of two bones keep 1e-12 of the limb where digits are easily lost: poles nearly on
//! the target line, targets at both rims, limbs nearly straight at rest, bones of unlike length.

use sinew::glam::{DQuat, DVec3};
use sinew::solve::two_bone::{Limb, Prepared, Reach, bend, spatial};
use sinew::{JointSpec, Pole, Rotation, Skeleton, SkeletonBuilder};

struct Problem {
    l: [f64; 2],
    rest: f64,
    target: DVec3,
    pole: DVec3,
    root: DQuat,
}

/// Every combination of the awkward.
fn problems() -> Vec<Problem> {
    let tiny = |k: u8| (0..k).fold(1.0, |x, _| x * 0.1);
    let root = Rotation::about(DVec3::new(0.3, -1.0, 0.5), 1.1).quaternion();
    let (line, across) = (root * DVec3::new(0.6, 0.8, 0.0), root * DVec3::new(-0.8, 0.6, 0.0));
    let mut all = Vec::new();
    for l in [[0.3_f64, 0.25], [0.3, 0.3], [1.0, 1e-2], [0.02, 1.0]] {
        let (longest, shortest) = (l[0] + l[1], (l[0] - l[1]).abs());
        for k in 1..=16 {
            for rest in [0.0, tiny(k), 1.0, 3.0] {
                for distance in
                    [longest * (1.0 - tiny(k)), shortest + (longest - shortest) * tiny(k), 0.5 * (longest + shortest)]
                {
                    for pole in [across, line + across * tiny(k), across - line * 3.0, -line + across * tiny(k)] {
                        all.push(Problem { l, rest, target: line * distance.max(shortest), pole, root });
                    }
                }
            }
        }
    }
    all
}

fn skeleton(problem: &Problem) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root").rotation(problem.root));
    let bend = Rotation::about(DVec3::Z, problem.rest);
    builder.add(JointSpec::named("mid").child_of(0).translation(DVec3::X * problem.l[0]).rotation(bend).bend(DVec3::Z));
    builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::X * problem.l[1]));
    builder.build().expect("a limb")
}

#[test]
fn four_forms_keep_twelve_digits() {
    let (mut worst, mut pose) = ([0.0_f64; 3], Skeleton::from_lengths(&[1.0]).expect("a bone").rest_pose());
    for problem in problems() {
        let [l1, l2] = problem.l;
        let length = l1 + l2;
        let miss = |mid: DVec3, tip: DVec3| {
            let bones = (mid.length() - l1).abs().max((tip.distance(mid) - l2).abs());
            tip.distance(problem.target).max(bones) / length
        };
        let [mid, tip] = spatial::positions(DVec3::ZERO, problem.target, problem.pole, l1, l2, Reach::Clamp).elbows[0];
        worst[0] = worst[0].max(miss(mid, tip));
        let skeleton = skeleton(&problem);
        let [root, mid, tip] = skeleton.joints(["root", "mid", "tip"]).expect("its joints");
        pose.reset(&skeleton);
        let limb = Limb { root: DVec3::ZERO, mid: pose.position(mid), tip: pose.position(tip) };
        let turns = bend(&limb, problem.target, Pole::Direction(problem.pole));
        let turned = turns.root * limb.mid;
        let turned_tip = turned + turns.mid * (turns.root * (limb.tip - limb.mid));
        worst[1] = worst[1].max(miss(turned, turned_tip));
        let [q0, q1] = Prepared::new(&skeleton, root, mid, tip)
            .expect("a limb")
            .solve(problem.target, Pole::Direction(problem.pole))
            .rotations;
        pose.edit(&skeleton).rotation(root, q0).rotation(mid, q1);
        worst[2] = worst[2].max(miss(pose.position(mid), pose.position(tip)));
    }
    assert!(worst.iter().all(|&miss| miss < 1e-12), "positions, general, prepared: {worst:?}");
}
