//! Goals that come and go.

use alloc::vec::Vec;
use core::mem::{Discriminant, discriminant};

use crate::goal::{Goal, Target};
use crate::math::smooth::smooth;
use crate::skeleton::Joint;

/// The goals of the frames so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Coming {
    known: Vec<Known>,
    /// What the solver is given: the caller's goals, then those that are going.
    pub(super) acting: Vec<Goal>,
}

/// A goal as it was last asked for.
#[derive(Clone, Copy, Debug)]
struct Known {
    goal: Goal,
    /// How far it has come, 0 to 1.
    share: f64,
    /// Where the caller has it; `None` if it is missing.
    place: Option<usize>,
}

/// What makes two goals of different frames one.
type Key = (Joint, Option<Joint>, Option<Joint>, Discriminant<Target>, u8);

fn key(goal: &Goal) -> Key {
    (goal.joint, goal.base, goal.relative_to, discriminant(&goal.target), goal.priority)
}

impl Coming {
    /// The goals for the solver after so much time, of which each comes or goes in `ease`.
    pub(super) fn next(&mut self, goals: &[Goal], dt: f64, ease: f64) -> Vec<Goal> {
        self.match_up(goals);
        let step = if ease > 0.0 { dt / ease } else { f64::INFINITY };
        for known in &mut self.known {
            known.share += if known.place.is_some() { step } else { -step };
            known.share = known.share.clamp(0.0, 1.0);
        }
        self.known.retain(|known| known.place.is_some() || known.share > 0.0);
        let mut acting = core::mem::take(&mut self.acting);
        acting.clear();
        acting.extend_from_slice(goals);
        for known in &self.known {
            let goal = Goal { weight: known.goal.weight * smooth(known.share, (0.0, 1.0)), ..known.goal };
            match known.place {
                Some(place) => acting[place] = goal,
                None => acting.push(goal),
            }
        }
        acting
    }

    /// Finds the caller's goals among those known; what is new has come no way.
    fn match_up(&mut self, goals: &[Goal]) {
        self.known.iter_mut().for_each(|known| known.place = None);
        for (place, goal) in goals.iter().enumerate() {
            let same = |known: &&mut Known| known.place.is_none() && key(&known.goal) == key(goal);
            match self.known.iter_mut().find(same) {
                Some(known) => (known.goal, known.place) = (*goal, Some(place)),
                None => self.known.push(Known { goal: *goal, share: 0.0, place: Some(place) }),
            }
        }
    }
}
