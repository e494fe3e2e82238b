//! What the program that widens a human's limits needs: how people turn their joints, and how far the tables' ranges have to be
//! widened to hold it.
//!
//! Of a part's ranges the one is widened by a step, at one end or both, that brings the frames outside nearest, until all but a share of
//! them are inside or nothing brings them nearer. Ends never go beyond `most`, where people end.

use glam::DQuat;
use sinew::math::arc;
use sinew::{BallLimit, Joint, Kind, Pose, Skeleton};

use super::axes::{Axes, Limit};
use super::motion::{self, Ends, Motion, Turn};
use super::{hangs_on_a_part, shared_role};
use crate::recognize::Recognition;
use crate::role::{Digit, Part};
use crate::t_pose::TPose;

/// By how much an end moves at a time (degrees).
const STEP: f64 = 1.0;
/// A frame that lies farther outside counts no more (degrees): it is a mistake of the capture, and none to be followed.
const FAR: f64 = 10.0;
/// What is outside by less is rounding (degrees).
const ROUNDING: f64 = 1e-4;

/// How one joint turned in the frames of a clip, against the T-pose.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The part it is.
    pub part: Part,
    joint: Joint,
    zero: DQuat,
    axes: Axes,
    share: f64,
    turns: Vec<DQuat>,
}

impl Shown {
    /// Joints of a human that have limits, none of their frames yet.
    pub fn joints(skeleton: &Skeleton, found: &Recognition) -> Vec<Self> {
        let Some(zeros) = TPose::of(skeleton, found) else { return Vec::new() };
        let shown = |joint| {
            let (role, share) = shared_role(found, joint).filter(|_| hangs_on_a_part(skeleton, found, joint))?;
            let axes = Axes::of(&zeros, joint, role, motion::of(role.part)?)?;
            let zero = zeros.local(joint.index());
            Some(Self { part: motion::like(role.part), joint, zero, axes, share, turns: Vec::new() })
        };
        skeleton.iter().filter_map(shown).collect()
    }

    /// One more frame.
    pub fn add(&mut self, pose: &Pose) {
        self.turns.push(self.zero.conjugate() * pose.local(self.joint).rotation);
    }

    /// How far each frame is outside a motion's limit (degrees).
    fn outside(&self, ends: Ends) -> impl Iterator<Item = f64> {
        let limit = motion::in_tables(self.part).and_then(|told| self.axes.limit(told.with(ends), self.share));
        self.turns.iter().map(move |&turn| limit.map_or(0.0, |limit| off(&limit, turn)))
    }
}

impl Motion {
    /// The ends of its ranges: of a hinge, or of flexing, leaning aside and twisting.
    fn ends(self) -> Ends {
        let ends = |turn: Turn| [turn.from, turn.to];
        match self {
            Self::Hinge(turn) => [ends(turn), [0.0; 2], [0.0; 2]],
            Self::Ball { flex, side, twist, .. } => [flex, side, twist].map(ends),
        }
    }
}

/// How far a turn is outside a limit; what lies beside a hinge's axis does not count.
fn off(limit: &Limit, turn: DQuat) -> f64 {
    let own = limit.zero.conjugate() * turn;
    let off = match limit.kind {
        Kind::Hinge { axis, range } => {
            let value = arc::twist_angle(own, axis);
            (value - range.clamp_angle(value, 0.0)).abs()
        }
        Kind::Ball(BallLimit::EllipticSwing(limit)) => own.angle_between(limit.project(own)),
        _ => 0.0,
    };
    off.to_degrees()
}

/// All frames, and those outside these ends.
pub fn count(shown: &[&Shown], ends: Ends) -> (usize, usize) {
    let out = |shown: &&Shown| shown.outside(ends).filter(|&off| off > ROUNDING).count();
    (shown.iter().map(|shown| shown.turns.len()).sum(), shown.iter().map(out).sum())
}

/// The ends of a part's ranges that hold all of its frames but for a share, as far as people go; `None` for a part without limits.
pub fn ends(part: Part, shown: &[&Shown], share: f64) -> Option<Ends> {
    let mut ends = motion::in_tables(part)?.ends();
    let miss = |ends: Ends| -> f64 { shown.iter().flat_map(|shown| shown.outside(ends)).map(|off| off.min(FAR)).sum() };
    let mut now = miss(ends);
    loop {
        let (all, out) = count(shown, ends);
        if out as f64 <= share * all as f64 {
            return Some(ends);
        }
        let moved = |(range, [low, high]): (usize, [f64; 2])| {
            let mut moved = ends;
            let ([from, to], [least, last]) = (&mut moved[range], most(part)[range]);
            (*from, *to) = ((*from - low).max(least), (*to + high).min(last));
            moved
        };
        let steps = [[STEP, 0.0], [0.0, STEP], [STEP, STEP]];
        let tried = (0..3).flat_map(|range| steps.map(|step| (range, step))).map(moved);
        let tried = tried.map(|ends| (miss(ends), ends));
        let Some((miss, best)) = tried.min_by(|(a, _), (b, _)| a.total_cmp(b)).filter(|&(miss, _)| miss < now) else {
            return Some(ends);
        };
        (now, ends) = (miss, best);
    }
}

/// Ends that no joint goes beyond, whatever a capture shows: a little more than people do, since captures put elsewhere what skeletons have
/// no joint for. Ankles bend up by 41.5° (a lunge; tables have 20° without weight on them), elbows and knees stretch by 15° beyond straight
/// (10° and more are called lax: Beighton et al. 1973, *Ann. Rheum. Dis.* 32:413), heels come to the seat and thighs to the belly, collar bones rise for a shoulder blade,
/// and hands bend to any side as far as forth and back, on a forearm that rolls.
const fn most(part: Part) -> Ends {
    match part {
        Part::Shoulder => [[-40.0, 35.0], [-35.0, 60.0], [-30.0, 50.0]],
        Part::UpperArm => [[-85.0, 135.0], [-120.0, 110.0], [-100.0, 115.0]],
        Part::LowerArm => [[-15.0, 155.0], [0.0; 2], [0.0; 2]],
        Part::Hand => [[-85.0, 85.0], [-85.0, 85.0], [-56.0, 170.0]],
        Part::UpperLeg => [[-50.0, 140.0], [-50.0, 95.0], [-60.0, 95.0]],
        Part::LowerLeg => [[-15.0, 160.0], [0.0; 2], [0.0; 2]],
        Part::Foot => [[-41.5, 65.0], [-70.0, 70.0], [-55.0, 40.0]],
        Part::Finger(Digit::Thumb, 0) => [[-85.0, 85.0], [-100.0, 90.0], [-60.0, 60.0]],
        Part::Finger(..) => [[-41.0, 110.0], [-35.0, 35.0], [-10.0, 10.0]],
        _ => [[-90.0, 90.0]; 3],
    }
}
