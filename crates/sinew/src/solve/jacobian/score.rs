//! How good a pose is: what is left of each level, and how far the posture is from the one wanted.

use alloc::vec::Vec;

use super::plan::Plan;
use super::system::System;
use crate::math::ops;
use crate::solve::seen::make_room;

/// Share of what is left of the first level that a pass must gain to be kept: less is taken back, so that solving again moves
/// nothing.
const WORTH: f64 = 1e-4;
/// The same of those below, and where all else was met before the first pass.
pub(super) const LOWER: f64 = 1e-2;
pub(super) const LEANS: f64 = 0.125;
/// Share within which levels count as even.
const EVEN: f64 = 1e-7;

/// What is left in a pose.
#[derive(Clone, Debug, Default)]
pub(super) struct Score {
    levels: Vec<LevelLeft>,
    /// Square of the way to the posture wanted.
    posture: f64,
}

#[derive(Clone, Copy, Debug)]
struct LevelLeft {
    /// Sum of the squares of the weighted errors.
    square: f64,
    met: bool,
    /// Whether what is left is so little that no step is worth its price.
    fine: bool,
    /// Whether it only leans an up, which may stay unmet.
    yields: bool,
}

impl LevelLeft {
    fn is_met(&self, near: f64) -> bool {
        self.fine || self.square <= near * near
    }
}

impl Score {
    /// Adds up the errors that the system has measured.
    pub(super) fn add_up(&mut self, plan: &Plan, system: &System) {
        self.levels.clear();
        for rows in &plan.levels {
            let mut left = LevelLeft { square: 0.0, met: true, fine: true, yields: true };
            for block in plan.blocks.iter().filter(|block| rows.contains(&block.rows.start)) {
                let square: f64 = system.error[block.rows.clone()].iter().map(|e| e * e).sum();
                left.square += square;
                left.met &= square <= block.tolerance * block.tolerance;
                left.fine &= square <= block.fine * block.fine;
                left.yields &= block.yields();
            }
            self.levels.push(left);
        }
        self.posture =
            system.posture_step.as_ref().map_or(0.0, |posture_step| posture_step.iter().map(|y| y * y).sum());
    }

    /// Grows the memory at once.
    pub(super) fn fit(&mut self, plan: &Plan) {
        make_room(&mut self.levels, plan.levels.len());
    }

    pub(super) fn copy(&mut self, other: &Self) {
        self.levels.clone_from(&other.levels);
        self.posture = other.posture;
    }

    /// Whether every level is met.
    pub(super) fn is_met(&self) -> bool {
        self.levels.iter().all(|level| level.met)
    }

    /// Whether every level is met, and so finely that no step is worth its price.
    pub(super) fn is_fine(&self) -> bool {
        self.levels.iter().all(|level| level.fine)
    }

    /// Whether every level is met that must be.
    pub(super) fn is_enough(&self) -> bool {
        self.levels.iter().all(|level| level.met || level.yields)
    }

    pub(super) fn first_square(&self) -> f64 {
        self.levels.first().map_or(0.0, |level| level.square)
    }

    /// The least error of a level that is not finely met; of the posture where all are.
    pub(super) fn least_unmet(&self) -> f64 {
        let unmet = self.levels.iter().filter(|level| !level.fine).map(|level| level.square);
        ops::sqrt(unmet.reduce(f64::min).unwrap_or(self.posture))
    }

    pub(super) fn is_finite(&self) -> bool {
        self.levels.iter().all(|level| level.square.is_finite())
    }

    /// How many levels, from the first, are met finely, or left with an error below `near`.
    pub(super) fn near_levels(&self, near: f64) -> usize {
        self.levels.iter().take_while(|level| level.is_met(near)).count()
    }

    /// Whether this is nearer than `other` by a share of what is left, level by level; errors below `near`
    /// count as met.
    pub(super) fn beats(&self, other: &Self, share: f64, near: f64) -> bool {
        self.beats_by(other, (share, share), |level| level.is_met(near))
    }

    /// The same with a share for the first level and one for all that is below, and what counts as met.
    fn beats_by(&self, other: &Self, (first, lower): (f64, f64), is_met: impl Fn(&LevelLeft) -> bool) -> bool {
        for (rank, (own, beaten)) in self.levels.iter().zip(&other.levels).enumerate() {
            let share = if rank == 0 { first } else { lower };
            let met = (is_met(own), is_met(beaten));
            if met.0 && met.1 {
                continue;
            }
            if met.0 || met.1 {
                return met.0;
            }
            // Squares: twice the share. What is gained by rounding is worth no loss below.
            if own.square < beaten.square * (1.0 - 2.0 * share) {
                return own.square < beaten.square * (1.0 - EVEN) || !self.loses_below(other, rank);
            }
            if own.square > beaten.square * (1.0 + EVEN) {
                return false;
            }
        }
        self.posture < other.posture * (1.0 - 2.0 * lower) - lower * 1e-12
    }

    /// Whether the first level below `rank` that is not even with the other's is worse.
    fn loses_below(&self, other: &Self, rank: usize) -> bool {
        let mut below = self.levels.iter().zip(&other.levels).skip(rank + 1);
        let apart = below.find(|(own, other)| (own.square - other.square).abs() > EVEN * other.square);
        apart.is_some_and(|(own, other)| own.square > other.square)
    }

    /// Whether a pass that ended so is kept: not for digits of what is met. Of levels below the first it must gain a share of `lower`.
    pub(super) fn is_worth(&self, other: &Self, lower: f64) -> bool {
        self.beats_by(other, (WORTH, lower), |level| level.met)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_what_is_met_are_worth_no_pass() {
        let level = |square: f64, met: bool, yields: bool| LevelLeft { square, met, fine: square < 1e-20, yields };
        // A goal that is met, but not finely, beside an up that stays unmet.
        let of = |square: f64, up: f64| Score {
            levels: std::vec![level(square, square < 1e-12, false), level(up, false, true)],
            posture: 0.0,
        };
        let given = of(4e-14, 1.8);
        assert!(!of(3e-14, 1.8).is_worth(&given, LOWER));
        assert!(of(5e-14, 1.7).is_worth(&given, LOWER));
        assert!(!of(2e-12, 1.7).is_worth(&given, LOWER));
        // A pose that was solved before stands.
        assert!(!of(4e-14, 1.6).is_worth(&given, LEANS) && of(4e-14, 1.3).is_worth(&given, LEANS));
        assert!(given.is_worth(&of(2e-12, 1.7), LOWER));
    }
}
