//! Selectively damped least squares: every singular direction damped on its own.
//!
//! Source: Buss & Kim, *Selectively Damped Least Squares for Inverse Kinematics* (2005).

use super::level::{Level, Scratch, add, dot};
use crate::linear::orthogonal;
use crate::math::ops;

/// Largest turn of one freedom in a selectively damped step (radians): π/4, as published.
pub(super) const LARGEST: f64 = core::f64::consts::FRAC_PI_4;
/// Share of the largest singular value below which a direction counts as lost.
const TRUNCATED: f64 = 1e-8;
/// Price of a pair of rows beside its numbers, and of each number of what a direction moves.
const PAIR: usize = 40;
const MOVED: usize = 2;

/// Each singular direction as far as it moves no point much farther than it brings the goals nearer.
pub(super) fn selectively(level: &Level<'_>, extra_damping: f64, scratch: &mut Scratch, step: &mut [f64]) {
    let (height, columns) = (level.height, step.len());
    let width = columns + height + 1;
    let turned = &mut scratch.turned;
    turned.clear();
    turned.resize(height * width, 0.0);
    for (row, entries) in turned.chunks_exact_mut(width).enumerate() {
        for (entry, column) in entries.iter_mut().zip(level.columns.chunks_exact(height)) {
            *entry = column[row];
        }
        entries[columns + row] = 1.0;
        entries[width - 1] = level.error[row];
    }
    let sweeps = orthogonal::orthogonalize(turned, width, columns);
    scratch.budget.spend(height * height * (sweeps * (PAIR + width) / 2 + MOVED * columns));
    let change = &mut scratch.vector;
    change.clear();
    change.resize(columns, 0.0);
    let largest = LARGEST / extra_damping;
    for row in turned.chunks_exact(width) {
        let value = ops::sqrt(dot(&row[..columns], &row[..columns]));
        if value > TRUNCATED {
            let left = &row[columns..columns + height];
            let wanted = lengths(left, level.owner);
            let moved: f64 = (0..columns)
                .map(|place| {
                    (row[place] / value).abs() * lengths(&level.columns[place * height..][..height], level.owner)
                })
                .sum();
            let bound = (wanted * value / moved).min(1.0) * largest;
            let scale = row[width - 1] / (value * value);
            let most = row[..columns].iter().map(|x| (x * scale).abs()).fold(0.0, f64::max);
            add(change, &row[..columns], if most > bound { scale * bound / most } else { scale });
        }
    }
    let most = change.iter().map(|x| x.abs()).fold(0.0, f64::max);
    add(step, change, if most > largest { largest / most } else { 1.0 });
}

/// Sum of the lengths of the blocks of a vector.
fn lengths(vector: &[f64], owner: &[u32]) -> f64 {
    let (mut sum, mut square) = (0.0, 0.0);
    for (i, x) in vector.iter().enumerate() {
        square += x * x;
        if owner.get(i + 1) != Some(&owner[i]) {
            sum += ops::sqrt(square);
            square = 0.0;
        }
    }
    sum
}
