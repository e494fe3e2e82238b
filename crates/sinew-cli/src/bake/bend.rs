//! To which side a limb bends that the clip has nearly straight.
//!
//! A clip's knee that is straight for a moment, or bent back a little, says nothing of where it should go once the goals fold
//! the leg: taken at its word it would swing round to the back. So a limb whose ends the goals move bends to where the clip
//! bends it, with a share of where the clip bends it about that time; well bent, or unmoved, it is the clip's.

use sinew::glam::DVec3;
use sinew::math::arc;
use sinew::{Joint, Pole, Pose, Skeleton};
use sinew_motion::Clip;

use crate::served::Served;

/// Seconds before and after a frame that tell of its bend.
const ABOUT: f64 = 0.4;
/// Shares of the limb's length: of the bend of that time that is added, and of the way of its ends from which it is added wholly.
const ADDED: f64 = 0.15;
const MOVED: f64 = 0.01;

/// The bends of a limb over a clip.
#[derive(Clone, Debug)]
pub(super) struct Bends {
    root: Joint,
    mid: Joint,
    end: Joint,
    /// The side of each frame's time, in the frame of the root's parent; zero where it has none.
    sides: Vec<DVec3>,
}

impl Bends {
    /// Those of what serves a goal; `None` where that is no limb.
    pub(super) fn of(skeleton: &Skeleton, served: &Served, clip: &Clip) -> Option<Self> {
        let (root, mid, end) = match served {
            Served::TwoBone(limb) => (limb.root, limb.mid, limb.tip),
            Served::ThreeLink(limb) => (limb.root, limb.mid, limb.low),
            _ => return None,
        };
        let mut bends = Self { root, mid, end, sides: Vec::new() };
        let into = |pose: &Pose| skeleton.parent(root).map(|parent| pose.rotation(parent).conjugate());
        let own: Vec<DVec3> = clip
            .poses()
            .iter()
            .map(|pose| into(pose).map_or(bends.across(pose), |into| into * bends.across(pose)))
            .collect();
        let times = clip.times();
        let side = |&time: &f64| {
            let about = times.partition_point(|&at| at < time - ABOUT)..times.partition_point(|&at| at <= time + ABOUT);
            let near = |at: usize| 1.0 - (times[at] - time).abs() / (ABOUT * 1.001);
            let sum = about.fold(DVec3::ZERO, |sum, at| sum + own[at] * near(at));
            arc::unit(sum).unwrap_or(DVec3::ZERO)
        };
        bends.sides = times.iter().map(side).collect();
        Some(bends)
    }

    /// How far the middle joint is off the line of the ends, and where to.
    fn across(&self, pose: &Pose) -> DVec3 {
        let root = pose.position(self.root);
        let line = arc::unit(pose.position(self.end) - root);
        line.map_or(DVec3::ZERO, |line| arc::reject(pose.position(self.mid) - root, line))
    }

    /// The pole of a frame in which the clip's pose is `given` and the limb's ends move by `moved` against one another;
    /// `None` where they do not.
    pub(super) fn pole(&self, skeleton: &Skeleton, frame: usize, given: &Pose, moved: f64) -> Option<Pole> {
        let [root, mid, end] = [self.root, self.mid, self.end].map(|joint| given.position(joint));
        let length = root.distance(mid) + mid.distance(end);
        if moved <= 0.0 || length <= 0.0 {
            return None;
        }
        let share = (moved / (MOVED * length)).min(1.0);
        let side =
            skeleton.parent(self.root).map_or(self.sides[frame], |parent| given.rotation(parent) * self.sides[frame]);
        let bend = self.across(given) + side * (share * ADDED * length);
        arc::unit(bend).map(Pole::Direction)
    }
}
