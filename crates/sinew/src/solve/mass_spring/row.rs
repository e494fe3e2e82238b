//! What goals ask, as rows: a number that should be zero, and the bodies that change it.

use glam::DVec3;

use super::body::MassBody;
use crate::springs::net::Net;

/// Bodies that one row may grip: two joints of one coordinate, and what carries each.
const GRIPS: usize = 4;

/// How the motion of a body changes a number: by `push` for its point at `arm`, by `twist` for its turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grip {
    pub(super) body: usize,
    /// From the body's origin (lengths of the chain, model space).
    pub(super) arm: DVec3,
    pub(super) push: DVec3,
    pub(super) twist: DVec3,
}

impl Grip {
    /// Rates of the body's variables.
    pub(super) fn rates(&self, bodies: &[MassBody]) -> [Option<(usize, DVec3)>; 2] {
        let body = &bodies[self.body];
        let turn = (body.turned, self.arm.cross(self.push) + self.twist);
        [body.place.map(|place| (place, self.push)), Some(turn)]
    }
}

/// A number and what changes it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) grips: [Grip; GRIPS],
    pub(super) count: usize,
    /// By how much it should change.
    pub(super) error: f64,
    pub(super) stiffness: f64,
    /// Push that the last solve left.
    pub(super) tension: f64,
    /// Whether it gives way to the others.
    pub(super) yields: bool,
}

impl Row {
    pub(super) fn new(error: f64, stiffness: f64) -> Self {
        Self { error, stiffness, ..Self::default() }
    }

    /// The same with another grip; one on what does not move is left out.
    pub(super) fn grip(mut self, body: Option<usize>, arm: DVec3, push: DVec3, twist: DVec3) -> Self {
        if let Some(body) = body {
            self.grips[self.count] = Grip { body, arm, push, twist };
            self.count += 1;
        }
        self
    }

    pub(super) fn grips(&self) -> &[Grip] {
        &self.grips[..self.count]
    }

    /// Adds it to the net with so many times its stiffness.
    pub(super) fn add(&self, net: &mut Net, bodies: &[MassBody], times: f64) {
        let mut rates = [(0, DVec3::ZERO); 2 * GRIPS];
        let mut count = 0;
        for (variable, rate) in self.grips().iter().flat_map(|grip| grip.rates(bodies)).flatten() {
            // Two grips may be on one body.
            if let Some((_, sum)) = rates[..count].iter_mut().find(|(known, _)| *known == variable) {
                *sum += rate;
            } else {
                rates[count] = (variable, rate);
                count += 1;
            }
        }
        let stiffness = self.stiffness * times;
        net.row(&rates[..count], stiffness, stiffness * self.error);
    }

    /// By how much the net's displacements change it.
    pub(super) fn change(&self, net: &Net, bodies: &[MassBody]) -> f64 {
        let rates = self.grips().iter().flat_map(|grip| grip.rates(bodies)).flatten();
        rates.map(|(variable, rate)| net.step(Some(variable)).dot(rate)).sum()
    }
}
