//! Twist counted from the rest pose: a free ball with one bone takes the shortest turn from its rest to where
//! the bone points, so that its twist does not drift from frame to frame. What a rotation goal then leaves for
//! its own joint, the joints above can take over by rolling about their bones, which moves no point.

use glam::DVec3;

use super::body::{BodyMotion, NONE};
use super::settings::Twist;
use super::tree::BodyTree;
use crate::goal::Goal;
use crate::math::arc;
use crate::math::fit;
use crate::skeleton::Skeleton;

/// Sine of the angle within which two bones are one line.
const IN_LINE: f64 = 1e-3;

/// What of a body must stay where it is.
enum Held {
    Nothing,
    Bone(DVec3),
    Everything,
}

impl BodyTree {
    /// Gives the free balls the twist asked for; no point of a goal moves.
    pub(super) fn twist(&mut self, skeleton: &Skeleton, goals: &[Goal], twist: Twist) {
        if twist == Twist::Given {
            return;
        }
        self.untwist(skeleton, goals);
        if twist != Twist::Rest {
            self.roll(skeleton, goals, twist == Twist::Shared);
        }
    }

    /// Rolls the free balls above each rotation goal, up to the first that must stay, by what twist the goal's
    /// joint has left: all by the whole, or each by more than the one above.
    fn roll(&mut self, skeleton: &Skeleton, goals: &[Goal], shared: bool) {
        for body in &mut self.bodies {
            body.wanted_turn = body.turn;
        }
        let mut path = core::mem::take(&mut self.path);
        for effector in self.effectors.iter().filter(|effector| effector.turn.is_some() && effector.ray.is_none()) {
            let tip = &self.bodies[effector.body];
            let free =
                |at: usize| (at != NONE && self.bone(at).is_some() && !self.branches(skeleton, at)).then_some(at);
            path.clear();
            path.extend(core::iter::successors(free(tip.above), |&at| free(self.bodies[at].above)));
            let Some((&last, bone)) = path.first().and_then(|last| Some((last, self.bone(*last)?))) else { continue };
            let untwisted = tip.carried(self.bodies[last].turn, skeleton.rest(tip.joint).rotation);
            let left = arc::twist_angle(tip.turn * untwisted.conjugate(), bone);
            for (below, &at) in path.iter().enumerate() {
                let share = if shared { (path.len() - below) as f64 / (path.len() + 1) as f64 } else { 1.0 };
                let bone = self.bone(at).unwrap_or(bone);
                self.bodies[at].wanted_turn = arc::axis_angle(bone, left * share) * self.bodies[at].turn;
            }
        }
        self.path = path;
        for i in 0..self.bodies.len() {
            let (above, turn) = (self.above(i), self.bodies[i].wanted_turn);
            if self.bodies[i].motion == BodyMotion::Free {
                self.bodies[i].turn_to(skeleton, above, turn);
            }
        }
        self.update(goals, 0);
    }

    /// Whether joints hang on a body's in more than one direction, goal or not: an arm does not roll the chest.
    fn branches(&self, skeleton: &Skeleton, body: usize) -> bool {
        let mut bones =
            skeleton.children(self.bodies[body].joint).filter_map(|child| arc::unit(skeleton.rest(child).translation));
        let Some(bone) = bones.next() else { return false };
        bones.any(|other| arc::length(other.cross(bone)) > IN_LINE)
    }

    /// Direction of the one bone about which a free ball may roll.
    fn bone(&self, body: usize) -> Option<DVec3> {
        match self.held(body) {
            Held::Bone(bone) if self.bodies[body].motion == BodyMotion::Free => {
                arc::unit(self.bodies[body].turn * bone)
            }
            _ => None,
        }
    }

    /// Takes the twist out of every ball that may give it up; no point of a goal moves.
    fn untwist(&mut self, skeleton: &Skeleton, goals: &[Goal]) {
        for i in 0..self.bodies.len() {
            let (above, turn) = (self.above(i), self.bodies[i].turn);
            let held = self.held(i);
            let body = &mut self.bodies[i];
            match held {
                _ if body.motion != BodyMotion::Free => {}
                Held::Nothing => body.turn = body.carried(above, body.local),
                Held::Everything => body.turn_to(skeleton, above, turn),
                Held::Bone(bone) => {
                    let rest = body.carried(above, skeleton.rest(body.joint).rotation);
                    body.turn_to(skeleton, above, fit::along(rest, bone, turn * bone));
                }
            }
        }
        self.update(goals, 0);
    }

    /// What hangs on a body: only free balls below let it turn about its bone.
    fn held(&self, body: usize) -> Held {
        let mut held = Held::Nothing;
        let mut hold = |bone: DVec3| {
            held = match held {
                _ if bone == DVec3::ZERO => return,
                Held::Nothing => Held::Bone(bone),
                _ => Held::Everything,
            }
        };
        let mut below = self.bodies[body].below;
        while below != NONE {
            if self.bodies[below].motion != BodyMotion::Free {
                return Held::Everything;
            }
            hold(self.bodies[below].offset);
            below = self.bodies[below].beside;
        }
        for effector in self.effectors.iter().filter(|effector| effector.body == body) {
            if effector.turn.is_some() {
                return Held::Everything;
            }
            hold(effector.point);
        }
        held
    }
}
