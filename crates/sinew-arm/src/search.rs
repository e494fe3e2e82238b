//! One start after another, until one reaches the target.

use sinew::Status;
use sinew::glam::DVec3;
use sinew::math::ops;

use crate::aims::Aims;
use crate::arm::{Aim, Arm};
use crate::descend::{Descent, Patience};
use crate::frames::{Sized, sized};
use crate::pose_target::PoseTarget;
use crate::restarts::Restarts;
use crate::solver::Serial;
use crate::step::Bounds;

/// Steps in a row without progress: of one of many other starts, and of the first.
pub(crate) const HASTY: u32 = 2;
pub(crate) const PATIENT: u32 = 8;
/// Angle (radians) of a seed beyond which its turns would cost the answer's digits, and are dropped.
const MANY_TURNS: f64 = 1e5;

/// How a solve ended.
#[must_use = "it says whether the target was reached"]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkSolution {
    /// [`Reached`](Status::Reached), or why not: [`OutOfReach`](Status::OutOfReach), [`Limited`](Status::Limited),
    /// [`OutOfIterations`](Status::OutOfIterations), [`Stalled`](Status::Stalled), [`Invalid`](Status::Invalid).
    pub status: Status,
    /// Steps of all descents.
    pub iterations: u32,
    /// Target minus the tip's point in the arm's base (metres); zero along what does not count.
    pub position: DVec3,
    /// Rotation left to the target, as a vector in the arm's base (radians); zero about what does not count.
    pub rotation: DVec3,
    blocking: u64,
}

impl IkSolution {
    pub(crate) const INVALID: Self =
        Self { status: Status::Invalid, iterations: 0, position: DVec3::ZERO, rotation: DVec3::ZERO, blocking: 0 };

    /// Whether the arm's coordinate with this index is at an end of its range and keeps the tip from the target.
    pub fn is_blocking(&self, index: usize) -> bool {
        index < 64 && self.blocking >> index & 1 == 1
    }
}

/// Where a search may go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Room<'a> {
    /// Wherever limits allow.
    Limits,
    /// Within these distances of the seed.
    Near(&'a [f64]),
}

impl Arm {
    /// Coordinates at which the tip takes the frame, searched from `seed` on. `answer` always holds the best that was
    /// found. Seed values outside their ranges start at the nearer end. Angles are the whole turns nearest to the
    /// seed's that their range allows. Nothing is allocated. `Invalid`, with the seed as answer, when a number is not
    /// finite.
    ///
    /// # Panics
    /// Where `seed` or `answer` have other lengths than [`coordinates`](Arm::coordinates).
    pub fn solve(&self, target: &PoseTarget, seed: &[f64], settings: &Serial, answer: &mut [f64]) -> IkSolution {
        self.search(target, (seed, Room::Limits), settings, answer)
    }

    /// The same, with no coordinate farther from the seed's than its value in `within` (radians or metres, one for each
    /// coordinate). [`Limited`](Status::Limited) when the restarts find no such answer.
    ///
    /// # Panics
    /// As [`solve`](Arm::solve).
    pub fn nearest(
        &self,
        target: &PoseTarget,
        seed: &[f64],
        within: &[f64],
        settings: &Serial,
        answer: &mut [f64],
    ) -> IkSolution {
        assert!(within.len() == seed.len(), "a distance a coordinate");
        if within.iter().any(|within| within.is_nan() || *within < 0.0) {
            answer.copy_from_slice(seed);
            return IkSolution::INVALID;
        }
        let found = self.search(target, (seed, Room::Near(within)), settings, answer);
        // A seed may be farther outside its range than the joint may go.
        let is_near = |((q, seed), within): ((&f64, &f64), &f64)| {
            let way = (q - seed).abs();
            way <= within + 2.0 * f64::EPSILON * (seed.abs() + within)
        };
        let is_near = answer.iter().zip(seed).zip(within).all(is_near);
        if found.status == Status::Reached && !is_near {
            IkSolution { status: Status::Limited, ..found }
        } else {
            found
        }
    }

    pub(crate) fn search(
        &self,
        target: &PoseTarget,
        (seed, room): (&[f64], Room<'_>),
        settings: &Serial,
        answer: &mut [f64],
    ) -> IkSolution {
        let count = self.coordinates.len();
        assert!(seed.len() == count && answer.len() == count, "a number a coordinate");
        if !target.is_valid() || seed.iter().any(|q| !q.is_finite()) {
            answer.copy_from_slice(seed);
            return IkSolution::INVALID;
        }
        let aim = self.aim(target);
        sized!(self, |sized| sized.search(&aim, (seed, room), settings, answer), IkSolution::INVALID)
    }
}

impl<const N: usize> Sized<'_, N> {
    fn search(&self, aim: &Aim, (seed, room): (&[f64], Room<'_>), settings: &Serial, answer: &mut [f64]) -> IkSolution {
        let (start, bounds) = self.begin(seed, room);
        let aims = Aims::of(0.0, aim);
        let best = self.best((aim, &aims), (&start, &bounds, room), settings);
        self.conclude((aim, &aims), (&best, &bounds), (seed, room), settings, answer)
    }

    /// Writes the answer, and says how good it is. The seed comes back to the bit where it is allowed and nothing better
    /// was found.
    pub(crate) fn conclude(
        &self,
        (aim, aims): (&Aim, &Aims<f64>),
        (best, bounds): (&Descent<N>, &Bounds<N>),
        (seed, room): (&[f64], Room<'_>),
        settings: &Serial,
        answer: &mut [f64],
    ) -> IkSolution {
        let mut best = *best;
        let mut stays = best.steps == 0 && best.is_met;
        if best.is_met && best.steps == 1 {
            stays = self.is_nearly_met(&self.begin(seed, room).0, aims);
        }
        if !(best.is_met || best.is_spent) {
            best = self.settle(&best, bounds, aims, Patience { steps: settings.iterations, idle: PATIENT });
            let before = self.at(&self.begin(seed, room).0, aims);
            stays = !best.beats(&before);
            if stays {
                best = Descent { steps: best.steps, ..before };
            }
        }
        stays &= self.is_allowed(seed);
        let best = &best;
        if stays {
            answer.copy_from_slice(seed);
        } else {
            self.bring_back(best, seed, room, answer);
        }
        let [x, y, z, a, b, c] = best.error;
        let (position, rotation) = (DVec3::new(x, y, z) * self.arm.unit, DVec3::new(a, b, c));
        let mut found = IkSolution { status: Status::Reached, iterations: best.steps, position, rotation, blocking: 0 };
        if !best.is_met {
            found.blocking = self.blocking(&best.values, bounds, aims);
            found.status = self.failure(aim, best, found.blocking);
        }
        found
    }

    /// Values to start from, and their ends.
    pub(crate) fn begin(&self, seed: &[f64], room: Room<'_>) -> ([f64; N], Bounds<N>) {
        let (mut bounds, mut start) = (Bounds::of(self.arm), [0.0; N]);
        for i in 0..seed.len().min(N) {
            let slot = &self.arm.slots[i];
            let value = seed[i] / slot.scale;
            match room {
                Room::Near(within) => {
                    let (low, high) = ((seed[i] - within[i]) / slot.scale, (seed[i] + within[i]) / slot.scale);
                    let inside = slot.range.clamp(value);
                    // A seed that is too far outside has no room at all.
                    bounds.low[i] = low.max(slot.range.min).min(inside);
                    bounds.high[i] = high.min(slot.range.max).max(inside);
                    start[i] = inside;
                }
                Room::Limits if slot.is_round => start[i] = ops::nearest_turn(value, 0.0),
                Room::Limits => start[i] = slot.range.clamp(value),
            }
        }
        (start, bounds)
    }

    /// The first descent that meets the target, or else the one that came nearest, with the steps of all.
    fn best(
        &self,
        (aim, aims): (&Aim, &Aims<f64>),
        (start, bounds, room): (&[f64; N], &Bounds<N>, Room<'_>),
        settings: &Serial,
    ) -> Descent<N> {
        let patient = Patience { steps: settings.iterations, idle: PATIENT };
        // As patient as if it were the only one: what it arrives at is near the seed, as other starts' answers are not.
        let best = self.descend(start, bounds, aims, patient);
        if best.is_met || settings.restarts == 0 {
            return best;
        }
        let hasty = Patience { idle: HASTY, ..patient };
        let restarts = Restarts {
            sized: *self,
            aims: (aim, aims),
            place: (bounds, room),
            search: (hasty, settings.restarts),
            first: best,
        };
        let best = restarts.run(settings.width);
        if best.is_met {
            return best;
        }
        let last = self.descend(&best.values, bounds, aims, patient);
        Descent { steps: best.steps + last.steps, ..last }
    }

    fn failure(&self, aim: &Aim, best: &Descent<N>, blocking: u64) -> Status {
        match () {
            () if self.arm.is_too_short(aim) => Status::OutOfReach,
            () if blocking != 0 => Status::Limited,
            () if best.is_spent => Status::OutOfIterations,
            () => Status::Stalled,
        }
    }

    fn is_allowed(&self, seed: &[f64]) -> bool {
        seed.iter().zip(&self.arm.slots).all(|(&q, slot)| slot.limit.contains(q))
    }

    /// Coordinates from values: whole turns as near to the seed's as the range allows.
    fn bring_back(&self, best: &Descent<N>, seed: &[f64], room: Room<'_>, answer: &mut [f64]) {
        for (i, answer) in answer.iter_mut().enumerate() {
            let (slot, value) = (&self.arm.slots[i], best.values[i]);
            *answer = match room {
                Room::Limits if slot.is_round => {
                    let near = slot.limit.clamp(seed[i]);
                    slot.limit.clamp_angle(value, if near.abs() < MANY_TURNS { near } else { 0.0 })
                }
                // Ends to the bit.
                Room::Limits if value <= slot.range.min => slot.limit.min,
                Room::Limits if value >= slot.range.max => slot.limit.max,
                Room::Limits => slot.limit.clamp(value * slot.scale),
                Room::Near(within) => {
                    let q = (value * slot.scale).max(seed[i] - within[i]).min(seed[i] + within[i]);
                    slot.limit.clamp(q)
                }
            };
        }
    }
}
