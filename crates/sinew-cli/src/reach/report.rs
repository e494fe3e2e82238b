//! What `sinew reach` says and draws.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use sinew::glam::DVec3;
use sinew_draw::Slices;

use super::Found;
use crate::text;

/// The figures, for people.
pub(super) fn page(found: &Found) -> String {
    let (robot, reach) = (&found.robot, &found.reach);
    let ((low, high), (near, far)) = (reach.bounds(), reach.distances());
    let [base, tip] = robot.ends();
    let joints = text::count(robot.arm.coordinates().len(), "joint");
    let point = |at: DVec3| format!("({:.3}, {:.3}, {:.3})", at.x, at.y, at.z);
    let mut page = format!("{}: where {tip} can be, in the frame of {base}, by {joints}\n", robot.machine.name());
    let cells = text::count(reach.cells().len(), "cell");
    let _ = writeln!(page, "{cells} of {}, {}", edge(reach.cell()), volume(found));
    let _ = writeln!(page, "from {} to {} m", point(low), point(high));
    // Nearer than a cell's edge is as good as there.
    let near = if near < reach.cell() { "up to ".to_owned() } else { format!("{} to ", text::length(near)) };
    let _ = writeln!(page, "{near}{} from the first joint's axis", text::length(far));
    if let Some(pointing) = pointing(found) {
        let _ = writeln!(page, "{pointing}");
    }
    page
}

/// A cell's edge, as it was asked for.
fn edge(metres: f64) -> String {
    if metres < 1.0 { format!("{} mm", (metres * 1e6).round() / 1e3) } else { format!("{metres} m") }
}

/// The space in reach; surfaces have none.
fn volume(found: &Found) -> String {
    text::volume(found.reach.volume())
}

/// How well the tip points.
fn pointing(found: &Found) -> Option<String> {
    let (count, share, everywhere) = figures(found)?;
    let directions = text::count(count, "direction");
    Some(format!("{:.0} % of {directions} on average, all in {}", 100.0 * share, text::count(everywhere, "cell")))
}

/// Directions, their mean share, and the cells where all are reached.
fn figures(found: &Found) -> Option<(usize, f64, usize)> {
    let pointing = found.pointing.as_ref()?;
    let all: usize = pointing.counts.iter().sum();
    let share = all as f64 / (pointing.directions * pointing.counts.len().max(1)) as f64;
    let everywhere = pointing.counts.iter().filter(|&&count| count == pointing.directions).count();
    Some((pointing.directions, share, everywhere))
}

/// The object.
#[derive(Serialize)]
pub(super) struct Figures<'a> {
    robot: &'a str,
    base: String,
    tip: String,
    joints: Vec<&'a str>,
    cell: f64,
    cells: usize,
    centers: usize,
    volume: f64,
    bounds: [[f64; 3]; 2],
    nearest: f64,
    farthest: f64,
    directions: Option<Pointed>,
}

#[derive(Serialize)]
struct Pointed {
    count: usize,
    axis: Option<[f64; 3]>,
    share: f64,
    everywhere: usize,
}

impl<'a> Figures<'a> {
    pub(super) fn of(found: &'a Found) -> Self {
        let (robot, reach) = (&found.robot, &found.reach);
        let ((low, high), (nearest, farthest)) = (reach.bounds(), reach.distances());
        let [base, tip] = robot.ends();
        let axis = found.pointing.as_ref().map(|pointing| pointing.axis.to_array());
        Self {
            robot: &robot.machine.robot.name,
            base,
            tip,
            joints: robot.names(),
            cell: reach.cell(),
            cells: reach.cells().len(),
            centers: reach.cells().filter(|cell| cell.is_center).count(),
            volume: reach.volume(),
            bounds: [low.to_array(), high.to_array()],
            nearest,
            farthest,
            directions: figures(found).map(|(count, share, everywhere)| Pointed { count, axis, share, everywhere }),
        }
    }
}

/// The picture: upright cuts through the first joint, a level one where most cells are.
pub(super) fn slices(found: &Found) -> Slices {
    let (robot, reach) = (&found.robot, &found.reach);
    let mut layers: BTreeMap<i64, usize> = BTreeMap::new();
    for cell in found.cells() {
        *layers.entry((cell.center.z / reach.cell()).round() as i64).or_default() += 1;
    }
    let fullest = layers.iter().max_by_key(|&(layer, count)| (count, -layer.abs())).map_or(0, |(&layer, _)| layer);
    let from = reach.from();
    let [base, tip] = robot.ends();
    Slices {
        title: format!("{}: reach of {tip}", robot.machine.name()),
        note: note(found, &base),
        cell: reach.cell(),
        cells: found.cells().map(|cell| (cell.center, cell.share.unwrap_or(1.0))).collect(),
        shares: found.pointing.as_ref().map(|pointing| text::count(pointing.directions, "direction")),
        through: DVec3::new(from.x, from.y, fullest as f64 * reach.cell()),
        arm: robot.places(&robot.machine.home()),
    }
}

/// The line below the picture's heading.
fn note(found: &Found, base: &str) -> String {
    let (_, far) = found.reach.distances();
    let (volume, cell) = (volume(found), edge(found.reach.cell()));
    let mut note = format!(
        "{volume}, up to {} from the first joint's axis; cells of {cell}, in the frame of {base}",
        text::length(far)
    );
    if let Some(pointing) = pointing(found) {
        let _ = write!(note, "; {pointing}");
    }
    note
}
