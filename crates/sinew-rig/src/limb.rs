//! A limb that was recognised, with why and how sure.

use std::fmt;

use sinew::Joint;

use crate::role::{Digit, Side};

/// What kind of limb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LimbKind {
    /// From the hips to where the arms hang.
    Spine,
    /// Neck and head.
    Head,
    /// From the collar bone, where there is one, to the hand.
    Arm,
    /// From the hip to the toes.
    Leg,
    /// One finger; which one where it is known.
    Finger(Option<Digit>),
    /// Behind the hips.
    Tail,
    /// A wing.
    Wing,
    /// A fin or flipper.
    Fin,
    /// A row of joints on a body that is nothing else.
    Chain,
}

impl LimbKind {
    /// `spine`, `arm`, `index finger`, `thumb`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::Spine => "spine",
            Self::Head => "head",
            Self::Arm => "arm",
            Self::Leg => "leg",
            Self::Finger(None) => "finger",
            Self::Finger(Some(Digit::Thumb)) => "thumb",
            Self::Finger(Some(Digit::Index)) => "index finger",
            Self::Finger(Some(Digit::Middle)) => "middle finger",
            Self::Finger(Some(Digit::Ring)) => "ring finger",
            Self::Finger(Some(Digit::Little)) => "little finger",
            Self::Tail => "tail",
            Self::Wing => "wing",
            Self::Fin => "fin",
            Self::Chain => "chain",
        }
    }

    /// Whether a body has such limbs on both sides.
    pub(crate) fn is_paired(self) -> bool {
        matches!(self, Self::Arm | Self::Leg | Self::Wing | Self::Fin)
    }

    /// The kind that is called so.
    pub fn from_name(name: &str) -> Option<Self> {
        let plain = [
            Self::Spine,
            Self::Head,
            Self::Arm,
            Self::Leg,
            Self::Finger(None),
            Self::Tail,
            Self::Wing,
            Self::Fin,
            Self::Chain,
        ];
        let fingers = Digit::ALL.map(|digit| Self::Finger(Some(digit)));
        plain.into_iter().chain(fingers).find(|kind| kind.name() == name)
    }
}

/// Joints that work together, first to last, with what makes them so.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// What it is.
    pub kind: LimbKind,
    /// Whose half of the body; `None` in the middle, and where nothing tells.
    pub side: Option<Side>,
    /// On bodies with four legs or more: whether it is a fore leg (`true`) or a hind leg.
    pub front: Option<bool>,
    /// From the root of the limb to its last joint (for an arm the hand, for a leg the foot or toes). Twist
    /// bones between them are left out.
    pub joints: Vec<Joint>,
    /// From 0 (a guess) to 1 (the file says so).
    pub confidence: f64,
    /// What it was recognised by, for people.
    pub reason: String,
}

/// `left fore leg`, `right index finger`, `spine`.
impl fmt::Display for Limb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(side) = self.side {
            write!(f, "{} ", side.name())?;
        }
        match self.front {
            Some(true) => f.write_str("fore ")?,
            Some(false) => f.write_str("hind ")?,
            None => {}
        }
        f.write_str(self.kind.name())
    }
}
