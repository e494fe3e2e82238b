//! A limb of two bones in lanes: pole, bend of the pose given or of rest, soft reach; the geometry of `sinew`'s
//! `solve::two_bone`, from where the joints are.

use sinew::glam::DVec3;
use sinew::solve::two_bone::{Bands, End, Reach, Twist};
use sinew::{Bend, Skeleton, TwoBone};

use crate::bend::bend;
use crate::block::{ASKED, Solves, TOLD, Tile};
use crate::by_core::{ByCore, LaneByLane as _};
use crate::crowd::{Bone, Crowd};
use crate::error::CrowdError;
use crate::given::{Given, inside};
use crate::goals::{HELD, IGNORED, INVALID, OUT_OF_REACH, REACHED, SINGULAR, SOFTENED, TOO_CLOSE, is};
use crate::inside::Inside;
use crate::limited::{self, Limits};
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Relative slack of the reach: a target within rounding of the rim counts as reached.
const SLACK: f32 = 8.0 * f32::EPSILON;
/// Share of the distance asked for within which a goal of part weight is met all the same.
const SHORT: f32 = 1e-5;

/// A limb of all characters.
#[derive(Clone, Debug)]
pub(crate) struct Limb {
    pub(crate) root: usize,
    pub(crate) mid: usize,
    pub(crate) tip: usize,
    /// Joints below the root down to the middle joint, and from there to the tip.
    pub(crate) to_mid: Vec<usize>,
    pub(crate) to_tip: Vec<usize>,
    pub(crate) above_tip: usize,
    end: End,
    holds: bool,
    pub(crate) rest_bend: bool,
    /// Axis about which the limb prefers to fold, in the root joint's frame.
    pub(crate) preferred: [f32; 3],
    /// Line and fold axis at rest, in the frame of the root's parent.
    pub(crate) rest: [[f32; 3]; 2],
    /// Sine and cosine of the interior angle at which the outer band begins; none for hard reach.
    outer: Option<[f32; 2]>,
    /// Width of the inner band over the longest reach, at rest.
    inner: f32,
    /// Those of the first two joints; none where both are free.
    pub(crate) limits: Option<Limits>,
    /// That of a tip which keeps its rotation in model space.
    keeps: Inside,
    /// Solves what limits stop; none where nothing has any, and of the first two of three links.
    core: Option<ByCore>,
}

impl Limb {
    /// A limb by itself.
    pub(crate) fn whole(skeleton: &Skeleton, bones: &[Bone], limb: &TwoBone) -> Result<Self, CrowdError> {
        let mut own = Self::new(skeleton, limb)?;
        if own.is_limited() {
            own.core = Some(ByCore::of_two(skeleton, bones, limb)?);
        }
        Ok(own)
    }

    /// Whether a limit may stop it.
    pub(crate) fn is_limited(&self) -> bool {
        self.limits.is_some() || !self.keeps.is_free()
    }

    pub(crate) fn new(skeleton: &Skeleton, limb: &TwoBone) -> Result<Self, CrowdError> {
        if limb.twist != Twist::Rigid || limb.pole_angle != 0.0 || limb.match_rotation != 1.0 {
            return Err(CrowdError::Unknown("a limb with shared twist, a pole angle or a partly matched rotation"));
        }
        let keeps = if limb.end == End::Model { Inside::of(skeleton, limb.tip)? } else { Inside::Free };
        let ratio = match limb.reach {
            Reach::Clamp | Reach::Hold => None,
            Reach::Soft { ratio, stretch } if stretch <= 1.0 => Some(ratio.max(1.0)),
            _ => return Err(CrowdError::Unknown("a limb that stretches")),
        };
        let pose = skeleton.rest_pose();
        let [a, b, c] = [limb.root, limb.mid, limb.tip].map(|joint| pose.position(joint));
        let (l1, l2) = (a.distance(b), b.distance(c));
        let unboned = CrowdError::Unknown("a limb without bones");
        let above_tip = skeleton.parent(limb.tip).ok_or(unboned.clone())?;
        let below = |joint, end| {
            let chain = sinew::Chain::new(skeleton, joint, end).map_err(|_| unboned.clone())?;
            Ok::<_, CrowdError>(chain.joints()[1..].iter().map(|joint| joint.index()).collect())
        };
        let narrow = |v: DVec3| v.as_vec3().to_array();
        let sine = ratio.map(|ratio| 1.0 / ratio);
        let rest = [limb.rest.line, limb.rest.bend.cross(limb.rest.line)];
        Ok(Self {
            root: limb.root.index(),
            mid: limb.mid.index(),
            tip: limb.tip.index(),
            to_mid: below(limb.root, limb.mid)?,
            to_tip: below(limb.mid, limb.tip)?,
            above_tip: above_tip.index(),
            end: limb.end,
            holds: limb.reach == Reach::Hold,
            rest_bend: limb.bend == Bend::Rest,
            preferred: narrow(limb.rest.preferred),
            rest: rest.map(narrow),
            outer: sine.map(|sine| [sine as f32, sinew::math::ops::sqrt_clamped(1.0 - sine * sine) as f32]),
            inner: ratio.map_or(0.0, |ratio| (Bands::new(ratio, l1, l2).inner / (l1 + l2)) as f32),
            limits: Limits::of(skeleton, limb)?,
            keeps,
            core: None,
        })
    }

    /// Whether it has no limits, and its tip goes along with its last bone.
    pub(crate) fn is_plain(&self) -> bool {
        !self.is_limited() && self.end == End::Local
    }

    /// The joint from which on it needs model transforms before it is solved, up to the root of its skeleton; `None` where none is.
    pub(crate) fn needs(&self, bones: &[Bone]) -> Option<usize> {
        if self.is_plain() { bones[self.root].parent.map(|parent| parent as usize) } else { Some(self.tip) }
    }

    /// Whether it stops short of its rims.
    pub(crate) fn is_soft(&self) -> bool {
        self.outer.is_some()
    }

    /// The distance to solve for, where the target is at `d`, and what that makes of the target.
    #[inline(always)]
    pub(crate) fn span<L: Lanes>(&self, d: L, [l1, l2]: [L; 2], [shortest, longest]: [L; 2]) -> (L, L) {
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

/// What a limb is asked, seen from its root.
pub(crate) struct Asked<L: Lanes> {
    /// Where its tip should be, and where it should be at weight one.
    pub(crate) p: Vector<L>,
    pub(crate) whole: Vector<L>,
    /// To where it bends, and where it has no pole.
    pub(crate) seen: Vector<L>,
    pub(crate) free: L::Mask,
    /// Weight, at most 1.
    pub(crate) share: L,
}

/// What came of it.
pub(crate) struct Bent<L: Lanes> {
    /// The root joint's new rotation in model space, and how its middle joint turns before that, in the root joint's frame.
    turn: Turn<L>,
    fold: Turn<L>,
    /// The new local rotations of both joints, and of a tip that keeps its rotation in model space.
    root: Turn<L>,
    mid: Turn<L>,
    kept: Option<(usize, Turn<L>)>,
    /// Where the tip is, seen from the root, in the lanes that move.
    pub(crate) end: Vector<L>,
    pub(crate) moves: L::Mask,
    pub(crate) status: L,
    /// Where a limit may stop the limb, so that the core must look.
    pub(crate) left: L::Mask,
}

/// Bends the limb of all characters from a lane on; the model transforms that it [`needs`](Limb::needs) must be up to date.
#[inline(always)]
fn run<L: Lanes, const PLAIN: bool>(like: L, crowd: &Crowd, limb: &Limb, step: usize, tile: &mut Tile<'_>, at: usize) {
    let goal = &tile.goals[ASKED * step..][..ASKED];
    let (target, pole) = (Vector::load(like, goal, at), Vector::load(like, &goal[3..], at));
    let (weight, is_point) = (like.load(&goal[6].0[at..]), like.load(&goal[7].0[at..]));
    let given = Given::read(like, crowd, limb, tile, at);
    let one = like.of(1.0);
    let whole = target - given.from;
    let part = weight.is_less(one);
    let mut p = whole;
    if L::any(part) {
        let tip = given.tip();
        p = Vector::select(part, tip + (whole - tip) * weight, whole);
    }
    let (seen, free) = given.pole(pole, is_point);
    let asked = Asked { p, whole, seen, free, share: weight.or_less(one) };
    let limits = limb.limits.as_ref().filter(|_| !PLAIN);
    let mut bent = bend_to(like, limb, limits, &given, &asked, weight);
    if !PLAIN && limb.end == End::Model {
        let moved = bent.moved(tile.turn(like, limb.root, at));
        bent.keep_turn(like, moved, (limb.above_tip, limb.tip), &limb.keeps, tile, at);
    }
    bent.write(limb, tile, at);
    let away = if L::any(!bent.moves) { given.tip() - whole } else { whole };
    bent.tell(like, (whole, away), weight, step, tile, at);
    if let Some(core) = limb.core.as_ref().filter(|_| !PLAIN) {
        core.solve_left(like, crowd, bent.left, step, tile, at);
    }
}

/// How a limb bends to what is asked, in the lanes in which it can.
#[inline(always)]
pub(crate) fn bend_to<L: Lanes>(
    like: L,
    limb: &Limb,
    limits: Option<&Limits>,
    given: &Given<L>,
    asked: &Asked<L>,
    weight: L,
) -> Bent<L> {
    let Asked { p, seen, .. } = *asked;
    let Given { l1, l2, tiny, .. } = *given;
    let (zero, one) = (like.of(0.0), like.of(1.0));
    let d = p.length();
    let all = one.is_at_most(one);
    let (turn, fold, mid, line, (solved, status), clear) = if let Some(limits) = limits {
        let limited::Found { turn, fold, mid, line, span, clear } = limited::bend(like, limb, limits, given, asked, d);
        (turn, fold, mid, line, span, clear)
    } else {
        let span = limb.span(d, [l1, l2], [(l1 - l2).abs(), l1 + l2]);
        let (turn, fold, line) = bend(like, limb, given, asked, (d, span.0));
        (turn, fold, given.folded(fold), line, span, all)
    };

    let (root, mid) = (inside(given.above, turn).renormalized(), mid.renormalized());
    let solid = tiny.is_less(l1) & tiny.is_less(l2) & zero.is_less(l1 + l2);
    // The pose given counts, too, whether it is needed or not.
    let check = p.dot(p) + seen.dot(seen) + l1 + l2 + weight + given.root.sum() + given.mid.sum();
    let heavy = zero.is_less(weight) | !weight.is_finite();
    let (finite, left) = if let Some(limits) = limits {
        let finite = check.is_finite();
        (finite, finite & solid & heavy & !(clear & limits.hold(root, mid)))
    } else {
        ((check + root.w + mid.w).is_finite(), !all)
    };
    let held = if limb.holds { status.is_less(like.of(HELD)) } else { all };
    let moves = finite & solid & heavy & held & !left;
    let status = L::select(solid, status, like.of(SINGULAR));
    let status = L::select(finite, status, like.of(INVALID));
    Bent { turn, fold, root, mid, kept: None, end: line * solved, moves, status, left }
}

impl<L: Lanes> Bent<L> {
    /// How what hangs on the limb is turned now that the limb carries it along, from the root joint's rotation in the pose given (model
    /// space).
    #[inline(always)]
    pub(crate) fn moved(&self, root: Turn<L>) -> Turn<L> {
        self.turn.then_after(self.fold).then_after(root.conjugate())
    }

    /// Keeps a tip's rotation in model space below a joint that is carried along by a turn, as far as its limit lets it.
    #[inline(always)]
    pub(crate) fn keep_turn(
        &mut self,
        like: L,
        carried: Turn<L>,
        (above, tip): (usize, usize),
        limit: &Inside,
        tile: &Tile<'_>,
        at: usize,
    ) {
        let above = carried.then_after(tile.turn(like, above, at));
        let new = above.conjugate().then_after(tile.turn(like, tip, at)).normalized();
        self.leave(!limit.holds(new));
        self.kept = Some((tip, new));
    }

    /// Leaves lanes that would move to the core.
    #[inline(always)]
    pub(crate) fn leave(&mut self, lanes: L::Mask) {
        self.left = self.left | (self.moves & lanes);
        self.moves = self.moves & !self.left;
    }

    /// Writes the new local rotations in the lanes that move.
    #[inline(always)]
    pub(crate) fn write(&self, limb: &Limb, tile: &mut Tile<'_>, at: usize) {
        tile.set_local(limb.root, self.root, self.moves, at);
        tile.set_local(limb.mid, self.mid, self.moves, at);
        if let Some((tip, new)) = self.kept {
            tile.set_local(tip, new, self.moves, at);
        }
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

/// A limb without limits whose tip goes along, which has a kernel of its own: less is at hand in it, and more of that in registers.
pub(crate) struct Plain<'a>(pub(crate) &'a Limb);

impl Solves for Plain<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&self, like: L, crowd: &Crowd, step: usize, tile: &mut Tile<'_>, at: usize) {
        run::<L, true>(like, crowd, self.0, step, tile, at);
    }
}

impl Solves for Limb {
    #[inline(always)]
    fn run<L: Lanes>(&self, like: L, crowd: &Crowd, step: usize, tile: &mut Tile<'_>, at: usize) {
        run::<L, false>(like, crowd, self, step, tile, at);
    }
}
