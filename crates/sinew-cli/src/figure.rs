//! What a rig is read from: a glTF character or a BVH clip, behind one face.

use std::path::Path;

use anyhow::{Result, bail};
use sinew::glam::DVec3;
use sinew::springs::Springs;
use sinew::{Joint, Pose, Skeleton};
use sinew_gltf::{Character, ClipSlot, Format, WriteOptions};
use sinew_rig::Evidence;

use crate::clip::{Clip, is_bvh};
use crate::input::{self, Kind};
use crate::source::Source;
use crate::{output, report, text};

/// A file's contents.
#[derive(Debug)]
pub(crate) enum Figure {
    Gltf(Box<Character>),
    Bvh(Box<Clip>),
}

impl Figure {
    pub(crate) fn load(path: &Path, reference: Option<&str>) -> Result<Self> {
        if input::kind(path)? == Kind::Bvh {
            return Ok(Self::Bvh(Box::new(Clip::load(path, reference)?)));
        }
        no_reference(reference)?;
        let is_standard = output::is_standard(path);
        let character =
            if is_standard { Character::from_slice(input::standard()?, None)? } else { sinew_gltf::load(path)? };
        Ok(Self::Gltf(Box::new(character)))
    }

    pub(crate) fn skeleton(&self) -> &Skeleton {
        match self {
            Self::Gltf(character) => &character.skeleton,
            Self::Bvh(clip) => &clip.bvh.skeleton,
        }
    }

    /// Puts in the same joints in the same order, such as ones with limits.
    pub(crate) fn set_skeleton(&mut self, skeleton: Skeleton) {
        match self {
            Self::Gltf(character) => character.skeleton = skeleton,
            Self::Bvh(clip) => clip.bvh.skeleton = skeleton,
        }
    }

    /// What the file tells about the body.
    pub(crate) fn evidence(&self) -> Evidence<'_> {
        match self {
            Self::Gltf(character) => Evidence::of_character(character),
            Self::Bvh(clip) => Evidence::of_bvh(&clip.bvh),
        }
    }

    /// The joint's number in the file: its node in glTF, its place among joints and end sites in BVH.
    pub(crate) fn node(&self, joint: Joint) -> Option<usize> {
        match self {
            Self::Gltf(character) => character.node(joint),
            Self::Bvh(clip) => Some(clip.bvh.skeleton.caller_index(joint)),
        }
    }

    pub(crate) fn joint_of_node(&self, node: usize) -> Option<Joint> {
        match self {
            Self::Gltf(character) => character.joint_of_node(node),
            Self::Bvh(clip) => clip.bvh.skeleton.from_caller(node),
        }
    }

    /// Whether the joint is not in the file but was added as the end of a bone.
    pub(crate) fn is_inferred(&self, joint: Joint) -> bool {
        matches!(self, Self::Gltf(character) if character.is_inferred(joint))
    }

    /// Whether the joint is only the end of a bone, in the file or not.
    pub(crate) fn is_tip(&self, joint: Joint) -> bool {
        match self {
            Self::Gltf(character) => character.is_inferred(joint),
            Self::Bvh(clip) => clip.bvh.is_end_site(joint),
        }
    }

    /// Joints that move no mesh.
    pub(crate) fn control_joints(&self) -> Vec<Joint> {
        match self {
            Self::Gltf(character) => character.control_joints(),
            Self::Bvh(_) => Vec::new(),
        }
    }

    /// The meshes in a pose.
    pub(crate) fn surface(&self, pose: &Pose) -> Vec<[DVec3; 3]> {
        match self {
            Self::Gltf(character) => character.surface(pose),
            Self::Bvh(_) => Vec::new(),
        }
    }

    /// What is to be said of meshes that could not be read.
    pub(crate) fn packed_meshes(&self) -> Option<String> {
        let Self::Gltf(character) = self else { return None };
        let packing = character.packed_meshes()?;
        Some(format!(
            "meshes are compressed with {packing} and were not read, so height, ends of bones and control joints are taken from the joints alone; export without compression to have the meshes read"
        ))
    }

    /// The springs that the file itself has.
    pub(crate) fn springs(&self) -> Result<Springs> {
        match self {
            Self::Gltf(character) => Ok(character.springs()?),
            Self::Bvh(_) => Ok(Springs::default()),
        }
    }

    /// Which pose a clip rests in, and why.
    pub(crate) fn reference(&self) -> Option<&str> {
        match self {
            Self::Gltf(_) => None,
            Self::Bvh(clip) => Some(&clip.reference),
        }
    }

    /// Joints that every frame of a clip puts on their parents, though they have an offset.
    pub(crate) fn collapsed(&self) -> Vec<Joint> {
        match self {
            Self::Gltf(_) => Vec::new(),
            Self::Bvh(clip) => clip.collapsed.iter().filter_map(|joint| clip.bvh.skeleton.at(joint.index())).collect(),
        }
    }

    /// Says so where an output's name does not name the rig's own format.
    pub(crate) fn check_output(&self, path: Option<&Path>) -> Result<()> {
        let Some(path) = path.filter(|path| !output::is_standard(path)) else { return Ok(()) };
        if let Self::Gltf(character) = self
            && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("vrm"))
            && character.human_bones().next().is_none()
        {
            let path = path.display();
            bail!("--output {path}: the rig is plain glTF, and .vrm promises a VRM's bones; end it in .glb or .gltf");
        }
        let is_own = match self {
            Self::Gltf(_) => Format::of_path(path).is_some(),
            Self::Bvh(_) => is_bvh(path),
        };
        if !is_own {
            let (path, (format, ends)) = (
                path.display(),
                match self {
                    Self::Gltf(_) => ("glTF", "in .glb, .vrm or .gltf"),
                    Self::Bvh(_) => ("BVH, as the rig is", "in .bvh"),
                },
            );
            bail!("--output {path}: the extension does not name {format}; end it {ends}");
        }
        Ok(())
    }

    /// Writes the rig in a pose; what is to be said about it.
    pub(crate) fn write_posed(&self, pose: &Pose, path: &Path, still: bool) -> Result<Vec<String>> {
        match self {
            Self::Gltf(character) => {
                let options = WriteOptions { still, ..WriteOptions::default() };
                if output::is_standard(path) {
                    output::save(path, &character.posed_bytes(pose, options)?)?;
                } else {
                    character.write_posed_with(pose, path, options)?;
                }
                let clips = if still { Vec::new() } else { character.clips_moving(pose) };
                Ok(if clips.is_empty() { Vec::new() } else { vec![report::clips(&clips)] })
            }
            Self::Bvh(clip) => {
                let lost = clip.write(std::slice::from_ref(pose), clip.bvh.motion.frame_time, path)?;
                Ok(lost.into_iter().collect())
            }
        }
    }

    /// Writes the rig in motion, poses at these times, as a clip of that name; what is to be said about it.
    pub(crate) fn write_animated(
        &self,
        name: &str,
        times: &[f64],
        poses: &[Pose],
        path: &Path,
        still: bool,
    ) -> Result<Vec<String>> {
        match self {
            Self::Gltf(character) => {
                let name = name.to_owned();
                let clip = sinew_gltf::Clip { name, times: times.to_vec(), poses: poses.to_vec() };
                write_clip(character, &clip, path, WriteOptions { still, ..WriteOptions::default() })?;
                Ok(Vec::new())
            }
            Self::Bvh(clip) => {
                let step = times.last().map_or(0.0, |last| last / (times.len().max(2) - 1) as f64);
                Ok(clip.write(poses, step, path)?.into_iter().collect())
            }
        }
    }
}

/// What a baked clip is and where it goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Baked<'a> {
    pub(crate) source: &'a Source,
    pub(crate) clip: &'a sinew_motion::Clip,
    /// The name under which it goes behind the old one; in its place without.
    pub(crate) beside: Option<&'a str>,
    /// Whether other clips are left out.
    pub(crate) still: bool,
}

impl Figure {
    /// Writes the file with a baked clip; what is to be said about it.
    pub(crate) fn write_baked(&self, baked: Baked<'_>, path: &Path) -> Result<Vec<String>> {
        let (times, poses) = (baked.clip.times(), baked.clip.poses());
        match self {
            Self::Gltf(character) => {
                let slot = match (baked.source.own, baked.beside) {
                    (Some(own), None) => ClipSlot::InsteadOf(own),
                    (Some(own), Some(_)) => ClipSlot::Behind(own),
                    (None, _) => ClipSlot::First,
                };
                // One of the file's own keeps its name.
                let name = if baked.source.own.is_some() { "" } else { &baked.source.name };
                let name = baked.beside.unwrap_or(name).to_owned();
                let clip = sinew_gltf::Clip { name, times: times.to_vec(), poses: poses.to_vec() };
                let options = WriteOptions { slot, still: baked.still, ..WriteOptions::default() };
                write_clip(character, &clip, path, options)?;
                Ok(Vec::new())
            }
            Self::Bvh(clip) if baked.source.own_frames => Ok(clip.write_over(poses, path)?.into_iter().collect()),
            Self::Bvh(clip) => Ok(clip.write(poses, 1.0 / baked.source.rate, path)?.into_iter().collect()),
        }
    }
}

fn write_clip(character: &Character, clip: &sinew_gltf::Clip, path: &Path, options: WriteOptions) -> Result<()> {
    if output::is_standard(path) {
        return output::save(path, &character.animated_bytes(clip, options)?);
    }
    Ok(character.write_animated_with(clip, path, options)?)
}

/// Says so where a reference pose was asked of what has none.
pub(crate) fn no_reference(reference: Option<&str>) -> Result<()> {
    if let Some(reference) = reference {
        bail!("--reference {}: it is for BVH files; leave it out", text::short_name(reference));
    }
    Ok(())
}
