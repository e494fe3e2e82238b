//! Promises about springs: numbers, lengths, limits, what is the body's, and the same bits again.

use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::springs::{Particle, SpringState, Springs, Tail};
use sinew::{Joint, Kind, Pose};

use super::linear::{length, squared, sub};
use super::{Broken, Check, Findings, is_finite, kinematics, limits};
use crate::make::Swing;

/// Share of its length by which a rigid bone may be off.
const ROUNDING: f64 = 1e-9;
/// Share of the distance from the origin that places lose to rounding.
const FAR: f64 = 4e-15;
/// Shares of their length at rest between which bones end that stretch.
const LENGTHS: Range = Range::new(0.05, 20.0);

/// One run's last pose and ends.
type Ended = (Pose, Vec<Particle>);

/// Swings, and lists the promises that were broken.
pub(crate) fn judge(swing: &Swing) -> Vec<Broken> {
    let mut found = Findings::default();
    let mut state = SpringState::default();
    let first = run(swing, &mut state, &mut found);
    let mut ignored = Findings::default();
    if run(swing, &mut SpringState::default(), &mut ignored) != first {
        found.add(Check::Repeats, 0.0, "");
    }
    state.reset();
    if run(swing, &mut state, &mut ignored) != first {
        found.add(Check::UsedWorkspace, 0.0, "a state that was reset");
    }
    found.0
}

fn run(swing: &Swing, state: &mut SpringState, found: &mut Findings) -> Ended {
    let (mut pose, mut farthest) = (swing.skeleton.rest_pose(), 0.0_f64);
    for (number, frame) in swing.frames.iter().enumerate() {
        swing.pose(number, &mut pose);
        if frame.teleports {
            state.teleport();
        }
        let given = pose.clone();
        let springs = swing.springs(number);
        let step = springs.step(&swing.skeleton, &mut pose, state, frame.dt);
        found.require(!step.refused, Check::ValidRefused, "");
        let finite = |end: Particle| end.position.is_finite() && end.velocity.is_finite();
        if !is_finite(&swing.skeleton, &pose) || !state.particles().all(finite) {
            found.add(Check::NotFinite, 0.0, "");
            break;
        }
        let places = [&given, &pose].into_iter().flat_map(|pose| swing.skeleton.iter().map(|j| pose.position(j)));
        farthest = places.map(DVec3::length).fold(farthest, f64::max);
        let mut judge = Judge { swing, springs, given: &given, rounding: FAR * farthest, found };
        judge.pose(&pose);
        if step.steps > 0 {
            judge.ends(state);
        }
    }
    (pose, state.particles().collect())
}

/// What one frame is judged by.
struct Judge<'a> {
    swing: &'a Swing,
    springs: &'a Springs,
    given: &'a Pose,
    /// Metres.
    rounding: f64,
    found: &'a mut Findings,
}

impl Judge<'_> {
    fn pose(&mut self, pose: &Pose) {
        let (skeleton, springs) = (&self.swing.skeleton, self.springs);
        let maps = kinematics::forward(skeleton, pose);
        for joint in skeleton.iter() {
            let off = length(sub(maps[joint.index()].origin, pose.position(joint).to_array()));
            if off > ROUNDING * length(maps[joint.index()].origin) + self.rounding {
                self.found.add(Check::Transforms, off, "a model transform is not what the local ones make");
            }
            let off = (squared(pose.local(joint).rotation.to_array()) - 1.0).abs();
            if off > ROUNDING {
                self.found.add(Check::Transforms, off, "a rotation has not length 1");
            }
            self.joint(pose, joint);
        }
        for (place, bone) in springs.bones.iter().enumerate() {
            if let Tail::Joint(tail) = bone.tail {
                let ends = [bone.joint, tail].map(|joint| maps[joint.index()].origin);
                self.length(place, length(sub(ends[1], ends[0])), "a bone in the pose");
            }
        }
    }

    /// Limits of joints that swing; others stay.
    fn joint(&mut self, pose: &Pose, joint: Joint) {
        let (skeleton, springs) = (&self.swing.skeleton, self.springs);
        if !self.swing.is_held(joint) {
            if let Some((off, how)) = limits::outside(skeleton, pose, joint) {
                self.found.add(Check::Limits, off, how);
            }
            return;
        }
        let (local, given) = (pose.local(joint), self.given.local(joint));
        let value = |pose: &Pose| pose.value(skeleton, joint);
        let own = springs.bones.iter().any(|bone| bone.tail == Tail::Joint(joint) && self.swing.is_own(bone));
        let slides = matches!(skeleton.kind(joint), Kind::Slide { .. });
        let stays = (own || springs.squash && !slides) || local.translation == given.translation;
        self.found.require(stays && local.rotation == given.rotation, Check::Others, "a joint of the body moved");
        self.found.require(value(pose) == value(self.given), Check::Others, "a coordinate of the body moved");
    }

    /// A bone's length, which is the body's or what it may be.
    fn length(&mut self, place: usize, length: f64, how: &'static str) {
        let Swing { skeleton, scale, .. } = self.swing;
        let bone = &self.springs.bones[place];
        let at = |joint| self.given.position(joint);
        let (rest, range) = match bone.tail {
            Tail::Joint(tail) if !self.swing.is_own(bone) => (at(tail).distance(at(bone.joint)), Range::new(1.0, 1.0)),
            Tail::Joint(tail) => (skeleton.rest(tail).translation.length() * scale.x, bone.lengths),
            Tail::Point(point) => (point.length() * scale.x, bone.lengths),
        };
        let (least, most) = (LENGTHS.clamp(range.min), LENGTHS.clamp(range.max));
        let rigid = 1.0_f64.clamp(least, most);
        let (least, most) = if bone.stretch > 0.0 { (least, most) } else { (rigid, rigid) };
        let off = (length - most * rest).max(least * rest - length);
        if off > ROUNDING * rest + self.rounding || off.is_nan() {
            self.found.add(Check::Lengths, off / rest, how);
        }
    }

    /// Ends of bones that hang on others, where time was stepped.
    fn ends(&mut self, state: &SpringState) {
        let bones = &self.springs.bones;
        for end in state.particles().filter(|end| !bones[end.bone].anchored) {
            let bone = &bones[end.bone];
            let above = |other: &Particle| bones[other.bone].tail == Tail::Joint(bone.joint);
            if let Some(from) = state.particles().find(above) {
                self.length(end.bone, from.position.distance(end.position), "between ends");
            }
        }
    }
}
