//! A film strip of a clip: the real person above, what was recovered from trackers below.

use anyhow::Result;
use sinew::Pose;
use sinew_draw::{Look, Picture, Strip, Unit};

use super::clip::Clip;
use super::trackers::{self, Trackers};

/// Frames of the clip that are shown.
const SHOWN: usize = 8;

/// A frame as it was, as it was recovered, when (seconds), and how far joints are off in the mean (shares of the height).
struct Shot {
    real: Pose,
    pose: Pose,
    time: f64,
    off: f64,
}

/// The strip as a PNG file.
///
/// # Errors
/// Where the body is not a human's.
pub fn png(clip: &Clip, trackers: &Trackers, name: &str) -> Result<Vec<u8>> {
    let (skeleton, motion) = (&clip.bvh.skeleton, &clip.bvh.motion);
    let (first, last) = (usize::from(motion.len() > SHOWN), motion.len().saturating_sub(1));
    let is_shown = |frame: usize| {
        let at = |place: usize| first + (last - first) * place / (SHOWN - 1);
        frame >= first && (0..SHOWN).any(|place| at(place) == frame)
    };
    let (up, height) = (clip.found.up, clip.height().max(f64::MIN_POSITIVE));
    let own: Vec<_> = skeleton.iter().filter(|&joint| !clip.bvh.is_end_site(joint)).collect();
    let mut shots: Vec<Shot> = Vec::new();
    trackers::solve(clip, trackers, |frame, real, pose, _| {
        if is_shown(frame) {
            let off: f64 = own.iter().map(|&joint| real.position(joint).distance(pose.position(joint))).sum();
            let off = off / (own.len().max(1) as f64 * height);
            let [mut real, mut pose] = [real.clone(), pose.clone()];
            // On the spot, so that figures are large: both moved alike.
            if let Some(root) = skeleton.roots().next() {
                let level = real.position(root) - up * real.position(root).dot(up);
                for pose in [&mut real, &mut pose] {
                    let place = skeleton.base(root).inverse().transform_point3(pose.position(root) - level);
                    pose.edit(skeleton).translation(root, place);
                }
            }
            shots.push(Shot { real, pose, time: frame as f64 * motion.frame_time, off });
        }
    })?;
    let picture = |pose, title| Picture {
        up,
        forward: clip.found.forward,
        title,
        unit: Unit::Unknown,
        ..Picture::new(skeleton, pose)
    };
    let real = shots.iter().map(|shot| picture(&shot.real, format!("{:.1} s", shot.time)));
    let found = shots.iter().map(|shot| picture(&shot.pose, format!("off by {:.1} %", 100.0 * shot.off)));
    let note = "above: as it was; below: recovered; off: mean of all joints, of the height".to_owned();
    let look = Look::ThreeQuarter;
    Ok(Strip { frames: real.chain(found).collect(), title: name.to_owned(), note, look }.png())
}
