//! The body as a solver on a pose.

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops::sqrt};
use sinew::solve::aim::AimTarget;
use sinew::solve::author::{self, Engine, Miss, TargetInModel};
use sinew::{
    Goal, Joint, Kind, Mask, Outcome, Pole, Pose, Skeleton, Slack, Solver, Status, Target, Tolerance, Transform,
    Workspace,
};

use super::Body;
use super::layout::{Layout, Limb};
use super::look::Look;
use super::place::Room;
use super::seen::{self, frame_of};
use super::targets::{BodyTargets, LimbWanted, Wanted};
use super::uneven;

/// An answer that is nearer to what its limits allow is inside (half the square of half the angle).
const INSIDE: f64 = 1e-14;

impl Solver for Body {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        author::solve(self, skeleton, goals, pose, work)
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        author::prepare(self, skeleton, goals, pose, work);
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        self.is_closed(goal) || self.rest.serves(skeleton, goal)
    }
}

impl Engine for Body {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, skeleton: &Skeleton, _: &[Goal], _: &Pose) -> bool {
        self.layout.joints.iter().all(|&(joint, _)| skeleton.contains(joint))
    }

    fn make_room(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        let mut room = work.take::<Room>();
        room.seen.make_room(skeleton);
        room.goals.reserve(goals.len() + self.layout.legs.len() + 1);
        let is_free = |&(joint, _): &(Joint, Option<Joint>)| matches!(skeleton.kind(joint), Kind::BALL | Kind::Free);
        if !(self.layout.joints.iter().all(is_free) && goals.iter().all(|goal| self.is_placed(goals, goal))) {
            self.rest.prepare(skeleton, goals, pose, &mut room.inner);
        }
        work.put(room);
    }

    fn tolerance(&self, _: &Skeleton, _: &[Goal], _: &Goal, pose: &Pose) -> Tolerance {
        Tolerance { position: self.position_tolerance * self.leg(pose), rotation: self.rotation_tolerance }
    }

    fn bends(&self, _: &Goal) -> bool {
        true
    }

    fn travels(&self, _: &Skeleton, joint: Joint) -> bool {
        joint == self.layout.core
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let mut room = work.take::<Room>();
        room.seen.look(skeleton, &self.layout, pose);
        let asked = self.asked(goals, pose);
        room.beside = [DVec3::ZERO; 4];
        let mut is_inside = self.place(skeleton, &mut room, &asked, pose);
        for _ in 0..uneven::rounds(&self.layout, pose) {
            if !is_inside || !room.correct(&self.layout, pose, self.leg(pose)) {
                break;
            }
            is_inside = self.place(skeleton, &mut room, &asked, pose);
        }
        // Between hips and a head that are told steps would gain a rotation only by losing a place.
        // Nor is it worth a step how a head is turned that nobody tells.
        let counts = |joint: Joint| self.layout.trunk.last() != Some(&joint) || asked.turns_head();
        for &(_, off) in room.held.iter().filter(|&&(joint, _)| counts(joint) && !asked.is_spanned()) {
            room.outside = room.outside.max(off);
        }
        let is_all = goals.iter().all(|goal| self.is_placed(goals, goal) || !self.acts_on(skeleton, goal));
        let steps = if is_all && room.outside == 0.0 {
            0
        } else {
            let steps = self.finish(skeleton, goals, is_all, pose, (&mut room, work));
            if is_all {
                self.carry_untold(skeleton, &mut room, &asked, pose);
            }
            steps
        };
        let near = Tolerance { position: self.position_tolerance * self.leg(pose), rotation: self.rotation_tolerance };
        for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| self.acts_on(skeleton, goal)) {
            if steps == 0 && room.held.iter().any(|&(joint, _)| joint == self.layout.part(goal.joint)) {
                work.block(place, self.layout.part(goal.joint));
            }
            let is_short = room.short.contains(&self.layout.part(goal.joint));
            let miss = || if is_short { Miss::of(Status::OutOfReach) } else { Miss::default() };
            author::report(skeleton, (place, goal), pose, near, work, |_| miss());
        }
        work.put(room);
        work.outcome(1 + steps)
    }
}

impl Body {
    /// Places all parts and moves the joints; whether all is inside limits.
    fn place(&self, skeleton: &Skeleton, room: &mut Room, asked: &BodyTargets, pose: &mut Pose) -> bool {
        room.place(skeleton, &self.layout, asked);
        self.write(skeleton, room, pose);
        room.outside == 0.0
    }

    /// The length of a leg.
    pub(super) fn leg(&self, pose: &Pose) -> f64 {
        self.layout.legs[0].map_or(1.0, |leg| {
            let apart = |from, to| (pose.position(to) - pose.position(from)).length();
            apart(leg.upper, leg.lower) + apart(leg.lower, leg.end)
        })
    }

    /// Whether the body has a closed form for the goal. It has one for
    ///
    /// - the position, rotation or frame of the hips, the head, a hand or a foot;
    /// - the position or frame of what is below a hand or foot and no finger (toes, a held thing), when that hand or foot
    ///   has no goal of its own;
    /// - the position of an elbow or knee, the rotation of the chest, and an aim of the head without an up;
    ///
    /// each without base, mask or slack. A point beside the joint ([`Goal::offset`]) is allowed on hands and feet, or when
    /// the goal has a rotation too. Other goals are met by steps.
    pub fn is_closed(&self, goal: &Goal) -> bool {
        let is_head = self.layout.trunk.last() == Some(&goal.joint);
        let kind = match goal.target {
            Target::Position(_) | Target::Rotation(_) | Target::Frame { .. } => true,
            Target::Aim { up: None, .. } | Target::Axis { up: None, .. } => is_head,
            _ => false,
        };
        let whole = goal.mask == Mask::default() && goal.slack == Slack::NONE && goal.base.is_none();
        kind && whole && self.is_part(goal)
    }

    /// Whether the closed form serves the goal among these: not what hangs on a hand or foot that another goal is for.
    fn is_placed(&self, goals: &[Goal], goal: &Goal) -> bool {
        let (joint, part) = (goal.joint, self.layout.part(goal.joint));
        let vies = |other: &Goal| other.weight > 0.0 && other.joint != joint && self.layout.part(other.joint) == part;
        self.is_closed(goal) && (joint == part || !goals.iter().any(vies))
    }

    /// Whether the goal's joint is a part that goals may be for, and its point one that is placed with it.
    fn is_part(&self, goal: &Goal) -> bool {
        let Layout { hips, trunk, chest, .. } = &self.layout;
        let (joint, is_place) = (goal.joint, matches!(goal.target, Target::Position(_)));
        let is_turned = matches!(goal.target, Target::Rotation(_));
        if let Some(end) = self.layout.end(joint) {
            return joint == end || !is_turned;
        }
        let is_own = goal.offset == DVec3::ZERO || !is_place;
        is_own && (joint == *hips || trunk.last() == Some(&joint))
            || trunk[*chest] == joint && is_turned
            || self.layout.limbs().any(|limb| limb.lower == joint) && is_place
    }

    /// Goals as what is asked of the parts; of two goals for one part the later counts.
    fn asked(&self, goals: &[Goal], pose: &Pose) -> BodyTargets {
        let layout = &self.layout;
        let mut asked = BodyTargets::default();
        for goal in goals.iter().filter(|goal| goal.weight > 0.0 && self.is_placed(goals, goal)) {
            let joint = layout.part(goal.joint);
            asked.look = self.look(goal, pose).or(asked.look);
            let (wanted, tip) = self.wanted(goal, joint, pose);
            if joint == layout.hips {
                asked.hips.add(wanted);
            } else if layout.trunk.last() == Some(&joint) {
                asked.head.add(wanted);
            } else if layout.trunk[layout.chest] == joint {
                asked.chest = wanted.rotation.or(asked.chest);
            }
            let limbs = layout.arms.iter().zip(&mut asked.arms).chain(layout.legs.iter().zip(&mut asked.legs));
            for (limb, asked) in limbs.filter_map(|(limb, asked)| Some((limb.as_ref()?, asked))) {
                if limb.end == joint {
                    asked.end.add(wanted);
                    asked.tip = wanted.position.map_or(asked.tip, |_| tip);
                    let pole = goal.pole.map(|pole| self.pole(goal, pole, limb, pose));
                    asked.middle = pole.or(asked.middle);
                } else if limb.lower == joint {
                    asked.middle = wanted.position.or(asked.middle);
                    asked.tells_middle = asked.middle.is_some();
                }
            }
        }
        asked.arms.iter_mut().chain(&mut asked.legs).for_each(LimbWanted::turn_tip);
        asked.on_top()
    }

    /// What a goal asks of the hips, the head, a hand, ..., and from there, in its own frame, to
    /// the point that is to be there, if not the part itself.
    fn wanted(&self, goal: &Goal, part: Joint, pose: &Pose) -> (Wanted, DVec3) {
        let target = TargetInModel::of(goal, pose);
        if let (true, DVec3::ZERO, Some(rotation)) = (goal.joint == part, goal.offset, target.rotation) {
            let frame = frame_of(&self.layout, part, target.position.unwrap_or_default(), rotation);
            let position = target.position.map(|_| frame.position);
            return (Wanted { position, rotation: Some(frame.rotation) }, DVec3::ZERO);
        }
        let now = pose.rotation(part);
        let held = if goal.joint == part { DQuat::IDENTITY } else { pose.rotation(goal.joint).conjugate() * now };
        let point = pose.model(goal.joint).transform_point3(goal.offset) - pose.position(part);
        let rotation = target.rotation.map(|rotation| rotation * held);
        let frame = frame_of(&self.layout, part, target.position.unwrap_or_default(), rotation.unwrap_or(now));
        let tip = self.layout.own(part).conjugate() * (now.conjugate() * point);
        // Where the rotation is told, it says where the part is.
        let (position, tip) = match rotation {
            Some(_) => (frame.position - frame.rotation * tip, DVec3::ZERO),
            None => (frame.position, tip),
        };
        (Wanted { position: target.position.map(|_| position), rotation: rotation.map(|_| frame.rotation) }, tip)
    }

    /// What a goal has the head look at.
    fn look(&self, goal: &Goal, pose: &Pose) -> Option<Look> {
        let (back, relative) = (self.layout.axes.conjugate(), goal.relative_to.map(|from| pose.model(from)));
        let (axis, mark) = match goal.target {
            Target::Aim { axis, point, .. } => {
                let point = relative.map_or(point, |from| from.transform_point3(point));
                (axis, AimTarget::Point(back * point))
            }
            Target::Axis { axis, direction, .. } => {
                let turned = goal.relative_to.map_or(direction, |from| pose.rotation(from) * direction);
                (axis, AimTarget::Direction(back * turned))
            }
            _ => return None,
        };
        let own = self.layout.own(goal.joint).conjugate();
        let offset = pose.rotation(goal.joint).conjugate() * pose.model(goal.joint).transform_vector3(goal.offset);
        Some(Look { axis: own * axis, offset: own * offset, mark })
    }

    /// A point to which a limb bends.
    fn pole(&self, goal: &Goal, pole: Pole, limb: &Limb, pose: &Pose) -> DVec3 {
        let back = self.layout.axes.conjugate();
        let from = goal.pole_relative_to.or(goal.relative_to).map(|from| *pose.model(from)).unwrap_or_default();
        match pole {
            Pole::Point(point) => back * from.transform_point3(point),
            Pole::Direction(direction) => back * (pose.position(limb.upper) + from.transform_vector3(direction)),
        }
    }

    /// Moves the joints of the body, each to the nearest that its limit allows. Heads, hands and feet that are held back are in their places
    /// all the same.
    fn write(&self, skeleton: &Skeleton, room: &mut Room, pose: &mut Pose) {
        let layout = &self.layout;
        let core = layout.axes * room.out.at(layout.core).position;
        let above = skeleton.parent(layout.core).map_or(*skeleton.base(layout.core), |above| *pose.model(above));
        let core = above.inverse().transform_point3(core);
        let Room { seen, out, locals, inside, held, toes, outside, .. } = room;
        held.clear();
        locals.clear();
        locals.extend(layout.joints.iter().map(|&(joint, owner)| {
            let turned = seen::turned(layout, joint, &out.at(joint));
            out.set_turned(joint, turned);
            let parent = match (owner, skeleton.parent(joint)) {
                (Some(owner), Some(parent)) if owner == parent => out.turned(parent),
                // What lies between turns with the joint of the body above it.
                (owner, parent) => {
                    let parent = parent.map_or(layout.base, |parent| seen.turned(parent));
                    owner.map_or(parent, |owner| out.turned(owner) * seen.turned(owner).conjugate() * parent)
                }
            };
            (joint, arc::normalize(parent.conjugate() * turned))
        }));
        let mut edit = pose.edit(skeleton);
        if core.is_finite() {
            edit.translation(layout.core, core);
        }
        for &(joint, rotation) in &*locals {
            if inside[joint.index()] || matches!(skeleton.kind(joint), Kind::BALL | Kind::Free) {
                edit.rotation(joint, rotation);
                continue;
            }
            let wanted = Transform { rotation, ..*edit.pose().local(joint) };
            let value = edit.pose().value(skeleton, joint);
            let allowed = skeleton.nearest_allowed(joint, &wanted, value);
            let off = 1.0 - allowed.rotation.dot(rotation).abs();
            if off >= INSIDE {
                let is_end = layout.is_end(joint) || layout.trunk.last() == Some(&joint);
                let angle = 2.0 * sqrt(2.0 * off);
                if is_end { held.push((joint, angle)) } else { *outside = outside.max(angle) }
            }
            // What carries the body travels, whatever else it may do.
            let travels = joint == layout.core;
            edit.local(joint, if travels { Transform { translation: wanted.translation, ..allowed } } else { allowed });
        }
        for &(toes, rotation) in toes.iter().flatten() {
            let wanted = Transform { rotation, ..*edit.pose().local(toes) };
            edit.local(toes, skeleton.nearest_allowed(toes, &wanted, 0.0));
        }
    }
}

impl LimbWanted {
    /// Where another goal tells the rotation, that says where the hand or foot is.
    fn turn_tip(&mut self) {
        if let (Some(position), Some(rotation)) = (&mut self.end.position, self.end.rotation) {
            *position -= rotation * self.tip;
            self.tip = DVec3::ZERO;
        }
    }
}

impl Wanted {
    fn add(&mut self, more: Self) {
        self.position = more.position.or(self.position);
        self.rotation = more.rotation.or(self.rotation);
    }
}
