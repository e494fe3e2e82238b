//! Serial arms of hinges and slides: one tip, two on one waist, frames and places, in reach and not.

use fastrand::Rng;
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::Range;
use sinew::{Goal, JointSpec, Kind, Skeleton, SkeletonBuilder, Solver, Workspace};
use sinew_arm::Serial;

use super::Hash;

/// Two joints, then two branches of six, the third of which slides.
pub(super) fn body(rng: &mut Rng) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base").kind(Kind::Fixed));
    for branch in 0..3_u8 {
        let mut above = if branch == 0 { 0 } else { 2 };
        for i in 0..if branch == 0 { 2 } else { 6 } {
            let kind = match (i, rng.u8(0..4)) {
                (2, _) => Kind::Slide { axis: direction(rng), range: Range::new(-0.1, 0.3) },
                (_, 0) => Kind::hinge(direction(rng)),
                _ => Kind::hinge(direction(rng)).within(-1.0 - rng.f64(), 1.0 + rng.f64()),
            };
            let joint = JointSpec::named(format!("{branch} {i}")).child_of(above).translation(direction(rng) * 0.3);
            above = builder.add(joint.rotation(rotation(rng)).kind(kind));
        }
    }
    builder.build().expect("the joints make a skeleton")
}

pub(crate) fn hash() -> u64 {
    let mut hash = Hash::default();
    let solver = Serial { restarts: 6, ..Serial::default() };
    for seed in 0..24 {
        let mut rng = Rng::with_seed(seed);
        let skeleton = body(&mut rng);
        let [first, second] = skeleton.joints(["1 5", "2 5"]).expect("the tips");
        let mut there = skeleton.rest_pose();
        let mut edit = there.edit(&skeleton);
        for (coordinate, spec) in skeleton.coordinates().iter().enumerate() {
            edit.coordinate(coordinate, spec.range.clamp(1.5 * (2.0 * rng.f64() - 1.0)));
        }
        drop(edit);
        let goals = [
            Goal::frame(first, there.position(first), there.rotation(first)),
            Goal::position(second, there.position(second)),
            Goal::frame(first, direction(&mut rng), rotation(&mut rng)),
        ];
        for goals in [&goals[..1], &goals[1..2], &goals[2..], &goals[..2]] {
            let mut pose = skeleton.neutral_pose();
            let mut work = Workspace::default();
            let outcome = solver.solve(&skeleton, goals, &mut pose, &mut work);
            hash.solved(&skeleton, &pose, &outcome, &work);
        }
    }
    hash.0
}
