//! The axes about which elbows, knees, toes and fingers fold, as a motion shows them: a straight rest pose does not tell
//! how the joint's hinge lies about its bone.

use glam::{DMat3, DQuat, DVec3};
use sinew::math::arc;
use sinew::{Joint, Pose, Skeleton};

use crate::human::motion::{self, Motion};
use crate::recognize::Recognition;
use crate::t_pose::TPose;

/// A joint that folds less shows no axis (radians): ten degrees.
const SHOWN: f64 = 0.17;
/// Root mean square beside the axis, as a share of that about it, above which the joint is no hinge.
const BESIDE: f64 = 0.3;
/// Cosine to the axis of a human's fold within which the sense is the human's: 75 degrees.
const HUMAN: f64 = 0.26;
/// Squarings of a matrix, after which only its longest axis is left.
const SQUARINGS: u32 = 8;

/// Unit axes in the joints' own frames about which hinges of a recognised body fold in these frames; none for joints that
/// hardly fold or do so about several axes. The axis is the longest of the second moments of the bones' turns from straight.
pub(crate) fn shown(
    skeleton: &Skeleton,
    found: &Recognition,
    frames: impl Iterator<Item = usize>,
    pose_at: &mut impl FnMut(usize, &mut Pose),
) -> Vec<(Joint, DVec3)> {
    let Some(straight) = TPose::of(skeleton, found) else { return Vec::new() };
    let mut hinges: Vec<Hinge> = skeleton.iter().filter_map(|joint| Hinge::of(&straight, found, joint)).collect();
    let mut pose = skeleton.rest_pose();
    for frame in frames {
        pose_at(frame, &mut pose);
        for hinge in &mut hinges {
            hinge.look(pose.local(hinge.joint).rotation);
        }
    }
    hinges.iter().filter_map(|hinge| Some((hinge.joint, hinge.axis()?))).collect()
}

/// What frames have shown of one joint.
struct Hinge {
    joint: Joint,
    /// Straight, relative to the parent.
    zero: DQuat,
    /// The bone and the axis of a human's fold, in the joint's own frame.
    bone: DVec3,
    human: DVec3,
    turns: Vec<DVec3>,
}

impl Hinge {
    fn of(straight: &TPose, found: &Recognition, joint: Joint) -> Option<Self> {
        let role = found.role(joint)?.role;
        let Motion::Hinge(turn) = motion::of(role.part)? else { return None };
        let index = joint.index();
        let bone = straight.bone(index)?;
        let human = bone.cross(straight.way(turn.towards, role.side)).try_normalize()?;
        let (bone, human) = (straight.own(index, bone), straight.own(index, human));
        Some(Self { joint, zero: straight.local(index), bone, human, turns: Vec::new() })
    }

    /// How the bone is turned, without roll about it.
    fn look(&mut self, local: DQuat) {
        let now = (self.zero.conjugate() * local) * self.bone;
        self.turns.push(arc::rotation_vector(arc::arc(self.bone, now, self.human)));
    }

    fn axis(&self) -> Option<DVec3> {
        let outer = |turn: &DVec3| DMat3::from_cols(*turn * turn.x, *turn * turn.y, *turn * turn.z);
        let moments = self.turns.iter().map(outer).fold(DMat3::ZERO, |sum, one| sum + one);
        let trace = |of: &DMat3| of.x_axis.x + of.y_axis.y + of.z_axis.z;
        let mut longest = moments;
        for _ in 0..SQUARINGS {
            longest *= 1.0 / trace(&longest);
            longest = longest * longest;
        }
        let columns = [longest.x_axis, longest.y_axis, longest.z_axis];
        let column =
            columns.into_iter().fold(DVec3::ZERO, |best, one| if one.length() > best.length() { one } else { best });
        let axis = arc::unit(column)?;
        let about = axis.dot(moments * axis);
        let beside = trace(&moments) - about;
        let folds = |axis: DVec3| self.turns.iter().map(|turn| turn.dot(axis)).fold(0.0, f64::max);
        let is_hinge = beside <= BESIDE * BESIDE * about && folds(axis).max(folds(-axis)) > SHOWN;
        let human = axis.dot(self.human);
        let is_turned = if human.abs() > HUMAN { human < 0.0 } else { folds(-axis) > folds(axis) };
        is_hinge.then_some(if is_turned { -axis } else { axis })
    }
}
