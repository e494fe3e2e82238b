//! Bones of uneven scale: they change their lengths as they turn, so that a hand or foot is not where it was placed.

use sinew::math::arc;
use sinew::{Joint, Pose};

use super::layout::Layout;
use super::place::Room;

/// Rounds in which hands and feet come to their places, and how near (share of a leg).
const ROUNDS: usize = 4;
const EXACT: f64 = 1e-8;
/// Difference of a scale's axes, as a share of it, that is rounding of files.
const EVEN: f64 = 1e-6;

/// In how many rounds hands and feet come to their places: none where no scale is uneven.
pub(super) fn rounds(layout: &Layout, pose: &Pose) -> usize {
    let is_uneven = |&joint: &Joint| {
        let scale = pose.local(joint).scale;
        scale.max_element() - scale.min_element() > EVEN * scale.abs().max_element()
    };
    if layout.path.iter().any(is_uneven) { ROUNDS } else { 0 }
}

impl Room {
    /// Has hands and feet placed beside where they should be by as much as they miss it in a pose that is written; whether any does.
    pub(super) fn correct(&mut self, layout: &Layout, pose: &Pose, leg: f64) -> bool {
        let back = layout.axes.conjugate();
        let mut is_off = false;
        for (limb, beside) in layout.limbs().zip(&mut self.beside) {
            let off = self.out.at(limb.end).position - back * pose.position(limb.end);
            is_off |= arc::length(off - *beside) > EXACT * leg;
            *beside = off;
        }
        is_off
    }
}
