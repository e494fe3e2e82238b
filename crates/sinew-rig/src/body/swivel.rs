//! The swivel of a limb whose shoulder or wrist, hip or ankle would be outside its limits: from where it bends of itself the middle is
//! turned about the line between the ends, the way on which that grows less, until all is inside or it grows again.

use glam::{DQuat, DVec3};
use sinew::Joint;
use sinew::math::arc;

use super::allowed::Allowed;
use super::layout::Limb;
use super::limb::Placed;

/// Turns (radians) by which the way is walked, and how many at most: to an eighth of a turn each way.
const STEP: f64 = 0.1;
const STEPS: usize = 8;
/// Halvings that find where the limits end, or where they are nearest.
const HALVINGS: usize = 14;
/// What is outside by no more is inside (the square of half the angle).
const INSIDE: f64 = 1e-14;

/// A limb that hangs on a joint which is turned so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swivel<'a> {
    pub(super) allowed: &'a Allowed<'a>,
    pub(super) limb: &'a Limb,
    pub(super) above: (Joint, DQuat),
    /// The rotation of hand or foot that is told, if it is.
    pub(super) end: Option<DQuat>,
}

impl Swivel<'_> {
    /// Turns a limb that is placed about the line from its start, as far as its limits need.
    pub(super) fn settle(&self, start: DVec3, placed: &mut Placed) {
        let Some(line) = arc::unit(placed.end - start) else { return };
        let now = self.outside(placed);
        if now <= INSIDE {
            return;
        }
        let off = |angle: f64| self.outside(&turned(start, placed, arc::axis_angle(line, angle)));
        let (ahead, back) = (off(STEP), off(-STEP));
        let (way, mut least) = if ahead < back { (STEP, ahead) } else { (-STEP, back) };
        if least > now {
            // The best lies less than a step away.
            let angle = nearest(off, -STEP, STEP);
            *placed = turned(start, placed, arc::axis_angle(line, angle));
            return;
        }
        let mut at = 1;
        while least > INSIDE && at < STEPS {
            let next = off(way * (at + 1) as f64);
            if next >= least {
                break;
            }
            (at, least) = (at + 1, next);
        }
        let (before, here) = (way * (at - 1) as f64, way * at as f64);
        let angle = if least <= INSIDE {
            edge(off, before, here)
        } else if at < STEPS {
            nearest(off, before, here + way)
        } else {
            here
        };
        *placed = turned(start, placed, arc::axis_angle(line, angle));
    }

    /// How far limits have what they allow from where the limb is.
    fn outside(&self, placed: &Placed) -> f64 {
        let off = |joint, above, rotation: DQuat| {
            let along = self.allowed.nearest(joint, above, rotation).dot(rotation);
            (1.0 - along * along).max(0.0)
        };
        let lower = (self.limb.lower, placed.lower);
        off(self.limb.upper, self.above, placed.upper) + self.end.map_or(0.0, |end| off(self.limb.end, lower, end))
    }
}

/// The limb turned about its start.
fn turned(start: DVec3, placed: &Placed, turn: DQuat) -> Placed {
    Placed {
        middle: start + turn * (placed.middle - start),
        upper: arc::normalize(turn * placed.upper),
        lower: arc::normalize(turn * placed.lower),
        ..*placed
    }
}

/// The angle nearest to `outside` that is inside, as `inside` is.
fn edge(off: impl Fn(f64) -> f64, mut outside: f64, mut inside: f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (outside + inside);
        if off(middle) <= INSIDE { inside = middle } else { outside = middle }
    }
    inside
}

/// Where between two angles the least is outside.
fn nearest(off: impl Fn(f64) -> f64, mut from: f64, mut to: f64) -> f64 {
    for _ in 0..HALVINGS {
        let (a, b) = (from + (to - from) / 3.0, to - (to - from) / 3.0);
        if off(a) < off(b) { to = b } else { from = a }
    }
    0.5 * (from + to)
}
