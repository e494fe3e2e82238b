//! What the walls around a joint leave of a turn: the nearest turn inside them, and how that goes with the turn.

use glam::{DMat3, DVec3};

use super::walls::{Walls, outer};
use crate::limit::Range;
use crate::math::ops;

/// Way (radians, or shares of a swing) beyond a wall that is rounding.
const ROUNDING: f64 = 1e-12;
/// Steps to the place on a rim, and what may be left (shares of a swing).
const STEPS: u32 = 40;
const ENOUGH: f64 = 1e-14;
/// Places of planes that may hold at once.
const SETS: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];

/// The nearest turn inside the walls.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Kept {
    /// Radians, in the parent's space.
    pub(in crate::solve) turn: DVec3,
    /// Its derivative by the turn that was wanted: symmetric, with eigenvalues from zero to one.
    pub(in crate::solve) share: DMat3,
}

impl Walls {
    /// The nearest turn inside the walls, of which those of a range are planes and that of a swing is a disc's rim.
    pub(in crate::solve) fn nearest(&self, turn: DVec3) -> Kept {
        if self.is_round() { self.in_disc(turn) } else { self.between_planes(turn, self.rooms()) }
    }

    fn is_round(&self) -> bool {
        self.disc && !self.frozen[0] && !self.frozen[1]
    }

    /// How far each value may go down and up.
    fn rooms(&self) -> [Range; 3] {
        [0, 1, 2].map(|place| {
            let (value, range) = (self.values[place], self.ranges[place]);
            let range = if self.disc && place < 2 { Range { min: -1.0, max: 1.0 } } else { range };
            if self.frozen[place] {
                Range { min: 0.0, max: 0.0 }
            } else {
                Range { min: (range.min - value).min(0.0), max: (range.max - value).max(0.0) }
            }
        })
    }

    /// Of all sets of planes, the one that holds what presses on it and keeps the rest inside.
    fn between_planes(&self, turn: DVec3, rooms: [Range; 3]) -> Kept {
        let way = self.rows.map(|row| row.dot(turn));
        if (0..3).all(|k| rooms[k].contains(way[k])) {
            return Kept { turn, share: DMat3::IDENTITY };
        }
        let nothing = Kept { turn: DVec3::ZERO, share: DMat3::ZERO };
        SETS.iter().find_map(|held| self.against(turn, way, rooms, held)).unwrap_or(nothing)
    }

    /// On the planes of these places, at the ends that the turn presses on; `None` where it does not, or leaves another room.
    fn against(&self, turn: DVec3, way: [f64; 3], rooms: [Range; 3], held: &[usize]) -> Option<Kept> {
        let across = self.across(held)?;
        let is_free = |k: usize, way: f64| way >= rooms[k].min - ROUNDING && way <= rooms[k].max + ROUNDING;
        for code in 0..1 << held.len() {
            let is_upper = |i: usize| code >> i & 1 == 1;
            let end = |i: usize| if is_upper(i) { rooms[held[i]].max } else { rooms[held[i]].min };
            let back = (0..held.len()).fold(DVec3::ZERO, |back, i| back + across[i] * (way[held[i]] - end(i)));
            let presses = |i: usize| {
                let (room, force) = (rooms[held[i]], across[i].dot(back));
                room.min == room.max || if is_upper(i) { force >= 0.0 } else { force <= 0.0 }
            };
            let there = turn - back;
            if back.is_finite()
                && (0..held.len()).all(presses)
                && (0..3).all(|k| held.contains(&k) || is_free(k, self.rows[k].dot(there)))
            {
                let taken = (0..held.len()).fold(DMat3::ZERO, |sum, i| sum + outer(across[i], self.rows[held[i]]));
                return Some(Kept { turn: there, share: DMat3::IDENTITY - taken });
            }
        }
        None
    }

    /// The turns in the span of these rows that change one of their values by one and the others not; `None` where the rows span less.
    fn across(&self, held: &[usize]) -> Option<[DVec3; 3]> {
        let row = |i: usize| self.rows[held[i]];
        // Rows that stand across what is not held take its place.
        let (a, b, c) = match held.len() {
            1 => return Some([row(0) / row(0).length_squared(), DVec3::ZERO, DVec3::ZERO]),
            2 => (row(0), row(1), row(0).cross(row(1))),
            _ => (row(0), row(1), row(2)),
        };
        let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b));
        let volume = a.dot(bc);
        (volume != 0.0).then(|| [bc / volume, ca / volume, ab / volume])
    }

    /// In a swing's disc and a twist's range.
    fn in_disc(&self, turn: DVec3) -> Kept {
        let ([x, y, axis], room) = (self.rows, self.rooms()[2]);
        let twist = |turn: DVec3| axis.dot(turn);
        let kept = self.inside_rim(turn, [x, y]);
        let way = twist(kept.turn);
        if room.contains(way) {
            return kept;
        }
        // On the plane at the end that the twist passes, and inside the rim along it.
        let square = axis.dot(axis);
        let flat = |v: DVec3| v - axis * (axis.dot(v) / square);
        let on_plane = |bound: f64| turn - axis * ((twist(turn) - bound) / square);
        let bound = if way > room.max { room.max } else { room.min };
        let mut kept = self.inside_rim(on_plane(bound), [flat(x), flat(y)]);
        kept.share -= outer(axis, axis * (1.0 / square));
        kept
    }

    /// Inside the rim alone, of which these rows are the rates of the two shares.
    fn inside_rim(&self, turn: DVec3, [x, y]: [DVec3; 2]) -> Kept {
        let (a, b) = (self.values[0], self.values[1]);
        let (u, v) = (a + self.rows[0].dot(turn), b + self.rows[1].dot(turn));
        let size = |u: f64, v: f64| ops::sqrt(u * u + v * v);
        let rim = size(a, b).max(1.0);
        if size(u, v) <= rim {
            return Kept { turn, share: DMat3::IDENTITY };
        }
        // (1 + force M) (p, q) = (u, v) with the rows' products M, and (p, q) on the rim.
        let (xx, xy, yy) = (x.dot(x), x.dot(y), y.dot(y));
        let answer = |force: f64, u: f64, v: f64| {
            let (p, q, r) = (1.0 + force * xx, force * xy, 1.0 + force * yy);
            let det = p * r - q * q;
            ((r * u - q * v) / det, (p * v - q * u) / det)
        };
        let mut force = 0.0;
        let mut on = (u, v);
        for _ in 0..STEPS {
            let length = size(on.0, on.1);
            if length <= rim * (1.0 + ENOUGH) {
                break;
            }
            let moved = answer(force, xx * on.0 + xy * on.1, xy * on.0 + yy * on.1);
            let slope = on.0 * moved.0 + on.1 * moved.1;
            force += (length / rim - 1.0) * length * length / slope;
            on = answer(force, u, v);
        }
        let normal = x * on.0 + y * on.1;
        let bent = DMat3::IDENTITY + (outer(x, x) + outer(y, y)) * force;
        let inverse = bent.inverse();
        let across = inverse * normal;
        Kept { turn: turn - normal * force, share: inverse - outer(across, across * (1.0 / normal.dot(across))) }
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::math::arc;

    fn vector(rng: &mut Rng, size: f64) -> DVec3 {
        DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5) * (2.0 * size)
    }

    /// Walls around a value inside of them, often one at an end, with rows that are far from square to each other.
    fn walls(rng: &mut Rng) -> Walls {
        let disc = rng.bool();
        let ranges = [0; 3].map(|_| Range { min: -rng.f64(), max: 0.1 + rng.f64() });
        let mut values = ranges.map(|range| match rng.u8(0..3) {
            0 => range.min,
            1 => range.max,
            _ => range.min + (range.max - range.min) * rng.f64(),
        });
        if disc {
            let (u, v) = (rng.f64() - 0.5, rng.f64() - 0.5);
            let size = if rng.bool() { ops::sqrt(u * u + v * v) } else { 1.0 };
            (values[0], values[1]) = (u / size, v / size);
        }
        let rows = [DVec3::X, DVec3::Y, DVec3::Z].map(|row| row + vector(rng, 0.4));
        let frozen = [0; 3].map(|_| rng.u8(0..8) == 0);
        Walls { rows, bends: [[DVec3::ZERO; 3]; 3], values, ranges, disc, frozen: [frozen[0], frozen[1], false] }
    }

    /// By how much a turn leaves the walls.
    fn outside(walls: &Walls, turn: DVec3) -> f64 {
        let way = walls.rows.map(|row| row.dot(turn));
        let there = [0, 1, 2].map(|k| walls.values[k] + way[k]);
        let mut most = 0.0_f64;
        for k in 0..3 {
            let off = if walls.frozen[k] {
                way[k].abs()
            } else if walls.disc && k < 2 {
                0.0
            } else {
                (there[k] - walls.ranges[k].max).max(walls.ranges[k].min - there[k])
            };
            most = most.max(off);
        }
        let share = |k: usize| if walls.frozen[k] { 0.0 } else { there[k] };
        if walls.disc && !(walls.frozen[0] && walls.frozen[1]) {
            most = most.max(ops::sqrt(share(0) * share(0) + share(1) * share(1)) - 1.0);
        }
        most
    }

    #[test]
    fn no_turn_inside_is_nearer() {
        let rng = &mut Rng::with_seed(1);
        for _ in 0..2000 {
            let (walls, wanted) = (walls(rng), vector(rng, 2.0));
            let kept = walls.nearest(wanted).turn;
            assert!(outside(&walls, kept) < 1e-10, "{walls:?} {wanted}");
            // Of a convex set the nearest point is the one from which no other lies on the side of what is wanted.
            for _ in 0..100 {
                let other = vector(rng, 1.5);
                let mut sizes = core::iter::successors(Some(1.0), |size| Some(0.8 * size)).take(40);
                let other = other * sizes.find(|size| outside(&walls, other * *size) <= 0.0).unwrap_or(0.0);
                assert!((wanted - kept).dot(other - kept) < 1e-9, "{walls:?} {wanted}: {kept}, not {other}");
            }
        }
    }

    #[test]
    fn its_share_is_its_derivative() {
        const STEP: f64 = 1e-6;
        let (rng, mut bad) = (&mut Rng::with_seed(2), 0);
        for _ in 0..2000 {
            let (walls, wanted) = (walls(rng), vector(rng, 2.0));
            let share = walls.nearest(wanted).share;
            for way in [DVec3::X, DVec3::Y, DVec3::Z] {
                let [up, down] = [STEP, -STEP].map(|step| walls.nearest(wanted + way * step).turn);
                let off = arc::length((up - down) / (2.0 * STEP) - share * way);
                // Where a wall begins or ends to hold there is none.
                bad += u32::from(off > 1e-5);
            }
        }
        assert!(bad < 6, "{bad}");
    }
}
