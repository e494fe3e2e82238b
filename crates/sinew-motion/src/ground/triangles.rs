//! Triangles of a scene, in cells of a grid across the direction up.

use glam::{DMat3, DVec3};

use super::{Ground, GroundPoint};

/// Triangles a cell, about; and cells along each side at most.
const PER_CELL: f64 = 1.0;
const MOST_CELLS: usize = 512;
/// Steeper than this, by the cosine to up, is a wall.
const WALL: f64 = 1e-3;

/// Triangles to stand on, from both sides. Walls (within 0.06 degrees of upright) are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Triangles {
    vertices: Vec<DVec3>,
    corners: Vec<[u32; 3]>,
    /// Rows: two directions across, and up.
    axes: DMat3,
    low: [f64; 2],
    cell: f64,
    cells: [usize; 2],
    /// Where each cell's triangles begin in `inside`; one more for the end.
    begins: Vec<usize>,
    inside: Vec<u32>,
}

impl Triangles {
    /// Three indices a triangle; those of vertices that are not there, or are not finite, are left out. `up` is the unit direction
    /// that is mostly asked along: along others every triangle is looked at.
    pub fn new(vertices: Vec<DVec3>, indices: &[u32], up: DVec3) -> Self {
        let (a, b) = up.any_orthonormal_pair();
        let axes = DMat3::from_cols(a, b, up).transpose();
        let good = |corner: &u32| vertices.get(*corner as usize).is_some_and(|vertex| vertex.is_finite());
        let triples = indices.chunks_exact(3).filter(|three| three.iter().all(good));
        let corners: Vec<[u32; 3]> = triples.map(|three| [three[0], three[1], three[2]]).collect();
        let flat = |corner: u32| {
            let at = axes * vertices[corner as usize];
            [at.x, at.y]
        };
        let all = || corners.iter().flatten().map(|&corner| flat(corner));
        let low = all().fold([f64::INFINITY; 2], |low, at| [low[0].min(at[0]), low[1].min(at[1])]);
        let high = all().fold([f64::NEG_INFINITY; 2], |high, at| [high[0].max(at[0]), high[1].max(at[1])]);
        let size = [0, 1].map(|side: usize| (high[side] - low[side]).max(0.0));
        let longest = size[0].max(size[1]);
        let fair = (size[0] * size[1] * (PER_CELL / corners.len().max(1) as f64)).sqrt();
        let cell = fair.max(longest / MOST_CELLS as f64).max(f64::MIN_POSITIVE);
        let mut grid =
            Self { axes, low, cell, cells: [0, 0], begins: Vec::new(), inside: Vec::new(), corners, vertices };
        grid.cells = size.map(|size| grid.index(size) + 1);
        grid.fill();
        grid
    }

    /// The vertices.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles, three vertices each.
    pub fn corners(&self) -> &[[u32; 3]] {
        &self.corners
    }

    #[allow(clippy::cast_sign_loss, reason = "not negative")]
    fn index(&self, away: f64) -> usize {
        ((away / self.cell).max(0.0) as usize).min(MOST_CELLS)
    }

    fn fill(&mut self) {
        let spans: Vec<[[usize; 2]; 2]> = (0..self.corners.len()).map(|at| self.span(at)).collect();
        let mut lists = vec![Vec::new(); self.cells[0] * self.cells[1]];
        for (triangle, [from, to]) in spans.into_iter().enumerate() {
            for row in from[1]..=to[1] {
                for column in from[0]..=to[0] {
                    lists[row * self.cells[0] + column].push(u32::try_from(triangle).unwrap_or(u32::MAX));
                }
            }
        }
        self.begins.push(0);
        for list in lists {
            self.inside.extend(list);
            self.begins.push(self.inside.len());
        }
    }

    /// First and last cell of a triangle.
    fn span(&self, triangle: usize) -> [[usize; 2]; 2] {
        let flat = self.points(triangle).map(|point| self.axes * point);
        let side = |side: usize| flat.map(|at| at[side] - self.low[side]);
        let ends = [0, 1].map(|axis| {
            let [a, b, c] = side(axis);
            let last = self.cells[axis] - 1;
            [self.index(a.min(b).min(c)).min(last), self.index(a.max(b).max(c)).min(last)]
        });
        [[ends[0][0], ends[1][0]], [ends[0][1], ends[1][1]]]
    }

    fn points(&self, triangle: usize) -> [DVec3; 3] {
        self.corners[triangle].map(|corner| self.vertices[corner as usize])
    }

    /// Where the line through a point along `up` goes through a triangle at or below it.
    fn meet(&self, triangle: usize, point: DVec3, up: DVec3) -> Option<GroundPoint> {
        let [a, b, c] = self.points(triangle);
        let normal = (b - a).cross(c - a).try_normalize()?;
        let slope = normal.dot(up);
        if slope.abs() < WALL {
            return None;
        }
        let normal = if slope < 0.0 { -normal } else { normal };
        let position = point - up * ((point - a).dot(normal) / slope.abs());
        let reach = (b - a).length().max((c - a).length()) * 1e-12;
        let inside = [(a, b, c), (b, c, a), (c, a, b)].into_iter().all(|(from, to, other)| {
            let inward = normal.cross(to - from);
            let side = if inward.dot(other - from) < 0.0 { -inward } else { inward };
            side.dot(position - from) >= -reach * side.length()
        });
        ((position - point).dot(up) <= 0.0 && inside).then_some(GroundPoint { position, normal, part: 0 })
    }
}

impl Ground for Triangles {
    fn below(&self, point: DVec3, up: DVec3) -> Option<GroundPoint> {
        let highest = |best: Option<GroundPoint>, next: GroundPoint| match best {
            Some(best) if best.position.dot(up) >= next.position.dot(up) => Some(best),
            _ => Some(next),
        };
        if self.axes.transpose().z_axis.dot(up) < 1.0 - 1e-12 {
            return (0..self.corners.len()).filter_map(|at| self.meet(at, point, up)).fold(None, highest);
        }
        let at = self.axes * point;
        let away = [at.x - self.low[0], at.y - self.low[1]];
        let slack = self.cell * 1e-9;
        if !(away[0] >= -slack && away[1] >= -slack) {
            return None;
        }
        let [column, row] = away.map(|away| self.index(away));
        if column >= self.cells[0] || row >= self.cells[1] {
            return None;
        }
        let cell = row * self.cells[0] + column;
        let inside = &self.inside[self.begins[cell]..self.begins[cell + 1]];
        inside.iter().filter_map(|&at| self.meet(at as usize, point, up)).fold(None, highest)
    }
}
