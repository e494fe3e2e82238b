//! Goals that share no joint are solved one after another, those that carry others first: so a goal that cannot be met
//! takes nothing from one that can, and a joint moves for nobody but its owner.

use alloc::vec::Vec;

use super::engine::{Engine, moves};
use super::scope::usable;
use crate::goal::Goal;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::Workspace;
use crate::solve::seen::make_room;
use crate::solve::workspace::Report;

/// Goals that are told apart at most; more are solved together.
const MOST: usize = 64;

/// Which goals are solved together, and in which order.
#[derive(Debug, Default)]
pub(super) struct Stages {
    /// By place: goals that must be solved before or with it, as bits.
    before: Vec<u64>,
    /// By place: the stage.
    stage: Vec<u32>,
    count: u32,
    /// The goals of one stage, and their places.
    pub(super) goals: Vec<Goal>,
    pub(super) places: Vec<u32>,
    pub(super) told: Report,
}

/// Whether goals may fall into stages at all: with one root that all may move they share a joint.
pub(super) fn may_part(skeleton: &Skeleton, goals: &[Goal]) -> bool {
    let with_base = || goals.iter().any(|goal| goal.base.is_some());
    let stands = || skeleton.roots().any(|root| skeleton.kind(root) == Kind::Fixed);
    goals.len() > 1 && goals.len() <= MOST && (skeleton.roots().len() > 1 || with_base() || stands())
}

impl Stages {
    /// Parts the goals that the engine serves, at any weight; how many stages there are.
    pub(super) fn part(&mut self, engine: &dyn Engine, skeleton: &Skeleton, goals: &[Goal], work: &Workspace) -> u32 {
        make_room(&mut self.goals, goals.len());
        make_room(&mut self.places, goals.len());
        self.told.clear(goals);
        let served = |place: usize| engine.acts_on(skeleton, &Goal { weight: 1.0, ..goals[place] });
        let moves = |goal: &Goal, joint: Joint| moves(engine, skeleton, goal, joint, work);
        // Whether the first goal's joints carry what the second is measured by, or are its own too.
        let carries = |one: &Goal, other: &Goal| {
            let anywhere = Goal { base: None, ..*other };
            usable(skeleton, &anywhere).any(|joint| moves(one, joint))
        };
        self.before.clear();
        self.before.resize(goals.len(), 0);
        for place in (0..goals.len()).filter(|&place| served(place)) {
            for other in (0..goals.len()).filter(|&other| other != place && served(other)) {
                if carries(&goals[other], &goals[place]) {
                    self.before[place] |= 1 << other;
                }
            }
        }
        self.close();
        self.number(work, served)
    }

    /// What must come before what must come before.
    fn close(&mut self) {
        for middle in 0..self.before.len() {
            for place in 0..self.before.len() {
                if self.before[place] >> middle & 1 == 1 {
                    self.before[place] |= self.before[middle];
                }
            }
        }
    }

    /// Numbers the stages in the order in which they can be solved, in solving order where that is free.
    fn number(&mut self, work: &Workspace, served: impl Fn(usize) -> bool) -> u32 {
        self.stage.clear();
        self.stage.resize(self.before.len(), u32::MAX);
        self.count = 0;
        let (mut done, mut all) = (0_u64, 0_u64);
        (0..self.before.len()).filter(|&place| served(place)).for_each(|place| all |= 1 << place);
        while done != all {
            let together = |place: usize| {
                let same =
                    |&other: &usize| self.before[place] >> other & 1 == 1 && self.before[other] >> place & 1 == 1;
                (0..self.before.len()).filter(same).fold(1_u64 << place, |set, other| set | 1 << other)
            };
            let ready = |place: &usize| {
                all >> place & 1 == 1 && done >> place & 1 == 0 && self.before[*place] & !together(*place) & !done == 0
            };
            let next = work.order().find(ready).expect("stages have no ring");
            let set = together(next);
            (0..self.before.len())
                .filter(|place| set >> place & 1 == 1)
                .for_each(|place| self.stage[place] = self.count);
            done |= set;
            self.count += 1;
        }
        self.count
    }

    /// How many stages there are.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Collects the goals of a stage.
    pub(super) fn collect(&mut self, stage: u32, goals: &[Goal]) {
        self.goals.clear();
        self.places.clear();
        for (place, goal) in goals.iter().enumerate().filter(|&(place, _)| self.stage[place] == stage) {
            self.goals.push(*goal);
            self.places.push(place as u32);
        }
    }
}
