//! Sparse symmetric systems of 3 × 3 blocks, one a point or turn in space: what hangs together by bones is a
//! tree, and a tree is eliminated from its leaves to its root without a single block of fill.
//!
//! `A = Lᵀ D L` by blocks, the last variable first. Which blocks there are is worked out once, by
//! [`shape`](Blocks::shape); the numbers may change in every solve. Source: George & Liu, *Computer Solution of
//! Large Sparse Positive Definite Systems* (1981), chapter 4; on trees, Deul et al., *Direct Position-Based Solver for
//! Stiff Rods* (2018).

use alloc::vec::Vec;
use core::ops::Range;

use glam::{DMat3, DVec3};

/// A symmetric matrix of blocks and, after [`factor`](Self::factor), its factors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    diagonal: Vec<DMat3>,
    /// Blocks left of the diagonal, row after row: row's variable by column's.
    off: Vec<DMat3>,
    /// Their columns, ascending within a row.
    columns: Vec<u32>,
    /// Where each row begins in `off` and `columns`; one more than rows.
    begins: Vec<u32>,
    /// Products of blocks in a factorisation.
    products: usize,
    /// Scratch of [`shape`](Self::shape).
    lists: Lists,
}

/// Lists of columns, one a row, that grow in one buffer.
#[derive(Clone, Debug, Default)]
struct Lists {
    /// The row's first entry.
    heads: Vec<u32>,
    /// A column, and the next entry of its row.
    entries: Vec<(u32, u32)>,
    /// The columns of the row in hand.
    row: Vec<u32>,
}

/// No entry.
const NONE: u32 = u32::MAX;

impl Lists {
    fn clear(&mut self, rows: usize) {
        self.heads.clear();
        self.heads.resize(rows, NONE);
        self.entries.clear();
    }

    fn push(&mut self, row: usize, column: u32) {
        self.entries.push((column, self.heads[row]));
        self.heads[row] = self.entries.len() as u32 - 1;
    }

    /// Puts the row's columns, ascending and each once, into `row`.
    fn sort(&mut self, row: usize) {
        self.row.clear();
        let mut at = self.heads[row];
        while let Some(&(column, next)) = self.entries.get(at as usize) {
            self.row.push(column);
            at = next;
        }
        self.row.sort_unstable();
        self.row.dedup();
    }
}

impl Blocks {
    /// Makes room for `size` variables of which the given pairs (in any order, also repeated) share a block, and for
    /// what elimination fills in. All blocks are zero. Pairs of one variable, or beyond `size`, are passed over.
    pub(crate) fn shape(&mut self, size: usize, pairs: &[(usize, usize)]) {
        let lists = &mut self.lists;
        lists.clear(size);
        for &(a, b) in pairs {
            if a != b && a.max(b) < size {
                lists.push(a.max(b), a.min(b) as u32);
            }
        }
        for row in (0..size).rev() {
            lists.sort(row);
            // Eliminating a variable ties all that it touches to one another.
            for low in 0..lists.row.len() {
                for high in low + 1..lists.row.len() {
                    lists.push(lists.row[high] as usize, lists.row[low]);
                }
            }
        }
        self.begins.clear();
        self.columns.clear();
        self.products = 0;
        for row in 0..size {
            self.begins.push(self.columns.len() as u32);
            lists.sort(row);
            self.products += lists.row.len() * (lists.row.len() + 1) / 2;
            self.columns.extend_from_slice(&lists.row);
        }
        self.begins.push(self.columns.len() as u32);
        self.diagonal.clear();
        self.diagonal.resize(size, DMat3::ZERO);
        self.off.clear();
        self.off.resize(self.columns.len(), DMat3::ZERO);
    }

    /// Number of variables.
    pub(crate) fn len(&self) -> usize {
        self.diagonal.len()
    }

    /// Nanoseconds that [`factor`](Self::factor) and [`solve`](Self::solve) took where they were measured.
    pub(crate) fn price(&self) -> usize {
        28 * self.len() + 2 * self.off.len() + self.products * 7 / 2 + self.price_of_answer()
    }

    /// Those of [`solve`](Self::solve) alone.
    pub(crate) fn price_of_answer(&self) -> usize {
        7 * self.len() + 3 * self.off.len()
    }

    /// Sets every block to zero.
    pub(crate) fn clear(&mut self) {
        self.diagonal.fill(DMat3::ZERO);
        self.off.fill(DMat3::ZERO);
    }

    /// Adds to the block of a variable with itself, which must stay symmetric.
    #[inline]
    pub(crate) fn add(&mut self, variable: usize, block: DMat3) {
        self.diagonal[variable] += block;
    }

    /// Adds `block` (rows of `a`, columns of `b`, two variables) and its transpose on the other side of the diagonal.
    ///
    /// # Panics
    /// Where the pair was not among those given to [`shape`](Self::shape).
    #[inline]
    pub(crate) fn add_between(&mut self, a: usize, b: usize, block: DMat3) {
        let (row, column, block) = if a > b { (a, b, block) } else { (b, a, block.transpose()) };
        let place = self.row(row).find(|&place| self.columns[place] as usize == column);
        self.off[place.expect("the pair is in the shape")] += block;
    }

    /// Factorises in place, for a positive definite matrix. `false` where a pivot cannot be inverted: what was
    /// written is of no use.
    #[must_use]
    pub(crate) fn factor(&mut self) -> bool {
        for row in (0..self.len()).rev() {
            let Some(pivot) = Pivot::of(&self.diagonal[row]) else { return false };
            self.diagonal[row] = pivot.0;
            for place in self.row(row) {
                self.off[place] = columns(&self.off[place], |column| pivot.down(column));
            }
            // What elimination takes away is a square, so that nothing of its size is lost.
            for high in self.row(row).rev() {
                let (scaled, target) = (columns(&self.off[high], |column| pivot.scaled(column)), self.columns[high]);
                self.diagonal[target as usize] -= scaled.transpose() * self.off[high];
                let mut place = self.begins[target as usize] as usize;
                for low in self.row(row).start..high {
                    while self.columns[place] != self.columns[low] {
                        place += 1;
                    }
                    let known = scaled.transpose() * self.off[low];
                    self.off[place] -= known;
                }
            }
            for place in self.row(row) {
                self.off[place] = columns(&self.off[place], |column| pivot.up(pivot.scaled(column)));
            }
        }
        true
    }

    /// Solves `A x = b` with the factors; `vector` holds `b` and then `x`.
    pub(crate) fn solve(&self, vector: &mut [DVec3]) {
        for row in (0..self.len()).rev() {
            let known = vector[row];
            for place in self.row(row) {
                vector[self.columns[place] as usize] -= self.off[place].transpose() * known;
            }
        }
        for row in 0..self.len() {
            let pivot = Pivot(self.diagonal[row]);
            let mut value = pivot.up(pivot.scaled(pivot.down(vector[row])));
            for place in self.row(row) {
                value -= self.off[place] * vector[self.columns[place] as usize];
            }
            vector[row] = value;
        }
    }

    #[inline]
    fn row(&self, row: usize) -> Range<usize> {
        self.begins[row] as usize..self.begins[row + 1] as usize
    }
}

/// The factors `L D Lᵀ` of a block of the diagonal: `L` below its diagonal, one over `D` on it. Unlike an inverse by
/// cofactors it keeps the digits of soft directions beside stiff ones, such as a hinge's axis has.
#[derive(Clone, Copy)]
struct Pivot(DMat3);

impl Pivot {
    /// `None` where a pivot is zero or no number.
    fn of(block: &DMat3) -> Option<Self> {
        let (x, y, z) = (block.x_axis, block.y_axis, block.z_axis);
        let first = 1.0 / x.x;
        let (low_y, low_z) = (x.y * first, x.z * first);
        let second = 1.0 / (y.y - low_y * x.y);
        let rest = y.z - low_z * x.y;
        let low = rest * second;
        let third = 1.0 / (z.z - low_z * x.z - low * rest);
        let pivots = DVec3::new(first, second, third);
        let factors = DMat3::from_cols(DVec3::new(first, low_y, low_z), DVec3::new(0.0, second, low), DVec3::Z * third);
        (pivots.is_finite() && factors.is_finite()).then_some(Self(factors))
    }

    /// `L⁻¹ v`.
    fn down(&self, v: DVec3) -> DVec3 {
        let (x, y) = (self.0.x_axis, self.0.y_axis);
        let second = v.y - x.y * v.x;
        DVec3::new(v.x, second, v.z - x.z * v.x - y.z * second)
    }

    /// `D⁻¹ v`.
    fn scaled(&self, v: DVec3) -> DVec3 {
        v * DVec3::new(self.0.x_axis.x, self.0.y_axis.y, self.0.z_axis.z)
    }

    /// `L⁻ᵀ v`.
    fn up(&self, v: DVec3) -> DVec3 {
        let (x, y) = (self.0.x_axis, self.0.y_axis);
        let second = v.y - y.z * v.z;
        DVec3::new(v.x - x.y * second - x.z * v.z, second, v.z)
    }
}

/// A matrix with each of its columns changed.
fn columns(m: &DMat3, change: impl Fn(DVec3) -> DVec3) -> DMat3 {
    DMat3::from_cols(change(m.x_axis), change(m.y_axis), change(m.z_axis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::ldl;
    use proptest::prelude::*;
    use std::vec;

    proptest! {
        #[test]
        fn sparse_agrees_with_dense(
            size in 1..7_usize,
            pairs in prop::collection::vec((0..7_usize, 0..7_usize), 0..9),
            numbers in prop::collection::vec(-1.0..1.0_f64, 9 * 9),
            b in prop::collection::vec(-1.0..1.0_f64, 21),
        ) {
            let mut blocks = Blocks::default();
            blocks.shape(size, &pairs);
            let wide = 3 * size;
            let mut dense = vec![0.0; wide * wide];
            for i in 0..size {
                blocks.add(i, DMat3::from_diagonal(DVec3::splat(40.0)));
                (0..3).for_each(|k| dense[(3 * i + k) * wide + 3 * i + k] += 40.0);
            }
            for (&(a, c), block) in pairs.iter().zip(numbers.chunks(9)) {
                if a == c || a.max(c) >= size {
                    continue;
                }
                let block = DMat3::from_cols_slice(block);
                blocks.add_between(a, c, block);
                for (row, column) in (0..3).flat_map(|r| (0..3).map(move |k| (r, k))) {
                    dense[(3 * a + row) * wide + 3 * c + column] += block.col(column)[row];
                    dense[(3 * c + column) * wide + 3 * a + row] += block.col(column)[row];
                }
            }
            let mut x: Vec<DVec3> = b.chunks(3).take(size).map(DVec3::from_slice).collect();
            let mut wanted = b[..wide].to_vec();
            prop_assert!(blocks.factor() && ldl::factor(&mut dense, wide));
            blocks.solve(&mut x);
            ldl::solve(&dense, wide, &mut wanted);
            for (got, wanted) in x.iter().zip(wanted.chunks(3)) {
                prop_assert!(got.distance(DVec3::from_slice(wanted)) < 1e-13, "{got} {wanted:?}");
            }
        }
    }

    /// A soft direction askew beside stiff ones, tied to another variable by the stiff ones alone: what is left for that
    /// other after elimination is its own softness, not rounding of the stiffness.
    #[test]
    fn softness_beside_stiffness_is_kept() {
        let axis = DVec3::new(0.48, 0.64, 0.6);
        let outer = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
        let lock = (DMat3::IDENTITY - outer) * 1e7;
        let soft = DMat3::from_diagonal(DVec3::splat(1e-4));
        let mut blocks = Blocks::default();
        blocks.shape(2, &[(0, 1)]);
        (0..2).for_each(|variable| blocks.add(variable, lock + soft));
        blocks.add_between(0, 1, -lock);
        assert!(blocks.factor());
        // Both move as one across the axis: each bears half of the push.
        let push = DVec3::new(0.8, -0.6, 0.0) * 2e-4;
        let mut moved = [push, DVec3::ZERO];
        blocks.solve(&mut moved);
        for step in moved {
            assert!(step.distance(push / 2e-4) < 1e-4, "{step}");
        }
    }

    #[test]
    fn a_tree_has_no_fill() {
        // Two arms and a trunk.
        let pairs = [(1, 0), (2, 1), (3, 2), (4, 1), (5, 4), (1, 0)];
        let mut blocks = Blocks::default();
        blocks.shape(6, &pairs);
        assert_eq!(blocks.off.len(), 5);
        // A ring is closed by one block of fill a joint.
        blocks.shape(4, &[(1, 0), (2, 1), (3, 2), (3, 0)]);
        assert_eq!(blocks.off.len(), 5);
    }

    #[test]
    fn what_cannot_be_inverted_is_noticed() {
        let mut blocks = Blocks::default();
        blocks.shape(2, &[(0, 1)]);
        assert!(!blocks.factor());
        blocks.clear();
        (0..2).for_each(|i| blocks.add(i, DMat3::from_diagonal(DVec3::splat(f64::NAN))));
        assert!(!blocks.factor());
        let mut none = Blocks::default();
        none.shape(0, &[]);
        assert!(none.len() == 0 && none.factor());
        none.solve(&mut []);
    }
}
