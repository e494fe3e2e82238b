//! The last link at an angle to the second: links two and three are one rigid piece, whose chord closes a
//! triangle with the first. Where the target is out of its reach the angle gives way, as little as it can.
//!
//! - [`heel`](super::heel): the joint of the last link, and the axis about which it opens;
//! - [`least_turn`](super::least_turn): how far it opens.

use glam::{DQuat, DVec3};

use super::direction::Yields;
use super::give_way;
use super::heel::{Heel, keeps};
use super::last_link::before_pointing;
use super::least_turn::MET;
use super::settings::ThreeLink;
use super::still::near;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::Status;
use crate::solve::two_bone::fold::Fold;
use crate::solve::two_bone::limb_target::LimbTarget;
use crate::solve::two_bone::measure::Measured;
use crate::solve::two_bone::run::Placed;
use crate::solve::two_bone::{Reach, TwoBone};
use crate::transform::Transform;

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

impl Heel {
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
            let turn = self.at_share(share).unfolded(skeleton, &miss, narrow);
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
}
