//! Cells as a file: a table, or a cloud of points.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, bail};

use super::{Cell, Found};
use crate::output;

/// The formats of clouds, by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Ply,
}

impl Format {
    /// The format that a file's name asks for.
    pub(super) fn of_path(path: &Path) -> Result<Self> {
        if output::is_standard(path) {
            return Ok(Self::Csv);
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_lowercase().as_str() {
            "csv" => Ok(Self::Csv),
            "ply" => Ok(Self::Ply),
            _ => bail!("--output {}: the extension names no format of cells; end it in .csv or .ply", path.display()),
        }
    }

    /// The file.
    pub(super) fn bytes(self, found: &Found) -> Result<Vec<u8>> {
        match self {
            Self::Csv => csv(found),
            Self::Ply => Ok(ply(found).into_bytes()),
        }
    }
}

fn csv(found: &Found) -> Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let share = found.pointing.as_ref().map(|_| "share".to_owned());
    table.write_record(["x", "y", "z", "center"].map(str::to_owned).into_iter().chain(share))?;
    for Cell { center, is_center, share } in found.cells() {
        let place = center.to_array().map(|x| short(x).to_string());
        let share = share.map(|share| share.to_string());
        table.write_record(place.into_iter().chain([u8::from(is_center).to_string()]).chain(share))?;
    }
    Ok(table.into_inner()?)
}

/// Text: any viewer reads it.
fn ply(found: &Found) -> String {
    let mut text = format!("ply\nformat ascii 1.0\ncomment cells of {} m\n", found.reach.cell());
    let _ = writeln!(text, "element vertex {}", found.cells().len());
    text += "property double x\nproperty double y\nproperty double z\n";
    text += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    text += if found.pointing.is_some() { "property float share\nend_header\n" } else { "end_header\n" };
    for Cell { center, share, is_center } in found.cells() {
        let [x, y, z] = center.to_array().map(short);
        let [red, green, blue] = match share {
            Some(share) => sinew_draw::share_color(share),
            None if is_center => [125, 177, 227],
            None => [190, 210, 230],
        };
        let _ = write!(text, "{x} {y} {z} {red} {green} {blue}");
        let _ = share.map(|share| write!(text, " {share:.4}"));
        text.push('\n');
    }
    text
}

/// A length without the last digits, which are rounding.
fn short(metres: f64) -> f64 {
    (metres * 1e9).round() / 1e9
}
