//! Ways out of a deadlock: starts spread evenly over what the joints may do, the same every time, each joint's
//! in its own frame, so that moving or mirroring the world moves them along.

use glam::{DQuat, DVec3};

use super::body::BodyMotion;
use super::tree::BodyTree;
use crate::goal::Goal;
use crate::math::arc;
use crate::skeleton::{Skeleton, hinge_rotation};

/// Steps of an even spread in three dimensions (Roberts 2018): powers of the inverse of the root of `x⁴ = x + 1`.
const SPREAD: [f64; 3] = [0.819_172_513_396_164_4, 0.671_043_606_703_789_2, 0.549_700_477_901_978_8];
/// Bodies between two starts in the spread.
const STRIDE: usize = 101;
/// Largest turn (radians) of a ball from its rest, and of a hinge without a range.
const WIDEST: f64 = 2.0;

impl BodyTree {
    /// The start of a number: 0 is rest, inside the limits. Bodies that act for no goal which is not met stay.
    pub(super) fn spread_out(&mut self, skeleton: &Skeleton, goals: &[Goal], number: usize) {
        for i in 0..self.bodies.len() {
            let mut users = (0..self.effectors.len()).filter(|&e| self.acts(i, e));
            if users.all(|e| self.effectors[e].is_met()) {
                continue;
            }
            let body = &mut self.bodies[i];
            if number == 0 {
                body.value = 0.0;
                (body.local, body.value) = body.nearest(skeleton, skeleton.rest(body.joint).rotation);
                continue;
            }
            let step = (number * STRIDE + i) as f64;
            let [x, y, z] = SPREAD.map(|each| fraction(0.5 + each * step));
            let rest = skeleton.rest(body.joint).rotation;
            if let BodyMotion::Hinge { axis, range } = body.motion {
                let (low, high) = (range.min.max(range.max - 2.0 * WIDEST), range.max.min(range.min + 2.0 * WIDEST));
                let (low, high) = if low.is_finite() && high.is_finite() { (low, high) } else { (-WIDEST, WIDEST) };
                body.value = range.clamp(low + (high - low) * x);
                body.local = hinge_rotation(skeleton.zero(body.joint), axis, body.value);
            } else {
                let half = (DVec3::new(x, y, z) * 2.0 - 1.0) * (0.5 * WIDEST);
                let turn = arc::normalize(DQuat::from_xyzw(half.x, half.y, half.z, 1.0));
                (body.local, body.value) = body.nearest(skeleton, arc::normalize(rest * turn));
            }
        }
        self.update(goals, 0);
    }
}

fn fraction(x: f64) -> f64 {
    x - libm::floor(x)
}
