//! The pieces of a robot's picture, and which lies over which.

use sinew::glam::DVec3;

use super::solid::Solid;
use crate::picture::{LIMIT, REST};
use crate::svg::{Pen, Point, Svg};
use crate::view::Fitted;

/// A piece of the picture.
pub(super) enum Piece {
    /// A link as it was at the start.
    Ghost([DVec3; 2]),
    /// A link: its width (metres), its colour and that of its edge.
    Tube { ends: [DVec3; 2], width: f64, colors: (&'static str, &'static str) },
    /// An arrow, a hand or a rail.
    Thin { points: Vec<DVec3>, pen: Pen },
    /// What a hinge may do.
    Sector { apex: DVec3, rim: Vec<DVec3> },
    /// A joint.
    Solid(Solid),
}

impl Piece {
    /// Its place in the order of drawing, the least first. Joints lie over the links that they join, which therefore count
    /// from their far end; ghosts lie behind all.
    pub(super) fn depth(&self, toward: DVec3, at: DVec3, radius: f64) -> f64 {
        match self {
            Self::Ghost(_) => f64::MIN,
            Self::Tube { ends, .. } => toward.dot(ends[0]).min(toward.dot(ends[1])),
            Self::Sector { .. } => toward.dot(at) + 1.4 * radius,
            Self::Solid(_) => toward.dot(at) + 1.5 * radius,
            Self::Thin { .. } => toward.dot(at) + 2.2 * radius,
        }
    }

    pub(super) fn draw(&self, svg: &mut Svg, view: &Fitted) {
        match self {
            Self::Tube { ends, width, colors } => {
                let [Some(a), Some(b)] = ends.map(|end| view.place(end)) else { return };
                let pixels = (width * view.scale).max(2.0);
                svg.line(a, b, Pen::new(colors.1, pixels + 1.6));
                svg.line(a, b, Pen::new(colors.0, pixels));
            }
            Self::Ghost(ends) => {
                if let [Some(a), Some(b)] = ends.map(|end| view.place(end)) {
                    svg.line(a, b, Pen::new(REST, 3.0));
                }
            }
            Self::Thin { points, pen } => {
                let points: Vec<Point> = points.iter().filter_map(|&point| view.place(point)).collect();
                for pair in points.windows(2) {
                    svg.line(pair[0], pair[1], *pen);
                }
            }
            Self::Sector { apex, rim } => {
                let points = std::iter::once(apex).chain(rim);
                svg.shade(&points.filter_map(|&point| view.place(point)).collect::<Vec<_>>(), LIMIT, 0.16);
            }
            Self::Solid(solid) => solid.draw(svg, view),
        }
    }
}
