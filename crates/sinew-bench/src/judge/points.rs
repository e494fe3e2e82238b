//! Points: the lengths of bones between them, and places of some.

use sinew::glam::DVec3;

use super::{Verdict, worse};

/// Two points a length apart.
#[derive(Clone, Copy, Debug)]
pub struct Bone {
    /// Which.
    pub ends: [usize; 2],
    /// How far apart they must be.
    pub length: f64,
    /// What an error of it is counted in.
    pub unit: f64,
}

impl Verdict {
    /// Of points, some of which have a place to be at.
    pub fn of_points<'a>(
        points: &[DVec3],
        targets: impl IntoIterator<Item = (usize, DVec3)>,
        bones: impl IntoIterator<Item = &'a Bone>,
    ) -> Self {
        let misses = targets.into_iter().map(|(point, target)| points[point].distance(target));
        let error = |&Bone { ends: [a, b], length, unit }: &Bone| (points[a].distance(points[b]) - length).abs() / unit;
        Self {
            miss: misses.fold(0.0, worse),
            stretch: bones.into_iter().map(error).fold(0.0, worse),
            ..Self::default()
        }
    }
}
