//! The prepared form: local rotations of a limb that was measured before.

use anyhow::Result;
use sinew::glam::{DQuat, DVec3};
use sinew::{Pole, solve::two_bone};

use crate::answer::Answer;
use crate::limb::Limb;
use crate::runner::Method;

#[derive(Debug, Default)]
pub(super) struct Prepared;

#[derive(Debug)]
pub(super) struct Input {
    limb: two_bone::Prepared,
    target: DVec3,
    pole: DVec3,
}

impl Method for Prepared {
    type Input = Input;
    type Output = [DQuat; 2];

    fn prepare(limb: &Limb) -> Result<Input> {
        let (skeleton, [root, mid, tip]) = limb.skeleton()?;
        let prepared = two_bone::Prepared::new(&skeleton, root, mid, tip)?;
        Ok(Input { limb: prepared, target: limb.target, pole: limb.pole })
    }

    #[inline]
    fn solve(&mut self, input: &Input) -> [DQuat; 2] {
        input.limb.solve(input.target, Pole::Direction(input.pole)).rotations
    }

    fn answer(_: &Limb, rotations: &[DQuat; 2]) -> Answer {
        Answer::Rotations(*rotations)
    }
}
