//! The film strip: eight moments, each with the body as it would be with stiff chains pale behind, the chains in
//! colours, and the way of every tip since the moment before.

use std::path::Path;

use anyhow::Result;
use sinew::Pose;
use sinew::glam::DVec3;
use sinew_draw::{Group, LEFT, MIDDLE, OTHER, Picture, RIGHT, Strip, Trail};

use super::Scene;
use super::chains::Chain;
use super::film::{Film, Still, Take};
use crate::{picture, text};

/// Frames of the strip.
const FRAMES: usize = 8;
/// Seconds of a tip's way that are drawn.
const TRAIL: f64 = 0.4;
const NOTE: &str = "pale: if they were stiff; thin: paths of the tips in the last 0.4 s";
const COLORS: [&str; 4] = [LEFT, RIGHT, MIDDLE, OTHER];

/// The frames that are shown of so many after the first.
pub(super) fn moments(frames: usize) -> Vec<usize> {
    (0..FRAMES).map(|place| place * frames / (FRAMES - 1)).collect()
}

/// Draws the film; the whole path of the file.
pub(super) fn draw(scene: &Scene<'_>, film: &Film, path: &Path) -> Result<String> {
    let skeleton = scene.rig.skeleton();
    let mut shown: Vec<(f64, Pose, Still)> = Vec::new();
    for still in &film.stills {
        let (time, mut pose, mut still) = (film.times[still.frame], film.poses[still.frame].clone(), still.clone());
        scene.travel.beside(skeleton, &mut pose, time);
        scene.travel.beside(skeleton, &mut still.stiff, time);
        for mark in &mut still.marks {
            mark.target -= scene.travel.advance(time);
        }
        shown.push((time, pose, still));
    }
    let frames = shown.iter().map(|(time, pose, still)| Picture {
        rest: Some(&still.stiff),
        groups: groups(scene, path),
        trails: trails(scene, film, still.frame),
        marks: still.marks.clone(),
        title: format!("{time:.2} s"),
        ..picture::of(scene.rig, pose, "")
    });
    let title = format!("{}: {}", text::short_name(scene.rig.name()), scene.travel.text(scene.rig));
    let strip = Strip {
        frames: frames.collect(),
        title,
        look: picture::look(scene.rig, from_front(scene, film)),
        note: NOTE.to_owned(),
    };
    picture::save_strip(&strip, path)
}

/// A colour a chain, as long as there are few.
fn groups(scene: &Scene<'_>, path: &Path) -> Vec<Group> {
    let skeleton = scene.rig.skeleton();
    let group = |(place, chain): (usize, &Chain)| Group {
        name: picture::name(scene.rig, chain.base, path),
        color: COLORS[place % COLORS.len()],
        // What hangs on the chain rides along.
        joints: skeleton.subtree(chain.base).filter_map(|index| skeleton.at(index)).collect(),
    };
    scene.chains.iter().enumerate().map(group).collect()
}

/// Where the tips went before a frame, as a camera beside the body saw them.
fn trails(scene: &Scene<'_>, film: &Film, frame: usize) -> Vec<Trail> {
    let first = film.times.partition_point(|time| *time < film.times[frame] - TRAIL);
    let seen = |take: &Take, at: usize| take.tips[at] - scene.travel.advance(film.times[at]);
    let trail = |(place, take): (usize, &Take)| Trail {
        color: COLORS[place % COLORS.len()],
        points: (first..=frame).map(|at| seen(take, at)).collect(),
    };
    film.takes.iter().enumerate().map(trail).collect()
}

/// Whether more of the tips' paths is seen from the front.
fn from_front(scene: &Scene<'_>, film: &Film) -> bool {
    let (up, forward) = (scene.rig.found().up, scene.rig.found().forward);
    let left = up.cross(forward);
    let aside = |take: &Take| take.ways().fold(DVec3::ZERO, |sum, way| sum + way.abs());
    let ways: DVec3 = film.takes.iter().map(aside).sum();
    ways.dot(left.abs()) > ways.dot(forward.abs())
}
