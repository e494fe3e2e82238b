//! Spaces of a solve: scale, mirrors and shear above its topmost joints stay outside.

use glam::DAffine3;

/// The space in which a body and all below it are solved: that of the topmost joint's parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    pub(super) into: DAffine3,
    pub(super) out: DAffine3,
}
