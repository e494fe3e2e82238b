//! Straight chains of balls: their tip drawn in from full stretch, which all joints should share, and its target carried through full
//! reach, which joints should not outrun.

use serde::Serialize;
use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::math::arc;
use sinew::solve::two_bone::Reach;
use sinew::{
    Auto, BallLimit, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, MassSpring, Pose, Skeleton, SkeletonBuilder,
    Solver, Status, Workspace,
};

use crate::sweeps::{Method, moved, name};
use crate::table::{Row, percent};

/// Bones of the chains.
pub const BONES: [usize; 6] = [2, 3, 5, 10, 20, 200];
/// How far their joints may swing (degrees); with none they turn freely.
pub const CONES: [Option<f64>; 3] = [None, Some(45.0), Some(20.0)];
/// Shares of the length that the tip is drawn in to, angles that it is turned by meanwhile, and in how many frames.
const ENDS: [f64; 3] = [0.95, 0.5, 0.2];
const ANGLES: [f64; 3] = [0.0, 0.3, 1.5];
const FRAMES: [usize; 2] = [1, 20];
/// Frames of a way through full reach and back, and how far it passes the root (lengths of the chain).
const THROUGH: usize = 400;
const BESIDE: f64 = 0.05;

/// A chain, and who solves it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ask {
    /// The solver.
    #[serde(rename = "solver")]
    pub method: Method,
    /// Bones.
    pub bones: usize,
    /// Degrees that each joint but the first may swing; free where there is none.
    pub cone: Option<f64>,
}

/// What it came to.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Report {
    /// What was asked.
    #[serde(flatten)]
    pub ask: Ask,
    /// The largest turn between bones beside the mean turn, drawn in within one frame, and within 20.
    pub bend: [f64; 2],
    /// Frames in which the tip came in, and all frames.
    pub reached: [usize; 2],
    /// How many times as fast as the target the fastest joint goes at most, through full reach and back with soft reach: where
    /// cones let the tip come so near, and where they do not.
    pub speed: [f64; 2],
}

impl Ask {
    /// Runs both, or `None` where the solver takes no chain.
    ///
    /// # Errors
    /// A chain that cannot be built.
    pub fn run(self) -> anyhow::Result<Option<Report>> {
        let skeleton = chain(self.bones, self.cone)?;
        let (Some(plain), Some(soft)) = (solver(self.method, Reach::Clamp), solver(self.method, Reach::SOFT)) else {
            return Ok(None);
        };
        let mut report = Report { ask: self, bend: [0.0; 2], reached: [0; 2], speed: [0.0; 2] };
        let Some(tip) = skeleton.iter().last() else { return Ok(None) };
        for way in ENDS.into_iter().flat_map(|end| ANGLES.map(|angle| (end, angle))) {
            for (frames, bend) in FRAMES.into_iter().zip(0..) {
                report.draw_in(&*plain, &skeleton, tip, way, frames, bend);
            }
        }
        for way in [DVec3::Y, DVec3::new(0.6, 0.8, 0.0), DVec3::new(1.0, 0.2, 0.1).normalize()] {
            report.through(&*soft, &skeleton, tip, way);
        }
        Ok(Some(report))
    }
}

impl Report {
    fn draw_in(
        &mut self,
        solver: &dyn Solver,
        skeleton: &Skeleton,
        tip: Joint,
        (end, angle): (f64, f64),
        frames: usize,
        bend: usize,
    ) {
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        for frame in 1..=frames {
            let share = frame as f64 / frames as f64;
            let way = arc::axis_angle(DVec3::Z, angle * share) * DVec3::Y;
            let goal = Goal::position(tip, way * (1.0 - (1.0 - end) * share));
            let outcome = solver.solve(skeleton, &[goal], &mut pose, &mut work);
            self.reached[0] += usize::from(outcome.status == Status::Reached);
            self.reached[1] += 1;
            self.bend[bend] = self.bend[bend].max(shared(skeleton, &pose));
        }
    }

    /// Carries the target from 0.8 lengths to 1.2 and back, a little beside the line through the root.
    fn through(&mut self, solver: &dyn Solver, skeleton: &Skeleton, tip: Joint, way: DVec3) {
        let (mut pose, mut work, mut before) = (skeleton.rest_pose(), Workspace::default(), skeleton.rest_pose());
        let across = way.any_orthonormal_vector() * BESIDE;
        let distance = |frame: usize| 0.8 + 0.4 * (1.0 - (2.0 * frame as f64 / THROUGH as f64 - 1.0).abs());
        for frame in 0..THROUGH {
            before.clone_from(&pose);
            let goal = Goal::position(tip, way * distance(frame) + across);
            let _ = solver.solve(skeleton, &[goal], &mut pose, &mut work);
            // The first frame comes from rest.
            if frame > 0 {
                let step = (distance(frame) - distance(frame - 1)).abs();
                let is_blocked = usize::from(distance(frame).hypot(BESIDE) < nearest(self.ask));
                self.speed[is_blocked] = self.speed[is_blocked].max(moved(skeleton, &before, &pose) / step);
            }
        }
    }
}

/// A straight chain, 1 long.
fn chain(bones: usize, cone: Option<f64>) -> anyhow::Result<Skeleton> {
    let limit = |degrees: f64| SwingTwist::new(DVec3::Y, degrees.to_radians(), Range::new(-0.5, 0.5));
    let kind = cone.and_then(limit).map_or(Kind::BALL, |limit| Kind::Ball(BallLimit::SwingTwist(limit)));
    let mut builder = SkeletonBuilder::new();
    let mut last = builder.add(JointSpec::default().kind(Kind::BALL));
    for _ in 0..bones {
        let spec = JointSpec::default().kind(kind);
        last = builder.add(spec.child_of(last).translation(DVec3::Y / bones as f64));
    }
    Ok(builder.build()?)
}

/// Those that take chains.
fn solver(method: Method, reach: Reach) -> Option<Box<dyn Solver>> {
    Some(match method {
        Method::Auto => Box::new(Auto { reach, ..Auto::default() }),
        Method::Jacobian => Box::new(Jacobian { reach, ..Jacobian::default() }),
        Method::MassSpring => Box::new(MassSpring { reach, ..MassSpring::default() }),
        Method::Fabrik => Box::new(Fabrik { reach, ..Fabrik::default() }),
        Method::Ccd => Box::new(Ccd { reach, ..Ccd::default() }),
        Method::Body => return None,
    })
}

/// The largest turn between neighbouring bones beside the mean turn.
fn shared(skeleton: &Skeleton, pose: &Pose) -> f64 {
    let places: Vec<DVec3> = skeleton.iter().map(|joint| pose.position(joint)).collect();
    let bones: Vec<DVec3> = places.windows(2).map(|pair| (pair[1] - pair[0]).normalize()).collect();
    let turns: Vec<f64> = bones.windows(2).map(|pair| pair[0].angle_between(pair[1])).collect();
    let mean = turns.iter().sum::<f64>() / turns.len() as f64;
    if mean > 0.0 { turns.iter().copied().fold(0.0, f64::max) / mean } else { 1.0 }
}

/// How near the root the tip can come, where each joint bends by as much as its cone lets it.
fn nearest(ask: Ask) -> f64 {
    ask.cone.map_or(0.0, |degrees| {
        let (half, bones) = (0.5 * degrees.to_radians(), ask.bones as f64);
        if bones * half < std::f64::consts::PI { (bones * half).sin() / (bones * half.sin()) } else { 0.0 }
    })
}

impl Row for Report {
    const COLUMNS: &'static [(&'static str, usize)] = &[
        ("solver", 11),
        ("bones", 5),
        ("cones", 5),
        ("bend, 1 frame", 13),
        ("20 frames", 9),
        ("reached", 7),
        ("speed", 6),
        ("blocked", 7),
    ];

    fn cells(&self) -> Vec<String> {
        let [reached, frames] = self.reached;
        vec![
            name(&self.ask.method),
            self.ask.bones.to_string(),
            self.ask.cone.map_or_else(|| "-".to_owned(), |degrees| format!("{degrees:.0}")),
            format!("{:.1}", self.bend[0]),
            format!("{:.1}", self.bend[1]),
            format!("{:.0}%", percent(reached, frames)),
            format!("{:.1}", self.speed[0]),
            format!("{:.1}", self.speed[1]),
        ]
    }
}
