//! How long does FABRIK take on chains of points, and on poses?
//!
//! Every sample solves [`COUNT`] targets, each from the same rest; the item counter gives solves a second, so
//! 1 Mitem/s is 1 µs a solve. Points: evenly spread in a ball of 0.95 of the chain's length. Limited chains
//! and bodies: where poses inside the limits have their ends.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::math::ops;
use sinew::solve::fabrik::{self, Options};
use sinew::{
    BallLimit, Fabrik, Goal, Joint, JointSpec, Kind, Pose, Rotation, Skeleton, SkeletonBuilder, Solver, Transform,
    Workspace,
};

const COUNT: usize = 64;

fn main() {
    divan::main();
}

/// Bones of total length 1, bent by a radian in all.
fn rest(n: usize) -> (Vec<f64>, Vec<DVec3>) {
    let raw: Vec<f64> = (0..n).map(|i| 0.5 + (i as f64 * 0.618).fract()).collect();
    let total: f64 = raw.iter().sum();
    let lengths: Vec<f64> = raw.iter().map(|length| length / total).collect();
    let mut points = vec![DVec3::ZERO];
    for (i, length) in lengths.iter().enumerate() {
        let angle = i as f64 / n as f64;
        let ((y, x), z) = (ops::sin_cos(angle), 0.1 * ops::sin_cos(3.0 * angle).0);
        points.push(points[i] + DVec3::new(x, y, z).normalize() * *length);
    }
    (lengths, points)
}

/// Points of a ball, spread evenly without randomness.
fn targets(radius: f64) -> Vec<DVec3> {
    let spread = |i: usize, step: f64| (i as f64 * step).fract();
    let direction = |i| DVec3::new(spread(i, 0.430), spread(i, 0.325), spread(i, 0.245)) - 0.5;
    (1..=COUNT).map(|i| direction(i).normalize_or(DVec3::X) * (radius * spread(i, 0.618).cbrt())).collect()
}

fn free(bencher: Bencher, n: usize, targets: &[DVec3], tolerance: f64) {
    let (lengths, start) = rest(n);
    let options = Options { tolerance, ..Options::default() };
    let mut points = start.clone();
    bencher.counter(ItemsCount::new(targets.len())).bench_local(|| {
        for &target in black_box(targets) {
            points.copy_from_slice(&start);
            black_box(fabrik::solve_points(&mut points, &lengths, target, &options));
        }
    });
}

#[divan::bench(args = [4, 10, 30, 100, 1000])]
fn points_to_a_thousandth(bencher: Bencher, n: usize) {
    free(bencher, n, &targets(0.95), 1e-3);
}

#[divan::bench(args = [4, 10, 30, 100, 1000])]
fn points_to_a_billionth(bencher: Bencher, n: usize) {
    free(bencher, n, &targets(0.95), 1e-9);
}

#[divan::bench(args = [4, 10, 30, 100, 1000])]
fn points_near_full_reach(bencher: Bencher, n: usize) {
    let far: Vec<DVec3> = targets(1.0).into_iter().map(|target| target.normalize() * 0.999).collect();
    free(bencher, n, &far, 1e-9);
}

/// A chain of joints of the given kinds along X, of total length 1, bent by 0.1 at every joint.
fn chain(n: usize, kind: impl Fn(usize) -> Kind) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for i in 0..=n {
        let bone = DVec3::X * if i == 0 { 0.0 } else { 1.0 / n as f64 };
        let axis = if i % 2 == 0 { DVec3::Z } else { DVec3::Y };
        let spec = JointSpec::named(format!("joint_{i}")).translation(bone).rotation(Rotation::about(axis, 0.1));
        let spec = JointSpec { zero: Some(Transform::from_translation(bone)), ..spec }.kind(kind(i));
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1) });
    }
    builder.build().expect("joints in a row")
}

/// A pose inside the limits, spread evenly.
fn spread_pose(skeleton: &Skeleton, number: usize, most: f64) -> Pose {
    let mut pose = skeleton.rest_pose();
    for (i, joint) in skeleton.iter().enumerate() {
        let step = (number * 71 + i) as f64;
        let [x, y, z] = [0.819, 0.671, 0.549].map(|each| 2.0 * (each * step).fract() - 1.0);
        let turn = Rotation::about(DVec3::new(x, y, z + 0.01), most * x);
        let rotation = skeleton.rest(joint).rotation * turn.quaternion();
        let local = skeleton.nearest_allowed(joint, &Transform { rotation, ..*pose.local(joint) }, 0.0);
        pose.edit(skeleton).local(joint, local);
    }
    pose
}

/// Times the solver to a thousandth on goals that poses inside the limits meet.
fn posed(bencher: Bencher, skeleton: &Skeleton, ends: &[Joint], most: f64) {
    let solver = Fabrik { position_tolerance: 1e-3, rotation_tolerance: 1e-3, ..Fabrik::default() };
    let goals = |number| {
        let pose = spread_pose(skeleton, number, most);
        ends.iter().map(|&end| Goal::position(end, pose.position(end))).collect()
    };
    let all: Vec<Vec<Goal>> = (0..COUNT).map(goals).collect();
    let (rest, mut pose, mut work) = (skeleton.rest_pose(), skeleton.rest_pose(), Workspace::default());
    bencher.counter(ItemsCount::new(all.len())).bench_local(|| {
        for goals in black_box(&all) {
            pose.clone_from(&rest);
            let _ = black_box(solver.solve(skeleton, goals, &mut pose, &mut work));
        }
    });
}

#[divan::bench(args = [4, 10, 30, 100])]
fn free_pose(bencher: Bencher, n: usize) {
    let skeleton = chain(n, |_| Kind::BALL);
    let tip = skeleton.at(n).expect("the chain's tip");
    posed(bencher, &skeleton, &[tip], 0.8);
}

#[divan::bench(args = [5, 10, 20])]
fn cones(bencher: Bencher, n: usize) {
    let cone = SwingTwist::new(DVec3::X, core::f64::consts::FRAC_PI_4, Range::FREE).expect("a cone in range");
    let skeleton = chain(n, |i| if i < n { Kind::Ball(BallLimit::SwingTwist(cone)) } else { Kind::BALL });
    let tip = skeleton.at(n).expect("the chain's tip");
    posed(bencher, &skeleton, &[tip], 0.7);
}

#[divan::bench(args = [5, 10, 20])]
fn hinges(bencher: Bencher, n: usize) {
    let most = core::f64::consts::FRAC_PI_4;
    let skeleton = chain(n, |i| Kind::hinge(if i % 2 == 0 { DVec3::Z } else { DVec3::Y }).within(-most, most));
    let tip = skeleton.at(n).expect("the chain's tip");
    posed(bencher, &skeleton, &[tip], 0.7);
}

/// Five ends of a body of 21 joints, or of one with three joints to a bone.
#[divan::bench(args = [1, 3])]
fn body(bencher: Bencher, parts: usize) {
    let bones: [(usize, DVec3); 20] = [
        (0, DVec3::new(0.0, 0.10, 0.01)),
        (1, DVec3::new(0.0, 0.12, 0.01)),
        (2, DVec3::new(0.0, 0.12, 0.0)),
        (3, DVec3::new(0.0, 0.12, -0.01)),
        (4, DVec3::new(0.0, 0.10, 0.0)),
        (5, DVec3::new(0.0, 0.14, 0.02)),
        (4, DVec3::new(0.05, 0.06, 0.01)),
        (7, DVec3::new(0.13, 0.01, 0.0)),
        (8, DVec3::new(0.26, -0.10, -0.02)),
        (9, DVec3::new(0.22, -0.08, 0.06)),
        (4, DVec3::new(-0.05, 0.06, 0.01)),
        (11, DVec3::new(-0.13, 0.01, 0.0)),
        (12, DVec3::new(-0.26, -0.10, -0.02)),
        (13, DVec3::new(-0.22, -0.08, 0.06)),
        (0, DVec3::new(0.10, -0.05, 0.0)),
        (15, DVec3::new(0.01, -0.42, 0.03)),
        (16, DVec3::new(0.0, -0.41, -0.03)),
        (0, DVec3::new(-0.10, -0.05, 0.0)),
        (18, DVec3::new(-0.01, -0.42, 0.03)),
        (19, DVec3::new(0.0, -0.41, -0.03)),
    ];
    let mut builder = SkeletonBuilder::new();
    let mut ends = vec![builder.add(JointSpec::named("pelvis"))];
    for (above, bone) in bones {
        let mut last = ends[above];
        for _ in 0..parts {
            last = builder.add(JointSpec::default().child_of(last).translation(bone / parts as f64));
        }
        ends.push(last);
    }
    let skeleton = builder.build().expect("one pelvis");
    let five = [6, 10, 14, 17, 20].map(|end| skeleton.from_caller(ends[end]).expect("added above"));
    posed(bencher, &skeleton, &five, 0.6 / parts as f64);
}
