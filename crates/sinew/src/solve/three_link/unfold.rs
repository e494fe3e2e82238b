//! The last link at an angle to the second: links two and three are one rigid piece, whose chord closes a
//! triangle with the first. Where the target is out of its reach the angle gives way, as little as it can.
//!
//! The angle that gives way is on the rim of what the other joints can do: the first link in line with the
//! chord, or the middle joint at an end of its range; each is a triangle again. Only where limits are cones,
//! or hinges are not parallel, a search along the angle finds what those miss.

use core::cell::RefCell;
use core::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::direction::{Last, Yields};
use super::place::{link_of, near};
use super::solver::ThreeLink;
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::solve::two_bone::fold::Fold;
use crate::solve::two_bone::measure::Measured;
use crate::solve::two_bone::run::Placed;
use crate::solve::two_bone::swivel;
use crate::solve::two_bone::wish::Wish;
use crate::solve::{Status, point};
use crate::transform::Transform;

/// Relative miss that counts as none.
const MET: f64 = 1e-10;
/// Relative distance past the rim.
const HAIR: f64 = 4e-13;
/// Turns tried to either side, where limits leave no reach at all.
const SCAN: i32 = 36;

/// Places the limb with the last link at its angle, or as near to that as reaches.
pub(super) fn kept(
    limb: &ThreeLink,
    skeleton: &Skeleton,
    wish: &Wish,
    last: Option<Last>,
    pose: &mut Pose,
    blocked: &mut dyn FnMut(Joint),
) -> Placed {
    let mut whole = limb.whole();
    let arrival = whole.arrival(wish, pose).and_then(|arrival| Some((arrival.target?, arrival.offset)));
    let Some((target, offset)) = arrival else { return (Status::Singular, None) };
    let Some(heel) = Heel::of(limb, skeleton, pose, (target, offset), last) else { return (Status::Singular, None) };
    let given = *pose.local(limb.low);
    let mut miss = |turn: f64| {
        pose.edit(skeleton).local(limb.low, heel.turned(skeleton, turn));
        miss(limb, skeleton, pose, offset, target)
    };
    let yields = limb.yields == Yields::Direction && miss(0.0) > MET;
    let local = heel.turned(skeleton, if yields { heel.unfolded(skeleton, &mut miss) } else { 0.0 });
    pose.edit(skeleton).local(limb.low, if near(&given, &local) { given } else { local });
    if let Some(axis) =
        Measured::of(&whole, skeleton, pose, offset).and_then(|limb| limb.folds_about(skeleton.rest(whole.mid)))
    {
        whole.rest.axis = axis;
    }
    whole.place(skeleton, wish, pose, blocked)
}

/// How far the whole limb's tip is from the target's distance at best, in lengths of the limb.
fn miss(limb: &ThreeLink, skeleton: &Skeleton, pose: &Pose, offset: DVec3, target: DVec3) -> f64 {
    let whole = limb.whole();
    let Some(measured) = Measured::of(&whole, skeleton, pose, offset) else { return 0.0 };
    let distance = arc::length(measured.into_parent.transform_point3(target) - measured.origin);
    let Some(fold) = Fold::new(&whole, skeleton, pose, &measured, distance) else { return 0.0 };
    (arc::length(measured.tip(fold.mid)) * fold.stretch - distance).abs() / measured.length
}

/// The last link's joint about the axis on which the limb folds; vectors in the frame of its parent.
#[derive(Clone, Copy, Debug)]
struct Heel {
    joint: Joint,
    /// At the angle that is wanted, and the joint's value now.
    start: Transform,
    value: f64,
    /// Unit fold axis.
    axis: DVec3,
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
        pose: &Pose,
        (target, offset): (DVec3, DVec3),
        asked: Option<Last>,
    ) -> Option<Self> {
        let (joint, parent) = (limb.low, skeleton.parent(limb.low)?);
        let (link, value) = (link_of(limb, skeleton, pose, offset)?, pose.value(skeleton, limb.low));
        let mut start = Transform { rotation: skeleton.rest(joint).rotation, ..*pose.local(joint) };
        let into = pose.model(parent).inverse();
        let place = |joint: Joint| into.transform_point3(pose.position(joint));
        let (first, second) = (place(limb.root) - place(limb.mid), place(joint) - place(limb.mid));
        let line = arc::unit(second)?;
        let fold =
            arc::unit_reject(fold_axis(limb, skeleton), line, 1e-6).unwrap_or_else(|| arc::any_perpendicular(line));
        let flat = line.cross(start.rotation * (start.scale * link));
        let axis = match skeleton.kind(joint) {
            Kind::Hinge { axis, .. } => skeleton.zero(joint).rotation * axis,
            // The plane of the two links, where they have one.
            _ => arc::unit(flat).filter(|_| arc::length(flat) > 1e-6 * arc::length(link)).unwrap_or(fold),
        };
        let axis = if axis.dot(fold) < 0.0 { -axis } else { axis };
        if let Some(Last::Angle(angle)) = asked {
            let wanted = arc::axis_angle(axis, angle) * line;
            start = point::toward(skeleton, joint, &start, value, start.scale * link, wanted);
        }
        let middle = match skeleton.kind(limb.mid) {
            Kind::Hinge { axis, range } => {
                let map = into.matrix3 * pose.model(limb.mid).matrix3;
                let axis = arc::unit(map * axis)? * if map.determinant() < 0.0 { -1.0 } else { 1.0 };
                Middle::Hinge { axis, range, value: pose.value(skeleton, limb.mid) }
            }
            Kind::Ball(BallLimit::Free) | Kind::Free => Middle::Free,
            _ => Middle::Cone,
        };
        let last = start.rotation * (start.scale * link);
        let distance = arc::length(into.transform_point3(target) - place(limb.root));
        Some(Self { joint, start, value, axis, first, second, last, distance, middle })
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
    fn unfolded(&self, skeleton: &Skeleton, miss: &mut dyn FnMut(f64) -> f64) -> f64 {
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
        Self::searched(best, lowest, miss)
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
        if let Kind::Hinge { axis, range } = skeleton.kind(self.joint) {
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
    fn searched(mut best: f64, mut lowest: f64, miss: &mut dyn FnMut(f64) -> f64) -> f64 {
        let miss = RefCell::new(miss);
        let at = |turn: f64| (miss.borrow_mut())(turn);
        if let Some(turn) = swivel::nearest_allowed(at) {
            return turn;
        }
        let around = |i: i32| PI / f64::from(SCAN) * f64::from(i);
        for i in (0..=SCAN).flat_map(|i| [i, -i]) {
            if at(around(i)) <= at(around(i - 1)).min(at(around(i + 1))) {
                let turn = swivel::minimum(at, around(i - 1), around(i + 1));
                let here = at(turn);
                if here < lowest * (1.0 - 1e-9) {
                    (best, lowest) = (turn, here);
                }
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
