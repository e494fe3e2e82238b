//! What a two-bone method gives: rotations or positions.

use sinew::glam::{DQuat, DVec3};

use crate::limb::Limb;

/// The two kinds of answer that a solution file can hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// Local rotations of root and middle joint.
    Rotations([DQuat; 2]),
    /// Positions of middle joint and tip, for a root at the origin.
    Positions([DVec3; 2]),
}

impl Answer {
    /// The solution file's number for it.
    pub fn kind(&self) -> u32 {
        match self {
            Self::Rotations(_) => 0,
            Self::Positions(_) => 1,
        }
    }

    /// The numbers of the solution file's row.
    pub fn row(&self) -> Vec<f64> {
        match self {
            Self::Rotations([root, mid]) => [root.to_array(), mid.to_array()].concat(),
            Self::Positions([mid, tip]) => [[0.0; 3], mid.to_array(), tip.to_array()].concat(),
        }
    }

    /// Where middle joint and tip are: by forward kinematics where rotations were given.
    pub fn points(&self, limb: &Limb) -> [DVec3; 2] {
        match self {
            Self::Rotations(rotations) => limb.points(rotations.map(|q| q / q.dot(q).sqrt())),
            Self::Positions(points) => *points,
        }
    }
}
