//! What does a whole body in balance cost? Both hands, both feet and the head at once, from rest, on humanoids of
//! 21 and of 61 joints; one item is one solve.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::glam::DVec3;
use sinew::solve::mass_spring::Root;
use sinew::{Goal, Jacobian, JointSpec, MassSpring, Skeleton, SkeletonBuilder, Solver, Workspace};

fn main() {
    divan::main();
}

/// A trunk of `part` joints to the head, and four limbs of as many below hips and chest: `5 part + 1` joints.
fn body(part: usize) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let hips = builder.add(JointSpec::named("hips").translation(DVec3::Y));
    let mut limb = |name: &str, from: usize, way: DVec3, bend: DVec3| {
        (0..part).fold(from, |parent, i| {
            let spec = JointSpec::named(format!("{name}{i}"));
            let side = if i % 2 == 0 { bend } else { -bend };
            builder.add(spec.child_of(parent).translation(way / part as f64 + side))
        })
    };
    limb("head", hips, DVec3::Y * 0.7, DVec3::Z * 0.02);
    let chest = hips + part / 2;
    for (name, from, way) in [
        ("hand_l", chest, DVec3::X),
        ("hand_r", chest, DVec3::NEG_X),
        ("foot_l", hips, DVec3::new(0.2, -1.0, 0.0)),
        ("foot_r", hips, DVec3::new(-0.2, -1.0, 0.0)),
    ] {
        limb(name, from, way * 0.9, DVec3::Z * 0.02);
    }
    builder.build().expect("a body")
}

fn goals(skeleton: &Skeleton, part: usize) -> [Goal; 5] {
    let rest = skeleton.rest_pose();
    let of = |name: &str| skeleton.joint(&format!("{name}{}", part - 1)).expect("its tip");
    let to = |name: &str, by: DVec3| Goal::position(of(name), rest.position(of(name)) + by);
    [
        to("hand_l", DVec3::new(-0.4, 0.1, 0.4)),
        to("hand_r", DVec3::new(0.3, -0.3, 0.5)),
        to("foot_l", DVec3::new(0.0, 0.1, 0.1)),
        to("foot_r", DVec3::ZERO),
        to("head", DVec3::new(0.0, -0.05, 0.1)),
    ]
}

fn solves(bencher: Bencher, part: usize, solver: &dyn Solver) {
    let skeleton = body(part);
    let (goals, start) = (goals(&skeleton, part), skeleton.rest_pose());
    let (mut pose, mut work) = (start.clone(), Workspace::default());
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        pose.clone_from(&start);
        let _ = black_box(solver.solve(&skeleton, black_box(&goals), &mut pose, &mut work));
    });
}

#[divan::bench(args = [4, 12])]
fn pinned(bencher: Bencher, part: usize) {
    solves(bencher, part, &MassSpring::default());
}

#[divan::bench(args = [4, 12])]
fn pulled(bencher: Bencher, part: usize) {
    solves(bencher, part, &MassSpring { root: Some(Root::Pulled { stiffness: 1.0 }), ..MassSpring::default() });
}

#[divan::bench(args = [4, 12])]
fn jacobian(bencher: Bencher, part: usize) {
    solves(bencher, part, &Jacobian::default());
}
