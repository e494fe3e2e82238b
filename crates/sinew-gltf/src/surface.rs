//! The skin of a character in a pose, as triangles: what a picture shows behind the bones.

use glam::{DAffine3, DVec3};
use sinew::Pose;

use crate::character::Character;
use crate::mesh::{ROW_BUDGET, Vertex};
use crate::skin::Skin;

/// Triangles of all meshes in model space. What cannot be read (compressed, damaged) is left out.
pub(crate) fn triangles(character: &Character, pose: &Pose) -> Vec<[DVec3; 3]> {
    let file = character.file();
    let placed = node_maps(character, pose);
    let mut budget = ROW_BUDGET;
    let mut triangles = Vec::new();
    for (index, node) in file.nodes.iter() {
        let Some(mesh) = node.mesh.and_then(|mesh| file.meshes.get(mesh)) else { continue };
        let visit = |triangle| triangles.push(triangle);
        let _ = if let Some(skin) = node.skin.and_then(|skin| file.skins.get(skin)) {
            let maps = skin_maps(skin, &placed);
            mesh.each_triangle(file, &mut budget, |vertex| skinned(vertex, &maps), visit)
        } else {
            let map = placed.get(index).copied().unwrap_or(DAffine3::IDENTITY);
            mesh.each_triangle(file, &mut budget, |vertex| map.transform_point3(vertex.position), visit)
        };
    }
    triangles
}

/// Where the pose has every node: joints as it says, others as they hang on the joint above them.
fn node_maps(character: &Character, pose: &Pose) -> Vec<DAffine3> {
    let (file, rest) = (character.file(), character.skeleton.rest_pose());
    let mut maps = file.nodes.in_scene();
    let at_rest = maps.clone();
    for (index, node) in file.nodes.parents_first() {
        let Some(map) = maps.get(index).copied() else { continue };
        let moved = match character.joint_of_node(index) {
            Some(joint) => *pose.model(joint) * rest.model(joint).inverse() * map,
            None => match node.parent.and_then(|parent| Some((*maps.get(parent)?, *at_rest.get(parent)?))) {
                Some((now, before)) => now * before.inverse() * map,
                None => map,
            },
        };
        if let Some(place) = maps.get_mut(index) {
            *place = moved;
        }
    }
    maps
}

/// From the mesh's space to the model's, for each joint of the skin.
fn skin_maps(skin: &Skin, placed: &[DAffine3]) -> Vec<DAffine3> {
    let binds = skin.inverse_binds.iter().flatten();
    let map = |(&joint, bind): (&usize, &DAffine3)| placed.get(joint).map_or(DAffine3::IDENTITY, |map| *map * *bind);
    skin.joints.iter().zip(binds).map(map).collect()
}

/// Linear blend skinning; a vertex without weights, or of a skin that cannot be read, is nowhere.
fn skinned(vertex: &Vertex<'_>, maps: &[DAffine3]) -> DVec3 {
    let (mut place, mut sum) = (DVec3::ZERO, 0.0);
    for &(joint, weight) in vertex.influences {
        let map = maps.get(joint).copied().unwrap_or(DAffine3::from_translation(DVec3::NAN));
        place += map.transform_point3(vertex.position) * weight;
        sum += weight;
    }
    place / sum
}
