//! Arms of robots: coordinates, and the frame that they put a tip in.

use sinew::glam::{DQuat, DVec3};
use sinew::limit::Range;
use sinew::{Goal, Joint, Pose, Skeleton};

use super::Verdict;

/// The forward kinematics of an arm.
#[derive(Clone, Debug)]
pub struct ArmJudge<'a> {
    skeleton: &'a Skeleton,
    base: Joint,
    tip: Joint,
    coordinates: Vec<usize>,
    /// What they drive.
    joints: Vec<Joint>,
    pose: Pose,
}

impl<'a> ArmJudge<'a> {
    /// An arm by its ends and its coordinates among the skeleton's.
    pub fn new(skeleton: &'a Skeleton, [base, tip]: [Joint; 2], coordinates: &[usize]) -> Self {
        let joints = coordinates.iter().flat_map(|&coordinate| skeleton.driven(coordinate)).collect();
        Self { skeleton, base, tip, coordinates: coordinates.to_vec(), joints, pose: skeleton.rest_pose() }
    }

    /// The coordinates' ranges.
    pub fn ranges(&self) -> impl Iterator<Item = Range> + '_ {
        self.coordinates.iter().map(|&coordinate| self.skeleton.coordinates()[coordinate].range)
    }

    /// Where the tip is for some values, and how it stands, as the base sees it.
    pub fn place(&mut self, values: &[f64]) -> (DVec3, DQuat) {
        let mut edit = self.pose.edit(self.skeleton);
        for (&coordinate, &value) in self.coordinates.iter().zip(values) {
            edit.coordinate(coordinate, value);
        }
        drop(edit);
        let (base, tip) = (self.pose.model(self.base), self.pose.position(self.tip));
        let turn = self.pose.rotation(self.base).conjugate() * self.pose.rotation(self.tip);
        (base.inverse().transform_point3(tip), turn)
    }

    /// Of values that should bring the tip to a place and a rotation, `None` where any will do.
    pub fn verdict(&mut self, place: DVec3, rotation: Option<DQuat>, values: &[f64]) -> Verdict {
        if values.len() != self.coordinates.len() {
            return Verdict::NONE;
        }
        self.place(values);
        let goal = match rotation {
            Some(rotation) => Goal::frame(self.tip, place, rotation),
            None => Goal::position(self.tip, place),
        };
        let (goals, joints) = ([goal.relative_to(self.base)], self.joints.iter().copied());
        Verdict::of(self.skeleton, &self.pose, goals, joints)
    }
}
