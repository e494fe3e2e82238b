//! Which way a body looks, and with it which side is left: by trunk, feet, face, knees and the sides in names, weighed against
//! one another.

use glam::DVec3;

use crate::limb::LimbKind;
use crate::merge::Draft;
use crate::name::Hint;
use crate::parts;
use crate::role::Side;
use crate::tree::Tree;
use crate::trunk::Trunk;

/// Feet must point somewhere by this part of their length.
const POINTS: f64 = 0.25;
/// Knees must stand out by this part of the leg.
const STANDS_OUT: f64 = 0.012;
/// A line across that lies along a trunk by this cosine is none: fifteen degrees.
const ASKEW: f64 = 0.26;
/// A leg comes down by this part of its length.
const COMES_DOWN: f64 = 0.35;
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

/// What says where a body looks, and how much that counts; a clear foot counts 2, what is nearer to the end of the list goes
/// before what says as much.
struct Sign {
    along: DVec3,
    weight: f64,
    reason: &'static str,
}

/// Judges: the sum of the signs says which way along the line that lies across left and right. `format` is the direction that
/// the file's format has, the last resort.
pub(crate) fn find(
    body: &Tree,
    drafts: &[Draft],
    trunk: &Trunk,
    lateral: Option<DVec3>,
    mirrored: bool,
    format: DVec3,
) -> Facing {
    let named = left_by_names(body, drafts).map(|left| if mirrored { -left } else { left });
    let trunk = level_trunk(body, drafts, trunk);
    // What lies askew to a trunk is a stride, not the line across.
    let across = named.or(lateral).filter(|across| trunk.is_none_or(|trunk| across.dot(trunk).abs() < ASKEW));
    let ahead = across.and_then(|across| across.cross(body.up).try_normalize());
    // Perpendicular to up and to the line across, where one is known.
    let settle = |direction: DVec3| -> Option<DVec3> {
        let flat = (direction - body.up * direction.dot(body.up)).try_normalize()?;
        let Some(ahead) = ahead else { return Some(flat) };
        let cosine = ahead.dot(flat);
        (cosine.abs() > 0.5).then(|| ahead * cosine.signum())
    };
    let facing = |forward: DVec3, reason: &str, sided| {
        let swapped = named.is_some_and(|left| body.up.cross(forward).dot(left) < 0.0);
        let note = if swapped { "; its names have left and right the other way round" } else { "" };
        Facing { forward, reason: format!("{reason}{note}"), sided }
    };
    let sign =
        |along: Option<DVec3>, weight: f64, reason| Some(Sign { along: along.and_then(settle)?, weight, reason });
    let (feet, pointing) = feet(body, drafts).unzip();
    let by_names = named.map(|left| left.cross(body.up));
    let signs = [
        sign(by_names, 1.0, "left and right in its names"),
        sign(knees(body, drafts), 1.2, "its knees bend there"),
        sign(face(body, drafts), 1.5, "its face is there"),
        sign(fore_legs(body, drafts), 2.0, "its fore legs are there"),
        sign(feet, pointing.map_or(0.0, |share: f64| 2.0 * share), "its feet point there"),
        sign(trunk, 3.0, "its head is there"),
    ];
    let signs: Vec<Sign> = signs.into_iter().flatten().collect();
    let Some(line) = ahead.or_else(|| strongest(&signs, None).map(|sign| sign.along)) else {
        return facing(settle(format).unwrap_or(format), UNKNOWN, false);
    };
    let sum: f64 = signs.iter().map(|sign| sign.weight * line.dot(sign.along)).sum();
    let forward = line * if sum < 0.0 { -1.0 } else { 1.0 };
    match strongest(&signs, Some(forward)) {
        Some(sign) => facing(forward, sign.reason, true),
        None => facing(settle(format).unwrap_or(format), UNKNOWN, ahead.is_some() && settle(format).is_some()),
    }
}

const UNKNOWN: &str = "the format's own forward; nothing on the body tells";

/// The sign that counts most, of those that point along a direction.
fn strongest(signs: &[Sign], along: Option<DVec3>) -> Option<&Sign> {
    let agrees = |sign: &&Sign| along.is_none_or(|along| along.dot(sign.along) > 0.0);
    signs.iter().filter(agrees).max_by(|a, b| a.weight.total_cmp(&b.weight))
}

/// From the hips to the chest, or to the neck, on a body whose trunk is level and stands on its legs: how its head is turned does
/// not count.
fn level_trunk(body: &Tree, drafts: &[Draft], trunk: &Trunk) -> Option<DVec3> {
    let hips = *trunk.spine.first()?;
    let chest = trunk.spine.last().filter(|&&chest| chest != hips);
    let &end = chest.or(trunk.head.first())?;
    let along = body.place[end] - body.place[hips];
    let drop = |leg: &Draft| -> Option<f64> {
        let (&first, &last) = (leg.joints.first()?, leg.joints.last()?);
        let end = body.above_floor(body.end_of(last)).min(body.above_floor(body.place[last]));
        Some(body.above_floor(body.place[first]) - end - COMES_DOWN * body.reach[first])
    };
    let legs = drafts.iter().filter(|draft| draft.kind == LimbKind::Leg);
    let stands = legs.filter_map(drop).sum::<f64>() > 0.0;
    let flat = level(body, along);
    (stands && flat.length() > along.dot(body.up).abs())
        .then(|| flat.normalize_or_zero())
        .filter(|flat| flat.length() > 0.5)
}

/// From the head to the middle of eyes and jaw.
fn face(body: &Tree, drafts: &[Draft]) -> Option<DVec3> {
    let in_limb = |joint: usize| drafts.iter().any(|draft| draft.joints.contains(&joint));
    let all =
        (0..body.place.len()).filter(|&joint| matches!(body.hint(joint), Hint::Eye | Hint::Jaw) && !in_limb(joint));
    let ahead = |joint: usize| {
        let head = body.parent[joint].filter(|&head| body.hint(head) == Hint::Head)?;
        Some(body.place[joint] - body.place[head])
    };
    let sum: DVec3 = all.filter_map(ahead).sum();
    let flat = level(body, sum);
    (flat.length() > BESIDE * body.height()).then_some(flat)
}

/// Sum of what the feet point along, if they point anywhere, as a share of their length.
fn feet(body: &Tree, drafts: &[Draft]) -> Option<(DVec3, f64)> {
    let (mut sum, mut length) = (DVec3::ZERO, 0.0);
    for draft in drafts.iter().filter(|draft| draft.kind == LimbKind::Leg) {
        let Some(&ankle) = parts::foot(body, &draft.joints).and_then(|foot| draft.joints.get(foot)) else { continue };
        let last = draft.joints[draft.joints.len() - 1];
        let along = body.end_of(last) - body.place[ankle];
        sum += level(body, along);
        length += along.length();
    }
    (length > 0.0 && sum.length() > POINTS * length).then(|| (sum, sum.length() / length))
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

/// From the right limbs to the left ones, level, as names have it; kinds of which one side has more say nothing.
fn left_by_names(body: &Tree, drafts: &[Draft]) -> Option<DVec3> {
    let alike = |a: &Draft, b: &Draft| (a.kind, a.front) == (b.kind, b.front);
    let count =
        |like: &Draft, side| drafts.iter().filter(|draft| alike(draft, like) && draft.side == Some(side)).count();
    let mut sum = DVec3::ZERO;
    for draft in drafts {
        let (Some(side), Some(&first)) = (draft.side, draft.joints.first()) else { continue };
        if count(draft, Side::Left) == count(draft, Side::Right) {
            let place = level(body, body.place[first]);
            sum += if side == Side::Left { place } else { -place };
        }
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
    let limbs = drafts.iter().filter(|draft| draft.kind.is_paired());
    let starts: Vec<DVec3> = limbs.filter_map(start).collect();
    let middle = starts.iter().sum::<DVec3>() / starts.len().max(1) as f64;
    for draft in drafts.iter_mut() {
        let paired = draft.kind.is_paired();
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
