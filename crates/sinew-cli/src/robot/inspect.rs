//! `sinew inspect` of a robot: its joints in the file's order, with what they may do, and the arms that end in its tips.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::Serialize;
use sinew::Pose;

use super::joints::{self, Limb, UrdfJoint};
use super::{Machine, picture};
use crate::Ending;
use crate::args::InspectArgs;
use crate::json::finite;
use crate::output::{self, Written};
use crate::{motion, text};

/// Runs the verb.
pub(crate) fn run(machine: &Machine, args: &InspectArgs) -> Result<Ending> {
    if args.write_sidecar.is_some() {
        bail!("--write-sidecar: a robot's joints, limits and masses are those of its file; change them there");
    }
    let draw = |path: &PathBuf| picture::draw(machine, &machine.home(), path);
    let written =
        Written { files: args.picture.as_ref().map(draw).transpose()?.into_iter().collect(), notes: machine.notes() };
    output::tell(args.json, &machine.title, &written, || Inspected::of(machine), || page(machine))?;
    Ok(Ending::Fine)
}

fn mass(machine: &Machine) -> f64 {
    machine.skeleton().iter().map(|link| machine.skeleton().mass(link).mass).sum()
}

fn page(machine: &Machine) -> String {
    let (skeleton, joints) = (machine.skeleton(), joints::all(machine));
    let links = skeleton.iter().filter(|&link| skeleton.name(link).is_some()).count();
    let counts = [(links, "link"), (joints.len(), "joint"), (skeleton.coordinates().len(), "coordinate")];
    let counts = counts.map(|(count, what)| text::count(count, what)).join(", ");
    let (title, name) = (text::one_line(&machine.title), machine.name());
    let mass = mass(machine);
    let mass = if mass > 0.0 { text::mass(mass) } else { "no masses".to_owned() };
    let mut page = format!("{title}: the robot {name}, {counts}, {mass}\n");
    if !joints.is_empty() {
        let base = machine.label(machine.robot.base());
        let _ = writeln!(
            page,
            "\njoints in the file's order, the root link is {base}; coordinates are numbered; positions are in its frame, {}",
            picture::at(machine)
        );
    }
    let home = machine.home();
    page += &text::columns(&joints.iter().map(|joint| row(machine, &home, joint)).collect::<Vec<_>>());
    let limbs = joints::limbs(machine);
    if !limbs.is_empty() {
        page += "\narms, from the root link to each tip\n";
    }
    page += &text::columns(&limbs.iter().map(|limb| limb_row(machine, limb)).collect::<Vec<_>>());
    page
}

fn row(machine: &Machine, home: &Pose, joint: &UrdfJoint<'_>) -> [String; 7] {
    let numbers: Vec<String> = joint.coordinates.iter().map(ToString::to_string).collect();
    let axis = joint.axis.map(motion::direction).unwrap_or_default();
    let amount = |value: f64| if joint.kind == "prismatic" { text::length(value) } else { text::angle(value) };
    let range = joint.range.map(|range| format!("{} to {}", amount(range.min), amount(range.max)));
    let follows = joint.mimic.map(|drive| {
        let leader = text::short_name(machine.coordinate_name(drive.coordinate));
        let plus = if drive.offset == 0.0 { String::new() } else { format!(" + {}", amount(drive.offset)) };
        format!("= {} × {leader}{plus}", drive.multiplier)
    });
    let [x, y, z] = home.position(joint.child).to_array().map(|value| text::decimals(value, 3));
    let mass = machine.skeleton().mass(joint.child).mass;
    let mass = if mass > 0.0 { format!("  {}", text::mass(mass)) } else { String::new() };
    [
        numbers.join(","),
        text::short_name(joint.name),
        format!("{} {axis}", joint.kind).trim_end().to_owned(),
        range.unwrap_or_default(),
        format!("{} > {}{mass}", joint.parent, machine.label(joint.child)),
        format!("at ({x}, {y}, {z})"),
        follows.unwrap_or_default(),
    ]
}

fn limb_row(machine: &Machine, limb: &Limb) -> [String; 4] {
    let reach = limb.reach.map(|reach| format!("reaches {} at most", text::length(reach)));
    let count = text::count(limb.coordinates.len(), "coordinate");
    [machine.label(limb.tip), count, text::spans(&limb.coordinates), reach.unwrap_or_default()]
}

/// The object.
#[derive(Serialize)]
struct Inspected<'a> {
    robot: &'a str,
    base: String,
    mass: f64,
    links: Vec<LinkObject<'a>>,
    joints: Vec<JointObject<'a>>,
    coordinates: Vec<CoordinateObject<'a>>,
    arms: Vec<ArmObject<'a>>,
}

#[derive(Serialize)]
struct LinkObject<'a> {
    name: Option<&'a str>,
    mass: f64,
    center: [f64; 3],
    position: [f64; 3],
    rotation: [f64; 4],
}

#[derive(Serialize)]
struct JointObject<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    parent: String,
    child: String,
    axis: Option<[f64; 3]>,
    limits: Option<[Option<f64>; 2]>,
    limits_degrees: Option<[Option<f64>; 2]>,
    mimic: Option<MimicObject<'a>>,
    coordinates: Vec<&'a str>,
}

#[derive(Serialize)]
struct MimicObject<'a> {
    joint: &'a str,
    multiplier: f64,
    offset: f64,
}

#[derive(Serialize)]
struct CoordinateObject<'a> {
    name: &'a str,
    unit: &'static str,
    min: Option<f64>,
    max: Option<f64>,
}

#[derive(Serialize)]
struct ArmObject<'a> {
    tip: String,
    coordinates: Vec<&'a str>,
    reach: Option<f64>,
}

impl<'a> Inspected<'a> {
    fn of(machine: &'a Machine) -> Self {
        let (skeleton, home) = (machine.skeleton(), machine.home());
        let links = skeleton.iter().filter(|&link| skeleton.name(link).is_some()).map(|link| LinkObject {
            name: skeleton.name(link),
            mass: skeleton.mass(link).mass,
            center: skeleton.mass(link).center.to_array(),
            position: home.position(link).to_array(),
            rotation: home.rotation(link).to_array(),
        });
        let coordinates = (0..skeleton.coordinates().len()).map(|coordinate| {
            let (name, range) = (machine.coordinate_name(coordinate), machine.range(coordinate));
            CoordinateObject { name, unit: machine.unit(coordinate), min: finite(range.min), max: finite(range.max) }
        });
        let arms = joints::limbs(machine).into_iter().map(|limb| ArmObject {
            tip: machine.label(limb.tip),
            coordinates: names(machine, &limb.coordinates),
            reach: limb.reach,
        });
        Self {
            robot: &machine.robot.name,
            base: machine.label(machine.robot.base()),
            mass: mass(machine),
            links: links.collect(),
            joints: joints::all(machine).into_iter().map(|joint| JointObject::of(machine, joint)).collect(),
            coordinates: coordinates.collect(),
            arms: arms.collect(),
        }
    }
}

impl<'a> JointObject<'a> {
    fn of(machine: &'a Machine, joint: UrdfJoint<'a>) -> Self {
        let ends = joint.range.map(|range| [range.min, range.max]);
        let degrees = ends.filter(|_| joint.kind == "revolute").map(|ends| ends.map(|end| finite(end.to_degrees())));
        Self {
            name: joint.name,
            kind: joint.kind,
            parent: joint.parent,
            child: machine.label(joint.child),
            axis: joint.axis.map(|axis| axis.to_array()),
            limits: ends.map(|ends| ends.map(finite)),
            limits_degrees: degrees,
            mimic: joint.mimic.map(|drive| MimicObject {
                joint: machine.coordinate_name(drive.coordinate),
                multiplier: drive.multiplier,
                offset: drive.offset,
            }),
            coordinates: names(machine, &joint.coordinates),
        }
    }
}

fn names<'a>(machine: &'a Machine, coordinates: &[usize]) -> Vec<&'a str> {
    coordinates.iter().map(|&one| machine.coordinate_name(one)).collect()
}
