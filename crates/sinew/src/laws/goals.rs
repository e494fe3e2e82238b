//! Laws about where the limb ends: lengths, limits, reachable and unreachable goals, others.

use alloc::format;
use alloc::vec::Vec;

use fastrand::Rng;

use super::rigs::{direction, similarity};
use super::{Case, Task, Verdict, aims, ensure, scales};
use crate::goal::{Goal, Pole};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind};
use crate::solve::{Outcome, Status, Workspace};

/// Poses tried by brute force against an unreachable goal.
pub(super) const TRIES: usize = 300;

impl Case<'_> {
    /// Solves from the neutral pose.
    pub(super) fn solved(&self, goals: &[Goal]) -> (Pose, Outcome) {
        let mut pose = self.rig.skeleton.neutral_pose();
        let outcome = self.solver.solve(&self.rig.skeleton, goals, &mut pose, &mut Workspace::default());
        (pose, outcome)
    }

    /// A position goal at a random place, in reach or not, half of the time with a pole; or any aim or scale.
    pub(super) fn any_goal(&self, rng: &mut Rng) -> Goal {
        match self.subject.task {
            Task::Reach => {}
            Task::Point => return self.any_aim(rng),
            Task::Scale => return self.any_scale(rng),
        }
        let rest = self.rig.skeleton.rest_pose();
        let from = rest.position(self.rig.root);
        let goal = Goal::position(self.rig.tip, from + direction(rng) * self.rig.length() * 1.3 * rng.f64());
        if rng.bool() { goal.pole(Pole::Direction(direction(rng))) } else { goal }
    }

    /// Any goal, and with it a place for the rig's other tip, if it has one and places are what is asked.
    pub(super) fn any_goals(&self, rng: &mut Rng) -> Vec<Goal> {
        let mut goals = alloc::vec![self.any_goal(rng)];
        if let Some(other) = self.rig.other_tip.filter(|_| self.subject.task == Task::Reach) {
            let from = self.rig.skeleton.rest_pose().position(self.rig.root);
            goals.push(Goal::position(other, from + direction(rng) * self.rig.length() * 1.3 * rng.f64()));
        }
        goals
    }

    /// A goal that an allowed pose meets, with its pole.
    pub(super) fn reachable_goal(&self, rng: &mut Rng) -> (Goal, Pose) {
        let pose = self.rig.allowed_pose(rng);
        match self.subject.task {
            Task::Reach => {}
            Task::Point => return (self.aim_met_by(&pose, rng), pose),
            Task::Scale => return (self.allowed_scale(rng), pose),
        }
        let tip = pose.position(self.rig.tip);
        let frame = Goal::frame(self.rig.tip, tip, pose.rotation(self.rig.tip));
        let goal = match rng.u8(0..3) {
            0 if self.solver.serves(&self.rig.skeleton, &frame) => frame,
            1 => Goal::position(self.rig.tip, tip).pole(pose.position(self.rig.mid)),
            _ => Goal::position(self.rig.tip, tip),
        };
        (goal, pose)
    }

    pub(super) fn lengths_hold(&self, rng: &mut Rng) -> Verdict {
        let (pose, _) = self.solved(&self.any_goals(rng));
        let skeleton = &self.rig.skeleton;
        let rest = skeleton.neutral_pose();
        let same = |joint| {
            let travels = matches!(skeleton.kind(joint), Kind::Slide { .. } | Kind::Free);
            travels || pose.local(joint).translation == rest.local(joint).translation
        };
        ensure(skeleton.iter().all(same), || "a translation changed".into())
    }

    pub(super) fn moved_joints_are_allowed(&self, rng: &mut Rng) -> Verdict {
        let goals = self.any_goals(rng);
        let inside = self.rig.skeleton.neutral_pose();
        let outside = self.rig.any_pose(rng);
        let starts = [(&inside, 1.0), (&inside, 0.6), (&outside, 1.0)];
        for (start, weight) in &starts[..if self.subject.from_outside { 3 } else { 2 }] {
            let goals: Vec<Goal> = goals.iter().map(|goal| goal.weight(*weight)).collect();
            let mut pose = (*start).clone();
            let _ = self.solver.solve(&self.rig.skeleton, &goals, &mut pose, &mut Workspace::default());
            let moved = |&joint: &Joint| {
                let (now, before) = (pose.local(joint), start.local(joint));
                now.rotation != before.rotation || now.translation != before.translation
            };
            for joint in self.rig.skeleton.iter().filter(moved) {
                self.is_allowed(&pose, joint)?;
            }
        }
        Ok(())
    }

    /// Whether a joint is inside its limit; of a hinge or slide, its value too, so that whole turns count.
    fn is_allowed(&self, pose: &Pose, joint: Joint) -> Verdict {
        let skeleton = &self.rig.skeleton;
        let (local, value, name) = (pose.local(joint), pose.value(skeleton, joint), skeleton.name(joint));
        let allowed = skeleton.nearest_allowed(joint, local, value);
        let off = allowed.rotation - local.rotation * allowed.rotation.dot(local.rotation).signum();
        ensure(off.dot(off) < 1e-18, || format!("{name:?} is outside its limit by {off}"))?;
        let slid = arc::length(allowed.translation - local.translation);
        ensure(slid <= 1e-9 * arc::length(local.translation), || format!("{name:?} slid outside its range by {slid}"))?;
        if let Kind::Hinge { range, .. } = skeleton.kind(joint) {
            let over = (range.min - value).max(value - range.max);
            ensure(over < 1e-9, || format!("{name:?} is {over} rad outside its range"))?;
        }
        Ok(())
    }

    pub(super) fn reachable_is_reached(&self, rng: &mut Rng) -> Verdict {
        let (goal, there) = self.reachable_goal(rng);
        let other = self.rig.other_tip.filter(|_| self.subject.task == Task::Reach);
        let goals: Vec<Goal> =
            [Some(goal), other.map(|tip| Goal::position(tip, there.position(tip)))].into_iter().flatten().collect();
        let (pose, outcome) = self.solved(&goals);
        if self.subject.task == Task::Scale {
            return self.scale_is_met(&goal, &pose, &outcome);
        }
        let left = |goal: &Goal| {
            goal.target.position().map_or_else(
                || aims::angle_left(goal, &pose),
                |target| pose.position(goal.joint).distance(target) / self.rig.length(),
            )
        };
        let error = goals.iter().map(left).fold(0.0, f64::max);
        ensure(outcome.status == Status::Reached && error < 1e-9 && outcome.rotation_error < 1e-9, || {
            format!("{outcome:?}, off by {error} lengths, {goal:?}")
        })
    }

    pub(super) fn unreachable_is_nearest(&self, rng: &mut Rng) -> Verdict {
        match self.subject.task {
            Task::Reach => {}
            Task::Point => return self.limited_aim_is_nearest(rng),
            Task::Scale => return self.limited_scale_is_nearest(rng),
        }
        if self.rig.roams() {
            return Ok(());
        }
        let rest = self.rig.skeleton.rest_pose();
        let length = self.rig.length();
        let target = rest.position(self.rig.root) + direction(rng) * length * (1.05 + rng.f64());
        let (pose, outcome) = self.solved(&[Goal::position(self.rig.tip, target)]);
        ensure(outcome.status >= Status::TooClose, || format!("it says {}", outcome.status))?;
        let miss = pose.position(self.rig.tip).distance(target);
        ensure((miss - outcome.position_error).abs() < 1e-9 * length, || "the error reported is wrong".into())?;
        let random = (0..TRIES).map(|_| self.rig.allowed_pose(rng).position(self.rig.tip).distance(target));
        let best = random.fold(f64::INFINITY, f64::min);
        ensure(miss <= best * (1.0 + self.subject.slack) + 1e-9 * length, || {
            format!("it misses by {miss}, a random pose by {best}")
        })
    }

    pub(super) fn motion_carries_the_answer(&self, rng: &mut Rng) -> Verdict {
        let (map, scale) = similarity(rng);
        let goal = self.any_goal(rng);
        let moved_rig = self.rig.carried(&map);
        let solver = (self.subject.solver)(&moved_rig.skeleton, &moved_rig);
        let carried = aims::carried(&goal, &map, moved_rig.tip).or_else(|| scales::carried(&goal, &moved_rig));
        let mut moved_goal = carried.unwrap_or_else(|| {
            Goal::position(moved_rig.tip, map.transform_point3(goal.target.position().unwrap_or_default()))
        });
        if let Some(Pole::Direction(pole)) = goal.pole {
            moved_goal = moved_goal.pole(Pole::Direction(map.transform_vector3(pole)));
        }
        let (pose, outcome) = self.solved(&[goal]);
        let mut moved = moved_rig.skeleton.neutral_pose();
        let moved_outcome = solver.solve(&moved_rig.skeleton, &[moved_goal], &mut moved, &mut Workspace::default());
        ensure(outcome.status == moved_outcome.status, || {
            format!("{} becomes {}", outcome.status, moved_outcome.status)
        })?;
        let length = moved_rig.length();
        if outcome.status == Status::Limited {
            // Among near ties a search may end elsewhere; what it misses by is carried all the same.
            let turned = (outcome.rotation_error - moved_outcome.rotation_error).abs();
            let off = (outcome.position_error * scale - moved_outcome.position_error).abs().max(turned * length);
            return ensure(off < self.subject.carried * length, || format!("the miss differs by {}", off / length));
        }
        for (here, there) in self.rig.skeleton.iter().zip(moved_rig.skeleton.iter()) {
            let off = map.transform_point3(pose.position(here)).distance(moved.position(there));
            ensure(off < self.subject.carried * length, || {
                format!("a joint is {} lengths from where it was carried", off / length)
            })?;
        }
        Ok(())
    }

    pub(super) fn others_stay(&self, rng: &mut Rng) -> Verdict {
        let skeleton = &self.rig.skeleton;
        let before = self.rig.allowed_pose(rng);
        let mut pose = before.clone();
        let _ = self.solver.solve(skeleton, &[self.any_goal(rng)], &mut pose, &mut Workspace::default());
        let follows = |joint, one| {
            skeleton.drive(one).is_some_and(|drive| skeleton.driven(drive.coordinate).any(|each| each == joint))
        };
        let in_chain = |joint| match self.subject.task {
            Task::Scale => skeleton.is_below(self.rig.tip, joint) && skeleton.is_below(joint, self.rig.root),
            _ => self.rig.limb().any(|one| one == joint || follows(joint, one)),
        };
        for joint in skeleton.iter().filter(|&joint| !in_chain(joint)) {
            ensure(pose.local(joint) == before.local(joint), || format!("{:?} moved", skeleton.name(joint)))?;
        }
        Ok(())
    }
}
