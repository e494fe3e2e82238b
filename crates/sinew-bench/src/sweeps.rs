//! Smooth targets for a hand, round and round: circles, out past reach and back, across the body, behind the back. What a
//! game sees of a solver: how far joints turn in a frame, whether they pop, whether laps differ, what frames cost.

use std::f64::consts::TAU;

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use cpu_time::ThreadTime;
use serde::Serialize;
use sinew::glam::DVec3;
use sinew::math::arc;
use sinew::{Auto, Ccd, Fabrik, Goal, Jacobian, Joint, Kind, MassSpring, Pose, Skeleton, Solver, Workspace};
use sinew_rig::Body;

use crate::humanoids::{Humanoid, RATE};
use crate::judge;
use crate::table::{Row, percentile};

/// Laps, of which the last two are compared.
const LAPS: usize = 3;
/// The longest piece of an animation (seconds).
const PIECE: f64 = 1.5;

/// The way of the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Path {
    /// A circle ahead of the shoulder.
    Circle,
    /// Out past reach, and back.
    Reach,
    /// From one side of the body to the other.
    Across,
    /// From beside the hip to behind the back.
    Behind,
}

/// The solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The choice by the goals.
    Auto,
    /// Descent.
    Jacobian,
    /// Springs in balance.
    MassSpring,
    /// Points drawn along bones.
    Fabrik,
    /// Joint after joint.
    Ccd,
    /// A body as people move.
    Body,
}

/// The pose that a frame starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The last answer.
    Carried,
    /// The neutral pose.
    Neutral,
    /// The file's own animation, there and back in a lap.
    Clip,
}

/// One sweep.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sweep {
    /// The solver.
    #[serde(rename = "solver")]
    pub method: Method,
    /// The way of the hand.
    pub path: Path,
    /// Whether joints have a human's limits.
    pub limited: bool,
    /// The pose that a frame starts from.
    pub start: Start,
    /// Frames a lap.
    #[serde(skip)]
    pub frames: usize,
}

/// What a sweep came to.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The body's name.
    pub character: String,
    /// What was asked.
    #[serde(flatten)]
    pub sweep: Sweep,
    /// The largest turn of a joint in a frame (degrees), and that of 99 of 100 frames.
    #[serde(rename = "turn_degrees")]
    pub turns: [f64; 2],
    /// How many times as fast as the hand's target, and the animation's fastest joint beside it, the fastest joint goes at most.
    pub speed: f64,
    /// Frames in which a joint pops.
    pub pops: usize,
    /// The first of them: its number, and the joint.
    pub first_pop: Option<(usize, String)>,
    /// The largest turn of a joint between the same frame of the last two laps (degrees).
    #[serde(rename = "drift_degrees")]
    pub drift: f64,
    /// The hand's largest distance from its target (shares of the height).
    pub miss: f64,
    /// Processor time of a frame (microseconds): median, 99th percentile, worst.
    pub micros: [f64; 3],
}

/// The hand's place at a share of a lap, from the shoulder, in lengths of the arm: to the hand's side, up, ahead.
fn place(path: Path, share: f64) -> DVec3 {
    let (sine, cosine) = (TAU * share).sin_cos();
    match path {
        Path::Circle => DVec3::new(0.4 * cosine, 0.4 * sine, 0.6),
        Path::Reach => DVec3::new(0.1, -0.1, 0.75 - 0.4 * cosine),
        Path::Across => DVec3::new(0.6 * cosine - 0.3, -0.2, 0.5),
        Path::Behind => DVec3::new(0.1 + 0.3 * cosine, -0.7, -0.3 * (1.0 - cosine) * 0.5),
    }
}

/// The shoulder's place, the arm's length, and side, up and ahead.
fn stance(body: &Humanoid, pose: &Pose) -> Result<(DVec3, f64, [DVec3; 3])> {
    let arm = |hand: Joint| -> Result<[DVec3; 3]> {
        let above = |joint: Joint| body.skeleton.parent(joint);
        let folds = |joint: &Joint| body.folds.contains(joint);
        let elbow = std::iter::successors(above(hand), |&joint| above(joint)).find(folds).context("no elbow")?;
        let shoulder = above(elbow).context("no upper arm")?;
        Ok([shoulder, elbow, hand].map(|joint| pose.position(joint)))
    };
    let ([shoulder, elbow, hand], [other, ..]) = (arm(body.goals[0])?, arm(body.goals[1])?);
    let up = body.recognition.up;
    let side = arc::unit_reject(shoulder - other, up, 1e-9).context("its shoulders are one above the other")?;
    Ok((shoulder, shoulder.distance(elbow) + elbow.distance(hand), [side, up, side.cross(up)]))
}

/// The animation at a share of a lap: a piece from the middle of it there and back, without a jerk where it turns round.
#[allow(clippy::cast_sign_loss, reason = "frames count from 0")]
fn animated(body: &Humanoid, skeleton: &Skeleton, share: f64) -> Option<Pose> {
    let (frames, longest) = (body.clip.len().checked_sub(1)? as f64, PIECE * RATE);
    let at = (0.5 * (frames - longest)).max(0.0) + frames.min(longest) * (0.5 - 0.5 * (TAU * share).cos());
    let revised = |frame: usize| body.clip.get(frame).or(body.clip.last())?.revised(&body.skeleton, skeleton);
    let mut pose = revised(at as usize)?;
    pose.blend(skeleton, &revised(at as usize + 1)?, at.fract());
    Some(pose)
}

/// The body's joints without limits.
pub(crate) fn freed(skeleton: &Skeleton) -> Result<Skeleton> {
    Ok(skeleton.revised(|_, spec| {
        if matches!(spec.kind, Kind::Ball(_) | Kind::Hinge { .. }) {
            spec.kind = Kind::BALL;
        }
    })?)
}

pub(crate) fn solver(method: Method, body: &Humanoid, skeleton: &Skeleton) -> Option<Box<dyn Solver>> {
    Some(match method {
        Method::Auto => Box::new(Auto::default()),
        Method::Jacobian => Box::new(Jacobian::default()),
        Method::MassSpring => Box::new(MassSpring::default()),
        Method::Fabrik => Box::new(Fabrik::default()),
        Method::Ccd => Box::new(Ccd::default()),
        Method::Body => Box::new(Body::of(skeleton, &body.recognition.clone().on(skeleton))?),
    })
}

/// Sweeps the left hand; the other hand, the feet and the head keep their places. `None` where the solver does not take the
/// body.
///
/// # Errors
/// A body without an elbow.
pub fn run(body: &Humanoid, sweep: &Sweep) -> Result<Option<Report>> {
    let skeleton = if sweep.limited { body.skeleton.clone() } else { freed(&body.skeleton)? };
    let share = |frame: usize| (frame % sweep.frames) as f64 / sweep.frames as f64;
    let mut given = skeleton.neutral_pose();
    let mut stood = stance(body, &given)?;
    // Names may have left and right the other way round: then the hand called left is on the right.
    let sense = stood.2[2].dot(body.recognition.forward).signum();
    let Some(solver) = solver(sweep.method, body, &skeleton) else { return Ok(None) };
    if sweep.start == Start::Clip && body.clip.is_empty() {
        return Ok(None);
    }
    let (mut goals, mut before) = (body.goals.map(|joint| Goal::position(joint, given.position(joint))), given.clone());
    let (mut pose, mut work, mut last) = (given.clone(), Workspace::default(), given.clone());
    let mut aimed = DVec3::ZERO;
    let (mut lap, mut turns, mut micros) = (Vec::new(), Vec::new(), Vec::new());
    let mut report = Report {
        character: body.name.clone(),
        sweep: *sweep,
        turns: [0.0; 2],
        speed: 0.0,
        pops: 0,
        first_pop: None,
        drift: 0.0,
        miss: 0.0,
        micros: [0.0; 3],
    };
    for frame in 0..LAPS * sweep.frames {
        if let (Start::Clip, Some(animated)) = (sweep.start, animated(body, &skeleton, share(frame))) {
            stood = stance(body, &animated)?;
            goals = body.goals.map(|joint| Goal::position(joint, animated.position(joint)));
            before = std::mem::replace(&mut given, animated);
        }
        let (shoulder, arm, [side, up, ahead]) = stood;
        let ahead = ahead * sense;
        let from = place(sweep.path, share(frame)) * arm;
        let target = shoulder + side * from.x + up * from.y + ahead * from.z;
        goals[0] = Goal::position(body.goals[0], target);
        if sweep.start != Start::Carried {
            pose.clone_from(&given);
        }
        let begun = ThreadTime::now();
        let _ = solver.solve(&skeleton, &goals, &mut pose, &mut work);
        micros.push(begun.elapsed().as_secs_f64() * 1e6);
        report.miss = report.miss.max(judge::miss(&skeleton, &pose, &goals[0]) / body.height);
        // The first frame comes from elsewhere.
        if frame > 0 {
            let (turn, joint) = farthest(&skeleton, &last, &pose);
            turns.push(turn.to_degrees());
            let told = target.distance(aimed) + moved(&skeleton, &before, &given);
            report.speed = report.speed.max(moved(&skeleton, &last, &pose) / told);
            // How far the target goes round the shoulder and the animation turns its fastest joint.
            let step = target.distance(aimed) / arm + farthest(&skeleton, &before, &given).0;
            if judge::pops(turn, step) {
                report.pops += 1;
                let name = |joint| body.skeleton.name(joint).unwrap_or("unnamed").to_owned();
                report.first_pop = report.first_pop.or(joint.map(|joint| (frame, name(joint))));
            }
        }
        aimed = target;
        match frame / sweep.frames + 2 {
            LAPS => lap.push(pose.clone()),
            lap_now if lap_now > LAPS => {
                let before = &lap[frame % sweep.frames];
                report.drift = report.drift.max(farthest(&skeleton, before, &pose).0.to_degrees());
            }
            _ => {}
        }
        last.clone_from(&pose);
    }
    for list in [&mut turns, &mut micros] {
        list.sort_by(f64::total_cmp);
    }
    report.turns = [turns.last().copied().unwrap_or(0.0), percentile(&turns, 99)];
    report.micros = [50, 99, 100].map(|share| percentile(&micros, share));
    Ok(Some(report))
}

/// The joint that turned farthest, and how far (radians).
pub(crate) fn farthest(skeleton: &Skeleton, from: &Pose, to: &Pose) -> (f64, Option<Joint>) {
    skeleton.iter().fold((0.0, None), |farthest, joint| {
        let turn = arc::rotation_vector(from.local(joint).rotation.conjugate() * to.local(joint).rotation).length();
        if turn > farthest.0 { (turn, Some(joint)) } else { farthest }
    })
}

/// How far the joint moved that moved farthest.
pub(crate) fn moved(skeleton: &Skeleton, from: &Pose, to: &Pose) -> f64 {
    skeleton.iter().map(|joint| from.position(joint).distance(to.position(joint))).fold(0.0, f64::max)
}

pub(crate) fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

impl Row for Report {
    const COLUMNS: &'static [(&'static str, usize)] = &[
        ("character", 24),
        ("solver", 10),
        ("path", 7),
        ("limits", 6),
        ("pose", 7),
        ("turn", 6),
        ("p99", 6),
        ("speed", 5),
        ("pops", 5),
        ("first pop", 22),
        ("drift", 6),
        ("miss %", 6),
        ("median µs", 9),
        ("p99 µs", 9),
        ("worst µs", 9),
    ];

    fn cells(&self) -> Vec<String> {
        let number = |value: f64| format!("{value:.1}");
        let popped =
            self.first_pop.as_ref().map_or_else(|| "-".to_owned(), |(frame, joint)| format!("{frame} {joint}"));
        vec![
            self.character.clone(),
            name(&self.sweep.method),
            name(&self.sweep.path),
            if self.sweep.limited { "preset" } else { "none" }.into(),
            name(&self.sweep.start),
            number(self.turns[0]),
            number(self.turns[1]),
            number(self.speed),
            self.pops.to_string(),
            popped,
            number(self.drift),
            number(100.0 * self.miss),
            number(self.micros[0]),
            number(self.micros[1]),
            number(self.micros[2]),
        ]
    }
}
