//! Where limits keep the tip from its target with the last link at the angle it should have: all three
//! joints give way inside their limits.
//!
//! Descents inside the limits start where middle and last joint stand spread over their limits, with the root turned to the
//! target for each pair: the nearest of these. They depend on goal and limits alone.

use glam::{DMat3, DQuat, DVec3};

use super::direction::Yields;
use super::settings::ThreeLink;
use super::still::AS_GOOD;
use crate::goal::Swivel;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::solve::limited::{Links, Nearest, Search, Turning};
use crate::solve::two_bone::TwoBone;
use crate::solve::two_bone::measure::Measured;
use crate::solve::two_bone::pointer::Pointer;
use crate::solve::two_bone::rest::STRAIGHT;
use crate::solve::two_bone::run::Placed;
use crate::solve::{Bend, Status};
use crate::transform::Transform;

/// Starts from which descents go on, of all. HEURISTIC: with eight, five limbs in ten thousand more end farther off.
const TRIED: usize = 12;
/// Steps of all descents but the first.
const STEPS: u32 = 200;
/// Relative miss that counts as none.
const MET: f64 = 1e-9;
/// One less the cosine of half the turn by which rounding may leave a joint outside its limit.
const ALLOWED: f64 = 1e-15;

/// Whether all joints give way where limits keep a limb from its target that does not stretch.
pub(super) fn gives_way(limb: &ThreeLink, skeleton: &Skeleton) -> bool {
    let free = |joint: Joint| matches!(skeleton.kind(joint), Kind::Ball(BallLimit::Free) | Kind::Free);
    // Else the direction is kept, and the tip stays behind.
    limb.yields == Yields::Direction && !(free(limb.root) && unfolds(limb, skeleton))
}

/// Whether limits may be why the tip is not there.
fn may_give_way(limb: &ThreeLink, skeleton: &Skeleton, status: Status) -> bool {
    matches!(status, Status::Limited | Status::OutOfReach | Status::TooClose) && gives_way(limb, skeleton)
}

/// Whether unfolding the last link finds all that the middle and the last joint can do: no cones, and hinges
/// about one axis.
fn unfolds(limb: &ThreeLink, skeleton: &Skeleton) -> bool {
    let axis = |joint: Joint| match skeleton.kind(joint) {
        Kind::Hinge { axis, .. } => Some(Some(axis)),
        Kind::Ball(BallLimit::Free) | Kind::Free => Some(None),
        _ => None,
    };
    let (Some(mid), Some(low)) = (axis(limb.mid), axis(limb.low)) else { return false };
    let Some((mid, low)) = mid.zip(low) else { return true };
    let mut turn = skeleton.zero(limb.low).rotation;
    let mut at = skeleton.parent(limb.low);
    while let Some(joint) = at.filter(|&joint| joint != limb.mid) {
        turn = skeleton.rest(joint).rotation * turn;
        at = skeleton.parent(joint);
    }
    arc::length(mid.cross(turn * low)) < 1e-9
}

/// Moves the placed limb to its target, or nearer to it, where its joints together can; `None` where they
/// cannot, or need not. `given` are the joints' rotations before.
pub(super) fn give_way(
    limb: &ThreeLink,
    skeleton: &Skeleton,
    (target, offset): (DVec3, DVec3),
    pose: &mut Pose,
    (status, swivel): Placed,
    given: [DQuat; 3],
) -> Option<Placed> {
    let swivel = swivel.filter(|_| may_give_way(limb, skeleton, status))?;
    let joints = [limb.root, limb.mid, limb.low];
    let stretched = |joint: &Joint| pose.local(*joint).translation != skeleton.rest(*joint).translation;
    if limb.reach.stretches() && joints[1..].iter().any(stretched) {
        return None;
    }
    let (upper, lower) = (limb.upper(), TwoBone { root: limb.mid, mid: limb.low, ..limb.whole() });
    let upper = Measured::of(&upper, skeleton, pose, DVec3::ZERO)?;
    let lower = Measured::of(&lower, skeleton, pose, offset)?;
    let links = Links::<3, 9> {
        offsets: [upper.a, lower.a, lower.b],
        maps: [upper.link, lower.link, DMat3::IDENTITY],
        length: arc::length(upper.a)
            + arc::length(upper.link * lower.a)
            + arc::length(upper.link * (lower.link * lower.b)),
    };
    let p = upper.into_parent.transform_point3(target) - upper.origin;
    let at = |joint: Joint, rotation: DQuat| {
        let local = Transform { rotation, ..*pose.local(joint) };
        Turning::at(skeleton, joint, &local, pose.value(skeleton, joint))
    };
    let placed = joints.map(|joint| at(joint, pose.local(joint).rotation));
    // A pose that is allowed, and misses no more than the answer, is the answer.
    let [root, mid, low] = given;
    let before = [at(limb.root, root), at(limb.mid, mid), at(limb.low, low)];
    let off = |(turning, now): (&Turning, DQuat)| (1.0 - turning.rotation.dot(now).abs()).abs() > ALLOWED;
    let outside = before.iter().zip(given).any(off);
    let stays = if outside { f64::INFINITY } else { arc::length(p - links.tip(&before)) };
    let miss = arc::length(p - links.tip(&placed));
    // No limb comes nearer than straight.
    if miss <= (arc::length(p) - links.length).max(0.0) + MET * links.length {
        return None;
    }
    // As placed, or, where the limb bends as given, from there.
    let keeps = limb.bend == Bend::Given;
    let mut search = Search::from(&links, p, if keeps { before } else { placed }, STEPS);
    let mut nearest = Nearest::to(&links, p, TRIED);
    let (pointer, rest) = (Pointer::of(skeleton, limb.root), skeleton.rest(limb.root).rotation);
    let [_, mid, low] = &placed;
    let lows = low.spread().map(|low| (low, links.beyond(1, low * links.offsets[2])));
    let far = arc::length(p);
    for mid in mid.spread() {
        for (low, end) in lows {
            let tip = links.beyond(0, mid * end);
            // No turn of the root brings the tip nearer than its distance does.
            if (arc::length(tip) - far).abs() < nearest.farthest() {
                let root = pointer.toward(rest, tip, p);
                nearest.offer_at([root, mid, low], root * tip);
            }
        }
    }
    let inside = |joint: Joint, rotation| Turning::inside(skeleton, joint, rotation, pose.value(skeleton, joint));
    nearest.starts().any(|[root, mid, low]| {
        search.try_from([inside(limb.root, root), inside(limb.mid, mid), inside(limb.low, low)])
    });
    if keeps && !search.has_arrived() {
        search.try_from(placed);
        search.prefer(before);
    }
    let (best, least) = search.finished();
    let best = if stays <= least * (1.0 + AS_GOOD) { before } else { best };
    if least >= miss {
        return None;
    }
    let mut edit = pose.edit(skeleton);
    joints.iter().zip(&best).for_each(|(&joint, turning)| turning.write(skeleton, joint, &mut edit));
    drop(edit);
    let mid = best[0].rotation * upper.a;
    let line = arc::unit(links.tip(&best));
    let bend = line.and_then(|line| arc::unit_reject(mid, line, STRAIGHT)).unwrap_or(swivel.bend);
    let status = if least <= MET * links.length { Status::Reached } else { status };
    Some((status, Some(Swivel { bend, mid, ..swivel })))
}
