//! Cyclic coordinate descent under the laws.

use sinew::Ccd;
use sinew::laws::{Law, MakeRig, Subject, Task, rigs};

/// Descent for a rig, to the last digits, as laws measure them, and to the end.
fn ccd(rigs: &'static [MakeRig]) -> Subject {
    Subject {
        excused: &[SPEED, FLIPS, RESTARTS],
        ..Subject::new("ccd", rigs, |_, rig| {
            Box::new(Ccd {
                position_tolerance: 1e-10,
                rotation_tolerance: 1e-10,
                iterations: 4000,
                base: Some(rig.root),
                ..Ccd::default()
            })
        })
    }
}

const SPEED: (Law, &str) = (
    Law::SpeedIsBounded,
    "no bend is carried along; through full extension the middle joint was seen about 100 times as fast",
);
const FLIPS: (Law, &str) =
    (Law::WeightIsContinuous, "the weight moves the target, and where its way passes a fold the shortest turns flip");
const RESTARTS: (Law, &str) =
    (Law::SmallWeightsMoveLittle, "other starts are tried where descent creeps; with `restarts: 0` there are none");
const ANOTHER_START: (Law, &str) = (
    Law::NearbyTargetsHaveNearbyAnswers,
    "where descent creeps, which of sixteen other starts wins hangs on the count of sweeps, and that on rounding",
);
const TAKE_PART: (Law, &str) = (Law::OthersStay, "twist joints between are balls of the chain");
const LIMB: &[(Law, &str)] = &[
    (
        Law::MotionCarriesTheAnswer,
        "twist joints half way down a bone fold it back on itself; rounding decides how it opens",
    ),
    SPEED,
    FLIPS,
    RESTARTS,
    ANOTHER_START,
    TAKE_PART,
];
const AIM_LIMITED: &[(Law, &str)] = &[
    (Law::MotionCarriesTheAnswer, "many poses meet an aim; where limits forbid some, rounding may pick another"),
    SPEED,
    FLIPS,
    RESTARTS,
    ANOTHER_START,
];

const ODD: &[MakeRig] = &[
    rigs::odd::hinge_root_limb,
    rigs::odd::hinge_pair_limb,
    rigs::odd::turning_limb,
    rigs::odd::limited_elbow_limb,
    rigs::odd::odd_shoulder_limb,
    rigs::odd::followed_limb,
    rigs::odd::following_finger,
    rigs::odd::mixed_three_link,
    rigs::odd::telescope,
    rigs::odd::free_root_limb,
    rigs::odd::two_tips,
    rigs::odd::odd_serial_arm,
];
laws! {
    links: ccd(&[rigs::free_three_link, rigs::finger, rigs::hind_leg]);
    limbs: Subject {
        // Knees at their stop and limbs at full reach are come to ever more slowly: measured 0.9943.
        rate: 0.994,
        excused: LIMB,
        ..ccd(&[rigs::free_limb, rigs::hinged_limb, rigs::skew_limb])
    };
    limited: Subject {
        // Poses at two limits at once, likewise: measured 0.979.
        rate: 0.978,
        excused: LIMB,
        ..ccd(&[rigs::limited_limb])
    };
    odd: Subject { rate: 0.98, slack: 0.2, thin: 40, frames: 200, excused: &[SPEED, FLIPS, RESTARTS, TAKE_PART, crate::laws::LEAVES], ..ccd(ODD) };
    aim: Subject { task: Task::Point, excused: &[SPEED], ..ccd(&[rigs::free_spine]) };
    aim_limited: Subject { task: Task::Point, excused: AIM_LIMITED, ..ccd(&[rigs::limited_spine]) };
}
