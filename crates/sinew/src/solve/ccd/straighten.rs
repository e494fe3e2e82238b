//! What is nearest to a place beyond a chain's reach, in one pass: straight toward it, or folded flat.
//!
//! Descent comes to a straight chain ever more slowly, since the tip's distance changes with the square of
//! the angles; so a lone position goal that no turns can meet starts from there, where that is better.

use glam::DVec3;

use super::effector::Form;
use super::part::{Freedom, Part};
use super::step::turn_toward;
use super::tree::PartTree;
use crate::math::arc;

/// Share of a chain's length by which a target may lie beyond its reach and count as within.
const SLACK: f64 = 1e-12;

/// A place that a chain of links cannot reach.
#[derive(Clone, Copy, Debug)]
struct Beyond {
    /// Unit direction to it, in the frame that the chain hangs in.
    way: DVec3,
    /// The joint whose link must point the other way than the rest, where it is too close.
    longest: Option<usize>,
}

impl PartTree {
    /// Lays the chain straight toward a place beyond its reach, or folds it flat over one too close; after a
    /// `down`. Whether it did anything.
    pub(super) fn straighten(&mut self) -> bool {
        let Some(beyond) = self.beyond() else { return false };
        let mut way = beyond.way;
        for at in 0..self.parts.len() {
            let part = self.parts[at];
            if part.moves
                && let Some(link) = self.link(at)
            {
                let wanted = if beyond.longest.is_none_or(|longest| longest == at) { way } else { -way };
                self.state.settings[at] = turn_toward(&part, self.state.settings[at], link, wanted);
            }
            way = part.inverse * part.unturned(self.state.settings[at], way);
        }
        self.up(None);
        true
    }

    /// The lone goal's place, where no turns reach it.
    fn beyond(&self) -> Option<Beyond> {
        let [effector] = &self.effectors[..] else { return None };
        let turns = |part: &Part| !part.moves || matches!(part.motion, Freedom::Hinge { .. } | Freedom::Ball { .. });
        let alone = effector.forms[0] == Some(Form::Point) && effector.forms[1].is_none() && !effector.live;
        if !(alone && self.shared.is_empty() && self.parts.iter().all(turns)) {
            return None;
        }
        let first = self.parts.iter().position(|part| part.moves)?;
        // Nothing above the first that moves turns, so its origin stays; lengths in its parent's units.
        let mut scale = 1.0;
        let (mut sum, mut most, mut longest) = (0.0, 0.0, first);
        for at in first..self.parts.len() {
            if self.parts[at].moves
                && let Some(link) = self.link(at)
            {
                let length = scale * arc::length(link);
                sum += length;
                if length > most {
                    (most, longest) = (length, at);
                }
            }
            scale *= self.parts[at].even_scale()?;
        }
        let part = &self.parts[first];
        let to = self.entries[part.first as usize].target - part.place(self.state.settings[first]);
        let distance = arc::length(to);
        let far = distance > sum * (1.0 + SLACK);
        let close = distance < (2.0 * most - sum) - SLACK * sum;
        if !(far || close) {
            return None;
        }
        let link = part.turned(self.state.settings[first], self.link(first)?);
        let mut way = arc::unit(to).or_else(|| arc::unit(link))?;
        // Directions are carried from the top of the tree.
        for at in (0..first).rev() {
            way = self.parts[at].turned(self.state.settings[at], self.parts[at].frame * way);
        }
        Some(Beyond { way, longest: close.then_some(longest) })
    }

    /// From a joint's origin to the next below it that moves, else to the goal's point, in its parent's axes
    /// with its own turn left out; `None` where that is nothing.
    fn link(&self, at: usize) -> Option<DVec3> {
        let next = (at + 1..self.parts.len()).find(|&next| self.parts[next].moves);
        let mut v = match next {
            Some(next) => self.parts[next].place(self.state.settings[next]),
            None => self.effectors[0].sources[0],
        };
        // Down to the last joint that is carried along.
        for still in (at + 1..next.unwrap_or(self.parts.len())).rev() {
            let part = &self.parts[still];
            v = part.place(self.state.settings[still]) + part.turned(self.state.settings[still], part.frame * v);
        }
        let v = self.parts[at].frame * v;
        (v.dot(v) > 0.0).then_some(v)
    }
}
