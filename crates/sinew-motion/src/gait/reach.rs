//! What a leg's length asks of the body: legs that reach no further pull it, those that fold no further push it.

use glam::DVec3;
use sinew::math::arc;

use super::body::Frame;
use super::leg::{Footing, MOST_HEEL, REACH};
use super::state::{Foot, GaitState};
use super::{Gait, PathPoint, TICK};
use crate::least_jerk::eased;
use crate::spring::{Pull, Spring};

impl Gait {
    /// Legs that can fold no further push the body up, and those that cannot reach their feet pull it, whatever its springs say; how far.
    pub(super) fn pull(&self, feet: &[Foot], frame: &mut Frame) -> DVec3 {
        let before = frame.pivot;
        let standing = || feet.iter().enumerate().filter(|(_, foot)| foot.swing.is_none());
        let under = standing().map(|(leg, foot)| self.under(leg, foot, frame)).fold(0.0, f64::max);
        frame.pivot += self.axes.up * under;
        for _ in 0..8 {
            let mut pulled = false;
            for (leg, foot) in standing() {
                let over = self.over(leg, foot, frame);
                if over > 0.0 {
                    let hip = frame.at(self.legs[leg].hip);
                    frame.pivot += arc::unit(foot.place - hip).unwrap_or(DVec3::ZERO) * (over * 1.001);
                    pulled = true;
                }
            }
            if !pulled {
                break;
            }
        }
        frame.pivot - before
    }

    /// What legs pull the body by in a tick; what they pull no longer fades as the body's springs do.
    pub(super) fn be_pulled(&self, path: &PathPoint, pull: &Pull, state: &mut GaitState) {
        let before = state.pulled.value;
        state.pulled.follow(DVec3::ZERO, DVec3::ZERO, pull);
        let mut frame = self.frame(path, [&state.floor, &state.slope, &state.sway].map(|spring| spring.value));
        frame.pivot += state.pulled.value;
        let more = self.pull(&state.feet, &mut frame);
        if more != DVec3::ZERO {
            let value = state.pulled.value + more;
            state.pulled = Spring { value, speed: (value - before) / TICK };
        }
    }

    /// From the hip to the ankle of a standing foot, heel raised.
    pub(super) fn line(&self, leg: usize, foot: &Foot, frame: &Frame) -> DVec3 {
        let one = &self.legs[leg];
        let heel = self.heel(leg, foot, frame);
        one.ankle_at(&self.axes, &Footing { place: foot.place, turn: foot.turn, heel }) - frame.at(one.hip)
    }

    /// How far a standing foot is out of the leg's reach.
    pub(super) fn over(&self, leg: usize, foot: &Foot, frame: &Frame) -> f64 {
        arc::length(self.line(leg, foot, frame)) - REACH * self.legs[leg].reach
    }

    /// How far the hip of a standing foot must go up for the leg to fold no further than it can; 0 or less where it need not.
    pub(super) fn under(&self, leg: usize, foot: &Foot, frame: &Frame) -> f64 {
        let line = self.line(leg, foot, frame);
        let room = self.legs[leg].room(arc::reject(line, self.axes.up));
        room.map_or(0.0, |high| high + line.dot(self.axes.up))
    }

    /// A foot in the air, drawn to the hip where the leg would be stretched.
    pub(super) fn within_reach(&self, leg: usize, footing: Footing, frame: &Frame) -> Footing {
        let one = &self.legs[leg];
        let line = one.ankle_at(&self.axes, &footing) - frame.at(one.hip);
        let far = arc::length(line);
        let over = eased(far - REACH * one.reach, (1.0 - REACH) * one.reach);
        Footing { place: footing.place - line * (over / far.max(1e-9)), ..footing }
    }

    /// How far the heel of a standing foot is raised.
    pub(super) fn heel(&self, leg: usize, foot: &Foot, frame: &Frame) -> f64 {
        let one = &self.legs[leg];
        one.heel_for(&self.axes, foot.place, foot.turn, frame.at(one.hip), self.stands() * REACH * one.reach)
            .min(MOST_HEEL)
    }
}
