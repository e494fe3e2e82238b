//! Twist bones: joints on the line of a bone that take shares of the turn about it, and which joints of a
//! path bend instead.

use glam::{DQuat, DVec3};

use super::solver::TwoBone;
use crate::chain::Chain;
use crate::math::arc;
use crate::pose::{Edit, Pose};
use crate::skeleton::{Joint, Skeleton};

/// How far off its bone's line a joint may lie, in lengths of the bone, to count as on it.
const ON_LINE: f64 = 1e-4;

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

/// Puts the joints between at their rest rotations, from which shares are measured.
pub(super) fn to_rest(limb: &TwoBone, skeleton: &Skeleton, edit: &mut Edit<'_>) {
    for (above, below) in [(limb.root, limb.mid), (limb.mid, limb.tip)] {
        for joint in inner(skeleton, above, below).filter(|&joint| skeleton.kind(joint).turns()) {
            edit.rotation(joint, skeleton.rest(joint).rotation);
        }
    }
}

/// Shares the root's twist among the joints down to the middle one, and the tip's among those from
/// there on. Positions and the tip's rotation stay.
pub(super) fn share(limb: &TwoBone, skeleton: &Skeleton, pose: &mut Pose) {
    let upper = sharers(skeleton, pose, limb.root, limb.mid);
    if upper > 0 {
        let axis = bone_axis(pose, limb.root, limb.root, limb.mid);
        let turn = skeleton.rest(limb.root).rotation.conjugate() * pose.local(limb.root).rotation;
        let part = arc::twist_angle(turn, axis) / (upper + 1) as f64;
        let back = arc::axis_angle(axis, -part * upper as f64);
        spread(skeleton, pose, limb.root, limb.mid, part);
        let local = pose.local(limb.root).rotation;
        pose.edit(skeleton).rotation(limb.root, arc::normalize(local * back));
    }
    let lower = sharers(skeleton, pose, limb.mid, limb.tip);
    if lower > 0
        && let Some(parent) = skeleton.parent(limb.tip)
    {
        let axis = bone_axis(pose, parent, limb.mid, limb.tip);
        let turn = pose.local(limb.tip).rotation * skeleton.rest(limb.tip).rotation.conjugate();
        let part = arc::twist_angle(turn, axis) / (lower + 1) as f64;
        let back = arc::axis_angle(axis, -part * lower as f64);
        spread(skeleton, pose, limb.mid, limb.tip, part);
        let local = pose.local(limb.tip).rotation;
        pose.edit(skeleton).rotation(limb.tip, arc::normalize(back * local));
    }
}

/// Turns each sharing joint between by `part` about its bone.
fn spread(skeleton: &Skeleton, pose: &mut Pose, above: Joint, below: Joint, part: f64) {
    let mut next = Some(below);
    while let Some(joint) = next.and_then(|joint| skeleton.parent(joint)).filter(|&joint| joint != above) {
        if shares(skeleton, pose, joint, above, below) {
            let axis = bone_axis(pose, joint, above, below);
            let local: DQuat = pose.local(joint).rotation;
            pose.edit(skeleton).rotation(joint, arc::normalize(local * arc::axis_angle(axis, part)));
        }
        next = Some(joint);
    }
}

fn sharers(skeleton: &Skeleton, pose: &Pose, above: Joint, below: Joint) -> usize {
    inner(skeleton, above, below).filter(|&joint| shares(skeleton, pose, joint, above, below)).count()
}

/// Whether the joint can turn and lies on the line of its bone.
fn shares(skeleton: &Skeleton, pose: &Pose, joint: Joint, above: Joint, below: Joint) -> bool {
    let (from, to) = (pose.position(above), pose.position(below));
    let Some(line) = arc::unit(to - from) else { return false };
    let off = arc::reject(pose.position(joint) - from, line);
    skeleton.kind(joint).turns() && arc::length(off) <= ON_LINE * arc::length(to - from)
}

/// Unit direction from `above` to `below` in the frame of `joint`.
fn bone_axis(pose: &Pose, joint: Joint, above: Joint, below: Joint) -> DVec3 {
    let into = pose.rotation(joint).conjugate();
    arc::unit(into * (pose.position(below) - pose.position(above))).unwrap_or(DVec3::Y)
}

/// The joints strictly between, from below.
fn inner(skeleton: &Skeleton, above: Joint, below: Joint) -> impl Iterator<Item = Joint> + '_ {
    core::iter::successors(skeleton.parent(below), |&joint| skeleton.parent(joint))
        .take_while(move |&joint| joint != above)
}
