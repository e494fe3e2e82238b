//! Where the limb goes: the middle joint's fold from the distance, the root's turn from line and
//! bend, and what gives way where a limit forbids that.

use glam::{DQuat, DVec3};

use super::carry::{Middle, carry, turned_about};
use super::fold::Fold;
use super::geometry::Reference;
use super::given::{Given, turn_between};
use super::measure::Measured;
use super::placement::{Placement, PlacementTarget};
use super::rest::RestBend;
use super::settings::TwoBone;
use super::stuck::Stuck;
use super::swivel::Scan;
use super::swivel_ends::Ends;
use super::{give_way, swivel};
use crate::goal::Swivel;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::Status;
use crate::transform::Transform;

/// Turn of the bend (radians), for each unit of excess, by which no allowed one is nearer: a turn takes half of itself off the
/// excess, and what is allowed may be nearer than where a limit looks for it.
const AWAY: f64 = 0.4;

/// The placement of the limb. `None` where the limb has no length.
pub(super) fn place(
    limb: &TwoBone,
    skeleton: &Skeleton,
    pose: &Pose,
    measured: &Measured,
    asked: PlacementTarget<'_>,
    blocked: &mut dyn FnMut(Joint),
) -> Option<Placement> {
    if asked.keeps(limb) {
        return place_as_given(limb, skeleton, pose, measured, asked, blocked);
    }
    let PlacementTarget { p, pole, last, .. } = asked;
    let rest = Reference { line: limb.rest.line, bend: limb.rest.bend };
    let stance = || measured.stance().unwrap_or(rest);
    let line = arc::unit(p).unwrap_or_else(|| stance().line);
    let distance = line.dot(p).max(0.0);
    let bend = |line: DVec3| {
        let bend = match pole {
            Some(pole) => arc::unit_across(pole, line, 1e-10).unwrap_or_else(|| stance().carried(line)),
            None if p == DVec3::ZERO => stance().carried(line),
            None => rest.carried(line),
        };
        turned_about(line, bend, limb.pole_angle)
    };
    if asked.weight < 1.0 {
        return place_part_way(limb, skeleton, pose, measured, (asked, line), bend, blocked);
    }
    let bend = bend(line);
    let way = Way { limb, skeleton, pose, measured, p, last, line, bend, keeps: false };
    let fold = &Fold::new(limb, skeleton, pose, measured, distance)?;
    let other = || Fold::other(limb, skeleton, pose, measured, distance);
    Some(way.settled(fold, other, blocked))
}

/// The placement in the plane of the pose given.
fn place_as_given(
    limb: &TwoBone,
    skeleton: &Skeleton,
    pose: &Pose,
    measured: &Measured,
    PlacementTarget { p, last, .. }: PlacementTarget<'_>,
    blocked: &mut dyn FnMut(Joint),
) -> Option<Placement> {
    let limb = &TwoBone { rest: RestBend { axis: limb.rest.preferred, ..limb.rest }, ..*limb };
    let line = arc::unit(p);
    let distance = line.map_or(0.0, |line| line.dot(p));
    let given = Given::of(limb, skeleton, pose, measured, distance)?;
    let line = line.unwrap_or(given.stance.line);
    let bend = given.stance.carried(line);
    let way = Way { limb, skeleton, pose, measured, p, last, line, bend, keeps: true };
    // The other fold of a hinge, or that of a ball from its rest.
    let other = || match skeleton.kind(limb.mid) {
        Kind::Hinge { .. } => Fold::other(limb, skeleton, pose, measured, distance),
        _ => Fold::new(limb, skeleton, pose, measured, distance),
    };
    Some(way.settled(&given.fold, other, blocked))
}

/// The placement part of the way from the bend of the pose given to another. The turn between them is that at the target
/// as asked, so that it is the same at every weight.
fn place_part_way(
    limb: &TwoBone,
    skeleton: &Skeleton,
    pose: &Pose,
    measured: &Measured,
    (PlacementTarget { p, last, weight, whole, .. }, line): (PlacementTarget<'_>, DVec3),
    bend: impl Fn(DVec3) -> DVec3,
    blocked: &mut dyn FnMut(Joint),
) -> Option<Placement> {
    let distance = line.dot(p).max(0.0);
    let given = Given::of(limb, skeleton, pose, measured, distance)?;
    let end = arc::unit(whole).unwrap_or(line);
    let turn = turn_between(end, given.stance.carried(end), bend(end));
    let bend = turned_about(line, given.stance.carried(line), turn * weight);
    let measured = &Measured { folds_from: arc::part_of_turn(measured.mid, measured.folds_from, weight), ..*measured };
    let way = Way { limb, skeleton, pose, measured, p, last, line, bend, keeps: true };
    let fold = Fold::new(limb, skeleton, pose, measured, distance)?;
    let other = || Fold::other(limb, skeleton, pose, measured, distance);
    Some(way.settled(&fold, other, blocked))
}

/// A limb, and how it should lie: towards a target, bent to one side of the line.
struct Way<'a> {
    limb: &'a TwoBone,
    skeleton: &'a Skeleton,
    pose: &'a Pose,
    measured: &'a Measured,
    p: DVec3,
    last: Option<&'a Swivel>,
    line: DVec3,
    bend: DVec3,
    /// Whether it should stay near the pose given.
    keeps: bool,
}

impl Way<'_> {
    /// The placement with this fold, else with the other one; where limits forbid both, they give way.
    fn settled(&self, fold: &Fold, other: impl FnOnce() -> Option<Fold>, blocked: &mut dyn FnMut(Joint)) -> Placement {
        let mut placement = self.placement(fold);
        if self.fits(fold, &mut placement, blocked) {
            return placement;
        }
        if let Some(other) = other() {
            let mut placement = self.placement(&other);
            if self.fits(&other, &mut placement, blocked) {
                return placement;
            }
        }
        let Self { limb, skeleton, pose, measured, p, .. } = *self;
        let stuck = Stuck { limb, skeleton, pose, measured, p };
        give_way::give_way(&stuck, self.keeps, &mut placement, blocked);
        placement
    }

    /// Where a fold brings the limb, limits left out.
    fn placement(&self, fold: &Fold) -> Placement {
        let reach = |v: DVec3| fold.stretch * self.measured.a.dot(v);
        let mid = Middle { along: reach(fold.line), across: reach(fold.bulge) };
        let swivel = carry(self.last, self.p, self.line, self.bend, mid, self.limb.reach.ratio());
        Placement {
            root: self.root(fold, swivel.bend),
            mid: fold.mid,
            mid_value: fold.value,
            stretch: fold.stretch,
            status: fold.status,
            swivel,
        }
    }

    fn root(&self, fold: &Fold, bend: DVec3) -> DQuat {
        arc::between_frames(fold.line, fold.bulge, self.line, bend)
    }

    /// Whether the limits allow the placement, the bend turned aside as little as they ask for.
    fn fits(&self, fold: &Fold, placement: &mut Placement, blocked: &mut dyn FnMut(Joint)) -> bool {
        if self.measured.is_free {
            return true;
        }
        if self.excess(self.limb.mid, fold.mid) >= swivel::ALLOWED {
            return false;
        }
        if self.excess(self.limb.root, placement.root) < swivel::ALLOWED {
            if fold.status == Status::Limited {
                blocked(self.limb.mid);
            }
            return true;
        }
        // A hinge at the root has no bend to turn aside.
        if matches!(self.skeleton.kind(self.limb.root), Kind::Hinge { .. }) {
            return false;
        }
        let turned = |angle: f64| turned_about(self.line, placement.swivel.bend, angle);
        let excess = |angle: f64| self.excess(self.limb.root, self.root(fold, turned(angle)));
        let from = arc::normalize(placement.root);
        let angle = match Ends::of(self.skeleton, self.limb.root, self.line, from) {
            Some(ends) => ends.nearest(|angle| excess(angle) < swivel::ALLOWED),
            None => Scan::of(excess).nearest_allowed(AWAY),
        };
        let Some(angle) = angle else { return false };
        let bend = turned(angle);
        placement.root = self.root(fold, bend);
        placement.bent(self.measured, bend);
        true
    }

    fn excess(&self, joint: Joint, rotation: DQuat) -> f64 {
        // A plane of bones that hardly bend is not quite square, nor is the rotation that it makes: it is applied as unit.
        let local = Transform { rotation: arc::normalize(rotation), ..*self.pose.local(joint) };
        self.pose.excess(self.skeleton, joint, &local)
    }
}
