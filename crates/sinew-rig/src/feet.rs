//! Feet that are bones of their own: below the root, as an animator's targets are, but with mesh of their own, so that a leg that
//! moves tears from its foot. Here they are found, and brought along.

use sinew::math::arc;
use sinew::{Joint, Pose, Skeleton, Transform};

use crate::evidence::Evidence;
use crate::limb::LimbKind;
use crate::merge::Draft;
use crate::name::Hint;
use crate::recognize::Recognition;
use crate::reference::rested;
use crate::tree::Tree;

/// A foot stands within this part of its body's height above the floor.
const ON_FLOOR: f64 = 0.15;
/// It lies within this part of the leg's length from where the leg ends.
const NEAR: f64 = 0.5;
/// A foot farther from a leg's guessed end than this share of the leg's height is not there,
const AWAY: f64 = 0.2;
/// but where the leg's last bone ends, unless it is farther from that bone's joint than so many of the longest bone.
const BONE: f64 = 1.25;
/// More joints than this are no foot.
const MOST_JOINTS: usize = 12;

/// The foot of each leg that has none of its own, with the leg's last joint.
pub(crate) fn find(body: &Tree, drafts: &[Draft], evidence: &Evidence<'_>) -> Vec<(usize, usize)> {
    let legs: Vec<&Draft> = drafts.iter().filter(|draft| draft.kind == LimbKind::Leg).collect();
    let has_foot = |leg: &Draft| leg.joints.iter().any(|&joint| body.hint(joint) == Hint::Foot);
    let bare: Vec<&Draft> = legs.iter().copied().filter(|leg| !has_foot(leg)).collect();
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for foot in evidence.skeleton.iter().filter(|&joint| is_loose(body, &legs, evidence, joint)).map(Joint::index) {
        for leg in &bare {
            let (&first, &last) = (&leg.joints[0], &leg.joints[leg.joints.len() - 1]);
            let place = body.place[foot];
            let away = place.distance(body.end_of(last)).min(place.distance(body.place[last]));
            let sides = (body.readings[foot].side, body.readings[first].side);
            if away < NEAR * body.reach[first] && (sides.0 == sides.1) {
                pairs.push((away, foot, last));
            }
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut feet: Vec<(usize, usize)> = Vec::new();
    for (_, foot, last) in pairs {
        if !feet.iter().any(|other| other.0 == foot || other.1 == last) {
            feet.push((foot, last));
        }
    }
    feet.sort_unstable();
    feet
}

/// Whether a joint stands on the floor, is called a foot or a control of one, deforms mesh, and hangs on nothing but what all legs
/// hang on.
fn is_loose(body: &Tree, legs: &[&Draft], evidence: &Evidence<'_>, joint: Joint) -> bool {
    let index = joint.index();
    let is_called =
        matches!(body.hint(index), Hint::Foot | Hint::Toe | Hint::Control) && body.readings[index].side.is_some();
    let hangs = evidence.skeleton.parent(joint).is_none_or(|parent| {
        legs.iter().all(|leg| leg.joints.first().is_some_and(|&first| body.is_below(first, parent.index())))
    });
    let subtree = body.subtree(index);
    is_called
        && hangs
        && subtree.len() <= MOST_JOINTS
        && body.above_floor(body.place[index]) < ON_FLOOR * body.height()
        && !legs.iter().any(|leg| leg.joints.iter().any(|joint| subtree.contains(joint)))
        && !evidence.control_joints.contains(&joint)
}

impl Recognition {
    /// The evidence's skeleton, where legs whose ends were guessed elsewhere end at their detached feet.
    pub(crate) fn legs_to_feet(&self, evidence: &Evidence<'_>) -> Skeleton {
        let skeleton = evidence.skeleton;
        let mut pose = skeleton.rest_pose();
        for &(foot, last) in &self.detached_feet {
            let at = |joint: Joint| pose.position(joint);
            let tip = evidence.tips.iter().copied().find(|&tip| skeleton.parent(tip) == Some(last));
            let (Some(tip), Some(leg)) = (tip, self.limbs.iter().find(|limb| limb.joints.contains(&last))) else {
                continue;
            };
            let longest = leg.joints.windows(2).map(|bone| at(bone[0]).distance(at(bone[1]))).fold(0.0, f64::max);
            let is_away = at(tip).distance(at(foot)) > AWAY * (at(leg.joints[0]) - at(foot)).dot(self.up).abs();
            let place = pose.model(last).inverse().transform_point3(at(foot));
            if is_away && at(last).distance(at(foot)) < BONE * longest && place.is_finite() {
                pose.edit(skeleton).translation(tip, place);
            }
        }
        // What is finite is no reason to refuse it.
        rested(skeleton, &pose).unwrap_or_else(|_| skeleton.clone())
    }

    /// Moves detached feet ([`detached_feet`](Self::detached_feet)) to where their legs have gone since `start`. They
    /// rotate with their legs, or keep their rotation in `pose` when `keeps_turn` says so. Feet whose leg has not moved
    /// stay.
    ///
    /// `start` and `pose` are poses of `skeleton`, which has the joints that were recognised in their order.
    pub fn carry_feet(&self, skeleton: &Skeleton, start: &Pose, pose: &mut Pose, keeps_turn: impl Fn(Joint) -> bool) {
        for &(foot, leg) in &self.detached_feet {
            let moved = *pose.model(leg) * start.model(leg).inverse();
            if pose.model(leg) == start.model(leg) || !moved.is_finite() {
                continue;
            }
            let above = skeleton.parent(foot).map_or(*skeleton.base(foot), |parent| *pose.model(parent)).inverse();
            let place = above.transform_point3(moved.transform_point3(start.position(foot)));
            let turned =
                if keeps_turn(foot) { pose.model(foot).matrix3 } else { moved.matrix3 * start.model(foot).matrix3 };
            let Some(rotation) = arc::rotation_of(&(above.matrix3 * turned)) else { continue };
            if place.is_finite() {
                let local = Transform { translation: place, rotation, ..*pose.local(foot) };
                pose.edit(skeleton).local(foot, local);
            }
        }
    }
}
