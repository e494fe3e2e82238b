//! Paths of serial arms, with and without rotation, that the seed's answer does not lead along.

use fastrand::Rng;
use sinew::math::ops::sin_cos;
use sinew_arm::{Arm, PathOptions, PoseTarget};

use super::Hash;
use super::serial::body;

pub(crate) fn hash() -> u64 {
    let mut hash = Hash::default();
    let following = PathOptions { alternatives: 8, ..PathOptions::default() };
    for seed in 0..12 {
        let mut rng = Rng::with_seed(seed);
        let skeleton = body(&mut rng);
        let [base, tip] = skeleton.joints(["base", "1 5"]).expect("the tip");
        let arm = Arm::new(&skeleton, base, tip).expect("an arm");
        let ranges: Vec<_> = arm.coordinates().iter().map(|&at| skeleton.coordinates()[at].range).collect();
        let phases: Vec<f64> = ranges.iter().map(|_| 6.3 * rng.f64()).collect();
        let frame = |i: u32| {
            let q = |(phase, range): (&f64, &sinew::limit::Range)| {
                range.clamp(2.0 * sin_cos(phase + 0.02 * f64::from(i)).0)
            };
            let (place, stands) = arm.forward(&phases.iter().zip(&ranges).map(q).collect::<Vec<_>>());
            if seed % 3 == 0 { PoseTarget::position(place) } else { PoseTarget::frame(place, stands) }
        };
        let frames: Vec<PoseTarget> = (0..250).map(frame).collect();
        let way = arm.path(&frames, &vec![0.0; phases.len()], &following);
        way.coordinates.into_iter().for_each(|q| hash.eat(q));
        way.jumps.into_iter().for_each(|at| hash.eat(at as f64));
    }
    hash.0
}
