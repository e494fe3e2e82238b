//! Steadies limbs: what a goal leaves free, or cannot have, is averaged over time, and the limb is solved anew.
//!
//! Where a joint accelerates too much, mostly the side to which its limb bends is to blame: a clip's knee that is nearly straight
//! points anywhere, and a leg that a goal folds shows where. So the angle of the bend about the line from the limb's root to its end is
//! averaged in the time about; the end stays where the goal wants it. And where a target leaves reach at a metre a second its elbow
//! stops at once: near the straight the elbow's angle is averaged, so that the limb slows down before and the end stays short by little.
//!
//! Angles of bends are counted as the line goes, without turning about it (the frame that turns least, of R. L. Bishop, "There is more than
//! one way to frame a curve", 1975), so that no direction is a seam.

use sinew::glam::{DQuat, DVec3};
use sinew::math::{arc, ops};
use sinew_motion::Clip;

use super::calm::{Remedy, frames_of, stays};
use super::film::{Plan, Shot};
use super::measure::Moment;
use super::windows::Windows;
use crate::smooth::smooth;

/// Half the time over which bends and reaches are averaged, at most (seconds).
const MOST: f64 = 0.8;
/// Angles (radians) of the middle joint up to which a limb is straight enough that its reach is averaged wholly, and from which not at all.
const STRAIGHT: [f64; 2] = [0.35, 1.05];

/// How a limb lies that was solved wholly, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lie {
    /// From its root to its end.
    pub(super) line: DVec3,
    /// To where its middle joint is off that.
    pub(super) side: DVec3,
    /// The lengths of its bones.
    pub(super) bones: [f64; 2],
}

/// How a limb is to lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    /// Where it bends to, in model space.
    pub(super) bend: DVec3,
    /// How far its end is from its root; `None` as far as the goal wants it.
    pub(super) reach: Option<f64>,
}

impl Lie {
    /// By how much the middle joint is bent (radians).
    fn angle(&self) -> f64 {
        let [a, b] = self.bones;
        let cosine = (self.line.length_squared() - a * a - b * b) / (2.0 * a * b);
        let cosine = cosine.clamp(-1.0, 1.0);
        ops::atan2(ops::sqrt_clamped(1.0 - cosine * cosine), cosine)
    }

    /// How far its end is where the middle joint is bent so.
    fn reach(&self, angle: f64) -> f64 {
        let [a, b] = self.bones;
        ops::sqrt_clamped(a * a + b * b + 2.0 * a * b * ops::sin_cos(angle).1)
    }
}

/// The bends and angles of a limb over time.
struct Course {
    lies: Vec<Option<Lie>>,
    /// The direction of the bend in each frame; where it has none that of the one before, carried along.
    sides: Vec<DVec3>,
    /// By how much it has turned about the line up to a frame.
    turned: Vec<f64>,
    /// By how much the middle joint is bent.
    angles: Vec<f64>,
}

impl Course {
    fn of(lies: Vec<Option<Lie>>) -> Self {
        let (mut sides, mut turned): (Vec<DVec3>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut last: Option<(DVec3, DVec3, f64)> = None;
        for lie in &lies {
            let Some((lie, line)) = lie.as_ref().and_then(|lie| Some((lie, arc::unit(lie.line)?))) else {
                sides.push(last.map_or(DVec3::ZERO, |(_, side, _)| side));
                turned.push(last.map_or(0.0, |(.., turned)| turned));
                continue;
            };
            let own = arc::unit(arc::reject(lie.side, line));
            let carried = last
                .map(|(before, side, turned)| (arc::arc(before, line, arc::any_perpendicular(line)) * side, turned));
            let (side, total) = match (carried, own) {
                (Some((side, turned)), Some(own)) => {
                    (own, turned + ops::atan2(side.cross(own).dot(line), side.dot(own)))
                }
                (Some((side, turned)), None) => (side, turned),
                (None, own) => (own.unwrap_or_else(|| arc::any_perpendicular(line)), 0.0),
            };
            sides.push(side);
            turned.push(total);
            last = Some((line, side, total));
        }
        let angles = lies.iter().map(|lie| lie.map_or(0.0, |lie| lie.angle())).collect();
        Self { lies, sides, turned, angles }
    }

    /// Where the limb bends to in a frame, averaged.
    fn bend(&self, frame: usize, window: &Windows<'_>, half: f64) -> Option<DVec3> {
        let line = arc::unit(self.lies[frame]?.line)?;
        let turn = self.mean(window.shares(frame, half), |at| self.turned[at] - self.turned[frame])?;
        Some(DQuat::from_axis_angle(line, turn) * self.sides[frame])
    }

    /// The mean over the frames in which the limb was solved; `None` where it was in none.
    fn mean(&self, shares: impl Iterator<Item = (usize, f64)>, of: impl Fn(usize) -> f64) -> Option<f64> {
        let (mut sum, mut all) = (0.0, 0.0);
        for (at, share) in shares.filter(|(at, _)| self.lies[*at].is_some()) {
            sum += share * of(at);
            all += share;
        }
        (all > 0.0).then(|| sum / all)
    }

    /// How far its end is in a frame, averaged as far as it is straight.
    fn reach(&self, frame: usize, window: &Windows<'_>, half: f64) -> Option<f64> {
        let lie = self.lies[frame]?;
        let mean = self.mean(window.shares(frame, half), |at| self.angles[at])?;
        let share = smooth((STRAIGHT[1] - mean) / (STRAIGHT[1] - STRAIGHT[0]));
        let angle = self.angles[frame] + share * (mean - self.angles[frame]);
        (angle != self.angles[frame]).then(|| lie.reach(angle))
    }
}

/// Bends and reaches that are averaged, and over which time.
pub(super) struct Steadying<'a> {
    plan: &'a Plan<'a>,
    clip: &'a Clip,
    exact: &'a [Shot],
    /// Of each part: its limb's lies, and the time over which bends and reaches are averaged; `None` where it has no limb.
    limbs: Vec<Option<(Course, [Windows<'a>; 2])>>,
}

impl<'a> Steadying<'a> {
    pub(super) fn new(plan: &'a Plan<'a>, clip: &'a Clip, exact: &'a [Shot]) -> Self {
        let limb = |part: usize| {
            plan.parts[part].bends.as_ref()?;
            let course = Course::of(exact.iter().map(|shot| shot.lies[part]).collect());
            let windows = Windows::new(clip.times(), &stays(plan, clip, exact, part, true), MOST);
            Some((course, [windows.clone(), windows]))
        };
        Self { plan, clip, exact, limbs: (0..plan.parts.len()).map(limb).collect() }
    }
}

impl Remedy for Steadying<'_> {
    fn lengthen(&mut self, moments: &[Moment]) -> bool {
        let mut grown = false;
        for (part, limb) in self.plan.parts.iter().zip(&mut self.limbs) {
            let Some((course, [bends, reaches])) = limb else { continue };
            for frame in frames_of(self.plan, part, moments) {
                grown |= bends.lengthen(frame);
                let half = bends.half(frame);
                if bends.shares(frame, half).any(|(at, _)| course.lies[at].is_some() && course.angles[at] < STRAIGHT[0])
                {
                    grown |= reaches.lengthen(frame);
                }
            }
        }
        grown
    }

    fn leave_keys(&mut self, moments: &[Moment]) {
        for (number, limb) in self.limbs.iter_mut().enumerate() {
            let Some((_, windows)) = limb else { continue };
            if !frames_of(self.plan, &self.plan.parts[number], moments).is_empty() {
                let stays = stays(self.plan, self.clip, self.exact, number, false);
                for window in windows {
                    window.keep(&stays);
                }
            }
        }
    }

    fn shot(&self, frame: usize) -> Option<Shot> {
        let told = |limb: &Option<(Course, [Windows<'_>; 2])>| {
            let (course, [bends, reaches]) = limb.as_ref()?;
            let halves = [bends.half(frame), reaches.half(frame)];
            let bend = course.bend(frame, bends, halves[0]);
            let reach = course.reach(frame, reaches, halves[1]);
            (bend.is_some() || reach.is_some()).then(|| Told { bend: bend.unwrap_or(course.sides[frame]), reach })
        };
        let told: Vec<Option<Told>> = self.limbs.iter().map(told).collect();
        if told.iter().all(Option::is_none) {
            return None;
        }
        let shot = self.plan.told(self.clip.times()[frame], &self.clip.poses()[frame], &told);
        (shot.pose != self.exact[frame].pose).then_some(shot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: i32 = 120;

    fn times() -> Vec<f64> {
        (0..TIMES).map(|frame| f64::from(frame) / 60.0).collect()
    }

    /// A limb of two bones, a metre each, whose line and bend are told.
    fn lie(line: DVec3, reach: f64, side: DVec3) -> Lie {
        Lie { line: line * reach, side, bones: [1.0, 1.0] }
    }

    /// A bend that turns evenly about a line that goes round stays as it is, across whole turns; one that flips comes over slowly.
    #[test]
    fn bends_come_round_without_a_seam() {
        let times = times();
        let turning = |frame: i32| {
            let line = DQuat::from_rotation_y(0.1 * f64::from(frame)) * DVec3::new(0.6, 0.8, 0.0);
            let across = line.cross(DVec3::Y).normalize();
            lie(line, 1.5, DQuat::from_axis_angle(line, 0.2 * f64::from(frame)) * across)
        };
        let course = Course::of((0..TIMES).map(turning).map(Some).collect());
        let mut windows = Windows::new(&times, &[false; TIMES as usize], MOST);
        while windows.lengthen(60) {}
        for frame in 50..70 {
            let bend = course.bend(frame, &windows, 0.4).unwrap();
            assert!(bend.distance(course.lies[frame].unwrap().side) < 1e-9, "{frame}");
        }
        let flipping = |frame: i32| lie(DVec3::Y, 1.5, if frame < 60 { DVec3::X } else { DVec3::new(-1.0, 0.0, 0.01) });
        let course = Course::of((0..TIMES).map(flipping).map(Some).collect());
        let bends: Vec<DVec3> = (40..80).map(|frame| course.bend(frame, &windows, 0.3).unwrap()).collect();
        let fastest = bends.windows(2).map(|pair| pair[0].angle_between(pair[1])).fold(0.0, f64::max);
        assert!(fastest < 0.25, "{fastest}");
    }

    /// Near the straight the angle is averaged; a limb that is well bent reaches as far as its goal wants it, to the last bit.
    #[test]
    fn reaches_give_way_near_the_straight_alone() {
        let times = times();
        let mut windows = Windows::new(&times, &[false; TIMES as usize], MOST);
        while windows.lengthen(60) {}
        let reach = |reaches: &dyn Fn(i32) -> f64, frame: usize| {
            let course = Course::of((0..TIMES).map(|at| Some(lie(DVec3::Y, reaches(at), DVec3::X))).collect());
            course.reach(frame, &windows, 0.2)
        };
        // A metre a second, out of reach from frame 60 on: the angle stops at once, the averaged one does not.
        let leaving = |frame: i32| (2.0 + f64::from(frame - 60) / 60.0).min(2.0);
        let short = 2.0 - reach(&leaving, 60).unwrap();
        assert!(short > 1e-3 && short < 0.1, "{short}");
        assert!(reach(&leaving, 80).is_none());
        assert!(reach(&|frame| 1.2 + 0.2 * f64::from(frame % 2), 60).is_none());
    }
}
