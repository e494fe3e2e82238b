//! Torso and head, as level slices stacked from the bottom up.

use glam::DVec3;

use crate::chain::Chain;
use crate::mesh::{Loft, Mesh, Ring};
use crate::skeleton::Skeleton;
use crate::weights::{Weights, smoothstep};

/// Height, half of the width, and where the front and the back are in Z.
type Slice = (f64, f64, f64, f64);

const TORSO: [Slice; 20] = [
    (0.850, 0.050, 0.040, -0.070),
    (0.872, 0.098, 0.068, -0.088),
    (0.905, 0.140, 0.082, -0.101),
    (0.945, 0.157, 0.090, -0.108),
    (0.990, 0.158, 0.092, -0.104),
    (1.040, 0.146, 0.094, -0.086),
    (1.090, 0.136, 0.096, -0.078),
    (1.140, 0.135, 0.100, -0.084),
    (1.190, 0.143, 0.106, -0.098),
    (1.240, 0.155, 0.112, -0.112),
    (1.290, 0.166, 0.113, -0.124),
    (1.335, 0.172, 0.106, -0.129),
    (1.375, 0.170, 0.090, -0.126),
    (1.408, 0.158, 0.068, -0.114),
    (1.434, 0.144, 0.046, -0.100),
    (1.456, 0.116, 0.035, -0.088),
    (1.476, 0.082, 0.035, -0.077),
    (1.500, 0.057, 0.040, -0.066),
    (1.528, 0.054, 0.046, -0.058),
    (1.565, 0.052, 0.050, -0.050),
];

const HEAD: [Slice; 12] = [
    (1.527, 0.030, 0.088, 0.030),
    (1.538, 0.046, 0.096, -0.010),
    (1.556, 0.057, 0.100, -0.052),
    (1.580, 0.064, 0.101, -0.076),
    (1.605, 0.069, 0.102, -0.088),
    (1.635, 0.074, 0.102, -0.094),
    (1.665, 0.077, 0.102, -0.095),
    (1.690, 0.076, 0.097, -0.092),
    (1.710, 0.071, 0.086, -0.084),
    (1.727, 0.060, 0.068, -0.069),
    (1.739, 0.044, 0.046, -0.048),
    (1.746, 0.024, 0.023, -0.026),
];

const NOSE: [Slice; 5] = [
    (1.604, 0.010, 0.112, 0.090),
    (1.610, 0.014, 0.121, 0.090),
    (1.622, 0.011, 0.119, 0.090),
    (1.638, 0.008, 0.112, 0.090),
    (1.656, 0.006, 0.103, 0.090),
];

/// Pelvis, belly, chest and neck in one piece.
pub fn torso(skeleton: &Skeleton) -> Mesh {
    let spine = Chain::new(
        skeleton,
        &[("Hips", 0.0), ("Spine", 0.055), ("Chest", 0.055), ("UpperChest", 0.055), ("Neck", 0.035), ("Head", 0.030)],
    );
    let rings = TORSO.map(|slice| level(slice, |at| spine.weights_near(at)));
    let loft = Loft { sides: 20, squareness: 2.3, start_bulge: 0.016, end_bulge: 0.01 };
    let mut mesh = Mesh::loft(&loft, &rings);
    for vertex in &mut mesh.vertices {
        shrug(skeleton, vertex.position, &mut vertex.weights);
    }
    mesh
}

/// Lets the collar bones carry the corners of the chest.
fn shrug(skeleton: &Skeleton, at: DVec3, weights: &mut Weights) {
    let share = 0.8 * smoothstep(0.05, 0.16, at.x.abs()) * smoothstep(1.28, 1.40, at.y);
    let side = if at.x > 0.0 { "LeftShoulder" } else { "RightShoulder" };
    *weights = std::mem::take(weights).give(skeleton.index(side), share);
}

/// The head: an egg with a chin, and a nose to tell where it looks.
pub fn head(skeleton: &Skeleton) -> Mesh {
    let weights = Weights::of(skeleton.index("Head"));
    let solid = |sides: usize, slices: &[Slice]| {
        let loft = Loft { sides, squareness: 2.1, start_bulge: 0.004, end_bulge: 0.004 };
        let rings: Vec<_> = slices.iter().map(|&slice| level(slice, |_| weights.clone())).collect();
        Mesh::loft(&loft, &rings)
    };
    let mut head = solid(16, &HEAD);
    head.append(solid(8, &NOSE));
    head
}

/// A slice as a ring.
fn level((y, side, front, back): Slice, weights: impl Fn(DVec3) -> Weights) -> Ring {
    let centre = DVec3::new(0.0, y, f64::midpoint(front, back));
    let reach = DVec3::Z * ((front - back) / 2.0);
    Ring { centre, side: DVec3::X * side, front: reach, back: -reach, weights: weights(centre) }
}
