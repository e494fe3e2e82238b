//! Chains and trees, from the places of their joints alone.

use sinew::Joint;
use sinew::glam::DVec3;

use super::{Bone, Verdict};
use crate::bodies::Body;

/// Error of a bone's length over it that still counts as kept.
const STRETCH: f64 = 2e-3;

/// How many records were solved to a distance of `tolerance` (metres), and the largest distance of a tip from its target. `rows` are the
/// positions of all joints, record after record.
pub fn judge(body: &Body, rows: &[f64], tolerance: f64) -> (usize, f64) {
    let rest = body.skeleton.rest_pose();
    let place = |joint| body.joints.iter().position(|&other| other == joint);
    let bone = |(at, &joint): (usize, &Joint)| {
        let parent = body.skeleton.parent(joint)?;
        let length = rest.position(joint).distance(rest.position(parent));
        Some(Bone { ends: [place(parent)?, at], length, unit: length.max(f64::MIN_POSITIVE) })
    };
    let bones: Vec<Bone> = body.joints.iter().enumerate().filter_map(bone).collect();
    let tips: Vec<usize> = body.tips.iter().filter_map(|&tip| place(tip)).collect();
    let (mut reached, mut worst) = (0, 0.0_f64);
    for (record, row) in rows.chunks_exact(3 * body.joints.len()).enumerate() {
        let points: Vec<DVec3> = row.chunks_exact(3).map(DVec3::from_slice).collect();
        let targets = tips.iter().copied().zip(body.targets(record).iter().copied());
        let Verdict { miss, stretch, .. } = Verdict::of_points(&points, targets, &bones);
        worst = worst.max(miss);
        reached += usize::from(miss <= 1.02 * tolerance + 5e-8 && stretch <= STRETCH);
    }
    (reached, worst)
}
