//! What the solver is asked to be, and what it looks at.

use crate::goal::{Goal, Target};
#[cfg(doc)]
use crate::solve::Jacobian;
use crate::solve::Start;
use crate::solve::two_bone::Reach;

/// Chooses for each call; see the module's table.
#[derive(Clone, Debug, PartialEq)]
pub struct Auto {
    /// The pose to start from; limbs without a pole bend as there. [`Start::Rest`] makes loops of targets return: the
    /// second lap is the first.
    pub start: Start,
    /// Other starts of [`Jacobian`], where nothing else reached; 0 by default.
    pub restarts: u32,
    /// What limbs and chains do with a target near and beyond their full stretch; [`Reach::Clamp`] by default.
    pub reach: Reach,
    /// Steps, passes and sweeps at most, of all methods together; 4000 by default, so that no method lacks any: a dozen are usual. Passes of restarts are
    /// not counted.
    pub iterations: u32,
}

impl Default for Auto {
    fn default() -> Self {
        Self { start: Start::default(), restarts: 0, reach: Reach::default(), iterations: 4000 }
    }
}

/// Whether a goal counts in the choice of methods: one for scale is [`ScaleTarget`](crate::solve::ScaleTarget)'s.
pub(super) fn counts(goal: &Goal) -> bool {
    !matches!(goal.target, Target::Scale(_))
}

/// Whether all goals that count have one priority.
pub(super) fn are_of_one_priority(goals: &[Goal]) -> bool {
    let mut priorities = goals.iter().filter(|goal| counts(goal)).map(|goal| goal.priority);
    let first = priorities.next();
    priorities.all(|priority| Some(priority) == first)
}

/// Whether a goal asks something.
pub(super) fn acts(goal: &Goal) -> bool {
    goal.weight > 0.0 && counts(goal)
}
