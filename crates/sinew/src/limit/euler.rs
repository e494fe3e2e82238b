//! A ball joint's ranges about three axes in turn, as animation and robot files give them: each angle is
//! clamped by itself, in the order named.
//!
//! The angles are read as sines and cosines from the rotation's matrix and put together again from half
//! angles, without trigonometry after construction. Every rotation has two sets of angles, the middle one
//! within a quarter turn or beyond it: it is allowed where either is, else the nearer clamp counts. At a
//! quarter turn (gimbal lock) only the sum or difference of the outer angles is known, and the split
//! that the ranges allow is taken.

use core::f64::consts::{PI, TAU};

use glam::{DMat3, DQuat, DVec3};

use super::Range;
use super::twist::SLACK;
use crate::math::{arc, ops};

/// Cosine of the middle angle below which the outer axes coincide.
const LOCKED: f64 = 1e-9;

/// The order of the axes: `Xyz` turns about x, then about the turned y, then about the twice turned z, so
/// that the rotation is `X · Y · Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EulerOrder {
    /// `X · Y · Z`.
    Xyz,
    /// `X · Z · Y`.
    Xzy,
    /// `Y · X · Z`.
    Yxz,
    /// `Y · Z · X`.
    Yzx,
    /// `Z · X · Y`.
    Zxy,
    /// `Z · Y · X`: yaw, pitch and roll where z is up.
    Zyx,
}

impl EulerOrder {
    /// The axes in turn, and whether they run backwards (an odd permutation).
    fn axes(self) -> ([usize; 3], bool) {
        match self {
            Self::Xyz => ([0, 1, 2], false),
            Self::Yzx => ([1, 2, 0], false),
            Self::Zxy => ([2, 0, 1], false),
            Self::Xzy => ([0, 2, 1], true),
            Self::Yxz => ([1, 0, 2], true),
            Self::Zyx => ([2, 1, 0], true),
        }
    }
}

/// An angle as the point `(cos, sin)`, times a length that says how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Angle {
    cos: f64,
    sin: f64,
}

/// One range with what its test needs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sector {
    range: Range,
    low: Angle,
    high: Angle,
    /// Whether everything is allowed, or more than a half turn is.
    full: bool,
    wide: bool,
}

/// Two entries of a matrix, each by row, column and weight, and what their sum is.
pub(crate) type EndOfRange = ([(usize, usize, f64); 2], f64);

/// Ranges of three angles about the axes of a joint's zero frame, in a named order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EulerRanges {
    order: EulerOrder,
    /// In the order of turning.
    sectors: [Sector; 3],
}

impl EulerRanges {
    /// Ranges in radians about x, y and z, whatever the order of turning. `None` where a range is empty
    /// or NaN. Turns count modulo whole turns.
    pub fn new(order: EulerOrder, x: Range, y: Range, z: Range) -> Option<Self> {
        let ranges = [x, y, z];
        if !ranges.iter().all(|range| range.is_valid()) {
            return None;
        }
        Some(Self { order, sectors: order.axes().0.map(|axis| Sector::new(ranges[axis])) })
    }

    /// The order of turning.
    pub fn order(&self) -> EulerOrder {
        self.order
    }

    /// The ranges about x, y and z (radians).
    pub fn ranges(&self) -> [Range; 3] {
        let mut ranges = [Range::FREE; 3];
        for (axis, sector) in self.order.axes().0.into_iter().zip(&self.sectors) {
            ranges[axis] = sector.range;
        }
        ranges
    }

    /// Axes and ranges in the order of turning.
    pub(crate) fn turns(&self) -> [(DVec3, Range); 3] {
        let axes = self.order.axes().0;
        [0, 1, 2].map(|place| (DVec3::AXES[axes[place]], self.sectors[place].allowed()))
    }

    /// The ends of the ranges, as sums of two entries of the rotation's matrix, each by row, column and weight, and what
    /// the sum is there; an end and the angle opposite to it share one.
    pub(crate) fn ends(&self) -> [Option<EndOfRange>; 6] {
        let ([i, j, k], odd) = self.order.axes();
        let sign = if odd { -1.0 } else { 1.0 };
        [0, 1, 2, 3, 4, 5].map(|place| {
            let sector = &self.sectors[place / 2];
            let end = if place % 2 == 0 { sector.low } else { sector.high };
            let entries = match place / 2 {
                0 => ([(j, k, -sign * end.cos), (k, k, -end.sin)], 0.0),
                1 => ([(i, k, sign), (i, k, 0.0)], end.sin),
                _ => ([(i, j, -sign * end.cos), (i, i, -end.sin)], 0.0),
            };
            (!sector.full).then_some(entries)
        })
    }

    /// The angles of an allowed rotation, in the order of turning (radians, inside their ranges).
    pub(crate) fn read(&self, q: DQuat) -> [f64; 3] {
        let [inner, outer] = self.angles(q);
        let set = if self.clamped(inner).is_some() && self.clamped(outer).is_none() { outer } else { inner };
        [0, 1, 2].map(|place| {
            let range = self.sectors[place].allowed();
            range.clamp_angle(ops::atan2(set[place].sin, set[place].cos), range.clamp(0.0))
        })
    }

    /// The rotation with each angle clamped, for `q` (a unit quaternion measured from the joint's zero);
    /// `q` itself, bit for bit, where it is allowed.
    pub fn project(&self, q: DQuat) -> DQuat {
        let [inner, outer] = self.angles(q);
        let (first, second) = (self.clamped(inner), self.clamped(outer));
        let (Some(first), Some(second)) = (first, second) else { return q };
        let (first, second) = (self.compose(first), self.compose(second));
        let best = if second.dot(q).abs() > first.dot(q).abs() { second } else { first };
        arc::normalize(if best.dot(q) < 0.0 { -best } else { best })
    }

    /// An allowed rotation next to `q`: with the angles clamped whose middle one is within a quarter turn.
    pub(crate) fn clamped_inner(&self, q: DQuat) -> DQuat {
        self.clamped(self.angles(q)[0]).map_or(q, |angles| self.compose(angles))
    }

    /// Both sets of angles, in the order of turning.
    fn angles(&self, q: DQuat) -> [[Angle; 3]; 2] {
        let ([i, j, k], odd) = self.order.axes();
        let m = DMat3::from_quat(q);
        let sign = if odd { -1.0 } else { 1.0 };
        // Row r, column c of the rotation I(α) J(β) K(γ).
        let at = |row: usize, column: usize| m.col(column)[row];
        let sine = sign * at(i, k);
        let alpha = Angle { cos: at(k, k), sin: -sign * at(j, k) };
        let gamma = Angle { cos: at(i, i), sin: -sign * at(i, j) };
        let cosine = 0.5 * (alpha.length() + gamma.length());
        if cosine < LOCKED {
            // Only α ± γ is known: at β = ±π/2 it is the angle of the middle axis.
            let whole = Angle { cos: at(j, j), sin: sign * at(k, j) }.unit();
            let beta = Angle { cos: cosine, sin: sine };
            let [alpha, gamma] = self.split(whole, (sine < 0.0) != odd);
            return [[alpha, beta, gamma], [alpha, Angle { cos: -cosine, sin: sine }, gamma]];
        }
        let turned = |angle: Angle| Angle { cos: -angle.cos, sin: -angle.sin };
        let beta = |cos: f64| Angle { cos, sin: sine };
        [[alpha, beta(cosine), gamma], [turned(alpha), beta(-cosine), turned(gamma)]]
    }

    /// Splits the turn `α + γ` (or `α - γ`, where `minus`) so that both ranges allow their part, if they
    /// can: α takes what is left of γ's nearest to nothing, then γ what is left of α.
    fn split(&self, whole: Angle, minus: bool) -> [Angle; 2] {
        let signed = |angle: Angle| if minus { angle } else { angle.negative() };
        let nothing = Angle { cos: 1.0, sin: 0.0 };
        let [first, _, third] = &self.sectors;
        let gamma = third.clamp(nothing).unwrap_or(nothing);
        let alpha = whole.plus(signed(gamma));
        let alpha = first.clamp(alpha).unwrap_or(alpha);
        let rest = whole.plus(alpha.negative());
        [alpha, if minus { rest.negative() } else { rest }]
    }

    /// The angles clamped; `None` where all are allowed as they are.
    fn clamped(&self, angles: [Angle; 3]) -> Option<[Angle; 3]> {
        let mut clamped = angles;
        let mut any = false;
        for (angle, sector) in clamped.iter_mut().zip(&self.sectors) {
            if let Some(end) = sector.clamp(*angle) {
                *angle = end;
                any = true;
            }
        }
        any.then_some(clamped)
    }

    fn compose(&self, angles: [Angle; 3]) -> DQuat {
        let turn = |axis: usize, angle: Angle| {
            let half = angle.half();
            let v = DVec3::AXES[axis] * half.sin;
            DQuat::from_xyzw(v.x, v.y, v.z, half.cos)
        };
        let ([i, j, k], _) = self.order.axes();
        turn(i, angles[0]) * turn(j, angles[1]) * turn(k, angles[2])
    }
}

impl Angle {
    fn of(radians: f64) -> Self {
        let (sin, cos) = ops::sin_cos(radians);
        Self { cos, sin }
    }

    fn length(self) -> f64 {
        ops::sqrt(self.cos * self.cos + self.sin * self.sin)
    }

    fn unit(self) -> Self {
        let length = self.length();
        if length > 0.0 { Self { cos: self.cos / length, sin: self.sin / length } } else { Self { cos: 1.0, sin: 0.0 } }
    }

    fn negative(self) -> Self {
        Self { sin: -self.sin, ..self }
    }

    fn plus(self, other: Self) -> Self {
        Self { cos: self.cos * other.cos - self.sin * other.sin, sin: self.sin * other.cos + self.cos * other.sin }
    }

    /// Length times the sine of the angle to `other`.
    fn cross(self, other: Self) -> f64 {
        self.cos * other.sin - self.sin * other.cos
    }

    fn dot(self, other: Self) -> f64 {
        self.cos * other.cos + self.sin * other.sin
    }

    /// Half the angle, from the form that keeps its digits.
    fn half(self) -> Self {
        let unit = self.unit();
        if unit.cos >= 0.0 {
            let cos = ops::sqrt(0.5 * (1.0 + unit.cos));
            Self { cos, sin: 0.5 * unit.sin / cos }
        } else {
            let sin = ops::sqrt(0.5 * (1.0 - unit.cos));
            Self { cos: 0.5 * unit.sin / sin, sin }
        }
    }
}

impl Sector {
    fn new(range: Range) -> Self {
        let full = range.max - range.min >= TAU;
        let end = |radians: f64| if radians.is_finite() { Angle::of(radians) } else { Angle::of(0.0) };
        Self { range, low: end(range.min), high: end(range.max), full, wide: range.max - range.min > PI }
    }

    /// The range; free where it holds every angle.
    fn allowed(&self) -> Range {
        if self.full { Range::FREE } else { self.range }
    }

    /// The nearest end for an angle outside; `None` for one inside, but for rounding.
    fn clamp(&self, angle: Angle) -> Option<Angle> {
        let slack = -4.0 * SLACK;
        let (above, below) = (self.low.cross(angle) >= slack, angle.cross(self.high) >= slack);
        // Opposite a narrow range both sides may be met by rounding alone.
        let ahead = self.low.dot(angle) + self.high.dot(angle) >= slack || self.wide;
        let inside = if self.wide { above || below } else { above && below && ahead };
        if self.full || inside {
            return None;
        }
        Some(if angle.dot(self.high) > angle.dot(self.low) { self.high } else { self.low })
    }
}
