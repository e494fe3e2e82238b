//! Elbows and knees that are hinges, as limits make them: how far they fold, and how the limb then lies, as in `sinew_rig`.

use sinew::glam::{DQuat, DVec3, Vec3};
use sinew::limit::Range;
use sinew::math::{arc, ops};
use sinew_rig::body::author::AXIS_TELLS;

use crate::inside::CLEAR;
use crate::limit::{Twist, narrow};
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// What a limb whose plane is told by less leaves to the core.
const TOLD: f32 = 1e-3;

/// The hinge between the two bones of a limb.
#[derive(Clone, Debug)]
pub(crate) struct Fold {
    /// Both bones in the T-pose.
    upper: [f32; 3],
    lower: [f32; 3],
    /// What the squared distance of their ends is made of: both squares, twice what both have along the axis, and the amplitude of what
    /// hangs on the angle.
    terms: [f32; 4],
    /// From the lower bone's frame to the upper's where both lie in one line, and the axis in the former, about which a positive turn folds.
    straight: [f32; 4],
    axis: [f32; 3],
    /// How much the axis tells of the plane in which the limb bends, in the upper bone's frame.
    tells: [f32; 3],
    /// Sine and cosine of half the angle where it is straight; whether it folds back from there; the range.
    half: [f32; 2],
    back: bool,
    range: Twist,
}

/// A limb that is folded, in the frame of its upper bone.
pub(crate) struct Folded<L: Lanes> {
    /// To the end, and across that.
    pub(crate) line: Vector<L>,
    pub(crate) across: Vector<L>,
    pub(crate) lower: Turn<L>,
    pub(crate) clear: L::Mask,
}

impl Fold {
    /// Of two bones in the T-pose; `zero` from the lower one's frame to the upper's at angle 0, the axis in the lower one's.
    pub(crate) fn new([upper, lower]: [[f32; 3]; 2], (zero, axis): (DQuat, DVec3), range: Range) -> Self {
        let [first, second] = [upper, lower].map(|bone| Vec3::from_array(bone).as_dvec3());
        let from = zero.conjugate() * first;
        let along = from.dot(axis) * second.dot(axis);
        let (cosine, sine) = (from.dot(second) - along, from.dot(axis.cross(second)));
        let straight = ops::atan2(sine, cosine);
        let back = range.min + range.max < 2.0 * straight;
        let towards = if back { -axis } else { axis };
        let (s, c) = ops::sin_cos(0.5 * straight);
        let amplitude = 2.0 * ops::sqrt(cosine * cosine + sine * sine);
        let terms = [first.length_squared(), second.length_squared(), 2.0 * along, amplitude];
        Self {
            upper,
            lower,
            terms: terms.map(|term| term as f32),
            straight: narrow(zero * arc::axis_angle(axis, straight)),
            axis: axis.as_vec3().to_array(),
            tells: (zero * towards * AXIS_TELLS).as_vec3().to_array(),
            half: [s as f32, c as f32],
            back,
            range: Twist::new(range),
        }
    }

    /// The largest and the smallest distance that the bones span, each as many times as long as in the T-pose, and the amplitude.
    #[inline(always)]
    pub(crate) fn spans<L: Lanes>(&self, [first, second]: [L; 2]) -> ([L; 2], L) {
        let [upper, lower, along, amplitude] = self.terms.map(|term| first.of(term));
        let both = first * second;
        let square = upper * first * first + lower * second * second + along * both;
        let amplitude = amplitude * both;
        ([(square + amplitude).sqrt_clamped(), (square - amplitude).sqrt_clamped()], amplitude)
    }

    /// Folds the bones until they span a distance.
    #[inline(always)]
    pub(crate) fn fold<L: Lanes>(&self, factors: [L; 2], far: L) -> Folded<L> {
        let ([outer, inner], amplitude) = self.spans(factors);
        let (zero, one) = (far.of(0.0), far.of(1.0));
        let per = far.of(0.5) / amplitude;
        let sine = ((outer - far) * (outer + far) * per).sqrt_clamped();
        let cosine = ((far - inner) * (far + inner) * per).sqrt_clamped();
        let sine = if self.back { -sine } else { sine };
        let turn = Turn { v: Vector::of(far, self.axis) * sine, w: cosine };
        let lower = Turn::of(far, self.straight).then_after(turn);
        let upper = Vector::of(far, self.upper) * factors[0];
        let end = upper + lower.rotate(Vector::of(far, self.lower) * factors[1]);
        let line = end * (one / far);
        let shown = upper.cross(line) * (one / upper.length()) + Vector::of(far, self.tells).reject(line);
        let (across, told) = shown.unit_reject(line, 0.0);
        let [s, c] = self.half.map(|half| far.of(half));
        let depth = self.range.depth(s * cosine + c * sine, c * cosine - s * sine);
        let clear =
            told & far.of(TOLD).is_less(shown.length()) & far.of(CLEAR).is_less(depth) & zero.is_less(amplitude);
        Folded { line, across, lower, clear }
    }
}
