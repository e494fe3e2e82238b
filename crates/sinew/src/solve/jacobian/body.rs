//! A body whose hands, feet and head are far from where they should be: first to their places, then turned as well, and
//! where limits stop it, once more from the middle of them.
//!
//! Asked for at once, far places and rotations drive limited joints into ends that they do not leave again. So the places
//! come first, in few steps; how much of that way is taken grows with how far they are, so that near targets are come to
//! alike. Limbs that miss their goals then try again from the middle of their limits, where every way is open.

use super::descend::{Pass, Run};
use super::mover::{Mover, MoverKind};
use super::plan::{Block, Plan, RowsFor};
use super::posture::to_middle;
use super::report::is_met;
use super::settings::Jacobian;
use crate::goal::{Goal, Target};
use crate::math::ops;
use crate::math::smooth::smooth;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::Workspace;
use crate::solve::report::out_of_reach;

/// Points that make a body.
const POINTS: usize = 3;
/// Distance of a point from its place (lengths of the longest chain) up to which no way is taken to the places first, and
/// from which all of it is.
const FAR: (f64, f64) = (0.1, 0.2);
/// Share of the square of what is left that the first step must promise for any way to be taken to the places first, and from
/// which all of it is: a pose that is nearly as near as it can be keeps to its valley.
const OPEN: (f64, f64) = (0.1, 0.4);
/// Steps to the places.
const PLACING: u32 = 5;
/// Steps of a first descent, and of one from the middle of limits. HEURISTIC: of those that reach a body's goals, nine in ten
/// take fewer.
pub(super) const FEW: u32 = 12;

/// The places alone, of goals that ask for rotations, too.
#[derive(Debug, Default)]
pub(super) struct Places {
    goals: alloc::vec::Vec<Goal>,
    pub(super) plan: Plan,
    /// Whether the goals are such.
    counts: bool,
}

impl Places {
    /// Lists them; `plan` is that of the goals as they are.
    pub(super) fn make(
        &mut self,
        plan: &Plan,
        solver: &Jacobian,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &Pose,
        work: &Workspace,
    ) {
        self.counts = plan.is_body() && plan.blocks.iter().any(|block| !is_point(block));
        if !self.counts {
            return;
        }
        self.goals.clear();
        self.goals.extend(goals.iter().map(|goal| match goal.target {
            Target::Frame { position, .. } => Goal { target: Target::Position(position), ..*goal },
            Target::Position(_) => *goal,
            _ => Goal { weight: 0.0, ..*goal },
        }));
        self.plan.make(solver, skeleton, &self.goals, pose, work);
    }
}

impl Plan {
    /// Whether several points compete: then a minimum that meets none of them is the rule out of reach, and steps look for it.
    pub(super) fn has_several(&self) -> bool {
        self.points() > 1
    }

    fn points(&self) -> usize {
        self.blocks.iter().filter(|block| is_point(block)).count()
    }

    /// Whether several points, and joints with limits, make it a body's.
    pub(super) fn is_body(&self) -> bool {
        let limited = |mover: &Mover| match mover.kind {
            MoverKind::Coordinate { range, .. } => range.min.is_finite() || range.max.is_finite(),
            MoverKind::Ball { held, .. } => held.is_some(),
            MoverKind::Free { .. } => false,
        };
        self.points() >= POINTS && self.levels.len() == 1 && !self.shared && self.movers.iter().any(limited)
    }
}

impl Run<'_> {
    /// Brings points that are far to their places, whatever rotations are asked for.
    pub(super) fn place(&mut self, pose: &mut Pose) {
        if !self.places.counts || self.left == 0 {
            return;
        }
        self.measure(pose);
        let share = self.far();
        if share == 0.0 {
            return;
        }
        self.history.placed.clone_from(pose);
        core::mem::swap(self.plan, &mut self.places.plan);
        let steps = PLACING.min(self.left);
        let rest = self.left - steps;
        (self.left, self.open) = (steps, OPEN.0);
        self.descend(pose, Pass::First);
        self.open = 0.0;
        self.left += rest;
        core::mem::swap(self.plan, &mut self.places.plan);
        let share = share * smooth(self.history.outlook, OPEN);
        if share < 1.0 {
            core::mem::swap(&mut self.history.placed, pose);
            pose.blend(self.skeleton, &self.history.placed, share);
            for mover in &self.plan.movers {
                mover.begin(self.skeleton, pose);
            }
        }
    }

    /// The share that is taken of the way to the places, without a kink.
    fn far(&self) -> f64 {
        let points = self.plan.blocks.iter().filter(|block| is_point(block));
        let size = |block: &Block| {
            let square: f64 = self.system.error[block.rows.clone()].iter().map(|e| e * e).sum();
            ops::sqrt(square) / (block.weight * self.plan.unit)
        };
        let farthest = points.map(size).fold(0.0, f64::max);
        smooth(farthest, FAR)
    }

    /// Brings joints that move only for goals which are not met to the middle of their limits; whether any has one, and no
    /// goal is out of reach. What is measured must be the pose.
    pub(super) fn to_the_middle(&self, pose: &mut Pose) -> bool {
        let (plan, system) = (&*self.plan, &*self.system);
        let missed = |block: &Block| plan.blocks.iter().any(|part| part.is_part_with(block) && !is_met(part, system));
        let joints = |block: &Block| plan.used[block.used.clone()].iter().map(|&at| plan.motions[at as usize].joint());
        let beyond = |block: &Block| match &block.asked {
            RowsFor::Goal(task) => {
                let moves = |joint| joints(block).any(|moved| moved == joint);
                is_point(block) && out_of_reach(self.skeleton, &task.goal, pose, moves).is_some()
            }
            RowsFor::Task(_) => false,
        };
        if plan.blocks.iter().any(|block| missed(block) && beyond(block)) {
            return false;
        }
        let mut moved = false;
        for mover in plan.movers.iter().filter(|mover| plan.users(mover).all(missed)) {
            moved |= to_middle(mover, self.skeleton, pose);
        }
        moved
    }
}

fn is_point(block: &Block) -> bool {
    matches!(&block.asked, RowsFor::Goal(task) if task.part == super::goal_task::GoalPart::Point)
}
