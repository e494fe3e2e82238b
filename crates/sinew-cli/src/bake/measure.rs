//! How the baked clip moves against the one it was made from: what changed, how fast it goes, and where it pops.

use std::cell::OnceCell;

use sinew::glam::{DQuat, DVec3};
use sinew::math::{arc, ops};
use sinew::{Joint, Pose, Skeleton};
use sinew_motion::{Clip, Course};

use super::film::{Plan, Shot};
use super::part::Part;

/// How many times the larger of the clip's and the goals' own acceleration a joint may have.
pub(super) const POP: f64 = 2.0;
/// Accelerations below this part of the largest of the clip are no pops, whatever they were before.
const CALM: f64 = 0.02;

/// Seconds before and after a frame in which clip and goals may have accelerated as much.
pub(super) const ABOUT: f64 = 0.1;

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
    /// Whether a goal that moves the joint was missed about then: its limb comes to the end of its reach, or leaves it.
    pub(super) missed: bool,
}

/// Joints whose place or rotation is another in some frame, in the skeleton's order.
pub(super) fn moved(skeleton: &Skeleton, before: &Clip, after: &Clip) -> Vec<Joint> {
    let differs = |joint: &Joint| {
        let mut pairs = before.poses().iter().zip(after.poses());
        pairs.any(|(a, b)| a.model(*joint) != b.model(*joint))
    };
    skeleton.iter().filter(differs).collect()
}

/// The same, with how they move.
pub(super) fn changed(skeleton: &Skeleton, before: &Clip, after: &Clip) -> Vec<Changed> {
    let peaks = |clip: &Clip, joint| [1, 2, 3].map(|order| clip.positions(joint).derivative(order).peak().1);
    let of = |joint| Changed { joint, before: peaks(before, joint), after: peaks(after, joint) };
    moved(skeleton, before, after).into_iter().map(of).collect()
}

/// A frame in which a joint accelerates too much.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) joint: Joint,
    pub(super) frame: usize,
    /// Over what is allowed without one.
    pub(super) ratio: f64,
}

/// All moments at which joints pop, joint by joint; accelerations below the floor are none to speak of.
pub(super) fn moments(
    plan: &Plan<'_>,
    shots: &[Shot],
    before: &Clip,
    after: &Clip,
    joints: &[Joint],
    floor: f64,
) -> Vec<Moment> {
    let goals = Goals::of(plan, shots, before);
    let of_joint = |&joint: &Joint| {
        let course = Accelerations::of(joint, before, after);
        let asked = goals.of_joint(joint, before, after);
        let ratio = |at: usize| {
            let targets = asked.iter().map(|goal| goal.targets[at]).fold(floor, f64::max);
            let ratio = course.ratio(at, targets);
            // What goals carry is looked up where it matters.
            let carried = || asked.iter().map(|goal| goal.carried(at)).fold(targets, f64::max);
            if ratio > POP { course.ratio(at, carried()) } else { ratio }
        };
        // An acceleration is of the frame in the middle of three.
        let moment = |at: usize| Moment { joint, frame: at + 1, ratio: ratio(at) };
        (0..course.new.values().len()).map(moment).filter(|one| one.ratio > POP).collect::<Vec<_>>()
    };
    joints.iter().flat_map(of_joint).collect()
}

/// The worst moment of each joint.
pub(super) fn worst(moments: &[Moment]) -> Vec<Moment> {
    let joints = moments.chunk_by(|a, b| a.joint == b.joint);
    joints.filter_map(|of_joint| of_joint.iter().copied().max_by(|a, b| a.ratio.total_cmp(&b.ratio))).collect()
}

/// The worst pop of each changed joint that has one.
pub(super) fn pops(plan: &Plan<'_>, shots: &[Shot], before: &Clip, after: &Clip, changed: &[Changed]) -> Vec<Pop> {
    let pop = |one: Moment| {
        let time = before.times()[one.frame];
        let missed = is_missed(plan, shots, before, one.joint, time);
        Pop { joint: one.joint, time, ratio: one.ratio, missed }
    };
    let joints: Vec<Joint> = changed.iter().map(|one| one.joint).collect();
    let floor = floor(changed.iter().map(|one| one.before[1]));
    worst(&moments(plan, shots, before, after, &joints, floor)).into_iter().map(pop).collect()
}

/// Whether a goal that moves a joint was missed about a time.
fn is_missed(plan: &Plan<'_>, shots: &[Shot], clip: &Clip, joint: Joint, time: f64) -> bool {
    let about = clip.times().iter().zip(shots).filter(|(at, _)| (**at - time).abs() <= ABOUT);
    let missed = |(_, shot): (&f64, &Shot)| {
        let parts = plan.parts.iter().zip(&shot.weights);
        let mut moving = parts.filter(|(part, weight)| **weight > 0.0 && plan.skeleton.is_below(joint, part.first));
        moving.any(|(part, _)| !shot.is_reached(part))
    };
    about.into_iter().any(missed)
}

/// The acceleration that is none to speak of, by the largest ones of the clip.
pub(super) fn floor(largest: impl Iterator<Item = f64>) -> f64 {
    (largest.fold(0.0, f64::max) * CALM).max(f64::MIN_POSITIVE)
}

/// How a joint's place accelerates in the clip and as baked.
pub(super) struct Accelerations {
    /// The clip's own about each time.
    own: Vec<f64>,
    pub(super) new: Course,
}

impl Accelerations {
    pub(super) fn of(joint: Joint, before: &Clip, after: &Clip) -> Self {
        let [own, new] = [before, after].map(|clip| clip.positions(joint).derivative(2));
        Self { own: own.largest_about(new.times(), ABOUT), new }
    }

    /// The clip's own at most.
    pub(super) fn largest_before(&self) -> f64 {
        self.own.iter().copied().fold(0.0, f64::max)
    }

    /// The new one over the clip's own about that time, or what else is allowed where that is more.
    pub(super) fn ratio(&self, frame: usize, allowed: f64) -> f64 {
        self.new.values()[frame].length() / self.own[frame].max(allowed)
    }
}

/// The largest value about a time.
fn largest(course: &Course, time: f64, about: f64) -> f64 {
    let times = course.times();
    let near = times.partition_point(|&at| at < time - about)..times.partition_point(|&at| at <= time + about);
    course.values()[near].iter().map(|value| value.length()).fold(0.0, f64::max)
}

/// How the goals accelerate, about the time of each acceleration.
struct Goals<'a> {
    plan: &'a Plan<'a>,
    times: Vec<f64>,
    /// The target of each part, weight and all.
    targets: Vec<Vec<f64>>,
    /// The weight of each part, its first and its second derivative.
    weights: Vec<[Vec<f64>; 2]>,
}

/// What a goal asks of a joint that it moves: the acceleration of its target; and since it carries the joint so far from the
/// clip in the time in which it comes or goes, that of its weight along this way.
struct Asked<'a> {
    targets: &'a [f64],
    weights: &'a [Vec<f64>; 2],
    times: &'a [f64],
    /// The joint, and the clips between which it goes.
    of: (&'a Skeleton, Joint, &'a Clip, &'a Clip),
    /// How long the arcs are on which the joint goes from the clip, and that times their angle, along x.
    ways: OnceCell<[Course; 2]>,
    ease: f64,
}

impl<'a> Goals<'a> {
    fn of(plan: &'a Plan<'a>, shots: &[Shot], clip: &Clip) -> Self {
        let course = |values: Vec<DVec3>| Course::new(clip.times().to_vec(), values);
        let times = course(vec![DVec3::ZERO; clip.len()]).derivative(2).times().to_vec();
        let about = |course: &Course| course.largest_about(&times, ABOUT);
        let target = |part| about(&course(shots.iter().map(|shot| shot.targets[part]).collect()).derivative(2));
        let weight = |part| {
            let weights = course(shots.iter().map(|shot| DVec3::X * shot.weights[part]).collect());
            [1, 2].map(|order| about(&weights.derivative(order)))
        };
        let parts = 0..plan.parts.len();
        let (targets, weights) = (parts.clone().map(target).collect(), parts.map(weight).collect());
        Self { plan, times, targets, weights }
    }

    /// Of the goals that move a joint, or one above it.
    fn of_joint<'b>(&'b self, joint: Joint, before: &'b Clip, after: &'b Clip) -> Vec<Asked<'b>> {
        let skeleton = self.plan.skeleton;
        let moved = |(_, part): &(usize, &Part)| skeleton.is_below(joint, part.first);
        let asked = |(number, part): (usize, &Part)| {
            let [coming, going] = part.track.span.ease;
            let (targets, weights) = (&self.targets[number], &self.weights[number]);
            let of = (skeleton, joint, before, after);
            Asked { targets, weights, times: &self.times, of, ways: OnceCell::new(), ease: coming.max(going) }
        };
        self.plan.parts.iter().enumerate().filter(moved).map(asked).collect()
    }
}

/// The arcs on which a joint goes from the clip as what it hangs on turns: their lengths, and these times their angles.
fn ways(skeleton: &Skeleton, joint: Joint, before: &Clip, after: &Clip) -> [Course; 2] {
    let arc = |(a, b): (&Pose, &Pose)| {
        let turn = skeleton.parent(joint).map_or(DQuat::IDENTITY, |on| b.rotation(on) * a.rotation(on).conjugate());
        let angle = arc::length(arc::rotation_vector(turn));
        let chord = a.position(joint).distance(b.position(joint));
        let length = if angle > 1e-6 { chord * (0.5 * angle) / ops::sin_cos(0.5 * angle).0 } else { chord };
        (DVec3::X * length, DVec3::X * length * angle)
    };
    let (lengths, turned) = before.poses().iter().zip(after.poses()).map(arc).unzip();
    [lengths, turned].map(|values| Course::new(before.times().to_vec(), values))
}

impl Asked<'_> {
    /// The acceleration on the way on which a goal carries the joint as it comes and goes.
    fn carried(&self, at: usize) -> f64 {
        let [speed, change] = self.weights.each_ref().map(|weights| weights[at]);
        if speed == 0.0 && change == 0.0 {
            return 0.0;
        }
        let (skeleton, joint, before, after) = self.of;
        let ways = self.ways.get_or_init(|| ways(skeleton, joint, before, after));
        let [length, turned] = ways.each_ref().map(|ways| largest(ways, self.times[at], ABOUT + self.ease));
        (change * length).max(speed * speed * turned)
    }
}
