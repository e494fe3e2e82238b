//! The tests of a subject, for this crate and for those with solvers of their own.

use sinew::laws::{Law, Subject};

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

/// All cases and frames in release; in debug, which is ten times as slow, a tenth. A rate needs all of its cases.
pub(crate) fn check(subject: &Subject, law: Law, cases: u64) {
    let tenth = cfg!(debug_assertions);
    let frames = if tenth { subject.frames.div_ceil(10) } else { subject.frames };
    let cases = if tenth && law != Law::ReachableIsReached { cases.div_ceil(10) } else { cases };
    Subject { allocations: Some(allocations), frames, ..*subject }.check(law, cases);
}

/// For law 9.
fn allocations(call: &mut dyn FnMut()) -> u64 {
    allocation_counter::measure(call).count_total
}
