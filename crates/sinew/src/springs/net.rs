//! The constraints that [`Springs`](super::Springs) and [`MassSpring`](crate::solve::MassSpring) share: points and
//! turns in space, what ties them, and all of it solved at once.
//!
//! A variable is a small displacement of a point or a small turn (rotation vector, model space). A constraint adds its
//! stiffness and its push; [`Net::solve`] then gives the displacements `(M + Σ Jᵀ K J) δ = f + Σ Jᵀ (λ + K r)`.
//! That is XPBD's system (Macklin, Müller & Chentanez 2016, eq. 18) written for the displacements and solved for all
//! constraints together, as Deul et al. (2018) do for rods: a long chain is as stiff as it is said to be, in whichever
//! order its constraints come.

use glam::{DMat3, DQuat, DVec3};

use crate::linear::blocks::Blocks;
use crate::math::arc;

/// What counts as rigid: so many times the mass that hangs on it. What is left of a rigid constraint is that share of
/// its load, and the multiplier carries it into the next round.
pub(crate) const RIGID: f64 = 1e7;

/// A system of points and turns being put together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Net {
    matrix: Blocks,
    /// Pushes and, after solving, displacements.
    steps: alloc::vec::Vec<DVec3>,
}

/// A point `end` that hangs on a body: `end = start + arm`, the arm turning with the body. Variables that are `None`
/// are given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attachment {
    pub(crate) end: Option<usize>,
    pub(crate) start: Option<usize>,
    pub(crate) turn: Option<usize>,
    /// From start to end in model space.
    pub(crate) arm: DVec3,
}

impl Net {
    /// Makes room for so many variables, of which the pairs given are tied.
    pub(crate) fn shape(&mut self, size: usize, pairs: &[(usize, usize)]) {
        self.matrix.shape(size, pairs);
        self.steps.clear();
        self.steps.resize(size, DVec3::ZERO);
    }

    /// Price of [`solve`](Self::solve), and of an [`answer`](Self::answer), in nanoseconds.
    pub(crate) fn prices(&self) -> (usize, usize) {
        (self.matrix.price(), self.matrix.price_of_answer())
    }

    /// Takes all constraints away.
    pub(crate) fn clear(&mut self) {
        self.matrix.clear();
        self.steps.fill(DVec3::ZERO);
    }

    /// Holds a variable with `stiffness` (a mass, for inertia) and pushes it.
    pub(crate) fn hold(&mut self, variable: usize, stiffness: DMat3, push: DVec3) {
        self.matrix.add(variable, stiffness);
        self.steps[variable] += push;
    }

    /// Holds the end of an attachment to its body.
    pub(crate) fn attach(&mut self, one: &Attachment, stiffness: DMat3, push: DVec3) {
        // δ(end - start - arm) = δend - δstart + arm × δturn.
        let cross = cross_matrix(one.arm);
        let turned = stiffness * cross;
        if let Some(end) = one.end {
            self.hold(end, stiffness, push);
            if let Some(start) = one.start {
                self.matrix.add_between(end, start, -stiffness);
            }
            if let Some(turn) = one.turn {
                self.matrix.add_between(end, turn, turned);
            }
        }
        if let Some(start) = one.start {
            self.hold(start, stiffness, -push);
            if let Some(turn) = one.turn {
                self.matrix.add_between(start, turn, -turned);
            }
        }
        if let Some(turn) = one.turn {
            self.hold(turn, cross.transpose() * turned, cross.transpose() * push);
        }
    }

    /// Holds variable `a` to `b` (or to where it is), each pushed by as much.
    pub(crate) fn tie(&mut self, a: usize, b: Option<usize>, stiffness: DMat3, push: DVec3) {
        self.hold(a, stiffness, push);
        if let Some(b) = b {
            self.hold(b, stiffness, -push);
            self.matrix.add_between(a, b, -stiffness);
        }
    }

    /// Holds a number that the variables change at the rates given (each variable once), and pushes it.
    pub(crate) fn row(&mut self, rates: &[(usize, DVec3)], stiffness: f64, push: f64) {
        for (place, &(a, rate)) in rates.iter().enumerate() {
            let stiff = rate * stiffness;
            let outer = |other: DVec3| DMat3::from_cols(stiff * other.x, stiff * other.y, stiff * other.z);
            self.hold(a, outer(rate), rate * push);
            for &(b, other) in &rates[place + 1..] {
                self.matrix.add_between(a, b, outer(other));
            }
        }
    }

    /// The stiffness that a torque, passed to turn `end` by `start`, has for turning both: turns do not commute.
    pub(crate) fn twist(&mut self, end: usize, start: usize, torque: DVec3) {
        self.matrix.add_between(start, end, cross_matrix(torque * -0.5));
    }

    /// Pushes a variable.
    pub(crate) fn push(&mut self, variable: usize, push: DVec3) {
        self.steps[variable] += push;
    }

    /// After [`solve`](Self::solve): what other pushes, one a variable, would move; in their place.
    pub(crate) fn answer(&self, pushes: &mut [DVec3]) {
        self.matrix.solve(pushes);
    }

    /// The displacements' sum, each by its rate.
    pub(crate) fn along(&self, rates: &[DVec3]) -> f64 {
        self.steps.iter().zip(rates).map(|(step, rate)| step.dot(*rate)).sum()
    }

    /// Adds so much of a displacement of all variables.
    pub(crate) fn add(&mut self, displacement: &[DVec3], share: f64) {
        self.steps.iter_mut().zip(displacement).for_each(|(step, &more)| *step += more * share);
    }

    /// Finds the displacements. `false` where there are none: no numbers, or a variable that nothing holds.
    #[must_use]
    pub(crate) fn solve(&mut self) -> bool {
        if !self.matrix.factor() {
            return false;
        }
        self.matrix.solve(&mut self.steps);
        self.steps.iter().all(|step| step.is_finite())
    }

    /// Displacement of a variable; none of one that is given.
    pub(crate) fn step(&self, variable: Option<usize>) -> DVec3 {
        variable.map_or(DVec3::ZERO, |variable| self.steps[variable])
    }

    /// By how much the solve moves an attachment's end against its body.
    pub(crate) fn step_of(&self, one: &Attachment) -> DVec3 {
        self.step(one.end) - self.step(one.start) + one.arm.cross(self.step(one.turn))
    }
}

/// Twice the sine of half the angle from `from` to `to`, along its axis (model space), the short way: what a bend
/// spring acts on. Its torque then is `sin` of the angle, that of a pendulum, and grows no more past a right angle.
pub(crate) fn bend_between(from: DQuat, to: DQuat) -> DVec3 {
    let turn = to * from.conjugate();
    DVec3::new(turn.x, turn.y, turn.z) * if turn.w < 0.0 { -2.0 } else { 2.0 }
}

/// `q` turned by a small rotation vector in model space.
pub(crate) fn turned(q: DQuat, step: DVec3) -> DQuat {
    let half = step * 0.5;
    arc::normalize(DQuat::from_xyzw(half.x, half.y, half.z, 1.0) * q)
}

/// Stiffness `along` a unit direction and `across` it.
pub(crate) fn stiffness_along(direction: DVec3, along: f64, across: f64) -> DMat3 {
    let d = direction * (along - across);
    DMat3::from_diagonal(DVec3::splat(across)) + DMat3::from_cols(d * direction.x, d * direction.y, d * direction.z)
}

/// The same stiffness in every direction.
pub(crate) fn stiffness(all: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(all))
}

/// The matrix of `v × `.
fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// A compliant constraint's part in one step of `h̃` seconds, `α̃ = α / h̃²` and `γ = c α / h̃` of XPBD as the stiffness
/// `1 / α̃` and damping `γ / α̃` that they are, so that neither nothing (0) nor everything (∞) is a special case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spring {
    stiff: f64,
    damped: f64,
}

impl Spring {
    /// `compliance` (1 / stiffness) and `damping` (force per speed), in a step of `h` seconds.
    pub(crate) fn new(compliance: f64, damping: f64, h: f64) -> Self {
        Self { stiff: h * h / compliance, damped: h * damping }
    }

    /// Stiffness in the system, `(1 + γ) / α̃`; never more than `most`.
    pub(crate) fn stiffness(&self, most: f64) -> f64 {
        let all = self.stiff + self.damped;
        if all < f64::INFINITY { all / (1.0 + all / most) } else { most }
    }

    /// XPBD's `(-C - α̃ λ - γ ΔC) / (1 + γ)`: what the step is to take away of the constraint's value `now`, which began
    /// the step at `before` and has pushed by `pushed` so far.
    pub(crate) fn wanted(&self, now: DVec3, before: DVec3, pushed: DVec3) -> DVec3 {
        let all = self.stiff + self.damped;
        if all == f64::INFINITY {
            return -now;
        }
        if all > 0.0 { -(now * self.stiff + pushed + (now - before) * self.damped) / all } else { DVec3::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_is_xpbd_s() {
        let (compliance, damping, h) = (0.03, 2.0, 0.01);
        let (now, before, pushed) = (DVec3::new(0.2, -0.1, 0.3), DVec3::new(0.1, 0.1, 0.2), DVec3::X * 0.004);
        let (soft, gamma) = (compliance / (h * h), damping * compliance / h);
        let spring = Spring::new(compliance, damping, h);
        let xpbd = (-now - pushed * soft - (now - before) * gamma) / (1.0 + gamma);
        assert!(spring.wanted(now, before, pushed).distance(xpbd) < 1e-15);
        assert!((spring.stiffness(f64::INFINITY) * soft / (1.0 + gamma) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn loose_and_rigid_springs_are_springs() {
        let loose = Spring::new(f64::INFINITY, 0.0, 0.01);
        assert_eq!((loose.stiffness(1e7), loose.wanted(DVec3::X, DVec3::ZERO, DVec3::ZERO)), (0.0, DVec3::ZERO));
        let rigid = Spring::new(0.0, 5.0, 0.01);
        assert_eq!((rigid.stiffness(1e7), rigid.wanted(DVec3::X, DVec3::ZERO, DVec3::Y)), (1e7, DVec3::NEG_X));
        // A damper alone takes away what the step adds.
        let damper = Spring::new(f64::INFINITY, 3.0, 0.01);
        assert_eq!(damper.wanted(DVec3::X * 2.0, DVec3::X, DVec3::ZERO), DVec3::NEG_X);
    }

    #[test]
    fn a_body_turns_to_where_its_end_is_pulled() {
        // One body on a given point, its end pulled sideways by a small step: the turn that does it.
        let mut net = Net::default();
        net.shape(2, &[(0, 1)]);
        let one = Attachment { end: Some(1), start: None, turn: Some(0), arm: DVec3::Y * 2.0 };
        net.hold(0, stiffness(1e-9), DVec3::ZERO);
        net.attach(&one, stiffness(RIGID), DVec3::ZERO);
        net.hold(1, stiffness(RIGID), DVec3::X * (RIGID * 1e-3));
        assert!(net.solve());
        let turned = turned(DQuat::IDENTITY, net.step(Some(0))) * one.arm;
        assert!(turned.distance(DVec3::new(1e-3, 2.0, 0.0)) < 1e-6, "{turned}");
        assert!(arc::length(net.step_of(&one)) < 1e-9);
    }
}
