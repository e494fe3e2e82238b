//! Text for people: lengths, lists, and names that come from files and may hold anything.

/// Names longer than this are cut in reports.
const LONGEST_NAME: usize = 60;
/// Lists longer than this are cut in reports.
const LONGEST_LIST: usize = 6;
/// Metres below which a length is what rounding left.
const ROUNDING: f64 = 1e-12;

/// The text with everything that could break a line or steer a terminal escaped.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// Controls, line and paragraph separators, and marks that reorder text.
fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// A name on one line and not too long.
pub(crate) fn short_name(name: &str) -> String {
    let short: String = name.chars().take(LONGEST_NAME).collect();
    let more = if short.len() < name.len() { "…" } else { "" };
    one_line(&short) + more
}

/// `a, b and 12 more`.
pub(crate) fn list(items: impl ExactSizeIterator<Item = String>) -> String {
    let left = items.len().saturating_sub(LONGEST_LIST);
    let shown: Vec<String> = items.take(LONGEST_LIST).collect();
    if left == 0 { shown.join(", ") } else { format!("{} and {left} more", shown.join(", ")) }
}

/// `1 joint`, `2 joints`.
pub(crate) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// A length in the unit in which it reads best.
pub(crate) fn length(metres: f64) -> String {
    let size = metres.abs();
    match size {
        _ if size < ROUNDING => "0 m".to_owned(),
        _ if !size.is_finite() => endless(metres),
        _ if size >= 1e6 => format!("{metres:.3e} m"),
        _ if size >= 100.0 => format!("{metres:.1} m"),
        _ if size >= 0.1 => format!("{metres:.3} m"),
        _ if size >= 1e-4 => format!("{:.2} mm", metres * 1e3),
        _ if size >= 1e-7 => format!("{:.2} µm", metres * 1e6),
        _ => format!("{metres:.1e} m"),
    }
}

/// A mass with at most four digits that count.
pub(crate) fn mass(kilograms: f64) -> String {
    let shown: f64 = format!("{kilograms:.3e}").parse().unwrap_or(kilograms);
    format!("{shown} kg")
}

/// A volume in the unit in which it reads best.
pub(crate) fn volume(cubic_metres: f64) -> String {
    match cubic_metres {
        _ if cubic_metres >= 0.1 => format!("{cubic_metres:.3} m³"),
        _ if cubic_metres >= 1e-4 => format!("{:.2} litres", cubic_metres * 1e3),
        _ if cubic_metres > 0.0 => format!("{:.3} cm³", cubic_metres * 1e6),
        _ => "0 m³".to_owned(),
    }
}

/// A positive number upwards to two digits.
pub(crate) fn round_up(number: f64) -> String {
    let size = 10.0_f64.powf(1.0 - number.log10().floor());
    // Not for rounding's sake.
    let whole = (number * size - 1e-9).ceil();
    // Digits behind the point are a whole number's, divided.
    if size >= 1.0 { (whole / size).to_string() } else { (whole * (1.0 / size).round()).to_string() }
}

/// What is not finite, for people.
fn endless(number: f64) -> String {
    if number.is_nan() {
        "unknown"
    } else if number > 0.0 {
        "no end"
    } else {
        "no beginning"
    }
    .to_owned()
}

/// An angle in degrees.
pub(crate) fn angle(radians: f64) -> String {
    if !radians.is_finite() {
        return endless(radians);
    }
    let degrees = radians.to_degrees();
    if degrees.abs() >= 0.01 || degrees == 0.0 { format!("{degrees:.2}°") } else { format!("{degrees:.1e}°") }
}

/// A number with so many decimals, and no minus before a zero.
pub(crate) fn decimals(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| matches!(c, '0' | '.')) => zero.to_owned(),
        _ => text,
    }
}

/// `0-2, 5`: ascending numbers, those that follow one another as one.
pub(crate) fn spans(numbers: &[usize]) -> String {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => spans.push((number, number)),
        }
    }
    let span = |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    spans.into_iter().map(span).collect::<Vec<_>>().join(", ")
}

/// Rows of columns, each as wide as its widest cell, indented by two; a row ends with its last cell that is not empty.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).filter(|(_, width)| *width > 0);
        let line = cells.fold(String::new(), |line, (cell, width)| line + &format!("  {cell:width$}"));
        format!("{}\n", line.trim_end())
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_on_one_line() {
        assert_eq!(one_line("a\nb\u{1b}[31m ü"), "a\\nb\\u{1b}[31m ü");
        assert_eq!(short_name(&"x".repeat(70)).chars().count(), 61);
    }

    #[test]
    fn lengths_read_well() {
        let read: Vec<String> = [0.0, 1.234_56, 0.012, 2e-5, 3e-12, 12_345.6].into_iter().map(length).collect();
        assert_eq!(read, ["0 m", "1.235 m", "12.00 mm", "20.00 µm", "3.0e-12 m", "12345.6 m"]);
        assert_eq!([2.6e-16, -2.6e-16].map(length), ["0 m", "0 m"]);
    }

    #[test]
    fn masses_have_at_most_four_digits() {
        assert_eq!([0.123_456, 2.0, 12_345.6, 1.7e-5].map(mass), ["0.1235 kg", "2 kg", "12350 kg", "0.000017 kg"]);
    }

    #[test]
    fn volumes_read_well_and_no_number_is_endless() {
        assert_eq!([0.5, 0.0123, 2e-5, 0.0].map(volume), ["0.500 m³", "12.30 litres", "20.000 cm³", "0 m³"]);
        assert_eq!([f64::INFINITY, f64::NEG_INFINITY].map(length), ["no end", "no beginning"]);
        assert_eq!([f64::INFINITY, f64::NEG_INFINITY].map(angle), ["no end", "no beginning"]);
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(spans(&[0, 1, 2, 5, 7, 8]), "0-2, 5, 7-8");
        assert_eq!([decimals(-1e-9, 6), decimals(-0.25, 6), decimals(-0.004, 2)], ["0.000000", "-0.250000", "0.00"]);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["a", "", "é"], ["long", "", ""]].map(|row| row.map(str::to_owned));
        assert_eq!(columns(&rows), "  a     é\n  long\n");
    }

    #[test]
    fn numbers_are_rounded_up() {
        assert_eq!([0.041_23, 0.0099, 0.009_93, 1.51, 123.0].map(round_up), ["0.042", "0.0099", "0.01", "1.6", "130"]);
    }

    #[test]
    fn lists_end() {
        let items = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>().into_iter();
        assert_eq!((list(items(2)), list(items(8))), ("0, 1".to_owned(), "0, 1, 2, 3, 4, 5 and 2 more".to_owned()));
    }
}
