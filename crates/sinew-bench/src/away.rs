//! Goals that leave reach: hands, feet and head of a smooth motion inside limits, some of them carried away from the hips, solved
//! frame after frame from the last answer. What a frame costs beside one whose goals are in reach, and what is missed.

use cpu_time::ThreadTime;
use sinew::glam::DVec3;
use sinew::{Goal, Kind, Pose, Skeleton, Solver, Status, Workspace};

use crate::humanoids::Humanoid;
use crate::judge;
use crate::table::{Row, mean, percentile};

/// Poses that a motion goes through, and frames from one to the next.
const KEYS: usize = 4;
const FRAMES: usize = 60;
/// How far each of them is from the neutral pose to a random one: whole ways leave limits between two of them.
const WAY: f64 = 0.6;
/// The random poses' numbers are none of `humanoid-problems`.
const FIRST: usize = 1_000_000;

/// Which goals are carried away: from the hips, by a factor each.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Whether rotations are asked for, too.
    pub frames: bool,
    /// Factor on the way from the hips to each goal: left and right hand, left and right foot, head.
    pub factors: [f64; 5],
}

/// All of them; the first of each kind is in reach.
pub const CASES: [Case; 12] = {
    const fn case(name: &'static str, frames: bool, hands: [f64; 2], rest: f64) -> Case {
        Case { name, frames, factors: [hands[0], hands[1], rest, rest, rest] }
    }
    [
        case("places in reach", false, [1.0; 2], 1.0),
        case("places 0.6", false, [0.6; 2], 0.6),
        case("places 1.15", false, [1.15; 2], 1.15),
        case("places 1.4", false, [1.4; 2], 1.4),
        case("places, one hand", false, [2.5, 1.0], 1.0),
        case("places, two hands", false, [2.5; 2], 1.0),
        case("frames in reach", true, [1.0; 2], 1.0),
        case("frames 0.6", true, [0.6; 2], 0.6),
        case("frames 1.15", true, [1.15; 2], 1.15),
        case("frames 1.4", true, [1.4; 2], 1.4),
        case("frames, one hand", true, [2.5, 1.0], 1.0),
        case("frames, two hands", true, [2.5; 2], 1.0),
    ]
};

/// What a case came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was carried away.
    pub case: &'static str,
    /// Processor time of a frame (microseconds), ascending: the least of two runs.
    pub micros: Vec<f64>,
    /// Mean distance of a goal's joint from its place (shares of the height).
    pub miss: f64,
    /// Share of the frames in which a goal is not met.
    pub unmet: f64,
    /// Median time of a frame that its own is set beside (microseconds): with goals in reach, or without a posture; its own, until
    /// another is set.
    pub beside: f64,
}

impl Report {
    /// Median time of a frame.
    pub fn median(&self) -> f64 {
        percentile(&self.micros, 50)
    }
}

impl Row for Report {
    const COLUMNS: &'static [(&'static str, usize)] = &[
        ("goals", 20),
        ("median µs", 9),
        ("beside", 8),
        ("p90 µs", 8),
        ("p99 µs", 8),
        ("worst µs", 8),
        ("mean miss", 9),
        ("unmet", 6),
    ];

    fn cells(&self) -> Vec<String> {
        let micros = |percent| format!("{:.0}", percentile(&self.micros, percent));
        vec![
            self.case.into(),
            micros(50),
            format!("{:.2}", self.median() / self.beside),
            micros(90),
            micros(99),
            micros(100),
            format!("{:.5}", self.miss),
            format!("{:.1}%", 100.0 * self.unmet),
        ]
    }
}

/// Smoothly through allowed poses, every frame inside limits.
fn motion(body: &Humanoid, seed: u64, number: usize) -> Vec<Pose> {
    let (skeleton, neutral) = (&body.skeleton, body.skeleton.neutral_pose());
    let key = |key: usize| {
        let mut pose = neutral.clone();
        pose.blend(skeleton, &body.problem(seed, FIRST + number * KEYS + key, false).pose, WAY);
        pose
    };
    let keys: Vec<Pose> = (0..KEYS).map(key).collect();
    let between = |pair: &[Pose], share: f64| {
        let mut pose = pair[0].clone();
        pose.blend(skeleton, &pair[1], share * share * (3.0 - 2.0 * share));
        for joint in skeleton.iter().filter(|&joint| matches!(skeleton.kind(joint), Kind::Ball(_))) {
            let allowed = skeleton.nearest_allowed(joint, pose.local(joint), 0.0);
            pose.edit(skeleton).local(joint, allowed);
        }
        pose
    };
    let frames = |pair| (0..FRAMES).map(move |frame| between(pair, frame as f64 / FRAMES as f64));
    keys.windows(2).flat_map(frames).collect()
}

/// Solves a case along so many motions, on the body's skeleton or the same without limits.
pub fn run(
    body: &Humanoid,
    skeleton: &Skeleton,
    solver: &dyn Solver,
    case: &Case,
    motions: usize,
    seed: u64,
) -> Report {
    let neutral = skeleton.neutral_pose();
    let hips = neutral.position(body.hips);
    let (mut micros, mut misses, mut unmet) = (Vec::new(), Vec::new(), 0);
    for number in 0..motions {
        let asked: Vec<[Goal; 5]> =
            motion(body, seed, number).iter().map(|pose| goals(body, case, pose, hips)).collect();
        let mut least = vec![f64::INFINITY; asked.len()];
        for run in 0..2 {
            let (mut pose, mut work) = (neutral.clone(), Workspace::default());
            for (least, goals) in least.iter_mut().zip(&asked) {
                let begun = ThreadTime::now();
                let outcome = solver.solve(skeleton, goals, &mut pose, &mut work);
                *least = least.min(begun.elapsed().as_secs_f64() * 1e6);
                if run == 0 {
                    let left = |goal| judge::miss(skeleton, &pose, goal) / body.height;
                    misses.push(goals.iter().map(left).sum::<f64>() / 5.0);
                    unmet += usize::from(outcome.status != Status::Reached);
                }
            }
        }
        micros.extend(least);
    }
    micros.sort_by(f64::total_cmp);
    let (unmet, beside) = (unmet as f64 / misses.len().max(1) as f64, percentile(&micros, 50));
    Report { case: case.name, unmet, miss: mean(&misses), beside, micros }
}

fn goals(body: &Humanoid, case: &Case, pose: &Pose, hips: DVec3) -> [Goal; 5] {
    let near = sinew::Tolerance { position: 0.5 * judge::humanoid::NEAR * body.height, rotation: 1e-3 };
    std::array::from_fn(|i| {
        let joint = body.goals[i];
        let place = hips + (pose.position(joint) - hips) * case.factors[i];
        let goal =
            if case.frames { Goal::frame(joint, place, pose.rotation(joint)) } else { Goal::position(joint, place) };
        goal.tolerance(near)
    })
}
