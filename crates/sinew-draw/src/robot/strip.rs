//! Many poses of a robot side by side, seen from one angle, at one scale.

use sinew::glam::DVec3;

use super::scene::Scene;
use super::{RobotPicture, stage};
use crate::strip::Sheet;
use crate::svg::Svg;
use crate::unit::Unit;
use crate::view::Fitted;

/// Poses of one robot, each with its goals; a frame's title is its caption. Names are not written.
#[derive(Clone, Debug, Default)]
pub struct RobotStrip<'a> {
    /// The frames; none make an empty page.
    pub frames: Vec<RobotPicture<'a>>,
    /// Heading; empty by default.
    pub title: String,
}

impl RobotStrip<'_> {
    /// The strip as an SVG document, 1200 pixels wide and as tall as it needs.
    pub fn svg(&self) -> String {
        let scenes: Vec<Scene<'_>> = self.frames.iter().map(Scene::of).collect();
        let points: Vec<DVec3> = scenes.iter().flat_map(Scene::points).collect();
        let captions = self.frames.iter().map(|frame| &*frame.title).collect();
        let sheet = Sheet { title: &self.title, captions, view: stage::best_view(&scenes), points: &points };
        let draw = |svg: &mut Svg, frame: usize, view: &Fitted| {
            scenes[frame].draw(svg, view);
            self.frames[frame].marks.iter().for_each(|mark| mark.draw_small(svg, view));
        };
        sheet.svg(Unit::Metres, draw, |svg, at| stage::legend(svg, &self.frames, at))
    }
}

#[cfg(test)]
mod tests {
    use sinew::Skeleton;

    use super::*;
    use crate::Mark;

    #[test]
    fn robots_stand_side_by_side_with_their_goals() {
        let arm = Skeleton::from_lengths(&[0.3, 0.25]).unwrap();
        let pose = arm.rest_pose();
        let frame = |number: usize| RobotPicture {
            marks: vec![Mark { met: number == 1, ..Mark::new("tip", DVec3::X, DVec3::Y) }],
            title: format!("solver {number}"),
            ..RobotPicture::new(&arm, &pose)
        };
        let strip = RobotStrip { frames: (0..3).map(frame).collect(), title: "an arm".into() };
        let svg = strip.svg();
        for text in [">solver 2<", ">link<", ">goal reached<", ">goal missed<", ">an arm<"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(RobotStrip::default().svg().starts_with("<svg"));
    }
}
