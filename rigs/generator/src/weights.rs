//! How much each joint moves a vertex.
//!
//! While the body is built, a vertex may have any number of joints with any shares. For the file
//! there are four lanes of `f32` that must sum to one. Shares are rounded to a power of two, which
//! a float holds exactly, and the largest takes what is left over, so the sum is one to the bit.

/// The smallest share is one in this many.
const STEPS: f64 = 1024.0;

/// Shares of joints in the motion of a vertex; they sum to one.
#[derive(Debug, Clone, Default)]
pub struct Weights {
    shares: Vec<(usize, f64)>,
}

impl Weights {
    /// All of it to one joint.
    pub fn of(joint: usize) -> Self {
        Self { shares: vec![(joint, 1.0)] }
    }

    /// Gives `share` of the whole to `joint` and leaves the others the rest, as they had it.
    #[must_use]
    pub fn give(mut self, joint: usize, share: f64) -> Self {
        if share <= 0.0 {
            return self;
        }
        for (_, held) in &mut self.shares {
            *held *= 1.0 - share;
        }
        match self.shares.iter_mut().find(|(held, _)| *held == joint) {
            Some((_, held)) => *held += share,
            None => self.shares.push((joint, share)),
        }
        self
    }

    /// The same shares with every joint replaced.
    #[must_use]
    pub fn renamed(&self, mut rename: impl FnMut(usize) -> usize) -> Self {
        let shares = self.shares.iter();
        Self { shares: shares.map(|&(joint, share)| (rename(joint), share)).collect() }
    }

    /// The share of each joint that has one.
    pub fn shares(&self) -> &[(usize, f64)] {
        &self.shares
    }

    /// The four lanes of the file: joints and their weights, the largest first.
    ///
    /// # Panics
    ///
    /// If a joint's index does not fit a byte; a rig of this program is far smaller.
    pub fn lanes(&self) -> ([u8; 4], [f32; 4]) {
        let mut shares = self.shares.clone();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        shares.truncate(4);
        let kept: f64 = shares.iter().map(|(_, share)| share).sum();

        let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
        let mut left = 1.0;
        for (lane, &(joint, share)) in shares.iter().enumerate().skip(1) {
            let share = libm::round(share / kept * STEPS) / STEPS;
            if share > 0.0 {
                joints[lane] = u8::try_from(joint).expect("a rig has fewer than 256 joints");
                weights[lane] = share as f32;
                left -= share;
            }
        }
        joints[0] = u8::try_from(shares[0].0).expect("a rig has fewer than 256 joints");
        weights[0] = left as f32;
        (joints, weights)
    }
}

/// From 0 at `from` to 1 at `to`, flat at both ends.
pub fn smoothstep(from: f64, to: f64, at: f64) -> f64 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
