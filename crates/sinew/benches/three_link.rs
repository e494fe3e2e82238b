//! How long does a limb of three links take in each form?

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::glam::DVec3;
use sinew::solve::three_link::{Last, Limb, Options, Plane, angles, bend, spatial};
use sinew::{Goal, Pole, Skeleton, Solver, ThreeLink, Workspace};

const COUNT: usize = 1024;
const LENGTHS: [f64; 3] = [0.45, 0.42, 0.3];

fn main() {
    divan::main();
}

/// Targets within reach, and directions for the last link.
fn tasks() -> Vec<(DVec3, DVec3)> {
    let spread = |i: usize, step: f64| (i as f64 * step).fract() - 0.5;
    let vector =
        |i: usize, a: f64, b: f64, c: f64| DVec3::new(spread(i, a), spread(i, b), spread(i, c)).normalize_or(DVec3::X);
    (1..=COUNT).map(|i| (vector(i, 0.430, 0.325, 0.245) * 0.6, vector(i, 0.671, 0.549, 0.450))).collect()
}

fn each<O>(bencher: Bencher, call: impl Fn(DVec3, DVec3) -> O) {
    let tasks = tasks();
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for &(target, u) in black_box(&tasks) {
            black_box(call(target, u));
        }
    });
}

const NATURAL: Options = Options {
    plane: Plane::Natural { side: 1.0 },
    yields: sinew::solve::three_link::Yields::Position,
    reach: sinew::solve::two_bone::Reach::Clamp,
};

#[divan::bench]
fn easy_positions(bencher: Bencher) {
    each(bencher, |target, u| {
        spatial::positions(DVec3::ZERO, target, LENGTHS, Last::Direction(u), DVec3::Z, Options::default())
    });
}

#[divan::bench]
fn natural_positions(bencher: Bencher) {
    each(bencher, |target, u| spatial::positions(DVec3::ZERO, target, LENGTHS, Last::Direction(u), DVec3::Z, NATURAL));
}

#[divan::bench]
fn natural_angles(bencher: Bencher) {
    each(bencher, |target, u| angles::angles(DVec3::ZERO, target, LENGTHS, Last::Direction(u), NATURAL));
}

/// Turns for four positions.
#[divan::bench]
fn general(bencher: Bencher) {
    let [l1, l2, l3] = LENGTHS;
    let mid = DVec3::new(0.0, l1, 0.05);
    let limb = Limb { root: DVec3::ZERO, mid, low: mid + DVec3::Y * l2, tip: mid + DVec3::Y * (l2 + l3) };
    each(bencher, |target, u| bend(&limb, target, Last::Direction(u), Pole::Direction(DVec3::Z), NATURAL));
}

fn solver(bencher: Bencher, pointed: bool) {
    let leg = Skeleton::from_lengths(&LENGTHS).expect("three bones");
    let tip = leg.joint("joint_3").expect("named by from_lengths");
    let solver = ThreeLink::ending_at(&leg, tip).expect("three links");
    let (tasks, mut pose, mut work) = (tasks(), leg.rest_pose(), Workspace::default());
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for &(target, u) in black_box(&tasks) {
            let goals = [Goal::position(tip, target).pole(Pole::Direction(DVec3::Z)), solver.direction(&leg, u)];
            let goals = if pointed { &goals[..] } else { &goals[..1] };
            let _ = black_box(solver.solve(&leg, goals, &mut pose, &mut work));
        }
    });
}

/// The solver on a pose, the last link along a direction.
#[divan::bench]
fn solver_directed(bencher: Bencher) {
    solver(bencher, true);
}

/// The solver on a pose, the last link at its angle.
#[divan::bench]
fn solver_kept(bencher: Bencher) {
    solver(bencher, false);
}
