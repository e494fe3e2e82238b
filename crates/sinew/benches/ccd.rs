//! How long does descent take: to reach, a frame, and a sweep by the number of joints?

use std::f64::consts::FRAC_PI_4;
use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::solve::ccd::{Order, Pair, ball_turn, hinge_angle};
use sinew::{BallLimit, Ccd, Goal, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Solver, Workspace};

const COUNT: usize = 256;

fn main() {
    divan::main();
}

/// A chain of a metre along X, and its tip.
fn chain(n: usize, kind: impl Fn(usize) -> Kind) -> (Skeleton, Joint) {
    let mut builder = SkeletonBuilder::new();
    let mut parent = builder.add(JointSpec::named("root").kind(kind(0)));
    for i in 1..=n {
        let kind = if i < n { kind(i) } else { Kind::Fixed };
        let spec = JointSpec::named(format!("joint_{i}")).child_of(parent).translation(DVec3::X / n as f64);
        parent = builder.add(spec.kind(kind));
    }
    let skeleton = builder.build().expect("a chain");
    let tip = skeleton.at(n).expect("its last joint");
    (skeleton, tip)
}

/// Hinges about Y and Z in turn, within 45 degrees.
fn hinges(n: usize) -> (Skeleton, Joint) {
    chain(n, |i| Kind::hinge([DVec3::Y, DVec3::Z][i % 2]).within(-FRAC_PI_4, FRAC_PI_4))
}

/// Balls within cones of 45 degrees.
fn cones(n: usize) -> (Skeleton, Joint) {
    let cone = SwingTwist::new(DVec3::X, FRAC_PI_4, Range::FREE).expect("a cone");
    chain(n, |_| Kind::Ball(BallLimit::SwingTwist(cone)))
}

/// Places that poses inside the limits reach.
fn places((skeleton, tip): &(Skeleton, Joint)) -> Vec<DVec3> {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut pose = skeleton.rest_pose();
    let mut place = || {
        let mut edit = pose.edit(skeleton);
        for joint in skeleton.iter() {
            let mut signed = || 2.0 * rng.f64() - 1.0;
            match skeleton.kind(joint) {
                Kind::Hinge { range, .. } => {
                    let drive = skeleton.drive(joint).expect("hinges have one");
                    edit.coordinate(drive.coordinate, range.max * signed());
                }
                Kind::Ball(_) => {
                    let axis = DVec3::new(0.0, signed(), signed());
                    edit.rotation(joint, sinew::Rotation::about(axis, FRAC_PI_4 * signed()));
                }
                _ => {}
            }
        }
        drop(edit);
        pose.position(*tip)
    };
    (0..COUNT).map(|_| place()).collect()
}

/// Solves from the middle of the limits.
fn reach(bencher: Bencher, chain: &(Skeleton, Joint), ccd: &Ccd) {
    let (places, rest, mut work) = (places(chain), chain.0.rest_pose(), Workspace::default());
    let mut pose = rest.clone();
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for &place in black_box(&places) {
            pose.clone_from(&rest);
            let _ = black_box(ccd.solve(&chain.0, &[Goal::position(chain.1, place)], &mut pose, &mut work));
        }
    });
}

const TO_A_TEN_THOUSANDTH: Ccd = Ccd {
    iterations: 400,
    position_tolerance: 1e-4,
    rotation_tolerance: 1e-4,
    base: None,
    order: Order::RootToTip,
    damping: f64::INFINITY,
    start: sinew::solve::Start::Given,
    reach: sinew::solve::two_bone::Reach::Clamp,
    balls: sinew::solve::ccd::Balls::Whole,
    ahead: true,
    restarts: 16,
};

#[divan::bench(args = [5, 10, 20])]
fn limited_hinges(bencher: Bencher, n: usize) {
    reach(bencher, &hinges(n), &TO_A_TEN_THOUSANDTH);
}

#[divan::bench(args = [5, 10, 20])]
fn limited_hinges_tip_to_root(bencher: Bencher, n: usize) {
    reach(bencher, &hinges(n), &Ccd { order: Order::TipToRoot, ..TO_A_TEN_THOUSANDTH });
}

#[divan::bench(args = [5, 10, 20])]
fn limited_balls(bencher: Bencher, n: usize) {
    reach(bencher, &cones(n), &TO_A_TEN_THOUSANDTH);
}

/// So many sweeps by the number of joints, from the same pose each time.
fn sweep(bencher: Bencher, (skeleton, tip): &(Skeleton, Joint), sweeps: u32) {
    let ccd = Ccd {
        iterations: sweeps,
        position_tolerance: 0.0,
        rotation_tolerance: 0.0,
        order: Order::TipToRoot,
        ahead: false,
        restarts: 0,
        ..Ccd::default()
    };
    let (rest, mut work) = (skeleton.rest_pose(), Workspace::default());
    let mut pose: Pose = rest.clone();
    let goal = [Goal::position(*tip, DVec3::new(0.4, 0.3, 0.2))];
    assert_eq!(ccd.solve(skeleton, &goal, &mut pose, &mut work).iterations, sweeps, "it ended early");
    bencher.counter(ItemsCount::new(skeleton.len() - 1)).bench_local(|| {
        pose.clone_from(&rest);
        black_box(ccd.solve(skeleton, black_box(&goal), &mut pose, &mut work))
    });
}

/// What a solve takes round its sweeps: reading and writing the pose.
#[divan::bench(args = [10, 30, 100, 300, 1000])]
fn no_sweep_of_hinges(bencher: Bencher, n: usize) {
    sweep(bencher, &hinges(n), 0);
}

#[divan::bench(args = [10, 30, 100, 300, 1000])]
fn ten_sweeps_of_hinges(bencher: Bencher, n: usize) {
    sweep(bencher, &hinges(n), 10);
}

#[divan::bench(args = [10, 30, 100, 300, 1000])]
fn ten_sweeps_of_balls(bencher: Bencher, n: usize) {
    sweep(bencher, &chain(n, |_| Kind::BALL), 10);
}

/// One warm sweep after a target that moves.
#[divan::bench(args = [5, 10, 20])]
fn warm_frame_of_hinges(bencher: Bencher, n: usize) {
    let (skeleton, tip) = hinges(n);
    let at = |frame: usize| {
        let angle = std::f64::consts::TAU * frame as f64 / COUNT as f64;
        DVec3::new(0.75, 0.2 * libm::cos(angle), 0.2 * libm::sin(angle))
    };
    let ccd = Ccd { iterations: 1, ..Ccd::default() };
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for frame in 0..COUNT {
            let _ = black_box(ccd.solve(&skeleton, &[Goal::position(tip, at(frame))], &mut pose, &mut work));
        }
    });
}

/// A goal that limits forbid, again and again from where the last solve left: all restarts are tried.
#[divan::bench(args = [0, 4, 16])]
fn ten_hinges_in_vain(bencher: Bencher, restarts: u32) {
    let (skeleton, tip) = hinges(10);
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let ccd = Ccd { restarts, ..Ccd::default() };
    let goal = [Goal::position(tip, DVec3::new(-0.8, 0.2, 0.1))];
    assert_eq!(ccd.solve(&skeleton, &goal, &mut pose, &mut work).status, sinew::Status::Limited);
    bencher.bench_local(|| black_box(ccd.solve(&skeleton, black_box(&goal), &mut pose, &mut work)));
}

fn pairs() -> Vec<Pair> {
    let mut rng = fastrand::Rng::with_seed(2);
    let mut vector = || DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5);
    (0..COUNT).map(|_| Pair::new(vector(), vector())).collect()
}

#[divan::bench]
fn hinge_step(bencher: Bencher) {
    let pairs = pairs();
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for pair in black_box(&pairs) {
            black_box(hinge_angle(DVec3::Z, std::slice::from_ref(pair), Range::new(-1.0, 1.0), 0.0));
        }
    });
}

/// The best fit of four pairs.
#[divan::bench]
fn ball_step(bencher: Bencher) {
    let pairs = pairs();
    bencher.counter(ItemsCount::new(COUNT / 4)).bench_local(|| {
        for pairs in black_box(&pairs).chunks(4) {
            black_box(ball_turn(pairs));
        }
    });
}
