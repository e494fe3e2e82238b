//! Poses of many instances of one skeleton, side by side.

use sinew::glam::{DQuat, Quat, Vec3};
use sinew::{Joint, Pose, Rotation, Skeleton};

use crate::block::{Line, TILE, share};
use crate::crowd::{Crowd, tiles};
use crate::lane_pose::{LanePose, base_scale};

/// Local rotations, positions of the roots, and model transforms of many characters.
///
/// Model transforms are those of the last [`Crowd::solve`].
#[derive(Clone, Debug)]
pub struct Poses {
    count: usize,
    joints: usize,
    roots: usize,
    pub(crate) rotations: Vec<Line>,
    pub(crate) places: Vec<Line>,
    pub(crate) lengths: Vec<Line>,
    pub(crate) models: Vec<Line>,
}

impl Poses {
    /// `count` characters at rest.
    pub fn new(crowd: &Crowd, count: usize) -> Self {
        let tiles = tiles(count);
        let rest = || crowd.rest.iter().flatten().map(|&x| Line([x; TILE]));
        let skeleton = crowd.skeleton();
        let place = |root| skeleton.rest(root).translation * base_scale(skeleton, root);
        let places: Vec<Line> =
            skeleton.roots().flat_map(|root| place(root).as_vec3().to_array()).map(|x| Line([x; TILE])).collect();
        Self {
            count,
            joints: crowd.bones.len(),
            roots: crowd.roots,
            rotations: (0..tiles).flat_map(|_| rest()).collect(),
            places: (0..tiles).flat_map(|_| places.iter().copied()).collect(),
            lengths: Vec::new(),
            models: vec![Line::ZERO; 7 * crowd.bones.len() * tiles],
        }
    }

    pub(crate) fn fits(&self, crowd: &Crowd) -> bool {
        self.joints == crowd.bones.len() && self.roots == crowd.roots
    }

    /// Characters.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes that each character takes.
    pub fn bytes_each(&self) -> usize {
        4 * (4 * self.joints + 3 * self.roots + 7 * self.joints + if self.lengths.is_empty() { 0 } else { self.joints })
    }

    /// Takes the rotations and the positions of the roots from a pose of the crowd's skeleton. Other translations and scales
    /// are those of rest.
    ///
    /// # Panics
    /// Where there is no such character, or the pose is another skeleton's.
    pub fn set_pose(&mut self, skeleton: &Skeleton, character: usize, pose: &Pose) {
        assert!(pose.fits(skeleton) && skeleton.len() == self.joints, "a pose of this crowd's skeleton");
        for joint in skeleton.iter() {
            self.set_rotation(character, joint, pose.local(joint).rotation);
        }
        for (index, root) in skeleton.roots().enumerate() {
            let place = pose.local(root).translation * base_scale(skeleton, root);
            self.set_root_position(character, index, place.as_vec3());
        }
    }

    /// Sets a joint's local rotation.
    ///
    /// # Panics
    /// Where there is no such character or joint.
    pub fn set_rotation(&mut self, character: usize, joint: Joint, rotation: impl Into<Rotation>) {
        let q: DQuat = rotation.into().quaternion();
        self.write(character, |this| &mut this.rotations, 4 * joint.index(), q.as_quat().to_array());
    }

    /// Sets the position of a root, counted from 0, in the space of its base (metres).
    ///
    /// # Panics
    /// Where there is no such character or root.
    pub fn set_root_position(&mut self, character: usize, root: usize, position: impl Into<Vec3>) {
        self.write(character, |this| &mut this.places, 3 * root, position.into().to_array());
    }

    /// The position of a root, counted from 0, in the space of its base (metres).
    ///
    /// # Panics
    /// Where there is no such character or root.
    pub fn root_position(&self, character: usize, root: usize) -> Vec3 {
        Vec3::from_array(read(&self.places, self.roots * 3, character, self.count, 3 * root))
    }

    /// Sets the length of the bone that leads to a joint, as a factor on that of rest; 1 by default. The first one set
    /// makes room for all.
    ///
    /// # Panics
    /// Where there is no such character or joint.
    pub fn set_length(&mut self, character: usize, joint: Joint, factor: f32) {
        if self.lengths.is_empty() {
            self.lengths = vec![Line([1.0; TILE]); self.joints * tiles(self.count)];
        }
        self.write(character, |this| &mut this.lengths, joint.index(), [factor]);
    }

    /// The length of the bone that leads to a joint, as a factor on that of rest.
    ///
    /// # Panics
    /// Where there is no such character or joint.
    pub fn length(&self, character: usize, joint: Joint) -> f32 {
        if self.lengths.is_empty() {
            return 1.0;
        }
        let [factor] = read(&self.lengths, self.joints, character, self.count, joint.index());
        factor
    }

    /// A joint's local rotation.
    ///
    /// # Panics
    /// Where there is no such character or joint.
    pub fn rotation(&self, character: usize, joint: Joint) -> Quat {
        Quat::from_array(read(&self.rotations, self.joints * 4, character, self.count, 4 * joint.index()))
    }

    /// A joint's rotation in model space.
    ///
    /// # Panics
    /// Where there is no such character or joint.
    pub fn model_rotation(&self, character: usize, joint: Joint) -> Quat {
        Quat::from_array(read(&self.models, self.joints * 7, character, self.count, 7 * joint.index()))
    }

    /// A joint's position in model space (metres).
    ///
    /// # Panics
    /// Where there is no such character or joint.
    pub fn position(&self, character: usize, joint: Joint) -> Vec3 {
        Vec3::from_array(read(&self.models, self.joints * 7, character, self.count, 7 * joint.index() + 4))
    }

    /// Writes a character's rotations, the positions of its roots and the lengths of its bones into a pose of the skeleton.
    ///
    /// # Panics
    /// Where there is no such character, or the pose is another skeleton's.
    pub fn write_pose(&self, skeleton: &Skeleton, character: usize, pose: &mut Pose) {
        assert!(character < self.count && skeleton.len() == self.joints, "a character of this crowd, and its skeleton");
        let (tile, lane, count) = (character / TILE, character % TILE, tiles(self.count));
        let [rotations, places, lengths] =
            [&self.rotations, &self.places, &self.lengths].map(|lines| share(lines, count, tile));
        LanePose { rotations, places, lengths, lane }.write(skeleton, pose);
    }

    /// Model transforms as 3x4 matrices, row by row, one a joint, ready for skinning: `out` holds as many matrices as the
    /// skeleton has joints for each character, one character after another.
    ///
    /// # Panics
    /// Where `out` has another length.
    pub fn matrices(&self, crowd: &Crowd, out: &mut [[f32; 12]]) {
        assert!(self.fits(crowd) && out.len() == self.joints * self.count, "a matrix a joint and character");
        for (characters, models) in
            out.chunks_mut((TILE * self.joints).max(1)).zip(self.models.chunks_exact(7 * self.joints.max(1)))
        {
            for (joint, lines) in models.chunks_exact(7).enumerate() {
                let rows = matrix(crowd.bones[joint].scale, lines);
                for (lane, character) in characters.chunks_exact_mut(self.joints).enumerate() {
                    character[joint] = core::array::from_fn(|element| rows[element].0[lane]);
                }
            }
        }
    }

    /// Writes some numbers of a character.
    fn write<const N: usize>(
        &mut self,
        character: usize,
        lines: impl Fn(&mut Self) -> &mut Vec<Line>,
        from: usize,
        numbers: [f32; N],
    ) {
        assert!(character < self.count, "a character of this crowd");
        let each = lines(self).len() / tiles(self.count);
        assert!(from + N <= each, "a joint of this crowd");
        let start = each * (character / TILE) + from;
        for (line, x) in lines(self)[start..].iter_mut().zip(numbers) {
            line.0[character % TILE] = x;
        }
    }
}

/// Some numbers of a character, of lines of which each block has so many.
fn read<const N: usize>(lines: &[Line], each: usize, character: usize, count: usize, from: usize) -> [f32; N] {
    assert!(character < count && from + N <= each, "a character and a joint of this crowd");
    let lines = &lines[each * (character / TILE) + from..][..N];
    core::array::from_fn(|index| lines[index].0[character % TILE])
}

/// The twelve elements of sixteen matrices.
#[inline(always)]
fn matrix(scale: f32, lines: &[Line]) -> [Line; 12] {
    let mut rows = [Line::ZERO; 12];
    for lane in 0..TILE {
        let [x, y, z, w] = [0, 1, 2, 3].map(|index: usize| lines[index].0[lane]);
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        rows[0].0[lane] = scale * (1.0 - (yy + zz));
        rows[1].0[lane] = scale * (xy - wz);
        rows[2].0[lane] = scale * (xz + wy);
        rows[4].0[lane] = scale * (xy + wz);
        rows[5].0[lane] = scale * (1.0 - (xx + zz));
        rows[6].0[lane] = scale * (yz - wx);
        rows[8].0[lane] = scale * (xz - wy);
        rows[9].0[lane] = scale * (yz + wx);
        rows[10].0[lane] = scale * (1.0 - (xx + yy));
        for row in 0..3 {
            rows[4 * row + 3].0[lane] = lines[4 + row].0[lane];
        }
    }
    rows
}
