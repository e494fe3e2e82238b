//! What the closed form leaves, by steps from where the body is: goals that have none, and what limits keep from theirs.

use glam::DVec3;
use sinew::math::arc;
use sinew::solve::author::Engine as _;
use sinew::solve::jacobian::Method;
use sinew::{Goal, Jacobian, Pose, Skeleton, Solver as _, Target, Tolerance, Workspace};

use super::Body;
use super::layout::{Layout, Limb};
use super::place::{HEAD, Room};
use super::seen;

/// How much more than goals that are out of reach a foot that is not told keeps its place.
const STANDS: f64 = 10.0;
/// So far it may slip for what limits keep from a goal (shares of a leg, radians).
const SLIPS: f64 = 0.01;

/// Steps for goals that have no closed form, at most: a bounded price where limits leave no answer.
const STEPS: u32 = 24;
/// Steps for what limits keep from goals, with hips that are held as they are turned. HEURISTIC: fewer miss more.
const HOLDS: u32 = 12;
/// How strongly they are held, beside goals (of which one pulls by 1). HEURISTIC: held less, hips turn far for the last millimetre, and
/// to and fro between frames.
const HELD: f64 = 3e-2;

impl Body {
    /// What limits keep from its goal, and goals that have no closed form, by steps from where the body is; the steps made. Where limits
    /// alone ask for steps the hips are held as they are turned, weakly: so they turn for what needs it, and hardly for what cannot be
    /// reached.
    pub(super) fn finish(
        &self,
        skeleton: &Skeleton,
        goals: &[Goal],
        is_all: bool,
        pose: &mut Pose,
        (room, work): (&mut Room, &mut Workspace),
    ) -> u32 {
        room.goals.clear();
        let near = |goal: &Goal| goal.tolerance.unwrap_or(self.tolerance(skeleton, goals, goal, pose));
        // Elbows and knees that guide a limb whose end is told have done so.
        let guides = |goal: &Goal| {
            let mut limbs = self.layout.limbs().filter(|limb| limb.lower == goal.joint);
            limbs.any(|limb| goals.iter().any(|other| other.joint == limb.end && other.weight > 0.0))
        };
        let weight = |goal: &Goal| if guides(goal) { 0.0 } else { goal.weight.signum() };
        let (lacks, outside) = (room.lacks, if is_all { room.outside } else { f64::INFINITY });
        let pursued = |goal: &Goal| {
            let held = room.held.iter().find(|(joint, _)| *joint == goal.joint).map_or(0.0, |&(_, off)| off);
            self.pursued(goal, (&lacks, held), outside, pose)
        };
        room.goals.extend(goals.iter().map(|goal| pursued(goal).weight(weight(goal)).tolerance(near(goal))));
        let near = Tolerance { position: SLIPS * self.leg(pose), rotation: SLIPS };
        let is_told = |part| goals.iter().any(|goal| self.layout.part(goal.joint) == part && goal.weight > 0.0);
        let goes_along = |leg: &Limb| is_told(leg.end) || is_told(leg.lower);
        let Layout { axes, ref trunk, .. } = self.layout;
        // Below a head that is told the feet are a guess, and their soles may tilt.
        let is_below_head = trunk.last().is_some_and(|&head| is_told(head));
        for foot in self.layout.legs.iter().flatten().filter(|leg| !goes_along(leg)).map(|leg| leg.end) {
            let stands = room.out.at(foot);
            let (position, rotation) = (axes * stands.position, axes * seen::turned(&self.layout, foot, &stands));
            let goal =
                if is_below_head { Goal::position(foot, position) } else { Goal::frame(foot, position, rotation) };
            room.goals.push(goal.pull(STANDS).tolerance(near));
        }
        if is_all {
            let turned = axes * seen::turned(&self.layout, self.layout.hips, &room.out.at(self.layout.hips));
            room.goals.push(Goal::rotation(self.layout.hips, turned).pull(HELD));
        }
        let (method, iterations) = if is_all { (Method::Continuous, HOLDS) } else { (Method::default(), STEPS) };
        let few = Jacobian { method, iterations, ..self.rest.clone() };
        let steps = few.solve(skeleton, &room.goals, pose, &mut room.inner).iterations;
        for place in 0..goals.len() {
            room.inner.blocking(place).for_each(|joint| work.block(place, joint));
        }
        steps
    }

    /// The goal as steps pursue it: where the closed form leaves a part short of its target, or turned so far (radians) from it, that goes on
    /// towards it no farther than `most`. By how much limits keep the body from the closed form is the most: so a body just outside a limit
    /// answers as one just inside.
    fn pursued(&self, goal: &Goal, (lacks, held): (&[DVec3; 5], f64), most: f64, pose: &Pose) -> Goal {
        let (part, mut pursued) = (self.layout.part(goal.joint), *goal);
        let limb = self.layout.limbs().find(|limb| limb.end == part).map(|limb| limb.place);
        let Some(place) = limb.or((self.layout.trunk.last() == Some(&part)).then_some(HEAD)) else { return pursued };
        let lack = self.layout.axes * lacks[place];
        let farthest = most * self.leg(pose);
        let given_up = lack * (1.0 - farthest / arc::length(lack).max(f64::MIN_POSITIVE)).max(0.0);
        let given_up = goal.relative_to.map_or(given_up, |from| pose.model(from).inverse().transform_vector3(given_up));
        if let Target::Position(position) | Target::Frame { position, .. } = &mut pursued.target {
            *position -= given_up;
        }
        if let Target::Rotation(rotation) | Target::Frame { rotation, .. } = &mut pursued.target
            && held > most
            && goal.relative_to.is_none()
            && goal.offset == DVec3::ZERO
        {
            *rotation = arc::part_of_turn(pose.rotation(part), *rotation, most / held);
        }
        pursued
    }
}
