//! Meshes, as far as they say where a joint's mesh is: vertex positions with the joints that move
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
    faces: Vec<Faces>,
}

/// Which vertices of a primitive make triangles.
#[derive(Debug)]
struct Faces {
    primitive: Primitive,
    /// Accessor of vertex indices; without one vertices follow one another.
    indices: Option<usize>,
    mode: usize,
}

/// The modes of primitives that are made of triangles.
const TRIANGLES: usize = 4;
const STRIP: usize = 5;
const FAN: usize = 6;

/// Reads `meshes`.
pub(crate) fn read(root: Object<'_>, accessors: &Accessors) -> Result<Vec<Mesh>, Fault> {
    root.each("meshes", |mesh| {
        let faces = mesh.each("primitives", |primitive| read_primitive(primitive, accessors))?;
        let faces: Vec<Faces> = faces.into_iter().flatten().collect();
        Ok(Mesh { primitives: faces.iter().map(|faces| faces.primitive.clone()).collect(), faces })
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
        for primitive in &self.primitives {
            primitive.each_vertex(file, budget, |vertex| {
                if vertex.position.is_finite() {
                    visit(vertex);
                }
            })?;
        }
        Ok(())
    }

    /// Shows every triangle to `visit`, its corners placed by `place`, until `budget` is used up.
    pub(crate) fn each_triangle(
        &self,
        file: &File,
        budget: &mut usize,
        place: impl Fn(&Vertex<'_>) -> DVec3,
        mut visit: impl FnMut([DVec3; 3]),
    ) -> Result<(), Fault> {
        let mut placed = Vec::new();
        for faces in &self.faces {
            placed.clear();
            faces.primitive.each_vertex(file, budget, |vertex| placed.push(place(&vertex)))?;
            let indices = faces.indices.map(|indices| column::<1>(file, indices, Shape::Scalar)).transpose()?;
            // Compressed indices say nothing.
            let Some(indices) = indices.map_or(Some(None), |column| column.map(Some)) else { continue };
            let corners = indices.as_ref().map_or(placed.len(), Column::len).min(*budget);
            *budget -= corners;
            let corner = |at: usize| match &indices {
                Some(column) => placed.get(whole_number(column.row(at)?[0])?).copied(),
                None => placed.get(at).copied(),
            };
            faces.each(corners, |[a, b, c]| {
                if let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c))
                    && a.is_finite()
                    && b.is_finite()
                    && c.is_finite()
                {
                    visit([a, b, c]);
                }
            });
        }
        Ok(())
    }
}

impl Faces {
    /// The corners of each triangle among so many.
    fn each(&self, corners: usize, mut visit: impl FnMut([usize; 3])) {
        match self.mode {
            TRIANGLES => (0..corners / 3).for_each(|i| visit([3 * i, 3 * i + 1, 3 * i + 2])),
            STRIP => (2..corners).for_each(|i| visit([i - 2, i - 1, i])),
            FAN => (2..corners).for_each(|i| visit([0, i - 1, i])),
            _ => {}
        }
    }
}

impl Primitive {
    /// Shows every vertex, in order, also those that are not finite.
    fn each_vertex(&self, file: &File, budget: &mut usize, mut visit: impl FnMut(Vertex<'_>)) -> Result<(), Fault> {
        let mut influences = Vec::new();
        let Some(rest) = budget.checked_sub(ROWS_PER_PRIMITIVE) else { return Ok(()) };
        *budget = rest;
        let Some(positions) = column::<3>(file, self.position, Shape::Vec3)? else { return Ok(()) };
        let mut sets = Vec::new();
        for &(joints, weights) in &self.sets {
            let joints = column::<4>(file, joints, Shape::Vec4)?;
            sets.extend(joints.zip(column::<4>(file, weights, Shape::Vec4)?));
        }
        let rows_per_vertex = 1 + sets.len();
        let count = positions.len().min(*budget / rows_per_vertex);
        *budget -= count * rows_per_vertex;
        for index in 0..count {
            read_influences(&sets, index, &mut influences);
            let position = positions.row(index).map_or(DVec3::NAN, DVec3::from_array);
            visit(Vertex { position, influences: &influences });
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

fn read_primitive(primitive: Object<'_>, accessors: &Accessors) -> Result<Option<Faces>, Fault> {
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
    let indices = primitive.whole("indices")?;
    if let Some(indices) = indices {
        in_range(indices, accessors.len(), "accessor").map_err(|fault| fault.at("indices"))?;
    }
    let mode = primitive.whole("mode")?.unwrap_or(TRIANGLES);
    Ok(position.map(|position| Faces { primitive: Primitive { position, sets }, indices, mode }))
}
