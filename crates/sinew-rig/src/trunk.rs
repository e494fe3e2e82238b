//! Spine, neck and head: what lies between the legs and the arms, and what goes on beyond.

use crate::limb::LimbKind;
use crate::merge::Draft;
use crate::name::Hint;
use crate::tree::Tree;

/// A head rises above where the arms hang by at least this part of the body.
const RISES: f64 = 0.02;
/// Cosine of a human's trunk to up, at least.
const UPRIGHT: f64 = 0.5;
/// A tail is at least this part of the body long.
const LONG_TAIL: f64 = 0.1;

/// The trunk; empty where there is none. Joints are depth-first indices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trunk {
    pub(crate) spine: Vec<usize>,
    pub(crate) head: Vec<usize>,
    spine_reason: String,
    head_reason: String,
    confidence: f64,
}

impl Trunk {
    pub(crate) fn drafts(&self) -> impl Iterator<Item = Draft> {
        let draft = |kind, joints: &Vec<usize>, reason: &String| Draft {
            kind,
            side: None,
            front: None,
            joints: joints.clone(),
            confidence: self.confidence,
            reason: reason.clone(),
        };
        let spine = draft(LimbKind::Spine, &self.spine, &self.spine_reason);
        let head = draft(LimbKind::Head, &self.head, &self.head_reason);
        [spine, head].into_iter().filter(|draft| !draft.joints.is_empty())
    }
}

impl Trunk {
    /// Whether the way from hips to neck rises; where there is no trunk nothing says that it does not.
    pub(crate) fn is_upright(&self, body: &Tree) -> bool {
        let Some(&hips) = self.spine.first() else { return true };
        let top = self.head.first().or(self.spine.last().filter(|&&last| last != hips));
        let along = top.map_or(body.end_of(hips), |&top| body.place[top]) - body.place[hips];
        along.dot(body.up) >= UPRIGHT * along.length()
    }
}

/// Finds the trunk, and tells fore from hind legs where only the head's end can; adds a tail that no name gives.
pub(crate) fn find(body: &Tree, drafts: &mut Vec<Draft>, source: &str) -> Trunk {
    let mut taken = vec![false; body.place.len()];
    drafts.iter().flat_map(|draft| &draft.joints).for_each(|&joint| taken[joint] = true);
    tell_fore_legs(body, drafts, &taken);
    let low = attachment(body, drafts, &|draft| draft.kind == LimbKind::Leg && draft.front != Some(true));
    let high = attachment(body, drafts, &|draft| {
        draft.kind == LimbKind::Arm
            || (draft.kind == LimbKind::Leg && draft.front == Some(true))
            || draft.kind == LimbKind::Wing
    });
    let mut trunk =
        Trunk { confidence: 0.7, spine_reason: "shape: between legs and arms".to_owned(), ..Trunk::default() };
    if let (Some(low), Some(high)) = (low, high) {
        let path = body.path(low, high).unwrap_or_default();
        let last = path.len().saturating_sub(1);
        let belongs = |&(place, joint): &(usize, usize)| place == 0 || place == last || body.hint(joint) != Hint::Root;
        trunk.spine = path.into_iter().enumerate().filter(belongs).map(|(_, joint)| joint).collect();
        if low == high {
            trunk.spine = beside_limbs(body, low).unwrap_or(trunk.spine);
        }
        let named = trunk.spine.iter().any(|&joint| body.hint(joint).is_trunk());
        if trunk.spine.len() < 2 && !named {
            // Legs and arms on one joint, which nothing calls a spine.
            trunk.spine.clear();
        } else if named {
            (trunk.confidence, trunk.spine_reason) = (0.95, format!("{source}, between legs and arms"));
        }
    } else {
        trunk.spine = by_name(body, low, high);
        (trunk.confidence, trunk.spine_reason) = (0.8, source.to_owned());
    }
    find_head(body, &mut trunk, high.or(low), &taken, source);
    add_tail(body, drafts, &trunk, low);
    trunk
}

/// The row called hips, spine and chest that leads to neck or head from the one joint on which all limbs hang, itself left out.
fn beside_limbs(body: &Tree, joint: usize) -> Option<Vec<usize>> {
    let is_spine = |joint: usize| matches!(body.hint(joint), Hint::Hips | Hint::Spine | Hint::Chest);
    let top = |below: &usize| body.kept[*below] && matches!(body.hint(*below), Hint::Neck | Hint::Head);
    let path = body.path(joint, body.subtree(joint).skip(1).find(top)?)?;
    let row: Vec<usize> = path.into_iter().skip(1).take_while(|&joint| is_spine(joint)).collect();
    (row.len() >= 2).then_some(row)
}

/// Where limbs of a kind hang: the joint that is above them all.
fn attachment(body: &Tree, drafts: &[Draft], of: &dyn Fn(&Draft) -> bool) -> Option<usize> {
    let parents = drafts.iter().filter(|draft| of(draft)).filter_map(|draft| body.parent[*draft.joints.first()?]);
    let mut meeting: Option<usize> = None;
    for parent in parents {
        meeting = match meeting {
            None => Some(parent),
            Some(other) => Some(body.meeting(other, parent)?),
        };
    }
    meeting
}

/// Of four legs that hang on two joints, those are the fore legs beyond which a chain rises the most.
fn tell_fore_legs(body: &Tree, drafts: &mut [Draft], taken: &[bool]) {
    let unknown = |draft: &Draft| draft.kind == LimbKind::Leg && draft.front.is_none();
    if drafts.iter().filter(|draft| unknown(draft)).count() != 4 {
        return;
    }
    let at = |draft: &Draft| draft.joints.first().and_then(|&first| body.parent[first]);
    let mut places: Vec<usize> = drafts.iter().filter(|draft| unknown(draft)).filter_map(at).collect();
    places.sort_unstable();
    places.dedup();
    let &[a, b] = places.as_slice() else { return };
    let rises = |joint: usize, other: usize| {
        let beyond = body.children[joint].iter().filter(|&&child| !taken[child] && !body.is_below(other, child));
        let top = |&child: &usize| {
            body.chain(child).iter().map(|&at| body.end_of(at).dot(body.up)).fold(f64::NEG_INFINITY, f64::max)
        };
        beyond.map(top).fold(f64::NEG_INFINITY, f64::max)
    };
    let front = if rises(a, b) > rises(b, a) { a } else { b };
    for draft in drafts.iter_mut().filter(|draft| unknown(draft)) {
        draft.front = Some(at(draft) == Some(front));
    }
}

/// The row of joints whose names speak of the spine, where legs or arms are missing; two at least.
fn by_name(body: &Tree, low: Option<usize>, high: Option<usize>) -> Vec<usize> {
    let is_spine = |joint: usize| matches!(body.hint(joint), Hint::Hips | Hint::Spine | Hint::Chest);
    let mut row: Vec<usize> = match (low, high) {
        (_, Some(high)) => {
            let mut up: Vec<usize> =
                std::iter::once(high).chain(body.above(high)).take_while(|&joint| is_spine(joint)).collect();
            up.reverse();
            up
        }
        (low, None) => {
            let mut all = (0..body.place.len()).filter(|&joint| body.kept[joint] && is_spine(joint));
            let start = low.filter(|&low| is_spine(low)).or_else(|| all.next());
            let next = |&joint: &usize| body.children[joint].iter().copied().find(|&child| is_spine(child));
            std::iter::successors(start, next).collect()
        }
    };
    let explicit = row.iter().filter(|&&joint| matches!(body.hint(joint), Hint::Spine | Hint::Chest)).count();
    if row.len() < 2 || explicit == 0 {
        row.clear();
    }
    row
}

fn find_head(body: &Tree, trunk: &mut Trunk, chest: Option<usize>, taken: &[bool], source: &str) {
    let chest = trunk.spine.last().copied().or(chest);
    if let Some(head) = named_head(body, chest) {
        let from = chest.and_then(|chest| body.path(chest, head)).unwrap_or_else(|| {
            let mut up: Vec<usize> = std::iter::once(head)
                .chain(body.above(head))
                .take_while(|&joint| body.hint(joint) != Hint::Root)
                .collect();
            up.reverse();
            up
        });
        let mut rest: Vec<usize> =
            from.into_iter().filter(|joint| !trunk.spine.contains(joint) && Some(*joint) != chest).collect();
        // Where the arms hang below the top of the spine.
        while rest.first().is_some_and(|&first| matches!(body.hint(first), Hint::Spine | Hint::Chest))
            && !trunk.spine.is_empty()
        {
            trunk.spine.push(rest.remove(0));
        }
        rest.retain(|&joint| matches!(body.hint(joint), Hint::Head | Hint::Neck | Hint::Nothing));
        (trunk.head, trunk.head_reason) = (rest, source.to_owned());
        trunk.confidence = trunk.confidence.max(0.9);
        return;
    }
    let (Some(chest), false) = (chest, trunk.spine.is_empty()) else { return };
    let base = body.above_floor(body.place[chest]);
    let top = |joint: usize| {
        body.chain(joint).iter().map(|&at| body.above_floor(body.end_of(at))).fold(f64::NEG_INFINITY, f64::max)
    };
    let rising = body.children[chest]
        .iter()
        .copied()
        .filter(|&child| !taken[child] && top(child) > base + RISES * body.height());
    let Some(first) = rising.max_by(|&a, &b| top(a).total_cmp(&top(b)).then(b.cmp(&a))) else { return };
    let mut head = vec![first];
    while let [next] = body.children[head[head.len() - 1]].as_slice() {
        head.push(*next);
    }
    let spine_by_name = head.iter().all(|&joint| body.hint(joint) == Hint::Spine);
    if spine_by_name && head.len() < 2 {
        // What names put on the spine is no head.
        trunk.spine.extend(head);
    } else {
        (trunk.head, trunk.head_reason) = (head, "shape: what rises beyond the arms".to_owned());
    }
}

/// The uppermost joint called head, below the chest if any is.
fn named_head(body: &Tree, chest: Option<usize>) -> Option<usize> {
    let called = |hint: Hint| {
        let all = (0..body.place.len()).filter(move |&joint| body.kept[joint] && body.hint(joint) == hint);
        let below = all.clone().find(|&joint| chest.is_some_and(|chest| joint != chest && body.is_below(joint, chest)));
        below.or_else(|| all.clone().next())
    };
    // A row of necks ends with the head.
    let last = |neck: usize| {
        let next = |&at: &usize| body.children[at].iter().copied().find(|&child| body.hint(child) == Hint::Neck);
        std::iter::successors(Some(neck), next).last()
    };
    called(Hint::Head).or_else(|| last(called(Hint::Neck)?))
}

/// The only chain that hangs on the hips and does not rise, on a body whose names say little.
fn add_tail(body: &Tree, drafts: &mut Vec<Draft>, trunk: &Trunk, hips: Option<usize>) {
    let silent = (0..body.place.len())
        .filter(|&joint| body.kept[joint])
        .all(|joint| matches!(body.hint(joint), Hint::Nothing | Hint::Root));
    let (Some(hips), true) = (hips, silent) else { return };
    let taken = |joint: usize| drafts.iter().any(|draft| draft.joints.contains(&joint)) || trunk.spine.contains(&joint);
    let leads_on = |joint: usize| trunk.spine.last().is_some_and(|&chest| body.is_below(chest, joint));
    let free = body.children[hips].iter().copied().filter(|&child| !taken(child) && !leads_on(child));
    let height = body.above_floor(body.place[hips]);
    // A animal's may rise, but away from its chest.
    let spine = trunk.spine.last().map(|&chest| body.place[chest] - body.place[hips]);
    let beast = drafts.iter().filter(|draft| draft.kind == LimbKind::Leg).count() >= 4;
    let away = |end: glam::DVec3| beast && spine.is_some_and(|spine| spine.dot(end - body.place[hips]) < 0.0);
    let mut tails = free.map(|child| body.chain(child)).filter(|chain| {
        let end = chain.last().map_or(body.place[hips], |&last| body.end_of(last));
        let hangs = body.above_floor(end) < height + RISES * body.height();
        chain.len() >= 2 && body.reach[chain[0]] > LONG_TAIL * body.height() && (hangs || away(end))
    });
    if let (Some(joints), None) = (tails.next(), tails.next()) {
        let reason = "shape: a chain that hangs on the hips".to_owned();
        drafts.push(Draft { kind: LimbKind::Tail, side: None, front: None, joints, confidence: 0.5, reason });
    }
}
