//! The baking itself: every frame is solved from the clip's own pose, so that frames know nothing of one another and what
//! no goal asks for stays bit for bit.

use anyhow::{Context as _, Result, bail};
use sinew::glam::{DAffine3, DQuat, DVec3};
use sinew::math::arc;
use sinew::{Goal, Joint, Pose, Residual, Skeleton, Solver, Status, Target, TwoBone, Workspace};
use sinew_motion::{Clip, carry};

use super::bend::Bends;
use super::track::{Track, Wanted};
use sinew_rig::Body;

use crate::joint_request::JointRequest;
use crate::request::ServedGoal;
use crate::rig::Rig;
use crate::run;
use crate::served::{Pointing, Settings};
use crate::{joint_ref, spread};

/// A track and the goals that serve it.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) track: Track,
    pub(super) joint: Joint,
    /// Its goals among all; none where it carries the whole body.
    pub(super) goals: std::ops::Range<usize>,
    /// The uppermost joint that it moves.
    pub(super) first: Joint,
    /// Where its limb bends, where it has one and no pole.
    bends: Option<Bends>,
    /// How far from the first joint that serves it the end of what hangs on that is at rest.
    lever: f64,
}

/// All goals, ready to be solved in any frame.
pub(super) struct Plan<'a> {
    /// The human that is solved as a whole, where it is to be.
    human: Option<Body>,
    pub(super) skeleton: &'a Skeleton,
    settings: Settings,
    pub(super) parts: Vec<Part>,
    pub(super) asked: Vec<ServedGoal>,
}

/// One frame.
#[derive(Clone, Debug)]
pub(super) struct Shot {
    pub(super) pose: Pose,
    /// How much there is of each part.
    pub(super) weights: Vec<f64>,
    /// One a goal, then one a part that carries.
    pub(super) ends: Vec<Residual>,
    /// Where each part has a point go, weight and all: its joint, or where the end of what hangs on it is turned to.
    pub(super) targets: Vec<DVec3>,
}

impl<'a> Plan<'a> {
    /// Finds joints and what serves them over a clip.
    pub(super) fn new(rig: &'a Rig, clip: &Clip, tracks: Vec<Track>, settings: Settings) -> Result<Self> {
        let mut parts = Vec::new();
        for track in tracks {
            let joint = joint_ref::find(rig, &track.joint).with_context(|| track.place.clone())?;
            let asked = of_track(rig, &track, joint, settings).with_context(|| track.place.clone())?;
            parts.push((track, joint, asked));
        }
        if let Some((second, joint)) = twice(&parts) {
            bail!(
                "{}: '{}' has such a goal already; put both in one, or let one end before the other begins",
                second.place,
                rig.label(joint)
            );
        }
        // Who moves others comes first: what is held below follows.
        parts.sort_by_key(|(_, joint, asked)| {
            let first = asked.iter().flat_map(|one| one.served.joints()).min().unwrap_or(*joint);
            (!asked.is_empty(), first, *joint)
        });
        let rest = rig.skeleton().rest_pose();
        let mut all = Vec::new();
        let mut planned = Vec::new();
        for (track, joint, asked) in parts {
            let goals = all.len()..all.len() + asked.len();
            let first = asked.iter().flat_map(|one: &ServedGoal| one.served.joints()).min().unwrap_or(joint);
            let below = rig.skeleton().subtree(first).filter_map(|index| rig.skeleton().at(index));
            let lever = below.map(|end| rest.position(end).distance(rest.position(first))).fold(0.0, f64::max);
            all.extend(asked);
            let limb = all[goals.clone()].first().filter(|_| track.pole.is_none());
            let bends = limb.and_then(|one: &ServedGoal| Bends::of(rig.skeleton(), &one.served, clip));
            planned.push(Part { track, joint, goals, first, bends, lever });
        }
        settings.refuse_unserved(rig, all.iter().map(|one: &ServedGoal| &one.goal))?;
        let human = settings.human(rig)?;
        Ok(Self { human, skeleton: rig.skeleton(), settings, parts: planned, asked: all })
    }

    /// Solves every frame of a clip; `shown` is told of each.
    pub(super) fn bake(&self, clip: &Clip, shown: impl Fn() + Sync) -> Vec<Shot> {
        spread::over_cores(clip.len(), |frame| {
            let shot = self.frame(frame, clip.times()[frame], &clip.poses()[frame]);
            shown();
            shot
        })
    }

    fn frame(&self, frame: usize, time: f64, given: &Pose) -> Shot {
        let skeleton = self.skeleton;
        let weights: Vec<f64> = self.parts.iter().map(|part| part.track.weight_at(time)).collect();
        let mut pose = given.clone();
        let mut goals: Vec<Goal> = self.asked.iter().map(|one| one.goal).collect();
        let mut targets = Vec::with_capacity(self.parts.len());
        for (part, &weight) in self.parts.iter().zip(&weights) {
            if part.goals.is_empty() {
                let place = part.place(time, given);
                move_body(skeleton, &mut pose, part.joint, place, weight);
                targets.push(given.position(part.joint).lerp(place, weight));
                continue;
            }
            for goal in &mut goals[part.goals.clone()] {
                *goal = part.goal(skeleton, goal, time, given).weight(weight);
            }
            let target = part.target(&goals[part.goals.start], given, weight);
            if let Some(bends) = &part.bends {
                // Carriers come first: the limb's root has gone where it goes, but for aims above it.
                let way = |joint: Joint| pose.position(joint) - given.position(joint);
                let moved = target - given.position(part.joint) - way(part.first);
                let pole = bends.pole(skeleton, frame, given, moved.length());
                goals[part.goals.start].pole = pole;
            }
            targets.push(target);
        }
        let mut ends = vec![Residual::default(); goals.len()];
        if goals.iter().any(|goal| goal.weight > 0.0) {
            let solver = self.solver();
            let mut work = Workspace::default();
            let _ = solver.solve(skeleton, &goals, &mut pose, &mut work);
            ends.copy_from_slice(work.residuals());
        }
        Shot { pose, weights, ends, targets }
    }

    fn solver(&self) -> Box<dyn Solver> {
        match self.settings.body_by(self.human.as_ref()) {
            Some(body) => run::solver(&self.asked, Some(body)),
            None => {
                Box::new(self.asked.iter().fold(sinew::Sequence::new(), |sequence, one| one.served.after(sequence)))
            }
        }
    }
}

/// The goals of a track, with whatever targets; none for a root, which carries the body.
fn of_track(rig: &Rig, track: &Track, joint: Joint, settings: Settings) -> Result<Vec<ServedGoal>> {
    let base = track.base.as_deref().map(|base| joint_ref::find(rig, base)).transpose()?;
    let rest = rig.skeleton().rest_pose();
    let (place, rotation) = (rest.position(joint), rest.rotation(joint));
    let mut request = JointRequest { base, axis: track.axis, up: track.up, ..JointRequest::of(joint) };
    request.pole = track.pole.as_ref().map(|pole| pole.vector_at(0.0));
    let is_root = rig.skeleton().parent(joint).is_none();
    match track.wanted {
        Wanted::Keep if is_root => bail!("'{}' is a root, which nothing moves; leave it out", rig.label(joint)),
        Wanted::Keep => {
            // What is no limb's end keeps its rotation.
            let limb = match base {
                Some(base) => TwoBone::between(rig.skeleton(), base, joint),
                None => TwoBone::ending_at(rig.skeleton(), joint),
            };
            request.position = limb.is_ok().then_some(place);
            request.rotation = Some(rotation);
        }
        Wanted::Position(_) | Wanted::Offset(_) if is_root => {
            if track.rotation.is_some() || track.pole.is_some() || base.is_some() {
                bail!(
                    "'{}' is a root: it takes a position or an offset alone; make another goal of its rotation",
                    rig.label(joint)
                );
            }
            return Ok(Vec::new());
        }
        Wanted::Position(_) | Wanted::Offset(_) => {
            request.position = Some(place);
            request.rotation = track.rotation.as_ref().map(|_| rotation);
        }
        Wanted::Look(_) => request.pointing = Some(Pointing::At(place + DVec3::Z)),
        Wanted::Nothing => request.rotation = Some(rotation),
    }
    request.into_asked(rig, settings)
}

/// Two tracks that ask one joint for the same at the same time.
fn twice(parts: &[(Track, Joint, Vec<ServedGoal>)]) -> Option<(&Track, Joint)> {
    let kind = |track: &Track| match track.wanted {
        Wanted::Look(_) | Wanted::Nothing => [false, true],
        Wanted::Position(_) | Wanted::Offset(_) => [true, track.rotation.is_some()],
        Wanted::Keep => [true, true],
    };
    let meet = |a: &Track, b: &Track| {
        let begins = |track: &Track| track.span.from - track.span.ease;
        let ends = |track: &Track| track.span.until + track.span.ease;
        let same = kind(a).iter().zip(kind(b)).any(|(a, b)| *a && b);
        same && begins(a) < ends(b) && begins(b) < ends(a)
    };
    parts.iter().enumerate().find_map(|(number, (track, joint, _))| {
        let earlier = parts[..number].iter().any(|(other, at, _)| at == joint && meet(other, track));
        earlier.then_some((track, *joint))
    })
}

impl Part {
    /// Where the joint should be.
    fn place(&self, time: f64, given: &Pose) -> DVec3 {
        match &self.track.wanted {
            Wanted::Position(keys) => keys.vector_at(time),
            Wanted::Offset(keys) => given.position(self.joint) + keys.vector_at(time),
            _ => given.position(self.joint),
        }
    }

    /// Where its goal of a frame would have a point go.
    fn target(&self, goal: &Goal, given: &Pose, weight: f64) -> DVec3 {
        let (at, turn) = (given.position(self.joint), given.rotation(self.joint));
        let eased = |way: DVec3, to: DQuat| at + arc::nlerp(DQuat::IDENTITY, to, weight) * way * self.lever;
        match goal.target {
            Target::Aim { axis, point, .. } => {
                let now = (turn * axis).normalize_or_zero();
                eased(now, DQuat::from_rotation_arc(now, (point - at).try_normalize().unwrap_or(now)))
            }
            Target::Rotation(to) => eased(turn * DVec3::ONE.normalize(), to * turn.conjugate()),
            ref target => target.position().map_or(at, |place| at.lerp(place, weight)),
        }
    }

    /// A goal with its target at a moment.
    fn goal(&self, skeleton: &Skeleton, goal: &Goal, time: f64, given: &Pose) -> Goal {
        let mut goal = *goal;
        let turned = || self.track.rotation.as_ref().map_or(DQuat::IDENTITY, |keys| keys.rotation_at(time));
        match (&self.track.wanted, &mut goal.target) {
            (Wanted::Keep, _) => return goal.met_by(skeleton, given),
            (Wanted::Look(keys), Target::Aim { point, .. }) => *point = keys.vector_at(time),
            (_, Target::Position(place)) => *place = self.place(time, given),
            (_, Target::Frame { position, rotation }) => (*position, *rotation) = (self.place(time, given), turned()),
            (_, Target::Rotation(rotation)) => *rotation = turned(),
            _ => {}
        }
        match &self.track.pole {
            Some(pole) => goal.pole(pole.vector_at(time)),
            None => goal,
        }
    }
}

/// Carries the whole body so that a root comes part of the way to a place.
fn move_body(skeleton: &Skeleton, pose: &mut Pose, joint: Joint, place: DVec3, weight: f64) {
    let way = (place - pose.position(joint)) * weight;
    if way != DVec3::ZERO {
        carry(skeleton, pose, &DAffine3::from_translation(way));
    }
}

impl Shot {
    /// How far a part's joint is from where it was asked to be (metres, radians): the worst of its goals.
    pub(super) fn error(&self, part: &Part) -> (f64, f64) {
        let ends = &self.ends[part.goals.clone()];
        let worst = |of: &dyn Fn(&Residual) -> f64| ends.iter().map(of).fold(0.0, f64::max);
        (worst(&Residual::position_error), worst(&Residual::rotation_error))
    }

    /// Whether all goals of a part were reached.
    pub(super) fn is_reached(&self, part: &Part) -> bool {
        self.ends[part.goals.clone()].iter().all(|end| end.status == Status::Reached)
    }
}
