//! How long goals take to come and to go where nobody said: as long as it needs for no joint to accelerate more than the
//! clip allows, within the clip, up to a second.

use std::ops::Range;

use anyhow::Result;
use sinew_motion::Clip;

use super::film::{Plan, Shot};
use super::goals::EASE;
use super::measure::{ABOUT, Accelerations, POP, floor, moved};

/// Seconds beyond which no goal takes longer of itself.
const MOST: f64 = 1.0;
/// Factors by which it may take longer in one round, and rounds.
const LONGER: Range<f64> = 1.1..1.6;
const ROUNDS: usize = 8;

/// Lets goals take longer, and solves anew the frames in which they do.
pub(super) fn lengthen(plan: &mut Plan<'_>, clip: &Clip, shots: &mut [Shot]) -> Result<()> {
    for _ in 0..ROUNDS {
        if plan.parts.iter().all(|part| part.track.span.told) {
            return Ok(());
        }
        let longer = longer(plan, clip, shots)?;
        if longer.is_empty() {
            return Ok(());
        }
        for (part, side, ease) in longer {
            let room = room(plan, part, side, clip);
            plan.parts[part].track.span.ease[side] = ease.min(room);
        }
        plan.bake_again(clip, shots);
    }
    Ok(())
}

/// The parts that accelerate joints too much as they come (0) or go (1), and how long that should take.
fn longer(plan: &Plan<'_>, clip: &Clip, shots: &[Shot]) -> Result<Vec<(usize, usize, f64)>> {
    let skeleton = plan.skeleton;
    let after = Clip::new(skeleton, clip.times().to_vec(), shots.iter().map(|shot| shot.pose.clone()).collect())?;
    let joints: Vec<_> = moved(skeleton, clip, &after)
        .into_iter()
        .map(|joint| (joint, Accelerations::of(joint, clip, &after)))
        .collect();
    let floor = floor(joints.iter().map(|(_, course)| course.largest_before()));
    let mut longer = Vec::new();
    for (number, part) in plan.parts.iter().enumerate().filter(|(_, part)| !part.track.span.told) {
        let (span, [begins, ends]) = (part.track.span, part.track.span.eased());
        for (side, window) in [begins..=span.from + ABOUT, span.until - ABOUT..=ends].into_iter().enumerate() {
            let of_joint = |course: &Accelerations| {
                let frames =
                    (0..course.new.values().len()).filter(|&frame| window.contains(&course.new.times()[frame]));
                frames.map(|frame| course.ratio(frame, floor)).fold(0.0, f64::max)
            };
            let moved = joints.iter().filter(|(joint, _)| skeleton.is_below(*joint, part.first));
            let ratio = moved.map(|(_, course)| of_joint(course)).fold(0.0, f64::max);
            let ease = span.ease[side];
            if ratio > POP && ease < room(plan, number, side, clip) {
                longer.push((number, side, ease * (ratio / POP).sqrt().clamp(LONGER.start, LONGER.end)));
            }
        }
    }
    Ok(longer)
}

/// How long a part may take at most to come or to go: within the clip, and apart from other goals of its joint.
fn room(plan: &Plan<'_>, number: usize, side: usize, clip: &Clip) -> f64 {
    let part = &plan.parts[number];
    let span = part.track.span;
    let gap = |from: f64, until: f64| if side == 0 { span.from - until } else { from - span.until };
    let others = plan.parts.iter().enumerate().filter(|(other, one)| *other != number && one.joint == part.joint);
    let free = others.map(|(_, one)| one.track.span.eased()).map(|[from, until]| gap(from, until));
    let inside = gap(clip.end(), clip.start()).clamp(EASE, MOST);
    // Goals of another kind may hold at the same time.
    free.filter(|gap| *gap >= span.ease[side]).fold(inside, f64::min)
}
