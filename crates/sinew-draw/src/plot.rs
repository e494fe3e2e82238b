use std::ops::Range;

use crate::label;
use crate::picture::INK;
use crate::svg::{Anchor, Pen, Point, Svg, hex};
use crate::view::Panel;

const WIDTH: f64 = 1100.0;
/// Height of a plot alone and of one of several.
const ALONE: f64 = 460.0;
const ROW: f64 = 330.0;
/// What the heading takes above the axes, and numbers and label below them.
const ABOVE: f64 = 48.0;
const BELOW: f64 = 62.0;
/// Size of letters, and of the axes' labels.
const LETTER: f64 = 14.0;
const LABEL: f64 = 15.0;
/// Length of a legend's line with the room behind it, height of its rows, and its largest share of the width.
const SWATCH: f64 = 30.0;
const ENTRY: f64 = 22.0;
const LEGEND: f64 = 0.4;
const GAP: f64 = 16.0;
const LINE: &str = "#e6e9ee";
/// Decades below the largest value that a logarithmic plot shows at most.
const DECADES: f64 = 1e-6;

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Width of the line (pixels); 2 reads well.
    pub width: u32,
    /// From left to right, one alone as a dot; what is not finite is left out, and what is out of range lies on its edge, as
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

/// Parts of the horizontal axis that are marked from bottom to top, behind the curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// What the legend calls them.
    pub name: String,
    /// Red, green, blue: of the shade, and of the line where a part has no width.
    pub color: [u8; 3],
    /// The parts, in the unit of the horizontal axis; without any, the legend leaves the band out.
    pub parts: Vec<Range<f64>>,
}

/// Curves on one pair of axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Heading.
    pub title: String,
    /// Label of the horizontal axis, with its unit.
    pub x: String,
    /// Label of the vertical axis, with its unit.
    pub y: String,
    /// Drawn in order, later ones on top.
    pub curves: Vec<Curve>,
    /// Values marked by a dashed line across.
    pub guides: Vec<f64>,
    /// What holds for parts of the horizontal axis.
    pub bands: Vec<Band>,
    /// Range of the vertical axis; by default, what the curves need.
    pub range: Option<Range<f64>>,
    /// Whether the vertical axis is logarithmic; no by default.
    pub logarithmic: bool,
}

impl Plot {
    /// The plot as an SVG document, 1100 by 460 pixels, or higher for a long legend.
    pub fn svg(&self) -> String {
        document(std::slice::from_ref(self), ALONE)
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

    /// Values of the vertical axis at which lines go across, as they are written.
    fn levels(&self) -> Vec<(f64, String)> {
        let up = self.up();
        let text = |y: f64| if self.logarithmic && !(1e-3..1e4).contains(&y) { format!("{y:.0e}") } else { short(y) };
        let levels = if self.logarithmic { decades(&up) } else { ticks(&up) };
        levels.into_iter().map(|y| (y, text(y))).collect()
    }

    /// What the numbers and the label left of the axes take.
    fn left(&self) -> f64 {
        let numbers = self.levels().iter().map(|(_, text)| label::width(text, LETTER)).fold(0.0, f64::max);
        GAP + LABEL + numbers + 22.0
    }

    /// What the legend takes.
    fn legend(&self) -> f64 {
        let names = self.curves.iter().map(|curve| &curve.name).chain(self.shown().map(|band| &band.name));
        let names = names.map(|name| label::width(name, LETTER)).fold(0.0, f64::max);
        if self.curves.is_empty() { 0.0 } else { (SWATCH + names + 2.0 * GAP).min(LEGEND * WIDTH) }
    }

    fn shown(&self) -> impl Iterator<Item = &Band> {
        self.bands.iter().filter(|band| !band.parts.is_empty())
    }

    /// Its height among plots that are as high as this at least.
    fn height(&self, least: f64) -> f64 {
        least.max(ABOVE + ENTRY * (self.curves.len() + self.shown().count()) as f64 + BELOW)
    }

    /// Draws the axes, the curves and, beside them, the legend.
    fn draw(&self, svg: &mut Svg, axes: Panel, x: Range<f64>) {
        let scale = Scale { axes, x, y: self.up(), is_log: self.logarithmic };
        svg.text((axes.left + 0.5 * axes.width, axes.top - 22.0), 19.0, INK, Anchor::Middle, &self.title);
        for band in self.shown() {
            band.parts.iter().for_each(|part| band.draw(svg, [scale.x(part.start), scale.x(part.end)], axes));
        }
        self.draw_axes(svg, &scale);
        for &guide in &self.guides {
            let y = scale.y(guide);
            svg.line((axes.left, y), (axes.left + axes.width, y), Pen::dashed(INK, 1.0));
        }
        for curve in &self.curves {
            let points: Vec<Point> = curve.finite().map(|(x, y)| (scale.x(x), scale.y(y))).collect();
            match points[..] {
                [point] => svg.circle(point, 4.0, &hex(curve.color), None),
                _ => svg.curve(&points, curve.color, f64::from(curve.width)),
            }
        }
        let left = axes.left + axes.width + GAP;
        let mut rows = (0..).map(|place| axes.top + 10.0 + ENTRY * f64::from(place));
        let name = |svg: &mut Svg, y: f64, name: &str| {
            let name = label::shortened(name, LETTER, WIDTH - left - SWATCH);
            svg.text((left + SWATCH, y + 5.0), LETTER, INK, Anchor::Start, &name);
        };
        for (curve, y) in self.curves.iter().zip(&mut rows) {
            svg.curve(&[(left, y), (left + SWATCH - 8.0, y)], curve.color, f64::from(curve.width.max(2)));
            name(svg, y, &curve.name);
        }
        for (band, y) in self.shown().zip(rows) {
            let has_width = band.parts.iter().any(|part| part.start < part.end);
            let (middle, half) = (left + 0.5 * (SWATCH - 8.0), if has_width { 0.5 * (SWATCH - 8.0) } else { 0.0 });
            let swatch = Panel { left, top: y - 8.0, width: 0.0, height: 16.0 };
            band.draw(svg, [middle - half, middle + half], swatch);
            name(svg, y, &band.name);
        }
    }

    fn draw_axes(&self, svg: &mut Svg, scale: &Scale) {
        let Panel { left, top, width, height } = scale.axes;
        let (right, bottom) = (left + width, top + height);
        for x in ticks(&scale.x) {
            svg.line((scale.x(x), top), (scale.x(x), bottom), Pen::new(LINE, 1.0));
            svg.text((scale.x(x), bottom + 20.0), LETTER, INK, Anchor::Middle, &short(x));
        }
        for (y, text) in self.levels() {
            svg.line((left, scale.y(y)), (right, scale.y(y)), Pen::new(LINE, 1.0));
            svg.text((left - 10.0 - label::width(&text, LETTER), scale.y(y) + 5.0), LETTER, INK, Anchor::Start, &text);
        }
        for end in [(left, top), (right, bottom)] {
            svg.line((left, bottom), end, Pen::new(INK, 1.2));
        }
        svg.text((left + 0.5 * width, bottom + 46.0), LABEL, INK, Anchor::Middle, &self.x);
        svg.text_upwards((GAP + LABEL, top + 0.5 * height), LABEL, INK, &self.y);
    }
}

impl Band {
    /// A part from the left to the right, as high as a panel.
    fn draw(&self, svg: &mut Svg, [left, right]: [f64; 2], Panel { top, height, .. }: Panel) {
        let bottom = top + height;
        if left < right {
            svg.polygon(&[(left, top), (right, top), (right, bottom), (left, bottom)], &hex(self.color));
        } else {
            svg.curve(&[(left, top), (left, bottom)], self.color, 1.5);
        }
    }
}

/// From values to the page.
struct Scale {
    axes: Panel,
    x: Range<f64>,
    y: Range<f64>,
    is_log: bool,
}

impl Scale {
    fn x(&self, x: f64) -> f64 {
        self.axes.left + (x - self.x.start) / (self.x.end - self.x.start) * self.axes.width
    }

    /// What is out of range lies on its edge.
    fn y(&self, y: f64) -> f64 {
        let y = y.max(self.y.start).min(self.y.end);
        let share = if self.is_log {
            (y / self.y.start).ln() / (self.y.end / self.y.start).ln()
        } else {
            (y - self.y.start) / (self.y.end - self.y.start)
        };
        self.axes.top + (1.0 - share) * self.axes.height
    }
}

/// Round values in a span, a handful: 1, 2 or 5 times a power of ten apart.
fn ticks(span: &Range<f64>) -> Vec<f64> {
    let rough = (span.end - span.start) / 6.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough);
    let Some(step) = step.filter(|step| step.is_normal()) else { return Vec::new() };
    let first = (span.start / step).ceil();
    let ticks = (0..12).map(|i| (first + f64::from(i)) * step);
    ticks.take_while(|tick| *tick <= span.end + 1e-9 * step).collect()
}

/// Powers of ten in a span of positive numbers.
fn decades(span: &Range<f64>) -> Vec<f64> {
    let powers = (0..400).map(|i| 10.0_f64.powf(span.start.log10().ceil() + f64::from(i)));
    powers.take_while(|power| *power <= span.end).collect()
}

/// Plots below one another as one SVG document, 1100 pixels wide; none make an empty page. Axes have one width, and those with the
/// same horizontal label one range.
pub fn stacked(plots: &[Plot]) -> String {
    document(plots, ROW)
}

/// Plots below one another, each of a height at least.
fn document(plots: &[Plot], least: f64) -> String {
    let mut svg = Svg::default();
    let left = plots.iter().map(Plot::left).fold(0.0, f64::max);
    let legend = plots.iter().map(Plot::legend).fold(GAP, f64::max);
    let mut top = 0.0;
    for plot in plots {
        let height = plot.height(least);
        let axes = Panel { left, top: top + ABOVE, width: WIDTH - left - legend, height: height - ABOVE - BELOW };
        let alike = plots.iter().filter(|other| other.x == plot.x);
        let across = Plot::span(alike.flat_map(Plot::points).map(|point| point.0));
        plot.draw(&mut svg, axes, across);
        top += height;
    }
    svg.finish(WIDTH, top.max(least))
}

/// A number without more digits than it needs.
fn short(number: f64) -> String {
    let rounded = format!("{number:.4}");
    let trimmed = if rounded.contains('.') { rounded.trim_end_matches('0').trim_end_matches('.') } else { &rounded };
    if trimmed == "-0" { "0".into() } else { trimmed.into() }
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
        assert!(stacked(&[]).starts_with("<svg"));
        #[cfg(feature = "png")]
        assert_eq!(&Plot::default().png()[1..4], b"PNG");
    }

    #[test]
    fn plots_of_one_label_have_one_range_and_points_alone_are_dots() {
        let plot = |x: &str, points| Plot { x: x.into(), curves: vec![curve(points)], ..Plot::default() };
        let plots =
            [plot("time", &[(0.0, 0.0), (9.0, 5.0)]), plot("time", &[(9.0, 1.0)]), plot("place", &[(9.0, 1.0)])];
        let svg = stacked(&plots);
        let places = |start: &str| -> Vec<f64> {
            let numbers =
                |part: &str| -> Vec<f64> { part.split(['"', ',', ' ']).map_while(|n| n.parse().ok()).collect() };
            svg.split(start).skip(1).flat_map(numbers).collect()
        };
        let [first, second] = places("<circle cx=\"")[..] else { panic!("two dots: {svg}") };
        assert!((first - places("<polyline points=\"")[2]).abs() < 0.1, "the last time of both: {svg}");
        assert!(second < first - 100.0, "the middle of its own: {svg}");
    }

    #[test]
    fn the_legend_stands_beside_the_curves() {
        let curves = vec![curve(&[(0.0, 0.0), (9.0, 5.0)]), curve(&[(0.0, 5.0), (9.0, 0.0)])];
        let svg = Plot { curves, ..Plot::default() }.svg();
        let xs = |line: &str| -> Vec<f64> {
            let points = line.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
            points.split(' ').filter_map(|point| point.split(',').next()?.parse().ok()).collect()
        };
        let lines: Vec<Vec<f64>> = svg.lines().filter(|line| line.starts_with("<polyline")).map(xs).collect();
        assert_eq!(lines.len(), 4, "two curves, and two lines of the legend");
        let largest = lines[..2].iter().flatten().copied().fold(0.0, f64::max);
        assert!(lines[2..].iter().flatten().all(|x| *x > largest), "{lines:?}");
    }

    #[test]
    fn bands_are_shaded_behind_the_curves_and_named() {
        let band = |name: &str, parts: &[Range<f64>]| Band {
            name: name.into(),
            color: [250, 220, 215],
            parts: parts.to_vec(),
        };
        let bands = vec![band("missed", &[2.0..3.0, 5.0..6.0]), band("a jump", &[4.0..4.0]), band("never", &[])];
        let svg = Plot { curves: vec![curve(&[(0.0, 0.0), (9.0, 5.0)])], bands, ..Plot::default() }.svg();
        assert_eq!(svg.matches("fill=\"#fadcd7\"").count(), 3, "two parts and the legend: {svg}");
        assert_eq!(svg.matches("stroke=\"#fadcd7\"").count(), 2, "a line and the legend: {svg}");
        assert!(svg.contains(">missed<") && svg.contains(">a jump<") && !svg.contains("never"), "{svg}");
        assert!(svg.find("#fadcd7") < svg.find(&hex(Curve::color(0))), "behind: {svg}");
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(&(0.0..6.0)), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(ticks(&(-0.13..0.22)), [-0.1, 0.0, 0.1, 0.2]);
        assert_eq!(decades(&(0.02..30.0)).len(), 3);
        assert!(ticks(&(0.0..f64::INFINITY)).is_empty());
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.85, 1000.0, -0.0, 0.1, 12.5].map(short), ["0.85", "1000", "0", "0.1", "12.5"]);
    }
}
