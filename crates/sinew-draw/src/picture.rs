//! The picture: what to show, and the order in which it is drawn.

use sinew::glam::DVec3;
use sinew::{Joint, Pose, Skeleton};

use crate::label::{self, Label};
use crate::legend;
use crate::limits::{self, Outline};
use crate::mark::Mark;
use crate::silhouette;
use crate::svg::{Anchor, Pen, Point, Svg};
use crate::unit::Unit;
use crate::view::{self, Fitted, Look, Panel, View};

/// Behind everything, so paler than anything.
const MESH: &str = "#eef0f4";
pub(crate) const REST: &str = "#cfd5de";
pub(crate) const SOLVED: &str = "#2b3440";
pub(crate) const MOVED: &str = "#1769c2";
pub(crate) const MET: &str = "#1a8f4b";
pub(crate) const FAR: &str = "#cf2e2e";
/// Of a goal that comes or goes.
pub(crate) const EASES: &str = "#8a93a1";
pub(crate) const POLE: &str = "#b26a00";
pub(crate) const LIMIT: &str = "#0f8a8a";
const NAME: &str = "#6a4fa3";
/// Colour of joints on the left.
pub const LEFT: &str = "#1769c2";
/// Colour of joints on the right.
pub const RIGHT: &str = "#d1601f";
/// Colour of joints in the middle, such as the spine.
pub const MIDDLE: &str = "#2e8b57";
/// Colour of joints that have no side.
pub const OTHER: &str = "#8a4fb0";
pub(crate) const INK: &str = "#3a4250";

pub(crate) const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 760.0;
/// Room between panels.
const BETWEEN: f64 = 140.0;
/// Distance of names from their joints (pixels).
const NEAR: f64 = 7.0;

/// Joints whose bones have a colour of their own, with a line in the legend.
#[derive(Clone, Debug)]
pub struct Group {
    /// What the legend calls them.
    pub name: String,
    /// A colour as SVG has it, such as [`LEFT`].
    pub color: &'static str,
    /// The joints at which the bones begin.
    pub joints: Vec<Joint>,
}

/// The path of a point, as a thin line that ends in a dot.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    /// A colour as SVG has it, such as [`LEFT`].
    pub color: &'static str,
    /// Where it was (model space), the last position last.
    pub points: Vec<DVec3>,
}

/// A pose with its goals, in one or more views.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The skeleton of both poses.
    pub skeleton: &'a Skeleton,
    /// The pose to draw, in dark lines.
    pub pose: &'a Pose,
    /// A pose to draw pale behind it; the parts of `pose` that differ are coloured. None by default.
    pub rest: Option<&'a Pose>,
    /// Triangles (model space) whose silhouette is filled behind everything. None by default.
    pub surface: Vec<[DVec3; 3]>,
    /// Bones in other colours, moved or not. None by default.
    pub groups: Vec<Group>,
    /// Paths of points, drawn behind the bones. None by default.
    pub trails: Vec<Trail>,
    /// Joints drawn thin and pale, in a strip not at all, such as targets and poles of an animator's rig. None by default.
    pub faint: Vec<Joint>,
    /// Joints whose limits are drawn, hinges as sectors and balls as cones. None by default.
    pub limits: Vec<Joint>,
    /// Names to write beside joints where there is room, the most important first. None by default.
    pub names: Vec<(Joint, String)>,
    /// Goals. None by default.
    pub marks: Vec<Mark>,
    /// Heading; empty by default.
    pub title: String,
    /// Unit direction that is up on the page; +Y by default.
    pub up: DVec3,
    /// Unit direction, perpendicular to `up`, in which the character looks; +Z by default.
    pub forward: DVec3,
    /// What the skeleton's lengths are in; metres by default.
    pub unit: Unit,
    /// The views, side by side; from the front and from the side by default.
    pub looks: Vec<Look>,
}

impl<'a> Picture<'a> {
    /// A picture of a pose alone.
    pub fn new(skeleton: &'a Skeleton, pose: &'a Pose) -> Self {
        let title = String::new();
        Self {
            skeleton,
            pose,
            rest: None,
            surface: Vec::new(),
            groups: Vec::new(),
            trails: Vec::new(),
            faint: Vec::new(),
            limits: Vec::new(),
            names: Vec::new(),
            marks: Vec::new(),
            title,
            unit: Unit::default(),
            up: DVec3::Y,
            forward: DVec3::Z,
            looks: vec![Look::Front, Look::Side],
        }
    }

    /// The picture as an SVG document, 1200 by 760 pixels.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        let width = (WIDTH - BETWEEN * self.looks.len() as f64) / self.looks.len().max(1) as f64;
        let panel = |place: usize| {
            let left = 0.5 * BETWEEN + place as f64 * (width + BETWEEN);
            Panel { left, top: 110.0, width, height: 530.0 }
        };
        let looks = self.looks.iter().enumerate();
        let views: Vec<(View, Panel)> =
            looks.map(|(place, look)| (look.view(self.up, self.forward), panel(place))).collect();
        svg.text((60.0, 46.0), 24.0, INK, Anchor::Start, &self.title);
        for fitted in view::fit(&views, &self.points()) {
            self.draw_view(&mut svg, &fitted);
        }
        legend::write(&mut svg, HEIGHT - 38.0, self);
        svg.finish(WIDTH, HEIGHT)
    }

    /// Everything that must fit. A goal or pole much farther than the body is large is cut off
    /// rather than shrinking the body to a dot.
    pub(crate) fn points(&self) -> Vec<DVec3> {
        let poses = [Some(self.pose), self.rest];
        let faint = self.faint_joints();
        let shown = || self.skeleton.iter().filter(|joint| !faint[joint.index()]);
        let joints = poses.into_iter().flatten().flat_map(|pose| shown().map(|joint| pose.position(joint)));
        let mesh = self.surface.iter().flatten().copied();
        let trails = self.trails.iter().flat_map(|trail| &trail.points).copied();
        let mut points: Vec<DVec3> = joints.chain(mesh).chain(trails).filter(|point| point.is_finite()).collect();
        let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
        let size = points.iter().map(|point| point.distance(middle)).fold(0.0, f64::max);
        let passed = |mark: &Mark| mark.sight.map(|_| mark.reached);
        let places = |mark: &Mark| [Some(mark.target), mark.pole.map(|pole| pole.0), passed(mark)];
        let extra = self.marks.iter().flat_map(places).flatten();
        let near: Vec<DVec3> = extra.filter(|point| size == 0.0 || point.distance(middle) < 3.0 * size).collect();
        points.extend(near);
        points
    }

    fn draw_view(&self, svg: &mut Svg, view: &Fitted) {
        frame(svg, view, self.unit);
        self.draw_body(svg, view, true);
        let name = |(joint, text): &(Joint, String)| {
            let at = view.place(self.pose.position(*joint)).filter(|&at| view.panel().has_near(at))?;
            Some(Label { at, text: text.clone(), color: NAME })
        };
        let names: Vec<Label> = self.names.iter().filter_map(name).collect();
        let (left, right) = (view.panel().left - 60.0, view.panel().left + view.panel().width + 60.0);
        label::write_names(svg, &names, NEAR, (left, right));
        let mut labels = Vec::new();
        for mark in &self.marks {
            mark.draw(svg, view, self.unit, &mut labels);
        }
        label::write(svg, labels, left + 20.0, right);
    }

    /// Mesh, bones and what is shaded: all but text and marks, and faint joints only if they are wanted.
    pub(crate) fn draw_body(&self, svg: &mut Svg, view: &Fitted, with_faint: bool) {
        let faint = self.faint_joints();
        let wanted = |index: usize| with_faint || !faint[index];
        let mesh = silhouette::path(view, &self.surface);
        if !mesh.is_empty() {
            svg.path(&mesh, MESH);
        }
        if let Some(rest) = self.rest {
            // Beside groups only what left its place is of interest.
            let of_interest = |index: usize| self.groups.is_empty() || self.bone_moved(index);
            let shown = |index: usize| if wanted(index) && of_interest(index) { REST } else { "" };
            self.draw_bones(svg, view, rest, shown, 1.25);
        }
        for trail in &self.trails {
            let way: Vec<Point> = trail.points.iter().filter_map(|&point| view.place(point)).collect();
            svg.way(&way, Pen::new(trail.color, 1.2));
            if let Some(&end) = way.last() {
                svg.circle(end, 2.6, trail.color, None);
            }
        }
        for mark in self.marks.iter().filter(|mark| mark.limb.len() > 2) {
            let corners: Vec<Point> = mark.limb.iter().filter_map(|&joint| view.place(joint)).collect();
            svg.shade(&corners, MOVED, 0.12);
        }
        // What stayed first, so that what moved lies on top.
        let colors = self.colors();
        for moved in [false, true] {
            let color = |index: usize| if moved && colors[index] == SOLVED { MOVED } else { colors[index] };
            let shown = |index: usize| if wanted(index) && self.bone_moved(index) == moved { color(index) } else { "" };
            self.draw_bones(svg, view, self.pose, shown, 1.0);
        }
        self.draw_limits(svg, view);
    }

    fn draw_limits(&self, svg: &mut Svg, view: &Fitted) {
        let outlines = self.limits.iter().filter_map(|&joint| limits::outline(self.skeleton, self.pose, joint));
        for Outline { apex, rim, is_cone } in outlines {
            let (apex, rim): (_, Vec<Point>) = (view.place(apex), rim.iter().filter_map(|&p| view.place(p)).collect());
            let Some(apex) = apex else { continue };
            if is_cone {
                svg.shade(&rim, LIMIT, 0.10);
                // A few lines from the joint, so that rim and joint are seen to belong together.
                rim.iter().step_by(rim.len() / 8 + 1).for_each(|&point| svg.line(apex, point, Pen::new(LIMIT, 0.6)));
            } else {
                svg.shade(&[&[apex], &rim[..]].concat(), LIMIT, 0.16);
            }
        }
    }

    /// Whether any of the limits asked for can be drawn.
    pub(crate) fn limits_shown(&self) -> bool {
        self.limits.iter().any(|&joint| limits::outline(self.skeleton, self.pose, joint).is_some())
    }

    /// Whether any joint stands elsewhere than at rest.
    pub(crate) fn anything_moved(&self) -> bool {
        (0..self.skeleton.len()).any(|index| self.moved(index))
    }

    /// Whether the joint stands elsewhere than at rest.
    fn moved(&self, index: usize) -> bool {
        let (Some(rest), Some(joint)) = (self.rest, self.skeleton.at(index)) else { return false };
        let (a, b) = (self.pose.position(joint), rest.position(joint));
        a.distance(b) > 1e-9 * (1.0 + a.length() + b.length())
    }

    /// Whether either end of the bone that leads to the joint stands elsewhere than at rest.
    fn bone_moved(&self, index: usize) -> bool {
        let parent = self.skeleton.at(index).and_then(|joint| self.skeleton.parent(joint));
        self.moved(index) || parent.is_some_and(|parent| self.moved(parent.index()))
    }

    /// Whether a bone is drawn in no group's colour.
    pub(crate) fn has_other_bones(&self) -> bool {
        let (colors, faint) = (self.colors(), self.faint_joints());
        let is_bone = |joint: &Joint| self.skeleton.parent(*joint).is_some() && !faint[joint.index()];
        self.skeleton.iter().filter(is_bone).any(|joint| colors[joint.index()] == SOLVED)
    }

    /// The colour of the bone that leads to each joint: that of the joint at which it begins.
    fn colors(&self) -> Vec<&'static str> {
        let mut own = vec![SOLVED; self.skeleton.len()];
        for group in &self.groups {
            for joint in &group.joints {
                if let Some(color) = own.get_mut(joint.index()) {
                    *color = group.color;
                }
            }
        }
        let color = |joint| self.skeleton.parent(joint).map_or(own[joint.index()], |parent| own[parent.index()]);
        self.skeleton.iter().map(color).collect()
    }

    /// Whether each joint is faint, by index.
    fn faint_joints(&self) -> Vec<bool> {
        let mut faint = vec![false; self.skeleton.len()];
        for joint in &self.faint {
            if let Some(is) = faint.get_mut(joint.index()) {
                *is = true;
            }
        }
        faint
    }

    /// A line from each joint's parent to it; those for which `color` is empty are left out.
    fn draw_bones(&self, svg: &mut Svg, view: &Fitted, pose: &Pose, color: impl Fn(usize) -> &'static str, thick: f64) {
        let faint = self.faint_joints();
        for joint in self.skeleton.iter() {
            let (color, Some(to)) = (color(joint.index()), view.place(pose.position(joint))) else { continue };
            if color.is_empty() {
                continue;
            }
            let faint = faint[joint.index()];
            let color = if faint { REST } else { color };
            let from = self.skeleton.parent(joint).and_then(|parent| view.place(pose.position(parent)));
            let width = from.map_or(4.0, |from| (0.09 * distance(from, to)).clamp(1.5, 6.5)) * thick;
            let width = if faint { 1.0 } else { width };
            // Handles may lie anywhere; only those beside the body are drawn.
            if faint && ![Some(to), from].iter().flatten().all(|&at| view.panel().has_near(at)) {
                continue;
            }
            if let Some(from) = from {
                svg.line(from, to, Pen::new(color, width));
            }
            svg.circle(to, 0.5 * width + 0.7, color, None);
        }
    }
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// The view's name, its axes, and a bar of a round length.
fn frame(svg: &mut Svg, view: &Fitted, unit: Unit) {
    let panel = view.panel();
    svg.text((panel.left - 10.0, panel.top - 30.0), 17.0, INK, Anchor::Start, view.view().title);
    bar(svg, view.scale, unit, (panel.left + panel.width + 20.0, panel.top + panel.height + 52.0));
    let origin = (panel.left - 30.0, panel.top + panel.height + 52.0);
    let up_name = if view.view().title == "above" { "forward" } else { "up" };
    let axes = [
        ((origin.0 + 40.0, origin.1), view.view().right_name, (origin.0 + 46.0, origin.1 + 5.0)),
        ((origin.0, origin.1 - 40.0), up_name, (origin.0 + 8.0, origin.1 - 34.0)),
    ];
    for (end, text, at) in axes.into_iter().filter(|_| !view.view().right_name.is_empty()) {
        svg.line(origin, end, Pen::new("#8a93a1", 1.5));
        svg.circle(end, 2.5, "#8a93a1", None);
        svg.text(at, 13.0, "#6b7482", Anchor::Start, text);
    }
}

/// A bar of a round length that ends at a point of the page.
pub(crate) fn bar(svg: &mut Svg, scale: f64, unit: Unit, (end, y): Point) {
    let (length, pixels) = view::round_length(scale, 140.0);
    let x = end - pixels;
    svg.line((x, y), (end, y), Pen::new(INK, 2.0));
    for at in [x, end] {
        svg.line((at, y - 4.0), (at, y + 4.0), Pen::new(INK, 2.0));
    }
    svg.text((x + 0.5 * pixels, y - 8.0), 14.0, INK, Anchor::Middle, &unit.text(length));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm() -> Skeleton {
        Skeleton::from_lengths(&[0.3, 0.25]).unwrap()
    }

    #[test]
    fn misses_are_named_with_their_length_and_hits_are_not() {
        let arm = arm();
        let pose = arm.rest_pose();
        let tip = pose.position(arm.joint("joint_2").unwrap());
        let mut picture = Picture::new(&arm, &pose);
        picture.rest = Some(&pose);
        picture.marks = vec![Mark::new("near", tip, tip), Mark::new("far", tip + DVec3::X * 0.2, tip)];
        let svg = picture.svg();
        assert!(svg.contains(">near<") && svg.contains(">far: 0.2 m off<") && svg.contains(MET) && svg.contains(FAR));
        assert_eq!(svg, picture.svg());
        // Every element opened is closed.
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        assert!(svg.trim_end().ends_with("</svg>"));
    }

    #[cfg(feature = "png")]
    #[test]
    fn the_png_is_the_same_picture_with_text_and_repeats() {
        let arm = arm();
        let pose = arm.rest_pose();
        let mut picture = Picture::new(&arm, &pose);
        let blank = picture.png();
        picture.title = "an arm".into();
        let png = picture.png();
        assert_eq!(&png[1..4], b"PNG");
        // Width and height, big-endian, behind the signature and the chunk's head.
        assert_eq!((&png[16..20], &png[20..24]), (&1200_u32.to_be_bytes()[..], &760_u32.to_be_bytes()[..]));
        assert!(png != blank && png == picture.png(), "the title shows, and twice the same");
    }

    #[test]
    fn what_is_not_finite_is_left_out() {
        let arm = arm();
        let pose = arm.rest_pose();
        let mut picture = Picture::new(&arm, &pose);
        picture.title = "<&>".into();
        picture.marks =
            vec![Mark { pole: Some((DVec3::NAN, DVec3::ZERO)), ..Mark::new("nan", DVec3::NAN, DVec3::INFINITY) }];
        let svg = picture.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("&lt;&amp;&gt;"));
    }

    #[test]
    fn a_missed_aim_tells_its_angle_and_is_drawn_whole() {
        let arm = arm();
        let pose = arm.rest_pose();
        let mut picture = Picture::new(&arm, &pose);
        let aside = Mark { sight: Some(DVec3::ZERO), ..Mark::new("head", DVec3::X, DVec3::Y) };
        picture.marks = vec![aside];
        assert!(picture.svg().contains("head: 90° off"), "{}", picture.svg());
        assert!(picture.points().contains(&DVec3::Y));
    }

    #[test]
    fn what_lies_beyond_a_panel_is_an_arrow_at_its_edge() {
        let arm = arm();
        let pose = arm.rest_pose();
        let mut picture = Picture::new(&arm, &pose);
        let far = DVec3::new(-90.0, 40.0, -100.0);
        let look = Mark { sight: Some(DVec3::ZERO), ..Mark::new("head", far, DVec3::Y * 140.0) };
        let goal = Mark { pole: Some((far, DVec3::ZERO)), ..Mark::new("hand", far, DVec3::ZERO) };
        picture.marks = vec![look, goal];
        let svg = picture.svg();
        // Marks and what they are called stay below the heading and on the page.
        for number in svg.split(['"', ',', ' ']).filter_map(|text| text.parse::<f64>().ok()) {
            assert!((0.0..=WIDTH).contains(&number), "{number}: {svg}");
        }
        // The head of an arrow for each goal in each of two views; targets and poles are in the legend alone.
        assert_eq!((svg.matches("<polygon").count(), svg.matches("r=\"8.00\"").count()), (2 * 2 + 1, 1));
        assert!(svg.contains(">head: ") && svg.contains(">hand: "));
    }

    #[test]
    fn only_what_moved_is_coloured() {
        let arm = arm();
        let (rest, mut pose) = (arm.rest_pose(), arm.rest_pose());
        let mut picture = Picture::new(&arm, &rest);
        picture.rest = Some(&rest);
        assert_eq!(picture.svg().matches(MOVED).count(), 0);
        pose.edit(&arm).rotation(arm.joint("joint_1").unwrap(), sinew::Rotation::about(DVec3::Z, 1.0));
        picture.pose = &pose;
        // Once in the legend.
        assert!(picture.svg().matches(MOVED).count() > 1);
    }

    #[test]
    fn a_bone_whose_end_stayed_is_turned_by_its_beginning() {
        let arm = Skeleton::from_lengths(&[0.3, 0.25]).unwrap();
        let (rest, mut pose) = (arm.rest_pose(), arm.rest_pose());
        let (elbow, hand) = (arm.joint("joint_1").unwrap(), arm.joint("joint_2").unwrap());
        let mut edit = pose.edit(&arm);
        edit.translation(elbow, DVec3::new(0.1, 0.2, 0.0));
        drop(edit);
        let back = pose.model(elbow).inverse().transform_point3(rest.position(hand));
        pose.edit(&arm).translation(hand, back);
        let picture = Picture { rest: Some(&rest), ..Picture::new(&arm, &pose) };
        assert!(!picture.moved(hand.index()) && picture.bone_moved(hand.index()));
        // Two bones and their joints in each of two views, and a line in the legend.
        assert_eq!(picture.svg().matches(MOVED).count(), 9);
    }

    #[test]
    fn dark_bones_beside_groups_are_in_the_legend() {
        let arm = arm();
        let pose = arm.rest_pose();
        let picture = |names: &[&str]| {
            let joints = names.iter().map(|name| arm.joint(name).unwrap()).collect();
            Picture { groups: vec![Group { name: "arm".into(), color: LEFT, joints }], ..Picture::new(&arm, &pose) }
        };
        let legends = |names: &[&str]| {
            let strip = crate::Strip { frames: vec![picture(names)], ..Default::default() };
            [picture(names).svg(), strip.svg()].map(|svg| svg.contains(">other bones<"))
        };
        assert_eq!(legends(&["joint_1"]), [true, true]);
        assert_eq!(legends(&["joint_0", "joint_1"]), [false, false]);
    }

    #[test]
    fn bend_planes_and_limits_are_shaded() {
        let mut builder = sinew::SkeletonBuilder::new();
        builder.add(sinew::JointSpec::named("hip"));
        let knee = sinew::Kind::hinge(DVec3::X).within(0.0, 2.0);
        builder.add(sinew::JointSpec::named("knee").child_of(0).translation(DVec3::Y).kind(knee));
        builder.add(sinew::JointSpec::named("foot").child_of(1).translation(DVec3::Y));
        let leg = builder.build().unwrap();
        let pose = leg.rest_pose();
        let mut picture = Picture::new(&leg, &pose);
        assert!(!picture.svg().contains("fill-opacity"));
        picture.limits = leg.iter().collect();
        let mut mark = Mark::new("foot", DVec3::Z, DVec3::Z);
        mark.limb = vec![DVec3::ZERO, DVec3::Y, DVec3::Z];
        picture.marks = vec![mark];
        let svg = picture.svg();
        // One hinge and one plane in each of two views, and a line in the legend.
        assert_eq!(svg.matches("fill-opacity").count(), 4);
        assert!(svg.contains(">limit of the joint<") && svg.contains(">plane of the limb<"));
    }

    #[test]
    fn bones_of_a_group_have_its_colour() {
        let arm = arm();
        let pose = arm.rest_pose();
        let mut picture = Picture::new(&arm, &pose);
        let joints = vec![arm.joint("joint_1").unwrap()];
        picture.groups = vec![
            Group { name: "forearm".into(), color: LEFT, joints },
            Group { name: "nothing".into(), color: RIGHT, joints: Vec::new() },
        ];
        let svg = picture.svg();
        // A line and the joint at its end in each of two views, and a line in the legend.
        assert_eq!((svg.matches(LEFT).count(), svg.matches(RIGHT).count()), (5, 0));
        assert!(svg.contains(">forearm<") && !svg.contains(">nothing<"));
    }

    #[test]
    fn what_swings_keeps_its_colour_beside_its_pale_place_and_its_way() {
        let arm = arm();
        let (rest, mut pose) = (arm.rest_pose(), arm.rest_pose());
        let elbow = arm.joint("joint_1").unwrap();
        pose.edit(&arm).rotation(elbow, sinew::Rotation::about(DVec3::Z, 1.0));
        let mut picture = Picture::new(&arm, &pose);
        picture.rest = Some(&rest);
        picture.groups = vec![Group { name: "forearm".into(), color: RIGHT, joints: vec![elbow] }];
        picture.trails = vec![Trail { color: OTHER, points: vec![DVec3::ZERO, DVec3::NAN, DVec3::X, DVec3::Y] }];
        let svg = picture.svg();
        // A bone and its joint in each of two views, and a line in the legend; only the bone that moved shows pale.
        assert_eq!((svg.matches(RIGHT).count(), svg.matches(REST).count()), (5, 5));
        // A line and its dot in each view.
        assert_eq!((svg.matches("<polyline").count(), svg.matches(OTHER).count()), (2, 4));
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn meshes_are_filled_and_control_joints_are_thin() {
        let arm = arm();
        let pose = arm.rest_pose();
        let mut picture = Picture::new(&arm, &pose);
        assert!(!picture.svg().contains(MESH) && !picture.svg().contains("control joints"));
        picture.surface = vec![[DVec3::ZERO, DVec3::X * 0.2, DVec3::Y * 0.5]];
        picture.faint = vec![arm.joint("joint_2").unwrap()];
        let svg = picture.svg();
        // Seen from the front; from the side it has no breadth.
        assert_eq!(svg.matches(&format!("fill=\"{MESH}\"")).count(), 1);
        assert!(svg.contains(">not part of the body<"));
    }
}
