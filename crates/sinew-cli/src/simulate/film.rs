//! The run itself: frame after frame the body moves, solves its goals, and the chains swing after it.

use sinew::glam::DVec3;
use sinew::springs::{SpringState, Springs};
use sinew::{Goal, Pose, Residual, Solver, Target, Workspace};
use sinew_draw::Mark;

use super::chains::Chain;
use super::travel::Travel;
use super::tune;
use crate::legs;
use crate::request::ServedGoal;
use crate::rig::Rig;
use crate::run;

/// Part of a chain's length within which its tip counts as calm.
const CALM: f64 = 0.01;
/// Seconds at least that a tip must be calm.
const CALM_FOR: f64 = 0.25;
/// Frames a second while chains settle.
const SETTLING: f64 = 60.0;

/// The body without its chains: a pose for each moment. Solvers of all goals together go on from the moment before,
/// since from the rest pose they may find another answer for the next one; limbs have only one.
pub(crate) struct Body<'a> {
    rig: &'a Rig,
    travel: &'a Travel,
    solver: Box<dyn Solver>,
    goals: Vec<Goal>,
    work: Workspace,
    /// Whether a pose goes on from the one before, and that one's moment.
    goes_on: bool,
    before: Option<f64>,
}

/// Moments of the clip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// Frames after the first.
    pub(crate) frames: usize,
    pub(crate) rate: f64,
    pub(crate) settle: f64,
}

impl Timing {
    /// The moment of a frame (seconds).
    pub(crate) fn moment(&self, frame: usize) -> f64 {
        frame as f64 / self.rate
    }
}

/// What was filmed.
#[derive(Debug, Default)]
pub(crate) struct Film {
    pub(crate) times: Vec<f64>,
    pub(crate) poses: Vec<Pose>,
    /// The moments of the strip.
    pub(crate) stills: Vec<Still>,
    /// One a chain.
    pub(crate) takes: Vec<Take>,
    /// Frames over which chains were carried instead of swung.
    pub(crate) jumps: usize,
    /// How the goals ended in their worst frame.
    pub(crate) worst: Vec<Residual>,
}

/// What the strip needs beside the pose.
#[derive(Clone, Debug)]
pub(crate) struct Still {
    pub(crate) frame: usize,
    /// The body with stiff chains.
    pub(crate) stiff: Pose,
    pub(crate) marks: Vec<Mark>,
}

/// One chain in every frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Take {
    /// Where its tip was, in model space and, for its calm, beside its stiff place.
    pub(crate) tips: Vec<DVec3>,
    aside: Vec<DVec3>,
    /// How far it had swung from where it would be if it were stiff (radians).
    pub(crate) swings: Vec<f64>,
    /// The largest length of a bone over its own.
    pub(crate) stretch: f64,
    length: f64,
}

impl<'a> Body<'a> {
    pub(crate) fn new(rig: &'a Rig, travel: &'a Travel, asked: &[ServedGoal], body: Option<Box<dyn Solver>>) -> Self {
        let goals: Vec<Goal> = asked.iter().map(|one| one.goal).collect();
        // A weight blends with the pose given, so it needs the one at rest.
        let goes_on = body.is_some() && goals.iter().all(|goal| [0.0, 1.0].contains(&goal.weight));
        Self { rig, travel, solver: run::solver(asked, body), goals, work: Workspace::default(), goes_on, before: None }
    }

    /// Poses the body at a moment; `pose` is that of the moment before.
    fn pose(&mut self, pose: &mut Pose, moment: f64) {
        let skeleton = self.rig.skeleton();
        if let Some(before) = self.before.replace(moment).filter(|_| self.goes_on) {
            self.travel.carry_on(skeleton, pose, before, moment);
        } else {
            pose.reset(skeleton);
            self.travel.carry(skeleton, pose, moment);
        }
        if self.goals.is_empty() {
            return;
        }
        for way in &self.travel.ways {
            let goals = self.goals.iter_mut().filter(|goal| goal.joint == way.joint);
            for goal in goals {
                match &mut goal.target {
                    Target::Position(place) | Target::Frame { position: place, .. } => *place = way.at(moment),
                    _ => {}
                }
            }
        }
        let start = pose.clone();
        let _ = self.solver.solve(skeleton, &self.goals, pose, &mut self.work);
        legs::carry_feet(self.rig, &self.goals, &start, pose);
    }
}

impl Body<'_> {
    /// Where goals of places and their joints are in the pose of the last moment.
    fn marks(&self, pose: &Pose) -> Vec<Mark> {
        let mark = |goal: &Goal| {
            let reached = pose.model(goal.joint).transform_point3(goal.offset);
            Some(Mark::new(self.rig.label(goal.joint), goal.target.position()?, reached))
        };
        self.goals.iter().filter_map(mark).collect()
    }
}

/// Runs the clip, and keeps what the strip shows of its `moments`; `shown` is told every frame.
pub(crate) fn run(
    body: &mut Body<'_>,
    springs: &Springs,
    chains: &[Chain],
    timing: Timing,
    moments: &[usize],
    mut shown: impl FnMut(),
) -> Film {
    let skeleton = body.rig.skeleton();
    let (mut pose, mut stiff, mut state) = (skeleton.rest_pose(), skeleton.rest_pose(), SpringState::default());
    body.pose(&mut stiff, 0.0);
    for _ in 0..super::whole(timing.settle * SETTLING) {
        pose.clone_from(&stiff);
        springs.step(skeleton, &mut pose, &mut state, 1.0 / SETTLING);
    }
    let mut film =
        Film { takes: chains.iter().map(|chain| Take::new(springs, chain, &stiff)).collect(), ..Film::default() };
    for frame in 0..=timing.frames {
        let moment = timing.moment(frame);
        body.pose(&mut stiff, moment);
        film.note(body.work.residuals());
        pose.clone_from(&stiff);
        let passed = if frame == 0 { 0.0 } else { 1.0 / timing.rate };
        film.jumps += usize::from(springs.step(skeleton, &mut pose, &mut state, passed).jumped);
        legs::carry_feet(body.rig, &[], &stiff, &mut pose);
        for (take, chain) in film.takes.iter_mut().zip(chains) {
            take.add(springs, chain, &pose, &stiff);
        }
        if moments.contains(&frame) {
            film.stills.push(Still { frame, stiff: stiff.clone(), marks: body.marks(&stiff) });
        }
        film.times.push(moment);
        film.poses.push(pose.clone());
        shown();
    }
    film
}

impl Film {
    /// Keeps each goal's worst end.
    fn note(&mut self, ends: &[Residual]) {
        let miss = |end: &Residual| end.position_error() + end.rotation_error() + end.scale_error();
        self.worst.resize(ends.len(), Residual::default());
        for (worst, end) in self.worst.iter_mut().zip(ends) {
            if self.times.is_empty() || miss(end) > miss(worst) {
                *worst = *end;
            }
        }
    }
}

impl Take {
    fn new(springs: &Springs, chain: &Chain, pose: &Pose) -> Self {
        let longest = chain.bones.iter().map(|&place| tune::end(pose, &springs.bones[place]));
        let length = longest.map(|end| end.distance(pose.position(chain.base))).fold(0.0, f64::max);
        Self { length, stretch: 1.0, ..Self::default() }
    }

    fn add(&mut self, springs: &Springs, chain: &Chain, pose: &Pose, stiff: &Pose) {
        let (from, from_stiff) = (pose.position(chain.base), stiff.position(chain.base));
        let (tip, tip_stiff) = (tune::end(pose, &chain.last), tune::end(stiff, &chain.last));
        let (way, way_stiff) = (tip - from, tip_stiff - from_stiff);
        let swing = way.cross(way_stiff).length().atan2(way.dot(way_stiff));
        self.tips.push(tip);
        self.aside.push(way - way_stiff);
        self.swings.push(swing);
        for &place in &chain.bones {
            let bone = &springs.bones[place];
            let length = |pose: &Pose| tune::end(pose, bone).distance(pose.position(bone.joint));
            let own = length(stiff);
            if own > 0.0 {
                self.stretch = self.stretch.max(length(pose) / own);
            }
        }
    }

    /// The largest swing.
    pub(crate) fn swing(&self) -> f64 {
        self.swings.iter().copied().fold(0.0, f64::max)
    }

    /// The swing in the last frame.
    pub(crate) fn end(&self) -> f64 {
        self.swings.last().copied().unwrap_or(0.0)
    }

    /// From frame to frame, the tip's way against its stiff place.
    pub(crate) fn ways(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.aside.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// When the tip came to rest; `None` where it still moves.
    pub(crate) fn calm_after(&self, times: &[f64]) -> Option<f64> {
        let last = *self.aside.last()?;
        let moves = |at: &DVec3| at.distance(last) > CALM * self.length;
        let first = self.aside.iter().rposition(moves).map_or(0, |at| at + 1);
        let (calm, end) = (*times.get(first)?, *times.last()?);
        (end - calm >= CALM_FOR).then_some(calm)
    }
}
