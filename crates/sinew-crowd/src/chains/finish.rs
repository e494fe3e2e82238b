//! After the passes: rotations of the chains that moved, and how they fared.

use super::Chain;
use crate::block::{TOLD, Tile};
use crate::crowd::Crowd;
use crate::goals::{INVALID, OUT_OF_ITERATIONS, OUT_OF_REACH, REACHED, TOO_CLOSE, is};
use crate::number::Lanes;
use crate::vector::{Turn, Vector};

/// Writes local rotations; of free chains each bone turns the shortest way from where its parent has carried it.
#[inline(always)]
pub(crate) fn run<L: Lanes>(like: L, crowd: &Crowd, chain: &Chain, step: usize, tile: &mut Tile<'_>, at: usize) {
    let result = &tile.results[TOLD * step..][..TOLD];
    let (code, passes) = (like.load(&result[0].0[at..]), like.load(&result[2].0[at..]));
    let zero = like.of(0.0);
    let rim = is(code, OUT_OF_REACH) | is(code, TOO_CLOSE);
    let moves = zero.is_less(passes) | rim;
    if !L::any(moves) {
        return;
    }
    let mut above = crowd.above(like, chain.joints[0], tile, at);
    let (mut place, mut length, mut longest) = (tile.place(like, chain.joints[0], at), zero, zero);
    let target = tile.place(like, chain.tip, at);
    let mut sound = like.every_lane();
    for (&joint, &end) in chain.joints.iter().zip(&chain.ends) {
        let local = tile.local(like, joint, at);
        let bone = crowd.bone(like, end, tile.lengths, at);
        let long = crowd.length(like, end, tile.lengths, at);
        let now = if chain.free {
            let carried = above.then_after(local);
            // The last bone points at the target, wherever that is.
            let (line, size) = if end == chain.tip {
                (target - place, long * (target - place).length())
            } else {
                (Vector::load(like, &tile.models[7 * joint..][..3], at), long)
            };
            Turn::swing(carried.rotate(bone), line, size).then_after(carried).renormalized()
        } else {
            tile.turn(like, joint, at)
        };
        let new = above.conjugate().then_after(now).renormalized();
        sound = sound & new.w.is_finite();
        Turn::select(moves, new, local).store(&mut tile.models[7 * joint..][..4], at);
        (above, place, length) = (now, place + now.rotate(bone), length + long);
        longest = longest.or_more(long);
    }
    // All or none.
    for &joint in &chain.joints {
        let new = tile.turn(like, joint, at);
        let lines = &mut tile.rotations[4 * joint..][..4];
        Turn::select(moves & sound, new, Turn::load(like, lines, at)).store(lines, at);
    }
    report(like, chain, step, tile, at, (moves, sound), (target, place, length, longest));
}

/// Status and error of the chains that moved.
#[inline(always)]
fn report<L: Lanes>(
    like: L,
    chain: &Chain,
    step: usize,
    tile: &mut Tile<'_>,
    at: usize,
    (moves, sound): (L::Mask, L::Mask),
    (target, tip, length, longest): (Vector<L>, Vector<L>, L, L),
) {
    let from = tile.place(like, chain.joints[0], at);
    let result = &mut tile.results[TOLD * step..][..TOLD];
    let code = like.load(&result[0].0[at..]);
    let miss = (tip - target).length();
    let near = miss.is_at_most(length * like.of(2.0 * chain.tolerance));
    let (away, nearest) = ((target - from).length(), longest + longest - length);
    let missed = L::select(is(code, REACHED), like.of(OUT_OF_ITERATIONS), code);
    let missed = L::select(away.is_less(nearest), like.of(TOO_CLOSE), missed);
    let missed = L::select(length.is_less(away), like.of(OUT_OF_REACH), missed);
    let rim = is(code, TOO_CLOSE) | is(code, OUT_OF_REACH);
    let missed = L::select(rim, code, missed);
    let new = L::select(near, like.of(REACHED), missed);
    let new = L::select(sound, new, like.of(INVALID));
    L::select(moves, new, code).store(&mut result[0].0[at..]);
    let before = like.load(&result[1].0[at..]);
    L::select(moves & sound, miss, before).store(&mut result[1].0[at..]);
}
