//! Priorities, for engines that have none: goals of a lower number first and strictly. Those of the next number are tried
//! together with all before them; where that makes an earlier one worse, by the joints alone that none before them uses.

use alloc::vec::Vec;

use super::engine::Engine;
use crate::goal::Goal;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::report::{again, is_met, measured};
use crate::solve::seen::make_room;
use crate::solve::workspace::Report;
use crate::solve::{Outcome, Status, Workspace};

/// What a solve keeps.
#[derive(Debug, Default)]
pub(super) struct Levels {
    /// The goals, those that do not count yet at weight 0.
    goals: Vec<Goal>,
    before: Pose,
    told: Report,
}

/// Whether goals that act differ in priority, and the engine does not look at that.
pub(super) fn are_wanted(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal]) -> bool {
    let first = goals.first().map(|goal| goal.priority);
    let differ = goals.iter().any(|goal| Some(goal.priority) != first);
    differ
        && !engine.keeps_priorities()
        && after(engine, skeleton, goals, after(engine, skeleton, goals, None)).is_some()
}

/// Makes room for a solve.
pub(super) fn prepare(goals: &[Goal], pose: &Pose, work: &mut Workspace) {
    let mut levels = work.take::<Levels>();
    make_room(&mut levels.goals, goals.len());
    levels.before.clone_from(pose);
    levels.told.clear(goals);
    work.put(levels);
}

/// Runs the engine on one priority after another.
pub(super) fn run(
    engine: &dyn Engine,
    skeleton: &Skeleton,
    goals: &[Goal],
    pose: &mut Pose,
    work: &mut Workspace,
) -> Outcome {
    let mut levels = work.take::<Levels>();
    levels.told.clear(goals);
    let (mut iterations, mut done) = (0, None);
    while let Some(level) = after(engine, skeleton, goals, done) {
        levels.before.clone_from(pose);
        iterations += levels.solve(engine, skeleton, goals, (level, false), pose, work);
        if done.is_some() && !levels.is_kept(engine, skeleton, goals, level, pose) {
            pose.clone_from(&levels.before);
            let owners = work.owners();
            work.add_owners(skeleton, goals, |goal| goal.priority < level && engine.acts_on(skeleton, goal));
            iterations += levels.solve(engine, skeleton, goals, (level, true), pose, work);
            work.drop_owners(owners);
            if !levels.is_kept(engine, skeleton, goals, level, pose) {
                pose.clone_from(&levels.before);
            }
        }
        levels.tell(skeleton, goals, level, pose, work);
        done = Some(level);
    }
    work.begin(goals);
    work.set_report(&levels.told);
    work.put(levels);
    work.outcome(iterations)
}

/// The next priority of goals that act, the lowest after none.
fn after(engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], done: Option<u8>) -> Option<u8> {
    let acting = goals.iter().filter(|goal| engine.acts_on(skeleton, goal));
    acting.map(|goal| goal.priority).filter(|&priority| done.is_none_or(|done| priority > done)).min()
}

impl Levels {
    /// Solves a level's goals, with all before it or alone; the iterations made.
    fn solve(
        &mut self,
        engine: &dyn Engine,
        skeleton: &Skeleton,
        goals: &[Goal],
        (level, alone): (u8, bool),
        pose: &mut Pose,
        work: &mut Workspace,
    ) -> u32 {
        let counts = |goal: &Goal| goal.priority == level || !alone && goal.priority < level;
        self.goals.clear();
        self.goals.extend(goals.iter().map(|goal| if counts(goal) { *goal } else { goal.weight(0.0) }));
        work.begin(&self.goals);
        engine.run(skeleton, &self.goals, pose, work).iterations
    }

    /// Whether the goals before a level are no worse than they were.
    fn is_kept(&self, engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], level: u8, pose: &Pose) -> bool {
        goals.iter().zip(&self.told.residuals).filter(|(goal, _)| goal.priority < level).all(|(goal, before)| {
            let own = || engine.tolerance(skeleton, goals, goal, pose);
            let (near, now) = (before.tolerance.unwrap_or_else(own), measured(skeleton, goal, pose));
            match before.status {
                Status::Ignored | Status::Invalid => true,
                Status::Reached => is_met(goal, pose, &now, near),
                _ => {
                    now.position_error() <= before.position_error() + near.position
                        && now.rotation_error() <= before.rotation_error() + near.rotation
                }
            }
        })
    }

    /// Tells of the goals up to a level what the pose leaves of them.
    fn tell(&mut self, skeleton: &Skeleton, goals: &[Goal], level: u8, pose: &Pose, work: &Workspace) {
        self.told.adopt(|place| place, work.report());
        for (goal, told) in goals.iter().zip(&mut self.told.residuals).filter(|(goal, _)| goal.priority <= level) {
            if told.status != Status::Ignored {
                *told = again(skeleton, goal, pose, told);
            }
        }
    }
}
