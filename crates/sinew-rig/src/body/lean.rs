//! The lean of a trunk whose hands do not reach their targets: a descent from the pose given whose steps go as far as they bring hands
//! nearer. How far it may go counts from upright, so that a body that goes on from its own answer leans no further.

use glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::math::ops::sqrt;

use super::rows::{Hang, Row, Rows};
use super::seen::Frame;
use super::trunk::Trunk;

/// Hands may ask no joint to lean further (radians).
const FURTHEST: f64 = 0.48;
/// Steps that bring hands into reach, and how little the last turns (radians).
const STEPS: usize = 12;
const STILL: f64 = 1e-5;
/// So many times as far as its model says a step may go between hips and a head that are told, which nothing else brings to hands. HEURISTIC:
/// elsewhere hands would turn the trunk three times as fast.
const BEYOND: f64 = 4.0;
/// What hangs on the trunk is near enough within this share: arms have more slack than that.
const NEAR: f64 = 1e-6;
/// Damping of what may yield to the head: a straight trunk between hips and head that are told does not turn far for little.
const YIELDING: f64 = 3e-3;

/// What a lean counts from.
#[derive(Clone, Debug, Default)]
pub(super) struct Lean {
    /// From where what leans counts, and before the last step.
    upright: Vec<DQuat>,
    before: Vec<DQuat>,
    /// By how much each joint up to the chest leans that no hand asked for (radians).
    own: Vec<f64>,
}

impl Trunk {
    /// Leans the trunk, no further than limits `hold` it, until what hangs on the joint at `chest`, in a frame and with a share of the lean,
    /// is near enough to its targets, the head kept where it is told. `spent` is the share of the furthest lean that is behind hands in the
    /// pose given; whether hips and head are told goes with it.
    pub(super) fn lean(
        &mut self,
        head: Option<DVec3>,
        (chest, spent, is_spanned): (usize, f64, bool),
        hangs: impl Fn(Frame, f64) -> [Option<Hang>; 2],
        mut hold: impl FnMut(&mut Self),
    ) {
        if chest >= self.rotations.len() {
            return;
        }
        // A straight trunk still turns about itself.
        let head = head.map(|head| if self.straighten(head) { self.place(self.rotations.len()) } else { head });
        self.stand_up(head.is_some() || self.fixed.is_some(), chest, spent);
        let lacking = |trunk: &Self| trunk.hand_rows(head, chest, hangs(trunk.frame(chest), trunk.leant().min(1.0)));
        let (mut rows, mut lack) = lacking(self);
        let beyond = if is_spanned { BEYOND } else { 1.0 };
        for _ in 0..STEPS {
            // Below a head that is told the trunk stops once it has leant that far.
            let longest = if head.is_some() { FURTHEST * (1.0 - self.leant()) } else { FURTHEST };
            if lack == 0.0 || longest <= 0.0 {
                break;
            }
            self.lean.before.clone_from(&self.rotations);
            let gain = self.step_for_hands(&rows, longest, (chest, is_spanned));
            if gain.is_nan() || gain == 0.0 {
                self.rotations.clone_from(&self.lean.before);
                break;
            }
            self.settle(head, chest, &mut hold);
            let mut then = lacking(self);
            // As far as is worth it, by the parabola through what hands lack before and after, and the slope: so evenly with the targets.
            // A gain below zero counts by its size, so that answers on both sides of zero are next to each other.
            let gain = gain.abs();
            let share = 0.5 * gain / (gain + then.1 - lack).max(0.5 * gain / beyond);
            let share = share.min(longest / self.turned(chest).max(f64::MIN_POSITIVE));
            if share != 1.0 {
                for (rotation, &before) in self.rotations.iter_mut().zip(&self.lean.before) {
                    *rotation = arc::part_of_turn(before, *rotation, share);
                }
                self.settle(head, chest, &mut hold);
                then = lacking(self);
            }
            (rows, lack) = then;
            if self.turned(chest) < STILL {
                break;
            }
        }
    }

    /// A step that turns no joint by more than `longest`, nor all up to the chest together; how fast what hands lack falls at its beginning, over
    /// all of it. Between hips and a head that are told, for which the trunk turns back what it turns for hands, they yield by how much
    /// further it leans. Elsewhere they count as if it leant by all that they turn it by: below a head that is told they turn it the less.
    fn step_for_hands(&mut self, rows: &Rows, longest: f64, (chest, is_spanned): (usize, bool)) -> f64 {
        let leant = self.leant().min(1.0);
        let gain = self.step(rows, longest, chest);
        let further = FURTHEST * (self.leant().min(1.0) - leant);
        let yielded: f64 = rows.rows[..rows.count].iter().map(|row| 2.0 * row.off * row.yields * further).sum();
        if is_spanned { gain.nearer + yielded } else { gain.all }
    }

    /// Has the head where it is told, or else the trunk no farther from upright than hands may ask for, and inside its limits.
    fn settle(&mut self, head: Option<DVec3>, chest: usize, hold: &mut impl FnMut(&mut Self)) {
        if let Some(head) = head {
            self.reach(head);
        } else {
            self.stay_upright(chest);
            hold(self);
        }
    }

    /// By how much a joint up to `chest` has turned since before the last step, at most.
    fn turned(&self, chest: usize) -> f64 {
        let pairs = self.rotations.iter().zip(&self.lean.before).take(chest + 1);
        pairs.map(|(&now, &before)| angle(now, before)).fold(0.0, f64::max)
    }

    /// What brings hands to where they are near enough, the head kept where it is told; and the squares of what they lack.
    fn hand_rows(&self, head: Option<DVec3>, chest: usize, hangs: [Option<Hang>; 2]) -> (Rows, f64) {
        let mut rows = head.map_or_else(Rows::default, |head| self.head_rows(head));
        let (frame, mut lack) = (self.frame(chest), 0.0);
        for Hang { point, target, near, yields } in hangs.into_iter().flatten() {
            let place = frame.point(point);
            let (line, far) = (target - place, arc::length(target - place));
            if let Some(direction) = arc::unit(line).filter(|_| far > near * (1.0 + NEAR)) {
                let (off, yields) = (far - near, yields / FURTHEST);
                // No step goes further than to where the distance is least.
                let bent = off * self.curvature(place, target, chest) / far;
                let damping = YIELDING + bent / (self.length * self.length);
                rows.add(Row { direction, off, place, ends: chest + 1, damping, yields });
                lack += off * off;
            }
        }
        (rows, lack)
    }

    /// A joint's frame, from the first, in the frame of the hips.
    fn frame(&self, joint: usize) -> Frame {
        Frame { position: self.place(joint), rotation: self.rotations[joint] }
    }

    /// From where what leans counts: where head or chest are told from where the trunk is, else from upright, less by what it leant before
    /// any hand asked. What a straight arm shows to have leant was for the hand.
    fn stand_up(&mut self, is_told: bool, chest: usize, spent: f64) {
        self.lean.upright.clone_from(&self.rotations);
        self.lean.own.clear();
        if is_told {
            self.lean.own.resize(chest + 1, 0.0);
            return;
        }
        self.lean.upright.fill(DQuat::IDENTITY);
        let own = |rotation: &DQuat| (angle(*rotation, DQuat::IDENTITY) - spent * FURTHEST).max(0.0);
        self.lean.own.extend(self.rotations.iter().take(chest + 1).map(own));
    }

    /// By which share of the furthest lean a joint has leant, at most.
    fn leant(&self) -> f64 {
        let leans = self.rotations.iter().zip(&self.lean.upright).zip(&self.lean.own);
        leans.map(|((now, upright), own)| (angle(*now, *upright) - own) / FURTHEST).fold(0.0, f64::max)
    }

    /// Leans no joint further than hands may ask for: all less, by one share; what the chest carries goes along.
    fn stay_upright(&mut self, chest: usize) {
        let leans = self.rotations.iter().zip(&self.lean.upright).zip(&self.lean.own);
        let over = leans.map(|((now, upright), own)| angle(*now, *upright) / (own + FURTHEST)).fold(1.0, f64::max);
        if over == 1.0 {
            return;
        }
        let before = self.rotations[chest];
        for (rotation, &upright) in self.rotations.iter_mut().zip(&self.lean.upright).take(chest + 1) {
            *rotation = arc::part_of_turn(upright, *rotation, 1.0 / over);
        }
        let back = self.rotations[chest] * before.conjugate();
        self.rotations.iter_mut().skip(chest + 1).for_each(|rotation| *rotation = arc::normalize(back * *rotation));
    }

    /// How the distance between a point that hangs on the joint at `chest` and a target curves where it is least, times that distance:
    /// over the joints that turn it, by their shares.
    fn curvature(&self, place: DVec3, target: DVec3, chest: usize) -> f64 {
        let (mut sum, mut from) = (0.0, DVec3::ZERO);
        for joint in 0..=chest {
            sum += self.shares[joint] * (place - from).dot(target - from);
            from += self.rotations[joint] * self.bones[joint];
        }
        sum.max(0.0)
    }
}

/// The angle between two rotations (radians, nearly).
fn angle(a: DQuat, b: DQuat) -> f64 {
    2.0 * sqrt(2.0 * (1.0 - a.dot(b).abs()).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What hands lack falls at the beginning of a step as fast as the step says, what they yield counted; also below a head that is told,
    /// for which the trunk turns back what it turns for hands.
    #[test]
    fn a_step_gains_what_it_says() {
        for (yields, is_told) in [0.0, 0.05, 0.2].into_iter().flat_map(|yields| [(yields, false), (yields, true)]) {
            let mut trunk = Trunk::default();
            trunk.begin([0.1, 0.2, 0.2].map(|bone| DVec3::Y * bone).into_iter());
            trunk.keep([0.1, 0.0, -0.2].map(|angle| arc::axis_angle(DVec3::X, angle)).into_iter());
            let head = is_told.then(|| trunk.place(3));
            trunk.stand_up(true, 2, 0.0);
            let lacking = |trunk: &Trunk| {
                let near = 0.4 + yields * trunk.leant();
                let hang = Hang { point: DVec3::Y * 0.1, target: DVec3::new(0.0, 0.3, 0.9), near, yields };
                trunk.hand_rows(head, 2, [Some(hang), None])
            };
            let (rows, before) = lacking(&trunk);
            let gain = trunk.step_for_hands(&rows, 1e-5, (2, is_told));
            let gained = before - lacking(&trunk).1;
            assert!(gain > 0.0 && (gained / gain - 1.0).abs() < 1e-2, "{yields} {is_told}: {gained} for {gain}");
        }
    }
}
