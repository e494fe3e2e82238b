//! The two-bone solver on a pose: places the triangle, respects hinges and limits, turns the tip, shares
//! twist.

use glam::{DMat3, DQuat, DVec3};

use super::limb_target::{Arrival, LimbTarget};
use super::measure::{FLAT, Measured, STILL_ANGLE};
use super::place::place;
use super::placement::{Placement, PlacementTarget};
use super::settings::{End, TwistBones, TwoBone};
use super::swivel::ALLOWED;
use super::{plain, quick, run, share, twist};
use crate::goal::{Goal, Slack, Swivel, Target, Tolerance};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::problem::pole::seen_from;
use crate::solve::problem::{self, Engine};
use crate::solve::report::first_reason;
use crate::solve::{Outcome, Solver, Status, Workspace, orient};

/// Relative distance below which a solved limb stays as it is.
const STILL: f64 = 1e-12;
/// Relative distance within which the tip is where joints between that are reset bring it.
const RESET: f64 = 1e-9;
/// Relative difference below which one of two misses is no better: in flat valleys of their limits searches end so far
/// from the lowest.
const AS_GOOD: f64 = 1e-5;

impl TwoBone {
    /// Solves the target on the pose.
    pub(in crate::solve) fn place(
        &self,
        skeleton: &Skeleton,
        limb_target: &LimbTarget,
        pose: &mut Pose,
        blocked: &mut dyn FnMut(Joint),
    ) -> (Status, Option<Swivel>) {
        let Some(arrival) = &self.arrival(limb_target.position, limb_target.rotation, limb_target.offset, pose) else {
            return (Status::Singular, None);
        };
        let Arrival { rotation: fixed, target, offset } = *arrival;
        let Some(target) = target else { return (orient::turn(skeleton, pose, self.tip, fixed, blocked), None) };
        if limb_target.weight >= 1.0
            && limb_target.swivel.is_none()
            && let Some(placement) = &plain::place(self, skeleton, pose, (target, offset), limb_target.pole)
        {
            self.apply(skeleton, placement, pose);
            let turned = orient::turn(skeleton, pose, self.tip, fixed, blocked);
            return (first_reason(placement.status, turned), Some(placement.swivel));
        }
        let Some(limb) = &Measured::of(self, skeleton, pose, offset) else { return (Status::Singular, None) };
        let p = limb.into_parent.transform_point3(target) - limb.origin;
        if !p.is_finite() {
            return (Status::Singular, None);
        }
        let seen = |pole| seen_from(pose.position(self.root), pole, pose);
        let pole = limb_target.pole.map(|pole| limb.into_parent.transform_vector3(seen(pole)));
        let whole = p + limb.into_parent.transform_vector3(limb_target.left_out);
        let asked = PlacementTarget { p, pole, last: limb_target.swivel.as_ref(), weight: limb_target.weight, whole };
        let mut placed = place(self, skeleton, pose, limb, asked, blocked);
        let Some(placement) = &mut placed else {
            return (Status::Singular, None);
        };
        if placement.status == Status::Held {
            return (Status::Held, limb_target.swivel);
        }
        let is_reset = self.twist_bones == TwistBones::Rigid || self.is_as_measured(limb, offset, pose);
        if is_reset && self.does_as_well(limb, &asked, placement, pose, skeleton) {
            let mid = limb.root * limb.a;
            let bend = arc::unit(limb.root * limb.tip(limb.mid)).and_then(|line| arc::unit_reject(mid, line, FLAT));
            placement.swivel = Swivel { bend: bend.unwrap_or(placement.swivel.bend), mid, ..placement.swivel };
        } else if !(is_reset && self.stands(limb, placement, pose, skeleton)) {
            self.apply(skeleton, placement, pose);
        }
        let swivel = Some(placement.swivel);
        let turned = orient::turn(skeleton, pose, self.tip, fixed, blocked);
        if self.twist_bones == TwistBones::Shared {
            share::share(self, skeleton, pose);
        }
        (first_reason(placement.status, turned), swivel)
    }

    /// The tip's rotation
    pub(in crate::solve) fn arrival(
        &self,
        position: Option<DVec3>,
        rotation: Option<DQuat>,
        offset: DVec3,
        pose: &Pose,
    ) -> Option<Arrival> {
        let needed = rotation.is_some() || self.end == End::Model;
        let now = if needed { arc::rotation_of(&pose.model(self.tip).matrix3) } else { None };
        let rotation = match (rotation, now) {
            (Some(goal), Some(now)) => Some(arc::nlerp(now, goal, self.match_rotation)),
            (goal, now) => goal.or(now),
        };
        // A tip whose rotation is known moves its offset point rigidly: aim its origin instead.
        match (rotation, position) {
            (Some(known), Some(position)) if offset != DVec3::ZERO => {
                let map = DMat3::from_quat(known * now?.conjugate()) * pose.model(self.tip).matrix3;
                Some(Arrival { rotation, target: Some(position - map * offset), offset: DVec3::ZERO })
            }
            (_, target) => Some(Arrival { rotation, target, offset }),
        }
    }

    /// Whether the tip is where it was measured with joints between reset: no more than twist is shared among them.
    fn is_as_measured(&self, limb: &Measured, offset: DVec3, pose: &Pose) -> bool {
        let tip = limb.into_parent.transform_point3(pose.model(self.tip).transform_point3(offset)) - limb.origin;
        arc::length(tip - limb.root * limb.tip(limb.mid)) <= RESET * limb.length
    }

    /// Whether the limb keeps its bend, and brings its tip inside the limits as near as the placement would: then nothing
    /// moves.
    fn does_as_well(
        &self,
        limb: &Measured,
        asked: &PlacementTarget<'_>,
        placement: &Placement,
        pose: &Pose,
        skeleton: &Skeleton,
    ) -> bool {
        if !asked.keeps(self) || self.reach.stretches() {
            return false;
        }
        let (now, then) = (limb.root * limb.tip(limb.mid), placement.root * limb.tip(placement.mid));
        let is_there = arc::length(now - then) <= STILL * limb.length;
        let is_as_near = || arc::length(asked.p - now) <= arc::length(asked.p - then) * (1.0 + AS_GOOD);
        let is_inside = |joint| pose.excess(skeleton, joint, pose.local(joint)) < ALLOWED;
        (is_there || placement.status == Status::Limited && is_as_near())
            && [self.root, self.mid].into_iter().all(is_inside)
    }

    /// Whether the pose already is the placement, up to rounding: then nothing moves, and solving
    /// ten thousand times is solving once.
    fn stands(&self, limb: &Measured, placement: &Placement, pose: &Pose, skeleton: &Skeleton) -> bool {
        let elbow = limb.root * limb.a;
        let elbow_moved = arc::length(elbow - placement.root * limb.a);
        if elbow_moved > FLAT * limb.length {
            return false;
        }
        let near = |a: DQuat, b: DQuat| {
            let difference = if a.dot(b) < 0.0 { a + b } else { a - b };
            difference.dot(difference) < 0.25 * STILL_ANGLE * STILL_ANGLE
        };
        let tip = limb.root * limb.tip(limb.mid);
        let moved = tip - placement.root * limb.tip(placement.mid);
        let is_there = arc::length(moved) <= STILL * limb.length;
        if !is_there {
            return false;
        }
        // Straight or folded flat, a roll about the line is neither here nor there.
        let is_flat = || {
            let across = arc::unit(tip).map_or(0.0, |line| arc::length(arc::reject(elbow, line)));
            across.max(elbow_moved) <= FLAT * limb.length
        };
        let stretched = |joint: Joint| {
            let wanted = skeleton.rest(joint).translation * placement.stretch;
            arc::length(pose.local(joint).translation - wanted) > STILL * arc::length(wanted)
        };
        let same = near(limb.root, placement.root) && near(limb.mid, placement.mid);
        (same || is_flat()) && !(self.reach.stretches() && self.below_root(skeleton).any(stretched))
    }

    #[inline(always)]
    pub(super) fn apply(&self, skeleton: &Skeleton, placement: &Placement, pose: &mut Pose) {
        let mut edit = pose.edit(skeleton);
        if self.reach.stretches() {
            for joint in self.below_root(skeleton) {
                edit.translation(joint, skeleton.rest(joint).translation * placement.stretch);
            }
        }
        if self.twist_bones == TwistBones::Shared {
            twist::reset_all(self, skeleton, &mut edit);
        }
        // A plane of bones that hardly bend is not quite square, nor is the rotation that it makes.
        edit.rotation(self.root, arc::normalize(placement.root));
        match placement.mid_value {
            Some(value) => edit.value(self.mid, value),
            None => edit.rotation(self.mid, arc::normalize(placement.mid)),
        };
    }
}

impl Solver for TwoBone {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        quick::solve(self, skeleton, goals, pose, work)
            .unwrap_or_else(|| problem::solve(self, skeleton, goals, pose, work))
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let kind = matches!(goal.target, Target::Position(_) | Target::Rotation(_) | Target::Frame { .. });
        kind && goal.slack == Slack::NONE
            && goal.joint == self.tip
            && goal.base.is_none_or(|base| skeleton.is_below(self.root, base))
    }
}

impl Engine for TwoBone {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, skeleton: &Skeleton, _: &[Goal], pose: &Pose) -> bool {
        run::is_usable(&[self.root, self.mid, self.tip], skeleton, pose)
    }

    fn tolerance(&self, _: &Skeleton, _: &[Goal], goal: &Goal, pose: &Pose) -> Tolerance {
        run::tolerance(self, goal, pose)
    }

    fn may_stay(&self, goal: &Goal, pose: &Pose) -> bool {
        run::may_stay(self, goal, pose)
    }

    fn bends(&self, _: &Goal) -> bool {
        true
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let joints = [self.root, self.mid, self.tip];
        let limb = Self { reach: self.reach_on(skeleton), ..*self };
        run::run(&limb, &joints, skeleton, goals, pose, work, |limb_target, pose, blocked| {
            limb.place(skeleton, limb_target, pose, blocked)
        })
    }
}
