//! Chains with limits: a body a joint. The backward pass lays points, the forward pass turns bodies, each inside its limit.

use super::Chain;
use super::chain::MOST;
use super::closing::{Closing, solve};
use super::queue::{Row, Slot, WIDE, set, vector};
use super::sweep::toward;
use crate::block::Block;
use crate::crowd::Crowd;
use crate::limit::Limit;
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Rotations and places of the joints in model space, the last place the tip's; bones in their joints' frames; the rotation
/// above the base, and the target.
pub(super) struct Bodies {
    turns: [[Row; 4]; MOST],
    places: [[Row; 3]; MOST + 1],
    bones: [[Row; 3]; MOST],
    above: [Row; 4],
    target: [Row; 3],
    length: Row,
    /// Distance left before the last pass.
    left: Row,
    /// How much each joint takes part in a Newton step.
    weights: [Row; MOST],
}

/// Share of the chain's length from which on Newton steps alone close what is left: passes would undo them.
const NEAR: f32 = 0.1;
/// What Newton steps must leave at most, so that no pass takes their place.
const GAIN: f32 = 0.5;
/// Newton steps a pass; from the second on they know what limits have stopped.
const CLOSINGS: usize = 2;
/// How much a joint takes part that its limit has just stopped.
const STOPPED: f32 = 1e-3;
/// Square of the sine of half the turn by which a joint counts as stopped.
const LOST: f32 = 1e-9;
/// Farther than any chain reaches (metres): its tip before the first pass.
const AWAY: f32 = 1e18;

#[inline(always)]
fn turn<L: Lanes>(like: L, rows: &[Row; 4]) -> Turn<L> {
    let v = Vector(like.load(&rows[0].0), like.load(&rows[1].0), like.load(&rows[2].0));
    Turn { v, w: like.load(&rows[3].0) }
}

#[inline(always)]
fn set_turn<L: Lanes>(rows: &mut [Row; 4], q: Turn<L>) {
    q.v.0.store(&mut rows[0].0);
    q.v.1.store(&mut rows[1].0);
    q.v.2.store(&mut rows[2].0);
    q.w.store(&mut rows[3].0);
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
            bones: [[Row::ZERO; 3]; MOST],
            above: unit,
            target: [Row::ZERO; 3],
            length: Row::ZERO,
            left: Row::ZERO,
            weights: [Row::ZERO; MOST],
        }
    }

    /// Takes a character's chain into a lane.
    pub(super) fn take(&mut self, crowd: &Crowd, chain: &Chain, block: &Block<'_>, slot: Slot, lane: usize) {
        let lengths = block.lengths_of(slot.tile);
        (self.length.0[lane], self.left.0[lane]) = (0.0, 0.0);
        self.places[chain.joints.len()][0].0[lane] = AWAY;
        for (index, &end) in chain.ends.iter().enumerate() {
            let model = block.model(slot, chain.joints[index]);
            let bone = crowd.bone(0.0_f32, end, lengths, slot.lane);
            let Vector(x, y, z) = bone;
            self.length.0[lane] += bone.length();
            (0..4).for_each(|part| self.turns[index][part].0[lane] = model[part]);
            (0..3).for_each(|axis| self.places[index][axis].0[lane] = model[4 + axis]);
            (0..3).for_each(|axis| self.bones[index][axis].0[lane] = [x, y, z][axis]);
        }
        let target = block.model(slot, chain.tip);
        (0..3).for_each(|axis| self.target[axis].0[lane] = target[4 + axis]);
        let above = crowd.bones[chain.joints[0]].parent.map(|parent| block.model(slot, parent as usize));
        let base = crowd.bones[chain.joints[0]].base;
        (0..4).for_each(|part| self.above[part].0[lane] = above.map_or(base[part], |model| model[part]));
    }

    /// Gives it back.
    pub(super) fn give(&self, chain: &Chain, block: &mut Block<'_>, slot: Slot, lane: usize) {
        for (index, joint) in chain.joints.iter().enumerate() {
            let turn = self.turns[index].map(|row| row.0[lane]);
            block.set_model(slot, 7 * joint, &turn);
        }
    }

    /// One pass back and forth, and closing steps; the distance left.
    #[inline(always)]
    pub(super) fn pass<L: Lanes>(&mut self, like: L, chain: &Chain) -> L {
        let bones = chain.limits.len();
        let left = (vector(like, &self.places[bones]) - vector(like, &self.target)).length();
        let slow = (like.load(&self.left.0) * like.of(GAIN)).is_less(left);
        let far = (like.load(&self.length.0) * like.of(NEAR)).is_less(left) & slow;
        left.store(&mut self.left.0);
        for weight in &mut self.weights[..bones] {
            *weight = Row([1.0; WIDE]);
        }
        if L::any(far) {
            self.backward(like, bones, far);
        }
        // One loop for all, so that limits stand in the code once.
        let mut left = left;
        for round in usize::from(!L::any(far))..=CLOSINGS {
            let lay = if round == 0 { Lay::Forward(far) } else { Lay::Closing(self.push(like, chain)) };
            left = self.lay(like, chain, lay);
        }
        left
    }
}

/// How joints turn while the chain is laid from its base out.
#[derive(Clone, Copy)]
enum Lay<L: Lanes> {
    /// Towards where the backward pass left the next joint, in some lanes.
    Forward(L::Mask),
    /// By a Newton step.
    Closing(Vector<L>),
}

impl Bodies {
    /// From the target to the base, over points; the base stays where it is.
    #[inline(always)]
    fn backward<L: Lanes>(&mut self, like: L, bones: usize, far: L::Mask) {
        let mut end = vector(like, &self.target);
        for index in (1..bones).rev() {
            let before = vector(like, &self.places[index]);
            end = toward(end, before, vector(like, &self.bones[index]).length());
            set(&mut self.places[index], Vector::select(far, end, before));
        }
    }

    /// The push at the tip that a Newton step needs.
    #[inline(always)]
    fn push<L: Lanes>(&mut self, like: L, chain: &Chain) -> Vector<L> {
        let tip = vector(like, &self.places[chain.limits.len()]);
        let mut sums = Closing::new(like);
        for (index, limit) in chain.limits.iter().enumerate() {
            let arm = tip - vector(like, &self.places[index]);
            let weight = like.load(&self.weights[index].0);
            match limit {
                Limit::Hinge(hinge) => {
                    let axis = turn(like, &self.turns[index]).rotate(Vector::of(like, hinge.axis));
                    sums.add_hinge(axis.cross(arm), weight);
                }
                _ => sums.add_ball(arm, weight),
            }
        }
        solve(&sums, vector(like, &self.target) - tip)
    }

    /// Lays the chain from its base out, each joint inside its limit; the distance left.
    #[inline(always)]
    fn lay<L: Lanes>(&mut self, like: L, chain: &Chain, lay: Lay<L>) -> L {
        let (bones, one) = (chain.limits.len(), like.of(1.0));
        let (tip, target) = (vector(like, &self.places[bones]), vector(like, &self.target));
        let mut before = turn(like, &self.above);
        let mut above = before;
        let mut place = vector(like, &self.places[0]);
        for (index, limit) in chain.limits.iter().enumerate() {
            let (own, bone) = (turn(like, &self.turns[index]), vector(like, &self.bones[index]));
            let given = before.conjugate().then_after(own);
            let none = Vector::of(like, [0.0; 3]);
            let (wanted, line) = match lay {
                Lay::Forward(far) => {
                    let end = if index + 1 < bones { vector(like, &self.places[index + 1]) } else { target };
                    let line = above.conjugate().rotate(end - place);
                    let size = (bone.dot(bone) * line.dot(line)).sqrt();
                    let swung = Turn::swing(given.rotate(bone), line, size).then_after(given);
                    (Turn::select(far, swung, given), Vector::select(far, line, none))
                }
                Lay::Closing(push) => {
                    let arm = tip - vector(like, &self.places[index]);
                    let spin = arm.cross(push) * like.load(&self.weights[index].0);
                    let spin = match limit {
                        Limit::Hinge(hinge) => {
                            let axis = own.rotate(Vector::of(like, hinge.axis));
                            axis * axis.dot(spin)
                        }
                        _ => spin,
                    };
                    // By 53 degrees at most.
                    let half = like.of(0.5) / spin.length().or_more(one);
                    let step = Turn { v: spin * half, w: one }.normalized();
                    (before.conjugate().then_after(step).then_after(own), none)
                }
            };
            let local = match limit {
                Limit::Free => wanted,
                Limit::Cone(cone) => cone.project(wanted),
                Limit::Hinge(hinge) => hinge.toward(bone, line, wanted),
            };
            if let Lay::Closing(_) = lay {
                let lost = wanted.conjugate().then_after(local).v;
                let stopped = like.of(LOST).is_less(lost.dot(lost));
                L::select(stopped, like.of(STOPPED), one).store(&mut self.weights[index].0);
            }
            let new = above.then_after(local).normalized();
            // Whatever the other lanes do: who is near stays, bit for bit.
            let new = if let Lay::Forward(far) = lay { Turn::select(far, new, own) } else { new };
            set_turn(&mut self.turns[index], new);
            set(&mut self.places[index], place);
            (before, above, place) = (own, new, place + new.rotate(bone));
        }
        set(&mut self.places[bones], place);
        (place - target).length()
    }
}
