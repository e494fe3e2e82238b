//! How far the joints of a human move, in degrees from the T-pose: arms level to the sides, palms down, legs
//! straight down, feet ahead.
//!
//! Ranges are those of healthy adults in the American Academy of Orthopaedic Surgeons' tables (Greene & Heckman,
//! *The Clinical Measurement of Joint Motion*, 1994), close to what Boone & Azen measured (1979, *J. Bone Joint
//! Surg.* 61-A:756, 109 men) and Soucie et al. (2011, *Haemophilia* 17:500, 674 people). The spine's are its whole
//! (White & Panjabi, *Clinical Biomechanics of the Spine*, 1990), shared out by number of joints; the collar bone's
//! are of Ludewig et al. (2009, *J. Bone Joint Surg.* 91-A:378).
//!
//! Elbows and knees stretch 10° beyond straight, which the tables call within what healthy people do. Their preferred bend is forward
//! all the same: a straight one folds so.
//!
//! Real motion widens them: of the joint-frames of 31 clips (`body-limits --along` of `sinew-bench`) 99.85 % lie inside (99.92 % of the
//! 68,188 of `shared/data/bvh`, 99.78 % of the 70,533 of `shared/data/mocap`), counted about the
//! axes of hinges. What is left are markers that slip (a thumb that turns by 145°), feet bent up by 60°, hands rolled beyond what
//! a person rolls, and one elbow that stretches by 14°. Wider than the tables for that are the neck, collar bone, hip, ankle, toes, wrist
//! and the base of the thumb, on which skeletons without the joints beyond them put what those do. An ankle
//! stays at 41.5° of bending upward all the same.
//!
//! Departures because one ellipse must stand for the whole range of a ball: the shoulder reaches 80° behind
//! the side (45° in the tables) so that a hanging arm still swings back; the hand's twist holds that of the
//! forearm, 80° each way from the thumb upward, and more for palms that do not lie level at rest. Where a spine or neck has several
//! joints, each has more than its even part, since people bend some of them more than others.

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

/// What a part's joint may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Motion {
    Hinge(Turn),
    Ball {
        flex: Turn,
        side: Turn,
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
    Motion::Ball { flex, side, across, twist }
}

/// The motion of a part; of the spine's and neck's joints that of the whole. None for the hips, which carry the
/// body, nor for jaw and eyes.
pub(crate) fn of(part: Part) -> Option<Motion> {
    use Way::{Back, Down, Forward, Out, Up};
    Some(match part {
        Part::Spine | Part::Chest | Part::UpperChest => {
            ball(turn(Forward, -25.0, 90.0), turn(Out, -48.0, 48.0), Forward, turn(Out, -45.0, 45.0))
        }
        Part::Neck | Part::Head => {
            ball(turn(Forward, -60.0, 70.0), turn(Out, -60.0, 60.0), Forward, turn(Out, -85.0, 85.0))
        }
        // Protraction and retraction, elevation and depression, rotation backwards.
        Part::Shoulder => ball(turn(Forward, -35.0, 35.0), turn(Up, -35.0, 60.0), Forward, turn(Up, -30.0, 50.0)),
        // Horizontal flexion and extension, abduction and adduction, outward and inward rotation.
        Part::UpperArm => ball(turn(Forward, -80.0, 130.0), turn(Up, -108.0, 100.0), Forward, turn(Up, -100.0, 115.0)),
        Part::LowerArm => Motion::Hinge(turn(Forward, -HYPEREXTENDS, 150.0)),
        // Palmar flexion and extension, radial and ulnar deviation, supination.
        Part::Hand => ball(turn(Down, -80.0, 85.0), turn(Forward, -45.0, 70.0), Forward, turn(Up, -56.0, 170.0)),
        // Flexion and extension, abduction and adduction, outward and inward rotation.
        Part::UpperLeg => ball(turn(Forward, -40.0, 135.0), turn(Out, -40.0, 95.0), Forward, turn(Out, -55.0, 95.0)),
        Part::LowerLeg => Motion::Hinge(turn(Back, -HYPEREXTENDS, 158.0)),
        // Plantar and dorsal flexion, turning in and out, eversion and inversion.
        Part::Foot => ball(turn(Down, -41.5, 65.0), turn(Out, -66.0, 66.0), Down, turn(Out, -55.0, 35.0)),
        Part::Toes => ball(turn(Down, -70.0, 70.0), turn(Out, -32.0, 32.0), Up, turn(Out, -25.0, 25.0)),
        // The saddle joint, from where the thumb rests.
        Part::Finger(Digit::Thumb, 0) => {
            ball(turn(Down, -85.0, 85.0), turn(Back, -100.0, 85.0), Up, turn(Back, -60.0, 60.0))
        }
        Part::Finger(Digit::Thumb, 1) => Motion::Hinge(turn(Back, -10.0, 60.0)),
        Part::Finger(Digit::Thumb, _) => Motion::Hinge(turn(Back, -20.0, 80.0)),
        Part::Finger(_, 0) => ball(turn(Down, -40.0, 90.0), turn(Forward, -35.0, 35.0), Forward, turn(Up, -10.0, 10.0)),
        Part::Finger(_, 1) => Motion::Hinge(turn(Down, 0.0, 110.0)),
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
        for (part, beyond) in [(Part::LowerArm, 10.0), (Part::LowerLeg, 10.0), (Part::Finger(Digit::Index, 1), 0.0)] {
            let Some(Motion::Hinge(turn)) = of(part) else { panic!("{part:?} is no hinge") };
            assert!(turn.from == -beyond && turn.to > 100.0);
        }
    }
}
