//! What feet do on the ground, before and after: how deep and how high they are, how they slide, where knees pop.

use sinew::glam::DVec3;
use sinew::{Joint, Pose};
use sinew_motion::Clip;

use super::{Planting, least};

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
    /// The median of these heights: how high over the ground a clip is made for.
    pub(super) floating_median: f64,
    /// What the lower of heel and ball moves over the ground from frame to frame while it touches: largest and mean. As the foot rolls from
    /// one to the other, see [`slide`].
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
    /// The joint whose largest acceleration grew most, how many times the clip's own it is, and when (seconds of the clip).
    pub(super) acceleration: Option<(Joint, f64, f64)>,
    /// What of that the ground asks for: [`least::asked`].
    pub(super) asked: f64,
    /// The joint that is farthest from the clip in the median, seen from the hips, which the ground lifts; and how far.
    pub(super) away: Option<(Joint, f64)>,
}

pub(super) fn measure(planting: &Planting<'_>) -> Measures {
    let (before, after) = (&planting.source.clip, &planting.after);
    let side = |clip: &Clip| Side {
        feet: (0..planting.feet.len()).map(|number| foot(planting, clip, number)).collect(),
        pops: pops(planting, clip),
    };
    let figure = &planting.rig.figure;
    let control_joints = figure.control_joints();
    let moves_mesh = |joint: &Joint| !figure.is_inferred(*joint) && !control_joints.contains(joint);
    let joints = || planting.rig.skeleton().iter().filter(moves_mesh);
    // Joints that hardly move in the clip are measured by those that do, and what carries the hips by the hips.
    let hips: Vec<Joint> = (0..planting.feet.len()).map(|foot| planting.feet.hip(foot)).collect();
    let of_hips = hips.iter().map(|&hip| peak(before, hip).1).fold(0.0, f64::max);
    let least = 0.02 * joints().map(|joint| peak(before, joint).1).fold(0.0, f64::max);
    let grown = |joint| {
        let carries = hips.iter().all(|&hip| planting.rig.skeleton().is_below(hip, joint));
        let least = if carries { of_hips.max(least) } else { least };
        let (time, most) = peak(after, joint);
        (joint, most / peak(before, joint).1.max(least).max(f64::MIN_POSITIVE), time)
    };
    Measures {
        before: side(before),
        after: side(after),
        acceleration: joints().map(grown).max_by(|a, b| a.1.total_cmp(&b.1)),
        asked: least::asked(planting, before, after),
        away: joints().map(|joint| (joint, away(&hips, [before, after], joint))).max_by(|a, b| a.1.total_cmp(&b.1)),
    }
}

/// When a joint accelerates most, and how much.
fn peak(clip: &Clip, joint: Joint) -> (f64, f64) {
    clip.positions(joint).derivative(2).peak()
}

/// How far a joint is in the median from where the other clip has it, both seen from the middle between the hips.
fn away(hips: &[Joint], clips: [&Clip; 2], joint: Joint) -> f64 {
    let middle = |pose: &Pose| hips.iter().map(|&hip| pose.position(hip)).sum::<DVec3>() / hips.len() as f64;
    let seen = |pose: &Pose| pose.position(joint) - middle(pose);
    let [before, after] = clips.map(|clip| clip.poses().iter().map(seen));
    let mut far: Vec<f64> = before.zip(after).map(|(a, b)| a.distance(b)).collect();
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
    let (mut sum, mut count, mut heights) = (0.0, 0.0_f64, Vec::new());
    for (frame, pose) in clip.poses().iter().enumerate() {
        let soles = feet.soles(pose, number);
        let points = soles.into_iter().chain(feet.tip(pose, number));
        let low = points.filter_map(over).fold(f64::INFINITY, f64::min);
        if low.is_finite() {
            found.penetration = found.penetration.max(-low);
            if stands(frame) {
                found.floating = found.floating.max(low);
                heights.push(low);
            }
        }
        if frame > 0 && stands(frame) && stands(frame - 1) {
            let slide = slide(planting, number, [&clip.poses()[frame - 1], pose]);
            found.slide = found.slide.max(slide);
            (sum, count) = (sum + slide, count + 1.0);
        }
    }
    found.slide_mean = sum / count.max(1.0);
    heights.sort_by(f64::total_cmp);
    found.floating_median = heights.get(heights.len() / 2).copied().unwrap_or(0.0);
    found
}

/// What a foot slides over the ground from one pose to the next.
fn slide(planting: &Planting<'_>, number: usize, poses: [&Pose; 2]) -> f64 {
    let (feet, up) = (&planting.feet, planting.start.up);
    let over = |sole: DVec3| {
        let ground = planting.ground.below(sole + up * feet.length(number), up);
        ground.map_or(0.0, |at| (sole - at.position).dot(up))
    };
    slid(poses.map(|pose| feet.soles(pose, number)), over, up)
}

/// How far the lower end of a sole moves over a ground that its ends are so high over; where the other one becomes the lower, the one that
/// moves less, or by how much the sole is longer or shorter than from where the one was to where the other is: nothing where it rolls.
fn slid([was, is]: [[DVec3; 2]; 2], over: impl Fn(DVec3) -> f64, up: DVec3) -> f64 {
    let lower = |soles: [DVec3; 2]| usize::from(over(soles[1]) < over(soles[0]));
    let moved = |end: usize| (is[end] - was[end]).reject_from_normalized(up).length();
    let (before, after) = (lower(was), lower(is));
    let rolled =
        if before == after { f64::INFINITY } else { was[before].distance(is[after]) - was[0].distance(was[1]) };
    moved(before).min(moved(after)).min(rolled.abs())
}

/// Frames in which a knee accelerates more than it may.
fn pops(planting: &Planting<'_>, clip: &Clip) -> usize {
    let frames = |number: usize| {
        let knee = planting.feet.knee(number);
        let most = POP * peak(&planting.source.clip, knee).1;
        clip.positions(knee).derivative(2).sizes().filter(|size| *size > most).count()
    };
    (0..planting.feet.len()).map(frames).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sole of 0.2 m along +Z whose heel is there, pitched so that its ball is so high over it.
    fn sole(heel: DVec3, ball: f64) -> [DVec3; 2] {
        [heel, heel + DVec3::new(0.0, ball, (0.04 - ball * ball).sqrt())]
    }

    fn of(was: [DVec3; 2], is: [DVec3; 2]) -> f64 {
        slid([was, is], |point| point.y, DVec3::Y)
    }

    #[test]
    fn feet_slide_by_what_the_end_that_bears_them_moves() {
        let by = DVec3::new(0.003, 0.0, 0.004);
        // Flat, on the heel, and on the ball, whatever the other end does.
        assert!((of(sole(DVec3::ZERO, 0.0), sole(by, 0.0)) - 0.005).abs() < 1e-12);
        assert!((of(sole(DVec3::ZERO, 0.05), sole(by, 0.04)) - 0.005).abs() < 1e-12);
        let on_the_ball = |ball: DVec3, heel: f64| [ball + DVec3::new(0.0, heel, -(0.04 - heel * heel).sqrt()), ball];
        assert!((of(on_the_ball(DVec3::Z, 0.02), on_the_ball(DVec3::Z + by, 0.05)) - 0.005).abs() < 1e-12);
        assert_eq!(of(on_the_ball(DVec3::Z, 0.02), on_the_ball(DVec3::Z, 0.05)), 0.0);
        // What goes up or down does not slide.
        assert_eq!(of(sole(DVec3::ZERO, 0.05), sole(DVec3::Y * 0.01, 0.05)), 0.0);
    }

    #[test]
    fn feet_that_roll_from_heel_to_ball_do_not_slide() {
        // The heel is down in one frame, the ball in the next; both have moved, for what is between the frames is not seen.
        let was = sole(DVec3::ZERO, 0.03);
        let ball = DVec3::Z * 0.2;
        let rolled =
            |by: f64| [ball + DVec3::new(0.0, 0.04, by - (0.04 - 0.04_f64 * 0.04).sqrt()), ball + DVec3::Z * by];
        assert!(of(was, rolled(0.0)) < 1e-12, "{}", of(was, rolled(0.0)));
        // One that slides as it rolls slides by that, and no more than its ends.
        assert!((of(was, rolled(0.003)) - 0.003).abs() < 1e-12, "{}", of(was, rolled(0.003)));
        assert!(of(was, rolled(0.1)) > 0.09);
    }
}
