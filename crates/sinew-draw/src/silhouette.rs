//! The outline of a surface as seen in a view, filled: triangles projected, cut into rows a pixel high, and
//! what overlaps in a row made one.

use std::fmt::Write as _;

use sinew::glam::DVec3;

use crate::svg::Point;
use crate::view::Fitted;

/// Gaps narrower than this (pixels) are closed.
const GAP: f64 = 0.5;
/// Rows of a page; what lies beyond is not seen.
const ROWS: usize = 2000;

/// Path data of the silhouette; empty where nothing is seen.
pub(crate) fn path(view: &Fitted, triangles: &[[DVec3; 3]]) -> String {
    let mut rows: Vec<Vec<(f64, f64)>> = vec![Vec::new(); ROWS];
    for corners in triangles {
        if let [Some(a), Some(b), Some(c)] = corners.map(|corner| view.place(corner)) {
            cut([a, b, c], &mut rows);
        }
    }
    let mut data = String::new();
    for (y, spans) in rows.iter_mut().enumerate() {
        for (from, to) in joined(spans) {
            let _ = write!(data, "M{from:.1} {y}H{to:.1}V{}H{from:.1}Z", y + 1);
        }
    }
    data
}

/// Adds what a triangle covers of each row.
#[allow(clippy::cast_sign_loss, reason = "clamped to the page")]
fn cut(corners: [Point; 3], rows: &mut [Vec<(f64, f64)>]) {
    let low = corners.iter().fold(f64::INFINITY, |low, corner| low.min(corner.1)).max(0.0);
    let high = corners.iter().fold(f64::NEG_INFINITY, |high, corner| high.max(corner.1)).min(rows.len() as f64);
    if low > high {
        return;
    }
    let last = (high.ceil() as usize).min(rows.len());
    for (y, row) in rows.iter_mut().enumerate().take(last).skip(low as usize) {
        let (top, bottom) = (y as f64, y as f64 + 1.0);
        let mut span = (f64::INFINITY, f64::NEG_INFINITY);
        let mut see = |x: f64| span = (span.0.min(x), span.1.max(x));
        for i in 0..3 {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            if (top..=bottom).contains(&a.1) {
                see(a.0);
            }
            for edge in [top, bottom] {
                if (a.1 - edge) * (b.1 - edge) < 0.0 {
                    see(a.0 + (b.0 - a.0) * (edge - a.1) / (b.1 - a.1));
                }
            }
        }
        if span.0 < span.1 {
            row.push(span);
        }
    }
}

/// The spans in order, those that touch made one.
fn joined(spans: &mut [(f64, f64)]) -> Vec<(f64, f64)> {
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut all: Vec<(f64, f64)> = Vec::new();
    for &mut (from, to) in spans {
        match all.last_mut() {
            Some(last) if from <= last.1 + GAP => last.1 = last.1.max(to),
            _ => all.push((from, to)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_triangles_are_one_span_a_row() {
        let mut rows = vec![Vec::new(); 10];
        cut([(0.0, 0.0), (8.0, 0.0), (0.0, 8.0)], &mut rows);
        cut([(4.0, 0.0), (12.0, 0.0), (12.0, 8.0)], &mut rows);
        assert_eq!(joined(&mut rows[0]), [(0.0, 12.0)]);
        let apart = joined(&mut rows[7]);
        assert!(apart.len() == 2 && apart[0].1 <= 1.0 && apart[1].0 >= 11.0, "{apart:?}");
        assert!(rows[8].is_empty() && rows[9].is_empty());
    }
}
