//! What `sinew path` says.

use std::fmt::Write as _;

use serde::Serialize;
use sinew::Status;
use sinew_arm::{IkSolution, Missed};

use super::{Change, Way};
use crate::text;

/// Lines of one kind at most.
const LONGEST: usize = 8;

/// The report, for people; whether a table is written, too.
pub(super) fn page(way: &Way, has_table: bool) -> String {
    let [base, tip] = way.robot.ends();
    let (frames, name) = (way.frames.len(), way.robot.machine.name());
    let mut page = format!("{name}: {} for {tip}, in the frame of {base}\n", text::count(frames, "frame"));
    let (reached, jumps) = (frames - way.followed.missed.len(), way.followed.jumps.len());
    let jumps = if jumps == 0 { "no jumps".to_owned() } else { text::count(jumps, "jump") };
    let _ = write!(page, "{reached} of {frames} reached, {jumps}");
    if let Some(largest) = way.largest_step() {
        let _ = write!(
            page,
            "; largest step {} ({}, into frame {})",
            amount(way, largest),
            joint(way, largest),
            largest.frame + 1
        );
    }
    page.push('\n');
    let jumps = way.followed.jumps.iter().map(|&frame| {
        let change = way.change(frame);
        format!("jump into {}: {} by {}", place(way, frame, frame), joint(way, change), amount(way, change))
    });
    let gaps = gaps(way).into_iter().map(|(reason, gap)| missed(way, reason, gap));
    page + &few(jumps, has_table) + &few(gaps, has_table)
}

/// The first lines, and how many there are besides.
fn few(lines: impl ExactSizeIterator<Item = String>, has_table: bool) -> String {
    let more = lines.len().saturating_sub(LONGEST);
    let mut text: String = lines.take(LONGEST).map(|line| line + "\n").collect();
    if more > 0 {
        let table = if has_table { "the table" } else { "-o JOINTS.csv" };
        let _ = writeln!(text, "and {more} more; {table} marks them all");
    }
    text
}

fn missed(way: &Way, reason: &str, gap: &[Missed]) -> String {
    let (mut off, mut turn, mut near, mut ends) = (0.0_f64, 0.0_f64, 0.0_f64, Vec::new());
    for Missed { frame, nearest, .. } in gap {
        (off, turn) = (off.max(nearest.position.length()), turn.max(nearest.rotation.length()));
        near = near.max(way.frames[*frame].asked.tolerance.rotation);
        ends.extend(blocking(way, nearest));
    }
    let (first, last) = (gap[0].frame, gap[gap.len() - 1].frame);
    let turn = if turn > near { format!(" and {}", text::angle(turn)) } else { String::new() };
    let at_ends = if ends.is_empty() { String::new() } else { format!("; at the end of {}", kinds(ends)) };
    let (place, off) = (place(way, first, last), text::length(off));
    format!("missed {place}: {reason}; the nearest pose is up to {off}{turn} away{at_ends}")
}

/// Why a frame was missed.
fn reason(way: &Way, frame: usize) -> &'static str {
    match way.status(frame) {
        Status::OutOfReach if way.frames[frame].asked.mask.rotation.any() => {
            "the arm is too short for this position and rotation"
        }
        Status::OutOfReach => "the arm is too short",
        Status::Stalled | Status::OutOfIterations => "no pose found",
        Status::Limited if way.is_missed_without_limits(frame) => "no pose found, without limits either",
        Status::Limited => "limits stand in the way",
        Status::Invalid => "not a number",
        other => other.name(),
    }
}

/// Each word once, in the order of first mention.
fn kinds(words: Vec<String>) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for word in words {
        if !kinds.contains(&word) {
            kinds.push(word);
        }
    }
    text::list(kinds.into_iter())
}

/// `frame 3 (line 4)`, `frames 3 to 7 (lines 4 to 8)`.
fn place(way: &Way, first: usize, last: usize) -> String {
    let [from, to] = [first, last].map(|frame| way.frames[frame].line);
    if first == last {
        format!("frame {} (line {from})", first + 1)
    } else {
        format!("frames {} to {} (lines {from} to {to})", first + 1, last + 1)
    }
}

fn joint(way: &Way, change: Change) -> String {
    text::short_name(way.robot.machine.coordinate_name(change.coordinate))
}

fn amount(way: &Way, change: Change) -> String {
    way.robot.machine.amount(change.coordinate, change.by)
}

/// Joints that stand at their ends and keep the tip from a frame.
fn blocking(way: &Way, nearest: &IkSolution) -> Vec<String> {
    let order = way.robot.order().into_iter();
    let stands = order.filter(|&(_, place)| nearest.is_blocking(place));
    stands.map(|(coordinate, _)| text::short_name(way.robot.machine.coordinate_name(coordinate))).collect()
}

/// Missed frames that follow one another for the same reason.
fn gaps(way: &Way) -> Vec<(&'static str, &[Missed])> {
    let all = &way.followed.missed;
    let reasons: Vec<&str> = all.iter().map(|missed| reason(way, missed.frame)).collect();
    let mut gaps = Vec::new();
    let mut first = 0;
    for next in 1..=all.len() {
        let goes_on =
            all.get(next).is_some_and(|one| one.frame == all[next - 1].frame + 1 && reasons[next] == reasons[first]);
        if !goes_on {
            gaps.push((reasons[first], &all[first..next]));
            first = next;
        }
    }
    gaps
}

/// The object.
#[derive(Serialize)]
pub(super) struct Followed<'a> {
    robot: &'a str,
    base: String,
    tip: String,
    joints: Vec<&'a str>,
    frames: usize,
    reached: usize,
    largest_step: Option<Step<'a>>,
    jumps: Vec<Step<'a>>,
    missed: Vec<MissedFrame>,
}

/// A change of a joint into a frame, which counts from 1.
#[derive(Serialize)]
struct Step<'a> {
    frame: usize,
    line: usize,
    joint: &'a str,
    change: f64,
}

#[derive(Serialize)]
struct MissedFrame {
    frame: usize,
    line: usize,
    status: &'static str,
    position_error: f64,
    rotation_error: f64,
    blocking: Vec<String>,
}

impl<'a> Followed<'a> {
    pub(super) fn of(way: &'a Way) -> Self {
        let machine = &way.robot.machine;
        let step = |change: Change| Step {
            frame: change.frame + 1,
            line: way.frames[change.frame].line,
            joint: machine.coordinate_name(change.coordinate),
            change: change.by,
        };
        let missed = way.followed.missed.iter().map(|missed| MissedFrame {
            frame: missed.frame + 1,
            line: way.frames[missed.frame].line,
            status: missed.nearest.status.name(),
            position_error: missed.left.position.length(),
            rotation_error: missed.left.rotation.length(),
            blocking: blocking(way, &missed.nearest),
        });
        let [base, tip] = way.robot.ends();
        Self {
            robot: &machine.robot.name,
            base,
            tip,
            joints: way.robot.names(),
            frames: way.frames.len(),
            reached: way.frames.len() - way.followed.missed.len(),
            largest_step: way.largest_step().map(step),
            jumps: way.followed.jumps.iter().map(|&frame| step(way.change(frame))).collect(),
            missed: missed.collect(),
        }
    }
}
