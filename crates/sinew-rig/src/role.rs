//! What a joint is on a body: a part and the side it is on, in the words of VRM's humanoid bones.

use std::fmt;

/// Which half of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The body's own left.
    Left,
    /// The body's own right.
    Right,
}

impl Side {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// `left` or `right`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// Which finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Digit {
    /// The first.
    Thumb,
    /// The second.
    Index,
    /// The third.
    Middle,
    /// The fourth.
    Ring,
    /// The fifth.
    Little,
}

impl Digit {
    /// From the thumb on.
    pub const ALL: [Self; 5] = [Self::Thumb, Self::Index, Self::Middle, Self::Ring, Self::Little];

    /// `thumb`, `index`, …
    pub fn name(self) -> &'static str {
        ["thumb", "index", "middle", "ring", "little"][self as usize]
    }
}

/// Part of a body that a joint begins: the upper arm's joint is the shoulder joint proper, the lower arm's the
/// elbow, the lower leg's the knee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Part {
    /// Where the legs meet the spine.
    Hips,
    /// The lowest joint of the spine above the hips.
    Spine,
    /// The next.
    Chest,
    /// The uppermost below the neck, where there are three.
    UpperChest,
    /// Below the head.
    Neck,
    /// The skull.
    Head,
    /// The lower jaw.
    Jaw,
    /// An eye.
    Eye,
    /// The collar bone.
    Shoulder,
    /// The upper arm.
    UpperArm,
    /// The forearm.
    LowerArm,
    /// The hand.
    Hand,
    /// The thigh.
    UpperLeg,
    /// The shin.
    LowerLeg,
    /// The foot.
    Foot,
    /// The toes.
    Toes,
    /// A joint of a finger: 0 the nearest to the wrist that is named (a thumb's metacarpal, another finger's
    /// proximal phalanx), 1, 2.
    Finger(Digit, u8),
}

impl Part {
    /// A few words: `upper arm`.
    pub fn name(self) -> String {
        let name = match self {
            Self::Hips => "hips",
            Self::Spine => "spine",
            Self::Chest => "chest",
            Self::UpperChest => "upper chest",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::Jaw => "jaw",
            Self::Eye => "eye",
            Self::Shoulder => "shoulder",
            Self::UpperArm => "upper arm",
            Self::LowerArm => "lower arm",
            Self::Hand => "hand",
            Self::UpperLeg => "upper leg",
            Self::LowerLeg => "lower leg",
            Self::Foot => "foot",
            Self::Toes => "toes",
            Self::Finger(digit, place) => {
                return format!("{} finger {}", digit.name(), place + 1).replace("thumb finger", "thumb");
            }
        };
        name.to_owned()
    }
}

/// A part on a side; parts in the middle have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Role {
    /// The part.
    pub part: Part,
    /// Its side; `None` in the middle.
    pub side: Option<Side>,
}

impl Role {
    /// A part in the middle.
    pub fn middle(part: Part) -> Self {
        Self { part, side: None }
    }

    /// A part on a side.
    pub fn on(side: Side, part: Part) -> Self {
        Self { part, side: Some(side) }
    }

    /// The role that VRM 1 calls so, such as `leftUpperArm`; `None` for other names.
    pub fn from_vrm(name: &str) -> Option<Self> {
        let (side, rest) = match name.strip_prefix("left").or(name.strip_prefix("right")) {
            Some(rest) => (Some(if name.starts_with("left") { Side::Left } else { Side::Right }), rest),
            None => (None, name),
        };
        let part = match (side, rest) {
            (None, "hips") => Part::Hips,
            (None, "spine") => Part::Spine,
            (None, "chest") => Part::Chest,
            (None, "upperChest") => Part::UpperChest,
            (None, "neck") => Part::Neck,
            (None, "head") => Part::Head,
            (None, "jaw") => Part::Jaw,
            (None, _) => return None,
            (_, "Eye") => Part::Eye,
            (_, "Shoulder") => Part::Shoulder,
            (_, "UpperArm") => Part::UpperArm,
            (_, "LowerArm") => Part::LowerArm,
            (_, "Hand") => Part::Hand,
            (_, "UpperLeg") => Part::UpperLeg,
            (_, "LowerLeg") => Part::LowerLeg,
            (_, "Foot") => Part::Foot,
            (_, "Toes") => Part::Toes,
            (_, finger) => finger_of_vrm(finger)?,
        };
        Some(Self { part, side })
    }

    /// The role as [`Display`](fmt::Display) writes it: `left upper arm`, `hips`, `right index finger 2`.
    pub fn from_words(words: &str) -> Option<Self> {
        let side = [Side::Left, Side::Right].into_iter().find(|side| words.starts_with(side.name()));
        let rest = side.map_or(words, |side| words[side.name().len()..].trim_start());
        let part = every_part().find(|part| part.name() == rest)?;
        let sided = !matches!(
            part,
            Part::Hips | Part::Spine | Part::Chest | Part::UpperChest | Part::Neck | Part::Head | Part::Jaw
        );
        (sided == side.is_some()).then_some(Self { part, side })
    }
}

fn every_part() -> impl Iterator<Item = Part> {
    use Part::{
        Chest, Eye, Foot, Hand, Head, Hips, Jaw, LowerArm, LowerLeg, Neck, Shoulder, Spine, Toes, UpperArm, UpperChest,
        UpperLeg,
    };
    let plain = [
        Hips, Spine, Chest, UpperChest, Neck, Head, Jaw, Eye, Shoulder, UpperArm, LowerArm, Hand, UpperLeg, LowerLeg,
        Foot, Toes,
    ];
    let fingers = Digit::ALL.into_iter().flat_map(|digit| (0..3).map(move |place| Part::Finger(digit, place)));
    plain.into_iter().chain(fingers)
}

fn finger_of_vrm(name: &str) -> Option<Part> {
    let digit = Digit::ALL.into_iter().find(|digit| name.to_lowercase().starts_with(digit.name()))?;
    let place = match (digit, &name[digit.name().len()..]) {
        (Digit::Thumb, "Intermediate") => return None,
        (Digit::Thumb, "Proximal") | (_, "Intermediate") => 1,
        (Digit::Thumb, "Metacarpal") | (_, "Proximal") => 0,
        (_, "Distal") => 2,
        _ => return None,
    };
    Some(Part::Finger(digit, place))
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Some(side) => write!(f, "{} {}", side.name(), self.part.name()),
            None => f.write_str(&self.part.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vrm_names() {
        assert_eq!(Role::from_vrm("leftUpperArm"), Some(Role::on(Side::Left, Part::UpperArm)));
        assert_eq!(Role::from_vrm("upperChest"), Some(Role::middle(Part::UpperChest)));
        let thumb = Role::from_vrm("rightThumbMetacarpal");
        assert_eq!(thumb, Some(Role::on(Side::Right, Part::Finger(Digit::Thumb, 0))));
        assert_eq!(
            Role::from_vrm("leftLittleIntermediate").map(|role| role.to_string()).as_deref(),
            Some("left little finger 2")
        );
        for name in ["", "left", "UpperArm", "leftTail", "tail", "leftIndex", "leftThumb", "léft", "righté"] {
            assert_eq!(Role::from_vrm(name), None, "{name}");
        }
    }

    #[test]
    fn words_read_back() {
        for part in every_part() {
            for side in [None, Some(Side::Left), Some(Side::Right)] {
                let role = Role { part, side };
                let read = Role::from_words(&role.to_string());
                assert!(read.is_none_or(|read| read == role));
            }
            let read = [None, Some(Side::Left)]
                .iter()
                .filter(|&&side| Role::from_words(&Role { part, side }.to_string()).is_some());
            assert_eq!(read.count(), 1, "{part:?} is either in the middle or on a side");
        }
        assert_eq!(Role::from_words("left thumb 2"), Some(Role::on(Side::Left, Part::Finger(Digit::Thumb, 1))));
        assert_eq!(Role::from_words("left nose"), None);
    }
}
