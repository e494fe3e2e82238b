//! The foot: upright slices from the heel to the toes, flat below.

use glam::DVec3;

use crate::chain::Chain;
use crate::mesh::{Loft, Mesh, Ring};
use crate::skeleton::Skeleton;

/// Where the slice is in Z, its middle in X, half of its width, and its height.
type Slice = (f64, f64, f64, f64);

const FOOT: [Slice; 11] = [
    (-0.080, 0.108, 0.023, 0.050),
    (-0.068, 0.108, 0.031, 0.074),
    (-0.044, 0.108, 0.035, 0.096),
    (-0.010, 0.108, 0.035, 0.102),
    (0.022, 0.109, 0.036, 0.086),
    (0.052, 0.111, 0.040, 0.068),
    (0.082, 0.113, 0.044, 0.054),
    (0.108, 0.114, 0.046, 0.044),
    (0.132, 0.113, 0.044, 0.037),
    (0.153, 0.110, 0.037, 0.032),
    (0.167, 0.107, 0.026, 0.027),
];

/// The left foot.
pub fn foot(skeleton: &Skeleton) -> Mesh {
    let sole = Chain::new(skeleton, &[("LeftFoot", 0.0), ("LeftToes", 0.025), ("LeftToesTip", 0.0)]);
    let rings = FOOT.map(|slice| upright(slice, &sole));
    let loft = Loft { sides: 16, squareness: 2.6, start_bulge: 0.010, end_bulge: 0.010 };
    Mesh::loft(&loft, &rings)
}

/// A slice as a ring that stands on the floor.
fn upright((z, x, side, height): Slice, sole: &Chain) -> Ring {
    let middle = 0.3 * height;
    let centre = DVec3::new(x, middle, z);
    Ring {
        centre,
        side: DVec3::NEG_X * side,
        front: DVec3::Y * (height - middle),
        back: DVec3::NEG_Y * middle,
        weights: sole.weights_near(centre),
    }
}
