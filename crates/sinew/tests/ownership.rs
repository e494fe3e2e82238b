//! A goal with a base owns the joints from there to its own: they move for no other goal, whoever comes first, also where
//! the other cannot be met and solvers start again elsewhere.
#![allow(clippy::unwrap_used, reason = "the rig has these joints")]

use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::math::arc;
use sinew::{
    Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, JointSpec, Kind, MassSpring, Pose, Skeleton, SkeletonBuilder, Solver,
    Status, Workspace,
};

const SPINE: [&str; 4] = ["spine_1", "spine_2", "neck", "head"];

/// Hips that stand, a spine, a head and two arms; faces +Z.
fn torso() -> Skeleton {
    let cone = |swing: f64, twist: f64| {
        Kind::Ball(BallLimit::SwingTwist(SwingTwist::new(DVec3::Y, swing, Range::new(-twist, twist)).unwrap()))
    };
    let mut builder = SkeletonBuilder::new();
    let mut add = |name: &str, above: &str, place: [f64; 3], kind: Kind| {
        let spec = JointSpec::named(name).translation(DVec3::from_array(place)).kind(kind);
        builder.add(if above.is_empty() { spec } else { spec.child_of(above) });
    };
    add("hips", "", [0.0, 1.0, 0.0], Kind::Fixed);
    add("spine_1", "hips", [0.0, 0.2, 0.0], cone(0.5, 0.4));
    add("spine_2", "spine_1", [0.0, 0.2, 0.0], cone(0.5, 0.4));
    add("neck", "spine_2", [0.0, 0.2, 0.0], cone(0.6, 0.6));
    add("head", "neck", [0.0, 0.1, 0.0], cone(0.6, 0.7));
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let name = |part: &str| format!("{part}_{side}");
        add(&name("arm"), "spine_2", [0.18 * sign, 0.15, 0.0], cone(2.0, 1.0));
        add(&name("elbow"), &name("arm"), [0.28 * sign, 0.0, 0.0], Kind::hinge(DVec3::Y * -sign).within(0.0, 2.5));
        add(&name("hand"), &name("elbow"), [0.25 * sign, 0.0, 0.0], Kind::BALL);
    }
    builder.build().unwrap()
}

/// Largest turn of a joint of the spine between two poses (radians).
fn turned(skeleton: &Skeleton, a: &Pose, b: &Pose) -> f64 {
    let turn = |name| {
        let joint = skeleton.joint(name).unwrap();
        let [p, q] = [a, b].map(|pose| pose.local(joint).rotation);
        arc::length(arc::rotation_vector(arc::normalize(p * q.conjugate())))
    };
    SPINE.into_iter().map(turn).fold(0.0, f64::max)
}

fn between(rng: &mut fastrand::Rng, size: f64) -> f64 {
    (rng.f64() * 2.0 - 1.0) * size
}

/// By how much a hand's goal turns a spine that the head's look owns, at most, and how many hands were out of reach.
fn moved_by_the_hand(solver: &dyn Solver) -> (f64, u32) {
    let skeleton = torso();
    let [base, head, l, r] = skeleton.joints(["spine_1", "head", "hand_l", "hand_r"]).unwrap();
    let mut rng = fastrand::Rng::with_seed(3);
    let (mut worst, mut missed) = (0.0_f64, 0);
    for _ in 0..60 {
        let direction = DVec3::new(between(&mut rng, 0.8), between(&mut rng, 0.5), 1.0);
        let look = Goal::axis(head, DVec3::Z, direction).base(base);
        let place = |rng: &mut fastrand::Rng| DVec3::new(between(rng, 1.2), 1.3 + between(rng, 1.0), between(rng, 1.0));
        let hands = [Goal::position(l, place(&mut rng)), Goal::position(r, place(&mut rng))];
        let (mut alone, mut work) = (skeleton.neutral_pose(), Workspace::default());
        if solver.solve(&skeleton, &[look], &mut alone, &mut work).status != Status::Reached {
            continue;
        }
        let mut pose = skeleton.neutral_pose();
        let outcome = solver.solve(&skeleton, &[hands[0], look, hands[1]], &mut pose, &mut work);
        missed += u32::from(outcome.status != Status::Reached);
        assert_eq!(work.residuals()[1].status, Status::Reached, "{solver:?} misses the look");
        worst = worst.max(turned(&skeleton, &alone, &pose));
    }
    (worst, missed)
}

#[test]
fn owned_joints_move_for_no_other_goal() {
    let solvers: [(&str, Box<dyn Solver>); 7] = [
        ("ccd", Box::new(Ccd::default())),
        ("fabrik", Box::new(Fabrik::default())),
        ("jacobian", Box::new(Jacobian::default())),
        ("jacobian, restarts", Box::new(Jacobian { restarts: 8, ..Jacobian::default() })),
        ("mass-spring", Box::new(MassSpring::default())),
        ("auto", Box::new(Auto::default())),
        ("auto, restarts", Box::new(Auto { restarts: 8, ..Auto::default() })),
    ];
    let mut all = Vec::new();
    for (name, solver) in solvers {
        let (worst, missed) = moved_by_the_hand(&*solver);
        println!("{name}: the spine turns by up to {worst:.2e} rad; {missed} of 60 hands missed");
        all.push((name, worst, missed));
    }
    for (name, worst, missed) in all {
        assert!(missed > 10, "{name}: too few hands are out of reach");
        assert!(worst < 1e-6, "{name}: a hand turns an owned spine by {worst} rad");
    }
}
