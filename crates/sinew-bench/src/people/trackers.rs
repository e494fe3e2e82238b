//! A body recovered frame by frame from a few trackers on a real one.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use sinew::{Goal, Joint, Pose, Skeleton, Solver as _, Workspace};
use sinew_rig::{Body, Part, Role, Side};

use super::clip::Clip;

/// Times that each frame is solved; the quickest counts, so that what else the machine does does not.
const RUNS: usize = 5;

/// What is tracked on a body.
#[derive(Clone, Debug, Default)]
pub struct Trackers {
    /// Joints whose place and rotation are known.
    pub frames: Vec<Joint>,
    /// Joints whose place is known.
    pub places: Vec<Joint>,
    /// Joints whose rotation is known.
    pub turns: Vec<Joint>,
}

impl Trackers {
    /// 3: head and hands; 6: also hips and feet; 11: also the chest's rotation, and where elbows and knees are.
    ///
    /// # Errors
    /// For other numbers, and where the body lacks a part.
    pub fn of(clip: &Clip, count: usize) -> Result<Self> {
        if ![3, 6, 11].contains(&count) {
            bail!("--trackers {count}: write 3, 6 or 11");
        }
        let skeleton = &clip.bvh.skeleton;
        let find = |role: Role| {
            let name = role.part.name();
            clip.found.joint(skeleton, role).ok_or_else(|| anyhow!("no {name} was recognised"))
        };
        let both = |part| [Side::Left, Side::Right].map(|side| find(Role::on(side, part)));
        let mut trackers = Self { frames: vec![find(Role::middle(Part::Head))?], ..Self::default() };
        let add = |to: &mut Vec<Joint>, part| -> Result<()> {
            for joint in both(part) {
                to.push(joint?);
            }
            Ok(())
        };
        add(&mut trackers.frames, Part::Hand)?;
        if count > 3 {
            trackers.frames.push(find(Role::middle(Part::Hips))?);
            add(&mut trackers.frames, Part::Foot)?;
        }
        if count > 6 {
            add(&mut trackers.places, Part::LowerArm)?;
            add(&mut trackers.places, Part::LowerLeg)?;
            trackers.turns.extend(chest(skeleton, clip));
        }
        Ok(trackers)
    }

    /// Goals that bring a body to where the trackers are.
    fn goals(&self, real: &Pose, goals: &mut Vec<Goal>) {
        goals.clear();
        goals.extend(self.frames.iter().map(|&joint| Goal::frame(joint, real.position(joint), real.rotation(joint))));
        goals.extend(self.places.iter().map(|&joint| Goal::position(joint, real.position(joint))));
        goals.extend(self.turns.iter().map(|&joint| Goal::rotation(joint, real.rotation(joint))));
    }
}

/// The joint at which both arms hang.
fn chest(skeleton: &Skeleton, clip: &Clip) -> Option<Joint> {
    let arm = |side| clip.found.joint(skeleton, Role::on(side, Part::UpperArm));
    let (left, right) = (arm(Side::Left)?, arm(Side::Right)?);
    std::iter::successors(skeleton.parent(left), |&above| skeleton.parent(above))
        .find(|&above| skeleton.is_below(right, above))
}

/// The reference pose, standing on the floor: the zero of the body's up.
fn standing(clip: &Clip) -> Pose {
    let skeleton = &clip.bvh.skeleton;
    let (mut pose, up) = (skeleton.rest_pose(), clip.found.up);
    let lowest = skeleton.iter().map(|joint| pose.position(joint).dot(up)).fold(f64::INFINITY, f64::min);
    if let Some(root) = skeleton.roots().next() {
        let place = skeleton.base(root).inverse().transform_point3(pose.position(root) - up * lowest);
        pose.edit(skeleton).translation(root, place);
    }
    pose
}

/// Where a tracker of the first frame is below the zero of the body's up, that is no floor: then the floor is where the body would
/// stand that carries its head so high.
fn stand_below(clip: &Clip, trackers: &Trackers, first: &Pose, rest: &mut Pose) {
    let (skeleton, up) = (&clip.bvh.skeleton, clip.found.up);
    let height = |pose: &Pose, joint: Joint| pose.position(joint).dot(up);
    let (Some(&head), Some(root)) = (trackers.frames.first(), skeleton.roots().next()) else { return };
    if trackers.frames.iter().any(|&joint| height(first, joint) < 0.0) {
        let by = height(first, head) - height(rest, head);
        let place = skeleton.base(root).inverse().transform_point3(rest.position(root) + up * by);
        rest.edit(skeleton).translation(root, place);
    }
}

/// Solves all frames, each from the reference pose; `shown` is told each frame's number, its real pose, the answer, and what it took (seconds).
///
/// # Errors
/// Where the body is not a human's.
pub fn solve(clip: &Clip, trackers: &Trackers, mut shown: impl FnMut(usize, &Pose, &Pose, f64)) -> Result<()> {
    let bvh = &clip.bvh;
    let skeleton = &bvh.skeleton;
    let body = Body::of(skeleton, &clip.found).ok_or_else(|| anyhow!("no human was recognised"))?;
    let (mut real, mut rest) = (skeleton.rest_pose(), standing(clip));
    let (mut pose, mut goals, mut work) = (rest.clone(), Vec::new(), Workspace::default());
    for frame in 0..bvh.motion.len() {
        bvh.pose_frame(frame, &mut real);
        trackers.goals(&real, &mut goals);
        if frame == 0 {
            stand_below(clip, trackers, &real, &mut rest);
        }
        let mut quickest = f64::INFINITY;
        for _ in 0..RUNS {
            pose.clone_from(&rest);
            let begun = Instant::now();
            let _ = body.solve(skeleton, &goals, &mut pose, &mut work);
            quickest = quickest.min(begun.elapsed().as_secs_f64());
        }
        shown(frame, &real, &pose, quickest);
    }
    Ok(())
}

/// Solves all frames; a table with a header, `time_us` and the places of all joints of the file.
///
/// # Errors
/// Where the body is not a human's.
pub fn run(clip: &Clip, trackers: &Trackers) -> Result<String> {
    let (bvh, skeleton) = (&clip.bvh, &clip.bvh.skeleton);
    let own: Vec<Joint> = skeleton.iter().filter(|&joint| !bvh.is_end_site(joint)).collect();
    let mut table = String::from("time_us");
    for &joint in &own {
        let name = skeleton.name(joint).unwrap_or_default();
        write!(table, ",{name}.x,{name}.y,{name}.z")?;
    }
    table.push('\n');
    solve(clip, trackers, |_, _, pose, seconds| {
        // Writing to a string does not fail.
        let _ = write!(table, "{:.3}", seconds * 1e6);
        for &joint in &own {
            let place = pose.position(joint);
            let _ = write!(table, ",{},{},{}", place.x, place.y, place.z);
        }
        table.push('\n');
    })?;
    Ok(table)
}
