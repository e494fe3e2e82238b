//! Vectors and frames of numbers that may be several side by side, with the operations of `glam` in its order.

use core::ops::{Add, Mul, Sub};

use sinew::glam::{DMat3, DVec3};

use crate::number::Lanes;

/// Three numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector<L> {
    pub(crate) x: L,
    pub(crate) y: L,
    pub(crate) z: L,
}

impl<L: Lanes> Vector<L> {
    #[inline(always)]
    pub(crate) fn new(x: L, y: L, z: L) -> Self {
        Self { x, y, z }
    }

    /// The same in every lane of `like`.
    #[inline(always)]
    pub(crate) fn of(like: L, v: DVec3) -> Self {
        Self::new(like.of(v.x), like.of(v.y), like.of(v.z))
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - other.y * self.z,
            self.z * other.x - other.z * self.x,
            self.x * other.y - other.x * self.y,
        )
    }

    /// One lane's.
    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> DVec3 {
        DVec3::new(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane))
    }

    #[inline(always)]
    pub(crate) fn set_lane(&mut self, lane: usize, v: DVec3) {
        self.x.set_lane(lane, v.x);
        self.y.set_lane(lane, v.y);
        self.z.set_lane(lane, v.z);
    }

    #[inline(always)]
    pub(crate) fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self::new(L::select(mask, yes.x, no.x), L::select(mask, yes.y, no.y), L::select(mask, yes.z, no.z))
    }
}

impl<L: Lanes> Add for Vector<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl<L: Lanes> Sub for Vector<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl<L: Lanes> Mul<L> for Vector<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, by: L) -> Self {
        Self::new(self.x * by, self.y * by, self.z * by)
    }
}

/// The axes of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<L> {
    pub(crate) x: Vector<L>,
    pub(crate) y: Vector<L>,
    pub(crate) z: Vector<L>,
}

impl<L: Lanes> Frame<L> {
    /// The same in every lane of `like`.
    #[inline(always)]
    pub(crate) fn of(like: L, frame: &DMat3) -> Self {
        let [x, y, z] = [frame.x_axis, frame.y_axis, frame.z_axis];
        Self { x: Vector::of(like, x), y: Vector::of(like, y), z: Vector::of(like, z) }
    }
}

impl<L: Lanes> Frame<L> {
    /// Takes a vector in the frame to where it points.
    #[inline(always)]
    pub(crate) fn turn(&self, v: Vector<L>) -> Vector<L> {
        self.x * v.x + self.y * v.y + self.z * v.z
    }

    /// The way from this frame to another.
    #[inline(always)]
    pub(crate) fn way_to(&self, other: &Self) -> Self {
        let Self { x, y, z } = *self;
        Self {
            x: other.turn(Vector::new(x.x, y.x, z.x)),
            y: other.turn(Vector::new(x.y, y.y, z.y)),
            z: other.turn(Vector::new(x.z, y.z, z.z)),
        }
    }

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> DMat3 {
        DMat3::from_cols(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane))
    }

    #[inline(always)]
    pub(crate) fn set_lane(&mut self, lane: usize, frame: &DMat3) {
        self.x.set_lane(lane, frame.x_axis);
        self.y.set_lane(lane, frame.y_axis);
        self.z.set_lane(lane, frame.z_axis);
    }
}
