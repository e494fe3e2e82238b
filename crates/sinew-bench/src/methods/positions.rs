//! The form for engines without bones: joint positions.

use anyhow::Result;
use sinew::glam::DVec3;
use sinew::solve::two_bone::{Reach, spatial};

use crate::answer::Answer;
use crate::limb::Limb;
use crate::runner::Method;

#[derive(Debug, Default)]
pub(super) struct Positions;

#[derive(Debug)]
pub(super) struct Input {
    lengths: [f64; 2],
    target: DVec3,
    pole: DVec3,
}

impl Method for Positions {
    type Input = Input;
    /// Middle joint and tip.
    type Output = [DVec3; 2];

    fn prepare(limb: &Limb) -> Result<Input> {
        Ok(Input { lengths: limb.lengths, target: limb.target, pole: limb.pole })
    }

    #[inline]
    fn solve(&mut self, input: &Input) -> [DVec3; 2] {
        let [l1, l2] = input.lengths;
        spatial::positions(DVec3::ZERO, input.target, input.pole, l1, l2, Reach::Clamp).elbows[0]
    }

    fn answer(_: &Limb, positions: &[DVec3; 2]) -> Answer {
        Answer::Positions(*positions)
    }
}
