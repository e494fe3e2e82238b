//! What is known about a skeleton beside its joints: what a file's format or its loader can say.

use glam::DVec3;
use sinew::{Joint, Skeleton};

use crate::role::Role;

/// What a body is recognised from. Only the skeleton is needed.
#[derive(Clone, Debug)]
pub struct Evidence<'a> {
    /// The joints, their names and their rest pose.
    pub skeleton: &'a Skeleton,
    /// Roles that the file itself gives, such as a VRM's bone map; none by default. They are taken as they are.
    pub roles: Vec<(Joint, Role)>,
    /// Control joints, which deform no mesh: targets and poles of the animator; none by default. No limb leads through them.
    pub control_joints: Vec<Joint>,
    /// Ends of bones that the file lacks and a loader added; none by default.
    pub tips: Vec<Joint>,
    /// Whether the joints are plain nodes of a scene, moved by no skin: what looks like legs may be a table's, so
    /// only names count. `false` by default.
    pub plain_nodes: bool,
    /// Unit direction that is up in model space; +Y by default.
    pub up: DVec3,
    /// Unit direction in which characters look by the file format; +Z by default. Used only when feet, snout and the sides
    /// in names do not tell.
    pub forward: DVec3,
}

impl<'a> Evidence<'a> {
    /// A skeleton alone, +Y up.
    pub fn of(skeleton: &'a Skeleton) -> Self {
        let (up, forward) = (DVec3::Y, DVec3::Z);
        Self {
            skeleton,
            roles: Vec::new(),
            control_joints: Vec::new(),
            tips: Vec::new(),
            plain_nodes: false,
            up,
            forward,
        }
    }

    /// All that a glTF or VRM file tells.
    #[cfg(feature = "gltf")]
    pub fn of_character(character: &'a sinew_gltf::Character) -> Self {
        let skeleton = &character.skeleton;
        Self {
            roles: character.human_bones().filter_map(|(name, joint)| Some((joint, Role::from_vrm(name)?))).collect(),
            control_joints: character.control_joints(),
            tips: skeleton.iter().filter(|&joint| character.is_inferred(joint)).collect(),
            plain_nodes: !character.has_skin(),
            forward: character.forward(),
            ..Self::of(skeleton)
        }
    }

    /// All that a BVH file tells: where its chains end.
    #[cfg(feature = "bvh")]
    pub fn of_bvh(bvh: &'a sinew_bvh::Bvh) -> Self {
        let tips = bvh.skeleton.iter().filter(|&joint| bvh.is_end_site(joint)).collect();
        Self { tips, ..Self::of(&bvh.skeleton) }
    }

    /// The same of a skeleton with the same joints in the same order, such as one at rest in another pose.
    pub(crate) fn on<'b>(&self, skeleton: &'b Skeleton) -> Evidence<'b> {
        let same = |joint: &Joint| skeleton.at(joint.index());
        Evidence {
            skeleton,
            roles: self.roles.iter().filter_map(|(joint, role)| Some((same(joint)?, *role))).collect(),
            control_joints: self.control_joints.iter().filter_map(same).collect(),
            tips: self.tips.iter().filter_map(same).collect(),
            plain_nodes: self.plain_nodes,
            up: self.up,
            forward: self.forward,
        }
    }
}
