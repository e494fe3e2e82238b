//! What all characters share: the skeleton's bones, and what is solved on them in which order.

use sinew::glam::Quat;
use sinew::math::arc;
use sinew::{NamedJoint, Skeleton};

use crate::block::{Line, TILE, Tile};
use crate::error::CrowdError;
use crate::lanes::Width;
use crate::number::Lanes;
use crate::steps::Step;
use crate::vector::{Turn, Vector};

/// A joint as lanes need it.
#[derive(Clone, Debug)]
pub(crate) struct Bone {
    pub(crate) parent: Option<u32>,
    /// Rest translation in metres of the model; of a root, the place of its base.
    pub(crate) offset: [f32; 3],
    /// How long that is.
    pub(crate) length: f32,
    /// Rotation of a root's base.
    pub(crate) base: [f32; 4],
    /// Whether that is any.
    pub(crate) is_turned: bool,
    /// Scale of the model transform.
    pub(crate) scale: f32,
    /// Number among the roots.
    pub(crate) root: usize,
}

/// One skeleton, and the solvers that run on each instance of it, one after another.
///
/// Rigid bones only: scale that is even to 1e-4 is folded into lengths, and written into matrices. What a solver does not keep of a joint is an
/// error where the solver is added.
#[derive(Clone, Debug)]
pub struct Crowd {
    pub(crate) bones: Vec<Bone>,
    pub(crate) steps: Vec<Step>,
    /// Joints whose model transforms are brought up to date before each step, and after the last.
    pub(crate) passes: Vec<Vec<u32>>,
    pub(crate) rest: Vec<[f32; 4]>,
    pub(crate) roots: usize,
    pub(crate) skeleton: Skeleton,
    pub(crate) width: Width,
}

impl Crowd {
    /// A crowd of instances of a skeleton, with no solvers yet: forward kinematics alone.
    pub fn new(skeleton: &Skeleton) -> Result<Self, CrowdError> {
        let pose = skeleton.rest_pose();
        let mut crowd = Self {
            bones: Vec::with_capacity(skeleton.len()),
            steps: Vec::new(),
            passes: Vec::new(),
            rest: Vec::with_capacity(skeleton.len()),
            roots: 0,
            skeleton: skeleton.clone(),
            width: Width::new(),
        };
        for joint in skeleton.iter() {
            let uneven = || CrowdError::UnevenScale { joint: NamedJoint::of(skeleton, joint) };
            let scale = even_scale(&pose.model(joint).matrix3).ok_or_else(uneven)?;
            let rest = skeleton.rest(joint);
            let (offset, base) = if let Some(parent) = skeleton.parent(joint) {
                let above = crowd.bones[parent.index()].scale;
                (rest.translation * f64::from(above), sinew::glam::DQuat::IDENTITY)
            } else {
                let base = skeleton.base(joint);
                even_scale(&base.matrix3).ok_or_else(uneven)?;
                (base.translation, arc::rotation_of(&base.matrix3).ok_or_else(uneven)?)
            };
            crowd.bones.push(Bone {
                parent: skeleton.parent(joint).map(|parent| parent.index() as u32),
                offset: offset.as_vec3().to_array(),
                length: offset.length() as f32,
                base: base.as_quat().to_array(),
                is_turned: base.as_quat() != Quat::IDENTITY,
                scale: scale as f32,
                root: crowd.roots,
            });
            crowd.roots += usize::from(skeleton.parent(joint).is_none());
            crowd.rest.push(rest.rotation.as_quat().to_array());
        }
        crowd.plan();
        Ok(crowd)
    }

    /// The same, with this width.
    pub fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// The skeleton.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Solvers added so far.
    pub fn solvers(&self) -> usize {
        self.steps.len()
    }

    /// Characters at a time, and with which instructions.
    pub fn width(&self) -> Width {
        self.width
    }

    /// The bone that leads to a joint, in its parent's frame (metres).
    #[inline(always)]
    pub(crate) fn bone<L: Lanes>(&self, like: L, joint: usize, lengths: &[Line], at: usize) -> Vector<L> {
        let offset = Vector::of(like, self.bones[joint].offset);
        if let Some(line) = lengths.get(joint) { offset * like.load(&line.0[at..]) } else { offset }
    }

    /// The length of the bone that leads to a joint (metres).
    #[inline(always)]
    pub(crate) fn length<L: Lanes>(&self, like: L, joint: usize, lengths: &[Line], at: usize) -> L {
        let length = like.of(self.bones[joint].length);
        if let Some(line) = lengths.get(joint) { length * like.load(&line.0[at..]).abs() } else { length }
    }

    /// The rotation of the frame that a joint turns in, in model space.
    #[inline(always)]
    pub(crate) fn above<L: Lanes>(&self, like: L, joint: usize, tile: &Tile<'_>, at: usize) -> Turn<L> {
        let bone = &self.bones[joint];
        if let Some(parent) = bone.parent { tile.turn(like, parent as usize, at) } else { Turn::of(like, bone.base) }
    }
}

/// Tiles that hold so many characters.
pub(crate) fn tiles(count: usize) -> usize {
    count.div_ceil(TILE)
}

/// How differently a map may scale directions and be even: exporters round scales to `f32`, and the error grows from joint to joint.
const EVEN: f64 = 1e-4;

/// The factor by which a map scales all directions; `None` where it mirrors, or scales them differently.
fn even_scale(map: &sinew::glam::DMat3) -> Option<f64> {
    let volume = map.determinant();
    let scale = sinew::math::ops::cbrt(volume);
    let even = [map.x_axis, map.y_axis, map.z_axis].iter().all(|axis| (axis.length() - scale).abs() < EVEN * scale);
    (even && scale > 0.0 && scale.is_finite()).then_some(scale)
}
