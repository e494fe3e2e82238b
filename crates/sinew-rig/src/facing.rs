//! Which way a body looks, and with it which side is left: by feet, by head and hips, or by the sides in names.

use glam::DVec3;

use crate::limb::LimbKind;
use crate::merge::Draft;
use crate::parts;
use crate::role::Side;
use crate::tree::Tree;
use crate::trunk::Trunk;

/// Feet must point somewhere by this part of their length.
const POINTS: f64 = 0.25;
/// Knees must stand out by this part of the leg.
const STANDS_OUT: f64 = 0.012;
/// Limbs nearer to the middle than this part of the body's height have no side.
const BESIDE: f64 = 0.01;

/// Where a body looks.
#[derive(Clone, Debug)]
pub(crate) struct Facing {
    pub(crate) forward: DVec3,
    pub(crate) reason: String,
    /// Whether anything says where left is: without, no side is given.
    sided: bool,
}

impl Facing {
    /// The direction that someone says, made level.
    pub(crate) fn told(self, body: &Tree, forward: DVec3) -> Self {
        let Some(forward) = level(body, forward).try_normalize() else { return self };
        Self { forward, reason: "the sidecar says so".to_owned(), sided: true }
    }
}

/// Judges; `format` is the direction that the file's format has, the last resort.
pub(crate) fn find(
    body: &Tree,
    drafts: &[Draft],
    trunk: &Trunk,
    lateral: Option<DVec3>,
    mirrored: bool,
    format: DVec3,
) -> Facing {
    let named = left_by_names(body, drafts).map(|left| if mirrored { -left } else { left });
    let lateral = named.or(lateral);
    // Perpendicular to up and to the line across, where one is known.
    let settle = |direction: DVec3| -> Option<DVec3> {
        let flat = (direction - body.up * direction.dot(body.up)).try_normalize()?;
        let Some(across) = lateral else { return Some(flat) };
        let ahead = across.cross(body.up).try_normalize()?;
        let cosine = ahead.dot(flat);
        (cosine.abs() > 0.5).then(|| ahead * cosine.signum())
    };
    let facing = |forward: DVec3, reason: &str, sided| {
        let swapped = named.is_some_and(|left| body.up.cross(forward).dot(left) < 0.0);
        let note = if swapped { "; its names have left and right the other way round" } else { "" };
        Facing { forward, reason: format!("{reason}{note}"), sided }
    };
    if let Some(forward) = feet(body, drafts).and_then(settle) {
        return facing(forward, "its feet point there", true);
    }
    if let Some(forward) = knees(body, drafts).and_then(settle) {
        return facing(forward, "its knees bend there", true);
    }
    let four = drafts.iter().filter(|draft| draft.kind == LimbKind::Leg).count() >= 4;
    let ends = (trunk.spine.first(), trunk.head.last().or(trunk.spine.last()));
    if let (true, (Some(&hips), Some(&head))) = (four, ends)
        && let Some(forward) = settle(body.end_of(head) - body.place[hips])
    {
        return facing(forward, "its head is there", true);
    }
    if let Some(forward) = fore_legs(body, drafts).and_then(settle) {
        return facing(forward, "its fore legs are there", true);
    }
    if let Some(left) = named
        && let Some(forward) = left.cross(body.up).try_normalize()
    {
        return facing(forward, "left and right in its names", true);
    }
    let settled = settle(format);
    let sided = settled.is_some() && lateral.is_some();
    facing(settled.unwrap_or(format), "the format's own forward; nothing on the body tells", sided)
}

/// Sum of what the feet point along, if they point anywhere.
fn feet(body: &Tree, drafts: &[Draft]) -> Option<DVec3> {
    let (mut sum, mut length) = (DVec3::ZERO, 0.0);
    for draft in drafts.iter().filter(|draft| draft.kind == LimbKind::Leg) {
        let Some(&ankle) = parts::foot(body, &draft.joints).and_then(|foot| draft.joints.get(foot)) else { continue };
        let last = draft.joints[draft.joints.len() - 1];
        let along = body.end_of(last) - body.place[ankle];
        sum += level(body, along);
        length += along.length();
    }
    (length > 0.0 && sum.length() > POINTS * length).then_some(sum)
}

/// Where the knees of two legs stand out before the line from hip to foot, if they do.
fn knees(body: &Tree, drafts: &[Draft]) -> Option<DVec3> {
    let legs: Vec<&Draft> = drafts.iter().filter(|draft| draft.kind == LimbKind::Leg).collect();
    let bend = |leg: &&Draft| -> Option<(DVec3, f64)> {
        let foot = parts::foot(body, &leg.joints);
        let upper = foot.map_or(0, |foot| foot.saturating_sub(2));
        let (hip, knee) = (body.place[*leg.joints.get(upper)?], body.place[*leg.joints.get(upper + 1)?]);
        let end = foot
            .and_then(|foot| leg.joints.get(foot))
            .map_or_else(|| body.end_of(leg.joints[leg.joints.len() - 1]), |&foot| body.place[foot]);
        let line = (end - hip).try_normalize()?;
        let out = knee - hip;
        Some((level(body, out - line * out.dot(line)), hip.distance(knee) + knee.distance(end)))
    };
    let (&[a, b], true) = (legs.as_slice(), legs.len() == 2) else { return None };
    let ((a, length_a), (b, length_b)) = (bend(&a)?, bend(&b)?);
    let clear = |out: DVec3, length: f64| out.length() > STANDS_OUT * length;
    (clear(a, length_a) && clear(b, length_b) && a.dot(b) > 0.0).then_some(a + b)
}

/// From the hind legs to the fore legs, where it has both.
fn fore_legs(body: &Tree, drafts: &[Draft]) -> Option<DVec3> {
    let middle = |front: bool| -> Option<DVec3> {
        let legs = drafts.iter().filter(|draft| draft.front == Some(front));
        let places: Vec<DVec3> = legs.filter_map(|leg| leg.joints.first()).map(|&first| body.place[first]).collect();
        (!places.is_empty()).then(|| places.iter().sum::<DVec3>() / places.len() as f64)
    };
    let along = level(body, middle(true)? - middle(false)?);
    (along.length() > BESIDE * body.height()).then_some(along)
}

fn level(body: &Tree, direction: DVec3) -> DVec3 {
    direction - body.up * direction.dot(body.up)
}

/// From the right limbs to the left ones, level, as names have it.
fn left_by_names(body: &Tree, drafts: &[Draft]) -> Option<DVec3> {
    let mut sum = DVec3::ZERO;
    for left in drafts.iter().filter(|draft| draft.side == Some(Side::Left)) {
        let twin =
            |other: &&Draft| other.side == Some(Side::Right) && other.kind == left.kind && other.front == left.front;
        let Some(right) = drafts.iter().find(twin) else { continue };
        let (Some(&a), Some(&b)) = (left.joints.first(), right.joints.first()) else { continue };
        let apart = body.place[a] - body.place[b];
        sum += level(body, apart);
    }
    (sum.length() > BESIDE * body.height()).then(|| sum.normalize_or_zero()).filter(|left| left.length() > 0.5)
}

/// Tells fore from hind legs of four that hang on one joint: by who is ahead.
fn tell_fore_legs(body: &Tree, drafts: &mut [Draft], forward: DVec3) {
    let legs = || drafts.iter().filter(|draft| draft.kind == LimbKind::Leg);
    if legs().count() != 4 || legs().any(|leg| leg.front.is_some()) {
        return;
    }
    let ahead = |leg: &Draft| leg.joints.first().map_or(0.0, |&first| body.place[first].dot(forward));
    let mut all: Vec<f64> = legs().map(ahead).collect();
    all.sort_by(f64::total_cmp);
    // Two before, two behind, with room between.
    if all[2] - all[1] > BESIDE * body.height() {
        let between = 0.5 * (all[1] + all[2]);
        for leg in drafts.iter_mut().filter(|draft| draft.kind == LimbKind::Leg) {
            leg.front = Some(ahead(leg) > between);
        }
    }
}

/// Gives sides to limbs whose names have none, and notes where names and place contradict each other.
pub(crate) fn give_sides(body: &Tree, drafts: &mut [Draft], facing: &Facing) {
    if facing.sided {
        tell_fore_legs(body, drafts, facing.forward);
    }
    let left = body.up.cross(facing.forward);
    let start = |draft: &Draft| draft.joints.first().map(|&joint| body.place[joint]);
    let limbs = drafts.iter().filter(|draft| matches!(draft.kind, LimbKind::Arm | LimbKind::Leg | LimbKind::Wing));
    let starts: Vec<DVec3> = limbs.filter_map(start).collect();
    let middle = starts.iter().sum::<DVec3>() / starts.len().max(1) as f64;
    for draft in drafts.iter_mut() {
        let paired = matches!(draft.kind, LimbKind::Arm | LimbKind::Leg | LimbKind::Wing);
        if draft.side.is_some() || !facing.sided || !paired {
            continue;
        }
        // Roots of a pair may coincide; the chain does not.
        let mean =
            draft.joints.iter().map(|&joint| body.place[joint]).sum::<DVec3>() / draft.joints.len().max(1) as f64;
        let beside = start(draft).into_iter().chain([mean]).map(|place| (place - middle).dot(left));
        if let Some(beside) = beside.into_iter().find(|beside| beside.abs() > BESIDE * body.height()) {
            draft.side = Some(if beside > 0.0 { Side::Left } else { Side::Right });
        }
    }
}
