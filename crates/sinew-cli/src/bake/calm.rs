//! Takes pops out: about a moment at which a joint accelerates too much, its turns away from the clip are averaged over time.
//!
//! A target that leaves a limb's reach stops its elbow at once, whatever its speed, and no way of the limb that follows the target
//! is slower. So its goal gives way there: each joint of the goal turns from the clip by the mean of its turns in the time
//! about, which is longest at the pop and shrinks to nothing around it. The clip's own motion is not averaged. Frames that
//! are as in the clip stay bit for bit, and so do keys that are met, as long as nothing pops beside them even so.

use std::collections::BTreeSet;

use anyhow::Result;
use sinew::glam::DQuat;
use sinew::{Joint, Pose, Skeleton};
use sinew_motion::Clip;

use super::film::{Plan, Shot};
use super::measure::{self, Moment};
use crate::spread;

/// Factor by which the time about a pop grows in one round, and rounds: with the keys that are met, then without those that pop.
const LONGER: f64 = 1.35;
const ROUNDS: usize = 8;
/// Half the time about a pop at first (frames, and seconds at least), and at most (seconds).
const FIRST: (f64, f64) = (2.0, 0.05);
const MOST: f64 = 0.4;
/// Half the time is at most so many times that to the next frame that stays: from there it grows evenly, out of nothing.
const PAST: f64 = 2.0;
/// How far around a pop turns are averaged, over half the time there.
const AROUND: f64 = 3.0;

/// A goal that gave way.
#[derive(Clone, Copy, Debug)]
pub(super) struct GaveWay {
    /// The number of its part.
    pub(super) part: usize,
    /// Seconds, from the first frame to the last.
    pub(super) from: f64,
    pub(super) until: f64,
    /// How far its joint is from where it would be, at most (metres).
    pub(super) distance: f64,
}

/// Calms the joints that pop, of those that are somebody's `own`; goals that give way are measured again.
pub(super) fn calm(
    plan: &Plan<'_>,
    clip: &Clip,
    shots: &mut Vec<Shot>,
    own: impl Fn(Joint) -> bool,
) -> Result<Vec<GaveWay>> {
    let exact = shots.clone();
    let mut calming = Calming::new(plan, clip, &exact);
    let mut best = f64::INFINITY;
    let mut tried = exact.clone();
    for round in 0..=2 * ROUNDS {
        let poses = tried.iter().map(|shot| shot.pose.clone()).collect();
        let after = Clip::new(plan.skeleton, clip.times().to_vec(), poses)?;
        let changed: Vec<_> =
            measure::changed(plan.skeleton, clip, &after).into_iter().filter(|one| own(one.joint)).collect();
        let moments = measure::moments(plan, &tried, clip, &after, &changed);
        let excess: f64 = measure::worst(&moments).iter().map(|one| one.ratio - measure::POP).sum();
        if excess < best {
            best = excess;
            shots.clone_from(&tried);
        }
        if moments.is_empty() {
            break;
        }
        if !calming.lengthen(&moments) || round == ROUNDS {
            calming.leave_keys(&moments);
        }
        tried = spread::over_cores(exact.len(), |frame| calming.shot(frame));
    }
    Ok((0..plan.parts.len()).filter_map(|part| gave_way(plan, part, clip.times(), &exact, shots)).collect())
}

/// Where and how far a part gave way.
fn gave_way(plan: &Plan<'_>, number: usize, times: &[f64], exact: &[Shot], calmed: &[Shot]) -> Option<GaveWay> {
    let part = &plan.parts[number];
    let way = |frame: usize| exact[frame].pose.position(part.joint).distance(calmed[frame].pose.position(part.joint));
    let turned = |frame: usize| exact[frame].pose.local(part.first) != calmed[frame].pose.local(part.first);
    let frames: Vec<usize> = (0..times.len()).filter(|&frame| turned(frame) || way(frame) > 0.0).collect();
    let (from, until) = (times[*frames.first()?], times[*frames.last()?]);
    let distance = frames.into_iter().map(way).fold(0.0, f64::max);
    (!part.goals.is_empty()).then_some(GaveWay { part: number, from, until, distance })
}

/// What is averaged, and over which time.
struct Calming<'a> {
    plan: &'a Plan<'a>,
    clip: &'a Clip,
    exact: &'a [Shot],
    /// Of each part: half the time (seconds) that each frame asks for.
    asked: Vec<Vec<f64>>,
    /// Of each part and frame: the seconds to the nearest frame that stays.
    free: Vec<Vec<f64>>,
    /// Of each joint and frame: its turn from the clip, every quaternion on the side of the one before.
    turns: Vec<Vec<DQuat>>,
}

impl<'a> Calming<'a> {
    fn new(plan: &'a Plan<'a>, clip: &'a Clip, exact: &'a [Shot]) -> Self {
        let free = (0..plan.parts.len()).map(|part| free(clip.times(), &stays(plan, clip, exact, part, true)));
        let free = free.collect();
        let turns = plan.skeleton.iter().map(|joint| turns(clip, exact, joint)).collect();
        Self { plan, clip, exact, asked: vec![vec![0.0; clip.len()]; plan.parts.len()], free, turns }
    }

    /// Lets the time about each pop grow; whether any could.
    fn lengthen(&mut self, moments: &[Moment]) -> bool {
        let mut grown = false;
        for (number, part) in self.plan.parts.iter().enumerate().filter(|(_, part)| !part.goals.is_empty()) {
            let moved = moments.iter().filter(|one| self.plan.skeleton.is_below(one.joint, part.first));
            let frames: BTreeSet<usize> = moved.map(|one| one.frame).collect();
            for frame in frames {
                let asked = &mut self.asked[number][frame];
                let frame = (self.clip.end() - self.clip.start()) / (self.clip.len() - 1) as f64;
                let least = FIRST.1.max(FIRST.0 * frame);
                let longer = (*asked * LONGER).clamp(least, MOST.max(least));
                grown |= longer > *asked;
                *asked = longer;
            }
        }
        grown
    }

    /// Lets the parts that still move joints too fast give way at keys that are met, too.
    fn leave_keys(&mut self, moments: &[Moment]) {
        for (number, part) in self.plan.parts.iter().enumerate() {
            if moments.iter().any(|one| self.plan.skeleton.is_below(one.joint, part.first)) {
                self.free[number] = free(self.clip.times(), &stays(self.plan, self.clip, self.exact, number, false));
            }
        }
    }

    /// Half the time over which a part's turns are averaged in a frame.
    fn half(&self, part: usize, frame: usize) -> f64 {
        let times = self.clip.times();
        let asked = self.asked[part].iter().enumerate().filter(|(_, half)| **half > 0.0);
        let about = asked.map(|(at, half)| {
            let x = ((times[frame] - times[at]) / (AROUND * half)).abs().min(1.0);
            half * (1.0 - x * x) * (1.0 - x * x)
        });
        about.fold(0.0, f64::max).min(PAST * self.free[part][frame])
    }

    fn shot(&self, frame: usize) -> Shot {
        let mut shot = self.exact[frame].clone();
        let skeleton = self.plan.skeleton;
        let parts = self.plan.parts.iter().enumerate().filter(|(_, part)| !part.goals.is_empty());
        let halves: Vec<(Joint, f64)> = parts.map(|(number, part)| (part.first, self.half(number, frame))).collect();
        for joint in skeleton.iter() {
            let moved = halves.iter().filter(|(first, _)| skeleton.is_below(joint, *first));
            let half = moved.map(|(_, half)| *half).fold(0.0, f64::max);
            if let Some(turn) = self.mean(joint, frame, half) {
                set(skeleton, &mut shot.pose, joint, turn * self.clip.poses()[frame].local(joint).rotation);
            }
        }
        if shot.pose != self.exact[frame].pose {
            self.plan.measure(self.clip.times()[frame], &self.clip.poses()[frame], &mut shot);
        }
        shot
    }

    /// The mean of a joint's turns from the clip in the time about a frame; `None` where all of them are alike.
    fn mean(&self, joint: Joint, frame: usize, half: f64) -> Option<DQuat> {
        let times = self.clip.times();
        let near = times.partition_point(|&at| at <= times[frame] - half)
            ..times.partition_point(|&at| at < times[frame] + half);
        let turns = &self.turns[joint.index()];
        if near.len() < 2 || near.clone().all(|at| turns[at] == turns[frame]) {
            return None;
        }
        let sum = near.map(|at| {
            let x = (times[at] - times[frame]) / half;
            turns[at] * ((1.0 - x * x) * (1.0 - x * x))
        });
        let sum = sum.fold(DQuat::from_array([0.0; 4]), |sum, turn| sum + turn);
        (sum.length_squared() > 0.0).then(|| sum.normalize())
    }
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
fn stays(plan: &Plan<'_>, clip: &Clip, exact: &[Shot], number: usize, with_keys: bool) -> Vec<bool> {
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

/// The seconds from each time to the nearest that stays.
fn free(times: &[f64], stays: &[bool]) -> Vec<f64> {
    let mut free = vec![f64::INFINITY; times.len()];
    let mut kept = f64::NEG_INFINITY;
    for (at, &time) in times.iter().enumerate() {
        kept = if stays[at] { time } else { kept };
        free[at] = time - kept;
    }
    kept = f64::INFINITY;
    for (at, &time) in times.iter().enumerate().rev() {
        kept = if stays[at] { time } else { kept };
        free[at] = free[at].min(kept - time);
    }
    free
}
