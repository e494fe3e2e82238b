//! The first move of a chain of balls, for solvers that go on by small steps: it is pulled in, or let out, and turned to its target
//! as a whole, the more, the more it is stretched.
//!
//! A straight chain comes nearer by the square of its bends, so the derivative at it does not say how to bend: small steps leave that
//! to rounding, and put all the bends into a few joints. Here every joint bends by one common angle, as in
//! [`Fabrik`](crate::Fabrik).

use alloc::vec::Vec;

use glam::{DMat3, DVec3};

use super::engine::{Engine, moves};
use super::scope::chain;
use crate::goal::{Goal, Target};
use crate::math::affine::inverse;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::Workspace;
use crate::solve::extent::Extent;
use crate::solve::fabrik::bring_near;
use crate::solve::jacobian::perturb::rest_bend;
use crate::solve::point::toward;
use crate::solve::report::measured;
use crate::solve::seen::make_room;
use crate::transform::Transform;

/// Links of the shortest chain that has bends to share.
const LINKS: usize = 3;

/// A chain from its uppermost joint that moves to the goal's point, in the space above.
#[derive(Debug, Default)]
pub(in crate::solve) struct SetOut {
    joints: Vec<Joint>,
    points: Vec<DVec3>,
    lengths: Vec<f64>,
    before: Vec<Transform>,
}

impl SetOut {
    /// Makes room for a solve.
    pub(in crate::solve) fn make_room(skeleton: &Skeleton, work: &mut Workspace) {
        let mut own = work.take::<Self>();
        make_room(&mut own.joints, skeleton.len());
        make_room(&mut own.points, skeleton.len() + 1);
        make_room(&mut own.lengths, skeleton.len());
        make_room(&mut own.before, skeleton.len());
        work.put(own);
    }

    /// Moves the chain of the only goal, if that asks for a place and balls of one stiffness bring it there, as far as limits let it
    /// and only where that brings it nearer; whether it did.
    pub(in crate::solve) fn run(
        engine: &dyn Engine,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
    ) -> bool {
        let mut acting = goals.iter().filter(|goal| engine.acts_on(skeleton, goal));
        let (Some(goal), None) = (acting.next(), acting.next()) else { return false };
        if !matches!(goal.target, Target::Position(_)) {
            return false;
        }
        let mut own = work.take::<Self>();
        let extent = own.list(engine, skeleton, goal, pose, work);
        let moved = extent.and_then(|extent| own.bring_near(skeleton, goal, &extent, pose)).is_some();
        work.put(own);
        moved
    }

    /// Lists a chain that may bend evenly.
    fn list(
        &mut self,
        engine: &dyn Engine,
        skeleton: &Skeleton,
        goal: &Goal,
        pose: &Pose,
        work: &Workspace,
    ) -> Option<Extent> {
        let Self { joints, .. } = self;
        joints.clear();
        joints.extend(chain(skeleton, goal).filter(|&joint| moves(engine, skeleton, goal, joint, work)));
        let even = |&joint: &Joint| {
            matches!(skeleton.kind(joint), Kind::Ball(_))
                && !engine.travels(skeleton, joint)
                && skeleton.stiffness(joint) == skeleton.stiffness(joints[0])
                && goal.relative_to.is_none_or(|from| !skeleton.is_below(from, joint))
        };
        if joints.len() < LINKS || !joints.iter().all(even) {
            return None;
        }
        joints.reverse();
        Extent::of(skeleton, goal, pose, &|joint| joints.contains(&joint))
    }

    /// Moves the chain listed.
    fn bring_near(&mut self, skeleton: &Skeleton, goal: &Goal, extent: &Extent, pose: &mut Pose) -> Option<()> {
        let Self { joints, points, lengths, before } = self;
        let into = inverse(&extent.space)?;
        let tip = pose.model(goal.joint).transform_point3(goal.offset);
        points.clear();
        let places = joints.iter().map(|&joint| pose.position(joint)).chain([tip]);
        points.extend(places.map(|place| into.transform_point3(place)));
        lengths.clear();
        lengths.extend(points.windows(2).map(|pair| arc::length(pair[1] - pair[0])));
        if lengths.iter().filter(|&&length| length > 0.0).count() < LINKS {
            return None;
        }
        let line = points[joints.len()] - points[0];
        let axis = rest_bend(skeleton, joints[1]).unwrap_or(DVec3::ZERO);
        let side = line.cross(into.transform_vector3(pose.model(joints[1]).transform_vector3(axis)));
        if !bring_near(points, lengths, extent.target, side) {
            return None;
        }
        let far = measured(skeleton, goal, pose).position_error();
        before.clear();
        before.extend(joints.iter().map(|&joint| *pose.local(joint)));
        let laid = lay(skeleton, (joints, points), tip, pose);
        if laid.is_some() && measured(skeleton, goal, pose).position_error() < far {
            return laid;
        }
        let mut edit = pose.edit(skeleton);
        joints.iter().zip(before).for_each(|(&joint, local)| {
            edit.local(joint, *local);
        });
        None
    }
}

/// Turns the joints so that their links lie along the points, as far as limits let them; `tip` is the last link's end, in model space.
fn lay(skeleton: &Skeleton, (joints, points): (&[Joint], &[DVec3]), tip: DVec3, pose: &mut Pose) -> Option<()> {
    // Model transforms stay those from before while an edit lasts.
    let mut edit = pose.edit(skeleton);
    let mut above = DMat3::IDENTITY;
    for (at, &joint) in joints.iter().enumerate() {
        let (into, local) = (inverse(edit.pose().model(joint))?, *edit.pose().local(joint));
        let next = joints.get(at + 1).copied();
        let link = into.transform_point3(next.map_or(tip, |next| edit.pose().position(next)));
        let wanted = above.inverse() * (points[at + 1] - points[at]);
        let turned = toward(skeleton, joint, &local, 0.0, link * local.scale, wanted);
        edit.local(joint, turned);
        let Some(parent) = next.and_then(|next| skeleton.parent(next)) else { break };
        let between = into.matrix3 * edit.pose().model(parent).matrix3;
        above = above * DMat3::from_quat(turned.rotation) * DMat3::from_diagonal(local.scale) * between;
    }
    Some(())
}
