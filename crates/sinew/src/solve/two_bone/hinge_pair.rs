//! Root and middle joint both hinges, as in mechanisms and sprites: two angles decide everything.
//!
//! The root's best angle for a given fold is one arc tangent, so one angle is left. About parallel axes the
//! tip's distance from the root's axis decides it, in closed form, both branches; about others it is the
//! lowest of a scan, refined. Ends of ranges are tried with the other joint at its best.

use core::f64::consts::{PI, TAU};

use glam::{DQuat, DVec2, DVec3};

use super::circle::Circle;
use super::stuck::Stuck;
use super::swivel::{NARROW, minimum};
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::skeleton::Joint;

/// Folds tried all round, where the axes are not parallel.
const SCAN: i32 = 48;
/// Relative difference below which two misses are one, and the nearer turn wins.
const TIE: f64 = 1e-9;
/// Turns (radians) of which neither is nearer.
const SAME: f64 = 1e-6;
/// Relative miss that counts as none.
const ARRIVED: f64 = 1e-12;

/// One of the two: its axis, range, and present value.
#[derive(Clone, Copy)]
struct Hinge {
    joint: Joint,
    axis: DVec3,
    range: Range,
    now: f64,
}

impl Hinge {
    fn of(stuck: &Stuck<'_>, joint: Joint) -> Option<Self> {
        let (axis, range) = stuck.skeleton.hinge(joint)?;
        Some(Self { joint, axis, range, now: stuck.pose.value(stuck.skeleton, joint) })
    }

    fn rotation(&self, stuck: &Stuck<'_>, value: f64) -> DQuat {
        stuck.skeleton.zero(self.joint).rotation * arc::axis_angle(self.axis, value)
    }

    /// The allowed angle that turns `from` nearest to `to`, both in the hinge's zero frame.
    fn best(&self, from: DVec3, to: DVec3) -> f64 {
        let sine = self.axis.dot(from.cross(to));
        let cosine = from.dot(to) - self.axis.dot(from) * self.axis.dot(to);
        if sine == 0.0 && cosine == 0.0 { self.now } else { self.range.clamp_angle(ops::atan2(sine, cosine), self.now) }
    }

    fn ends(&self) -> impl Iterator<Item = f64> {
        [self.range.min, self.range.max].into_iter().filter(|end| end.is_finite())
    }
}

/// The nearest local rotations of two hinges; `None` where one is none.
pub(super) fn nearest(stuck: &Stuck<'_>) -> Option<[DQuat; 2]> {
    let root = Hinge::of(stuck, stuck.limb.root)?;
    let mid = Hinge::of(stuck, stuck.limb.mid)?;
    let measured = stuck.measured;
    let zero = stuck.skeleton.zero(root.joint).rotation;
    let p = zero.conjugate() * stuck.p;
    let circle = Circle::new(measured.a, &measured.link, stuck.skeleton.zero(mid.joint).rotation, mid.axis, measured.b);
    let root_for = |fold: f64| root.best(circle.tip(fold), p);
    let miss = |turn: f64, fold: f64| arc::length(p - arc::axis_angle(root.axis, turn) * circle.tip(fold));
    let mut best: Option<(f64, f64)> = None;
    let mut consider = |turn: f64, fold: f64| {
        let cost = |(turn, fold): (f64, f64)| (turn - root.now).abs() + (fold - mid.now).abs();
        let here = miss(turn, fold);
        let better = best.is_none_or(|old| {
            let there = miss(old.0, old.1);
            let same = (here - there).abs() <= TIE * measured.length;
            // Two finds of one place differ by the root of rounding: the first stays, wherever the joints are.
            if same { cost((turn, fold)) < cost(old) - SAME } else { here < there }
        });
        if better {
            best = Some((turn, fold));
        }
        here
    };
    let mut try_fold = |fold: f64| {
        let fold = mid.range.clamp_angle(fold, mid.now);
        consider(root_for(fold), fold)
    };
    // About parallel axes only the distance from the root's axis counts; about others a place that is
    // reached is as far from the root as the tip.
    let straight = circle.straight();
    let parallel = arc::length(root.axis.cross(arc::unit(circle.normal()).unwrap_or(root.axis))) < 1e-12;
    let (along, height) = if parallel { (root.axis.dot(p), root.axis.dot(circle.tip(0.0))) } else { (0.0, 0.0) };
    let distance = ops::sqrt_clamped(p.dot(p) - along * along + height * height);
    let misses = circle.angles(distance).map(&mut try_fold);
    if misses.into_iter().fold(f64::INFINITY, f64::min) > ARRIVED * measured.length {
        mid.ends().chain([straight, straight + PI]).for_each(|fold| {
            try_fold(fold);
        });
        if !parallel {
            Scan::new(&root, &circle, p).lowest(mid.range, straight, |fold| {
                try_fold(fold);
            });
        }
        for turn in root.ends() {
            let fold = circle.nearest(arc::axis_angle(root.axis, -turn) * p);
            consider(turn, mid.range.clamp_angle(fold, mid.now));
        }
    }
    best.map(|(turn, fold)| [root.rotation(stuck, turn), mid.rotation(stuck, fold)])
}

/// The miss at every fold, with the root at its best, without an arc tangent.
struct Scan<'a> {
    circle: &'a Circle,
    /// Directions across the root's axis, and along it.
    frame: [DVec3; 3],
    /// The target in that frame.
    p: DVec3,
    /// Directions of the middle and the ends of the root's range, and the cosine of half of it; `None` for all round.
    arc: Option<([DVec2; 3], f64)>,
}

impl<'a> Scan<'a> {
    fn new(root: &Hinge, circle: &'a Circle, p: DVec3) -> Self {
        let across = arc::any_perpendicular(root.axis);
        let frame = [across, root.axis.cross(across), root.axis];
        let Range { min, max } = root.range;
        let direction = |angle: f64| {
            let (s, c) = ops::sin_cos(angle);
            DVec2::new(c, s)
        };
        let arc = (max - min < TAU).then(|| {
            let half = direction(0.5 * (max - min));
            ([0.5 * (min + max), min, max].map(direction), half.x)
        });
        Self { circle, frame, p: DVec3::from(frame.map(|axis| axis.dot(p))), arc }
    }

    /// The square of the miss.
    fn miss(&self, fold: f64) -> f64 {
        let tip = self.circle.tip(fold);
        let q = DVec3::from(self.frame.map(|axis| axis.dot(tip)));
        // The turn from the tip to the target, times both lengths.
        let turn = DVec2::new(q.x * self.p.x + q.y * self.p.y, q.x * self.p.y - q.y * self.p.x);
        let both = ops::sqrt(turn.dot(turn));
        let along =
            match &self.arc {
                Some(([middle, low, high], cosine)) if middle.dot(turn) < cosine * both => {
                    if middle.perp_dot(turn) < 0.0 { low.dot(turn) } else { high.dot(turn) }
                }
                _ => both,
            };
        self.p.dot(self.p) + q.dot(q) - 2.0 * (along + q.z * self.p.z)
    }

    /// The lowest folds within a range, refined.
    fn lowest(&self, range: Range, straight: f64, mut found: impl FnMut(f64)) {
        let all = range.max - range.min >= TAU;
        let (low, width) = if all { (straight, TAU) } else { (range.min, range.max - range.min) };
        let step = width / f64::from(SCAN);
        let angle = |i: i32| low + step * f64::from(i);
        // Past the ends of a range all is higher.
        let at = |i: i32| if all || (0..=SCAN).contains(&i) { self.miss(angle(i)) } else { f64::INFINITY };
        let (mut before, mut here) = (at(-1), at(0));
        for i in 0..=SCAN {
            let after = at(i + 1);
            if here <= before && here <= after {
                let inside = |i: i32| if all { i } else { i.clamp(0, SCAN) };
                found(minimum(|fold| self.miss(fold), angle(inside(i - 1)), angle(inside(i + 1)), NARROW));
            }
            (before, here) = (here, after);
        }
    }
}
