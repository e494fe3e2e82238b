//! Promises that are known not to hold yet.
//!
//! What stands here is printed as excused and does not fail the run. An entry goes as soon as its promise holds: a
//! run in which it does not occur says so.

use crate::judge::Check;

const ANSWERS: &str = "closed forms answer the pose that they are given: a target measured from a joint that moves along, goals of \
    one joint that contradict each other, or a search inside limits have another answer from the pose that they left";
const LAID_ANEW: &str = "a limb that softens, holds, stretches or shares twist, whose last link has a direction of its own, or whose \
    pole or target is measured from a joint that it moves, is laid anew from the pose that it left";
const CARRIED: &str =
    "what a start at rest leaves as given (the place of a body that travels) differs when it is solved again";
const IN_TURN: &str = "what one solver of a sequence brings to its place another one may move, every time";
const SEARCHES: &str = "a search that ends short of its goals may gain more from where it ended, and one that starts anew or \
    has several goals may end elsewhere within its tolerance; a posture or a balance goes on where goals are met";
const TOO_CLOSE: &str = "an aim at a mark within its own offset is called too close, also where its work ran out before it was as near as \
    may be; it goes on when it is solved again";

/// Solver (a name of `SOLVERS`), promise, and the reason.
pub(crate) const KNOWN: &[(&str, Check, &str)] = &[
    ("TwoBone", Check::MetMoves, LAID_ANEW),
    ("TwoBone", Check::MissedMoves, ANSWERS),
    ("ThreeLink", Check::MetMoves, LAID_ANEW),
    ("ThreeLink", Check::MissedMoves, ANSWERS),
    ("Orient", Check::MissedMoves, ANSWERS),
    ("Aim", Check::MissedMoves, TOO_CLOSE),
    ("Serial", Check::MissedMoves, SEARCHES),
    ("SerialRestarts", Check::MissedMoves, SEARCHES),
    ("Fabrik", Check::MissedMoves, SEARCHES),
    ("Ccd", Check::MissedMoves, SEARCHES),
    ("CcdPerAxis", Check::MissedMoves, SEARCHES),
    ("Jacobian", Check::MissedMoves, SEARCHES),
    ("JacobianDls", Check::MissedMoves, SEARCHES),
    ("JacobianSdls", Check::MissedMoves, SEARCHES),
    ("JacobianTranspose", Check::MissedMoves, SEARCHES),
    ("JacobianContinuous", Check::MissedMoves, SEARCHES),
    ("JacobianRestarts", Check::MissedMoves, SEARCHES),
    ("MassSpring", Check::MetMoves, CARRIED),
    ("MassSpring", Check::MissedMoves, SEARCHES),
    ("Auto", Check::MissedMoves, SEARCHES),
    ("Sequence", Check::MetMoves, IN_TURN),
    ("Sequence", Check::MissedMoves, SEARCHES),
];

/// Why a broken promise is excused, if it is.
pub(crate) fn reason(solver: &str, check: Check) -> Option<&'static str> {
    KNOWN.iter().find(|known| known.0 == solver && known.1 == check).map(|known| known.2)
}
