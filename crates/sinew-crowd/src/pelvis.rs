//! The pelvis of planted feet: the body comes down as far as its legs need to reach, as `sinew_motion::Feet` has it.

use sinew::glam::DVec3;
use sinew::{Skeleton, TwoBone, math::arc};

use crate::block::{ASKED, Solves, TOLD, Tile};
use crate::crowd::{Bone, Crowd};
use crate::error::CrowdError;
use crate::goals::{IGNORED, INVALID, REACHED};
use crate::number::Lanes;
use crate::vector::Vector;

/// The root of a body and the legs that stand below it.
#[derive(Clone, Debug)]
pub(crate) struct Pelvis {
    /// The root's joint, and its number among the roots.
    pub(crate) joint: usize,
    number: usize,
    pub(crate) legs: Vec<Leg>,
    /// Up in model space, and in the base of the root.
    up: [[f32; 3]; 2],
    reach: f32,
}

/// A leg, and whose goals are its foot's.
#[derive(Clone, Debug)]
pub(crate) struct Leg {
    joints: [usize; 2],
    pub(crate) tip: usize,
    step: usize,
}

impl Pelvis {
    /// Of legs that are solved one after another from the next step on.
    pub(crate) fn new(
        skeleton: &Skeleton,
        bones: &[Bone],
        legs: &[TwoBone],
        (up, reach): (DVec3, f64),
        step: usize,
    ) -> Result<Self, CrowdError> {
        let up = arc::unit(up).ok_or(CrowdError::Unknown("a pelvis without an up"))?;
        if !(reach > 0.0 && reach <= 1.0) {
            return Err(CrowdError::Unknown("a pelvis whose legs reach other than a share of their length"));
        }
        let mut roots = legs
            .iter()
            .filter_map(|leg| skeleton.roots().find(|&root| skeleton.subtree(root).contains(&leg.root.index())));
        let root = roots.next().ok_or(CrowdError::Unknown("a pelvis without legs"))?;
        if roots.any(|other| other != root) {
            return Err(CrowdError::Unknown("a pelvis with legs of several roots"));
        }
        let bone = &bones[root.index()];
        let [x, y, z, w] = bone.base.map(f64::from);
        let inside = sinew::glam::DQuat::from_xyzw(x, y, z, w).conjugate() * up;
        let leg = |(index, leg): (usize, &TwoBone)| Leg {
            joints: [leg.root, leg.mid].map(sinew::Joint::index),
            tip: leg.tip.index(),
            step: step + 1 + index,
        };
        Ok(Self {
            joint: root.index(),
            number: bone.root,
            legs: legs.iter().enumerate().map(leg).collect(),
            up: [up, inside].map(|v| v.as_vec3().to_array()),
            reach: reach as f32,
        })
    }
}

impl Solves for Pelvis {
    /// Brings the roots of all characters from a lane on down; the model transforms of the legs must be up to date.
    #[inline(always)]
    fn run<L: Lanes>(&self, like: L, _: &Crowd, step: usize, tile: &mut Tile<'_>, at: usize) {
        let (zero, one) = (like.of(0.0), like.of(1.0));
        let (up, inside) = (Vector::of(like, self.up[0]), Vector::of(like, self.up[1]));
        let mut way = zero;
        let mut stands = like.no_lane();
        for leg in &self.legs {
            let goal = &tile.goals[ASKED * leg.step..][..ASKED];
            let (target, weight) = (Vector::load(like, goal, at), like.load(&goal[6].0[at..]));
            let (hip, knee) = (tile.place(like, leg.joints[0], at), tile.place(like, leg.joints[1], at));
            let bones = (knee - hip).length() + (tile.place(like, leg.tip, at) - knee).length();
            let from = hip - up * way - target;
            let high = from.dot(up);
            let aside = from - up * high;
            let longest = bones * like.of(self.reach);
            let over = high - (longest * longest - aside.dot(aside)).sqrt_clamped();
            // What is over, with the corner rounded, so that it is smooth.
            let band = bones * like.of(1.0 - self.reach);
            let down = like.of(0.5) * (over + (over * over + band * band).sqrt()) * weight.or_less(one);
            let counts = zero.is_less(weight) & down.is_finite();
            way = way + L::select(counts, down, zero);
            stands = stands | counts;
        }
        let lines = &mut tile.places[3 * self.number..][..3];
        let place = Vector::load(like, lines, at);
        let new = place - inside * way;
        let finite = new.dot(new).is_finite();
        Vector::select(stands & finite, new, place).store(lines, at);
        let result = &mut tile.results[TOLD * step..][..TOLD];
        let status = L::select(finite, like.of(REACHED), like.of(INVALID));
        L::select(stands, status, like.of(IGNORED)).store(&mut result[0].0[at..]);
        L::select(stands & finite, way, zero).store(&mut result[1].0[at..]);
        L::select(stands & finite, one, zero).store(&mut result[2].0[at..]);
    }
}
