//! The border of what a root joint may do, and its lowest places for any measure of rotations.
//!
//! A limb that limits keep from its target does so at the border of its root's limit: inside, the root turns on until the
//! limb points at the target, and then only the length is wrong. The border is the rim of a swing with the twists there, or
//! the faces of a box of Euler angles: pieces of two values each. A hinge's range is one piece of one value. So two values
//! are left, which a coarse grid and Newton's steps find.

use core::f64::consts::{PI, TAU};

use glam::DQuat;

use crate::limit::{Range, Sines};
use crate::math::ops;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};

/// Pieces, at most: the faces of a box.
const PIECES: usize = 6;
/// Places of a grid along one value, at most.
const MOST: usize = 16;
/// Lowest places of grids that are refined, at most.
pub(super) const KEPT: usize = 4;
/// Newton's steps of one, at most.
const STEPS: u32 = 3;
/// Step (radians) of a difference, whose square and the root of rounding are alike; and one after which steps in the
/// limits' own coordinates take over.
const DIFFERENCE: f64 = 1e-4;
const STILL: f64 = 1e-5;
/// All steps together gain at most this many times what the next one is expected to gain along its slope. HEURISTIC: half of it loses
/// one arm in hundreds.
const HOPEFUL: f64 = 2.0;
/// Way (radians) to an end that is none, and what success and failure make of the longest step.
const STOPPED: f64 = 1e-9;
const GROWTH: f64 = 4.0;

/// Places of a grid: around a rim, along its twists, and across a face.
pub(super) struct Grid {
    around: usize,
    along: usize,
    across: usize,
}

/// For heights in closed form, which are refined, and for others, which only say where to start.
pub(super) const FINE: Grid = Grid { around: 14, along: 6, across: 4 };
pub(super) const COARSE: Grid = Grid { around: 8, along: 2, across: 2 };

/// The sine and cosine that one value comes to.
type Part = [f64; 2];

/// The border of a joint's limit.
pub(super) struct Border {
    /// Around the rotation that pieces give: `left · piece · right` is the joint's local rotation.
    pub(super) left: DQuat,
    pub(super) right: DQuat,
    pieces: [Option<Piece>; PIECES],
}

#[derive(Clone, Copy)]
struct Piece {
    shape: Shape,
    values: [Values; 2],
}

#[derive(Clone, Copy)]
enum Shape {
    /// A swing as large as it may be, by its direction, after a twist; the sines of half the largest swings.
    Rim(Sines),
    /// Euler angles of which one is at an end of its range, by the other two in order.
    Face { axes: [usize; 3], fixed: usize, at: Part },
    /// A turn about an axis by the first value.
    Hinge(glam::DVec3),
}

/// The values along one way of a piece.
#[derive(Clone, Copy)]
struct Values {
    range: Range,
    /// Whether the ends meet.
    round: bool,
    count: usize,
    /// Whether rotations take half of the value.
    half: bool,
    /// Share of a step by which places are amid their parts of the range, not at its ends.
    amid: f64,
}

/// A place on the border: its piece, values, and how low it is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    piece: usize,
    at: [f64; 2],
    pub(super) height: f64,
}

impl Values {
    fn of(range: Range, count: usize) -> Self {
        let round = range.max - range.min >= TAU;
        let range = if round { Range::new(-PI, PI) } else { range };
        let count = if range.max > range.min { count } else { 1 };
        Self { range, round, count, half: true, amid: 0.0 }
    }

    const NONE: Self = Self { range: Range::new(0.0, 0.0), round: false, count: 1, half: true, amid: 0.0 };

    fn step(&self) -> f64 {
        let gaps = if self.round || self.amid > 0.0 { self.count } else { self.count.max(2) - 1 };
        (self.range.max - self.range.min) / gaps as f64
    }

    fn value(&self, i: usize) -> f64 {
        if self.amid > 0.0 {
            return self.range.min + self.step() * (i as f64 + self.amid);
        }
        let is_end = !self.round && self.count > 1 && i + 1 == self.count;
        if is_end { self.range.max } else { self.range.min + self.step() * i as f64 }
    }

    fn part(&self, value: f64) -> Part {
        let (sine, cosine) = ops::sin_cos(if self.half { 0.5 * value } else { value });
        [sine, cosine]
    }

    /// The place after `i`, or before, if there is one.
    fn beside(&self, i: usize, forward: bool) -> Option<usize> {
        match (forward, self.round) {
            (true, _) if i + 1 < self.count => Some(i + 1),
            (true, true) => Some(0),
            (false, _) if i > 0 => Some(i - 1),
            (false, true) => Some(self.count - 1),
            _ => None,
        }
    }
}

impl Border {
    /// `None` of a joint that has no limit, or does not turn.
    pub(super) fn of(skeleton: &Skeleton, joint: Joint, grid: &Grid) -> Option<Self> {
        let zero = skeleton.zero(joint).rotation;
        let rim = |frame: DQuat, size: Sines, twist: Range| {
            // No place is between two quarters, where differences say nothing.
            let amid = if size.quarters().count() > 1 { 0.25 } else { 0.0 };
            let around = Values { half: false, amid, ..Values::of(Range::FREE, grid.around) };
            let piece = Piece { shape: Shape::Rim(size), values: [around, Values::of(twist, grid.along)] };
            Self { left: zero * frame, right: frame.conjugate(), pieces: [Some(piece), None, None, None, None, None] }
        };
        Some(match skeleton.kind(joint) {
            Kind::Hinge { axis, .. } => {
                let piece = Piece {
                    shape: Shape::Hinge(axis),
                    values: [Values::of(skeleton.range(joint), MOST), Values::NONE],
                };
                Self { left: zero, right: DQuat::IDENTITY, pieces: [Some(piece), None, None, None, None, None] }
            }
            Kind::Ball(BallLimit::SwingTwist(limit)) => rim(limit.frame(), limit.sines(), limit.twist()),
            Kind::Ball(BallLimit::EllipticSwing(limit)) => rim(limit.frame(), limit.sines(), limit.twist()),
            Kind::Ball(BallLimit::Euler(limit)) => {
                let turns = limit.turns();
                let axes = turns.map(|(axis, _)| usize::from(axis.y == 1.0) + 2 * usize::from(axis.z == 1.0));
                let mut pieces = [None; PIECES];
                for (place, piece) in pieces.iter_mut().enumerate() {
                    let fixed = place / 2;
                    let range = turns[fixed].1;
                    let end = if place % 2 == 0 { range.min } else { range.max };
                    let others = [usize::from(fixed == 0), 2 - usize::from(fixed == 2)];
                    let at = Values::NONE.part(end);
                    let amid = if grid.across == 2 { 0.5 } else { 0.0 };
                    let values = others.map(|other| Values { amid, ..Values::of(turns[other].1, grid.across) });
                    *piece = end.is_finite().then_some(Piece { shape: Shape::Face { axes, fixed, at }, values });
                }
                Self { left: zero, right: DQuat::IDENTITY, pieces }
            }
            _ => return None,
        })
    }

    /// The joint's local rotation at a place.
    pub(super) fn rotation(&self, place: &Place) -> DQuat {
        let piece = self.pieces[place.piece].as_ref().expect("places are on pieces");
        self.left * piece.turn(piece.parts(place.at)) * self.right
    }

    /// The lowest places, the lowest first; refined, if asked. `height` is told the piece's own rotation.
    pub(super) fn lowest(&self, height: impl Fn(DQuat) -> f64, refine: bool) -> [Option<Place>; KEPT] {
        let mut kept: [Option<Place>; KEPT] = [None; KEPT];
        for (number, piece) in self.pieces.iter().enumerate() {
            if let Some(piece) = piece {
                piece.grid(&height, |at, height| keep(&mut kept, Place { piece: number, at, height }));
            }
        }
        let mut lowest = f64::INFINITY;
        for place in kept.iter_mut().flatten().filter(|_| refine) {
            if let Some(piece) = &self.pieces[place.piece] {
                (place.at, place.height) = piece.refined(&height, place.at, place.height, lowest);
                lowest = lowest.min(place.height);
            }
        }
        kept.sort_unstable_by(|a, b| height_of(a.as_ref()).total_cmp(&height_of(b.as_ref())));
        kept
    }
}

fn height_of(place: Option<&Place>) -> f64 {
    place.map_or(f64::INFINITY, |place| place.height)
}

/// Keeps a place among the lowest.
fn keep(kept: &mut [Option<Place>; KEPT], place: Place) {
    let mut next = Some(place);
    for slot in kept.iter_mut() {
        if height_of(next.as_ref()) < height_of(slot.as_ref()) {
            core::mem::swap(slot, &mut next);
        }
    }
}

impl Piece {
    fn parts(&self, at: [f64; 2]) -> [Part; 2] {
        [self.values[0].part(at[0]), self.values[1].part(at[1])]
    }

    /// The rotation of a place.
    fn turn(&self, [one, two]: [Part; 2]) -> DQuat {
        match self.shape {
            Shape::Rim(size) => {
                let size = size.at(one[1], one[0]);
                let (a, b) = (size[0] * one[1], size[1] * one[0]);
                let real = ops::sqrt_clamped(1.0 - a * a - b * b);
                let [sine, cosine] = two;
                DQuat::from_xyzw(a * cosine + b * sine, b * cosine - a * sine, real * sine, real * cosine)
            }
            Shape::Face { axes, fixed, at } => {
                let parts = match fixed {
                    0 => [at, one, two],
                    1 => [one, at, two],
                    _ => [one, two, at],
                };
                let turn = |place: usize| {
                    let [sine, cosine] = parts[place];
                    let mut turn = [0.0, 0.0, 0.0, cosine];
                    turn[axes[place]] = sine;
                    DQuat::from_array(turn)
                };
                turn(0) * turn(1) * turn(2)
            }
            Shape::Hinge(axis) => DQuat::from_xyzw(axis.x * one[0], axis.y * one[0], axis.z * one[0], one[1]),
        }
    }

    /// Tells the places of a grid that are no higher than those beside them.
    fn grid(&self, height: impl Fn(DQuat) -> f64, mut found: impl FnMut([f64; 2], f64)) {
        let [rows, columns] = &self.values;
        let mut parts = [[[0.0; 2]; MOST]; 2];
        for (parts, values) in parts.iter_mut().zip(&self.values) {
            for (i, part) in parts.iter_mut().enumerate().take(values.count) {
                *part = values.part(values.value(i));
            }
        }
        let mut heights = [[0.0; MOST]; MOST];
        for i in 0..rows.count {
            for k in 0..columns.count {
                heights[i][k] = height(self.turn([parts[0][i], parts[1][k]]));
            }
        }
        for i in 0..rows.count {
            for k in 0..columns.count {
                let here = heights[i][k];
                let lower = |i: Option<usize>, k: Option<usize>| i.zip(k).is_some_and(|(i, k)| heights[i][k] < here);
                let sides = [true, false];
                let is_low = !sides
                    .iter()
                    .any(|&way| lower(rows.beside(i, way), Some(k)) || lower(Some(i), columns.beside(k, way)));
                if is_low {
                    found([rows.value(i), columns.value(k)], here);
                }
            }
        }
    }

    /// Newton's steps by differences, inside the ranges, as long as they may lead below what is lowest elsewhere.
    fn refined(&self, height: impl Fn(DQuat) -> f64, mut at: [f64; 2], mut low: f64, other: f64) -> ([f64; 2], f64) {
        let inside = |i: usize, value: f64| {
            let values = &self.values[i];
            if values.round { value } else { values.range.clamp(value) }
        };
        let steps = [self.values[0].step(), self.values[1].step()];
        let mut longest = steps;
        let mut parts = self.parts(at);
        let small = self.parts([DIFFERENCE; 2]);
        for _ in 0..STEPS {
            let [one, two] = parts;
            let beside = |i: usize, sign: f64| {
                let ([sine, cosine], [by, along]) = (parts[i], small[i]);
                [sine * along + sign * cosine * by, cosine * along - sign * sine * by]
            };
            let [fore, back, left, right] = [beside(0, 1.0), beside(0, -1.0), beside(1, 1.0), beside(1, -1.0)];
            let of = |a: Part, b: Part| height(self.turn([a, b]));
            let (ahead, behind, up, down) = (of(fore, two), of(back, two), of(one, left), of(one, right));
            let slope = [ahead - behind, up - down].map(|difference| difference / (2.0 * DIFFERENCE));
            let square = DIFFERENCE * DIFFERENCE;
            let (aa, bb) = ((ahead + behind - 2.0 * low) / square, (up + down - 2.0 * low) / square);
            let ab = (of(fore, left) - ahead - up + low) / square;
            let mut step = newton(slope, [aa, ab, bb], longest);
            // What an end stops is no freedom: the other value goes alone.
            let stopped = [0, 1].map(|i| {
                self.values[i].count == 1 || (inside(i, at[i] + step[i]) - at[i]).abs() < STOPPED && step[i] != 0.0
            });
            for i in [0, 1] {
                if stopped[i] {
                    step[i] = 0.0;
                    step[1 - i] = if stopped[1 - i] { 0.0 } else { alone(slope[1 - i], [bb, aa][i], longest[1 - i]) };
                }
            }
            let along = slope[0] * step[0] + slope[1] * step[1];
            let bent = aa * step[0] * step[0] + 2.0 * ab * step[0] * step[1] + bb * step[1] * step[1];
            if low + HOPEFUL * (along + (0.5 * bent).min(0.0)) > other {
                break;
            }
            let next = [inside(0, at[0] + step[0]), inside(1, at[1] + step[1])];
            let ahead = self.parts(next);
            let here = of(ahead[0], ahead[1]);
            if here < low {
                (at, parts, low) = (next, ahead, here);
                longest = [0, 1].map(|i| steps[i].min(GROWTH * longest[i]));
            } else {
                // What was stopped has not failed.
                longest = [0, 1].map(|i| if stopped[i] { longest[i] } else { step[i].abs() / GROWTH });
            }
            if step[0].abs() + step[1].abs() < STILL {
                break;
            }
        }
        (at, low)
    }
}

/// The step of one value down its slope.
fn alone(slope: f64, bend: f64, longest: f64) -> f64 {
    let step = if bend > 0.0 { -slope / bend } else { -slope.signum() * longest };
    step.clamp(-longest, longest)
}

/// The step of both, each no longer than `longest`.
fn newton(slope: [f64; 2], [aa, ab, bb]: [f64; 3], longest: [f64; 2]) -> [f64; 2] {
    let determinant = aa * bb - ab * ab;
    let step = if aa > 0.0 && determinant > 1e-9 * aa * bb.abs() {
        [(ab * slope[1] - bb * slope[0]) / determinant, (ab * slope[0] - aa * slope[1]) / determinant]
    } else {
        [alone(slope[0], aa, longest[0]), alone(slope[1], bb, longest[1])]
    };
    let share = [0, 1].map(|i| if step[i].abs() > longest[i] { longest[i] / step[i].abs() } else { 1.0 });
    let share = share[0].min(share[1]);
    step.map(|step| step * share)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use glam::DVec3;

    use super::*;
    use crate::laws::rigs::{direction, rotation};
    use crate::math::arc;
    use crate::skeleton::SkeletonBuilder;
    use crate::solve::two_bone::swivel_ends::tests::ball;
    use crate::transform::Transform;

    /// Where a joint cannot point a bone at a target, the lowest place of its border is as near as any allowed rotation.
    #[test]
    fn no_allowed_rotation_points_nearer() {
        let (mut rng, mut blocked) = (Rng::with_seed(3), 0);
        for case in 0..150 {
            let mut builder = SkeletonBuilder::new();
            builder.add(ball(&mut rng));
            let skeleton = builder.build().unwrap();
            let joint = skeleton.at(0).unwrap();
            let (bone, target): (DVec3, DVec3) = (direction(&mut rng), direction(&mut rng));
            let mut nearest = f64::INFINITY;
            for _ in 0..4000 {
                let local = Transform { rotation: rotation(&mut rng).quaternion(), ..*skeleton.rest(joint) };
                let turned = skeleton.nearest_allowed(joint, &local, 0.0).rotation;
                nearest = nearest.min((target - turned * bone).length_squared());
            }
            let border = Border::of(&skeleton, joint, &FINE).unwrap();
            let height = |turn: DQuat| (target - border.left * (turn * (border.right * bone))).length_squared();
            let lowest = border.lowest(height, true)[0].unwrap();
            let own = border.rotation(&lowest);
            let local = Transform { rotation: own, ..*skeleton.rest(joint) };
            let allowed = skeleton.nearest_allowed(joint, &local, 0.0).rotation;
            assert!(arc::rotation_vector(allowed.conjugate() * own).length() < 1e-7, "{case}");
            assert!(((target - own * bone).length_squared() - lowest.height).abs() < 1e-12, "{case}");
            // Nearer than that a rotation inside may point straight at the target.
            if nearest > 0.01 {
                blocked += 1;
                // Three steps leave so much.
                assert!(lowest.height <= 1.001 * nearest + 1e-6, "{case}: {} {nearest}", lowest.height);
            }
        }
        assert!(blocked > 40, "{blocked}");
    }
}
