//! The caller's scratch: grows on first use, then never allocates, and after a solve lends what
//! each goal was left with. Any skeleton and any solver may use the same one in turn.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::{Any, TypeId};

use super::budget::Budget;
use super::seen::make_room;
use super::{Outcome, Residual, Status, TaskResidual};
use crate::goal::{Goal, Target};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};

/// Buffers and reports of a solve; `Workspace::default()` is empty.
#[derive(Debug, Default)]
pub struct Workspace {
    report: Report,
    order: Vec<u32>,
    /// Buffers that no solver holds at the moment; a stack for each type, so solvers may nest.
    foreign: Vec<(TypeId, Box<dyn Any + Send + Sync>)>,
    /// The pose that entered a running sequence, to which weights refer.
    entry: Option<Box<Pose>>,
    /// Base and tip of goals that own their joints for the rest of a running sequence.
    owned: Vec<(Joint, Joint)>,
    /// The same of goals that the running solver acts on, in solving order.
    owners: Vec<(Joint, Joint)>,
    /// Room for goals as a solver reads them.
    read: Vec<Goal>,
    running: Running,
    /// Work that it may still do, and how many times the usual a whole solve may.
    budget: Budget,
    patience: u32,
    /// Whether the solver that runs is one of several methods that another one tries.
    tried: bool,
    /// What is asked of a descent whose answer is to be near the pose given, and what it tells.
    near: Near,
    /// Whether goals that no solver takes are left out.
    skips_invalid: bool,
}

/// What is asked of a descent whose answer is to be near the pose given, and what it tells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Near {
    #[default]
    No,
    /// It goes from the pose given by continuous steps, and tells whether they lead to a minimum beside it.
    Asked,
    /// It did, and they do.
    Rests,
}

/// Whether a solver is running: others may run inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Running {
    #[default]
    No,
    /// On all goals of the call.
    OnAll,
    /// On goals that are only some of the call's.
    OnSome,
}

/// Joints at most for which a report makes room before they block a goal.
const MOST_ROOM: usize = 1 << 20;

/// What is said of each goal.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) residuals: Vec<Residual>,
    /// Joints that block goals, with the goals' places.
    blocking: Vec<(u32, Joint)>,
    tasks: Vec<TaskResidual>,
}

impl Clone for Report {
    fn clone(&self) -> Self {
        Self { residuals: self.residuals.clone(), blocking: self.blocking.clone(), tasks: self.tasks.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.residuals.clone_from(&source.residuals);
        self.blocking.clone_from(&source.blocking);
        self.tasks.clone_from(&source.tasks);
    }
}

impl Report {
    /// Of these goals, all ignored.
    pub(super) fn clear(&mut self, goals: &[Goal]) {
        self.residuals.clear();
        self.residuals.resize(goals.len(), Residual { status: Status::Ignored, ..Residual::default() });
        self.blocking.clear();
        self.tasks.clear();
        // So that a limit met for the first time in a later frame allocates nothing: joints above a joint have lower
        // indices. A handle of nowhere, as a file may hold, has any.
        let above =
            |goal: &Goal| goal.joint.index().min(MOST_ROOM) + goal.relative_to.map_or(0, Joint::index).min(MOST_ROOM);
        let all = goals.iter().fold(0, |sum: usize, goal| sum.saturating_add(above(goal) + 2));
        self.blocking.reserve(all.min(MOST_ROOM));
    }

    /// Takes over what another report says of goals that were served, whose places here are given.
    pub(super) fn adopt(&mut self, place: impl Fn(usize) -> usize, other: &Self) {
        for (goal, residual) in other.residuals.iter().enumerate() {
            if residual.status != Status::Ignored {
                self.residuals[place(goal)] = *residual;
                self.blocking.retain(|(g, _)| *g as usize != place(goal));
            }
        }
        let served = |&&(goal, _): &&(u32, Joint)| other.residuals[goal as usize].status != Status::Ignored;
        let blocking = other.blocking.iter().filter(served);
        self.blocking.extend(blocking.map(|&(goal, joint)| (place(goal as usize) as u32, joint)));
        self.tasks.extend_from_slice(&other.tasks);
    }
}

impl Workspace {
    /// The residual of each goal of the last solve, in the caller's order of goals.
    pub fn residuals(&self) -> &[Residual] {
        &self.report.residuals
    }

    /// The residual of each of the solver's own tasks, in the solver's order; for a [`Sequence`](super::Sequence) those of
    /// its solvers one after another. Empty without tasks.
    pub fn tasks(&self) -> &[TaskResidual] {
        &self.report.tasks
    }

    /// Where to report tasks of a solver's own.
    pub(super) fn tasks_mut(&mut self) -> &mut Vec<TaskResidual> {
        &mut self.report.tasks
    }

    /// Joints whose limits kept the goal of this index (in the caller's order) from being met.
    pub fn blocking(&self, goal: usize) -> impl Iterator<Item = Joint> + '_ {
        self.report.blocking.iter().filter(move |(g, _)| *g as usize == goal).map(|&(_, joint)| joint)
    }

    /// What solvers do when a goal is [`Status::Invalid`]: leave it out and serve the others (`true`), or move nothing
    /// (`false`, the default). In both cases the goal's residual and the outcome are invalid.
    pub fn skip_invalid(&mut self, skip: bool) -> &mut Self {
        self.skips_invalid = skip;
        self
    }

    /// How many times the usual work a solve may do before it ends with [`Status::OutOfIterations`]; 1 by default, which comes to about
    /// eight milliseconds, where it was measured. Work is counted, not timed, so that answers are the same everywhere.
    pub fn patience(&mut self, times: u32) -> &mut Self {
        self.patience = times;
        self
    }

    pub(super) fn skips_invalid(&self) -> bool {
        self.skips_invalid
    }

    /// For solvers: empties the reports, one `Ignored` residual a goal, and sorts the goals. Call it
    /// first in `solve`.
    pub fn begin(&mut self, goals: &[Goal]) {
        self.report.clear(goals);
        self.order.clear();
        self.order.extend(0..goals.len() as u32);
        self.order.sort_unstable_by(|&a, &b| goals[a as usize].order(&goals[b as usize]).then(a.cmp(&b)));
        if !self.is_nested() {
            make_room(&mut self.read, goals.len());
            // Twice, for those whose priorities come first.
            make_room(&mut self.owners, 2 * goals.len());
        }
    }

    /// Starts a solver's run; `false` inside that of another one.
    pub(super) fn start_run(&mut self) -> bool {
        let outermost = !self.is_nested();
        if outermost {
            self.running = Running::OnAll;
        }
        if outermost && self.entry.is_none() {
            self.budget.fill(self.patience);
        }
        outermost
    }

    /// The work that may still be done.
    pub(super) fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    /// Whether a solver runs inside another one.
    pub(super) fn is_nested(&self) -> bool {
        self.running != Running::No
    }

    /// Ends the outermost run.
    pub(super) fn end_run(&mut self) {
        self.running = Running::No;
        self.owners.clear();
    }

    /// Says that from here on runs are on goals that are only some of the call's.
    pub(super) fn part(&mut self) {
        self.running = Running::OnSome;
    }

    /// Whether other goals of the same call are solved apart from these.
    pub(super) fn is_parted(&self) -> bool {
        self.running == Running::OnSome
    }

    /// Says whether the solvers that run from here on are methods that another one tries; what was said before.
    pub(super) fn try_methods(&mut self, tried: bool) -> bool {
        core::mem::replace(&mut self.tried, tried)
    }

    /// Whether the solver that runs is one of several methods that another one tries.
    pub(super) fn is_tried(&self) -> bool {
        self.tried
    }

    /// Says what is asked of a descent, or what it tells, of an answer near the pose given; what was said before.
    pub(super) fn set_near(&mut self, near: Near) -> Near {
        core::mem::replace(&mut self.near, near)
    }

    /// What was said last of an answer near the pose given.
    pub(super) fn near(&self) -> Near {
        self.near
    }

    /// A buffer for goals as a solver reads them: targets where their weights put them.
    pub(super) fn take_read(&mut self) -> Vec<Goal> {
        core::mem::take(&mut self.read)
    }

    /// Takes the buffer back.
    pub(super) fn put_read(&mut self, read: Vec<Goal>) {
        self.read = read;
    }

    /// For solvers: indices of the goals in the order in which to solve them, whatever the caller's.
    pub fn order(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.order.iter().map(|&i| i as usize)
    }

    /// For solvers: the index of the `rank`-th goal in solving order.
    pub fn ranked(&self, rank: usize) -> usize {
        self.order[rank] as usize
    }

    /// For solvers: where to report, in the caller's order.
    pub fn residuals_mut(&mut self) -> &mut [Residual] {
        &mut self.report.residuals
    }

    /// For solvers: notes a joint whose limit keeps a goal from being met.
    pub fn block(&mut self, goal: usize, joint: Joint) {
        let entry = (goal as u32, joint);
        if !self.report.blocking.contains(&entry) {
            self.report.blocking.push(entry);
        }
    }

    /// Forgets the joints noted for a goal that turned out to be met.
    pub(super) fn unblock(&mut self, goal: usize) {
        self.report.blocking.retain(|(g, _)| *g as usize != goal);
    }

    /// Makes room for so many joints that block goals, where joints below a goal's may.
    pub(super) fn make_room_for_blocking(&mut self, count: usize) {
        make_room(&mut self.report.blocking, count);
    }

    /// What is said of the goals so far.
    pub(super) fn report(&self) -> &Report {
        &self.report
    }

    /// Forgets what is said of all but the first goals.
    pub(super) fn keep_first(&mut self, goals: usize) {
        self.report.residuals.truncate(goals);
        self.report.blocking.retain(|(goal, _)| (*goal as usize) < goals);
        self.order.retain(|place| (*place as usize) < goals);
    }

    /// Says of the goals what was said before.
    pub(super) fn set_report(&mut self, report: &Report) {
        self.report.clone_from(report);
    }

    /// For solvers: the outcome that the residuals add up to.
    pub fn outcome(&self, iterations: u32) -> Outcome {
        let start = Outcome { iterations, ..Outcome::default() };
        self.report.residuals.iter().fold(start, |outcome, residual| Outcome {
            status: outcome.status.max(residual.status),
            iterations,
            position_error: outcome.position_error.max(residual.position_error()),
            rotation_error: outcome.rotation_error.max(residual.rotation_error()),
            scale_error: outcome.scale_error.max(residual.scale_error()),
        })
    }

    /// For solvers: takes a buffer of type `T` that was [`put`](Self::put), or a new one.
    pub fn take<T: Any + Send + Sync + Default>(&mut self) -> Box<T> {
        let place = self.foreign.iter().rposition(|(id, _)| *id == TypeId::of::<T>());
        let kept = place.and_then(|place| self.foreign.swap_remove(place).1.downcast().ok());
        kept.unwrap_or_default()
    }

    /// For solvers: keeps a buffer for the next [`take`](Self::take).
    pub fn put<T: Any + Send + Sync>(&mut self, buffer: Box<T>) {
        self.foreign.push((TypeId::of::<T>(), buffer));
    }

    /// For solvers: the pose to which weights refer inside a running [`Sequence`](super::Sequence); else `None`, and it is
    /// the pose given.
    pub fn entry(&self) -> Option<&Pose> {
        self.entry.as_deref()
    }

    /// For solvers: whether a joint belongs to another joint's goal, and so may not move for one of `tip`. Its owner is the
    /// first goal with a base, in solving order, whose joints from base to tip include it. In a running sequence the goals
    /// that earlier solvers have finished come first.
    pub fn is_owned(&self, skeleton: &Skeleton, joint: Joint, tip: Joint) -> bool {
        let within = |&&(base, end): &&(Joint, Joint)| skeleton.is_below(joint, base) && skeleton.is_below(end, joint);
        self.owned.iter().filter(within).any(|&(_, end)| end != tip)
            || self.owners.iter().find(within).is_some_and(|&(_, end)| end != tip)
    }

    /// For the time of a run, hands joints to those of these goals that have a base, scale apart.
    pub(super) fn set_owners(&mut self, goals: &[Goal], acts: impl Fn(&Goal) -> bool) {
        self.owners.clear();
        let in_order = self.order.iter().map(|&place| &goals[place as usize]);
        let owning = in_order.filter_map(|goal| Some((goal.base?, goal))).filter(|(_, goal)| turns(goal) && acts(goal));
        self.owners.extend(owning.map(|(base, goal)| (base, goal.joint)));
    }

    /// How many owners there are.
    pub(super) fn owners(&self) -> usize {
        self.owners.len()
    }

    /// Hands joints to more goals, those of goals without a base from the root on.
    pub(super) fn add_owners(&mut self, skeleton: &Skeleton, goals: &[Goal], own: impl Fn(&Goal) -> bool) {
        let root = |joint: Joint| core::iter::successors(Some(joint), |&joint| skeleton.parent(joint)).last();
        let in_order = self.order.iter().map(|&place| &goals[place as usize]);
        self.owners.extend(
            in_order
                .filter(|goal| own(goal))
                .filter_map(|goal| Some((goal.base.or_else(|| root(goal.joint))?, goal.joint))),
        );
    }

    /// Takes all but the first owners back.
    pub(super) fn drop_owners(&mut self, kept: usize) {
        self.owners.truncate(kept);
    }

    /// Hands the joints of the goals just served to those that have a base. A scaled joint may still turn.
    pub(super) fn own_served(&mut self, goals: &[Goal]) {
        let served =
            goals.iter().zip(&self.report.residuals).filter(|(_, residual)| residual.status != Status::Ignored);
        let owning = served.filter(|(goal, _)| turns(goal));
        self.owned.extend(owning.filter_map(|(goal, _)| Some((goal.base?, goal.joint))));
    }

    /// Makes room for so many goals that own joints.
    pub(super) fn make_room_for_owners(&mut self, count: usize) {
        make_room(&mut self.owned, count);
    }

    /// Forgets every ownership, at the end of the outermost sequence.
    pub(super) fn disown(&mut self) {
        self.owned.clear();
    }

    /// Runs with one pose to which weights refer do the work of one solve together.
    pub(super) fn set_entry(&mut self, pose: Option<Box<Pose>>) -> Option<Box<Pose>> {
        if self.entry.is_none() {
            self.budget.fill(self.patience);
        }
        core::mem::replace(&mut self.entry, pose)
    }
}

/// Whether a goal turns joints, and so owns them where it has a base.
fn turns(goal: &Goal) -> bool {
    !matches!(goal.target, Target::Scale(_))
}
