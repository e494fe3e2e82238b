//! Ways out of a deadlock, always the same ones: a straight chain on its target's line is bent, joints at
//! their limits are spread over their ranges.

use glam::{DQuat, DVec3};

use super::part::{Freedom, Part, Setting, limited};
use super::settings::Order;
use super::tree::PartTree;
use crate::limit::Range;
use crate::math::{arc, ops};
use crate::skeleton::Skeleton;

/// Bend of a joint that is perturbed (radians).
const PERTURBATION: f64 = 0.3;
/// Fractional part of the golden ratio: its multiples spread evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// One of the ways out, by its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Restart {
    pub(super) next: u32,
}

impl Restart {
    /// The order of the sweeps that follow a restart: the second restart is to change it.
    pub(super) fn order(self, order: Order) -> Order {
        match (self.next, order) {
            (1, Order::RootToTip) => Order::TipToRoot,
            (1, Order::TipToRoot) => Order::RootToTip,
            _ => order,
        }
    }

    /// Moves the joints of goals which are not met or share joints with such, but for the second restart: toward the preferred
    /// bend and away from it, then to places in their ranges. The tree is as after an `up`.
    pub(super) fn perturb(self, skeleton: &Skeleton, tree: &mut PartTree) {
        if self.next == 1 {
            return;
        }
        let number = self.next.saturating_sub(1);
        tree.find_met();
        let PartTree { parts, state, shared, entries, effectors, .. } = tree;
        let wanted = |part: &Part| {
            let mut entries = entries[part.first as usize..part.end as usize].iter();
            entries.any(|entry| entry.weight > 0.0 && !effectors[entry.effector as usize].met)
        };
        let perturbation = [PERTURBATION, -PERTURBATION].get(number as usize).copied();
        for (i, (part, setting)) in parts.iter().zip(&mut state.settings).enumerate() {
            if !part.moves || part.shared.is_some() || !wanted(part) {
                continue;
            }
            *setting = match perturbation {
                Some(angle) => perturbed(skeleton, part, *setting, angle),
                None => spread(part, *setting, number - 2, i as u32),
            };
        }
        for (i, (shared, value)) in shared.iter().zip(&mut state.shared).enumerate() {
            let range = Range::new(shared.range.min.max(-3.0), shared.range.max.min(3.0));
            let is_wanted = parts.iter().any(|part| part.shared == Some(i as u32) && wanted(part));
            if range.is_valid() && is_wanted {
                let share = fraction(number, i as u32);
                *value = range.min + (range.max - range.min) * share;
            }
        }
        tree.set_shared();
    }
}

impl PartTree {
    /// Marks the goals that are met and share no joint with one that is not, nor with one that does. Where the target of one
    /// that is not met moves with the pose, none.
    pub(super) fn find_met(&mut self) {
        for at in 0..self.effectors.len() {
            self.effectors[at].met = self.meets(&self.effectors[at]);
        }
        let Self { parts, entries, effectors, .. } = self;
        if effectors.iter().any(|effector| effector.live && !effector.met) {
            for effector in effectors.iter_mut() {
                effector.met = false;
            }
        }
        let mut spreads = true;
        while spreads {
            spreads = false;
            for part in parts.iter().filter(|part| part.moves) {
                let users =
                    || entries[part.first as usize..part.end as usize].iter().filter(|entry| entry.weight > 0.0);
                let [met, unmet] =
                    [true, false].map(|met| users().any(|entry| effectors[entry.effector as usize].met == met));
                if met && unmet {
                    spreads = true;
                    users().for_each(|entry| effectors[entry.effector as usize].met = false);
                }
            }
        }
    }
}

/// Between 0 and 1, even over joints and over restarts.
fn fraction(number: u32, joint: u32) -> f64 {
    let (number, joint) = (f64::from(number), f64::from(joint));
    let x = GOLDEN * (joint + 1.0) * (2.0 * number + 1.0) + 0.5 * (number - 2.0 * libm::floor(0.5 * number));
    x - libm::floor(x)
}

/// A joint turned by so much about the axis it prefers to bend about.
fn perturbed(skeleton: &Skeleton, part: &Part, setting: Setting, angle: f64) -> Setting {
    match (part.motion, setting) {
        (Freedom::Hinge { axis, sector }, Setting::Turned((cosine, sine))) => {
            let bend = skeleton.bend(part.joint);
            let along = bend.map_or(1.0, |bend| axis.dot(skeleton.rest(part.joint).rotation * bend));
            let (s, c) = ops::sin_cos(if along < 0.0 { -angle } else { angle });
            Setting::Turned(sector.clamp((cosine * c - sine * s, sine * c + cosine * s)))
        }
        (Freedom::Ball { limit, zero }, Setting::Ball(now)) => {
            let turn = arc::normalize(now * arc::axis_angle(part.bend, angle));
            Setting::Ball(arc::normalize(limited(&limit, zero, turn)))
        }
        _ => setting,
    }
}

/// A joint somewhere in its range.
fn spread(part: &Part, setting: Setting, number: u32, joint: u32) -> Setting {
    let share = fraction(number, joint);
    match (part.motion, setting) {
        (Freedom::Hinge { sector, .. }, Setting::Turned(_)) => Setting::Turned(sector.within(share)),
        (Freedom::Slide { range, .. }, Setting::Slid(value)) => {
            let wide = range.max - range.min;
            Setting::Slid(if wide.is_finite() { range.min + wide * share } else { value })
        }
        (Freedom::Ball { limit, zero }, Setting::Ball(_)) => {
            let axis = DVec3::new(share - 0.5, fraction(number, joint + 7) - 0.5, fraction(number, joint + 13) - 0.5);
            let turn = arc::unit(axis).map_or(DQuat::IDENTITY, |axis| arc::axis_angle(axis, 1.0));
            Setting::Ball(arc::normalize(zero * limit.project(turn)))
        }
        _ => setting,
    }
}
