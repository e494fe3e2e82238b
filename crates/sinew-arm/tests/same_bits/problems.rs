//! What an arm may be asked.

use fastrand::Rng;
use sinew::glam::{BVec3, DVec3};
use sinew::laws::rigs::{direction, rotation};
use sinew::math::ops;
use sinew::{Mask, Skeleton, Slack, Tolerance};
use sinew_arm::{Arm, PoseTarget, Serial, Width};

use crate::arms::{random_values, ranges};

/// Searches: none, short ones, long ones, and hardly any steps.
pub(super) const SETTINGS: [Serial; 5] = [
    Serial { restarts: 0, ..SERIAL },
    Serial { restarts: 3, ..SERIAL },
    Serial { restarts: 20, ..SERIAL },
    Serial { restarts: 90, ..SERIAL },
    Serial { restarts: 30, iterations: 4, ..SERIAL },
];
const SERIAL: Serial =
    Serial { iterations: 50, restarts: 0, position_tolerance: 1e-10, rotation_tolerance: 1e-10, width: Width::ONE };

/// One thing asked.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) asked: PoseTarget,
    pub(super) seed: Vec<f64>,
    /// How far from the seed, where not as far as limits allow.
    pub(super) within: Option<Vec<f64>>,
    pub(super) settings: Serial,
}

/// In and out of reach, whole and in part, from near and far, and nonsense.
pub(super) fn random(skeleton: &Skeleton, arm: &Arm, count: usize, rng: &mut Rng) -> Vec<Problem> {
    let ranges = ranges(skeleton, arm);
    (0..count)
        .map(|_| {
            let (position, rotation) = arm.forward(&random_values(&ranges, rng));
            let near = ops::pow(10.0, f64::from(-rng.i32(4..10)));
            let tolerance = Tolerance { position: near * arm.length().max(1e-3), rotation: near };
            let asked = part(PoseTarget::frame(position, rotation).tolerance(tolerance), rng);
            let seed = seed(random_values(&ranges, rng), rng);
            let within = (rng.u8(0..5) == 0).then(|| seed.iter().map(|_| 2.0 * rng.f64()).collect());
            Problem { asked, seed, within, settings: SETTINGS[rng.usize(0..SETTINGS.len())] }
        })
        .collect()
}

/// Some of what a frame asks, or more than can be.
fn part(whole: PoseTarget, rng: &mut Rng) -> PoseTarget {
    let some = |rng: &mut Rng| BVec3::new(rng.bool(), rng.bool(), rng.bool());
    match rng.u8(0..14) {
        0 => PoseTarget { position: whole.position * 3.0, ..whole },
        1 => PoseTarget { position: whole.position * 50.0, ..whole },
        2 => PoseTarget { rotation: rotation(rng).into(), ..whole },
        3 => PoseTarget { tolerance: Tolerance { position: 0.0, rotation: 0.0 }, ..whole },
        4 => PoseTarget { mask: Mask { position: some(rng), rotation: some(rng), ..Mask::default() }, ..whole },
        5 => PoseTarget { mask: PoseTarget::position(DVec3::ZERO).mask, ..whole },
        6 => PoseTarget { free_about: Some(direction(rng)), ..whole },
        7 => {
            let [place, turn] = [0.1, 0.3].map(|size| size * DVec3::new(rng.f64(), 0.0, rng.f64()));
            whole.slack(Slack { position: place, rotation: turn })
        }
        8 if rng.bool() => PoseTarget { position: DVec3::new(0.0, f64::NAN, 0.0), ..whole },
        8 => PoseTarget { rotation: whole.rotation * 2.0, ..whole },
        _ => whole,
    }
}

/// Values to start from, now and then many turns out, outside every range, or no numbers.
fn seed(mut values: Vec<f64>, rng: &mut Rng) -> Vec<f64> {
    let place = rng.usize(0..values.len());
    match rng.u8(0..12) {
        0 => values[place] = 1e4,
        1 => values.iter_mut().for_each(|q| *q *= 1e9),
        2 => values[place] = [f64::NAN, f64::INFINITY][rng.usize(0..2)],
        3 => values.fill(0.0),
        4 => values.fill(-0.0),
        _ => {}
    }
    values
}
