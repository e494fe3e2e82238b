//! Chains with limits: a body a joint. Each step turns all joints at once, those that limits stop apart, and then puts each inside
//! its limit. A step shortens the way to the target and is small where little is to be gained, so that answers move with targets.

use super::Chain;
use super::chain::MOST;
use super::compliance::{Compliance, Eliminated};
use super::queue::{Row, Slot, WIDE, set, vector};
use crate::block::Block;
use crate::crowd::Crowd;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Rotations and places of the joints in model space, the last place the tip's; bones in their joints' frames; the rotation
/// above the base, and the target.
pub(super) struct Bodies {
    turns: [[Row; 4]; MOST],
    places: [[Row; 3]; MOST + 1],
    /// The same before the last step.
    old_turns: [[Row; 4]; MOST],
    old_places: [[Row; 3]; MOST + 1],
    bones: [[Row; 3]; MOST],
    /// What a step knows of up to three axes a joint.
    axes: [[[Row; 10]; 3]; MOST],
    above: [Row; 4],
    target: [Row; 3],
    /// By how much the first step aims aside, so that a straight chain bends.
    aside: [Row; 3],
    length: Row,
    /// Distance left, and how far it may be after the next step: a mean of what the steps so far have left (Zhang and Hager 2004),
    /// so that a step may go round a corner of the limits, but steps that go round in circles end.
    error: Row,
    most: Row,
    /// Share of the way that the last step did not go, and by how much the next one must be shorter.
    stays: Row,
    caution: Row,
}

/// Resistance of bones for each share of the way that the last step left, at most 1.
const SHARE: f32 = 1.5;
/// How much more cautious a step is after one that went too far away from the target, and how much less after one that did not.
const MORE: f32 = 4.0;
const LESS: f32 = 0.75;
/// How much the mean of the distances keeps of those before, and the share of the length that the first step may be followed by.
const KEEPS: f32 = 0.75;
const FIRST: f32 = 2.0;
/// Share of the length by which the distance left may be off.
const SLACK: f32 = 1e-6;
/// Square of the sine of half the turn below which a step is worth nothing, where it leaves this share of the distance.
const STILL: f32 = 1e-9;
const LEAVES: f32 = 0.7;

/// How a step went.
pub(super) struct Made<L: Lanes> {
    /// Distance left.
    pub(super) error: L,
    /// Whether it was worth nothing.
    pub(super) still: L::Mask,
    /// Whether a limit stopped a joint.
    pub(super) stopped: L::Mask,
}

#[inline(always)]
fn turn<L: Lanes>(like: L, rows: &[Row]) -> Turn<L> {
    Turn { v: triple(like, rows), w: like.load(&rows[3].0) }
}

#[inline(always)]
fn triple<L: Lanes>(like: L, rows: &[Row]) -> Vector<L> {
    Vector(like.load(&rows[0].0), like.load(&rows[1].0), like.load(&rows[2].0))
}

#[inline(always)]
fn store<L: Lanes>(rows: &mut [Row], numbers: &[L]) {
    rows.iter_mut().zip(numbers).for_each(|(row, number)| number.store(&mut row.0));
}

impl Bodies {
    /// Room for them.
    #[allow(clippy::large_stack_arrays, reason = "a frame allocates nothing")]
    #[inline(always)]
    pub(super) fn new() -> Self {
        let mut unit = [Row::ZERO; 4];
        unit[3] = Row([1.0; WIDE]);
        Self {
            turns: [unit; MOST],
            places: [[Row::ZERO; 3]; MOST + 1],
            old_turns: [unit; MOST],
            old_places: [[Row::ZERO; 3]; MOST + 1],
            bones: [[Row::ZERO; 3]; MOST],
            axes: [[[Row::ZERO; 10]; 3]; MOST],
            above: unit,
            target: [Row::ZERO; 3],
            aside: [Row::ZERO; 3],
            length: Row::ZERO,
            error: Row::ZERO,
            most: Row::ZERO,
            stays: Row::ZERO,
            caution: Row::ZERO,
        }
    }

    /// Takes a character's chain into a lane; its length.
    pub(super) fn take(&mut self, crowd: &Crowd, chain: &Chain, block: &Block<'_>, slot: Slot, lane: usize) -> f32 {
        let lengths = block.lengths_of(slot.tile);
        let (mut length, mut tip) = (0.0, Vector(0.0, 0.0, 0.0));
        for (index, &end) in chain.ends.iter().enumerate() {
            let [i, j, k, w, x, y, z] = block.model(slot, chain.joints[index]);
            let bone = crowd.bone(0.0_f32, end, lengths, slot.lane);
            length += bone.length();
            tip = Vector(x, y, z) + Turn { v: Vector(i, j, k), w }.rotate(bone);
            put(&mut self.turns[index], lane, [i, j, k, w]);
            put(&mut self.places[index], lane, [x, y, z]);
            put(&mut self.bones[index], lane, [bone.0, bone.1, bone.2]);
        }
        put(&mut self.places[chain.joints.len()], lane, [tip.0, tip.1, tip.2]);
        let [i, j, k, _, x, y, z] = block.model(slot, chain.tip);
        put(&mut self.target, lane, [x, y, z]);
        put(&mut self.aside, lane, [i, j, k]);
        let base = &crowd.bones[chain.joints[0]];
        let above = base.parent.map(|parent| block.model(slot, parent as usize));
        put(&mut self.above, lane, above.map_or(base.base, |[i, j, k, w, ..]| [i, j, k, w]));
        self.length.0[lane] = length;
        // The first step brings the pose given inside the limits, whatever that costs.
        (self.error.0[lane], self.most.0[lane]) = (f32::INFINITY, f32::INFINITY);
        (self.stays.0[lane], self.caution.0[lane]) = (1.0, 1.0);
        length
    }

    /// Gives it back.
    pub(super) fn give(&self, chain: &Chain, block: &mut Block<'_>, slot: Slot, lane: usize) {
        for (index, joint) in chain.joints.iter().enumerate() {
            let turn = self.turns[index].map(|row| row.0[lane]);
            block.set_model(slot, 7 * joint, &turn);
        }
    }

    /// One step; where it goes away from the target the next one is shorter.
    #[inline(always)]
    pub(super) fn step<L: Lanes>(&mut self, like: L, chain: &Chain) -> Made<L> {
        let (push, stopped) = self.gather(like, chain);
        let (new, turned) = self.lay(like, chain, push);
        let (length, before, one) = (like.load(&self.length.0), like.load(&self.error.0), like.of(1.0));
        let (most, caution) = (like.load(&self.most.0), like.load(&self.caution.0));
        let worse = (most + length * like.of(SLACK)).is_less(new);
        let error = L::select(worse, before, new);
        error.store(&mut self.error.0);
        let mean = most.or_less(new + length * like.of(FIRST)) * like.of(KEEPS) + new * like.of(1.0 - KEEPS);
        L::select(worse, most, mean).store(&mut self.most.0);
        let caution = L::select(worse, caution * like.of(MORE), (caution * like.of(LESS)).or_more(one));
        caution.store(&mut self.caution.0);
        if L::any(worse) {
            self.go_back(like, chain, worse);
        }
        let still = turned.is_at_most(like.of(STILL)) & (before * like.of(LEAVES)).is_at_most(error);
        Made { error, still, stopped }
    }

    /// Takes a step back in some lanes.
    #[inline(always)]
    fn go_back<L: Lanes>(&mut self, like: L, chain: &Chain, worse: L::Mask) {
        let bones = chain.limits.len();
        for (now, old) in self.turns.iter_mut().zip(&self.old_turns).take(bones) {
            take_back(like, worse, now, old);
        }
        for (now, old) in self.places.iter_mut().zip(&self.old_places).take(bones + 1) {
            take_back(like, worse, now, old);
        }
    }

    /// The push at the tip that brings it to the target, and whether a limit stops a joint.
    #[inline(always)]
    fn gather<L: Lanes>(&mut self, like: L, chain: &Chain) -> (Vector<L>, L::Mask) {
        let (one, bones) = (like.of(1.0), chain.limits.len());
        let tip = vector(like, &self.places[bones]);
        let way = vector(like, &self.target) - tip + vector(like, &self.aside);
        self.aside = [Row::ZERO; 3];
        let resists = (like.load(&self.stays.0) * like.of(SHARE)).or_less(one) * like.load(&self.caution.0);
        let mut compliance = Compliance::new(way, like.load(&self.length.0), resists);
        let (mut end, mut stopped) = (tip, like.no_lane());
        for (index, limit) in chain.limits.iter().enumerate().rev() {
            let place = vector(like, &self.places[index]);
            compliance.add_bone(end - place);
            let above = turn(like, if index > 0 { &self.turns[index - 1] } else { &self.above });
            let axes = limit.axes(above, turn(like, &self.turns[index]), (tip - place).cross(way));
            for (axis, rows) in axes.into_iter().zip(&mut self.axes[index][..limit.count()]) {
                stopped = stopped | axis.gives.is_less(one);
                let Eliminated { line, stiffness, moment, share } = compliance.add_axis(axis);
                store(rows, &[line.0, line.1, line.2, stiffness.0, stiffness.1, stiffness.2]);
                store(&mut rows[6..], &[moment.0, moment.1, moment.2, share]);
            }
            end = place;
        }
        let (push, stays) = compliance.push();
        stays.store(&mut self.stays.0);
        (push, stopped)
    }

    /// Lays the chain from its base out, each joint turned as the push says and inside its limit; the distance left, and the square
    /// of the largest turn.
    #[inline(always)]
    fn lay<L: Lanes>(&mut self, like: L, chain: &Chain, push: Vector<L>) -> (L, L) {
        let (one, bones) = (like.of(1.0), chain.limits.len());
        let mut before = turn(like, &self.above);
        let (mut above, mut place) = (before, vector(like, &self.places[0]));
        let (mut turned, mut carried) = (like.of(0.0), Vector::of(like, [0.0; 3]));
        for (index, limit) in chain.limits.iter().enumerate() {
            let (own, mut spin) = (turn(like, &self.turns[index]), Vector::of(like, [0.0; 3]));
            // As they were eliminated, the last one first.
            for rows in self.axes[index][..limit.count()].iter().rev() {
                let (line, stiffness, moment) =
                    (triple(like, rows), triple(like, &rows[3..]), triple(like, &rows[6..]));
                let by = line * (like.load(&rows[9].0) * (moment.dot(push) - stiffness.dot(carried)));
                (spin, carried) = (spin + by, carried + by);
            }
            // By 53 degrees at most.
            let half = like.of(0.5) / spin.length().or_more(one);
            let step = Turn { v: spin * half, w: one }.normalized();
            let local = limit.project(before.conjugate().then_after(step).then_after(own));
            let new = above.then_after(local).renormalized();
            let moved = new.then_after(own.conjugate()).v;
            turned = turned.or_more(moved.dot(moved));
            (self.old_turns[index], self.old_places[index]) = (self.turns[index], self.places[index]);
            store(&mut self.turns[index], &[new.v.0, new.v.1, new.v.2, new.w]);
            set(&mut self.places[index], place);
            (before, above, place) = (own, new, place + new.rotate(vector(like, &self.bones[index])));
        }
        self.old_places[bones] = self.places[bones];
        set(&mut self.places[bones], place);
        ((place - vector(like, &self.target)).length(), turned)
    }
}

/// Takes old numbers back in some lanes.
#[inline(always)]
fn take_back<L: Lanes>(like: L, lanes: L::Mask, now: &mut [Row], old: &[Row]) {
    for (now, old) in now.iter_mut().zip(old) {
        L::select(lanes, like.load(&old.0), like.load(&now.0)).store(&mut now.0);
    }
}

/// Writes numbers of a lane.
fn put<const N: usize>(rows: &mut [Row; N], lane: usize, numbers: [f32; N]) {
    rows.iter_mut().zip(numbers).for_each(|(row, number)| row.0[lane] = number);
}
