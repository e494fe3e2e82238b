//! Every solver under every law: one line a solver.

use sinew::laws::{Checked, Law, Subject, Task, rigs};
use sinew::solve::three_link::Yields;
use sinew::solve::two_bone::{Reach, TwoBone};
use sinew::{Aim, Bend, Start, ThreeLink};

#[macro_use]
mod suite;

/// Chains of every kind that solvers of all joints at once are for.
const ODD_CHAINS: &[sinew::laws::MakeRig] = &[
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
];

mod auto;
mod ccd;
mod fabrik;
mod jacobian;
mod mass_spring;
mod scale;

/// Clamping pops at full extension: measured 22 to 30 at steps of a thousandth of the limb, where
/// theory has `sqrt(1 / (2 step))` = 22.4 for equal bones. Without bound as steps shrink.
const CLAMP_POPS: f64 = 30.0;

/// The same for three links, whose last one gives way at once with the others: measured up to 124.
const THREE_LINK_POPS: f64 = 150.0;

fn two_bone(reach: Reach) -> Subject {
    let make = match reach {
        Reach::Hold => |skeleton: &sinew::Skeleton, rig: &rigs::Rig| limb(skeleton, rig, Reach::Hold),
        Reach::Soft { .. } => |skeleton: &sinew::Skeleton, rig: &rigs::Rig| limb(skeleton, rig, Reach::SOFT),
        Reach::Stretch { .. } => {
            |skeleton: &sinew::Skeleton, rig: &rigs::Rig| limb(skeleton, rig, Reach::Stretch { limit: 1.2 })
        }
        _ => |skeleton: &sinew::Skeleton, rig: &rigs::Rig| limb(skeleton, rig, Reach::Clamp),
    };
    let rigs: &[sinew::laws::MakeRig] = &[rigs::free_limb, rigs::hinged_limb, rigs::skew_limb];
    Subject { speed: CLAMP_POPS, ..Subject::new("two-bone", rigs, make) }
}

fn limb(skeleton: &sinew::Skeleton, rig: &rigs::Rig, reach: Reach) -> Box<dyn sinew::Solver> {
    Box::new(TwoBone { reach, ..TwoBone::new(skeleton, rig.root, rig.mid, rig.tip).expect("the rig's limb") })
}

/// Limbs of two bends other than arms and legs.
const ODD_LIMBS: &[sinew::laws::MakeRig] = &[
    rigs::odd::hinge_root_limb,
    rigs::odd::hinge_pair_limb,
    rigs::odd::turning_limb,
    rigs::odd::limited_elbow_limb,
    rigs::odd::odd_shoulder_limb,
    rigs::odd::followed_limb,
];

/// What starts at rest is the same whatever came before.
const FROM_REST: (Law, &str) = (Law::MetMovesNothing, "from rest the answer does not depend on the pose given");
const SOFT_STAYS_SHORT: [(Law, &str); 4] = [
    (Law::MetMovesNothing, "soft reach draws back from what is met near its rims"),
    (Law::SmallWeightsMoveLittle, "soft reach draws back from what is met near its rims"),
    (Law::WeightIsContinuous, "soft reach draws back from what is met near its rims"),
    (Law::WeightMovesTheTarget, "soft reach stays short on purpose"),
];
/// What a joint at its limit does to weights between 0 and 1.
const BLOCKED: [(Law, &str); 2] = [
    (Law::SmallWeightsMoveLittle, "a joint that stands at its limit may have to swing round at once"),
    (Law::WeightIsContinuous, "a joint that stands at its limit may have to swing round at once"),
];
/// Of [`Law::BendIsKept`], what starts from rest is excused, and what a limit turns aside.
const BENDS_FROM_REST: (Law, &str) = (Law::BendIsKept, "it starts from rest, whatever the pose given");
/// Of [`Law::NearbyTargetsHaveNearbyAnswers`]: borders that lie where rounding has them.
const SEARCHES: (Law, &str) = (
    Law::NearbyTargetsHaveNearbyAnswers,
    "where limits stop the closed form, which bend a search finds may hang on rounding: up to 0.25 rad apart",
);
const LEAVES: (Law, &str) = (Law::BendIsKept, "where a limit is in the way, another posture may be nearer");

const AT_REST: [(Law, &str); 2] = [
    (Law::BendIsKept, "it bends as at rest, whatever the pose given"),
    (Law::MetMovesNothing, "it bends as at rest, whatever the pose given"),
];
const SWINGS: (Law, &str) =
    (Law::SpeedIsBounded, "with a pole the answer may go over though one beside the last would do: measured up to 480");
const TWO_BONE_ODD: &[(Law, &str)] = &[SWINGS, BLOCKED[0], BLOCKED[1]];
const TWO_TIPS: &[(Law, &str)] = &[BLOCKED[0], (Law::ReachableIsReached, "a limb serves goals of its own tip alone")];
const THREE_LINK_ODD: &[(Law, &str)] = &[
    SWINGS,
    (
        Law::MotionCarriesTheAnswer,
        "where limits stop the closed form, which bend a search finds may hang on rounding: up to 0.08 lengths apart",
    ),
    LEAVES,
    SEARCHES,
    BLOCKED[0],
    BLOCKED[1],
];
/// Of three links with a pole: the last one gives way with the weight, and where the limb is straight on the way its plane
/// turns over.
const TURNS_OVER: (Law, &str) = (Law::WeightIsContinuous, "a limb that is straight on the way may turn its plane over");
const AIM_LIMITED: &[(Law, &str)] = &[BLOCKED[0], BLOCKED[1]];

fn three_link(rigs: &'static [sinew::laws::MakeRig]) -> Subject {
    Subject {
        speed: THREE_LINK_POPS,
        // Where the last link has just enough reach, the middle joint is off the line by the root of rounding.
        carried: 1e-5,
        excused: &[TURNS_OVER],
        ..Subject::new("three-link", rigs, |skeleton, rig| {
            let low = rig.low.expect("a rig of three links");
            Box::new(ThreeLink::new(skeleton, rig.root, rig.mid, low, rig.tip).expect("the rig's limb"))
        })
    }
}

fn aim() -> Subject {
    let make = |skeleton: &sinew::Skeleton, rig: &rigs::Rig| -> Box<dyn sinew::Solver> {
        Box::new(Aim::over(skeleton, rig.root, rig.tip).expect("the rig's spine"))
    };
    Subject { task: Task::Point, ..Subject::new("aim", &[rigs::free_spine], make) }
}

fn aim_from_rest(skeleton: &sinew::Skeleton, rig: &rigs::Rig) -> Box<dyn sinew::Solver> {
    let aim = Aim::over(skeleton, rig.root, rig.tip).expect("the rig's spine");
    Box::new(Aim { start: Start::Rest, roll: Some(0.4), ..aim })
}

laws! {
    three_link_free: three_link(&[rigs::free_three_link]);
    three_link_soft: Subject {
        solver: |skeleton, rig| {
            let low = rig.low.expect("a rig of three links");
            let limb = ThreeLink::new(skeleton, rig.root, rig.mid, low, rig.tip).expect("the rig's limb");
            Box::new(ThreeLink { reach: Reach::SOFT, yields: Yields::Position, ..limb })
        },
        speed: Reach::RATIO,
        carries: true,
        excused: &[(Law::ReachableIsReached, "the last link keeps its angle, and soft stays short on purpose"),
            (Law::UnreachableIsNearest, "the last link keeps its angle"), SOFT_STAYS_SHORT[0], SOFT_STAYS_SHORT[1], SOFT_STAYS_SHORT[2], SOFT_STAYS_SHORT[3]],
        ..three_link(&[rigs::free_three_link, rigs::finger, rigs::hind_leg])
    };
    three_link_hinged: three_link(&[rigs::finger, rigs::hind_leg]);
    three_link_odd: Subject {
        carried: 1e-3,
        // A search inside limits: measured 0.07.
        slack: 0.1,
        thin: 10,
        frames: 200,
        excused: THREE_LINK_ODD,
        ..three_link(&[rigs::odd::mixed_three_link])
    };
    two_bone_clamp: two_bone(Reach::Clamp);
    two_bone_at_rest: Subject {
        solver: |skeleton, rig| {
            let limb = TwoBone::new(skeleton, rig.root, rig.mid, rig.tip).expect("the rig's limb");
            Box::new(TwoBone { bend: Bend::Rest, ..limb })
        },
        excused: &AT_REST,
        ..two_bone(Reach::Clamp)
    };
    three_link_at_rest: Subject {
        solver: |skeleton, rig| {
            let low = rig.low.expect("a rig of three links");
            let limb = ThreeLink::new(skeleton, rig.root, rig.mid, low, rig.tip).expect("the rig's limb");
            Box::new(ThreeLink { bend: Bend::Rest, ..limb })
        },
        excused: &[AT_REST[0], AT_REST[1], TURNS_OVER],
        ..three_link(&[rigs::free_three_link, rigs::finger, rigs::hind_leg])
    };
    two_bone_limited: Subject {
        rigs: &[rigs::limited_limb],
        excused: &[BLOCKED[0], BLOCKED[1]],
        // Where limits forbid a goal the answer is a search's, not a formula's.
        carried: 1e-3,
        thin: 10,
        ..two_bone(Reach::Clamp)
    };
    two_bone_odd: Subject {
        rigs: ODD_LIMBS,
        excused: TWO_BONE_ODD,
        carried: 1e-3,
        thin: 20,
        frames: 200,
        ..two_bone(Reach::Clamp)
    };
    two_bone_two_tips: Subject {
        rigs: &[rigs::odd::two_tips],
        excused: TWO_TIPS,
        carried: 1e-3,
        thin: 20,
        frames: 200,
        ..two_bone(Reach::Clamp)
    };
    two_bone_soft: Subject {
        speed: Reach::RATIO,
        carries: true,
        // At 1.05 of the limb's length the tip is still on its way out.
        slack: 0.2,
        excused: &[(Law::ReachableIsReached, "soft stays short of targets near its rims on purpose"),
            SOFT_STAYS_SHORT[0], SOFT_STAYS_SHORT[1], SOFT_STAYS_SHORT[2], SOFT_STAYS_SHORT[3]],
        ..two_bone(Reach::SOFT)
    };
    two_bone_hold: Subject {
        excused: &[(Law::UnreachableIsNearest, "hold leaves the pose as it is"), (Law::SpeedIsBounded, "hold stops dead at the rim"),
            (Law::WeightIsContinuous, "hold leaves the pose as it is where the target has left reach")],
        ..two_bone(Reach::Hold)
    };
    two_bone_stretch: Subject {
        excused: &[(Law::LengthsHold, "stretch lengthens bones"), (Law::UnreachableIsNearest, "bones may be longer than in any random pose"),
            (Law::OthersStay, "twist joints between are part of the stretched chain")],
        ..two_bone(Reach::Stretch { limit: 1.2 })
    };
    aim_free: aim();
    aim_from_rest: Subject {
        solver: aim_from_rest,
        excused: &[FROM_REST, (Law::WeightIsContinuous, "the start moves to rest with the weight, and half turns from there flip")],
        ..aim()
    };
    aim_limited: Subject {
        rigs: &[rigs::limited_spine],
        // Where limits forbid a goal the answer is a search's, not a formula's.
        carried: 1e-3,
        slack: 1e-3,
        excused: AIM_LIMITED,
        ..aim()
    };
    aim_odd: Subject { rigs: &[rigs::odd::odd_spine], carried: 1e-3, slack: 1e-3, thin: 5, excused: AIM_LIMITED, ..aim() };
}

#[test]
fn a_law_that_is_not_checked_is_said_to_be() {
    let excused: &[(Law, &str)] = &[(Law::SameBits, "on purpose")];
    let subject = Subject { excused, ..two_bone(Reach::Clamp) };
    assert_eq!(subject.check(Law::LengthsHold, 1), Checked::Kept);
    assert_eq!(subject.check(Law::SameBits, 1), Checked::Excused);
    assert_eq!(subject.check(Law::NoAllocation, 1), Checked::NotCounted);
}
