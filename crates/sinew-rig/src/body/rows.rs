//! What a step of the trunk is to bring about: distances that its points should move by.

use glam::DVec3;

/// What hangs on a joint: a point of its frame, the target, from the first joint, the distance that is near enough, and how fast that
/// grows with the share of the lean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hang {
    pub(super) point: DVec3,
    pub(super) target: DVec3,
    pub(super) near: f64,
    pub(super) yields: f64,
}

/// A distance along a direction that a point of the trunk should move by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) direction: DVec3,
    pub(super) off: f64,
    /// The point, from the first joint.
    pub(super) place: DVec3,
    /// Joints before this one move it.
    pub(super) ends: usize,
    pub(super) damping: f64,
    /// By how much less it should the more joints turn (a radian).
    pub(super) yields: f64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rows {
    pub(super) rows: [Row; MOST_ROWS],
    pub(super) count: usize,
}

impl Rows {
    pub(super) fn add(&mut self, row: Row) {
        if let Some(free) = self.rows.get_mut(self.count) {
            *free = row;
            self.count += 1;
        }
    }
}

/// The head's place and two arms.
pub(super) const MOST_ROWS: usize = 5;
