//! What a robot's picture is made of, sorted by depth.

use std::f64::consts::{PI, TAU};

use sinew::glam::DVec3;
use sinew::math::arc;
use sinew::{Joint, Kind, Pose};

use super::piece::Piece;
use super::solid::{Solid, Tone};
use super::{Axes, RobotPicture};
use crate::picture::LIMIT;
use crate::svg::{Pen, Svg};
use crate::view::Fitted;

/// Colours of links, on the arms asked about and elsewhere: body and edge.
pub(super) const ARM: (&str, &str) = ("#7fa8d6", "#2f5f96");
pub(super) const LINK: (&str, &str) = ("#b4bcc8", "#5a6473");
/// Colours of joints: side, cap and edge.
pub(super) const HINGE: Tone = Tone { side: "#d98a3d", cap: "#f3b877", edge: "#7a4514" };
pub(super) const SLIDE: Tone = Tone { side: "#5d9c59", cap: "#93cb8f", edge: "#2a5227" };
pub(super) const STUCK: Tone = Tone { side: "#c93a3a", cap: "#ee8a80", edge: "#6e1414" };
const AXES: [&str; 3] = ["#d62728", "#2ca02c", "#1f4fd8"];
/// Radius of a drum: its share of the median bone, and its least and greatest share of the robot.
const DRUM: f64 = 0.22;
const LEAST: f64 = 0.007;
const GREATEST: f64 = 0.032;
/// Length of a frame's arrows, as a share of the robot.
const ARROW: f64 = 0.16;
/// Frames beyond which arrows are shorter.
const FEW: usize = 4;
/// Angle between points of an arc (radians): five degrees.
const STEP: f64 = PI / 36.0;

/// The pieces, each with the place that stands for its depth.
pub(super) struct Scene<'a> {
    picture: &'a RobotPicture<'a>,
    pieces: Vec<(DVec3, Piece)>,
    /// From the middle to the farthest joint (metres).
    size: f64,
    radius: f64,
}

impl<'a> Scene<'a> {
    pub(super) fn of(picture: &'a RobotPicture<'a>) -> Self {
        let mut scene = Self { picture, pieces: Vec::new(), size: 0.0, radius: 0.0 };
        scene.measure();
        if let Some(start) = picture.start {
            scene.add_ghost(start);
        }
        for joint in picture.skeleton.iter() {
            scene.add_link(joint);
            scene.add_joint(joint);
        }
        picture.limits.iter().for_each(|&joint| scene.add_limit(joint));
        picture.axes.iter().for_each(|axes| scene.add_axes(axes));
        scene
    }

    /// Everything that must fit; a goal much farther than the robot is large is cut off instead.
    pub(super) fn points(&self) -> Vec<DVec3> {
        let picture = self.picture;
        let poses = [Some(picture.pose), picture.start].into_iter().flatten();
        let joints = poses.flat_map(|pose| picture.skeleton.iter().map(|joint| pose.position(joint)));
        let mut points: Vec<DVec3> = joints.filter(|point| point.is_finite()).collect();
        let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
        let arrows = picture.axes.iter().flat_map(|axes| {
            let end = |axis| axes.position + axes.rotation * axis * self.arrow();
            [axes.position, end(DVec3::X), end(DVec3::Y), end(DVec3::Z)]
        });
        let marks = picture.marks.iter().map(|mark| mark.target);
        let near = |point: &DVec3| point.distance(middle) < 4.0 * self.size || self.size == 0.0;
        let more: Vec<DVec3> = arrows.chain(marks).filter(|point| point.is_finite()).filter(near).collect();
        points.extend(more);
        points
    }

    /// Links as seen from a side: the summed lengths of their projections.
    pub(super) fn spread(&self, right: DVec3, up: DVec3) -> f64 {
        let length = |bone: DVec3| right.dot(bone).hypot(up.dot(bone));
        self.bones().map(|(_, bone)| length(bone)).filter(|length| length.is_finite()).sum()
    }

    /// Every joint that has a parent, with the way from there.
    fn bones(&self) -> impl Iterator<Item = (Joint, DVec3)> + '_ {
        let (skeleton, pose) = (self.picture.skeleton, self.picture.pose);
        let bone = |joint| Some((joint, pose.position(joint) - pose.position(skeleton.parent(joint)?)));
        skeleton.iter().filter_map(bone)
    }

    fn measure(&mut self) {
        let pose = self.picture.pose;
        let places = || self.picture.skeleton.iter().map(|joint| pose.position(joint)).filter(|at| at.is_finite());
        let middle = places().sum::<DVec3>() / places().count().max(1) as f64;
        let size = places().map(|at| at.distance(middle)).fold(0.0, f64::max);
        let mut lengths: Vec<f64> =
            self.bones().map(|(_, bone)| bone.length()).filter(|length| *length > 1e-6 * size).collect();
        lengths.sort_by(f64::total_cmp);
        let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0.0);
        self.size = size;
        self.radius = if size > 0.0 { (DRUM * median).clamp(LEAST * size, GREATEST * size) } else { 0.03 };
    }

    /// Length of frames' arrows: shorter where there are many.
    fn arrow(&self) -> f64 {
        let many = if self.picture.axes.len() > FEW { 0.5 } else { 1.0 };
        many * if self.size > 0.0 { ARROW * self.size } else { 3.0 * self.radius }
    }

    /// Radius of the largest drums (metres).
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Radius of a joint's drum: smaller where its links are short, as in fingers.
    fn radius_at(&self, joint: Joint) -> f64 {
        let (skeleton, pose) = (self.picture.skeleton, self.picture.pose);
        let at = pose.position(joint);
        let around = skeleton.parent(joint).into_iter().chain(skeleton.children(joint));
        let lengths =
            around.map(|other| pose.position(other).distance(at)).filter(|length| *length > 0.2 * self.radius);
        let longest = lengths.fold(0.0, f64::max);
        if longest > 0.0 { self.radius.min(0.45 * longest) } else { self.radius }
    }

    fn add_ghost(&mut self, start: &Pose) {
        let skeleton = self.picture.skeleton;
        for joint in skeleton.iter() {
            let Some(parent) = skeleton.parent(joint) else { continue };
            let ends = [start.position(parent), start.position(joint)];
            self.pieces.push((ends[0], Piece::Ghost(ends)));
        }
    }

    fn add_link(&mut self, joint: Joint) {
        let (skeleton, pose) = (self.picture.skeleton, self.picture.pose);
        let Some(parent) = skeleton.parent(joint) else { return };
        let ends = [pose.position(parent), pose.position(joint)];
        if ends[0].distance(ends[1]) > 1e-9 * self.size {
            let colors = if self.picture.arms.contains(&joint) { ARM } else { LINK };
            let width = 1.1 * self.radius_at(joint).min(0.5 * self.radius + 0.5 * self.radius_at(parent));
            self.pieces.push((0.5 * (ends[0] + ends[1]), Piece::Tube { ends, width, colors }));
        }
    }

    fn add_joint(&mut self, joint: Joint) {
        let (skeleton, pose) = (self.picture.skeleton, self.picture.pose);
        let (center, radius) = (pose.position(joint), self.radius_at(joint));
        let is_stuck = self.picture.stuck.contains(&joint);
        let solid = match skeleton.kind(joint) {
            Kind::Hinge { axis, .. } => {
                let tone = if is_stuck { STUCK } else { HINGE };
                Solid::drum(center, pose.rotation(joint) * axis, radius, tone)
            }
            Kind::Slide { axis, .. } => {
                let tone = if is_stuck { STUCK } else { SLIDE };
                Solid::block(center, pose.rotation(joint) * axis, radius, tone)
            }
            _ => return,
        };
        self.pieces.push((center, Piece::Solid(solid)));
    }

    /// A hinge's sector with a hand at its value, or a slide's rail.
    fn add_limit(&mut self, joint: Joint) {
        let (skeleton, pose) = (self.picture.skeleton, self.picture.pose);
        let (zero, map) = (skeleton.zero(joint), skeleton.parent(joint).map(|parent| *pose.model(parent)));
        let map = map.unwrap_or(*skeleton.base(joint));
        let center = pose.position(joint);
        match skeleton.kind(joint) {
            Kind::Hinge { axis, range } if range.max - range.min < TAU => {
                let (from, radius) = (self.hand(joint, axis), 2.1 * self.radius_at(joint));
                let turned = |angle: f64| {
                    map.transform_vector3(zero.rotation * (arc::axis_angle(axis, angle) * from)).normalize_or_zero()
                };
                let at = |angle: f64| center + turned(angle) * radius;
                let rim: Vec<DVec3> = angles(range.min, range.max).map(at).collect();
                self.pieces.push((center, Piece::Sector { apex: center, rim }));
                let hand = center + turned(pose.value(skeleton, joint)) * (1.25 * radius);
                self.pieces.push((hand, Piece::Thin { points: vec![center, hand], pen: Pen::new(LIMIT, 1.8) }));
            }
            Kind::Slide { axis, range } if (range.max - range.min).is_finite() => {
                let at = |way: f64| map.transform_point3(zero.translation + zero.rotation * axis * way);
                let points = vec![at(range.min), at(range.max)];
                self.pieces.push((center, Piece::Thin { points, pen: Pen::new(LIMIT, 2.2) }));
            }
            _ => {}
        }
    }

    /// The direction, square to a hinge's axis and in its frame, that its hand shows: to its longest child where that
    /// lies aside of the axis.
    fn hand(&self, joint: Joint, axis: DVec3) -> DVec3 {
        let (skeleton, pose) = (self.picture.skeleton, self.picture.pose);
        let aside = skeleton.children(joint).map(|child| pose.local(child).translation.reject_from_normalized(axis));
        let longest = aside.max_by(|a, b| a.length().total_cmp(&b.length()));
        let longest = longest.filter(|way| way.length() > 0.5 * self.radius).and_then(DVec3::try_normalize);
        longest.unwrap_or_else(|| arc::any_perpendicular(axis))
    }

    fn add_axes(&mut self, axes: &Axes) {
        for (axis, color) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().zip(AXES) {
            let end = axes.position + axes.rotation * axis * self.arrow();
            let pen = if axes.is_target { Pen::dashed(color, 2.0) } else { Pen::new(color, 3.0) };
            // Over the joint at which it stands.
            let depth = 0.5 * (axes.position + end);
            self.pieces.push((depth, Piece::Thin { points: vec![axes.position, end], pen }));
        }
    }

    /// Draws all pieces, the farthest first.
    pub(super) fn draw(&self, svg: &mut Svg, view: &Fitted) {
        let toward = view.view().right.cross(view.view().up);
        let pieces = self.pieces.iter().enumerate();
        let mut order: Vec<(f64, usize)> =
            pieces.map(|(index, (at, piece))| (piece.depth(toward, *at, self.radius), index)).collect();
        order.retain(|(depth, _)| depth.is_finite());
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, index) in order {
            self.pieces[index].1.draw(svg, view);
        }
    }
}

/// Angles from one to the other, both included.
fn angles(from: f64, to: f64) -> impl Iterator<Item = f64> {
    #[allow(clippy::cast_sign_loss, reason = "a positive number of steps")]
    let steps = ((to - from) / STEP).ceil().max(1.0) as u32;
    (0..=steps).map(move |i| from + (to - from) * f64::from(i) / f64::from(steps))
}

#[cfg(test)]
mod tests {
    use sinew::glam::DQuat;
    use sinew::{JointSpec, Skeleton, SkeletonBuilder};

    use super::*;
    use crate::view::{self, Panel, View};

    fn robot(kind: Kind) -> Skeleton {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("base").kind(Kind::Fixed));
        builder.add(JointSpec::named("joint").child_of(0).translation(DVec3::Z).kind(kind));
        builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::Y).kind(Kind::Fixed));
        builder.build().unwrap()
    }

    #[test]
    fn a_hinge_shows_how_far_its_link_may_turn_and_where_it_stands() {
        let robot = robot(Kind::hinge(DVec3::X).within(-0.5, 1.5));
        let (mut pose, joint) = (robot.rest_pose(), robot.joint("joint").unwrap());
        pose.edit(&robot).coordinate(0, 0.7);
        let picture = RobotPicture { limits: vec![joint], ..RobotPicture::new(&robot, &pose) };
        let scene = Scene::of(&picture);
        let rim = scene.pieces.iter().find_map(|(_, piece)| match piece {
            Piece::Sector { rim, .. } => Some(rim),
            _ => None,
        });
        let toward = |at: &DVec3| (*at - DVec3::Z).normalize();
        let link = |angle: f64| DVec3::new(0.0, angle.cos(), angle.sin());
        let rim = rim.unwrap();
        assert!(
            toward(&rim[0]).distance(link(-0.5)) < 1e-12 && toward(rim.last().unwrap()).distance(link(1.5)) < 1e-12
        );
        let hand = scene.pieces.iter().find_map(|(_, piece)| match piece {
            Piece::Thin { points, .. } => points.last(),
            _ => None,
        });
        assert!(toward(hand.unwrap()).distance(toward(&pose.position(robot.joint("tip").unwrap()))) < 1e-12);
    }

    #[test]
    fn a_slide_shows_its_rail() {
        let robot = robot(Kind::slide(DVec3::X).within(-0.5, 1.5));
        let (mut pose, joint) = (robot.rest_pose(), robot.joint("joint").unwrap());
        pose.edit(&robot).coordinate(0, 0.7);
        let picture = RobotPicture { limits: vec![joint], ..RobotPicture::new(&robot, &pose) };
        let rail = Scene::of(&picture).pieces.into_iter().find_map(|(_, piece)| match piece {
            Piece::Thin { points, .. } => Some(points),
            _ => None,
        });
        assert_eq!(rail.unwrap(), [DVec3::new(-0.5, 0.0, 1.0), DVec3::new(1.5, 0.0, 1.0)]);
    }

    #[test]
    fn what_is_nearer_is_drawn_later() {
        let robot = robot(Kind::Fixed);
        let pose = robot.rest_pose();
        let axes = |y: f64| Axes { position: DVec3::Y * y, rotation: DQuat::IDENTITY, is_target: y < 0.0 };
        // From -Y, what lies at -5 covers what lies at 5.
        let view = View { title: "", right: DVec3::X, up: DVec3::Z, right_name: "" };
        let panel = Panel { left: 0.0, top: 0.0, width: 100.0, height: 100.0 };
        for order in [[5.0, -5.0], [-5.0, 5.0]] {
            let picture = RobotPicture { axes: order.map(axes).to_vec(), ..RobotPicture::new(&robot, &pose) };
            let scene = Scene::of(&picture);
            let mut svg = Svg::default();
            scene.draw(&mut svg, &view::fit(&[(view, panel)], &scene.points())[0]);
            let text = svg.finish(100.0, 100.0);
            let red: Vec<&str> = text.lines().filter(|line| line.contains(AXES[0])).collect();
            assert!(!red[0].contains("dasharray") && red[1].contains("dasharray"), "{red:?}");
        }
    }
}
