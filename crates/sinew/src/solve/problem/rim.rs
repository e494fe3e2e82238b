//! Targets near and beyond a chain's full stretch: brought nearer, or the chain's bones lengthened, as limbs do. A chain
//! counts as two bones: its longest link beside all others, or two halves. An evenly bent one moves its joints no faster
//! than these their middle.

use alloc::vec::Vec;

use glam::DVec3;

use super::engine::{Engine, moves};
use super::met;
use super::scope::chain;
use crate::goal::{Goal, Target};
use crate::math::affine::inverse;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::extent::Extent;
use crate::solve::seen::make_room;
use crate::solve::two_bone::{Reach, Span};
use crate::solve::{Status, Workspace};
use crate::transform::Transform;

/// Times that bones are lengthened at most, until a point beside the last of them is as far away as it should be.
const ROUNDS: u32 = 8;
/// Share of a length that is rounding.
const ROUNDING: f64 = 1e-14;

/// Goals as the engine is to see them.
#[derive(Debug, Default)]
pub(super) struct Rims {
    pub(super) goals: Vec<Goal>,
    /// By place: what is said of a goal whose target is not where it was asked for.
    short: Vec<Option<Status>>,
}

impl Rims {
    /// Makes room for a solve.
    pub(super) fn make_room(&mut self, goals: &[Goal]) {
        make_room(&mut self.goals, goals.len());
        make_room(&mut self.short, goals.len());
    }

    /// Brings targets to where their chains should reach, and lengthens the bones of a lone goal's chain where they may be.
    pub(super) fn bring_near(
        &mut self,
        engine: &dyn Engine,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &Workspace,
    ) {
        self.goals.clear();
        self.short.clear();
        let is_lone = goals.iter().filter(|goal| engine.acts_on(skeleton, goal)).nth(1).is_none();
        let reach = match engine.reach() {
            // A lengthened chain that meets its goal stays as it is.
            Reach::Stretch { .. } if !is_lone || met::all(engine, skeleton, goals, pose) => Reach::Clamp,
            Reach::Soft { ratio, .. } if !is_lone => Reach::Soft { ratio, stretch: 1.0 },
            reach => reach,
        };
        let rim = Rim { engine, skeleton, goals, work, reach };
        for goal in goals {
            let seen = rim.extent(goal, pose).and_then(|extent| rim.seen(goal, extent, pose));
            self.goals.push(seen.map_or(*goal, |(goal, _)| goal));
            self.short.push(seen.map(|(_, short)| short));
        }
    }

    /// The goals whose targets are not where they were asked for, by place, and why not.
    pub(super) fn short<'a>(&'a self, goals: &'a [Goal]) -> impl Iterator<Item = (usize, &'a Goal, Status)> {
        let places = goals.iter().zip(&self.short).enumerate();
        places.filter_map(|(place, (goal, short))| Some((place, goal, (*short)?)))
    }
}

/// What is done at the rims of the goals' chains.
struct Rim<'a> {
    engine: &'a dyn Engine,
    skeleton: &'a Skeleton,
    goals: &'a [Goal],
    work: &'a Workspace,
    reach: Reach,
}

impl Rim<'_> {
    /// A goal's chain stretched out, if it has two links or more, no slides, and hangs on what does not move.
    fn extent(&self, goal: &Goal, pose: &Pose) -> Option<Extent> {
        let Self { engine, skeleton, work, .. } = *self;
        let moved =
            |goal: &Goal, joint: Joint| engine.acts_on(skeleton, goal) && moves(engine, skeleton, goal, joint, work);
        let extent = Extent::of(skeleton, goal, pose, &|joint| moved(goal, joint))?;
        let above = |&joint: &Joint| skeleton.is_below(extent.top, joint) && joint != extent.top;
        let others = || skeleton.iter().filter(above);
        let hangs = !engine.travels(skeleton, extent.top)
            && others().all(|joint| !self.goals.iter().any(|other| moved(other, joint)))
            && !(engine.has_more() && others().any(|joint| engine.in_scope(skeleton, goal, joint)));
        (extent.links > 1 && extent.slides == 0.0 && hangs).then_some(extent)
    }

    /// The goal with its target where the chain should reach, or dropped, and what is said of it; `None` where it stays as
    /// it is. Lengthens the chain's bones where they may be.
    fn seen(&self, goal: &Goal, mut extent: Extent, pose: &mut Pose) -> Option<(Goal, Status)> {
        if self.reach.stretches() {
            self.lengthen(goal, extent.top, 1.0, pose);
            extent = self.extent(goal, pose)?;
        }
        let (distance, span) = (extent.distance(), span(self.reach, &extent));
        if self.reach.stretches() && span.stretch > 1.0 {
            self.stretch(goal, &extent, span.stretch, pose);
        }
        if span.status == Status::Held {
            return Some((goal.weight(0.0), span.status));
        }
        let is_short = matches!(self.reach, Reach::Soft { .. }) && distance > 0.0 && span.status != Status::Reached;
        let way = (extent.target - extent.root) * (span.distance / distance);
        let place = is_short.then(|| extent.space.transform_point3(extent.root + way))?;
        Some((at(goal, place, pose)?, span.status))
    }

    /// Lengthens the chain so many times, more where the goal's offset, which is not lengthened, leaves it short.
    fn stretch(&self, goal: &Goal, rest: &Extent, factor: f64, pose: &mut Pose) {
        let (Reach::Stretch { limit } | Reach::Soft { stretch: limit, .. }) = self.reach else { return };
        let mut now = factor;
        for _ in 0..ROUNDS {
            self.lengthen(goal, rest.top, now, pose);
            let short = self.extent(goal, pose).map_or(1.0, |extent| rest.length * factor / extent.length);
            if short <= 1.0 + ROUNDING || now >= limit {
                break;
            }
            now = (now * short).min(limit);
        }
    }

    /// Sets the bones of a chain to so many times their rest lengths.
    fn lengthen(&self, goal: &Goal, top: Joint, factor: f64, pose: &mut Pose) {
        for joint in chain(self.skeleton, goal).take_while(|&joint| joint != top) {
            let translation = self.skeleton.rest(joint).translation * factor;
            let local = Transform { translation, ..*pose.local(joint) };
            pose.edit(self.skeleton).local(joint, local);
        }
    }
}

/// The two bones that a chain counts as, for its target.
fn span(reach: Reach, extent: &Extent) -> Span {
    let half = extent.longest.max(0.5 * extent.length);
    let first = if extent.links == 2 { extent.first } else { half };
    reach.span(extent.distance(), first, extent.length - first)
}

/// The goal with its place in model space moved.
fn at(goal: &Goal, place: DVec3, pose: &Pose) -> Option<Goal> {
    let place = match goal.relative_to {
        Some(joint) => inverse(pose.model(joint))?.transform_point3(place),
        None => place,
    };
    let target = match goal.target {
        Target::Frame { rotation, .. } => Target::Frame { position: place, rotation },
        _ => Target::Position(place),
    };
    Some(Goal { target, ..*goal })
}
