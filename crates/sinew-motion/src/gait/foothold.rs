//! Where a foot lands, and what its way there must clear.

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops};

use super::{Gait, Near};
use crate::least_jerk::{bump, smooth};

/// Cosine of the steepest slope that a foot lies along.
const MOST_ALIGNED: f64 = 0.8;
/// Where the way is lifted by less than this share of its top, it cannot be lifted by more.
const LIFTS: f64 = 0.15;
/// How many steps higher than it should be ground is looked for where there is none.
const HIGHER: u32 = 6;
/// Shares of the way to where a foot should land at which it lands where there is no ground farther on that it can step to.
const NEARER: [f64; 4] = [1.0, 0.75, 0.5, 0.25];
const AROUND: [(f64, f64); 8] =
    [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (0.7, 0.7), (-0.7, 0.7), (-0.7, -0.7), (0.7, -0.7)];

impl Gait {
    /// The best ground near a wish, or else nearer to where the foot comes from: where its touching joint is to be and how the ground lies.
    /// A step up or down is counted from `height`. Without ground the wish at that height.
    pub(super) fn landing(
        &self,
        leg: usize,
        from: DVec3,
        wish: DVec3,
        height: f64,
        ground: Near<'_>,
    ) -> (DVec3, DVec3) {
        let up = self.axes.up;
        let found = NEARER.into_iter().find_map(|share| self.foothold(leg, from.lerp(wish, share), height, ground));
        // What is all too high is stepped on all the same, rather than into.
        let higher = || {
            let mut over = (1..=HIGHER).map(|steps| height + f64::from(steps) * self.most_step);
            over.find_map(|height| self.foothold(leg, wish, height, ground))
        };
        found.or_else(higher).unwrap_or_else(|| {
            let sole = self.legs[leg].contact.dot(up) - self.floor;
            (arc::reject(wish, up) + up * (height + sole), up)
        })
    }

    /// The best ground near a wish.
    fn foothold(&self, leg: usize, wish: DVec3, height: f64, ground: Near<'_>) -> Option<(DVec3, DVec3)> {
        let up = self.axes.up;
        let sole = self.legs[leg].contact.dot(up) - self.floor;
        let size = 0.07 * self.height;
        let mut best: Option<(f64, DVec3, DVec3)> = None;
        'rings: for ring in 0..4_u8 {
            for (x, y) in AROUND {
                let r = f64::from(ring) * 0.12 * self.height;
                let at = arc::reject(wish, up) + up * height + (self.axes.forward * x + self.axes.left * y) * r;
                if let Some((place, normal)) = ground(at) {
                    let cost = self.cost(place, normal, height, size, ground) + r / self.height;
                    if best.is_none_or(|(least, ..)| cost < least) {
                        best = Some((cost, place, normal));
                    }
                }
                if ring == 0 {
                    break;
                }
            }
            if best.is_some_and(|(cost, ..)| cost < 0.15 + 0.12 * f64::from(ring)) {
                break 'rings;
            }
        }
        let (_, place, normal) = best?;
        let slant = normal.dot(up).max(0.5);
        // The joint stands above the ground by as much as at rest, measured across it.
        Some((place + up * (sole / slant), normal))
    }

    /// How bad ground is: steep, an edge, too high or too low.
    fn cost(&self, place: DVec3, normal: DVec3, height: f64, size: f64, ground: Near<'_>) -> f64 {
        let up = self.axes.up;
        let rise = (place.dot(up) - height).abs();
        let mut cost = 4.0 * (self.steepest - normal.dot(up)).max(0.0) + 0.3 * rise / self.height;
        if rise > self.most_step {
            cost += 3.0 + rise / self.height;
        }
        for (x, y) in &AROUND[..4] {
            let beside = place + (self.axes.forward * *x + self.axes.left * *y) * size;
            match ground(beside) {
                Some((at, _)) => {
                    let flat = (beside - place).dot(normal) / normal.dot(up).max(0.2);
                    let off = ((at - place).dot(up) + flat).abs();
                    cost += 0.5 * (off / size - 0.35).clamp(0.0, 1.0);
                }
                None => cost += 0.5,
            }
        }
        cost
    }

    /// How high a foot must be lifted between two places.
    pub(super) fn lift(&self, leg: usize, from: DVec3, to: DVec3, ground: Near<'_>) -> f64 {
        let up = self.axes.up;
        let sole = self.legs[leg].contact.dot(up) - self.floor;
        let mut lift = self.clearance * (0.5 + 0.5 * (arc::length(to - from) / (0.5 * self.height)).min(1.0));
        for sample in 1..16_u8 {
            let share = f64::from(sample) / 16.0;
            let at = from + (to - from) * smooth(share);
            if let Some((place, _)) = ground(at) {
                let over = place.dot(up) + sole + 0.5 * self.clearance * bump(share) - at.dot(up);
                lift = lift.max(over / bump(share).max(LIFTS));
            }
        }
        lift.min(0.8 * self.height)
    }

    /// The turn of a foot from its rest on ground with a normal, of a body that looks ahead.
    pub(super) fn foot_turn(&self, forward: DVec3, normal: DVec3) -> DQuat {
        let up = self.axes.up;
        let cosine = normal.dot(up);
        let lies = if cosine < MOST_ALIGNED {
            let aside = arc::unit(arc::reject(normal, up)).unwrap_or(self.axes.forward);
            up * MOST_ALIGNED + aside * ops::sqrt_clamped(1.0 - MOST_ALIGNED * MOST_ALIGNED)
        } else {
            normal
        };
        arc::arc(up, lies, self.axes.left) * self.heading(forward)
    }

    /// The turn about up that takes the rest's forward to another.
    pub(super) fn heading(&self, forward: DVec3) -> DQuat {
        arc::arc(self.axes.forward, forward, self.axes.up)
    }
}
