//! Where a foot lands, and how it lies there.

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops};

use super::{Gait, Near};

/// Cosine of the steepest slope that a foot lies along.
const MOST_ALIGNED: f64 = 0.8;
/// How many steps higher than it should be ground is looked for where there is none.
const HIGHER: u32 = 6;
/// Shares of the way to where a foot should land at which it lands where there is no good ground farther on.
const NEARER: [f64; 4] = [1.0, 0.75, 0.5, 0.25];
/// Cost of a foothold on which legs cross, or that cannot be stepped to.
pub(super) const BAD: f64 = 2.0;
/// Steepest that a foot leans along its length (a tangent), and how far the ground bulges under it (share of its length): more is an edge.
pub(super) const MOST_SLOPE: f64 = 0.75;
const MOST_BULGE: f64 = 0.25;
/// Parts into which a sole is divided where the ground under it is looked at.
const SOLE: u32 = 32;
const AROUND: [(f64, f64); 8] =
    [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (0.7, 0.7), (-0.7, 0.7), (-0.7, -0.7), (0.7, -0.7)];

/// What it costs, for the sake of other legs, to stand at a place.
type Beside<'a> = &'a dyn Fn(DVec3) -> f64;

/// A place where a foot could stand, and how bad it is.
#[derive(Clone, Copy, Debug)]
struct Foothold {
    cost: f64,
    place: DVec3,
    normal: DVec3,
}

impl Gait {
    /// The best ground near a wish, or else nearer to where the foot comes from: where its touching joint is to be and how the foot is
    /// turned, of a body that looks ahead. A step up or down is counted from `height`; `beside` is what it costs to stand there for the sake
    /// of other legs. Without ground the wish at that height.
    pub(super) fn landing(
        &self,
        leg: usize,
        [from, wish, forward]: [DVec3; 3],
        height: f64,
        beside: Beside<'_>,
        ground: Near<'_>,
    ) -> (DVec3, DQuat) {
        let up = self.axes.up;
        let mut best: Option<Foothold> = None;
        for share in NEARER {
            if best.is_some_and(|best| best.cost < BAD) {
                break;
            }
            let found = self.foothold(from.lerp(wish, share), height, beside, ground);
            best = [best, found].into_iter().flatten().min_by(|a, b| a.cost.total_cmp(&b.cost));
        }
        // What is all too high is stepped on all the same, rather than into.
        let higher = || {
            let mut over = (1..=HIGHER).map(|steps| height + f64::from(steps) * self.most_step);
            over.find_map(|height| self.foothold(wish, height, beside, ground))
        };
        let found = best.or_else(higher).map(|found| (found.place, found.normal));
        let found = found.map(|found| self.off_risers(leg, found, forward, ground));
        self.set_down(leg, found.unwrap_or((arc::reject(wish, up) + up * height, up)), forward, ground)
    }

    /// The same place, or as little beside it along the foot as its toes and heel need to be out of risers.
    fn off_risers(&self, leg: usize, found: (DVec3, DVec3), forward: DVec3, ground: Near<'_>) -> (DVec3, DVec3) {
        let (up, one) = (self.axes.up, &self.legs[leg]);
        let [heel, tip] = one.ends(&self.axes).map(|end| self.heading(forward) * end);
        let strikes = |place: DVec3, end: DVec3| {
            let rise = ground(place + end).map_or(0.0, |(at, _)| (at - place).dot(up));
            rise > MOST_SLOPE * arc::length(end)
        };
        let back = match [tip, heel].map(|end| strikes(found.0, end)) {
            [true, false] => heel - tip,
            [false, true] => tip - heel,
            _ => return found,
        };
        let stood = |part: u32| {
            let (place, normal) = ground(found.0 + back * (f64::from(part) / f64::from(SOLE)))?;
            (![tip, heel].iter().any(|end| strikes(place, *end))).then_some((place, normal))
        };
        (1..=SOLE).find_map(stood).unwrap_or(found)
    }

    /// Where the touching joint is and how the foot is turned that stands on the ground at a place: along the ground between heel and toes,
    /// and no part of it under ground that is not an edge.
    fn set_down(
        &self,
        leg: usize,
        (place, mut normal): (DVec3, DVec3),
        forward: DVec3,
        ground: Near<'_>,
    ) -> (DVec3, DQuat) {
        let (up, one) = (self.axes.up, &self.legs[leg]);
        let [heel, tip] = one.ends(&self.axes).map(|end| self.heading(forward) * end);
        let (along, length) = (arc::unit(tip - heel).unwrap_or(forward), arc::length(tip - heel));
        let high = |end: DVec3| ground(place + end).map(|(found, _)| (found - place).dot(up));
        let mut raised = 0.0_f64;
        if let (Some(behind), Some(ahead)) = (high(heel), high(tip)) {
            let slope = (ahead - behind) / length.max(1e-9);
            let bulge = |(high, end): (f64, DVec3)| high - slope * end.dot(along);
            if slope.abs() < MOST_SLOPE
                && [(behind, heel), (ahead, tip)].map(bulge).iter().all(|high| high.abs() < MOST_BULGE * length)
            {
                // As the ground leans across the foot, and along it as heel and toes say.
                let across = arc::reject(normal, along);
                normal = arc::unit(across - along * (slope * across.dot(up))).unwrap_or(normal);
                let parts = (0..=SOLE).map(|part| heel.lerp(tip, f64::from(part) / f64::from(SOLE)));
                raised = parts.filter_map(|end| Some(bulge((high(end)?, end)))).fold(0.0, f64::max);
            }
        }
        // The joint stands above the ground by as much as at rest, measured across it.
        let sole = one.contact.dot(up) - self.floor;
        (place + up * (sole / normal.dot(up).max(0.5) + raised), self.foot_turn(forward, normal))
    }

    /// The best ground near a wish.
    fn foothold(&self, wish: DVec3, height: f64, beside: Beside<'_>, ground: Near<'_>) -> Option<Foothold> {
        let up = self.axes.up;
        let size = 0.07 * self.height;
        let mut best: Option<Foothold> = None;
        'rings: for ring in 0..4_u8 {
            for (x, y) in AROUND {
                let r = f64::from(ring) * 0.12 * self.height;
                let at = arc::reject(wish, up) + up * height + (self.axes.forward * x + self.axes.left * y) * r;
                if let Some((place, normal)) = ground(at) {
                    let cost = self.cost(place, normal, height, size, ground) + r / self.height + beside(place);
                    if best.is_none_or(|best| cost < best.cost) {
                        best = Some(Foothold { cost, place, normal });
                    }
                }
                if ring == 0 {
                    break;
                }
            }
            if best.is_some_and(|best| best.cost < 0.15 + 0.12 * f64::from(ring)) {
                break 'rings;
            }
        }
        best
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feet::Leg;
    use sinew::{JointSpec, SkeletonBuilder};

    /// Toes and heel stand off the risers that they would be in, where the tread is long enough.
    #[test]
    fn feet_stand_off_risers() {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("body").translation([0.0, 1.0, 0.0]));
        let places = [[0.0, 0.0, 0.0], [0.0, -0.45, 0.05], [0.0, -0.5, -0.1], [0.0, -0.05, 0.15], [0.0, 0.0, 0.15]];
        let parts = ["hip", "knee", "ankle", "ball", "tip"];
        for (side, x) in [("l", 0.15), ("r", -0.15)] {
            for (part, at) in places.into_iter().enumerate() {
                let above = if part == 0 { "body".to_owned() } else { format!("{}{side}", parts[part - 1]) };
                let at = if part == 0 { [x, 0.0, 0.0] } else { at };
                builder
                    .add(JointSpec::named(format!("{}{side}", parts[part])).child_of(above.as_str()).translation(at));
            }
        }
        let skeleton = builder.build().unwrap();
        let legs = ["l", "r"].map(|side| {
            let joint = |part: &str| skeleton.joint(&format!("{part}{side}")).unwrap();
            let joints = parts[..3].iter().map(|part| joint(part)).collect();
            Leg { joints, toe: Some(joint("ball")), end: Some(joint("tip")), apart: None }
        });
        let gait = Gait::new(&skeleton, &legs, DVec3::Y, DVec3::Z, None).unwrap();
        // A foot from 0.15 before to 0.15 m behind its ball, which would stand at 0.2 m.
        for (behind, ahead, stands) in [(-1.0, 0.3, 0.15), (0.1, 1.0, 0.25), (-1.0, 1.0, 0.2), (0.1, 0.3, 0.2)] {
            let high = |z: f64| if (behind..ahead).contains(&z) { 0.0 } else { 0.3 };
            let ground = |at: DVec3| Some((DVec3::new(at.x, high(at.z), at.z), DVec3::Y));
            let found = (DVec3::new(0.15, 0.0, 0.2), DVec3::Y);
            let (place, _) = gait.off_risers(0, found, DVec3::Z, &ground);
            assert!((place.z - stands).abs() < 0.01 && place.y == 0.0, "{behind} to {ahead}: {place}");
        }
    }
}
