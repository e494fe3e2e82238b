//! `--seed`: the coordinates from which a solve starts, as numbers in the order of the file's joints.

use anyhow::{Result, anyhow, bail};
use sinew::Pose;

use super::Machine;
use crate::text;

/// The pose of `--seed Q1,Q2,…` and what is to be said about it; home for the coordinates that it leaves out.
///
/// There are as many numbers as the robot has coordinates, or as many as `moving` (ascending) holds.
pub(crate) fn read(machine: &Machine, seed: Option<&str>, moving: &[usize]) -> Result<(Pose, Vec<String>)> {
    let mut pose = machine.home();
    let Some(seed) = seed else { return Ok((pose, Vec::new())) };
    let values = numbers(seed)?;
    let all: Vec<usize> = (0..machine.skeleton().coordinates().len()).collect();
    let coordinates = match values.len() {
        count if count == moving.len() => moving,
        count if count == all.len() => &all,
        count => bail!("--seed: {}", wrong_count(machine, count, moving)),
    };
    let own = |(&coordinate, value): (&usize, f64)| if machine.turns(coordinate) { value.to_radians() } else { value };
    let values: Vec<f64> = coordinates.iter().zip(values).map(own).collect();
    let mut edit = pose.edit(machine.skeleton());
    for (&coordinate, value) in coordinates.iter().zip(&values) {
        edit.coordinate(coordinate, *value);
    }
    drop(edit);
    let pairs = coordinates.iter().copied().zip(values);
    Ok((pose, pairs.filter_map(|(coordinate, value)| outside(machine, coordinate, value)).collect()))
}

fn numbers(seed: &str) -> Result<Vec<f64>> {
    let number = |part: &str| {
        let part = part.trim();
        part.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| {
            let part = text::short_name(part);
            anyhow!("--seed: '{part}' is not a number; write degrees and metres, such as 30,-70,0")
        })
    };
    seed.split(',').map(number).collect()
}

fn wrong_count(machine: &Machine, found: usize, moving: &[usize]) -> String {
    let all = machine.skeleton().coordinates().len();
    let arm = format!("{} needed ({})", text::count(moving.len(), "number"), machine.names(moving));
    if all == moving.len() {
        return format!("{arm}, found {found}");
    }
    format!("{arm} for what the goals move, or {all} for all coordinates in the file's order; found {found}")
}

/// What to say about a value outside its range.
fn outside(machine: &Machine, coordinate: usize, value: f64) -> Option<String> {
    let range = machine.range(coordinate);
    let name = text::short_name(machine.coordinate_name(coordinate));
    let (min, max) = (machine.amount(coordinate, range.min), machine.amount(coordinate, range.max));
    (!range.contains(value)).then(|| {
        let value = machine.amount(coordinate, value);
        format!("--seed: {name} starts at {value}, outside its limits ({min} to {max}); what goals move ends inside")
    })
}
