//! Frames from a table. Every complaint names file, line and column.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use csv::StringRecord;
use sinew::glam::{DQuat, DVec3, EulerRot};
use sinew_arm::PoseTarget;

use crate::rows::Rows;
use crate::{input, output, text};

/// Frames at most: what memory holds.
const MOST: usize = 1_000_000;
/// Metres beyond which no arm is.
const FARTHEST: f64 = 1e6;
/// The columns that there may be.
const PLACE: [&str; 3] = ["x", "y", "z"];
const QUATERNION: [&str; 4] = ["qx", "qy", "qz", "qw"];
const ANGLES: [&str; 3] = ["roll", "pitch", "yaw"];
const TIME: &str = "time";

/// One line of the table.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) line: usize,
    pub(super) asked: PoseTarget,
    /// As it was written, and its value.
    pub(super) time: Option<(String, f64)>,
}

/// Which columns hold what.
#[derive(Debug)]
struct Columns {
    names: Vec<String>,
    place: [usize; 3],
    rotation: Option<Turn>,
    time: Option<usize>,
}

#[derive(Debug)]
enum Turn {
    Quaternion([usize; 4]),
    Angles([usize; 3]),
}

/// Reads a table of frames.
pub(super) fn read(path: &Path) -> Result<Vec<Frame>> {
    let bytes = input::bytes(path, "name a table of frames, as `sinew help path` shows one")?;
    parse(&bytes).with_context(|| output::title(path))
}

/// The frames of a table's text; errors begin with the line.
fn parse(bytes: &[u8]) -> Result<Vec<Frame>> {
    let mut rows = Rows::of(bytes);
    let Some((line, head)) = rows.next()? else { bail!("it is empty; begin with a line of names, x,y,z") };
    let names = head.iter().map(str::to_lowercase).collect();
    let columns = Columns::named(names).with_context(|| format!("line {line}"))?;
    let mut frames = Vec::new();
    while let Some((line, row)) = rows.next()? {
        ensure!(frames.len() < MOST, "more than {MOST} frames; cut it into several files");
        frames.push(columns.frame(&row, line).with_context(|| format!("line {line}"))?);
    }
    ensure!(!frames.is_empty(), "it holds no frame; write a line of numbers below the names");
    Ok(frames)
}

impl Columns {
    fn named(names: Vec<String>) -> Result<Self> {
        let known = || PLACE.iter().chain(&QUATERNION).chain(&ANGLES).chain([&TIME]);
        for (number, name) in names.iter().enumerate() {
            let shown = text::short_name(name);
            ensure!(!names[..number].contains(name), "column '{shown}' is there twice; remove one");
            if !known().any(|known| known == name) {
                let all = known().copied().collect::<Vec<_>>().join(", ");
                let apart = if names.len() == 1 { " (columns are parted by commas)" } else { "" };
                bail!("column '{shown}' is unknown{apart}; rename or remove it: columns are {all}");
            }
        }
        let find = |wanted: &str| names.iter().position(|name| name == wanted);
        let place = all(PLACE, find)?.ok_or_else(|| anyhow!("columns x, y and z are missing; add them"))?;
        let rotation = match (all(QUATERNION, find)?, all(ANGLES, find)?) {
            (Some(_), Some(_)) => bail!("a rotation is there twice; keep qx,qy,qz,qw or roll,pitch,yaw"),
            (quaternion, angles) => quaternion.map(Turn::Quaternion).or(angles.map(Turn::Angles)),
        };
        let time = find(TIME);
        Ok(Self { names, place, rotation, time })
    }

    fn frame(&self, row: &StringRecord, line: usize) -> Result<Frame> {
        let (found, wanted) = (row.len(), self.names.len());
        ensure!(found == wanted, "{} for {wanted} columns; write one for each", text::count(found, "value"));
        let place = DVec3::from_array(self.numbers(row, self.place)?);
        if let Some((at, x)) = self.place.iter().zip(place.to_array()).find(|(_, x)| x.abs() > FARTHEST) {
            bail!("column '{}': {x:?} m is beyond any arm; write metres", self.names[*at]);
        }
        let asked = match &self.rotation {
            None => PoseTarget::position(place),
            Some(turn) => PoseTarget::frame(place, self.rotation(row, turn)?),
        };
        let time = self.time.map(|at| self.number(row, at).map(|time| (row[at].to_owned(), time))).transpose()?;
        Ok(Frame { line, asked, time })
    }

    fn rotation(&self, row: &StringRecord, turn: &Turn) -> Result<DQuat> {
        match turn {
            Turn::Angles(at) => {
                let [roll, pitch, yaw] = self.numbers(row, *at)?.map(f64::to_radians);
                Ok(DQuat::from_euler(EulerRot::ZYX, yaw, pitch, roll))
            }
            Turn::Quaternion(at) => {
                let numbers = self.numbers(row, *at)?;
                let largest = numbers.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
                let names = at.map(|at| self.names[at].as_str()).join(",");
                ensure!(
                    largest > 0.0,
                    "columns {names}: a quaternion of length 0 is no rotation; write 0,0,0,1 for none"
                );
                // First by the largest: squares of extreme numbers are none.
                Ok(DQuat::from_array(numbers.map(|x| x / largest)).normalize())
            }
        }
    }

    fn numbers<const N: usize>(&self, row: &StringRecord, at: [usize; N]) -> Result<[f64; N]> {
        let mut numbers = [0.0; N];
        for (number, at) in numbers.iter_mut().zip(at) {
            *number = self.number(row, at)?;
        }
        Ok(numbers)
    }

    fn number(&self, row: &StringRecord, at: usize) -> Result<f64> {
        let (text, name) = (&row[at], &self.names[at]);
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ if text.is_empty() => bail!("column '{name}': is empty; write a number"),
            _ => bail!("column '{name}': '{}' is no finite number; write one such as 0.25", text::short_name(text)),
        }
    }
}

/// Where all of these columns are, or none of them is.
fn all<const N: usize>(names: [&str; N], find: impl Fn(&str) -> Option<usize>) -> Result<Option<[usize; N]>> {
    let found = names.map(find);
    let missing = names.iter().zip(found).find(|(_, at)| at.is_none());
    match missing {
        None => Ok(Some(found.map(Option::unwrap_or_default))),
        Some(_) if found.iter().all(Option::is_none) => Ok(None),
        Some((name, _)) => bail!("column '{name}' is missing; write all of {}", names.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_those_of_either_form() {
        let frames = |text: &str| parse(text.as_bytes()).unwrap();
        let angles = frames("# a seam\nroll, pitch,yaw,X,y,z\n30,-40,120, 1,2,3\n")[0].asked;
        // As URDF has it: about x, then y, then z, all fixed.
        let [roll, pitch, yaw] = [30.0_f64, -40.0, 120.0].map(f64::to_radians);
        let turn = DQuat::from_rotation_z(yaw) * DQuat::from_rotation_y(pitch) * DQuat::from_rotation_x(roll);
        assert!(angles.rotation.angle_between(turn) < 1e-12 && angles.position == DVec3::new(1.0, 2.0, 3.0));
        let [x, y, z, w] = (turn * -1e300).to_array();
        let text = format!("time,x,y,z,qx,qy,qz,qw\n0.50,1,2,3,{x},{y},{z},{w}\n");
        let frame = &frames(&text)[0];
        assert!(frame.asked.rotation.angle_between(turn) < 1e-7 && frame.asked.is_valid());
        assert_eq!((frame.time.as_ref().unwrap().0.as_str(), frame.line), ("0.50", 2));
        let plain = &frames("\u{feff}x,y,z\n\n1,2,3\r\n4,5,6")[1];
        assert!(!plain.asked.mask.rotation.any() && plain.line == 4 && plain.time.is_none());
    }

    #[test]
    fn complaints_name_line_column_and_remedy() {
        for (text, wanted) in [
            ("", "it is empty; begin"),
            ("x,y,z\n", "no frame; write"),
            ("x,y\n1,2\n", "line 1: column 'z' is missing; write all of x,y,z"),
            ("time\n1\n", "line 1: columns x, y and z are missing"),
            ("x;y;z\n1;2;3\n", "column 'x;y;z' is unknown (columns are parted by commas); rename"),
            ("x,y,z,speed\n1,2,3,4\n", "column 'speed' is unknown; rename or remove it"),
            ("x,y,z,X\n1,2,3,4\n", "column 'x' is there twice"),
            ("x,y,z,qx,qy,qz\n1,2,3,0,0,0\n", "column 'qw' is missing; write all of qx,qy,qz,qw"),
            ("x,y,z,qx,qy,qz,qw,roll,pitch,yaw\n1,2,3,0,0,0,1,0,0,0\n", "a rotation is there twice; keep"),
            ("x,y,z\n1,2,3\n1,b\u{1b}[31m,3\n", "line 3: column 'y': 'b\\u{1b}[31m' is no finite number; write"),
            ("x,y,z\n1,2,NaN\n", "line 2: column 'z': 'NaN' is no finite number"),
            ("x,y,z\ninf,2,3\n", "line 2: column 'x': 'inf' is no finite number"),
            ("x,y,z\n1,,3\n", "line 2: column 'y': is empty"),
            ("x,y,z\n1,2\n", "line 2: 2 values for 3 columns"),
            ("x,y,z\n1,2,3,4\n", "line 2: 4 values for 3 columns"),
            ("x,y,z\n1,1e9,3\n", "line 2: column 'y': 1000000000.0 m is beyond any arm"),
            ("x,y,z,qx,qy,qz,qw\n1,2,3,0,0,0,0\n", "line 2: columns qx,qy,qz,qw: a quaternion of length 0"),
            ("x,y,z,time\n1,2,3,soon\n", "line 2: column 'time': 'soon' is no finite number"),
        ] {
            let error = format!("{:#}", parse(text.as_bytes()).unwrap_err());
            assert!(error.contains(wanted), "{text:?}: {error}");
        }
        let error = format!("{:#}", parse(b"x,y,z\n1,\xff,3\n").unwrap_err());
        assert!(error.contains("line 2: is no text in UTF-8"), "{error}");
    }
}
