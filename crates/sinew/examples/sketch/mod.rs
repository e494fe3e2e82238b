//! Draws a pose as text: bones as dots, joints as `o`, goals as `X`; x to the right, y up.

use sinew::glam::DVec3;
use sinew::{Pose, Skeleton};

/// Columns and rows of the picture.
const SIZE: [usize; 2] = [57, 15];

/// Prints the pose from the front. The picture is as large as the pose and the goals.
#[allow(clippy::cast_sign_loss)] // No row or column is negative.
pub(crate) fn draw(skeleton: &Skeleton, pose: &Pose, goals: &[DVec3]) {
    let joints: Vec<DVec3> = skeleton.iter().map(|joint| pose.position(joint)).collect();
    let all = || joints.iter().chain(goals).copied();
    let (low, high) = (all().fold(DVec3::INFINITY, DVec3::min), all().fold(DVec3::NEG_INFINITY, DVec3::max));
    // A character is twice as high as it is wide.
    let unit = ((high.x - low.x) / (SIZE[0] - 1) as f64).max((high.y - low.y) / (2 * (SIZE[1] - 1)) as f64).max(1e-9);
    let mut rows = vec![[' '; SIZE[0]]; ((high.y - low.y) / unit / 2.0).round() as usize + 1];
    let mut put = |point: DVec3, mark: char| {
        let (x, y) = ((point.x - low.x) / unit, (high.y - point.y) / unit / 2.0);
        rows[y.round() as usize][x.round() as usize] = mark;
    };
    for joint in skeleton.iter() {
        let Some(parent) = skeleton.parent(joint) else { continue };
        for dot in 0..=40 {
            put(pose.position(parent).lerp(pose.position(joint), f64::from(dot) / 40.0), '.');
        }
    }
    for joint in joints {
        put(joint, 'o');
    }
    for &goal in goals {
        put(goal, 'X');
    }
    for row in rows {
        println!("{}", row.iter().collect::<String>().trim_end());
    }
}
