//! The path of a body over the ground, apart from the rest of its motion.

use glam::{DAffine3, DQuat, DVec3};
use sinew::math::{arc, ops};
use sinew::{Joint, Pose, Skeleton, Transform};

use crate::clip::Clip;

/// How far a body has moved since a clip's first pose: over the ground, and about the up axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Displacement {
    /// Of the leading joint, perpendicular to up (metres, model space).
    pub offset: DVec3,
    /// How far it has turned about up (radians); whole turns count.
    pub heading: f64,
}

/// A clip's path over the ground: a displacement for each of its poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Travel {
    /// Unit direction.
    up: DVec3,
    /// Where the leading joint began, on the ground.
    from: DVec3,
    displacements: Vec<Displacement>,
}

impl Travel {
    /// One for each pose of the clip; the first is zero.
    pub fn displacements(&self) -> &[Displacement] {
        &self.displacements
    }

    /// The rigid motion of model space from the clip's first pose to one of its poses; none behind the last.
    pub fn motion(&self, pose: usize) -> DAffine3 {
        self.displacements.get(pose).map_or(DAffine3::IDENTITY, |now| {
            let turn = arc::axis_angle(self.up, now.heading);
            DAffine3::from_rotation_translation(turn, self.from + now.offset - turn * self.from)
        })
    }
}

impl Clip {
    /// The clip on the spot, and the path that was taken out of it: where `leader` (a joint such as the hips) moves over
    /// the ground, perpendicular to `up` (model space, any length), and how it turns about up. Everything else stays:
    /// height, lean, and so on. [`travelling`](Self::travelling) puts the path back.
    ///
    /// When the leader lies so flat that its turn about up is not known, it keeps the heading before. Without a
    /// direction in `up` nothing is taken out.
    ///
    /// # Panics
    /// Where skeleton or joint are not the poses'.
    pub fn on_the_spot(&self, skeleton: &Skeleton, leader: Joint, up: DVec3) -> (Self, Travel) {
        let travel = self.travel(leader, up);
        (self.moved(skeleton, |index| travel.motion(index).inverse()), travel)
    }

    /// The clip along a path, pose by pose; poses after its end are moved as far as its last.
    ///
    /// # Panics
    /// Where the skeleton is not the poses'.
    pub fn travelling(&self, skeleton: &Skeleton, travel: &Travel) -> Self {
        let last = travel.displacements.len().saturating_sub(1);
        self.moved(skeleton, |index| travel.motion(index.min(last)))
    }

    /// The path of a joint over the ground.
    ///
    /// # Panics
    /// Where the joint is not the poses'.
    pub fn travel(&self, leader: Joint, up: DVec3) -> Travel {
        let Some(up) = arc::unit(up) else {
            let displacements = vec![Displacement::default(); self.len()];
            return Travel { up: DVec3::Y, from: DVec3::ZERO, displacements };
        };
        let ground = |pose: &Pose| arc::reject(pose.position(leader), up);
        let (from, first) = (ground(&self.poses()[0]), self.poses()[0].rotation(leader));
        let mut heading = 0.0;
        let displacement = |pose: &Pose| {
            let turn = pose.rotation(leader) * first.conjugate();
            let along = up.dot(DVec3::new(turn.x, turn.y, turn.z));
            // Half a turn about an axis across says nothing of a turn about up.
            if along * along + turn.w * turn.w > 1e-12 {
                heading = ops::nearest_turn(arc::twist_angle(turn, up), heading);
            }
            Displacement { offset: ground(pose) - from, heading }
        };
        let displacements = self.poses().iter().map(displacement).collect();
        Travel { up, from, displacements }
    }

    fn moved(&self, skeleton: &Skeleton, motion: impl Fn(usize) -> DAffine3) -> Self {
        let mut moved = self.clone();
        for (index, pose) in moved.poses_mut().iter_mut().enumerate() {
            carry(skeleton, pose, &motion(index));
        }
        moved
    }
}

/// Moves all roots of a pose, and so the whole body, by a rigid motion of model space. A root whose base has a scale of
/// zero stays.
///
/// # Panics
/// Where the pose is another skeleton's.
pub fn carry(skeleton: &Skeleton, pose: &mut Pose, motion: &DAffine3) {
    if *motion == DAffine3::IDENTITY {
        return;
    }
    let mut edit = pose.edit(skeleton);
    for root in skeleton.roots() {
        let local = *edit.pose().local(root);
        let base = skeleton.base(root);
        let inside = base.inverse() * *motion * *base;
        let turned = DQuat::from_mat3(&inside.matrix3).normalize() * local.rotation;
        let moved = Transform { translation: inside.transform_point3(local.translation), rotation: turned, ..local };
        if moved.is_finite() {
            edit.local(root, moved);
        }
    }
}
