//! What a solver has made room for.
//!
//! Room is made as if every goal had its whole weight and were far from met, so that a frame in which a goal first
//! counts, leaves reach or meets a limit allocates nothing.

use alloc::vec::Vec;

use crate::goal::{Goal, Target};
use crate::skeleton::{Joint, Skeleton};

/// Sets of goals remembered; more are forgotten, which costs time but no room.
const REMEMBERED: usize = 64;

/// The sets of goals for which there is room already. Keep it with the solver's other buffers, one for each group of
/// settings that needs its own room.
#[derive(Debug, Default)]
pub struct Seen {
    /// A hash of skeleton, joints, bases and kinds each.
    known: Vec<u64>,
    whole: Vec<Goal>,
}

impl Seen {
    /// The goals at full weight, if they are new; `None` when there is room for such goals already.
    pub fn new_ones(&mut self, skeleton: &Skeleton, goals: &[Goal]) -> Option<&[Goal]> {
        let hash = shape(skeleton, goals);
        if self.known.contains(&hash) {
            return None;
        }
        if self.known.len() == REMEMBERED {
            self.known.clear();
        }
        self.known.reserve_exact(REMEMBERED - self.known.len());
        self.known.push(hash);
        self.whole.clear();
        self.whole.extend(goals.iter().map(|goal| Goal { weight: 1.0, ..*goal }));
        Some(&self.whole)
    }
}

/// A hash (FNV-1a) of what decides how much room goals need.
fn shape(skeleton: &Skeleton, goals: &[Goal]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |number: u64| hash = (hash ^ number).wrapping_mul(0x0100_0000_01b3);
    let place = |joint: Option<Joint>| joint.map_or(0, |joint| joint.index() as u64 + 1);
    add(u64::from(skeleton.fingerprints().all));
    for goal in goals {
        add(place(Some(goal.joint)));
        add(place(goal.base));
        add(place(goal.relative_to));
        add(u64::from(goal.priority));
        add(match goal.target {
            Target::Position(_) => 0,
            Target::Rotation(_) => 1,
            Target::Frame { .. } => 2,
            Target::Aim { up, .. } => 3 + u64::from(up.is_some()),
            Target::Axis { up, .. } => 5 + u64::from(up.is_some()),
            Target::CenterOfMass(_) => 7,
            Target::Scale(_) => 8,
        });
    }
    hash
}

/// Room for so many in all.
pub(super) fn make_room<T>(buffer: &mut Vec<T>, count: usize) {
    buffer.reserve(count.saturating_sub(buffer.len()));
}
