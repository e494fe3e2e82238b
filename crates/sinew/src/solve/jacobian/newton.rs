//! Steps with the second derivative of half the errors' square.

use super::level::{Level, Scratch, dot};
use super::method::least_squares;
use crate::linear::ldl;

/// Growth of the damping where the curvature leaves the matrix indefinite, and how often it is tried.
const STIFFER: f64 = 4.0;
const TRIES: u32 = 4;

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
    pub(super) fn factor(&mut self, curvature: &[f64], width: usize, damping: f64) -> bool {
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
    pub(super) fn solve(&mut self, asked: impl Fn(usize) -> f64) {
        let Self { gram, free, vector, .. } = self;
        vector.clear();
        vector.extend(free.iter().map(|&place| asked(place as usize)));
        ldl::solve(gram, free.len(), vector);
    }
}
