//! A clip of a person: a BVH file with the reference pose that its body is judged by.

use std::path::Path;

use anyhow::{Context as _, Result};
use sinew::{Pose, Skeleton};
use sinew_bvh::Bvh;
use sinew_rig::{Evidence, Human, Recognition, recognize, reference};

/// A motion and what was recognised in it.
#[derive(Debug)]
pub struct Clip {
    /// The file, its skeleton at rest in the reference pose.
    pub bvh: Bvh,
    /// What was recognised.
    pub found: Recognition,
}

impl Clip {
    /// Reads a BVH file.
    ///
    /// # Errors
    /// Where the file is none.
    pub fn load(path: &Path) -> Result<Self> {
        let mut bvh = sinew_bvh::load(path).with_context(|| path.display().to_string())?;
        let at = |frame: usize, pose: &mut Pose| {
            bvh.pose_frame(frame, pose);
        };
        bvh.skeleton = reference::find(&Evidence::of_bvh(&bvh), bvh.motion.len(), at).skeleton;
        let found = recognize(&Evidence::of_bvh(&bvh));
        Ok(Self { bvh, found })
    }

    /// Extent of the reference pose along the body's up.
    pub fn height(&self) -> f64 {
        let skeleton = &self.bvh.skeleton;
        let rest = skeleton.rest_pose();
        let heights = skeleton.iter().map(|joint| rest.position(joint).dot(self.found.up));
        let (low, high) =
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        high - low
    }

    /// The same with a human's limits.
    ///
    /// # Errors
    /// Where limits cannot be applied.
    pub fn limited(mut self) -> Result<Self> {
        let skeleton: Skeleton = Human::default().apply(&self.bvh.skeleton, &self.found)?;
        self.found = self.found.on(&skeleton);
        self.bvh.skeleton = skeleton;
        Ok(self)
    }
}
