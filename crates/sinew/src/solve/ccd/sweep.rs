//! Passes over the tree: targets are carried down, points up, and joints take their step on the way.

use super::effector::{Effector, Form};
use super::settings::Order;
use super::step::{self, Limits};
use super::tree::{NONE, PartTree};
use crate::math::{arc, ops};

impl PartTree {
    /// Carries points from the tips up; where `steps` is given each joint takes its step on the way, with
    /// all below it already turned.
    pub(super) fn up(&mut self, steps: Option<&Limits>) {
        self.forget_slopes(steps);
        let Self { parts, entries, state, shared, .. } = self;
        for (part, setting) in parts.iter().zip(&mut state.settings).rev() {
            let (first, end) = (part.first as usize, part.end as usize);
            for i in first..end {
                let below = entries[i].below;
                if below != NONE {
                    entries[i].from = part.frame * entries[below as usize].out;
                }
            }
            if let Some(limits) = steps.filter(|_| part.moves) {
                *setting = step::step(part, *setting, &entries[first..end], limits, shared);
            }
            let place = part.place(*setting);
            for entry in &mut entries[first..end] {
                let turned = part.turned(*setting, entry.from);
                entry.out = if entry.form.is_place() { turned + place } else { turned };
            }
        }
    }

    /// Carries targets from the top down; where `steps` is given each joint takes its step on the way,
    /// with all above it already turned.
    pub(super) fn down(&mut self, steps: Option<&Limits>) {
        self.forget_slopes(steps);
        let Self { parts, entries, state, shared, .. } = self;
        for (part, setting) in parts.iter().zip(&mut state.settings) {
            let (first, end) = (part.first as usize, part.end as usize);
            if let Some(limits) = steps.filter(|_| part.moves) {
                *setting = step::step(part, *setting, &entries[first..end], limits, shared);
            }
            let place = part.place(*setting);
            for i in first..end {
                let entry = entries[i];
                if entry.below != NONE {
                    let target = if entry.form.is_place() { entry.target - place } else { entry.target };
                    entries[entry.below as usize].target = part.inverse * part.unturned(*setting, target);
                }
            }
        }
    }

    fn forget_slopes(&mut self, steps: Option<&Limits>) {
        if steps.is_some() {
            self.shared.iter_mut().for_each(|shared| (shared.slope, shared.bend) = (0.0, 0.0));
        }
    }

    /// Moves the coordinates that drive several joints by what the last pass found for them.
    pub(super) fn move_shared(&mut self) {
        for (shared, value) in self.shared.iter().zip(&mut self.state.shared) {
            if shared.bend > 0.0 {
                *value = shared.range.clamp(*value + shared.ease * (shared.slope / (shared.bend * shared.bend)));
            }
        }
        self.set_shared();
    }

    /// Sets the joints of shared coordinates to their values.
    pub(super) fn set_shared(&mut self) {
        for (part, setting) in self.parts.iter().zip(&mut self.state.settings) {
            if let (Some(place), Some(drive)) = (part.shared, part.drive) {
                *setting = part.at(drive.multiplier * self.state.shared[place as usize] + drive.offset);
            }
        }
    }

    /// One sweep, after an `up`: leaves points carried up, so that the cost can be read.
    pub(super) fn sweep(&mut self, order: Order, limits: &Limits) {
        let down = order == Order::RootToTip;
        self.down(down.then_some(limits));
        self.up((!down).then_some(limits));
        if !self.shared.is_empty() {
            self.move_shared();
            self.up(None);
        }
    }

    /// Sum of weighted squares of what is left (metres², model space), after an `up`.
    pub(super) fn cost(&self) -> f64 {
        self.effectors.iter().map(|effector| effector.pull * self.squares(effector)).sum()
    }

    /// What is left of a goal, squared and not weighted.
    fn squares(&self, effector: &Effector) -> f64 {
        let (places, turns) = self.left(effector);
        effector.unit * (places + turns)
    }

    /// Squares left of a goal's points and of its axes, in the frame from which it is carried.
    fn left(&self, effector: &Effector) -> (f64, f64) {
        let entries = &self.entries[effector.ends.0 as usize..effector.ends.1 as usize];
        let (mut places, mut turns) = (0.0, 0.0);
        for (i, entry) in entries.iter().enumerate() {
            let off = entry.target - entry.out;
            match entry.form {
                Form::Point => places += off.dot(off),
                Form::Vector => turns += off.dot(off),
                Form::Ray => {
                    let sight = entries[i + 1].out;
                    if let (Some(now), Some(wanted)) = (arc::unit(sight), arc::unit(off)) {
                        turns += sight.dot(sight) * (wanted - now).dot(wanted - now);
                    }
                }
                Form::Sight => {}
            }
        }
        (places, turns)
    }

    /// Whether every goal is as near as it should be, after an `up`.
    pub(super) fn is_met(&self) -> bool {
        self.effectors.iter().all(|effector| self.meets(effector))
    }

    /// Whether a goal is as near as it should be, after an `up`; a little nearer, since the pose will be
    /// measured again.
    pub(super) fn meets(&self, effector: &Effector) -> bool {
        let (places, turns) = self.left(effector);
        // Three axes turned by a small angle φ are off by `2 φ²` times their length², one by `φ²`.
        let axes = if effector.forms.iter().flatten().count() >= 3 { 2.0 } else { 1.0 };
        let angle = ops::sqrt(turns * effector.unit / axes) / effector.arm;
        let distance = ops::sqrt(places * effector.unit);
        distance <= NEARER * effector.near.0 && angle <= NEARER * effector.near.1
    }
}

/// Share of the tolerance at which a solve stops.
const NEARER: f64 = 0.999;
