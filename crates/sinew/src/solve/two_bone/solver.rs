//! The two-bone solver on a pose: places the triangle, respects hinges and limits, turns the tip, shares
//! twist.

use glam::{DMat3, DQuat, DVec3};

use super::measure::{self, Measured};
use super::placement::{self, Asked, Placement};
use super::reach::Reach;
use super::swivel::ALLOWED;
use super::wish::Wish;
use super::{plain, run, share, twist};
use crate::chain::{Chain, ChainError};
use crate::goal::{Goal, Slack, Swivel, Target, Tolerance};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::problem::pole::seen_from;
use crate::solve::problem::{self, Engine};
use crate::solve::report::first_reason;
use crate::solve::{Bend, Outcome, Solver, Status, Workspace, orient};

/// Relative distance below which a solved limb stays as it is.
const STILL: f64 = 1e-12;
/// Relative distance within which the tip is where joints between that are reset bring it.
const RESET: f64 = 1e-9;
/// Relative distance of the middle joint from the line below which a limb is straight, or folded flat: the
/// root of rounding.
pub(super) const FLAT: f64 = 1e-7;
/// Relative difference below which one of two misses is no better: in flat valleys of their limits searches end so far
/// from the lowest.
const AS_GOOD: f64 = 1e-5;
/// Angle (radians) below which a solved limb stays as it is.
pub(in crate::solve) const STILL_ANGLE: f64 = 1e-10;

/// What becomes of the tip's rotation where no goal sets it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// It rides along with the second bone; the default, as for a hand.
    #[default]
    Local,
    /// It keeps its rotation in model space, as for a foot that stays flat.
    Model,
}

/// What becomes of joints between root and mid, and between mid and tip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Twist {
    /// They keep their local rotations.
    #[default]
    Rigid,
    /// Those on the line of their bone take even shares of the twist about it: of the root's turn
    /// above, of the tip's below. Hinges do so where their axis lies along the bone; what a limit keeps from one
    /// the others take. Joints that follow another, or are followed, stay as they are.
    Shared,
}

/// A limb of three joints, which need not be adjacent: arm, leg, finger, crane.
///
/// Serves position, rotation and frame goals of its tip whose base, if any, is not below its root.
/// Of several position targets it takes the mean by `pull`, of several rotations the first in
/// solving order. Without a pole it bends as in the pose given, or as at rest: see [`Bend`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// Shoulder or hip.
    pub root: Joint,
    /// Elbow or knee.
    pub mid: Joint,
    /// Wrist or ankle.
    pub tip: Joint,
    /// What to do out of reach; [`Reach::Clamp`] by default.
    pub reach: Reach,
    /// What becomes of the tip's rotation without a rotation goal; [`End::Local`] by default.
    pub end: End,
    /// How far a rotation goal turns the tip from the rotation it has in model space, 0 to 1; 1 by
    /// default.
    pub match_rotation: f64,
    /// Turn of the bend direction about the line from root to target (radians); 0 by default. That of the pose given is
    /// not turned, since each solve would turn it further.
    pub pole_angle: f64,
    /// What becomes of joints between; [`Twist::Rigid`] by default.
    pub twist: Twist,
    /// Which bend a goal without a pole keeps: that of the pose given by default.
    pub bend: Bend,
    /// The limb's own bend; the constructors take it from the rest pose.
    pub rest: RestBend,
}

/// What the tip is to do, in model space.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Arrival {
    pub(in crate::solve) rotation: Option<DQuat>,
    pub(in crate::solve) target: Option<DVec3>,
    /// The point to bring there, in the tip's frame.
    pub(in crate::solve) offset: DVec3,
}

/// How a limb bends of itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestBend {
    /// Unit direction from root to tip at rest, in the space of the root's parent.
    pub line: DVec3,
    /// Unit direction, perpendicular to it, to which the middle joint bends, in the same space.
    pub bend: DVec3,
    /// Unit axis in the root joint's frame about which a positive turn folds the limb.
    pub axis: DVec3,
    /// The same for a limb that the pose given shows straight, or folded flat: the constructors take the middle joint's
    /// [preferred bend](crate::JointSpec::bend), where it has one, else `axis`.
    pub preferred: DVec3,
}

impl TwoBone {
    /// A limb of three joints, each below the one before; root and mid must be able to turn.
    pub fn new(skeleton: &Skeleton, root: Joint, mid: Joint, tip: Joint) -> Result<Self, ChainError> {
        for (base, tip) in [(root, mid), (mid, tip)] {
            if Chain::new(skeleton, base, tip)?.joints().len() < 2 {
                return Err(ChainError::NotBelow { base, tip });
            }
        }
        if let Some(&joint) = [root, mid].iter().find(|&&joint| !skeleton.kind(joint).turns()) {
            return Err(ChainError::Stiff { joint });
        }
        Ok(Self {
            root,
            mid,
            tip,
            reach: Reach::Clamp,
            end: End::Local,
            match_rotation: 1.0,
            pole_angle: 0.0,
            twist: Twist::Rigid,
            bend: Bend::Given,
            rest: measure::rest_bend(skeleton, root, mid, tip),
        })
    }

    /// The limb that ends at `tip`: up to the nearest two joints above that can turn and have a bone
    /// of some length. Joints called twist or roll that lie along their bone are passed over.
    pub fn ending_at(skeleton: &Skeleton, tip: Joint) -> Result<Self, ChainError> {
        let path = Chain::to_root(skeleton, tip)?;
        let mut bends = twist::bends(skeleton, &path);
        match (bends.next(), bends.next()) {
            (Some(mid), Some(root)) => Self::new(skeleton, root, mid, tip),
            _ => Err(ChainError::TooShort { tip }),
        }
    }

    /// The limb from `base` to `tip`, bending at the joint between that gives it the widest reach.
    pub fn between(skeleton: &Skeleton, base: Joint, tip: Joint) -> Result<Self, ChainError> {
        let path = Chain::new(skeleton, base, tip)?;
        let rest = skeleton.rest_pose();
        let inner = path.joints().iter().skip(1).rev().skip(1);
        let shorter = |joint: Joint| {
            let place = rest.position(joint);
            place.distance(rest.position(base)).min(place.distance(rest.position(tip)))
        };
        let able = inner.copied().filter(|&joint| skeleton.kind(joint).turns() && shorter(joint) > 0.0);
        let best = able.max_by(|&a, &b| shorter(a).total_cmp(&shorter(b)));
        let mid = best.ok_or(ChainError::TooShort { tip })?;
        Self::new(skeleton, base, mid, tip)
    }

    /// Solves the wish on the pose.
    pub(in crate::solve) fn place(
        &self,
        skeleton: &Skeleton,
        wish: &Wish,
        pose: &mut Pose,
        blocked: &mut dyn FnMut(Joint),
    ) -> (Status, Option<Swivel>) {
        let Some(arrival) = &self.arrival(wish, pose) else { return (Status::Singular, None) };
        if let Some(placement) = &plain::place(self, skeleton, pose, wish, arrival) {
            self.apply(skeleton, placement, pose);
            let turned = orient::turn(skeleton, pose, self.tip, arrival.rotation, blocked);
            return (first_reason(placement.status, turned), Some(placement.swivel));
        }
        let Arrival { rotation: fixed, target, offset } = *arrival;
        let Some(target) = target else { return (orient::turn(skeleton, pose, self.tip, fixed, blocked), None) };
        let Some(limb) = &Measured::of(self, skeleton, pose, offset) else { return (Status::Singular, None) };
        let p = limb.into_parent.transform_point3(target) - limb.origin;
        if !p.is_finite() {
            return (Status::Singular, None);
        }
        let seen = |pole| seen_from(pose.position(self.root), pole, pose);
        let pole = wish.pole.map(|pole| limb.into_parent.transform_vector3(seen(pole)));
        let whole = p + limb.into_parent.transform_vector3(wish.left_out);
        let asked = Asked { p, pole, last: wish.swivel.as_ref(), weight: wish.weight, whole };
        let mut placed = placement::place(self, skeleton, pose, limb, asked, blocked);
        let Some(placement) = &mut placed else {
            return (Status::Singular, None);
        };
        if placement.status == Status::Held {
            return (Status::Held, wish.swivel);
        }
        let is_reset = self.twist == Twist::Rigid || self.is_as_measured(limb, offset, pose);
        if is_reset && self.does_as_well(limb, &asked, placement, pose, skeleton) {
            let mid = limb.root * limb.a;
            let bend = arc::unit(limb.root * limb.tip(limb.mid)).and_then(|line| arc::unit_reject(mid, line, FLAT));
            placement.swivel = Swivel { bend: bend.unwrap_or(placement.swivel.bend), mid, ..placement.swivel };
        } else if !(is_reset && self.stands(limb, placement, pose, skeleton)) {
            self.apply(skeleton, placement, pose);
        }
        let swivel = Some(placement.swivel);
        let turned = orient::turn(skeleton, pose, self.tip, fixed, blocked);
        if self.twist == Twist::Shared {
            share::share(self, skeleton, pose);
        }
        (first_reason(placement.status, turned), swivel)
    }

    /// The tip's rotation where it is known beforehand, and which point of it to bring where.
    pub(in crate::solve) fn arrival(&self, wish: &Wish, pose: &Pose) -> Option<Arrival> {
        let needed = wish.rotation.is_some() || self.end == End::Model;
        let now = if needed { arc::rotation_of(&pose.model(self.tip).matrix3) } else { None };
        let rotation = match (wish.rotation, now) {
            (Some(goal), Some(now)) => Some(arc::nlerp(now, goal, self.match_rotation)),
            (goal, now) => goal.or(now),
        };
        // A tip whose rotation is known moves its offset point rigidly: aim its origin instead.
        match (rotation, wish.position) {
            (Some(known), Some(position)) if wish.offset != DVec3::ZERO => {
                let map = DMat3::from_quat(known * now?.conjugate()) * pose.model(self.tip).matrix3;
                Some(Arrival { rotation, target: Some(position - map * wish.offset), offset: DVec3::ZERO })
            }
            (_, target) => Some(Arrival { rotation, target, offset: wish.offset }),
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
        asked: &Asked<'_>,
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
        let is_inside = |joint| placement::excess(skeleton, pose, joint, pose.local(joint)) < ALLOWED;
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

    /// The joints below the root down to the tip.
    pub(in crate::solve) fn below_root<'a>(&self, skeleton: &'a Skeleton) -> impl Iterator<Item = Joint> + use<'a> {
        let root = self.root;
        core::iter::successors(Some(self.tip), |&joint| skeleton.parent(joint)).take_while(move |&joint| joint != root)
    }

    /// The limb's reach on a skeleton: with a slide among its bones it keeps their lengths.
    pub(in crate::solve) fn reach_on(&self, skeleton: &Skeleton) -> Reach {
        let is_slide = |joint: Joint| matches!(skeleton.kind(joint), Kind::Slide { .. });
        let is_rigid = self.reach.stretches() && self.below_root(skeleton).any(is_slide);
        if is_rigid { self.reach.rigid() } else { self.reach }
    }

    fn apply(&self, skeleton: &Skeleton, placement: &Placement, pose: &mut Pose) {
        let mut edit = pose.edit(skeleton);
        if self.reach.stretches() {
            for joint in self.below_root(skeleton) {
                edit.translation(joint, skeleton.rest(joint).translation * placement.stretch);
            }
        }
        if self.twist == Twist::Shared {
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
        problem::solve(self, skeleton, goals, pose, work)
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

    fn make_room(&self, _: &Skeleton, _: &[Goal], _: &Pose, _: &mut Workspace) {}

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
        run::run(&limb, &joints, skeleton, goals, pose, work, |wish, pose, blocked| {
            limb.place(skeleton, wish, pose, blocked)
        })
    }
}
