//! What does descent cost on limited chains? Random reachable goals, from the middle of the limits, to 1e-4
//! of the chain; one item is one solve.

use std::f64::consts::FRAC_PI_4;
use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::solve::jacobian::Method;
use sinew::{
    BallLimit, Goal, Jacobian, Joint, JointSpec, Kind, Rotation, Skeleton, SkeletonBuilder, Solver, Workspace,
};

const COUNT: usize = 512;

fn main() {
    divan::main();
}

/// A chain along X of length one, with a fixed tip.
fn chain(joints: usize, kind: impl Fn(usize) -> Kind) -> (Skeleton, Joint) {
    let mut builder = SkeletonBuilder::new();
    for i in 0..=joints {
        let kind = if i == joints { Kind::Fixed } else { kind(i) };
        let spec = JointSpec::named(format!("j{i}")).kind(kind);
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1).translation(DVec3::X / joints as f64) });
    }
    let skeleton = builder.build().expect("a chain");
    let tip = skeleton.joint(&format!("j{joints}")).expect("its tip");
    (skeleton, tip)
}

/// Where the tip is in random poses inside the limits.
fn places((skeleton, tip): &(Skeleton, Joint)) -> Vec<DVec3> {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut pose = skeleton.rest_pose();
    let place = |_| {
        for joint in skeleton.iter() {
            if let Some(drive) = skeleton.drive(joint) {
                pose.edit(skeleton).coordinate(drive.coordinate, FRAC_PI_4 * 0.98 * (2.0 * rng.f64() - 1.0));
            } else if skeleton.kind(joint).turns() {
                let axis = DVec3::new(0.0, rng.f64() - 0.5, rng.f64() - 0.5);
                pose.edit(skeleton).rotation(joint, Rotation::about(axis, FRAC_PI_4 * 0.98 * rng.f64()));
            }
        }
        pose.position(*tip)
    };
    (0..COUNT).map(place).collect()
}

fn solves(bencher: Bencher, chain: &(Skeleton, Joint), method: Method) {
    let (skeleton, tip) = chain;
    let solver = Jacobian { method, position_tolerance: 1e-4, ..Jacobian::default() };
    let (places, start) = (places(chain), skeleton.neutral_pose());
    let (mut pose, mut work) = (start.clone(), Workspace::default());
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for &place in black_box(&places) {
            pose.clone_from(&start);
            let _ = black_box(solver.solve(skeleton, &[Goal::position(*tip, place)], &mut pose, &mut work));
        }
    });
}

fn hinges(joints: usize) -> (Skeleton, Joint) {
    let axis = |i: usize| if i.is_multiple_of(2) { DVec3::Z } else { DVec3::Y };
    chain(joints, |i| Kind::hinge(axis(i)).within(-FRAC_PI_4, FRAC_PI_4))
}

#[divan::bench(args = [5, 10, 20])]
fn hinges_of_45_degrees(bencher: Bencher, joints: usize) {
    solves(bencher, &hinges(joints), Method::default());
}

#[divan::bench(args = [5, 10, 20])]
fn cones_of_45_degrees(bencher: Bencher, joints: usize) {
    let cone = SwingTwist::new(DVec3::X, FRAC_PI_4, Range::FREE).expect("a cone");
    solves(bencher, &chain(joints, |_| Kind::Ball(BallLimit::SwingTwist(cone))), Method::default());
}

#[divan::bench(args = [5, 10, 20])]
fn hinges_selectively_damped(bencher: Bencher, joints: usize) {
    solves(bencher, &hinges(joints), Method::SelectivelyDamped);
}

#[divan::bench(args = [5, 10, 20])]
fn hinges_damped(bencher: Bencher, joints: usize) {
    solves(bencher, &hinges(joints), Method::DampedLeastSquares { damping: 0.1 });
}
