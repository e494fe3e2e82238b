//! What stands around a robot: the views and their frames, the ground, the legend.

use std::f64::consts::PI;

use sinew::Kind;
use sinew::glam::DVec3;

use super::RobotPicture;
use super::scene::{ARM, HINGE, LINK, SLIDE, STUCK, Scene};
use crate::legend;
use crate::picture::{FAR, INK, LIMIT, MET, REST, bar};
use crate::svg::{Anchor, Pen, Point, Svg};
use crate::unit::Unit;
use crate::view::{self, Fitted, Panel, View};

/// Colour of names.
pub(super) const NAME: &str = "#4a3a78";
const GROUND: &str = "#e3e7ed";
/// Height of the eye over the horizon (radians).
const ELEVATION: f64 = 0.36;
/// Sides from which the robot may be looked at, the first where others show no more (radians from +X).
const AZIMUTHS: [f64; 6] = [-PI / 3.0, -PI / 6.0, -2.0 * PI / 3.0, PI / 3.0, PI / 6.0, 2.0 * PI / 3.0];
/// Share by which another side must show more.
const MORE: f64 = 1.02;
/// Lines of the ground each way.
const LINES: i32 = 8;

/// The view from an angle, then those from the side and from above.
pub(super) fn views(scene: &Scene<'_>, points: &[DVec3]) -> Vec<Fitted> {
    let best = best_view(std::slice::from_ref(scene));
    let large = Panel { left: 60.0, top: 100.0, width: 640.0, height: 540.0 };
    let small = |top: f64| Panel { left: 860.0, top, width: 280.0, height: 225.0 };
    let side = View { title: "side", right: DVec3::X, up: DVec3::Z, right_name: "x" };
    let above = View { title: "above", right: DVec3::X, up: DVec3::Y, right_name: "x" };
    let mut views = view::fit(&[(best, large)], points);
    views.extend(view::fit(&[(side, small(115.0)), (above, small(425.0))], points));
    views
}

/// The view from an angle in which most is seen of some scenes.
pub(super) fn best_view(scenes: &[Scene<'_>]) -> View {
    let spread = |view: &View| scenes.iter().map(|scene| scene.spread(view.right, view.up)).sum::<f64>();
    let mut best = oblique(AZIMUTHS[0]);
    for azimuth in AZIMUTHS {
        let view = oblique(azimuth);
        if spread(&view) > MORE * spread(&best) {
            best = view;
        }
    }
    best
}

/// From an angle over the horizon.
fn oblique(azimuth: f64) -> View {
    let (sin, cos) = azimuth.sin_cos();
    let (high, flat) = ELEVATION.sin_cos();
    let toward = DVec3::new(flat * cos, flat * sin, high);
    let right = DVec3::new(-sin, cos, 0.0);
    View { title: "", right, up: toward.cross(right), right_name: "" }
}

/// The view's name, the model's axes and a bar of a round length.
pub(super) fn frame(svg: &mut Svg, view: &Fitted, is_large: bool) {
    let panel = view.panel();
    let (left, bottom) = (panel.left - 40.0, panel.top + panel.height + if is_large { 46.0 } else { 36.0 });
    svg.text((left, panel.top - 16.0), 15.0, INK, Anchor::Start, view.view().title);
    bar(svg, view.scale, Unit::Metres, (panel.left + panel.width, bottom));
    let origin = (left + 8.0, bottom);
    for (axis, name, color) in [(DVec3::X, "x", "#d62728"), (DVec3::Y, "y", "#2ca02c"), (DVec3::Z, "z", "#1f4fd8")] {
        let (x, y) = (view.view().right.dot(axis), view.view().up.dot(axis));
        if x.hypot(y) > 0.05 {
            let at = |length: f64| (origin.0 + length * x, origin.1 - length * y);
            svg.line(origin, at(24.0), Pen::new(color, 2.0));
            let (x, y) = at(32.0);
            svg.text((x, y + 4.0), 12.0, color, Anchor::Middle, name);
        }
    }
}

/// A net of lines under the lowest point, a round length apart.
pub(super) fn ground(svg: &mut Svg, view: &Fitted, points: &[DVec3]) {
    let (low, high) = points
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &point| (low.min(point), high.max(point)));
    let (width, height) = ((high - low).truncate().max_element(), (high - low).z);
    // Around what stands there is room on the page, around what lies there is less.
    let width = if width > height { 1.2 * width } else { (1.7 * width).max(0.5 * height) };
    if !(width.is_finite() && width > 0.0) {
        return;
    }
    let (step, _) = view::round_length(1.0, width / f64::from(LINES));
    let middle = ((low + high).truncate() / (2.0 * step)).round() * step;
    let reach = f64::from(LINES / 2) * step;
    let at = |x: f64, y: f64| view.place(DVec3::new(middle.x + x, middle.y + y, low.z));
    for line in -LINES / 2..=LINES / 2 {
        let off = f64::from(line) * step;
        for ends in [[at(off, -reach), at(off, reach)], [at(-reach, off), at(reach, off)]] {
            if let [Some(a), Some(b)] = ends {
                svg.line(a, b, Pen::new(GROUND, 1.0));
            }
        }
    }
}

/// The row below some pictures of one robot, from a point on, with only the entries that occur.
pub(super) fn legend(svg: &mut Svg, pictures: &[RobotPicture<'_>], (mut x, y): Point) {
    let mut entry = |svg: &mut Svg, draw: &dyn Fn(&mut Svg, Point), text: &str| {
        draw(svg, (x, y));
        svg.text((x + 32.0, y + 5.0), 14.0, INK, Anchor::Start, text);
        x += 50.0 + crate::label::width(text, 14.0);
    };
    let line =
        |color, width| move |svg: &mut Svg, (x, y): Point| svg.line((x, y), (x + 24.0, y), Pen::new(color, width));
    let swatch = |color: &'static str, edge: &'static str| {
        move |svg: &mut Svg, (x, y): Point| {
            svg.face(&[(x + 4.0, y - 7.0), (x + 20.0, y - 7.0), (x + 20.0, y + 7.0), (x + 4.0, y + 7.0)], color, edge);
        }
    };
    let occurs = |test: &dyn Fn(&RobotPicture<'_>) -> bool| pictures.iter().any(test);
    let has = |test: &dyn Fn(Kind) -> bool| {
        occurs(&|picture| picture.skeleton.iter().any(|joint| test(picture.skeleton.kind(joint))))
    };
    if occurs(&|picture| !picture.arms.is_empty()) {
        entry(svg, &line(ARM.0, 7.0), "arm");
    }
    if occurs(&|picture| picture.skeleton.iter().skip(1).any(|link| !picture.arms.contains(&link))) {
        entry(svg, &line(LINK.0, 7.0), "link");
    }
    if has(&|kind| matches!(kind, Kind::Hinge { .. })) {
        entry(svg, &swatch(HINGE.cap, HINGE.edge), "hinge");
    }
    if has(&|kind| matches!(kind, Kind::Slide { .. })) {
        entry(svg, &swatch(SLIDE.cap, SLIDE.edge), "slide");
    }
    if occurs(&|picture| !picture.stuck.is_empty()) {
        entry(svg, &swatch(STUCK.cap, STUCK.edge), "at its limit");
    }
    if occurs(&|picture| !picture.limits.is_empty()) {
        entry(svg, &line(LIMIT, 3.0), "what limits allow");
    }
    if occurs(&|picture| picture.start.is_some()) {
        entry(svg, &line(REST, 3.0), "start");
    }
    for (met, color, text) in [(true, MET, "goal reached"), (false, FAR, "goal missed")] {
        if occurs(&|picture| picture.marks.iter().any(|mark| mark.met == met)) {
            entry(svg, &|svg: &mut Svg, (x, y)| legend::target(svg, (x + 12.0, y), color), text);
        }
    }
}
