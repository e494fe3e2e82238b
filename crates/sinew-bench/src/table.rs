//! Tables whose rows are printed as they come, reports as JSON, and figures for both.

use anyhow::Result;
use serde::Serialize;

/// A report as a row of a table.
pub trait Row {
    /// The columns' names and widths. The first is flush left, all others flush right.
    const COLUMNS: &'static [(&'static str, usize)];

    /// A text for each column.
    fn cells(&self) -> Vec<String>;

    /// The table's first line.
    fn heading() -> String {
        line(Self::COLUMNS.iter().map(|&(name, width)| (width, name.to_owned())))
    }

    /// The row.
    fn line(&self) -> String {
        let cells = self.cells();
        debug_assert_eq!(cells.len(), Self::COLUMNS.len(), "a text for each column");
        line(Self::COLUMNS.iter().map(|&(_, width)| width).zip(cells))
    }
}

/// A line of a table whose columns are known only when it is made: a width and a text each.
pub fn line(cells: impl IntoIterator<Item = (usize, String)>) -> String {
    let padded = cells.into_iter().enumerate().map(|(column, (width, cell))| match column {
        0 => format!("{cell:width$}"),
        _ => format!(" {cell:>width$}"),
    });
    padded.collect()
}

/// A line of a table in Markdown.
pub fn markdown<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    cells.into_iter().fold("|".into(), |line, cell| line + " " + cell.as_ref() + " |")
}

/// Prints a table's first line, or nothing where reports are printed as JSON.
pub fn print_heading<R: Row>(as_json: bool) {
    if !as_json {
        println!("{}", R::heading());
    }
}

/// Prints a report as a row, or as a line of JSON.
///
/// # Errors
/// A report that JSON cannot hold.
pub fn print<R: Row + Serialize>(report: &R, as_json: bool) -> Result<()> {
    println!("{}", if as_json { serde_json::to_string(report)? } else { report.line() });
    Ok(())
}

/// The number below which `percent` of ascending numbers lie; 0 of none.
pub fn percentile(ascending: &[f64], percent: usize) -> f64 {
    let last = ascending.len().saturating_sub(1);
    ascending.get((ascending.len() * percent / 100).min(last)).copied().unwrap_or(0.0)
}

/// The middle value; 0 of none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    percentile(&values, 50)
}

/// The mean; 0 of none.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// A share of a whole in per cent; 0 of nothing.
pub fn percent(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Arm {
        us: f64,
    }

    impl Row for Arm {
        const COLUMNS: &'static [(&'static str, usize)] = &[("arm", 5), ("us", 4), ("solved", 7)];

        fn cells(&self) -> Vec<String> {
            vec!["ur5e".into(), format!("{:.1}", self.us), "100 %".into()]
        }
    }

    #[test]
    fn rows_stand_under_their_heading() {
        assert_eq!(Arm::heading(), "arm     us  solved");
        assert_eq!(Arm { us: 1.0 }.line(), "ur5e   1.0   100 %");
        assert_eq!(markdown(["ur5e", "1.0"]), "| ur5e | 1.0 |");
    }

    #[test]
    fn percentiles_are_numbers_of_the_list() {
        let numbers = [1.0, 2.0, 3.0, 4.0];
        assert_eq!([0, 50, 99, 100].map(|share| percentile(&numbers, share)), [1.0, 3.0, 4.0, 4.0]);
        assert_eq!([vec![], vec![3.0, 1.0, 2.0]].map(median), [0.0, 2.0]);
        assert_eq!((percentile(&[], 50), mean(&[]), percent(1, 0)), (0.0, 0.0, 100.0));
    }
}
