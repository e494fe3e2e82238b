//! A limb of two bones in lanes: pole, bend of the pose given or of rest, soft reach; the geometry of `sinew`'s
//! `solve::two_bone`, from where the joints are.

use sinew::glam::DVec3;
use sinew::solve::two_bone::{Bands, End, Reach, TwistBones};
use sinew::{Bend, Skeleton, TwoBone};

use crate::block::{ASKED, Solves, Tile};
use crate::by_core::{ByCore, LaneByLane as _};
use crate::crowd::{Bone, Crowd};
use crate::error::CrowdError;
use crate::given::Given;
use crate::goals::{HELD, OUT_OF_REACH, REACHED, SOFTENED, TOO_CLOSE};
use crate::inside::Inside;
use crate::limited::Limits;
use crate::number::Lanes;
use crate::outcome::{Asked, bend_to, share};
use crate::vector::Vector;

/// Relative slack of the reach: a target within rounding of the rim counts as reached.
const SLACK: f32 = 8.0 * f32::EPSILON;

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
    pub(crate) holds: bool,
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
        if limb.twist_bones != TwistBones::Rigid || limb.pole_angle != 0.0 || limb.match_rotation != 1.0 {
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

/// Bends the limb of all characters from a lane on; the model transforms that it [`needs`](Limb::needs) must be up to date.
#[inline(always)]
fn run<L: Lanes, const PLAIN: bool>(like: L, crowd: &Crowd, limb: &Limb, step: usize, tile: &mut Tile<'_>, at: usize) {
    if !tile.is_asked(like, step, at) {
        return;
    }
    let goal = &tile.goals[ASKED * step..][..ASKED];
    let (target, pole) = (Vector::load(like, goal, at), Vector::load(like, &goal[3..], at));
    let (weight, is_point) = (like.load(&goal[6].0[at..]), like.load(&goal[7].0[at..]));
    let given = Given::read(like, crowd, limb, tile, at);
    let (share, whole) = (share(weight), target - given.from);
    let part = share.is_less(like.of(1.0));
    let mut p = whole;
    if L::any(part) {
        let tip = given.tip();
        p = Vector::select(part, tip + (whole - tip) * share, whole);
    }
    let (seen, free) = given.pole(pole, is_point);
    let asked = Asked { p, whole, seen, free, share };
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
