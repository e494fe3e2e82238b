//! What a joint's name says about it, whoever's naming it follows: Mixamo, Unreal, Unity, Blender's Rigify, CMU,
//! 3ds Max Biped, Daz, `VRoid`, MMD in Japanese, and plain left and right.
//!
//! A name alone is often ambiguous: `LeftLeg` is the shin beside `LeftUpLeg` and the thigh without it, `hip` the
//! pelvis or a thigh, `shoulder` the collar bone or the upper arm. So a name gives a [`Hint`]; which part it is,
//! its place in the limb decides.

mod scheme;
mod vocabulary;
mod words;

use crate::role::{Digit, Side};
pub(crate) use scheme::Scheme;
use vocabulary::Word;
use words::Words;

/// What the words of a name mean together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Hint {
    #[default]
    Nothing,
    Root,
    Hips,
    /// A hip on one side: the thigh, or a joint before it.
    HipSide,
    Spine,
    Chest,
    Neck,
    Head,
    Jaw,
    Eye,
    Clavicle,
    /// The collar bone, or the upper arm.
    Shoulder,
    /// The upper arm, or the whole.
    Arm,
    UpperArm,
    LowerArm,
    Hand,
    Finger(Option<Digit>),
    /// The upper or the lower leg, or the whole.
    Leg,
    UpperLeg,
    LowerLeg,
    Foot,
    Toe,
    Tail,
    Wing,
    Fin,
    /// A control joint: a target or pole of the animator.
    Control,
    /// Shares a twist or fills a bulge.
    Helper,
    /// Where something is held.
    Slot,
    /// Face, hair, clothes.
    Extra,
}

/// Which limb a hint speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Family {
    Arm,
    Leg,
    Tail,
    Wing,
    Fin,
}

impl Hint {
    /// The limb that the joint belongs to; fingers and toes belong to none here.
    pub(crate) fn family(self) -> Option<Family> {
        match self {
            Self::Clavicle | Self::Shoulder | Self::Arm | Self::UpperArm | Self::LowerArm | Self::Hand => {
                Some(Family::Arm)
            }
            Self::HipSide | Self::Leg | Self::UpperLeg | Self::LowerLeg | Self::Foot | Self::Toe => Some(Family::Leg),
            Self::Tail => Some(Family::Tail),
            Self::Wing => Some(Family::Wing),
            Self::Fin => Some(Family::Fin),
            _ => None,
        }
    }

    /// The same of an arm, or a leg: fore legs may be arms, and arms legs.
    pub(crate) fn on_limb(self, is_arm: bool) -> Self {
        match (is_arm, self) {
            (true, Self::Leg) => Self::Arm,
            (true, Self::UpperLeg) => Self::UpperArm,
            (true, Self::LowerLeg) => Self::LowerArm,
            (true, Self::Foot) => Self::Hand,
            (false, Self::Arm) => Self::Leg,
            (false, Self::UpperArm) => Self::UpperLeg,
            (false, Self::LowerArm) => Self::LowerLeg,
            (false, Self::Hand) => Self::Foot,
            (false, Self::Clavicle | Self::Shoulder) => Self::HipSide,
            (_, other) => other,
        }
    }

    /// Whether the joint is part of the trunk, neck or head.
    pub(crate) fn is_trunk(self) -> bool {
        matches!(self, Self::Hips | Self::Spine | Self::Chest | Self::Neck | Self::Head)
    }

    /// Whether the joint stands aside from the body: no limb leads through it.
    pub(crate) fn is_aside(self) -> bool {
        matches!(self, Self::Control | Self::Helper | Self::Slot | Self::Extra | Self::Eye | Self::Jaw)
    }
}

/// A name read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reading {
    pub(crate) hint: Hint,
    pub(crate) side: Option<Side>,
    /// `true` for fore, `false` for hind.
    pub(crate) front: Option<bool>,
    /// Whether it is the end of a chain rather than a joint that bends.
    pub(crate) is_end: bool,
    /// Which finger it is if it hangs on a hand: `index` or `mid` alone may be of anything.
    pub(crate) on_hand: Option<Digit>,
    /// Place in a row, where the name counts: the last number, or what a phalanx is called.
    pub(crate) place: Option<u32>,
}

impl Reading {
    /// Reads a name.
    pub(crate) fn of(name: &str) -> Self {
        let words = Words::of(name);
        let side = match (words.has(Word::Left), words.has(Word::Right)) {
            (true, false) => Some(Side::Left),
            (false, true) => Some(Side::Right),
            _ => None,
        };
        let (hint, on_hand) = (hint(&words, side), digit(&words));
        let mut reading = Self { hint, side, is_end: is_end(&words), on_hand, ..Self::default() };
        let legs = reading.hint.family() == Some(Family::Leg);
        let hind = words.has(Word::Hind) || words.has(Word::Back);
        reading.front = (legs && words.has(Word::Front) != hind).then_some(!hind);
        reading.place = place(&words);
        if matches!(reading.hint, Hint::Finger(None)) {
            (reading.hint, reading.place) = counted_finger(&words);
        }
        reading
    }
}

fn is_end(words: &Words) -> bool {
    words.known.iter().rev().find(|word| !matches!(word, Word::Left | Word::Right)) == Some(&Word::End)
}

fn hint(words: &Words, side: Option<Side>) -> Hint {
    let has = |word| words.has(word);
    if has(Word::Control) {
        return Hint::Control;
    }
    if has(Word::Slot) {
        return Hint::Slot;
    }
    if has(Word::Helper) && !has(Word::Neck) {
        return Hint::Helper;
    }
    if has(Word::Face) || has(Word::Dress) {
        return Hint::Extra;
    }
    if has(Word::Eye) || has(Word::Jaw) {
        return if has(Word::Eye) { Hint::Eye } else { Hint::Jaw };
    }
    in_hand(words).or_else(|| in_leg(words)).or_else(|| in_arm(words)).unwrap_or_else(|| in_trunk(words, side))
}

fn in_hand(words: &Words) -> Option<Hint> {
    let has = |word| words.has(word);
    if has(Word::Toe) {
        return Some(Hint::Toe);
    }
    if has(Word::Thumb) {
        return Some(Hint::Finger(Some(Digit::Thumb)));
    }
    let of_finger = [Word::Finger, Word::Metacarpal, Word::Proximal, Word::Intermediate, Word::Distal];
    let digit = digit(words).filter(|_| has(Word::Hand) || of_finger.into_iter().any(has));
    (digit.is_some() || has(Word::Finger) || has(Word::Metacarpal)).then_some(Hint::Finger(digit))
}

/// The finger that a name may mean. A middle leg of six or eight is none.
fn digit(words: &Words) -> Option<Digit> {
    let has = |word| words.has(word);
    let digits = [
        (Word::Index, Digit::Index),
        (Word::Middle, Digit::Middle),
        (Word::Ring, Digit::Ring),
        (Word::Little, Digit::Little),
    ];
    let elsewhere = [Word::Leg, Word::UpperLeg, Word::LowerLeg, Word::Knee, Word::Foot, Word::Spine, Word::Back];
    let digit = digits.into_iter().find(|&(word, _)| has(word)).map(|(_, digit)| digit);
    digit.filter(|_| !elsewhere.into_iter().any(has))
}

fn in_leg(words: &Words) -> Option<Hint> {
    let has = |word| words.has(word);
    let leg = has(Word::Leg);
    if has(Word::Foot) {
        return Some(Hint::Foot);
    }
    if has(Word::LowerLeg) || has(Word::Knee) || (leg && has(Word::Lower)) {
        return Some(Hint::LowerLeg);
    }
    if has(Word::UpperLeg) || (leg && has(Word::Upper)) {
        return Some(Hint::UpperLeg);
    }
    leg.then_some(Hint::Leg)
}

fn in_arm(words: &Words) -> Option<Hint> {
    let has = |word| words.has(word);
    let arm = has(Word::Arm);
    if has(Word::Hand) {
        return Some(Hint::Hand);
    }
    if has(Word::LowerArm) || has(Word::Elbow) || (arm && (has(Word::Lower) || has(Word::Front))) {
        return Some(Hint::LowerArm);
    }
    if has(Word::UpperArm) || (arm && has(Word::Upper)) {
        return Some(Hint::UpperArm);
    }
    if has(Word::Clavicle) || has(Word::Shoulder) {
        return Some(if has(Word::Clavicle) { Hint::Clavicle } else { Hint::Shoulder });
    }
    arm.then_some(Hint::Arm)
}

fn in_trunk(words: &Words, side: Option<Side>) -> Hint {
    let has = |word| words.has(word);
    let table = [
        (Word::Tail, Hint::Tail),
        (Word::Wing, Hint::Wing),
        (Word::Fin, Hint::Fin),
        (Word::Head, Hint::Head),
        (Word::Neck, Hint::Neck),
        (Word::Hips, if side.is_some() { Hint::HipSide } else { Hint::Hips }),
        (Word::Hip, if side.is_some() { Hint::HipSide } else { Hint::Hips }),
        (Word::Chest, Hint::Chest),
        (Word::Spine, Hint::Spine),
        (Word::Back, Hint::Spine),
        (Word::Belly, Hint::Spine),
        (Word::Body, Hint::Spine),
        (Word::Root, Hint::Root),
    ];
    table.into_iter().find(|&(word, _)| has(word)).map_or(Hint::Nothing, |(_, hint)| hint)
}

/// Where in its row a name puts a joint.
fn place(words: &Words) -> Option<u32> {
    let rows = [(Word::Metacarpal, 0), (Word::Proximal, 1), (Word::Intermediate, 2), (Word::Distal, 3)];
    if let Some((_, place)) = rows.into_iter().find(|&(word, _)| words.has(word)) {
        return Some(place);
    }
    words.numbers.last().and_then(|number| number.parse().ok())
}

/// A finger that has a number for a name: `Finger0`, `Finger01` (3ds Max, thumb 0), `finger1-2.L` (thumb 1).
fn counted_finger(words: &Words) -> (Hint, Option<u32>) {
    let (digit, place) = match words.numbers.as_slice() {
        [.., digit, place] if digit.len() == 1 && place.len() == 1 => (digit.parse::<usize>().ok(), place.parse().ok()),
        // The last run of digits counts finger and phalanx: 0, 01, 02.
        [.., both] if both.len() <= 2 && words.has(Word::Finger) => {
            let mut digits = both.chars().filter_map(|digit| digit.to_digit(10));
            (digits.next().map(|digit| digit as usize + 1), Some(digits.next().unwrap_or(0)))
        }
        _ => (None, place(words)),
    };
    let digit = digit.and_then(|digit| Digit::ALL.get(digit.checked_sub(1)?).copied());
    (Hint::Finger(digit), place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(name: &str, hint: Hint, side: Option<Side>) {
        let reading = Reading::of(name);
        assert_eq!((reading.hint, reading.side), (hint, side), "{name}");
    }

    #[test]
    fn rigs_of_every_program() {
        let (left, right) = (Some(Side::Left), Some(Side::Right));
        reads("mixamorig:LeftUpLeg", Hint::UpperLeg, left);
        reads("mixamorig:LeftForeArm", Hint::LowerArm, left);
        reads("mixamorig:RightHandMiddle2", Hint::Finger(Some(Digit::Middle)), right);
        reads("mixamorig:RightToeBase", Hint::Toe, right);
        reads("clavicle_l", Hint::Clavicle, left);
        reads("thigh_r", Hint::UpperLeg, right);
        reads("ball_l", Hint::Toe, left);
        reads("ik_foot_l", Hint::Control, left);
        reads("upperarm_twist_01_r", Hint::Helper, right);
        reads("DEF-shin.R.001", Hint::LowerLeg, right);
        reads("DEF-spine.003", Hint::Spine, None);
        reads("LHipJoint", Hint::HipSide, left);
        reads("lhand", Hint::Hand, left);
        reads("lowerback", Hint::Spine, None);
        reads("Bip01 L Calf", Hint::LowerLeg, left);
        reads("ValveBiped.Bip01_R_Clavicle", Hint::Clavicle, right);
        reads("lShldrBend", Hint::Shoulder, left);
        reads("abdomenLower", Hint::Spine, None);
        reads("CC_Base_L_Upperarm", Hint::UpperArm, left);
        reads("J_Bip_C_UpperChest", Hint::Chest, None);
        reads("J_Sec_Hair1_01", Hint::Extra, None);
        reads("b_LeftFoot01_017", Hint::Foot, left);
        reads("Left elbow", Hint::LowerArm, left);
        reads("handslot.l", Hint::Slot, left);
        reads("左ひじ", Hint::LowerArm, left);
        reads("右足ＩＫ", Hint::Control, right);
        reads("左足首", Hint::Foot, left);
        reads("下半身", Hint::Hips, None);
        reads("左薬指１", Hint::Finger(Some(Digit::Ring)), left);
        reads("左腕捩", Hint::Helper, left);
    }

    #[test]
    fn what_may_be_a_finger_is_one_on_a_hand() {
        for (name, digit) in [("DEF-f_index.01.L", Digit::Index), ("Index1_L", Digit::Index), ("mid.R", Digit::Middle)]
        {
            reads(name, Hint::Nothing, Reading::of(name).side);
            assert_eq!(Reading::of(name).on_hand, Some(digit), "{name}");
        }
        reads("wing_mid.L", Hint::Wing, Some(Side::Left));
        assert_eq!(Reading::of("MidFrontLeg.L").on_hand, None);
    }

    #[test]
    fn counted_fingers() {
        for (name, digit, place) in [
            ("Bip01 L Finger0", Digit::Thumb, 0),
            ("Bip01 L Finger02", Digit::Thumb, 2),
            ("Bip01 R Finger4", Digit::Little, 0),
            ("finger1-2.L", Digit::Thumb, 2),
            ("finger5-3.R", Digit::Little, 3),
        ] {
            let reading = Reading::of(name);
            assert_eq!((reading.hint, reading.place), (Hint::Finger(Some(digit)), Some(place)), "{name}");
        }
    }

    #[test]
    fn fore_and_hind() {
        assert_eq!(Reading::of("l-frontleg").front, Some(true));
        assert_eq!(Reading::of("r-backleg001").front, Some(false));
        assert_eq!(Reading::of("HindLeg_L").front, Some(false));
        assert_eq!(Reading::of("LeftUpLeg").front, None);
        assert_eq!(Reading::of("forearm.L").front, None);
    }

    #[test]
    fn ends() {
        for name in ["HeadTop_End", "RingFinger3_R_End", "index-finger-tip", "Bip01 L Toe0Nub"] {
            assert!(Reading::of(name).is_end, "{name}");
        }
        assert!(!Reading::of("LeftHand").is_end);
    }
}
