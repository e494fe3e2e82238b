//! What limb solvers do round their geometry: gather the limb's goals, leave owned joints alone, blend by
//! weight, report.

use alloc::vec::Vec;

use super::solver::TwoBone;
use super::wish::Wish;
use crate::goal::{Goal, Swivel, Tolerance};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::report::{Miss, report};
use crate::solve::seen::make_room;
use crate::solve::{Outcome, Solver, Status, Workspace, is_usable, refuse};
use crate::transform::Transform;

/// Relative distance, and angle in radians, below which a goal counts as met.
const MET: f64 = 1e-9;
/// Joints of a limb, at most.
const MOST: usize = 4;

/// The limb's path with the transforms to which weights refer.
#[derive(Debug, Default)]
struct Before(Vec<(Joint, Transform)>);

/// Status and swivel of a limb that was placed.
pub(in crate::solve) type Placed = (Status, Option<Swivel>);

/// Solves a limb: `place` gets its goals as one wish and names blocked joints. `whole` is the limb from its root to its tip, whose goals count; `joints` are those
/// that may move for them.
pub(in crate::solve) fn run(
    whole: &TwoBone,
    joints: &[Joint],
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
    place: impl FnOnce(&Wish, &mut Pose, &mut dyn FnMut(Joint)) -> Placed,
) -> Outcome {
    let ours = joints.iter().all(|&joint| skeleton.contains(joint));
    // A number that is none anywhere above shows in the tip.
    let usable = ours && is_usable(skeleton, goals, pose) && pose.model(whole.tip).is_finite();
    if !usable {
        return refuse(goals, work);
    }
    work.begin(goals);
    let Some(wish) = Wish::gather(whole, skeleton, goals, pose, work) else {
        prepare(whole, skeleton, work);
        return work.outcome(0);
    };
    let (_, above) = joints.split_last().expect("a limb has joints");
    if above.iter().any(|&joint| work.is_owned(skeleton, joint, whole.tip)) {
        report_limb(whole, skeleton, goals, pose, ((Status::Stalled, None), &wish), [None; MOST], work);
        return work.outcome(0);
    }
    let mut before = work.take::<Before>();
    before.0.clear();
    let path = whole.below_root(skeleton).chain([whole.root]);
    let reference = work.entry().unwrap_or(pose);
    before.0.extend(path.map(|joint| (joint, *reference.local(joint))));
    let mut blocking = [None; MOST];
    let mut blocked = |joint: Joint| {
        if let Some(place) = joints.iter().position(|&one| one == joint) {
            blocking[place] = Some(joint);
        }
    };
    let placed = place(&wish, pose, &mut blocked);
    if wish.weight < 1.0 && placed.0 != Status::Singular {
        blend(skeleton, before.0.iter().copied(), wish.weight, pose);
    }
    work.put(before);
    report_limb(whole, skeleton, goals, pose, (placed, &wish), blocking, work);
    work.outcome(1)
}

/// Makes room for a limb's path.
pub(in crate::solve) fn prepare(whole: &TwoBone, skeleton: &Skeleton, work: &mut Workspace) {
    let mut before = work.take::<Before>();
    make_room(&mut before.0, whole.below_root(skeleton).count() + 1);
    work.put(before);
}

/// Blends the solved limb with the pose to which weights refer, on the short arc.
pub(in crate::solve) fn blend(
    skeleton: &Skeleton,
    before: impl Iterator<Item = (Joint, Transform)>,
    weight: f64,
    pose: &mut Pose,
) {
    let mut edit = pose.edit(skeleton);
    for (joint, from) in before {
        let to = *edit.pose().local(joint);
        if from == to {
            continue;
        }
        let blend = Transform {
            translation: from.translation.lerp(to.translation, weight),
            rotation: arc::nlerp(from.rotation, to.rotation, weight),
            scale: to.scale,
        };
        let near = edit.pose().value(skeleton, joint);
        edit.local(joint, skeleton.nearest_allowed(joint, &blend, near));
    }
}

fn report_limb(
    whole: &TwoBone,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &Pose,
    ((status, swivel), wish): (Placed, &Wish),
    blocking: [Option<Joint>; MOST],
    work: &mut Workspace,
) {
    let point = pose.model(whole.tip).transform_point3(wish.offset);
    let mid = pose.position(whole.mid);
    let length = arc::length(mid - pose.position(whole.root)) + arc::length(point - mid);
    let own = Tolerance { position: MET * length, rotation: MET };
    for (i, goal) in goals.iter().enumerate() {
        if goal.weight == 0.0 || !whole.serves(skeleton, goal) {
            continue;
        }
        report(skeleton, (i, goal), pose, own, work, |work| {
            blocking.iter().flatten().for_each(|&joint| work.block(i, joint));
            Miss::of(status, wish.weight < 1.0)
        });
        work.residuals_mut()[i].swivel = swivel;
    }
}
