//! The Jacobian solver under the laws.

use crate::laws::ODD_CHAINS;
use sinew::Jacobian;
use sinew::laws::{Law, MakeRig, Subject, Task, rigs};

/// The same where all joints move at once: measured up to 81, of skew hinges, and 146 with a pole, of three links.
const JACOBIAN_POPS: f64 = 160.0;

/// Descent that turns all joints at once, the limb's alone, as with the other solvers.
fn jacobian(rigs: &'static [MakeRig]) -> Subject {
    Subject {
        speed: JACOBIAN_POPS,
        // Steps end when a goal is met: which of a redundant limb's answers is met first hangs on rounding's growth.
        carried: 3e-4,
        excused: &[FORKS],
        ..Subject::new("jacobian", rigs, |_, rig| jacobian_of(rig, 0))
    }
}

fn jacobian_of(rig: &rigs::Rig, restarts: u32) -> Box<dyn sinew::Solver> {
    // To the last digits, as laws measure them.
    let near = Jacobian { position_tolerance: 1e-10, rotation_tolerance: 1e-10, ..Jacobian::default() };
    Box::new(Jacobian { joints: Some(rig.limb().collect()), restarts, ..near })
}

const FORKS: (Law, &str) =
    (Law::WeightIsContinuous, "the target moves with the weight, and the way of the steps may fork");

/// Inside limits one descent may end in a lesser valley: other starts look beyond it.
fn jacobian_restarted(rigs: &'static [MakeRig]) -> Subject {
    Subject {
        solver: |_, rig| jacobian_of(rig, 16),
        // Where limits forbid a goal, near ties may end elsewhere.
        carried: 1e-2,
        slack: 0.05,
        thin: 5,
        excused: &[FORKS, crate::laws::LEAVES, DESCENTS],
        ..jacobian(rigs)
    }
}

const DESCENTS: (Law, &str) =
    (Law::SolvingAgainIsStill, "ten thousand frames of seventeen descents: tests/jacobian_limits.rs has some");
const ANOTHER_WINS: (Law, &str) = (Law::SmallWeightsMoveLittle, "where a limit holds the tip another start may win");
const STEPS: (Law, &str) =
    (Law::NearbyTargetsHaveNearbyAnswers, "hinges may need a step more or a longer one: up to 0.04 rad apart");
const SWINGS: (Law, &str) =
    (Law::SpeedIsBounded, "another start may win though an answer beside the last would do: measured up to 520");

laws! {
    free: jacobian(&[rigs::free_limb, rigs::free_three_link]);
    hinged: Subject { rate: 0.97, excused: &[FORKS, STEPS], ..jacobian(&[rigs::hinged_limb, rigs::skew_limb, rigs::finger, rigs::hind_leg]) };
    restarted: jacobian_restarted(&[rigs::hinged_limb, rigs::finger, rigs::hind_leg, rigs::limited_limb]);
    odd: Subject { rate: 0.98, thin: 40, frames: 200, excused: &[FORKS, ANOTHER_WINS, SWINGS, crate::laws::LEAVES], ..jacobian_restarted(ODD_CHAINS) };
    aim: Subject { task: Task::Point, ..jacobian(&[rigs::free_spine]) };
    aim_odd: Subject {
        task: Task::Point,
        thin: 10,
        frames: 200,
        excused: &[FORKS, ANOTHER_WINS],
        ..jacobian_restarted(&[rigs::odd::odd_spine])
    };
    aim_restarted: Subject {
        task: Task::Point,
        // Of starts that end nearly alike another one may win.
        carried: 0.1,
        excused: &[FORKS, DESCENTS],
        ..jacobian_restarted(&[rigs::limited_spine])
    };
}
