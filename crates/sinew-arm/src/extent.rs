//! How far an arm leads, whatever its angles: what proves that a target is out of its reach.
//!
//! The place of a hinge on its own axis is free to choose, since turning about the axis does not move it. The places chosen are those
//! between which the links are shortest. With a rotation the last axis is known, too, and the arm has to lead no farther than there:
//! for a wrist whose axes meet, to the wrist.

use sinew::glam::DVec3;
use sinew::math::{arc, ops};

use crate::arm::{Aim, Arm, Link, MOST};

/// Share by which a target must be out of reach.
const BEYOND: f64 = 1e-9;
/// How often the places are chosen anew: each time can only shorten the links.
const SWEEPS: usize = 8;

impl Link {
    /// The next joint's axis, in the frame after the motion.
    fn next_axis(&self) -> DVec3 {
        DVec3::new(0.0, -self.tilt.0, self.tilt.1)
    }
}

impl Arm {
    /// Whether no angles bring the tip to a target, inside limits or not.
    pub(crate) fn is_too_short(&self, aim: &Aim) -> bool {
        let [x, y, z, ..] = aim.slack;
        let slack = ops::sqrt(x * x + y * y + z * z);
        let last = self.joints.saturating_sub(1);
        let wrist = aim.position - aim.frame * self.links.get(last).map_or(DVec3::ZERO, |link| link.offset);
        self.is_rigid
            && (self.is_beyond(aim.position, None, slack)
                || aim.is_whole && last > 0 && self.is_beyond(wrist, Some(aim.frame.z_axis), 0.0))
    }

    /// Whether the links do not lead from the first axis to a point: the tip's, or the last joint's with its axis.
    fn is_beyond(&self, point: DVec3, axis: Option<DVec3>, slack: f64) -> bool {
        let links = &self.links[..self.joints];
        let count = if axis.is_some() { links.len() - 1 } else { links.len() };
        let mut along = [0.0; MOST];
        let ahead = |i: usize, along: &[f64; MOST]| match along.get(i + 1) {
            Some(next) if i + 1 < links.len() => links[i].offset + links[i].next_axis() * *next,
            _ => links[i].offset,
        };
        for _ in 0..SWEEPS {
            for i in 0..links.len() {
                let after = (i < count).then(|| ahead(i, &along)).map(|way| beside(way, DVec3::Z));
                let before =
                    i.checked_sub(1).map(|j| beside(DVec3::Z * along[j] - links[j].offset, links[j].next_axis()));
                along[i] = match (before, after) {
                    // Where the straight line between both crosses the axis, once they are turned into one plane.
                    (Some((a, p)), Some((b, q))) if p + q > 0.0 => (a * q + b * p) / (p + q),
                    (Some((a, _)), _) | (None, Some((a, _))) => a,
                    (None, None) => 0.0,
                };
            }
        }
        let lengths = (0..count).map(|i| arc::length(ahead(i, &along) - DVec3::Z * along[i]));
        let first = self.start + self.stand.z_axis * along[0];
        let end = axis.map_or(point, |axis| point + axis * along[links.len() - 1]);
        arc::length(end - first) > lengths.sum::<f64>() * (1.0 + BEYOND) + slack
    }
}

/// How far a point lies along an axis through the origin, and beside it.
fn beside(point: DVec3, axis: DVec3) -> (f64, f64) {
    let along = point.dot(axis);
    (along, arc::length(point - axis * along))
}
