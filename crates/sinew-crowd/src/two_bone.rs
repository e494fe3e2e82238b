//! A limb of two bones in lanes: pole, bend of the pose given or of rest, soft reach; the geometry of `sinew`'s
//! `solve::two_bone`, from where the joints are.

use sinew::glam::DVec3;
use sinew::solve::two_bone::{Bands, End, Reach, Twist};
use sinew::{Bend, Skeleton, TwoBone};

use crate::angle::{part_of_turn, turn_between, turned};
use crate::block::{ASKED, TOLD, Tile};
use crate::crowd::{Crowd, CrowdError};
use crate::goals::{HELD, IGNORED, INVALID, OUT_OF_REACH, REACHED, SINGULAR, SOFTENED, TOO_CLOSE, is};
use crate::limit::Limit;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Sine below which a limb counts as straight and its plane as unknown.
const STRAIGHT: f32 = 1e-5;
/// Share of the distance asked for from which the plane given counts wholly, as in `sinew`.
const WHOLE: f32 = 1.0 / 8.0;
/// Relative slack of the reach: a target within rounding of the rim counts as reached.
const SLACK: f32 = 8.0 * f32::EPSILON;
/// Share of the distance asked for within which a goal of part weight is met all the same.
const SHORT: f32 = 1e-5;
/// What no bone that counts is as short as (metres), so that nothing is divided by 0.
const TINY: f32 = 1e-30;

/// A limb of all characters.
#[derive(Clone, Debug)]
pub(crate) struct Limb {
    pub(crate) root: usize,
    mid: usize,
    pub(crate) tip: usize,
    /// Joints above the middle joint and above the tip, and above the root, if any.
    above_mid: usize,
    pub(crate) above_tip: usize,
    end: End,
    holds: bool,
    rest_bend: bool,
    /// Axis about which the limb prefers to fold, in the root joint's frame.
    preferred: [f32; 3],
    /// Line and fold axis at rest, in the frame of the root's parent.
    pub(crate) rest: [[f32; 3]; 2],
    /// Sine and cosine of the interior angle at which the outer band begins; none for hard reach.
    outer: Option<[f32; 2]>,
    /// Width of the inner band over the longest reach, at rest.
    inner: f32,
}

impl Limb {
    pub(crate) fn new(skeleton: &Skeleton, limb: &TwoBone) -> Result<Self, CrowdError> {
        if limb.twist != Twist::Rigid || limb.pole_angle != 0.0 || limb.match_rotation != 1.0 {
            return Err(CrowdError::Unknown("a limb with shared twist, a pole angle or a partly matched rotation"));
        }
        Limit::none(skeleton, limb.root)?;
        Limit::none(skeleton, limb.mid)?;
        if limb.end == End::Model {
            Limit::none(skeleton, limb.tip)?;
        }
        let ratio = match limb.reach {
            Reach::Clamp | Reach::Hold => None,
            Reach::Soft { ratio, stretch } if stretch <= 1.0 => Some(ratio.max(1.0)),
            _ => return Err(CrowdError::Unknown("a limb that stretches")),
        };
        let pose = skeleton.rest_pose();
        let [a, b, c] = [limb.root, limb.mid, limb.tip].map(|joint| pose.position(joint));
        let (l1, l2) = (a.distance(b), b.distance(c));
        let (Some(above_mid), Some(above_tip)) = (skeleton.parent(limb.mid), skeleton.parent(limb.tip)) else {
            return Err(CrowdError::Unknown("a limb without bones"));
        };
        let narrow = |v: DVec3| v.as_vec3().to_array();
        let sine = ratio.map(|ratio| 1.0 / ratio);
        let rest = [limb.rest.line, limb.rest.bend.cross(limb.rest.line)];
        Ok(Self {
            root: limb.root.index(),
            mid: limb.mid.index(),
            tip: limb.tip.index(),
            above_mid: above_mid.index(),
            above_tip: above_tip.index(),
            end: limb.end,
            holds: limb.reach == Reach::Hold,
            rest_bend: limb.bend == Bend::Rest,
            preferred: narrow(limb.rest.preferred),
            rest: rest.map(narrow),
            outer: sine.map(|sine| [sine as f32, sinew::math::ops::sqrt_clamped(1.0 - sine * sine) as f32]),
            inner: ratio.map_or(0.0, |ratio| (Bands::new(ratio, l1, l2).inner / (l1 + l2)) as f32),
        })
    }

    /// Its three joints.
    pub(crate) fn joints(&self) -> [usize; 3] {
        [self.root, self.mid, self.tip]
    }

    /// The distance to solve for, where the target is at `d`, and what that makes of the target.
    #[inline(always)]
    fn span<L: Lanes>(&self, d: L, l1: L, l2: L) -> (L, L) {
        let (longest, shortest) = (l1 + l2, (l1 - l2).abs());
        let mut asked = d;
        if let Some([sine, cosine]) = self.outer {
            let zero = d.of(0.0);
            // Where the outer band begins, squared; most limbs are inside of it.
            let begins = l1 * l1 + l2 * l2 + d.of(2.0 * cosine) * (l1 * l2);
            let beyond = begins.is_less(d * d);
            if L::any(beyond) {
                let s = d.of(2.0 * (sine * sine / (1.0 + cosine))) * l1 * l2 / (longest + begins.sqrt());
                let past = (d - (longest - s)).or_more(zero);
                asked = L::select(beyond & zero.is_less(s), longest - s * (s / (past + s)), asked);
            }
            let si = longest * d.of(self.inner);
            let within = shortest + si - d;
            let close = zero.is_less(within) & zero.is_less(si);
            if L::any(close) {
                asked = L::select(close, shortest + si * (si / (within + si)), asked);
            }
        }
        let solved = asked.or_more(shortest).or_less(longest);
        let near = (d - solved).abs().is_at_most(longest * d.of(SLACK));
        let miss = L::select(longest.is_less(d), d.of(OUT_OF_REACH), d.of(SOFTENED));
        let miss = L::select(d.is_less(shortest), d.of(TOO_CLOSE), miss);
        let miss = if self.holds { d.of(HELD) } else { miss };
        (solved, L::select(near, d.of(REACHED), miss))
    }
}

/// Where a limb is, and where its tip should be, seen from its root.
struct Given<L: Lanes> {
    /// Rotations of the root joint and of the frame that it turns in.
    turn: Turn<L>,
    above: Turn<L>,
    /// Both bones, their lengths, and one over the first one's.
    a: Vector<L>,
    c: Vector<L>,
    l1: L,
    l2: L,
    r1: L,
    /// Length below which nothing has a direction.
    tiny: L,
    /// Target, as it would be at weight one, and pole.
    p: Vector<L>,
    whole: Vector<L>,
    seen: Vector<L>,
    free: L::Mask,
    share: L,
}

/// What a limb is asked, seen from its root.
pub(crate) struct Asked<L: Lanes> {
    /// Where its tip should be, and where it should be at weight one.
    pub(crate) p: Vector<L>,
    pub(crate) whole: Vector<L>,
    /// A direction or a place (model space); zero without one.
    pub(crate) pole: Vector<L>,
    pub(crate) is_point: L,
    /// Weight, at most 1.
    pub(crate) share: L,
}

/// What came of it.
pub(crate) struct Bent<L: Lanes> {
    /// Turns of the whole limb, and of its middle joint before that.
    pub(crate) swing: Turn<L>,
    pub(crate) fold: Turn<L>,
    /// Where the tip is, seen from the root, in the lanes that move.
    pub(crate) end: Vector<L>,
    pub(crate) moves: L::Mask,
    pub(crate) status: L,
}

/// Bends the limb of all characters from a lane on; the model transforms from its tip up must be up to date.
#[inline(always)]
pub(crate) fn run<L: Lanes>(like: L, crowd: &Crowd, limb: &Limb, step: usize, tile: &mut Tile<'_>, at: usize) {
    let goal = &tile.goals[ASKED * step..][..ASKED];
    let (target, pole) = (Vector::load(like, goal, at), Vector::load(like, &goal[3..], at));
    let (weight, is_point) = (like.load(&goal[6].0[at..]), like.load(&goal[7].0[at..]));
    let (from, tip) = (tile.place(like, limb.root, at), tile.place(like, limb.tip, at));
    let (one, share) = (like.of(1.0), weight.or_less(like.of(1.0)));
    let p = Vector::select(weight.is_less(one), (tip - from) + (target - tip) * share, target - from);
    let bent = bend_to(like, crowd, limb, &Asked { p, whole: target - from, pole, is_point, share }, weight, tile, at);
    if limb.end == End::Model {
        let above = bent.carried(tile.turn(like, limb.above_tip, at));
        tile.keep_turn(like, limb.tip, above, bent.moves, at);
    }
    bent.tell(like, (target - from, tip - target), weight, step, tile, at);
}

/// Bends a limb to what is asked, in the lanes in which it can.
#[inline(always)]
pub(crate) fn bend_to<L: Lanes>(
    like: L,
    crowd: &Crowd,
    limb: &Limb,
    asked: &Asked<L>,
    weight: L,
    tile: &mut Tile<'_>,
    at: usize,
) -> Bent<L> {
    let Asked { p, whole, pole, is_point, share } = *asked;
    let (zero, one) = (like.of(0.0), like.of(1.0));
    let (from, elbow) = (tile.place(like, limb.root, at), tile.place(like, limb.mid, at));
    let (a, c) = (elbow - from, tile.place(like, limb.tip, at) - elbow);
    let (l1, l2) = (a.length(), c.length());
    let tiny = (l1 + l2) * like.of(1e-6);
    let given = Given {
        turn: tile.turn(like, limb.root, at),
        above: crowd.above(like, limb.root, tile, at),
        a,
        c,
        l1,
        l2,
        r1: one / l1.or_more(tiny).or_more(like.of(TINY)),
        tiny,
        p,
        whole,
        seen: Vector::select(zero.is_less(is_point), pole - from, pole),
        free: pole.dot(pole).is_at_most(zero) & is_point.is_at_most(zero),
        share,
    };
    let d = p.length();
    let (solved, status) = limb.span(d, l1, l2);
    let (swing, fold, line) = bend(like, limb, &given, (d, solved));

    let (root, mid) = (4 * limb.root, 4 * limb.mid);
    let new_root = given.above.conjugate().then_after(swing).then_after(given.turn).renormalized();
    let (above_mid, mid_turn) = (tile.turn(like, limb.above_mid, at), tile.turn(like, limb.mid, at));
    let new_mid = above_mid.conjugate().then_after(fold).then_after(mid_turn).renormalized();
    let solid = tiny.is_less(l1) & tiny.is_less(l2) & zero.is_less(l1 + l2);
    let check = p.dot(p) + given.seen.dot(given.seen) + l1 + l2 + weight + new_root.w + new_mid.w;
    let finite = check.is_finite();
    let heavy = zero.is_less(weight) | !weight.is_finite();
    let held = if limb.holds { status.is_less(like.of(HELD)) } else { one.is_at_most(one) };
    let moves = finite & solid & heavy & held;
    for (first, new) in [(root, new_root), (mid, new_mid)] {
        let lines = &mut tile.rotations[first..][..4];
        Turn::select(moves, new, Turn::load(like, lines, at)).store(lines, at);
    }
    let status = L::select(solid, status, like.of(SINGULAR));
    let status = L::select(finite, status, like.of(INVALID));
    Bent { swing, fold, end: line * solved, moves, status }
}

impl<L: Lanes> Bent<L> {
    /// How a joint below the limb is turned now that the limb carries it along.
    #[inline(always)]
    pub(crate) fn carried(&self, turn: Turn<L>) -> Turn<L> {
        self.swing.then_after(self.fold).then_after(turn)
    }

    /// Writes status, error and iterations: how far the end is from what was `asked`, seen from the root, or
    /// as far as it is `away` where nothing moves.
    #[inline(always)]
    pub(crate) fn tell(
        &self,
        like: L,
        (asked, away): (Vector<L>, Vector<L>),
        weight: L,
        step: usize,
        tile: &mut Tile<'_>,
        at: usize,
    ) {
        let (zero, one) = (like.of(0.0), like.of(1.0));
        let heavy = zero.is_less(weight) | !weight.is_finite();
        let result = &mut tile.results[TOLD * step..][..TOLD];
        let mut miss = (self.end - asked).length();
        if L::any(!self.moves) {
            miss = L::select(self.moves, miss, away.length());
        }
        let mut status = self.status;
        if L::any(weight.is_less(one)) {
            // Short of the goal on purpose.
            let short = weight.is_less(one) & (asked.length() * like.of(SHORT)).is_less(miss);
            status = L::select(short & is(status, REACHED), like.of(SOFTENED), status);
        }
        L::select(heavy, status, like.of(IGNORED)).store(&mut result[0].0[at..]);
        L::select(heavy & miss.is_finite(), miss, zero).store(&mut result[1].0[at..]);
        L::select(self.moves, one, zero).store(&mut result[2].0[at..]);
    }
}

/// Turns of the whole limb and of its middle joint before that, and the line to the target. What few limbs need is counted
/// only where a lane needs it, and then selected, so that no lane's numbers hang on another's.
#[inline(always)]
fn bend<L: Lanes>(like: L, limb: &Limb, given: &Given<L>, (d, solved): (L, L)) -> (Turn<L>, Turn<L>, Vector<L>) {
    let Given { a, c, l1, l2, r1, tiny, p, seen, free, share, .. } = *given;
    let (zero, one) = (like.of(0.0), like.of(1.0));
    // How the limb lies: its first bone and the axis about which it folds.
    let first = Vector::select(tiny.is_less(l1) & l1.is_finite(), a * r1, Vector::of(like, [0.0, 1.0, 0.0]));
    let cross = a.cross(c);
    let own = cross.length();
    let bent = (l1 * l2 * like.of(STRAIGHT)).is_less(own);
    let normal = (cross * (one / own)).reject(first).renormalized();
    // Near straight the plane given counts in part; the second bone turns with it about the first.
    let size = l1 + l2;
    let far = solved.or_more(tiny);
    let r = one / far;
    let forward = like.of(0.5) * (solved * solved + (l1 - l2) * size) * r;
    let area = ((size - solved) * (size + solved)) * ((solved - (l1 - l2).abs()) * (solved + (l1 - l2).abs()));
    let aside = like.of(0.5) * area.sqrt_clamped() * r;
    // A tip on its root: the middle joint is straight aside.
    let folded = solved.is_at_most(tiny);
    let (forward, aside) = (L::select(folded, zero, forward), L::select(folded, l1, aside));
    // The chord is no longer than both bones.
    let part = share.is_less(one);
    let keeps = if limb.rest_bend { free & !free } else { free };
    let straight = !bent | (own.is_less(like.of(1.01 * WHOLE) * aside * size) & (keeps | part));
    let lie = Lie { first, normal, c, own, lean: None };
    let (lie, stance) = if L::any(straight) {
        let leaning = |keeps| lie.leaning(like, limb, given, (bent, aside), keeps);
        // Part of the way to another plane the limb begins in the one that it leans to, and folds in its own.
        (leaning(keeps), if L::any(part) { leaning(keeps | part) } else { leaning(keeps) })
    } else {
        (lie, lie)
    };

    let line = p * (one / d);
    let (bend, clear) = seen.unit_reject(line, 1e-5);
    let unclear = !clear | part | d.is_at_most(tiny);
    let (line, bend) = if L::any(unclear) { stance.without_pole(like, limb, given, d) } else { (line, bend) };

    // The middle joint's turn about the normal: from the angle it has to the one that it should have.
    let (mid, rest) = (line * forward + bend * aside, solved - forward);
    let scale = r1 / l2.or_more(tiny).or_more(like.of(TINY));
    let (cos_now, sin_now) = (a.dot(lie.c) * scale, lie.own * scale);
    let (cos_then, sin_then) = ((forward * rest - aside * aside) * scale, aside * solved * scale);
    let swing = Turn::between_frames(lie.first, lie.normal, mid * r1, bend.cross(line));
    let turn = (cos_then * cos_now + sin_then * sin_now, sin_then * cos_now - cos_then * sin_now);
    let fold = Turn::about(lie.normal, turn.0, turn.1);
    (swing, lie.lean.map_or(fold, |lean| fold.then_after(lean)), line)
}

/// How a limb lies: its first bone's direction, the axis about which it folds, its second bone, and the area between both.
#[derive(Clone, Copy)]
struct Lie<L: Lanes> {
    first: Vector<L>,
    normal: Vector<L>,
    c: Vector<L>,
    own: L,
    /// What the second bone turns by before it folds.
    lean: Option<Turn<L>>,
}

impl<L: Lanes> Lie<L> {
    /// The same with the axis that the limb prefers, where it is straight, and in part where it nearly is and `keeps` its plane.
    #[inline(always)]
    fn leaning(self, like: L, limb: &Limb, given: &Given<L>, (bent, aside): (L::Mask, L), keeps: L::Mask) -> Self {
        let Self { first, normal, c, own, .. } = self;
        let Given { a, tiny, .. } = *given;
        let one = like.of(1.0);
        let axis = given.turn.rotate(Vector::of(like, limb.preferred));
        let preferred = axis.unit_reject_or(first, 1e-6, first.any_perpendicular());
        let normal = Vector::select(bent, normal, preferred);
        let off = own / (a + c).length().or_more(tiny);
        let leaning = off.is_less(like.of(WHOLE) * aside) & keeps;
        if !L::any(leaning) {
            return Self { normal, ..self };
        }
        let part = (off / (like.of(WHOLE) * aside)).or_less(one);
        let fold = part_of_turn(preferred, normal, first, part);
        let along = first * first.dot(c);
        let across = fold.cross(first) * c.reject(first).length();
        let leant = Vector::select(leaning, along + across, c);
        let lean = Turn::arc(c.unit_or(tiny, first), leant.unit_or(tiny, first), first.any_perpendicular());
        let none = Turn::of(like, [0.0, 0.0, 0.0, 1.0]);
        let lean = Some(Turn::select(leaning, lean, none));
        Self { first, normal: Vector::select(leaning, fold, normal), c: leant, own: a.cross(leant).length(), lean }
    }

    /// The line to the target and the bend across it: as far as no pole says it, the one that goes along with the limb. At part of the
    /// weight it is turned from there by that part of the turn that it would have to make at the whole target.
    #[inline(always)]
    fn without_pole(&self, like: L, limb: &Limb, given: &Given<L>, d: L) -> (Vector<L>, Vector<L>) {
        let Given { above, tiny, p, whole, seen, free, share, .. } = *given;
        let one = like.of(1.0);
        let own = ((given.a + self.c).unit_or(tiny, self.first.cross(self.normal)), self.normal);
        let at_rest = (above.rotate(Vector::of(like, limb.rest[0])), above.rotate(Vector::of(like, limb.rest[1])));
        // A pole along the line leaves the plane of the pose given, whatever the limb does without one.
        let rests = free & tiny.is_less(d);
        let of_rest = |at_rest, own| Vector::select(rests, at_rest, own);
        let reference = if limb.rest_bend { (of_rest(at_rest.0, own.0), of_rest(at_rest.1, own.1)) } else { own };
        let line = Vector::select(d.is_at_most(tiny), reference.0, p * (one / d));
        let bend = seen.unit_reject_or(line, 1e-5, line.cross(carried(like, reference, line)));
        let part = share.is_less(one);
        if !L::any(part) {
            return (line, bend);
        }
        let end = whole.unit_or(tiny, line);
        let from = end.cross(carried(like, own, end));
        let to = seen.unit_reject_or(end, 1e-5, end.cross(carried(like, reference, end)));
        let now = line.cross(carried(like, own, line));
        let turn = turn_between(from, to, end) * share;
        (line, Vector::select(part, turned(now, line, turn), bend))
    }
}

/// The fold axis that goes along with a line of the limb and its own fold axis as the line turns, by the shortest turn.
#[inline(always)]
fn carried<L: Lanes>(like: L, (now, kept): (Vector<L>, Vector<L>), line: Vector<L>) -> Vector<L> {
    let square = like.of(1.0) + now.dot(line);
    let opposite = square.is_less(like.of(1e-5));
    let along = kept - (now + line) * (kept.dot(line) / square.or_more(like.of(1e-5)));
    let (carried, clear) = Vector::select(opposite, -kept, along).unit_reject(line, 1e-6);
    if L::any(!clear) { Vector::select(clear, carried, line.any_perpendicular()) } else { carried }
}
