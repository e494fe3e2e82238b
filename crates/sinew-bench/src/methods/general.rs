//! The general form: turns for three positions of an engine's own skeleton.

use anyhow::Result;
use sinew::glam::{DQuat, DVec3};
use sinew::{Pole, solve::two_bone};

use crate::answer::Answer;
use crate::limb::Limb;
use crate::runner::Method;

#[derive(Debug, Default)]
pub(super) struct General;

#[derive(Debug)]
pub(super) struct Input {
    limb: two_bone::Limb,
    target: DVec3,
    pole: DVec3,
}

impl Method for General {
    type Input = Input;
    /// Turns of root and middle joint in model space.
    type Output = [DQuat; 2];

    fn prepare(limb: &Limb) -> Result<Input> {
        let [mid, tip] = limb.points([limb.root, limb.mid()]);
        let positions = two_bone::Limb { root: DVec3::ZERO, mid, tip };
        Ok(Input { limb: positions, target: limb.target, pole: limb.pole })
    }

    #[inline]
    fn solve(&mut self, input: &Input) -> [DQuat; 2] {
        let turns = two_bone::bend(&input.limb, input.target, Pole::Direction(input.pole));
        [turns.root, turns.mid]
    }

    fn answer(limb: &Limb, &[root, mid]: &[DQuat; 2]) -> Answer {
        let turned = root * limb.root;
        let below = mid * turned * limb.mid();
        Answer::Rotations([turned, turned.conjugate() * below])
    }
}
