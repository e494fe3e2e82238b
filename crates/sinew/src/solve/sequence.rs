//! Several solvers, one after another, on one pose: the whole body leans, then the foot is placed exactly.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::invalid::solve_valid;
use super::problem::scope;
use super::report::again;
use super::workspace::Report;
use super::{Outcome, Residual, Solver, Status, Workspace};
use crate::goal::{Goal, Tolerance};
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// Several solvers, one after another, on one pose: the whole body leans, then the foot locks.
///
/// For steps that should not disturb one another. Take one solver with [priorities](crate::Goal::priority) when goals
/// compete for the same joints: it weighs them together, a sequence does not.
///
/// Solvers run in the order given; each sees every goal and acts on those it serves. Weights refer to the pose before the
/// sequence, residuals to the pose after it. A goal with a base owns the joints from there to its tip, and later solvers
/// leave them alone. So an aim that comes before a reach keeps the reach from moving the spine. Within one solver, goals
/// are solved in depth-first order: the head before the hands if [`SkeletonBuilder::spine`](crate::SkeletonBuilder::spine)
/// names it, else the longest chain first.
///
/// ```
/// use sinew::{Aim, Auto, Goal, Sequence, Skeleton, Solver, Status, Workspace, glam::DVec3};
///
/// let snake = Skeleton::from_lengths(&[0.2; 5])?;
/// let [neck, head] = snake.joints(["joint_4", "joint_5"])?;
/// // The body moves the neck, then the head looks.
/// let solver = Sequence::new().then(Auto::default()).then(Aim::new(&snake, head)?);
/// let goals = [
///     Goal::position(neck, DVec3::new(0.3, 0.4, 0.2)),
///     Goal::aim(head, DVec3::X, DVec3::new(2.0, 0.0, 0.0)).base(head),
/// ];
/// let (mut pose, mut work) = (snake.rest_pose(), Workspace::default());
/// assert_eq!(solver.solve(&snake, &goals, &mut pose, &mut work).status, Status::Reached);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Sequence {
    /// The solvers, first to last.
    pub solvers: Vec<Box<dyn Solver>>,
}

/// What a sequence keeps between solvers.
#[derive(Debug, Default)]
struct Kept {
    /// What each said of the goals it served.
    told: Report,
    /// How long the goals' chains were then (metres).
    lengths: Vec<f64>,
}

/// Solvers that run one after another on one pose.
#[derive(Debug)]
struct Turns {
    kept: Box<Kept>,
    outermost: bool,
    iterations: u32,
    /// Solvers to come.
    left: usize,
}

impl Turns {
    /// Before the first solver.
    fn begin(goals: &[Goal], pose: &Pose, left: usize, work: &mut Workspace) -> Self {
        // A sequence inside a sequence keeps the outer one's entry.
        let outermost = work.entry().is_none();
        if outermost {
            let mut entry = work.take::<Pose>();
            (*entry).clone_from(pose);
            work.set_entry(Some(entry));
        }
        let mut kept = work.take::<Kept>();
        kept.told.clear(goals);
        kept.lengths.clear();
        kept.lengths.resize(goals.len(), 0.0);
        Self { kept, outermost, iterations: 0, left }
    }

    /// One solver's turn.
    fn take(
        &mut self,
        solver: &dyn Solver,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &mut Pose,
        work: &mut Workspace,
    ) {
        let aside = work.budget().share(self.left);
        self.iterations += solver.solve(skeleton, goals, pose, work).iterations;
        work.budget().join(&aside);
        self.left -= 1;
        work.own_served(goals);
        self.kept.told.adopt(|place| place, work.report());
        let lengths = self.kept.lengths.iter_mut().zip(goals).zip(work.residuals());
        for ((length, goal), _) in lengths.filter(|(_, told)| told.status != Status::Ignored) {
            *length = scope::length(skeleton, goal, pose);
        }
    }

    /// After the last: the report on the final pose.
    fn end(self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) -> Outcome {
        report(skeleton, goals, pose, &self.kept, work);
        if self.outermost
            && let Some(entry) = work.set_entry(None)
        {
            work.put(entry);
            work.disown();
        }
        work.put(self.kept);
        work.outcome(self.iterations)
    }
}

impl Sequence {
    /// An empty sequence, which ignores every goal.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a solver to the end.
    pub fn then(mut self, solver: impl Solver + 'static) -> Self {
        self.solvers.push(Box::new(solver));
        self
    }
}

impl Solver for Sequence {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        solve_valid(skeleton, goals, pose, work, |goals, pose, work| {
            let mut turns = Turns::begin(goals, pose, self.solvers.len(), work);
            work.make_room_for_owners(goals.len() * self.solvers.len());
            for solver in &self.solvers {
                turns.take(&**solver, skeleton, goals, pose, work);
            }
            turns.end(skeleton, goals, pose, work)
        })
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        self.solvers.iter().any(|solver| solver.serves(skeleton, goal))
    }

    fn prepare(&self, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &mut Workspace) {
        self.solvers.iter().for_each(|solver| solver.prepare(skeleton, goals, pose, work));
    }
}

/// What is left in the final pose, with the status of the last solver that served the goal where that still holds.
fn report(skeleton: &Skeleton, goals: &[Goal], pose: &Pose, kept: &Kept, work: &mut Workspace) {
    work.begin(goals);
    work.set_report(&kept.told);
    for (i, (goal, before)) in goals.iter().zip(&kept.told.residuals).enumerate() {
        let longer = scope::length(skeleton, goal, pose) / kept.lengths[i];
        let now = again(skeleton, goal, pose, &Residual { tolerance: narrowed(goal, before, longer), ..*before });
        if now.status == Status::Reached {
            work.unblock(i);
        }
        work.residuals_mut()[i] = now;
    }
}

/// The tolerance of a solver whose goal's chain others have made so many times as long: less, where it is shorter by now.
fn narrowed(goal: &Goal, told: &Residual, longer: f64) -> Option<Tolerance> {
    let own = told.tolerance?;
    let narrows = goal.tolerance.is_none() && longer < 1.0;
    Some(if narrows { Tolerance { position: own.position * longer, ..own } } else { own })
}
