//! One step of each method: the change that brings the rows `e = J y` nearer, through the smaller of
//! the systems `J Jᵀ` and `Jᵀ J`.
//!
//! Sources: Wolovich & Elliott 1984 (transpose); Nakamura & Hanafusa 1986, Wampler 1986 (damped least
//! squares); Buss & Kim, *Selectively Damped Least Squares for Inverse Kinematics* (2005); Sugihara,
//! *Solvability-Unconcerned Inverse Kinematics by the Levenberg–Marquardt Method* (2011).

use super::level::{Level, Scratch, add, dot};
use super::newton::newton;
use super::selective::selectively;
use crate::linear::ldl;
use crate::math::ops;

/// How steps are made from the Jacobian.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Method {
    /// `y = α Jᵀe` with the best `α` for the linearised error. Cheap a step, many steps.
    Transpose,
    /// `y = Jᵀ(J Jᵀ + damping²)⁻¹ e` with a fixed damping (lengths of the chain, or radians).
    DampedLeastSquares {
        /// 0.05 to 0.3 is usual; less converges sooner and shakes near singularities.
        damping: f64,
    },
    /// Every singular direction damped on its own, by how far it would move other points (SDLS).
    SelectivelyDamped,
    /// Damped by half the square of the error and a little more: quick at the goal, calm far from it
    /// (the default).
    #[default]
    LevenbergMarquardt,
    /// The same, and each step is taken, as long as it is worth: none is tried again, no other way is looked for, and what was done is taken
    /// back only where all of it led away. Within limits each is the exact least squares of one level. So from one pose nearby targets have
    /// nearby answers, also out of reach and in few [`iterations`](super::Jacobian::iterations). It is for goals near the pose given: far
    /// ones it misses where the default finds a way. The default begins with such steps to several goals nearby, and goes by them where it
    /// misses several.
    Continuous,
}

/// Damping squared that is left where errors are small, and the most of it as a share of the error: at the end of its reach a goal
/// moves by the square of a bend alone, so that the square of a column is about as much as what is left.
const BIAS: f64 = 1e-10;
const SHARE: f64 = 1e-4;
/// Square of an error (lengths of the chain, or radians) beyond which damping grows no more: columns of a
/// length calm nothing better, and joints that travel must get there.
const FAR: f64 = 1.0;
/// Price of a freedom in a step of one level.
const FREEDOM: usize = 25;

impl Method {
    /// Adds the step to `step`; `extra_damping` is 1 for the method as it is, more after steps that did not help.
    pub(super) fn step(self, level: &Level<'_>, extra_damping: f64, scratch: &mut Scratch, step: &mut [f64]) {
        let square: f64 = level.error.iter().map(|e| e * e).sum();
        if !(square > 0.0 && square.is_finite()) {
            return;
        }
        match self {
            Self::Transpose => transpose(level, extra_damping, scratch, step),
            Self::SelectivelyDamped => selectively(level, extra_damping, scratch, step),
            Self::DampedLeastSquares { .. } | Self::LevenbergMarquardt | Self::Continuous => {
                let damping = self.damping(level.square, extra_damping).unwrap_or(BIAS);
                match level.curvature {
                    Some(curvature) => newton(level, curvature, damping + level.calm, scratch, step),
                    None => least_squares(level, damping, scratch, step),
                }
            }
        }
    }

    /// The damping squared of a method that has one, from the square of the error.
    pub(super) fn damping(self, square: f64, extra_damping: f64) -> Option<f64> {
        match self {
            Self::Transpose | Self::SelectivelyDamped => None,
            Self::DampedLeastSquares { damping } => Some((damping * damping).max(BIAS) * extra_damping),
            Self::LevenbergMarquardt | Self::Continuous => {
                Some(0.5 * square.min(FAR) * extra_damping + BIAS.min(SHARE * ops::sqrt(square)))
            }
        }
    }
}

/// Steepest descent, as far as the linearised error falls.
fn transpose(level: &Level<'_>, extra_damping: f64, scratch: &mut Scratch, step: &mut [f64]) {
    scratch.budget.spend(2 * level.columns.len());
    let moved = &mut scratch.vector;
    moved.clear();
    moved.resize(level.height, 0.0);
    for column in level.columns.chunks_exact(level.height) {
        let gradient = dot(column, level.error);
        add(moved, column, gradient);
    }
    let square = dot(moved, moved);
    if square > 0.0 {
        // Along a gradient that is rounding alone the error hardly falls, and the best length has no bound.
        let length = (dot(level.error, moved) / (square * extra_damping)).min(1.0 / (BIAS * extra_damping));
        for (entry, column) in step.iter_mut().zip(level.columns.chunks_exact(level.height)) {
            *entry += dot(column, level.error) * length;
        }
    }
}

/// `Jᵀ(J Jᵀ + λ²)⁻¹ e = (Jᵀ J + λ²)⁻¹ Jᵀ e`, whichever is smaller.
pub(super) fn least_squares(level: &Level<'_>, damping: f64, scratch: &mut Scratch, step: &mut [f64]) {
    let column = |place: u32| &level.columns[place as usize * level.height..][..level.height];
    let Scratch { gram, vector, free, budget, .. } = scratch;
    free.clear();
    free.extend((0..step.len() as u32).filter(|&place| column(place).iter().any(|&x| x != 0.0)));
    let size = level.height.min(free.len());
    budget.spend(level.height * size * free.len() / 2 + FREEDOM * free.len() + ldl::price(size));
    gram.clear();
    gram.resize(size * size, 0.0);
    vector.clear();
    if free.len() < level.height {
        for (i, &row) in free.iter().enumerate() {
            for (j, &other) in free[..=i].iter().enumerate() {
                gram[i * size + j] = dot(column(row), column(other));
            }
        }
        vector.extend(free.iter().map(|&place| dot(column(place), level.error)));
    } else {
        for &place in &*free {
            let column = column(place);
            for (i, &x) in column.iter().enumerate().filter(|&(_, &x)| x != 0.0) {
                add(&mut gram[i * size..=i * size + i], &column[..=i], x);
            }
        }
        vector.extend_from_slice(level.error);
    }
    for i in 0..size {
        gram[i * size + i] += damping;
    }
    if !ldl::factor(gram, size) {
        return;
    }
    ldl::solve(gram, size, vector);
    for (i, &place) in free.iter().enumerate() {
        step[place as usize] += if free.len() < level.height { vector[i] } else { dot(column(place), vector) };
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::solve::jacobian::basis::{outside, protect};
    use crate::solve::jacobian::selective::LARGEST;

    /// Two rows of three freedoms, column after column.
    const COLUMNS: [f64; 6] = [1.0, 0.2, -0.3, 0.8, 0.5, 0.5];
    const ERROR: [f64; 2] = [0.01, -0.02];

    fn step_of(method: Method, columns: &[f64], height: usize, error: &[f64]) -> Vec<f64> {
        let mut step = std::vec![0.0; columns.len() / height];
        let owner = std::vec![0; height];
        let (bound, fixed) = (step.clone(), std::vec![false; step.len()]);
        let level = Level {
            columns,
            height,
            error,
            square: dot(error, error),
            calm: 0.0,
            asked: error,
            owner: &owner,
            curvature: None,
            drawn: None,
            bound: &bound,
            fixed: &fixed,
        };
        method.step(&level, 1.0, &mut Scratch::default(), &mut step);
        step
    }

    fn moved(columns: &[f64], height: usize, step: &[f64]) -> Vec<f64> {
        let mut rows = std::vec![0.0; height];
        columns.chunks(height).zip(step).for_each(|(column, &y)| add(&mut rows, column, y));
        rows
    }

    #[test]
    fn small_errors_are_met_by_all_but_the_transpose() {
        let methods =
            [Method::LevenbergMarquardt, Method::SelectivelyDamped, Method::DampedLeastSquares { damping: 1e-6 }];
        for method in methods {
            let left = moved(&COLUMNS, 2, &step_of(method, &COLUMNS, 2, &ERROR));
            assert!((left[0] - 0.01).abs() < 1e-5 && (left[1] + 0.02).abs() < 1e-5, "{method:?}: {left:?}");
        }
        // The transpose goes as far along the gradient as the error falls.
        let step = step_of(Method::Transpose, &COLUMNS, 2, &ERROR);
        let rows = moved(&COLUMNS, 2, &step);
        let left = [ERROR[0] - rows[0], ERROR[1] - rows[1]];
        assert!(dot(&left, &rows).abs() < 1e-18, "{left:?} {rows:?}");
    }

    #[test]
    fn the_transpose_goes_no_way_along_rounding() {
        // What the rows of an earlier level have left of a column.
        let step = step_of(Method::Transpose, &[1e-17, -3e-17, 2e-17, 0.0], 2, &[1.0, 10.0]);
        assert!(step.iter().all(|y| y.abs() < 1e-5), "{step:?}");
    }

    #[test]
    fn both_systems_give_the_same_step() {
        // Three rows of two freedoms: the other way round.
        let tall = [1.0, 0.2, -0.3, 0.8, 0.5, 0.5];
        let method = Method::DampedLeastSquares { damping: 0.3 };
        let step = step_of(method, &tall, 3, &[0.1, 0.2, -0.1]);
        // Normal equations (JᵀJ + λ²) y = Jᵀe by hand.
        let [a, b, c] = [1.0 + 0.04 + 0.09 + 0.09, 0.8 + 0.1 - 0.15, 0.64 + 0.25 + 0.25 + 0.09];
        let [p, q] = [0.1 + 0.04 + 0.03, 0.08 + 0.1 - 0.05];
        let det = a * c - b * b;
        assert!((step[0] - (c * p - b * q) / det).abs() < 1e-15 && (step[1] - (a * q - b * p) / det).abs() < 1e-15);
    }

    #[test]
    fn selective_damping_turns_no_freedom_far() {
        // Nearly singular: a pseudo-inverse would turn by a thousand radians.
        let step = step_of(Method::SelectivelyDamped, &[1.0, 0.0, 1.0, 1e-4], 2, &[0.0, 0.1]);
        assert!(step.iter().all(|y| y.abs() <= LARGEST), "{step:?}");
    }

    #[test]
    fn what_is_protected_does_not_move() {
        let (mut basis, mut scratch) = (Vec::new(), Scratch::default());
        let (bound, fixed) = ([0.0; 3], [false; 3]);
        let level = Level {
            columns: &COLUMNS,
            height: 2,
            error: &ERROR,
            square: dot(&ERROR, &ERROR),
            calm: 0.0,
            asked: &ERROR,
            owner: &[0, 0],
            curvature: None,
            drawn: None,
            bound: &bound,
            fixed: &fixed,
        };
        protect(&level, 3, &mut scratch.turned, &mut basis);
        assert_eq!(basis.len(), 6);
        let mut posture_step = [0.3, -0.7, 0.2];
        outside(&basis, &mut posture_step);
        assert!(
            moved(&COLUMNS, 2, &posture_step).iter().all(|x| x.abs() < 1e-15)
                && dot(&posture_step, &posture_step) > 1e-3
        );
    }
}
