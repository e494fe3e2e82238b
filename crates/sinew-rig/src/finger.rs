//! Fingers: by name, else the chains into which a hand parts.

use crate::limb::LimbKind;
use crate::merge::Draft;
use crate::named;
use crate::role::{Digit, Side};
use crate::tree::Tree;

/// Fingers are shorter than this part of their arm.
const SHORT: f64 = 0.5;
/// Mean of the directions of a hand's fingers, at least.
const SAME_WAY: f64 = 0.8;

/// Every finger that names or arms give.
pub(crate) fn find(body: &Tree, drafts: &[Draft], source: &str) -> Vec<Draft> {
    let mut fingers = by_name(body, drafts, source);
    for arm in drafts.iter().filter(|draft| draft.kind == LimbKind::Arm) {
        let Some(&hand) = arm.joints.last() else { continue };
        if !fingers.iter().any(|finger| finger.joints.iter().any(|&joint| body.is_below(joint, hand))) {
            fingers.extend(by_shape(body, arm, hand));
        }
    }
    fingers
}

/// The fingers of a hand alone: four or five rows of joints that go the same way from where the one row from the root parts.
pub(crate) fn lone_hand(body: &Tree) -> Vec<Draft> {
    let &[root] = body.roots.as_slice() else { return Vec::new() };
    let mut hand = root;
    while let [next] = body.children[hand].as_slice() {
        hand = *next;
    }
    let starts = &body.children[hand];
    let row = |&start: &usize| -> Option<usize> {
        let mut last = start;
        while let [next] = body.children[last].as_slice() {
            last = *next;
        }
        body.children[last].is_empty().then_some(last)
    };
    let Some(ends) = starts.iter().map(row).collect::<Option<Vec<usize>>>() else { return Vec::new() };
    let mean = ends.iter().map(|&end| (body.place[end] - body.place[hand]).normalize_or_zero()).sum::<glam::DVec3>()
        / ends.len().max(1) as f64;
    let lengths = || starts.iter().map(|&start| body.reach[start]);
    let alike = lengths().fold(f64::INFINITY, f64::min) > SHORT * lengths().fold(0.0, f64::max);
    if !(4..=5).contains(&starts.len()) || mean.length() < SAME_WAY || !alike {
        return Vec::new();
    }
    let mut starts = starts.clone();
    let digits = digits(body, hand, &mut starts);
    starts.into_iter().zip(digits).map(|(start, digit)| of_shape(body, start, digit, None)).collect()
}

fn of_shape(body: &Tree, start: usize, digit: Option<Digit>, side: Option<Side>) -> Draft {
    Draft {
        kind: LimbKind::Finger(digit),
        side,
        front: None,
        joints: body.chain(start),
        confidence: 0.6,
        reason: "shape: the hand parts here".to_owned(),
    }
}

fn by_name(body: &Tree, drafts: &[Draft], source: &str) -> Vec<Draft> {
    let side_of = |joints: &[usize]| -> Option<Side> {
        let first = *joints.first()?;
        let holds =
            |arm: &&Draft| arm.kind == LimbKind::Arm && arm.joints.iter().any(|&joint| body.is_below(first, joint));
        drafts.iter().find(holds)?.side
    };
    let finger = |finger: named::NamedFinger| {
        let source = if finger.joints.iter().all(|&joint| body.given[joint]) { source } else { "names" };
        let loose = if finger.hangs_together {
            ""
        } else {
            "; its joints do not hang on one another, so no solver can bend it: parent them"
        };
        Draft {
            kind: LimbKind::Finger(finger.digit),
            side: finger.side.or_else(|| side_of(&finger.joints)),
            front: None,
            confidence: if finger.hangs_together { 0.95 } else { 0.6 },
            reason: format!("{source}{loose}"),
            joints: finger.joints,
        }
    };
    named::fingers(body).into_iter().map(finger).collect()
}

/// The chains of a hand that parts in three or more, none of which is long.
fn by_shape(body: &Tree, arm: &Draft, hand: usize) -> Vec<Draft> {
    let length = arm.joints.first().map_or(0.0, |&first| body.reach[first]);
    let mut starts: Vec<usize> = body.children[hand].clone();
    starts.retain(|&child| body.reach[child] > 0.0 || !body.children[child].is_empty());
    if !(3..=6).contains(&starts.len()) || starts.iter().any(|&start| body.reach[start] > SHORT * length) {
        return Vec::new();
    }
    let digits = digits(body, hand, &mut starts);
    starts.into_iter().zip(digits).map(|(start, digit)| of_shape(body, start, digit, arm.side)).collect()
}

/// Which of five is which: the thumb begins nearest to the wrist, the others follow in a row. Sorts the starts.
fn digits(body: &Tree, hand: usize, starts: &mut [usize]) -> Vec<Option<Digit>> {
    let out = |joint: usize| body.place[joint].distance(body.place[hand]);
    starts.sort_by(|&a, &b| out(a).total_cmp(&out(b)).then(a.cmp(&b)));
    let (&[thumb, second, _, _, _], true) = (&*starts, starts.len() == 5) else { return vec![None; starts.len()] };
    if out(thumb) > 0.8 * out(second) {
        return vec![None; starts.len()];
    }
    let from_thumb = |joint: usize| body.place[joint].distance(body.place[thumb]);
    starts[1..].sort_by(|&a, &b| from_thumb(a).total_cmp(&from_thumb(b)).then(a.cmp(&b)));
    Digit::ALL.map(Some).to_vec()
}
