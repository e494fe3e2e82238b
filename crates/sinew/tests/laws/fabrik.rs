//! FABRIK under the laws.

use sinew::laws::{Law, MakeRig, MakeSolver, Subject, rigs};
use sinew::solve::fabrik::Twist;
use sinew::{Fabrik, Start};

/// Sweeps pop at full extension as clamping does: measured up to 22.
const FABRIK_POPS: f64 = 30.0;

/// FABRIK on every joint from the rig's root on.
fn fabrik(rigs: &'static [MakeRig], start: Start) -> Subject {
    let make: MakeSolver = match start {
        Start::Given => |_, rig| Box::new(Fabrik { restarts: 0, ..Fabrik::from_base(rig.root) }),
        _ => |_, rig| {
            let fabrik = Fabrik { restarts: 0, twist: Twist::Shared, ..Fabrik::from_base(rig.root) };
            Box::new(Fabrik { start: Start::Rest, ..fabrik })
        },
    };
    Subject { speed: FABRIK_POPS, ..Subject::new("fabrik", rigs, make) }
}

/// Joints between take part: they have no place in the rig's limb.
const TAKE_PART: (Law, &str) = (Law::OthersStay, "twist joints between root and tip take part");
const FORKS: (Law, &str) =
    (Law::WeightIsContinuous, "the target moves with the weight, and the way of the sweeps may fork");
const BENDS_AT_ONCE: (Law, &str) =
    (Law::SmallWeightsMoveLittle, "the target goes a little way, the chain to the bend at rest at once");
const FOLDS: (Law, &str) = (Law::SpeedIsBounded, "two hinges may fold another way at the next target");
const HINGED: &[MakeRig] = &[rigs::finger, rigs::hind_leg, rigs::hinged_limb, rigs::skew_limb];
const LIMITED: &[MakeRig] = &[rigs::limited_limb, rigs::limited_spine];

const ODD: &[MakeRig] = &[
    rigs::odd::hinge_root_limb,
    rigs::odd::hinge_pair_limb,
    rigs::odd::turning_limb,
    rigs::odd::limited_elbow_limb,
    rigs::odd::odd_shoulder_limb,
    rigs::odd::followed_limb,
    rigs::odd::mixed_three_link,
    rigs::odd::free_root_limb,
    rigs::odd::two_tips,
];
const OTHER_FOLD: &str =
    "where a limit is in the way a solve may end in another fold, though one beside the last comes as near";
const ODD_EXCUSED: &[(Law, &str)] = &[TAKE_PART, (Law::SpeedIsBounded, OTHER_FOLD), FORKS];
const ONE_LEADS: &str = "joints that share a coordinate are turned one by one, and the lowest leads: a solve ends short of what they could reach";
const FOLLOWING_EXCUSED: &[(Law, &str)] = &[
    ODD_EXCUSED[1],
    FORKS,
    (Law::SolvingAgainIsStill, ONE_LEADS),
    (Law::ReachableIsReached, ONE_LEADS),
    (Law::MotionCarriesTheAnswer, ONE_LEADS),
];

laws! {
    free: Subject { excused: &[FORKS], ..fabrik(&[rigs::free_three_link], Start::Given) };
    from_rest: Subject { excused: &[crate::laws::FROM_REST, crate::laws::BENDS_FROM_REST, BENDS_AT_ONCE, FORKS], ..fabrik(&[rigs::free_three_link], Start::Rest) };
    on_limbs: Subject { excused: &[TAKE_PART, FORKS], ..fabrik(&[rigs::free_limb], Start::Given) };
    hinged: Subject { excused: &[TAKE_PART, FOLDS, FORKS], carried: 1e-3, rate: 0.98, ..fabrik(HINGED, Start::Given) };
    hinged_from_rest: Subject {
        excused: &[TAKE_PART, FOLDS, crate::laws::FROM_REST, crate::laws::BENDS_FROM_REST, BENDS_AT_ONCE, FORKS],
        carried: 1e-3,
        rate: 0.98,
        ..fabrik(HINGED, Start::Rest)
    };
    limited: Subject {
        excused: ODD_EXCUSED,
        carried: 1e-3,
        rate: 0.9,
        slack: 0.2,
        thin: 5,
        ..fabrik(LIMITED, Start::Given)
    };
    odd: Subject { excused: ODD_EXCUSED, rate: 0.98, carried: 1e-3, slack: 0.2, thin: 20, frames: 200, ..fabrik(ODD, Start::Given) };
    following: Subject {
        excused: FOLLOWING_EXCUSED,
        carried: 1e-3,
        slack: 0.2,
        thin: 20,
        frames: 200,
        ..fabrik(&[rigs::odd::following_finger], Start::Given)
    };
    escaping: Subject {
        solver: |_, rig| Box::new(Fabrik::from_base(rig.root)),
        excused: &[TAKE_PART, (Law::SpeedIsBounded, "another start may win from one frame to the next"),
            crate::laws::LEAVES, FORKS,
            (Law::SmallWeightsMoveLittle, "another start may win")],
        carried: 1e-3,
        rate: 0.98,
        slack: 0.2,
        thin: 5,
        ..fabrik(&[rigs::finger, rigs::hind_leg, rigs::hinged_limb, rigs::skew_limb, rigs::limited_limb, rigs::limited_spine], Start::Given)
    };
}
