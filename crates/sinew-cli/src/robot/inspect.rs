//! `sinew inspect` of a robot: its joints in the file's order, with what they may do, and the arms that end in its tips.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::{Value, json};
use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::solve::serial::Arm;
use sinew::{Joint, Kind};

use super::{Machine, picture};
use crate::Ending;
use crate::args::InspectArgs;
use crate::{motion, output, text};

/// Runs the verb.
pub(crate) fn run(machine: &Machine, args: &InspectArgs) -> Result<Ending> {
    if args.write_sidecar.is_some() {
        bail!("--write-sidecar: a robot's joints, limits and masses are those of its file; change them there");
    }
    let draw = |path: &PathBuf| picture::draw(machine, &machine.home(), path);
    let written: Vec<String> = args.picture.as_ref().map(draw).transpose()?.into_iter().collect();
    let page = if args.json {
        let mut object = object(machine);
        object["written"] = json!(written);
        format!("{object}\n")
    } else {
        let lines = written.iter().map(|file| format!("wrote {}\n", text::one_line(file)));
        page(machine) + &lines.collect::<String>()
    };
    output::print(&page)?;
    Ok(Ending::Fine)
}

/// A joint of the file: what it does to its child link.
struct UrdfJoint<'a> {
    name: &'a str,
    kind: &'static str,
    parent: String,
    child: Joint,
    axis: Option<DVec3>,
    /// Of the joint itself; what mimics it may leave less of it.
    range: Option<Range>,
    /// The coordinate that it follows by `multiplier · q + offset`.
    mimic: Option<sinew::Drive>,
    /// Its own coordinates, three of a planar joint.
    coordinates: Vec<usize>,
}

impl<'a> UrdfJoint<'a> {
    fn of(machine: &'a Machine, name: &'a str) -> Option<Self> {
        let (skeleton, robot) = (machine.skeleton(), &machine.robot);
        let child = robot.child_of(name)?;
        let planar: Vec<usize> =
            ["x", "y", "theta"].iter().filter_map(|part| robot.coordinate(&format!("{name}/{part}"))).collect();
        let own: Vec<usize> = robot.coordinate(name).into_iter().collect();
        let (axis, range) = match skeleton.kind(child) {
            Kind::Hinge { axis, range } | Kind::Slide { axis, range } => (Some(axis), Some(range)),
            _ => (None, None),
        };
        let kind = match skeleton.kind(child) {
            Kind::Hinge { .. } if planar.len() == 3 => "planar",
            Kind::Hinge { range: Range::FREE, .. } => "continuous",
            Kind::Hinge { .. } => "revolute",
            Kind::Slide { .. } => "prismatic",
            Kind::Fixed => "fixed",
            _ => "floating",
        };
        let drive = skeleton.drive(child);
        let is_own = drive.is_some_and(|drive| own.contains(&drive.coordinate) || planar.contains(&drive.coordinate));
        let above = skeleton.parent(child).map(|above| {
            if planar.len() == 3 {
                skeleton.parent(skeleton.parent(above).unwrap_or(above)).unwrap_or(above)
            } else {
                above
            }
        });
        Some(Self {
            name,
            kind,
            parent: above.map(|above| machine.label(above)).unwrap_or_default(),
            child,
            axis,
            range: range.filter(|range| *range != Range::FREE),
            mimic: drive.filter(|_| !is_own),
            coordinates: if planar.len() == 3 { planar } else { own },
        })
    }
}

fn joints(machine: &Machine) -> Vec<UrdfJoint<'_>> {
    machine.robot.joint_names().filter_map(|name| UrdfJoint::of(machine, name)).collect()
}

/// An arm: the coordinates that move a tip.
struct Found {
    tip: Joint,
    coordinates: Vec<usize>,
    /// No point of the tip's reach is farther from the arm's first joint (metres); none where a joint floats or a slide
    /// has no end.
    reach: Option<f64>,
}

/// What ends in each tip, those that nothing moves left out.
fn arms(machine: &Machine) -> Vec<Found> {
    let tips: Vec<Joint> = machine.robot.tips().collect();
    let of = |tip: Joint| {
        let coordinates = machine.coordinates_between(None, tip);
        let arm = Arm::new(machine.skeleton(), machine.robot.base(), tip).ok();
        let slides = coordinates.iter().filter(|&&one| !machine.turns(one)).map(|&one| machine.range(one));
        let longest: f64 = slides.map(|range| range.min.abs().max(range.max.abs())).sum();
        let reach = arm.map(|arm| arm.length() + longest).filter(|reach| reach.is_finite());
        Found { tip, coordinates, reach }
    };
    tips.into_iter().map(of).filter(|arm| !arm.coordinates.is_empty()).collect()
}

fn mass(machine: &Machine) -> f64 {
    machine.skeleton().iter().map(|link| machine.skeleton().mass(link).mass).sum()
}

fn page(machine: &Machine) -> String {
    let (skeleton, joints) = (machine.skeleton(), joints(machine));
    let links = skeleton.iter().filter(|&link| skeleton.name(link).is_some()).count();
    let mut page = format!(
        "{}: the robot {}, {}, {}, {}, {:.3} kg\n",
        text::one_line(&machine.title),
        text::short_name(&machine.robot.name),
        text::count(links, "link"),
        text::count(joints.len(), "joint"),
        text::count(skeleton.coordinates().len(), "coordinate"),
        mass(machine)
    );
    let _ = writeln!(
        page,
        "\njoints in the file's order, below {}; coordinates are numbered",
        machine.label(machine.robot.base())
    );
    let rows: Vec<[String; 6]> = joints.iter().map(|joint| row(machine, joint)).collect();
    page += &text::columns(&rows);
    let arms = arms(machine);
    if !arms.is_empty() {
        let _ = writeln!(page, "\narms");
    }
    let rows: Vec<[String; 4]> = arms.iter().map(|arm| arm_row(machine, arm)).collect();
    page += &text::columns(&rows);
    if !machine.robot.notes().is_empty() {
        page += "\nnotes\n";
    }
    for note in machine.robot.notes() {
        let _ = writeln!(page, "  {}", text::one_line(note));
    }
    page
}

fn row(machine: &Machine, joint: &UrdfJoint<'_>) -> [String; 6] {
    let numbers: Vec<String> = joint.coordinates.iter().map(ToString::to_string).collect();
    let axis = joint.axis.map(motion::direction).unwrap_or_default();
    let amount = |value: f64| if joint.kind == "prismatic" { text::length(value) } else { text::angle(value) };
    let range = joint.range.map(|range| format!("{} to {}", amount(range.min), amount(range.max)));
    let follows = joint.mimic.map(|drive| {
        let leader = text::short_name(machine.coordinate_name(drive.coordinate));
        let plus = if drive.offset == 0.0 { String::new() } else { format!(" + {}", amount(drive.offset)) };
        format!("= {} × {leader}{plus}", drive.multiplier)
    });
    let mass = machine.skeleton().mass(joint.child).mass;
    let mass = if mass > 0.0 { format!("  {mass} kg") } else { String::new() };
    [
        numbers.join(","),
        text::short_name(joint.name),
        format!("{} {axis}", joint.kind).trim_end().to_owned(),
        range.unwrap_or_default(),
        format!("{} > {}{mass}", joint.parent, machine.label(joint.child)),
        follows.unwrap_or_default(),
    ]
}

fn arm_row(machine: &Machine, arm: &Found) -> [String; 4] {
    let reach = arm.reach.map(|reach| format!("reaches {} at most", text::length(reach)));
    [
        machine.label(arm.tip),
        text::count(arm.coordinates.len(), "coordinate"),
        reach.unwrap_or_default(),
        machine.names(&arm.coordinates),
    ]
}

fn object(machine: &Machine) -> Value {
    let skeleton = machine.skeleton();
    let joints = joints(machine);
    let finite = |value: f64| value.is_finite().then_some(value);
    let joint = |joint: &UrdfJoint<'_>| {
        let mimic = joint.mimic.map(|drive| json!({ "joint": machine.coordinate_name(drive.coordinate), "multiplier": drive.multiplier, "offset": drive.offset }));
        json!({
            "name": joint.name,
            "type": joint.kind,
            "parent": joint.parent,
            "child": machine.label(joint.child),
            "axis": joint.axis.map(|axis| axis.to_array()),
            "limits": joint.range.map(|range| [finite(range.min), finite(range.max)]),
            "mimic": mimic,
            "coordinates": joint.coordinates,
        })
    };
    let coordinates = (0..skeleton.coordinates().len()).map(|coordinate| {
        let range = machine.range(coordinate);
        let unit = if machine.turns(coordinate) { "radians" } else { "metres" };
        json!({ "name": machine.coordinate_name(coordinate), "unit": unit, "min": finite(range.min), "max": finite(range.max) })
    });
    let links = skeleton
        .iter()
        .filter(|&link| skeleton.name(link).is_some())
        .map(|link| json!({ "name": skeleton.name(link), "mass": skeleton.mass(link).mass }));
    let arms = arms(machine)
        .into_iter()
        .map(|arm| json!({ "tip": machine.label(arm.tip), "coordinates": arm.coordinates, "reach": arm.reach }));
    json!({
        "rig": machine.title,
        "robot": machine.robot.name,
        "base": machine.label(machine.robot.base()),
        "mass": mass(machine),
        "links": links.collect::<Vec<_>>(),
        "joints": joints.iter().map(joint).collect::<Vec<_>>(),
        "coordinates": coordinates.collect::<Vec<_>>(),
        "arms": arms.collect::<Vec<_>>(),
        "notes": machine.robot.notes(),
    })
}
