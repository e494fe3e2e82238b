//! The film strip: moments of the clip on the ground, seen from the side by a camera that goes along.

use std::path::Path;

use anyhow::Result;
use sinew::Pose;
use sinew::glam::{DAffine3, DVec3};
use sinew_draw::{Group, LEFT, Picture, RIGHT, Strip};
use sinew_motion::carry;

use super::{Planting, travel};
use crate::ground::{self, Start};
use crate::picture;

/// Moments at most.
const FRAMES: usize = 16;
const NOTE: &str = "lines: the ground under left and right feet";

/// Draws the film; the whole path of the file.
pub(super) fn draw(planting: &Planting<'_>, path: &Path) -> Result<String> {
    let (rig, clip) = (planting.rig, &planting.after);
    let Start { at, up, forward } = planting.start;
    let count = clip.len().min(FRAMES);
    // Turned so that the clip goes where the rig looks at rest, which pictures are seen across.
    let ahead = rig.found().forward;
    let turn = sinew::math::arc::arc(forward, ahead, up);
    let middle = |pose: &Pose| {
        let feet = (0..planting.feet.len()).map(|foot| pose.position(planting.feet.hip(foot)));
        feet.sum::<DVec3>() / planting.feet.len() as f64
    };
    let size = (0..planting.feet.len()).map(|foot| planting.feet.length(foot)).fold(0.0, f64::max);
    let shown = (0..count).map(|moment| {
        let frame = moment * (clip.len() - 1) / (count - 1).max(1);
        let mut pose = clip.poses()[frame].clone();
        // Up and down with the ground, so that each stands over its time.
        let from = middle(&planting.source.clip.poses()[frame]);
        let ground = planting.ground.below(from + up * (4.0 * size), up).map_or(at, |found| found.position);
        let away = (turn * from).reject_from_normalized(up) + up * ground.dot(up);
        let beside = DAffine3::from_rotation_translation(turn, at - away);
        carry(rig.skeleton(), &mut pose, &beside);
        (clip.times()[frame], pose, beside)
    });
    let shown: Vec<(f64, Pose, DAffine3)> = shown.collect();
    let start = Start { forward: ahead, ..planting.start };
    let (left, rest) = (up.cross(ahead), rig.skeleton().rest_pose());
    let wide = |foot: usize| (rest.position(planting.feet.joint(foot)) - middle(&rest)).dot(left);
    let aside = (0..planting.feet.len()).map(|foot| wide(foot).abs()).fold(0.0, f64::max);
    let long = (0..planting.feet.len())
        .map(|foot| (rest.position(planting.feet.joint(foot)) - middle(&rest)).dot(ahead).abs())
        .fold(0.0, f64::max)
        + 0.8 * size;
    let sides = [(aside, LEFT), (-aside, RIGHT)];
    let group = |name: &str, color, is_left: bool| {
        let own = (0..planting.feet.len()).filter(|&foot| (wide(foot) > 0.0) == is_left);
        let joints = own.flat_map(|foot| planting.legs[foot].iter().copied()).collect();
        Group { name: name.to_owned(), color, joints }
    };
    let frames = shown.iter().map(|(time, pose, beside)| Picture {
        groups: vec![group("left", LEFT, true), group("right", RIGHT, false)],
        trails: ground::lines(&*planting.ground, start, (long, 4.0 * size), &sides, beside),
        title: format!("{time:.2} s"),
        ..picture::of(rig, pose, "")
    });
    let strip = Strip {
        frames: frames.collect(),
        title: travel::title(rig, &planting.source),
        look: picture::look(rig, false),
        note: NOTE.to_owned(),
    };
    picture::save_strip(&strip, path)
}
