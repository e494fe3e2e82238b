//! The clips of a file: what they are called and how long they are.

use serde::Serialize;

use crate::figure::Figure;
use crate::rig::Rig;
use crate::text;

/// Width of a page.
const PAGE: usize = 100;
/// Fewer clips stand below one another.
const FEW: usize = 8;

/// A clip of a file.
#[derive(Debug, Serialize)]
pub(crate) struct ClipObject {
    number: usize,
    name: String,
    /// How long it is; none where its keys cannot be read.
    seconds: Option<f64>,
}

/// All that a file has, in its order.
pub(crate) fn of(rig: &Rig) -> Vec<ClipObject> {
    match &rig.figure {
        Figure::Gltf(character) => {
            let clip = |number| ClipObject {
                number,
                name: character.animation_name(number),
                seconds: character.animation(number).ok().map(|clip| clip.end() - clip.start()),
            };
            (0..character.animation_count()).map(clip).collect()
        }
        Figure::Bvh(bvh) => {
            let motion = &bvh.bvh.motion;
            let seconds = motion.len().saturating_sub(1) as f64 * motion.frame_time;
            let clip = ClipObject { number: 0, name: rig.name().to_owned(), seconds: Some(seconds) };
            if motion.is_empty() { Vec::new() } else { vec![clip] }
        }
    }
}

/// The clips for people: where there are many, in columns that are read downwards.
pub(crate) fn page(clips: &[ClipObject]) -> String {
    if clips.is_empty() {
        return String::new();
    }
    let cells: Vec<String> = cells(clips);
    let width = 2 + cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let columns = if clips.len() < FEW { 1 } else { (PAGE / width).max(1) };
    let rows = cells.len().div_ceil(columns);
    let row = |row: usize| {
        let cells = cells.iter().skip(row).step_by(rows);
        let line = cells.fold(String::new(), |line, cell| line + &format!("  {cell:0$}", width - 2));
        format!("{}\n", line.trim_end())
    };
    format!("\n{}\n", text::count(clips.len(), "clip")) + &(0..rows).map(row).collect::<String>()
}

/// `12 Walk  1.25 s`, all as wide as the widest number and name.
fn cells(clips: &[ClipObject]) -> Vec<String> {
    let digits = clips.len().saturating_sub(1).to_string().len();
    let names: Vec<String> = clips.iter().map(|clip| text::short_name(&clip.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let long = |clip: &ClipObject| clip.seconds.map_or("cannot be read".to_owned(), |s| format!("{s:.2} s"));
    let cell = |(clip, name): (&ClipObject, &String)| format!("{:digits$} {name:width$}  {}", clip.number, long(clip));
    clips.iter().zip(&names).map(cell).collect()
}
