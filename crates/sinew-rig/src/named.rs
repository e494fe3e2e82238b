//! Limbs by name: joints whose names speak of one limb on one side, as far as they hang together.

use std::collections::BTreeMap;

use crate::name::{Family, Hint};
use crate::role::{Digit, Side};
use crate::tree::Tree;

/// A limb as names have it. Joints are depth-first indices, first to last.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) family: Family,
    pub(crate) side: Option<Side>,
    pub(crate) front: Option<bool>,
    pub(crate) joints: Vec<usize>,
}

/// A finger as names have it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedFinger {
    pub(crate) digit: Option<Digit>,
    pub(crate) side: Option<Side>,
    pub(crate) joints: Vec<usize>,
    /// Whether each joint hangs on the one before.
    pub(crate) hangs_together: bool,
}

/// Files with more limbs than this are not a body.
const MOST_LIMBS: usize = 200;
/// Joints of one finger, at most.
const LONGEST_FINGER: usize = 32;

type Key = (Family, Option<Side>, Option<bool>);

/// Arms, legs, tails and wings, in depth-first order.
pub(crate) fn limbs(body: &Tree) -> Vec<Named> {
    let key = |joint: usize| -> Option<Key> {
        let reading = &body.readings[joint];
        body.kept[joint].then_some((reading.hint.family()?, reading.side, reading.front))
    };
    let mut limbs: Vec<Named> = Vec::new();
    for start in 0..body.place.len() {
        let Some(own) = key(start) else { continue };
        // Names may be missing for a joint or two in between.
        let mut before =
            body.above(start).take(3).take_while(|&joint| body.hint(joint) == Hint::Nothing || key(joint) == Some(own));
        let begins = !before.any(|joint| key(joint) == Some(own));
        if begins && limbs.len() < MOST_LIMBS {
            let joints = longest(body, start, &|joint| key(joint) == Some(own));
            limbs.push(Named { family: own.0, side: own.1, front: own.2, joints });
        }
    }
    without_strays(body, &limbs)
}

/// The longest way down from a joint through joints of the same limb, bridging at most two without a name.
fn longest(body: &Tree, start: usize, belongs: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let subtree = body.subtree(start);
    // How many of the limb's joints lie on the best way down from each joint, how many without a name come
    // first, and where the way goes on.
    let mut ways = vec![(0_u32, 0_u32, None::<usize>); subtree.len()];
    for joint in subtree.rev().filter(|&joint| body.kept[joint]) {
        let of = |child: usize| ways[child - start];
        let usable = body.children[joint].iter().copied().filter(|&child| of(child).0 > 0);
        let best =
            usable.max_by(|&a, &b| of(a).0.cmp(&of(b).0).then(body.reach[a].total_cmp(&body.reach[b])).then(b.cmp(&a)));
        let (count, gap, _) = best.map_or((0, 0, None), of);
        ways[joint - start] = if belongs(joint) {
            (count + 1, 0, best)
        } else if body.hint(joint) == Hint::Nothing && gap < 2 {
            (count, gap + 1, best)
        } else {
            (0, 0, None)
        };
    }
    std::iter::successors(Some(start), |&joint| ways[joint - start].2).collect()
}

/// Of several limbs of one family and side, those that are as good as any: a lone joint called `hand` beside an
/// arm is none.
fn without_strays(body: &Tree, limbs: &[Named]) -> Vec<Named> {
    let weak = |limb: &Named| {
        limb.joints.len() == 1
            && limb
                .joints
                .iter()
                .all(|&joint| matches!(body.hint(joint), Hint::Clavicle | Hint::Shoulder | Hint::HipSide))
    };
    let rival = |limb: &Named, other: &Named| {
        let same = limb.family == other.family && (limb.side == other.side || limb.side.is_none());
        same && other.joints.len() > limb.joints.len() && limb.joints.len() == 1 && limb.joints != other.joints
    };
    let lone = |limb: &Named| limb.joints.len() == 1 && limb.side.is_none();
    let keep = |limb: &&Named| match limb.family {
        _ if lone(limb) => false,
        Family::Tail => limb.joints.len() > 1,
        _ => !weak(limb) && !limbs.iter().any(|other| rival(limb, other)),
    };
    limbs.iter().filter(keep).cloned().collect()
}

/// Fingers, by side and digit. Where every phalanx is a root of its own, as in `WebXR`'s hands, the names' order is
/// theirs.
pub(crate) fn fingers(body: &Tree) -> Vec<NamedFinger> {
    let mut sets: BTreeMap<(Option<Side>, Option<Digit>, usize), Vec<usize>> = BTreeMap::new();
    for joint in (0..body.place.len()).filter(|&joint| body.kept[joint]) {
        let Hint::Finger(digit) = body.hint(joint) else { continue };
        // Fingers that no name tells apart are told apart by where they begin.
        let begin = if digit.is_some() { 0 } else { 1 + first_of_finger(body, joint) };
        sets.entry((body.readings[joint].side, digit, begin)).or_default().push(joint);
    }
    sets.retain(|_, joints| joints.len() <= 4 * LONGEST_FINGER);
    let finger = |((side, digit, _), mut joints): ((Option<Side>, Option<Digit>, usize), Vec<usize>)| {
        let follows = |pair: &[usize]| body.is_below(pair[1], pair[0]);
        let mut hangs_together = joints.windows(2).all(follows);
        if !hangs_together {
            let row = main_row(body, &joints);
            if row.len() * 2 > joints.len() {
                (joints, hangs_together) = (row, true);
            } else {
                joints.sort_by_key(|&joint| body.readings[joint].place);
            }
        }
        if hangs_together {
            drop_leaders(body, &mut joints);
        }
        NamedFinger { digit, side, joints, hangs_together }
    };
    let fingers = sets.into_iter().map(finger);
    let plausible = |finger: &NamedFinger| {
        (finger.digit.is_some() || finger.joints.len() > 1) && finger.joints.len() <= LONGEST_FINGER
    };
    fingers.filter(plausible).collect()
}

/// Leaves out joints before the first phalanx that only lead to it, and bear its number: `__Index1` above `Index1`.
fn drop_leaders(body: &Tree, joints: &mut Vec<usize>) {
    let place = |joint: usize| body.readings[joint].place;
    let leads = |pair: &[usize]| place(pair[0]).is_some() && place(pair[0]) == place(pair[1]);
    while joints.len() > 3 && joints.windows(2).next().is_some_and(leads) {
        joints.remove(0);
    }
}

/// The first joint of the unbroken row of finger joints above.
fn first_of_finger(body: &Tree, joint: usize) -> usize {
    let row = body.above(joint).take_while(|&above| matches!(body.hint(above), Hint::Finger(None)));
    row.last().unwrap_or(joint)
}

/// The longest row of joints that hang on one another, where a set has side branches.
fn main_row(body: &Tree, joints: &[usize]) -> Vec<usize> {
    let row_to = |&last: &usize| -> Vec<usize> {
        let mut row: Vec<usize> = joints.iter().copied().filter(|&joint| body.is_below(last, joint)).collect();
        row.sort_unstable();
        row
    };
    joints.iter().map(row_to).max_by_key(Vec::len).unwrap_or_default()
}
