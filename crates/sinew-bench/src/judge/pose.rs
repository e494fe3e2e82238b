//! Poses: goals' places and rotations, limits, and joints out of their places.

use sinew::glam::{DMat4, DQuat, DVec3};
use sinew::math::arc;
use sinew::{Goal, Joint, Kind, Pose, Skeleton, Target};

use super::{ROUNDING, Verdict, worse};

impl Verdict {
    /// Of a pose: how far it is from what positions, rotations, frames and aims ask, also relative to a joint (masks, weights, the up of
    /// aims and other targets are not looked at), and which of `joints` are outside their limits or out of their places.
    pub fn of(
        skeleton: &Skeleton,
        pose: &Pose,
        goals: impl IntoIterator<Item = Goal>,
        joints: impl Iterator<Item = Joint>,
    ) -> Self {
        let mut verdict = Self::default();
        for goal in goals {
            let (place, turn) = seen(skeleton, pose, &goal);
            if let Target::Aim { axis, point, .. } = goal.target {
                verdict.miss = worse(verdict.miss, passes_by(place, turn * axis, point));
            } else if let Some(target) = goal.target.position() {
                verdict.miss = worse(verdict.miss, place.distance(target));
            }
            if let Target::Rotation(target) | Target::Frame { rotation: target, .. } = goal.target {
                verdict.turn = worse(verdict.turn, angle(target.conjugate() * turn));
            }
        }
        for joint in joints {
            verdict.beyond = worse(verdict.beyond, beyond(skeleton, pose, joint));
            verdict.stretch = worse(verdict.stretch, torn(skeleton, pose, joint));
        }
        verdict
    }
}

/// How far a goal's joint is from its place.
pub(crate) fn miss(skeleton: &Skeleton, pose: &Pose, goal: &Goal) -> f64 {
    Verdict::of(skeleton, pose, [*goal], std::iter::empty()).miss
}

/// Where a goal's point is and how its joint stands, as what it is relative to sees it.
fn seen(skeleton: &Skeleton, pose: &Pose, goal: &Goal) -> (DVec3, DQuat) {
    let (map, turn) = model(skeleton, pose, goal.joint);
    let place = map.transform_point3(goal.offset);
    let Some(from) = goal.relative_to else { return (place, turn) };
    let (map, from) = model(skeleton, pose, from);
    (map.inverse().transform_point3(place), from.conjugate() * turn)
}

/// How far a line from a place passes by a point; of a point behind, how far away it is.
fn passes_by(place: DVec3, line: DVec3, point: DVec3) -> f64 {
    let far = point - place;
    if far.dot(line) > 0.0 { arc::reject(far, line).length() } else { far.length() }
}

/// A joint's frame in model space, from local transforms; its rotation where scales are even.
fn model(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> (DMat4, DQuat) {
    let (mut map, mut turn, mut at) = (DMat4::IDENTITY, DQuat::IDENTITY, Some(joint));
    while let Some(joint) = at {
        let local = pose.local(joint);
        map = DMat4::from_scale_rotation_translation(local.scale, local.rotation, local.translation) * map;
        turn = local.rotation * turn;
        at = skeleton.parent(joint);
    }
    let base = skeleton.base(joint);
    (DMat4::from(*base) * map, base.to_scale_rotation_translation().1 * turn)
}

/// How far a joint is outside its limit: by its value, exactly, and by its local transform, but for rounding. A rotation that is
/// none is infinitely far.
fn beyond(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> f64 {
    let (local, value, range) = (pose.local(joint), pose.value(skeleton, joint), skeleton.range(joint));
    if !((local.rotation.length() - 1.0).abs() <= ROUNDING && local.translation.is_finite()) {
        return f64::INFINITY;
    }
    let allowed = skeleton.nearest_allowed(joint, local, value);
    let off = angle(allowed.rotation.conjugate() * local.rotation);
    let slid = if is_slide(skeleton, joint) { allowed.translation.distance(local.translation) } else { 0.0 };
    let seen = [off, slid].map(|by| if by <= ROUNDING { 0.0 } else { by });
    [range.min - value, value - range.max].into_iter().chain(seen).fold(0.0, worse)
}

/// How far a joint has left its place in its parent.
fn torn(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> f64 {
    let (local, rest) = (pose.local(joint), skeleton.rest(joint));
    let moves = is_slide(skeleton, joint) || skeleton.kind(joint) == Kind::Free;
    let moved = if moves { 0.0 } else { local.translation.distance(rest.translation) };
    worse(moved, local.scale.distance(rest.scale))
}

fn is_slide(skeleton: &Skeleton, joint: Joint) -> bool {
    matches!(skeleton.kind(joint), Kind::Slide { .. })
}

/// The angle of a small turn, twice its half's sine; of a large one that, too, which is large.
fn angle(turn: DQuat) -> f64 {
    2.0 * DVec3::new(turn.x, turn.y, turn.z).length()
}
