//! How people hold what goals leave free, in lanes: the linear functions of `sinew_rig::body`.

use sinew_rig::body::author::{
    COLLAR, ELBOW, ELBOW_FREE, KNEE, KNEE_FREE, KNOWN, LEAST, PITCH, ROLL, SOFT, STEADY, YAW,
};

use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// The fitted numbers.
#[derive(Clone, Debug)]
pub(crate) struct Natural {
    knee: [[f32; 3]; 7],
    knee_free: [[f32; 3]; 4],
    elbow: [[f32; 3]; 13],
    elbow_free: [[f32; 3]; 8],
    collar: [[f32; 3]; 4],
    pitch: [f32; 12],
    yaw: [f32; 14],
    roll: [f32; 14],
}

/// What the trunk depends on, in the frame of the hips.
pub(crate) struct TrunkSeen<L: Lanes> {
    /// How the line to the head leans, and how the head is turned: rotation vectors.
    pub(crate) lean: Vector<L>,
    pub(crate) head: Vector<L>,
    pub(crate) stretch: L,
    /// From the right hand to the left, and from the head to between them, in lengths of an arm.
    pub(crate) hands: [Vector<L>; 2],
}

impl Natural {
    pub(crate) fn new() -> Self {
        Self {
            knee: KNEE.map(narrow),
            knee_free: KNEE_FREE.map(narrow),
            elbow: ELBOW.map(narrow),
            elbow_free: ELBOW_FREE.map(narrow),
            collar: COLLAR.map(narrow),
            pitch: narrow(PITCH),
            yaw: narrow(YAW),
            roll: narrow(ROLL),
        }
    }

    /// Where a knee points, in the frame of the hips: by the direction to the foot and the foot's rotation.
    #[inline(always)]
    pub(crate) fn knee<L: Lanes>(&self, line: Vector<L>, foot: Turn<L>, side: f32) -> Vector<L> {
        let own = flip(line, side);
        let x = flip(foot.axes()[0], side) * line.0.of(side);
        let one = line.0.of(1.0);
        let free = weighted(&self.knee_free, [one, own.0, own.1, own.2]);
        let told = weighted(&self.knee, [one, own.0, own.1, own.2, x.0, x.1, x.2]);
        flip(ahead(told, free.reject(own)), side)
    }

    /// Where an elbow points, in the frame of the chest: by the direction to the hand, how far that is (a share of the arm) and the
    /// hand's rotation.
    #[inline(always)]
    pub(crate) fn elbow<L: Lanes>(&self, line: Vector<L>, far: L, hand: Turn<L>, side: f32) -> Vector<L> {
        let Vector(x, y, z) = flip(line, side);
        let (own, one) = (Vector(x, y, z), far.of(1.0));
        let far = far.or_less(one);
        let free = weighted(&self.elbow_free, [one, x, y, z, far, far * x, far * y, far * z]);
        let [a, b, c] = hand.axes();
        let (a, b, c) = (flip(a, side) * one.of(side), flip(b, side), flip(c, side));
        let features = [one, x, y, z, a.0, a.1, a.2, b.0, b.1, b.2, c.0, c.1, c.2];
        let told = weighted(&self.elbow, features) + free * one.of(STEADY as f32);
        flip(ahead(told, free.reject(own)), side)
    }

    /// How a collar bone is turned against the chest: by where the hand is from the shoulder of the T-pose, in lengths of the arm.
    #[inline(always)]
    pub(crate) fn collar<L: Lanes>(&self, hand: Vector<L>, side: f32) -> Turn<L> {
        let Vector(x, y, z) = flip(hand, side);
        let turn = weighted(&self.collar, [x.of(1.0), x, y, z]);
        let side = x.of(side);
        Turn::by(Vector(turn.0, turn.1 * side, turn.2 * side))
    }

    /// How a joint of the trunk is turned against the hips, as rotation vectors: at the first joint, and what is added on the way to
    /// the head.
    #[inline(always)]
    pub(crate) fn trunk<L: Lanes>(&self, seen: &TrunkSeen<L>) -> [Vector<L>; 2] {
        let TrunkSeen { lean, head, stretch, hands: [across, middle] } = *seen;
        let nods = [lean.0, head.0, stretch.of(1.0), stretch, middle.1, middle.2];
        let sides = [lean.1, lean.2, head.1, head.2, across.1, across.2, middle.0];
        [self.turned(0, nods, sides), self.turned(1, nods, sides)]
    }

    /// The one of these by every other weight, from the first or the second on.
    #[inline(always)]
    fn turned<L: Lanes>(&self, from: usize, nods: [L; 6], sides: [L; 7]) -> Vector<L> {
        Vector(
            every_other(&self.pitch, from, nods),
            every_other(&self.yaw, from, sides),
            every_other(&self.roll, from, sides),
        )
    }
}

#[allow(clippy::cast_possible_truncation, reason = "fitted to four digits")]
fn narrow<const N: usize>(row: [f64; N]) -> [f32; N] {
    row.map(|x| x as f32)
}

/// Left and right changed over.
#[inline(always)]
fn flip<L: Lanes>(v: Vector<L>, side: f32) -> Vector<L> {
    Vector(v.0 * v.0.of(side), v.1, v.2)
}

#[inline(always)]
fn weighted<L: Lanes, const N: usize>(rows: &[[f32; 3]; N], features: [L; N]) -> Vector<L> {
    let like = features[0];
    let mut sum = Vector::of(like, rows[0]);
    for (row, feature) in rows.iter().zip(features).skip(1) {
        sum = sum + Vector::of(like, *row) * feature;
    }
    sum
}

/// The sum of values by every other weight, from the first or the second on.
#[inline(always)]
fn every_other<L: Lanes, const N: usize>(weights: &[f32], from: usize, values: [L; N]) -> L {
    let mut sum = values[0] * values[0].of(weights[from]);
    for (place, value) in values.iter().enumerate().skip(1) {
        sum = sum + *value * value.of(weights[2 * place + from]);
    }
    sum
}

/// A direction that goes with another at least a little.
#[inline(always)]
fn ahead<L: Lanes>(told: Vector<L>, with: Vector<L>) -> Vector<L> {
    let (like, long) = (told.0, with.length());
    let way = with * (like.of(1.0) / long.or_more(like.of(1e-20)));
    let over = told.dot(way) - like.of(LEAST as f32);
    let soft = (SOFT * SOFT) as f32;
    let missing = like.of(0.5) * ((over * over + like.of(soft)).sqrt() - over);
    told + way * (missing * (long * like.of(1.0 / KNOWN as f32)).or_less(like.of(1.0)))
}
