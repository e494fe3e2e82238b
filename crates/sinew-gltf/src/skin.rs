//! Skins: which nodes are joints, and how each stood when the mesh was bound to it.

use glam::{DAffine3, DMat4};

use crate::accessor::Accessors;
use crate::buffer::Buffers;
use crate::document::{Object, in_range};
use crate::element::Shape;
use crate::error::Fault;

/// One skin.
#[derive(Debug)]
pub(crate) struct Skin {
    /// Nodes, in the order in which vertices refer to them.
    pub(crate) joints: Vec<usize>,
    /// Maps from the mesh to each joint's own space; identities where the skin gives none. `None`
    /// where they are compressed.
    pub(crate) inverse_binds: Option<Vec<DAffine3>>,
}

/// Reads `skins`, of joints among `nodes` nodes.
pub(crate) fn read(
    root: Object<'_>,
    nodes: usize,
    accessors: &Accessors,
    buffers: &Buffers,
) -> Result<Vec<Skin>, Fault> {
    root.each("skins", |skin| {
        let joints = skin.wholes("joints")?;
        if joints.is_empty() {
            return Err(Fault::new("a skin needs at least one joint").at("joints"));
        }
        for (place, &joint) in joints.iter().enumerate() {
            in_range(joint, nodes, "node").map_err(|fault| fault.entry("joints", place))?;
        }
        if let Some(skeleton) = skin.whole("skeleton")? {
            in_range(skeleton, nodes, "node").map_err(|fault| fault.at("skeleton"))?;
        }
        let inverse_binds = match skin.whole("inverseBindMatrices")? {
            None => Some(vec![DAffine3::IDENTITY; joints.len()]),
            Some(accessor) => {
                in_range(accessor, accessors.len(), "accessor").map_err(|fault| fault.at("inverseBindMatrices"))?;
                read_inverse_binds(accessor, joints.len(), accessors, buffers)
                    .map_err(|fault| fault.at(format_args!("inverseBindMatrices: accessors[{accessor}]")))?
            }
        };
        Ok(Skin { joints, inverse_binds })
    })
}

fn read_inverse_binds(
    accessor: usize,
    joints: usize,
    accessors: &Accessors,
    buffers: &Buffers,
) -> Result<Option<Vec<DAffine3>>, Fault> {
    accessors.require_floats(accessor)?;
    let Some(matrices) = accessors.column::<16>(accessor, Shape::Mat4, buffers)? else { return Ok(None) };
    if matrices.len() < joints {
        return Err(Fault::new(format!("{} matrices for {joints} joints", matrices.len())).at("count"));
    }
    let rows = (0..joints).map(|joint| matrices.row(joint));
    Ok(rows.map(|row| row.map(|m| DAffine3::from_mat4(DMat4::from_cols_array(&m)))).collect())
}
