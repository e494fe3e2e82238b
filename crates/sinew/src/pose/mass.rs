//! Where a pose carries the masses of its joints.

use glam::DVec3;

use super::Pose;
use crate::skeleton::{Joint, Skeleton};

impl Pose {
    /// Centre of [mass](Skeleton::mass) of a joint and all below it, in model space; `None` where nothing weighs.
    ///
    /// ```
    /// use sinew::glam::DVec3;
    /// use sinew::{JointSpec, Mass, SkeletonBuilder};
    ///
    /// let mass = |kilograms: f64| Mass { mass: kilograms, center: DVec3::ZERO };
    /// let mut builder = SkeletonBuilder::new();
    /// let hips = builder.add(JointSpec { mass: mass(3.0), ..JointSpec::named("hips") });
    /// builder.add(JointSpec { mass: mass(1.0), ..JointSpec::named("head").child_of(hips).translation(DVec3::Y) });
    /// let body = builder.build()?;
    /// let [hips] = body.joints(["hips"])?;
    /// assert_eq!(body.rest_pose().center_of_mass(&body, hips), Some(DVec3::Y * 0.25));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn center_of_mass(&self, skeleton: &Skeleton, joint: Joint) -> Option<DVec3> {
        let (mut whole, mut moment) = (0.0, DVec3::ZERO);
        for joint in skeleton.subtree(joint).filter_map(|index| skeleton.at(index)) {
            let mass = skeleton.mass(joint);
            whole += mass.mass;
            moment += self.model(joint).transform_point3(mass.center) * mass.mass;
        }
        (whole > 0.0).then(|| moment / whole)
    }
}
