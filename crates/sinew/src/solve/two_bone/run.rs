//! What limb solvers do round their geometry: gather the limb's goals, leave owned joints alone, report.

use glam::DVec3;

use super::limb_target::LimbTarget;
use super::reach::Reach;
use super::settings::{TwistBones, TwoBone};
use crate::goal::{Goal, Pole, Swivel, Tolerance};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::problem::pole::direction;
use crate::solve::report::{Miss, report};
use crate::solve::{Bend, Outcome, Solver, Status, Workspace};

/// Relative distance, and angle in radians, below which a goal counts as met.
const MET: f64 = 1e-9;
/// Joints of a limb, at most.
const MOST: usize = 4;

/// Status and swivel of a limb that was placed.
pub(in crate::solve) type Placed = (Status, Option<Swivel>);

/// Whether the limb's joints are the skeleton's. A number that is none anywhere above shows in the tip.
pub(in crate::solve) fn is_usable(joints: &[Joint], skeleton: &Skeleton, pose: &Pose) -> bool {
    let tip = joints.last().expect("a limb has joints");
    joints.iter().all(|&joint| skeleton.contains(joint)) && pose.model(*tip).is_finite()
}

/// What counts as met of a limb's goal.
pub(in crate::solve) fn tolerance(whole: &TwoBone, goal: &Goal, pose: &Pose) -> Tolerance {
    let tip = pose.model(whole.tip);
    let is_offset = goal.offset != DVec3::ZERO && goal.target.position().is_some();
    let point = if is_offset { tip.transform_point3(goal.offset) } else { tip.translation };
    let mid = pose.position(whole.mid);
    let length = arc::length(mid - pose.position(whole.root)) + arc::length(point - mid);
    Tolerance { position: MET * length, rotation: MET }
}

/// Whether a pose that meets a limb's goal needs nothing else: its bend points to the pole, too. Of a carried bend only the
/// limb can say, one that bends as at rest does so from any pose, and soft reach stays short of what is met near its rims.
pub(in crate::solve) fn may_stay(whole: &TwoBone, goal: &Goal, pose: &Pose) -> bool {
    let soft = matches!(whole.reach, Reach::Soft { .. });
    let shared = whole.twist_bones == TwistBones::Shared || whole.match_rotation != 1.0 || whole.pole_angle != 0.0;
    let as_given = whole.bend == Bend::Given || goal.pole.is_some();
    goal.swivel.is_none()
        && as_given
        && !soft
        && !shared
        && goal.pole.is_none_or(|pole| bends_to(whole, pole, goal, pose))
}

/// Whether the middle joint is in the half plane of root, tip and pole.
fn bends_to(whole: &TwoBone, pole: Pole, goal: &Goal, pose: &Pose) -> bool {
    let [root, mid, tip] = [whole.root, whole.mid, whole.tip].map(|joint| pose.position(joint));
    let pole = direction(goal, pole, root, pose);
    let Some(line) = arc::unit(tip - root) else { return false };
    let bend = arc::reject(mid - root, line);
    let Some(wanted) = arc::unit_reject(pole, line, MET) else { return false };
    let near = MET * (arc::length(mid - root) + arc::length(tip - mid));
    arc::length(bend - wanted * arc::length(bend)) <= near
}

/// Solves a limb: `place` gets its goals as one target and names blocked joints. `whole` is the limb from its root to its
/// tip, whose goals count; `joints` are those that may move for them.
pub(in crate::solve) fn run(
    whole: &TwoBone,
    joints: &[Joint],
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
    place: impl FnOnce(&LimbTarget, &mut Pose, &mut dyn FnMut(Joint)) -> Placed,
) -> Outcome {
    let Some(limb_target) = &LimbTarget::gather(whole, skeleton, goals, pose, work) else { return work.outcome(0) };
    let (_, above) = joints.split_last().expect("a limb has joints");
    if above.iter().any(|&joint| work.is_owned(skeleton, joint, whole.tip)) {
        report_limb(whole, skeleton, goals, pose, (Status::Stalled, None), [None; MOST], work);
        return work.outcome(0);
    }
    let mut blocking = [None; MOST];
    let mut blocked = |joint: Joint| {
        if let Some(place) = joints.iter().position(|&one| one == joint) {
            blocking[place] = Some(joint);
        }
    };
    let given = coordinates(joints, skeleton, pose);
    let mut placed = place(limb_target, pose, &mut blocked);
    if bring_inside(joints, given, skeleton, pose, &mut blocked) {
        placed.0 = placed.0.max(Status::Limited);
    }
    report_limb(whole, skeleton, goals, pose, placed, blocking, work);
    work.outcome(1)
}

/// The coordinates that joints of a limb have in common with other joints, and their values.
fn coordinates(joints: &[Joint], skeleton: &Skeleton, pose: &Pose) -> [Option<(usize, f64)>; MOST] {
    let mut coordinates = [None; MOST];
    for (coordinate, &joint) in coordinates.iter_mut().zip(joints) {
        let shared = |coordinate: &usize| skeleton.coordinates()[*coordinate].joints.len() > 1;
        let driven = skeleton.drive(joint).map(|drive| drive.coordinate).filter(shared);
        *coordinate = driven.map(|coordinate| (coordinate, pose.coordinates()[coordinate]));
    }
    coordinates
}

/// Brings coordinates that were moved inside what all their joints may do, and says whether one was not: where joints of a
/// limb have one coordinate in common, placing one moves the other.
fn bring_inside(
    joints: &[Joint],
    given: [Option<(usize, f64)>; MOST],
    skeleton: &Skeleton,
    pose: &mut Pose,
    blocked: &mut dyn FnMut(Joint),
) -> bool {
    let mut outside = false;
    for (&joint, (coordinate, before)) in joints.iter().zip(given).filter_map(|(joint, given)| Some((joint, given?))) {
        let (range, q) = (skeleton.coordinates()[coordinate].range, pose.coordinates()[coordinate]);
        if q != before && !range.contains(q) {
            pose.edit(skeleton).coordinate(coordinate, range.clamp(q));
            blocked(joint);
            outside = true;
        }
    }
    outside
}

fn report_limb(
    whole: &TwoBone,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &Pose,
    (status, swivel): Placed,
    blocking: [Option<Joint>; MOST],
    work: &mut Workspace,
) {
    for (i, goal) in goals.iter().enumerate() {
        if goal.weight == 0.0 || !whole.serves(skeleton, goal) {
            continue;
        }
        report(skeleton, (i, goal), pose, tolerance(whole, goal, pose), work, |work| {
            blocking.iter().flatten().for_each(|&joint| work.block(i, joint));
            Miss::of(status)
        });
        work.residuals_mut()[i].swivel = swivel;
    }
}
