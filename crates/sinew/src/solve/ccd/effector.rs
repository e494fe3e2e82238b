//! A goal as the solver sees it: pairs of points and directions, carried from where the tree hangs.

use glam::{BVec3, DAffine3, DMat3, DQuat, DVec3};

use crate::goal::{Goal, Target, Tolerance};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::pulls::Pulls;
use crate::solve::report;
use crate::solve::{TargetInModel, in_model};

/// What a pair compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A point with a place.
    Point,
    /// An axis, times a length, with a direction.
    Vector,
    /// A line of sight with a point it should pass through; its direction is the next pair.
    Ray,
    /// The direction of a line of sight.
    Sight,
}

impl Form {
    /// Whether it is a place, not a direction.
    #[inline(always)]
    pub(super) fn is_place(self) -> bool {
        matches!(self, Self::Point | Self::Ray)
    }
}

/// Pairs of a goal at most: a point and three axes.
pub(super) const PAIRS: usize = 4;

/// A goal that is served.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effector {
    /// Its place in the caller's order.
    pub(super) place: usize,
    pub(super) joint: Joint,
    /// The uppermost joint that moves for it.
    pub(super) top: Joint,
    /// The uppermost joint that moves at all on its way: from there its pairs are carried.
    pub(super) carried: Joint,
    pub(super) pull: f64,
    pub(super) forms: [Option<Form>; PAIRS],
    /// Points and axes in the joint's own frame.
    pub(super) sources: [DVec3; PAIRS],
    /// Targets in model space.
    pub(super) targets: [DVec3; PAIRS],
    /// Model space to the frame that `carried` hangs in, and back.
    pub(super) into: DAffine3,
    pub(super) out: DMat3,
    /// Squared scale of `out`.
    pub(super) unit: f64,
    /// Length of axes (metres, model space).
    pub(super) arm: f64,
    /// What counts as met: metres, model space, and radians.
    pub(super) near: (f64, f64),
    /// First entry at `carried`, and one beyond the last.
    pub(super) ends: (u32, u32),
    /// Whether its targets must be read from the pose again as it changes.
    pub(super) live: bool,
    /// Whether it was met before a restart.
    pub(super) met: bool,
}

/// The uppermost joint that may move for a goal: its base, else the solver's, else the root, in any case below what its
/// target is measured from; `None` where nothing may.
pub(super) fn top(skeleton: &Skeleton, goal: &Goal, base: Option<Joint>) -> Option<Joint> {
    let mut top = goal.joint;
    let base = goal.base.or(base);
    if base.is_some_and(|base| !skeleton.is_below(goal.joint, base)) {
        return None;
    }
    let carries = |joint: Joint| goal.relative_to.is_some_and(|from| skeleton.is_below(from, joint));
    if carries(top) {
        return None;
    }
    while Some(top) != base {
        match skeleton.parent(top).filter(|&parent| !carries(parent)) {
            Some(parent) => top = parent,
            None => break,
        }
    }
    Some(top)
}

/// Share of the chain's length by which axes are multiplied.
const ARM: f64 = 0.5;

impl Effector {
    /// The goal in the pose given; `None` where it asks for nothing that can be defined.
    pub(super) fn new(
        skeleton: &Skeleton,
        (place, goal, pulls): (usize, &Goal, Pulls),
        top: Joint,
        (near, turned): (f64, f64),
        pose: &Pose,
    ) -> Option<Self> {
        let length = length_of(skeleton, goal, top, pose);
        let arm = if length > 0.0 { ARM * length } else { 1.0 };
        let Tolerance { position, rotation } =
            report::near(goal, Tolerance { position: near * length, rotation: turned }, pose);
        let mut effector = Self {
            place,
            joint: goal.joint,
            top,
            carried: top,
            pull: pulls.share(goal.pull),
            forms: [None; PAIRS],
            sources: [DVec3::ZERO; PAIRS],
            targets: [DVec3::ZERO; PAIRS],
            into: DAffine3::IDENTITY,
            out: DMat3::IDENTITY,
            unit: 1.0,
            arm,
            near: (position, rotation),
            ends: (0, 0),
            live: false,
            met: false,
        };
        effector.list(goal, pose)?;
        effector.aim_at(goal, pose)?;
        Some(effector)
    }

    /// The goal's pairs on the joint's side.
    fn list(&mut self, goal: &Goal, pose: &Pose) -> Option<()> {
        let linear = pose.model(goal.joint).matrix3;
        let axis = |axis: DVec3| {
            let axis = arc::unit(axis)?;
            let long = arc::length(linear * axis);
            (long > 0.0 && long.is_finite()).then(|| axis * (self.arm / long))
        };
        let axes = || Some([axis(DVec3::X)?, axis(DVec3::Y)?, axis(DVec3::Z)?]);
        let (point, turn) = (Some(Form::Point), Some(Form::Vector));
        match goal.target {
            Target::Position(_) => (self.forms, self.sources[0]) = ([point, None, None, None], goal.offset),
            Target::Rotation(_) => {
                let [x, y, z] = axes()?;
                (self.forms, self.sources) = ([turn, turn, turn, None], [x, y, z, DVec3::ZERO]);
            }
            Target::Frame { .. } => {
                let [x, y, z] = axes()?;
                (self.forms, self.sources) = ([point, turn, turn, turn], [goal.offset, x, y, z]);
            }
            Target::Aim { axis: way, .. } => {
                self.sources = [goal.offset, axis(way)?, DVec3::ZERO, DVec3::ZERO];
                self.forms = [Some(Form::Ray), Some(Form::Sight), None, None];
            }
            Target::Axis { axis: way, .. } => {
                (self.forms, self.sources[0]) = ([turn, None, None, None], axis(way)?);
            }
            _ => return None,
        }
        Some(())
    }

    /// Reads the targets from the pose: those relative to a joint, or masked.
    pub(super) fn aim_at(&mut self, goal: &Goal, pose: &Pose) -> Option<()> {
        let target = TargetInModel::of(goal, pose);
        let model = pose.model(goal.joint);
        let mut next = 0;
        let mut put = |v: DVec3| {
            self.targets[next] = v;
            next += 1;
        };
        if let Some(position) = target.position {
            put(DVec3::select(goal.mask.position, position, model.transform_point3(goal.offset)));
        }
        if let Some(rotation) = target.rotation {
            let wanted = masked(rotation, pose.rotation(goal.joint), goal.mask.rotation);
            // Below a mirror the x axis carries it.
            let x = if model.matrix3.determinant() < 0.0 { -self.arm } else { self.arm };
            put(wanted * DVec3::X * x);
            put(wanted * DVec3::Y * self.arm);
            put(wanted * DVec3::Z * self.arm);
        }
        match goal.target {
            Target::Aim { point, .. } => put(in_model(goal, point, pose)),
            Target::Axis { direction, .. } => {
                let to = goal.relative_to.map_or(direction, |from| pose.model(from).transform_vector3(direction));
                put(arc::unit(to)? * self.arm);
            }
            _ => {}
        }
        Some(())
    }
}

/// The rotation wanted, but for components of the turn to it that do not count.
fn masked(wanted: DQuat, now: DQuat, mask: BVec3) -> DQuat {
    if mask.all() {
        return wanted;
    }
    let left = arc::rotation_vector(arc::normalize(wanted * now.conjugate()));
    let counted = DVec3::select(mask, left, DVec3::ZERO);
    arc::unit(counted).map_or(now, |axis| arc::axis_angle(axis, arc::length(counted)) * now)
}

/// Length of the path from `top` to the goal's point (metres, model space).
pub(super) fn length_of(skeleton: &Skeleton, goal: &Goal, top: Joint, pose: &Pose) -> f64 {
    let mut length = arc::length(pose.model(goal.joint).transform_vector3(goal.offset));
    let mut at = goal.joint;
    while at != top {
        let Some(parent) = skeleton.parent(at) else { break };
        length += arc::length(pose.position(at) - pose.position(parent));
        at = parent;
    }
    length
}
