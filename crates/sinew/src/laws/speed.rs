//! The law of speed: small steps of a target are small steps of the limb, wherever an allowed pose beside the last one will do.

use alloc::format;

use fastrand::Rng;
use glam::{DQuat, DVec3};

use super::rigs::{direction, signed};
use super::{Case, Verdict, ensure};
use crate::goal::{Goal, Pole};
use crate::math::arc;
use crate::pose::Pose;
use crate::solve::Workspace;
use crate::transform::Transform;

/// Step of a path, in limb lengths.
const STEP: f64 = 1e-3;
/// Searches beside the last pose, random steps of each, and the turn (radians) or share of the length of the first one.
const SEARCHES: usize = 3;
const TRIES: u32 = 3000;
const FIRST: f64 = 0.05;
/// What success and failure make of the step.
const GROWTH: f64 = 1.5;
const SHRINK: f64 = 0.96;
/// Share of the path's step by which a pose beside the last one may miss more than the answer and still do.
const AS_NEAR: f64 = 0.02;

impl Case<'_> {
    pub(super) fn speed_is_bounded(&self, rng: &mut Rng) -> Verdict {
        let (rig, length) = (self.rig, self.rig.length());
        let rest = rig.skeleton.rest_pose();
        let [from, mid, tip] = [rig.root, rig.mid, rig.tip].map(|joint| rest.position(joint));
        let (line, pole) = (direction(rng), direction(rng));
        let step = |i: i32| STEP * f64::from(i);
        self.follow("full extension", pole, (0..400).map(|i| from + line * length * (0.7 + step(i))))?;
        if !self.subject.carries {
            return Ok(());
        }
        self.follow("full folding", pole, (0..900).map(|i| from + line * length * (0.9 - step(i))))?;
        // Far enough out for any direction, and past the pole line by a hair.
        let (l1, l2) = (mid.distance(from), tip.distance(mid));
        let distance = 0.5 * (length + arc::length(DVec3::new(l1, l2, 0.0)));
        let across = arc::any_perpendicular(pole) * length;
        let past = |i: i32| from + pole * distance + across * step(i) + pole.cross(across) * 1e-7;
        self.follow("the pole", pole, (-200..200).map(past))
    }

    /// Holds the middle joint to the allowed speed along a path of small steps, but where no allowed pose beside the last one
    /// comes as near as the answer.
    fn follow(&self, name: &str, pole: DVec3, path: impl Iterator<Item = DVec3>) -> Verdict {
        let rig = self.rig;
        let (mut pose, mut work) = (rig.skeleton.neutral_pose(), Workspace::default());
        let (mut last, mut swivel): (Option<(Pose, DVec3)>, _) = (None, None);
        for target in path {
            let goal = Goal::position(rig.tip, target).pole(Pole::Direction(pole)).swivel(swivel);
            let _ = self.solver.solve(&rig.skeleton, &[goal], &mut pose, &mut work);
            swivel = work.residuals()[0].swivel.filter(|_| self.subject.carries);
            if let Some((before, from)) = &last {
                let most = self.subject.speed * (1.0 + 1e-6) * target.distance(*from);
                let moved = pose.position(rig.mid).distance(before.position(rig.mid));
                let serves = || self.serves_beside(before, (target, target.distance(*from)), most, &pose);
                ensure(moved <= most || !serves(), || {
                    let speed = moved / target.distance(*from);
                    format!("through {name} the middle joint moves {speed} times as fast as the target")
                })?;
            }
            last = Some((pose.clone(), target));
        }
        Ok(())
    }

    /// Whether an allowed pose, found by random steps from one, brings the tip as near to the target as the answer does, with
    /// the middle joint no farther from where it was than `most`.
    fn serves_beside(&self, from: &Pose, (target, step): (DVec3, f64), most: f64, answer: &Pose) -> bool {
        let (rig, mut rng) = (self.rig, Rng::with_seed(7));
        let miss = |pose: &Pose| pose.position(rig.tip).distance(target);
        let enough = miss(answer) + AS_NEAR * step;
        (0..SEARCHES).any(|_| {
            let (mut best, mut size) = (from.clone(), FIRST);
            for _ in 0..TRIES {
                let next = self.turned_a_little(&best, size, &mut rng);
                let is_near = next.position(rig.mid).distance(from.position(rig.mid)) <= most;
                if is_near && miss(&next) < miss(&best) {
                    (best, size) = (next, size * GROWTH);
                } else {
                    size *= SHRINK;
                }
            }
            miss(&best) <= enough
        })
    }

    /// A pose with the limb's joints turned and slid a little, inside their limits.
    fn turned_a_little(&self, from: &Pose, size: f64, rng: &mut Rng) -> Pose {
        let (rig, skeleton) = (self.rig, &self.rig.skeleton);
        let mut pose = from.clone();
        for joint in rig.limb() {
            let unit = if skeleton.kind(joint).turns() { 1.0 } else { rig.length() };
            if let Some(drive) = skeleton.drive(joint) {
                let range = skeleton.coordinates()[drive.coordinate].range;
                let value = pose.coordinates()[drive.coordinate] + size * unit * signed(rng);
                pose.edit(skeleton).coordinate(drive.coordinate, range.clamp(value));
            } else {
                let local = *pose.local(joint);
                let turn: DQuat = arc::axis_angle(direction(rng), size * signed(rng));
                let turned = Transform { rotation: arc::normalize(turn * local.rotation), ..local };
                pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &turned, 0.0));
            }
        }
        pose
    }
}
