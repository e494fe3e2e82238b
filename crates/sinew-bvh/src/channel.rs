//! Channels: which number of a row moves a joint along or about which axis.

use glam::DVec3;

/// An axis of a joint's own frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// (1, 0, 0)
    X,
    /// (0, 1, 0)
    Y,
    /// (0, 0, 1)
    Z,
}

impl Axis {
    const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// The unit vector.
    pub fn unit(self) -> DVec3 {
        DVec3::AXES[self.index()]
    }

    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// What a number of a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Position of the joint along an axis of its parent, in the unit of the file; it replaces the offset.
    Position(Axis),
    /// Rotation about an axis (degrees), inside the rotations of the channels before it.
    Rotation(Axis),
}

impl Channel {
    /// Most channels that a joint can have: each of them once.
    pub(crate) const MOST: usize = 6;

    /// As files call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Position(axis) => ["Xposition", "Yposition", "Zposition"][axis.index()],
            Self::Rotation(axis) => ["Xrotation", "Yrotation", "Zrotation"][axis.index()],
        }
    }

    /// The channel of a name, in any case.
    pub(crate) fn named(word: &[u8]) -> Option<Self> {
        let all = Axis::ALL.into_iter().flat_map(|axis| [Self::Position(axis), Self::Rotation(axis)]);
        all.into_iter().find(|channel| word.eq_ignore_ascii_case(channel.name().as_bytes()))
    }

    /// The axis of a rotation.
    pub(crate) fn turns(self) -> Option<Axis> {
        match self {
            Self::Rotation(axis) => Some(axis),
            Self::Position(_) => None,
        }
    }
}
