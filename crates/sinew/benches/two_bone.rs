//! How long does a two-bone limb take in each form?
//!
//! Every sample solves [`COUNT`] different limbs and targets, all within reach; the item counter
//! gives calls a second, so 25 Mitem/s are 40 ns a call.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::glam::{DVec2, DVec3};
use sinew::math::ops;
use sinew::solve::two_bone::{self, Limb, Prepared, Reach, planar, spatial};
use sinew::{Goal, JointSpec, Pole, Skeleton, SkeletonBuilder, Solver, TwoBone, Workspace};

const COUNT: usize = 1024;

fn main() {
    divan::main();
}

/// One limb with what it is to reach.
#[derive(Clone, Copy)]
struct Task {
    lengths: [f64; 2],
    bend: f64,
    target: DVec3,
    pole: DVec3,
}

/// Limbs and targets spread evenly, without randomness.
fn tasks() -> Vec<Task> {
    let spread = |i: usize, step: f64| (i as f64 * step).fract();
    let vector = |i: usize, a: f64, b: f64, c: f64| DVec3::new(spread(i, a), spread(i, b), spread(i, c)) - 0.5;
    let task = |i: usize| {
        let [l1, l2] = [0.2 + 0.8 * spread(i, 0.618), 0.2 + 0.8 * spread(i, 0.755)];
        let inner = (l1 - l2).abs();
        let distance = inner + (l1 + l2 - inner) * (0.01 + 0.98 * spread(i, 0.570));
        let target = vector(i, 0.430, 0.325, 0.245).normalize_or(DVec3::X) * distance;
        Task { lengths: [l1, l2], bend: 0.3 + 1.5 * spread(i, 0.819), target, pole: vector(i, 0.671, 0.549, 0.450) }
    };
    (1..=COUNT).map(task).collect()
}

impl Task {
    /// Bones along +X, bent about +Z.
    fn limb(&self) -> Limb {
        let ([l1, l2], along) = (self.lengths, DVec2::from_angle(self.bend).extend(0.0));
        Limb { root: DVec3::ZERO, mid: DVec3::X * l1, tip: DVec3::X * l1 + along * l2 }
    }

    fn skeleton(&self) -> Skeleton {
        let limb = self.limb();
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("root"));
        builder.add(JointSpec::named("mid").child_of(0).translation(limb.mid));
        builder.add(JointSpec::named("tip").child_of(1).translation(limb.tip - limb.mid));
        builder.build().expect("three joints in a row")
    }
}

/// Times `call` on every input.
fn each<I: Sync, O>(bencher: Bencher, inputs: &[I], call: impl Fn(&I) -> O + Sync) {
    bencher.counter(ItemsCount::new(inputs.len())).bench_local(|| {
        for input in black_box(inputs) {
            black_box(call(input));
        }
    });
}

/// Local rotations of a limb that was measured before.
#[divan::bench]
fn prepared(bencher: Bencher) {
    let prepare = |task: Task| {
        let skeleton = task.skeleton();
        let [root, mid, tip] = skeleton.joints(["root", "mid", "tip"]).expect("named above");
        (task, Prepared::new(&skeleton, root, mid, tip).expect("bones have lengths"))
    };
    let inputs: Vec<_> = tasks().into_iter().map(prepare).collect();
    each(bencher, &inputs, |(task, limb)| limb.solve(task.target, Pole::Direction(task.pole)).rotations);
}

/// Turns for three positions.
#[divan::bench]
fn general(bencher: Bencher) {
    let inputs: Vec<_> = tasks().into_iter().map(|task| (task, task.limb())).collect();
    each(bencher, &inputs, |(task, limb)| two_bone::bend(limb, task.target, Pole::Direction(task.pole)));
}

/// Joint positions in space.
#[divan::bench]
fn positions(bencher: Bencher) {
    each(bencher, &tasks(), |task| {
        let [l1, l2] = task.lengths;
        spatial::positions(DVec3::ZERO, task.target, task.pole, l1, l2, Reach::Clamp)
    });
}

/// Joint angles in a plane.
#[divan::bench]
fn planar_angles(bencher: Bencher) {
    planar(bencher, planar::angles);
}

/// Joint positions in a plane.
#[divan::bench]
fn planar_positions(bencher: Bencher) {
    planar(bencher, planar::positions);
}

fn planar<O>(bencher: Bencher, solve: impl Fn(DVec2, DVec2, f64, f64, Reach) -> O + Sync) {
    each(bencher, &tasks(), |task| {
        let [l1, l2] = task.lengths;
        solve(DVec2::ZERO, task.target.truncate(), l1, l2, Reach::Clamp)
    });
}

/// A person's twenty joints: parent and offset from it (metres).
#[rustfmt::skip]
const PERSON: [(&str, Option<&str>, [f64; 3]); 20] = [
    ("hips", None, [0.0, 1.0, 0.0]), ("spine", Some("hips"), [0.0, 0.15, 0.0]), ("chest", Some("spine"), [0.0, 0.2, 0.0]),
    ("neck", Some("chest"), [0.0, 0.2, 0.0]),
    ("l_collar", Some("chest"), [0.05, 0.15, 0.0]), ("l_upper", Some("l_collar"), [0.15, 0.0, 0.0]),
    ("l_fore", Some("l_upper"), [0.3, 0.0, 0.0]), ("l_hand", Some("l_fore"), [0.25, 0.0, 0.02]),
    ("r_collar", Some("chest"), [-0.05, 0.15, 0.0]), ("r_upper", Some("r_collar"), [-0.15, 0.0, 0.0]),
    ("r_fore", Some("r_upper"), [-0.3, 0.0, 0.0]), ("r_hand", Some("r_fore"), [-0.25, 0.0, 0.02]),
    ("l_thigh", Some("hips"), [0.1, -0.05, 0.0]), ("l_shin", Some("l_thigh"), [0.0, -0.45, 0.02]),
    ("l_foot", Some("l_shin"), [0.0, -0.4, -0.02]), ("l_toes", Some("l_foot"), [0.0, -0.1, 0.15]),
    ("r_thigh", Some("hips"), [-0.1, -0.05, 0.0]), ("r_shin", Some("r_thigh"), [0.0, -0.45, 0.02]),
    ("r_foot", Some("r_shin"), [0.0, -0.4, -0.02]), ("r_toes", Some("r_foot"), [0.0, -0.1, 0.15]),
];

/// The solver on a limb of a person whose hand or foot goes round, report and forward kinematics included: its bend told by a
/// pole or by the pose that it was left with.
#[divan::bench(args = [("l_hand", true), ("l_hand", false), ("l_foot", true), ("l_foot", false)])]
fn on_a_person(bencher: Bencher, (tip, with_pole): (&str, bool)) {
    let mut builder = SkeletonBuilder::new();
    for (name, parent, offset) in PERSON {
        let spec = JointSpec::named(name).translation(DVec3::from(offset));
        builder.add(match parent {
            Some(parent) => spec.child_of(parent),
            None => spec,
        });
    }
    let person = builder.build().expect("a tree");
    let tip = person.joint(tip).expect("named above");
    let limb = TwoBone::ending_at(&person, tip).expect("two bones");
    let (mut pose, mut work) = (person.rest_pose(), Workspace::default());
    let (root, rest) = (pose.position(limb.root), pose.position(tip));
    let goal = |frame: usize| {
        let (s, c) = ops::sin_cos(frame as f64 / COUNT as f64 * std::f64::consts::TAU);
        let goal = Goal::position(tip, root + (rest - root) * (0.7 + 0.1 * c) + DVec3::new(0.05 * c, 0.1 * s, 0.2));
        if with_pole { goal.pole(Pole::Direction(DVec3::Z)) } else { goal }
    };
    let goals: Vec<Goal> = (0..COUNT).map(goal).collect();
    bencher.counter(ItemsCount::new(goals.len())).bench_local(|| {
        for goal in black_box(&goals) {
            let _ = black_box(limb.solve(&person, std::slice::from_ref(goal), &mut pose, &mut work));
        }
    });
}

/// The solver on a pose that keeps what it was left with, report included.
#[divan::bench]
fn solver(bencher: Bencher) {
    let arm = Skeleton::from_lengths(&[0.3, 0.25]).expect("two bones");
    let tip = arm.joint("joint_2").expect("named by from_lengths");
    let limb = TwoBone::ending_at(&arm, tip).expect("two bones");
    let goal = |task: Task| {
        let length = task.lengths[0] + task.lengths[1];
        Goal::position(tip, task.target * (0.55 / length)).pole(Pole::Direction(task.pole))
    };
    let goals: Vec<Goal> = tasks().into_iter().map(goal).collect();
    let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
    bencher.counter(ItemsCount::new(goals.len())).bench_local(|| {
        for goal in black_box(&goals) {
            let _ = black_box(limb.solve(&arm, std::slice::from_ref(goal), &mut pose, &mut work));
        }
    });
}
