//! The MOTION of a file: how many frames, how long each, and their rows.

use std::io::Read;

use crate::error::{Fault, quoted};
use crate::hierarchy::number;
use crate::motion::Motion;
use crate::source::Source;

/// Shortest text of a number: a digit and what divides it from the next.
const SHORTEST: u64 = 2;

/// Reads what follows `MOTION`. `length` is the length of the whole text where it is known: what frames are announced
/// beyond it take no memory.
pub(crate) fn read(source: &mut Source<impl Read>, channels: usize, length: Option<u64>) -> Result<Motion, Fault> {
    let (frames, line) = (frames(source)?, source.line());
    let frame_time = frame_time(source)?;
    if channels == 0 && frames > 0 {
        let problem = format!("no joint has channels, so {frames} frames have nothing to say");
        return Err(Fault::new(line, problem, "write Frames: 0, or give joints CHANNELS"));
    }
    let total = frames.checked_mul(channels);
    let room = length.map(|length| (length.saturating_sub(source.position()) + 1) / SHORTEST);
    let total = total.filter(|&total| room.is_none_or(|room| total as u64 <= room)).ok_or_else(|| {
        let problem = format!("{frames} frames of {channels} numbers do not fit into the file");
        Fault::new(line, problem, "write the number of lines below it behind Frames, or export the file again")
    })?;
    let mut values = Vec::new();
    values.reserve_exact(if length.is_some() { total } else { 0 });
    for frame in 0..frames {
        row(source, frame, frames, channels, &mut values)?;
    }
    let first = source.word()?.map(quoted);
    if let Some(word) = first {
        let problem = format!("the motion has {frames} frames, and behind them is {word}");
        return Err(source.fault(problem, "write the true number of frames behind Frames, or delete the rest"));
    }
    values.shrink_to_fit();
    Ok(Motion::from_values(channels, frame_time, values))
}

/// Adds the next line's numbers.
fn row(
    source: &mut Source<impl Read>,
    frame: usize,
    frames: usize,
    channels: usize,
    values: &mut Vec<f64>,
) -> Result<(), Fault> {
    for place in 0..channels {
        let word = if place == 0 { source.word()? } else { source.word_in_line()? };
        let Some(word) = word else {
            let (problem, advice) = if place == 0 {
                (
                    format!("the file ends after {frame} of {frames} frames"),
                    "write the true number of frames behind Frames, or export the file again",
                )
            } else {
                (format!("the row has {place} numbers, and the joints have {channels} channels"), SHORT)
            };
            return Err(source.fault(problem, advice));
        };
        match number(word) {
            Ok(value) => values.push(value),
            Err((problem, advice)) => return Err(source.fault(problem, advice)),
        }
    }
    if source.word_in_line()?.is_some() {
        return Err(source.fault(format!("the row has more numbers than the joints' {channels} channels"), SHORT));
    }
    Ok(())
}

const SHORT: &str = "a frame is one line with a number for each channel; mend it, or export the file again";

/// `Frames: N`
fn frames(source: &mut Source<impl Read>) -> Result<usize, Fault> {
    let value = value(source, "Frames")?;
    value.parse().map_err(|_| {
        let problem = format!("Frames: {} is no number of frames", quoted(value.as_bytes()));
        source.fault(problem, "write the number of lines below Frame Time")
    })
}

/// `Frame Time: S`
fn frame_time(source: &mut Source<impl Read>) -> Result<f64, Fault> {
    let value = value(source, "Frame Time")?;
    let time = number(value.as_bytes()).map_err(|(problem, advice)| source.fault(problem, advice))?;
    if time > 0.0 {
        return Ok(time);
    }
    let problem = format!("the Frame Time is {} seconds", quoted(value.as_bytes()));
    Err(source.fault(problem, "write a number greater than 0, such as 0.0333333 for 30 frames a second"))
}

/// What stands behind a key and a colon on the next line that is not blank.
fn value(source: &mut Source<impl Read>, key: &str) -> Result<String, Fault> {
    let first = source.word()?.map(<[u8]>::to_vec).unwrap_or_default();
    let line = format!("{} {}", String::from_utf8_lossy(&first), source.rest_of_line()?);
    let (found, value) = line.split_once(':').unwrap_or((&line, ""));
    let is_key =
        found.split_ascii_whitespace().map(str::to_ascii_lowercase).eq(key.split(' ').map(str::to_ascii_lowercase));
    if is_key && line.contains(':') {
        return Ok(value.trim().to_owned());
    }
    let problem = format!("'{key}:' is expected, and here is {}", quoted(line.trim().as_bytes()));
    Err(source.fault(problem, "behind MOTION stand 'Frames: N', 'Frame Time: S' and N lines of numbers"))
}
