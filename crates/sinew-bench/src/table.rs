//! Tables whose rows are printed as they come, and figures for them.

/// What a table's columns are called, and how wide they are. The first is flush left, numbers flush right.
#[derive(Clone, Copy, Debug)]
pub struct Columns<const N: usize>(pub [(&'static str, usize); N]);

impl<const N: usize> Columns<N> {
    /// The table's first line.
    pub fn heading(&self) -> String {
        self.line(self.names())
    }

    /// What the columns are called.
    pub fn names(&self) -> [String; N] {
        self.0.map(|(name, _)| name.to_owned())
    }

    /// A row.
    pub fn line(&self, cells: [String; N]) -> String {
        let cells = self.0.iter().zip(cells).enumerate();
        let padded = cells.map(|(column, (&(_, width), cell))| match column {
            0 => format!("{cell:width$}"),
            _ => format!(" {cell:>width$}"),
        });
        padded.collect()
    }
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

    #[test]
    fn rows_stand_under_their_heading() {
        let columns = Columns([("arm", 5), ("us", 4), ("solved", 7)]);
        assert_eq!(columns.heading(), "arm     us  solved");
        assert_eq!(columns.line(["ur5".into(), "1.0".into(), "100 %".into()]), "ur5    1.0   100 %");
    }

    #[test]
    fn percentiles_are_numbers_of_the_list() {
        let numbers = [1.0, 2.0, 3.0, 4.0];
        assert_eq!([0, 50, 99, 100].map(|share| percentile(&numbers, share)), [1.0, 3.0, 4.0, 4.0]);
        assert_eq!([vec![], vec![3.0, 1.0, 2.0]].map(median), [0.0, 2.0]);
        assert_eq!((percentile(&[], 50), mean(&[]), percent(1, 0)), (0.0, 0.0, 100.0));
    }
}
