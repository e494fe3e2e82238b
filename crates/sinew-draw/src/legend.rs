//! The row under the views that says what the colours mean.

use crate::label;
use crate::picture::{EASES, FAR, INK, MET, MOVED, POLE, Picture, REST, SOLVED};
use crate::svg::{Anchor, Pen, Point, Svg};

/// Where a row of the legend ends (pixels).
const RIGHT: f64 = 1160.0;

/// Where a strip's row ends, beside its bar, and the size of its letters (pixels).
const ROW: f64 = 980.0;
const LETTER: f64 = 14.0;

/// The shades as they look on white.
const PLANE: &str = "#d5e4f4";
const WITHIN: &str = "#cfe7e7";

/// Writes the legend on a line of the page, with only the entries that occur in the picture.
pub(crate) fn write(svg: &mut Svg, y: f64, picture: &Picture<'_>) {
    let moved = picture.anything_moved();
    let met = picture.marks.iter().any(|mark| mark.met);
    let missed = picture.marks.iter().any(|mark| !mark.met);
    let pole = picture.marks.iter().any(|mark| mark.pole.is_some());
    let (mut x, mut y) = (60.0, y);
    let mut entry = |svg: &mut Svg, draw: &dyn Fn(&mut Svg, Point), text: &str| {
        let width = 50.0 + text.len() as f64 * 8.0;
        if x + width > RIGHT {
            (x, y) = (60.0, y + 22.0);
        }
        draw(svg, (x, y));
        svg.text((x + 34.0, y + 5.0), 15.0, "#3a4250", Anchor::Start, text);
        x += width;
    };
    let swatch = |color| {
        move |svg: &mut Svg, (x, y): Point| {
            svg.polygon(&[(x, y - 6.0), (x + 24.0, y - 6.0), (x + 24.0, y + 6.0), (x, y + 6.0)], color);
        }
    };
    let bone =
        |color, width| move |svg: &mut Svg, (x, y): Point| svg.line((x, y), (x + 24.0, y), Pen::new(color, width));
    if moved {
        let is_rest = picture.rest.is_none_or(|rest| *rest == picture.skeleton.rest_pose());
        entry(svg, &bone(REST, 5.0), if is_rest { "at rest" } else { "at the start" });
        entry(svg, &bone(SOLVED, 4.0), "unchanged");
        entry(svg, &bone(MOVED, 5.0), "moved");
    }
    for group in picture.groups.iter().filter(|group| !group.joints.is_empty()) {
        entry(svg, &bone(group.color, 5.0), &group.name);
    }
    if !moved && !picture.groups.is_empty() && picture.has_other_bones() {
        entry(svg, &bone(SOLVED, 4.0), "other bones");
    }
    if !picture.faint.is_empty() {
        entry(svg, &bone(REST, 1.0), "not part of the body");
    }
    if picture.marks.iter().any(|mark| mark.limb.len() > 2) {
        entry(svg, &swatch(PLANE), "plane of the limb");
    }
    if picture.limits_shown() {
        entry(svg, &swatch(WITHIN), "limit of the joint");
    }
    if met {
        entry(svg, &|svg: &mut Svg, (x, y)| target(svg, (x + 12.0, y), MET), "goal reached");
    }
    if missed {
        entry(svg, &|svg: &mut Svg, (x, y)| target(svg, (x + 12.0, y), FAR), "goal missed, and by how much");
    }
    if pole {
        entry(svg, &|svg: &mut Svg, (x, y)| diamond(svg, (x + 12.0, y)), "pole");
    }
}

/// One row from a point on: what the colours of the first frame's bones and of all frames' goals mean, then a note. What has no room is
/// left out.
pub(crate) fn row(svg: &mut Svg, (mut x, y): Point, frames: &[Picture<'_>], note: &str) {
    let room = ROW - label::width(note, LETTER);
    let frame = frames.first();
    let groups = frame.into_iter().flat_map(|frame| &frame.groups).filter(|group| !group.joints.is_empty());
    let names = groups.map(|group| (&*group.name, group.color));
    let has_others = frame.is_some_and(|one| one.rest.is_none() && !one.groups.is_empty() && one.has_other_bones());
    for (name, color) in names.chain(has_others.then_some(("other bones", SOLVED))) {
        let width = 52.0 + label::width(name, LETTER);
        if x + width > room {
            svg.text((x, y + 5.0), LETTER, INK, Anchor::Start, "…");
            x += 30.0;
            break;
        }
        svg.line((x, y), (x + 24.0, y), Pen::new(color, 5.0));
        svg.text((x + 32.0, y + 5.0), LETTER, INK, Anchor::Start, name);
        x += width;
    }
    let marks = || frames.iter().flat_map(|frame| &frame.marks);
    let held = |met: bool| marks().any(|mark| !mark.eases && mark.met == met);
    let goals = [
        (held(true), MET, "goal reached"),
        (held(false), FAR, "goal missed"),
        (marks().any(|mark| mark.eases), EASES, "goal that comes or goes"),
    ];
    for (_, color, text) in goals.into_iter().filter(|(occurs, ..)| *occurs) {
        let width = 52.0 + label::width(text, LETTER);
        if x + width <= room {
            target(svg, (x + 12.0, y), color);
            svg.text((x + 32.0, y + 5.0), LETTER, INK, Anchor::Start, text);
            x += width;
        }
    }
    if !note.is_empty() {
        svg.text((x, y + 5.0), LETTER, INK, Anchor::Start, note);
    }
}

/// The mark of a goal.
pub(crate) fn target(svg: &mut Svg, (x, y): Point, color: &'static str) {
    svg.circle((x, y), 8.0, "none", Some(Pen::new(color, 2.5)));
    svg.line((x - 12.0, y), (x + 12.0, y), Pen::new(color, 1.5));
    svg.line((x, y - 12.0), (x, y + 12.0), Pen::new(color, 1.5));
}

/// The mark of a pole.
pub(crate) fn diamond(svg: &mut Svg, (x, y): Point) {
    svg.polygon(&[(x, y - 8.0), (x + 8.0, y), (x, y + 8.0), (x - 8.0, y)], POLE);
}
