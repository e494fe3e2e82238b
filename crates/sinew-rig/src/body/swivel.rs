//! The swivel of a limb whose shoulder or wrist, hip or ankle would be outside its limits: from where it bends of itself the middle is
//! turned about the line between the ends, the way on which that grows less, until all is inside or it grows again.

use glam::{DQuat, DVec3};
use sinew::Joint;
use sinew::math::arc;

use super::allowed::Allowed;
use super::layout::Limb;
use super::limb::Placed;

/// Turns (radians) by which the way is walked, and how many at most: to a quarter of a turn each way.
const STEP: f64 = 0.1;
const STEPS: usize = 16;
/// Steps that find where limits end, or where they are nearest.
const HALVINGS: usize = 12;
/// What a turn costs where none is enough (a share of its square): a little gained is not worth a far one, which would set in at once.
const DEAR: f64 = 0.005;
/// For a hand or foot a turn is enough that is no longer than three times what was outside (the square of that, by the square of half the angle).
const FAR: f64 = 36.0;
/// The golden ratio's inverse.
const GOLDEN: f64 = 0.618_033_988_749_894_8;
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
        let [upper, end] = self.outside(placed);
        if upper + end <= INSIDE {
            return;
        }
        // For the place of its end a limb turns as far as it can.
        let far = if upper > INSIDE { f64::INFINITY } else { FAR * end };
        let off = |angle: f64| {
            let [upper, end] = self.outside(&turned(start, placed, arc::axis_angle(line, angle)));
            upper + end
        };
        let [ahead, back] = [STEP, -STEP].map(|way| walk(off, way, (upper + end, far)));
        let (angle, _) = if back.1 < ahead.1 { back } else { ahead };
        *placed = turned(start, placed, arc::axis_angle(line, angle));
    }

    /// How far limits have what they allow from where the limb is: its upper joint, its end.
    fn outside(&self, placed: &Placed) -> [f64; 2] {
        let off = |joint, above, rotation: DQuat| {
            let along = self.allowed.nearest(joint, above, rotation).dot(rotation);
            (1.0 - along * along).max(0.0)
        };
        let lower = (self.limb.lower, placed.lower);
        [off(self.limb.upper, self.above, placed.upper), self.end.map_or(0.0, |end| off(self.limb.end, lower, end))]
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

/// The angle at which a walk that way comes inside, or where it is worth going no further; and what is then outside and turned.
fn walk(off: impl Fn(f64) -> f64, way: f64, (now, far): (f64, f64)) -> (f64, f64) {
    let dear = |angle: f64| off(angle) + DEAR * angle * angle;
    let (mut at, mut least) = (0, now);
    while at < STEPS {
        let angle = way * (at + 1) as f64;
        let next = off(angle);
        if next <= INSIDE {
            let edge = edge(&off, way * at as f64, angle);
            if edge * edge <= far {
                return (edge, 0.0);
            }
        }
        let next = next + DEAR * angle * angle;
        if next >= least {
            break;
        }
        (at, least) = (at + 1, next);
    }
    let angle = nearest(dear, way * at.saturating_sub(1) as f64, way * (at + 1) as f64);
    let found = dear(angle);
    if found < now { (angle, found) } else { (0.0, now) }
}

/// The angle nearest to `outside` that is inside, as `inside` is.
fn edge(off: impl Fn(f64) -> f64, mut outside: f64, mut inside: f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (outside + inside);
        if off(middle) <= INSIDE { inside = middle } else { outside = middle }
    }
    inside
}

/// Where between two angles the least is paid: the golden section.
fn nearest(dear: impl Fn(f64) -> f64, mut from: f64, mut to: f64) -> f64 {
    let (mut a, mut b) = (to - GOLDEN * (to - from), from + GOLDEN * (to - from));
    let (mut at_a, mut at_b) = (dear(a), dear(b));
    for _ in 0..HALVINGS {
        if at_a < at_b {
            (to, b, at_b) = (b, a, at_a);
            a = to - GOLDEN * (to - from);
            at_a = dear(a);
        } else {
            (from, a, at_a) = (a, b, at_b);
            b = from + GOLDEN * (to - from);
            at_b = dear(b);
        }
    }
    0.5 * (from + to)
}
