//! Pictures of a path: the arm at some moments with its tip's way, and its joints as curves.

use sinew::glam::DVec3;
use sinew::{Joint, Pose};
use sinew_draw::{Band, Curve, Group, Look, Plot, Strip, Trail, stacked, stacked_png};

use super::Way;
use crate::text;

/// A way is a line where the area that it takes up is a smaller part of its extent's square.
const THIN: f64 = 1e-3;
/// Moments in a film strip.
const MOMENTS: usize = 8;
/// What was asked for, and where the tip went.
const ASKED: &str = "#c3cad4";
const WENT: &str = "#d1601f";
/// Behind the curves: frames that were missed, and jumps.
const MISSED: [u8; 3] = [250, 222, 216];
const JUMP: [u8; 3] = [200, 60, 40];
/// Colours that are told apart beside one another, those of matplotlib.
const COLORS: [[u8; 3]; 10] = [
    [31, 119, 180],
    [255, 127, 14],
    [44, 160, 44],
    [214, 39, 40],
    [148, 103, 189],
    [140, 86, 75],
    [227, 119, 194],
    [127, 127, 127],
    [188, 189, 34],
    [23, 190, 207],
];

/// The robot in frames that are evenly far apart, the first and the last among them.
pub(super) fn poses(way: &Way) -> Vec<(usize, Pose)> {
    let (last, count) = (way.frames.len() - 1, way.frames.len().min(MOMENTS));
    let frames = (0..count).map(|moment| moment * last / (count - 1).max(1));
    frames.map(|frame| (frame, way.robot.posed(&way.start, way.at(frame)))).collect()
}

/// The film strip, from where the way is widest.
pub(super) fn strip<'a>(way: &'a Way, poses: &'a [(usize, Pose)]) -> Strip<'a> {
    let base = *way.start.model(way.robot.base);
    let asked: Vec<DVec3> = way.frames.iter().map(|frame| base.transform_point3(frame.asked.position)).collect();
    let went: Vec<DVec3> =
        (0..way.frames.len()).map(|frame| base.transform_point3(way.robot.arm.forward(way.at(frame)).0)).collect();
    let look = widest(asked.iter().chain(&went));
    let frames = poses.iter().map(|(frame, pose)| {
        let when =
            way.frames[*frame].time.as_ref().map_or_else(|| format!("frame {}", frame + 1), |time| time.0.clone());
        let trails = vec![
            Trail { color: ASKED, points: asked.clone() },
            Trail { color: WENT, points: went[..=*frame].to_vec() },
        ];
        let missed = if way.is_missed(*frame) { ", missed" } else { "" };
        picture(way, pose, trails, when + missed)
    });
    let [_, tip] = way.robot.ends();
    Strip {
        frames: frames.collect(),
        title: format!("{}: {tip} along {}", name(way), text::count(way.frames.len(), "frame")),
        note: "grey: asked for; orange: the tip's path so far".to_owned(),
        look,
    }
}

/// From where points take up most of the page; from the side where others show no more.
fn widest<'a>(points: impl Iterator<Item = &'a DVec3>) -> Look {
    let (low, high) = points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
    let size = high - low;
    let looks = [(Look::Above, size.x * size.y), (Look::Front, size.y * size.z), (Look::Side, size.x * size.z)];
    // On a line no side shows an area; then the longest extent counts.
    let flat = [(Look::Front, size.y), (Look::Side, size.x.max(size.z))];
    let best = |looks: &[(Look, f64)]| {
        let best = looks.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or((Look::Side, 0.0), |best| *best)
    };
    let (look, area) = best(&looks);
    if area > THIN * size.max_element() * size.max_element() { look } else { best(&flat).0 }
}

fn picture<'a>(way: &'a Way, pose: &'a Pose, trails: Vec<Trail>, title: String) -> sinew_draw::Picture<'a> {
    let arm = Group { name: "the arm".to_owned(), color: sinew_draw::LEFT, joints: arm(way) };
    sinew_draw::Picture {
        trails,
        title,
        groups: vec![arm],
        up: DVec3::Z,
        forward: DVec3::X,
        ..sinew_draw::Picture::new(way.robot.machine.skeleton(), pose)
    }
}

/// The links from base to tip.
fn arm(way: &Way) -> Vec<Joint> {
    way.robot.links().collect()
}

fn name(way: &Way) -> String {
    way.robot.machine.name()
}

/// The joints over time or frames, angles and ways apart, as an SVG document.
pub(super) fn curves(way: &Way) -> String {
    stacked(&plots(way))
}

/// The same as a PNG file.
pub(super) fn curves_as_pixels(way: &Way) -> Vec<u8> {
    stacked_png(&plots(way))
}

fn plots(way: &Way) -> Vec<Plot> {
    let times: Option<Vec<f64>> = way.frames.iter().map(|frame| frame.time.as_ref().map(|time| time.1)).collect();
    let x = if times.is_some() { "time" } else { "frame" };
    let at = |frame: usize| times.as_ref().map_or(frame as f64 + 1.0, |times| times[frame]);
    let last = way.frames.len() - 1;
    // Half way to the frames beside it.
    let before = |frame: usize| 0.5 * (at(frame.saturating_sub(1)) + at(frame));
    let after = |frame: usize| 0.5 * (at(frame) + at(last.min(frame + 1)));
    let gaps = way.followed.missed.chunk_by(|a, b| a.frame + 1 == b.frame);
    let missed = gaps.map(|gap| before(gap[0].frame)..after(gap[gap.len() - 1].frame)).collect();
    let missed = Band { name: "missed frames".to_owned(), color: MISSED, parts: missed };
    let jumps = way.followed.jumps.iter().map(|&frame| before(frame)..before(frame)).collect();
    let jumps = Band { name: "jumps".to_owned(), color: JUMP, parts: jumps };
    let plot = |angles: bool, y: &str| {
        let shown = |value: f64| if angles { value.to_degrees() } else { value };
        let order = way.robot.order().into_iter().enumerate();
        let own = order.filter(|(_, (coordinate, _))| way.robot.machine.turns(*coordinate) == angles);
        let curves = own.map(|(number, (coordinate, place))| Curve {
            name: text::short_name(way.robot.machine.coordinate_name(coordinate)),
            color: COLORS[number % COLORS.len()],
            width: 2,
            points: (0..way.frames.len()).map(|frame| (at(frame), shown(way.at(frame)[place]))).collect(),
        });
        let curves = curves.collect();
        let bands = vec![missed.clone(), jumps.clone()];
        Plot { title: name(way), x: x.to_owned(), y: y.to_owned(), curves, bands, ..Plot::default() }
    };
    let plots = [plot(true, "angle (degrees)"), plot(false, "distance (m)")];
    plots.into_iter().filter(|plot| !plot.curves.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_looked_at_where_it_is_widest() {
        let look = |points: &[[f64; 3]]| widest(points.iter().map(|&p| DVec3::from(p)).collect::<Vec<_>>().iter());
        assert_eq!(look(&[[0.3, -0.1, 0.3], [0.5, 0.1, 0.3], [0.4, 0.0, 0.3]]), Look::Above);
        assert_eq!(look(&[[0.3, -0.1, 0.2], [0.3, 0.1, 0.4]]), Look::Front);
        assert_eq!(look(&[[0.3, 0.1, 0.2], [0.5, 0.1, 0.4]]), Look::Side);
        assert_eq!(look(&[[0.3, -0.2, 0.2], [0.3, 0.2, 0.2]]), Look::Front);
        assert_eq!(look(&[[0.3, 0.0, 0.2], [0.5, 0.0, 0.2]]), Look::Side);
        assert_eq!(look(&[[0.3, 0.0, 0.2]]), Look::Side);
    }
}
