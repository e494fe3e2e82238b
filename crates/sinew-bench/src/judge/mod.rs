//! What answers are worth, whoever gave them: the one judge of all measurements here. Of a pose only local transforms are
//! believed: places come from a forward kinematics of its own, limits are looked at joint by joint. Of points the lengths of bones
//! count. For a verdict that does not share a line with the solvers there are the checkers beside the problem files.

pub mod arm;
pub mod bodies;
pub mod humanoid;
pub mod limbs;
mod points;
mod pose;

pub use points::Bone;
pub(crate) use pose::miss;

/// Turns and lengths (radians, model units) that are rounding.
pub const ROUNDING: f64 = 1e-9;

/// What an answer is worth. NaN is infinitely far off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The largest distance of a goal's joint from its place (model units).
    pub miss: f64,
    /// The largest turn of a goal's joint from its rotation (radians).
    pub turn: f64,
    /// How far a joint is outside its limit at most (radians; model units of a slide).
    pub beyond: f64,
    /// The largest error of a bone: how far a joint has left its place in its parent (model units, and what a scale has changed by),
    /// or of points an error of a length over the [bone's unit](Bone::unit).
    pub stretch: f64,
}

impl Verdict {
    /// Of an answer that is none.
    pub const NONE: Self =
        Self { miss: f64::INFINITY, turn: f64::INFINITY, beyond: f64::INFINITY, stretch: f64::INFINITY };

    /// Whether goals are met to so many model units and radians, joints at most `beyond` outside their limits, and bones as they were.
    pub fn is_met(&self, [miss, turn]: [f64; 2], beyond: f64) -> bool {
        self.miss <= miss && self.turn <= turn && self.beyond <= beyond && self.stretch <= ROUNDING
    }
}

/// Whether a joint pops that turns so far in a frame, where what it follows moves so far about what it is reached from (radians).
pub fn pops(turn: f64, told: f64) -> bool {
    const LEAST: f64 = 0.05;
    const FACTOR: f64 = 8.0;
    turn > LEAST.max(FACTOR * told)
}

/// The larger of two; infinity where the second is NaN.
fn worse(worst: f64, one: f64) -> f64 {
    if one.is_nan() { f64::INFINITY } else { worst.max(one) }
}
