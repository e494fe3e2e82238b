//! What is tried from the pose given where steps against springs do not meet the goals: others without springs, of a body
//! those of [`Jacobian`](crate::Jacobian), which go along limits quicker; then the springs settle.

use super::body::{MassBody, Shift, TurnKind};
use super::settle::{CLEARLY, Context, LONGEST, Run, STAGES};
use super::system::StepOptions;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::Kind;
use crate::solve::Solver as _;
use crate::solve::jacobian::perturb::rest_bend;
use crate::solve::jacobian::posture::to_middle;
use crate::transform::Transform;

/// Turn of every joint beside a line (radians).
const BEND: f64 = 0.3;
/// Steps to settle. HEURISTIC: in so many the springs have given back nearly all that they will.
const CALM: u32 = 30;

impl Run {
    /// Closes from the pose given, or from beside it, without springs; where that is not clearly better, the pose stays.
    pub(super) fn retry(&mut self, context: &mut Context<'_>, beside: bool, pose: &mut Pose) {
        let reached = self.rows.energy(false);
        self.best.clone_from(pose);
        pose.clone_from(&self.given);
        if beside {
            self.perturb(context, pose);
        }
        self.measure(context, pose);
        // Nothing else keeps a balance.
        let led = self.is_body() && !self.plan.balances;
        if led {
            self.lead(context, pose);
        } else {
            self.within(self.share(), |run| run.close(context, pose));
        }
        if !self.rows.must_met && self.rows.energy(false) > reached * (1.0 - CLEARLY) {
            core::mem::swap(&mut self.best, pose);
            self.measure(context, pose);
        } else if led && self.rows.must_met {
            self.calm(context, pose);
        }
    }

    /// Moves a body to its goals by the descent of [`Jacobian`].
    fn lead(&mut self, context: &mut Context<'_>, pose: &mut Pose) {
        let jacobian = &mut self.jacobian;
        jacobian.iterations = self.left;
        jacobian.position_tolerance = context.solver.position_tolerance;
        jacobian.rotation_tolerance = context.solver.rotation_tolerance;
        // A joint that is held in its place would travel there.
        let pinned = |body: &&MassBody| context.skeleton.kind(body.joint) == Kind::Free && body.shift == Shift::Held;
        let joints = jacobian.joints.get_or_insert_default();
        joints.clear();
        joints.extend(self.plan.bodies.iter().filter(|body| !pinned(body)).map(|body| body.joint));
        self.left -= jacobian.solve(context.skeleton, &self.goals, pose, context.work).iterations.min(self.left);
        self.measure(context, pose);
    }

    /// Lets the springs settle where all goals are met; the pose stays where they are not any more.
    fn calm(&mut self, context: &mut Context<'_>, pose: &mut Pose) {
        self.best.clone_from(pose);
        let (firm, near) = STAGES[STAGES.len() - 1];
        let options = StepOptions { firm, pulls: true, leans: true, damping: 0.0, curved: false, longest: LONGEST.0 };
        self.within(CALM, |run| run.descend(context, pose, options, near));
        self.lead(context, pose);
        if !self.rows.must_met {
            core::mem::swap(&mut self.best, pose);
            self.measure(context, pose);
        }
    }

    /// Bends every joint a little, the way it bends at rest or prefers to. Of a body's, those with limits go to the middle of
    /// them, where every way is open.
    fn perturb(&self, context: &Context<'_>, pose: &mut Pose) {
        let skeleton = context.skeleton;
        let several = self.is_body();
        for body in &self.plan.bodies {
            let coordinate = body.driven.map(|driven| (driven.index, driven.range));
            if several && to_middle(skeleton, body.joint, coordinate, 1.0, &mut pose.edit(skeleton)) {
                continue;
            }
            let local = *pose.local(body.joint);
            let Some(axis) = rest_bend(skeleton, body.joint) else { continue };
            match (body.turn, body.driven) {
                (TurnKind::About(_), Some(driven)) => {
                    let q = pose.coordinates()[driven.index];
                    // The way it prefers; the other way where the range ends.
                    let bend = BEND * driven.prefers;
                    let first = driven.range.clamp(q + bend);
                    let to = if (first - q).abs() > 0.5 * BEND { first } else { driven.range.clamp(q - bend) };
                    pose.edit(skeleton).coordinate(driven.index, to);
                }
                (TurnKind::Ball { .. }, _) => {
                    let rotation = arc::normalize(local.rotation * arc::axis_angle(axis, BEND));
                    let allowed = skeleton.nearest_allowed(body.joint, &Transform { rotation, ..local }, 0.0);
                    pose.edit(skeleton).local(body.joint, allowed);
                }
                _ => debug_assert!(body.turn == TurnKind::Held || body.shift != Shift::Held),
            }
        }
    }
}
