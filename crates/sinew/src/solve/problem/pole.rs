//! Poles of chains: where a chain without a closed form has reached its place, it is turned about the line from its root to
//! its tip, until it bends to the pole or its limits stop it.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::engine::Engine;
use super::scope::{chain, may_use};
use crate::goal::{Goal, Pole, Target};
use crate::math::affine::inverse;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::report::measured;
use crate::solve::two_bone::rest::STRAIGHT;
use crate::solve::two_bone::swivel::{ALLOWED, Scan};
use crate::solve::{Status, Workspace};
use crate::transform::Transform;

/// Angle (radians) that is none.
const STILL: f64 = 1e-7;
/// Share of the angle to the pole that a turn must leave less of: limits' rims are found to rounding only.
const WORTH: f64 = 0.999;
/// Turns at most: a later one may find what lay between the angles tried before.
const TURNS: u32 = 4;
/// Rounding of a place, as a share of its coordinates.
const ROUNDING: f64 = 1e-14;
/// Distance from the tip's place that is none, in lengths.
const MOVED: f64 = 1e-9;

/// The pole's direction from a place, in model space.
pub(in crate::solve) fn direction(goal: &Goal, pole: Pole, from: DVec3, pose: &Pose) -> DVec3 {
    seen_from(from, (pole, goal.pole_relative_to.or(goal.relative_to)), pose)
}

/// The same of a pole in the frame of a joint, or of the model.
#[inline(always)]
pub(in crate::solve) fn seen_from(from: DVec3, (pole, joint): (Pole, Option<Joint>), pose: &Pose) -> DVec3 {
    let map = joint.map(|joint| pose.model(joint));
    match pole {
        Pole::Point(point) => map.map_or(point, |map| map.transform_point3(point)) - from,
        Pole::Direction(direction) => map.map_or(direction, |map| map.transform_vector3(direction)),
    }
}

/// Turns the chain of the only goal that acts, if it has reached its place.
pub(super) fn turn(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &Workspace) {
    if goals.iter().all(|goal| goal.pole.is_none() || engine.bends(goal)) {
        return;
    }
    let mut acting = goals.iter().zip(work.residuals()).filter(|(goal, _)| engine.acts_on(skeleton, goal));
    let (Some((goal, left)), None) = (acting.next(), acting.next()) else { return };
    if goal.pole.is_none() || engine.bends(goal) || left.status != Status::Reached {
        return;
    }
    // Until a turn gains nothing, so that solving again moves nothing; a weight takes its part of the first.
    for _ in 0..if goal.weight < 1.0 { 1 } else { TURNS } {
        if !turn_once(engine, skeleton, goal, pose, work) {
            break;
        }
    }
}

/// Turns the chain of a goal as near to its pole as limits let it; whether it did.
fn turn_once(engine: &dyn Engine, skeleton: &Skeleton, goal: &Goal, pose: &mut Pose, work: &Workspace) -> bool {
    let Some(bend) = Bend::of(engine, skeleton, goal, pose, work) else { return false };
    let wanted = bend.eased(engine, skeleton, goal, work);
    let over = |angle: f64| bend.excess(skeleton, goal, pose, angle);
    let angle =
        if over(wanted) < ALLOWED { Some(0.0) } else { Scan::of(|short| over(wanted + short)).nearest_allowed(0.0) };
    // A turn that leads farther off is none.
    let is_turn = |short: &f64| short.abs() < WORTH * wanted.abs() && (wanted + short).abs() > STILL + bend.doubt;
    let Some(short) = angle.filter(is_turn) else { return false };
    let before = measured(skeleton, goal, pose);
    let kept = [bend.root, goal.joint].map(|joint| *pose.local(joint));
    let turned = bend.turned(skeleton, goal, pose, wanted + short);
    let set = |locals: [Transform; 2], pose: &mut Pose| {
        let mut edit = pose.edit(skeleton);
        edit.local(bend.root, locals[0]);
        if bend.turns_tip {
            edit.local(goal.joint, locals[1]);
        }
    };
    set(turned, pose);
    // Below shear a turn is none.
    let now = measured(skeleton, goal, pose);
    let moved = arc::length(now.position - before.position) > MOVED * bend.length;
    let stays = !moved && now.rotation_error() <= before.rotation_error() + MOVED;
    if !stays {
        set(kept, pose);
    }
    stays
}

/// A chain as it bends.
struct Bend {
    /// The uppermost ball of the chain, and the unit line from there to the goal's point, in model space.
    root: Joint,
    line: DVec3,
    length: f64,
    /// From the side to which its first joint off the line lies to the pole (radians, about the line).
    angle: f64,
    /// Whether the tip turns back.
    turns_tip: bool,
    /// Radians of the angle that are rounding.
    doubt: f64,
}

/// The map from a joint's parent to model space.
fn above<'a>(skeleton: &'a Skeleton, pose: &'a Pose, joint: Joint) -> &'a DAffine3 {
    skeleton.parent(joint).map_or(skeleton.base(joint), |parent| pose.model(parent))
}

/// How exactly places are known once they are brought back from model space, which may be flat beside it.
fn rounding(skeleton: &Skeleton, goal: &Goal, pose: &Pose, into: &DMat3) -> f64 {
    let far = chain(skeleton, goal).map(|joint| pose.position(joint).abs().max_element()).fold(0.0, f64::max);
    let widest = [into.x_axis, into.y_axis, into.z_axis].map(arc::length).into_iter().fold(0.0, f64::max);
    ROUNDING * widest * far
}

impl Bend {
    /// How far to turn at the goal's weight: so that of the angle to the pole in the pose that weights count from as much is
    /// left. Where the chain has solved from another pose, as a follower's has, its own angle is what an earlier frame left.
    fn eased(&self, engine: &dyn Engine, skeleton: &Skeleton, goal: &Goal, work: &Workspace) -> f64 {
        let at_entry = || Self::of(engine, skeleton, goal, work.entry()?, work).map(|bend| bend.angle);
        match at_entry().filter(|_| goal.weight < 1.0) {
            Some(before) => ops::nearest_turn(self.angle - (1.0 - goal.weight) * before, 0.0),
            None => self.angle * goal.weight,
        }
    }

    /// `None` where nothing can turn, or line, bend or pole has no direction.
    fn of(engine: &dyn Engine, skeleton: &Skeleton, goal: &Goal, pose: &Pose, work: &Workspace) -> Option<Self> {
        let pole = goal.pole?;
        let turns_tip = match goal.target {
            Target::Position(_) => false,
            Target::Frame { .. } => true,
            _ => return None,
        };
        let is_ball = |joint: Joint| matches!(skeleton.kind(joint), Kind::Ball(_) | Kind::Free);
        let may_turn = |&joint: &Joint| {
            is_ball(joint)
                && engine.in_scope(skeleton, goal, joint)
                && may_use(skeleton, goal, joint)
                && !work.is_owned(skeleton, joint, goal.joint)
        };
        let root = chain(skeleton, goal).filter(may_turn).last().filter(|&root| root != goal.joint)?;
        // A pole that turns along stays where it is to the chain.
        let turns_along =
            |frame: Joint| skeleton.is_below(frame, root) && !(turns_tip && skeleton.is_below(frame, goal.joint));
        let frame = goal.pole_relative_to.or(goal.relative_to);
        if turns_tip && !is_ball(goal.joint) || frame.is_some_and(turns_along) {
            return None;
        }
        let from = pose.position(root);
        let line = pose.model(goal.joint).transform_point3(goal.offset) - from;
        let within = chain(skeleton, goal).take_while(|&joint| joint != root).map(|joint| pose.position(joint) - from);
        let length = within.clone().map(arc::length).fold(0.0, f64::max);
        // In the space of its parent, where its turns are turns, whatever is scaled above.
        let above = above(skeleton, pose, root);
        let into = inverse(above)?.matrix3;
        let size = within.clone().map(|way| arc::length(into * way)).fold(0.0, f64::max);
        let axis = arc::unit(into * line)?;
        let aside =
            within.map(|way| arc::reject(into * way, axis)).filter(|aside| arc::length(*aside) > STRAIGHT * size);
        let aside = aside.last()?;
        let bend = arc::unit(aside)?;
        let direction = into * direction(goal, pole, from, pose);
        let wanted = arc::unit_reject(direction, axis, STRAIGHT)?;
        let rounding = rounding(skeleton, goal, pose, &into);
        // What a part off the line says of the angle: both are known to rounding, the line the less the shorter it is.
        let tilt = rounding / arc::length(into * line);
        let doubted = |whole: f64, part: DVec3| (rounding + tilt * whole) / arc::length(part);
        let doubt = doubted(size, aside) + doubted(arc::length(direction), arc::reject(direction, axis));
        let sense = if above.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
        let angle = sense * ops::atan2(axis.dot(bend.cross(wanted)), bend.dot(wanted));
        let line = arc::unit(line)?;
        Some(Self { root, line, length, angle, turns_tip, doubt })
    }

    /// Root and tip turned about the line by an angle, the tip's own rotation kept.
    fn turned(&self, skeleton: &Skeleton, goal: &Goal, pose: &Pose, angle: f64) -> [Transform; 2] {
        let within = |joint: Joint, angle: f64| {
            let above = above(skeleton, pose, joint).matrix3;
            // A mirror turns the sense of angles round.
            let angle = if above.determinant() < 0.0 { -angle } else { angle };
            let local = *pose.local(joint);
            let turn =
                arc::unit(above.inverse() * self.line).map_or(DQuat::IDENTITY, |line| arc::axis_angle(line, angle));
            Transform { rotation: arc::normalize(turn * local.rotation), ..local }
        };
        // The tip's parent turns with the root.
        [within(self.root, angle), within(goal.joint, -angle)]
    }

    /// How far outside their limits joints would be.
    fn excess(&self, skeleton: &Skeleton, goal: &Goal, pose: &Pose, angle: f64) -> f64 {
        let [root, tip] = self.turned(skeleton, goal, pose, angle);
        let over = pose.excess(skeleton, self.root, &root);
        if self.turns_tip { over.max(pose.excess(skeleton, goal.joint, &tip)) } else { over }
    }
}
