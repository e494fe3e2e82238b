//! What takes part in a solve: the goals, the bodies that they may move, and which of their variables touch.

use alloc::vec::Vec;

use super::body::{MassBody, Shift};
use super::settings::MassSpring;
use crate::goal::{Goal, Tolerance};
use crate::math::ops;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::Workspace;
use crate::solve::jacobian::GoalTask;
use crate::solve::jacobian::goal_task::GoalPart;
use crate::solve::jacobian::unit::sizes;
use crate::solve::problem::Engine as _;
use crate::solve::pulls::Pulls;
use crate::solve::report::near;

/// A part of a goal.
#[derive(Clone, Debug)]
pub(super) struct SpringTarget {
    pub(super) task: GoalTask,
    /// Place of the goal in the caller's order.
    pub(super) goal: usize,
    /// Pull as a share of the largest.
    pub(super) strength: f64,
    /// Length of what may be left: lengths of the chain, or radians.
    pub(super) near: f64,
    /// Whether it gives way to all others: an up, or (but for a centre of mass) what has no pull.
    pub(super) yields: bool,
}

/// Goals that are solved together: those without a base, or those with the same one.
#[derive(Debug, Default)]
pub(super) struct BalancePlan {
    pub(super) targets: Vec<SpringTarget>,
    pub(super) bodies: Vec<MassBody>,
    /// The body that carries each joint.
    carriers: Vec<Option<u32>>,
    /// Pairs of variables that touch, and how many variables there are.
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) variables: usize,
    /// Length of the longest chain (metres).
    pub(super) unit: f64,
    /// The length of which tolerances are a share (metres).
    pub(super) length: f64,
    /// Largest stiffness of a body.
    pub(super) stiffest: f64,
    /// Whether the balance is kept here.
    pub(super) balances: bool,
}

impl BalancePlan {
    /// Lists what the goals of one base ask, and what may move for them.
    pub(super) fn make(
        &mut self,
        solver: &MassSpring,
        skeleton: &Skeleton,
        (goals, base): (&[Goal], Option<Joint>),
        pose: &Pose,
        work: &Workspace,
    ) {
        let acts = |&place: &usize| solver.acts_on(skeleton, &goals[place]);
        let may_move = |joint: Joint| solver.hips.is_none_or(|hips| skeleton.is_below(joint, hips));
        let sizes = sizes(may_move, skeleton, pose, work.order().filter(acts).map(|place| &goals[place]));
        (self.unit, self.length) = (sizes.unit, sizes.length);
        self.targets.clear();
        self.bodies.clear();
        self.carriers.clear();
        self.carriers.resize(skeleton.len(), None);
        self.balances = base.is_none() && solver.balance.is_some();
        if self.balances {
            self.mark_weighing(solver, skeleton);
        }
        let ours = work.order().filter(acts).map(|place| &goals[place]).filter(|goal| goal.base == base);
        let pulls = Pulls::of(ours.map(|goal| goal.pull));
        for place in work.order().filter(acts) {
            let goal = &goals[place];
            if goal.base == base {
                self.add_goal(solver, skeleton, (place, goal, pulls), (pose, work));
            }
        }
        self.add_bodies(solver, skeleton);
        self.touch(skeleton);
    }

    fn add_goal(
        &mut self,
        solver: &MassSpring,
        skeleton: &Skeleton,
        (place, goal, pulls): (usize, &Goal, Pulls),
        (pose, work): (&Pose, &Workspace),
    ) {
        let own = Tolerance { position: solver.position_tolerance * self.length, rotation: solver.rotation_tolerance };
        let near = near(goal, own, pose);
        for task in GoalTask::parts(skeleton, goal) {
            let near = if task.is_in_metres() { near.position / self.unit } else { near.rotation };
            let last = pulls.yields(goal.pull) && task.part != GoalPart::Mass;
            let yields = last || matches!(task.part, GoalPart::Up { .. });
            let strength = if last { 1.0 } else { pulls.share(goal.pull) };
            self.targets.push(SpringTarget { task, goal: place, strength, near, yields });
        }
        let weighs = matches!(goal.target, crate::goal::Target::CenterOfMass(_));
        for joint in skeleton.iter() {
            let above = skeleton.is_below(goal.joint, joint)
                || goal.relative_to.is_some_and(|from| skeleton.is_below(from, joint))
                || weighs && skeleton.is_below(joint, goal.joint) && has_weight(skeleton, joint);
            let ours = goal.base.is_none_or(|base| skeleton.is_below(joint, base));
            if above && ours && !work.is_owned(skeleton, joint, goal.joint) {
                self.mark(solver, skeleton, joint);
            }
        }
    }

    /// For the balance, everything that weighs.
    fn mark_weighing(&mut self, solver: &MassSpring, skeleton: &Skeleton) {
        let Some(balance) = &solver.balance else { return };
        for joint in skeleton
            .iter()
            .filter(|&joint| skeleton.is_below(joint, balance.body) || skeleton.is_below(balance.body, joint))
        {
            if has_weight(skeleton, joint) {
                self.mark(solver, skeleton, joint);
            }
        }
    }

    /// A mark is any number, until the bodies are listed.
    fn mark(&mut self, solver: &MassSpring, skeleton: &Skeleton, joint: Joint) {
        if solver.hips.is_none_or(|hips| skeleton.is_below(joint, hips)) {
            self.carriers[joint.index()] = Some(0);
        }
    }

    /// Lists the bodies of marked joints, depth first, with their variables.
    fn add_bodies(&mut self, solver: &MassSpring, skeleton: &Skeleton) {
        (self.variables, self.stiffest) = (0, 0.0);
        for joint in skeleton.iter() {
            let above = skeleton.parent(joint).and_then(|parent| self.carriers[parent.index()]);
            let marked = self.carriers[joint.index()].is_some();
            let body = if marked { MassBody::new(skeleton, joint, solver.travel(skeleton, joint)) } else { None };
            self.carriers[joint.index()] = above;
            let Some(mut body) = body else { continue };
            self.carriers[joint.index()] = Some(self.bodies.len() as u32);
            body.above = above.map(|above| above as usize);
            if body.above.is_some() || body.shift != Shift::Held {
                body.place = Some(self.variables);
                self.variables += 1;
            }
            body.turned = self.variables;
            self.variables += 1;
            self.stiffest = self.stiffest.max(body.stiffness);
            self.bodies.push(body);
        }
    }

    /// Lists the variables that share a constraint.
    fn touch(&mut self, skeleton: &Skeleton) {
        self.pairs.clear();
        for body in 0..self.bodies.len() {
            let above = self.bodies[body].above;
            self.touch_all(&[Some(body), above]);
            // Joints that share a coordinate move as one.
            let Some(driven) = self.bodies[body].driven else { continue };
            for joint in skeleton.driven(driven.index) {
                if let Some(other) = self.body_of(joint).filter(|&other| other > body) {
                    self.touch_all(&[Some(body), above, Some(other), self.bodies[other].above]);
                }
            }
        }
        for target in 0..self.targets.len() {
            let goal = &self.targets[target].task.goal;
            let from = goal.relative_to.and_then(|from| self.carrier(from));
            let own = self.carrier(goal.joint);
            if from.is_some() {
                self.touch_all(&[own, from]);
            }
        }
    }

    fn touch_all(&mut self, bodies: &[Option<usize>]) {
        let mut variables = [0; 8];
        let mut count = 0;
        for body in bodies.iter().flatten().map(|&body| &self.bodies[body]) {
            for variable in body.place.into_iter().chain([body.turned]) {
                variables[count] = variable;
                count += 1;
            }
        }
        for (place, &a) in variables[..count].iter().enumerate() {
            self.pairs.extend(variables[place + 1..count].iter().filter(|&&b| b != a).map(|&b| (a, b)));
        }
    }

    /// The body that carries a joint.
    pub(super) fn carrier(&self, joint: Joint) -> Option<usize> {
        self.carriers[joint.index()].map(|body| body as usize)
    }

    /// The body whose joint this is.
    pub(super) fn body_of(&self, joint: Joint) -> Option<usize> {
        self.carrier(joint).filter(|&body| self.bodies[body].joint == joint)
    }

    /// Brings the bodies up to date with the pose.
    pub(super) fn refresh(&mut self, skeleton: &Skeleton, pose: &Pose) {
        for body in 0..self.bodies.len() {
            self.bodies[body].refresh(skeleton, pose, self.unit);
            let above = self.bodies[body].above.map_or(self.bodies[body].at, |above| self.bodies[above].at);
            self.bodies[body].arm = self.bodies[body].at - above;
        }
    }

    /// What the springs hold.
    pub(super) fn energy(&self) -> f64 {
        self.bodies.iter().map(MassBody::energy).sum()
    }

    /// Length of what is left of a target's error: lengths of the chain, or radians.
    pub(super) fn left(&self, target: &SpringTarget, error: glam::DVec3) -> f64 {
        ops::sqrt(error.dot(error)) / if target.task.is_in_metres() { self.unit } else { 1.0 }
    }
}

/// Whether the joint or something below it weighs.
fn has_weight(skeleton: &Skeleton, joint: Joint) -> bool {
    skeleton.subtree(joint).filter_map(|index| skeleton.at(index)).any(|below| skeleton.mass(below).mass > 0.0)
}
