//! The pose that shows the walk as it is.

use glam::{DAffine3, DMat3, DVec3};
use sinew::{Pose, Skeleton};

use super::leg::Footing;
use super::state::GaitState;
use super::{Gait, PathPoint};
use crate::feet::put_apart;
use crate::least_jerk::{bump, smooth};
use crate::spring::{Pull, Spring};
use crate::travel::carry;

impl Gait {
    /// Brings the pose to the walk as it is now.
    pub(super) fn show(&self, skeleton: &Skeleton, path: &PathPoint, pose: &mut Pose, state: &mut GaitState) {
        let later = state.since;
        let pull = Pull::new(self.stiffness, later);
        let now = |spring: &Spring, goal: DVec3| {
            let mut spring = *spring;
            spring.follow(goal, DVec3::ZERO, &pull);
            spring.value
        };
        let ride =
            [now(&state.floor, state.goal[0]), now(&state.slope, state.goal[1]), now(&state.sway, state.goal[2])];
        let mut frame = self.frame(path, ride);
        frame.pivot += now(&state.pulled, DVec3::ZERO);
        self.pull(&state.feet, &mut frame);
        let turn = frame.turn;
        let motion = DAffine3 { matrix3: DMat3::from_quat(turn), translation: frame.at(DVec3::ZERO) };
        carry(skeleton, pose, &motion);
        let mut turned = std::mem::take(&mut state.turned);
        turned.clear();
        for (leg, foot) in state.feet.iter().enumerate() {
            let footing = match foot.swing {
                None => Footing { place: foot.place, turn: foot.turn, heel: self.heel(leg, foot, &frame) },
                Some(swing) => {
                    let share = swing.share(later);
                    let heel = swing.heel * (1.0 - smooth(share / 0.75)) + 0.4 * bump(share) * (1.0 - share);
                    let footing = Footing { place: swing.place(self.axes.up, later), turn: swing.turn(later), heel };
                    self.within_reach(leg, footing, &frame)
                }
            };
            self.legs[leg].solve(skeleton, pose, &self.axes, turn, &footing, &mut turned);
            put_apart(skeleton, pose, self.legs[leg].detached(&self.axes, &footing));
        }
        let mut edit = pose.edit(skeleton);
        for &(joint, rotation) in &turned {
            edit.rotation(joint, rotation);
        }
        drop(edit);
        state.turned = turned;
    }
}
