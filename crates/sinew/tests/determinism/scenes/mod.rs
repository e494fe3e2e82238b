//! Many solves a solver, hashed, and the hashes that they had when they were last looked at. The same
//! on every machine and in every build: `tests/determinism` holds this one to them, and `.ci/bits` those
//! that run no tests.
//!
//! Random numbers here are drawn at widths that all machines share: `usize` takes other draws on 32 bits.

pub(crate) mod arms;
mod auto;
mod ccd;
mod closed_forms;
mod fabrik;
mod jacobian;
mod mass_spring;
mod path;
mod scale;
mod serial;
mod springs;

use sinew::{Outcome, Pose, Skeleton, Workspace};

/// A solver's solves: name, how to hash them, and the pinned hash.
pub(crate) type Scene = (&'static str, fn() -> u64, u64);

pub(crate) const SCENES: [Scene; 10] = [
    ("auto", auto::hash, 5_324_334_537_093_859_794),
    ("closed forms", closed_forms::hash, 1_620_098_096_349_755_395),
    ("fabrik", fabrik::hash, 5_118_440_223_670_394_530),
    ("ccd", ccd::hash, 885_300_569_388_272_920),
    ("jacobian", jacobian::hash, 3_922_195_400_164_796_623),
    ("mass-spring", mass_spring::hash, 1_516_230_727_719_610_016),
    ("scale", scale::hash, 11_382_435_085_639_837_174),
    ("springs", springs::hash, 674_101_649_099_146_547),
    ("serial", serial::hash, 8_876_394_355_939_573_082),
    ("path", path::hash, 16_527_538_605_115_769_214),
];

/// FNV-1a over the bits of numbers and bytes of words.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn eat(&mut self, value: f64) {
        self.bytes(&value.to_bits().to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// All that a solve leaves: every joint's local transform, the coordinates, the outcome, and what is
    /// said of each goal with the joints that block it.
    fn solved(&mut self, skeleton: &Skeleton, pose: &Pose, outcome: &Outcome, work: &Workspace) {
        for joint in skeleton.iter() {
            let local = pose.local(joint);
            local.rotation.to_array().into_iter().for_each(|x| self.eat(x));
            local.translation.to_array().into_iter().for_each(|x| self.eat(x));
            local.scale.to_array().into_iter().for_each(|x| self.eat(x));
        }
        pose.coordinates().iter().for_each(|&q| self.eat(q));
        self.bytes(outcome.status.name().as_bytes());
        self.bytes(&outcome.iterations.to_le_bytes());
        for error in [outcome.position_error, outcome.rotation_error, outcome.scale_error] {
            self.eat(error);
        }
        for (goal, residual) in work.residuals().iter().enumerate() {
            self.bytes(residual.status.name().as_bytes());
            residual.position.to_array().into_iter().for_each(|x| self.eat(x));
            for joint in work.blocking(goal) {
                self.bytes(&(joint.index() as u64).to_le_bytes());
            }
        }
    }
}
