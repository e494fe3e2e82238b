//! Labels that keep out of one another's way.

use crate::svg::{Anchor, Pen, Point, Svg};

/// A text beside a point.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) at: Point,
    pub(crate) text: String,
    pub(crate) color: &'static str,
}

const SIZE: f64 = 15.0;
/// Distance of a label from its point.
const GAP: f64 = 14.0;

/// Size of joint names.
const SMALL: f64 = 11.0;

/// About how wide a text is, in letters of a size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.56
}

/// A text that has room: the middle of one that has not gives way to "…".
pub(crate) fn shortened(text: &str, size: f64, room: f64) -> String {
    let letters = text.chars().count();
    if width(text, size) <= room {
        return text.to_owned();
    }
    let fit = (0..letters).rev().find(|&fit| width("…", size) * (fit + 1) as f64 <= room).unwrap_or(0);
    let (start, end) = (fit.div_ceil(2), letters - fit / 2);
    let kept = |range: std::ops::Range<usize>| text.chars().skip(range.start).take(range.len());
    kept(0..start).chain(['…']).chain(kept(end..letters)).collect()
}

/// Writes small names at a distance beside their points, right of them or left, those that come first first. Gives those without room.
pub(crate) fn write_names<'a>(
    svg: &mut Svg,
    names: &'a [Label],
    near: f64,
    (left, right): (f64, f64),
) -> Vec<&'a Label> {
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    let mut out = Vec::new();
    for name in names {
        let width = width(&name.text, SMALL);
        let y = name.at.1 + 0.35 * SMALL;
        let sides = [name.at.0 + near, name.at.0 - near - width];
        let free = |start: f64| {
            let inside = start >= left && start + width <= right;
            inside && taken.iter().all(|(a, b, other)| start > *b || start + width < *a || (other - y).abs() > SMALL)
        };
        match sides.into_iter().find(|&start| free(start)) {
            Some(start) => {
                taken.push((start, start + width, y));
                svg.text((start, y), SMALL, name.color, Anchor::Start, &name.text);
            }
            None => out.push(name),
        }
    }
    out
}

/// Writes small names under one another from `left` on, or sooner where `right` asks for it, each with a line to its point.
pub(crate) fn write_column(
    svg: &mut Svg,
    mut names: Vec<&Label>,
    (left, right): (f64, f64),
    (top, bottom): (f64, f64),
) {
    names.sort_by(|a, b| a.at.1.total_cmp(&b.at.1).then(a.at.0.total_cmp(&b.at.0)));
    let start = left.min(right - names.iter().map(|name| width(&name.text, SMALL)).fold(0.0, f64::max));
    let step = 1.4 * SMALL;
    let mean = names.iter().map(|name| name.at.1).sum::<f64>() / names.len().max(1) as f64;
    let tall = step * names.len() as f64;
    let first = (mean - 0.5 * tall).min(bottom - tall).max(top);
    for (place, name) in names.into_iter().enumerate() {
        let y = first + step * place as f64;
        if y > bottom {
            break;
        }
        svg.line(name.at, (start - 4.0, y - 0.35 * SMALL), Pen::new("#b8bec8", 1.0));
        svg.text((start, y), SMALL, name.color, Anchor::Start, &name.text);
    }
}

/// Writes labels to the right of their points (to the left near the right edge), moved down where
/// they would overlap; a moved one gets a leader.
pub(crate) fn write(svg: &mut Svg, mut labels: Vec<Label>, left: f64, right: f64) {
    labels.sort_by(|a, b| a.at.1.total_cmp(&b.at.1).then(a.at.0.total_cmp(&b.at.0)));
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for label in labels {
        let width = width(&label.text, SIZE);
        let flips = label.at.0 + GAP + width > right && label.at.0 - GAP - width > left;
        let start = if flips { label.at.0 - GAP - width } else { label.at.0 + GAP };
        let mut y = label.at.1 + 0.35 * SIZE;
        while let Some(&(_, _, other)) =
            taken.iter().find(|(a, b, other)| start < *b && start + width > *a && (other - y).abs() < SIZE * 1.15)
        {
            y = other + SIZE * 1.2;
        }
        taken.push((start, start + width, y));
        if y > label.at.1 + SIZE {
            let end = if flips { start + width + 2.0 } else { start - 2.0 };
            svg.line(label.at, (end, y - 0.35 * SIZE), Pen::new("#b8bec8", 1.0));
        }
        svg.text((start, y), SIZE, label.color, Anchor::Start, &label.text);
    }
}
