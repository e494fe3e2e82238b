//! Robots: a URDF file as a rig, and what the verbs do with it. Goals are for links; numbers are for coordinates, in
//! radians and metres, in the order of the file's joints.

pub(crate) mod arm;
mod coordinates;
pub(crate) mod inspect;
pub(crate) mod joints;
mod picture;
mod posed;
pub(crate) mod request;
pub(crate) mod seed;
mod subject;

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use sinew::limit::Range;
use sinew::{Joint, NameError, Pose, Skeleton};
use sinew_urdf::Robot;

use crate::args::RigArgs;
use crate::{input, output, text};

/// Names that errors list in full.
const LONGEST_LIST: usize = 12;

/// A robot with what to call it.
#[derive(Debug)]
pub(crate) struct Machine {
    /// The path as it was given.
    pub(crate) title: String,
    pub(crate) robot: Robot,
}

impl Machine {
    /// The robot that a command is given; none where it is given a character, or nothing.
    pub(crate) fn given(args: &RigArgs) -> Result<Option<Self>> {
        let Some(path) = args.path.as_deref() else { return Ok(None) };
        if input::kind(path)? != input::Kind::Robot {
            return Ok(None);
        }
        if let Some(limits) = &args.limits {
            let limits = text::short_name(limits);
            bail!("--limits {limits}: a robot's limits are those of its file; leave --limits out, or change the file");
        }
        if !args.views.is_empty() {
            bail!("--view: robots are drawn from an angle, the side and above; leave it out");
        }
        crate::figure::no_reference(args.reference.as_deref())?;
        Self::load(path).map(Some)
    }

    /// Loads a URDF file.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let robot = if output::is_standard(path) {
            let text = std::str::from_utf8(input::standard()?);
            sinew_urdf::parse(text.map_err(|_| anyhow!("standard input: not UTF-8 text; convert it"))?)?
        } else {
            sinew_urdf::load(path)?
        };
        Ok(Self { title: output::title(path), robot })
    }

    /// What the robot is called; by its file where that does not say.
    pub(crate) fn name(&self) -> String {
        match self.robot.name.trim() {
            "" => {
                text::short_name(Path::new(&self.title).file_stem().and_then(|stem| stem.to_str()).unwrap_or("robot"))
            }
            name => text::short_name(name),
        }
    }

    /// What its file says that may surprise, a line each.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.robot.notes().iter().map(|note| text::one_line(note)).collect()
    }

    pub(crate) fn skeleton(&self) -> &Skeleton {
        &self.robot.skeleton
    }

    /// What a link is called in reports; the two inner links of a planar joint have no name.
    pub(crate) fn label(&self, link: Joint) -> String {
        self.skeleton().name(link).map_or_else(|| "unnamed".to_owned(), text::short_name)
    }

    /// The link of this name, or the only one of whose name it is a part. The error is half a line, to be put behind
    /// the option's.
    pub(crate) fn link(&self, wanted: &str) -> Result<Joint> {
        let wanted = wanted.trim();
        let name = text::short_name(wanted);
        self.skeleton().find(wanted).map_err(|error| match (error, self.robot.child_of(wanted)) {
            (_, Some(child)) => {
                anyhow!(
                    "'{name}' is a joint, goals are for links; write the link that it moves, '{}'",
                    self.label(child)
                )
            }
            (NameError::Ambiguous { joints, .. }, _) => {
                let fits = text::list(joints.iter().map(|&link| self.label(link)));
                anyhow!("'{name}' fits {}: {fits}; write more of the name", text::count(joints.len(), "link"))
            }
            (NameError::Unknown { nearest, .. }, _) => {
                let nearest = text::list(nearest.iter().map(|name| format!("'{}'", text::short_name(name))));
                anyhow!("no link is called '{name}'; the nearest are {nearest}")
            }
            (other, _) => anyhow!("{other}; `sinew inspect` lists the links"),
        })
    }

    /// The coordinates that move `tip` against `base` (left out, the root link), in the file's order.
    pub(crate) fn coordinates_between(&self, base: Option<Joint>, tip: Joint) -> Vec<usize> {
        let skeleton = self.skeleton();
        let up = |link: Option<Joint>| std::iter::successors(link, |&link| skeleton.parent(link));
        let still: Vec<Joint> = up(base).filter(|&link| skeleton.is_below(tip, link)).collect();
        let moving = up(Some(tip)).take_while(|link| !still.contains(link));
        let mut coordinates: Vec<usize> =
            moving.filter_map(|link| skeleton.drive(link)).map(|drive| drive.coordinate).collect();
        coordinates.sort_unstable();
        coordinates.dedup();
        coordinates
    }

    /// A coordinate's name: its joint's, or `joint/x` and so on of a planar one.
    pub(crate) fn coordinate_name(&self, coordinate: usize) -> &str {
        self.skeleton().coordinates().get(coordinate).and_then(|one| one.name.as_deref()).unwrap_or("unnamed")
    }

    /// `shoulder, elbow, wrist`, of many the first ones.
    pub(crate) fn names(&self, coordinates: &[usize]) -> String {
        let names = coordinates.iter().map(|&coordinate| text::short_name(self.coordinate_name(coordinate)));
        if coordinates.len() <= LONGEST_LIST { names.collect::<Vec<_>>().join(", ") } else { text::list(names) }
    }

    /// Whether the coordinate is an angle.
    pub(crate) fn turns(&self, coordinate: usize) -> bool {
        self.skeleton().driven(coordinate).next().is_some_and(|link| self.skeleton().kind(link).turns())
    }

    /// The coordinate's unit, as objects have it.
    pub(crate) fn unit(&self, coordinate: usize) -> &'static str {
        if self.turns(coordinate) { "radians" } else { "metres" }
    }

    /// A value of a coordinate for people: degrees or a length.
    pub(crate) fn amount(&self, coordinate: usize, value: f64) -> String {
        if self.turns(coordinate) { text::angle(value) } else { text::length(value) }
    }

    pub(crate) fn range(&self, coordinate: usize) -> Range {
        self.skeleton().coordinates().get(coordinate).map_or(Range::FREE, |one| one.range)
    }

    /// Every coordinate at 0, or in the middle of its range where 0 lies outside.
    pub(crate) fn home(&self) -> Pose {
        self.at(|range| if range.contains(0.0) { 0.0 } else { middle(range) })
    }

    /// The pose with a value for each coordinate's range.
    fn at(&self, value: impl Fn(Range) -> f64) -> Pose {
        let mut pose = self.skeleton().rest_pose();
        let mut edit = pose.edit(self.skeleton());
        for (coordinate, one) in self.skeleton().coordinates().iter().enumerate() {
            edit.coordinate(coordinate, value(one.range));
        }
        drop(edit);
        pose
    }
}

/// The middle of a range; without one end its other end, 0 without any.
pub(crate) fn middle(range: Range) -> f64 {
    match (range.min.is_finite(), range.max.is_finite()) {
        (true, true) => 0.5 * (range.min + range.max),
        _ => range.clamp(0.0),
    }
}
