//! Where limits keep the tip from its target with the last link at the angle it should have: all three
//! joints give way inside their limits.
//!
//! The last link at several angles, each with the starts of the two bones that it then makes with the second
//! link, are where descents inside the limits start, in an order that depends on goal and rest pose alone.

use glam::{DMat3, DQuat, DVec3};

use super::direction::Yields;
use super::place::AS_GOOD;
use super::settings::ThreeLink;
use crate::goal::Swivel;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::solve::limited::{Links, Nearest, Search, Turning};
use crate::solve::two_bone::TwoBone;
use crate::solve::two_bone::measure::Measured;
use crate::solve::two_bone::rest::STRAIGHT;
use crate::solve::two_bone::run::Placed;
use crate::solve::two_bone::stuck::Stuck;
use crate::solve::{Bend, Status};
use crate::transform::Transform;

/// Places of the last joint within its range, and its turns (radians) where that has no ends.
const SHARES: [f64; 5] = [0.5, 0.0, 1.0, 0.25, 0.75];
const TURNS: [f64; 5] = [0.0, 1.2, -1.2, 2.4, -2.4];
/// Starts from which descents go on, of all. HEURISTIC: with four, one limb in a hundred ended farther off.
const TRIED: usize = 24;
/// Steps of all descents but the first.
const STEPS: u32 = 200;
/// Relative miss that counts as none.
const MET: f64 = 1e-9;
/// One less the cosine of half the turn by which rounding may leave a joint outside its limit.
const ALLOWED: f64 = 1e-15;

/// Whether limits may be why the tip is not there.
fn may_give_way(limb: &ThreeLink, skeleton: &Skeleton, status: Status) -> bool {
    // Else the direction is kept, and the tip stays behind.
    let yields = limb.yields == Yields::Direction;
    let free = |joint: Joint| matches!(skeleton.kind(joint), Kind::Ball(BallLimit::Free) | Kind::Free);
    yields
        && matches!(status, Status::Limited | Status::OutOfReach | Status::TooClose)
        && !(free(limb.root) && unfolds(limb, skeleton))
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
    if miss <= MET * links.length || arc::length(p) > (1.0 + MET) * links.length {
        return None;
    }
    let (whole, line, bend) = (limb.whole(), arc::unit(p).unwrap_or(limb.rest[1].line), swivel.bend);
    let rest = skeleton.rest(limb.mid).rotation;
    let mut nearest = Nearest::to(&links, p, TRIED);
    for low in lows(limb, skeleton, pose) {
        let measured = Measured { b: lower.tip(low.rotation), mid: rest, ..upper };
        let pair = Stuck { limb: &whole, skeleton, pose, measured: &measured, p, line, bend };
        pair.starts().for_each(|[root, mid]| nearest.offer([root, mid, low.rotation]));
    }
    // As placed, or, where the limb bends as given, from there.
    let keeps = limb.bend == Bend::Given;
    let mut search = Search::from(&links, p, if keeps { before } else { placed }, STEPS);
    nearest
        .starts()
        .any(|[root, mid, low]| search.try_from([at(limb.root, root), at(limb.mid, mid), at(limb.low, low)]));
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

/// The last joint as placed, and at other angles.
fn lows(limb: &ThreeLink, skeleton: &Skeleton, pose: &Pose) -> [Turning; 6] {
    let (low, now) = (limb.low, *pose.local(limb.low));
    let at = |rotation: DQuat| Turning::at(skeleton, low, &Transform { rotation, ..now }, pose.value(skeleton, low));
    let others = if let Some((axis, range)) = skeleton.hinge(low) {
        let ends = range.max - range.min < f64::INFINITY;
        let value = |share: f64| range.min + share * (range.max - range.min);
        let values = if ends { SHARES.map(value) } else { TURNS.map(|turn| range.clamp(turn)) };
        values.map(|value| skeleton.zero(low).rotation * arc::axis_angle(axis, value))
    } else {
        let [x, y] = [DVec3::X, DVec3::Z];
        let turns = [(x, TURNS[0]), (x, TURNS[1]), (x, TURNS[2]), (y, TURNS[1]), (y, TURNS[2])];
        turns.map(|(axis, turn)| skeleton.rest(low).rotation * arc::axis_angle(axis, turn))
    };
    let [a, b, c, d, e] = others.map(at);
    [at(now.rotation), a, b, c, d, e]
}
