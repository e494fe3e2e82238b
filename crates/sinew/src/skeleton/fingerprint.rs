//! Numbers by which handles, poses and what solvers keep know the skeleton that they are of (FNV-1a).

use core::fmt::{self, Debug, Write};

use glam::DAffine3;

use super::Coordinate;
use super::joint::JointData;
use crate::skeleton::Kind;

/// Fingerprints of one skeleton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fingerprints {
    /// Of handles: the tree, names and rest transforms that it was built with. A revision keeps it.
    pub(crate) handles: u32,
    /// Of poses, for the same handles: what coordinates and model transforms rest on beside local ones.
    pub(crate) poses: u32,
    /// Of what solvers keep: everything.
    pub(crate) all: u32,
}

impl Fingerprints {
    pub(super) fn of(joints: &[JointData], bases: &[DAffine3], coordinates: &[Coordinate]) -> Self {
        let mut handles = Hash::default();
        for joint in joints {
            handles.eat((joint.parent, &joint.name, joint.kind.name(), &joint.rest));
        }
        handles.eat(bases);
        let mut poses = Hash::default();
        for joint in joints {
            match joint.kind {
                Kind::Hinge { axis, .. } | Kind::Slide { axis, .. } => {
                    poses.eat((joint.kind.name(), axis, &joint.zero, joint.drive));
                }
                Kind::Fixed | Kind::Ball(_) | Kind::Free => poses.eat(()),
            }
        }
        poses.eat(bases);
        let mut all = Hash::default();
        all.eat((joints, bases, coordinates));
        Self { handles: handles.folded(), poses: poses.folded(), all: all.folded() }
    }
}

/// FNV-1a over what values print, which tells any two numbers apart.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

impl Hash {
    fn eat(&mut self, value: impl Debug) {
        // A hash takes whatever it is given.
        let _ = write!(self, "{value:?};");
    }

    fn folded(&self) -> u32 {
        (self.0 ^ (self.0 >> 32)) as u32
    }
}
