//! Limbs whose joints have limits, in lanes: where the limb goes if nothing stops it, as `sinew`'s `solve::two_bone::place` has
//! it, and whether that is clear. Where it is not, a limit may stop the limb: what gives way then is the core's to say.

use sinew::{Skeleton, TwoBone};

use crate::bend::{WHOLE, carried};
use crate::error::CrowdError;
use crate::given::{Given, after, rotated};
use crate::inside::{CLEAR, Inside, Turning};
use crate::limit::narrow;
use crate::number::Lanes;
use crate::outcome::Asked;
use crate::two_bone::Limb;
use crate::vector::{Turn, Vector, half};

/// Sine below which a bend is not clear.
const BENT: f32 = 1e-3;
/// The same below which a limb at rest is straight, as in `sinew`.
const STRAIGHT: f32 = 1e-5;
/// Difference of two cosines from which one is clearly the larger.
const APART: f32 = 1e-5;

/// Limits of a limb's first two joints.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    root: Inside,
    mid: Inside,
    /// From where a ball in the middle folds, and about which axis where it is straight there, in the root's frame.
    rest: [f32; 4],
    axis: [f32; 3],
}

/// Where a limb goes if nothing stops it.
pub(crate) struct Found<L: Lanes> {
    /// The root joint's rotation in model space, how the middle joint turns before that, in the root joint's frame, and its local
    /// rotation.
    pub(crate) turn: Turn<L>,
    pub(crate) fold: Turn<L>,
    pub(crate) mid: Turn<L>,
    /// Unit direction of the tip.
    pub(crate) line: Vector<L>,
    /// How far it is, and what that makes of the target.
    pub(crate) span: (L, L),
    pub(crate) clear: L::Mask,
}

/// How the middle joint folds, in the root joint's frame.
struct Fold<L: Lanes> {
    /// The middle joint's local rotation.
    mid: Turn<L>,
    /// Unit directions of the tip, and across it of the bend.
    line: Vector<L>,
    bulge: Vector<L>,
    span: (L, L),
    /// Whether its axis gives the limb's plane: it is a hinge that clearly may not fold by a quarter of a turn to either side.
    planar: L::Mask,
    clear: L::Mask,
}

impl Limits {
    /// Those of a limb; `None` where its first two joints are free.
    pub(crate) fn of(skeleton: &Skeleton, limb: &TwoBone) -> Result<Option<Self>, CrowdError> {
        let [root, mid] = [Inside::of(skeleton, limb.root)?, Inside::of(skeleton, limb.mid)?];
        let rest = narrow(skeleton.rest(limb.mid).rotation);
        let is_free = root.is_free() && mid.is_free();
        Ok((!is_free).then(|| Self { root, mid, rest, axis: limb.rest.axis.as_vec3().to_array() }))
    }

    /// Whether both joints' local rotations are clearly inside. A hinge in the middle was asked before.
    #[inline(always)]
    pub(crate) fn hold<L: Lanes>(&self, root: Turn<L>, mid: Turn<L>) -> L::Mask {
        let inside = match self.mid {
            Inside::Hinge(_) => Inside::Free.holds(mid),
            _ => self.mid.holds(mid),
        };
        self.root.holds(root) & inside
    }
}

/// How a limb turns whose target is at a distance `d`.
#[inline(always)]
pub(crate) fn bend<L: Lanes>(
    like: L,
    limb: &Limb,
    limits: &Limits,
    given: &Given<L>,
    asked: &Asked<L>,
    d: L,
) -> Found<L> {
    let Given { above, a, c, l1, l2, tiny, .. } = *given;
    let Asked { p, seen, free, share, .. } = *asked;
    let one = like.of(1.0);
    let keeps = if limb.rest_bend { like.no_lane() } else { free };
    let fold = match &limits.mid {
        Inside::Hinge(hinge) => hinged(like, limb, hinge, given, d),
        _ => ball(like, limb, limits, given, (d, keeps)),
    };
    let line = p * (one / d);
    // To which side: the pole's, that at rest, or the one of the pose given.
    let (poled, clear) = seen.unit_reject(line, BENT);
    let mut bend = poled;
    let mut clear = clear | free;
    if L::any(free) {
        let tip = a + c;
        let turn = given.turn();
        let now = turn.rotate(tip).unit_or(tiny, line);
        let off = turn.rotate(a).reject(now);
        let far = off.length();
        let (normal, along) = (off.cross(now) * (one / far), tip.unit_or(tiny, fold.line));
        let folded = turn.rotate(carried(like, (fold.line, fold.bulge.cross(fold.line)), along));
        let aside = a.dot(fold.bulge);
        let bent = (like.of(1.01 * WHOLE) * aside).is_less(far) & ((l1 + l2) * like.of(BENT)).is_less(far);
        // Bent back, a hinge beside a quarter of a turn may be either.
        let bent = bent & like.of(0.0).is_less(normal.dot(folded));
        let normal = Vector::select(fold.planar, folded, normal);
        clear = clear & (((fold.planar | bent) & (like.of(BENT) * (l1 + l2)).is_less(tip.length())) | !keeps);
        let [along, fold] = limb.rest;
        let (along, fold) = (rotated(above, Vector::of(like, along)), rotated(above, Vector::of(like, fold)));
        let reference = (Vector::select(keeps, now, along), Vector::select(keeps, normal, fold));
        bend = Vector::select(free, line.cross(carried(like, reference, line)), bend);
    }
    let turn = Turn::between_frames(fold.line, fold.bulge, line, bend);
    let folded = after(given.upper, fold.mid).then_after(after(given.upper, given.mid).conjugate());
    // Part of the way, and a tip next to the root, are for the core.
    let clear = clear & fold.clear & !share.is_less(one) & ((l1 + l2) * like.of(BENT)).is_less(fold.span.0);
    let clear = clear & turn.w.is_finite();
    Found { turn, fold: folded, mid: fold.mid, line, span: fold.span, clear }
}

/// The fold of a hinge: at one of two angles the tip is as far as the target is.
#[inline(always)]
fn hinged<L: Lanes>(like: L, limb: &Limb, hinge: &Turning, given: &Given<L>, d: L) -> Fold<L> {
    let Given { a, second: bone, l1, l2, .. } = *given;
    let (zero, one, two) = (like.of(0.0), like.of(1.0), like.of(2.0));
    let (own, axis) = (Turn::of(like, hinge.zero), Vector::of(like, hinge.axis));
    let frame = after(given.upper, own);
    let along = axis * axis.dot(bone);
    // The circle of the tip, with the root where it is.
    let (center, normal) = (a + frame.rotate(along), frame.rotate(axis));
    let (u, v) = (frame.rotate(bone - along), frame.rotate(axis.cross(bone)));
    let radius = u.length();
    let (x, y) = (center.dot(u) * (one / radius), center.dot(v) * (one / radius));
    let planar = (x * x + y * y).sqrt();
    let across = center.dot(normal);
    let square = across.abs().is_less((l1 + l2) * like.of(STRAIGHT));
    let (outer, inner) = (planar + radius, (planar - radius).abs());
    let span = limb.span(d, [l1, l2], [hypotenuse(inner, across), hypotenuse(outer, across)]);
    let h = (span.0 * span.0 - across * across).sqrt_clamped();
    // Tangent of half the fold: sine over cosine, squares adding up to `four`.
    let s = ((outer - h) * (outer + h)).sqrt_clamped();
    let c = ((h - inner) * (h + inner)).sqrt_clamped();
    let four = one / (like.of(4.0) * planar * radius);
    let (sine, cosine) = (two * s * c * four, (c * c - s * s) * four);
    let (x, y) = (x * (one / planar), y * (one / planar));
    let angles = [added([x, y], [cosine, sine]), added([x, y], [cosine, -sine])];
    let halves = [half(angles[0][0], angles[0][1]), half(angles[1][0], angles[1][1])];
    let depths = [hinge.twist.depth(halves[0][0], halves[0][1]), hinge.twist.depth(halves[1][0], halves[1][1])];
    let (inside, outside) = (
        [like.of(CLEAR).is_less(depths[0]), like.of(CLEAR).is_less(depths[1])],
        [depths[0].is_less(like.of(-CLEAR)), depths[1].is_less(like.of(-CLEAR))],
    );
    let mut first = inside[0] & outside[1];
    let mut clear = first | (inside[1] & outside[0]);
    let both = inside[0] & inside[1];
    if L::any(both) {
        // The one nearer to the angle that it has.
        let turn = own.conjugate().then_after(given.mid);
        let (s, c) = (axis.dot(turn.v), turn.w);
        let known = like.of(CLEAR).is_less(hinge.twist.depth(s, c));
        let near = [hinge.twist.nearness(halves[0], [s, c]), hinge.twist.nearness(halves[1], [s, c])];
        let differ = like.of(APART).is_less((near[0] - near[1]).abs());
        first = first | (both & near[1].is_less(near[0]));
        clear = clear | (both & known & differ);
    }
    let [[cosine0, sine0], [cosine1, sine1]] = angles;
    let (cosine, sine) = (L::select(first, cosine0, cosine1), L::select(first, sine0, sine1));
    let [[s0, c0], [s1, c1]] = halves;
    let mid = own.then_after(Turn { v: axis * L::select(first, s0, s1), w: L::select(first, c0, c1) });
    let line = (center + u * cosine + v * sine).unit_or(zero, normal);
    let (bulge, bent) = a.unit_reject(line, BENT);
    // Next to straight, across its own axis: past straight in the positive sense to the one side.
    let side = line.cross(normal).unit_or(zero, normal);
    let bulge = Vector::select(bent, bulge, Vector::select(first, side, -side));
    let soft = if limb.is_soft() { square } else { like.every_lane() };
    let reaches = |[s, c]: [L; 2]| hinge.twist.depth(s, c).is_less(like.of(-CLEAR));
    let planar = reaches(half(-y, x)) | reaches(half(y, -x));
    Fold { mid, line, bulge, span, planar, clear: clear & (bent | square) & soft }
}

/// The longest side of a triangle with a right angle.
#[inline(always)]
fn hypotenuse<L: Lanes>(x: L, y: L) -> L {
    (x * x + y * y).sqrt()
}

/// The sum of two angles, cosines first.
#[inline(always)]
fn added<L: Lanes>([x, y]: [L; 2], [cosine, sine]: [L; 2]) -> [L; 2] {
    [x * cosine - y * sine, y * cosine + x * sine]
}

/// The fold of a ball: from its rest, or as the pose has it where that bend is kept.
#[inline(always)]
fn ball<L: Lanes>(like: L, limb: &Limb, limits: &Limits, given: &Given<L>, (d, keeps): (L, L::Mask)) -> Fold<L> {
    let Given { a, l1, l2, r1, upper, .. } = *given;
    let (one, half) = (like.of(1.0), like.of(0.5));
    let from = Turn::select(keeps, given.mid, Turn::of(like, limits.rest));
    let second = rotated(upper, from.rotate(given.second));
    let first = a * r1;
    let across = second.reject(first);
    let sine = across.length() / l2;
    let axis = Vector::of(like, limits.axis).unit_reject_or(first, STRAIGHT, first.any_perpendicular());
    let (bent, straight) = (like.of(BENT).is_less(sine), sine.is_less(like.of(STRAIGHT)));
    let side = Vector::select(bent, across.unit_reject_or(first, 0.0, axis), axis.cross(first));
    let span = limb.span(d, [l1, l2], [(l1 - l2).abs(), l1 + l2]);
    let solved = span.0;
    let forward = half * (solved * solved + (l1 - l2) * (l1 + l2)) / solved;
    let size = l1 + l2;
    let area = ((size - solved) * (size + solved)) * ((solved - (l1 - l2).abs()) * (solved + (l1 - l2).abs()));
    let aside = half * area.sqrt_clamped() / solved;
    let (cosine, sine) = (forward * r1, aside * r1);
    // The second bone in the plane of the first one and the side, now and then.
    let r2 = one / l2;
    let (x0, y0) = (first.dot(second) * r2, side.dot(second) * r2);
    let (x1, y1) = ((solved * cosine - l1) * r2, solved * sine * r2);
    let normal = first.cross(side);
    let normal = if let Some(upper) = upper { upper.conjugate().rotate(normal) } else { normal };
    let mid = Turn::about(normal, x0 * x1 + y0 * y1, x0 * y1 - y0 * x1).then_after(from);
    let line = first * cosine + side * sine;
    Fold { mid, line, bulge: first * sine - side * cosine, span, planar: like.no_lane(), clear: bent | straight }
}
