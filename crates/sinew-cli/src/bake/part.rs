//! A goal over time and what serves it: which joints it moves, and what it asks for in a frame.

use anyhow::{Result, bail};
use sinew::glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::solve::two_bone::End;
use sinew::{Goal, Joint, Pose, Skeleton, Target, TwoBone};
use sinew_rig::LimbKind;

use super::bend::Bends;
use super::film::Plan;
use super::track::{Track, Wanted};
use crate::joint_ref;
use crate::joint_request::JointRequest;
use crate::request::ServedGoal;
use crate::rig::Rig;
use crate::served::{Pointing, Settings};

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
    pub(super) bends: Option<Bends>,
    /// How far from the first joint that serves it the end of what hangs on that is at rest.
    pub(super) lever: f64,
}

/// The goals of a track, with whatever targets; none for what carries the body.
pub(super) fn of_track(rig: &Rig, track: &Track, joint: Joint, settings: Settings) -> Result<Vec<ServedGoal>> {
    let base = track.base.as_deref().map(|base| joint_ref::find(rig, base)).transpose()?;
    let rest = rig.skeleton().rest_pose();
    let (place, rotation) = (rest.position(joint), rest.rotation(joint));
    let mut request = JointRequest { base, axis: track.axis, up: track.up, ..JointRequest::of(joint) };
    request.pole = track.pole.as_ref().map(|pole| pole.vector_at(0.0));
    let is_root = rig.skeleton().parent(joint).is_none();
    let carries = is_carrier(rig.skeleton(), joint) && base.is_none();
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
        Wanted::Position(_) | Wanted::Offset(_) if carries || is_root => {
            if track.rotation.is_some() || track.pole.is_some() || base.is_some() {
                bail!(
                    "'{}' carries the whole body: it takes a position or an offset alone; make another goal of its rotation",
                    rig.label(joint)
                );
            }
            return Ok(Vec::new());
        }
        Wanted::Position(_) | Wanted::Offset(_) => {
            request.position = Some(place);
            request.rotation = track.rotation.as_ref().map(|_| rotation);
            // A sole that turned with its shin would not stay as level as in the clip.
            request.end = if is_foot(rig, joint) { End::Model } else { End::Local };
        }
        Wanted::Look(_) => request.pointing = Some(Pointing::At(place + DVec3::Z)),
        Wanted::Nothing => request.rotation = Some(rotation),
    }
    request.into_asked(rig, settings)
}

/// Whether a place of a joint is one of the whole body: a root, or hips right below it, which no bends could bring there.
fn is_carrier(skeleton: &Skeleton, joint: Joint) -> bool {
    skeleton.parent(joint).is_none_or(|above| skeleton.parent(above).is_none())
}

/// Whether a joint is a foot, or of one.
fn is_foot(rig: &Rig, joint: Joint) -> bool {
    let mut legs = rig.found().limbs.iter().filter(|limb| limb.kind == LimbKind::Leg);
    legs.any(|leg| leg.joints.iter().skip(2).any(|&one| one == joint))
}

/// The root that a joint hangs on.
pub(super) fn root_of(skeleton: &Skeleton, joint: Joint) -> Joint {
    std::iter::successors(Some(joint), |&at| skeleton.parent(at)).last().unwrap_or(joint)
}

/// Two tracks that ask one joint for the same at the same time.
pub(super) fn twice(parts: &[(Track, Joint, Vec<ServedGoal>)]) -> Option<(&Track, Joint)> {
    let kind = |track: &Track| match track.wanted {
        Wanted::Look(_) | Wanted::Nothing => [false, true],
        Wanted::Position(_) | Wanted::Offset(_) => [true, track.rotation.is_some()],
        Wanted::Keep => [true, true],
    };
    let meet = |a: &Track, b: &Track| {
        let same = kind(a).iter().zip(kind(b)).any(|(a, b)| *a && b);
        let ([from, until], [other_from, other_until]) = (a.span.eased(), b.span.eased());
        same && from < other_until && other_from < until
    };
    parts.iter().enumerate().find_map(|(number, (track, joint, _))| {
        let earlier = parts[..number].iter().any(|(other, at, _)| at == joint && meet(other, track));
        earlier.then_some((track, *joint))
    })
}

impl Part {
    /// Its goals as they are in a frame, wholly.
    pub(super) fn goals_at<'a>(
        &'a self,
        plan: &'a Plan<'_>,
        time: f64,
        given: &'a Pose,
    ) -> impl Iterator<Item = Goal> + 'a {
        plan.asked[self.goals.clone()].iter().map(move |one| self.goal(plan.skeleton, &one.goal, time, given))
    }

    /// Where the joint should be.
    pub(super) fn place(&self, time: f64, given: &Pose) -> DVec3 {
        match &self.track.wanted {
            Wanted::Position(keys) => keys.vector_at(time),
            Wanted::Offset(keys) => given.position(self.joint) + keys.vector_at(time),
            _ => given.position(self.joint),
        }
    }

    /// Where its goal of a frame would have a point go.
    pub(super) fn target(&self, goal: &Goal, given: &Pose, weight: f64) -> DVec3 {
        let (at, turn) = (given.position(self.joint), given.rotation(self.joint));
        // What turns is carried by where it begins.
        let first = given.position(self.first);
        let eased = |way: DVec3, to: DQuat| first + arc::nlerp(DQuat::IDENTITY, to, weight) * way * self.lever;
        match goal.target {
            Target::Aim { axis, point, .. } => {
                let now = (turn * axis).normalize_or_zero();
                eased(now, DQuat::from_rotation_arc(now, (point - at).try_normalize().unwrap_or(now)))
            }
            Target::Rotation(to) => eased(turn * DVec3::ONE.normalize(), to * turn.conjugate()),
            ref target => target.position().map_or(at, |place| at.lerp(place, weight)),
        }
    }

    /// Brings a goal's place nearer to its limb's root, or farther away; whether it could.
    pub(super) fn bring_nearer(&self, goal: &mut Goal, pose: &Pose, reach: f64) -> bool {
        let bends = self.bends.as_ref().filter(|bends| bends.ends_at(goal.joint) && goal.offset == DVec3::ZERO);
        let place = match &mut goal.target {
            Target::Position(place) => place,
            Target::Frame { position, .. } => position,
            _ => return false,
        };
        let nearer = bends.and_then(|bends| bends.reaching(pose, *place, reach));
        nearer.inspect(|nearer| *place = *nearer).is_some()
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
