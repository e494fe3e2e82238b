//! Joints and their frames.
//!
//! One convention for every joint, so that a number typed into any of them means something:
//!
//! - local **+Y** points along the bone, to the next joint of the chain;
//! - local **X** is the bend axis, and a positive turn about it swings the bone towards local
//!   **+Z**: it closes an elbow, a knee or a finger, bows the spine, and points the toes down.
//!
//! A joint that follows its parent in line therefore sits at `(0, length, 0)`, and the rest
//! rotation of an elbow or a knee is a turn about X and nothing else.
//!
//! The right side is the left side seen in the mirror. A reflection through the plane `x = 0`
//! takes the translation `(x, y, z)` to `(-x, y, z)` and the rotation `(x, y, z, w)` to
//! `(x, -y, -z, w)`, in every joint's own frame, so a positive turn about X bends both sides alike.

use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Translations are written to the micrometre.
const TRANSLATION_STEPS: f64 = 1e6;
/// Rotations are written to the seven decimals that an `f32` near one can hold.
const ROTATION_STEPS: f64 = 1e7;

/// One joint: its place in the tree, and its rest transform, local and global.
#[derive(Debug, Clone)]
pub struct Joint {
    /// The name of the node.
    pub name: String,
    /// The index of the parent, always lower than the joint's own.
    pub parent: Option<usize>,
    /// Rest translation in the parent's frame, rounded as written to the file.
    pub translation: DVec3,
    /// Rest rotation in the parent's frame, rounded as written to the file.
    pub rotation: DQuat,
    /// Rest transform in the world as it was meant, before rounding: what children build upon,
    /// so that the rounding of one joint does not show up as noise in the next.
    pub modelled: DAffine3,
    /// Rest transform in the world as a reader finds it, the product of the rounded local ones.
    pub world: DAffine3,
}

impl Joint {
    /// Where the joint is at rest.
    pub fn position(&self) -> DVec3 {
        self.world.translation
    }

    /// The world direction of the joint's local X, its bend axis.
    pub fn bend_axis(&self) -> DVec3 {
        self.world.matrix3.x_axis
    }

    /// The world direction of the joint's local Y, along its bone.
    pub fn along(&self) -> DVec3 {
        self.world.matrix3.y_axis
    }
}

/// The rotation whose Y is `along` and whose Z is as near to `toward` as that allows.
pub fn frame(along: DVec3, toward: DVec3) -> DMat3 {
    let y = along.normalize();
    let x = y.cross(toward).normalize();
    DMat3::from_cols(x, y, x.cross(y))
}

/// A tree of joints, parents before children.
#[derive(Debug, Clone, Default)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

impl Skeleton {
    /// All joints, in the order of the file.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The joint of that name.
    ///
    /// # Panics
    ///
    /// If there is none: the names are literals of this program.
    pub fn index(&self, name: &str) -> usize {
        self.joints.iter().position(|joint| joint.name == name).unwrap_or_else(|| panic!("no joint is called {name}"))
    }

    /// The joint of that name, itself.
    pub fn joint(&self, name: &str) -> &Joint {
        &self.joints[self.index(name)]
    }

    /// Adds a joint below `parent`, given where it is and how it lies in the world.
    pub fn add(&mut self, name: &str, parent: Option<&str>, at: DVec3, frame: DMat3) {
        let parent = parent.map(|name| self.index(name));
        let above = parent.map_or(DAffine3::IDENTITY, |index| self.joints[index].modelled);
        let local = above.inverse() * DAffine3::from_mat3_translation(frame, at);
        self.add_local(name.to_owned(), parent, local.translation, DQuat::from_mat3(&local.matrix3));
    }

    /// Adds the far end of a chain: a joint that keeps its parent's frame.
    pub fn add_tip(&mut self, name: &str, parent: &str, length: f64) {
        let parent = self.index(parent);
        self.add_local(name.to_owned(), Some(parent), DVec3::Y * length, DQuat::IDENTITY);
    }

    /// Adds, for every `Left` joint, its mirror image under the name `Right`.
    pub fn mirror_left(&mut self) {
        for index in 0..self.joints.len() {
            let left = self.joints[index].clone();
            let Some(rest) = left.name.strip_prefix("Left") else {
                continue;
            };
            let parent = left.parent.map(|parent| self.mirror_of(parent));
            let (t, q) = (left.translation, left.rotation);
            self.add_local(
                format!("Right{rest}"),
                parent,
                DVec3::new(-t.x, t.y, t.z),
                DQuat::from_xyzw(q.x, -q.y, -q.z, q.w),
            );
        }
    }

    /// The joint on the other side, or the same one where it lies in the middle.
    pub fn mirror_of(&self, index: usize) -> usize {
        let name = &self.joints[index].name;
        if let Some(rest) = name.strip_prefix("Left") {
            self.index(&format!("Right{rest}"))
        } else if let Some(rest) = name.strip_prefix("Right") {
            self.index(&format!("Left{rest}"))
        } else {
            index
        }
    }

    fn add_local(&mut self, name: String, parent: Option<usize>, translation: DVec3, rotation: DQuat) {
        let (meant, found) = parent
            .map(|index| &self.joints[index])
            .map_or_else(Default::default, |above| (above.modelled, above.world));
        let modelled = meant * DAffine3::from_rotation_translation(rotation, translation);

        let translation = rounded(translation.to_array(), TRANSLATION_STEPS);
        // Of the two quaternions of a rotation, the one with a positive scalar.
        let rotation = rotation * rotation.w.signum();
        let rotation = rounded(rotation.to_array(), ROTATION_STEPS);
        let (translation, rotation) = (DVec3::from_array(translation), DQuat::from_array(rotation));
        let world = found * DAffine3::from_rotation_translation(rotation.normalize(), translation);
        self.joints.push(Joint { name, parent, translation, rotation, modelled, world });
    }
}

/// Each number rounded to a whole number of steps, and without a negative zero.
fn rounded<const N: usize>(values: [f64; N], steps: f64) -> [f64; N] {
    values.map(|value| libm::round(value * steps) / steps + 0.0)
}
