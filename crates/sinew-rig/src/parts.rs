//! What each joint of a limb is: its parts in order, as names and bone lengths fit them best.
//!
//! The parts of an arm follow one another (collar bone, upper arm, lower arm, hand), so the best reading of its
//! joints is a shortest path: each joint takes the part of the one before or a later one. That settles what a
//! name alone leaves open, such as `LeftLeg` behind `LeftUpLeg`.

use sinew::Joint;

use crate::evidence::Evidence;
use crate::limb::LimbKind;
use crate::merge::{Bones, Draft, NO_LENGTH};
use crate::name::Hint;
use crate::recognize::Guess;
use crate::role::{Digit, Part, Role};
use crate::tree::Tree;

/// What a joint costs that repeats the part before, unless its name says so too.
const REPEATED: f64 = 1.8;
const SPLIT: f64 = 0.1;
/// What a part costs that is left out between two others.
const LEFT_OUT: f64 = 1.0;
/// What a thigh costs that leads to the side, though its name may be a thigh's.
const ASIDE: f64 = 2.0;
/// A name that fits a part by more than this says just that.
const CLEAR: f64 = 2.0;
/// What bone lengths add to the part they suggest.
const BY_LENGTH: f64 = 0.8;

/// Parts of a limb in order; `None` where a joint may lie that plays no part.
type Row = &'static [Option<Part>];

const ARM: Row = &[Some(Part::Shoulder), Some(Part::UpperArm), Some(Part::LowerArm), Some(Part::Hand), None];
const LEG: Row = &[None, Some(Part::UpperLeg), Some(Part::LowerLeg), Some(Part::Foot), Some(Part::Toes), None];

/// The role of every joint, by depth-first index; what the file gives stands.
pub(crate) fn roles(
    body: &Tree,
    drafts: &[Draft],
    detached_feet: &[(usize, usize)],
    evidence: &Evidence<'_>,
) -> Vec<Option<Guess>> {
    let mut roles: Vec<Option<Guess>> = vec![None; body.place.len()];
    // Which of four legs is a human's?
    let beast = drafts.iter().filter(|draft| draft.kind == LimbKind::Leg).count() > 2;
    for draft in drafts.iter().filter(|draft| !beast || draft.kind != LimbKind::Leg) {
        let parts = match draft.kind {
            LimbKind::Arm => fit(body, &draft.joints, ARM),
            LimbKind::Leg => fit(body, &draft.joints, LEG),
            LimbKind::Spine => spine(draft.joints.len()),
            LimbKind::Head => head(draft.joints.len()),
            LimbKind::Finger(Some(digit)) => finger(body, digit, &draft.joints),
            _ => Vec::new(),
        };
        let needs_side = !matches!(draft.kind, LimbKind::Spine | LimbKind::Head);
        let foot = detached_feet.iter().find(|(_, leg)| draft.joints.last() == Some(leg)).map(|(foot, _)| foot);
        let parts = parts.into_iter().chain(foot.map(|_| Some(Part::Foot)));
        for (&joint, part) in draft.joints.iter().chain(foot).zip(parts) {
            if let Some(part) = part.filter(|_| draft.side.is_some() == needs_side) {
                roles[joint] = Some(Guess { role: Role { part, side: draft.side }, confidence: draft.confidence });
            }
        }
    }
    if !evidence.roles.is_empty() {
        roles.fill(None);
    }
    for &(joint, role) in &evidence.roles {
        roles[joint.index()] = Some(Guess { role, confidence: 0.99 });
    }
    roles
}

/// The end of an arm that has no joint for its hand, such as a puppet's of one bone: that end is the hand. An arm of one bone is
/// its upper arm, whatever its name: the joint that turns it stands still.
pub(crate) fn hands_without_joints(drafts: &mut [Draft], roles: &mut [Option<Guess>], evidence: &Evidence<'_>) {
    let role = |roles: &[Option<Guess>], joint: usize| roles[joint].as_ref().map(|guess| guess.role.part);
    for arm in drafts.iter_mut().filter(|draft| draft.kind == LimbKind::Arm && draft.side.is_some()) {
        let Some(&last) = arm.joints.last() else { continue };
        let above = |tip: &&Joint| evidence.skeleton.parent(**tip).is_some_and(|parent| parent.index() == last);
        let mut ends = evidence.tips.iter().filter(above);
        let lone = arm.joints.len() == 1 && role(roles, last) == Some(Part::Hand);
        let bare = lone || matches!(role(roles, last), Some(Part::UpperArm | Part::LowerArm));
        if let (true, Some(end), None) = (bare, ends.next(), ends.next()) {
            if lone {
                let role = Role { part: Part::UpperArm, side: arm.side };
                roles[last] = Some(Guess { role, confidence: arm.confidence });
            }
            arm.joints.push(end.index());
            let role = Role { part: Part::Hand, side: arm.side };
            roles[end.index()] = Some(Guess { role, confidence: arm.confidence });
        }
    }
}

/// A leg without what lies beyond the first joint of its toes.
pub(crate) fn up_to_toes(body: &Tree, leg: &mut Vec<usize>) {
    if let Some(toes) = fit(body, leg, LEG).iter().position(|part| *part == Some(Part::Toes)) {
        leg.truncate(toes + 1);
    }
}

/// Place in a leg of the joint that is its foot, as far as it has one.
pub(crate) fn foot(body: &Tree, leg: &[usize]) -> Option<usize> {
    fit(body, leg, LEG).iter().position(|part| *part == Some(Part::Foot))
}

/// The part of each joint; `None` for joints that play none, or repeat the one before.
fn fit(body: &Tree, joints: &[usize], row: Row) -> Vec<Option<Part>> {
    let bones = Bones::of(body, joints, row[0].is_some());
    // Of joints at one place the last plays the part.
    let apart =
        |a: usize, b: usize| body.place[joints[a]].distance(body.place[joints[b]]) > NO_LENGTH * body.reach[joints[0]];
    let hint = |place: usize, state: usize| fits(body.hint(joints[place]).on_limb(row[0].is_some()), row[state], state);
    let score = |place: usize, state: usize| {
        let by_name = hint(place, state);
        let by_length =
            if state == (bones.at(place) + 1).saturating_sub(bones.upper).min(row.len() - 1) { BY_LENGTH } else { 0.0 };
        // A hip that leads to the side is no thigh.
        let aside = body.hint(joints[place]) == Hint::HipSide
            && row[state] == Some(Part::UpperLeg)
            && !goes_down(body, joints, place);
        by_name + by_length - if aside { ASIDE } else { 0.0 }
    };
    let step = |place: usize, from: usize, to: usize| {
        if from == to {
            let split = row[to].is_none() || hint(place, to) > CLEAR || place > 0 && !apart(place - 1, place);
            return if split { -SPLIT } else { -REPEATED };
        }
        -LEFT_OUT * (to - from - 1) as f64
    };
    // The best sum that ends with each state, and the state before.
    let mut table: Vec<Vec<(f64, usize)>> = Vec::with_capacity(joints.len());
    for place in 0..joints.len() {
        let row_of = |state: usize| match table.last() {
            // A limb begins with its first or second part.
            None => (score(place, state) - LEFT_OUT * state.saturating_sub(1) as f64, 0),
            Some(before) => {
                let best = (0..=state).map(|from| (before[from].0 + step(place, from, state), from));
                let best =
                    best.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).unwrap_or((f64::NEG_INFINITY, 0));
                (best.0 + score(place, state), best.1)
            }
        };
        let states = (0..row.len()).map(row_of).collect();
        table.push(states);
    }
    let Some(last) = table.last() else { return Vec::new() };
    let best = |a: &usize, b: &usize| last[*a].0.total_cmp(&last[*b].0).then(b.cmp(a));
    let mut state = (0..row.len()).max_by(best).unwrap_or(0);
    let mut states = vec![0; joints.len()];
    for place in (0..joints.len()).rev() {
        states[place] = state;
        state = table[place][state].1;
    }
    // A name that says so goes before one that says less.
    let says = |place: usize| hint(place, states[place]);
    let mut parts = vec![None; joints.len()];
    let mut player = 0;
    for place in 0..joints.len() {
        let clearer = |before: f64, now: f64| now > 0.0 && before <= 0.0 || now > CLEAR && before <= CLEAR;
        let replaces = |player: usize| !apart(player, place) || clearer(says(player), says(place));
        if place == 0 || states[place - 1] != states[place] || replaces(player) {
            if place > 0 && states[place - 1] == states[place] {
                parts[player] = None;
            }
            (player, parts[place]) = (place, row[states[place]]);
        }
    }
    parts
}

/// Whether the bone of a joint in a limb goes down more than to a side.
fn goes_down(body: &Tree, joints: &[usize], place: usize) -> bool {
    let end = joints.get(place + 1).map_or_else(|| body.end_of(joints[place]), |&next| body.place[next]);
    let bone = end - body.place[joints[place]];
    bone.dot(body.up) < -0.5 * bone.length()
}

/// How well a name fits a part: above [`CLEAR`] where it says just that.
fn fits(hint: Hint, part: Option<Part>, state: usize) -> f64 {
    let before = part.is_none() && state == 0;
    match (hint, part) {
        (Hint::Clavicle, Some(Part::Shoulder))
        | (Hint::UpperArm, Some(Part::UpperArm))
        | (Hint::LowerArm, Some(Part::LowerArm))
        | (Hint::Hand, Some(Part::Hand))
        | (Hint::UpperLeg, Some(Part::UpperLeg))
        | (Hint::LowerLeg, Some(Part::LowerLeg))
        | (Hint::Foot, Some(Part::Foot))
        | (Hint::Toe, Some(Part::Toes)) => 3.0,
        (Hint::Arm, Some(Part::UpperArm)) => 2.0,
        (Hint::Shoulder, Some(Part::Shoulder)) | (Hint::Leg, Some(Part::UpperLeg)) => 1.5,
        (Hint::HipSide, None) if before => 1.5,
        (Hint::Shoulder, Some(Part::UpperArm))
        | (Hint::HipSide, Some(Part::UpperLeg))
        | (Hint::Leg, Some(Part::LowerLeg)) => 1.4,
        (Hint::Foot, Some(Part::Toes)) | (Hint::Toe, None) if !before => 1.0,
        (Hint::Hand | Hint::Foot, None) if !before => 0.4,
        (Hint::Arm, Some(Part::LowerArm)) => 0.5,
        // Rows such as arm 1, arm 2, arm 3.
        (Hint::Arm, Some(Part::Shoulder | Part::Hand)) | (Hint::Leg, Some(Part::Foot | Part::Toes)) => -0.3,
        (Hint::Nothing, _) => 0.0,
        _ => -2.0,
    }
}

/// Hips, then what VRM has for as many joints: spine; spine, chest; spine, chest, upper chest.
fn spine(joints: usize) -> Vec<Option<Part>> {
    let mut parts = vec![None; joints];
    let names = [Part::Spine, Part::Chest, Part::UpperChest];
    for (place, part) in parts.iter_mut().enumerate() {
        let above = joints - 1;
        *part = match place {
            0 => Some(Part::Hips),
            1 => Some(Part::Spine),
            // The last two of more than three.
            _ if above > 3 => {
                names.get(3_usize.wrapping_sub(joints - place)).copied().filter(|part| *part != Part::Spine)
            }
            _ => names.get(place - 1).copied(),
        };
    }
    parts
}

fn head(joints: usize) -> Vec<Option<Part>> {
    let part = |place| match place {
        _ if place + 1 == joints => Some(Part::Head),
        0 => Some(Part::Neck),
        _ => None,
    };
    (0..joints).map(part).collect()
}

/// Three phalanges; a fourth joint before them is the metacarpal of all but the thumb.
fn finger(body: &Tree, digit: Digit, joints: &[usize]) -> Vec<Option<Part>> {
    let counted_from_zero = joints.first().is_some_and(|&first| body.readings[first].place == Some(0));
    let skip = usize::from(digit != Digit::Thumb && joints.len() > 3 && counted_from_zero);
    let part = |place: usize| {
        Some(Part::Finger(digit, u8::try_from(place.checked_sub(skip)?).ok().filter(|&place| place < 3)?))
    };
    (0..joints.len()).map(part).collect()
}
