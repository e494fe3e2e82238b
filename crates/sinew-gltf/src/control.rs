//! Control joints, which deform no mesh: targets and poles that animators' rigs leave in their files.

use sinew::Joint;

use crate::character::Character;
use crate::error::Fault;
use crate::mesh::ROW_BUDGET;
use crate::tip::is_end;

/// Joints below which no vertex and no mesh moves, but for the ends of bones that move some and for what a
/// VRM calls a bone of a human. None where nothing has mesh.
pub(crate) fn joints(character: &Character) -> Vec<Joint> {
    let skeleton = &character.skeleton;
    let mut moves = vec![false; skeleton.len()];
    // What cannot be read is left out, as when tips are inferred.
    let _ = mark(character, &mut moves);
    if !moves.contains(&true) {
        return Vec::new();
    }
    // Children come after their parents.
    let (mut mesh, mut children) = (moves.clone(), vec![0_u32; skeleton.len()]);
    let mut human = vec![false; skeleton.len()];
    for (_, bone) in character.human_bones() {
        human[bone.index()] = true;
    }
    for joint in skeleton.iter().rev() {
        if let Some(above) = skeleton.parent(joint).map(Joint::index) {
            mesh[above] |= mesh[joint.index()];
            human[above] |= human[joint.index()];
            children[above] += 1;
        }
    }
    let mut control = vec![false; skeleton.len()];
    for joint in skeleton.iter().filter(|joint| !mesh[joint.index()] && !human[joint.index()]) {
        control[joint.index()] = match skeleton.parent(joint) {
            None => !skeleton.name(joint).is_some_and(is_end),
            Some(above) if control[above.index()] => true,
            // An end of a bone with mesh: the only one, one that is called so, or one that was added.
            Some(above) if moves[above.index()] => {
                let alone = children[above.index()] == 1;
                !(alone || children[joint.index()] == 0 || character.is_inferred(joint))
            }
            // What hangs on an end is part of it.
            Some(above) => mesh[above.index()],
        };
    }
    skeleton.iter().filter(|joint| control[joint.index()]).collect()
}

/// Marks joints with a vertex or a mesh of their own.
fn mark(character: &Character, moves: &mut [bool]) -> Result<(), Fault> {
    let file = character.file();
    let mut budget = ROW_BUDGET;
    let mut set = |node: usize| {
        // A mesh on a node that is no joint hangs on the joint above.
        let mut up = std::iter::successors(Some(node), |&node| file.nodes.get(node).and_then(|node| node.parent));
        if let Some(joint) = up.find_map(|node| character.joint_of_node(node)) {
            moves[joint.index()] = true;
        }
    };
    for (index, node) in file.nodes.iter() {
        let Some(mesh) = node.mesh.and_then(|mesh| file.meshes.get(mesh)) else { continue };
        let Some(skin) = node.skin.and_then(|skin| file.skins.get(skin)) else {
            set(index);
            continue;
        };
        let mut used = vec![false; skin.joints.len()];
        mesh.each_vertex(file, &mut budget, |vertex| {
            for &(place, _) in vertex.influences {
                if let Some(used) = used.get_mut(place) {
                    *used = true;
                }
            }
        })?;
        used.iter().zip(&skin.joints).filter(|(used, _)| **used).for_each(|(_, &node)| set(node));
    }
    Ok(())
}
