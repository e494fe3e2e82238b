//! A film strip: many poses side by side, seen from one side, at one scale.

use sinew::glam::DVec3;

use crate::picture::{FAR, INK, MET, Picture, WIDTH, bar};
use crate::svg::{Anchor, Svg};
use crate::unit::Unit;
use crate::view::{self, Look, Panel, View};
use crate::{label, legend};

/// Frames in a row at most, so that each is wide enough to be read; fewer where captions need the room.
const COLUMNS: usize = 8;
const MARGIN: f64 = 40.0;
const HEAD: f64 = 80.0;
/// Height over width below which half as many stand in a row.
const WIDE: f64 = 1.2;
/// Least height of a row and its caption (pixels).
const ROW: f64 = 120.0;
const CAPTION: f64 = 34.0;
/// Size of a caption's letters.
const LETTER: f64 = 14.0;

/// Poses in the order of time, each with its mesh, marks and so on; a frame's title is its caption.
/// Directions are those of the first frame.
#[derive(Clone, Debug, Default)]
pub struct Strip<'a> {
    /// The frames; none make an empty page.
    pub frames: Vec<Picture<'a>>,
    /// Heading; empty by default.
    pub title: String,
    /// What to say below about lines and shades, behind the legend of the first frame's groups; empty by default.
    pub note: String,
    /// From where they are seen; from the side by default.
    pub look: Look,
}

impl Strip<'_> {
    /// The strip as an SVG document, 1200 pixels wide and as tall as it needs.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        svg.text((MARGIN, 46.0), 24.0, INK, Anchor::Start, &self.title);
        let points: Vec<DVec3> = self.frames.iter().flat_map(Picture::points).collect();
        let (up, forward) = self.frames.first().map_or((DVec3::Y, DVec3::Z), |frame| (frame.up, frame.forward));
        let view = self.look.view(up, forward);
        let columns = self.columns(view.aspect(&points));
        let rows = self.frames.len().div_ceil(columns).max(1);
        let width = (WIDTH - 2.0 * MARGIN) / columns as f64;
        let tall = ROW.max(view.aspect(&points) * 0.9 * width).min(560.0);
        let panel = |index: usize| Panel {
            left: MARGIN + (index % columns) as f64 * width + 0.05 * width,
            top: HEAD + (index / columns) as f64 * (tall + CAPTION),
            width: 0.9 * width,
            height: tall,
        };
        let views: Vec<(View, Panel)> = (0..self.frames.len()).map(|index| (view, panel(index))).collect();
        for (frame, fitted) in self.frames.iter().zip(view::fit(&views, &points)) {
            frame.draw_body(&mut svg, &fitted, false);
            for mark in &frame.marks {
                if let Some(at) = fitted.place_inside(mark.target) {
                    legend::target(&mut svg, at, if mark.met { MET } else { FAR });
                }
            }
            let panel = fitted.panel();
            let below = (panel.left + 0.5 * panel.width, panel.top + panel.height + 20.0);
            svg.text(below, LETTER, INK, Anchor::Middle, &frame.title);
        }
        let height = HEAD + rows as f64 * (tall + CAPTION) + MARGIN;
        if let Some(fitted) = view::fit(&views, &points).first() {
            let unit = self.frames.first().map_or(Unit::default(), |frame| frame.unit);
            bar(&mut svg, fitted.scale, unit, (WIDTH - MARGIN, height - 20.0));
        }
        legend::row(&mut svg, (MARGIN, height - 24.0), self.frames.first(), &self.note);
        svg.finish(WIDTH, height)
    }

    /// Frames in a row: as many as captions leave room for, half as many where what they show is wide, in rows of
    /// equal length.
    fn columns(&self, aspect: f64) -> usize {
        let columns = if aspect < WIDE { COLUMNS / 2 } else { COLUMNS };
        let longest = self.frames.iter().map(|frame| label::width(&frame.title, LETTER)).fold(LETTER, f64::max);
        let fits = |columns: &usize| *columns as f64 * (longest + LETTER) <= WIDTH - 2.0 * MARGIN;
        let most = (1..=columns).rev().find(fits).unwrap_or(1);
        let rows = self.frames.len().div_ceil(most).max(1);
        self.frames.len().div_ceil(rows).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::Skeleton;

    #[test]
    fn captions_have_room() {
        let arm = Skeleton::from_lengths(&[0.3, 0.25]).unwrap();
        let pose = arm.rest_pose();
        let columns_of = |count: usize, title: &str, aspect: f64| {
            let frame = Picture { title: title.into(), ..Picture::new(&arm, &pose) };
            Strip { frames: vec![frame; count], ..Strip::default() }.columns(aspect)
        };
        let columns = |count, title: &str| columns_of(count, title, 2.0);
        assert_eq!([1, 4, 8].map(|count| columns_of(count, "1.2 s", 0.5)), [1, 4, 4]);
        assert_eq!([0, 1, 8, 9, 11].map(|count| columns(count, "1.2 s")), [1, 1, 8, 5, 6]);
        assert_eq!(columns(8, "transpose: out_of_iterations"), 4);
        assert_eq!(columns_of(8, "1.2 s", 1.1), 4, "a walk from the side");
        assert_eq!(columns(3, &"far too long ".repeat(20)), 1);
    }

    #[test]
    fn faint_joints_are_left_out() {
        let arm = Skeleton::from_lengths(&[0.3, 0.25, 0.2]).unwrap();
        let pose = arm.rest_pose();
        let faint = vec![arm.joint("joint_2").unwrap()];
        let frames = |faint: &[_]| vec![Picture { faint: faint.to_vec(), ..Picture::new(&arm, &pose) }];
        let bones = |faint: &[_]| Strip { frames: frames(faint), ..Strip::default() }.svg().matches("<circle").count();
        assert_eq!(bones(&faint) + 1, bones(&[]));
    }

    #[test]
    fn frames_stand_side_by_side_with_their_captions() {
        let arm = Skeleton::from_lengths(&[0.3, 0.25]).unwrap();
        let pose = arm.rest_pose();
        let frame = |i: usize| Picture { title: format!("frame {i}"), ..Picture::new(&arm, &pose) };
        for count in [0, 1, 8, 11] {
            let strip = Strip {
                frames: (0..count).map(frame).collect(),
                title: "an arm".into(),
                look: if count == 8 { Look::Front } else { Look::Side },
                note: "slow".into(),
            };
            let svg = strip.svg();
            assert!((0..count).all(|i| svg.contains(&format!(">frame {i}<"))), "{count}");
            assert!(svg.contains(">slow<") && svg == strip.svg());
            #[cfg(feature = "png")]
            assert_eq!(&strip.png()[1..4], b"PNG");
        }
    }
}
