//! Takes pops out: limbs are steadied first ([`super::steady`]); what pops even so gives way.
//!
//! About a moment at which a joint accelerates too much each joint of the goal turns from the clip by the mean of its turns in the
//! time about, which is longest at the pop and shrinks to nothing around it. The clip's own motion is not averaged. Frames that
//! are as in the clip stay bit for bit, and so do keys that are met, as long as nothing pops beside them even so.

use std::collections::BTreeSet;

use anyhow::Result;
use sinew::glam::DQuat;
use sinew::{Joint, Pose, Skeleton};
use sinew_motion::Clip;

use super::film::{Plan, Shot};
use super::measure::{self, Moment};
use super::part::Part;
use super::steady::Steadying;
use super::windows::Windows;
use crate::spread;

/// Rounds of a remedy: with the keys that are met, then without those that pop.
const ROUNDS: usize = 8;
/// Times that limbs are steadied, each on top of the last: what is averaged twice is averaged over longer.
const PASSES: usize = 3;
/// Half the time over which turns are averaged, at most (seconds).
const MOST: f64 = 0.8;

/// Distances up to this one (metres) are rounding.
const NEAR: f64 = 1e-6;

/// A goal that gave way.
#[derive(Clone, Copy, Debug)]
pub(super) struct GaveWay {
    /// The number of its part.
    pub(super) part: usize,
    /// Seconds, from the first frame to the last.
    pub(super) from: f64,
    pub(super) until: f64,
    /// How far its joint is from where it would be, at most, while the goal holds wholly (metres).
    pub(super) distance: f64,
}

/// What takes pops out, a bit more in each round.
pub(super) trait Remedy: Sync {
    /// Does more about these moments; whether there was more to do.
    fn lengthen(&mut self, moments: &[Moment]) -> bool;
    /// Lets what still moves too fast give way at keys that are met, too.
    fn leave_keys(&mut self, moments: &[Moment]);
    /// A frame as it is then; `None` where it stays.
    fn shot(&self, frame: usize) -> Option<Shot>;
}

/// Calms the joints that pop, of those that are somebody's `own`; goals that give way are measured again.
pub(super) fn calm(
    plan: &Plan<'_>,
    clip: &Clip,
    shots: &mut [Shot],
    own: impl Fn(Joint) -> bool,
) -> Result<Vec<GaveWay>> {
    let exact = shots.to_vec();
    // Limbs steady themselves first: where that is enough, goals are met as before.
    let mut steady = exact.clone();
    for _ in 0..PASSES {
        let is_calm = apply(plan, clip, shots, &own, &mut Steadying::new(plan, clip, &steady))?;
        steady.clone_from_slice(shots);
        if is_calm {
            break;
        }
    }
    apply(plan, clip, shots, &own, &mut Averaging::new(plan, clip, &steady))?;
    Ok((0..plan.parts.len()).filter_map(|part| gave_way(plan, part, clip.times(), &exact, shots)).collect())
}

/// Applies a remedy as far as it helps; whether nothing pops then.
fn apply(
    plan: &Plan<'_>,
    clip: &Clip,
    shots: &mut [Shot],
    own: &impl Fn(Joint) -> bool,
    remedy: &mut impl Remedy,
) -> Result<bool> {
    let poses = shots.iter().map(|shot| shot.pose.clone()).collect();
    let mut after = Clip::new(plan.skeleton, clip.times().to_vec(), poses)?;
    let joints: Vec<Joint> =
        measure::moved(plan.skeleton, clip, &after).into_iter().filter(|&joint| own(joint)).collect();
    let largest = |&joint: &Joint| clip.positions(joint).derivative(2).peak().1;
    let floor = measure::floor(joints.iter().map(largest));
    let (mut best, mut tried) = (f64::INFINITY, Vec::new());
    for round in 0..=2 * ROUNDS {
        let moments = measure::moments(plan, shots, clip, &after, &joints, floor);
        let excess: f64 = measure::worst(&moments).iter().map(|one| one.ratio - measure::POP).sum();
        if excess < best {
            best = excess;
            for (frame, shot) in std::mem::take(&mut tried) {
                shots[frame] = shot;
            }
        }
        if moments.is_empty() {
            return Ok(true);
        }
        if !remedy.lengthen(&moments) || round == ROUNDS {
            remedy.leave_keys(&moments);
        }
        let all = spread::over_cores(clip.len(), |frame| remedy.shot(frame));
        tried = all.into_iter().enumerate().filter_map(|(frame, shot)| Some((frame, shot?))).collect();
        for (frame, shot) in &tried {
            after.poses_mut()[*frame].clone_from(&shot.pose);
        }
    }
    Ok(false)
}

/// Where and how far a part gave way.
fn gave_way(plan: &Plan<'_>, number: usize, times: &[f64], exact: &[Shot], calmed: &[Shot]) -> Option<GaveWay> {
    let part = &plan.parts[number];
    let way = |frame: usize| exact[frame].pose.position(part.joint).distance(calmed[frame].pose.position(part.joint));
    let turned = |frame: usize| exact[frame].pose.local(part.first) != calmed[frame].pose.local(part.first);
    let frames: Vec<usize> = (0..times.len()).filter(|&frame| turned(frame) || way(frame) > 0.0).collect();
    let (from, until) = (times[*frames.first()?], times[*frames.last()?]);
    let whole = frames.into_iter().filter(|&frame| exact[frame].weights[number] >= 1.0);
    let distance = whole.map(way).filter(|way| *way > NEAR).fold(0.0, f64::max);
    (!part.goals.is_empty()).then_some(GaveWay { part: number, from, until, distance })
}

/// Turns that are averaged, and over which time.
struct Averaging<'a> {
    plan: &'a Plan<'a>,
    clip: &'a Clip,
    exact: &'a [Shot],
    /// One a part.
    windows: Vec<Windows<'a>>,
    /// Of each joint and frame: its turn from the clip, every quaternion on the side of the one before.
    turns: Vec<Vec<DQuat>>,
}

impl<'a> Averaging<'a> {
    fn new(plan: &'a Plan<'a>, clip: &'a Clip, exact: &'a [Shot]) -> Self {
        let windows = |part| Windows::new(clip.times(), &stays(plan, clip, exact, part, true), MOST);
        let turns = plan.skeleton.iter().map(|joint| turns(clip, exact, joint)).collect();
        Self { plan, clip, exact, windows: (0..plan.parts.len()).map(windows).collect(), turns }
    }

    /// The mean of a joint's turns from the clip in the time about a frame; `None` where all of them are alike.
    fn mean(&self, joint: Joint, frame: usize, window: &Windows<'_>) -> Option<DQuat> {
        let turns = &self.turns[joint.index()];
        let near = window.shares(frame, window.half(frame));
        if near.clone().all(|(at, _)| turns[at] == turns[frame]) {
            return None;
        }
        let sum = near.fold(DQuat::from_array([0.0; 4]), |sum, (at, share)| sum + turns[at] * share);
        (sum.length_squared() > 0.0).then(|| sum.normalize())
    }
}

impl Remedy for Averaging<'_> {
    fn lengthen(&mut self, moments: &[Moment]) -> bool {
        let mut grown = false;
        for (part, window) in self.plan.parts.iter().zip(&mut self.windows).filter(|(part, _)| !part.goals.is_empty()) {
            for frame in frames_of(self.plan, part, moments) {
                grown |= window.lengthen(frame);
            }
        }
        grown
    }

    fn leave_keys(&mut self, moments: &[Moment]) {
        for (number, window) in self.windows.iter_mut().enumerate() {
            if !frames_of(self.plan, &self.plan.parts[number], moments).is_empty() {
                window.keep(&stays(self.plan, self.clip, self.exact, number, false));
            }
        }
    }

    fn shot(&self, frame: usize) -> Option<Shot> {
        let (skeleton, exact) = (self.plan.skeleton, &self.exact[frame]);
        let parts = self.plan.parts.iter().zip(&self.windows).filter(|(part, _)| !part.goals.is_empty());
        let about: Vec<_> = parts.filter(|(_, window)| window.half(frame) > 0.0).collect();
        let longest = |joint| {
            let moved = about.iter().filter(|(part, _)| skeleton.is_below(joint, part.first));
            moved.map(|(_, window)| *window).max_by(|a, b| a.half(frame).total_cmp(&b.half(frame)))
        };
        let mut shot = exact.clone();
        for joint in skeleton.iter() {
            if let Some(turn) = longest(joint).and_then(|window| self.mean(joint, frame, window)) {
                set(skeleton, &mut shot.pose, joint, turn * self.clip.poses()[frame].local(joint).rotation);
            }
        }
        if shot.pose == exact.pose {
            return None;
        }
        self.plan.measure(self.clip.times()[frame], &self.clip.poses()[frame], &mut shot);
        Some(shot)
    }
}

/// The frames in which a part's joints are too quick.
pub(super) fn frames_of(plan: &Plan<'_>, part: &Part, moments: &[Moment]) -> BTreeSet<usize> {
    let moved = moments.iter().filter(|one| plan.skeleton.is_below(one.joint, part.first));
    moved.map(|one| one.frame).collect()
}

/// How far a joint is turned from the clip in each frame.
fn turns(clip: &Clip, exact: &[Shot], joint: Joint) -> Vec<DQuat> {
    let mut before = DQuat::IDENTITY;
    let turn = |(shot, given): (&Shot, &Pose)| {
        let [is, was] = [&shot.pose, given].map(|pose| pose.local(joint).rotation);
        let turn = if is == was { DQuat::IDENTITY } else { is * was.conjugate() };
        before = if turn.dot(before) < 0.0 { -turn } else { turn };
        before
    };
    exact.iter().zip(clip.poses()).map(turn).collect()
}

/// Turns a joint, inside its limits where it was inside.
fn set(skeleton: &Skeleton, pose: &mut Pose, joint: Joint, rotation: DQuat) {
    let (was, value) = (*pose.local(joint), pose.value(skeleton, joint));
    let mut local = was;
    local.rotation = rotation;
    if skeleton.nearest_allowed(joint, &was, value) == was {
        local = skeleton.nearest_allowed(joint, &local, value);
    }
    pose.edit(skeleton).rotation(joint, local.rotation);
}

/// The frames in which a part's joints stay as they are: as in the clip, at its ends, and, `with_keys`, at keys that are met.
pub(super) fn stays(plan: &Plan<'_>, clip: &Clip, exact: &[Shot], number: usize, with_keys: bool) -> Vec<bool> {
    let (part, last) = (&plan.parts[number], clip.len() - 1);
    let keys: BTreeSet<usize> = part.track.key_times().map(|time| nearest(clip.times(), time)).collect();
    let joints: Vec<Joint> = plan.skeleton.iter().filter(|&joint| plan.skeleton.is_below(joint, part.first)).collect();
    let as_clip = |frame: usize| {
        let [is, was] = [&exact[frame].pose, &clip.poses()[frame]];
        joints.iter().all(|&joint| is.local(joint) == was.local(joint))
    };
    let met = |frame: usize| with_keys && exact[frame].weights[number] > 0.0 && exact[frame].is_reached(part);
    (0..clip.len())
        .map(|frame| frame == 0 || frame == last || as_clip(frame) || (keys.contains(&frame) && met(frame)))
        .collect()
}

/// The frame nearest to a time.
fn nearest(times: &[f64], time: f64) -> usize {
    let next = times.partition_point(|&at| at < time).min(times.len() - 1);
    let before = next.saturating_sub(1);
    if (times[before] - time).abs() <= (times[next] - time).abs() { before } else { next }
}

#[cfg(test)]
mod tests {
    use sinew::glam::DVec3;
    use sinew::limit::{Range, SwingTwist};
    use sinew::{BallLimit, JointSpec, Kind, Rotation, SkeletonBuilder};

    use super::*;

    /// A mean of turns may lie outside limits that each of them keeps; what was outside already is nobody's to mend.
    #[test]
    fn turns_stay_inside_limits() {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("root"));
        let cone = BallLimit::SwingTwist(SwingTwist::new(DVec3::Y, 0.5, Range::FREE).unwrap());
        builder.add(JointSpec { kind: Kind::Ball(cone), ..JointSpec::named("joint").child_of("root") });
        let skeleton = builder.build().unwrap();
        let joint = skeleton.joint("joint").unwrap();
        let about = |angle: f64| Rotation::about(DVec3::X, angle).quaternion();
        let mut pose = skeleton.rest_pose();
        set(&skeleton, &mut pose, joint, about(1.5));
        let angle = pose.local(joint).rotation.angle_between(DQuat::IDENTITY);
        assert!((angle - 0.5).abs() < 1e-9, "{angle}");
        pose.edit(&skeleton).rotation(joint, about(1.0));
        set(&skeleton, &mut pose, joint, about(1.5));
        let angle = pose.local(joint).rotation.angle_between(DQuat::IDENTITY);
        assert!((angle - 1.5).abs() < 1e-9, "{angle}");
    }
}
