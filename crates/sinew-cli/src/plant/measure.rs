//! What feet do on the ground, before and after: how deep and how high they are, how they slide, where knees pop.

use sinew::glam::DVec3;
use sinew::{Joint, Pose};
use sinew_motion::Clip;

use super::Planting;

/// Times the clip's largest acceleration beyond which a knee pops.
const POP: f64 = 2.0;

/// A foot's measures over a clip.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Foot {
    pub(super) joint: Option<Joint>,
    /// How often it comes down.
    pub(super) touches: usize,
    /// Largest depth of heel, ball or toes under the ground, touching or not.
    pub(super) penetration: f64,
    /// Largest height of the lowest of them over the ground while it touches.
    pub(super) floating: f64,
    /// What heel or ball, whichever moves less, moves from frame to frame while it touches: largest and mean.
    pub(super) slide: f64,
    pub(super) slide_mean: f64,
}

/// A clip's.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    pub(super) feet: Vec<Foot>,
    /// Frames in which a knee pops.
    pub(super) pops: usize,
}

/// Both clips', and what changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Measures {
    pub(super) before: Side,
    pub(super) after: Side,
    /// The joint whose largest acceleration grew most, and how many times the clip's own it is.
    pub(super) acceleration: Option<(Joint, f64)>,
    /// The joint that is farthest from the clip in the median, and how far.
    pub(super) away: Option<(Joint, f64)>,
}

pub(super) fn measure(planting: &Planting<'_>) -> Measures {
    let (before, after) = (&planting.source.clip, &planting.after);
    let side = |clip: &Clip| Side {
        feet: (0..planting.feet.len()).map(|number| foot(planting, clip, number)).collect(),
        pops: pops(planting, clip),
    };
    let joints = || planting.rig.skeleton().iter().filter(|&joint| !planting.rig.figure.is_inferred(joint));
    let largest = |found: &mut dyn Iterator<Item = (Joint, f64)>| found.max_by(|a, b| a.1.total_cmp(&b.1));
    // Joints that hardly move in the clip are measured by those that do.
    let least = 0.02 * joints().map(|joint| peak(before, joint)).fold(0.0, f64::max);
    let grown = |joint| (joint, peak(after, joint) / peak(before, joint).max(least).max(f64::MIN_POSITIVE));
    Measures {
        before: side(before),
        after: side(after),
        acceleration: largest(&mut joints().map(grown)),
        away: largest(&mut joints().map(|joint| (joint, away(before, after, joint)))),
    }
}

/// A joint's largest acceleration.
fn peak(clip: &Clip, joint: Joint) -> f64 {
    clip.positions(joint).derivative(2).peak().1
}

/// How far a joint is from the clip in the median.
fn away(before: &Clip, after: &Clip, joint: Joint) -> f64 {
    let pairs = before.poses().iter().zip(after.poses());
    let mut far: Vec<f64> = pairs.map(|(a, b)| a.position(joint).distance(b.position(joint))).collect();
    far.sort_by(f64::total_cmp);
    far.get(far.len() / 2).copied().unwrap_or(0.0)
}

fn foot(planting: &Planting<'_>, clip: &Clip, number: usize) -> Foot {
    let (feet, up) = (&planting.feet, planting.start.up);
    let over = |point: DVec3| {
        let found = planting.ground.below(point + up * feet.length(number), up);
        found.map(|at| (point - at.position).dot(up) * at.normal.dot(up))
    };
    let stands = |frame: usize| planting.contacts.touches(number, clip.times()[frame]);
    let mut found =
        Foot { joint: Some(feet.joint(number)), touches: planting.contacts.of(number).len(), ..Foot::default() };
    let (mut sum, mut count) = (0.0, 0.0_f64);
    for (frame, pose) in clip.poses().iter().enumerate() {
        let soles = feet.soles(pose, number);
        let points = soles.into_iter().chain(feet.tip(pose, number));
        let low = points.filter_map(over).fold(f64::INFINITY, f64::min);
        if low.is_finite() {
            found.penetration = found.penetration.max(-low);
            if stands(frame) {
                found.floating = found.floating.max(low);
            }
        }
        if frame > 0 && stands(frame) && stands(frame - 1) {
            let slide = slide(planting, number, [&clip.poses()[frame - 1], pose]);
            found.slide = found.slide.max(slide);
            (sum, count) = (sum + slide, count + 1.0);
        }
    }
    found.slide_mean = sum / count.max(1.0);
    found
}

/// How far the end of the sole that moves least moves over the ground.
fn slide(planting: &Planting<'_>, number: usize, [from, to]: [&Pose; 2]) -> f64 {
    let (feet, up) = (&planting.feet, planting.start.up);
    let (was, is) = (feet.soles(from, number), feet.soles(to, number));
    let moved = |end: usize| (is[end] - was[end]).reject_from_normalized(up).length();
    moved(0).min(moved(1))
}

/// Frames in which a knee accelerates more than it may.
fn pops(planting: &Planting<'_>, clip: &Clip) -> usize {
    let frames = |number: usize| {
        let knee = planting.feet.knee(number);
        let most = POP * peak(&planting.source.clip, knee);
        clip.positions(knee).derivative(2).sizes().filter(|size| *size > most).count()
    };
    (0..planting.feet.len()).map(frames).sum()
}
