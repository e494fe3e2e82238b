//! The flesh of the human: a figure of rounded parts, like a good wooden mannequin.
//!
//! Each part is a table of cross-sections, in metres. The trunk, the head and the feet stand in
//! the world ([`trunk`], [`foot`]); the limbs follow their bones ([`limbs`]).

pub mod foot;
pub mod limbs;
pub mod trunk;

use crate::mesh::Mesh;
use crate::skeleton::Skeleton;

/// The whole surface.
pub fn flesh(skeleton: &Skeleton) -> Mesh {
    let mut body = trunk::torso(skeleton);
    body.append(trunk::head(skeleton));
    for part in left_limbs(skeleton) {
        let mirrored = part.mirrored(skeleton);
        body.append(part);
        body.append(mirrored);
    }
    body
}

fn left_limbs(skeleton: &Skeleton) -> Vec<Mesh> {
    let mut parts = vec![limbs::arm(skeleton), limbs::leg(skeleton), foot::foot(skeleton), limbs::thumb(skeleton)];
    parts.extend(limbs::FINGER_RADII.map(|(name, radius)| limbs::finger(skeleton, name, radius)));
    parts
}
