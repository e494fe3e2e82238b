//! `ik-geo-arms PROBLEM RESULT`: IK-Geo's closed form on a problem file (`IKP1`), for arms like the UR family's: the second
//! to fourth axes parallel, the fifth and sixth intersecting. Exits with 3 for others.

use std::f64::consts::TAU;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use ik_geo::nalgebra::{Matrix3, Matrix3x6, SMatrix, Vector3, Vector6};
use ik_geo::robot::{IKSolver, Robot, three_parallel_two_intersecting};
use sinew::glam::{DMat3, DVec3};
use sinew::limit::Range;
use sinew::{Joint, Kind, Pose, Skeleton};
use sinew_bench::robots::file::{Answer, Problems, Results, Row};

/// Metres, and sines, below which axes intersect and are parallel.
const NONE: f64 = 1e-9;
const NOT_FOR_THIS: u8 = 3;

/// An arm, and the tip's rotation where all angles are zero.
struct Arm {
    robot: Robot,
    tip: DMat3,
    limits: Vec<Range>,
}

impl Arm {
    /// `None` for other arms.
    fn new(problems: &Problems) -> Result<Option<Self>> {
        let loaded = sinew_urdf::load(&problems.urdf)?;
        let skeleton = &loaded.skeleton;
        let [base, tip] = [loaded.link(&problems.links[0])?, loaded.link(&problems.links[1])?];
        let joints = problems.joints.iter().map(|name| loaded.child_of(name).context("a joint is missing"));
        let joints = joints.collect::<Result<Vec<Joint>>>()?;
        let mut pose = skeleton.rest_pose();
        let mut edit = pose.edit(skeleton);
        (0..skeleton.coordinates().len()).for_each(|coordinate| _ = edit.coordinate(coordinate, 0.0));
        drop(edit);
        let into = pose.rotation(base).conjugate();
        let axes = joints.iter().map(|&joint| Some(into * axis(skeleton, &pose, joint)?)).collect::<Option<Vec<_>>>();
        let Some(axes) = axes.filter(|axes| axes.len() == 6) else { return Ok(None) };
        let place = |joint| into * (pose.position(joint) - pose.position(base));
        let mut places: Vec<DVec3> = joints.iter().map(|&joint| place(joint)).collect();
        let Some(wrist) = meeting((places[4], axes[4]), (places[5], axes[5])) else { return Ok(None) };
        if (2..4).any(|i| axes[1].cross(axes[i]).length() > NONE || axes[1].dot(axes[i]) < 0.0) {
            return Ok(None);
        }
        (places[4], places[5]) = (wrist, wrist);
        let ends = places.iter().copied().chain([place(tip)]);
        let ways: Vec<Vector3<f64>> =
            ends.clone().zip([DVec3::ZERO].into_iter().chain(ends)).map(|(b, a)| vector(b - a)).collect();
        let axes: Vec<Vector3<f64>> = axes.into_iter().map(vector).collect();
        let robot =
            three_parallel_two_intersecting(Matrix3x6::from_columns(&axes), SMatrix::<f64, 3, 7>::from_columns(&ways));
        let limit = |name: &String| loaded.coordinate(name).map(|coordinate| skeleton.coordinates()[coordinate].range);
        let limits = problems.joints.iter().map(limit).collect::<Option<_>>().context("a coordinate is missing")?;
        Ok(Some(Self { robot, tip: DMat3::from_quat(into * pose.rotation(tip)), limits }))
    }

    /// The exact solution nearest to the seed, each angle a whole turn from where it is inside its limits.
    fn answer(&self, row: &Row) -> Answer {
        let turn = DMat3::from_quat(row.rotation) * self.tip.transpose();
        let (turn, place) = (Matrix3::from_column_slice(&turn.to_cols_array()), vector(row.position));
        let start = Instant::now();
        let solutions = self.robot.ik(turn, place);
        let exact = solutions.iter().filter(|(_, is_least_squares)| !is_least_squares);
        let inside = exact.filter_map(|(angles, _)| self.inside(angles, &row.seed));
        let far = |q: &[f64; 6]| q.iter().zip(&row.seed).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let nearest = inside.min_by(|a, b| far(a).total_cmp(&far(b)));
        let nanoseconds = start.elapsed().as_nanos() as f64;
        let coordinates = nearest.map_or_else(|| row.seed.clone(), |angles| angles.to_vec());
        Answer { is_solved: nearest.is_some(), nanoseconds, coordinates }
    }

    fn inside(&self, angles: &Vector6<f64>, seed: &[f64]) -> Option<[f64; 6]> {
        let mut inside = [0.0; 6];
        for (i, (q, range)) in inside.iter_mut().zip(&self.limits).enumerate() {
            let near = angles[i] + TAU * ((seed[i] - angles[i]) / TAU).round();
            *q = [near, near + TAU, near - TAU].into_iter().find(|&q| range.contains(q))?;
        }
        Some(inside)
    }
}

/// A hinge's axis in model space, if its angle is its coordinate.
fn axis(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> Option<DVec3> {
    let Kind::Hinge { axis, .. } = skeleton.kind(joint) else { return None };
    let drive = skeleton.drive(joint)?;
    (drive.multiplier == 1.0 && drive.offset == 0.0).then(|| pose.rotation(joint) * axis)
}

/// Where two lines meet, each a point and a direction of length one.
fn meeting((a, u): (DVec3, DVec3), (b, v): (DVec3, DVec3)) -> Option<DVec3> {
    let normal = u.cross(v);
    if normal.length() < NONE || (b - a).dot(normal).abs() > NONE {
        return None;
    }
    Some(a + u * (b - a).cross(v).dot(normal) / normal.length_squared())
}

fn vector(v: DVec3) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

fn run(problem: &Path, out: &Path) -> Result<ExitCode> {
    let problems = Problems::read(problem)?;
    let Some(arm) = Arm::new(&problems)? else { return Ok(ExitCode::from(NOT_FOR_THIS)) };
    let most = std::env::var("IKP_MAX").map_or(Ok(usize::MAX), |most| most.parse())?;
    let pass = || problems.rows.iter().take(most).map(|row| arm.answer(row)).collect();
    let _for_the_caches: Vec<Answer> = pass();
    let settings = "closed form, all solutions, and choosing the nearest".into();
    let results = Results { version: "0.1.2".into(), settings, answers: pass() };
    std::fs::write(out, results.to_bytes("ik-geo", 6)?)?;
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [problem, out] = &arguments[..] else {
        eprintln!("ik-geo-arms PROBLEM RESULT");
        return ExitCode::FAILURE;
    };
    run(problem.as_ref(), out.as_ref()).unwrap_or_else(|error| {
        eprintln!("ik-geo-arms: {error:#}");
        ExitCode::FAILURE
    })
}
