//! A hash of what solves leave.

use sinew::{Outcome, Pose, Skeleton, Workspace};

/// FNV-1a over the bits of numbers and bytes of words.
pub(crate) struct Hash(pub(crate) u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub(crate) fn eat(&mut self, value: f64) {
        self.bytes(&value.to_bits().to_le_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// All that a solve leaves: every joint's local transform, the coordinates, the outcome, and what is
    /// said of each goal with the joints that block it.
    pub(crate) fn solved(&mut self, skeleton: &Skeleton, pose: &Pose, outcome: &Outcome, work: &Workspace) {
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
