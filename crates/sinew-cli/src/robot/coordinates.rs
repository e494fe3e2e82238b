//! A robot's coordinates after a solve, for people.

use super::{Machine, posed};
use crate::run::Run;
use crate::text;

/// Share of a range, or radians and metres without one, within which a value stands at its limit.
const AT_LIMIT: f64 = 1e-9;

/// A line for each coordinate that may move for the goals, then one for the others.
pub(super) fn page(machine: &Machine, run: &Run, moving: &[usize]) -> String {
    let values = run.pose.coordinates();
    let rows: Vec<[String; 3]> = moving.iter().map(|&one| coordinate(machine, one, values[one])).collect();
    let others = values.len() - moving.len();
    let others = match others {
        0 => String::new(),
        _ => format!("  {} elsewhere did not move\n", text::count(others, "coordinate")),
    };
    let floating: Vec<[String; 2]> = posed::values(machine, &run.pose)
        .into_iter()
        .skip(values.len())
        .map(|(name, value)| [text::short_name(&name), format!("= {}", text::decimals(value, 6))])
        .collect();
    text::columns(&rows) + &text::columns(&floating) + &others
}

fn coordinate(machine: &Machine, coordinate: usize, value: f64) -> [String; 3] {
    let name = text::short_name(machine.coordinate_name(coordinate));
    let amount = if machine.turns(coordinate) {
        format!("{}°", text::decimals(value.to_degrees(), 4))
    } else {
        format!("{} m", text::decimals(value, 6))
    };
    [name, format!("= {amount}"), margin_text(machine, coordinate, value)]
}

/// How far a value is from the nearer end of its range, negative outside; none without a range.
pub(super) fn margin(machine: &Machine, coordinate: usize, value: f64) -> Option<f64> {
    let range = machine.range(coordinate);
    Some((value - range.min).min(range.max - value)).filter(|margin| margin.is_finite())
}

fn margin_text(machine: &Machine, coordinate: usize, value: f64) -> String {
    let range = machine.range(coordinate);
    let near = AT_LIMIT * if range.max - range.min < f64::INFINITY { range.max - range.min } else { 1.0 };
    match margin(machine, coordinate, value) {
        None => "no limit".to_owned(),
        Some(margin) if margin < -near => format!("{} outside its limits", machine.amount(coordinate, -margin)),
        Some(margin) if margin <= near => {
            format!("at its {} limit", if value - range.min < range.max - value { "lower" } else { "upper" })
        }
        Some(margin) => format!("{} from its limit", machine.amount(coordinate, margin)),
    }
}
