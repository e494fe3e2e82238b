//! Drums and blocks: convex solids, drawn as their outline and the faces that are seen.

use std::f64::consts::TAU;

use sinew::glam::DVec3;
use sinew::math::arc;

use crate::svg::{Point, Svg};
use crate::view::Fitted;

/// Corners of a drum's rim.
const CORNERS: u32 = 28;
/// Half a drum's height and half a block's, in radii.
const DRUM: f64 = 1.15;
const BLOCK: f64 = 1.3;

/// Colours of a solid, as SVG has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tone {
    pub(super) side: &'static str,
    pub(super) cap: &'static str,
    pub(super) edge: &'static str,
}

/// A prism: two equal ends along an axis.
#[derive(Clone, Debug)]
pub(super) struct Solid {
    axis: DVec3,
    /// The end from which the axis points away, and the one to which it points.
    ends: [Vec<DVec3>; 2],
    tone: Tone,
}

impl Solid {
    /// A drum about an axis.
    pub(super) fn drum(center: DVec3, axis: DVec3, radius: f64, tone: Tone) -> Self {
        let corner = |i: u32| TAU * f64::from(i) / f64::from(CORNERS);
        let rim: Vec<DVec3> =
            (0..CORNERS).map(|i| DVec3::new(corner(i).cos(), corner(i).sin(), 0.0) * radius).collect();
        Self::prism(center, axis, (&rim, DRUM * radius), tone)
    }

    /// A block along an axis.
    pub(super) fn block(center: DVec3, axis: DVec3, radius: f64, tone: Tone) -> Self {
        let rim =
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| DVec3::new(x, y, 0.0) * (0.8 * radius));
        Self::prism(center, axis, (&rim, BLOCK * radius), tone)
    }

    fn prism(center: DVec3, axis: DVec3, (rim, half): (&[DVec3], f64), tone: Tone) -> Self {
        let stand = arc::arc(DVec3::Z, axis, DVec3::X);
        let end = |side: f64| rim.iter().map(|&corner| center + stand * corner + axis * (side * half)).collect();
        Self { axis, ends: [end(-1.0), end(1.0)], tone }
    }

    pub(super) fn draw(&self, svg: &mut Svg, view: &Fitted) {
        let flat = |end: &[DVec3]| -> Vec<Point> { end.iter().filter_map(|&corner| view.place(corner)).collect() };
        let all: Vec<Point> = self.ends.iter().flat_map(|end| flat(end)).collect();
        svg.face(&hull(all), self.tone.side, self.tone.edge);
        let toward = view.view().right.cross(view.view().up);
        let facing = toward.dot(self.axis);
        if facing.abs() > 1e-9 {
            svg.face(&flat(&self.ends[usize::from(facing > 0.0)]), self.tone.cap, self.tone.edge);
        }
    }
}

/// The convex outline of points (Andrew's monotone chain).
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let turn = |a: Point, b: Point, c: Point| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turn(a, b, point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let lower = half(&mut points.iter().copied());
    [lower, half(&mut points.iter().rev().copied())].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drum_stands_about_its_axis() {
        let tone = Tone { side: "", cap: "", edge: "" };
        for axis in [DVec3::X, DVec3::NEG_Z, DVec3::new(0.6, 0.0, -0.8)] {
            let drum = Solid::drum(DVec3::ONE, axis, 0.1, tone);
            for (end, side) in drum.ends.iter().zip([-1.0, 1.0]) {
                for corner in end {
                    let way = *corner - DVec3::ONE;
                    assert!((way.reject_from_normalized(axis).length() - 0.1).abs() < 1e-12);
                    assert!((way.dot(axis) - side * 0.1 * DRUM).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn a_hull_has_the_corners_and_nothing_inside() {
        let points = vec![(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0), (1.0, 0.0), (0.5, 1.5)];
        assert_eq!(hull(points), [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]);
        assert!(hull(Vec::new()).is_empty());
    }
}
