//! True jumps of whole bodies: goals that sway, frame after frame. Where the answers of two frames are apart, both are solved from
//! one start, and the way between their targets is halved again and again. Answers that stay apart are a jump, however slowly targets go.

use std::f64::consts::TAU;

use clap::ValueEnum;
use serde::Serialize;
use sinew::glam::DVec3;
use sinew::{Goal, Joint, Pose, Skeleton, Solver, Status, Workspace};

use crate::humanoids::Humanoid;
use crate::sweeps::{Method, farthest, freed, name, solver};
use crate::table::{Row, percent};

/// Frames a lap. Two are made, the second is looked at.
const FRAMES: usize = 240;
/// How far hands and feet sway (shares of the height), and how much of that hips and head do.
const SWAY: f64 = 0.06;
const CALM: f64 = 0.3;
/// How often the way between two frames is halved: to a billionth of it.
const HALVINGS: u32 = 30;
/// Answers that stay this far apart are a jump, and a large one (degrees).
const APART: f64 = 2.0;
const FAR: f64 = 10.0;

/// The goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Asked {
    /// The head and one hand.
    Hand,
    /// The head and both hands.
    Hands,
    /// The head and both hands, 1.15 times as far from the hips: most are out of reach.
    Beyond,
    /// Hips, head, hands and feet, the last 1.05 times as far from the hips.
    All,
}

impl Asked {
    /// The joints, whether each goal is calm, and the factor on the ways of those that are not.
    fn joints(self, body: &Humanoid) -> (Vec<(Joint, bool)>, f64) {
        let [hand, other, left, right, head] = body.goals;
        let (hips, head, hand, other) = ((body.hips, true), (head, true), (hand, false), (other, false));
        match self {
            Self::Hand => (vec![head, hand], 1.0),
            Self::Hands => (vec![head, hand, other], 1.0),
            Self::Beyond => (vec![head, hand, other], 1.15),
            Self::All => (vec![hips, head, hand, other, (left, false), (right, false)], 1.05),
        }
    }
}

/// One measurement.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ask {
    /// The solver.
    #[serde(rename = "solver")]
    pub method: Method,
    /// The goals.
    pub goals: Asked,
    /// Whether joints have a human's limits.
    pub limited: bool,
    /// Whether every frame starts from the neutral pose, else from the last answer.
    pub fed: bool,
}

/// What it came to, of all bodies that were added.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What was asked.
    #[serde(flatten)]
    pub ask: Ask,
    /// Frames looked at.
    pub frames: usize,
    /// Those of them whose goals are all met.
    pub reached: usize,
    /// Jumps over 2 degrees.
    pub jumps: usize,
    /// Those over 10 degrees.
    pub large: usize,
    /// Jumps by how many of their two answers took more than one step: none, one, both.
    pub stepped: [usize; 3],
    /// All of them, in order: degrees, character, frame, joint.
    pub list: Vec<(f64, String, usize, String)>,
}

/// A jump: how far (degrees), which joint, how many of its two answers took more than one step.
struct Jump {
    degrees: f64,
    joint: Option<Joint>,
    stepped: usize,
}

/// An answer: where between two frames it is, its pose, whether it took more than one step.
struct Answer(f64, Pose, bool);

impl Report {
    /// Of no body yet.
    pub fn new(ask: Ask) -> Self {
        Self { ask, frames: 0, reached: 0, jumps: 0, large: 0, stepped: [0; 3], list: Vec::new() }
    }

    /// Adds a body, the one of this number in its list, which shifts its goals' ways. One that the solver does not take adds nothing.
    ///
    /// # Errors
    /// A skeleton that cannot be without limits.
    pub fn add(&mut self, body: &Humanoid, number: usize) -> anyhow::Result<()> {
        let skeleton = if self.ask.limited { body.skeleton.clone() } else { freed(&body.skeleton)? };
        let Some(solver) = solver(self.ask.method, body, &skeleton) else { return Ok(()) };
        let rest = skeleton.neutral_pose();
        let (mut pose, mut work, mut before) = (rest.clone(), Workspace::default(), Vec::new());
        for frame in 0..2 * FRAMES {
            let goals = goals(self.ask.goals, body, &rest, number, frame);
            if self.ask.fed {
                pose.clone_from(&rest);
            }
            let start = pose.clone();
            let outcome = solver.solve(&skeleton, &goals, &mut pose, &mut work);
            if frame >= FRAMES {
                self.frames += 1;
                self.reached += usize::from(outcome.status == Status::Reached);
                if let Some(jump) = jump(&*solver, &skeleton, &start, [&before, &goals], &mut work) {
                    self.count(&jump, body, frame);
                }
            }
            before = goals;
        }
        Ok(())
    }

    fn count(&mut self, jump: &Jump, body: &Humanoid, frame: usize) {
        self.jumps += 1;
        self.large += usize::from(jump.degrees > FAR);
        self.stepped[jump.stepped] += 1;
        let joint = jump.joint.and_then(|joint| body.skeleton.name(joint)).unwrap_or("unnamed").to_owned();
        self.list.push((jump.degrees, body.name.clone(), frame, joint));
    }
}

fn goals(asked: Asked, body: &Humanoid, rest: &Pose, number: usize, frame: usize) -> Vec<Goal> {
    let (up, ahead) = (body.recognition.up, body.recognition.forward);
    let (side, origin, at) = (up.cross(ahead), rest.position(body.hips), TAU * frame as f64 / FRAMES as f64);
    let (joints, scale) = asked.joints(body);
    let goal = |(k, &(joint, is_calm)): (usize, &(Joint, bool))| {
        let (scale, sway) = if is_calm { (1.0, CALM * SWAY) } else { (scale, SWAY) };
        let shift = 1.7 * k as f64 + 0.37 * number as f64;
        let [aside, upward, forward] =
            [(at + shift).sin(), 0.5 * (2.0 * at + 0.5 * shift).sin(), (at + 2.0 * shift).cos() + 0.5];
        let way: DVec3 = (side * aside + up * upward + ahead * forward) * sway * body.height;
        Goal::position(joint, origin + (rest.position(joint) - origin) * scale + way)
    };
    joints.iter().enumerate().map(goal).collect()
}

/// Halves the way between two frames' targets while the answers are apart.
fn jump(
    solver: &dyn Solver,
    skeleton: &Skeleton,
    start: &Pose,
    [before, now]: [&[Goal]; 2],
    work: &mut Workspace,
) -> Option<Jump> {
    let mut at = |share: f64| {
        let between = |(from, to): (&Goal, &Goal)| {
            let place = |goal: &Goal| goal.target.position().unwrap_or_default();
            Goal::position(to.joint, place(from).lerp(place(to), share))
        };
        let goals: Vec<Goal> = before.iter().zip(now).map(between).collect();
        let mut pose = start.clone();
        let outcome = solver.solve(skeleton, &goals, &mut pose, work);
        Answer(share, pose, outcome.iterations > 1)
    };
    let apart = |one: &Answer, other: &Answer| farthest(skeleton, &one.1, &other.1);
    let (mut low, mut high) = (at(0.0), at(1.0));
    for _ in 0..HALVINGS {
        if apart(&low, &high).0.to_degrees() <= APART {
            return None;
        }
        let middle = at(0.5 * (low.0 + high.0));
        if apart(&low, &middle).0 > apart(&middle, &high).0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    let (turn, joint) = apart(&low, &high);
    let jump = Jump { degrees: turn.to_degrees(), joint, stepped: usize::from(low.2) + usize::from(high.2) };
    (jump.degrees > APART).then_some(jump)
}

impl Row for Report {
    const COLUMNS: &'static [(&'static str, usize)] = &[
        ("goals", 6),
        ("solver", 11),
        ("limits", 6),
        ("pose", 7),
        ("frames", 6),
        ("reached", 7),
        ("jumps", 5),
        ("> 10", 5),
        ("stepped 0,1,2", 13),
        ("largest", 7),
        ("where", 48),
    ];

    fn cells(&self) -> Vec<String> {
        let [none, one, both] = self.stepped;
        let largest = self.list.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let place =
            |(_, character, frame, joint): &(f64, String, usize, String)| format!("{character} {frame} {joint}");
        vec![
            name(&self.ask.goals),
            name(&self.ask.method),
            if self.ask.limited { "preset" } else { "none" }.into(),
            if self.ask.fed { "neutral" } else { "carried" }.into(),
            self.frames.to_string(),
            format!("{:.1}%", percent(self.reached, self.frames)),
            self.jumps.to_string(),
            self.large.to_string(),
            format!("{none},{one},{both}"),
            format!("{:.1}", largest.map_or(0.0, |jump| jump.0)),
            largest.map_or_else(|| "-".to_owned(), place),
        ]
    }
}
