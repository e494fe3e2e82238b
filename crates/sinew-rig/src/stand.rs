//! What holds still in a body that stands, for solvers that know joints and no bodies.

use sinew::{Goal, Joint, Pose, Skeleton};

use crate::limb::{Limb, LimbKind};
use crate::recognize::Recognition;
use crate::role::Part;

/// Feet are held by this many times the strongest pull asked for.
const HOLD: f64 = 10.0;

impl Recognition {
    /// Goals that keep each foot where it is in a pose, with its rotation. Give them to `Auto`, `Jacobian` and `MassSpring`
    /// beside your own goals: these solvers know no bodies, and then keep the feet of a standing figure.
    ///
    /// None for a leg that a goal asks for itself, or that none of the goals moves. Feet pull 10 times as hard as the strongest goal.
    /// The last joint of a leg without a foot keeps its place only. `pose` is one of `skeleton`, which has the joints that were
    /// recognised in their order.
    pub fn kept_feet(&self, skeleton: &Skeleton, pose: &Pose, goals: &[Goal]) -> Vec<Goal> {
        let counted = || goals.iter().filter(|goal| goal.weight > 0.0);
        let pull = HOLD * counted().map(|goal| goal.pull).fold(0.0, f64::max);
        let legs = self.limbs.iter().filter(|limb| limb.kind == LimbKind::Leg);
        let keep = |leg: &Limb| {
            let (&first, &last) = (leg.joints.first()?, leg.joints.last()?);
            let loose = self.detached_feet.iter().find(|(_, end)| *end == last).map(|(foot, _)| *foot);
            let is_asked = |goal: &Goal| {
                let below = |joint| goal.joint == joint || skeleton.is_below(goal.joint, joint);
                below(first) || loose.is_some_and(below)
            };
            let moves = |goal: &Goal| goal.base.is_none_or(|base| skeleton.is_below(first, base));
            if counted().any(is_asked) || !counted().any(moves) {
                return None;
            }
            let is_foot = |&joint: &Joint| self.role(joint).is_some_and(|guess| guess.role.part == Part::Foot);
            let goal = match (leg.joints.iter().copied().find(is_foot), loose) {
                (Some(foot), _) => Goal::frame(foot, pose.position(foot), pose.rotation(foot)),
                (None, Some(foot)) => {
                    let place = pose.position(foot);
                    Goal::position(last, place).offset(pose.model(last).inverse().transform_point3(place))
                }
                (None, None) => Goal::position(last, pose.position(last)),
            };
            Some(goal.pull(pull))
        };
        legs.filter_map(keep).collect()
    }
}
