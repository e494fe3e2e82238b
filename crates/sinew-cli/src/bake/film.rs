//! The baking itself: every frame is solved from the clip's own pose, so that frames know nothing of one another and what
//! no goal asks for stays bit for bit.

use anyhow::{Context as _, Result, bail};
use sinew::glam::{DAffine3, DVec3};
use sinew::math::arc;
use sinew::{Goal, Joint, Pole, Pose, Residual, Sequence, Skeleton, Solver, Status, Tolerance, Workspace};
use sinew_motion::{Clip, carry};
use sinew_rig::Body;

use super::bend::Bends;
use super::part::{Part, of_track, root_of, twice};
use super::steady::{Lie, Told};
use super::track::Track;
use crate::request::ServedGoal;
use crate::rig::Rig;
use crate::served::Settings;
use crate::{joint_ref, run, spread};

/// Share of a limb's length within which its goal is as good as met.
const NEAR: f64 = 1e-6;
/// Metres and radians by which what is met may be off.
const ROUNDING: f64 = 1e-12;

/// All goals, ready to be solved in any frame.
pub(super) struct Plan<'a> {
    /// The human that is solved as a whole, where it is to be.
    human: Option<Body>,
    pub(super) skeleton: &'a Skeleton,
    settings: Settings,
    pub(super) parts: Vec<Part>,
    pub(super) asked: Vec<ServedGoal>,
}

/// One frame.
#[derive(Clone, Debug)]
pub(super) struct Shot {
    pub(super) pose: Pose,
    /// How much there is of each part.
    pub(super) weights: Vec<f64>,
    /// One a goal, then one a part that carries.
    pub(super) ends: Vec<Residual>,
    /// Where each part has a point go, weight and all: its joint, or where the end of what hangs on it is turned to.
    pub(super) targets: Vec<DVec3>,
    /// How the limb of each part lies that was solved wholly.
    pub(super) lies: Vec<Option<Lie>>,
}

impl<'a> Plan<'a> {
    /// Finds joints and what serves them over a clip.
    pub(super) fn new(rig: &'a Rig, clip: &Clip, tracks: Vec<Track>, settings: Settings) -> Result<Self> {
        let mut parts = Vec::new();
        for track in tracks {
            let joint = joint_ref::find(rig, &track.joint).with_context(|| track.place.clone())?;
            let asked = of_track(rig, &track, joint, settings).with_context(|| track.place.clone())?;
            parts.push((track, joint, asked));
        }
        if let Some((second, joint)) = twice(&parts) {
            bail!(
                "{}: '{}' has such a goal already; put both in one, or let one end before the other begins",
                second.place,
                rig.label(joint)
            );
        }
        // Who moves others comes first: what is held below follows.
        parts.sort_by_key(|(_, joint, asked)| {
            let first = asked.iter().flat_map(|one| one.served.joints()).min().unwrap_or(*joint);
            (!asked.is_empty(), first, *joint)
        });
        let rest = rig.skeleton().rest_pose();
        let mut all = Vec::new();
        let mut planned = Vec::new();
        for (track, joint, asked) in parts {
            let goals = all.len()..all.len() + asked.len();
            let served = asked.iter().flat_map(|one: &ServedGoal| one.served.joints()).min();
            let first = served.unwrap_or_else(|| root_of(rig.skeleton(), joint));
            let below = rig.skeleton().subtree(first).filter_map(|index| rig.skeleton().at(index));
            let lever = below.map(|end| rest.position(end).distance(rest.position(first))).fold(0.0, f64::max);
            all.extend(asked);
            let limb = all[goals.clone()].first().filter(|_| track.pole.is_none());
            let bends = limb.and_then(|one: &ServedGoal| Bends::of(&one.served, clip));
            planned.push(Part { track, joint, goals, first, bends, lever });
        }
        settings.refuse_unserved(rig, all.iter().map(|one: &ServedGoal| &one.goal))?;
        let human = settings.human(rig)?;
        Ok(Self { human, skeleton: rig.skeleton(), settings, parts: planned, asked: all })
    }

    /// Solves every frame of a clip; `shown` is told of each.
    pub(super) fn bake(&self, clip: &Clip, shown: impl Fn() + Sync) -> Vec<Shot> {
        spread::over_cores(clip.len(), |frame| {
            let shot = self.frame(clip.times()[frame], &clip.poses()[frame]);
            shown();
            shot
        })
    }

    /// Solves anew the frames in which goals weigh otherwise than they did.
    pub(super) fn bake_again(&self, clip: &Clip, shots: &mut [Shot]) {
        let changed: Vec<usize> =
            (0..shots.len()).filter(|&frame| shots[frame].weights != self.weights(clip.times()[frame])).collect();
        let anew = spread::over_cores(changed.len(), |at| {
            let frame = changed[at];
            self.frame(clip.times()[frame], &clip.poses()[frame])
        });
        for (frame, shot) in changed.into_iter().zip(anew) {
            shots[frame] = shot;
        }
    }

    /// Measures anew what goals that hold wholly are left with in a frame whose pose has changed.
    pub(super) fn measure(&self, time: f64, given: &Pose, shot: &mut Shot) {
        let goals = self.parts.iter().flat_map(|part| part.goals_at(self, time, given)).collect();
        let mut shooting = Shooting { given, goals, shot: shot.clone() };
        for (number, part) in self.parts.iter().enumerate() {
            if shooting.shot.weights[number] >= 1.0 {
                shooting.measure_again(part);
            }
        }
        *shot = shooting.shot;
    }

    fn weights(&self, time: f64) -> Vec<f64> {
        self.parts.iter().map(|part| part.track.weight_at(time)).collect()
    }

    fn frame(&self, time: f64, given: &Pose) -> Shot {
        self.told(time, given, &[])
    }

    /// Solves a frame, with limbs that lie as they are told.
    pub(super) fn told(&self, time: f64, given: &Pose, told: &[Option<Told>]) -> Shot {
        let weights = self.weights(time);
        let mut shooting = Shooting {
            given,
            goals: self.parts.iter().flat_map(|part| part.goals_at(self, time, given)).collect(),
            shot: Shot {
                pose: given.clone(),
                ends: vec![Residual::default(); self.asked.len()],
                targets: Vec::new(),
                lies: vec![None; self.parts.len()],
                weights,
            },
        };
        for (number, part) in self.parts.iter().enumerate().filter(|(_, part)| part.goals.is_empty()) {
            let place = part.place(time, given);
            move_body(self.skeleton, &mut shooting.shot.pose, part.joint, place, shooting.shot.weights[number]);
        }
        match self.settings.body_by(self.human.as_ref()) {
            Some(body) => self.solve_together(&*run::solver(&self.asked, Some(body)), &mut shooting),
            None => self.solve_in_turn(&mut shooting, told),
        }
        let Shooting { goals, mut shot, .. } = shooting;
        let target = |(part, &weight): (&Part, &f64)| match goals.get(part.goals.clone()) {
            Some([goal, ..]) => part.target(goal, given, weight),
            _ => given.position(part.joint).lerp(part.place(time, given), weight),
        };
        shot.targets = self.parts.iter().zip(&shot.weights).map(target).collect();
        shot
    }

    /// Solves part after part, those that carry others first, each wholly; then its joints go as much of the way as it
    /// weighs. So joints turn evenly, where an elbow whose hand went along a line would hurry past the straight.
    fn solve_in_turn(&self, shooting: &mut Shooting<'_>, told: &[Option<Told>]) {
        let solver = self.asked.iter().fold(Sequence::new(), |sequence, one| one.served.after(sequence));
        let mut work = Workspace::default();
        let mut after: Vec<Option<DAffine3>> = vec![None; self.parts.len()];
        for (number, part) in self.parts.iter().enumerate().filter(|(_, part)| !part.goals.is_empty()) {
            let weight = shooting.shot.weights[number];
            if weight <= 0.0 {
                continue;
            }
            let mut solved = shooting.shot.pose.clone();
            let told = told.get(number).copied().flatten();
            shooting.bend(self, part, &mut solved, told);
            // Goals that weigh nothing still own their joints.
            let counts = |at: usize| if part.goals.contains(&at) { 1.0 } else { 0.0 };
            let mut goals: Vec<Goal> =
                shooting.goals.iter().enumerate().map(|(at, goal)| goal.weight(counts(at))).collect();
            let reach = told.and_then(|told| told.reach).zip(goals.get_mut(part.goals.start));
            let is_nearer = reach.is_some_and(|(reach, goal)| part.bring_nearer(goal, &solved, reach));
            let _ = solver.solve(self.skeleton, &goals, &mut solved, &mut work);
            let own = part.goals.clone();
            shooting.shot.ends[own.clone()].copy_from_slice(&work.residuals()[own]);
            if is_nearer {
                // What is left counts from where the goal would have it.
                std::mem::swap(&mut shooting.shot.pose, &mut solved);
                shooting.measure_again(part);
                std::mem::swap(&mut shooting.shot.pose, &mut solved);
            }
            shooting.shot.lies[number] = shooting.lie(part, &solved);
            let shot = &mut shooting.shot;
            shot.pose.blend(self.skeleton, &solved, weight);
            after[number] = Some(*shot.pose.model(part.joint));
        }
        for (part, after) in self.parts.iter().zip(after) {
            // What came later may have moved what was there.
            if after.is_some_and(|after| after != *shooting.shot.pose.model(part.joint)) {
                shooting.measure_again(part);
            }
        }
    }

    /// Solves all goals at once, each by its share of what all weigh together; then the whole body goes as much of the way.
    /// A goal alone is solved wholly so; beside one that holds, another comes by its target.
    fn solve_together(&self, solver: &dyn Solver, shooting: &mut Shooting<'_>) {
        let parts = || self.parts.iter().enumerate().filter(|(_, part)| !part.goals.is_empty());
        let left: f64 = parts().map(|(number, _)| 1.0 - shooting.shot.weights[number]).product();
        let all = 1.0 - left;
        if all <= 0.0 {
            return;
        }
        for (number, part) in parts() {
            let weight = (shooting.shot.weights[number] / all).min(1.0);
            shooting.goals[part.goals.clone()].iter_mut().for_each(|goal| goal.weight = weight);
        }
        let mut work = Workspace::default();
        let mut solved = shooting.shot.pose.clone();
        let _ = solver.solve(self.skeleton, &shooting.goals, &mut solved, &mut work);
        shooting.shot.ends.copy_from_slice(work.residuals());
        shooting.shot.pose.blend(self.skeleton, &solved, all);
    }
}

/// A frame that is being solved.
struct Shooting<'a> {
    given: &'a Pose,
    /// As they are in this frame.
    goals: Vec<Goal>,
    shot: Shot,
}

impl Shooting<'_> {
    /// Tells a limb without a pole where to bend, and bends it there beforehand in `solved`. Carriers have gone where they go.
    fn bend(&mut self, plan: &Plan<'_>, part: &Part, solved: &mut Pose, told: Option<Told>) {
        let Some(bends) = &part.bends else { return };
        let (goal, pose) = (&mut self.goals[part.goals.start], &self.shot.pose);
        let way = |joint: Joint| pose.position(joint) - self.given.position(joint);
        let moved = part.target(goal, self.given, 1.0) - self.given.position(part.joint) - way(part.first);
        let bend = bends.bend(pose, moved.length()).map(|own| told.map_or(own, |told| told.bend * own.length()));
        goal.pole = bend.and_then(arc::unit).map(Pole::Direction);
        // What is as good as met stays as it is, bit for bit.
        let near = NEAR * pose.position(part.joint).distance(pose.position(part.first));
        if let Some(bend) = bend.filter(|_| moved.length() > near && bends.is_free(plan.skeleton)) {
            bends.fold(plan.skeleton, solved, bend);
        }
    }

    /// How a part's limb lies that was solved wholly.
    fn lie(&self, part: &Part, solved: &Pose) -> Option<Lie> {
        let asked = match self.goals[part.goals.start].pole {
            Some(Pole::Direction(side)) => Some(side),
            _ => None,
        };
        part.bends.as_ref().map(|bends| bends.lie(solved, asked))
    }

    /// What a part's goals are left with in the pose as it is now.
    fn measure_again(&mut self, part: &Part) {
        for at in part.goals.clone() {
            let end = &mut self.shot.ends[at];
            let now = Residual::measured(&self.goals[at], &self.shot.pose, end.status);
            let is_near = |near: Tolerance| {
                now.position_error() <= near.position + ROUNDING && now.rotation_error() <= near.rotation + ROUNDING
            };
            let missed = end.status == Status::Reached && !end.tolerance.is_some_and(is_near);
            let status = if missed { Status::Stalled } else { end.status };
            *end = Residual { status, tolerance: end.tolerance, swivel: end.swivel, ..now };
        }
    }
}

/// Carries the whole body so that a root comes part of the way to a place.
fn move_body(skeleton: &Skeleton, pose: &mut Pose, joint: Joint, place: DVec3, weight: f64) {
    let way = (place - pose.position(joint)) * weight;
    if way != DVec3::ZERO {
        carry(skeleton, pose, &DAffine3::from_translation(way));
    }
}

impl Shot {
    /// How far a part's joint is from where it was asked to be (metres, radians): the worst of its goals.
    pub(super) fn error(&self, part: &Part) -> (f64, f64) {
        let ends = &self.ends[part.goals.clone()];
        let worst = |of: &dyn Fn(&Residual) -> f64| ends.iter().map(of).fold(0.0, f64::max);
        (worst(&Residual::position_error), worst(&Residual::rotation_error))
    }

    /// Whether all goals of a part were reached.
    pub(super) fn is_reached(&self, part: &Part) -> bool {
        self.ends[part.goals.clone()].iter().all(|end| end.status == Status::Reached)
    }
}
