//! One character's lanes as a pose of the core, and back.

use sinew::glam::{DQuat, Quat, Vec3};
use sinew::{Joint, Pose, Rotation, Skeleton};

use crate::block::{Block, Line, TILE, Tile};
use crate::crowd::Crowd;

/// A character's joints among those of its tile.
pub(crate) struct LanePose<'a> {
    /// Four lines a joint.
    pub(crate) rotations: &'a [Line],
    /// Three lines a root.
    pub(crate) places: &'a [Line],
    /// A line a joint, or none where all are of the rest lengths.
    pub(crate) lengths: &'a [Line],
    pub(crate) lane: usize,
}

impl LanePose<'_> {
    /// Writes rotations, the places of roots and the lengths of bones into a pose of the skeleton.
    pub(crate) fn write(&self, skeleton: &Skeleton, pose: &mut Pose) {
        let mut edit = pose.edit(skeleton);
        // Which turn a hinge has hangs on the value before.
        (0..skeleton.coordinates().len()).for_each(|coordinate| _ = edit.coordinate(coordinate, 0.0));
        for joint in skeleton.iter() {
            edit.rotation(joint, rotation(&self.rotations[4 * joint.index()..], self.lane));
            if skeleton.parent(joint).is_some() {
                let factor = self.lengths.get(joint.index()).map_or(1.0, |line| f64::from(line.0[self.lane]));
                edit.translation(joint, skeleton.rest(joint).translation * factor);
            }
        }
        for (index, root) in skeleton.roots().enumerate() {
            let place = Vec3::from_array(numbers(&self.places[3 * index..], self.lane));
            edit.translation(root, place.as_dvec3() / base_scale(skeleton, root));
        }
    }
}

/// The first numbers of a lane.
fn numbers<const N: usize>(lines: &[Line], lane: usize) -> [f32; N] {
    core::array::from_fn(|number| lines[number].0[lane])
}

pub(crate) fn rotation(lines: &[Line], lane: usize) -> DQuat {
    Rotation::from(Quat::from_array(numbers(lines, lane))).quaternion()
}

/// The factor of a root's base, which is even.
pub(crate) fn base_scale(skeleton: &Skeleton, root: Joint) -> f64 {
    skeleton.base(root).matrix3.x_axis.length()
}

impl Block<'_> {
    /// Lends each character's pose to a function, one after another, and takes the rotations and the positions of the roots back: for
    /// what lanes do not know, such as `sinew_rig::Body`, by any [`Solver`](sinew::Solver) at its own price.
    /// Call it before or after [`solve`](Self::solve), which brings the model transforms up to date.
    ///
    /// The function has the character's number and its pose: rotations, places of the roots, and translations as long as
    /// [`Poses::set_length`](crate::Poses::set_length) says. What it leaves alone keeps its bits. `pose` is room for one pose of the
    /// crowd's skeleton; nothing is allocated here.
    ///
    /// ```
    /// use sinew::{Goal, Jacobian, Skeleton, Solver as _, Workspace, glam::DVec3};
    /// use sinew_crowd::{Crowd, Goals, Poses};
    ///
    /// let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
    /// let hand = arm.joint("joint_2")?;
    /// let crowd = Crowd::new(&arm)?;
    /// let (mut poses, mut goals) = (Poses::new(&crowd, 1000), Goals::new(&crowd, 1000));
    /// let (mut pose, mut work) = (arm.rest_pose(), Workspace::default());
    /// for mut block in crowd.blocks(&mut poses, &mut goals) {
    ///     block.each_pose(&crowd, &mut pose, |character, pose| {
    ///         let ball = DVec3::new(0.2, 0.3, 1e-4 * character as f64);
    ///         let _ = Jacobian::default().solve(&arm, &[Goal::position(hand, ball)], pose, &mut work);
    ///     });
    ///     block.solve(&crowd, crowd.width());
    /// }
    /// assert!((poses.position(999, hand).as_dvec3() - DVec3::new(0.2, 0.3, 0.0999)).length() < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Where the pose, or the crowd, is another skeleton's.
    pub fn each_pose(&mut self, crowd: &Crowd, pose: &mut Pose, mut each: impl FnMut(usize, &mut Pose)) {
        let skeleton = crowd.skeleton();
        assert!(pose.fits(skeleton), "a pose of this crowd's skeleton");
        let sizes = self.sizes();
        for index in 0..self.count {
            let (lane, tile) = (index % TILE, self.tile(&sizes, index / TILE));
            let lanes = LanePose { rotations: tile.rotations, places: tile.places, lengths: tile.lengths, lane };
            lanes.write(skeleton, pose);
            each(self.first + index, pose);
            assert!(pose.fits(skeleton), "a pose of this crowd's skeleton");
            self.tile(&sizes, index / TILE).take_pose(skeleton, lane, pose);
        }
    }
}

impl Tile<'_> {
    /// Takes a lane's rotations and the places of its roots from a pose; what stands there already keeps its bits.
    pub(crate) fn take_pose(&mut self, skeleton: &Skeleton, lane: usize, pose: &Pose) {
        for joint in skeleton.iter() {
            let lines = &mut self.rotations[4 * joint.index()..][..4];
            let answer = pose.local(joint).rotation;
            if rotation(lines, lane) != answer {
                put(lines, lane, answer.as_quat().to_array());
            }
        }
        for (number, root) in skeleton.roots().enumerate() {
            let place = pose.local(root).translation * base_scale(skeleton, root);
            put(&mut self.places[3 * number..][..3], lane, place.as_vec3().to_array());
        }
    }
}

/// Writes the first numbers of a lane.
pub(crate) fn put<const N: usize>(lines: &mut [Line], lane: usize, numbers: [f32; N]) {
    for (line, number) in lines.iter_mut().zip(numbers) {
        line.0[lane] = number;
    }
}
