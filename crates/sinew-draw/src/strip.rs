//! A film strip: many poses side by side, seen from one side, at one scale.

use sinew::glam::DVec3;

use crate::picture::{INK, Picture, WIDTH, bar};
use crate::svg::{Anchor, Point, Svg};
use crate::unit::Unit;
use crate::view::{self, Fitted, Look, Panel, View};
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
        let points: Vec<DVec3> = self.frames.iter().flat_map(Picture::points).collect();
        let first = self.frames.first();
        let (up, forward) = first.map_or((DVec3::Y, DVec3::Z), |frame| (frame.up, frame.forward));
        let captions = self.frames.iter().map(|frame| &*frame.title).collect();
        let sheet = Sheet { title: &self.title, captions, view: self.look.view(up, forward), points: &points };
        let unit = first.map_or(Unit::default(), |frame| frame.unit);
        let draw = |svg: &mut Svg, frame: usize, fitted: &Fitted| {
            self.frames[frame].draw_body(svg, fitted, false);
            self.frames[frame].marks.iter().for_each(|mark| mark.draw_small(svg, fitted));
        };
        sheet.svg(unit, draw, |svg, at| legend::row(svg, at, &self.frames, &self.note))
    }
}

/// A page of frames under one another's captions, seen alike.
pub(crate) struct Sheet<'a> {
    pub(crate) title: &'a str,
    /// One a frame.
    pub(crate) captions: Vec<&'a str>,
    pub(crate) view: View,
    /// What must fit into each frame.
    pub(crate) points: &'a [DVec3],
}

impl Sheet<'_> {
    /// The page, with each frame drawn into its panel, and a legend that begins at a point.
    pub(crate) fn svg(
        &self,
        unit: Unit,
        draw: impl Fn(&mut Svg, usize, &Fitted),
        legend: impl FnOnce(&mut Svg, Point),
    ) -> String {
        let mut svg = Svg::default();
        svg.text((MARGIN, 46.0), 24.0, INK, Anchor::Start, self.title);
        let (count, aspect) = (self.captions.len(), self.view.aspect(self.points));
        let columns = self.columns(aspect);
        let rows = count.div_ceil(columns).max(1);
        let width = (WIDTH - 2.0 * MARGIN) / columns as f64;
        let tall = ROW.max(aspect * 0.9 * width).min(560.0);
        let panel = |index: usize| Panel {
            left: MARGIN + (index % columns) as f64 * width + 0.05 * width,
            top: HEAD + (index / columns) as f64 * (tall + CAPTION),
            width: 0.9 * width,
            height: tall,
        };
        let views: Vec<(View, Panel)> = (0..count).map(|index| (self.view, panel(index))).collect();
        let fitted = view::fit(&views, self.points);
        for (frame, (view, caption)) in fitted.iter().zip(&self.captions).enumerate() {
            draw(&mut svg, frame, view);
            let panel = view.panel();
            let below = (panel.left + 0.5 * panel.width, panel.top + panel.height + 20.0);
            svg.text(below, LETTER, INK, Anchor::Middle, caption);
        }
        let height = HEAD + rows as f64 * (tall + CAPTION) + MARGIN;
        if let Some(first) = fitted.first() {
            bar(&mut svg, first.scale, unit, (WIDTH - MARGIN, height - 20.0));
        }
        legend(&mut svg, (MARGIN, height - 24.0));
        svg.finish(WIDTH, height)
    }

    /// Frames in a row: as many as captions leave room for, half as many where what they show is wide, in rows of
    /// equal length.
    fn columns(&self, aspect: f64) -> usize {
        let columns = if aspect < WIDE { COLUMNS / 2 } else { COLUMNS };
        let longest = self.captions.iter().map(|caption| label::width(caption, LETTER)).fold(LETTER, f64::max);
        let fits = |columns: &usize| *columns as f64 * (longest + LETTER) <= WIDTH - 2.0 * MARGIN;
        let most = (1..=columns).rev().find(fits).unwrap_or(1);
        let rows = self.captions.len().div_ceil(most).max(1);
        self.captions.len().div_ceil(rows).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mark;
    use sinew::Skeleton;

    #[test]
    fn captions_have_room() {
        let view = Look::Side.view(DVec3::Y, DVec3::Z);
        let columns_of = |count: usize, title: &str, aspect: f64| {
            Sheet { title: "", captions: vec![title; count], view, points: &[] }.columns(aspect)
        };
        let columns = |count, title: &str| columns_of(count, title, 2.0);
        assert_eq!([1, 4, 8].map(|count| columns_of(count, "1.2 s", 0.5)), [1, 4, 4]);
        assert_eq!([0, 1, 8, 9, 11].map(|count| columns(count, "1.2 s")), [1, 1, 8, 5, 6]);
        assert_eq!(columns(8, "transpose: out_of_iterations"), 4);
        assert_eq!(columns_of(8, "1.2 s", 1.1), 4, "a walk from the side");
        assert_eq!(columns(3, &"far too long ".repeat(20)), 1);
    }

    #[test]
    fn goals_are_marked_and_explained() {
        let arm = Skeleton::from_lengths(&[0.3, 0.25]).unwrap();
        let pose = arm.rest_pose();
        let mark = |met, eases, sight| Mark { met, eases, sight, ..Mark::new("", DVec3::new(0.1, 0.4, 0.1), DVec3::X) };
        let svg = |marks: Vec<Mark>| {
            let plain = Picture::new(&arm, &pose);
            Strip { frames: vec![plain.clone(), Picture { marks, ..plain }], ..Strip::default() }.svg()
        };
        let texts = [">goal reached<", ">goal missed<", ">goal that comes or goes<"];
        for (met, eases, told) in [(true, false, 0), (false, false, 1), (false, true, 2), (true, true, 2)] {
            let svg = svg(vec![mark(met, eases, None)]);
            assert_eq!(texts.map(|text| svg.contains(text)), [0, 1, 2].map(|text| text == told), "{met} {eases}");
        }
        let all = vec![mark(true, false, None), mark(false, false, None), mark(true, true, None)];
        let frames = vec![Picture { marks: all, ..Picture::new(&arm, &pose) }];
        let note = "pale: the clip; thin: paths of the goals' joints".to_owned();
        let svg_of_all = Strip { frames, note, ..Strip::default() }.svg();
        assert!(texts.iter().all(|text| svg_of_all.contains(text)), "beside a bake's note");
        let dashes = |sight| svg(vec![mark(true, false, sight)]).matches("dasharray").count();
        assert_eq!((dashes(None), dashes(Some(DVec3::ZERO))), (0, 1), "the line of sight");
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
