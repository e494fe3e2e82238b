//! How a rig stands: as it rests, with legs that end at feet that are bones of their own.

use anyhow::Result;

use sinew::{Auto, Goal, Pose, Skeleton, Solver, Workspace};
use sinew_motion::{Gait, Leg};
use sinew_rig::reference::rested;

use crate::legs;
use crate::rig::Rig;

/// A foot farther from its leg than this share of the leg's height is one that the leg does not reach at rest.
const APART: f64 = 0.2;

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

/// The rest pose; legs that end elsewhere than their feet are brought to them.
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
        goals.push(Goal::position(end, to).base(hip));
    }
    if !goals.is_empty() {
        let _ = Auto::default().solve(skeleton, &goals, &mut pose, &mut Workspace::default());
        let count = crate::text::count(goals.len(), "leg");
        notes.push(format!("{count} end elsewhere than their feet at rest, and were brought to them"));
    }
    (pose, notes)
}
