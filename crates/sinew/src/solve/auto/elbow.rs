//! What the range of a limb's middle joint alone rules out.

use glam::DVec3;

use crate::goal::{Goal, Slack, Target};
use crate::math::affine::even_scale;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::problem::scope::chain;
use crate::solve::{TwoBone, Workspace};

/// Share of the limb's length by which a target must be out of the range.
const BEYOND: f64 = 1e-9;

/// Whether the range of the elbow alone keeps the tip from its target, and held nothing else back: then the root has
/// turned the tip on the line to the target, and no posture is nearer.
pub(super) fn stops(limb: &TwoBone, skeleton: &Skeleton, goal: &Goal, pose: &Pose, work: &Workspace) -> bool {
    let Target::Position(target) = goal.target else { return false };
    let whole = goal.mask.position.all() && goal.slack == Slack::NONE && goal.offset == DVec3::ZERO;
    let mut blocking = work.blocking(0);
    if !whole || blocking.next() != Some(limb.mid) || blocking.next().is_some() {
        return false;
    }
    let own = |joint: Joint| [limb.root, limb.mid, limb.tip].contains(&joint);
    let still = |joint: Joint| own(joint) || matches!(skeleton.kind(joint), Kind::Fixed);
    if goal.relative_to.is_some() || !chain(skeleton, goal).all(still) {
        return false;
    }
    let Some([nearest, farthest]) = distances(limb, skeleton, pose) else { return false };
    let length = length(limb, pose);
    let wanted = arc::length(target - pose.position(limb.root));
    wanted < nearest - BEYOND * length || wanted > farthest + BEYOND * length
}

/// The shortest and the longest distance from the root to the tip that the elbow's range leaves; `None` where it is no
/// hinge, or where lengths depend on how the root is turned.
fn distances(limb: &TwoBone, skeleton: &Skeleton, pose: &Pose) -> Option<[f64; 2]> {
    let Kind::Hinge { axis, .. } = skeleton.kind(limb.mid) else { return None };
    let above = |joint| skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *pose.model(parent));
    even_scale(&above(limb.root).matrix3)?;
    even_scale(&above(limb.mid).matrix3)?;
    let axis = arc::unit(pose.model(limb.mid).transform_vector3(axis))?;
    let upper = pose.position(limb.mid) - pose.position(limb.root);
    let lower = pose.position(limb.tip) - pose.position(limb.mid);
    // The square of the distance is `still + 2 (c cos turn + s sin turn)`, for a turn from where the elbow is.
    let along = upper.dot(axis) * lower.dot(axis);
    let (c, s) = (upper.dot(lower) - along, upper.dot(axis.cross(lower)));
    let still = upper.dot(upper) + lower.dot(lower) + 2.0 * along;
    let (range, now) = (skeleton.range(limb.mid), pose.value(skeleton, limb.mid));
    let (from, to) = (range.min - now, range.max - now);
    let widest = ops::sqrt(c * c + s * s);
    let straight = ops::atan2(s, c);
    let at = |turn: f64| {
        let (sin, cos) = ops::sin_cos(turn);
        c * cos + s * sin
    };
    // Whether the range holds an angle, in any turn.
    let holds = |angle: f64| {
        let near = ops::nearest_turn(angle, 0.5 * (from + to));
        !from.is_finite() || !to.is_finite() || (from..=to).contains(&near)
    };
    let low = if holds(straight + core::f64::consts::PI) { -widest } else { at(from).min(at(to)) };
    let high = if holds(straight) { widest } else { at(from).max(at(to)) };
    Some([low, high].map(|bent| ops::sqrt_clamped(still + 2.0 * bent)))
}

fn length(limb: &TwoBone, pose: &Pose) -> f64 {
    let [root, mid, tip] = [limb.root, limb.mid, limb.tip].map(|joint| pose.position(joint));
    arc::length(mid - root) + arc::length(tip - mid)
}
