//! Rings stitched into a closed surface.
//!
//! Every part of the body is a loft: a row of closed cross-sections, neighbours joined by
//! triangles, both ends closed by a rounded cap. Parts overlap where they meet, as the limbs of a
//! jointed wooden figure do. Vertices are shared all around, so the normals come out smooth.

use glam::DVec3;

use crate::skeleton::Skeleton;
use crate::weights::Weights;

/// The caps close over two rings, at these latitudes in degrees, and a pole.
const CAP_LATITUDES: [f64; 2] = [34.0, 66.0];

/// One cross-section: an ellipse whose front and back halves may differ.
///
/// Seen with the next ring nearer to the eye, `side` lies clockwise of `front`.
#[derive(Debug, Clone)]
pub struct Ring {
    /// Where the axes meet.
    pub centre: DVec3,
    /// The half-axis to one side; the other side is its opposite.
    pub side: DVec3,
    /// The half-axis to the front.
    pub front: DVec3,
    /// The half-axis to the back.
    pub back: DVec3,
    /// Who moves it.
    pub weights: Weights,
}

/// How rings become a surface.
#[derive(Debug, Clone, Copy)]
pub struct Loft {
    /// Vertices around each ring.
    pub sides: usize,
    /// 2 for an ellipse, more for a rounder box.
    pub squareness: f64,
    /// How far the cap bulges beyond the first ring.
    pub start_bulge: f64,
    /// How far the cap bulges beyond the last ring.
    pub end_bulge: f64,
}

/// A point of the surface.
#[derive(Debug, Clone)]
pub struct Vertex {
    /// Where it is at rest.
    pub position: DVec3,
    /// The outward unit normal.
    pub normal: DVec3,
    /// Who moves it.
    pub weights: Weights,
}

/// A surface of triangles, counter-clockwise seen from outside.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// The points.
    pub vertices: Vec<Vertex>,
    /// Indices of three points each.
    pub triangles: Vec<[usize; 3]>,
}

impl Mesh {
    /// The surface through `rings`, of which there are at least two.
    pub fn loft(loft: &Loft, rings: &[Ring]) -> Self {
        let mut mesh = Self::default();
        let (first, last) = (&rings[0], &rings[rings.len() - 1]);
        let outward = |end: &Ring| end.front.cross(end.side).normalize();
        let start = -outward(first) * loft.start_bulge;
        let end = outward(last) * loft.end_bulge;

        mesh.add_pole(first, start);
        for latitude in CAP_LATITUDES.iter().rev() {
            mesh.add_ring(loft, &cap_ring(first, start, *latitude));
        }
        for ring in rings {
            mesh.add_ring(loft, ring);
        }
        for latitude in CAP_LATITUDES {
            mesh.add_ring(loft, &cap_ring(last, end, latitude));
        }
        mesh.add_pole(last, end);
        mesh.stitch(loft.sides);
        mesh.smooth_normals();
        mesh
    }

    /// Adds another surface beside this one.
    pub fn append(&mut self, other: Self) {
        let base = self.vertices.len();
        self.vertices.extend(other.vertices);
        let triangles = other.triangles.into_iter();
        self.triangles.extend(triangles.map(|corners| corners.map(|corner| corner + base)));
    }

    /// The same surface on the other side of the body, moved by the joints of that side.
    #[must_use]
    pub fn mirrored(&self, skeleton: &Skeleton) -> Self {
        let flip = |v: DVec3| DVec3::new(-v.x, v.y, v.z);
        let vertices = self.vertices.iter().map(|vertex| Vertex {
            position: flip(vertex.position),
            normal: flip(vertex.normal),
            weights: vertex.weights.renamed(|joint| skeleton.mirror_of(joint)),
        });
        Self { vertices: vertices.collect(), triangles: self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect() }
    }

    fn add_ring(&mut self, loft: &Loft, ring: &Ring) {
        let power = 2.0 / loft.squareness;
        let squared = |x: f64| libm::copysign(libm::pow(x.abs(), power), x);
        for step in 0..loft.sides {
            let angle = std::f64::consts::TAU * step as f64 / loft.sides as f64;
            let (across, ahead) = (squared(libm::cos(angle)), squared(libm::sin(angle)));
            let depth = if ahead > 0.0 { ring.front } else { ring.back };
            self.add_point(ring.centre + ring.side * across + depth * ahead.abs(), &ring.weights);
        }
    }

    fn add_pole(&mut self, ring: &Ring, bulge: DVec3) {
        let middle = ring.centre + (ring.front + ring.back) / 2.0;
        self.add_point(middle + bulge, &ring.weights);
    }

    fn add_point(&mut self, position: DVec3, weights: &Weights) {
        self.vertices.push(Vertex { position, normal: DVec3::ZERO, weights: weights.clone() });
    }

    /// Joins a pole, rows of `sides` vertices and another pole.
    fn stitch(&mut self, sides: usize) {
        let last = self.vertices.len() - 1;
        let rows = (last - 1) / sides;
        let at = |row: usize, step: usize| 1 + row * sides + step % sides;
        for step in 0..sides {
            self.triangles.push([0, at(0, step), at(0, step + 1)]);
            for row in 1..rows {
                let (a, b) = (at(row - 1, step), at(row - 1, step + 1));
                let (c, d) = (at(row, step), at(row, step + 1));
                self.triangles.extend([[a, c, b], [b, c, d]]);
            }
            let (a, b) = (at(rows - 1, step), at(rows - 1, step + 1));
            self.triangles.push([a, last, b]);
        }
    }

    /// Gives each vertex the mean normal of its triangles, by area.
    fn smooth_normals(&mut self) {
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|corner| self.vertices[corner].position);
            let normal = (b - a).cross(c - a);
            for &corner in corners {
                self.vertices[corner].normal += normal;
            }
        }
        for vertex in &mut self.vertices {
            vertex.normal = vertex.normal.normalize();
        }
    }
}

/// A ring of a rounded cap: the end ring, drawn in and moved out as on a globe.
fn cap_ring(end: &Ring, bulge: DVec3, latitude: f64) -> Ring {
    let shrink = libm::cos(latitude.to_radians());
    let middle = (end.front + end.back) / 2.0 * (1.0 - shrink);
    Ring {
        centre: end.centre + middle + bulge * libm::sin(latitude.to_radians()),
        side: end.side * shrink,
        front: end.front * shrink,
        back: end.back * shrink,
        weights: end.weights.clone(),
    }
}
