//! The whole way: a pose set back to rest, solved for a goal, its model transforms brought up to
//! date and the outcome measured.

use std::slice;

use anyhow::Result;
use sinew::glam::DQuat;
use sinew::{Goal, Joint, Pole, Pose, Skeleton, Solver, TwoBone, Workspace};

use crate::answer::Answer;
use crate::limb::Limb;
use crate::runner::Method;

#[derive(Debug, Default)]
pub(super) struct PoseSolver {
    pose: Pose,
    work: Workspace,
}

#[derive(Debug)]
pub(super) struct Input {
    skeleton: Skeleton,
    solver: TwoBone,
    goal: Goal,
    joints: [Joint; 2],
}

impl Method for PoseSolver {
    type Input = Input;
    type Output = [DQuat; 2];

    fn prepare(limb: &Limb) -> Result<Input> {
        let (skeleton, [root, mid, tip]) = limb.skeleton()?;
        let solver = TwoBone::new(&skeleton, root, mid, tip)?;
        let goal = Goal::position(tip, limb.target).pole(Pole::Direction(limb.pole));
        Ok(Input { skeleton, solver, goal, joints: [root, mid] })
    }

    fn solve(&mut self, input: &Input) -> [DQuat; 2] {
        self.pose.reset(&input.skeleton);
        let goals = slice::from_ref(&input.goal);
        // The checker measures for itself how well it went.
        let _ = input.solver.solve(&input.skeleton, goals, &mut self.pose, &mut self.work);
        input.joints.map(|joint| self.pose.local(joint).rotation)
    }

    fn answer(_: &Limb, rotations: &[DQuat; 2]) -> Answer {
        Answer::Rotations(*rotations)
    }
}
