//! Twist counted from the rest pose: a free ball with one bone takes the shortest turn from its rest to where
//! the bone points, so that its twist does not drift from frame to frame.

use glam::DVec3;

use super::body::{Motion, NONE};
use super::fit;
use super::tree::Tree;
use crate::goal::Goal;
use crate::skeleton::Skeleton;

/// What of a body must stay where it is.
enum Held {
    Nothing,
    Bone(DVec3),
    Everything,
}

impl Tree {
    /// Takes the twist out of every ball that may give it up; no point of a goal moves.
    pub(super) fn untwist(&mut self, skeleton: &Skeleton, goals: &[Goal]) {
        for i in 0..self.bodies.len() {
            let (above, turn) = (self.above(i), self.bodies[i].turn);
            let held = self.held(i);
            let body = &mut self.bodies[i];
            match held {
                _ if body.motion != Motion::Free => {}
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
            if self.bodies[below].motion != Motion::Free {
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
