//! The film strip: sixteen moments, seen from the side by a camera that goes along and does not turn, over the ground under the left and the
//! right feet.

use std::path::Path;

use anyhow::Result;
use sinew::glam::{DAffine3, DVec3};
use sinew::{Joint, Pose};
use sinew_draw::{Group, LEFT, Picture, RIGHT, Strip, Trail};
use sinew_motion::{Clip, Ground, carry};

use super::Walk;
use crate::ground::{self, Start};
use crate::{picture, text};

const FRAMES: usize = 16;
const NOTE: &str = "lines: the ground under left and right feet";

/// Draws the film; the whole path of the file.
pub(super) fn draw(walk: &Walk<'_>, terrain: &dyn Ground, clip: &Clip, path: &Path) -> Result<String> {
    let skeleton = &walk.skeleton;
    let start = walk.start;
    // The middle of the walk in steps of a fraction of a stride.
    let mut shown: Vec<(f64, Pose, Vec<Trail>)> = Vec::new();
    for place in 0..FRAMES {
        let frame = place * (clip.len() - 1) / (FRAMES - 1);
        let (time, mut pose) = (clip.times()[frame], clip.poses()[frame].clone());
        let at = walk.route.at(time);
        // Up and down with the ground, so that each stands over its time.
        let from = at.position + start.up * (4.0 * walk.gait.height());
        let ground = terrain.below(from, start.up).map_or(at.position, |found| found.position);
        let beside = DAffine3::from_translation(start.at - ground);
        carry(skeleton, &mut pose, &beside);
        shown.push((time, pose, lines(walk, terrain, at.forward.normalize(), &beside)));
    }
    let frames = shown.iter().map(|(time, pose, lines)| Picture {
        groups: groups(walk),
        trails: lines.clone(),
        title: format!("{time:.2} s"),
        ..picture::of(walk.rig, pose, "")
    });
    let title = format!("{}: {}", text::short_name(walk.rig.name()), text::count(walk.legs.len(), "leg"));
    let strip = Strip { frames: frames.collect(), title, look: picture::look(walk.rig, false), note: NOTE.to_owned() };
    picture::save_strip(&strip, path)
}

/// Left and right legs.
fn groups(walk: &Walk<'_>) -> Vec<Group> {
    let rest = walk.skeleton.rest_pose();
    let left = walk.start.up.cross(walk.start.forward);
    let side = |is_left: bool| {
        // By the feet: hips may all be in the middle.
        let foot = |leg: &&Vec<Joint>| rest.position(leg[leg.len() - 1]) - walk.start.at;
        let own = walk.legs.iter().filter(|leg| (foot(leg).dot(left) > 0.0) == is_left);
        let joints = own.flat_map(|leg| picture::with_foot(walk.rig, leg)).collect();
        Group {
            name: if is_left { "left" } else { "right" }.to_owned(),
            color: if is_left { LEFT } else { RIGHT },
            joints,
        }
    };
    vec![side(true), side(false)]
}

/// The ground along the body, under each side's feet.
fn lines(walk: &Walk<'_>, terrain: &dyn Ground, heading: DVec3, beside: &DAffine3) -> Vec<Trail> {
    let start = walk.start;
    let left = start.up.cross(start.forward);
    let rest = walk.skeleton.rest_pose();
    let feet =
        (0..walk.legs.len()).filter_map(|leg| walk.gait.touching(leg)).map(|joint| rest.position(joint) - start.at);
    let far = |along: DVec3| feet.clone().map(|foot| foot.dot(along).abs()).fold(0.0, f64::max);
    let (long, aside) = (far(start.forward) + 0.8 * walk.gait.height(), far(left));
    let sides = [(aside, LEFT), (-aside, RIGHT)];
    ground::lines(terrain, Start { forward: heading, ..start }, (long, 4.0 * walk.gait.height()), &sides, beside)
}
