//! Pictures of robots: links as tubes, hinges as drums about their axes, slides as boxes on their rails; large from an
//! angle, small from the side and from above.
//!
//! Nothing but the skeleton is needed, no mesh. Z is up, as in URDF. What is nearer is drawn over what is farther.

mod piece;
mod scene;
mod solid;
mod stage;
mod strip;

use sinew::glam::{DQuat, DVec3};
use sinew::{Joint, Pose, Skeleton};

use crate::label::{self, Label};
use crate::mark::Mark;
use crate::svg::{Anchor, Svg};
use crate::unit::Unit;
use crate::view::Fitted;
use scene::Scene;
pub use strip::RobotStrip;

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 760.0;
/// More joints than this within so many pixels (and their drums) are a crowd.
const FEW: usize = 2;
const CROWDED: f64 = 30.0;
/// Pixels from the robot to the names of crowds.
const BESIDE: f64 = 90.0;

/// A frame, drawn as three arrows: x red, y green, z blue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Its origin (model space).
    pub position: DVec3,
    /// How it stands.
    pub rotation: DQuat,
    /// Whether it is a target: dashed.
    pub is_target: bool,
}

/// A robot in a pose, with its goals.
#[derive(Clone, Debug)]
pub struct RobotPicture<'a> {
    /// The skeleton of both poses.
    pub skeleton: &'a Skeleton,
    /// What to show in full.
    pub pose: &'a Pose,
    /// What to show pale behind, such as the pose at the start. None by default.
    pub start: Option<&'a Pose>,
    /// Links that the picture is about, such as arms with goals, in a colour of their own. None by default.
    pub arms: Vec<Joint>,
    /// Joints whose limits are drawn, as sectors of hinges and rails of slides. None by default.
    pub limits: Vec<Joint>,
    /// Joints at a limit, in red. None by default.
    pub stuck: Vec<Joint>,
    /// Frames. None by default.
    pub axes: Vec<Axes>,
    /// Goals. None by default.
    pub marks: Vec<Mark>,
    /// Names to write beside joints where there is room, the most important first. None by default.
    pub names: Vec<(Joint, String)>,
    /// Heading; empty by default.
    pub title: String,
}

impl<'a> RobotPicture<'a> {
    /// A picture of a pose alone.
    pub fn new(skeleton: &'a Skeleton, pose: &'a Pose) -> Self {
        Self {
            skeleton,
            pose,
            start: None,
            arms: Vec::new(),
            limits: Vec::new(),
            stuck: Vec::new(),
            axes: Vec::new(),
            marks: Vec::new(),
            names: Vec::new(),
            title: String::new(),
        }
    }

    /// The picture as an SVG document, 1200 by 760 pixels.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        let scene = Scene::of(self);
        let points = scene.points();
        svg.text((60.0, 46.0), 24.0, crate::picture::INK, Anchor::Start, &self.title);
        for (number, view) in stage::views(&scene, &points).iter().enumerate() {
            let is_large = number == 0;
            stage::frame(&mut svg, view, is_large);
            if is_large {
                stage::ground(&mut svg, view, &points);
            }
            scene.draw(&mut svg, view);
            self.write(&mut svg, &scene, view, is_large);
        }
        stage::legend(&mut svg, std::slice::from_ref(self), (60.0, HEIGHT - 26.0));
        svg.finish(WIDTH, HEIGHT)
    }

    /// Marks, and in the large view what they and the joints are called.
    fn write(&self, svg: &mut Svg, scene: &Scene<'_>, view: &Fitted, is_large: bool) {
        let mut labels = Vec::new();
        self.marks.iter().for_each(|mark| mark.draw(svg, view, Unit::Metres, &mut labels));
        if !is_large {
            return;
        }
        let panel = view.panel();
        let (left, right) = (panel.left - 30.0, panel.left + panel.width + 150.0);
        let name = |(joint, text): &(Joint, String)| {
            let at = view.place(self.pose.position(*joint))?;
            Some(Label { at, text: text.clone(), color: stage::NAME })
        };
        let names: Vec<Label> = self.names.iter().filter_map(name).collect();
        let drum = scene.radius() * view.scale;
        // Where joints are crowded their names would cover one another's drums.
        let is_near = |a: &Label, b: &Label| (a.at.0 - b.at.0).hypot(a.at.1 - b.at.1) < CROWDED + 2.0 * drum;
        let crowd = |one: &Label| names.iter().filter(|other| is_near(one, other)).count();
        let (crowded, free): (Vec<Label>, Vec<Label>) = names.iter().cloned().partition(|name| crowd(name) > FEW);
        let mut aside = label::write_names(svg, &free, 4.0 + 1.3 * drum, (left, right));
        aside.extend(&crowded);
        let beside = names.iter().map(|name| name.at.0).fold(0.0, f64::max) + BESIDE;
        label::write_column(svg, aside, (beside, right - 40.0), (panel.top, panel.top + panel.height));
        label::write(svg, labels, left, right);
    }
}

#[cfg(test)]
mod tests {
    use sinew::{JointSpec, Kind, SkeletonBuilder};

    use super::*;

    /// A hinge about X a metre up, and a slide along Y a metre further; then a tip.
    fn robot() -> Skeleton {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("base").kind(Kind::Fixed));
        let up = |spec: JointSpec, parent: usize| spec.child_of(parent).translation(DVec3::Z);
        builder.add(up(JointSpec::named("arm"), 0).kind(Kind::hinge(DVec3::X).within(-1.0, 0.5)));
        builder.add(up(JointSpec::named("cart"), 1).kind(Kind::slide(DVec3::Y).within(0.0, 0.3)));
        builder.add(up(JointSpec::named("tip"), 2).kind(Kind::Fixed));
        builder.build().unwrap()
    }

    #[test]
    fn what_occurs_is_drawn_and_named() {
        let robot = robot();
        let (pose, tip) = (robot.rest_pose(), robot.joint("tip").unwrap());
        let plain = RobotPicture::new(&robot, &pose).svg();
        assert!(plain.contains(">hinge<") && plain.contains(">slide<") && plain.contains(">link<"));
        assert!(!plain.contains("limits") && !plain.contains(">goal") && !plain.contains("at its limit"));
        let reached = pose.position(tip);
        let picture = RobotPicture {
            arms: robot.iter().collect(),
            limits: robot.iter().collect(),
            stuck: vec![tip],
            axes: vec![Axes { position: reached, rotation: DQuat::IDENTITY, is_target: true }],
            marks: vec![Mark::new("tip", reached + DVec3::X * 0.2, reached)],
            names: vec![(robot.joint("arm").unwrap(), "elbow".to_owned())],
            ..RobotPicture::new(&robot, &pose)
        };
        let svg = picture.svg();
        for text in [">arm<", ">what limits allow<", ">at its limit<", ">goal missed<", ">tip: 0.2 m off<", ">elbow<"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(!svg.contains(">link<") && svg.contains("stroke-dasharray") && svg == picture.svg());
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
        #[cfg(feature = "png")]
        assert_eq!(&picture.png()[1..4], b"PNG");
    }

    #[test]
    fn names_of_crowded_joints_stand_aside() {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("base").kind(Kind::Fixed));
        builder.add(JointSpec::named("hand").child_of(0).translation(DVec3::Z));
        for finger in 0..6 {
            let place = DVec3::new(0.001 * f64::from(finger), 0.0, 0.01);
            builder.add(JointSpec::named(format!("finger {finger}")).child_of(1).translation(place));
        }
        let robot = builder.build().unwrap();
        let pose = robot.rest_pose();
        let names = |joints: &[&str]| {
            let named = joints.iter().map(|name| (robot.joint(name).unwrap(), (*name).to_owned()));
            RobotPicture { names: named.collect(), ..RobotPicture::new(&robot, &pose) }.svg()
        };
        let all: Vec<String> = (0..6).map(|finger| format!("finger {finger}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let svg = names(&all);
        assert!(all.iter().all(|name| svg.contains(&format!(">{name}<"))), "{svg}");
        let lines = |svg: &str| svg.matches("<line").count();
        assert_eq!(lines(&svg), lines(&names(&all[..1])) + 6, "each has a line to its joint");
    }

    #[test]
    fn nothing_to_see_and_nothing_finite_are_drawn_all_the_same() {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("point").kind(Kind::hinge(DVec3::Z)));
        let point = builder.build().unwrap();
        let far = Axes { position: DVec3::NAN, rotation: DQuat::IDENTITY, is_target: false };
        let pose = point.rest_pose();
        let svg = RobotPicture { axes: vec![far], ..RobotPicture::new(&point, &pose) }.svg();
        assert!(svg.contains(">hinge<") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}
