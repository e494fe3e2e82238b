//! The bones of a chain of points.

/// Bones with their sum and the longest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bones<'a> {
    pub(super) lengths: &'a [f64],
    pub(super) total: f64,
    pub(super) longest: usize,
}

impl<'a> Bones<'a> {
    /// `None` where a length is negative or not a number.
    pub(super) fn of(lengths: &'a [f64]) -> Option<Self> {
        let (mut total, mut longest) = (0.0, 0);
        for (i, &length) in lengths.iter().enumerate() {
            if !(length >= 0.0 && length.is_finite()) {
                return None;
            }
            total += length;
            if length > lengths[longest] {
                longest = i;
            }
        }
        Some(Self { lengths, total, longest })
    }

    /// How near the tip can come to the root; below zero where it can come to it in many ways.
    pub(super) fn nearest(&self) -> f64 {
        let longest = self.lengths.get(self.longest).copied().unwrap_or(0.0);
        longest - (self.total - longest)
    }
}
