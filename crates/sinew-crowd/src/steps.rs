//! The solvers of a crowd, one after another, and which joints each needs.

use sinew::solve::fabrik::Fabrik;
use sinew::{Aim, Joint, ThreeLink, TwoBone};

use crate::aim::Sight;
#[cfg(feature = "body")]
use crate::body::People;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::fabrik::Chain;
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
    /// The same with a limb solved after all others so far. Its reach may be `Clamp`, `Hold` or `Soft` without stretch.
    /// The number of a solver, counted from 0, is that of its goals.
    pub fn two_bone(mut self, limb: &TwoBone) -> Result<Self, CrowdError> {
        self.steps.push(Step::TwoBone(Box::new(Limb::whole(&self.skeleton, &self.bones, limb)?)));
        self.plan();
        Ok(self)
    }

    /// The same with a limb of three links solved after all others so far, reach as [`two_bone`](Self::two_bone). Its last link lies
    /// along the direction, or points at the place, that [`ThreeLink::last`] says for all characters (model space). A last link that
    /// keeps its angle is an error: one that is rigid is a limb of two bones.
    pub fn three_link(mut self, limb: &ThreeLink) -> Result<Self, CrowdError> {
        self.steps.push(three_link::step(&self.skeleton, &self.bones, limb)?);
        self.plan();
        Ok(self)
    }

    /// The same with a joint aimed after all others so far: one joint, by the shortest turn from the pose given.
    /// `axis` is in the joint's frame.
    pub fn aim(mut self, aim: &Aim, axis: impl Into<sinew::glam::DVec3>) -> Result<Self, CrowdError> {
        self.steps.push(Step::Aim(Box::new(Sight::new(&self.skeleton, &self.bones, aim, axis.into())?)));
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

    /// Which joints each step needs: those on its way from the root that an earlier step moved, or that nobody placed yet.
    pub(crate) fn plan(&mut self) {
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
