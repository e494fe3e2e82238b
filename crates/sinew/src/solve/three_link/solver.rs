//! The three-link solver on a pose.

use glam::DVec3;

use super::direction::Last;
use super::settings::ThreeLink;
use super::still::stand;
use super::{last_link, place};
use crate::goal::{Goal, Slack, Target, Tolerance};
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::problem::{self, Engine};
use crate::solve::report::{Miss, report};
use crate::solve::two_bone::{Reach, run};
use crate::solve::{Outcome, Solver, Status, Workspace};

/// Angle (radians) below which the last link's direction is met.
const MET: f64 = 1e-9;

impl ThreeLink {
    /// Whether the goal says where the last link points.
    fn points_last(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        let (Target::Aim { axis, .. } | Target::Axis { axis, .. }) = goal.target else { return false };
        let along = arc::unit(axis).zip(arc::unit(self.link(skeleton))).is_some_and(|(a, b)| arc::length(a - b) < 1e-3);
        along
            && goal.slack == Slack::NONE
            && goal.joint == self.low
            && goal.base.is_none_or(|base| skeleton.is_below(self.root, base))
    }

    /// Without a goal for the tip the last link turns where it is; how many passes that took.
    fn point_alone(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &Workspace,
        blocked: &mut dyn FnMut(Joint),
    ) -> u32 {
        let mut pointing = work.order().map(|i| &goals[i]);
        let goal = pointing.find(|goal| goal.weight > 0.0 && self.points_last(skeleton, goal));
        let Some(goal) = goal else { return 0 };
        let direction = match place::last_of(goal, pose) {
            Some(Last::Direction(direction)) => direction,
            Some(Last::Toward(point)) => point - pose.position(self.low),
            _ => return 0,
        };
        let Some(link) = last_link::link_of(self, skeleton, pose, DVec3::ZERO) else { return 0 };
        let given = *pose.local(self.low);
        let from = last_link::before_pointing(self, skeleton, goal.weight, pose);
        last_link::point_last(self, skeleton, pose, from, (link, direction), blocked);
        stand(self.low, &given, skeleton, pose);
        1
    }

    /// What is left of the goals that point the last link.
    fn report_last(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace, limited: bool) {
        for (i, goal) in goals.iter().enumerate() {
            if goal.weight == 0.0 || !self.points_last(skeleton, goal) {
                continue;
            }
            let own = self.tolerance(skeleton, goals, goal, pose);
            report(skeleton, (i, goal), pose, own, work, |work| {
                if !limited {
                    // It gives way to the tip's place.
                    return Miss::of(Status::OutOfReach);
                }
                work.block(i, self.low);
                Miss::default()
            });
        }
    }

    /// The last link as goals or the setting have it.
    fn asked(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &Workspace) -> Option<Last> {
        let goals = work.order().map(|i| &goals[i]);
        let mut pointing = goals.filter(|goal| goal.weight > 0.0 && self.points_last(skeleton, goal));
        pointing.find_map(|goal| place::last_of(goal, pose)).or(self.last)
    }
}

impl Solver for ThreeLink {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        problem::solve(self, skeleton, goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        self.whole().serves(skeleton, goal) || self.points_last(skeleton, goal)
    }
}

impl Engine for ThreeLink {
    fn acts_on(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        goal.weight > 0.0 && self.serves(skeleton, goal)
    }

    fn is_usable(&self, skeleton: &Skeleton, _: &[Goal], pose: &Pose) -> bool {
        run::is_usable(&[self.root, self.mid, self.low, self.tip], skeleton, pose)
    }

    fn make_room(&self, _: &Skeleton, _: &[Goal], pose: &Pose, work: &mut Workspace) {
        if self.reach == Reach::Hold {
            let mut given = work.take::<Pose>();
            if given.len() < pose.len() {
                (*given).clone_from(pose);
            }
            work.put(given);
        }
    }

    fn tolerance(&self, skeleton: &Skeleton, _: &[Goal], goal: &Goal, pose: &Pose) -> Tolerance {
        if self.points_last(skeleton, goal) {
            return Tolerance { position: 0.0, rotation: MET };
        }
        run::tolerance(&self.whole(), goal, pose)
    }

    fn may_stay(&self, goal: &Goal, pose: &Pose) -> bool {
        run::may_stay(&self.whole(), goal, pose) && self.last.is_none()
    }

    fn bends(&self, _: &Goal) -> bool {
        true
    }

    fn run(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let joints = [self.root, self.mid, self.low, self.tip];
        let limb = Self { reach: self.whole().reach_on(skeleton), ..*self };
        let last = self.asked(skeleton, goals, pose, work);
        let mut limited = false;
        let given = (self.reach == Reach::Hold).then(|| {
            let mut given = work.take::<Pose>();
            (*given).clone_from(pose);
            given
        });
        let outcome = run::run(&limb.whole(), &joints, skeleton, goals, pose, work, |limb_target, pose, blocked| {
            let mut blocked = |joint: Joint| {
                limited |= joint == self.low;
                blocked(joint);
            };
            let placed = place::place(&limb, skeleton, limb_target, last, pose, &mut blocked);
            if let Some(given) = given.as_deref().filter(|_| placed.0 == Status::Held) {
                // Trying angles has moved the joints.
                pose.clone_from(given);
            }
            placed
        });
        if let Some(given) = given {
            work.put(given);
        }
        let mut iterations = outcome.iterations;
        let tip = |goal: &Goal| goal.weight > 0.0 && self.whole().serves(skeleton, goal);
        if !goals.iter().any(tip) && !work.is_owned(skeleton, self.low, self.low) {
            iterations = self.point_alone(skeleton, goals, pose, work, &mut |_| limited = true);
        }
        self.report_last(skeleton, goals, pose, work, limited);
        work.outcome(iterations)
    }
}
