//! Law 16: from one pose, targets that hardly differ have answers that hardly differ.
//!
//! Borders, where the answer must choose and a hair decides, make a set of no volume: full stretch and full folding, where a
//! straight limb is as near to either side; targets on the line through a root, and half turns; targets as near to one
//! allowed pose as to another. A random target lies on none of them. A solver whose answers jump here has borders everywhere:
//! counted steps, thresholds and restarts that rounding decides.

use alloc::format;
use alloc::vec::Vec;

use fastrand::Rng;

use super::rigs::direction;
use super::{Case, Verdict, ensure, largest_change};
use crate::goal::{Goal, Target};
use crate::math::arc;
use crate::pose::Pose;
use crate::solve::Workspace;

/// How far apart targets are (lengths, radians, ratios), and answers may be (radians), or as far as the subject's carried
/// answers. Near a fold an angle goes with the root of the way: 1e-9 of the length is 3e-5 there; what ends as soon as a goal is
/// met may end a step earlier.
const APART: f64 = 1e-9;
const MOST: f64 = 2e-3;
/// Targets beside each one.
const BESIDE: u32 = 3;

impl Case<'_> {
    pub(super) fn nearby_targets_have_nearby_answers(&self, rng: &mut Rng) -> Verdict {
        let given = self.rig.allowed_pose(rng);
        let most = MOST.max(self.subject.carried);
        for goals in [alloc::vec![self.reachable_goal(rng).0], self.any_goals(rng)] {
            let answer = self.from(&given, &goals);
            for _ in 0..BESIDE {
                let beside: Vec<Goal> = goals.iter().map(|goal| self.beside(goal, rng)).collect();
                let other = self.from(&given, &beside);
                let apart = largest_change(&self.rig.skeleton, &answer, &other);
                ensure(apart < most, || format!("targets {APART} apart have answers {apart} rad apart, {goals:?}"))?;
            }
        }
        Ok(())
    }

    fn from(&self, given: &Pose, goals: &[Goal]) -> Pose {
        let mut pose = given.clone();
        let _ = self.solver.solve(&self.rig.skeleton, goals, &mut pose, &mut Workspace::default());
        pose
    }

    /// The goal with its target a little elsewhere.
    fn beside(&self, goal: &Goal, rng: &mut Rng) -> Goal {
        let moved = direction(rng) * APART * self.rig.length();
        let turn = arc::axis_angle(direction(rng), APART);
        let target = match goal.target {
            Target::Position(place) => Target::Position(place + moved),
            Target::CenterOfMass(place) => Target::CenterOfMass(place + moved),
            Target::Rotation(rotation) => Target::Rotation(turn * rotation),
            Target::Frame { position, rotation } => {
                Target::Frame { position: position + moved, rotation: turn * rotation }
            }
            Target::Aim { axis, point, up } => Target::Aim { axis, point: point + moved, up },
            Target::Axis { axis, direction, up } => Target::Axis { axis, direction: turn * direction, up },
            Target::Scale(ratio) => Target::Scale(ratio * (1.0 + APART)),
        };
        Goal { target, ..*goal }
    }
}
