//! How the baked clip moves against the one it was made from: what changed, how fast it goes, and where it pops.

use sinew::{Joint, Skeleton};
use sinew_motion::{Clip, Course};

use super::film::{Part, Plan, Shot};

/// How many times the larger of the clip's and the goals' own acceleration a joint may have.
const POP: f64 = 2.0;
/// Accelerations below this part of the largest of the clip are no pops, whatever they were before.
const CALM: f64 = 0.02;

/// Seconds before and after a frame in which clip and goals may have accelerated as much.
const ABOUT: f64 = 0.1;

/// The largest speed, acceleration and jerk of a joint's place.
pub(super) type Peaks = [f64; 3];

/// A joint that the baking changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changed {
    pub(super) joint: Joint,
    pub(super) before: Peaks,
    pub(super) after: Peaks,
}

/// Too much acceleration at a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pop {
    pub(super) joint: Joint,
    pub(super) time: f64,
    /// Over what is allowed without one.
    pub(super) ratio: f64,
}

/// Joints whose place or rotation is another in some frame, in the skeleton's order.
pub(super) fn changed(skeleton: &Skeleton, before: &Clip, after: &Clip) -> Vec<Changed> {
    let differs = |joint: &Joint| {
        let mut pairs = before.poses().iter().zip(after.poses());
        pairs.any(|(a, b)| a.model(*joint) != b.model(*joint))
    };
    let peaks = |clip: &Clip, joint| [1, 2, 3].map(|order| clip.positions(joint).derivative(order).peak().1);
    let joints = skeleton.iter().filter(differs);
    joints.map(|joint| Changed { joint, before: peaks(before, joint), after: peaks(after, joint) }).collect()
}

/// The worst pop of each changed joint that has one. A goal allows the joints that it moves, and all below them, the largest
/// acceleration of its own target, weight and all, about that time.
pub(super) fn pops(plan: &Plan<'_>, shots: &[Shot], before: &Clip, after: &Clip, changed: &[Changed]) -> Vec<Pop> {
    let skeleton = plan.skeleton;
    let course = |part| Course::new(before.times().to_vec(), shots.iter().map(|shot| shot.targets[part]).collect());
    let speedups: Vec<Course> = (0..plan.parts.len()).map(|part| course(part).derivative(2)).collect();
    let floor = changed.iter().map(|one| one.before[1]).fold(0.0, f64::max) * CALM;
    let worst = |one: &Changed| {
        let (own, new) = (before.positions(one.joint).derivative(2), after.positions(one.joint).derivative(2));
        let largest = |course: &Course, frame: usize| {
            let (times, time) = (course.times(), course.times()[frame]);
            let near = times.partition_point(|&at| at < time - ABOUT)..times.partition_point(|&at| at <= time + ABOUT);
            course.values()[near].iter().map(|value| value.length()).fold(0.0, f64::max)
        };
        let moved = |part: &&Part| skeleton.is_below(one.joint, part.first);
        let goals: Vec<&Course> =
            plan.parts.iter().zip(&speedups).filter(|(part, _)| moved(part)).map(|(_, course)| course).collect();
        let ratio = |frame: usize| {
            let goals = goals.iter().map(|goal| largest(goal, frame)).fold(0.0, f64::max);
            new.values()[frame].length() / largest(&own, frame).max(goals).max(floor).max(f64::MIN_POSITIVE)
        };
        let frames = (0..new.values().len()).map(|frame| (new.times()[frame], ratio(frame)));
        let worst = frames.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (worst.1 > POP).then_some(Pop { joint: one.joint, time: worst.0, ratio: worst.1 })
    };
    changed.iter().filter_map(worst).collect()
}
