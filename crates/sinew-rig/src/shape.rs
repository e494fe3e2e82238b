//! Limbs by shape alone: pairs of like chains, those that stand on the floor, and what lies between them.
//!
//! Two chains that hang on one joint are a pair where their bones are as long: that holds in any pose. Pairs whose
//! ends are on the floor are legs, the longest other pair is the arms, and the way between their roots is the
//! spine. One pair of legs makes a biped, two a quadruped, more a spider. Nothing here looks at names.

use glam::DVec3;

use crate::tree::Tree;

/// Bones of a pair differ by less than this part of the chain.
const ALIKE: f64 = 0.04;
/// Chains shorter than this part of the body are no limbs.
const SHORTEST_LIMB: f64 = 0.12;
/// A foot is at most this part of the body above the floor.
const ON_FLOOR: f64 = 0.15;
/// A leg comes down by at least this part of its length.
const COMES_DOWN: f64 = 0.35;
/// Arms are at least this part of the longest arms, or legs.
const LONG_ARM: f64 = 0.4;

/// A limb with its twin on the other side, where it has one.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) joints: Vec<usize>,
    /// Place of the other of the pair in the same list.
    pub(crate) twin: Option<usize>,
}

/// What shape says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) legs: Vec<Chain>,
    pub(crate) arms: Vec<Chain>,
    /// Horizontal unit direction across the body, either way.
    pub(crate) lateral: Option<DVec3>,
}

/// More chains on one joint than this are hair, not limbs.
const MOST_LIMBS: usize = 64;

/// Chains that hang on one joint and are alike.
#[derive(Debug)]
struct Alike {
    starts: Vec<usize>,
}

impl Shape {
    pub(crate) fn of(body: &Tree) -> Self {
        let mut shape = Self::default();
        if body.height() <= 0.0 {
            return shape;
        }
        let groups = groups(body);
        let stands = |group: &&Alike| group.starts.iter().all(|&start| stands(body, start));
        let (standing, others): (Vec<&Alike>, Vec<&Alike>) = groups.iter().partition(stands);
        for group in &standing {
            shape.lateral = shape.lateral.or_else(|| across(body, group));
            add(body, group, &mut shape.legs);
        }
        let longest_leg = standing.iter().map(|group| length(body, group)).fold(0.0, f64::max);
        // Wings of a bird may be arms; ears and horns are not.
        let arms: Vec<&Alike> = others.into_iter().filter(|group| is_arms(body, group, &shape.legs)).collect();
        let longest = arms.iter().map(|group| length(body, group)).fold(0.0, f64::max);
        for group in arms.iter().filter(|group| length(body, group) >= LONG_ARM * longest.max(longest_leg)) {
            shape.lateral = shape.lateral.or_else(|| across(body, group));
            add(body, group, &mut shape.arms);
        }
        shape
    }
}

/// Every set of two or more like chains that hang on one joint, from the roots down; none inside another.
fn groups(body: &Tree) -> Vec<Alike> {
    let mut groups: Vec<Alike> = Vec::new();
    let mut inside = vec![false; body.place.len()];
    let shortest = SHORTEST_LIMB * body.height();
    let mut look = |at: Option<usize>, siblings: &[usize], inside: &mut [bool]| {
        let mut left: Vec<usize> = siblings.iter().copied().filter(|&joint| body.reach[joint] > shortest).collect();
        if left.len() > MOST_LIMBS {
            return;
        }
        left.sort_by(|&a, &b| body.reach[b].total_cmp(&body.reach[a]).then(a.cmp(&b)));
        while let Some(first) = left.first().copied() {
            let starts: Vec<usize> =
                left.iter().copied().filter(|&other| other == first || are_alike(body, at, first, other)).collect();
            left.retain(|joint| !starts.contains(joint));
            if starts.len() > 1 {
                for &start in &starts {
                    inside[start] = true;
                }
                groups.push(Alike { starts });
            }
        }
    };
    look(None, &body.roots, &mut inside);
    for joint in (0..body.place.len()).filter(|&joint| body.kept[joint]) {
        inside[joint] |= body.parent[joint].is_some_and(|parent| inside[parent]);
        if !inside[joint] {
            look(Some(joint), &body.children[joint], &mut inside);
        }
    }
    groups
}

/// Whether two chains have bones as long as one another's, the first three at least. Of one that holds something the bones up to
/// where the other ends are enough.
fn are_alike(body: &Tree, at: Option<usize>, a: usize, b: usize) -> bool {
    let (chain_a, chain_b) = (body.chain(a), body.chain(b));
    let joints = chain_a.len().min(chain_b.len());
    if chain_a.len() != chain_b.len() && joints < 3 {
        return false;
    }
    let slack = ALIKE * body.reach[a].max(body.reach[b]);
    let from = at.map(|at| body.place[at]);
    let lengths = |chain: &[usize], end: bool| -> Vec<f64> {
        let mut places: Vec<DVec3> = from.into_iter().chain(chain.iter().map(|&joint| body.place[joint])).collect();
        places.extend(chain.last().filter(|_| end).map(|&last| body.end_of(last)));
        places.windows(2).map(|bone| bone[0].distance(bone[1])).take(4).collect()
    };
    let alike = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= slack);
    let inner = lengths(&chain_a[..joints], false);
    let is_held = chain_a.len() != chain_b.len() && inner.iter().filter(|&&length| length > slack).count() >= 3;
    alike(lengths(&chain_a, true), lengths(&chain_b, true))
        || (is_held && alike(inner, lengths(&chain_b[..joints], false)))
}

/// Whether a chain comes down to the floor.
fn stands(body: &Tree, start: usize) -> bool {
    let chain = body.chain(start);
    let end = chain.last().map_or(body.place[start], |&last| body.end_of(last));
    let heights = || chain.iter().map(|&joint| body.place[joint]).chain([end]).map(|place| body.above_floor(place));
    let lowest = heights().fold(f64::INFINITY, f64::min);
    let drop = heights().fold(0.0, f64::max) - lowest;
    lowest <= ON_FLOOR * body.height() && drop >= COMES_DOWN * body.reach[start]
}

fn length(body: &Tree, group: &Alike) -> f64 {
    group.starts.iter().map(|&start| body.reach[start]).fold(0.0, f64::max)
}

/// Two chains side by side, of two bones at least, that start no lower than the legs and hang on none of them.
fn is_arms(body: &Tree, group: &Alike, legs: &[Chain]) -> bool {
    let &[a, b] = group.starts.as_slice() else { return false };
    let start = |chain: &Chain| chain.joints.first().copied();
    let below_leg = |joint| legs.iter().filter_map(start).any(|leg| body.is_below(joint, leg));
    let hips = legs.iter().filter_map(start).map(|leg| body.above_floor(body.place[leg])).fold(0.0, f64::max);
    let high = body.above_floor(body.place[a]) >= hips;
    let bones = body.chain(a).len();
    !below_leg(a) && !below_leg(b) && high && bones >= 2 && across(body, group).is_some()
}

/// Horizontal unit direction between the first two places in which the two of a pair differ. None for more.
fn across(body: &Tree, group: &Alike) -> Option<DVec3> {
    let &[a, b] = group.starts.as_slice() else { return mirror(body, &group.starts) };
    let slack = 0.02 * length(body, group);
    let differ = body.chain(a).into_iter().zip(body.chain(b)).map(|(a, b)| body.place[a] - body.place[b]);
    let across = differ.into_iter().find(|apart| apart.length() > slack)?;
    let flat = across - body.up * across.dot(body.up);
    (flat.length() > 0.7 * across.length()).then(|| flat.normalize_or_zero())
}

/// The direction across the vertical plane that mirrors more of the starts than any other; none where several
/// do as well, as for a starfish.
fn mirror(body: &Tree, starts: &[usize]) -> Option<DVec3> {
    let middle = starts.iter().map(|&start| body.place[start]).sum::<DVec3>() / starts.len() as f64;
    let arms: Vec<DVec3> = starts.iter().map(|&start| body.place[start] - middle).collect();
    let size = arms.iter().map(|arm| arm.length()).fold(0.0, f64::max);
    let mut best: Vec<(usize, DVec3)> = Vec::new();
    for (i, a) in arms.iter().enumerate() {
        for b in &arms[i + 1..] {
            let apart = *a - *b;
            let Some(across) = (apart - body.up * apart.dot(body.up)).try_normalize() else { continue };
            let mirrored = |arm: &DVec3| *arm - across * (2.0 * across.dot(*arm));
            let fits = |arm: &&DVec3| {
                across.dot(**arm).abs() > 0.05 * size
                    && arms.iter().any(|other| other.distance(mirrored(arm)) < ALIKE * size)
            };
            let count = arms.iter().filter(fits).count();
            if !best.iter().any(|(_, other)| other.dot(across).abs() > 0.99) {
                best.push((count, across));
            }
        }
    }
    best.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    match best.as_slice() {
        [(most, across), rest @ ..] if rest.first().is_none_or(|(next, _)| next < most) => Some(*across),
        _ => None,
    }
}

/// Adds the chains of a group; of a pair each knows the other.
fn add(body: &Tree, group: &Alike, chains: &mut Vec<Chain>) {
    let first = chains.len();
    let last = first + group.starts.len() - 1;
    for (place, &start) in group.starts.iter().enumerate() {
        let twin = (group.starts.len() == 2).then_some(last - place);
        chains.push(Chain { joints: body.chain(start), twin });
    }
}
