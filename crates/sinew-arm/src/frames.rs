//! Where the joints of an arm are, how fast the tip moves with each, and how that changes.
//!
//! With a joint's column `(v, w)`, `w` its axis (zero of a slide) and `v = w × (tip - joint)` (of a slide its axis), and
//! `ω` the angular velocity of what lies above it, the column's own rate is `v̇ = ω × v + w × ṗ`, `ẇ = ω × w`, where `ṗ`
//! is the tip's velocity due to the joint and all below.
//!
//! Source: Lloyd, Irani & Ahmadi, *Fast and Robust Inverse Kinematics of Serial Robots Using Halley's Method* (2022).

use crate::aims::Aims;
use crate::angles::sin_cos;
use crate::arm::{Arm, Link, MOST};
use crate::log::{between, swing};
use crate::normal::Six;
use crate::number::Lanes;
use crate::vector::{Frame, Vector};

/// An arm's loops at the size they are compiled for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sized<'a, const N: usize> {
    pub(crate) arm: &'a Arm,
    pub(crate) links: &'a [Link; N],
}

/// Numbers of joints that the loops are compiled for. A longer one adds joints that stand still, which change no bit, so
/// dev builds and unit tests have two: compiling all six takes minutes.
#[cfg(not(any(debug_assertions, test)))]
pub(crate) const SIZES: [usize; 6] = [6, 7, 8, 10, 16, MOST];
#[cfg(any(debug_assertions, test))]
pub(crate) const SIZES: [usize; 2] = [8, MOST];

/// Calls `$call` with the arm at its size, which is one of [`SIZES`].
macro_rules! sized {
    ($arm:expr, |$sized:ident| $call:expr, $never:expr) => {{
        let arm = &*$arm;
        #[cfg(not(any(debug_assertions, test)))]
        let result = sized!(@each arm, $sized, $call, $never, 6 7 8 10 16 64);
        #[cfg(any(debug_assertions, test))]
        let result = sized!(@each arm, $sized, $call, $never, 8 64);
        result
    }};
    (@each $arm:ident, $sized:ident, $call:expr, $never:expr, $size:literal $($more:literal)*) => {
        if let ($size, Some(links)) = ($arm.links.len(), $arm.links.first_chunk::<$size>()) {
            let $sized = $crate::frames::Sized { arm: $arm, links };
            $call
        } else {
            sized!(@each $arm, $sized, $call, $never, $($more)*)
        }
    };
    (@each $arm:ident, $sized:ident, $call:expr, $never:expr,) => { $never };
}
pub(crate) use sized;

/// The arm at one set of values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Laid<const N: usize, L: Lanes> {
    axes: [Vector<L>; N],
    places: [Vector<L>; N],
    pub(crate) position: Vector<L>,
    pub(crate) frame: Frame<L>,
}

/// The columns of all joints at one set of values: how fast the tip moves, and turns, with each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns<const N: usize, L: Lanes> {
    pub(crate) linear: [Vector<L>; N],
    pub(crate) angular: [Vector<L>; N],
}

/// What is left at one set of values, and the columns there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames<const N: usize, L: Lanes> {
    pub(crate) columns: Columns<N, L>,
    /// What is left, in units and radians.
    pub(crate) error: Six<L>,
    pub(crate) counts: Counts<L>,
}

/// Which part of the columns counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts<L: Lanes> {
    /// 1 for each row that counts, else 0.
    rows: Six<L>,
    /// The direction about which turns do not count, in the lanes of the mask.
    about: Vector<L>,
    is_axis: L::Mask,
    is_whole: bool,
}

impl<const N: usize> Sized<'_, N> {
    /// The joint's share of numbers that are one a value.
    #[inline(always)]
    fn of_joint<L: Lanes>(&self, numbers: &[L; N], joint: usize) -> L {
        numbers[if self.arm.is_shared { self.links[joint].slot.min(N - 1) } else { joint }]
    }

    /// Forward kinematics.
    #[inline(always)]
    pub(crate) fn lay<L: Lanes>(&self, values: &[L; N]) -> Laid<N, L> {
        let like = values[0];
        let (mut angles, mut ways) = (*values, *values);
        for i in 0..N {
            let link = &self.links[i];
            let value = like.of(link.rate) * self.of_joint(values, i);
            angles[i] = like.of(link.turns) * value + like.of(link.angle);
            ways[i] = like.of(link.slides) * value + like.of(link.way);
        }
        let (sines, cosines) = sin_cos(&angles);
        let position = Vector::of(like, self.arm.start);
        let mut laid =
            Laid { axes: [position; N], places: [position; N], position, frame: Frame::of(like, &self.arm.stand) };
        for i in 0..N {
            let link = &self.links[i];
            let Frame { x, y, z } = laid.frame;
            laid.axes[i] = z;
            laid.places[i] = laid.position;
            let (s, c) = (sines[i], cosines[i]);
            let (x, y) = (x * c + y * s, y * c - x * s);
            let offset = Vector::of(like, link.offset);
            laid.position = laid.position + ((x * offset.x + y * offset.y) + z * (offset.z + ways[i]));
            let (s, c) = (like.of(link.tilt.0), like.of(link.tilt.1));
            laid.frame = Frame { x, y: y * c + z * s, z: z * c - y * s };
        }
        laid
    }

    /// Columns a joint, and what is left to the target.
    #[inline(always)]
    pub(crate) fn frames<L: Lanes>(&self, values: &[L; N], aim: &Aims<L>) -> Frames<N, L> {
        let like = values[0];
        let laid = self.lay(values);
        let mut columns = Columns { linear: laid.axes, angular: laid.axes };
        for i in 0..N {
            let link = &self.links[i];
            let axis = laid.axes[i] * like.of(link.rate);
            let angular = axis * like.of(link.turns * self.arm.handed);
            columns.linear[i] = angular.cross(laid.position - laid.places[i]) + axis * like.of(link.slides);
            columns.angular[i] = angular;
        }
        let (error, counts) = laid.left(aim);
        Frames { columns, error, counts }
    }

    /// Columns a value: a joint's own, or the sum of those that share one, of them what counts.
    #[inline(always)]
    pub(crate) fn by_value<L: Lanes>(&self, joints: &Columns<N, L>, counts: &Counts<L>) -> [Six<L>; N] {
        let mut columns = [[joints.linear[0].x.of(0.0); 6]; N];
        for i in 0..N {
            let own = six(joints.linear[i], joints.angular[i]);
            if self.arm.is_shared {
                let column = &mut columns[self.links[i].slot.min(N - 1)];
                for row in 0..6 {
                    column[row] = column[row] + own[row];
                }
            } else {
                columns[i] = own;
            }
        }
        if !counts.is_whole {
            for column in &mut columns {
                counts.keep(column);
            }
        }
        columns
    }

    /// The joints' columns half way along a step: with half of how they change by it.
    #[inline(always)]
    pub(crate) fn bent<L: Lanes>(&self, joints: &Columns<N, L>, step: &[L; N]) -> Columns<N, L> {
        let half = step[0].of(0.5);
        let mut bent = *joints;
        let nothing = Vector::new(step[0].of(0.0), step[0].of(0.0), step[0].of(0.0));
        let mut below = nothing;
        for i in (0..N).rev() {
            bent.linear[i] = bent.linear[i] + joints.angular[i].cross(below);
            below = below + joints.linear[i] * (half * self.of_joint(step, i));
        }
        let mut above = nothing;
        for i in 0..N {
            bent.angular[i] = bent.angular[i] + above.cross(joints.angular[i]);
            above = above + joints.angular[i] * (half * self.of_joint(step, i));
            bent.linear[i] = bent.linear[i] + above.cross(joints.linear[i]);
        }
        bent
    }
}

#[allow(clippy::needless_range_loop, reason = "index arithmetic")]
impl<const N: usize, L: Lanes> Laid<N, L> {
    /// What is left to the target, and what counts of it.
    #[inline(always)]
    fn left(&self, aim: &Aims<L>) -> (Six<L>, Counts<L>) {
        let (zero, one) = (aim.near.of(0.0), aim.near.of(1.0));
        let way = aim.position - self.position;
        let mut counts =
            Counts { rows: [one; 6], about: aim.axis, is_axis: zero.is_less(aim.is_axis), is_whole: aim.is_whole };
        if aim.is_whole {
            return (six(way, between(&self.frame, &aim.frame)), counts);
        }
        counts.about = self.frame.turn(aim.axis);
        let turn = match (L::any(counts.is_axis), L::any(!counts.is_axis)) {
            (true, false) => swing(counts.about, aim.frame.turn(aim.axis)),
            (false, _) => between(&self.frame, &aim.frame),
            (true, true) => Vector::select(
                counts.is_axis,
                swing(counts.about, aim.frame.turn(aim.axis)),
                between(&self.frame, &aim.frame),
            ),
        };
        let mut error = six(way, turn);
        for row in 0..6 {
            let (x, slack) = (error[row], aim.slack[row]);
            let beyond = x - slack.or_less((-slack).or_more(x));
            let (is_exact, is_out) = (slack.is_at_most(zero), slack.is_less(x.abs()));
            // Inside, another step may leave from where this one stands.
            error[row] = L::select(is_exact, x, L::select(is_out, beyond, zero));
            counts.rows[row] = L::select(is_exact | is_out, one, zero);
        }
        (error, counts)
    }
}

#[allow(clippy::needless_range_loop, reason = "index arithmetic")]
impl<L: Lanes> Counts<L> {
    /// Leaves of a column what counts.
    #[inline(always)]
    fn keep(&self, column: &mut Six<L>) {
        let turn = Vector::new(column[3], column[4], column[5]);
        let free = turn - self.about * self.about.dot(turn);
        let Vector { x, y, z } = Vector::select(self.is_axis, free, turn);
        (column[3], column[4], column[5]) = (x, y, z);
        for row in 0..6 {
            column[row] = column[row] * self.rows[row];
        }
    }
}

#[inline(always)]
fn six<L: Lanes>(linear: Vector<L>, angular: Vector<L>) -> Six<L> {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PoseTarget;
    use sinew::glam::{DMat3, DQuat, DVec3};
    use sinew::limit::Range;
    use sinew::math::arc;
    use sinew::{JointSpec, Kind, SkeletonBuilder};
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
                joint.mimic = Some(sinew::Mimic { of: "3".into(), multiplier: -0.5, offset: 0.2 });
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
    fn columns(sized: Sized<'_, 7>, values: &[f64; 7], aim: &Aims<f64>) -> [Six; 7] {
        let frames = sized.frames(values, aim);
        sized.by_value(&frames.columns, &frames.counts)
    }

    #[test]
    fn columns_and_their_rates_are_those_of_finite_differences() {
        const STEP: f64 = 1e-5;
        for mirrored in [false, true] {
            let arm = arm(mirrored);
            let sized = Sized { arm: &arm, links: arm.links.first_chunk::<7>().unwrap() };
            let aim = Aims::of(0.0, &arm.aim(&PoseTarget::frame(DVec3::X, DQuat::IDENTITY)));
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
                let per = 1.0 / (2.0 * STEP);
                let (linear, angular) = (after.position - before.position, between(&before.frame, &after.frame));
                let (linear, angular) = (linear * per, angular * per);
                for (got, wanted) in column.into_iter().zip(six(linear, angular)) {
                    assert!((got - wanted).abs() < 1e-8, "{mirrored} {i}: {got} {wanted}");
                }
            }
            let along = |by: f64| columns(sized, &core::array::from_fn(|i| values[i] + by * way[i]), &aim);
            let (after, before) = (along(STEP), along(-STEP));
            let frames = sized.frames(&values, &aim);
            let bent = sized.by_value(&sized.bent(&frames.columns, &way), &frames.counts);
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
        assert!((laid.position.lane(0) * arm.unit - position).length() < 1e-14);
        let frame = Frame::of(0.0, &(laid.frame.lane(0) * arm.tip));
        let left = between(&frame, &Frame::of(0.0, &DMat3::from_quat(rotation)));
        assert!(arc::length(left.lane(0)) < 1e-14);
    }
}
