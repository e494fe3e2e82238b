//! Meshes, as far as they say where a joint's flesh is: vertex positions with the joints that move
//! them.
//!
//! Positions come in the mesh's own space, before skinning, without morph targets; data that is compressed,
//! missing or not finite is skipped, since a skeleton does not need it. Primitives that share their
//! attributes count once.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::accessor::{Accessors, Column};
use crate::document::{Object, in_range, whole_number};
use crate::element::Shape;
use crate::error::Fault;
use crate::file::File;

/// Joint and weight attributes come in sets of four; no real file has more sets than this.
const MOST_SETS: usize = 8;

/// Rows of attributes read in one pass over a file, at most: a hostile file can name the same ones again
/// and again. Five million vertices of four influences.
pub(crate) const ROW_BUDGET: usize = 10_000_000;

/// What a primitive costs beside its rows.
const ROWS_PER_PRIMITIVE: usize = 16;

/// Accessors of the attributes of one primitive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Primitive {
    position: usize,
    /// Joints and weights.
    sets: Vec<(usize, usize)>,
}

/// One mesh.
#[derive(Debug)]
pub(crate) struct Mesh {
    primitives: BTreeSet<Primitive>,
}

/// Reads `meshes`.
pub(crate) fn read(root: Object<'_>, accessors: &Accessors) -> Result<Vec<Mesh>, Fault> {
    root.each("meshes", |mesh| {
        let primitives = mesh.each("primitives", |primitive| read_primitive(primitive, accessors))?;
        Ok(Mesh { primitives: primitives.into_iter().flatten().collect() })
    })
}

/// One vertex with the joints that move it, by place in the skin, and their weights.
#[derive(Debug)]
pub(crate) struct Vertex<'a> {
    pub(crate) position: DVec3,
    /// Only weights above zero; their sum is not always one.
    pub(crate) influences: &'a [(usize, f64)],
}

impl Vertex<'_> {
    /// The joint with the greatest weight (the first of equals), and its share of all weights.
    pub(crate) fn owner(&self) -> Option<(usize, f64)> {
        let sum: f64 = self.influences.iter().map(|(_, weight)| weight).sum();
        let greatest = self.influences.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((greatest.0, greatest.1 / sum))
    }
}

impl Mesh {
    /// Shows every vertex to `visit`, until `budget` is used up.
    pub(crate) fn each_vertex(
        &self,
        file: &File,
        budget: &mut usize,
        mut visit: impl FnMut(Vertex<'_>),
    ) -> Result<(), Fault> {
        let mut influences = Vec::new();
        for primitive in &self.primitives {
            if *budget < ROWS_PER_PRIMITIVE {
                break;
            }
            *budget -= ROWS_PER_PRIMITIVE;
            let Some(positions) = column::<3>(file, primitive.position, Shape::Vec3)? else { continue };
            let mut sets = Vec::new();
            for &(joints, weights) in &primitive.sets {
                let joints = column::<4>(file, joints, Shape::Vec4)?;
                sets.extend(joints.zip(column::<4>(file, weights, Shape::Vec4)?));
            }
            let rows_per_vertex = 1 + sets.len();
            let count = positions.len().min(*budget / rows_per_vertex);
            *budget -= count * rows_per_vertex;
            for index in 0..count {
                read_influences(&sets, index, &mut influences);
                let position = positions.row(index).map_or(DVec3::NAN, DVec3::from_array);
                if position.is_finite() {
                    visit(Vertex { position, influences: &influences });
                }
            }
        }
        Ok(())
    }
}

fn column<const N: usize>(file: &File, accessor: usize, shape: Shape) -> Result<Option<Column<'_, N>>, Fault> {
    let column = file.accessors.column(accessor, shape, &file.buffers);
    column.map_err(|fault| fault.entry("accessors", accessor))
}

fn read_influences(sets: &[(Column<'_, 4>, Column<'_, 4>)], index: usize, influences: &mut Vec<(usize, f64)>) {
    influences.clear();
    for (joints, weights) in sets {
        let (Some(joints), Some(weights)) = (joints.row(index), weights.row(index)) else { continue };
        let pairs = joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0 && weight.is_finite());
        influences.extend(pairs.filter_map(|(joint, weight)| Some((whole_number(joint)?, weight))));
    }
}

fn read_primitive(primitive: Object<'_>, accessors: &Accessors) -> Result<Option<Primitive>, Fault> {
    let Some(attributes) = primitive.object("attributes")? else { return Ok(None) };
    let attribute = |name: &str| {
        let Some(accessor) = attributes.whole(name)? else { return Ok(None) };
        in_range(accessor, accessors.len(), "accessor").map(Some).map_err(|fault| fault.at(name))
    };
    let mut sets = Vec::new();
    for set in 0..MOST_SETS {
        let joints = attribute(&format!("JOINTS_{set}")).map_err(|fault| fault.at("attributes"))?;
        let weights = attribute(&format!("WEIGHTS_{set}")).map_err(|fault| fault.at("attributes"))?;
        sets.extend(joints.zip(weights));
    }
    let position = attribute("POSITION").map_err(|fault| fault.at("attributes"))?;
    Ok(position.map(|position| Primitive { position, sets }))
}
