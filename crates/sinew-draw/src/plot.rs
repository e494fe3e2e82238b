//! Curves over time, or over whatever else: for what a picture of one moment cannot show.

use std::fmt;
use std::ops::Range;

use plotters::chart::{ChartBuilder, ChartContext, SeriesLabelPosition};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    BLACK, Cartesian2d, Color, DashedLineSeries, DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, IntoLogRange,
    LineSeries, PathElement, RGBColor, SVGBackend, TRANSPARENT, WHITE,
};

use crate::png;

const HEIGHT: u32 = 460;
/// Decades below the largest value that a logarithmic plot shows at most.
const DECADES: f64 = 1e-6;

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Pixels; 2 reads well.
    pub width: u32,
    /// From left to right; what is not finite is left out, and what is out of range lies on its edge, as
    /// zero does on a logarithmic axis.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// Blue, vermilion, green, purple, grey: colours that most eyes tell apart, by number.
    pub fn color(number: usize) -> [u8; 3] {
        [[0, 90, 181], [230, 120, 0], [0, 130, 90], [150, 70, 160], [130, 130, 130]][number % 5]
    }
}

impl Curve {
    fn finite(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite())
    }
}

/// Curves on one pair of axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Heading.
    pub title: String,
    /// What runs to the right, with its unit.
    pub x: String,
    /// What runs up, with its unit.
    pub y: String,
    /// Drawn in order, later ones on top.
    pub curves: Vec<Curve>,
    /// Values marked by a dashed line across.
    pub guides: Vec<f64>,
    /// From where to where the axis up goes; by default, what the curves need.
    pub range: Option<Range<f64>>,
    /// Whether the axis up is logarithmic; no by default.
    pub logarithmic: bool,
}

impl Plot {
    /// The plot as an SVG document, 1100 by 460 pixels.
    pub fn svg(&self) -> String {
        side_by_side(std::slice::from_ref(self))
    }

    /// The plot as a PNG file of the same size.
    ///
    /// # Panics
    /// Never: the document is our own and has a size.
    pub fn png(&self) -> Vec<u8> {
        side_by_side_png(std::slice::from_ref(self))
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.curves.iter().flat_map(Curve::finite)
    }

    /// The span of what is shown, never empty.
    fn span(values: impl Iterator<Item = f64>) -> Range<f64> {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        match high - low {
            size if size > 0.0 => low..high,
            0.0 => low - 0.5..high + 0.5,
            _ => 0.0..1.0,
        }
    }

    fn up(&self) -> Range<f64> {
        if let Some(range) = self.range.clone().filter(|range| range.start < range.end) {
            return range;
        }
        let values = self.points().map(|point| point.1).chain(self.guides.iter().copied());
        let span = Self::span(values.filter(|&y| y > 0.0 || !self.logarithmic));
        if self.logarithmic {
            let high = if span.end > 0.0 { span.end } else { 1.0 };
            return span.start.max(high * DECADES) * 0.8..high * 1.25;
        }
        let room = 0.06 * (span.end - span.start);
        span.start - room..span.end + room
    }

    fn draw(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), Broken> {
        let mut builder = ChartBuilder::on(area);
        builder.margin(14).caption(&self.title, ("sans-serif", 19)).x_label_area_size(48).y_label_area_size(64);
        let (x, y) = (Self::span(self.points().map(|point| point.0)), self.up());
        if self.logarithmic {
            self.fill(builder.build_cartesian_2d(x.clone(), y.log_scale())?, x)
        } else {
            self.fill(builder.build_cartesian_2d(x.clone(), y)?, x)
        }
    }

    fn fill<'a, 'b: 'a, Y>(&self, mut chart: Chart<'a, 'b, Y>, x: Range<f64>) -> Result<(), Broken>
    where
        Y: Ranged<ValueType = f64> + ValueFormatter<f64> + AsRangedCoord<CoordDescType = Y, Value = f64> + 'a,
    {
        chart
            .configure_mesh()
            .x_desc(&self.x)
            .y_desc(&self.y)
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|x| short(*x))
            .y_label_formatter(&|y| short(*y))
            .label_style(("sans-serif", 14))
            .axis_desc_style(("sans-serif", 15))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for &guide in &self.guides {
            let line = [(x.start, guide), (x.end, guide)];
            chart.draw_series(DashedLineSeries::new(line, 6, 5, BLACK.stroke_width(1)))?;
        }
        let up = self.up();
        for curve in &self.curves {
            let [r, g, b] = curve.color;
            let style = RGBColor(r, g, b).stroke_width(curve.width);
            let inside = curve.finite().map(|(x, y)| (x, y.max(up.start).min(up.end)));
            let series = chart.draw_series(LineSeries::new(inside, style))?;
            series.label(&curve.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(185, 185, 185))
            .label_font(("sans-serif", 14))
            .draw()?;
        Ok(())
    }
}

type Chart<'a, 'b, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, Y>>;

/// Plots beside one another as one SVG document, 1100 by 460 pixels; none make an empty page.
///
/// # Panics
/// Never: text in memory can always be written.
pub fn side_by_side(plots: &[Plot]) -> String {
    let mut svg = String::new();
    let draw = |svg: &mut String| -> Result<(), Broken> {
        let area = SVGBackend::with_string(svg, (1100, HEIGHT)).into_drawing_area();
        area.fill(&WHITE)?;
        for (plot, area) in plots.iter().zip(area.split_evenly((1, plots.len().max(1)))) {
            plot.draw(&area)?;
        }
        area.present()?;
        Ok(())
    };
    draw(&mut svg).expect("text in memory can be written");
    svg
}

/// The same as a PNG file of that size.
///
/// # Panics
/// Never: the document is our own and has a size.
pub fn side_by_side_png(plots: &[Plot]) -> Vec<u8> {
    png::render(&side_by_side(plots)).expect("an SVG document of this crate")
}

/// A number without more digits than it needs.
fn short(number: f64) -> String {
    let rounded = format!("{number:.4}");
    let trimmed = if rounded.contains('.') { rounded.trim_end_matches('0').trim_end_matches('.') } else { &rounded };
    if trimmed == "-0" { "0".into() } else { trimmed.into() }
}

/// What the drawing library says went wrong.
#[derive(Debug)]
struct Broken(#[allow(dead_code, reason = "shown by Debug")] String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for Broken {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(f64, f64)]) -> Curve {
        Curve { name: "speed".into(), color: Curve::color(0), width: 2, points: points.to_vec() }
    }

    #[test]
    fn whatever_is_in_the_curves_a_document_comes_out() {
        let odd = [(0.0, 1.0), (1.0, f64::NAN), (2.0, f64::INFINITY), (3.0, -1.0), (4.0, 0.0)];
        for points in [&odd[..], &[], &[(1.0, 1.0)], &[(0.0, 5.0), (9.0, 5.0)]] {
            for logarithmic in [false, true] {
                let plot = Plot { curves: vec![curve(points)], guides: vec![3.0], logarithmic, ..Plot::default() };
                let svg = plot.svg();
                assert!(svg.starts_with("<svg") && svg.contains("speed") && !svg.contains("NaN"), "{points:?}");
                assert_eq!(svg, plot.svg());
            }
        }
        assert!(side_by_side(&[]).starts_with("<svg"));
        assert_eq!(&Plot::default().png()[1..4], b"PNG");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.85, 1000.0, -0.0, 0.1, 12.5].map(short), ["0.85", "1000", "0", "0.1", "12.5"]);
    }
}
