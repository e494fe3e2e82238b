//! How tall a character is: the unit in which errors and pictures make sense.

use glam::{DAffine3, DVec3, DVec4};

use crate::error::Fault;
use crate::file::File;
use crate::mesh::{Mesh, ROW_BUDGET};
use crate::skin::Skin;

/// Least and greatest Y of what was seen.
#[derive(Clone, Copy, Debug)]
struct Extent {
    low: f64,
    high: f64,
}

impl Extent {
    const NOTHING: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    fn add(&mut self, y: f64) {
        if y.is_finite() {
            self.low = self.low.min(y);
            self.high = self.high.max(y);
        }
    }

    fn height(self) -> Option<f64> {
        (self.high > self.low).then_some(self.high - self.low)
    }
}

/// Extent along Y at rest of all meshes, else of the joints given; 0 where even they are at one height.
pub(crate) fn measure(file: &File, joints: impl Iterator<Item = DVec3>) -> f64 {
    let in_scene = file.nodes.in_scene();
    let (mut skinned, mut bare) = (Extent::NOTHING, Extent::NOTHING);
    let mut budget = ROW_BUDGET;
    for (index, node) in file.nodes.iter() {
        let Some(mesh) = node.mesh.and_then(|mesh| file.meshes.get(mesh)) else { continue };
        // What cannot be read is left out, as when tips are inferred.
        let _ = match (node.skin.and_then(|skin| file.skins.get(skin)), in_scene.get(index)) {
            (Some(skin), _) => add_skinned(file, mesh, skin, &in_scene, &mut budget, &mut skinned),
            (None, Some(map)) => mesh.each_vertex(file, &mut budget, |vertex| {
                skinned.add(map.transform_point3(vertex.position).y);
            }),
            (None, None) => Ok(()),
        };
    }
    joints.for_each(|joint| bare.add(joint.y));
    skinned.height().or(bare.height()).unwrap_or(0.0)
}

fn add_skinned(
    file: &File,
    mesh: &Mesh,
    skin: &Skin,
    in_scene: &[DAffine3],
    budget: &mut usize,
    extent: &mut Extent,
) -> Result<(), Fault> {
    let Some(inverse_binds) = &skin.inverse_binds else { return Ok(()) };
    // Many nodes may share one large skin.
    let Some(rest) = budget.checked_sub(skin.joints.len()) else { return Ok(()) };
    *budget = rest;
    let maps = skin.joints.iter().zip(inverse_binds);
    let rows: Vec<DVec4> =
        maps.map(|(&joint, bind)| in_scene.get(joint).map_or(DVec4::NAN, |m| y_row(*m * *bind))).collect();
    mesh.each_vertex(file, budget, |vertex| {
        let point = vertex.position.extend(1.0);
        let (mut y, mut sum) = (0.0, 0.0);
        for &(joint, weight) in vertex.influences {
            let row = rows.get(joint).copied().unwrap_or(DVec4::NAN);
            y += weight * row.dot(point);
            sum += weight;
        }
        extent.add(y / sum);
    })
}

fn y_row(map: DAffine3) -> DVec4 {
    let m = map.matrix3;
    DVec4::new(m.x_axis.y, m.y_axis.y, m.z_axis.y, map.translation.y)
}
