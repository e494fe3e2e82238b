//! A clip for another skeleton whose joints have the same names.
//!
//! Every joint takes over its namesake's turn from rest, in the axes of the model; so both should rest alike (both in a
//! T-pose), whatever their joints' own axes and their proportions. The uppermost also take over the way from their place at
//! rest, as much longer as the bones are.

use glam::{DMat3, DQuat, DVec3};
use sinew::{Joint, Pose, Skeleton};

use crate::clip::Clip;
use crate::turn::{above, turn_of, turned_by};

/// How poses of one skeleton become poses of another: made once.
#[derive(Clone, Debug)]
pub struct Transfer {
    joints: Vec<Pair>,
    scale: f64,
}

/// A joint and its namesake.
#[derive(Clone, Copy, Debug)]
struct Pair {
    from: Joint,
    to: Joint,
    /// Rotations in the model at rest.
    rests: [DQuat; 2],
    /// A way in the frame of the one, as it is in that of the other; of the uppermost alone.
    way: Option<DMat3>,
}

impl Transfer {
    /// Between joints that have the same name, each once. `None` where there are none.
    pub fn by_name(from: &Skeleton, to: &Skeleton) -> Option<Self> {
        let namesake = |joint: Joint| {
            let name = from.name(joint)?;
            Some((joint, to.joint(name).ok()?)).filter(|_| from.joint(name).is_ok())
        };
        let pairs: Vec<(Joint, Joint)> = from.iter().filter_map(namesake).collect();
        let (a, b) = (from.rest_pose(), to.rest_pose());
        let above_of = |(one, other): (Joint, Joint)| {
            let holds = |&&(above, below): &&(Joint, Joint)| {
                above != one && from.is_below(one, above) && below != other && to.is_below(other, below)
            };
            pairs.iter().rfind(holds)
        };
        let lengths = pairs.iter().filter_map(|&pair| {
            let &(one, other) = above_of(pair)?;
            Some([a.position(pair.0).distance(a.position(one)), b.position(pair.1).distance(b.position(other))])
        });
        let [own, new] = lengths.fold([0.0, 0.0], |[own, new], [x, y]| [own + x, new + y]);
        let scale = if own > 0.0 && new > 0.0 { new / own } else { 1.0 };
        let pair = |&(one, other): &(Joint, Joint)| Pair {
            from: one,
            to: other,
            rests: [a.rotation(one), b.rotation(other)],
            way: above_of((one, other))
                .is_none()
                .then(|| above(to, &b, other).inverse() * scale * above(from, &a, one)),
        };
        let joints: Vec<Pair> = pairs.iter().map(pair).collect();
        (!joints.is_empty()).then_some(Self { joints, scale })
    }

    /// Joints that take over a turn.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Never: there is one.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// How much longer the bones of the other skeleton are.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Brings a pose of the other skeleton to where one of the first is. Joints without a namesake come to rest.
    ///
    /// # Panics
    /// Where a skeleton is not its pose's.
    pub fn pose(&self, from: &Skeleton, pose: &Pose, to: &Skeleton, other: &mut Pose) {
        other.reset(to);
        let mut edit = other.edit(to);
        for pair in &self.joints {
            let (rest, new_rest, local) = (from.rest(pair.from), to.rest(pair.to), pose.local(pair.from));
            let mut new = *new_rest;
            if local.rotation != rest.rotation {
                let turn = turn_of(rest.rotation, pair.rests[0], local.rotation);
                new.rotation = turned_by(new_rest.rotation, pair.rests[1], turn);
            }
            let moved = local.translation - rest.translation;
            if let Some(way) = pair.way.filter(|_| moved != DVec3::ZERO) {
                new.translation += way * moved;
            }
            if new.is_finite() && new != *new_rest {
                edit.local(pair.to, new);
            }
        }
    }
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
