//! How a chain named on the command line swings: its masses, stiffness, damping and stretch.

use std::f64::consts::TAU;

use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::springs::{Bone, Springs, Tail};
use sinew::{Pose, Skeleton};

/// Swings a second for which what hangs loose is damped.
const LOOSE: f64 = 1.0;
/// How much faster bones lengthen and shorten than the chain swings.
const ALONG: f64 = 2.0;

/// How a chain swings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tuning {
    /// Swings a second; 0 is loose.
    pub(crate) frequency: f64,
    /// Share of critical damping.
    pub(crate) damping: f64,
    /// Whether the air damps it.
    pub(crate) by_air: bool,
    /// How long bones may become, 1 where they are rigid.
    pub(crate) stretch: f64,
}

impl Tuning {
    /// The bones of one chain so tuned: as heavy as they are long.
    pub(crate) fn apply(&self, skeleton: &Skeleton, bones: Vec<Bone>) -> Vec<Bone> {
        let rest = skeleton.rest_pose();
        let mass = |bone: &Bone| rest.position(bone.joint).distance(end(&rest, bone));
        let springs = Springs { bones, ..Springs::default() }.each(|bone| Bone { mass: mass(&bone), ..bone });
        let loads: Vec<f64> = springs.bones.iter().map(|bone| load(skeleton, bone, &springs.bones)).collect();
        let mut bones = springs.tuned(skeleton, self.frequency, if self.by_air { 0.0 } else { self.damping }).bones;
        let frequency = if self.frequency > 0.0 { self.frequency } else { LOOSE };
        for (bone, load) in bones.iter_mut().zip(loads) {
            if self.by_air || self.frequency <= 0.0 {
                *bone = bone.dragged(frequency, self.damping);
            }
            if self.stretch > 1.0 {
                let along = ALONG * TAU * frequency;
                bone.stretch = 1.0 / (load * along * along);
                bone.stretch_damping = 2.0 * self.damping * load * along;
                bone.lengths = Range::new(1.0 / self.stretch, self.stretch);
            }
        }
        bones
    }
}

/// Mass of a bone and of all that hang on its end.
fn load(skeleton: &Skeleton, bone: &Bone, all: &[Bone]) -> f64 {
    let hangs = |other: &&Bone| match bone.tail {
        Tail::Joint(tail) => skeleton.is_below(other.joint, tail),
        Tail::Point(_) => false,
    };
    bone.mass + all.iter().filter(hangs).map(|other| other.mass).sum::<f64>()
}

/// Where a bone ends.
pub(crate) fn end(pose: &Pose, bone: &Bone) -> DVec3 {
    match bone.tail {
        Tail::Joint(tail) => pose.position(tail),
        Tail::Point(point) => pose.model(bone.joint).transform_point3(point),
    }
}
