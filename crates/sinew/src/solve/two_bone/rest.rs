//! What a skeleton at rest says of a limb: which joints bend, and to which side.

use glam::{DAffine3, DVec3};

use crate::chain::Chain;
use crate::math::arc;
use crate::skeleton::{Joint, Kind, Skeleton};

/// Sine below which a limb counts as straight and its plane as unknown.
pub(in crate::solve) const STRAIGHT: f64 = 1e-5;

/// Default bend, used when a goal has no pole and the pose given no bend.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RestBend {
    /// Unit direction from root to tip at rest, in the space of the root's parent.
    pub line: DVec3,
    /// Unit direction, perpendicular to it, to which the middle joint bends, in the same space.
    pub bend: DVec3,
    /// Unit axis in the root joint's frame about which a positive turn folds the limb.
    pub axis: DVec3,
    /// The same for a limb that is straight or folded flat in the pose given. The constructors take the middle joint's
    /// [preferred bend](crate::JointSpec::bend) if it has one, else `axis`.
    pub preferred: DVec3,
}

/// The limb's bend at rest. The fold axis is the hinge's, else the rest pose's bend, else the
/// middle joint's preference, else the axis of the root joint's rest frame most across the bone; the preferred axis is
/// the middle joint's preference first.
pub(in crate::solve) fn rest_bend(skeleton: &Skeleton, root: Joint, mid: Joint, tip: Joint) -> RestBend {
    let rest = skeleton.rest_pose();
    let (scale, turn) = (skeleton.rest(root).scale, skeleton.rest(root).rotation);
    let into_root = DAffine3::from_scale(scale) * rest.model(root).inverse();
    let point = |joint: Joint| into_root.transform_point3(rest.position(joint));
    let (a, v) = (point(mid), point(tip));
    let Some(first) = arc::unit(a).or_else(|| arc::unit(v)) else {
        return RestBend { line: DVec3::Y, bend: DVec3::Z, axis: DVec3::X, preferred: DVec3::X };
    };
    let line = arc::unit(v).unwrap_or(first);
    let bent = arc::unit(v - a).and_then(|second| arc::unit_reject(second, first, STRAIGHT));
    let bent = bent.map(|across| first.cross(across));
    // The middle joint's axes as normals in the root's frame: cross products follow mirrors.
    let map = into_root.matrix3 * rest.model(mid).matrix3;
    let from_mid = |axis: DVec3| {
        let x = arc::any_perpendicular(axis);
        arc::unit_reject((map * x).cross(map * axis.cross(x)), first, 1e-3)
    };
    let hinge = match skeleton.kind(mid) {
        Kind::Hinge { axis, .. } => from_mid(axis),
        _ => None,
    };
    let own = skeleton.bend(mid).and_then(from_mid);
    let along = |hinge: DVec3, side: DVec3| if hinge.dot(side) < 0.0 { -hinge } else { hinge };
    let axis = match (hinge, bent) {
        (Some(hinge), Some(bent)) => along(hinge, bent),
        (Some(hinge), _) => hinge,
        (None, Some(bent)) => bent,
        _ => own.unwrap_or_else(|| arc::any_perpendicular(first)),
    };
    let preferred = match (hinge, own) {
        (Some(hinge), Some(own)) => along(hinge, own),
        (None, Some(own)) => own,
        _ => axis,
    };
    let bend = arc::unit_reject(a, line, STRAIGHT).or_else(|| arc::unit_reject(line.cross(axis), line, 1e-6));
    let bend = bend.unwrap_or_else(|| arc::any_perpendicular(line));
    RestBend { line: turn * line, bend: turn * bend, axis, preferred }
}

/// Whether a joint is called a twist bone.
fn is_twist(skeleton: &Skeleton, joint: Joint) -> bool {
    skeleton.name(joint).is_some_and(|name| {
        let name = name.to_lowercase();
        name.contains("twist") || name.contains("roll")
    })
}

/// Joints of a path that can bend, tip first: those that turn, are not called twist, and have a bone of
/// some length.
pub(in crate::solve) fn bends<'a>(skeleton: &'a Skeleton, path: &'a Chain) -> impl Iterator<Item = Joint> + 'a {
    let rest = skeleton.rest_pose();
    let mut below = path.tip();
    let place = |joint: Joint| rest.position(joint);
    let size = path.joints().iter().map(|&joint| place(joint).distance(place(below))).fold(0.0, f64::max);
    path.joints().iter().rev().skip(1).copied().filter(move |&joint| {
        let bone = rest.position(joint).distance(rest.position(below));
        let bends = skeleton.kind(joint).turns() && bone > 1e-6 * size && !is_twist(skeleton, joint);
        below = if bends { joint } else { below };
        bends
    })
}
