//! What a crowd tells: a table for people, an object for programs.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Cast, Measured};
use crate::rig::Rig;
use crate::text;

/// Seconds of one limb, with its share of looks and forward kinematics, in a frame of so many; of one character where nothing
/// but the head moves.
pub(super) fn per_limb(cast: &Cast, measured: &Measured, frame: f64) -> f64 {
    frame / (measured.characters * cast.limbs().max(1)) as f64
}

/// The page.
pub(super) fn page(rig: &Rig, cast: &Cast, measured: &Measured, curve: &[Measured]) -> String {
    let width = cast.crowd.width();
    let (who, each, targets) = if cast.is_whole() {
        ("a whole body".to_owned(), "character with", "targets of hips, heads, hands and feet")
    } else {
        let looks = if cast.looks() { " and a look" } else { "" };
        let each = if cast.limbs() == 0 { "character with its" } else { "limb with its share of looks and" };
        (format!("{}{looks}", text::count(cast.limbs(), "limb")), each, "limbs' targets")
    };
    let mut page = format!(
        "{}: {} of {}, {who} each\n  {:.3} ms a frame (median of {}; best {:.3}), {:.0} ns a {each} forward kinematics\n  {} at once ({}), {}; {} bytes a character; {:.1} % of the {targets} reached\n",
        text::one_line(&rig.title),
        text::count(measured.characters, "character"),
        text::count(cast.crowd.skeleton().len(), "joint"),
        1e3 * measured.median(),
        measured.times.len(),
        1e3 * measured.best(),
        1e9 * per_limb(cast, measured, measured.median()),
        width.lanes(),
        width.name(),
        text::count(rayon::current_num_threads(), "thread"),
        super::bytes(cast),
        100.0 * measured.reached,
    );
    if measured.by_core > 0.0 {
        let share = 100.0 * measured.by_core;
        let _ = if cast.is_whole() {
            writeln!(page, "  {share:.1} % of the bodies solved one by one: out of reach, leaning, or near a limit")
        } else {
            writeln!(page, "  {share:.1} % of limbs and looks near or beyond a limit, solved one by one")
        };
    }
    if !curve.is_empty() {
        let head = ["limbs", "characters", "a frame", "a limb", "at best"].map(str::to_owned);
        let row = |one: &Measured| {
            [
                (one.characters * cast.limbs()).to_string(),
                one.characters.to_string(),
                format!("{:.3} ms", 1e3 * one.median()),
                format!("{:.0} ns", 1e9 * per_limb(cast, one, one.median())),
                format!("{:.0} ns", 1e9 * per_limb(cast, one, one.best())),
            ]
        };
        let rows: Vec<_> = std::iter::once(head).chain(curve.iter().map(row)).collect();
        page += &text::columns(&rows);
    }
    page
}

/// The object.
#[derive(Serialize)]
pub(super) struct CrowdObject {
    characters: usize,
    joints: usize,
    limbs: usize,
    looks: bool,
    body: bool,
    frames: usize,
    lanes: usize,
    instructions: &'static str,
    threads: usize,
    median: f64,
    best: f64,
    per_limb: f64,
    per_character: f64,
    bytes: usize,
    reached: f64,
    by_core: f64,
    curve: Vec<Point>,
}

/// A crowd of another size.
#[derive(Serialize)]
struct Point {
    limbs: usize,
    median: f64,
    best: f64,
    per_limb: f64,
}

impl CrowdObject {
    pub(super) fn of(cast: &Cast, measured: &Measured, curve: &[Measured]) -> Self {
        let width = cast.crowd.width();
        let point = |one: &Measured| Point {
            limbs: one.characters * cast.limbs(),
            median: one.median(),
            best: one.best(),
            per_limb: per_limb(cast, one, one.median()),
        };
        Self {
            characters: measured.characters,
            joints: cast.crowd.skeleton().len(),
            limbs: cast.limbs(),
            looks: cast.looks(),
            body: cast.is_whole(),
            frames: measured.times.len(),
            lanes: width.lanes(),
            instructions: width.name(),
            threads: rayon::current_num_threads(),
            median: measured.median(),
            best: measured.best(),
            per_limb: per_limb(cast, measured, measured.median()),
            per_character: measured.median() / measured.characters as f64,
            bytes: super::bytes(cast),
            reached: measured.reached,
            by_core: measured.by_core,
            curve: curve.iter().map(point).collect(),
        }
    }
}
