//! The peer `rebirth-ik`: `two_bone` gives positions, `segment_rotation` a shortest turn for each
//! bone. Its pole is a point, so the direction is set off from the root, which is the origin.

use anyhow::Result;
use rebirth_ik::{Quat, Vec3, segment_rotation, two_bone};
use sinew::glam::{DQuat, DVec3};

use crate::answer::Answer;
use crate::limb::Limb;
use crate::runner::Method;

#[derive(Debug)]
pub(super) struct Input {
    mid: Vec3,
    tip: Vec3,
    target: Vec3,
    pole: Vec3,
}

impl Input {
    fn new(limb: &Limb) -> Self {
        let [mid, tip] = limb.points([limb.root, limb.mid()]).map(narrow);
        Self { mid, tip, target: narrow(limb.target), pole: narrow(limb.pole) }
    }

    fn positions(&self) -> (Vec3, Vec3) {
        two_bone(Vec3::ZERO, self.mid, self.tip, self.target, Some(self.pole))
    }
}

#[derive(Debug, Default)]
pub(super) struct Positions;

impl Method for Positions {
    type Input = Input;
    /// Middle joint and tip.
    type Output = [Vec3; 2];

    fn prepare(limb: &Limb) -> Result<Input> {
        Ok(Input::new(limb))
    }

    #[inline]
    fn solve(&mut self, input: &Input) -> [Vec3; 2] {
        input.positions().into()
    }

    fn answer(_: &Limb, positions: &[Vec3; 2]) -> Answer {
        Answer::Positions(positions.map(|p| DVec3::new(p.x.into(), p.y.into(), p.z.into())))
    }
}

#[derive(Debug, Default)]
pub(super) struct Rotations;

impl Method for Rotations {
    type Input = Input;
    /// Turns of the two bones in model space.
    type Output = [Quat; 2];

    fn prepare(limb: &Limb) -> Result<Input> {
        Ok(Input::new(limb))
    }

    #[inline]
    fn solve(&mut self, input: &Input) -> [Quat; 2] {
        let (mid, tip) = input.positions();
        [segment_rotation(input.mid, mid), segment_rotation(input.tip - input.mid, tip - mid)]
    }

    fn answer(limb: &Limb, turns: &[Quat; 2]) -> Answer {
        let [first, second] = turns.map(|q| DQuat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into()));
        let (root, below) = (first * limb.root, second * limb.root * limb.mid());
        Answer::Rotations([root, root.conjugate() * below])
    }
}

fn narrow(v: DVec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}
