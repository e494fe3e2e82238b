//! What may move and what is asked, listed once a solve: movers with their freedoms, motions, and the
//! tasks as blocks of rows, highest priority first.

use alloc::vec::Vec;
use core::ops::Range as Rows;

use glam::DMat3;

use super::goal_task::{GoalPart, GoalTask};
use super::motion::Motion;
use super::mover::{Mover, MoverKind};
use super::settings::Jacobian;
use super::task::{Task, motions_of};
use super::unit::sizes;
use crate::goal::{Goal, Tolerance};
use crate::math::ops;
use crate::pose::Pose;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::solve::Workspace;
use crate::solve::problem::Engine as _;
use crate::solve::pulls::Pulls;
use crate::solve::report::near;

/// What a block of rows asks.
#[allow(clippy::large_enum_variant, reason = "a solve allocates nothing, and goals are the rule")]
#[derive(Clone, Debug)]
pub(super) enum RowsFor {
    Goal(GoalTask),
    /// Place among the solver's own tasks.
    Task(usize),
}

/// Order within a priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Equal,
    /// Takes what others do with joints above its base as it comes.
    Follows,
    /// Of pull 0.
    Last,
    /// An up.
    Yields,
}

/// Rows that belong together.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) asked: RowsFor,
    /// Priority, and rank within it.
    level: (u8, Rank),
    /// Tie-break of the order.
    rank: usize,
    pub(super) rows: Rows<usize>,
    pub(super) weight: f64,
    /// Largest length of the weighted error that is met.
    pub(super) tolerance: f64,
    /// The error down to which steps go that are quick.
    pub(super) fine: f64,
    /// Its motions' places in `Plan::used`.
    pub(super) used: Rows<usize>,
}

/// The plan of a solve.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) movers: Vec<Mover>,
    pub(super) motions: Vec<Motion>,
    pub(super) blocks: Vec<Block>,
    /// Row ranges of the levels, first to last.
    pub(super) levels: Vec<Rows<usize>>,
    pub(super) used: Vec<u32>,
    /// By freedom: the rows of the blocks that it moves for, and what lies between them.
    pub(super) spans: Vec<Rows<usize>>,
    pub(super) freedoms: usize,
    pub(super) rows: usize,
    /// Length of the longest chain (metres): the unit of positions and shifts.
    pub(super) unit: f64,
    /// The length of which tolerances are a share (metres).
    pub(super) length: f64,
    /// Balls with a limit among the movers.
    pub(super) limited: usize,
    /// Joints that may move, by index.
    marks: Vec<bool>,
    /// Whether some goal leaves alone what others move: then no error need shrink in every step.
    pub(super) shared: bool,
}

impl Block {
    /// Whether it yields to the others of its priority.
    pub(super) fn yields(&self) -> bool {
        self.level.1 == Rank::Yields
    }

    /// The place of its goal in solving order; those of the solver's own tasks come after.
    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// Whether it is part of the goal of this place in solving order.
    pub(super) fn is_of(&self, rank: usize) -> bool {
        self.rank == rank && matches!(self.asked, RowsFor::Goal(_))
    }

    /// Whether both are parts of one goal.
    pub(super) fn is_part_with(&self, other: &Self) -> bool {
        self.rank == other.rank
    }

    /// Whether it is a task of the solver's own.
    pub(super) fn is_own_task(&self) -> bool {
        matches!(self.asked, RowsFor::Task(_))
    }

    /// Notes that others move a joint above its own.
    fn follows(&mut self, skeleton: &Skeleton, moved: Joint) {
        if let RowsFor::Goal(task) = &self.asked
            && skeleton.is_below(task.goal.joint, moved)
        {
            self.level.1 = self.level.1.max(Rank::Follows);
        }
    }

    pub(super) fn task<'a>(&'a self, solver: &'a Jacobian) -> &'a dyn Task {
        match &self.asked {
            RowsFor::Goal(goal) => goal,
            RowsFor::Task(place) => solver.tasks[*place].as_ref(),
        }
    }
}

/// Distance (lengths of the chain) and angle (radians) down to which steps go that double the digits, where a goal has no tolerance of
/// its own.
const FINE: f64 = 1e-10;

impl Plan {
    /// Lists everything for goals that the solver serves and that have a weight.
    pub(super) fn make(
        &mut self,
        solver: &Jacobian,
        skeleton: &Skeleton,
        goals: &[Goal],
        pose: &Pose,
        work: &Workspace,
    ) {
        let served = |&place: &usize| solver.acts_on(skeleton, &goals[place]);
        let sizes = sizes(
            |joint| solver.may_move(joint),
            skeleton,
            pose,
            work.order().filter(served).map(|place| &goals[place]),
        );
        (self.unit, self.length) = (sizes.unit, sizes.length);
        self.blocks.clear();
        // Those of one priority compete.
        let pulls = |priority: u8| {
            let goals = work.order().filter(served).map(|place| (goals[place].priority, goals[place].pull));
            let all = goals.chain(solver.tasks.iter().map(|task| (task.priority(), task.pull())));
            Pulls::of(all.filter(|(own, pull)| *own == priority && pull.is_finite()).map(|(_, pull)| pull))
        };
        for (rank, place) in work.order().filter(served).enumerate() {
            let goal = &goals[place];
            for task in GoalTask::parts(skeleton, goal) {
                self.add_goal(solver, &task, pose, rank, pulls(goal.priority));
            }
        }
        for (place, task) in solver.tasks.iter().enumerate() {
            if task.rows() == 0 {
                continue;
            }
            let (within, weight) = strength(pulls(task.priority()), task.pull());
            let (level, rank) = ((task.priority(), within), goals.len() + place);
            self.add(RowsFor::Task(place), level, rank, weight, (task.tolerance() * weight, task.tolerance() * weight));
        }
        self.blocks.sort_unstable_by_key(|block| (block.level, block.rank));
        self.list_movers(solver, skeleton, pose, work);
        self.list_used(solver, skeleton, work);
        self.blocks.sort_unstable_by_key(|block| (block.level, block.rank));
        self.number_rows(solver);
        self.list_spans();
    }

    fn add_goal(&mut self, solver: &Jacobian, task: &GoalTask, pose: &Pose, rank: usize, pulls: Pulls) {
        let goal = &task.goal;
        let own = Tolerance { position: solver.position_tolerance * self.length, rotation: solver.rotation_tolerance };
        let finest = Tolerance { position: FINE * self.length, rotation: FINE };
        let part = |near: Tolerance| if task.is_in_metres() { near.position / self.unit } else { near.rotation };
        let near = part(near(goal, own, pose));
        let fine = if goal.tolerance.is_some() { near } else { part(finest).min(near) };
        let (within, strength) = strength(pulls, goal.pull);
        let weight = strength / if task.is_in_metres() { self.unit } else { 1.0 };
        let within = if matches!(task.part, GoalPart::Up { .. }) { Rank::Yields } else { within };
        let asked = RowsFor::Goal(task.clone());
        self.add(asked, (goal.priority, within), rank, weight, (near * strength, fine * strength));
    }

    fn add(&mut self, asked: RowsFor, level: (u8, Rank), rank: usize, weight: f64, (tolerance, fine): (f64, f64)) {
        if weight > 0.0 && weight.is_finite() {
            self.blocks.push(Block { asked, level, rank, rows: 0..0, weight, tolerance, fine, used: 0..0 });
        }
    }

    fn number_rows(&mut self, solver: &Jacobian) {
        self.levels.clear();
        self.rows = 0;
        self.shared = self.blocks.iter().any(|block| block.level.1 == Rank::Follows);
        let mut level = None;
        for block in &mut self.blocks {
            let height = block.task(solver).rows();
            block.rows = self.rows..self.rows + height;
            self.rows += height;
            if level == Some(block.level) {
                if let Some(last) = self.levels.last_mut() {
                    last.end = self.rows;
                }
            } else {
                self.levels.push(block.rows.clone());
                level = Some(block.level);
            }
        }
    }

    /// Marks the joints that may move and lists their freedoms and motions, depth first.
    pub(super) fn list_movers(&mut self, solver: &Jacobian, skeleton: &Skeleton, pose: &Pose, work: &Workspace) {
        self.marks.clear();
        self.marks.resize(skeleton.len(), false);
        for joint in skeleton.iter().filter(|&joint| solver.may_move(joint)) {
            let used = |rank: usize| self.may_use(solver, skeleton, work, rank, joint);
            self.marks[joint.index()] = (0..self.blocks.len()).any(used);
        }
        self.movers.clear();
        self.motions.clear();
        (self.freedoms, self.limited) = (0, 0);
        for joint in skeleton.iter() {
            if self.marks[joint.index()] {
                self.add_mover(skeleton, pose, joint);
            }
        }
    }

    fn add_mover(&mut self, skeleton: &Skeleton, pose: &Pose, joint: Joint) {
        let (first, start) = (self.freedoms, self.motions.len());
        let scale = 1.0 / ops::sqrt(skeleton.stiffness(joint));
        let kind = match skeleton.kind(joint) {
            Kind::Fixed => return,
            Kind::Hinge { .. } | Kind::Slide { .. } => {
                let Some(drive) = skeleton.drive(joint) else { return };
                // The first marked joint of a coordinate brings its followers.
                if skeleton.driven(drive.coordinate).any(|other| other < joint && self.marks[other.index()]) {
                    return;
                }
                return self.add_coordinate(skeleton, pose, joint, scale / drive.multiplier.abs());
            }
            Kind::Ball(limit) => {
                let held = (limit != BallLimit::Free).then_some(self.limited);
                self.limited += usize::from(held.is_some());
                MoverKind::Ball { axes: DMat3::IDENTITY, held, scale }
            }
            Kind::Free => MoverKind::Free { scale, shift: scale * self.unit },
        };
        motions_of(skeleton, pose, joint, &mut self.motions);
        for (place, motion) in self.motions[start..].iter_mut().enumerate() {
            motion.freedom = first + place;
            motion.factor = scale;
        }
        let mut kind = kind;
        if let MoverKind::Free { shift, .. } = &mut kind {
            let size = self.motions[start + 3].shift_size();
            *shift = if size > 0.0 { *shift / size } else { 0.0 };
            self.motions[start + 3..].iter_mut().for_each(|motion| motion.factor = *shift);
        }
        self.freedoms += self.motions.len() - start;
        self.movers.push(Mover { joint, kind, first });
    }

    fn add_coordinate(&mut self, skeleton: &Skeleton, pose: &Pose, joint: Joint, scale: f64) {
        let Some(drive) = skeleton.drive(joint) else { return };
        let start = self.motions.len();
        for driven in skeleton.driven(drive.coordinate) {
            let multiplier = skeleton.drive(driven).map_or(0.0, |drive| drive.multiplier);
            motions_of(skeleton, pose, driven, &mut self.motions);
            if let Some(motion) = self.motions.last_mut() {
                (motion.freedom, motion.factor) = (self.freedoms, multiplier);
            }
        }
        let size = match skeleton.kind(joint) {
            // Slides move by lengths of the chain.
            Kind::Slide { .. } => self.motions[start..].iter().find(|m| m.joint() == joint).map_or(1.0, |motion| {
                let size = motion.shift_size();
                if size > 0.0 { self.unit / size } else { 1.0 }
            }),
            _ => 1.0,
        };
        let scale = scale * size;
        self.motions[start..].iter_mut().for_each(|motion| motion.factor *= scale);
        let range = skeleton.coordinates()[drive.coordinate].range;
        let turns = skeleton.kind(joint).turns();
        let kind = MoverKind::Coordinate { index: drive.coordinate, range, scale, turns };
        self.movers.push(Mover { joint, kind, first: self.freedoms });
        self.freedoms += 1;
    }

    /// Lists each block's motions.
    fn list_used(&mut self, solver: &Jacobian, skeleton: &Skeleton, work: &Workspace) {
        self.used.clear();
        for rank in 0..self.blocks.len() {
            let (start, mut place) = (self.used.len(), 0);
            for mover in 0..self.movers.len() {
                let Mover { joint, kind, .. } = self.movers[mover];
                let freedoms = self.movers[mover].freedoms();
                // A coordinate is used as a whole where one of its joints is.
                let used = match kind {
                    MoverKind::Coordinate { index, .. } => {
                        skeleton.driven(index).any(|joint| self.may_use(solver, skeleton, work, rank, joint))
                    }
                    _ => self.may_use(solver, skeleton, work, rank, joint),
                };
                while let Some(motion) = self.motions.get(place).filter(|motion| freedoms.contains(&motion.freedom)) {
                    if used {
                        self.used.push(place as u32);
                    } else {
                        self.blocks[rank].follows(skeleton, motion.joint());
                    }
                    place += 1;
                }
            }
            self.blocks[rank].used = start..self.used.len();
        }
    }

    /// Lists the rows that each freedom reaches.
    fn list_spans(&mut self) {
        self.spans.clear();
        self.spans.resize(self.freedoms, 0..0);
        for block in &self.blocks {
            for &at in &self.used[block.used.clone()] {
                let span = &mut self.spans[self.motions[at as usize].freedom];
                let first = if span.start == span.end { block.rows.start } else { span.start.min(block.rows.start) };
                *span = first..span.end.max(block.rows.end);
            }
        }
    }

    /// Whether all rows count alike, and every joint that moves one moves for it.
    pub(super) fn is_one_level(&self) -> bool {
        self.levels.len() == 1 && !self.shared
    }

    /// Freedoms of the uppermost movers, as many as a direction has.
    pub(super) fn upper_freedoms(&self) -> usize {
        let below = self.movers.iter().map(|mover| mover.first).find(|&first| first >= 2);
        below.unwrap_or(self.freedoms)
    }

    /// The mover that has a freedom.
    pub(super) fn mover_of(&self, freedom: usize) -> Option<usize> {
        self.movers.partition_point(|mover| mover.first <= freedom).checked_sub(1)
    }

    /// Whether a block may move a joint: not where another goal owns it.
    fn may_use(&self, solver: &Jacobian, skeleton: &Skeleton, work: &Workspace, rank: usize, joint: Joint) -> bool {
        let block = &self.blocks[rank];
        let owned = match &block.asked {
            RowsFor::Goal(task) => work.is_owned(skeleton, joint, task.goal.joint),
            RowsFor::Task(_) => false,
        };
        solver.may_move(joint) && block.task(solver).uses(skeleton, joint) && !owned
    }

    /// Places of the blocks that a mover moves for.
    pub(super) fn users(&self, mover: &Mover) -> impl Iterator<Item = usize> {
        let freedoms = mover.freedoms();
        let moves = move |&at: &u32| freedoms.contains(&self.motions[at as usize].freedom);
        (0..self.blocks.len()).filter(move |&place| self.used[self.blocks[place].used.clone()].iter().any(&moves))
    }

    /// Brings all movers inside their limits.
    pub(super) fn begin(&self, skeleton: &Skeleton, pose: &mut Pose) {
        let mut edit = pose.edit(skeleton);
        self.movers.iter().for_each(|mover| mover.begin(skeleton, &mut edit));
    }

    /// Whether a mover moves for a block that is not met, or for none.
    pub(super) fn is_wanted(&self, mover: &Mover, is_met: impl Fn(&Block) -> bool) -> bool {
        let mut users = self.users(mover).peekable();
        users.peek().is_none() || users.any(|place| !is_met(&self.blocks[place]))
    }
}

/// Rank within a priority, and the factor on errors whose squares are to count by their pull; 0 where that is none.
fn strength(pulls: Pulls, pull: f64) -> (Rank, f64) {
    match pull {
        _ if !(pull >= 0.0 && pull.is_finite()) => (Rank::Equal, 0.0),
        _ if pulls.yields(pull) => (Rank::Last, 1.0),
        _ => (Rank::Equal, ops::sqrt(pulls.share(pull))),
    }
}
