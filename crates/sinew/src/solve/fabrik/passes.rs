//! The passes over rigid bodies: from the goals back to the roots, out again inside every limit, and, where
//! these gain little, one that turns each body from the tips up so that all goals below it come nearest.

use super::body::{Body, BodyMotion, NONE};
use super::effector::Effector;
use super::tree::BodyTree;
use crate::goal::Goal;
use crate::math::arc;
use crate::math::fit::{self, Pair};
use crate::skeleton::Skeleton;

impl BodyTree {
    /// Collects what pulls at a body, seen from `place`: the wanted places of bodies below, and its own goals.
    fn collect(&mut self, body: usize, place: glam::DVec3) {
        self.pairs.clear();
        let mut below = self.bodies[body].below;
        while below != NONE {
            let Body { offset, wanted, lift, beside, .. } = self.bodies[below];
            if lift > 0.0 {
                self.pairs.push(Pair { arm: offset, to: wanted - place, weight: lift });
            }
            below = beside;
        }
        for e in 0..self.effectors.len() {
            let effector = &self.effectors[e];
            if let Some(target) = effector.target.filter(|_| effector.body == body && self.acts(body, e)) {
                self.pairs.push(Pair { arm: effector.point, to: target - place, weight: effector.pull });
            }
        }
    }

    /// The rotation that a goal asks of the body itself.
    fn turn_asked(&self, body: usize) -> Option<glam::DQuat> {
        let own = |(e, each): &(usize, &Effector)| each.body == body && each.ray.is_none() && self.acts(body, *e);
        let mut asked = self.effectors.iter().enumerate().filter(own);
        asked.find_map(|(_, effector)| effector.turn)
    }

    /// From the goals to the roots: where each body would have to be.
    pub(super) fn back(&mut self, skeleton: &Skeleton) {
        for i in (0..self.bodies.len()).rev() {
            let place = self.bodies[i].place;
            self.collect(i, place);
            let asked = self.turn_asked(i);
            let reaches = self.pairs.iter().any(|pair| pair.arm != glam::DVec3::ZERO);
            let mut turn = asked.unwrap_or_else(|| fit::fitted(self.bodies[i].turn, &self.pairs));
            if asked.is_none()
                && let Some(fitting) = self.turn_for_below(skeleton, i, turn)
            {
                turn = fitting;
            }
            let (mut wanted, mut pulls) = (glam::DVec3::ZERO, 0.0);
            for pair in &self.pairs {
                wanted += (pair.to - turn * pair.arm) * pair.weight;
                pulls += pair.weight;
            }
            let body = &mut self.bodies[i];
            body.wanted = if pulls > 0.0 { place + wanted / pulls } else { place };
            body.wanted_turn = turn;
            body.aimed = asked.is_some() || reaches;
        }
    }

    /// The rotation of a body that is kept by a limited one below, the only one.
    fn turn_for_below(&self, skeleton: &Skeleton, body: usize, turn: glam::DQuat) -> Option<glam::DQuat> {
        let below = self.bodies.get(self.bodies[body].below)?;
        if below.beside != NONE || !below.aimed || below.motion == BodyMotion::Free || self.pairs.len() != 1 {
            return None;
        }
        let mut wanted = *below;
        wanted.turn_to(skeleton, turn, below.wanted_turn);
        Some(below.above_for(below.wanted_turn, wanted.local))
    }

    /// From the roots out: each body turns to where those below should be, inside its limit.
    pub(super) fn forth(&mut self, skeleton: &Skeleton, goals: &[Goal]) {
        for i in 0..self.bodies.len() {
            if self.bodies[i].travels {
                self.bodies[i].offset = self.bodies[i].wanted;
            }
            let (above, place) = (self.above(i), self.placed(i));
            self.bodies[i].place = place;
            self.collect(i, place);
            let asked = self.turn_asked(i);
            self.pairs.retain(|pair| pair.arm != glam::DVec3::ZERO);
            match asked {
                Some(turn) => {
                    if self.pairs.is_empty() {
                        self.bodies[i].turn_to(skeleton, above, turn);
                    } else {
                        self.add_axes(i, turn);
                        self.bodies[i].fit(skeleton, above, &self.pairs);
                    }
                }
                None => self.bodies[i].fit(skeleton, above, &self.pairs),
            }
        }
        self.refresh(goals);
    }

    /// A rotation as three pairs of axes, as long as a radian counts for.
    fn add_axes(&mut self, body: usize, turn: glam::DQuat) {
        for e in 0..self.effectors.len() {
            let effector = self.effectors[e];
            if effector.body == body && effector.turn == Some(turn) {
                let length = effector.radian();
                for axis in glam::DVec3::AXES {
                    self.pairs.push(Pair { arm: axis * length, to: turn * axis * length, weight: effector.pull });
                }
                return;
            }
        }
    }

    /// Turns the topmost bodies so that every goal below comes nearest, the rest held stiff.
    pub(super) fn turn_tops(&mut self, skeleton: &Skeleton, goals: &[Goal]) {
        self.turn_each(skeleton, goals, |body| body.above == NONE);
    }

    /// From the tips up: each body turns so that every goal below it comes nearest.
    pub(super) fn turn_all(&mut self, skeleton: &Skeleton, goals: &[Goal]) {
        self.turn_each(skeleton, goals, |_| true);
    }

    fn turn_each(&mut self, skeleton: &Skeleton, goals: &[Goal], which: impl Fn(&Body) -> bool) {
        self.refresh(goals);
        for i in (0..self.bodies.len()).rev() {
            if !which(&self.bodies[i]) {
                continue;
            }
            let (above, place) = (self.above(i), self.bodies[i].place);
            let inverse = self.bodies[i].turn.conjugate();
            self.pairs.clear();
            for e in 0..self.effectors.len() {
                if self.acts(i, e) {
                    self.add_goal(i, e);
                }
            }
            self.bodies[i].fit(skeleton, above, &self.pairs);
            let turned = arc::normalize(self.bodies[i].turn * inverse);
            let end = self.end_below(i);
            for effector in self.effectors.iter_mut().filter(|effector| (i..end).contains(&effector.body)) {
                effector.place = place + turned * (effector.place - place);
                effector.now = arc::normalize(turned * effector.now);
            }
        }
        self.update(goals, 0);
    }

    /// What one goal asks of a body, whatever is between.
    pub(super) fn collect_goal(&mut self, body: usize, e: usize) {
        self.pairs.clear();
        self.add_goal(body, e);
    }

    fn add_goal(&mut self, body: usize, e: usize) {
        let (effector, place) = (self.effectors[e], self.bodies[body].place);
        let inverse = self.bodies[body].turn.conjugate();
        if let Some(target) = effector.target {
            let arm = inverse * (effector.place - place);
            self.pairs.push(Pair { arm, to: target - place, weight: effector.pull });
        }
        if let Some(ray) = effector.ray {
            let (length, (along, line)) = (effector.radian(), ray.pair((effector.place, effector.now)));
            self.pairs.push(Pair { arm: inverse * along * length, to: line * length, weight: effector.pull });
        } else if let Some(turn) = effector.turn {
            let length = effector.radian();
            for axis in glam::DVec3::AXES {
                let arm = inverse * (effector.now * axis * length);
                self.pairs.push(Pair { arm, to: turn * axis * length, weight: effector.pull });
            }
        }
    }

    /// The end of the interval of bodies below one.
    fn end_below(&self, body: usize) -> usize {
        let mut at = body;
        loop {
            let mut below = self.bodies[at].below;
            if below == NONE {
                return at + 1;
            }
            while self.bodies[below].beside != NONE {
                below = self.bodies[below].beside;
            }
            at = below;
        }
    }
}
