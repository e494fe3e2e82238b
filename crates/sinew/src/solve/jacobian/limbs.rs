//! Limbs laid to their goals by closed form, with the rest of the body where it is.
//!
//! A limb is what lies lowest above a goal's joint: a ball, a hinge, and the joint itself, which is a ball, too. The distance to the
//! target decides the hinge. The turn about the line to the target is left, and is taken where the limits of both balls are missed
//! least: descents rarely find the way round a limb from one side to the other. Of the random frames of a human, whose trunk is given,
//! one descent from the middle of all limits misses seven in a hundred, from limbs that are laid none in five hundred.

use alloc::vec::Vec;

use glam::{DMat3, DVec3};

use super::goal_task::{GoalPart, GoalTask};
use super::limb_turns::Turns;
use super::mover::MoverKind;
use super::plan::{Plan, RowsFor};
use super::posture::{limit_centre, middle};
use crate::goal::Slack;
use crate::limit::Range;
use crate::math::affine::inverse;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::TargetInModel;
use crate::solve::seen::make_room;

/// The limbs of a plan.
#[derive(Debug, Default)]
pub(super) struct Limbs {
    all: Vec<Limb>,
    /// By mover: the rank of a goal that it moves for, and for how many it does.
    goals: Vec<(usize, u32)>,
}

/// The places of a limb's movers and of its point's block.
#[derive(Clone, Copy, Debug)]
struct Limb {
    root: usize,
    mid: usize,
    tip: usize,
    block: usize,
}

impl Limbs {
    /// Grows the buffers at once.
    pub(super) fn fit(&mut self, plan: &Plan) {
        self.all.clear();
        make_room(&mut self.all, plan.blocks.len());
        make_room(&mut self.goals, plan.movers.len());
    }

    /// Lists those of which a point and a rotation are asked.
    pub(super) fn list(&mut self, plan: &Plan, skeleton: &Skeleton) {
        self.goals.clear();
        self.goals.resize(plan.movers.len(), (usize::MAX, 0));
        for block in &plan.blocks {
            for &at in &plan.used[block.used.clone()] {
                let own = plan.mover_of(plan.motions[at as usize].freedom).and_then(|place| self.goals.get_mut(place));
                if let Some((rank, count)) = own.filter(|(rank, _)| *rank != block.rank()) {
                    (*rank, *count) = (block.rank(), *count + 1);
                }
            }
        }
        self.all.clear();
        for place in 0..plan.blocks.len() {
            let limb = self.of(plan, skeleton, place);
            self.all.extend(limb);
        }
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether the mover of this place is a limb's.
    pub(super) fn has(&self, place: usize) -> bool {
        self.all.iter().any(|limb| [limb.root, limb.mid, limb.tip].contains(&place))
    }

    /// For how many goals the mover of this place moves.
    pub(super) fn goals_of(&self, place: usize) -> u32 {
        self.goals[place].1
    }

    /// Lays each to its goal.
    pub(super) fn lay(&self, plan: &Plan, skeleton: &Skeleton, pose: &mut Pose) {
        for limb in &self.all {
            // What has no way to be laid stays.
            let _ = limb.lay(plan, skeleton, pose);
        }
    }

    /// The limb of a point's block.
    fn of(&self, plan: &Plan, skeleton: &Skeleton, block: usize) -> Option<Limb> {
        let RowsFor::Goal(GoalTask { goal, part: GoalPart::Point }) = &plan.blocks[block].asked else { return None };
        let whole = goal.mask.position.all() && goal.mask.rotation.all() && goal.slack == Slack::NONE;
        if !whole || goal.relative_to.is_some() || goal.target.rotation().is_none() {
            return None;
        }
        let above = |place: &usize| skeleton.is_below(goal.joint, plan.movers[*place].joint);
        let mut places = (0..plan.movers.len()).rev().filter(above);
        let (tip, mid, root) = (places.next()?, places.next()?, places.next()?);
        let turns = |place: usize| matches!(plan.movers[place].kind, MoverKind::Ball { .. });
        let bends = match plan.movers[mid].kind {
            MoverKind::Coordinate { index, turns: true, .. } => skeleton.driven(index).count() == 1,
            _ => false,
        };
        let own = [tip, mid, root].iter().all(|&place| self.goals[place].1 == 1);
        let fits = plan.movers[tip].joint == goal.joint && turns(tip) && bends && turns(root) && own;
        fits.then_some(Limb { root, mid, tip, block })
    }
}

impl Limb {
    /// Bends the hinge to the target's distance, points the limb at the target, and turns it about that line.
    fn lay(&self, plan: &Plan, skeleton: &Skeleton, pose: &mut Pose) -> Option<()> {
        let [root, mid, tip] = [self.root, self.mid, self.tip].map(|place| plan.movers[place].joint);
        let RowsFor::Goal(task) = &plan.blocks[self.block].asked else { return None };
        let asked = TargetInModel::of(&task.goal, pose);
        let (point, rotation) = (asked.position?, asked.rotation?);
        // Where the joint's own origin should be.
        let offset = task.point(pose) - pose.position(tip);
        let to = point - rotation * (pose.rotation(tip).conjugate() * offset);
        let above = inverse(&skeleton.parent(root).map_or(*skeleton.base(root), |parent| *pose.model(parent)))?;
        let local = *pose.local(root);
        let to = above.transform_point3(to) - local.translation;
        bend(skeleton, [root, mid, tip], arc::length(to), pose)?;
        let into = inverse(pose.model(root))?;
        let reach = DMat3::from_quat(local.rotation)
            * (DMat3::from_diagonal(local.scale) * into.transform_point3(pose.position(tip)));
        let line = arc::unit(to)?;
        let pointed = arc::arc(arc::unit(reach)?, line, arc::any_perpendicular(line)) * local.rotation;
        let turns = Turns {
            skeleton,
            balls: [(root, local), (tip, *pose.local(tip))],
            line,
            pointed,
            below: arc::rotation_of(
                &(into.matrix3 * skeleton.parent(tip).map_or(DMat3::IDENTITY, |parent| pose.model(parent).matrix3)),
            )?,
            // Below a mirror the x axis carries it, there as here.
            wanted: arc::rotation_of(&(above.matrix3 * DMat3::from_quat(rotation)))?,
            centres: [root, tip].map(|joint| limit_centre(skeleton, joint)),
        };
        let locals = turns.best();
        let mut edit = pose.edit(skeleton);
        for (joint, local) in [root, tip].into_iter().zip(locals) {
            edit.local(joint, local);
        }
        Some(())
    }
}

/// Turns the hinge until root and tip are as far apart as that (in the space above the root), as far as its range lets it.
fn bend(skeleton: &Skeleton, [root, mid, tip]: [Joint; 3], distance: f64, pose: &mut Pose) -> Option<()> {
    let Kind::Hinge { axis, .. } = skeleton.kind(mid) else { return None };
    let into = inverse(pose.model(root))?;
    let scale = pose.local(root).scale;
    let seen = |vector: DVec3| into.transform_vector3(vector) * scale;
    let upper = seen(pose.position(mid) - pose.position(root));
    let lower = seen(pose.position(tip) - pose.position(mid));
    let axis = arc::unit(seen(pose.model(mid).transform_vector3(axis)))?;
    // The square of the distance is `still + 2 (c cos turn + s sin turn)`, for a turn from where the hinge is.
    let along = upper.dot(axis) * lower.dot(axis);
    let (c, s) = (upper.dot(lower) - along, upper.dot(axis.cross(lower)));
    let still = upper.dot(upper) + lower.dot(lower) + 2.0 * along;
    let widest = ops::sqrt(c * c + s * s);
    if widest.is_nan() || widest <= 0.0 {
        return None;
    }
    let cosine = (0.5 * (distance * distance - still) / widest).clamp(-1.0, 1.0);
    let bent = ops::atan2(ops::sqrt_clamped(1.0 - cosine * cosine), cosine);
    let (range, now) = (skeleton.range(mid), pose.value(skeleton, mid));
    let straight = now + ops::atan2(s, c);
    let near = middle(range).unwrap_or(now);
    let value = nearer(range, near, [straight - bent, straight + bent]);
    pose.edit(skeleton).value(mid, value);
    Some(())
}

/// Of two angles the one that a range is missed by least, as far as the range has it.
fn nearer(range: Range, near: f64, angles: [f64; 2]) -> f64 {
    let [(miss, value), (other_miss, other)] = angles.map(|angle| {
        let value = range.clamp_angle(angle, near);
        (1.0 - ops::sin_cos(angle - value).1, value)
    });
    let is_other = if miss == other_miss { (other - near).abs() < (value - near).abs() } else { other_miss < miss };
    if is_other { other } else { value }
}

#[cfg(test)]
mod tests {
    use glam::DAffine3;

    use super::*;
    use crate::goal::Goal;
    use crate::limit::EllipticSwing;
    use crate::skeleton::{BallLimit, JointSpec, SkeletonBuilder};
    use crate::solve::{Jacobian, Workspace};
    use crate::transform::Transform;

    /// A limb in a space of that size, negative below a mirror; both balls within limits or free.
    fn limb(size: f64, limited: bool) -> (Skeleton, Joint) {
        let ball = |swing: [f64; 2], twist: f64| {
            let limit = EllipticSwing::new(DVec3::X, DVec3::Y, swing, Range::new(-twist, twist));
            Kind::Ball(limit.filter(|_| limited).map_or(BallLimit::Free, BallLimit::EllipticSwing))
        };
        let mut builder = SkeletonBuilder::new();
        let base = DAffine3::from_scale(DVec3::new(size, size.abs(), size.abs()));
        let mut add = |at: [f64; 3], kind: Kind, parent: Option<usize>| {
            let spec = JointSpec { base, ..JointSpec::default() }.translation(DVec3::from_array(at)).kind(kind);
            builder.add(parent.into_iter().fold(spec, JointSpec::child_of))
        };
        let body = add([0.1, 1.0, 0.0], Kind::Fixed, None);
        let root = add([0.2, 0.3, 0.0], ball([1.2, 0.9], 0.8), Some(body));
        let mid = add([0.3, 0.0, 0.02], Kind::hinge(DVec3::Z).within(0.0, 2.5), Some(root));
        let tip = add([0.26, 0.01, 0.0], ball([0.9, 0.5], 1.0), Some(mid));
        let skeleton = builder.build().expect("a limb");
        let tip = skeleton.from_caller(tip).expect("its tip");
        (skeleton, tip)
    }

    /// A pose inside all limits.
    fn allowed(skeleton: &Skeleton, rng: &mut fastrand::Rng) -> Pose {
        let mut pose = skeleton.neutral_pose();
        for joint in skeleton.iter() {
            let mut number = || 2.0 * rng.f64() - 1.0;
            let turn = arc::turn_by(DVec3::new(number(), number(), number()));
            match skeleton.kind(joint) {
                Kind::Hinge { range, .. } => {
                    pose.edit(skeleton).value(joint, range.min + (range.max - range.min) * rng.f64());
                }
                Kind::Ball(_) => {
                    let wanted =
                        Transform { rotation: arc::normalize(turn * pose.local(joint).rotation), ..*pose.local(joint) };
                    pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &wanted, 0.0));
                }
                _ => {}
            }
        }
        pose
    }

    /// How far the tip is from its target (lengths of the limb) and turned from it (radians), laid from the neutral pose.
    fn left(skeleton: &Skeleton, tip: Joint, offset: DVec3, wanted: &Pose) -> (f64, f64) {
        let (place, rotation) = (wanted.model(tip).transform_point3(offset), wanted.rotation(tip));
        let goals = [Goal::frame(tip, place, rotation).offset(offset)];
        let (mut plan, mut limbs, mut work) = (Plan::default(), Limbs::default(), Workspace::default());
        work.begin(&goals);
        let mut pose = skeleton.neutral_pose();
        plan.make(&Jacobian::default(), skeleton, &goals, &pose, &work);
        limbs.list(&plan, skeleton);
        assert!(!limbs.is_empty(), "no limb");
        limbs.lay(&plan, skeleton, &mut pose);
        let far = arc::length(pose.model(tip).transform_point3(offset) - place);
        (far / plan.length, arc::length(arc::rotation_vector(rotation * pose.rotation(tip).conjugate())))
    }

    #[test]
    fn free_limbs_arrive_in_any_space() {
        for size in [1.0, 2.5, -1.5] {
            let (skeleton, tip) = limb(size, false);
            for seed in 0..100 {
                let wanted = allowed(&skeleton, &mut fastrand::Rng::with_seed(seed));
                let (far, turned) = left(&skeleton, tip, DVec3::new(0.05, -0.02, 0.01), &wanted);
                assert!(far < 1e-9 && turned < 1e-7, "size {size}, seed {seed}: {far:e} and {turned:e} rad");
            }
        }
    }

    #[test]
    fn limbs_turn_to_where_both_limits_let_them() {
        for size in [1.0, -1.5] {
            let (skeleton, tip) = limb(size, true);
            let misses = |seed: &u64| {
                let wanted = allowed(&skeleton, &mut fastrand::Rng::with_seed(*seed));
                let (far, turned) = left(&skeleton, tip, DVec3::ZERO, &wanted);
                far > 1e-2 || turned > 5e-2
            };
            let missed = (0..200).filter(misses).count();
            assert!(missed <= 4, "size {size}: {missed} of 200");
        }
    }
}
