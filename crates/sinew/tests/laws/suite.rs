//! The tests of a subject, for this crate and for those with solvers of their own.

use sinew::laws::{Checked, Law, Subject};

/// One test a law for each subject.
macro_rules! laws {
    ($($name:ident: $subject:expr;)*) => {$(
        mod $name {
            use super::*;
            laws!(@each $subject,
                lengths_hold LengthsHold 200, moved_joints_are_allowed MovedJointsAreAllowed 200,
                reachable_is_reached ReachableIsReached 1000, unreachable_is_nearest UnreachableIsNearest 100,
                solving_again_is_still SolvingAgainIsStill 200, motion_carries_the_answer MotionCarriesTheAnswer 200,
                degenerate_is_defined DegenerateIsDefined 200, speed_is_bounded SpeedIsBounded 50,
                no_allocation NoAllocation 10, same_bits SameBits 100,
                weight_zero_returns_the_pose WeightZeroReturnsThePose 200,
                small_weights_move_little SmallWeightsMoveLittle 200, weight_is_continuous WeightIsContinuous 30,
                others_stay OthersStay 200, met_moves_nothing MetMovesNothing 200,
                weight_moves_the_target WeightMovesTheTarget 200, bend_is_kept BendIsKept 200,
                nearby_targets_have_nearby_answers NearbyTargetsHaveNearbyAnswers 100);
        }
    )*};
    (@each $subject:expr, $($test:ident $law:ident $cases:literal),*) => {$(
        #[test]
        fn $test() {
            crate::laws::suite::check(&$subject, Law::$law, $cases);
        }
    )*};
}

/// All cases and frames in release; in debug, which is ten times as slow, a tenth, of the dearest laws and of frames a twentieth or a fiftieth.
/// `.ci/run` runs both.
pub(crate) fn check(subject: &Subject, law: Law, cases: u64) {
    assert!(Law::ALL.contains(&law), "{law:?} is not in Law::ALL");
    let share = match law {
        _ if !cfg!(debug_assertions) => 1,
        // A rate below one needs all of its cases.
        Law::ReachableIsReached if subject.rate < 1.0 => 1,
        Law::DegenerateIsDefined | Law::SpeedIsBounded => 50,
        Law::SameBits | Law::SolvingAgainIsStill => 20,
        _ => 10,
    };
    let frames = if cfg!(debug_assertions) { subject.frames.div_ceil(50) } else { subject.frames };
    let checked = Subject { allocations: Some(allocations), frames, ..*subject }.check(law, cases.div_ceil(share));
    assert_ne!(checked, Checked::NotCounted);
}

/// For law 9.
fn allocations(call: &mut dyn FnMut()) -> u64 {
    allocation_counter::measure(call).count_total
}
