//! The solver of serial arms under the laws.

#[macro_use]
#[path = "../../sinew/tests/laws/suite.rs"]
mod suite;

use sinew::laws::{Law, Subject, rigs};
use sinew_arm::Serial;

/// Three limited hinges: one descent may end in a lesser valley.
fn serial() -> Subject {
    Subject {
        // Where limits forbid a goal, near ties may end elsewhere.
        carried: 1e-2,
        slack: 0.05,
        thin: 5,
        excused: &[
            (
                Law::SpeedIsBounded,
                "where a limit is in the way a solve may end in another fold, though one beside the last comes as near",
            ),
            (Law::BendIsKept, "where a limit is in the way, another posture may be nearer"),
            (Law::WeightIsContinuous, "the target moves with the weight, and may ask for another branch"),
        ],
        ..Subject::new("serial", &[rigs::serial_arm], |_, _| Box::new(Serial { restarts: 64, ..Serial::default() }))
    }
}

const ODD_EXCUSED: &[(Law, &str)] = &[
    (
        Law::SpeedIsBounded,
        "where a limit is in the way a solve may end in another fold, though one beside the last comes as near",
    ),
    (Law::WeightIsContinuous, "the target moves with the weight, and may ask for another branch"),
];

laws! {
    arm: serial();
    odd: Subject { rigs: &[rigs::odd::odd_serial_arm], rate: 0.98, excused: ODD_EXCUSED, ..serial() };
}
