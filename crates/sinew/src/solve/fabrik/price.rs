//! What the parts of a solve take, for its budget.

use super::body::BodyMotion;
use super::effector::Effector;
use super::tree::BodyTree;
use crate::goal::Goal;
use crate::linear::ldl;

// Nanoseconds, as fitted to the processor time of 900 solves of random skeletons and goals and to how often each did what: four
// in five of them took what these say to 15 %.

/// Forward kinematics of a body; a target brought up to date, an aim, and a rotation of which some components are masked.
const BODY: usize = 49;
const TARGET: usize = 15;
const AIM: usize = 75;
const MASKED: usize = 230;
/// A step: at all, for each body, for each inside a limit, and for each goal that it moves.
const STEP: usize = 220;
const STEP_BODY: usize = 28;
const STEP_LIMITED: usize = 80;
const STEP_ARM: usize = 36;
/// A pass: for each body, for each inside a limit, and for each row of the system that it moves.
const PASS_BODY: usize = 250;
const PASS_LIMITED: usize = 280;
const PASS_ROW: usize = 34;
/// A joint as bodies are gathered.
const GATHERED: usize = 130;

/// Prices of the parts; the same as long as bodies and effectors are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Prices {
    /// Gathering.
    pub(super) gather: usize,
    /// Bringing bodies and effectors up to date.
    pub(super) update: usize,
    /// A step of least turn, and bringing all up to date after it.
    pub(super) step: usize,
    /// A pass back and forth and a turning one, without their steps.
    pub(super) pass: usize,
}

impl Prices {
    pub(super) fn of(tree: &BodyTree, goals: &[Goal]) -> Self {
        let targets: usize = tree.effectors.iter().map(|effector| target(effector, goals)).sum();
        let update = BODY * tree.bodies.len() + targets;
        let height: usize = tree.effectors.iter().map(rows).sum();
        let mut step = STEP + update + height * height + ldl::price(height);
        let mut pass = 3 * update;
        for (i, body) in tree.bodies.iter().enumerate() {
            let moved = tree.effectors.iter().enumerate().filter(|&(e, _)| tree.acts(i, e));
            let (arms, rows) = moved.fold((0, 0), |(arms, sum), (_, effector)| (arms + 1, sum + rows(effector)));
            let limited = usize::from(body.motion == BodyMotion::Limited);
            step += STEP_BODY + STEP_LIMITED * limited + STEP_ARM * arms + rows * rows * 3 / 20;
            pass += PASS_BODY + PASS_LIMITED * limited + PASS_ROW * rows;
        }
        Self { gather: GATHERED * tree.slots.len(), update, step, pass }
    }
}

/// Of bringing a target up to date.
fn target(effector: &Effector, goals: &[Goal]) -> usize {
    match (effector.ray, effector.given.1) {
        (Some(_), _) => AIM,
        (None, Some(_)) if !goals[effector.goal].mask.rotation.all() => MASKED,
        _ => TARGET,
    }
}

/// Rows of an effector in the system of a step.
fn rows(effector: &Effector) -> usize {
    let turns = effector.given.1.is_some() || effector.ray.is_some();
    3 * (usize::from(effector.given.0.is_some()) + usize::from(turns))
}

#[cfg(test)]
mod tests {
    use glam::{BVec3, DQuat, DVec3};

    use super::*;
    use crate::solve::{Fabrik, Workspace};
    use crate::{JointSpec, Kind, Mask, SkeletonBuilder};

    /// Of two frames asked of the last of so many joints.
    fn prices(kind: Kind, joints: usize, mask: Mask) -> Prices {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("0").kind(kind));
        for joint in 1..joints {
            let spec = JointSpec::named(std::format!("{joint}")).child_of(joint - 1);
            builder.add(spec.translation(DVec3::Y).kind(kind));
        }
        let skeleton = builder.build().unwrap();
        let (pose, mut work, mut tree) = (skeleton.rest_pose(), Workspace::default(), BodyTree::default());
        let tip = skeleton.joint(&std::format!("{}", joints - 1)).unwrap();
        let frame = |x: f64| Goal::frame(tip, DVec3::X * x, DQuat::IDENTITY).offset(DVec3::Y * x).mask(mask);
        let goals = [frame(0.5), frame(1.0)];
        work.begin(&goals);
        tree.gather(&Fabrik::default(), &skeleton, &goals, &pose, &work);
        tree.prices
    }

    #[test]
    fn steps_have_their_price() {
        let hinge = Kind::hinge(DVec3::X);
        let partial = Mask { rotation: BVec3::new(true, false, true), ..Mask::default() };
        // Three bodies with two frames, some components of their rotations masked, took 2,500 nanoseconds a step that was taken back.
        let masked = prices(hinge, 3, partial);
        assert!((1500..3500).contains(&(masked.step + masked.update)), "{masked:?}");
        // What is masked costs as much as the rest of it.
        let plain = prices(hinge, 3, Mask::default());
        assert!(masked.step > plain.step + 300 && masked.pass > plain.pass + 900, "{masked:?} {plain:?}");
        // The system's share grows less than bodies do.
        let long = prices(hinge, 60, Mask::default());
        assert!((8..20).contains(&(long.step / plain.step)), "{long:?} {plain:?}");
    }
}
