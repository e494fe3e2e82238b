//! A robot: its skeleton, and which of it the file calls what.

use std::path::Path;

use sinew::{Joint, Kind, NameError, Skeleton};

use crate::error::{Fault, LoadError, quoted};
use crate::joint::{Motion, UrdfJoint};
use crate::tree::Tree;
use crate::{skeleton, text, xml};

/// Stands in errors for a file that came as text.
const TEXT: &str = "URDF";
/// Radians of a limit that look like degrees: more turns than cables allow.
const MANY_TURNS: f64 = 4.0 * core::f64::consts::TAU;

/// A loaded URDF file.
#[derive(Clone, Debug)]
pub struct Robot {
    /// The robot's name.
    pub name: String,
    /// The links as joints; at rest every coordinate is 0, also outside its range. A skeleton with the same joints in
    /// the same order, for example one with other limits, may take its place.
    pub skeleton: Skeleton,
    /// In the file's order, each with its child link's place in the order added.
    joints: Vec<(String, usize)>,
    notes: Vec<String>,
}

/// Loads a URDF file. Meshes and other files that it names are not opened.
///
/// # Errors
/// One line that names the file, the line in it, the element, what is wrong and what to do.
pub fn load(path: impl AsRef<Path>) -> Result<Robot, LoadError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|source| LoadError::Read { file: file.clone(), source })?;
    let text = text::decode(bytes).map_err(|(before, fault)| fault.in_text(&before, &file))?;
    read(&text, &file)
}

/// Loads a robot from the text of a URDF file.
///
/// # Errors
/// As [`load`].
pub fn parse(text: &str) -> Result<Robot, LoadError> {
    read(text, TEXT)
}

fn read(text: &str, file: &str) -> Result<Robot, LoadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read_robot(text, file).map_err(|fault| fault.in_text(text, file))
}

fn read_robot(text: &str, file: &str) -> Result<Robot, Fault> {
    let robot = xml::parse(text)?;
    if robot.name != "robot" {
        return Err(Fault::new(&robot, "the outermost element of URDF is <robot>").advise(other_format(&robot.name)));
    }
    let name = robot.required("name")?.to_owned();
    let tree = Tree::read(&robot, text)?;
    let (skeleton, places) = skeleton::build(&tree)?;
    let notes = notes(&tree, text, file);
    let joints = tree.joints.iter().map(|joint| joint.name.to_owned()).zip(places).collect();
    Ok(Robot { name, skeleton, joints, notes })
}

/// What to do about XML that is something else.
fn other_format(root: &str) -> &'static str {
    match root {
        "sdf" | "model" | "world" => "if this is SDF, convert it to URDF first",
        "mujoco" => "this is MuJoCo's MJCF; give a URDF file",
        "COLLADA" => "this is a mesh; give the URDF file that names it",
        "html" | "HTML" => "this is a web page; download the raw file",
        _ => "give a URDF file",
    }
}

/// What may surprise, joint by joint.
fn notes(tree: &Tree<'_>, text: &str, file: &str) -> Vec<String> {
    let (mut at, mut line) = (0, 1);
    let notes = tree.joints.iter().filter_map(|joint| {
        let note = note(tree, joint)?;
        // Joints are in the text's order, so that lines are counted once.
        line += text[at..joint.element.at].matches('\n').count();
        at = joint.element.at;
        Some(format!("{file}:{line}: {}: {note}", joint.element.label()))
    });
    notes.collect()
}

/// What may surprise about a joint.
fn note(tree: &Tree<'_>, joint: &UrdfJoint<'_>) -> Option<String> {
    if let Some(mimic) = joint.mimic.as_ref().filter(|mimic| !tree.joints_by_name.contains_key(mimic.of)) {
        let of = quoted(mimic.of);
        return Some(format!("it mimics the joint {of}, which does not exist, and has a value of its own instead"));
    }
    if joint.is_limit_empty {
        return Some(
            "its <limit> sets neither lower nor upper, which are then 0, so it cannot move; make it continuous or set them".to_owned(),
        );
    }
    match joint.motion {
        Motion::One(Kind::Hinge { range, .. })
            if range.min.abs().max(range.max.abs()) > MANY_TURNS && range.max - range.min < f64::INFINITY =>
        {
            Some("its limit is many turns wide; it is in radians, not in degrees".to_owned())
        }
        _ => None,
    }
}

impl Robot {
    /// The root link.
    #[allow(clippy::missing_panics_doc, reason = "a skeleton has a root")]
    pub fn base(&self) -> Joint {
        self.skeleton.roots().next().expect("a skeleton has a root")
    }

    /// The links without child links, depth-first.
    pub fn tips(&self) -> impl Iterator<Item = Joint> + '_ {
        self.skeleton.iter().filter(|&link| self.skeleton.subtree(link).len() == 1)
    }

    /// The link of this name: what goals are given for.
    ///
    /// # Errors
    /// Where there is none, with the nearest names that there are.
    pub fn link(&self, name: &str) -> Result<Joint, NameError> {
        self.skeleton.joint(name)
    }

    /// Names of the URDF joints, in the file's order.
    pub fn joint_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.joints.iter().map(|(name, _)| name.as_str())
    }

    /// The URDF joints in the file's order, each with its child link.
    pub fn joints(&self) -> impl Iterator<Item = (&str, Joint)> {
        self.joints.iter().filter_map(|(name, place)| Some((name.as_str(), self.skeleton.from_caller(*place)?)))
    }

    /// The child link of a URDF joint, whose kind is what the joint may do; `None` where no joint has the name.
    pub fn child_of(&self, joint: &str) -> Option<Joint> {
        let (_, place) = self.joints.iter().find(|(name, _)| name == joint)?;
        self.skeleton.from_caller(*place)
    }

    /// Place of a URDF joint's value in [`Pose::coordinates`](sinew::Pose::coordinates); `None` for fixed, floating and
    /// mimic joints. A planar joint's are `joint/x`, `joint/y` and `joint/theta`.
    pub fn coordinate(&self, name: &str) -> Option<usize> {
        self.skeleton.coordinate(name)
    }

    /// What the file says that may surprise, one line each: joints whose limits leave them no room because both ends
    /// were left out, limits that look like degrees, mimics of joints that do not exist.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}
