//! A body and its feet, shown where they are asked to be.

use glam::{DAffine3, DVec3};
use sinew::{Pose, Skeleton, Workspace};

use super::body::Body;
use super::foot::Footing;
use super::leg::{LEFT, Measured};
use super::{Feet, FeetSettings};
use crate::ground::Ground;
use crate::least_jerk::eased;
use crate::travel::carry;

impl Feet {
    /// Shows a body that is moved so far from where the clip has it, and its feet where they are asked to be. Heels rise for legs that are
    /// too short; a foot that is out of reach all the same is over its place.
    pub(super) fn show(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        ground: &(impl Ground + ?Sized),
        body: Body,
        feet: &mut [Footing],
        work: &mut Workspace,
    ) {
        let FeetSettings { up, longest, .. } = self.settings;
        for (leg, foot) in self.legs.iter().zip(&mut *feet) {
            let way = body.way_of(leg, pose);
            foot.motion = self.raised(leg, pose, ground, foot, way);
            let short = leg.short(pose, &foot.motion, way, up, longest);
            foot.motion.translation += up * foot.grip() * eased(short, 2.0 * LEFT * (1.0 - longest) * leg.length);
        }
        let motion = body.motion();
        carry(skeleton, pose, &motion);
        for (leg, foot) in self.legs.iter().zip(&*feet) {
            leg.place(skeleton, pose, foot, &motion, (up, longest), work);
        }
    }

    /// How far a foot in the air that is nearer to its hip than a leg folds well is to come down, as far as what is known to lie on its
    /// way and the ground let it.
    pub(super) fn unfolds(
        &self,
        leg: &Measured,
        pose: &Pose,
        ground: &(impl Ground + ?Sized),
        foot: &Footing,
        way: DVec3,
    ) -> f64 {
        let up = self.settings.up;
        let near = ((1.0 - foot.load) * leg.near(pose, &foot.motion, way, up)).min(foot.room);
        if near <= 1e-6 * leg.length {
            return 0.0;
        }
        near.min(self.over_ground(leg, pose, foot, ground, near).max(0.0))
    }

    /// How high a foot is over the ground, negative under it; `most` where there is none.
    pub(super) fn over_ground(
        &self,
        leg: &Measured,
        pose: &Pose,
        foot: &Footing,
        ground: &(impl Ground + ?Sized),
        most: f64,
    ) -> f64 {
        let up = self.settings.up;
        let over = |point: DVec3| {
            let at = foot.motion.transform_point3(point);
            ground.below(at + up * leg.length, up).map_or(most, |below| (at - below.position).dot(up))
        };
        let soles = leg.soles.map(|sole| pose.model(leg.foot).transform_point3(sole));
        let tip = leg.toes.map(|toes| toes.tip(pose));
        soles.into_iter().chain(tip).map(over).fold(f64::INFINITY, f64::min)
    }

    /// Where a foot is with its heel raised and its toes out of the ground, under a body that is moved so far.
    pub(super) fn raised(
        &self,
        leg: &Measured,
        pose: &Pose,
        ground: &(impl Ground + ?Sized),
        foot: &Footing,
        way: DVec3,
    ) -> DAffine3 {
        let FeetSettings { up, longest, .. } = self.settings;
        let mut motion = leg.raised(pose, foot, way, up, longest);
        motion.translation += up * leg.toes.map_or(0.0, |toes| toes.stuck(pose, &motion, ground, up).max(0.0));
        motion
    }
}
