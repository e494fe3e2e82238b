//! Looking ahead: where sweeps creep, what the last ones did tells where they lead.
//!
//! From state to state the misses `r` change almost linearly with the joints. So the state
//! `x + Σ γᵢ (x - xᵢ)` over the last few `xᵢ`, for which `|r + Σ γᵢ (r - rᵢ)|` is least, is tried (Anderson
//! 1965, with the misses for residuals), and kept where it is better. It costs one pass.

use alloc::vec::Vec;

use glam::{DQuat, DVec3};

use super::effector::Form;
use super::part::{Freedom, Part, Setting, limited};
use super::tree::{PartTree, State};
use crate::math::{arc, ops};
use crate::solve::seen::make_room;

/// States looked back on, at most.
const DEPTH: usize = 6;
/// Share of a change that must be new for it to count beside newer ones, squared.
const NEW: f64 = 1e-5;
/// Share of the misses, squared, below which a change is rounding.
const NOISE: f64 = 1e-20;
/// Share of the misses, squared, down to which a step must promise to bring them to be tried.
const PROMISE: f64 = 0.8;

/// Ends of the stride along the last sweep's change.
const SHORTEST: f64 = 0.1;
const LONGEST: f64 = 1e4;

/// A state that was passed, and what every pair missed by there.
#[derive(Debug, Default)]
struct Passed {
    state: State,
    misses: Vec<DVec3>,
}

/// The last states, newest first.
#[derive(Debug, Default)]
pub(super) struct History {
    passed: [Passed; DEPTH + 1],
    len: usize,
    /// How many times the last sweep's change is made again where nothing better is known.
    stride: f64,
}

impl History {
    /// Makes room for states of a tree.
    pub(super) fn fit(&mut self, tree: &PartTree) {
        for passed in &mut self.passed {
            passed.state.clone_from(&tree.state);
            make_room(&mut passed.misses, tree.entries.len());
        }
    }

    /// Forgets everything but the tree's present state.
    pub(super) fn begin(&mut self, tree: &PartTree) {
        (self.len, self.stride) = (0, 1.0);
        self.note(tree);
    }

    /// Notes the tree's present state.
    fn note(&mut self, tree: &PartTree) {
        self.passed.rotate_right(1);
        self.len = (self.len + 1).min(DEPTH + 1);
        self.passed[0].state.clone_from(&tree.state);
        tree.list_misses(&mut self.passed[0].misses);
    }

    /// Tries a step ahead after a sweep; `cost` is that of the tree, which is left at the better state. The
    /// cost there.
    pub(super) fn step_ahead(&mut self, tree: &mut PartTree, cost: f64) -> f64 {
        self.note(tree);
        if let Some(ahead) = self.shares().and_then(|shares| self.tried(tree, &shares, cost)) {
            return ahead;
        }
        // What is older did not help: on along the last sweep, farther each time that does.
        self.len = self.len.min(2);
        if self.stride < 1.0 {
            self.stride *= 1.5;
            return cost;
        }
        let ahead = self.tried(tree, &[self.stride, 0.0, 0.0, 0.0, 0.0, 0.0], cost);
        self.stride = (self.stride * if ahead.is_some() { 2.0 } else { 0.25 }).clamp(SHORTEST, LONGEST);
        ahead.unwrap_or(cost)
    }

    /// The cost after a step ahead, where it is lower; else the tree is as it was.
    fn tried(&mut self, tree: &mut PartTree, shares: &[f64; DEPTH], cost: f64) -> Option<f64> {
        self.go_on(tree, shares);
        tree.up(None);
        let ahead = tree.cost();
        if ahead < cost {
            self.note(tree);
            return Some(ahead);
        }
        tree.state.clone_from(&self.passed[0].state);
        tree.up(None);
        None
    }

    /// How many times each change up to now should be made again; `None` where that promises little.
    fn shares(&self) -> Option<[f64; DEPTH]> {
        let now = &self.passed[0].misses;
        let changes = self.len - 1;
        let change = |i: usize, k: usize| now[k] - self.passed[i + 1].misses[k];
        let (mut lower, mut pivots) = ([[0.0; DEPTH]; DEPTH], [0.0; DEPTH]);
        let mut shares = [0.0; DEPTH];
        let size: f64 = now.iter().map(|miss| miss.dot(*miss)).sum();
        // Cholesky factors of the normal equations; a change that is nearly made of newer ones is left out.
        for i in 0..changes {
            for j in 0..=i {
                let mut dot = 0.0;
                (0..now.len()).for_each(|k| dot += change(i, k).dot(change(j, k)));
                let own = dot;
                (0..j).for_each(|m| dot -= lower[i][m] * lower[j][m] * pivots[m]);
                if j < i {
                    lower[i][j] = if pivots[j] > 0.0 { dot / pivots[j] } else { 0.0 };
                } else {
                    pivots[i] = if dot > NEW * own && own > NOISE * size { dot } else { 0.0 };
                }
            }
            let mut along = 0.0;
            (0..now.len()).for_each(|k| along -= change(i, k).dot(now[k]));
            (0..i).for_each(|m| along -= lower[i][m] * shares[m] * pivots[m]);
            shares[i] = if pivots[i] > 0.0 { along / pivots[i] } else { 0.0 };
        }
        let taken: f64 = (0..changes).map(|i| shares[i] * shares[i] * pivots[i]).sum();
        for i in (0..changes).rev() {
            (i + 1..changes).for_each(|m| shares[i] -= lower[m][i] * shares[m]);
        }
        // Also where nothing changed, or a number is none.
        (size - taken < PROMISE * size).then_some(shares)
    }

    /// Moves the tree on from its present state.
    fn go_on(&self, tree: &mut PartTree, shares: &[f64; DEPTH]) {
        let older = || self.passed[1..self.len].iter().zip(shares);
        let PartTree { parts, state, shared, .. } = tree;
        for (at, (value, shared)) in state.shared.iter_mut().zip(shared.iter()).enumerate() {
            let now = *value;
            older().for_each(|(passed, share)| *value += (now - passed.state.shared[at]) * share);
            *value = shared.range.clamp(*value);
        }
        for (at, (part, setting)) in parts.iter().zip(&mut state.settings).enumerate() {
            if part.moves && part.shared.is_none() {
                *setting = further(part, *setting, older().map(|(passed, share)| (passed.state.settings[at], *share)));
            }
        }
        tree.set_shared();
    }
}

impl PartTree {
    /// Lists what each pair misses by, weighted, after an `up`.
    fn list_misses(&self, misses: &mut Vec<DVec3>) {
        misses.clear();
        for effector in &self.effectors {
            let pull = ops::sqrt(effector.pull * effector.unit);
            let entries = &self.entries[effector.ends.0 as usize..effector.ends.1 as usize];
            misses.extend(entries.iter().enumerate().map(|(i, entry)| match entry.form {
                Form::Point | Form::Vector => (entry.target - entry.out) * pull,
                Form::Ray => {
                    let sight = entries[i + 1].out;
                    let wanted = arc::unit(entry.target - entry.out).unwrap_or(DVec3::ZERO);
                    (wanted * arc::length(sight) - sight) * pull
                }
                Form::Sight => DVec3::ZERO,
            }));
        }
    }
}

/// A joint's setting moved on from older ones, each change so many times again, inside its limit.
fn further(part: &Part, now: Setting, older: impl Iterator<Item = (Setting, f64)>) -> Setting {
    match (part.motion, now) {
        (Freedom::Hinge { sector, .. }, Setting::Turned(b)) => {
            let (mut x, mut y) = b;
            for (before, share) in older {
                if let Setting::Turned(a) = before {
                    (x, y) = (x + (b.0 - a.0) * share, y + (b.1 - a.1) * share);
                }
            }
            let length = ops::sqrt(x * x + y * y);
            if length > 1e-6 { Setting::Turned(sector.clamp((x / length, y / length))) } else { now }
        }
        (Freedom::Slide { range, .. }, Setting::Slid(b)) => {
            let moved = older.map(|(before, share)| if let Setting::Slid(a) = before { (b - a) * share } else { 0.0 });
            Setting::Slid(range.clamp(b + moved.sum::<f64>()))
        }
        (Freedom::Ball { limit, zero }, Setting::Ball(b)) => {
            let mut q = b;
            for (before, share) in older {
                if let Setting::Ball(a) = before {
                    q += since(a, b) * share;
                }
            }
            on_sphere(q).map_or(now, |q| Setting::Ball(limited(&limit, zero, q)))
        }
        (Freedom::Free, Setting::Free(b, place)) => {
            let (mut q, mut to) = (b, place);
            for (before, share) in older {
                if let Setting::Free(a, from) = before {
                    q += since(a, b) * share;
                    to += (place - from) * share;
                }
            }
            on_sphere(q).map_or(now, |q| Setting::Free(q, to))
        }
        _ => now,
    }
}

/// From one rotation to another the short way, as a difference.
fn since(before: DQuat, now: DQuat) -> DQuat {
    if before.dot(now) < 0.0 { now + before } else { now - before }
}

fn on_sphere(q: DQuat) -> Option<DQuat> {
    (q.dot(q) > 1e-12 && q.is_finite()).then(|| arc::normalize(q))
}
