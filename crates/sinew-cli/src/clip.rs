//! A BVH file as a rig: it rests in its reference pose, since the file's own rest is often none.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use sinew::glam::DVec3;
use sinew::{Joint, Pose, Skeleton};
use sinew_bvh::{Bvh, Motion};
use sinew_rig::{Evidence, Reference, reference};

use crate::{input, output, text};

/// Frames, evenly spread, that are asked where joints are.
const LOOKED_AT: usize = 50;

/// A clip with what its skeleton rests in.
#[derive(Debug)]
pub(crate) struct Clip {
    /// At rest in the reference pose.
    pub(crate) bvh: Bvh,
    /// Which pose that is and why, in a few words.
    pub(crate) reference: String,
    /// Joints that every frame puts on their parents, though they have an offset.
    pub(crate) collapsed: Vec<Joint>,
    /// Numbers from which others are counted on.
    row: Vec<f64>,
}

/// Whether a file's name says that it is BVH.
pub(crate) fn is_bvh(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bvh"))
}

impl Clip {
    /// Loads a file; `reference` is `rest`, the number of a frame, or another BVH file, and is found out where it is not said.
    pub(crate) fn load(path: &Path, reference: Option<&str>) -> Result<Self> {
        let bvh =
            if output::is_standard(path) { sinew_bvh::parse(input::standard()?)? } else { sinew_bvh::load(path)? };
        match reference {
            None => Ok(Self::found(bvh)),
            Some("rest") => {
                let rest = bvh.skeleton.rest_pose();
                Ok(Self::at(bvh, &rest, None, "the rest pose, as asked for"))
            }
            Some(wanted) => {
                Self::told(bvh, wanted).with_context(|| format!("--reference {}", text::short_name(wanted)))
            }
        }
    }

    fn found(bvh: Bvh) -> Self {
        let at = |frame, pose: &mut Pose| {
            bvh.pose_frame(frame, pose);
        };
        let Reference { frame, reason, skeleton } = reference::find(&Evidence::of_bvh(&bvh), bvh.motion.len(), at);
        let which = match frame {
            Some(frame) => format!("frame {frame} of {}", bvh.motion.len()),
            None => "the rest pose".to_owned(),
        };
        Self::resting(bvh, skeleton, frame, format!("{which}: {reason}"))
    }

    fn told(bvh: Bvh, wanted: &str) -> Result<Self> {
        let mut pose = bvh.skeleton.rest_pose();
        let Ok(frame) = wanted.parse() else {
            let named = like(&bvh, Path::new(wanted), &mut pose)?;
            return Ok(Self::at(bvh, &pose, None, &format!("{}, {named}", text::short_name(wanted))));
        };
        if !bvh.pose_frame(frame, &mut pose) {
            match bvh.motion.len() {
                0 => bail!("the clip has no frames; leave it out, or name another BVH file"),
                frames => bail!("the clip has frames 0 to {}", frames - 1),
            }
        }
        Ok(Self::at(bvh, &pose, Some(frame), &format!("frame {frame}, as asked for")))
    }

    fn at(bvh: Bvh, pose: &Pose, frame: Option<usize>, reference: &str) -> Self {
        let skeleton = reference::rested(&bvh.skeleton, pose).unwrap_or_else(|_| bvh.skeleton.clone());
        Self::resting(bvh, skeleton, frame, reference.to_owned())
    }

    fn resting(mut bvh: Bvh, skeleton: Skeleton, frame: Option<usize>, reference: String) -> Self {
        let row = frame.and_then(|frame| bvh.motion.row(frame)).map(<[f64]>::to_vec);
        let row = row.unwrap_or_else(|| vec![0.0; bvh.motion.channels()]);
        let collapsed = collapsed(&bvh).into_iter().filter_map(|joint| skeleton.at(joint.index())).collect();
        bvh.skeleton = skeleton;
        Self { bvh, reference, collapsed, row }
    }

    /// Writes poses as frames; what the channels cannot hold, as a line to be said.
    pub(crate) fn write(&self, poses: &[Pose], frame_time: f64, path: &Path) -> Result<Option<String>> {
        let mut row = self.row.clone();
        let record = |pose: &Pose| {
            self.bvh.record(pose, &mut row);
            row.clone()
        };
        let rows: Vec<_> = poses.iter().map(record).collect();
        self.write_rows(&rows, poses, frame_time, path)
    }

    /// Writes a pose for each frame of the clip: what is as the clip has it keeps its numbers.
    pub(crate) fn write_over(&self, poses: &[Pose], path: &Path) -> Result<Option<String>> {
        let record = |(pose, row): (&Pose, &[f64])| {
            let mut row = row.to_vec();
            self.bvh.record(pose, &mut row);
            row
        };
        let rows: Vec<_> = poses.iter().zip(self.bvh.motion.rows()).map(record).collect();
        self.write_rows(&rows, poses, self.bvh.motion.frame_time, path)
    }

    fn write_rows(&self, rows: &[Vec<f64>], poses: &[Pose], frame_time: f64, path: &Path) -> Result<Option<String>> {
        let mut motion = Motion::new(self.bvh.motion.channels(), frame_time);
        for row in rows.iter().filter(|row| !row.is_empty()) {
            motion.push(row);
        }
        let written = self.bvh.with_motion(motion);
        if output::is_standard(path) {
            output::save(path, &written.to_vec()?)?;
        } else {
            written.write(path)?;
        }
        let skeleton = &self.bvh.skeleton;
        let mut lost: Vec<_> = poses.iter().flat_map(|pose| self.bvh.lost(pose)).collect();
        lost.sort();
        lost.dedup();
        let names = lost.iter().map(|&joint| text::short_name(skeleton.name(joint).unwrap_or("unnamed")));
        Ok((!lost.is_empty()).then(|| {
            let names = text::list(names);
            format!("BVH has no channels for all that {names} did; the file comes as near as it can")
        }))
    }
}

/// Joints that have an offset, but position channels that are 0 wherever one looks: some exporters write those on all joints.
fn collapsed(bvh: &Bvh) -> Vec<Joint> {
    let (skeleton, frames) = (&bvh.skeleton, bvh.motion.len());
    let mut pose = skeleton.rest_pose();
    let moved = |joint: &Joint| skeleton.parent(*joint).is_some() && skeleton.rest(*joint).translation != DVec3::ZERO;
    let mut joints: Vec<Joint> = skeleton.iter().filter(moved).collect();
    for frame in (0..frames).step_by(frames.div_ceil(LOOKED_AT).max(1)) {
        bvh.pose_frame(frame, &mut pose);
        joints.retain(|&joint| pose.local(joint).translation == DVec3::ZERO);
    }
    if frames == 0 { Vec::new() } else { joints }
}

/// Turns joints as those of the same name are in another file's first frame, or at its rest where it has none.
fn like(bvh: &Bvh, file: &Path, pose: &mut Pose) -> Result<String> {
    let other = sinew_bvh::load(file)?;
    let mut its = other.skeleton.rest_pose();
    let which = if other.pose_frame(0, &mut its) { "its first frame" } else { "its rest pose" };
    let mut edit = pose.edit(&bvh.skeleton);
    let mut alike = 0;
    for joint in bvh.skeleton.iter() {
        if let Some(same) = bvh.skeleton.name(joint).and_then(|name| other.skeleton.joint(name).ok()) {
            edit.rotation(joint, its.local(same).rotation);
            alike += usize::from(!bvh.is_end_site(joint));
        }
    }
    if alike == 0 {
        bail!("no joint of it has the name of one of the clip's; name a file of the same skeleton, or a frame");
    }
    Ok(format!("{which}, {} by name", text::count(alike, "joint")))
}
