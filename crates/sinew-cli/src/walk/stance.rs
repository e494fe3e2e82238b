//! How a rig stands: as it rests, with legs reaching for feet that are bones of their own.

use anyhow::Result;

use sinew::{Auto, Goal, Joint, Pose, Skeleton, Solver, Workspace};
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
        for (limb, joints) in legs::chains(rig) {
            let leg = legs::with_known_foot(rig, joints);
            match Gait::new(&skeleton, &[leg.clone(), leg.clone()], up, forward, floor) {
                Ok(_) => legs.push(leg),
                Err(error) => notes.push(format!("note: the {limb} stays as it is: {error}")),
            }
        }
        Ok(Self { skeleton, legs, floor, notes })
    }
}

/// The rest pose; legs whose feet are bones of their own, and lie elsewhere, are brought to them.
fn standing(rig: &Rig) -> (Pose, Vec<String>) {
    let (skeleton, up) = (rig.skeleton(), rig.found().up);
    let mut pose = skeleton.rest_pose();
    let asked = |(_, joints): (&sinew_rig::Limb, Vec<Joint>)| {
        let (&hip, &end) = (joints.first()?, joints.last()?);
        let &(foot, _) = rig.found().detached_feet.iter().find(|(_, leg)| joints.contains(leg))?;
        let [hip, at, foot] = [hip, end, foot].map(|joint| pose.position(joint));
        let far = at.distance(foot) > APART * (hip - foot).dot(up).abs();
        far.then(|| Goal::position(end, foot).base(joints[0]))
    };
    let goals: Vec<Goal> = legs::chains(rig).into_iter().filter_map(asked).collect();
    if goals.is_empty() {
        return (pose, Vec::new());
    }
    let _ = Auto::default().solve(skeleton, &goals, &mut pose, &mut Workspace::default());
    let count = crate::text::count(goals.len(), "leg");
    (pose, vec![format!("note: {count} end elsewhere than their feet at rest, and were brought to them")])
}
