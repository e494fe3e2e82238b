//! Space in equal cubes, by number.

use sinew::glam::DVec3;

/// Cells that a grid may have: what memory holds.
const MOST: f64 = 1e7;

/// Cubes whose centers are whole multiples of their edge, around a sphere with one to spare on each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// Edge of a cell (metres).
    pub(super) cell: f64,
    /// The least cell, in edges.
    low: [f64; 3],
    counts: [usize; 3],
}

impl Grid {
    /// `Err` with their number where there would be too many.
    pub(super) fn around(center: DVec3, radius: f64, cell: f64) -> Result<Self, f64> {
        let (low, high) = ((center - radius) / cell, (center + radius) / cell);
        let low = low.to_array().map(|x| libm::round(x) - 1.0);
        let high = high.to_array().map(|x| libm::round(x) + 1.0);
        let sizes: [f64; 3] = core::array::from_fn(|i| high[i] - low[i] + 1.0);
        let all = sizes[0] * sizes[1] * sizes[2];
        let is_small = all <= MOST && low.into_iter().chain(high).all(|x| x.abs() < 1e9);
        if !is_small {
            return Err(all);
        }
        #[allow(clippy::cast_sign_loss, reason = "high is above low")]
        Ok(Self { cell, low, counts: sizes.map(|x| x as usize) })
    }

    pub(super) fn len(&self) -> usize {
        self.counts.into_iter().product()
    }

    /// Middle of a cell (metres).
    pub(super) fn center(&self, number: usize) -> DVec3 {
        let at = self.split(number);
        let whole: [f64; 3] = core::array::from_fn(|i| self.low[i] + at[i] as f64);
        DVec3::from_array(whole) * self.cell
    }

    /// The cell that a point lies in.
    pub(super) fn at(&self, point: DVec3) -> Option<usize> {
        let whole = (point / self.cell).to_array().map(libm::round);
        let mut number = 0;
        for (i, whole) in whole.into_iter().enumerate() {
            let at = whole - self.low[i];
            if !(at >= 0.0 && at < self.counts[i] as f64) {
                return None;
            }
            #[allow(clippy::cast_sign_loss, reason = "not negative")]
            let at = at as usize;
            number = number * self.counts[i] + at;
        }
        Some(number)
    }

    /// The cells that share a corner with one: those that share a face first.
    pub(super) fn beside(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let at = self.split(number);
        BESIDE.into_iter().filter_map(move |way| {
            let mut number = 0;
            for i in 0..3 {
                let next = at[i].checked_add_signed(way[i]).filter(|&next| next < self.counts[i])?;
                number = number * self.counts[i] + next;
            }
            Some(number)
        })
    }

    fn split(&self, number: usize) -> [usize; 3] {
        let [_, y, z] = self.counts;
        [number / (y * z), number / z % y, number % z]
    }
}

/// The ways to the cells around one, the short ones first.
const BESIDE: [[isize; 3]; 26] = {
    let mut ways = [[0; 3]; 26];
    let (mut count, mut length) = (0, 1);
    while length <= 3 {
        let mut i = 0;
        while i < 27 {
            let way = [i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1];
            if way[0] * way[0] + way[1] * way[1] + way[2] * way[2] == length {
                ways[count] = way;
                count += 1;
            }
            i += 1;
        }
        length += 1;
    }
    ways
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_their_centers_and_touch_their_neighbours() {
        let grid = Grid::around(DVec3::new(0.3, -2.0, 0.77), 0.5, 0.1).unwrap();
        for number in 0..grid.len() {
            let center = grid.center(number);
            assert_eq!(grid.at(center), Some(number));
            assert_eq!(grid.at(center + DVec3::new(0.049, -0.049, 0.049)), Some(number));
            for beside in grid.beside(number) {
                let way = (grid.center(beside) - center).abs() / 0.1;
                assert!(beside != number && way.max_element() < 1.0 + 1e-9, "{way}");
            }
        }
        let inside = grid.at(DVec3::new(0.3, -2.0, 0.77)).unwrap();
        let mut beside: Vec<usize> = grid.beside(inside).collect();
        beside.sort_unstable();
        beside.dedup();
        assert_eq!(beside.len(), 26);
    }

    #[test]
    fn the_sphere_fits_and_too_many_are_refused() {
        let center = DVec3::new(0.02, 5.0, -1.0);
        let grid = Grid::around(center, 0.73, 0.04).unwrap();
        for way in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE.normalize()] {
            assert!(grid.at(center + way * 0.73).is_some() && grid.at(center - way * 0.73).is_some());
        }
        assert_eq!((grid.at(center + DVec3::X), grid.at(DVec3::NAN)), (None, None));
        assert!(Grid::around(center, 1.0, 1e-3).unwrap_err() > 8e9);
        assert!(Grid::around(DVec3::X * 1e9, 1.0, 0.1).is_err() && Grid::around(center, f64::INFINITY, 1.0).is_err());
    }
}
