//! The problems as `sinew-crowd` solves them.

use std::error::Error;

use sinew::glam::{DVec3, Vec3};
use sinew::{Aim, Rotation, TwoBone};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Poses, Width};

use crate::{Problem, Targets};

/// A crowd at one width.
pub(crate) struct Ours {
    pub(crate) width: Width,
    crowd: Crowd,
    start: Poses,
    poses: Poses,
    goals: Goals,
    none: Goals,
}

impl Ours {
    pub(crate) fn new(problem: &Problem, targets: &[Targets], width: Width) -> Result<Self, Box<dyn Error>> {
        let skeleton = &problem.skeleton;
        let mut crowd = Crowd::new(skeleton)?;
        for limb in &problem.limbs {
            crowd = crowd.two_bone(&TwoBone::ending_at(skeleton, limb.joints[2])?)?;
        }
        if let Some(head) = problem.head {
            crowd = crowd.aim(&Aim::new(skeleton, head)?, DVec3::Z)?;
        }
        let (mut start, mut goals) = (Poses::new(&crowd, targets.len()), Goals::new(&crowd, targets.len()));
        for (character, own) in targets.iter().enumerate() {
            for (solver, (limb, target)) in problem.limbs.iter().zip(&own.limbs).enumerate() {
                start.set_rotation(character, limb.joints[1], Rotation::about(DVec3::X, problem.bend));
                goals.set(character, solver, Some(CrowdTarget::new(*target).pole(Vec3::Z)));
            }
            if problem.head.is_some() {
                goals.set(character, problem.limbs.len(), Some(CrowdTarget::new(own.look)));
            }
        }
        let none = Goals::new(&crowd, targets.len());
        Ok(Self { width, crowd, poses: start.clone(), start, goals, none })
    }

    /// The poses as they were before.
    pub(crate) fn begin(&mut self) {
        self.poses.clone_from(&self.start);
    }

    /// Forward kinematics alone.
    pub(crate) fn place(&mut self) {
        for mut block in self.crowd.blocks(&mut self.poses, &mut self.none) {
            block.solve(&self.crowd, self.width);
        }
    }

    /// Limbs, looks and forward kinematics.
    pub(crate) fn frame(&mut self) {
        for mut block in self.crowd.blocks(&mut self.poses, &mut self.goals) {
            block.solve(&self.crowd, self.width);
        }
    }

    /// The farthest that a limb ends from its target (metres).
    pub(crate) fn off(&self, problem: &Problem, targets: &[Targets]) -> f32 {
        let each = targets.iter().enumerate().flat_map(|(character, own)| {
            let ends = problem.limbs.iter().zip(&own.limbs);
            ends.map(move |(limb, target)| self.poses.position(character, limb.joints[2]).distance(*target))
        });
        each.fold(0.0, f32::max)
    }

    /// The most that a head looks beside its target (sine).
    pub(crate) fn turned(&self, problem: &Problem, targets: &[Targets]) -> f32 {
        let Some(head) = problem.head else { return 0.0 };
        let each = targets.iter().enumerate().map(|(character, own)| {
            let line = (own.look - self.poses.position(character, head)).normalize();
            (self.poses.model_rotation(character, head) * Vec3::Z).cross(line).length()
        });
        each.fold(0.0, f32::max)
    }
}
