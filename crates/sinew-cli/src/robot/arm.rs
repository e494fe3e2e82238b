//! One arm of a robot: which link stands still, which one is the tip, and what moves between them.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::{Joint, JointSpec, Kind, Pose};
use sinew_arm::Arm;

use super::Machine;
use crate::text;

/// A robot's arm. Its coordinates are those of [`Arm::coordinates`]; people get them in the file's order.
#[derive(Debug)]
pub(crate) struct RobotArm {
    pub(crate) machine: Machine,
    pub(crate) base: Joint,
    pub(crate) tip: Joint,
    pub(crate) arm: Arm,
}

impl RobotArm {
    /// Loads a URDF file. Left out, the base is the root and the tip the only link on which nothing hangs; `option` is
    /// what names the tip.
    pub(crate) fn load(path: &Path, base: Option<&str>, option: &str, tip: Option<&str>) -> Result<Self> {
        let machine = Machine::load(path)?;
        let link = |option: &str, name: &str| {
            machine.link(name).with_context(|| format!("{option} '{}'", text::short_name(name)))
        };
        let base = base.map_or_else(|| Ok(machine.robot.base()), |name| link("--base", name))?;
        let tip = tip.map_or_else(|| only_tip(&machine, option), |name| link(option, name))?;
        let arm = Arm::new(machine.skeleton(), base, tip).map_err(|error| {
            let [base, tip] = [base, tip].map(|link| machine.label(link));
            anyhow!("from '{base}' to '{tip}': {error}")
        })?;
        Ok(Self { machine, base, tip, arm })
    }

    /// The arm as if no joint had a range.
    pub(crate) fn without_limits(&self) -> Option<Arm> {
        let free = |_, spec: &mut JointSpec| {
            if let Kind::Hinge { range, .. } | Kind::Slide { range, .. } = &mut spec.kind {
                *range = Range::FREE;
            }
        };
        Arm::new(&self.machine.skeleton().revised(free).ok()?, self.base, self.tip).ok()
    }

    /// What the base is called, and the tip.
    pub(crate) fn ends(&self) -> [String; 2] {
        [self.base, self.tip].map(|link| self.machine.label(link))
    }

    /// The robot's coordinates that move the tip, in the file's order, with their places among the arm's.
    pub(crate) fn order(&self) -> Vec<(usize, usize)> {
        let mut order: Vec<(usize, usize)> = self.arm.coordinates().iter().copied().zip(0..).collect();
        order.sort_unstable();
        order
    }

    /// Names of the joints that move the tip, in the file's order.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.order().into_iter().map(|(coordinate, _)| self.machine.coordinate_name(coordinate)).collect()
    }

    /// The arm's coordinates in a pose.
    pub(crate) fn coordinates(&self, pose: &Pose) -> Vec<f64> {
        self.arm.coordinates().iter().map(|&coordinate| pose.coordinates()[coordinate]).collect()
    }

    /// A pose with the arm's coordinates changed.
    pub(crate) fn posed(&self, pose: &Pose, coordinates: &[f64]) -> Pose {
        let mut pose = pose.clone();
        let mut edit = pose.edit(self.machine.skeleton());
        for (&coordinate, &value) in self.arm.coordinates().iter().zip(coordinates) {
            edit.coordinate(coordinate, value);
        }
        drop(edit);
        pose
    }

    /// The links from the tip up to the base.
    pub(crate) fn links(&self) -> impl Iterator<Item = Joint> + '_ {
        let above = |&link: &Joint| self.machine.skeleton().parent(link).filter(|_| link != self.base);
        std::iter::successors(Some(self.tip), above)
    }

    /// Where the links from base to tip are, in the base's frame.
    pub(crate) fn places(&self, pose: &Pose) -> Vec<DVec3> {
        let into = pose.model(self.base).inverse();
        let mut places: Vec<DVec3> = self.links().map(|link| into.transform_point3(pose.position(link))).collect();
        places.reverse();
        places
    }
}

fn only_tip(machine: &Machine, option: &str) -> Result<Joint> {
    let tips: Vec<Joint> = machine.robot.tips().collect();
    if let [tip] = tips[..] {
        return Ok(tip);
    }
    let names = text::list(tips.iter().map(|&tip| machine.label(tip)));
    bail!(
        "{option}: {} have nothing below them ({names}); name one of them, or another link",
        text::count(tips.len(), "link")
    )
}
