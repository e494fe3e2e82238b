//! Which required extensions may be ignored when only the joints matter.
//!
//! A file lists under `extensionsRequired` what a reader must understand to show it. Extensions that
//! concern only meshes, textures, materials, lights, cameras or metadata do not change a skeleton and
//! are carried along unread; any other is refused by name, because it may.

use crate::document::Object;
use crate::file::File;
use crate::mesh::Mesh;

/// Families, by the beginning of the name.
const TOLERATED_FAMILIES: [&str; 9] = [
    "KHR_materials_",
    "EXT_materials_",
    "ADOBE_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "EXT_lights_",
    // VRM 1 with its springs, constraints and expressions: joints are what the humanoid says, the rest is behaviour.
    "VRMC_",
    // Gaussian splats and their compressions are a kind of mesh.
    "KHR_gaussian_splatting",
];

const TOLERATED: [&str; 23] = [
    "VRM",
    "KHR_draco_mesh_compression",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "EXT_meshopt_compression",
    "EXT_mesh_gpu_instancing",
    "EXT_mesh_features",
    "EXT_mesh_manifold",
    "EXT_instance_features",
    "EXT_structural_metadata",
    "EXT_primitive_voxels",
    "FB_geometry_metadata",
    "MSFT_texture_dds",
    "MSFT_packing_normalRoughnessMetallic",
    "MSFT_packing_occlusionRoughnessMetallic",
    "KHR_techniques_webgl",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "KHR_node_visibility",
    "KHR_node_selectability",
    "KHR_node_hoverability",
    // Concerns what clips drive, not the pose at rest; `clips_moving` reads it.
    "KHR_animation_pointer",
    "CESIUM_primitive_outline",
];

/// The first required extension that may change what the joints mean.
pub(crate) fn first_refused<'a>(required: &[&'a str]) -> Option<&'a str> {
    required.iter().copied().find(|name| !is_tolerated(name))
}

/// What packs meshes, by the name of the extension.
const PACKINGS: [(&str, &str); 3] = [
    ("KHR_draco_mesh_compression", "Draco"),
    ("EXT_meshopt_compression", "meshopt"),
    ("KHR_meshopt_compression", "meshopt"),
];

/// How the meshes of a file are packed of which not even the vertices can be read.
pub(crate) fn packing(file: &File) -> Option<&'static str> {
    let root = Object::of(&file.document).ok()?;
    let used = root.texts("extensionsUsed").unwrap_or_default();
    let (_, packing) = PACKINGS.iter().find(|(name, _)| used.contains(name))?;
    let is_unread = |mesh: &Mesh| {
        let (mut budget, mut vertices) = (crate::mesh::ROW_BUDGET, 0);
        let _ = mesh.each_vertex(file, &mut budget, |_| vertices += 1);
        vertices == 0
    };
    file.meshes.iter().any(is_unread).then_some(packing)
}

fn is_tolerated(name: &str) -> bool {
    TOLERATED.contains(&name) || TOLERATED_FAMILIES.iter().any(|family| name.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_concerns_only_the_looks_is_tolerated() {
        assert_eq!(first_refused(&["KHR_draco_mesh_compression", "KHR_materials_unlit", "VRMC_springBone"]), None);
        assert_eq!(first_refused(&["KHR_texture_transform", "ACME_bent_space"]), Some("ACME_bent_space"));
    }
}
