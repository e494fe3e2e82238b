//! Law 7: degenerate input gives finite output and a defined status.

use alloc::format;

use fastrand::Rng;
use glam::{DQuat, DVec3};

use super::rigs::direction;
use super::{Case, Verdict, ensure};
use crate::goal::{Goal, Pole};
use crate::solve::{Status, Workspace};

impl Case<'_> {
    pub(super) fn degenerate_is_defined(&self, rng: &mut Rng) -> Verdict {
        let (rig, length) = (self.rig, self.rig.length());
        let rest = rig.skeleton.rest_pose();
        let [root, mid, tip] = [rig.root, rig.mid, rig.tip].map(|joint| rest.position(joint));
        let line = direction(rng);
        let half_turn = DQuat::from_xyzw(line.x, line.y, line.z, 0.0) * rest.rotation(rig.tip);
        let at = |place: DVec3| Goal::position(rig.tip, place);
        let finite = [
            at(root),
            at(root + line * 1e-300),
            at(root + line * 1e-12 * length),
            at(root).pole(root),
            at(mid),
            at(tip),
            at(root * 2.0 - tip),
            at(root + (tip - root) * 5.0),
            at(root + (mid - root) * 0.5),
            at(root + line * length),
            at(root + line * length * 0.5).pole(root + line),
            at(root + line * length * 0.5).pole(Pole::Direction(DVec3::ZERO)),
            at(root + line * length * 0.5).pole(Pole::Direction(-line)),
            at(root + line * 1e9 * length),
            at(tip).offset(direction(rng) * length),
            Goal::frame(rig.tip, root + line * length * 0.5, half_turn),
            Goal::rotation(rig.tip, half_turn),
        ];
        for goal in finite.into_iter().chain(self.degenerate_aims(rng)).chain(self.degenerate_scales()) {
            for start in [rig.skeleton.neutral_pose(), rig.allowed_pose(rng)] {
                let mut pose = start;
                let outcome = self.solver.solve(&rig.skeleton, &[goal], &mut pose, &mut Workspace::default());
                let whole =
                    rig.skeleton.iter().all(|joint| pose.model(joint).is_finite() && pose.local(joint).is_finite());
                ensure(whole, || format!("not finite after {goal:?}"))?;
                ensure(outcome.status != Status::Invalid, || format!("valid, yet refused: {goal:?}"))?;
            }
        }
        self.invalid_is_refused(&at(tip))
    }

    /// NaN, infinity, a weight that is none, another skeleton's pose: refused, and untouched.
    fn invalid_is_refused(&self, good: &Goal) -> Verdict {
        let rig = self.rig;
        let place = good.target.position().unwrap_or_default();
        let bad = [
            Goal::position(rig.tip, DVec3::NAN),
            Goal::position(rig.tip, place / 0.0 * DVec3::new(1.0, -1.0, 1.0)),
            Goal::rotation(rig.tip, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
            good.pole(DVec3::NAN),
            good.weight(f64::NAN),
            good.weight(1.5),
            good.pull(-1.0),
            good.offset(DVec3::INFINITY),
            Goal::aim(rig.tip, DVec3::NAN, place),
            Goal::axis(rig.tip, DVec3::Z, DVec3::Y).up(DVec3::NAN),
            Goal::scale(rig.tip, DVec3::NAN),
        ];
        let before = rig.skeleton.neutral_pose();
        let mut alone = before.clone();
        let _ = self.solver.solve(&rig.skeleton, &[*good], &mut alone, &mut Workspace::default());
        for goal in bad {
            let (mut pose, mut work) = (before.clone(), Workspace::default());
            let outcome = self.solver.solve(&rig.skeleton, &[*good, goal], &mut pose, &mut work);
            let told = [0, 1].map(|place| work.residuals()[place].status);
            let is_told = outcome.status == Status::Invalid && told == [Status::Ignored, Status::Invalid];
            ensure(is_told && pose == before, || format!("{goal:?} gave {outcome:?}, {told:?}"))?;
            // Where it is left out, the other is served as if it were alone.
            let outcome = self.solver.solve(&rig.skeleton, &[*good, goal], &mut pose, work.skip_invalid(true));
            let left = work.residuals()[1].status;
            let is_left_out = outcome.status == Status::Invalid && left == Status::Invalid && pose == alone;
            ensure(is_left_out, || format!("{goal:?} left out gave {outcome:?}"))?;
        }
        let other = crate::skeleton::Skeleton::from_lengths(&[1.0, 1.0, 1.0]).expect("three bones");
        let mut foreign = other.rest_pose();
        let outcome = self.solver.solve(&rig.skeleton, &[*good], &mut foreign, &mut Workspace::default());
        ensure(outcome.status == Status::Invalid && foreign == other.rest_pose(), || "another skeleton's pose".into())
    }
}
