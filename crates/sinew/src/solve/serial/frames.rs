//! Where the joints of an arm are, how fast the tip moves with each, and how that changes.
//!
//! With a joint's column `(v, w)`, `w` its axis (zero of a slide) and `v = w × (tip - joint)` (of a slide its axis), and
//! `ω` the angular velocity of what lies above it, the column's own rate is `v̇ = ω × v + w × ṗ`, `ẇ = ω × w`, where `ṗ`
//! is the tip's velocity due to the joint and all below.
//!
//! Source: Lloyd, Irani & Ahmadi, *Fast and Robust Inverse Kinematics of Serial Robots Using Halley's Method* (2022).

use glam::{DMat3, DVec3};

use super::angles::sin_cos;
use super::arm::{Aim, Arm, Link};
use super::log::{between, swing};
use super::normal::Six;

/// An arm's loops at the size they are compiled for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sized<'a, const N: usize> {
    pub(super) arm: &'a Arm,
    pub(super) links: &'a [Link; N],
}

/// Calls `$call` with the arm at its size, which is one of those that arms are laid with.
macro_rules! sized {
    ($arm:expr, |$sized:ident| $call:expr, $never:expr) => {{
        let arm = &*$arm;
        sized!(@each arm, $sized, $call, $never, 6 7 8 10 16 64)
    }};
    (@each $arm:ident, $sized:ident, $call:expr, $never:expr, $size:literal $($more:literal)*) => {
        if let ($size, Some(links)) = ($arm.links.len(), $arm.links.first_chunk::<$size>()) {
            let $sized = $crate::solve::serial::frames::Sized { arm: $arm, links };
            $call
        } else {
            sized!(@each $arm, $sized, $call, $never, $($more)*)
        }
    };
    (@each $arm:ident, $sized:ident, $call:expr, $never:expr,) => { $never };
}
pub(super) use sized;

/// The arm at one set of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laid<const N: usize> {
    axes: [DVec3; N],
    places: [DVec3; N],
    pub(super) position: DVec3,
    pub(super) frame: DMat3,
}

/// The columns of all joints at one set of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frames<const N: usize> {
    pub(super) linear: [DVec3; N],
    pub(super) angular: [DVec3; N],
    /// What is left, in units and radians.
    pub(super) error: Six,
    pub(super) counts: Counts,
}

/// Which part of the columns counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    /// 1 for each row that counts, else 0.
    rows: Six,
    /// The direction about which turns do not count; zero where all do.
    about: DVec3,
}

impl Counts {
    const ALL: Self = Self { rows: [1.0; 6], about: DVec3::ZERO };
}

impl<const N: usize> Sized<'_, N> {
    /// The joint's share of numbers that are one a value.
    #[inline(always)]
    fn of_joint(&self, numbers: &[f64; N], joint: usize) -> f64 {
        numbers[if self.arm.is_shared { self.links[joint].slot.min(N - 1) } else { joint }]
    }

    /// Forward kinematics.
    #[inline(always)]
    pub(super) fn lay(&self, values: &[f64; N]) -> Laid<N> {
        let (mut angles, mut ways) = ([0.0; N], [0.0; N]);
        for i in 0..N {
            let link = &self.links[i];
            let value = link.rate * self.of_joint(values, i);
            angles[i] = link.turns * value + link.angle;
            ways[i] = link.slides * value + link.way;
        }
        let (sines, cosines) = sin_cos(&angles);
        let mut laid =
            Laid { axes: [DVec3::ZERO; N], places: [DVec3::ZERO; N], position: self.arm.start, frame: self.arm.stand };
        for i in 0..N {
            let link = &self.links[i];
            let (x, y, z) = (laid.frame.x_axis, laid.frame.y_axis, laid.frame.z_axis);
            laid.axes[i] = z;
            laid.places[i] = laid.position;
            let (s, c) = (sines[i], cosines[i]);
            let (x, y) = (x * c + y * s, y * c - x * s);
            let offset = link.offset;
            laid.position += (x * offset.x + y * offset.y) + z * (offset.z + ways[i]);
            let (s, c) = link.tilt;
            laid.frame = DMat3::from_cols(x, y * c + z * s, z * c - y * s);
        }
        laid
    }

    /// Columns a joint, and what is left to the target.
    #[inline(always)]
    pub(super) fn frames(&self, values: &[f64; N], aim: &Aim) -> Frames<N> {
        let laid = self.lay(values);
        let (mut linear, mut angular) = ([DVec3::ZERO; N], [DVec3::ZERO; N]);
        for i in 0..N {
            let link = &self.links[i];
            let axis = laid.axes[i] * link.rate;
            angular[i] = axis * (link.turns * self.arm.handed);
            linear[i] = angular[i].cross(laid.position - laid.places[i]) + axis * link.slides;
        }
        let (error, counts) = laid.left(aim);
        Frames { linear, angular, error, counts }
    }

    /// Columns a value: a joint's own, or the sum of those that share one, of them what counts.
    #[inline(always)]
    pub(super) fn columns(
        &self,
        (linear, angular): (&[DVec3; N], &[DVec3; N]),
        counts: &Counts,
        aim: &Aim,
    ) -> [Six; N] {
        let mut columns = [[0.0; 6]; N];
        if self.arm.is_shared {
            for i in 0..N {
                let column = &mut columns[self.links[i].slot.min(N - 1)];
                for (sum, rate) in column.iter_mut().zip(six(linear[i], angular[i])) {
                    *sum += rate;
                }
            }
        } else {
            for i in 0..N {
                columns[i] = six(linear[i], angular[i]);
            }
        }
        if !aim.is_whole {
            for column in &mut columns {
                counts.keep(column);
            }
        }
        columns
    }

    /// The joints' columns half way along a step: with half of how they change by it.
    #[inline(always)]
    pub(super) fn bent(&self, frames: &Frames<N>, step: &[f64; N]) -> ([DVec3; N], [DVec3; N]) {
        let (mut linear, mut angular) = (frames.linear, frames.angular);
        let mut below = DVec3::ZERO;
        for i in (0..N).rev() {
            linear[i] += frames.angular[i].cross(below);
            below += frames.linear[i] * (0.5 * self.of_joint(step, i));
        }
        let mut above = DVec3::ZERO;
        for i in 0..N {
            angular[i] += above.cross(frames.angular[i]);
            above += frames.angular[i] * (0.5 * self.of_joint(step, i));
            linear[i] += above.cross(frames.linear[i]);
        }
        (linear, angular)
    }
}

impl<const N: usize> Laid<N> {
    /// What is left to the target, and what counts of it.
    #[inline(always)]
    fn left(&self, aim: &Aim) -> (Six, Counts) {
        let way = aim.position - self.position;
        if aim.is_whole {
            return (six(way, between(&self.frame, &aim.frame)), Counts::ALL);
        }
        let (turn, about) = match aim.axis {
            Some(axis) => (swing(self.frame * axis, aim.frame * axis), self.frame * axis),
            None => (between(&self.frame, &aim.frame), DVec3::ZERO),
        };
        let (mut error, mut counts) = (six(way, turn), Counts { about, ..Counts::ALL });
        for ((x, counts), slack) in error.iter_mut().zip(&mut counts.rows).zip(aim.slack) {
            let beyond = *x - x.clamp(-slack, slack);
            // Inside, another step may leave from where this one stands.
            (*x, *counts) = if x.abs() > slack || slack == 0.0 { (beyond, 1.0) } else { (0.0, 0.0) };
        }
        (error, counts)
    }
}

impl Counts {
    /// Leaves of a column what counts.
    #[inline(always)]
    fn keep(&self, column: &mut Six) {
        let [.., a, b, c] = *column;
        let along = self.about * self.about.dot(DVec3::new(a, b, c));
        for (x, along) in column[3..].iter_mut().zip(along.to_array()) {
            *x -= along;
        }
        for (x, counts) in column.iter_mut().zip(self.rows) {
            *x *= counts;
        }
    }
}

#[inline(always)]
pub(super) fn six(linear: DVec3, angular: DVec3) -> Six {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Range;
    use crate::math::arc;
    use crate::skeleton::{JointSpec, Kind, SkeletonBuilder};
    use crate::solve::serial::Asked;
    use glam::DQuat;
    use std::format;

    /// Hinges, a slide and a follower.
    fn arm(mirrored: bool) -> Arm {
        let axes = [DVec3::Z, DVec3::Y, DVec3::Y, DVec3::new(0.3, 1.0, -0.2), DVec3::X, DVec3::Z, DVec3::Y];
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("base"));
        for (i, axis) in axes.into_iter().enumerate() {
            let place = DVec3::new(0.1, 0.05 * i as f64, 0.3);
            let kind = if i == 2 { Kind::Slide { axis, range: Range::FREE } } else { Kind::hinge(axis) };
            let mut joint = JointSpec::named(format!("{i}")).child_of(i).translation(place).kind(kind);
            if i == 5 {
                joint.mimic = Some(crate::skeleton::Mimic { of: "3".into(), multiplier: -0.5, offset: 0.2 });
            }
            builder.add(joint);
        }
        let skeleton = builder.build().unwrap();
        let mut arm = Arm::new(&skeleton, skeleton.joint("base").unwrap(), skeleton.joint("6").unwrap()).unwrap();
        if mirrored {
            arm.stand = DMat3::from_diagonal(DVec3::new(1.0, -1.0, 1.0)) * arm.stand;
            arm.handed = -1.0;
        }
        arm
    }
    /// Columns a value, by the arm itself.
    fn columns(sized: Sized<'_, 7>, values: &[f64; 7], aim: &Aim) -> [Six; 7] {
        let frames = sized.frames(values, aim);
        sized.columns((&frames.linear, &frames.angular), &frames.counts, aim)
    }

    #[test]
    fn columns_and_their_rates_are_those_of_finite_differences() {
        const STEP: f64 = 1e-5;
        for mirrored in [false, true] {
            let arm = arm(mirrored);
            let sized = Sized { arm: &arm, links: arm.links.first_chunk::<7>().unwrap() };
            let aim = arm.aim(&Asked::frame(DVec3::X, DQuat::IDENTITY));
            let values = [0.3, -0.7, 0.4, 1.1, -0.2, 0.6, 0.0];
            let way = [0.5, -1.0, 0.3, 0.7, 1.2, -0.4, 0.0];
            let moved = |i: usize, by: f64| {
                let mut moved = values;
                moved[i] += by;
                moved
            };
            let here = columns(sized, &values, &aim);
            for (i, column) in here.into_iter().enumerate().take(6) {
                let (after, before) = (sized.lay(&moved(i, STEP)), sized.lay(&moved(i, -STEP)));
                let linear = (after.position - before.position) / (2.0 * STEP);
                let angular = between(&before.frame, &after.frame) / (2.0 * STEP);
                for (got, wanted) in column.into_iter().zip(six(linear, angular)) {
                    assert!((got - wanted).abs() < 1e-8, "{mirrored} {i}: {got} {wanted}");
                }
            }
            let along = |by: f64| columns(sized, &core::array::from_fn(|i| values[i] + by * way[i]), &aim);
            let (after, before) = (along(STEP), along(-STEP));
            let frames = sized.frames(&values, &aim);
            let (linear, angular) = sized.bent(&frames, &way);
            let bent = sized.columns((&linear, &angular), &frames.counts, &aim);
            for i in 0..6 {
                for row in 0..6 {
                    let wanted = here[i][row] + 0.5 * (after[i][row] - before[i][row]) / (2.0 * STEP);
                    assert!((bent[i][row] - wanted).abs() < 1e-8, "{mirrored} {i} {row}: {} {wanted}", bent[i][row]);
                }
            }
        }
    }

    #[test]
    fn the_loops_lay_the_frame_that_forward_gives() {
        let arm = arm(false);
        let sized = Sized { arm: &arm, links: arm.links.first_chunk::<7>().unwrap() };
        let values = [0.3, -0.7, 0.4, 1.1, -0.2, 0.6, 0.0];
        let coordinates: [f64; 6] = core::array::from_fn(|i| values[i] * arm.slots[i].scale);
        let (laid, (position, rotation)) = (sized.lay(&values), arm.forward(&coordinates));
        assert!((laid.position * arm.unit - position).length() < 1e-14);
        let left = between(&(laid.frame * arm.tip), &DMat3::from_quat(rotation));
        assert!(arc::length(left) < 1e-14);
    }
}
