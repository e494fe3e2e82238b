//! Cyclic coordinate descent under the laws.

use sinew::Ccd;
use sinew::laws::{Law, MakeRig, Subject, Task, rigs};

/// Descent for a rig, to the last digits, as laws measure them, and to the end.
fn ccd(rigs: &'static [MakeRig]) -> Subject {
    Subject {
        excused: CCD_EXCUSED,
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

const CCD_EXCUSED: &[(Law, &str)] = &[
    (
        Law::SpeedIsBounded,
        "no bend is carried along; through full extension the middle joint was seen about 100 times as fast",
    ),
    (Law::WeightIsContinuous, "the weight moves the target, and where its way passes a fold the shortest turns flip"),
    (Law::SmallWeightsMoveLittle, "other starts are tried where descent creeps; with `restarts: 0` there are none"),
];
const CCD_AIM_EXCUSED: &[(Law, &str)] = &[
    (Law::MotionCarriesTheAnswer, "many poses meet an aim; where limits forbid some, rounding may pick another"),
    CCD_EXCUSED[0],
    CCD_EXCUSED[1],
    CCD_EXCUSED[2],
];
const CCD_LIMB_EXCUSED: &[(Law, &str)] = &[
    (
        Law::MotionCarriesTheAnswer,
        "twist joints half way down a bone fold it back on itself; rounding decides how it opens",
    ),
    CCD_EXCUSED[0],
    CCD_EXCUSED[1],
    CCD_EXCUSED[2],
    (Law::OthersStay, "twist joints between are balls of the chain"),
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
const ODD_EXCUSED: &[(Law, &str)] =
    &[CCD_LIMB_EXCUSED[1], CCD_LIMB_EXCUSED[2], CCD_LIMB_EXCUSED[3], CCD_LIMB_EXCUSED[4], crate::LEAVES];

laws! {
    links: ccd(&[rigs::free_three_link, rigs::finger, rigs::hind_leg]);
    limbs: Subject {
        // Knees at their stop and limbs at full reach are come to ever more slowly: measured 0.9943.
        rate: 0.994,
        excused: CCD_LIMB_EXCUSED,
        ..ccd(&[rigs::free_limb, rigs::hinged_limb, rigs::skew_limb])
    };
    limited: Subject {
        // Poses at two limits at once, likewise: measured 0.979.
        rate: 0.978,
        excused: CCD_LIMB_EXCUSED,
        ..ccd(&[rigs::limited_limb])
    };
    odd: Subject { rate: 0.98, slack: 0.2, thin: 40, frames: 200, excused: ODD_EXCUSED, ..ccd(ODD) };
    aim: Subject { task: Task::Point, excused: &[CCD_EXCUSED[0]], ..ccd(&[rigs::free_spine]) };
    aim_limited: Subject { task: Task::Point, excused: CCD_AIM_EXCUSED, ..ccd(&[rigs::limited_spine]) };
}
