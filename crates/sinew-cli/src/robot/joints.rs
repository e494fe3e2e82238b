//! A robot's joints as its file has them, and the arms that they make.

use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::{Drive, Joint, Kind};
use sinew_arm::Arm;

use super::Machine;

/// A joint of the file: what it does to its child link.
#[derive(Debug)]
pub(crate) struct UrdfJoint<'a> {
    pub(crate) name: &'a str,
    /// Its type, as URDF calls it.
    pub(crate) kind: &'static str,
    pub(crate) parent: String,
    pub(crate) child: Joint,
    pub(crate) axis: Option<DVec3>,
    /// Of the joint itself; what mimics it may leave less of it.
    pub(crate) range: Option<Range>,
    /// The coordinate that it follows by `multiplier · q + offset`.
    pub(crate) mimic: Option<Drive>,
    /// Its own coordinates, three of a planar joint.
    pub(crate) coordinates: Vec<usize>,
}

impl<'a> UrdfJoint<'a> {
    fn of(machine: &'a Machine, name: &'a str, child: Joint) -> Self {
        let skeleton = machine.skeleton();
        let drive = skeleton.drive(child);
        let driver = drive.map_or("", |drive| machine.coordinate_name(drive.coordinate));
        let is_planar = driver.strip_prefix(name) == Some("/theta");
        let (axis, range) = match skeleton.kind(child) {
            Kind::Hinge { axis, range } | Kind::Slide { axis, range } => (Some(axis), Some(range)),
            _ => (None, None),
        };
        let kind = match skeleton.kind(child) {
            _ if is_planar => "planar",
            Kind::Hinge { range: Range::FREE, .. } => "continuous",
            Kind::Hinge { .. } => "revolute",
            Kind::Slide { .. } => "prismatic",
            Kind::Fixed => "fixed",
            _ => "floating",
        };
        // A planar joint is three, of which the inner links have no name.
        let up = || std::iter::successors(Some(child), |&link| skeleton.parent(link));
        let parent = up().skip(1).find(|&link| skeleton.name(link).is_some());
        let places = if is_planar { 3 } else { usize::from(driver == name) };
        let mut coordinates: Vec<usize> =
            up().take(places).filter_map(|link| skeleton.drive(link)).map(|drive| drive.coordinate).collect();
        coordinates.reverse();
        Self {
            name,
            kind,
            parent: parent.map(|parent| machine.label(parent)).unwrap_or_default(),
            child,
            axis,
            range: range.filter(|range| *range != Range::FREE),
            mimic: drive.filter(|_| coordinates.is_empty()),
            coordinates,
        }
    }
}

/// The joints in the file's order.
pub(crate) fn all(machine: &Machine) -> Vec<UrdfJoint<'_>> {
    machine.robot.joints().map(|(name, child)| UrdfJoint::of(machine, name, child)).collect()
}

/// A way from the root link to a tip, and the coordinates that move it.
#[derive(Debug)]
pub(crate) struct Limb {
    pub(crate) tip: Joint,
    /// In the file's order.
    pub(crate) coordinates: Vec<usize>,
    /// No point of the tip's reach is farther from the limb's first joint (metres); none where a joint floats or a slide
    /// has no end.
    pub(crate) reach: Option<f64>,
}

/// What ends in each tip, those that nothing moves left out.
pub(crate) fn limbs(machine: &Machine) -> Vec<Limb> {
    let skeleton = machine.skeleton();
    let limb = |tip: Joint| {
        let coordinates = machine.coordinates_between(None, tip);
        let arm = Arm::new(skeleton, machine.robot.base(), tip).ok();
        let reach = arm.map(|arm| longest(machine, &arm, tip)).filter(|reach| reach.is_finite());
        Limb { tip, coordinates, reach }
    };
    machine.robot.tips().map(limb).filter(|limb| !limb.coordinates.is_empty()).collect()
}

/// No point of the tip's reach is farther from the arm's first joint (metres); endless where a slide is.
pub(crate) fn longest(machine: &Machine, arm: &Arm, tip: Joint) -> f64 {
    let skeleton = machine.skeleton();
    let up = std::iter::successors(Some(tip), |&link| skeleton.parent(link));
    let slides = up.filter_map(|link| match skeleton.kind(link) {
        Kind::Slide { range, .. } => Some(range.min.abs().max(range.max.abs()) + skeleton.drive(link)?.offset.abs()),
        _ => None,
    });
    arm.length() + slides.sum::<f64>()
}
