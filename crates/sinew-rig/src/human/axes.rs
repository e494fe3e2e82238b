//! About which axes a joint of a human moves, and its limit there.

use glam::{DQuat, DVec3};
use sinew::limit::{EllipticSwing, Range};
use sinew::math::arc;
use sinew::{BallLimit, Joint, Kind};

use super::motion::{Motion, Turn, Way};
use crate::role::{Role, Side};
use crate::t_pose::TPose;

/// A rest that lies farther outside a human's range (radians) is an error: fifteen degrees.
const BEYOND: f64 = 0.26;

/// Axes in the joint's own frame, in the T-pose.
#[derive(Clone, Copy, Debug)]
pub(super) enum Axes {
    /// What a positive turn about folds, and by how much the rest pose does (radians).
    Hinge { axis: DVec3, at_rest: f64 },
    /// What a positive turn about takes the bone towards `flex` and `side`, the bone, and the sign of a twist about it.
    Ball { flex: DVec3, side: DVec3, bone: DVec3, sense: f64 },
}

/// A joint's limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) kind: Kind,
    /// From the T-pose to the zero.
    pub(super) zero: DQuat,
    pub(super) bend: Option<DVec3>,
}

impl Axes {
    /// `None` where the joint has no bone, or one along what it should turn to.
    pub(super) fn of(zeros: &TPose, joint: Joint, role: Role, motion: Motion) -> Option<Self> {
        let index = joint.index();
        let bone = zeros.bone(index)?;
        let about = |turn: Turn| bone.cross(zeros.way(turn.towards, role.side)).try_normalize();
        let own = |direction: DVec3| zeros.own(index, direction);
        Some(match motion {
            Motion::Hinge(turn) => {
                let axis = own(zeros.fold(index, about(turn)?));
                let zero = zeros.local(index);
                Self::Hinge { axis, at_rest: arc::twist_angle(zero.conjugate() * zeros.local_rest(index), axis) }
            }
            Motion::Ball { flex, side, across, twist, .. } => Self::Ball {
                flex: own(about(flex)?),
                side: own(about(side)?),
                bone: own(bone),
                sense: sense(zeros, (bone, role.side), across, twist),
            },
        })
    }

    /// The limit by a motion, of which this is the joint's share.
    pub(super) fn limit(&self, motion: Motion, share: f64) -> Option<Limit> {
        match (*self, motion) {
            (Self::Hinge { axis, at_rest }, Motion::Hinge(turn)) => {
                let (mut low, mut high) = (turn.from.to_radians(), turn.to.to_radians());
                // A body can do what it does at rest, though it bend a little backwards there.
                if (low - BEYOND..=high + BEYOND).contains(&at_rest) {
                    (low, high) = (low.min(at_rest), high.max(at_rest));
                }
                let kind = Kind::hinge(axis).within(low, high);
                Some(Limit { kind, zero: DQuat::IDENTITY, bend: Some(axis) })
            }
            (Self::Ball { flex, side, bone, sense }, Motion::Ball { flex: flexes, side: leans, middle, twist, .. }) => {
                let halfway = |turn: Turn| 0.5 * (turn.from + turn.to);
                let middle = middle.unwrap_or_else(|| [halfway(flexes), halfway(leans)]);
                let beside = |end: f64, middle: f64| (end - middle).to_radians() * share;
                let range = |turn: Turn, middle| Range::new(beside(turn.from, middle), beside(turn.to, middle));
                // The middle of the range is the zero.
                let to_middle = flex * beside(middle[0], 0.0) + side * beside(middle[1], 0.0);
                let zero =
                    arc::unit(to_middle).map_or(DQuat::IDENTITY, |axis| arc::axis_angle(axis, to_middle.length()));
                let leaning = range(leans, middle[1]);
                let is_along = side.dot(bone.cross(flex)) > 0.0;
                let leaning = if is_along { leaning } else { Range::new(-leaning.max, -leaning.min) };
                let (swing, twist) = ([range(flexes, middle[0]), leaning], twist_range(twist, sense, share));
                let limit = EllipticSwing::uneven(bone, flex.normalize(), swing, twist)?;
                Some(Limit { kind: Kind::Ball(BallLimit::EllipticSwing(limit)), zero, bend: None })
            }
            _ => None,
        }
    }
}

/// The sign of a twist about a bone that takes what points `across` it towards a direction.
pub(super) fn sense(zeros: &TPose, (bone, side): (DVec3, Option<Side>), across: Way, twist: Turn) -> f64 {
    bone.dot(zeros.way(across, side).cross(zeros.way(twist.towards, side))).signum()
}

/// Its range.
pub(super) fn twist_range(twist: Turn, sense: f64, share: f64) -> Range {
    let (low, high) = (twist.from.to_radians() * share * sense, twist.to.to_radians() * share * sense);
    Range::new(low.min(high), low.max(high))
}
