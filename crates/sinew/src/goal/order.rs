//! The order in which goals are solved.

use core::cmp::Ordering;

use glam::DVec3;

use super::{Goal, Mask, Pole, Slack, Swivel, Tolerance};
use crate::skeleton::Joint;

impl Goal {
    /// The order in which goals are solved, whatever the caller's: by priority, depth-first by joint, by kind, by value. It
    /// looks at every field, so that goals which come out equal are the same goal.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let place = |goal: &Self| (goal.priority, goal.joint, goal.target.rank());
        place(self)
            .cmp(&place(other))
            .then_with(|| by_value(self.target.numbers(), other.target.numbers()))
            .then_with(|| by_value(self.values(), other.values()))
            .then_with(|| self.references().cmp(&other.references()))
            .then_with(|| by_value(self.details(), other.details()))
    }

    fn values(&self) -> [f64; 5] {
        let [x, y, z] = self.offset.to_array();
        [x, y, z, self.weight, self.pull]
    }

    /// The other joints that a goal names, what counts of it, and which of its optional parts it has.
    fn references(&self) -> ([Option<Joint>; 3], [bool; 9], [u8; 4]) {
        let Mask { position, rotation, scale } = self.mask;
        let [a, b, c] = [position, rotation, scale].map(<[bool; 3]>::from);
        let pole = match self.pole {
            None => 0,
            Some(Pole::Point(_)) => 1,
            Some(Pole::Direction(_)) => 2,
        };
        let has_up = self.target.has_up();
        let parts = [pole, u8::from(has_up), u8::from(self.swivel.is_some()), u8::from(self.tolerance.is_some())];
        let joints = [self.pole_relative_to, self.base, self.relative_to];
        (joints, [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]], parts)
    }

    /// The numbers of pole, swivel, slack and tolerance; zeros for those that it does not have.
    fn details(&self) -> [f64; 21] {
        let pole = match self.pole {
            None => DVec3::ZERO,
            Some(Pole::Point(v) | Pole::Direction(v)) => v,
        };
        let none = Swivel { target: DVec3::ZERO, bend: DVec3::ZERO, mid: DVec3::ZERO, turn: 0.0 };
        let Swivel { target, bend, mid, turn } = self.swivel.unwrap_or(none);
        let Slack { position, rotation } = self.slack;
        let near = self.tolerance.unwrap_or(Tolerance { position: 0.0, rotation: 0.0 });
        let mut all = [0.0; 21];
        for (three, vector) in all.chunks_exact_mut(3).zip([pole, target, bend, mid, position, rotation]) {
            three.copy_from_slice(&vector.to_array());
        }
        [all[18], all[19], all[20]] = [turn, near.position, near.rotation];
        all
    }
}

fn by_value<const N: usize>(own: [f64; N], other: [f64; N]) -> Ordering {
    own.iter().zip(&other).map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use glam::BVec3;

    use super::*;
    use crate::skeleton::Skeleton;

    /// A goal, and others that differ from it in one field each.
    fn goals() -> Vec<Goal> {
        let skeleton = Skeleton::from_lengths(&[0.3; 4]).expect("a chain");
        let joint = |at: usize| skeleton.at(at).expect("a joint");
        let goal = Goal::aim(joint(4), DVec3::Y, DVec3::ONE);
        let swivel = Swivel { target: DVec3::X, bend: DVec3::Y, mid: DVec3::ZERO, turn: 0.0 };
        let poled = goal.pole(Pole::Direction(DVec3::ZERO));
        let swivelled = goal.swivel(Some(swivel));
        let near = Tolerance { position: 0.0, rotation: 0.0 };
        let no_x = BVec3::new(false, true, true);
        alloc::vec![
            goal,
            Goal { joint: joint(3), ..goal },
            Goal { target: Goal::aim(joint(4), DVec3::Y, DVec3::X).target, ..goal },
            goal.up(DVec3::ZERO),
            goal.offset(DVec3::X),
            goal.priority(1),
            goal.weight(0.5),
            goal.pull(2.0),
            poled,
            goal.pole(DVec3::ZERO),
            goal.pole(Pole::Direction(DVec3::X)),
            goal.pole_of(joint(1), Pole::Direction(DVec3::ZERO)),
            goal.base(joint(1)),
            goal.base(joint(2)),
            goal.relative_to(joint(0)),
            goal.relative_to(joint(1)),
            swivelled,
            goal.swivel(Some(Swivel { target: DVec3::Y, ..swivel })),
            goal.swivel(Some(Swivel { bend: DVec3::Z, ..swivel })),
            goal.swivel(Some(Swivel { mid: DVec3::Z, ..swivel })),
            goal.swivel(Some(Swivel { turn: 1.0, ..swivel })),
            goal.mask(Mask { position: no_x, ..Mask::default() }),
            goal.mask(Mask { rotation: no_x, ..Mask::default() }),
            goal.mask(Mask { scale: no_x, ..Mask::default() }),
            goal.slack(Slack { position: DVec3::X, ..Slack::NONE }),
            goal.slack(Slack { rotation: DVec3::X, ..Slack::NONE }),
            goal.tolerance(near),
            goal.tolerance(Tolerance { position: 1.0, ..near }),
            goal.tolerance(Tolerance { rotation: 1.0, ..near }),
        ]
    }

    #[test]
    fn goals_that_differ_in_one_field_have_an_order() {
        let goals = goals();
        for (i, a) in goals.iter().enumerate() {
            for (k, b) in goals.iter().enumerate() {
                assert_eq!(a.order(b), b.order(a).reverse(), "{a:?} {b:?}");
                assert_eq!(a.order(b).is_eq(), i == k, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_order_is_one_line() {
        let mut sorted = goals();
        sorted.sort_by(Goal::order);
        let ordered = |(i, a): (usize, &Goal)| sorted[i + 1..].iter().all(|b| a.order(b).is_lt());
        assert!(sorted.iter().enumerate().all(ordered));
        let mut reversed: Vec<Goal> = goals();
        reversed.reverse();
        reversed.sort_by(Goal::order);
        assert_eq!(sorted, reversed);
    }
}
