//! Where no turn of the limb is allowed as it is: root and middle joint give way inside their limits,
//! each taking up what the other may not do, to the nearest miss.
//!
//! A root whose limit does not let the limb point at the target stops at the border of that limit (see
//! [`border`](super::border)), and a hinge in the middle then has one best angle. So two values are left: the lowest place of
//! that border is the answer, to the last digit after a few of Newton's steps in the limits' own coordinates. As the target
//! moves it moves along, but where two places are equally near: there it goes over to the other one.
//!
//! All other pairs are found by [`descents`](super::descents).

use glam::DMat3;

use super::at_border::Roots;
use super::placement::Placement;
use super::rest::STRAIGHT;
use super::stuck::{Pair, Stuck};
use super::{descents, fold, hinge_pair};
use crate::math::arc;
use crate::skeleton::Joint;
use crate::solve::Status;
use crate::solve::limited::Links;

/// Moves the placement inside the limits; one that `keeps` is looked for from the pose given first.
pub(super) fn give_way(stuck: &Stuck<'_>, keeps: bool, placement: &mut Placement, blocked: &mut dyn FnMut(Joint)) {
    // In units of the unstretched limb.
    let stuck = Stuck { p: stuck.p / placement.stretch, ..*stuck };
    let links = stuck.links();
    let given = [stuck.limb.root, stuck.limb.mid].map(|joint| {
        let rotation = stuck.pose.local(joint).rotation;
        (stuck.at(joint, rotation), rotation)
    });
    let found = if let Some([root, mid]) = hinge_pair::nearest(&stuck) {
        Some(links.nearest([stuck.root(root), stuck.mid(mid)], stuck.p))
    } else {
        stuck.found(&links, keeps, &given.map(|(turning, _)| turning), placement)
    };
    let Some(found) = found else { return };
    stuck.settle(&links.settled(found, given, stuck.p), placement, blocked);
}

impl Stuck<'_> {
    fn links(&self) -> Links<2, 6> {
        let measured = self.measured;
        // At rest, so that it does not depend on the pose.
        let second = measured.link * (self.skeleton.rest(self.limb.mid).rotation * measured.b);
        Links {
            offsets: [measured.a, measured.b],
            maps: [measured.link, DMat3::IDENTITY],
            length: arc::length(measured.a) + arc::length(second),
        }
    }

    /// The nearest pair, and its miss.
    fn found(&self, links: &Links<2, 6>, keeps: bool, given: &Pair, placement: &Placement) -> Option<(Pair, f64)> {
        let (circle, range) = fold::circle(self.limb, self.skeleton, self.measured);
        if range.is_some()
            && circle.is_uniform()
            && let Some(start) = Roots::refined(self).and_then(|roots| roots.lowest())
        {
            return Some(links.nearest(start, self.p));
        }
        descents::nearest(self, links, keeps, given, placement)
    }

    /// Writes the pair into the placement and names the joints that would go on if they might.
    fn settle(&self, [root, mid]: &Pair, placement: &mut Placement, blocked: &mut dyn FnMut(Joint)) {
        let value = mid.value();
        // Once more through the limits, for their own bits.
        let (root, mid) = (self.root(root.rotation).rotation, self.mid(mid.rotation).rotation);
        let tip = self.measured.tip(mid);
        let reach = root * tip;
        (placement.root, placement.mid, placement.mid_value) = (root, mid, value);
        let bend = arc::unit(reach).and_then(|line| arc::unit_reject(root * self.measured.a, line, STRAIGHT));
        placement.bent(self.measured, bend.unwrap_or(placement.swivel.bend));
        if arc::length(self.p - reach) <= 1e-9 * self.measured.length {
            return;
        }
        placement.status = Status::Limited;
        // Where the middle joint would have to point its tip, in its parent's frame.
        let wanted = self.measured.link.inverse() * (root.conjugate() * self.p - self.measured.a);
        let (root_now, mid_now) = (reach, mid * self.measured.b);
        for (joint, now, wanted) in [(self.limb.root, root_now, self.p), (self.limb.mid, mid_now, wanted)] {
            let (Some(from), Some(to)) = (arc::unit(now), arc::unit(wanted)) else { continue };
            if arc::length(from - to) > 1e-7 {
                blocked(joint);
            }
        }
    }
}
