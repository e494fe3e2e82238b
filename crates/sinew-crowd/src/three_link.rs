//! A limb of three links in lanes: the last one lies as told, the first two reach to where it starts, as in `sinew`'s
//! `solve::three_link`.

use sinew::solve::three_link::{Last, Plane, Yields};
use sinew::solve::two_bone::End;
use sinew::{Skeleton, ThreeLink, TwoBone};

use crate::block::{ASKED, Solves, Tile};
use crate::by_core::{ByCore, LaneByLane as _};
use crate::crowd::{Bone, Crowd};
use crate::error::CrowdError;
use crate::given::{Given, rotated};
use crate::inside::Inside;
use crate::number::Lanes;
use crate::outcome::{Asked, bend_to, share};
use crate::steps::Step;
use crate::two_bone::Limb;
use crate::vector::{Turn, Vector};

/// Relative distance inside the rim at which a last link that gives way leaves the first two.
const HAIR: f32 = 2.0 * f32::EPSILON;

/// A limb of all characters whose last link lies as told.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    /// The first two links.
    pub(crate) upper: Limb,
    pub(crate) tip: usize,
    above_tip: usize,
    end: End,
    /// Where the last link points: a direction, or a place.
    last: [f32; 3],
    is_place: bool,
    /// Whether the last link gives way to the tip's place.
    yields: bool,
    /// The side to which the limb bends in the plane of its last link; none where poles say it.
    side: Option<f32>,
    /// Rotation at rest of the joint that the last link begins with.
    rest: [f32; 4],
    /// Limits of the last link's joint, and of a tip that keeps its rotation in model space.
    limits: [Inside; 2],
    core: Option<ByCore>,
}

/// The step of a limb.
pub(crate) fn step(skeleton: &Skeleton, joints: &[Bone], limb: &ThreeLink) -> Result<Step, CrowdError> {
    let bones = |tip, rest, end| {
        let bones = TwoBone::new(skeleton, limb.root, limb.mid, tip)
            .map_err(|_| CrowdError::Unknown("a limb without bones"))?;
        Limb::new(skeleton, &TwoBone { reach: limb.reach, end, bend: limb.bend, rest, ..bones })
    };
    let (last, is_place) = match limb.last {
        Some(Last::Direction(direction)) => (direction, false),
        Some(Last::Toward(place)) => (place, true),
        _ => {
            return Err(CrowdError::Unknown(
                "three links whose last one keeps an angle; say where it points, or make it two bones",
            ));
        }
    };
    if !(last.is_finite() && (is_place || last.length() > 0.0)) {
        return Err(CrowdError::Unknown("a last link without a direction"));
    }
    let kept = if limb.end == End::Model { Inside::of(skeleton, limb.tip)? } else { Inside::Free };
    let limits = [Inside::of(skeleton, limb.low)?, kept];
    let side = match limb.plane {
        Plane::Pole => None,
        Plane::Natural { side } => Some(if side < 0.0 { -1.0 } else { 1.0 }),
        _ => return Err(CrowdError::Unknown("a plane of three links")),
    };
    let above_tip = skeleton.parent(limb.tip).ok_or(CrowdError::Unknown("a limb without bones"))?;
    let last = if is_place { last } else { last.normalize() };
    let upper = bones(limb.low, limb.rest[0], End::Local)?;
    let is_limited = upper.is_limited() || limits.iter().any(|limit| !limit.is_free());
    let core = if is_limited { Some(ByCore::of_three(skeleton, joints, limb)?) } else { None };
    Ok(Step::ThreeLink(Box::new(Links {
        upper,
        limits,
        core,
        tip: limb.tip.index(),
        above_tip: above_tip.index(),
        end: limb.end,
        last: last.as_vec3().to_array(),
        is_place,
        yields: limb.yields == Yields::Direction,
        side,
        rest: skeleton.rest(limb.low).rotation.as_quat().to_array(),
    })))
}

impl Solves for Links {
    /// Bends the limb of all characters from a lane on; the model transforms from its tip up must be up to date.
    #[inline(always)]
    fn run<L: Lanes>(&self, like: L, crowd: &Crowd, step: usize, tile: &mut Tile<'_>, at: usize) {
        if !tile.is_asked(like, step, at) {
            return;
        }
        let goal = &tile.goals[ASKED * step..][..ASKED];
        let (target, mut pole) = (Vector::load(like, goal, at), Vector::load(like, &goal[3..], at));
        let (weight, mut is_point) = (like.load(&goal[6].0[at..]), like.load(&goal[7].0[at..]));
        let (one, share) = (like.of(1.0), share(weight));
        let given = Given::read(like, crowd, &self.upper, tile, at);
        let from = given.from;
        let (low, tip) = (tile.place(like, self.upper.tip, at), tile.place(like, self.tip, at));
        let link = tip - low;
        let length = link.length();
        let p = Vector::select(share.is_less(one), (tip - from) + (target - tip) * share, target - from);
        let mut last = Vector::of(like, self.last);
        if self.is_place {
            last = (last - from - p).unit_or(like.of(0.0), link.unit_or(like.of(0.0), last));
        }
        let mut gives_way = like.no_lane();
        if self.yields {
            (last, gives_way) = self.yielded(like, &given, (p, last, length));
        }
        if let Some(side) = self.side {
            (pole, is_point) = (last * like.of(side), like.of(0.0));
        }
        let whole = target - from - last * length;
        let (seen, free) = given.pole(pole, is_point);
        let asked = Asked { p: p - last * length, whole, seen, free, share };
        let mut bent = bend_to(like, &self.upper, self.upper.limits.as_ref(), &given, &asked, weight);
        // The last link's joint turns from its rest, at weights below one from part of the way there.
        let moved = bent.moved(tile.turn(like, self.upper.root, at));
        let above = moved.then_after(tile.turn(like, self.upper.above_tip, at));
        let given = tile.local(like, self.upper.tip, at);
        let mut start = Turn::of(like, self.rest);
        if L::any(share.is_less(one)) {
            start = Turn::select(share.is_less(one), given.part_to(start, share), start);
        }
        let start = above.then_after(start);
        let before = tile.turn(like, self.upper.tip, at).conjugate();
        let points = start.rotate(before.rotate(link)).unit_or(like.of(0.0), last);
        let turned = Turn::arc(points, last, points.any_perpendicular()).then_after(start);
        let new = above.conjugate().then_after(turned).normalized();
        let [own, kept] = &self.limits;
        // How far a limb with limits reaches is the core's to say.
        bent.leave(if self.core.is_some() { gives_way | !own.holds(new) } else { like.no_lane() });
        if self.end == End::Model {
            bent.keep_turn(like, turned.then_after(before), (self.above_tip, self.tip), kept, tile, at);
        }
        bent.write(&self.upper, tile, at);
        tile.set_local(self.upper.tip, new, bent.moves, at);
        bent.end = bent.end + last * length;
        bent.tell(like, (target - from, tip - target), weight, step, tile, at);
        if let Some(core) = &self.core {
            core.solve_left(like, crowd, bent.left, step, tile, at);
        }
    }
}

impl Links {
    /// The direction nearest to the last link's from which the first two reach where it starts: itself where they do; and
    /// where they do not.
    #[inline(always)]
    fn yielded<L: Lanes>(
        &self,
        like: L,
        given: &Given<L>,
        (p, last, length): (Vector<L>, Vector<L>, L),
    ) -> (Vector<L>, L::Mask) {
        let Given { above, l1, l2, .. } = *given;
        let (shortest, longest) = ((l1 - l2).abs(), l1 + l2);
        let (far, zero, one) = (p.length(), like.of(0.0), like.of(1.0));
        let distance = (p - last * length).length();
        let misses = (distance.is_less(shortest) | longest.is_less(distance)) & zero.is_less(far * length);
        if !L::any(misses) {
            return (last, misses);
        }
        let hair = longest * like.of(HAIR);
        let d = distance.or_more(shortest + hair).or_less(longest - hair);
        let cosine = ((far - d) * (far + d) + length * length) / (like.of(2.0) * far * length);
        let cosine = cosine.or_more(-one).or_less(one);
        let line = p * (one / far);
        let [along, fold] = self.upper.rest;
        let (along, fold) = (Vector::of(like, along), Vector::of(like, fold));
        let aside = rotated(above, along.cross(fold));
        let across = last.unit_reject_or(line, 1e-6, aside.unit_reject_or(line, 1e-6, line.any_perpendicular()));
        let turned = line * cosine + across * ((one - cosine) * (one + cosine)).sqrt_clamped();
        (Vector::select(misses, turned, last), misses)
    }
}
