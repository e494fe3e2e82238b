//! `Auto`, `Orient` and sequences on bodies with hinges, slides, balls and joints that mimic others: goals with bases,
//! weights and pulls, measured from other joints, several at once.

use fastrand::Rng;
use sinew::laws::rigs::{direction, rotation};
use sinew::{
    Auto, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, Orient, Sequence, Skeleton, SkeletonBuilder, Solver, Start,
    Workspace,
};

use super::Hash;
use super::arms::allowed_pose;

/// A pelvis and three arms of one to five joints; hinges of the second and third arm may mimic one of the first.
fn body(rng: &mut Rng) -> (Skeleton, [Joint; 3]) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("pelvis").kind(if rng.bool() { Kind::Fixed } else { Kind::BALL }));
    let mut leader = None;
    for arm in 0..3_u8 {
        let mut above = 0;
        for place in 0..=rng.u8(0..5) {
            let name = format!("{arm} {place}");
            let spec = JointSpec::named(name.clone()).child_of(above).translation(direction(rng) * (0.2 + rng.f64()));
            let spec = spec.rotation(rotation(rng));
            above = builder.add(match rng.u8(0..5) {
                0 => spec.kind(Kind::slide(direction(rng)).within(-0.1, 0.2)),
                1 | 2 if arm == 0 && leader.is_none() => {
                    leader = Some(name);
                    spec.kind(Kind::hinge(direction(rng)).within(-1.2, 0.9))
                }
                1 => match &leader {
                    Some(leader) => spec.kind(Kind::hinge(direction(rng)).within(-1.0, 1.0)).mimic(leader, -0.5, 0.1),
                    None => spec.kind(Kind::hinge(direction(rng))),
                },
                2 => spec.kind(Kind::hinge(direction(rng)).within(-0.4, 1.3)),
                _ => spec,
            });
        }
        let tip = JointSpec::named(format!("tip {arm}")).child_of(above).translation(direction(rng) * 0.3);
        builder.add(tip.kind(Kind::Fixed));
    }
    let skeleton = builder.build().expect("the joints make a skeleton");
    let tips = skeleton.joints(["tip 0", "tip 1", "tip 2"]).expect("the tips");
    (skeleton, tips)
}

pub(crate) fn hash() -> u64 {
    let mut hash = Hash::default();
    let mut work = Workspace::default();
    for seed in 0..40 {
        let mut rng = Rng::with_seed(seed);
        let (skeleton, [a, b, c]) = body(&mut rng);
        let there = allowed_pose(&skeleton, &mut rng);
        let root = skeleton.at(0).expect("a root");
        let base = skeleton.parent(a).unwrap_or(root);
        let from_b = there.model(b).inverse().transform_point3(there.position(a));
        let goals = [
            Goal::position(a, there.position(a)),
            Goal::position(a, from_b).relative_to(b),
            Goal::position(b, there.position(b)).weight(0.4),
            Goal::frame(c, there.position(c), there.rotation(c)).pull(0.3).priority(rng.u8(0..2)),
            Goal::rotation(base, rotation(&mut rng)).base(base),
        ];
        let solvers: [&dyn Solver; 4] = [
            &Auto::default(),
            &Auto { start: Start::Rest, restarts: 2, ..Auto::default() },
            &Orient { joint: base },
            &Sequence::new().then(Orient { joint: base }).then(Fabrik::default()).then(Jacobian::default()),
        ];
        for solver in solvers {
            for goals in [&goals[..1], &goals[1..2], &goals[2..3], &goals[3..4], &goals[2..], &goals[..]] {
                let mut pose = skeleton.neutral_pose();
                let outcome = solver.solve(&skeleton, goals, &mut pose, &mut work);
                hash.solved(&skeleton, &pose, &outcome, &work);
            }
        }
    }
    hash.0
}
