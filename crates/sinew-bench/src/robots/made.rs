//! Problem files of our own making: random reachable frames for the arms of a URDF file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use sinew::Joint;
use sinew::limit::Range;
use sinew_arm::Arm;
use sinew_urdf::Robot;

use super::file::{Problems, Row};
use super::protocol::arms;
use super::ranges::{anywhere, middle, ranges};
use crate::judge::arm::ArmJudge;

/// Radians (or metres) that a seed near the truth is off, at most.
const NEAR: f64 = 0.2;

/// Writes two files into `folder` for every arm that as many as `least` coordinates move: from the middle of the limits
/// (`mid`), and from near the truth (`near`). To 1e-6, in 5 ms.
pub fn files(urdf: &Path, least: usize, count: usize, folder: &Path) -> Result<Vec<PathBuf>> {
    let robot = sinew_urdf::load(urdf)?;
    let stem = urdf.file_stem().context("a file has a name")?.to_string_lossy();
    let urdf = fs::canonicalize(urdf).with_context(|| format!("cannot find {}", urdf.display()))?;
    let arms = arms(&robot, least);
    ensure!(!arms.is_empty(), "{} has no arm of {least} coordinates", urdf.display());
    let mut files = Vec::new();
    for (at, (tip, arm)) in arms.iter().enumerate() {
        let name = if arms.len() == 1 { stem.to_string() } else { format!("{stem}-{}", at + 1) };
        for is_near in [false, true] {
            let mut problems = header(&robot, *tip, arm)?;
            (problems.urdf, problems.robot) = (urdf.clone(), name.clone());
            problems.policy = if is_near { "near" } else { "mid" }.into();
            problems.rows = rows(&robot, *tip, arm, count, is_near);
            let file = folder.join(format!("{name}.{}.ikp", problems.policy));
            fs::write(&file, problems.to_bytes()).with_context(|| format!("cannot write {}", file.display()))?;
            files.push(file);
        }
    }
    Ok(files)
}

/// All but what differs from file to file.
fn header(robot: &Robot, tip: Joint, arm: &Arm) -> Result<Problems> {
    let skeleton = &robot.skeleton;
    let link = |joint| skeleton.name(joint).map(str::to_owned).context("every link has a name");
    let name = |&coordinate: &usize| skeleton.coordinates()[coordinate].name.clone();
    let joints: Option<Vec<String>> = arm.coordinates().iter().map(name).collect();
    Ok(Problems {
        robot: String::new(),
        policy: String::new(),
        urdf: PathBuf::new(),
        links: [link(robot.base())?, link(tip)?],
        joints: joints.context("every coordinate has a name")?,
        tolerance: [1e-6; 2],
        timeout: 0.005,
        rows: Vec::new(),
    })
}

fn rows(robot: &Robot, tip: Joint, arm: &Arm, count: usize, is_near: bool) -> Vec<Row> {
    let mut rng = Rng::with_seed(1);
    let mut places = ArmJudge::new(&robot.skeleton, [robot.base(), tip], arm.coordinates());
    let ranges = ranges(&places);
    let mut row = || {
        let truth = anywhere(&ranges, &mut rng);
        let (position, rotation) = places.place(&truth);
        let near = |(range, q): (&Range, &f64)| range.clamp(q + NEAR * (2.0 * rng.f64() - 1.0));
        let seed = if is_near { ranges.iter().zip(&truth).map(near).collect() } else { middle(&ranges) };
        Row { seed, position, rotation }
    };
    (0..count).map(|_| row()).collect()
}
