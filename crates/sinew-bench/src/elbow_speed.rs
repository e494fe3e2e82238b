//! How fast the elbow runs for the target's speed: out to full stretch, and past the pole's line.
//!
//! Two equal bones of length one half; speeds are finite differences of elbow positions. The ratio asked
//! for is [`Reach::RATIO`].

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::FontTransform;
use rebirth_ik::Vec3;
use sinew::glam::DVec3;
use sinew::solve::two_bone::{Prepared, Reach, spatial};
use sinew::{Pole, Skeleton, Swivel};

const BONE: f64 = 0.5;
/// Steps of the target, in lengths of the limb.
const OUTWARD: f64 = 2e-4;
const ACROSS: f64 = 1e-3;
/// How near the target passes the pole's line.
const HAIR: f64 = 1e-4;

/// A way to find the elbow for a target, over and over.
type Elbow = Box<dyn FnMut(DVec3) -> DVec3>;

/// A curve: what it is, in what colour, and how the elbow is found.
struct Curve {
    name: &'static str,
    color: RGBColor,
    width: u32,
    elbow: Elbow,
}

const BLUE: RGBColor = RGBColor(0, 90, 181);
const ORANGE: RGBColor = RGBColor(230, 120, 0);
/// Wide and pale, since it runs under others.
const GREY: RGBColor = RGBColor(185, 185, 185);

/// Bends to +X, which is the pole of both panels' first.
fn peer(pole: DVec3) -> Elbow {
    let narrow = |v: DVec3| Vec3::new(v.x as f32, v.y as f32, v.z as f32);
    let (mid, tip) = (Vec3::new(0.0, BONE as f32, 0.0), Vec3::new(0.0, 2.0 * BONE as f32, 0.0));
    Box::new(move |target| {
        let (elbow, _) = rebirth_ik::two_bone(Vec3::ZERO, mid, tip, narrow(target), Some(narrow(pole)));
        DVec3::new(elbow.x.into(), elbow.y.into(), elbow.z.into())
    })
}

fn stateless(pole: DVec3, reach: Reach) -> Elbow {
    Box::new(move |target| spatial::positions_within(DVec3::ZERO, target, pole, BONE, BONE, reach).mid[0])
}

/// The bend carried along from target to target.
fn carried(pole: DVec3) -> Result<Elbow> {
    let arm = Skeleton::from_lengths(&[BONE, BONE])?;
    let [root, mid, tip] = arm.joints(["joint_0", "joint_1", "joint_2"])?;
    let limb = Prepared::new(&arm, root, mid, tip)?.with_reach(Reach::SOFT);
    let mut last: Option<Swivel> = None;
    Ok(Box::new(move |target| {
        let (bent, swivel) = limb.solve_carried(target, Pole::Direction(pole), last.as_ref());
        last = swivel;
        bent.rotations[0] * (DVec3::Y * BONE)
    }))
}

/// Position along the path and elbow travel over target travel, at each step.
fn ratios(elbow: &mut Elbow, path: impl Iterator<Item = (f64, DVec3)>) -> Vec<(f64, f64)> {
    let mut last: Option<(DVec3, DVec3)> = None;
    let mut ratios = Vec::new();
    for (at, target) in path {
        let mid = elbow(target);
        if let Some((before, from)) = last {
            ratios.push((at, mid.distance(before) / target.distance(from)));
        }
        last = Some((mid, target));
    }
    ratios
}

/// The chart as an SVG document.
pub fn chart() -> Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (1100, 460)).into_drawing_area();
        area.fill(&WHITE).map_err(broken)?;
        let (left, right) = area.split_horizontally(550);
        let pole = DVec3::Z;
        let outward = || (0..=1000).map(|i| 0.85 + OUTWARD * f64::from(i)).map(|d| (d, DVec3::Y * d));
        let clamp = Curve { name: "sinew, clamp", color: ORANGE, width: 2, elbow: stateless(pole, Reach::Clamp) };
        let soft = Curve { name: "sinew, soft at ratio 3", color: BLUE, width: 2, elbow: stateless(pole, Reach::SOFT) };
        let peers = || Curve { name: "rebirth-ik 0.1.0", color: GREY, width: 7, elbow: peer(pole) };
        let curves = [peers(), clamp, soft];
        let title = ("Out to full stretch", "distance of the target / length of the limb");
        panel(&left, title, 0.85..1.05, curves, outward)?;
        let across = || (-150..=150).map(|i| ACROSS * f64::from(i)).map(|x| (x, DVec3::new(x, HAIR, 0.7)));
        let plain = Curve { name: "sinew, no state", color: ORANGE, width: 2, elbow: stateless(pole, Reach::Clamp) };
        let kept = Curve { name: "sinew, swivel carried", color: BLUE, width: 2, elbow: carried(pole)? };
        let curves = [peers(), plain, kept];
        let title = ("Past the line to the pole", "place of the target beside the line / length of the limb");
        panel(&right, title, -0.15..0.15, curves, across)?;
        area.present().map_err(broken)?;
    }
    Ok(svg)
}

fn panel<I: Iterator<Item = (f64, DVec3)>>(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    (title, below): (&str, &str),
    x: std::ops::Range<f64>,
    curves: [Curve; 3],
    path: impl Fn() -> I,
) -> Result<()> {
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .caption(title, ("sans-serif", 19))
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d(x.clone(), (0.1..1e3).log_scale())
        .map_err(broken)?;
    let text = ("sans-serif", 14).into_font().transform(FontTransform::None);
    chart
        .configure_mesh()
        .x_desc(below)
        .y_desc("elbow speed / target speed")
        .x_labels(5)
        .y_labels(5)
        .x_label_formatter(&|x| format!("{x:.2}"))
        .y_label_formatter(&|y| format!("{y}"))
        .label_style(text.clone())
        .axis_desc_style(("sans-serif", 15))
        .light_line_style(TRANSPARENT)
        .draw()
        .map_err(broken)?;
    chart
        .draw_series(DashedLineSeries::new(
            [(x.start, Reach::RATIO), (x.end, Reach::RATIO)],
            6,
            5,
            BLACK.stroke_width(1),
        ))
        .map_err(broken)?;
    for mut curve in curves {
        let points = ratios(&mut curve.elbow, path());
        let shown = points.into_iter().map(|(x, y)| (x, y.clamp(0.1, 1e3)));
        let style = curve.color.stroke_width(curve.width);
        let series = chart.draw_series(LineSeries::new(shown, style)).map_err(broken)?;
        series.label(curve.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(GREY)
        .label_font(text)
        .draw()
        .map_err(broken)
}

#[allow(clippy::needless_pass_by_value, reason = "the shape that map_err asks for")]
fn broken<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> anyhow::Error {
    anyhow!("{error}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn the_chart_names_its_curves_and_repeats() {
        let svg = chart().unwrap();
        for name in ["rebirth-ik 0.1.0", "sinew, soft at ratio 3", "sinew, swivel carried"] {
            assert!(svg.contains(name), "{name}");
        }
        assert_eq!(svg, chart().unwrap());
    }

    #[test]
    fn the_curves_show_what_they_are_about() {
        let fastest = |mut elbow: Elbow, path: &mut dyn Iterator<Item = (f64, DVec3)>| {
            ratios(&mut elbow, path).into_iter().map(|(_, ratio)| ratio).fold(0.0, f64::max)
        };
        let outward = || (0..=1000).map(|i| 0.85 + OUTWARD * f64::from(i)).map(|d| (d, DVec3::Y * d));
        assert!(fastest(stateless(DVec3::Z, Reach::Clamp), &mut outward()) > 20.0);
        assert!(fastest(stateless(DVec3::Z, Reach::SOFT), &mut outward()) <= 3.0);
        let across = || (-150..=150).map(|i| (0.0, DVec3::new(ACROSS * f64::from(i), HAIR, 0.7)));
        assert!(fastest(peer(DVec3::Z), &mut across()) > 300.0);
        assert!(fastest(carried(DVec3::Z).unwrap(), &mut across()) <= 3.0 + 1e-9);
    }
}
