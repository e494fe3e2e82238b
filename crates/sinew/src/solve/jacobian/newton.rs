//! Steps with the second derivative of half the errors' square, and whether it shows a minimum.

use super::method::{Level, Scratch, dot, least_squares};
use super::system::{System, column};
use crate::linear::ldl;

/// Growth of the damping where the curvature leaves the matrix indefinite, and how often it is tried.
const STIFFER: f64 = 4.0;
const TRIES: u32 = 4;
/// Share of the errors' square that a second derivative may be negative by. A straight chain whose target lies on its line has
/// one of about the error's size.
const FLAT: f64 = 1e-2;

/// `(C + λ²)⁻¹ Jᵀ e` with the second derivative `C` and as much damping as makes the matrix definite, and
/// not only just.
pub(super) fn newton(level: &Level<'_>, curvature: &[f64], first: f64, scratch: &mut Scratch, step: &mut [f64]) {
    let width = step.len();
    let moves = |place: u32| level.columns[place as usize * level.height..][..level.height].iter().any(|&x| x != 0.0);
    let counts = |place: u32| level.drawn.is_some() || moves(place);
    scratch.free.clear();
    scratch.free.extend((0..width as u32).rev().filter(|&place| !level.fixed[place as usize] && counts(place)));
    let mut damping = first;
    if !scratch.factor(curvature, width, damping) {
        let definite = (0..TRIES).any(|_| {
            damping *= STIFFER;
            scratch.factor(curvature, width, damping)
        });
        if !(definite && scratch.factor(curvature, width, damping * 2.0)) {
            least_squares(level, first, scratch, step);
            return;
        }
    }
    scratch.solve(|place| {
        let column = &level.columns[place * level.height..][..level.height];
        let bent = &curvature[place * width..][..width];
        let bound = bent.iter().zip(level.bound).zip(level.fixed).filter(|&(_, &fixed)| fixed);
        let drawn = level.drawn.map_or(0.0, |to| to[place] * first);
        dot(column, level.asked) + drawn - bound.map(|((c, y), _)| c * y).sum::<f64>()
    });
    scratch.free.iter().zip(&scratch.vector).for_each(|(&place, y)| step[place as usize] += y);
}

impl Scratch {
    /// Factorises `C + λ²` of what is free, which is listed from the tips up: limbs then fill nothing of one another.
    fn factor(&mut self, curvature: &[f64], width: usize, damping: f64) -> bool {
        let Self { gram, free, budget, .. } = self;
        let size = free.len();
        budget.spend(size * size + ldl::price(size));
        gram.clear();
        gram.resize(size * size, 0.0);
        for (i, &row) in free.iter().enumerate() {
            for (j, &other) in free[..=i].iter().enumerate() {
                gram[i * size + j] = curvature[row as usize * width + other as usize];
            }
            gram[i * size + i] += damping;
        }
        ldl::factor(gram, size)
    }

    /// Solves with the factors, into `vector`, for a right-hand side by freedom.
    fn solve(&mut self, asked: impl Fn(usize) -> f64) {
        let Self { gram, free, vector, .. } = self;
        vector.clear();
        vector.extend(free.iter().map(|&place| asked(place as usize)));
        ldl::solve(gram, free.len(), vector);
    }
}

impl System {
    /// Whether the second derivative by what is free is nowhere negative, but for what the errors left make of a pose that is
    /// nearly at rest; where something is fixed, only if that may be.
    pub(super) fn is_convex(&mut self, may_be_fixed: bool) -> bool {
        (may_be_fixed || !self.fixed.contains(&true)) && self.is_curved_up()
    }

    /// Whether the pose is at a minimum by what is free: the second derivative is nowhere negative, as [`is_convex`](Self::is_convex)
    /// has it, and a step, which is written, would gain less than this share of the square of the errors.
    pub(super) fn is_at_rest(&mut self, share: f64) -> bool {
        if !self.is_curved_up() {
            return false;
        }
        let square = self.square();
        let Self { scratch, matrix, height, error, step, .. } = self;
        let slope = |place: usize| dot(column(matrix, *height, place), error);
        scratch.solve(slope);
        step.fill(0.0);
        scratch.free.iter().zip(&scratch.vector).for_each(|(&place, y)| step[place as usize] = *y);
        let gain: f64 = scratch.free.iter().map(|&place| slope(place as usize) * step[place as usize]).sum();
        gain < share * square
    }

    /// Factorises the second derivative by what is free; whether it is definite, but for so little.
    fn is_curved_up(&mut self) -> bool {
        let flat = FLAT * self.square();
        let Self { curvature: Some(curvature), fixed, scratch, .. } = self else { return false };
        scratch.free.clear();
        scratch.free.extend((0..fixed.len() as u32).rev().filter(|&place| !fixed[place as usize]));
        scratch.factor(curvature, fixed.len(), flat)
    }
}
