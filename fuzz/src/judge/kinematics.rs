//! Forward kinematics of its own.

use sinew::{Joint, Pose, Skeleton};

use super::linear::{Affine, matrix};

/// Every joint's map from its own frame to model space, by index.
pub(super) fn forward(skeleton: &Skeleton, pose: &Pose) -> Vec<Affine> {
    let mut maps: Vec<Affine> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.iter() {
        let above = skeleton.parent(joint).map_or_else(|| Affine::of(skeleton.base(joint)), |up| maps[up.index()]);
        maps.push(above.after(&local(pose, joint)));
    }
    maps
}

/// A joint's map from its own frame to its parent's: scale, then rotation, then translation.
fn local(pose: &Pose, joint: Joint) -> Affine {
    let local = pose.local(joint);
    let scale = local.scale.to_array();
    let turn = matrix(local.rotation.to_array());
    let linear = turn.map(|row| [row[0] * scale[0], row[1] * scale[1], row[2] * scale[2]]);
    Affine { linear, origin: local.translation.to_array() }
}
