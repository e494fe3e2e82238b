//! Goals in a pose as rows: what is left of each, and how bodies change it.

use alloc::vec::Vec;

use glam::{DVec2, DVec3};

use super::plan::{BalancePlan, SpringTarget};
use super::row::{Grip, Row};
use super::support::Balance;
use crate::goal::Target;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::jacobian::Task;
use crate::solve::jacobian::goal_task::GoalPart;
use crate::solve::seen::make_room;
use crate::solve::{Sight, in_model};
use crate::springs::net::Net;

/// Share of a goal's stiffness that its up has.
const UP: f64 = 1e-2;

/// A row that many bodies change, each by its weight.
#[derive(Debug, Default)]
pub(super) struct Far {
    pub(super) row: Row,
    pub(super) grips: Vec<Grip>,
}

/// All rows of a plan in a pose.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) near: Vec<Row>,
    /// Of which so many are in use.
    pub(super) far: Vec<Far>,
    pub(super) fars: usize,
    /// Whether all targets are met, and of those that must be.
    pub(super) met: bool,
    pub(super) must_met: bool,
    /// Way of the balance that is left (lengths of the chain), and whether that is near enough.
    pub(super) balance: DVec3,
    pub(super) balanced: bool,
    points: Vec<DVec2>,
    kept: Vec<f64>,
}

/// Near rows of a target at most, and far ones of a centre of mass; beside those, far ones of the balance.
const NEAR: usize = 3;
const FAR: usize = 3;
const BALANCE: usize = 2;
/// Points that a body stands on before there must be more room.
const STANDING: usize = 16;

impl Rows {
    /// Makes room for the rows of a plan; how many are far.
    pub(super) fn fit(&mut self, plan: &BalancePlan) -> usize {
        make_room(&mut self.near, NEAR * plan.targets.len());
        make_room(&mut self.kept, NEAR * plan.targets.len());
        make_room(&mut self.points, STANDING);
        let weighing = plan.targets.iter().filter(|target| matches!(target.task.part, GoalPart::Mass)).count();
        let fars = FAR * weighing + if plan.balances { BALANCE } else { 0 };
        self.far.resize_with(self.far.len().max(fars), Far::default);
        self.far.iter_mut().for_each(|far| make_room(&mut far.grips, plan.bodies.len()));
        fars
    }

    /// Forgets the pushes of an earlier solve.
    pub(super) fn forget(&mut self) {
        self.near.clear();
        self.far.iter_mut().for_each(|far| far.row.tension = 0.0);
    }

    /// Half the sum of stiffness times square: of all rows, or of those that do not yield.
    pub(super) fn energy(&self, yielding: bool) -> f64 {
        let far = self.far[..self.fars].iter().map(|far| &far.row);
        let counts = |row: &&Row| yielding || !row.yields;
        0.5 * self.near.iter().chain(far).filter(counts).map(|row| row.stiffness * row.error * row.error).sum::<f64>()
    }

    /// Measures every target in the pose.
    pub(super) fn measure(
        &mut self,
        plan: &BalancePlan,
        balance: Option<(&Balance, f64)>,
        skeleton: &Skeleton,
        pose: &Pose,
    ) {
        self.kept.clear();
        self.kept.extend(self.near.iter().map(|row| row.tension));
        self.near.clear();
        (self.fars, self.met, self.must_met) = (0, true, true);
        for target in &plan.targets {
            let met = self.ask(plan, target, skeleton, pose);
            self.met &= met;
            self.must_met &= met || target.yields;
        }
        // The pushes of the last step, for the stiffness of the next.
        self.near.iter_mut().zip(&self.kept).for_each(|(row, &tension)| row.tension = tension);
        (self.balance, self.balanced) = (DVec3::ZERO, true);
        if let Some((balance, near)) = balance.filter(|_| plan.balances) {
            let left = balance.offset_with(skeleton, pose, DVec3::ZERO, &mut self.points);
            let left = left.map_or(DVec3::ZERO, |left| left / plan.unit);
            self.balance = left;
            self.balanced = arc::length(left) <= near;
            self.met &= self.balanced;
            self.must_met &= self.balanced;
            if let Some(direction) = arc::unit(left) {
                self.weigh(plan, (balance.body, direction), arc::length(left), 1.0, skeleton, pose);
            }
        }
    }

    /// Where the net's displacements would take the centre of mass off the polygon, adds the row that keeps it.
    pub(super) fn keep_balance(
        &mut self,
        plan: &BalancePlan,
        balance: &Balance,
        net: &Net,
        skeleton: &Skeleton,
        pose: &Pose,
    ) -> bool {
        let shift = shift_of_mass(plan, balance.body, net, skeleton, pose);
        let left = balance.offset_with(skeleton, pose, shift, &mut self.points);
        let Some((left, direction)) = left.and_then(|left| Some((left, arc::unit(left)?))) else { return false };
        if arc::length(left) <= plan.unit * 1e-12 {
            return false;
        }
        self.weigh(plan, (balance.body, direction), (shift + left).dot(direction) / plan.unit, 1.0, skeleton, pose);
        true
    }

    /// Whether a target is met; its rows are added.
    fn ask(&mut self, plan: &BalancePlan, target: &SpringTarget, skeleton: &Skeleton, pose: &Pose) -> bool {
        let mut error = [0.0; 3];
        target.task.error(skeleton, pose, &mut error[..target.task.rows()]);
        let left = DVec3::from_array(error);
        let (stiffness, first) = (target.strength, self.near.len());
        match target.task.part {
            GoalPart::Point => self.ask_point(plan, target, left / plan.unit, stiffness, pose),
            GoalPart::Rotation => self.ask_turn(plan, target, left, stiffness),
            GoalPart::Sight => self.ask_sight(plan, target, left, stiffness, pose),
            GoalPart::Up { axis } => {
                if let Some((axis, _, _)) = target.task.up(pose, axis) {
                    self.near.push(twisting(plan, target, &Row::new(left.x, stiffness * UP), axis));
                }
            }
            GoalPart::Mass => {
                let mask = target.task.goal.mask.position;
                for k in (0..3).filter(|&k| mask.test(k)) {
                    let row = (target.task.goal.joint, DVec3::AXES[k]);
                    self.weigh(plan, row, left[k] / plan.unit, stiffness, skeleton, pose);
                }
            }
        }
        self.near[first..].iter_mut().for_each(|row| row.yields = target.yields);
        plan.left(target, left) <= target.near
    }

    fn ask_point(&mut self, plan: &BalancePlan, target: &SpringTarget, left: DVec3, stiffness: f64, pose: &Pose) {
        let goal = &target.task.goal;
        let point = target.task.point(pose) / plan.unit;
        let target = point + left;
        let arm = |body: Option<usize>, to: DVec3| body.map_or(DVec3::ZERO, |body| to - plan.bodies[body].at);
        let own = plan.carrier(goal.joint);
        let from = goal.relative_to.and_then(|from| plan.carrier(from));
        for k in (0..3).filter(|&k| goal.mask.position.test(k)) {
            let way = DVec3::AXES[k];
            let row = Row::new(left[k], stiffness).grip(own, arm(own, point), way, DVec3::ZERO);
            self.near.push(row.grip(from, arm(from, target), -way, DVec3::ZERO));
        }
    }

    fn ask_turn(&mut self, plan: &BalancePlan, target: &SpringTarget, left: DVec3, stiffness: f64) {
        let mask = target.task.goal.mask.rotation;
        for k in (0..3).filter(|&k| mask.test(k)) {
            self.near.push(twisting(plan, target, &Row::new(left[k], stiffness), DVec3::AXES[k]));
        }
    }

    /// Two rows across the line of sight.
    fn ask_sight(&mut self, plan: &BalancePlan, target: &SpringTarget, left: DVec3, stiffness: f64, pose: &Pose) {
        let goal = &target.task.goal;
        let Some(sight) = Sight::of(goal, pose) else { return };
        let first = arc::unit_reject(left, sight.now, 1e-9).unwrap_or_else(|| arc::any_perpendicular(sight.now));
        let muzzle = target.task.point(pose) / plan.unit;
        let mark = match goal.target {
            Target::Aim { point, .. } => Some(in_model(goal, point, pose) / plan.unit),
            _ => None,
        };
        let own = plan.carrier(goal.joint);
        let from = goal.relative_to.and_then(|from| plan.carrier(from));
        for axis in [first, sight.now.cross(first)] {
            let row = Row::new(left.dot(axis), stiffness);
            let Some(mark) = mark else {
                self.near.push(twisting(plan, target, &row, axis));
                continue;
            };
            // The muzzle's own motion turns the line to the mark.
            let push = axis.cross(sight.wanted) / arc::length(mark - muzzle);
            let arm = |body: Option<usize>, to: DVec3| body.map_or(DVec3::ZERO, |body| to - plan.bodies[body].at);
            let row = row.grip(own, arm(own, muzzle), push, axis);
            self.near.push(row.grip(from, arm(from, mark), -push, DVec3::ZERO));
        }
    }

    /// A row of the centre of mass of a joint and all below it, along a direction.
    fn weigh(
        &mut self,
        plan: &BalancePlan,
        (joint, direction): (Joint, DVec3),
        error: f64,
        stiffness: f64,
        skeleton: &Skeleton,
        pose: &Pose,
    ) {
        if self.far.len() == self.fars {
            self.far.push(Far::default());
        }
        let far = &mut self.far[self.fars];
        self.fars += 1;
        far.row = Row { tension: far.row.tension, ..Row::new(error, stiffness) };
        far.grips.clear();
        far.grips.resize(plan.bodies.len(), Grip::default());
        let mut whole = 0.0;
        for joint in skeleton.subtree(joint).filter_map(|index| skeleton.at(index)) {
            let mass = skeleton.mass(joint);
            whole += mass.mass;
            if let Some(body) = plan.carrier(joint).filter(|_| mass.mass > 0.0) {
                let arm = pose.model(joint).transform_point3(mass.center) / plan.unit - plan.bodies[body].at;
                let grip = &mut far.grips[body];
                // Until all are seen: the moment, and the mass along the direction.
                grip.arm += arm * mass.mass;
                grip.push += direction * mass.mass;
            }
        }
        for (body, grip) in far.grips.iter_mut().enumerate() {
            let mass = grip.push.dot(direction);
            grip.body = body;
            if mass > 0.0 {
                grip.arm /= mass;
                grip.push /= whole;
            }
        }
        far.grips.retain(|grip| grip.push != DVec3::ZERO);
    }
}

/// A row that turns of the goal's joint change, and of the joint that it is relative to.
fn twisting(plan: &BalancePlan, target: &SpringTarget, row: &Row, axis: DVec3) -> Row {
    let goal = &target.task.goal;
    let from = goal.relative_to.and_then(|from| plan.carrier(from));
    row.grip(plan.carrier(goal.joint), DVec3::ZERO, DVec3::ZERO, axis).grip(from, DVec3::ZERO, DVec3::ZERO, -axis)
}

/// By how much the net's displacements move the centre of mass of a joint and all below it (metres).
fn shift_of_mass(plan: &BalancePlan, joint: Joint, net: &Net, skeleton: &Skeleton, pose: &Pose) -> DVec3 {
    let (mut whole, mut moment) = (0.0, DVec3::ZERO);
    for joint in skeleton.subtree(joint).filter_map(|index| skeleton.at(index)) {
        let mass = skeleton.mass(joint);
        whole += mass.mass;
        if let Some(body) = plan.carrier(joint).map(|body| &plan.bodies[body]) {
            let arm = pose.model(joint).transform_point3(mass.center) / plan.unit - body.at;
            moment += (net.step(body.place) + net.step(Some(body.turned)).cross(arm)) * mass.mass;
        }
    }
    if whole > 0.0 { moment * (plan.unit / whole) } else { DVec3::ZERO }
}
