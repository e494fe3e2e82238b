//! What all characters share: the skeleton's bones, and what is solved on them in which order.

use sinew::math::arc;
use sinew::solve::fabrik::Fabrik;
use sinew::{Aim, Joint, NamedJoint, Skeleton, ThreeLink, TwoBone};

use crate::aim::Sight;
use crate::block::{ASKED, Block, Line, TILE, TILES, TOLD, Tile};
use crate::fabrik::Chain;
use crate::goals::Goals;
use crate::lanes::Width;
use crate::number::Lanes;
use crate::pelvis::Pelvis;
use crate::poses::Poses;
use crate::three_link;
use crate::three_link::Links;
use crate::two_bone::Limb;
use crate::vector::{Turn, Vector};

/// Why a skeleton or a solver does not do for a crowd.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A crowd is of rigid bones: scale must be the same in all directions, and positive.
    #[error("{joint} scales its directions differently, or mirrors; a crowd needs even scale")]
    UnevenScale {
        /// The joint.
        joint: NamedJoint,
    },
    /// Limbs and aims turn balls without limits; chains keep cones and hinges, each on a coordinate of its own.
    #[error(
        "{joint} {what}, which a crowd's limbs and aims do not keep; chains (`Crowd::fabrik`) keep cones and hinges"
    )]
    Limited {
        /// The joint.
        joint: NamedJoint,
        /// What it is.
        what: &'static str,
    },
    /// A setting that the lanes do not know.
    #[error("a crowd does not know {0}")]
    Unknown(&'static str),
}

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
    /// Scale of the model transform.
    pub(crate) scale: f32,
    /// Number among the roots.
    pub(crate) root: usize,
}

/// One solver of a crowd.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    TwoBone(Limb),
    ThreeLink(Links),
    Aim(Sight),
    Fabrik(Chain),
    Pelvis(Pelvis),
}

/// One skeleton, and the solvers that run on each instance of it, one after another.
///
/// Rigid bones only: even scale is folded into lengths, and written into matrices. What a solver does not keep of a joint, its
/// limits or its kind, is an error where the solver is added.
#[derive(Clone, Debug)]
pub struct Crowd {
    pub(crate) bones: Vec<Bone>,
    pub(crate) steps: Vec<Step>,
    /// Joints whose model transforms are brought up to date before each step, and after the last.
    pub(crate) passes: Vec<Vec<u32>>,
    pub(crate) rest: Vec<[f32; 4]>,
    pub(crate) roots: usize,
    skeleton: Skeleton,
    width: Width,
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
                scale: scale as f32,
                root: crowd.roots,
            });
            crowd.roots += usize::from(skeleton.parent(joint).is_none());
            crowd.rest.push(rest.rotation.as_quat().to_array());
        }
        crowd.plan();
        Ok(crowd)
    }

    /// The same with a limb solved after all others so far. Its reach may be `Clamp`, `Hold` or `Soft` without stretch.
    /// The number of a solver, counted from 0, is that of its goals.
    pub fn two_bone(mut self, limb: &TwoBone) -> Result<Self, CrowdError> {
        self.steps.push(Step::TwoBone(Limb::new(&self.skeleton, limb)?));
        self.plan();
        Ok(self)
    }

    /// The same with a limb of three links solved after all others so far, reach as [`two_bone`](Self::two_bone). Its last link lies
    /// along the direction, or points at the place, that [`ThreeLink::last`] says for all characters (model space). A last link that
    /// keeps its angle is an error: one that is rigid is a limb of two bones.
    pub fn three_link(mut self, limb: &ThreeLink) -> Result<Self, CrowdError> {
        self.steps.push(three_link::step(&self.skeleton, limb)?);
        self.plan();
        Ok(self)
    }

    /// The same with a joint aimed after all others so far: one joint, by the shortest turn from the pose given.
    /// `axis` is in the joint's frame.
    pub fn aim(mut self, aim: &Aim, axis: impl Into<sinew::glam::DVec3>) -> Result<Self, CrowdError> {
        self.steps.push(Step::Aim(Sight::new(&self.skeleton, aim, axis.into())?));
        self.plan();
        Ok(self)
    }

    /// The same with a chain solved after all others so far: from the settings' base, or the root, to the joint above `tip`,
    /// inside its cones and hinges. Tolerances below 2e-6 of the chain's length count as that; there are no restarts.
    pub fn fabrik(mut self, fabrik: &Fabrik, tip: Joint) -> Result<Self, CrowdError> {
        self.steps.push(Step::Fabrik(Chain::new(&self.skeleton, fabrik, tip)?));
        self.plan();
        Ok(self)
    }

    /// The same with legs whose feet are planted: first the root above them comes down along `up` (model space), until the feet of
    /// its legs are no farther from their hips than `reach` (0.99 is a good one) of the legs' lengths, then each leg is solved as
    /// [`two_bone`](Self::two_bone). The pelvis is one solver, without a goal, whose error is how far it came down (metres); the
    /// legs are the next ones, one each. The weight of a leg's goal is also how much the leg bears. The place of the root is
    /// lowered in the poses: give it anew in each frame.
    pub fn planted(
        mut self,
        legs: &[TwoBone],
        up: impl Into<sinew::glam::DVec3>,
        reach: f64,
    ) -> Result<Self, CrowdError> {
        let pelvis = Pelvis::new(&self.skeleton, &self.bones, legs, (up.into(), reach), self.steps.len())?;
        self.steps.push(Step::Pelvis(pelvis));
        for leg in legs {
            self = self.two_bone(leg)?;
        }
        Ok(self)
    }

    /// The same, so many characters at a time.
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

    /// Solves all goals and brings all model transforms up to date: on all cores with the feature `rayon`, else on this one.
    /// Allocates nothing.
    ///
    /// # Panics
    /// Where poses or goals were made for another crowd.
    pub fn solve(&self, poses: &mut Poses, goals: &mut Goals) {
        assert!(poses.fits(self) && goals.fits(self, poses.len()), "poses and goals of this crowd");
        #[cfg(feature = "rayon")]
        {
            use rayon::iter::ParallelIterator;
            self.par_blocks(poses, goals).for_each(|mut block| block.solve(self, self.width));
        }
        #[cfg(not(feature = "rayon"))]
        for mut block in self.blocks(poses, goals) {
            block.solve(self, self.width);
        }
    }

    /// Blocks of [`BLOCK`](crate::BLOCK) characters that other job systems can [solve](Block::solve), in any order.
    ///
    /// # Panics
    /// Where poses or goals were made for another crowd.
    pub fn blocks<'a>(&self, poses: &'a mut Poses, goals: &'a mut Goals) -> impl Iterator<Item = Block<'a>> {
        assert!(poses.fits(self) && goals.fits(self, poses.len()), "poses and goals of this crowd");
        let (joints, steps) = (self.bones.len(), self.steps.len());
        let block = self.block(poses.len(), &poses.lengths, &goals.asked);
        let rotations = poses.rotations.chunks_mut(4 * TILES * joints.max(1));
        let models = poses.models.chunks_mut(7 * TILES * joints.max(1));
        let places = poses.places.chunks_mut(3 * TILES * self.roots.max(1));
        let results = goals.results.chunks_mut(TILES * (TOLD * steps + 1));
        rotations.zip(models).zip(places).zip(results).enumerate().map(block)
    }

    /// [`blocks`](Self::blocks) for `rayon`.
    ///
    /// # Panics
    /// As that.
    #[cfg(feature = "rayon")]
    pub fn par_blocks<'a>(
        &self,
        poses: &'a mut Poses,
        goals: &'a mut Goals,
    ) -> impl rayon::iter::ParallelIterator<Item = Block<'a>> {
        use rayon::iter::{IndexedParallelIterator, ParallelIterator};
        use rayon::slice::ParallelSliceMut;
        assert!(poses.fits(self) && goals.fits(self, poses.len()), "poses and goals of this crowd");
        let (joints, steps) = (self.bones.len(), self.steps.len());
        let block = self.block(poses.len(), &poses.lengths, &goals.asked);
        let rotations = poses.rotations.par_chunks_mut(4 * TILES * joints.max(1));
        let models = poses.models.par_chunks_mut(7 * TILES * joints.max(1));
        let places = poses.places.par_chunks_mut(3 * TILES * self.roots.max(1));
        let results = goals.results.par_chunks_mut(TILES * (TOLD * steps + 1));
        rotations.zip(models).zip(places).zip(results).enumerate().map(block)
    }

    /// Puts a block together of its share of what is read and of what is written.
    fn block<'a>(
        &self,
        count: usize,
        lengths: &'a [Line],
        asked: &'a [Line],
    ) -> impl Fn((usize, Written<'a>)) -> Block<'a> + Send + Sync + use<'a> {
        let (joints, steps) = (self.bones.len(), self.steps.len());
        move |(index, (((rotations, models), places), results))| {
            let (first, tiles) = (TILES * index, results.len() / (TOLD * steps + 1));
            let lengths = of_tiles(lengths, joints, first, tiles);
            let goals = of_tiles(asked, ASKED * steps, first, tiles);
            let first = TILE * first;
            let count = (count - first).min(TILE * tiles);
            Block { tiles, first, count, lines: Tile { rotations, places, lengths, models, goals, results } }
        }
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

    /// Which joints each step needs: those on its way from the root that an earlier step moved, or that nobody placed yet.
    fn plan(&mut self) {
        let count = self.bones.len();
        let mut fresh = vec![false; count];
        self.passes.clear();
        for step in &self.steps {
            let (tips, moved) = match step {
                Step::TwoBone(limb) => (vec![limb.tip], limb.root),
                Step::ThreeLink(limb) => (vec![limb.tip], limb.upper.root),
                Step::Aim(sight) => (vec![sight.joint], sight.joint),
                Step::Fabrik(chain) => (vec![chain.tip], chain.joints[0]),
                Step::Pelvis(pelvis) => (pelvis.legs.iter().map(|leg| leg.tip).collect(), pelvis.joint),
            };
            let mut pass = Vec::new();
            for tip in tips {
                let mut next = Some(tip as u32);
                while let Some(joint) = next {
                    if !fresh[joint as usize] {
                        pass.push(joint);
                        fresh[joint as usize] = true;
                    }
                    next = self.bones[joint as usize].parent;
                }
            }
            pass.sort_unstable();
            self.passes.push(pass);
            let below = self.skeleton.at(moved).map_or(0..0, |joint| self.skeleton.subtree(joint));
            fresh[below].fill(false);
        }
        self.passes.push((0..count as u32).filter(|&joint| !fresh[joint as usize]).collect());
    }
}

/// Rotations, model transforms, places of roots and results of a block.
type Written<'a> = (((&'a mut [Line], &'a mut [Line]), &'a mut [Line]), &'a mut [Line]);

/// Lines of some tiles among those of all, none where there are none.
fn of_tiles(lines: &[Line], each: usize, first: usize, count: usize) -> &[Line] {
    if lines.is_empty() { lines } else { &lines[each * first..][..each * count] }
}

/// Tiles that hold so many characters.
pub(crate) fn tiles(count: usize) -> usize {
    count.div_ceil(TILE)
}

/// The factor by which a map scales all directions; `None` where it mirrors, or scales them differently.
fn even_scale(map: &sinew::glam::DMat3) -> Option<f64> {
    let volume = map.determinant();
    let scale = sinew::math::ops::cbrt(volume);
    let even = [map.x_axis, map.y_axis, map.z_axis].iter().all(|axis| (axis.length() - scale).abs() < 1e-6 * scale);
    (even && scale > 0.0 && scale.is_finite()).then_some(scale)
}
