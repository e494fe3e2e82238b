//! Stiffness for a frequency: how stiff the joints of a tree of bones must be for all of it to swing so many times a second.
//!
//! Each joint is as stiff as the inertia that hangs on it, so that a chain bends evenly. The slowest way in which such
//! bones swing is the largest eigenvalue of mass over stiffness, found by power iteration in passes along the tree; it
//! scales them all. Source: Rayleigh, *The Theory of Sound* (1877), chapter IV.

use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::TAU;

use glam::DVec3;

use super::plan::SpringPlan;
use super::settings::Springs;
use crate::skeleton::Skeleton;

/// Rounds of the iteration; the second way to swing is at least twice as fast, so each leaves less than a quarter.
const ROUNDS: usize = 60;

impl Springs {
    /// Sets bends and their damping, so that each tree of bones swings `frequency` times a second (Hz, small angles) in its
    /// slowest mode, and dies away at the share `damping` of critical damping. This holds for a body that stands still,
    /// without gravity. Masses, lengths and branches are taken as they are. Settings that [`check`](Self::check) refuses,
    /// and frequencies that are not above zero, change nothing.
    pub fn tuned(mut self, skeleton: &Skeleton, frequency: f64, damping: f64) -> Self {
        let (mut plan, mut anchors, rest) = (SpringPlan::default(), Vec::new(), skeleton.rest_pose());
        if frequency.is_nan() || frequency <= 0.0 || self.check(skeleton).is_err() {
            return self;
        }
        plan.make(&self, skeleton, &mut Vec::new());
        if !plan.read_anchors(skeleton, &rest, &mut anchors) {
            return self;
        }
        plan.read_shape(&self, skeleton, &rest, &anchors);
        plan.lay_out(&anchors);
        let slowest = slowest(&plan);
        let speed = TAU * frequency;
        for frame in &plan.frames {
            let stiffness = frame.inertia * speed * speed * slowest[frame.anchor] / frame.parts.len().max(1) as f64;
            for part in &plan.parts[frame.parts.clone()] {
                let bone = &mut self.bones[part.bone];
                (bone.bend, bone.bend_damping) = (1.0 / stiffness, 2.0 * damping * stiffness / speed);
            }
        }
        self
    }
}

/// Mass over stiffness of each tree's slowest swing, where stiffness is inertia: one over the square of its angular speed.
fn slowest(plan: &SpringPlan) -> Vec<f64> {
    let mut turns = vec![DVec3::new(1.0, 0.7, 0.4); plan.frames.len()];
    let mut ratios = vec![1.0; plan.roots.len()];
    for _ in 0..ROUNDS {
        let torques = torques(plan, &turns);
        let (mut held, mut moving) = (vec![0.0; ratios.len()], vec![0.0; ratios.len()]);
        for ((frame, turn), torque) in plan.frames.iter().zip(&turns).zip(&torques) {
            held[frame.anchor] += turn.dot(*turn) * frame.inertia;
            moving[frame.anchor] += turn.dot(*torque);
        }
        for (ratio, (held, moving)) in ratios.iter_mut().zip(held.iter().zip(&moving)) {
            *ratio = if *held > 0.0 && *moving > 0.0 { moving / held } else { 1.0 };
        }
        for ((turn, torque), frame) in turns.iter_mut().zip(torques).zip(&plan.frames) {
            *turn = if frame.inertia > 0.0 { torque / (frame.inertia * ratios[frame.anchor]) } else { DVec3::ZERO };
        }
    }
    ratios
}

/// What masses that move by small turns of the joints, each turning all below it, push back about the joints.
fn torques(plan: &SpringPlan, turns: &[DVec3]) -> Vec<DVec3> {
    // Down: how far starts and ends move, and how far frames turn in all.
    let (mut turned, mut moved) = (vec![DVec3::ZERO; turns.len()], vec![DVec3::ZERO; turns.len()]);
    let mut ends = vec![DVec3::ZERO; plan.parts.len()];
    for (place, frame) in plan.frames.iter().enumerate() {
        if let Some(hang) = frame.above {
            let aside = frame.shaped_start - plan.frames[hang.frame].shaped_start;
            turned[place] = turned[hang.frame];
            moved[place] = hang.part.map_or(moved[hang.frame] + turned[place].cross(aside), |part| ends[part]);
        }
        turned[place] += turns[place];
        for part in frame.parts.clone() {
            ends[part] = moved[place] + turned[place].cross(plan.parts[part].shaped - frame.shaped_start);
        }
    }
    // Up: forces and torques of all that hangs on each frame, about its joint.
    let (mut forces, mut torques) = (vec![DVec3::ZERO; turns.len()], vec![DVec3::ZERO; turns.len()]);
    for (place, frame) in plan.frames.iter().enumerate().rev() {
        for part in frame.parts.clone() {
            let force = ends[part] * plan.parts[part].mass;
            forces[place] += force;
            torques[place] += (plan.parts[part].shaped - frame.shaped_start).cross(force);
        }
        if let Some(hang) = frame.above {
            let aside = frame.shaped_start - plan.frames[hang.frame].shaped_start;
            let (force, torque) = (forces[place], torques[place] + aside.cross(forces[place]));
            forces[hang.frame] += force;
            torques[hang.frame] += torque;
        }
    }
    torques
}
