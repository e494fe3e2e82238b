//! Where no turn of the limb is allowed as it is: root and middle joint give way inside their limits,
//! each taking up what the other may not do, to the nearest miss.
//!
//! From a few bends around the line, alternating best turns (cyclic coordinate descent on two
//! joints) and then a compass search in the joints' rotations, every trial projected on the limits.

use core::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};

use super::hinge_pair;
use super::measure::{Measured, STRAIGHT};
use super::placement::Placement;
use super::solver::TwoBone;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::{Status, point};
use crate::transform::Transform;

/// Bends tried around the line.
const SIDES: u32 = 4;
/// Turns of the middle joint tried at each (tangents of half the angle).
const FOLDS: [f64; 3] = [0.0, 1.5, -1.5];
/// Compass steps (half-angle sines): first, coarsest kept for the other starts, last.
const FIRST: f64 = 0.25;
const COARSE: f64 = 1e-2;
const LAST: f64 = 1e-8;
/// Compass rounds in all.
const TRIALS: u32 = 120;
/// Rounds of alternating turns.
const ROUNDS: u32 = 16;

/// Directions of the compass, but for their opposites: faces, edges and corners of a cube.
const AXES: [(f64, f64, f64); 13] = [
    (1.0, 0.0, 0.0),
    (0.0, 1.0, 0.0),
    (0.0, 0.0, 1.0),
    (1.0, 1.0, 0.0),
    (1.0, -1.0, 0.0),
    (1.0, 0.0, 1.0),
    (1.0, 0.0, -1.0),
    (0.0, 1.0, 1.0),
    (0.0, 1.0, -1.0),
    (1.0, 1.0, 1.0),
    (1.0, 1.0, -1.0),
    (1.0, -1.0, 1.0),
    (-1.0, 1.0, 1.0),
];

/// A limb whose limits forbid its placement.
#[derive(Clone, Copy)]
pub(super) struct Stuck<'a> {
    pub(super) limb: &'a TwoBone,
    pub(super) skeleton: &'a Skeleton,
    pub(super) pose: &'a Pose,
    pub(super) measured: &'a Measured,
    /// Target from the root.
    pub(super) p: DVec3,
}

/// Root and middle joint, both allowed.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) root: Transform,
    pub(super) mid: Transform,
}

/// Moves the placement inside the limits; `turned` is the root for a bend turned by an angle.
pub(super) fn give_way(
    stuck: &Stuck<'_>,
    turned: impl Fn(f64) -> Transform,
    placement: &mut Placement,
    blocked: &mut dyn FnMut(Joint),
) {
    // In units of the unstretched limb.
    let stuck = Stuck { p: stuck.p / placement.stretch, ..*stuck };
    if let Some(best) = hinge_pair::nearest(&stuck) {
        stuck.settle(&best, placement, blocked);
        return;
    }
    let mid = Transform { rotation: placement.mid, ..*stuck.pose.local(stuck.limb.mid) };
    let fold_axis = match stuck.skeleton.kind(stuck.limb.mid) {
        Kind::Hinge { axis, .. } => axis,
        _ => mid.rotation.conjugate() * stuck.limb.rest.axis,
    };
    // Straighter and more folded than the distance alone would have it, on several sides.
    let start = |side: u32, fold: f64| {
        let root = turned(2.0 * PI * f64::from(side) / f64::from(SIDES));
        let mut folded = mid;
        turn_by(&mut folded, fold_axis * fold);
        let mut pair = stuck.allowed(Pair { root, mid: folded });
        if fold == 0.0 {
            stuck.alternate(&mut pair);
        }
        stuck.compass(&mut pair, FIRST, COARSE);
        pair
    };
    let mut best = start(0, 0.0);
    for (side, fold) in (0..SIDES).flat_map(|side| FOLDS.map(|fold| (side, fold))).skip(1) {
        let pair = start(side, fold);
        if stuck.miss(&pair) < stuck.miss(&best) * (1.0 - 1e-6) {
            best = pair;
        }
    }
    stuck.compass(&mut best, COARSE, LAST);
    stuck.settle(&best, placement, blocked);
}

impl Stuck<'_> {
    fn allowed(&self, pair: Pair) -> Pair {
        let (root, mid) = (self.limb.root, self.limb.mid);
        Pair {
            root: self.skeleton.nearest_allowed(root, &pair.root, self.pose.value(self.skeleton, root)),
            mid: self.skeleton.nearest_allowed(mid, &pair.mid, self.pose.value(self.skeleton, mid)),
        }
    }

    fn miss(&self, pair: &Pair) -> f64 {
        arc::length(self.p - pair.root.rotation * self.measured.tip(pair.mid.rotation))
    }

    /// Where the middle joint would have to point its tip, in its parent's frame.
    fn wanted(&self, pair: &Pair, out_of_link: &DMat3) -> DVec3 {
        *out_of_link * (pair.root.rotation.conjugate() * self.p - self.measured.a)
    }

    /// Middle joint and root in turns, each as near as it may.
    fn alternate(&self, pair: &mut Pair) {
        let out_of_link = self.measured.link.inverse();
        for _ in 0..ROUNDS {
            let before = (*pair, self.miss(pair));
            let wanted = self.wanted(pair, &out_of_link);
            self.turn(self.limb.mid, &mut pair.mid, self.measured.b, wanted);
            self.turn(self.limb.root, &mut pair.root, self.measured.tip(pair.mid.rotation), self.p);
            let miss = self.miss(pair);
            if miss > before.1 {
                *pair = before.0;
            }
            if miss > before.1 * 0.999 {
                break;
            }
        }
    }

    fn turn(&self, joint: Joint, local: &mut Transform, tip: DVec3, wanted: DVec3) {
        *local = point::toward(self.skeleton, joint, local, self.pose.value(self.skeleton, joint), tip, wanted);
    }

    /// Small turns about each axis of each joint, kept where they bring the tip nearer.
    fn compass(&self, pair: &mut Pair, first: f64, last: f64) {
        let mut step = first;
        let mut miss = self.miss(pair);
        for _ in 0..TRIALS {
            if step <= last || miss <= 1e-13 * self.measured.length {
                break;
            }
            let mut better = false;
            for &(x, y, z) in &AXES {
                // Together and apart, since what one may not do the other takes up.
                for (root, mid) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step), (step, step), (step, -step)] {
                    let mut next = *pair;
                    turn_by(&mut next.root, DVec3::new(x, y, z) * root);
                    turn_by(&mut next.mid, DVec3::new(x, y, z) * mid);
                    let next = self.allowed(next);
                    let nearer = self.miss(&next);
                    if nearer < miss {
                        (*pair, miss, better) = (next, nearer, true);
                    }
                }
            }
            if !better {
                step *= 0.5;
            }
        }
    }

    /// Writes the pair into the placement and names the joints that would go on if they might.
    fn settle(&self, pair: &Pair, placement: &mut Placement, blocked: &mut dyn FnMut(Joint)) {
        let tip = self.measured.tip(pair.mid.rotation);
        let reach = pair.root.rotation * tip;
        placement.root = pair.root.rotation;
        placement.mid = pair.mid.rotation;
        if let Some((axis, range)) = self.skeleton.hinge(self.limb.mid) {
            let zero = self.skeleton.zero(self.limb.mid).rotation;
            let turn = arc::twist_angle(zero.conjugate() * pair.mid.rotation, axis);
            placement.mid_value = Some(range.clamp_angle(turn, self.pose.value(self.skeleton, self.limb.mid)));
        }
        let bend =
            arc::unit(reach).and_then(|line| arc::unit_reject(pair.root.rotation * self.measured.a, line, STRAIGHT));
        placement.bent(self.measured, bend.unwrap_or(placement.swivel.bend));
        if arc::length(self.p - reach) <= 1e-9 * self.measured.length {
            return;
        }
        placement.status = Status::Limited;
        let wanted = self.wanted(pair, &self.measured.link.inverse());
        for (joint, local, tip, wanted) in
            [(self.limb.root, pair.root, tip, self.p), (self.limb.mid, pair.mid, self.measured.b, wanted)]
        {
            let (Some(from), Some(to)) = (arc::unit(local.rotation * tip), arc::unit(wanted)) else { continue };
            if arc::length(from - to) > 1e-7 {
                blocked(joint);
            }
        }
    }
}

/// A small turn in the joint's own frame, given by its axis times the tangent of half the angle.
fn turn_by(joint: &mut Transform, axis: DVec3) {
    joint.rotation = arc::normalize(joint.rotation * DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0));
}
