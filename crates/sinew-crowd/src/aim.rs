//! Aim: one joint's axis at a point, by the shortest turn.

use sinew::glam::DVec3;
use sinew::{Aim, Skeleton, Start, math::arc};

use crate::block::{ASKED, Solves, TOLD, Tile};
use crate::by_core::{ByCore, LaneByLane as _};
use crate::crowd::{Bone, Crowd};
use crate::error::CrowdError;
use crate::goals::{IGNORED, INVALID, REACHED, TOO_CLOSE};
use crate::inside::Inside;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// A joint and the axis that it aims.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    pub(crate) joint: usize,
    axis: [f32; 3],
    across: [f32; 3],
    limit: Inside,
    /// Aims where the limit may stop the joint; none without one.
    core: Option<ByCore>,
}

impl Sight {
    pub(crate) fn new(skeleton: &Skeleton, bones: &[Bone], aim: &Aim, axis: DVec3) -> Result<Self, CrowdError> {
        let [share] = aim.joints.as_slice() else { return Err(CrowdError::Unknown("an aim of several joints")) };
        if aim.up_axis.is_some() || aim.roll.is_some() || aim.start != Start::Given {
            return Err(CrowdError::Unknown("an aim with an up, a roll or a start at rest"));
        }
        let limit = Inside::of(skeleton, share.joint)?;
        let axis = arc::unit(axis).ok_or(CrowdError::Unknown("an aim without an axis"))?;
        let across = arc::any_perpendicular(axis);
        let narrow = |v: DVec3| v.as_vec3().to_array();
        let core = if limit.is_free() { None } else { Some(ByCore::of_aim(skeleton, bones, aim, share.joint, axis)?) };
        Ok(Self { joint: share.joint.index(), axis: narrow(axis), across: narrow(across), limit, core })
    }
}

impl Solves for Sight {
    /// Turns the joint of all characters from a lane on; its model transform must be up to date.
    #[inline(always)]
    fn run<L: Lanes>(&self, like: L, crowd: &Crowd, step: usize, tile: &mut Tile<'_>, at: usize) {
        if !tile.is_asked(like, step, at) {
            return;
        }
        let goal = &tile.goals[ASKED * step..][..ASKED];
        let (target, pole) = (Vector::load(like, goal, at), Vector::load(like, &goal[3..], at));
        let (weight, is_point) = (like.load(&goal[6].0[at..]), like.load(&goal[7].0[at..]));
        let model = &tile.models[7 * self.joint..][..7];
        let (turn, place) = (Turn::load(like, model, at), Vector::load(like, &model[4..], at));
        let (zero, one) = (like.of(0.0), like.of(1.0));
        let from = turn.rotate(Vector::of(like, self.axis));
        let line = target - place;
        let finite = line.dot(line).is_finite() & from.dot(from).is_finite() & weight.is_finite();
        let far = like.of(1e-12).is_less(line.length());
        // A goal with a pole is none of an aim.
        let free = pole.dot(pole).is_at_most(zero) & is_point.is_at_most(zero);
        let mut asked = zero.is_less(weight) & finite & far & free;
        let to = line.unit_or(like.of(1e-12), from);
        // In part: the direction that share of the way along the chord, which is the whole at 1.
        let part = from + (to - from) * weight.or_less(one);
        let to = Vector::select(weight.is_less(one), part.unit_or(like.of(1e-6), to), to);
        let swing = Turn::arc(from, to, turn.rotate(Vector::of(like, self.across)));
        let local = Turn::load(like, &tile.rotations[4 * self.joint..][..4], at);
        // Model is parent · local, so the parent need not be looked up.
        let above = turn.then_after(local.conjugate());
        let new = above.conjugate().then_after(swing).then_after(turn).renormalized();
        let left = asked & !self.limit.holds(new);
        asked = asked & !left;
        Turn::select(asked, new, local).store(&mut tile.rotations[4 * self.joint..][..4], at);
        let status = L::select(finite, L::select(far, like.of(REACHED), like.of(TOO_CLOSE)), like.of(INVALID));
        let heavy = (zero.is_less(weight) | !weight.is_finite()) & free;
        let result = &mut tile.results[TOLD * step..][..TOLD];
        L::select(heavy, status, like.of(IGNORED)).store(&mut result[0].0[at..]);
        let sine = swing.rotate(from).cross(to).length();
        L::select(asked, sine, zero).store(&mut result[1].0[at..]);
        L::select(asked, one, zero).store(&mut result[2].0[at..]);
        if let Some(core) = &self.core {
            core.solve_left(like, crowd, left, step, tile, at);
        }
    }
}
