//! What each character's solvers should reach, and how they fared.

use sinew::glam::{Quat, Vec3};
use sinew::{Pole, Rotation, Status};

use crate::block::{ASKED, Line, TILE, TOLD};
use crate::crowd::{Crowd, tiles};
use crate::number::Lanes;
use crate::poses::Poses;
use crate::steps::Step;

/// What one solver of one character should reach, in that character's model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdTarget {
    /// Where the tip should be, or what is aimed at (metres).
    pub point: Vec3,
    /// Where the limb's middle joint should point; without one it bends as [`Bend`](sinew::Bend) says. Aims and chains take
    /// none: a target with a pole is ignored there, and its status says so.
    pub pole: Option<Pole>,
    /// How the part is turned (model space): of [bodies](Crowd::body) alone, and of a target without a pole.
    pub rotation: Option<Quat>,
    /// How far to go there from the pose given, 0 to 1; at 0 the pose stays as it is.
    pub weight: f32,
}

impl CrowdTarget {
    /// A point, at weight 1, without a pole.
    pub fn new(point: impl Into<Vec3>) -> Self {
        Self { point: point.into(), pole: None, rotation: None, weight: 1.0 }
    }

    /// The same with a pole.
    pub fn pole(self, pole: impl Into<Pole>) -> Self {
        Self { pole: Some(pole.into()), ..self }
    }

    /// The same with a rotation.
    pub fn rotation(self, rotation: Quat) -> Self {
        Self { rotation: Some(rotation), ..self }
    }

    /// The same at another weight.
    pub fn weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// Targets of all solvers of all characters. Where none is set the solver leaves its character alone.
#[derive(Clone, Debug)]
pub struct Goals {
    count: usize,
    steps: usize,
    /// Whether the goals of each solver may be turned.
    turned: Vec<bool>,
    pub(crate) asked: Vec<Line>,
    /// [`TOLD`] lines a step and one to spare, so that tiles without steps have some, too.
    pub(crate) results: Vec<Line>,
}

impl Goals {
    /// Room for the goals of `count` characters.
    pub fn new(crowd: &Crowd, count: usize) -> Self {
        let steps = crowd.solvers();
        Self {
            count,
            steps,
            turned: crowd.steps.iter().map(Step::is_turned).collect(),
            asked: vec![Line::ZERO; ASKED * steps * tiles(count)],
            results: vec![Line::ZERO; (TOLD * steps + 1) * tiles(count)],
        }
    }

    pub(crate) fn fits(&self, crowd: &Crowd, count: usize) -> bool {
        self.count == count && self.steps == crowd.solvers()
    }

    /// Bytes that each character's goals and results take.
    pub fn bytes_each(&self) -> usize {
        4 * ((ASKED + TOLD) * self.steps + 1)
    }

    /// Sets what a solver of a character should reach; `None` leaves it alone.
    ///
    /// # Panics
    /// Where there is no such character or solver, and where a target has a rotation that is not a body's, or has a pole as well.
    pub fn set(&mut self, character: usize, solver: usize, target: Option<CrowdTarget>) {
        assert!(character < self.count && solver < self.steps, "a character and a solver of this crowd");
        let lines = &mut self.asked[ASKED * (self.steps * (character / TILE) + solver)..][..ASKED];
        let target = target.unwrap_or(CrowdTarget::new(Vec3::ZERO).weight(0.0));
        let (pole, is_point) = match target.pole {
            None => (Vec3::ZERO, 0.0),
            Some(Pole::Direction(v)) => (v.as_vec3(), 0.0),
            Some(Pole::Point(v)) => (v.as_vec3(), 1.0),
        };
        let (pole, is_point) = target.rotation.map_or((pole, is_point), |rotation| {
            assert!(self.turned[solver] && target.pole.is_none(), "a rotation of a body's part, without a pole");
            as_numbers(rotation)
        });
        let (p, w) = (target.point, target.weight);
        for (line, x) in lines.iter_mut().zip([p.x, p.y, p.z, pole.x, pole.y, pole.z, w, is_point]) {
            line.0[character % TILE] = x;
        }
    }

    /// What a solver of a character should reach; `None` where it is left alone.
    ///
    /// # Panics
    /// Where there is no such character or solver.
    pub fn get(&self, character: usize, solver: usize) -> Option<CrowdTarget> {
        assert!(character < self.count && solver < self.steps, "a character and a solver of this crowd");
        let lines = &self.asked[ASKED * (self.steps * (character / TILE) + solver)..][..ASKED];
        let [x, y, z, pole_x, pole_y, pole_z, weight, is_point] =
            core::array::from_fn(|index| lines[index].0[character % TILE]);
        let pole = Vec3::new(pole_x, pole_y, pole_z);
        let rotation = (is_point < 0.0 || is_point.is_nan()).then_some(Quat::from_vec4(pole.extend(is_point)));
        let pole = match pole.as_dvec3() {
            _ if rotation.is_some() => None,
            point if is_point > 0.0 => Some(Pole::Point(point)),
            direction => (pole != Vec3::ZERO).then_some(Pole::Direction(direction)),
        };
        (weight != 0.0).then_some(CrowdTarget { point: Vec3::new(x, y, z), pole, rotation, weight })
    }

    /// How a solver of a character fared: its status and the distance (metres) or the sine of the angle (aim) that was left.
    ///
    /// # Panics
    /// Where there is no such character or solver.
    pub fn result(&self, character: usize, solver: usize) -> (Status, f32) {
        let [code, error, _] = self.told(character, solver);
        (CODES.iter().find(|(_, known)| *known == code).map_or(Status::Ignored, |(status, _)| *status), error)
    }

    /// How many passes a solver of a character took: 1 of a closed form that moved something, 0 where nothing was done. Two
    /// steps of a chain inside limits are a pass.
    ///
    /// # Panics
    /// Where there is no such character or solver.
    #[allow(clippy::cast_sign_loss, reason = "lanes count from 0")]
    pub fn iterations(&self, character: usize, solver: usize) -> u32 {
        let [.., passes] = self.told(character, solver);
        if passes < 0.0 { -passes as u32 - 1 } else { passes as u32 }
    }

    /// Whether a limb of a character was left to the core: where a limit may stop it.
    ///
    /// # Panics
    /// Where there is no such character or solver.
    pub fn is_by_core(&self, character: usize, solver: usize) -> bool {
        self.told(character, solver)[2] < 0.0
    }

    /// What the lanes wrote.
    fn told(&self, character: usize, solver: usize) -> [f32; TOLD] {
        assert!(character < self.count && solver < self.steps, "a character and a solver of this crowd");
        let lines = &self.results[(TOLD * self.steps + 1) * (character / TILE) + TOLD * solver..][..TOLD];
        core::array::from_fn(|index| lines[index].0[character % TILE])
    }

    /// Whether the poses are as many.
    pub fn matches(&self, poses: &Poses) -> bool {
        self.count == poses.len()
    }
}

/// A rotation as a goal's numbers: of the two quaternions that it has, the one whose `w` is below zero.
fn as_numbers(rotation: Quat) -> (Vec3, f32) {
    let q = Rotation::from(rotation).quaternion().as_quat();
    let q = if q.w > 0.0 { -q } else { q };
    // A half turn counts, too; what is not finite stays none.
    (q.xyz(), if q.w > -f32::MIN_POSITIVE { -f32::MIN_POSITIVE } else { q.w })
}

/// Statuses as lanes write them.
pub(crate) const IGNORED: f32 = 0.0;
pub(crate) const REACHED: f32 = 1.0;
pub(crate) const SOFTENED: f32 = 2.0;
pub(crate) const HELD: f32 = 3.0;
pub(crate) const TOO_CLOSE: f32 = 4.0;
pub(crate) const OUT_OF_REACH: f32 = 5.0;
pub(crate) const SINGULAR: f32 = 6.0;
pub(crate) const INVALID: f32 = 7.0;

pub(crate) const LIMITED: f32 = 8.0;
pub(crate) const OUT_OF_ITERATIONS: f32 = 9.0;
pub(crate) const STALLED: f32 = 10.0;
/// Not yet solved.
pub(crate) const PENDING: f32 = -1.0;

/// Whether lanes have a status.
#[inline(always)]
pub(crate) fn is<L: Lanes>(code: L, status: f32) -> L::Mask {
    code.is_at_most(code.of(status)) & code.of(status).is_at_most(code)
}

/// What stands for a result of the core: its status, its error, and its iterations counted below zero ([`Goals::is_by_core`]).
pub(crate) fn told_by_core(status: Status, error: f64, iterations: u32) -> [f32; 3] {
    let code = CODES.iter().find(|(known, _)| *known == status).map_or(STALLED, |(_, code)| *code);
    [code, error as f32, -1.0 - iterations as f32]
}

const CODES: [(Status, f32); 11] = [
    (Status::Ignored, IGNORED),
    (Status::Reached, REACHED),
    (Status::Softened, SOFTENED),
    (Status::Held, HELD),
    (Status::TooClose, TOO_CLOSE),
    (Status::OutOfReach, OUT_OF_REACH),
    (Status::Singular, SINGULAR),
    (Status::Invalid, INVALID),
    (Status::Limited, LIMITED),
    (Status::OutOfIterations, OUT_OF_ITERATIONS),
    (Status::Stalled, STALLED),
];
