//! The choice of solvers under the laws.

use sinew::laws::{Law, MakeRig, Subject, Task, rigs};
use sinew::{Auto, Goal, Joint, Outcome, Pose, Skeleton, Solver, Workspace};

/// The choice for a part of the body: goals name its base.
#[derive(Debug)]
struct Part {
    auto: Auto,
    base: Joint,
}

impl Solver for Part {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let mut based = work.take::<Vec<Goal>>();
        based.clear();
        based.extend(goals.iter().map(|goal| goal.base(self.base)));
        let outcome = self.auto.solve(skeleton, &based, pose, work);
        work.put(based);
        outcome
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        self.auto.serves(skeleton, goal)
    }
}

fn auto(rigs: &'static [MakeRig]) -> Subject {
    Subject {
        speed: 150.0,
        carried: 1e-4,
        excused: &[FORKS],
        ..Subject::new("auto", rigs, |_, rig| {
            Box::new(Part { auto: Auto { restarts: 16, ..Auto::default() }, base: rig.root })
        })
    }
}

const FORKS: (Law, &str) =
    (Law::WeightIsContinuous, "iterative solvers move the target with the weight, and their ways may fork");
const TAKE_PART: (Law, &str) =
    (Law::OthersStay, "what limbs pass over, twist joints, take part where limits call for other solvers");

/// Limbs and links of every kind.
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
    rigs::odd::odd_serial_arm,
];
const TWO_TIPS: &[(Law, &str)] = &[
    FORKS,
    TAKE_PART,
    (Law::ReachableIsReached, "a goal with a base owns the joints from there on, and leaves the other tip too few"),
];

laws! {
    limbs: Subject { excused: &[FORKS, TAKE_PART], ..auto(&[rigs::free_limb, rigs::hinged_limb, rigs::skew_limb]) };
    links: auto(&[rigs::free_three_link, rigs::finger, rigs::hind_leg]);
    limited: Subject { carried: 1e-2, slack: 0.05, thin: 5, excused: &[FORKS, TAKE_PART, crate::laws::BLOCKED[0]], ..auto(&[rigs::limited_limb]) };
    // Searches end within their own tolerance, a millionth of the length: 0.96 are within a billionth.
    odd: Subject { rate: 0.95, carried: 1e-2, slack: 0.05, thin: 40, frames: 200, excused: &[FORKS, TAKE_PART, crate::laws::BLOCKED[0], crate::laws::SEARCHES], ..auto(ODD) };
    two_tips: Subject {
        carried: 1e-2,
        slack: 0.05,
        thin: 40,
        frames: 200,
        excused: TWO_TIPS,
        ..auto(&[rigs::odd::two_tips])
    };
    aim: Subject { task: Task::Point, ..auto(&[rigs::free_spine]) };
    aim_odd: Subject {
        task: Task::Point,
        carried: 1e-2,
        slack: 0.05,
        thin: 10,
        frames: 200,
        excused: &[FORKS, crate::laws::BLOCKED[0]],
        ..auto(&[rigs::odd::odd_spine])
    };
}
