//! Laws about doing it again: stillness, no growth, the same bits.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use fastrand::Rng;
use glam::{BVec3, DVec3};

use super::rigs::direction;
use super::{Case, Verdict, ensure, largest_change};
use crate::goal::{Goal, Mask, Pole, Slack, Tolerance};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::Workspace;
use crate::transform::Transform;

/// Threads that solve the same at a time.
#[cfg(feature = "std")]
const THREADS: usize = 3;

/// Frames for which any solved rig must stand still.
const FRAMES: u32 = 20;

/// All that a solve leaves, as text that has every digit: locals, model transforms and coordinates; status, iterations and
/// errors; and of each goal its residual and the joints that block it.
#[derive(Debug)]
struct Left {
    pose: String,
    outcome: String,
    goals: Vec<String>,
}

impl Left {
    fn ensure_same(&self, other: &Self, what: &str) -> Verdict {
        let same =
            |part: &str, a: &str, b: &str| ensure(a == b, || format!("{part} in {what} differs: {a} instead of {b}"));
        same("the outcome", &self.outcome, &other.outcome)?;
        ensure(self.goals.len() == other.goals.len(), || format!("{what} tells of another number of goals"))?;
        self.goals.iter().zip(&other.goals).try_for_each(|(a, b)| same("a goal", a, b))?;
        same("the pose", &self.pose, &other.pose)
    }
}

impl Case<'_> {
    pub(super) fn solving_again_is_still(&self, rng: &mut Rng, seed: u64) -> Verdict {
        let skeleton = &self.rig.skeleton;
        let goals = if rng.bool() { self.any_goals(rng) } else { alloc::vec![self.reachable_goal(rng).0] };
        let (mut pose, _) = self.solved(&goals);
        let mut work = Workspace::default();
        let first = pose.clone();
        let mut walked = 0.0;
        let mut last = first.clone();
        let mut same = 0;
        for _ in 0..if seed.is_multiple_of(50) { self.subject.frames } else { FRAMES } {
            let _ = self.solver.solve(skeleton, &goals, &mut pose, &mut work);
            walked += largest_change(skeleton, &last, &pose);
            same = if have_same_bits(skeleton, &last, &pose) { same + 1 } else { 0 };
            // An answer depends on the goals and the pose given alone (law 10), so this one stays. The first rig of a kind goes on
            // to the last frame, for a workspace that would remember.
            if same == FRAMES && seed > 0 {
                break;
            }
            last.clone_from(&pose);
        }
        ensure(walked < 1e-9, || format!("it moved by {walked} rad, {goals:?}"))
    }

    /// One solve of each kind of goal that may allocate, then more of them from the answers that came before: in reach,
    /// out of reach, half followed.
    pub(super) fn allocates_nothing(&self, rng: &mut Rng) -> Verdict {
        let Some(count) = self.subject.allocations else { return Ok(()) };
        let skeleton = &self.rig.skeleton;
        let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
        let mut seen = Vec::new();
        for frame in 0..12 {
            let goal = if rng.bool() { self.any_goal(rng) } else { self.reachable_goal(rng).0 };
            let goals = [if rng.bool() { goal } else { goal.weight(rng.f64()) }];
            let has_up = goal.target.has_up();
            let kind = (goal.joint, core::mem::discriminant(&goal.target), has_up);
            let allocations = count(&mut || {
                let _ = self.solver.solve(skeleton, &goals, &mut pose, &mut work);
            });
            let is_new = !seen.contains(&kind);
            seen.push(kind);
            ensure(is_new || allocations == 0, || format!("frame {frame} allocates {allocations} times, {goals:?}"))?;
        }
        Ok(())
    }

    pub(super) fn same_bits(&self, rng: &mut Rng) -> Verdict {
        let mut goals: Vec<Goal> = (0..4).map(|_| self.any_goal(rng).pull(rng.f64())).collect();
        goals.extend(self.any_goals(rng).into_iter().skip(1));
        let left = self.left(&goals, &mut Workspace::default());
        left.ensure_same(&self.left(&goals, &mut Workspace::default()), "a second run")?;
        let mut order: Vec<usize> = (0..goals.len()).collect();
        rng.shuffle(&mut order);
        self.left_in(&order, &goals).ensure_same(&left, "another order of goals")?;
        self.any_order_is_the_same(rng)?;
        // A workspace that has seen other work: fewer goals, then more than are asked now.
        let mut work = Workspace::default();
        let _ = self.left(&goals[..1], &mut work);
        self.left(&goals, &mut work).ensure_same(&left, "a used workspace")?;
        let alone = self.left(&goals[..1], &mut Workspace::default());
        self.left(&goals[..1], &mut work).ensure_same(&alone, "a workspace used for more goals")?;
        self.on_threads(&goals).iter().try_for_each(|there| there.ensure_same(&left, "another thread"))
    }

    /// All that a solve from the neutral pose leaves.
    fn left(&self, goals: &[Goal], work: &mut Workspace) -> Left {
        let mut pose = self.rig.skeleton.neutral_pose();
        let outcome = self.solver.solve(&self.rig.skeleton, goals, &mut pose, work);
        let told = |(goal, residual)| format!("{residual:?}, blocked by {:?}", work.blocking(goal).collect::<Vec<_>>());
        let goals = work.residuals().iter().enumerate().map(told).collect();
        Left { pose: format!("{pose:?}"), outcome: format!("{outcome:?}"), goals }
    }

    /// The same with the goals in another order, told in theirs.
    fn left_in(&self, order: &[usize], goals: &[Goal]) -> Left {
        let reordered: Vec<Goal> = order.iter().map(|&place| goals[place]).collect();
        let mut left = self.left(&reordered, &mut Workspace::default());
        let mut told: Vec<_> = order.iter().zip(left.goals).collect();
        told.sort_by_key(|&(place, _)| place);
        left.goals = told.into_iter().map(|(_, goal)| goal).collect();
        left
    }

    /// The same solve on several threads at a time.
    #[cfg(feature = "std")]
    fn on_threads(&self, goals: &[Goal]) -> Vec<Left> {
        let solve = || self.left(goals, &mut Workspace::default());
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(solve)).collect();
            threads.into_iter().map(|thread| thread.join().expect("a solve does not panic")).collect()
        })
    }

    #[cfg(not(feature = "std"))]
    fn on_threads(&self, goals: &[Goal]) -> Vec<Left> {
        [self.left(goals, &mut Workspace::default())].into()
    }

    /// Goals that differ in no more than a pole, a base or what they are measured by, in either order.
    fn any_order_is_the_same(&self, rng: &mut Rng) -> Verdict {
        let rig = self.rig;
        let goal = Goal { pole: None, ..self.any_goal(rng) };
        let alike = [
            goal,
            goal.pole(Pole::Direction(direction(rng))),
            goal.pole(Pole::Direction(direction(rng))),
            goal.pole(direction(rng) * rig.length()),
            goal.pole_of(rig.root, direction(rng) * rig.length()),
            goal.base(rig.root),
            goal.base(rig.mid),
            goal.relative_to(rig.root),
            goal.relative_to(rig.mid),
            goal.tolerance(Tolerance { position: 0.1 * rig.length(), rotation: 0.1 }),
            goal.mask(Mask { position: BVec3::new(true, true, false), ..Mask::default() }),
            goal.slack(Slack { position: DVec3::splat(0.1 * rig.length()), ..Slack::NONE }),
        ];
        for _ in 0..4 {
            let pair = [(); 2].map(|()| alike[rng.u64(0..alike.len() as u64) as usize]);
            // What is alike in all is told apart by its place alone: of two scales the first takes the joints.
            if pair[0] == pair[1] {
                continue;
            }
            let left = self.left(&pair, &mut Workspace::default());
            self.left_in(&[1, 0], &pair).ensure_same(&left, &format!("another order of {pair:?}"))?;
        }
        Ok(())
    }
}

/// Whether two poses are the same, down to the signs of zeros.
fn have_same_bits(skeleton: &Skeleton, a: &Pose, b: &Pose) -> bool {
    let bits = |transform: &Transform| {
        let Transform { translation, rotation, scale } = transform;
        let bits = |v: &DVec3| v.to_array().map(f64::to_bits);
        (bits(translation), rotation.to_array().map(f64::to_bits), bits(scale))
    };
    skeleton.iter().all(|joint| bits(a.local(joint)) == bits(b.local(joint)))
        && a.coordinates().iter().map(|q| q.to_bits()).eq(b.coordinates().iter().map(|q| q.to_bits()))
}
