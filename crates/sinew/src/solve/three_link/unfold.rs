//! The last link at an angle to the second: links two and three are one rigid piece, whose chord closes a
//! triangle with the first. Where the target is out of its reach the angle gives way, as little as it can.
//!
//! The angle that gives way is on the rim of what the other joints can do: the first link in line with the
//! chord, or the middle joint at an end of its range; each is a triangle again. Only where limits are cones,
//! or hinges are not parallel, a search along the angle finds what those miss.

use glam::{DQuat, DVec3};

use super::direction::Yields;
use super::give_way;
use super::place::{before_pointing, link_of, near};
use super::settings::ThreeLink;
use crate::limit::Range;
use crate::math::affine::inverse;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::solve::two_bone::fold::Fold;
use crate::solve::two_bone::limb_target::LimbTarget;
use crate::solve::two_bone::measure::Measured;
use crate::solve::two_bone::rest::STRAIGHT;
use crate::solve::two_bone::run::Placed;
use crate::solve::two_bone::swivel::{self, Scan};
use crate::solve::two_bone::{Reach, TwoBone};
use crate::solve::{Bend, Status, point};
use crate::transform::Transform;

/// Relative miss that counts as none.
const MET: f64 = 1e-10;
/// Relative distance past the rim.
const HAIR: f64 = 4e-13;
/// Turn (radians), for each length of the limb that is missed, by which no turn that reaches is nearer: half of what the longest
/// last link needs, as limits may turn it farther.
const AWAY: f64 = 0.5;
/// Width (radians) to which the lowest miss is narrowed down, and where all joints give way from there.
const NARROW: f64 = 1e-6;
const ROUGH: f64 = 1e-2;

/// Places the limb with the last link at the angle asked for, else at the one it has at rest or, where the limb keeps the
/// bend of the pose given, there; or as near to that as reaches.
pub(super) fn kept(
    limb: &ThreeLink,
    skeleton: &Skeleton,
    limb_target: &LimbTarget,
    arrival: (DVec3, DVec3),
    angle: Option<f64>,
    pose: &mut Pose,
    blocked: &mut dyn FnMut(Joint),
) -> Placed {
    let given = *pose.local(limb.low);
    let rotation = if keeps(limb, limb_target) {
        given.rotation
    } else {
        before_pointing(limb, skeleton, limb_target.weight, pose)
    };
    let start = Transform { rotation, ..given };
    let Some(mut heel) = Heel::of(limb, skeleton, limb_target, pose, arrival, start, given) else {
        return (Status::Singular, None);
    };
    if let Some(angle) = angle {
        heel.fold(limb, skeleton, pose, angle);
    }
    heel.place(limb, skeleton, limb_target, arrival, pose, blocked)
}

/// Places the limb with the last link as it stands, or as near to that as reaches.
pub(super) fn from_here(
    limb: &ThreeLink,
    skeleton: &Skeleton,
    limb_target: &LimbTarget,
    arrival: (DVec3, DVec3),
    given: Transform,
    pose: &mut Pose,
    blocked: &mut dyn FnMut(Joint),
) -> Placed {
    let Some(heel) = Heel::of(limb, skeleton, limb_target, pose, arrival, *pose.local(limb.low), given) else {
        return (Status::Singular, None);
    };
    heel.place(limb, skeleton, limb_target, arrival, pose, blocked)
}

/// Whether the limb keeps the bend of the pose given.
pub(super) fn keeps(limb: &ThreeLink, limb_target: &LimbTarget) -> bool {
    limb.bend == Bend::Given && limb_target.pole.is_none()
}

/// The whole limb by its last joint's rotation, all else as it stands.
struct Chord<'a> {
    whole: TwoBone,
    skeleton: &'a Skeleton,
    pose: &'a Pose,
    /// From the root to the last joint, and from the middle joint to the tip.
    upper: Measured,
    lower: Measured,
    /// From root to target.
    distance: f64,
}

impl<'a> Chord<'a> {
    fn of(limb: &ThreeLink, skeleton: &'a Skeleton, pose: &'a Pose, (target, offset): (DVec3, DVec3)) -> Option<Self> {
        // The angle gives way before bones stretch, and reach holds back after that.
        let whole = TwoBone { reach: Reach::Clamp, ..limb.whole() };
        let upper = Measured::of(&TwoBone { reach: Reach::Clamp, ..limb.upper() }, skeleton, pose, DVec3::ZERO)?;
        let lower = Measured::of(&TwoBone { root: limb.mid, mid: limb.low, ..whole }, skeleton, pose, offset)?;
        let distance = arc::length(upper.into_parent.transform_point3(target) - upper.origin);
        Some(Self { whole, skeleton, pose, upper, lower, distance })
    }

    /// How far the tip is from a share of the target's distance at best, in lengths of the limb.
    fn miss(&self, low: DQuat, share: f64) -> f64 {
        let (b, distance) = (self.lower.tip(low), self.distance * share);
        let Measured { a, link, mid, .. } = self.upper;
        let length = arc::length(a) + arc::length(link * (mid * b));
        let measured = Measured { b, length, ..self.upper };
        let fold = Fold::new(&self.whole, self.skeleton, self.pose, &measured, distance);
        fold.map_or(0.0, |fold| (arc::length(measured.tip(fold.mid)) - distance).abs() / length)
    }
}

/// The last link's joint about the axis on which the limb folds; vectors in the frame of its parent.
#[derive(Clone, Copy, Debug)]
struct Heel {
    joint: Joint,
    /// As it was given, at the angle that is wanted, and the joint's value now.
    given: Transform,
    start: Transform,
    value: f64,
    /// Unit axis about which it opens, and about which the limb folds.
    axis: DVec3,
    fold: DVec3,
    /// Whether that is the plane of the pose given.
    folded: bool,
    /// From the middle joint to the root, from there to the heel, and from there to the tip at the start.
    first: DVec3,
    second: DVec3,
    last: DVec3,
    /// From root to target.
    distance: f64,
    middle: Middle,
}

/// What the middle joint may do.
#[derive(Clone, Copy, Debug)]
enum Middle {
    Free,
    /// A hinge's unit axis in the heel's parent, its range and its value now.
    Hinge {
        axis: DVec3,
        range: Range,
        value: f64,
    },
    Cone,
}

impl Heel {
    fn of(
        limb: &ThreeLink,
        skeleton: &Skeleton,
        limb_target: &LimbTarget,
        pose: &Pose,
        (target, offset): (DVec3, DVec3),
        start: Transform,
        given: Transform,
    ) -> Option<Self> {
        let (joint, parent) = (limb.low, skeleton.parent(limb.low)?);
        let (link, value) = (link_of(limb, skeleton, pose, offset)?, pose.value(skeleton, limb.low));
        let into = inverse(pose.model(parent))?;
        let place = |joint: Joint| into.transform_point3(pose.position(joint));
        let (first, second) = (place(limb.root) - place(limb.mid), place(joint) - place(limb.mid));
        let line = arc::unit(second)?;
        let own = arc::unit_reject(first, line, STRAIGHT)
            .filter(|_| keeps(limb, limb_target))
            .map(|across| line.cross(across));
        let fold = own
            .or_else(|| arc::unit_reject(fold_axis(limb, skeleton), line, 1e-6))
            .unwrap_or_else(|| arc::any_perpendicular(line));
        let flat = line.cross(start.rotation * (start.scale * link));
        let axis = match skeleton.kind(joint) {
            Kind::Hinge { axis, .. } => skeleton.zero(joint).rotation * axis,
            // The plane of the two links, where they have one.
            _ => arc::unit(flat).filter(|_| arc::length(flat) > 1e-6 * arc::length(link)).unwrap_or(fold),
        };
        let axis = if axis.dot(fold) < 0.0 { -axis } else { axis };
        let middle = match skeleton.kind(limb.mid) {
            Kind::Hinge { axis, .. } => {
                let map = into.matrix3 * pose.model(limb.mid).matrix3;
                let axis = arc::unit(map * axis)? * if map.determinant() < 0.0 { -1.0 } else { 1.0 };
                Middle::Hinge { axis, range: skeleton.range(limb.mid), value: pose.value(skeleton, limb.mid) }
            }
            Kind::Ball(BallLimit::Free) | Kind::Free => Middle::Free,
            _ => Middle::Cone,
        };
        let last = start.rotation * (start.scale * link);
        let distance = arc::length(into.transform_point3(target) - place(limb.root));
        let folded = own.is_some();
        Some(Self { joint, given, start, value, axis, fold, folded, first, second, last, distance, middle })
    }

    /// Starts at an angle to the second link, positive in the sense in which the limb folds. A ball in the
    /// middle is folded that way first, from its rest, unless its plane is kept.
    fn fold(&mut self, limb: &ThreeLink, skeleton: &Skeleton, pose: &mut Pose, angle: f64) {
        let Some(line) = arc::unit(self.second) else { return };
        self.axis = if matches!(skeleton.kind(self.joint), Kind::Hinge { .. }) { self.axis } else { self.fold };
        let link = self.start.rotation.conjugate() * self.last;
        let wanted = arc::axis_angle(self.axis, angle) * line;
        self.start = point::toward(skeleton, self.joint, &self.start, self.value, link, wanted);
        self.last = self.start.rotation * link;
        if self.folded || matches!(self.middle, Middle::Hinge { .. }) {
            return;
        }
        let mid = limb.mid;
        let rest = Transform { rotation: skeleton.rest(mid).rotation, ..*pose.local(mid) };
        let rest = skeleton.nearest_allowed(mid, &rest, 0.0);
        pose.edit(skeleton).local(limb.low, self.start).local(mid, rest);
        let Some(measured) = Measured::of(&limb.whole(), skeleton, pose, DVec3::ZERO) else { return };
        let Some(first) = arc::unit(measured.a) else { return };
        let across = measured.link.inverse() * limb.rest[0].axis.cross(first);
        let folded = point::toward(skeleton, mid, &rest, 0.0, measured.b, across);
        pose.edit(skeleton).local(mid, folded);
    }

    fn place(
        &self,
        limb: &ThreeLink,
        skeleton: &Skeleton,
        limb_target: &LimbTarget,
        (target, offset): (DVec3, DVec3),
        pose: &mut Pose,
        blocked: &mut dyn FnMut(Joint),
    ) -> Placed {
        let mut whole = limb.whole();
        let share = self.softened(limb);
        let goes_on = matches!(limb.reach, Reach::Clamp | Reach::Hold) && give_way::gives_way(limb, skeleton);
        let narrow = if goes_on { ROUGH } else { NARROW };
        let chord = Chord::of(limb, skeleton, pose, (target, offset));
        let opened = |share: f64| {
            let miss =
                |turn: f64| chord.as_ref().map_or(0.0, |chord| chord.miss(self.turned(skeleton, turn).rotation, share));
            if limb.yields != Yields::Direction || miss(0.0) <= MET {
                return (0.0, false);
            }
            let turn = Self { distance: self.distance * share, ..*self }.unfolded(skeleton, &miss, narrow);
            (turn, miss(turn) <= MET)
        };
        let (turn, reachable) = opened(share);
        let reachable = if share < 1.0 { opened(1.0).1 } else { reachable };
        let local = self.turned(skeleton, turn);
        pose.edit(skeleton).local(limb.low, if near(&self.given, &local) { self.given } else { local });
        // Where straight or folded flat tells no plane, that of the rest pose with this heel does.
        let measured = Measured::of(&whole, skeleton, pose, offset);
        if let Some(axis) = measured.and_then(|measured| measured.folds_about(skeleton.rest(limb.mid))) {
            if whole.rest.preferred == whole.rest.axis {
                whole.rest.preferred = axis;
            }
            whole.rest.axis = axis;
        }
        let (status, swivel) = whole.place(skeleton, limb_target, pose, blocked);
        // A hair past the rim is not out of reach.
        let short = matches!(limb.reach, Reach::Soft { .. }) && matches!(status, Status::OutOfReach | Status::TooClose);
        (if reachable && short { Status::Softened } else { status }, swivel)
    }

    /// The share of the way to the target for which the joint opens: where reach is soft it does so as softly as the middle joint of
    /// the last two links, with the first one in line.
    fn softened(&self, limb: &ThreeLink) -> f64 {
        let [first, second, last] = [self.first, self.second, self.last].map(arc::length);
        let is_soft = matches!(limb.reach, Reach::Soft { .. }) && !limb.reach.stretches();
        if !is_soft || self.distance <= first {
            return 1.0;
        }
        let chord = limb.reach.span(self.distance - first, second, last).distance;
        ((first + chord) / self.distance).min(1.0)
    }

    /// The joint turned about the fold axis from its start, within its limit.
    fn turned(&self, skeleton: &Skeleton, turn: f64) -> Transform {
        if turn == 0.0 {
            return skeleton.nearest_allowed(self.joint, &self.start, self.value);
        }
        let rotation = arc::normalize(arc::axis_angle(self.axis, turn) * self.start.rotation);
        skeleton.nearest_allowed(self.joint, &Transform { rotation, ..self.start }, self.value)
    }

    /// The least turn for which the limb reaches, else that for which it misses least.
    fn unfolded(&self, skeleton: &Skeleton, miss: &dyn Fn(f64) -> f64, narrow: f64) -> f64 {
        let (mut best, mut lowest) = (0.0, miss(0.0));
        let mut consider = |turn: f64| {
            let here = miss(turn);
            let reached = here <= MET && (lowest > MET || turn.abs() < f64::abs(best) - 1e-9);
            if reached || lowest > MET && here < lowest * (1.0 - 1e-9) {
                (best, lowest) = (turn, here);
            }
        };
        self.rims(skeleton, &mut consider);
        if lowest <= MET || self.is_flat(skeleton) {
            return best;
        }
        Self::searched(best, lowest, miss, narrow)
    }

    /// Turns at which the other joints are at the rim of what they can do.
    fn rims(&self, skeleton: &Skeleton, consider: &mut dyn FnMut(f64)) {
        let (first, distance) = (arc::length(self.first), self.distance);
        // A hair past the rim, so that the limb is straight, or folded flat, and not nearly so.
        let hair = HAIR * (first + arc::length(self.second) + arc::length(self.last));
        let chord =
            arc::length(self.second + self.last).max((distance - first).abs() - hair).min(distance + first + hair);
        self.turns(self.second, chord).into_iter().for_each(&mut *consider);
        if let Middle::Hinge { axis, range, value } = self.middle {
            for end in [range.min, range.max].into_iter().filter(|end| end.is_finite()) {
                let first = arc::axis_angle(axis, value - end) * self.first;
                self.turns(self.second - first, self.distance).into_iter().for_each(&mut *consider);
            }
        }
        if let Some((axis, range)) = skeleton.hinge(self.joint) {
            let turn = skeleton.zero(self.joint).rotation.conjugate() * self.start.rotation;
            let sense = if (skeleton.zero(self.joint).rotation * axis).dot(self.axis) < 0.0 { -1.0 } else { 1.0 };
            let from = arc::twist_angle(turn, axis);
            [range.min, range.max]
                .into_iter()
                .filter(|end| end.is_finite())
                .for_each(|end| consider(sense * (end - from)));
        }
    }

    /// Both turns, less first, at which a vector and the last link add up to a length, or to what is nearest.
    fn turns(&self, vector: DVec3, length: f64) -> [f64; 2] {
        let (s, v) = (arc::reject(vector, self.axis), arc::reject(self.last, self.axis));
        let both = arc::length(s) * arc::length(v);
        if both == 0.0 {
            return [0.0; 2];
        }
        let height = self.axis.dot(vector + self.last);
        let now = ops::atan2(self.axis.dot(s.cross(v)), s.dot(v));
        let c = ((length * length - height * height - s.dot(s) - v.dot(v)) / (2.0 * both)).clamp(-1.0, 1.0);
        let wanted = ops::atan2(ops::sqrt((1.0 - c) * (1.0 + c)), c);
        let [plus, minus] = [wanted, -wanted].map(|angle| ops::nearest_turn(angle - now, 0.0));
        if plus.abs() <= minus.abs() { [plus, minus] } else { [minus, plus] }
    }

    /// Whether the rims are all there is: no cones, and hinges about one axis.
    fn is_flat(&self, skeleton: &Skeleton) -> bool {
        let plain = matches!(skeleton.kind(self.joint), Kind::Hinge { .. } | Kind::Ball(BallLimit::Free) | Kind::Free);
        plain
            && match self.middle {
                Middle::Free => true,
                Middle::Hinge { axis, .. } => arc::length(axis.cross(self.axis)) < 1e-9,
                Middle::Cone => false,
            }
    }

    /// The least turn that reaches, by search, else the lowest miss of a scan, refined.
    fn searched(mut best: f64, mut lowest: f64, miss: &dyn Fn(f64) -> f64, narrow: f64) -> f64 {
        let mut scan = Scan::of(miss);
        if let Some(turn) = scan.nearest_allowed(AWAY) {
            return turn;
        }
        for [before, after] in scan.dips() {
            let turn = swivel::minimum(miss, before, after, narrow);
            let here = miss(turn);
            if here < lowest * (1.0 - 1e-9) {
                (best, lowest) = (turn, here);
            }
        }
        best
    }
}

/// The limb's fold axis, carried at rest from the root's frame into that of the heel's parent.
fn fold_axis(limb: &ThreeLink, skeleton: &Skeleton) -> DVec3 {
    let mut turn = DQuat::IDENTITY;
    let mut at = skeleton.parent(limb.low);
    while let Some(joint) = at.filter(|&joint| joint != limb.root) {
        turn = skeleton.rest(joint).rotation * turn;
        at = skeleton.parent(joint);
    }
    turn.conjugate() * limb.rest[0].axis
}
