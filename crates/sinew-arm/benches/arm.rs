//! What do lanes save? A 7R arm with short ranges, frames in reach, from the middle of the limits: one at a time with
//! restarts side by side, and all in one call. One item is one solve.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::glam::DVec3;
use sinew::{JointSpec, Kind, SkeletonBuilder};
use sinew_arm::{Arm, PoseTarget, Serial, Width};

const COUNT: usize = 512;

fn main() {
    divan::main();
}

/// An arm with this many hinges, each free `range` radians either way.
fn arm(hinges: usize, range: f64) -> Arm {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base"));
    for i in 0..hinges {
        let axis = [DVec3::Z, DVec3::Y][i % 2];
        let joint = JointSpec::named(format!("joint_{i}")).child_of(i).translation(DVec3::new(0.03, 0.0, 0.2));
        builder.add(joint.kind(Kind::hinge(axis).within(-range, range)));
    }
    let tool = JointSpec::named("tool").kind(Kind::Fixed).child_of(hinges).translation(DVec3::Z * 0.1);
    builder.add(tool);
    let skeleton = builder.build().expect("an arm");
    let [base, tool] = skeleton.joints(["base", "tool"]).expect("its ends");
    Arm::new(&skeleton, base, tool).expect("hinges")
}

fn frames(arm: &Arm, range: f64) -> Vec<PoseTarget> {
    let mut rng = fastrand::Rng::with_seed(7);
    let frame = |_| {
        let values: Vec<f64> = arm.coordinates().iter().map(|_| range * (2.0 * rng.f64() - 1.0)).collect();
        let (position, rotation) = arm.forward(&values);
        PoseTarget::frame(position, rotation)
    };
    (0..COUNT).map(frame).collect()
}

/// Widths, hinges and their ranges.
fn cases() -> impl Iterator<Item = (usize, usize, f64)> {
    let arms = [(6, 1.6), (7, 1.6), (7, 2.8)];
    Width::all().flat_map(move |width| arms.map(|(hinges, range)| (width.lanes(), hinges, range)))
}

#[divan::bench(args = cases().map(Case))]
fn one_after_another(bencher: Bencher, case: &Case) {
    let Case((_, hinges, range)) = *case;
    let (settings, arm) = (case.settings(), arm(hinges, range));
    let (asked, seed, mut answer) = (frames(&arm, range), vec![0.0; hinges], vec![0.0; hinges]);
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for asked in black_box(&asked) {
            let _ = black_box(arm.solve(asked, &seed, &settings, &mut answer));
        }
    });
}

#[divan::bench(args = cases().map(Case))]
fn in_one_call(bencher: Bencher, case: &Case) {
    let Case((_, hinges, range)) = *case;
    let (settings, arm) = (case.settings(), arm(hinges, range));
    let (asked, seeds) = (frames(&arm, range), vec![0.0; hinges * COUNT]);
    let (mut answers, mut found) = (seeds.clone(), Vec::new());
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        arm.solve_many(black_box(&asked), &seeds, &settings, (&mut answers, &mut found));
    });
}

#[derive(Clone, Copy)]
struct Case((usize, usize, f64));

impl Case {
    fn settings(self) -> Serial {
        let width = Width::all().find(|width| width.lanes() == self.0.0).expect("one of all");
        Serial { restarts: 1000, width, ..Serial::default() }
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (lanes, hinges, range) = self.0;
        write!(f, "{lanes} lanes, {hinges}R, {range} rad")
    }
}
