//! The last step where hinges, limits, rotations or several goals are to be met: the least turn of all joints
//! that takes up what is left, to first order, as often as it gains (Gauss-Newton with damping: Levenberg
//! 1944, Wampler 1986), stiff joints less than others.
//!
//! What a limit does not allow is left to the others in the next step.

use glam::DVec3;

use super::body::BodyMotion;
use super::effector::Effector;
use super::system::{Blocked, System};
use super::tree::BodyTree;
use crate::goal::Goal;
use crate::linear::{add_outer, ldl};
use crate::math::{arc, ops};
use crate::skeleton::Skeleton;
use crate::solve::budget::Budget;

/// Steps at most for one effector and for several, and the share of the cost that a step must gain. Several that are not met go on with the
/// next pass: frames of a human are reached as often, in three quarters of the time. With as few, nearby targets of lone chains have answers
/// apart.
const STEPS: (u32, u32) = (12, 6);
const GAIN: f64 = 0.05;
/// Damping, as a share of the system's trace: at first, at most, and by how much it grows.
const DAMPING: f64 = 1e-9;
const MOST: f64 = 1e-2;
const GROWTH: f64 = 1e3;
/// The largest step (radians).
const LARGEST: f64 = 0.7;

impl BodyTree {
    /// Steps of least turn on everything, as long as they gain.
    pub(super) fn step_all(&mut self, skeleton: &Skeleton, goals: &[Goal], budget: &mut Budget) {
        self.system.blocked.clear();
        self.system.blocked.resize(self.bodies.len(), Blocked::default());
        let mut damping = DAMPING;
        let mut cost = self.cost();
        let steps = if self.effectors.len() > 1 { STEPS.1 } else { STEPS.0 };
        for _ in 0..steps {
            if self.is_met() {
                return;
            }
            budget.spend(self.prices.step);
            self.keep();
            let Some(met_limits) = self.step(skeleton, damping) else { return };
            self.update(goals, 0);
            let next = self.cost();
            if next <= cost * (1.0 - GAIN) {
                cost = next;
                damping = (damping / GROWTH).max(DAMPING);
                continue;
            }
            self.go_back(goals);
            budget.spend(self.prices.update);
            // With what limits hold back left out, the same step may gain.
            damping *= if met_limits { 1.0 } else { GROWTH };
            if damping > MOST {
                return;
            }
        }
    }

    /// One step: whether limits held it back; `None` where nothing can turn.
    fn step(&mut self, skeleton: &Skeleton, damping: f64) -> Option<bool> {
        let mut system = core::mem::take(&mut self.system);
        let solved = self.set_up(skeleton, &mut system, damping);
        let mut met_limits = false;
        if solved {
            system.shares.clear();
            for body in 0..self.bodies.len() {
                let share = self.share(skeleton, &system, body);
                system.shares.push(share);
            }
            let largest = system.shares.iter().map(|share| share.dot(*share)).fold(0.0, f64::max);
            let scale = if largest > LARGEST * LARGEST { LARGEST / ops::sqrt(largest) } else { 1.0 };
            for body in 0..self.bodies.len() {
                let vector = system.shares[body] * scale;
                // The body above keeps its rotation until all have their share.
                if vector != DVec3::ZERO {
                    let above = self.above(body);
                    if let Some(direction) = self.bodies[body].nudge(skeleton, above, vector) {
                        system.blocked[body].add(direction);
                        met_limits = true;
                    }
                }
            }
        }
        self.system = system;
        solved.then_some(met_limits)
    }

    /// Builds `J Jᵀ + damping` and solves it for what is left.
    fn set_up(&self, skeleton: &Skeleton, system: &mut System, damping: f64) -> bool {
        let System { matrix, right, rows, columns, blocked, .. } = system;
        rows.clear();
        right.clear();
        for effector in &self.effectors {
            rows.push(right.len());
            let root = ops::sqrt(effector.pull);
            if effector.target.is_some() {
                right.extend((effector.off() * root).to_array());
            }
            if effector.turn.is_some() {
                right.extend((effector.turn_off() * (root * effector.radian())).to_array());
            }
        }
        rows.push(right.len());
        let count = right.len();
        matrix.clear();
        matrix.resize(count * count, 0.0);
        let lone = match &*self.effectors {
            [effector @ Effector { target: Some(_), turn: None, .. }] => Some(effector),
            _ => None,
        };
        for (body, blocked) in blocked.iter().enumerate() {
            if let Some(effector) = lone.filter(|_| self.acts(body, 0) && self.is_free(body, blocked)) {
                add_point(matrix, effector.place - self.bodies[body].place, self.bodies[body].ease * effector.pull);
                continue;
            }
            let mut moved = (0..self.effectors.len()).filter(|&e| self.acts(body, e)).map(|e| rows[e]..rows[e + 1]);
            let Some(first) = moved.next() else { continue };
            let moved = first.start..moved.next_back().unwrap_or(first).end;
            columns.clear();
            let mut turns = 0;
            for axis in self.axes(skeleton, body, blocked).into_iter().flatten() {
                columns.resize(columns.len() + count, 0.0);
                self.fill(body, axis, rows, &mut columns[turns * count..]);
                turns += 1;
            }
            let column = |k: usize| &columns[k * count..][moved.clone()];
            let (first, ease) = (moved.start, self.bodies[body].ease);
            match turns {
                0 => {}
                1 => add_outer(matrix, count, first, [column(0)], ease),
                2 => add_outer(matrix, count, first, [0, 1].map(column), ease),
                _ => add_outer(matrix, count, first, [0, 1, 2].map(column), ease),
            }
        }
        let trace: f64 = (0..count).map(|i| matrix[i * count + i]).sum();
        if trace.is_nan() || trace <= 0.0 {
            return false;
        }
        (0..count).for_each(|i| matrix[i * count + i] += damping * trace);
        let definite = ldl::factor(matrix, count);
        if definite {
            ldl::solve(matrix, count, right);
        }
        definite
    }

    /// What a radian about an axis of a body moves of the rows that it moves.
    fn fill(&self, body: usize, axis: DVec3, rows: &[usize], column: &mut [f64]) {
        for (e, effector) in self.effectors.iter().enumerate() {
            if self.acts(body, e) {
                let arm = effector.place - self.bodies[body].place;
                let travel = axis.cross(arm);
                let turn = effector.ray.map_or(axis, |ray| ray.felt(axis, travel));
                put(effector, travel, turn * effector.radian(), &mut column[rows[e]..rows[e + 1]]);
            }
        }
    }

    /// The turn of a body in the solution, as a rotation vector.
    fn share(&self, skeleton: &Skeleton, system: &System, body: usize) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for (e, effector) in self.effectors.iter().enumerate().filter(|(e, _)| self.acts(body, *e)) {
            let right = &system.right[system.rows[e]..system.rows[e + 1]];
            let vector = |at: usize| DVec3::new(right[at], right[at + 1], right[at + 2]);
            let root = ops::sqrt(effector.pull);
            let mut at = 0;
            if effector.target.is_some() {
                sum += (effector.place - self.bodies[body].place).cross(vector(at)) * root;
                at = 3;
            }
            if effector.turn.is_some() {
                let arm = effector.place - self.bodies[body].place;
                let turn = effector.ray.map_or(vector(at), |ray| ray.pulled(vector(at), arm));
                sum += turn * (root * effector.radian());
            }
        }
        let ease = self.bodies[body].ease;
        if self.is_free(body, &system.blocked[body]) {
            return sum * ease;
        }
        let axes = self.axes(skeleton, body, &system.blocked[body]);
        axes.into_iter().flatten().fold(DVec3::ZERO, |turn, axis| turn + axis * (ease * axis.dot(sum)))
    }

    /// Whether a body turns about all axes.
    fn is_free(&self, body: usize, blocked: &Blocked) -> bool {
        blocked.count == 0 && !matches!(self.bodies[body].motion, BodyMotion::Hinge { .. })
    }

    /// The axes about which a body still turns, perpendicular and in the solve's space.
    fn axes(&self, skeleton: &Skeleton, body: usize, blocked: &Blocked) -> [Option<DVec3>; 3] {
        match (self.bodies[body].motion, blocked.count) {
            (BodyMotion::Hinge { axis, .. }, 0) => {
                [Some(self.bodies[body].axis(skeleton, self.above(body), axis)), None, None]
            }
            (BodyMotion::Hinge { .. }, _) | (_, 3..) => [None; 3],
            (_, 0) => DVec3::AXES.map(Some),
            (_, 1) => {
                let across = arc::any_perpendicular(blocked.directions[0]);
                [Some(across), Some(blocked.directions[0].cross(across)), None]
            }
            (_, 2) => [Some(blocked.directions[0].cross(blocked.directions[1])), None, None],
        }
    }
}

/// Adds what a body that turns about all axes moves a lone point by: `weight (|arm|² - arm armᵀ)`, the lower triangle.
fn add_point(matrix: &mut [f64], arm: DVec3, weight: f64) {
    let square = arm.dot(arm);
    for (row, (entries, x)) in matrix.chunks_exact_mut(3).zip(arm.to_array()).enumerate() {
        (0..row).for_each(|column| entries[column] -= weight * x * arm[column]);
        entries[row] += weight * (square - x * x);
    }
}

/// Writes the rows of one effector.
fn put(effector: &Effector, point: DVec3, turn: DVec3, rows: &mut [f64]) {
    let root = ops::sqrt(effector.pull);
    let mut at = 0;
    if effector.target.is_some() {
        rows[..3].copy_from_slice(&(point * root).to_array());
        at = 3;
    }
    if effector.turn.is_some() {
        rows[at..at + 3].copy_from_slice(&(turn * root).to_array());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_point_adds_up_as_its_columns_do() {
        let (arm, weight) = (DVec3::new(0.3, -1.2, 0.7), 1.7);
        let (mut at_once, mut one_by_one) = ([0.5; 9], [0.5; 9]);
        add_point(&mut at_once, arm, weight);
        for axis in DVec3::AXES {
            add_outer(&mut one_by_one, 3, 0, [&axis.cross(arm).to_array()[..]], weight);
        }
        for (row, column) in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)] {
            let (a, b) = (at_once[3 * row + column], one_by_one[3 * row + column]);
            assert!((a - b).abs() < 1e-14, "{row} {column}: {a} {b}");
        }
    }
}
