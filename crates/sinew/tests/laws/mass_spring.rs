//! Bodies of springs under the laws.

use crate::laws::ODD_CHAINS;
use sinew::laws::{Law, MakeRig, MakeSolver, Subject, Task, rigs};
use sinew::{MassSpring, Start};

/// Springs on the limb's joints alone.
fn mass_spring(rigs: &'static [MakeRig], start: Start) -> Subject {
    let make: MakeSolver = match start {
        Start::Given => {
            |_, rig| Box::new(MassSpring { hips: Some(rig.root), iterations: 1000, ..MassSpring::default() })
        }
        _ => |_, rig| {
            Box::new(MassSpring { hips: Some(rig.root), iterations: 1000, start: Start::Rest, ..MassSpring::default() })
        },
    };
    Subject {
        speed: POPS,
        // Steps end when a goal is met: which of a redundant limb's answers is met first hangs on rounding's growth.
        carried: 1e-2,
        excused: &[TAKE_PART, FORKS],
        ..Subject::new("mass-spring", rigs, make)
    }
}

/// All joints move at once, as with the Jacobian solver, and pop at full extension.
const POPS: f64 = 100.0;

const TAKE_PART: (Law, &str) = (Law::OthersStay, "twist joints between root and tip take part");
const FORKS: (Law, &str) =
    (Law::WeightIsContinuous, "the target moves with the weight, and the way of the steps may fork");
const FOLDS: (Law, &str) = (Law::MotionCarriesTheAnswer, "among bends that are as good, rounding chooses");
const OTHER_FOLDS: (Law, &str) = (
    Law::NearbyTargetsHaveNearbyAnswers,
    "among folds that hinges and limits leave as good, rounding chooses: up to 2 rad",
);
const SWINGS: (Law, &str) = (
    Law::SpeedIsBounded,
    "where a limit is in the way a solve may end in another fold, though one beside the last comes as near",
);
const LAST_DIGITS: (Law, &str) = (
    Law::SolvingAgainIsStill,
    "a second solve may gain a last digit of a miss (4e-9 rad), or more of an up that a limit leaves short (0.014 rad)",
);

laws! {
    // A limb at full reach is come to ever more slowly.
    free: Subject { rate: 0.995, ..mass_spring(&[rigs::free_limb, rigs::free_three_link], Start::Given) };
    from_rest: Subject {
        rate: 0.995,
        excused: &[TAKE_PART, FORKS, crate::laws::FROM_REST, crate::laws::BENDS_FROM_REST],
        ..mass_spring(&[rigs::free_limb, rigs::free_three_link], Start::Rest)
    };
    hinged: Subject {
        rate: 0.97,
        thin: 2,
        excused: &[TAKE_PART, FORKS, FOLDS, OTHER_FOLDS],
        ..mass_spring(&[rigs::hinged_limb, rigs::skew_limb, rigs::finger, rigs::hind_leg], Start::Given)
    };
    limited: Subject {
        rate: 0.9,
        slack: 0.2,
        thin: 5,
        excused: &[TAKE_PART, FORKS, SWINGS, LAST_DIGITS],
        ..mass_spring(&[rigs::limited_limb], Start::Given)
    };
    odd: Subject { rate: 0.9, slack: 0.2, thin: 40, frames: 200, excused: &[TAKE_PART, FORKS, SWINGS, LAST_DIGITS, FOLDS, OTHER_FOLDS, crate::laws::LEAVES], ..mass_spring(ODD_CHAINS, Start::Given) };
    aim: Subject { task: Task::Point, excused: &[FORKS], ..mass_spring(&[rigs::free_spine], Start::Given) };
    aim_limited: Subject {
        task: Task::Point,
        rate: 0.98,
        slack: 0.05,
        thin: 5,
        excused: &[FORKS],
        ..mass_spring(&[rigs::limited_spine], Start::Given)
    };
}
