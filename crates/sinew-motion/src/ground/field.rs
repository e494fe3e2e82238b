//! A height field: heights over a grid in the plane of X and Z, +Y up.

use glam::DVec3;

use super::{Ground, GroundPoint};

/// Heights at the corners of square cells; two triangles a cell between. Nothing lies outside.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    origin: DVec3,
    cell: f64,
    columns: usize,
    heights: Vec<f64>,
}

impl HeightField {
    /// Rows of `columns` heights (metres, from the origin up): along X in a row, rows along Z, each a `cell` apart. `None` for
    /// fewer than two rows or columns, rows that are not whole, a cell that is no length, heights that are not finite.
    pub fn new(origin: DVec3, cell: f64, columns: usize, heights: Vec<f64>) -> Option<Self> {
        let whole = columns >= 2 && heights.len() >= 2 * columns && heights.len().is_multiple_of(columns);
        let numbers = origin.is_finite() && cell > 0.0 && cell.is_finite() && heights.iter().all(|h| h.is_finite());
        (whole && numbers).then_some(Self { origin, cell, columns, heights })
    }

    /// Rough ground of `x` by `z` cells along X and Z, with random heights up to `height` above and below the origin. The
    /// same for the same seed on every machine.
    pub fn rough(seed: u64, [x, z]: [usize; 2], cell: f64, height: f64, origin: DVec3) -> Self {
        let mut state = seed;
        let mut draw = || {
            // SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            height * (2.0 * ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 1.0)
        };
        let (columns, rows) = (x.max(1) + 1, z.max(1) + 1);
        Self { origin, cell, columns, heights: (0..columns * rows).map(|_| draw()).collect() }
    }

    fn rows(&self) -> usize {
        self.heights.len() / self.columns
    }

    fn corner(&self, column: usize, row: usize) -> DVec3 {
        let height = self.heights[row * self.columns + column];
        self.origin + DVec3::new(column as f64 * self.cell, height, row as f64 * self.cell)
    }

    /// The same ground as triangles: vertices, and three indices a triangle.
    pub fn triangles(&self) -> (Vec<DVec3>, Vec<u32>) {
        let rows = self.rows();
        let vertices = (0..rows * self.columns).map(|at| self.corner(at % self.columns, at / self.columns)).collect();
        let cells = (0..rows - 1).flat_map(|row| (0..self.columns - 1).map(move |column| row * self.columns + column));
        let corners = cells.flat_map(|at| {
            let [a, b, c, d] = [at, at + 1, at + self.columns, at + self.columns + 1];
            [a, c, d, a, d, b]
        });
        (vertices, corners.map(|corner| u32::try_from(corner).unwrap_or(u32::MAX)).collect())
    }
}

impl Ground for HeightField {
    /// +Y is up, whatever is asked.
    #[allow(clippy::cast_sign_loss, reason = "not negative")]
    fn below(&self, point: DVec3, _up: DVec3) -> Option<GroundPoint> {
        let at = (point - self.origin) / self.cell;
        let (columns, rows) = ((self.columns - 1) as f64, (self.rows() - 1) as f64);
        if !(at.x >= 0.0 && at.z >= 0.0 && at.x <= columns && at.z <= rows) {
            return None;
        }
        let (x, z) = (at.x.floor().min(columns - 1.0), at.z.floor().min(rows - 1.0));
        let (column, row) = (x as usize, z as usize);
        let [u, v] = [at.x - x, at.z - z];
        let corner = |dx: usize, dz: usize| self.corner(column + dx, row + dz).y;
        let (low, high) = (corner(0, 0), corner(1, 1));
        // The diagonal goes from the first corner to the last.
        let (dx, dz) =
            if v >= u { (high - corner(0, 1), corner(0, 1) - low) } else { (corner(1, 0) - low, high - corner(1, 0)) };
        let position = DVec3::new(point.x, low + dx * u + dz * v, point.z);
        let normal = DVec3::new(-dx, self.cell, -dz).normalize();
        (position.y <= point.y).then_some(GroundPoint { position, normal, part: 0 })
    }
}
