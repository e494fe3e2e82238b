//! A robot's pose as a file, since a URDF holds none: the coordinates by name, as CSV or JSON.
//!
//! Radians and metres. What floats has seven numbers, named as `MoveIt` names them: `LINK/trans_x`, …, `LINK/rot_w`.

use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;
use serde_json::{Map, Value};
use sinew::{Kind, Pose};

use super::Machine;
use crate::output;

/// The formats, by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Csv,
    Json,
}

impl Format {
    fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// Says so before anything is done where the output's name names no format.
pub(crate) fn check(path: Option<&Path>) -> Result<()> {
    if let Some(path) = path.filter(|path| !output::is_standard(path) && Format::of_path(path).is_none()) {
        let name = path.display();
        bail!(
            "--output {name}: a robot's pose is its coordinates, as no URDF can hold it; end the name in .csv or .json"
        );
    }
    Ok(())
}

/// The file in JSON.
#[derive(Serialize)]
struct PoseFile<'a> {
    robot: &'a str,
    /// In the robot's order.
    coordinates: Map<String, Value>,
}

/// Writes the coordinates in the format that the path names; the whole path.
pub(crate) fn save(machine: &Machine, pose: &Pose, path: &Path) -> Result<String> {
    let values = values(machine, pose);
    let text = if Format::of_path(path) == Some(Format::Json) {
        let coordinates = values.into_iter().map(|(name, value)| (name, value.into())).collect();
        format!("{}\n", serde_json::to_string(&PoseFile { robot: &machine.robot.name, coordinates })?)
    } else {
        let (names, values): (Vec<String>, Vec<String>) =
            values.into_iter().map(|(name, value)| (field(&name), value.to_string())).unzip();
        format!("{}\n{}\n", names.join(","), values.join(","))
    };
    output::save(path, text.as_bytes())?;
    Ok(output::whole_path(path))
}

/// Every coordinate in the file's order, then what floats, each number with its name.
pub(crate) fn values(machine: &Machine, pose: &Pose) -> Vec<(String, f64)> {
    let skeleton = machine.skeleton();
    let own = pose.coordinates().iter().enumerate();
    let mut values: Vec<(String, f64)> =
        own.map(|(coordinate, &value)| (machine.coordinate_name(coordinate).to_owned(), value)).collect();
    for link in skeleton.iter().filter(|&link| skeleton.kind(link) == Kind::Free) {
        let (local, name) = (pose.local(link), skeleton.name(link).unwrap_or_default());
        let along = ["x", "y", "z"].into_iter().zip(local.translation.to_array());
        values.extend(along.map(|(axis, value)| (format!("{name}/trans_{axis}"), value)));
        let turned = ["x", "y", "z", "w"].into_iter().zip(local.rotation.to_array());
        values.extend(turned.map(|(axis, value)| (format!("{name}/rot_{axis}"), value)));
    }
    values
}

/// A field of CSV, quoted where its text would part or break the row.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
