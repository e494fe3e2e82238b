//! A body whose hands, feet and head are far from where they should be starts nearer to the middle of its limits, and where that
//! does not bring it there, once more from the middle itself.
//!
//! Far goals drive limited joints into ends that they do not leave again; from the middle every way is open. How much of the way to
//! the middle is taken grows with how far the goals are, so that near targets start from near poses. The second start turns the root to
//! its goals, and lays the limbs by closed form where a point and a rotation are asked of their tips. What is missed then is missed by
//! a trunk that was driven into its ends, so of the nearest answer what is no limb goes back to the middle, and limbs are laid again:
//! first what moves for one goal alone, then all of it.

use super::carry::carry;
use super::descend::Run;
use super::level::column;
use super::mover::Mover;
use super::pass::Pass;
use super::plan::{Block, Plan, RowsFor};
use super::posture::{has_middle, to_middle};
use super::report::is_met;
use crate::math::ops;
use crate::math::smooth::smooth;
use crate::pose::Pose;
use crate::solve::report::out_of_reach;

/// Points that make a body.
const POINTS: usize = 3;
/// Distance of a point from its place (lengths of the longest chain) up to which no way is taken to the middle of limits first, and
/// from which all of it is. HEURISTIC: of the ranges that were tried, the one with the fewest jumps between near targets.
const FAR: (f64, f64) = (0.1, 0.5);
/// Share of the square of what is left that the first step must promise for any such way to be taken, and from which all of it is: a
/// pose that is nearly as near as it can be keeps to its valley.
const OPEN: (f64, f64) = (0.03, 0.2);
/// Steps of a first descent, and of one from the middle of limits. HEURISTIC: of those that reach a body's goals, nine in ten take
/// fewer. A first one to goals [nearby](super::strict::NEARBY) has more, since it goes evenly with its targets.
pub(super) const FIRST: u32 = 20;
pub(super) const FEW: u32 = 12;

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
        self.points() >= POINTS && self.is_one_level() && self.movers.iter().any(Mover::is_limited)
    }
}

/// How often limbs are laid before the rest of a body follows, and by how many steps. HEURISTIC: of the random frames of a human that
/// the first descent misses, one in eight is missed again with one round, one in eleven with two and hardly fewer with three.
const ROUNDS: u32 = 2;
const FOLLOW: u32 = 2;

impl Run<'_> {
    /// Turns a body to its goals.
    pub(super) fn turn_to_goals(&mut self, pose: &mut Pose) {
        if self.is_strict() {
            carry(self.plan, self.skeleton, pose, &mut self.history.pairs);
        }
    }

    /// Brings joints of no limb to the middle of their limits: those that move for one goal alone, as collar bones and necks do, or all.
    pub(super) fn free_trunk(&self, pass: Pass, pose: &mut Pose) {
        let mut edit = pose.edit(self.skeleton);
        for (place, mover) in self.plan.movers.iter().enumerate() {
            let limbs = &self.history.limbs;
            let freed = !limbs.has(place) && (pass == Pass::Trunk || limbs.goals_of(place) == 1);
            if freed && self.moves_any(mover) {
                to_middle(self.skeleton, mover.joint, mover.coordinate(), 1.0, &mut edit);
            }
        }
    }

    /// By turns lays a body's limbs by closed form and lets the rest follow by a few steps.
    pub(super) fn lay_limbs(&mut self, pose: &mut Pose) {
        if self.history.limbs.is_empty() {
            return;
        }
        for _ in 0..ROUNDS {
            self.history.limbs.lay(self.plan, self.skeleton, pose);
            let rest = self.left.saturating_sub(FOLLOW);
            self.left -= rest;
            self.descend(pose, Pass::Middle, false);
            self.left += rest;
            self.measure(pose);
            if self.is_done() || !self.has_steps() {
                return;
            }
        }
        self.history.limbs.lay(self.plan, self.skeleton, pose);
    }

    /// How far a point is from its place (lengths of the longest chain).
    fn distance(&self, point: &Block) -> f64 {
        let square: f64 = self.system.error[point.rows.clone()].iter().map(|e| e * e).sum();
        ops::sqrt(square) / (point.weight * self.plan.unit)
    }

    /// Whether all points are as near to their places (lengths of the longest chain). What is measured must be the pose.
    pub(super) fn is_near(&self, distance: f64) -> bool {
        self.plan.blocks.iter().filter(|block| is_point(block)).all(|point| self.distance(point) <= distance)
    }

    /// How far the points of a block's goal are, from 0 to 1.
    fn farness(&self, block: &Block) -> f64 {
        let points = self.plan.blocks.iter().filter(|part| is_point(part) && part.is_part_with(block));
        points.map(|point| smooth(self.distance(point), FAR)).fold(0.0, f64::max)
    }

    /// Brings joints that move only for points which are far some of the way to the middle of their limits, the farther the points,
    /// the more of it. What is measured must be the pose. Whether the next descent's first step is found: one was, and nothing has moved.
    pub(super) fn toward_the_middle(&mut self, pose: &mut Pose) -> bool {
        if self.is_near(FAR.0) {
            return false;
        }
        let open = smooth(self.outlook(pose), OPEN);
        let mut moved = false;
        let mut far = core::mem::take(&mut self.history.far);
        far.clear();
        far.extend(self.plan.blocks.iter().map(|block| self.farness(block)));
        let plan = &*self.plan;
        let mut edit = pose.edit(self.skeleton);
        for mover in plan.movers.iter().filter(|mover| self.moves_any(mover)) {
            let share = open * plan.users(mover).map(|place| far[place]).reduce(f64::min).unwrap_or(0.0);
            if share > 0.0 {
                to_middle(self.skeleton, mover.joint, mover.coordinate(), share, &mut edit);
                mover.begin(self.skeleton, &mut edit);
                moved = true;
            }
        }
        drop(edit);
        self.history.far = far;
        !moved
    }

    /// Whether joints that move for goals which are not met have a middle of their limits to start from, and no goal is out of reach.
    pub(super) fn has_middle(&mut self, pose: &Pose) -> bool {
        self.measure(pose);
        !self.is_beyond(pose) && self.missing().any(|mover| has_middle(self.skeleton, mover))
    }

    /// Brings joints that move for goals which are not met to the middle of their limits. What is measured must be the pose.
    pub(super) fn to_the_middle(&self, pose: &mut Pose) {
        let mut edit = pose.edit(self.skeleton);
        for mover in self.missing() {
            to_middle(self.skeleton, mover.joint, mover.coordinate(), 1.0, &mut edit);
        }
    }

    /// What moves for goals that are not met.
    fn missing(&self) -> impl Iterator<Item = &Mover> {
        let misses = |mover: &Mover| self.plan.users(mover).any(|place| self.misses(&self.plan.blocks[place]));
        self.plan.movers.iter().filter(move |mover| self.moves_any(mover) && misses(mover))
    }

    /// Whether it moves any goal, by what was derived last: a hand that is asked for its place alone does not turn for it.
    fn moves_any(&self, mover: &Mover) -> bool {
        let (matrix, height) = (&self.system.matrix, self.system.height);
        mover.freedoms().any(|place| column(matrix, height, place).iter().any(|&x| x != 0.0))
    }

    /// Whether lengths show that a goal which is not met is out of reach: then no other start reaches it. What is measured must be the
    /// pose.
    pub(super) fn is_beyond(&self, pose: &Pose) -> bool {
        let plan = &*self.plan;
        let joints = |block: &Block| plan.used[block.used.clone()].iter().map(|&at| plan.motions[at as usize].joint());
        let beyond = |block: &Block| match &block.asked {
            RowsFor::Goal(task) => {
                let moves = |joint| joints(block).any(|moved| moved == joint);
                is_point(block) && out_of_reach(self.skeleton, &task.goal, pose, &moves).is_some()
            }
            RowsFor::Task(_) => false,
        };
        plan.blocks.iter().any(|block| self.misses(block) && beyond(block))
    }

    /// Whether a part of a block's goal is not met.
    fn misses(&self, block: &Block) -> bool {
        self.plan.blocks.iter().any(|part| part.is_part_with(block) && !is_met(part, self.system))
    }
}

fn is_point(block: &Block) -> bool {
    matches!(&block.asked, RowsFor::Goal(task) if task.part == super::goal_task::GoalPart::Point)
}
