//! The swivel of a limb whose shoulder or wrist, hip or ankle would be outside its limits: from where it bends of itself the middle is
//! turned about the line between the ends, the way on which that grows less. A short turn goes until all is inside; a long one costs, and
//! goes as far as it is worth. The cost sets in evenly, so that the turn does too where limits just allow a long one, or no longer do.

use glam::{DQuat, DVec3};
use sinew::Joint;
use sinew::math::arc;
use sinew::math::ops::sqrt;

use super::allowed::Allowed;
use super::layout::Limb;
use super::limb::Placed;

/// Turns (radians) by which the way is walked, and how many at most: to a quarter of a turn each way.
const STEP: f64 = 0.1;
const STEPS: usize = 16;
/// Steps that find where limits end, and where they are nearest.
const HALVINGS: usize = 12;
const PARABOLAS: usize = 5;
/// What a long turn costs (a share of its square): a little gained is not worth a far one, which would set in at once.
const DEAR: f64 = 0.005;
/// A turn is long that is three times what was outside (the square of that, by the square of half the angle), and short that is half as long.
const FAR: f64 = 36.0;
/// What is outside by no more is inside (the square of half the angle).
pub(super) const INSIDE: f64 = 1e-14;
/// An edge is found to this angle.
const CLOSE: f64 = 2e-5;
/// A limb whose upper joint stays farther outside goes to the nearest angle that is inside, if one is, wholly where it is twice as much: ten
/// degrees, as the square of half the angle. A nearly straight one is rolled so, by an elbow that hardly shows how.
const TWISTED: f64 = 7.6e-3;
/// Angles that are tried for that each way, in steps of twice `STEP`.
const HALF: i32 = 15;

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
    /// Turns a limb that is placed about the line from its start, as far as its limits need; whether it was wholly inside.
    pub(super) fn settle(&self, start: DVec3, placed: &mut Placed) -> bool {
        let Some(line) = arc::unit(placed.end - start) else { return false };
        let carrier = self.allowed.carrier(self.limb.upper, self.above);
        let ([upper, end], is_inside) = self.outside(placed, carrier);
        if upper + end <= INSIDE {
            return is_inside;
        }
        let both = |angle: f64| self.outside(&turned(start, placed, arc::axis_angle(line, angle)), carrier);
        let off = |angle: f64| both(angle).0.iter().sum();
        let now = upper + end;
        let first = [STEP, -STEP].map(off);
        let gains = first.map(|first| first < now);
        let (mut angle, found) = if gains == [false; 2] {
            let least = lowest(off, [(-STEP, first[1]), (0.0, now), (STEP, first[0])]);
            let next = if least.0 < 0.0 { (-STEP, first[1]) } else { (STEP, first[0]) };
            settled(off, &[(0.0, now), next], Some(least))
        } else {
            // A way on which it grows leads nowhere where it grows less on the other.
            let ways = [STEP, -STEP].into_iter().zip(first).zip(gains).filter(|&(_, gains)| gains);
            let walked = ways.map(|(way, _)| walk(off, way, now));
            walked.fold((0.0, f64::INFINITY), |best, one| if one.1 < best.1 { one } else { best })
        };
        let twisted = (upper.min(found) / TWISTED - 1.0).clamp(0.0, 1.0);
        if let (true, Some(inside)) = (twisted > 0.0, beyond(off)) {
            angle += twisted * (inside - angle);
        }
        *placed = turned(start, placed, arc::axis_angle(line, angle));
        false
    }

    /// How far limits have what they allow from where the limb is: its upper joint, on a carrier that is turned so, and its end; and whether
    /// they allow both as they are.
    fn outside(&self, placed: &Placed, carrier: DQuat) -> ([f64; 2], bool) {
        let Limb { upper, lower, end, .. } = *self.limb;
        let mut is_inside = true;
        let mut off = |joint, carrier, rotation: DQuat| {
            let nearest = self.allowed.nearest_on(joint, carrier, rotation);
            is_inside &= nearest == rotation;
            let along = nearest.dot(rotation);
            (1.0 - along * along).max(0.0)
        };
        let upper = off(upper, carrier, placed.upper);
        let end = self.end.map_or(0.0, |told| off(end, self.allowed.carrier(end, (lower, placed.lower)), told));
        ([upper, end], is_inside)
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

/// The nearest angle that is inside, if one is, where angle 0 is outside; what is inside for less than two steps may be passed over.
fn beyond(off: impl Fn(f64) -> f64) -> Option<f64> {
    let mut angles = (1..=HALF).flat_map(|place| [STEP, -STEP].map(|step| 2.0 * step * f64::from(place)));
    let inside = angles.find(|&angle| off(angle) <= INSIDE)?;
    let outside = inside - (2.0 * STEP).copysign(inside);
    let much = off(outside);
    Some(edge(off, (outside, much), inside))
}

/// How far a walk that way, whose first step is outside by less than `now`, is worth going; and what is then outside and turned.
fn walk(off: impl Fn(f64) -> f64, (way, first): (f64, f64), now: f64) -> (f64, f64) {
    let mut steps = [(0.0, now); STEPS + 1];
    for place in 1..=STEPS {
        let angle = way * place as f64;
        let next = (angle, if place > 1 { off(angle) } else { first });
        let before = steps[place - 1];
        steps[place] = next;
        if next.1 <= INSIDE {
            // Farther nothing is gained.
            steps[place] = (edge(&off, before, angle), 0.0);
            return settled(&off, &steps[..=place], Some(steps[place]));
        }
        if next.1 >= before.1 {
            let least = lowest(&off, [steps[place - 2], before, next]);
            return settled(&off, &steps[..=place], Some(least));
        }
        if angle * angle > FAR * now && paid(next, DEAR) >= paid(before, DEAR) {
            return settled(&off, &steps[..=place], None);
        }
    }
    settled(off, &steps, None)
}

/// The angle near the middle one of three, of which it has the least outside, that has the least of all, and what is outside there; where
/// that is nothing, the angle nearest to 0.
fn lowest(off: impl Fn(f64) -> f64, row: [(f64, f64); 3]) -> (f64, f64) {
    let (angle, outside) = nearest(&off, row);
    if outside > INSIDE {
        return (angle, outside);
    }
    let from = if row[1].0 == 0.0 { row[1] } else { row[0] };
    (edge(&off, from, angle), 0.0)
}

/// Where on the way along steps from 0 on the least is outside and paid for the turn, and how much. Nothing less is outside than at `least`,
/// which is far away where it was not looked for.
fn settled(off: impl Fn(f64) -> f64, steps: &[(f64, f64)], least: Option<(f64, f64)>) -> (f64, f64) {
    let now = steps[0].1;
    let long = least.map_or(1.0, |(angle, _)| angle * angle / (FAR * now));
    let cost = DEAR * ((4.0 * long - 1.0) / 3.0).clamp(0.0, 1.0);
    if let (true, Some(least)) = (cost == 0.0, least) {
        return least;
    }
    let dear = |at: (f64, f64)| (at.0, paid(at, cost));
    // The first from which it grows: what is farther may be less, and would be taken at once.
    let grows = |&place: &usize| place + 1 == steps.len() || dear(steps[place + 1]).1 >= dear(steps[place]).1;
    let best = (0..steps.len()).find(grows).unwrap_or_default();
    let row = if best == 0 {
        let (from, to) = (steps[0], least.unwrap_or(steps[1]));
        [from, straight(&off, from, to, cost), steps[1]]
    } else if best + 1 == steps.len() {
        let (from, to) = (steps[best - 1], steps[best]);
        [from, straight(&off, from, to, cost), to]
    } else {
        [best - 1, best, best + 1].map(|place| steps[place])
    };
    nearest(|angle| dear((angle, off(angle))).1, row.map(dear))
}

/// Where the least is paid between two angles if what is outside falls as the square of a straight line does, and what is outside there.
fn straight(off: impl Fn(f64) -> f64, from: (f64, f64), to: (f64, f64), cost: f64) -> (f64, f64) {
    let slope = (sqrt(from.1) - sqrt(to.1)) / (to.0 - from.0);
    let angle = slope * (sqrt(from.1) + slope * from.0) / (slope * slope + cost);
    (angle, off(angle))
}

/// What is outside at an angle, with what the turn costs.
fn paid((angle, outside): (f64, f64), cost: f64) -> f64 {
    outside + cost * angle * angle
}

/// The angle nearest to `outside`, which is outside by so much, that is inside, as `inside` is: the false position on the root of what is
/// outside, which goes evenly with the angle.
pub(super) fn edge(off: impl Fn(f64) -> f64, (mut outside, mut much): (f64, f64), mut inside: f64) -> f64 {
    let mut before = None::<(f64, f64)>;
    for _ in 0..HALVINGS {
        if (inside - outside).abs() < CLOSE {
            break;
        }
        let slope = before.map(|(angle, root)| (sqrt(much) - root) / (outside - angle));
        let straight = slope.map(|slope| outside - sqrt(much) / slope + CLOSE.copysign(inside - outside));
        let share = straight.map_or(0.5, |angle| (angle - outside) / (inside - outside));
        let middle = outside + (inside - outside) * if (0.0..1.0).contains(&share) { share } else { 0.5 };
        let next = off(middle);
        if next <= INSIDE {
            inside = middle;
        } else {
            before = Some((outside, sqrt(much)));
            (outside, much) = (middle, next);
        }
    }
    inside
}

/// Where among three angles in a row the least is paid, of which the middle one pays least, and what: by parabolas.
fn nearest(dear: impl Fn(f64) -> f64, [mut from, mut least, mut to]: [(f64, f64); 3]) -> (f64, f64) {
    for _ in 0..PARABOLAS {
        let [before, after] = [from, to].map(|end| (least.0 - end.0, least.1 - end.1));
        let below = before.0 * after.1 - after.0 * before.1;
        let by = -0.5 * (before.0 * before.0 * after.1 - after.0 * after.0 * before.1) / below;
        let angle = least.0 + by;
        let is_between = (angle - from.0) * (angle - to.0) < 0.0;
        if !is_between || by.abs() < CLOSE {
            break;
        }
        let tried = (angle, dear(angle));
        let (near, far) = if by * (to.0 - least.0) > 0.0 { (&mut to, &mut from) } else { (&mut from, &mut to) };
        if tried.1 < least.1 {
            *far = least;
            least = tried;
        } else {
            *near = tried;
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inside from 0.24 to 0.26 alone, which no step meets.
    #[test]
    fn what_is_inside_between_two_steps_is_found() {
        let off = |angle: f64| {
            let beyond = ((angle - 0.25).abs() - 0.01).max(0.0);
            beyond * beyond
        };
        let (angle, outside) = walk(off, (STEP, off(STEP)), off(0.0));
        assert!(outside == 0.0 && (angle - 0.24).abs() < 2.0 * CLOSE, "{angle}, outside by {outside}");
        // As near as between the first steps.
        let off = |angle: f64| off(angle + 0.2);
        let row = [-STEP, 0.0, STEP].map(|angle| (angle, off(angle)));
        let (angle, outside) = lowest(off, row);
        assert!(outside == 0.0 && (angle - 0.04).abs() < 2.0 * CLOSE, "{angle}, outside by {outside}");
    }

    /// What is outside falls to an edge: how far the turn goes is that edge's matter, wherever steps come to lie.
    #[test]
    fn a_turn_goes_with_the_edge() {
        let angle = |edge: f64| {
            let off = |angle: f64| 0.1 * (edge - angle).max(0.0).powi(2);
            walk(off, (STEP, off(STEP)), off(0.0)).0
        };
        for place in 0..4000 {
            let edge = 0.3 + 1e-4 * f64::from(place);
            let step = angle(edge + 1e-4) - angle(edge);
            assert!(step.abs() < 1e-3, "{step} where the edge is at {edge}");
        }
    }

    /// It goes with what is inside, not by steps.
    #[test]
    fn the_nearest_angle_inside_is_an_edge() {
        for from in [0.41, 0.55, 0.59, 0.61, 0.75] {
            for side in [1.0, -1.0] {
                let off = |angle: f64| {
                    let below = (from - side * angle).max(0.0);
                    below * below
                };
                let angle = beyond(off).map(|angle| side * angle);
                assert!(angle.is_some_and(|angle| (angle - from).abs() < 2.0 * CLOSE), "{angle:?} for {from}");
            }
        }
        assert_eq!(beyond(|_| 1.0), None);
    }
}
