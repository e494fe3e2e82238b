//! A ball inside its limit: which of its walls hold it in the step, and the axes in which they do.

use glam::{DMat3, DVec3};

use super::level::{column, dot};
use super::mover::{along, turned};
use super::system::System;
use crate::math::arc;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::limited::{Turning, Wall, Walls};
use crate::transform::Transform;

/// Share of a wall's steepness below which it stands along others that hold already.
const ALONG: f64 = 1e-3;
/// Share of the gradient by which a wall must draw a ball to let it go.
const DRAWN: f64 = 1e-9;

/// A limited ball in the system.
#[derive(Clone, Debug)]
pub(super) struct Held {
    /// Its first freedom, and radians for one unit of the step.
    first: usize,
    scale: f64,
    joint: Joint,
    /// Once they are looked at.
    walls: Option<Walls>,
    active: [Option<Wall>; 3],
    /// Active walls in the order of the axes across them, and each one's share along each axis.
    order: [usize; 3],
    count: usize,
    shares: [[f64; 3]; 3],
    /// What their bend has added to the second derivative, along the parent's axes.
    bent: DMat3,
}

impl Held {
    pub(super) fn new(joint: Joint, first: usize, scale: f64) -> Self {
        Self {
            first,
            scale,
            joint,
            walls: None,
            active: [None; 3],
            order: [0; 3],
            count: 0,
            shares: [[0.0; 3]; 3],
            bent: DMat3::ZERO,
        }
    }

    /// Nothing holds it.
    pub(super) fn release(own: usize, system: &mut System, axes: &mut DMat3) {
        if system.held[own].count > 0 {
            system.held[own].active = [None; 3];
            Self::settle(own, system, axes);
        }
    }

    /// Adds the walls that this share of its step would pass; whether there are any.
    pub(super) fn block(
        own: usize,
        system: &mut System,
        (skeleton, local): (&Skeleton, &Transform),
        axes: &mut DMat3,
        share: f64,
    ) -> bool {
        let held = &mut system.held[own];
        if held.count == 3 {
            return false;
        }
        let turn = along(axes, &system.step[held.first..held.first + 3]) * (share * held.scale);
        if held.walls.is_none() {
            let wanted = turned(local, turn);
            if skeleton.nearest_allowed(held.joint, &wanted, 0.0).rotation == wanted.rotation {
                return false;
            }
            held.walls = Walls::around(&Turning::inside(skeleton, held.joint, local.rotation, 0.0));
        }
        let Some(walls) = &held.walls else { return false };
        let mut new = false;
        for (active, passed) in held.active.iter_mut().zip(walls.passed(turn)) {
            if let (None, Some(wall)) = (&active, passed) {
                *active = Some(wall);
                new = true;
            }
        }
        let before = held.count;
        if new {
            Self::settle(own, system, axes);
        }
        new && system.held[own].count > before
    }

    /// Lets go of the wall from which the gradient of the rest draws it farthest; whether there is one.
    pub(super) fn let_go(own: usize, system: &mut System, axes: &mut DMat3) -> bool {
        let held = &system.held[own];
        if held.count == 0 {
            return false;
        }
        let pressed = &system.pressed[held.first..held.first + 3];
        let size = pressed.iter().map(|x| x.abs()).fold(0.0, f64::max);
        let forces = held.forces([pressed[0], pressed[1], pressed[2]]);
        let drawn = |k: &usize| {
            let place = held.order[*k];
            let stays = system.back[held.first + place];
            held.active[place]
                .is_some_and(|wall| !wall.frozen && !stays && forces[*k] * held.shares[*k][*k] < -DRAWN * size)
        };
        let Some(k) = (0..held.count).filter(drawn).min_by(|a, b| forces[*a].total_cmp(&forces[*b])) else {
            return false;
        };
        let place = held.order[k];
        let first = held.first;
        system.back[first + place] = true;
        system.held[own].active[place] = None;
        Self::settle(own, system, axes);
        true
    }

    /// By how much each wall is pressed on, from what presses along the axes.
    fn forces(&self, pressed: [f64; 3]) -> [f64; 3] {
        let mut forces = [0.0; 3];
        for k in (0..self.count).rev() {
            let others: f64 = (k + 1..self.count).map(|l| forces[l] * self.shares[l][k]).sum();
            forces[k] = (pressed[k] - others) / self.shares[k][k];
        }
        forces
    }

    /// Brings axes, columns, bounds and bend to the walls that are active.
    fn settle(own: usize, system: &mut System, axes: &mut DMat3) {
        let first = system.held[own].first;
        system.put_back(first..first + 3);
        let (across, bounds) = system.held[own].stand();
        let count = system.held[own].count;
        let fresh = completed(axes, &across[..count]);
        recombine(system, first, axes, &fresh);
        *axes = fresh;
        system.fixed[first..first + 3].fill(false);
        system.fixed[first..first + count].fill(true);
        system.step[first..first + count].copy_from_slice(&bounds[..count]);
        Self::bend(own, system, axes);
    }

    /// Axes across the active walls, each square to those before, and how far the ball may go along them. Walls that stand
    /// along others are let go.
    fn stand(&mut self) -> ([DVec3; 3], [f64; 3]) {
        let (mut across, mut bounds) = ([DVec3::ZERO; 3], [0.0; 3]);
        self.count = 0;
        for place in 0..3 {
            let Some(wall) = self.active[place] else { continue };
            let (normal, k) = (wall.normal * self.scale, self.count);
            let mut rest = normal;
            for (share, axis) in self.shares[k].iter_mut().zip(&across[..k]) {
                *share = normal.dot(*axis);
                rest -= *axis * rest.dot(*axis);
            }
            let steep = arc::length(rest) > ALONG * arc::length(normal);
            let Some(axis) = arc::unit(rest).filter(|_| steep) else {
                self.active[place] = None;
                continue;
            };
            let known = dot(&self.shares[k][..k], &bounds[..k]);
            self.shares[k][k] = normal.dot(axis);
            (across[k], bounds[k]) = (axis, (wall.room - known) / self.shares[k][k]);
            (self.order[k], self.count) = (place, k + 1);
        }
        (across, bounds)
    }

    /// Adds to the second derivative that along its walls a ball is led back, against what presses it on them.
    fn bend(own: usize, system: &mut System, axes: &DMat3) {
        let held = &mut system.held[own];
        let Some(curvature) = &mut system.curvature else { return };
        let slope = |k: usize| dot(column(&system.matrix, system.height, held.first + k), &system.error);
        let forces = held.forces([slope(0), slope(1), slope(2)]);
        let walls = held.order[..held.count].iter().filter_map(|&place| held.active[place].as_ref());
        let size = held.scale * held.scale;
        let bent =
            walls.zip(forces).fold(DMat3::ZERO, |bent, (wall, force)| bent + wall.bent * (force.max(0.0) * size));
        let change = axes.transpose() * (bent - held.bent) * *axes;
        held.bent = bent;
        let width = system.step.len();
        for i in 0..3 {
            for j in 0..3 {
                curvature[(held.first + i) * width + held.first + j] += change.col(j)[i];
            }
        }
    }
}

/// Axes that begin with those given, right-handed; those that there are where they need not change.
fn completed(axes: &DMat3, across: &[DVec3]) -> DMat3 {
    match *across {
        [] => *axes,
        [first] => {
            let second = arc::any_perpendicular(first);
            DMat3::from_cols(first, second, first.cross(second))
        }
        [first, second] => DMat3::from_cols(first, second, first.cross(second)),
        [first, second, third, ..] => DMat3::from_cols(first, second, third),
    }
}

/// Writes a ball's three columns, and what the posture wants of it, for other axes.
fn recombine(system: &mut System, first: usize, from: &DMat3, to: &DMat3) {
    let change = from.transpose() * *to;
    let mixed = |old: [f64; 3]| change.transpose() * DVec3::from_array(old);
    let height = system.height;
    for row in 0..height {
        let at = |k: usize| (first + k) * height + row;
        let new = mixed([system.matrix[at(0)], system.matrix[at(1)], system.matrix[at(2)]]);
        (0..3).for_each(|k| system.matrix[at(k)] = new[k]);
    }
    recombine_curvature(system, first, &change);
    if let Some(posture_step) = &mut system.posture_step {
        let new = mixed([posture_step[first], posture_step[first + 1], posture_step[first + 2]]);
        posture_step[first..first + 3].copy_from_slice(&new.to_array());
    }
}

/// The same for the curvature: rows, then columns.
fn recombine_curvature(system: &mut System, first: usize, change: &DMat3) {
    let Some(curvature) = &mut system.curvature else { return };
    let width = system.step.len();
    for by_row in [true, false] {
        for other in 0..width {
            let at = |k: usize| if by_row { (first + k) * width + other } else { other * width + first + k };
            let old = DVec3::new(curvature[at(0)], curvature[at(1)], curvature[at(2)]);
            let new = change.transpose() * old;
            (0..3).for_each(|k| curvature[at(k)] = new[k]);
        }
    }
}
