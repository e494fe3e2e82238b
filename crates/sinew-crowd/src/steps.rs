//! The solvers of a crowd, one after another, and which joints each needs.

use sinew::solve::fabrik::Fabrik;
use sinew::{Aim, Joint, ThreeLink, TwoBone};

use crate::aim::Sight;
#[cfg(feature = "body")]
use crate::body::People;
use crate::chains::Chain;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::pelvis::Pelvis;
use crate::three_link::{self, Links};
use crate::two_bone::Limb;

/// One solver of a crowd.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    TwoBone(Box<Limb>),
    ThreeLink(Box<Links>),
    Aim(Box<Sight>),
    Fabrik(Chain),
    Pelvis(Pelvis),
    #[cfg(feature = "body")]
    Body(Box<People>),
    /// Goals of a part of the body that was solved before.
    #[cfg(feature = "body")]
    Part,
}

impl Step {
    /// Whether its goals may be turned.
    pub(crate) fn is_turned(&self) -> bool {
        match self {
            Self::TwoBone(_) | Self::ThreeLink(_) | Self::Aim(_) | Self::Fabrik(_) | Self::Pelvis(_) => false,
            #[cfg(feature = "body")]
            Self::Body(_) | Self::Part => true,
        }
    }
}

impl Crowd {
    /// Adds a limb, solved after all solvers so far. Its reach may be `Clamp`, `Hold` or `Soft` without stretch. Solvers
    /// are numbered from 0 in the order added; the number of a solver is that of its goals.
    pub fn two_bone(mut self, limb: &TwoBone) -> Result<Self, CrowdError> {
        self.steps.push(Step::TwoBone(Box::new(Limb::whole(&self.skeleton, &self.bones, limb)?)));
        self.plan();
        Ok(self)
    }

    /// Adds a limb of three links, solved after all solvers so far, with reach as in [`two_bone`](Self::two_bone). Its last
    /// link lies along the direction, or points at the position, that [`ThreeLink::last`] gives for all characters (model
    /// space). A last link that keeps its angle is an error: as one rigid piece it is a limb of two bones.
    pub fn three_link(mut self, limb: &ThreeLink) -> Result<Self, CrowdError> {
        self.steps.push(three_link::step(&self.skeleton, &self.bones, limb)?);
        self.plan();
        Ok(self)
    }

    /// Adds a joint that aims, solved after all solvers so far: one joint, by the shortest turn from the pose given. `axis`
    /// is in the joint's frame.
    pub fn aim(mut self, aim: &Aim, axis: impl Into<sinew::glam::DVec3>) -> Result<Self, CrowdError> {
        self.steps.push(Step::Aim(Box::new(Sight::new(&self.skeleton, &self.bones, aim, axis.into())?)));
        self.plan();
        Ok(self)
    }

    /// Adds a chain, solved after all solvers so far: from the settings' base, or the root, to the joint above `tip`,
    /// inside its cones and hinges. Tolerances below 2e-6 of the chain's length count as that; there are no restarts. A chain
    /// inside limits goes downhill from the pose given, so that nearby targets have nearby answers, in reach and out of it;
    /// where limits stop it on the way it does not arrive, though another pose might.
    pub fn fabrik(mut self, fabrik: &Fabrik, tip: Joint) -> Result<Self, CrowdError> {
        self.steps.push(Step::Fabrik(Chain::new(&self.skeleton, fabrik, tip)?));
        self.plan();
        Ok(self)
    }

    /// Adds legs whose feet are planted. First the root above them is lowered along `up` (model space), until every foot is
    /// no farther from its hip than `reach` (a good value is 0.99) of the leg's length. Then each leg is solved as
    /// [`two_bone`](Self::two_bone). The pelvis is one solver, without a goal, whose error is how far it was lowered
    /// (metres); the legs are the next ones, one each. The weight of a leg's goal is also how much the leg bears. The
    /// position of the root is lowered in the poses, so set it anew in each frame.
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

    /// Which joints each step needs: those on its way from the root that an earlier step moved, or that nobody placed yet.
    pub(crate) fn plan(&mut self) {
        let count = self.bones.len();
        let mut fresh = vec![false; count];
        self.passes.clear();
        for step in &self.steps {
            let (tips, moved) = match step {
                Step::TwoBone(limb) => (limb.needs(&self.bones).into_iter().collect(), limb.root),
                Step::ThreeLink(limb) => (vec![limb.tip], limb.upper.root),
                Step::Aim(sight) => (vec![sight.joint], sight.joint),
                Step::Fabrik(chain) => (vec![chain.tip], chain.joints[0]),
                Step::Pelvis(pelvis) => (pelvis.legs.iter().map(|leg| leg.tip).collect(), pelvis.joint),
                #[cfg(feature = "body")]
                Step::Body(people) => (people.ends().collect(), people.root()),
                #[cfg(feature = "body")]
                Step::Part => {
                    self.passes.push(Vec::new());
                    continue;
                }
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
