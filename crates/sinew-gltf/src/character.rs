//! A character: the skeleton of a file, and the file it came from.

use std::fmt;
use std::path::Path;

use glam::DVec3;
use sinew::{Joint, Pose, Skeleton};

use crate::animation::{self, Animation};
use crate::clip::Clip;
use crate::error::{LoadError, WriteError};
use crate::file::File;
use crate::springs::{self, SpringBones};
use crate::write::{Content, WriteOptions};
use crate::{control, extension, height, patch, skeleton, surface, write};

/// Stands in errors for a file that came as bytes.
const BYTES: &str = "glTF data";

/// A loaded glTF, GLB or VRM file: its skeleton, and everything needed to write it back.
///
/// Model space is the scene space of the file: right-handed, Y up, metres as far as the file keeps to
/// the specification.
pub struct Character {
    /// The skeleton at the file's rest pose. It may be replaced by one with the same joints in the same order, such as one
    /// with limits.
    pub skeleton: Skeleton,
    name: String,
    /// The file as it was given, for errors.
    origin: String,
    file: File,
    nodes: Vec<Option<usize>>,
    /// Depth-first index by node.
    joints: Vec<Option<usize>>,
}

/// Loads a `.gltf`, `.glb` or `.vrm` file, whichever it is by its content.
///
/// Buffers in other files are looked for relative to it. Required extensions that only concern meshes,
/// textures, materials, lights or metadata are tolerated.
///
/// # Errors
/// One line that says in which file and where, what is wrong and what to do, for files that cannot be read,
/// are damaged, contradict the specification, or have no nodes.
pub fn load(path: impl AsRef<Path>) -> Result<Character, LoadError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|source| LoadError::Read { file: file.clone(), source })?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    Character::from_vec(bytes, Some(path.parent().unwrap_or(Path::new(""))), &file, &name)
}

impl Character {
    /// Loads a file that is in memory already. `base` is the folder that addresses of other files are
    /// relative to; without one the file must hold all its data itself.
    ///
    /// # Errors
    /// As [`load`].
    pub fn from_slice(bytes: &[u8], base: Option<&Path>) -> Result<Self, LoadError> {
        Self::from_vec(bytes.to_vec(), base, BYTES, "character")
    }

    fn from_vec(bytes: Vec<u8>, base: Option<&Path>, file: &str, name: &str) -> Result<Self, LoadError> {
        let contents = File::read(bytes, base, file)?;
        let rig = skeleton::build(&contents, file)?;
        Ok(Self {
            skeleton: rig.skeleton,
            name: name.to_owned(),
            origin: file.to_owned(),
            file: contents,
            nodes: rig.nodes,
            joints: rig.joints,
        })
    }

    /// The file's name without folder and extension; `character` for one that came as bytes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Index of the joint's node in the file; `None` for an inferred tip.
    pub fn node(&self, joint: Joint) -> Option<usize> {
        self.nodes.get(joint.index()).copied().flatten()
    }

    /// The joint that a node of the file is; `None` for other nodes and indices out of range.
    pub fn joint_of_node(&self, node: usize) -> Option<Joint> {
        self.joints.get(node).copied().flatten().and_then(|index| self.skeleton.at(index))
    }

    /// Whether the joint is not in the file but was added as the end of a bone.
    pub fn is_inferred(&self, joint: Joint) -> bool {
        self.nodes.get(joint.index()).is_some_and(Option::is_none)
    }

    /// Extent along Y at rest, in model space, of all meshes, else of the joints; 0 when all joints have one height. Looks
    /// at every vertex each time.
    pub fn height(&self) -> f64 {
        let rest = self.skeleton.rest_pose();
        let joints = self.skeleton.iter().filter(|&joint| !self.is_inferred(joint));
        height::measure(&self.file, joints.map(|joint| rest.position(joint)))
    }

    /// The meshes in a pose as triangles in model space, skinned where they are; empty where there are none,
    /// or where they cannot be read. Morph targets do not count. Looks at every vertex each time.
    ///
    /// # Panics
    /// Where the pose is another skeleton's.
    pub fn surface(&self, pose: &Pose) -> Vec<[DVec3; 3]> {
        assert!(pose.fits(&self.skeleton), "the pose belongs to another skeleton");
        surface::triangles(self, pose)
    }

    /// How the meshes are compressed that could not be read, `Draco` or `meshopt`; `None` when all could. Heights, inferred
    /// tips and control joints of such files come from the joints alone.
    pub fn packed_meshes(&self) -> Option<&'static str> {
        extension::packing(&self.file)
    }

    /// Control joints, such as targets and poles of the animator's rig: joints that deform no mesh, and below which no
    /// joint does. Ends of bones are not among them. Empty when there is no mesh. Looks at every vertex each time.
    pub fn control_joints(&self) -> Vec<Joint> {
        control::joints(self)
    }

    /// The direction in which the file's format has characters look: -Z for VRM 0, +Z for glTF and VRM 1. A
    /// file may do otherwise.
    pub fn forward(&self) -> DVec3 {
        if self.file.looks_back { DVec3::NEG_Z } else { DVec3::Z }
    }

    /// Whether a skin moves a mesh by the joints; without one they are plain nodes.
    pub fn has_skin(&self) -> bool {
        !self.file.skins.is_empty()
    }

    /// Whether the file has animation clips.
    pub fn has_animations(&self) -> bool {
        !self.file.animations.is_empty()
    }

    /// Names of the clips that drive a joint which `pose` moved, in the file's order: a viewer that plays
    /// one of them does not show the pose. A clip without a name is called `animation 0` by its index.
    pub fn clips_moving(&self, pose: &Pose) -> Vec<String> {
        let drives_moved = |nodes: &std::collections::BTreeSet<usize>| {
            nodes.iter().filter_map(|&node| self.joint_of_node(node)).any(|joint| patch::is_moved(self, pose, joint))
        };
        let clips = self.file.animations.iter().enumerate().filter(|(_, clip)| drives_moved(&clip.nodes));
        clips.map(|(index, _)| self.animation_name(index)).collect()
    }

    /// Number of animations in the file.
    pub fn animation_count(&self) -> usize {
        self.file.animations.len()
    }

    /// The name of an animation; `animation 0`, by its index, when the file gives it none.
    pub fn animation_name(&self, index: usize) -> String {
        let name = self.file.animations.get(index).and_then(|listing| listing.name.clone());
        name.unwrap_or_else(|| format!("animation {index}"))
    }

    /// Opens an animation for sampling, by its index in the file. Looks at every key.
    ///
    /// # Errors
    /// One line that says in which file and where, what is wrong and what to do: no such animation, keys whose data is
    /// compressed or whose times go back, values that are not finite or not rotations. The character loads nevertheless.
    pub fn animation(&self, index: usize) -> Result<Animation<'_>, LoadError> {
        animation::open(self, index).map_err(|fault| fault.in_file(&self.origin))
    }

    /// Whether the skeleton hangs on a node of the file that is no joint.
    pub(crate) fn is_above_roots(&self, node: usize) -> bool {
        let roots = self.skeleton.roots().filter_map(|root| self.node(root));
        let parent = |&node: &usize| self.file.nodes.get(node)?.parent;
        let mut above = roots.flat_map(|root| std::iter::successors(parent(&root), parent));
        above.any(|above| above == node)
    }

    /// The file in the given pose, as bytes that need no other file (images that cannot be found keep
    /// their address).
    ///
    /// Only the transforms of moved joints change; a joint whose local transform equals the skeleton's
    /// rest is not written at all. A pose in which nothing moved gives the file as it was.
    ///
    /// # Errors
    /// The pose of another skeleton, transforms that are not finite, and more than 4 GiB of GLB.
    pub fn posed_bytes(&self, pose: &Pose, options: WriteOptions) -> Result<Vec<u8>, WriteError> {
        write::to_bytes(self, Content::Pose(pose), options)
    }

    /// Writes the file in the given pose, in the format that the extension of `path` names: `.glb` and
    /// `.vrm`, or `.gltf`. See [`posed_bytes`](Self::posed_bytes); other files that it refers to stay
    /// where they are if the new file lies in the folder of the old one, and are embedded if not.
    ///
    /// The file appears whole or not at all: it is written under another name and renamed.
    ///
    /// # Errors
    /// As [`posed_bytes`](Self::posed_bytes); unknown extensions; what the system refuses.
    pub fn write_posed(&self, pose: &Pose, path: impl AsRef<Path>) -> Result<(), WriteError> {
        self.write_posed_with(pose, path, WriteOptions::default())
    }

    /// [`write_posed`](Self::write_posed) with options; a format given there wins over the extension.
    ///
    /// # Errors
    /// As [`write_posed`](Self::write_posed).
    pub fn write_posed_with(
        &self,
        pose: &Pose,
        path: impl AsRef<Path>,
        options: WriteOptions,
    ) -> Result<(), WriteError> {
        write::to_file(self, Content::Pose(pose), path.as_ref(), options)
    }

    /// The file with one more clip, before those it has, as bytes that need no other file (images that cannot
    /// be found keep their address).
    ///
    /// The clip drives, linearly from key to key, what its poses move: where a joint's translation, rotation or
    /// scale differs from rest by more than rounding to 32 bits. What stays at one value has two keys, and joints
    /// that the file does not have are left out. A clip in which nothing moves holds the rotation of the first
    /// joint, since glTF knows no empty ones. Nodes keep their transforms, but driven matrices become
    /// translation, rotation and scale, as glTF demands.
    ///
    /// # Errors
    /// Clips without keys, times that do not increase (as 32-bit floats), poses of another skeleton, transforms
    /// that are no finite 32-bit floats, and more than 4 GiB of GLB.
    pub fn animated_bytes(&self, clip: &Clip, options: WriteOptions) -> Result<Vec<u8>, WriteError> {
        write::to_bytes(self, Content::Clip(clip), options)
    }

    /// Writes the file with one more clip: what [`animated_bytes`](Self::animated_bytes) is to
    /// [`posed_bytes`](Self::posed_bytes), this is to [`write_posed`](Self::write_posed).
    ///
    /// # Errors
    /// As [`animated_bytes`](Self::animated_bytes); unknown extensions; what the system refuses.
    pub fn write_animated(&self, clip: &Clip, path: impl AsRef<Path>) -> Result<(), WriteError> {
        self.write_animated_with(clip, path, WriteOptions::default())
    }

    /// [`write_animated`](Self::write_animated) with options; a format given there wins over the extension.
    ///
    /// # Errors
    /// As [`write_animated`](Self::write_animated).
    pub fn write_animated_with(
        &self,
        clip: &Clip,
        path: impl AsRef<Path>,
        options: WriteOptions,
    ) -> Result<(), WriteError> {
        write::to_file(self, Content::Clip(clip), path.as_ref(), options)
    }

    /// The joints that the file's VRM (0 or 1) maps to bones of a human, with the names of VRM 1 such as `leftUpperArm`, in
    /// the file's order; none in other files.
    pub fn human_bones(&self) -> impl Iterator<Item = (&str, Joint)> + '_ {
        self.file.humanoid.iter().filter_map(|(name, node)| Some((name.as_str(), self.joint_of_node(*node)?)))
    }

    /// What the file's VRM (0 or 1) says of hair and clothes that swing; empty in other files. Read anew each time.
    ///
    /// # Errors
    /// One line that says in which file and where, what is wrong and what to do, where that part of the file is
    /// broken: indices out of range, values of the wrong type, a chain whose joints do not lie below one another.
    /// The character loads nevertheless.
    pub fn spring_bones(&self) -> Result<SpringBones, LoadError> {
        springs::read(self).map_err(|fault| fault.in_file(&self.origin))
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }
}

/// The skeleton and the name; not the whole document.
impl fmt::Debug for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Character").field("name", &self.name).field("skeleton", &self.skeleton).finish_non_exhaustive()
    }
}
