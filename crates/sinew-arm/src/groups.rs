//! Which goals hang together: those whose chains share a coordinate, those measured from what another one moves, and
//! those whose arm a later one carries.

use alloc::vec::Vec;

use sinew::{Goal, Skeleton};

use crate::arm::Arm;

/// Goals by rank, in groups that are named after their first one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    /// Of each goal the first one of its group, and its chain's length (metres); `None` where it is not served.
    goals: Vec<Option<(usize, f64)>>,
    /// Coordinates, whose they are, and whether they move it.
    used: Vec<Use>,
}

#[derive(Clone, Copy, Debug)]
struct Use {
    coordinate: usize,
    rank: usize,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Moves the goal's joint.
    Moves,
    /// Moves what the goal is measured from.
    Measures,
    /// Moves what the goal's arm stands on. Where it is another goal's that comes first, the arm takes that as it comes.
    Carries,
}

impl Groups {
    pub(crate) fn clear(&mut self, goals: usize) {
        self.goals.clear();
        self.goals.resize(goals, None);
        self.used.clear();
    }

    /// Adds a goal that an arm serves.
    pub(crate) fn add(&mut self, skeleton: &Skeleton, rank: usize, goal: &Goal, arm: &Arm) {
        self.goals[rank] = Some((rank, arm.length()));
        for &coordinate in arm.coordinates() {
            self.link(Use { coordinate, rank, how: How::Moves });
        }
        let carriers = core::iter::successors(skeleton.parent(goal.joint), |&joint| skeleton.parent(joint));
        for drive in carriers.filter_map(|joint| skeleton.drive(joint)) {
            if !arm.coordinates().contains(&drive.coordinate) {
                self.used.push(Use { coordinate: drive.coordinate, rank, how: How::Carries });
            }
        }
        for joint in core::iter::successors(goal.relative_to, |&joint| skeleton.parent(joint)) {
            if let Some(drive) = skeleton.drive(joint) {
                self.link(Use { coordinate: drive.coordinate, rank, how: How::Measures });
            }
        }
    }

    fn link(&mut self, new: Use) {
        for i in 0..self.used.len() {
            let old = self.used[i];
            let moved = new.how == How::Moves || old.how == How::Moves && new.how != How::Carries;
            if old.coordinate == new.coordinate && moved {
                self.join(old.rank, new.rank);
            }
        }
        self.used.push(new);
    }

    fn join(&mut self, a: usize, b: usize) {
        let (Some((a, _)), Some((b, _))) = (self.goals[a], self.goals[b]) else { return };
        for (group, _) in self.goals.iter_mut().flatten() {
            if *group == a.max(b) {
                *group = a.min(b);
            }
        }
    }

    /// Ranks of the group whose first is this one; none where it is not the first of any.
    pub(crate) fn members(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        let is_in = move |goal: &Option<(usize, f64)>| goal.is_some_and(|(group, _)| group == first);
        self.goals.iter().enumerate().filter(move |(_, goal)| is_in(goal)).map(|(rank, _)| rank)
    }

    /// Coordinates that a group's chains move; some of them twice.
    pub(crate) fn coordinates(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        let is_in = move |rank: usize| self.goals[rank].is_some_and(|(group, _)| group == first);
        self.used.iter().filter(move |used| used.how == How::Moves && is_in(used.rank)).map(|used| used.coordinate)
    }

    /// Length of a goal's chain (metres).
    pub(crate) fn length(&self, rank: usize) -> f64 {
        self.goals[rank].map_or(0.0, |(_, length)| length)
    }
}
