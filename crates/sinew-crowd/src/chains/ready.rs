//! Before the passes: where each chain should reach, which ones have something to do, and a bend for straight ones.

use super::Chain;
use crate::block::{ASKED, TOLD, Tile};
use crate::crowd::Crowd;
use crate::goals::{IGNORED, INVALID, OUT_OF_REACH, PENDING, REACHED, SINGULAR, TOO_CLOSE, is};
use crate::number::Lanes;
use crate::vector::Vector;

/// Share of the chain's length within which joints count as being on the line to the target.
const STRAIGHT: f32 = 1e-3;
/// How far joints of a straight chain are put aside, as a share of its length.
const ASIDE: f32 = 0.05;

/// Writes the target in place of the tip's model position, and what is to be done as status.
#[inline(always)]
pub(crate) fn run<L: Lanes>(like: L, crowd: &Crowd, chain: &Chain, step: usize, tile: &mut Tile<'_>, at: usize) {
    let goal = &tile.goals[ASKED * step..][..ASKED];
    let (target, pole) = (Vector::load(like, goal, at), Vector::load(like, &goal[3..], at));
    let (weight, is_point) = (like.load(&goal[6].0[at..]), like.load(&goal[7].0[at..]));
    let (zero, one) = (like.of(0.0), like.of(1.0));
    let (from, tip) = (tile.place(like, chain.joints[0], at), tile.place(like, chain.tip, at));
    let target = Vector::select(weight.is_less(one), tip + (target - tip) * weight, target);
    let (mut length, mut longest) = (zero, zero);
    for &joint in &chain.ends {
        let bone = crowd.length(like, joint, tile.lengths, at);
        (length, longest) = (length + bone, longest.or_more(bone));
    }
    let line = target - from;
    let (d, miss) = (line.length(), (target - tip).length());
    let nearest = (longest + longest - length).or_more(zero);
    let slack = length * like.of(chain.tolerance);
    let poled = zero.is_less(pole.dot(pole)) | zero.is_less(is_point);
    let heavy = (zero.is_less(weight) | !weight.is_finite()) & !poled;
    let finite = (line.dot(line) + length * length + weight + miss * miss).is_finite();
    let code = like.of(PENDING);
    let code = if chain.free { L::select((length - slack).is_at_most(d), like.of(OUT_OF_REACH), code) } else { code };
    let code = if chain.free { L::select(d.is_less(nearest), like.of(TOO_CLOSE), code) } else { code };
    let code = L::select(miss.is_at_most(slack), like.of(REACHED), code);
    let code = L::select(length.is_at_most(like.of(1e-12)), like.of(SINGULAR), code);
    let code = L::select(finite, code, like.of(INVALID));
    let code = L::select(heavy, code, like.of(IGNORED));
    let result = &mut tile.results[TOLD * step..][..TOLD];
    code.store(&mut result[0].0[at..]);
    let reported = heavy & finite;
    L::select(reported, miss, zero).store(&mut result[1].0[at..]);
    zero.store(&mut result[2].0[at..]);

    let side = tile.turn(like, chain.joints[0], at);
    let unit = line.unit_or(length * like.of(1e-6), side.rotate(Vector::of(like, [0.0, 1.0, 0.0])));
    let straight = aside(like, chain, tile, at, (from, unit, length));
    if chain.free {
        bend(like, chain, tile, at, straight);
    } else {
        let (straight, side) = straight;
        let side =
            Vector::select(straight & d.is_less(length - slack), side + unit.cross(side) * like.of(0.5), side * zero);
        side.store(&mut tile.models[7 * chain.tip..][..3], at);
    }
    rim(like, crowd, chain, tile, at, (code, unit, longest));
    target.store(&mut tile.models[7 * chain.tip + 4..][..3], at);
}

/// Which chains lie on the line to their target, and where their joints go aside: to the side that their base knows.
#[inline(always)]
fn aside<L: Lanes>(
    like: L,
    chain: &Chain,
    tile: &Tile<'_>,
    at: usize,
    (from, unit, length): (Vector<L>, Vector<L>, L),
) -> (L::Mask, Vector<L>) {
    let mut off = like.of(0.0);
    for &joint in &chain.joints[1..] {
        let place = tile.place(like, joint, at);
        let aside = (place - from).reject(unit);
        off = off.or_more(aside.dot(aside));
    }
    let near = length * like.of(STRAIGHT);
    let straight = off.is_at_most(near * near);
    if !L::any(straight) {
        return (straight, Vector::of(like, [0.0; 3]));
    }
    let base = tile.turn(like, chain.joints[0], at);
    let along = Vector::of(like, [1.0, 0.0, 0.0]);
    let side = base.rotate(along).unit_reject_or(unit, 0.2, base.rotate(Vector::of(like, [0.0, 0.0, 1.0])));
    (straight, side.unit_reject_or(unit, 1e-3, unit.any_perpendicular()) * (length * like.of(ASIDE)))
}

/// Puts joints of chains aside.
#[inline(always)]
fn bend<L: Lanes>(like: L, chain: &Chain, tile: &mut Tile<'_>, at: usize, (straight, side): (L::Mask, Vector<L>)) {
    if !L::any(straight) {
        return;
    }
    for &joint in &chain.joints[1..] {
        let lines = &mut tile.models[7 * joint + 4..][..3];
        let place = Vector::load(like, lines, at);
        Vector::select(straight, place + side, place).store(lines, at);
    }
}

/// Points all bones of chains without limits at a target beyond their reach; at one that is too close the longest bones, and all
/// others back. Their directions stand in the lines of rotations, as after passes.
#[inline(always)]
fn rim<L: Lanes>(
    like: L,
    crowd: &Crowd,
    chain: &Chain,
    tile: &mut Tile<'_>,
    at: usize,
    (code, unit, longest): (L, Vector<L>, L),
) {
    let (far, close) = (is(code, OUT_OF_REACH), is(code, TOO_CLOSE));
    if !L::any(far | close) {
        return;
    }
    for (&joint, &end) in chain.joints.iter().zip(&chain.ends) {
        let back = close & crowd.length(like, end, tile.lengths, at).is_less(longest);
        let lines = &mut tile.models[7 * joint..][..3];
        let bone = Vector::select(back, -unit, unit);
        Vector::select(far | close, bone, Vector::load(like, lines, at)).store(lines, at);
    }
}
