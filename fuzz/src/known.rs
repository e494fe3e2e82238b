//! Promises that are known not to hold yet.
//!
//! What stands here is printed as excused and does not fail the run. An entry goes as soon as its promise holds: a
//! run in which it does not occur says so.

use crate::judge::Check;

const ANSWERS: &str = "closed forms answer the pose that they are given: a target measured from a joint that moves along, goals of \
    one joint that contradict each other, or a search inside limits have another answer from the pose that they left";
const SEARCHES: &str = "a search that ends short of its goals may gain more from where it ended, and one that starts anew or \
    has several goals may end elsewhere within its tolerance";
const HUGE: &str =
    "beside a target 1e38 times as far as the skeleton is large, what is left of the others is within rounding of it";

/// Solver (a name of `SOLVERS`), promise, and the reason.
pub(crate) const KNOWN: &[(&str, Check, &str)] = &[
    ("TwoBone", Check::SolvingAgain, ANSWERS),
    ("ThreeLink", Check::SolvingAgain, ANSWERS),
    ("Orient", Check::SolvingAgain, ANSWERS),
    ("Serial", Check::SolvingAgain, SEARCHES),
    ("SerialRestarts", Check::SolvingAgain, SEARCHES),
    ("Fabrik", Check::SolvingAgain, SEARCHES),
    ("FabrikRest", Check::SolvingAgain, SEARCHES),
    ("Ccd", Check::SolvingAgain, SEARCHES),
    ("CcdPerAxis", Check::SolvingAgain, SEARCHES),
    ("Jacobian", Check::SolvingAgain, SEARCHES),
    ("JacobianDls", Check::SolvingAgain, SEARCHES),
    ("JacobianSdls", Check::SolvingAgain, SEARCHES),
    ("JacobianTranspose", Check::SolvingAgain, SEARCHES),
    ("JacobianRestarts", Check::SolvingAgain, SEARCHES),
    ("MassSpring", Check::SolvingAgain, SEARCHES),
    ("Auto", Check::SolvingAgain, SEARCHES),
    ("Sequence", Check::SolvingAgain, SEARCHES),
    ("Sequence", Check::FalseReached, HUGE),
];

/// Why a broken promise is excused, if it is.
pub(crate) fn reason(solver: &str, check: Check) -> Option<&'static str> {
    KNOWN.iter().find(|known| known.0 == solver && known.1 == check).map(|known| known.2)
}
