//! Cells of space in three cuts, with axes in metres: what an arm can reach, and how well.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sinew::glam::DVec3;

use crate::axes;
use crate::picture::{INK, REST, SOLVED};
use crate::svg::{Anchor, Pen, Point, Svg};
use crate::view::{self, Fitted, Panel, View};

const SIZE: (f64, f64) = (1200.0, 580.0);
/// Side of a panel, and where its top is (pixels).
const SIDE: f64 = 330.0;
const TOP: f64 = 130.0;
const LEGEND: f64 = 548.0;
/// What lies before or behind a cut, and in it.
const BEYOND: &str = "#e4ecf5";
const INSIDE: &str = "#7db1e3";
const CUT: &str = "#9aa4b2";
/// From none to all: the colours of matplotlib's viridis, which grow lighter evenly.
const RAMP: [[f64; 3]; 5] =
    [[68.0, 1.0, 84.0], [59.0, 82.0, 139.0], [33.0, 145.0, 140.0], [94.0, 201.0, 98.0], [253.0, 231.0, 37.0]];
/// Shades of the ramp.
const SHADES: f64 = 24.0;

/// Cells in a frame with X forward, Y left and Z up, seen from above, from the right and from the front. Dark or coloured
/// is what each cut meets, pale what lies before and behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slices {
    /// Heading.
    pub title: String,
    /// A line below it.
    pub note: String,
    /// Edge of a cell (metres).
    pub cell: f64,
    /// Centers of cells, whole multiples of the edge, with their shares from 0 to 1.
    pub cells: Vec<(DVec3, f64)>,
    /// What the shares are of, for the legend; `None` leaves them out.
    pub shares: Option<String>,
    /// Where the three cuts meet.
    pub through: DVec3,
    /// Joints of the arm from its base to its tip.
    pub arm: Vec<DVec3>,
}

/// Which way a panel looks, by the numbers of its axes.
#[derive(Clone, Copy, Debug)]
struct Cut {
    view: View,
    right: usize,
    up: usize,
    depth: usize,
}

const NAMES: [&str; 3] = ["x", "y", "z"];

impl Cut {
    const ALL: [Self; 3] =
        [Self::new("above", 0, 1, 2), Self::new("the right", 0, 2, 1), Self::new("the front", 1, 2, 0)];

    const fn new(title: &'static str, right: usize, up: usize, depth: usize) -> Self {
        const AXES: [DVec3; 3] = DVec3::AXES;
        let view = View { title, right: AXES[right], up: AXES[up], right_name: NAMES[right] };
        Self { view, right, up, depth }
    }
}

impl Slices {
    /// The picture as an SVG document, 1200 by 580 pixels.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        svg.text((50.0, 46.0), 24.0, INK, Anchor::Start, &self.title);
        svg.text((50.0, 74.0), 15.0, "#6b7482", Anchor::Start, &self.note);
        let half = DVec3::splat(0.5 * self.cell);
        let corners = self.cells.iter().flat_map(|&(center, _)| [center - half, center + half]);
        let points: Vec<DVec3> = corners.chain(self.arm.iter().copied()).filter(|point| point.is_finite()).collect();
        let panel = |i: usize| Panel { left: 80.0 + 380.0 * i as f64, top: TOP, width: SIDE, height: SIDE };
        let views: Vec<(View, Panel)> = Cut::ALL.iter().enumerate().map(|(i, cut)| (cut.view, panel(i))).collect();
        for (cut, fitted) in Cut::ALL.iter().zip(view::fit(&views, &points)) {
            self.draw_cells(&mut svg, cut, &fitted);
            self.draw_cut(&mut svg, cut, &fitted);
            draw_arm(&mut svg, &fitted, &self.arm);
        }
        self.legend(&mut svg);
        svg.finish(SIZE.0, SIZE.1)
    }

    /// Pale what is anywhere, then what the cut meets.
    fn draw_cells(&self, svg: &mut Svg, cut: &Cut, view: &Fitted) {
        let mut beyond = BTreeSet::new();
        let mut met = BTreeMap::new();
        let layer = whole(self.through[cut.depth] / self.cell);
        for &(center, share) in self.cells.iter().filter(|(center, _)| center.is_finite()) {
            let at = center / self.cell;
            let place = (whole(at[cut.up]), whole(at[cut.right]));
            beyond.insert(place);
            if whole(at[cut.depth]) == layer {
                met.insert(place, (share.clamp(0.0, 1.0) * SHADES).round() as i64);
            }
        }
        let place = |(up, right): (i64, i64)| {
            let mut point = DVec3::ZERO;
            (point[cut.up], point[cut.right]) = (up as f64, right as f64);
            view.place(point * self.cell).unwrap_or_default()
        };
        let edge = self.cell * view.scale;
        let mut fill = |data: String, color: &str| {
            if !data.is_empty() {
                svg.path(&data, color);
            }
        };
        fill(rows(beyond.iter().copied(), edge, place), BEYOND);
        if self.shares.is_none() {
            fill(rows(met.keys().copied(), edge, place), INSIDE);
            return;
        }
        for shade in 0..=SHADES as i64 {
            let cells = met.iter().filter(|(_, own)| **own == shade).map(|(&place, _)| place);
            fill(rows(cells, edge, place), &color(shade as f64 / SHADES));
        }
    }

    /// The panel's name, axes, and where the other two cuts are.
    fn draw_cut(&self, svg: &mut Svg, cut: &Cut, view: &Fitted) {
        let panel = view.panel();
        let (name, at) = (NAMES[cut.depth], axes::metres(self.through[cut.depth], 0.01));
        let title = format!("from {}, cut at {name} = {at} m", cut.view.title);
        svg.text((panel.left, panel.top - 16.0), 16.0, INK, Anchor::Start, &title);
        axes::draw(svg, view, (NAMES[cut.right], NAMES[cut.up]));
        if let Some((x, y)) = view.place(self.through) {
            let (right, bottom) = (panel.left + panel.width, panel.top + panel.height);
            svg.line((x, panel.top), (x, bottom), Pen::dashed(CUT, 1.0));
            svg.line((panel.left, y), (right, y), Pen::dashed(CUT, 1.0));
        }
    }

    fn legend(&self, svg: &mut Svg) {
        let text = |svg: &mut Svg, x: f64, text: &str| svg.text((x, LEGEND + 5.0), 14.0, INK, Anchor::Start, text);
        let square = |svg: &mut Svg, x: f64, fill: &str| {
            let (top, bottom) = (LEGEND - 8.0, LEGEND + 8.0);
            svg.polygon(&[(x, top), (x + 16.0, top), (x + 16.0, bottom), (x, bottom)], fill);
        };
        let mut x = 80.0;
        if let Some(shares) = &self.shares {
            for step in 0..60 {
                let left = x + 2.0 * f64::from(step);
                let corners = [(left, LEGEND - 8.0), (left + 2.5, LEGEND - 8.0)];
                let below = [(left + 2.5, LEGEND + 8.0), (left, LEGEND + 8.0)];
                svg.polygon(&[corners, below].concat(), &color(f64::from(step) / 59.0));
            }
            text(svg, x + 130.0, &format!("0 to 100 % of {shares}"));
            x = 480.0;
        } else {
            square(svg, x, INSIDE);
            text(svg, x + 26.0, "in reach, in the cut");
            x = 290.0;
        }
        square(svg, x, BEYOND);
        text(svg, x + 26.0, "in reach, before or behind");
        svg.line((x + 250.0, LEGEND), (x + 276.0, LEGEND), Pen::new(SOLVED, 4.0));
        text(svg, x + 286.0, "the arm");
        svg.line((x + 370.0, LEGEND), (x + 396.0, LEGEND), Pen::dashed(CUT, 1.5));
        text(svg, x + 406.0, "the other cuts");
    }
}

fn draw_arm(svg: &mut Svg, view: &Fitted, arm: &[DVec3]) {
    let way: Vec<Point> = arm.iter().filter_map(|&joint| view.place(joint)).collect();
    // A light edge, so that it is seen on dark cells.
    for (color, wide) in [("#ffffff", 3.0), (SOLVED, 0.0)] {
        svg.way(&way, Pen::new(color, 4.0 + wide));
        for &joint in &way {
            svg.circle(joint, 3.6 + 0.5 * wide, color, None);
        }
    }
    if let Some(&tip) = way.last() {
        svg.circle(tip, 4.6, "#ffffff", Some(Pen::new(SOLVED, 2.0)));
    }
    if let Some(&base) = way.first() {
        svg.polygon(&[base, (base.0 - 9.0, base.1 + 12.0), (base.0 + 9.0, base.1 + 12.0)], SOLVED);
        svg.line((base.0 - 13.0, base.1 + 13.0), (base.0 + 13.0, base.1 + 13.0), Pen::new(REST, 2.5));
    }
}

/// Rectangles around runs of cells in a row, which come in order, as the data of a path.
fn rows(cells: impl Iterator<Item = (i64, i64)>, edge: f64, place: impl Fn((i64, i64)) -> Point) -> String {
    let mut runs: Vec<(i64, i64, i64)> = Vec::new();
    for (up, right) in cells {
        match runs.last_mut() {
            Some((row, _, end)) if *row == up && *end + 1 == right => *end = right,
            _ => runs.push((up, right, right)),
        }
    }
    let mut data = String::new();
    for (up, start, end) in runs {
        let ((x, y), (far, _)) = (place((up, start)), place((up, end)));
        let (left, top, wide) = (x - 0.5 * edge, y - 0.5 * edge, far - x + edge);
        let _ = write!(data, "M{left:.1} {top:.1}h{wide:.1}v{edge:.1}h-{wide:.1}z");
    }
    data
}

/// The nearest whole number.
fn whole(number: f64) -> i64 {
    number.round() as i64
}

/// The colour of a share from 0 to 1: red, green, blue.
pub fn share_color(share: f64) -> [u8; 3] {
    let at = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    #[allow(clippy::cast_sign_loss, reason = "not negative")]
    let from = (at as usize).min(RAMP.len() - 2);
    #[allow(clippy::cast_sign_loss, reason = "between two that are not negative")]
    let mixed = |i: usize| (RAMP[from][i] + (RAMP[from + 1][i] - RAMP[from][i]) * (at - from as f64)).round() as u8;
    [mixed(0), mixed(1), mixed(2)]
}

fn color(share: f64) -> String {
    let [red, green, blue] = share_color(share);
    format!("rgb({red},{green},{blue})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slices() -> Slices {
        let mut cells = Vec::new();
        for i in -4..=4 {
            for j in -4..=4 {
                for k in 0..=4 {
                    let center = DVec3::new(f64::from(i), f64::from(j), f64::from(k)) * 0.1;
                    cells.push((center, f64::from(k) / 4.0));
                }
            }
        }
        let arm = vec![DVec3::ZERO, DVec3::Z * 0.2, DVec3::new(0.3, 0.0, 0.3)];
        let through = DVec3::Z * 0.2;
        Slices { title: "<arm>".into(), cell: 0.1, cells, through, arm, ..Slices::default() }
    }

    #[test]
    fn each_cut_shows_its_layer_and_where_the_others_are() {
        let mut slices = slices();
        let svg = slices.svg();
        for text in
            ["from above, cut at z = 0.20 m", "from the right, cut at y = 0.00 m", "from the front, cut at x = 0.00 m"]
        {
            assert!(svg.contains(text), "{text}");
        }
        assert!(svg.contains("&lt;arm&gt;") && svg == slices.svg());
        // A panel each, and the legend.
        assert_eq!((svg.matches(INSIDE).count(), svg.matches(BEYOND).count()), (3 * 2 + 1, 3 * 2 + 1));
        // Nine rows from above, five from the sides: each run is a rectangle.
        assert_eq!(svg.matches('M').count(), 2 * (9 + 5 + 5));
        slices.through = DVec3::splat(7.0);
        assert_eq!(slices.svg().matches('M').count(), 9 + 5 + 5, "cuts that meet nothing show nothing");
    }

    #[test]
    fn shares_have_their_colours() {
        let slices = Slices { shares: Some("14 directions".into()), ..slices() };
        let svg = slices.svg();
        assert!(svg.contains("0 to 100 % of 14 directions") && !svg.contains(INSIDE));
        assert_eq!(
            (color(0.0), color(1.0), color(0.5)),
            ("rgb(68,1,84)".into(), "rgb(253,231,37)".into(), "rgb(33,145,140)".into())
        );
        // From the side each row has its own; the middle one is all that the cut from above meets.
        assert_eq!(
            (svg.matches("rgb(68,1,84)").count(), svg.matches("rgb(33,145,140)").count() > 3),
            (2 * 2 + 1, true)
        );
    }

    #[test]
    fn nothing_and_what_is_not_finite_make_a_picture_too() {
        for cells in [Vec::new(), vec![(DVec3::NAN, 0.5), (DVec3::ZERO, f64::NAN)]] {
            let slices = Slices { cell: 0.1, cells, shares: Some("x".into()), ..Slices::default() };
            assert!(!slices.svg().contains("NaN"));
            #[cfg(feature = "png")]
            assert_eq!(&slices.png()[1..4], b"PNG");
        }
    }
}
