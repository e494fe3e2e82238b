//! What a descent aims at: one target, or another one in each lane.

use sinew::glam::DVec3;

use crate::arm::Aim;
use crate::normal::Six;
use crate::number::Lanes;
use crate::vector::{Frame, Vector};

/// [`Aim`]s side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aims<L: Lanes> {
    pub(crate) position: Vector<L>,
    pub(crate) frame: Frame<L>,
    /// The only direction of the last joint's frame that counts, where `is_axis` is 1, else 0.
    pub(crate) axis: Vector<L>,
    pub(crate) is_axis: L,
    pub(crate) slack: Six<L>,
    /// Whether all counts in all lanes.
    pub(crate) is_whole: bool,
    pub(crate) near: L,
    pub(crate) turn: L,
}

impl<L: Lanes> Aims<L> {
    /// The same in every lane.
    #[inline(always)]
    pub(crate) fn of(like: L, aim: &Aim) -> Self {
        Self {
            position: Vector::of(like, aim.position),
            frame: Frame::of(like, &aim.frame),
            axis: Vector::of(like, aim.axis.unwrap_or(DVec3::ZERO)),
            is_axis: like.of(if aim.axis.is_some() { 1.0 } else { 0.0 }),
            slack: aim.slack.map(|slack| like.of(slack)),
            is_whole: aim.is_whole,
            near: like.of(aim.near),
            turn: like.of(aim.turn),
        }
    }

    /// Sets one lane's target; whether all counts in all of them stays as it is.
    #[inline(always)]
    pub(crate) fn set_lane(&mut self, lane: usize, aim: &Aim) {
        self.position.set_lane(lane, aim.position);
        self.frame.set_lane(lane, &aim.frame);
        self.axis.set_lane(lane, aim.axis.unwrap_or(DVec3::ZERO));
        self.is_axis.set_lane(lane, if aim.axis.is_some() { 1.0 } else { 0.0 });
        for (lanes, slack) in self.slack.iter_mut().zip(aim.slack) {
            lanes.set_lane(lane, slack);
        }
        self.near.set_lane(lane, aim.near);
        self.turn.set_lane(lane, aim.turn);
    }
}
