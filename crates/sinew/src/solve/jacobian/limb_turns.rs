//! The turn of a limb about the line from its root to its target that both of its balls' limits are missed least by.

use glam::{DQuat, DVec3};

use crate::math::arc;
use crate::skeleton::{Joint, Skeleton};
use crate::transform::Transform;

/// Turns about the line to the target that are tried, all round.
const TURNS: u32 = 12;
/// How often the best of them is refined, by half each time.
const FINER: u32 = 5;
/// What a ball's distance from the middle of its limit counts, beside what its limit is missed by.
const CENTRED: f64 = 1e-3;

/// The turns of a limb about the line from its root to its target.
pub(super) struct Turns<'a> {
    pub(super) skeleton: &'a Skeleton,
    /// Root and tip, and how they are.
    pub(super) balls: [(Joint, Transform); 2],
    /// The line, the root's rotation that points at the target, and the one asked of the tip; in the space above the root.
    pub(super) line: DVec3,
    pub(super) pointed: DQuat,
    pub(super) wanted: DQuat,
    /// From the tip's parent to the root.
    pub(super) below: DQuat,
    /// Middles of the balls' limits.
    pub(super) centres: [Option<DQuat>; 2],
}

impl Turns<'_> {
    /// The allowed locals of root and tip for a turn, and what they miss; `None` where that is no less than `least`.
    fn at(&self, turn: DQuat, least: f64) -> Option<([Transform; 2], f64)> {
        let root = turn * self.pointed;
        let tip = (root * self.below).conjugate() * self.wanted;
        let mut locals = self.balls.map(|(_, local)| local);
        let mut miss = 0.0;
        for (k, rotation) in [root, tip].into_iter().enumerate() {
            let rotation = arc::normalize(rotation);
            let wanted = Transform { rotation, ..locals[k] };
            locals[k] = self.skeleton.nearest_allowed(self.balls[k].0, &wanted, 0.0);
            miss += apart(rotation, locals[k].rotation);
            miss += CENTRED * self.centres[k].map_or(0.0, |centre| apart(rotation, centre));
            if miss >= least {
                return None;
            }
        }
        Some((locals, miss))
    }

    /// The allowed locals of root and tip for the best turn.
    pub(super) fn best(&self) -> [Transform; 2] {
        let step = core::f64::consts::TAU / f64::from(TURNS);
        let (mut best, mut least, mut locals) = (0.0, f64::INFINITY, self.balls.map(|(_, local)| local));
        let mut offer = |angle: f64, best: &mut f64| {
            let Some(found) = self.at(arc::axis_angle(self.line, angle), least) else { return false };
            (*best, locals, least) = (angle, found.0, found.1);
            true
        };
        for number in 0..TURNS {
            offer(step * f64::from(number), &mut best);
        }
        let mut finer = step;
        for _ in 0..FINER {
            finer *= 0.5;
            let angle = best;
            let _ = offer(angle - finer, &mut best) || offer(angle + finer, &mut best);
        }
        locals
    }
}

/// The square of the sine of half the turn between two rotations.
fn apart(a: DQuat, b: DQuat) -> f64 {
    let cosine = a.dot(b);
    (1.0 - cosine * cosine).max(0.0)
}
