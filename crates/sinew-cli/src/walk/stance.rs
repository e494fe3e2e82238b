//! How a rig stands: as it rests, with legs that end at feet that are bones of their own.

use anyhow::Result;

use sinew::glam::{DAffine3, DVec3};
use sinew::{Auto, Goal, Joint, Pose, Skeleton, Solver, Workspace};
use sinew_motion::{Gait, Leg};
use sinew_rig::reference::rested;

use crate::legs;
use crate::rig::Rig;

/// A foot farther from its leg than this share of the leg's height is one that the leg does not reach at rest.
const APART: f64 = 0.2;
/// A foot farther from a leg's last joint than so many of its longest link is not where that joint's bone ends.
const LINK: f64 = 1.25;

/// A skeleton at rest as it stands, with the legs that can walk.
pub(super) struct Stance {
    pub(super) skeleton: Skeleton,
    pub(super) legs: Vec<Leg>,
    /// How low the mesh is.
    pub(super) floor: Option<f64>,
    pub(super) notes: Vec<String>,
}

impl Stance {
    pub(super) fn of(rig: &Rig) -> Result<Self> {
        let (up, forward) = (rig.found().up, rig.found().forward);
        let (pose, mut notes) = standing(rig);
        let skeleton = rested(rig.skeleton(), &pose)?;
        let floor = legs::floor(rig, &pose);
        let mut legs = Vec::new();
        for (limb, leg) in rig.found().gait_legs(rig.skeleton()) {
            match Gait::new(&skeleton, &[leg.clone(), leg.clone()], up, forward, floor) {
                Ok(_) => legs.push(leg),
                Err(error) => notes.push(format!("the {limb} stays as it is: {error}")),
            }
        }
        Ok(Self { skeleton, legs, floor, notes })
    }
}

/// The rest pose. A leg whose foot is a bone of its own, and lies elsewhere, ends there if its end was guessed; else it is brought there.
fn standing(rig: &Rig) -> (Pose, Vec<String>) {
    let (skeleton, up) = (rig.skeleton(), rig.found().up);
    let mut pose = skeleton.rest_pose();
    let (mut goals, mut notes) = (Vec::new(), Vec::new());
    for (_, Leg { joints, apart, .. }) in rig.found().gait_legs(skeleton) {
        let Some(foot) = apart else { continue };
        let (hip, end) = (joints[0], joints[joints.len() - 1]);
        let to = pose.position(foot);
        let far = pose.position(end).distance(to);
        if far <= APART * (pose.position(hip) - to).dot(up).abs() {
            continue;
        }
        if rig.figure.is_inferred(end) && is_last_link(&pose, &joints, to) {
            move_to(skeleton, &mut pose, end, to);
        } else {
            goals.push(Goal::position(end, to).base(hip));
        }
    }
    if !goals.is_empty() {
        let _ = Auto::default().solve(skeleton, &goals, &mut pose, &mut Workspace::default());
        let count = crate::text::count(goals.len(), "leg");
        notes.push(format!("{count} end elsewhere than their feet at rest, and were brought to them"));
    }
    (pose, notes)
}

/// Whether a leg's last joint that moves is as far from its foot as a link is long.
fn is_last_link(pose: &Pose, joints: &[Joint], foot: DVec3) -> bool {
    let links = joints[..joints.len() - 1].windows(2);
    let longest = links.map(|link| pose.position(link[0]).distance(pose.position(link[1]))).fold(0.0, f64::max);
    pose.position(joints[joints.len() - 2]).distance(foot) < LINK * longest
}

/// Moves a joint to a place.
fn move_to(skeleton: &Skeleton, pose: &mut Pose, joint: Joint, to: DVec3) {
    let above = skeleton.parent(joint).map_or(DAffine3::IDENTITY, |parent| *pose.model(parent));
    let place = above.inverse().transform_point3(to);
    if place.is_finite() {
        pose.edit(skeleton).translation(joint, place);
    }
}
