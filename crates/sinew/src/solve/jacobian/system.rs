//! The linearised problem: rows by level, columns by freedom, and the step that serves every level in
//! what is left free by those before it.
//!
//! A freedom that a limit blocks leaves the system with the change it can still make; the others are
//! solved again without it. A level is protected from those below by what its rows span,
//! undamped: a damped inverse would leak.
//!
//! Sources: Siciliano & Slotine 1991 (levels); Baerlocher & Boulic 2004 (levels within limits).

use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec3;

use super::basis::{outside, protect};
use super::gram::{Gram, Matrix};
use super::held::Held;
use super::level::{Level, Scratch, add, column, dot};
use super::method::Method;
use super::mover::MoverKind;
use super::plan::Plan;
use super::within::Within;
use crate::solve::budget::Budget;
use crate::solve::seen::make_room;

/// Price of protecting a level: of each number of its rows, by their count.
const PROTECT: usize = 3;

/// Rows, columns and the step.
#[derive(Debug, Default)]
pub(super) struct System {
    pub(super) height: usize,
    /// Column after column.
    pub(super) matrix: Vec<f64>,
    pub(super) error: Vec<f64>,
    pub(super) step: Vec<f64>,
    /// Freedoms that have left the system with the step they have.
    pub(super) fixed: Vec<bool>,
    /// The step that the posture wants, where there is one.
    pub(super) posture_step: Option<Vec<f64>>,
    /// Whether the step's damping draws to the posture instead of to rest: then one level needs no basis.
    pub(super) leans: bool,
    /// Whether a step within limits is solved to its end, whatever the method.
    pub(super) evenly: bool,
    /// Largest turn of a freedom in one step (radians).
    pub(super) longest: f64,
    /// Damping squared of a step with the curvature, beyond the method's.
    pub(super) calm: f64,
    /// Share of the errors that the step asks for.
    pub(super) ask: f64,
    /// Largest turn of a freedom in the step made (radians).
    pub(super) most: f64,
    /// Share of their steps that levels take, but for the first so many, which take all.
    pub(super) ease: f64,
    pub(super) firm: usize,
    /// The second derivative of half the error's square, where steps count with it.
    pub(super) curvature: Option<Vec<f64>>,
    /// Limited balls, in the movers' order.
    pub(super) held: Vec<Held>,
    /// By freedom: whether it has come back once in this step.
    pub(super) back: Vec<bool>,
    /// By freedom: what presses a fixed one on, beyond its step.
    pub(super) pressed: Vec<f64>,
    pub(super) owner: Vec<u32>,
    /// The errors that the step is to take away.
    asked: Vec<f64>,
    left: Vec<f64>,
    part: Vec<f64>,
    /// By row of a level: what of it lies along a protected direction.
    shares: Vec<f64>,
    basis: Vec<f64>,
    /// The matrix row after row.
    pub(super) rows: Vec<f64>,
    change: Vec<f64>,
    pub(super) buffer: Vec<f64>,
    pub(super) masses: Vec<(f64, DVec3)>,
    pub(super) bends: Vec<(DVec3, DVec3)>,
    pub(super) scratch: Scratch,
    pub(super) gram: Gram,
    pub(super) within: Within,
    /// By freedom: the rows that its column reaches.
    pub(super) spans: Vec<Range<usize>>,
}

impl System {
    /// Grows the buffers at once, so that a later solve that needs more of them does not allocate.
    pub(super) fn fit(&mut self, plan: &Plan, method: Method) {
        let (rows, freedoms) = (plan.rows, plan.freedoms);
        let all = rows * freedoms;
        for buffer in [&mut self.matrix, &mut self.part, &mut self.basis, &mut self.rows] {
            make_room(buffer, all);
        }
        for buffer in [&mut self.shares, &mut self.error, &mut self.asked, &mut self.left, &mut self.buffer] {
            make_room(buffer, rows);
        }
        make_room(&mut self.change, rows.max(freedoms));
        make_room(&mut self.step, freedoms);
        make_room(&mut self.pressed, freedoms);
        make_room(&mut self.fixed, freedoms);
        make_room(&mut self.back, freedoms);
        make_room(&mut self.spans, freedoms);
        make_room(&mut self.held, plan.limited);
        make_room(&mut self.owner, rows);
        make_room(&mut self.bends, plan.motions.len());
        let size = if method == Method::LevenbergMarquardt { freedoms } else { rows.min(freedoms) };
        self.scratch.fit(rows, freedoms, size);
        self.gram.fit(rows, freedoms);
        if matches!(method, Method::LevenbergMarquardt | Method::Continuous) {
            self.within.fit(plan);
        }
    }

    /// Nothing is to move; every freedom is free again, but for those from `held` on.
    pub(super) fn release(&mut self, plan: &mut Plan, held: usize) {
        let freedoms = plan.freedoms;
        self.step.clear();
        self.step.resize(freedoms, 0.0);
        self.fixed.clear();
        self.fixed.resize(freedoms, false);
        self.gram.release();
        for mover in &mut plan.movers {
            if let MoverKind::Ball { axes, held: Some(own), .. } = &mut mover.kind {
                Held::release(*own, self, axes);
            }
        }
        self.fixed[held.min(freedoms)..].fill(true);
        self.back.clear();
        self.back.resize(freedoms, false);
        self.ask = 1.0;
    }

    /// The work that the solve may still do.
    pub(super) fn budget(&mut self) -> &mut Budget {
        &mut self.scratch.budget
    }

    /// Columns of these freedoms are about to change.
    pub(super) fn put_back(&mut self, places: Range<usize>) {
        let matrix = Matrix { entries: &self.matrix, height: self.height, spans: &self.spans };
        self.gram.put_back(matrix, places);
    }

    /// By how much a freedom's column brings the errors down.
    pub(super) fn slope(&self, place: usize) -> f64 {
        Matrix { entries: &self.matrix, height: self.height, spans: &self.spans }.dot(place, &self.error)
    }

    /// The square of the errors.
    pub(super) fn square(&self) -> f64 {
        dot(&self.error, &self.error)
    }

    /// Writes what presses on each freedom that is fixed, once the step is made: the gradient that is left.
    pub(super) fn press(&mut self, damping: f64) {
        self.scratch.budget.spend(self.price_of_product());
        self.left.clone_from(&self.asked);
        if self.curvature.is_none() {
            for (place, &y) in self.step.iter().enumerate().filter(|&(_, &y)| y != 0.0) {
                add(&mut self.left, column(&self.matrix, self.height, place), -y);
            }
        }
        self.pressed.clear();
        for (place, &fixed) in self.fixed.iter().enumerate() {
            if !fixed {
                self.pressed.push(0.0);
                continue;
            }
            let width = self.step.len();
            let bent = self.curvature.as_ref().map_or(0.0, |all| dot(&all[place * width..][..width], &self.step));
            let slope = dot(column(&self.matrix, self.height, place), &self.left);
            let drawn = self.posture_step.as_ref().filter(|_| self.leans).map_or(0.0, |to| to[place] * self.ask);
            self.pressed.push(slope - bent - damping * (self.step[place] - drawn));
        }
    }

    /// Solves for the step of what is free, level by level.
    pub(super) fn solve(&mut self, levels: &[Range<usize>], method: Method, extra_damping: f64) {
        self.asked.clear();
        self.asked.extend(self.error.iter().map(|e| e * self.ask));
        self.left.clone_from(&self.asked);
        self.basis.clear();
        for place in 0..self.step.len() {
            if self.fixed[place] {
                let step = self.step[place];
                add(&mut self.left, column(&self.matrix, self.height, place), -step);
            } else {
                self.step[place] = 0.0;
            }
        }
        if self.is_quick(levels) && self.solve_quickly(method, extra_damping) {
            return;
        }
        let draws = self.leans && self.curvature.is_some();
        for (rank, rows) in levels.iter().enumerate() {
            let more = rank + 1 < levels.len() || self.posture_step.is_some() && !draws;
            let ease = if rank < self.firm { 1.0 } else { self.ease };
            self.serve(rows, (method, extra_damping), ease, more);
        }
        if let Some(posture_step) = self.posture_step.as_ref().filter(|_| !draws) {
            self.change.clear();
            self.change.extend(posture_step.iter().zip(&self.fixed).map(|(&y, &fixed)| if fixed { 0.0 } else { y }));
            outside(&self.basis, &mut self.change);
            add(&mut self.step, &self.change, self.ease);
        }
    }

    /// Whether the rows' own matrix gives the whole step: of one level, by damping alone.
    pub(super) fn is_quick(&self, levels: &[Range<usize>]) -> bool {
        levels.len() == 1 && (self.posture_step.is_none() || self.leans) && self.curvature.is_none()
    }

    /// Solves one level through its rows' own matrix; `false` where that has none, or the method no damping.
    fn solve_quickly(&mut self, method: Method, extra_damping: f64) -> bool {
        let square = dot(&self.error, &self.error);
        let Some(damping) = method.damping(square, extra_damping) else { return false };
        if !square.is_finite() || square == 0.0 && !self.leans {
            return false;
        }
        let rows = Matrix { entries: &self.matrix, height: self.height, spans: &self.spans };
        let Some(posture_step) = self.posture_step.as_ref().filter(|_| self.leans) else {
            return self.gram.step(rows, &self.fixed, &self.left, damping, &mut self.step, &mut self.scratch.budget);
        };
        // |J y - e|² + damping |y - p|² is least where y - p is the damped step to what p leaves of e.
        self.change.clone_from(&self.left);
        for (place, &y) in posture_step.iter().enumerate().filter(|&(place, &y)| y != 0.0 && !self.fixed[place]) {
            add(&mut self.change, column(&self.matrix, self.height, place), -y * self.ask);
        }
        if !self.gram.step(rows, &self.fixed, &self.change, damping, &mut self.step, &mut self.scratch.budget) {
            return false;
        }
        for (place, &y) in posture_step.iter().enumerate().filter(|&(place, _)| !self.fixed[place]) {
            self.step[place] += y * self.ask;
        }
        true
    }

    /// Adds a level's step, and protects it where others come after.
    fn serve(&mut self, rows: &Range<usize>, (method, extra_damping): (Method, f64), ease: f64, more: bool) {
        let entries = rows.len() * self.step.len();
        let protecting = if more { PROTECT * entries * rows.len() } else { 0 };
        self.scratch.budget.spend(self.basis.len() * rows.len() + entries + protecting);
        self.project(rows);
        self.change.clear();
        self.change.resize(self.step.len(), 0.0);
        let level = Level {
            columns: &self.part,
            height: rows.len(),
            error: &self.left[rows.clone()],
            square: dot(&self.error[rows.clone()], &self.error[rows.clone()]),
            calm: self.calm,
            asked: &self.asked[rows.clone()],
            owner: &self.owner[rows.clone()],
            curvature: self.curvature.as_deref(),
            drawn: self.posture_step.as_deref().filter(|_| self.leans),
            bound: &self.step,
            fixed: &self.fixed,
        };
        method.step(&level, extra_damping, &mut self.scratch, &mut self.change);
        if more {
            protect(&level, self.step.len(), &mut self.scratch.turned, &mut self.basis);
        }
        self.change.iter_mut().for_each(|y| *y *= ease);
        add(&mut self.step, &self.change, 1.0);
        if more {
            for (place, &y) in self.change.iter().enumerate().filter(|&(_, &y)| y != 0.0) {
                add(&mut self.left, column(&self.matrix, self.height, place), -y);
            }
        }
    }

    /// Price of a product of the columns, and of the curvature where there is one, with a vector.
    fn price_of_product(&self) -> usize {
        (self.matrix.len() + self.curvature.as_ref().map_or(0, Vec::len)) / 3
    }

    /// By how much the step should shrink the square of the errors.
    pub(super) fn expected(&mut self) -> f64 {
        self.scratch.budget.spend(self.price_of_product());
        self.left.clone_from(&self.error);
        for (place, &y) in self.step.iter().enumerate().filter(|&(_, &y)| y != 0.0) {
            add(&mut self.left, column(&self.matrix, self.height, place), -y);
        }
        let Some(curvature) = &self.curvature else {
            return dot(&self.error, &self.error) - dot(&self.left, &self.left);
        };
        let rows = curvature.chunks_exact(self.step.len().max(1));
        let bent: f64 = rows.zip(&self.step).map(|(row, y)| dot(row, &self.step) * y).sum();
        2.0 * (dot(&self.error, &self.error) - dot(&self.error, &self.left)) - bent
    }

    /// The level's columns without what is fixed or protected.
    fn project(&mut self, rows: &Range<usize>) {
        self.part.clear();
        for place in 0..self.step.len() {
            if self.fixed[place] {
                self.part.resize(self.part.len() + rows.len(), 0.0);
            } else {
                self.part.extend_from_slice(&column(&self.matrix, self.height, place)[rows.clone()]);
            }
        }
        let (width, height) = (self.step.len(), rows.len());
        self.shares.clear();
        self.shares.resize(height, 0.0);
        for row in self.basis.chunks_exact(width.max(1)) {
            self.shares.fill(0.0);
            for (column, &x) in self.part.chunks_exact(height.max(1)).zip(row) {
                add(&mut self.shares, column, x);
            }
            for (column, &x) in self.part.chunks_exact_mut(height.max(1)).zip(row) {
                add(column, &self.shares, -x);
            }
        }
    }
}
