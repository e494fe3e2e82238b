//! How far the joints of a human move, in degrees from the T-pose: arms level to the sides, palms down, legs
//! straight down, feet ahead.
//!
//! Ranges are those of healthy adults in the American Academy of Orthopaedic Surgeons' tables (Greene & Heckman,
//! *The Clinical Measurement of Joint Motion*, 1994), close to what Boone & Azen measured (1979, *J. Bone Joint
//! Surg.* 61-A:756, 109 men) and Soucie et al. (2011, *Haemophilia* 17:500, 674 people). The spine's are its whole
//! (White & Panjabi, *Clinical Biomechanics of the Spine*, 1990), shared out by number of joints; the collar bone's
//! are of Ludewig et al. (2009, *J. Bone Joint Surg.* 91-A:378).
//!
//! Elbows and knees stretch 10° beyond straight, which the tables call within what healthy people do, and by what clips show more, up to 15°. Their
//! preferred bend is forward all the same: a straight one folds so.
//!
//! Real motion widens them (`shown.rs`, written by `body-limits --fit` of `sinew-bench`), up to where nobody goes whatever a capture shows
//! (`fit.rs`). Most in neck, collar bone, hip, ankle, toes, wrist and the base of the thumb, on which skeletons without the joints beyond them put what
//! those do. Of the
//! 138,721 joint-frames of 36 clips of `shared/data` 99.905 % lie inside, counted about the axes of hinges (`body-limits --along`). What is left are markers that slip (a thumb
//! that turns by 145°), feet bent up by 60°, and hands rolled beyond what a person rolls.
//!
//! The range of the shoulder is no ellipse: an arm that hangs goes far to the front and up, and little back or inward. It has
//! a quarter of an ellipse between each two of its ends, which meet where the arm is 55° below the side. It takes a sixth less
//! of all directions than the ellipse that holds the same motion.
//!
//! Departures because ellipses must stand for the whole range of a ball: the hand's twist holds that of the
//! forearm, 80° each way from the thumb upward, and more for palms that do not lie level at rest; a hand bends
//! as far to the side as forth and back, since it may be rolled; fingers spread by 35° and roll by 10° (20° and
//! 5° in the tables), since bones of the palm fan and the T-pose has fingers side by side. Where a spine or neck
//! has several joints, each has more than its even part, since people bend some of them more than others.

use super::shown::SHOWN;
use crate::role::{Digit, Part};

/// A direction on the body, the same on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Away from the middle; to the left for parts in the middle.
    Out,
    Up,
    Down,
    Forward,
    Back,
}

/// A turn that takes the bone (or, for a twist, a direction across it) towards a direction, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    pub(crate) towards: Way,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

/// The ends of a motion's three ranges, in degrees; those of a hinge in the first.
pub(crate) type Ends = [[f64; 2]; 3];

/// What a part's joint may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Motion {
    Hinge(Turn),
    Ball {
        flex: Turn,
        side: Turn,
        /// Where the range is widest, by flexing and leaning aside (degrees); halfway where `None`, in an even ellipse.
        middle: Option<[f64; 2]>,
        /// Which way across the bone is turned towards `twist.towards`.
        across: Way,
        twist: Turn,
    },
}

/// How far beyond straight elbows and knees go.
const HYPEREXTENDS: f64 = 10.0;

const fn turn(towards: Way, from: f64, to: f64) -> Turn {
    Turn { towards, from, to }
}

const fn ball(flex: Turn, side: Turn, across: Way, twist: Turn) -> Motion {
    Motion::Ball { flex, side, middle: None, across, twist }
}

/// Where a ball's quarters of ellipses meet, by flexing and leaning aside.
const fn around(motion: Motion, at: [f64; 2]) -> Motion {
    match motion {
        Motion::Ball { flex, side, across, twist, .. } => Motion::Ball { flex, side, middle: Some(at), across, twist },
        hinge @ Motion::Hinge(_) => hinge,
    }
}

impl Turn {
    fn with(self, [from, to]: [f64; 2]) -> Self {
        Self { from, to, ..self }
    }
}

impl Motion {
    /// The same motion between other ends.
    pub(super) fn with(self, [first, second, third]: Ends) -> Self {
        match self {
            Self::Hinge(turn) => Self::Hinge(turn.with(first)),
            Self::Ball { flex, side, middle, across, twist } => {
                Self::Ball { flex: flex.with(first), side: side.with(second), middle, across, twist: twist.with(third) }
            }
        }
    }
}

/// The motion of a part, as far as the tables or people seen have it; of the spine's and neck's joints that of the whole. None for
/// the hips, which carry the body, nor for jaw and eyes.
pub(crate) fn of(part: Part) -> Option<Motion> {
    let told = in_tables(part)?;
    let seen = SHOWN.iter().find(|(of, _)| *of == like(part));
    Some(seen.map_or(told, |&(_, ends)| told.with(ends)))
}

/// The part whose motion a part shares.
pub(super) fn like(part: Part) -> Part {
    match part {
        Part::Chest | Part::UpperChest => Part::Spine,
        Part::Head => Part::Neck,
        Part::Finger(digit, place) if digit != Digit::Thumb => Part::Finger(Digit::Index, place.min(2)),
        Part::Finger(digit, place) => Part::Finger(digit, place.min(2)),
        part => part,
    }
}

/// The motion of a part by the tables.
pub(super) fn in_tables(part: Part) -> Option<Motion> {
    use Way::{Back, Down, Forward, Out, Up};
    Some(match like(part) {
        Part::Spine => ball(turn(Forward, -25.0, 80.0), turn(Out, -35.0, 35.0), Forward, turn(Out, -45.0, 45.0)),
        Part::Neck => ball(turn(Forward, -60.0, 50.0), turn(Out, -45.0, 45.0), Forward, turn(Out, -80.0, 80.0)),
        // Protraction and retraction, elevation and depression, rotation backwards.
        Part::Shoulder => ball(turn(Forward, -25.0, 20.0), turn(Up, -10.0, 40.0), Forward, turn(Up, -10.0, 30.0)),
        // Horizontal flexion and extension, abduction and adduction, outward and inward rotation.
        Part::UpperArm => {
            let turns = ball(turn(Forward, -45.0, 130.0), turn(Up, -105.0, 95.0), Forward, turn(Up, -70.0, 90.0));
            around(turns, [10.0, -55.0])
        }
        Part::LowerArm => Motion::Hinge(turn(Forward, -HYPEREXTENDS, 150.0)),
        // Palmar flexion and extension, radial and ulnar deviation, supination.
        Part::Hand => ball(turn(Down, -70.0, 80.0), turn(Forward, -30.0, 20.0), Forward, turn(Up, -30.0, 170.0)),
        // Flexion and extension, abduction and adduction, outward and inward rotation.
        Part::UpperLeg => ball(turn(Forward, -30.0, 120.0), turn(Out, -30.0, 45.0), Forward, turn(Out, -45.0, 45.0)),
        Part::LowerLeg => Motion::Hinge(turn(Back, -HYPEREXTENDS, 140.0)),
        // Plantar and dorsal flexion, turning in and out, eversion and inversion.
        Part::Foot => ball(turn(Down, -20.0, 50.0), turn(Out, -15.0, 15.0), Down, turn(Out, -35.0, 20.0)),
        Part::Toes => ball(turn(Down, -70.0, 40.0), turn(Out, -10.0, 10.0), Up, turn(Out, -10.0, 10.0)),
        // The saddle joint, from where the thumb rests.
        Part::Finger(Digit::Thumb, 0) => {
            ball(turn(Down, -30.0, 40.0), turn(Back, -35.0, 35.0), Up, turn(Back, -20.0, 30.0))
        }
        Part::Finger(Digit::Thumb, 1) => Motion::Hinge(turn(Back, -10.0, 60.0)),
        Part::Finger(Digit::Thumb, _) => Motion::Hinge(turn(Back, -20.0, 80.0)),
        Part::Finger(_, 0) => ball(turn(Down, -40.0, 90.0), turn(Forward, -35.0, 35.0), Forward, turn(Up, -10.0, 10.0)),
        Part::Finger(_, 1) => Motion::Hinge(turn(Down, 0.0, 105.0)),
        Part::Finger(_, _) => Motion::Hinge(turn(Down, -10.0, 85.0)),
        _ => return None,
    })
}

/// Where a part's bone points in the T-pose; `None` where it keeps the direction that it has at rest on the part
/// before.
pub(crate) fn points(part: Part) -> Option<Way> {
    match part {
        Part::UpperArm | Part::LowerArm | Part::Hand => Some(Way::Out),
        Part::Finger(digit, _) if digit != Digit::Thumb => Some(Way::Out),
        Part::UpperLeg | Part::LowerLeg => Some(Way::Down),
        Part::Toes => Some(Way::Forward),
        _ => None,
    }
}

/// Part of the body's mass, and where its centre lies between this joint and the next (0 to 1): de Leva (1996,
/// *J. Biomech.* 29:1223, men). Trunk segments have theirs halfway.
pub(crate) fn mass(part: Part) -> Option<(f64, f64)> {
    Some(match part {
        Part::Hips => (0.1117, 0.5),
        Part::Spine => (0.1633, 0.5),
        Part::Chest => (0.1596, 0.5),
        Part::Head => (0.0694, 0.4),
        Part::UpperArm => (0.0271, 0.5772),
        Part::LowerArm => (0.0162, 0.4574),
        Part::Hand => (0.0061, 0.79),
        Part::UpperLeg => (0.1416, 0.4095),
        Part::LowerLeg => (0.0433, 0.4459),
        Part::Foot => (0.0137, 0.5),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_weighs_itself() {
        use Part::{Chest, Foot, Hand, Head, Hips, LowerArm, LowerLeg, Spine, UpperArm, UpperLeg};
        let sum = |parts: &[Part]| parts.iter().map(|&part| mass(part).unwrap().0).sum::<f64>();
        let whole = sum(&[Hips, Spine, Chest, Head]) + 2.0 * sum(&[UpperArm, LowerArm, Hand, UpperLeg, LowerLeg, Foot]);
        assert!((whole - 1.0).abs() < 1e-3, "{whole}");
    }

    #[test]
    fn knees_elbows_and_fingers_do_not_bend_backwards() {
        for (part, beyond) in [(Part::LowerArm, 15.0), (Part::LowerLeg, 15.0), (Part::Finger(Digit::Index, 1), 0.0)] {
            let Some(Motion::Hinge(turn)) = of(part) else { panic!("{part:?} is no hinge") };
            assert!(turn.from >= -beyond && turn.to > 100.0);
        }
    }
}
