//! Carrying the bend along: the plane of the last solve follows the target by the shortest arc, then
//! turns toward the pole as far as the ratio of speeds leaves room.
//!
//! Without state no rule is continuous: the pole's bend winds once round each end of the pole line. With
//! it, the middle joint goes `ratio · |p - p0|` at most, of which carrying along uses `|x(b) - x0|` and
//! turning by `σ` about the line `H σ`, `H` its distance from the line. A resting target rests.

use core::f64::consts::PI;

use glam::DVec3;

use crate::goal::Swivel;
use crate::math::{arc, ops};

/// Turns within this of half a turn (radians) go the way the last one went.
const HALF_TURN: f64 = 1e-6;

/// The middle joint for any bend: along the line and across it (metres).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Middle {
    pub(crate) along: f64,
    pub(crate) across: f64,
}

/// The bend for a target at `p` from the root, on the unit `line` to it, where the pole would have it at
/// `wanted`: unit directions perpendicular to the line. The state for the next solve comes with it.
pub(crate) fn carry(last: Option<&Swivel>, p: DVec3, line: DVec3, wanted: DVec3, mid: Middle, ratio: f64) -> Swivel {
    let at = |bend: DVec3| line * mid.along + bend * mid.across;
    let Some(last) = last else { return Swivel { target: p, bend: wanted, mid: at(wanted), turn: 0.0 } };
    let along = carried(last, p, line).unwrap_or(wanted);
    let mut sigma = ops::atan2(line.dot(along.cross(wanted)), along.dot(wanted));
    if sigma.abs() > PI - HALF_TURN && sigma * last.turn < 0.0 {
        sigma -= sigma.signum() * 2.0 * PI;
    }
    let room = (ratio * arc::length(p - last.target) - arc::length(at(along) - last.mid)).max(0.0);
    if sigma.abs() * mid.across <= room {
        return Swivel { target: p, bend: wanted, mid: at(wanted), turn: sigma };
    }
    let turn = sigma.signum() * room / mid.across;
    let bend = turned_about(line, along, turn);
    let sign = if turn == 0.0 { last.turn } else { turn };
    Swivel { target: p, bend, mid: at(bend), turn: sign }
}

/// The last bend, carried to the new line by the shortest arc; `None` where it says nothing.
fn carried(last: &Swivel, p: DVec3, line: DVec3) -> Option<DVec3> {
    if p == last.target {
        return arc::unit_reject(last.bend, line, 1e-6).map(|_| last.bend);
    }
    let bend = arc::unit(last.target).map_or(last.bend, |from| arc::arc(from, line, last.bend) * last.bend);
    arc::unit_reject(bend, line, 1e-6)
}

/// A direction perpendicular to the unit `line`, turned about it (radians).
pub(crate) fn turned_about(line: DVec3, bend: DVec3, angle: f64) -> DVec3 {
    if angle == 0.0 {
        return bend;
    }
    let (s, c) = ops::sin_cos(angle);
    bend * c + line.cross(bend) * s
}
