//! A clip for another skeleton.
//!
//! Every joint takes over its partner's turn from rest, in the axes of the model, whatever the joints' own axes and their
//! proportions. Of joints without a partner the next one below with a partner takes over the turn, too. Where the rests are unlike
//! (arms down and a T-pose), the other skeleton's limbs are first turned until their bones point as those of the first do, and
//! turns are counted from there. The uppermost also take over the way from their place at rest.

use glam::{DMat3, DQuat, DVec3};
use sinew::math::arc;
use sinew::{Joint, Pose, Skeleton};

use crate::clip::Clip;
use crate::turn::{self, turn_of, turned_by};

/// Cosine between bones that point alike, so far as bodies of other proportions let them.
const ALIKE: f64 = 0.97;

/// How poses of one skeleton become poses of another: made once.
#[doc(alias = "retarget")]
#[derive(Clone, Debug)]
pub struct Transfer {
    joints: Vec<Pair>,
    scale: f64,
    /// From the model axes of the first to those of the other.
    facing: DQuat,
    /// Joints of the other skeleton that are turned before turns are counted, and by how much (radians).
    unlike: Vec<(Joint, f64)>,
    /// The other skeleton, turned so.
    rest: Pose,
}

/// Joints of two skeletons that go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partners {
    /// Of the clip's skeleton.
    pub from: Joint,
    /// Of the other.
    pub to: Joint,
    /// Whether their bones, each to the next partnered joint, point the same way in the same stance. Those of arms and legs
    /// do; those of a trunk, shoulders or feet differ with the body's build.
    pub align: bool,
}

/// A joint of the first skeleton, with its rotation in the model at rest.
type Turning = (Joint, DQuat);

/// A joint and its partner.
#[derive(Clone, Debug)]
struct Pair {
    from: Joint,
    /// The joints whose turns it takes over: from below the one that partners the next joint above the other down to its own; and
    /// where that one stands aside, from below where both ways part down to it, whose turns are taken off.
    own: Vec<Turning>,
    aside: Vec<Turning>,
    to: Joint,
    /// Of the uppermost alone: the first one's place at rest, and a way in the model, as it is in the frame of the other.
    way: Option<(DVec3, DMat3)>,
}

impl Transfer {
    /// Between joints of the same name, each once. Both skeletons should rest in the same pose. `None` when there are no
    /// such joints.
    pub fn by_name(from: &Skeleton, to: &Skeleton) -> Option<Self> {
        let namesake = |joint: Joint| {
            let name = from.name(joint)?;
            Some(Partners { from: joint, to: to.joint(name).ok()?, align: false }).filter(|_| from.joint(name).is_ok())
        };
        Self::new(from, to, &from.iter().filter_map(namesake).collect::<Vec<_>>(), DQuat::IDENTITY)
    }

    /// Between partners, each joint in one pair. `facing` is the rotation from the model axes of the first skeleton to
    /// those of the other; the identity when both stand and look the same way. `None` when there are no pairs, or a joint
    /// belongs to another skeleton.
    pub fn new(from: &Skeleton, to: &Skeleton, partners: &[Partners], facing: DQuat) -> Option<Self> {
        if partners.is_empty() || !partners.iter().all(|both| from.contains(both.from) && to.contains(both.to)) {
            return None;
        }
        let mut partners = partners.to_vec();
        partners.sort_by_key(|both| both.from);
        let pairs: Vec<(Joint, Joint)> = partners.iter().map(|both| (both.from, both.to)).collect();
        let (a, mut b) = (from.rest_pose(), to.rest_pose());
        let above_of = |other: Joint| {
            let mut up = std::iter::successors(to.parent(other), |&joint| to.parent(joint));
            up.find_map(|above| pairs.iter().find(|pair| pair.1 == above).copied())
        };
        let lengths = pairs.iter().filter_map(|&pair| {
            let (one, other) = above_of(pair.1)?;
            Some([a.position(pair.0).distance(a.position(one)), b.position(pair.1).distance(b.position(other))])
        });
        let [own, new] = lengths.fold([0.0, 0.0], |[own, new], [x, y]| [own + x, new + y]);
        let unlike = align([from, to], &partners, (&a, facing), &mut b);
        let joints = pairs.iter().map(|&(one, other)| {
            let above = above_of(other);
            let leads = |joint: Joint, tip: Joint| from.is_below(tip, joint);
            let way_down = |tip: Joint, other: Option<Joint>| {
                let up = std::iter::successors(Some(tip), |&joint| from.parent(joint));
                let mut way: Vec<Turning> = up
                    .take_while(|&joint| !other.is_some_and(|other| leads(joint, other)))
                    .map(|joint| (joint, a.rotation(joint)))
                    .collect();
                way.reverse();
                way
            };
            let aside = above.map_or(Vec::new(), |(above, _)| way_down(above, Some(one)));
            let own = way_down(one, above.map(|(above, _)| above));
            let way = || (a.position(one), turn::above(to, &b, other).inverse() * DMat3::from_quat(facing));
            Pair { from: one, to: other, own, aside, way: above.is_none().then(way) }
        });
        let scale = if own > 0.0 && new > 0.0 { new / own } else { 1.0 };
        Some(Self { joints: joints.collect(), scale, facing, unlike, rest: b })
    }

    /// Number of joints whose rotation is carried over.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Never: there is one.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Factor on distances: how much longer the bones of the other skeleton are.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The same with another factor on distances, such as the ratio of the heights of the hips; a factor that is not
    /// positive and finite changes nothing.
    pub fn scaled(self, scale: f64) -> Self {
        if scale > 0.0 && scale.is_finite() { Self { scale, ..self } } else { self }
    }

    /// Joints of the other skeleton whose rest rotation differs from that of their partners, and by how much they are
    /// turned to match (radians).
    pub fn unlike(&self) -> &[(Joint, f64)] {
        &self.unlike
    }

    /// Sets a pose of the other skeleton to match one of the first. Joints without a partner are at rest.
    ///
    /// # Panics
    /// Where a skeleton is not its pose's.
    pub fn pose(&self, from: &Skeleton, pose: &Pose, to: &Skeleton, other: &mut Pose) {
        assert!(self.rest.fits(to), "the transfer is to another skeleton");
        other.clone_from(&self.rest);
        let mut edit = other.edit(to);
        for pair in &self.joints {
            let mut new = *self.rest.local(pair.to);
            let taken = whole(from, pose, &pair.own);
            let turn = match whole(from, pose, &pair.aside) {
                Some(aside) => Some(aside.conjugate() * taken.unwrap_or(DQuat::IDENTITY)),
                None => taken,
            };
            if let Some(turn) = turn {
                let turn = self.facing * turn * self.facing.conjugate();
                new.rotation = turned_by(new.rotation, self.rest.rotation(pair.to), turn);
            }
            if let Some((place, way)) = &pair.way {
                let moved = pose.position(pair.from) - *place;
                if moved != DVec3::ZERO {
                    new.translation += *way * (self.scale * moved);
                }
            }
            if new.is_finite() && new != *self.rest.local(pair.to) {
                edit.local(pair.to, new);
            }
        }
    }
}

/// The turn of joints one below the other from their rest, in the axes of the model; `None` where none turns.
fn whole(from: &Skeleton, pose: &Pose, joints: &[Turning]) -> Option<DQuat> {
    let turned = |&&(joint, _): &&Turning| pose.local(joint).rotation != from.rest(joint).rotation;
    let turns = joints
        .iter()
        .filter(turned)
        .map(|&(joint, in_model)| turn_of(from.rest(joint).rotation, in_model, pose.local(joint).rotation));
    turns.reduce(|above, below| above * below)
}

/// Turns the second skeleton's joints that should point alike, from above, each until its next partnered joint lies as that of
/// the first does: which, and by how much. Of several next ones none counts: they tell of proportions.
fn align(
    [from, to]: [&Skeleton; 2],
    partners: &[Partners],
    (a, facing): (&Pose, DQuat),
    b: &mut Pose,
) -> Vec<(Joint, f64)> {
    let mut unlike = Vec::new();
    for both in partners.iter().filter(|both| both.align) {
        let lies_below = |other: &Partners, above: &Partners| {
            other.from != above.from && from.is_below(other.from, above.from) && to.is_below(other.to, above.to)
        };
        let below = || partners.iter().filter(|other| lies_below(other, both));
        let mut next = below().filter(|other| !below().any(|between| lies_below(other, between)));
        let (Some(end), None) = (next.next(), next.next()) else { continue };
        let way = |pose: &Pose, from: Joint, to: Joint| arc::unit(pose.position(to) - pose.position(from));
        let Some((wanted, now)) = way(a, both.from, end.from).zip(way(b, both.to, end.to)) else { continue };
        let wanted = facing * wanted;
        if wanted.dot(now) < ALIKE {
            let turn = arc::arc(now, wanted, arc::any_perpendicular(now));
            // In the frame of the joint's parent, of which nothing but its rotation counts.
            let into = b.rotation(both.to) * b.local(both.to).rotation.conjugate();
            let local = into.conjugate() * turn * b.rotation(both.to);
            b.edit(to).rotation(both.to, arc::normalize(local));
            unlike.push((both.to, arc::length(arc::rotation_vector(turn))));
        }
    }
    unlike
}

impl Clip {
    /// The clip on another skeleton.
    ///
    /// # Panics
    /// Where `from` is not the clip's skeleton.
    pub fn transferred(&self, from: &Skeleton, to: &Skeleton, transfer: &Transfer) -> Self {
        let other = |pose: &Pose| {
            let mut other = to.rest_pose();
            transfer.pose(from, pose, to, &mut other);
            other
        };
        Self::of(self.times().to_vec(), self.poses().iter().map(other).collect())
    }
}
