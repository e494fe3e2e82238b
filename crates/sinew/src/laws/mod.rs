//! The law suite: what every solver owes its user, checked on random rigs that are awkward on
//! purpose. A solver of your own runs it with one line:
//!
//! ```
//! use sinew::{TwoBone, laws::{self, Subject}};
//!
//! let mine = Subject::new("mine", &[laws::rigs::free_limb], |skeleton, rig| {
//!     Box::new(TwoBone::new(skeleton, rig.root, rig.mid, rig.tip).expect("the rig's limb"))
//! });
//! mine.check(laws::Law::WeightZeroReturnsThePose, 20);
//! ```
//!
//! A law that a solver is outside of is excused with a reason, which the suite prints. [`Subject::check`] says whether a law
//! was checked.

mod aims;
mod bend;
mod degenerate;
mod goals;
mod met;
mod nearby;
mod repeat;
pub mod rigs;
mod scales;
mod speed;
mod weights;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use fastrand::Rng;

use crate::limit::Range;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::solve::Solver;
use rigs::Rig;

/// The laws. [`Law::NoAllocation`] is checked only where the subject [counts allocations](Subject::allocations).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Law {
    /// 1. Bone lengths hold, unless stretch is asked for.
    LengthsHold,
    /// 2. Every joint that the solver moved ends inside its limits.
    MovedJointsAreAllowed,
    /// 3. A goal made by forward kinematics from an allowed pose is reached.
    ReachableIsReached,
    /// 4. An unreachable goal ends near the optimum, and says so.
    UnreachableIsNearest,
    /// 5. Solving again with the same goals moves nothing.
    SolvingAgainIsStill,
    /// 6. Rigid motion, uniform scale and mirroring move the answer with them.
    MotionCarriesTheAnswer,
    /// 7. Degenerate input gives finite output and a defined status.
    DegenerateIsDefined,
    /// 8. The middle joint moves at most so much faster than the target, unless no allowed pose beside the last one comes near.
    SpeedIsBounded,
    /// 9. No allocation once a workspace has seen this skeleton and this many goals.
    NoAllocation,
    /// 10. Same bits on every run, on every thread, in every workspace and in every order of goals: of all that is left.
    SameBits,
    /// 11. Weight zero returns the pose given, bit for bit, also one outside its limits.
    WeightZeroReturnsThePose,
    /// 11. A small weight moves the pose little, from inside its limits.
    SmallWeightsMoveLittle,
    /// 11. From weight 0 to 1 the pose changes without a jump, from inside its limits.
    WeightIsContinuous,
    /// 12. Joints outside the chains do not move.
    OthersStay,
    /// 13. A pose that meets all goals stays, bit for bit.
    MetMovesNothing,
    /// 14. The weight says how far the target stands from where the goal's point is in the pose given, evenly.
    WeightMovesTheTarget,
    /// 15. A target beside the tip of a bent limb moves its joints little: the pose given is what the answer stays near.
    BendIsKept,
    /// 16. From the same pose, targets that hardly differ have answers that hardly differ, away from borders of no volume.
    NearbyTargetsHaveNearbyAnswers,
}

impl Law {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 18] = [
        Self::LengthsHold,
        Self::MovedJointsAreAllowed,
        Self::ReachableIsReached,
        Self::UnreachableIsNearest,
        Self::SolvingAgainIsStill,
        Self::MotionCarriesTheAnswer,
        Self::DegenerateIsDefined,
        Self::SpeedIsBounded,
        Self::NoAllocation,
        Self::SameBits,
        Self::WeightZeroReturnsThePose,
        Self::SmallWeightsMoveLittle,
        Self::WeightIsContinuous,
        Self::OthersStay,
        Self::MetMovesNothing,
        Self::WeightMovesTheTarget,
        Self::BendIsKept,
        Self::NearbyTargetsHaveNearbyAnswers,
    ];
}

/// What a subject's goals ask of the tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// To be at places.
    Reach,
    /// To point at places and along directions.
    Point,
    /// To be larger or smaller, with all joints from the limb's root to the tip held to [`SIZES`].
    Scale,
}

/// Least and largest scale ratio of a joint, along every axis, for solvers under [`Task::Scale`].
pub const SIZES: Range = Range::new(0.5, 2.0);

/// Whether a law was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Checked {
    /// Checked, and kept on every rig.
    Kept,
    /// Not checked: the subject is [excused](Subject::excused).
    Excused,
    /// Not checked: the subject does not [count allocations](Subject::allocations).
    NotCounted,
}

/// A kind of rig: makes one from random numbers.
pub type MakeRig = fn(&mut Rng) -> Rig;
/// Runs a call and says how often it allocated.
pub type CountAllocations = fn(&mut dyn FnMut()) -> u64;
/// Makes the solver for a rig.
pub type MakeSolver = fn(&Skeleton, &Rig) -> Box<dyn Solver>;

/// A solver under the laws.
#[derive(Debug)]
pub struct Subject {
    /// Printed with every failure.
    pub name: &'static str,
    /// The rigs that are its domain.
    pub rigs: &'static [MakeRig],
    /// How it is made.
    pub solver: MakeSolver,
    /// What it is asked for; [`Task::Reach`] by default.
    pub task: Task,
    /// Laws it is outside of, with the reason.
    pub excused: &'static [(Law, &'static str)],
    /// Share of reachable goals it must reach; 1 by default.
    pub rate: f64,
    /// Largest speed of the middle joint against the target's, at steps of a thousandth of the
    /// limb through full extension; the solver's measured ratio.
    pub speed: f64,
    /// Whether each frame's swivel is passed to the next; then the speed holds through full folding and
    /// across the pole, too.
    pub carries: bool,
    /// How much farther from an unreachable goal it may end than the best of random poses, as a share
    /// (of an aim: in radians); 0 for a closed form.
    pub slack: f64,
    /// How far, in limb lengths (of a limited aim: in radians), a carried problem's answer may lie from the carried answer.
    pub carried: f64,
    /// Divides the number of cases, for what is slow.
    pub thin: u64,
    /// Counts the allocations of a call; without it [`Law::NoAllocation`] is not checked. It is the caller's, since counting takes
    /// the program's own allocator.
    pub allocations: Option<CountAllocations>,
    /// Whether joints that were outside their limits must end inside, too, once they are moved; true by default.
    pub from_outside: bool,
    /// Frames for which every fiftieth solved rig must stand still; 10,000 by default. The others have 20. But for the first rig of
    /// a kind, it is enough that 20 in a row have the same bits.
    pub frames: u32,
}

impl Subject {
    /// A subject that is held to every law.
    pub fn new(name: &'static str, rigs: &'static [MakeRig], solver: MakeSolver) -> Self {
        Self {
            name,
            rigs,
            solver,
            task: Task::Reach,
            excused: &[],
            rate: 1.0,
            speed: 3.0,
            carries: false,
            slack: 0.0,
            carried: 1e-7,
            thin: 1,
            allocations: None,
            from_outside: true,
            frames: 10_000,
        }
    }

    /// Checks one law on so many rigs of each kind. The answer is another than [`Checked::Kept`] where the law was not
    /// checked; the reason is printed, too.
    ///
    /// # Panics
    /// Where the solver breaks the law; the message names the rig's seed.
    pub fn check(&self, law: Law, cases: u64) -> Checked {
        if let Some((_, reason)) = self.excused.iter().find(|(excused, _)| *excused == law) {
            report(&format!("{} is excused from {law:?}: {reason}", self.name));
            return Checked::Excused;
        }
        if law == Law::NoAllocation && self.allocations.is_none() {
            report(&format!("{} is not checked for {law:?}: no counter was given", self.name));
            return Checked::NotCounted;
        }
        let cases = cases.div_ceil(self.thin);
        let mut missed = 0;
        for (kind, make) in self.rigs.iter().enumerate() {
            for seed in 0..cases {
                let mut rng = Rng::with_seed(seed * 1000 + kind as u64);
                let rig = make(&mut rng);
                let solver = (self.solver)(&rig.skeleton, &rig);
                let case = Case { rig: &rig, solver: solver.as_ref(), subject: self };
                match case.verdict(law, &mut rng, seed) {
                    Ok(()) => {}
                    Err(_) if law == Law::ReachableIsReached && self.rate < 1.0 => missed += 1,
                    Err(why) => panic!("{} breaks {law:?} on rig {kind}, seed {seed}: {why}", self.name),
                }
            }
        }
        let tried = cases as f64 * self.rigs.len() as f64;
        let rate = 1.0 - f64::from(missed) / tried.max(1.0);
        assert!(rate >= self.rate, "{} reaches {rate} of reachable goals, not {}", self.name, self.rate);
        Checked::Kept
    }
}

/// One rig with its solver.
struct Case<'a> {
    rig: &'a Rig,
    solver: &'a dyn Solver,
    subject: &'a Subject,
}

type Verdict = Result<(), String>;

impl Case<'_> {
    fn verdict(&self, law: Law, rng: &mut Rng, seed: u64) -> Verdict {
        match law {
            Law::LengthsHold => self.lengths_hold(rng),
            Law::MovedJointsAreAllowed => self.moved_joints_are_allowed(rng),
            Law::ReachableIsReached => self.reachable_is_reached(rng),
            Law::UnreachableIsNearest => self.unreachable_is_nearest(rng),
            Law::SolvingAgainIsStill => self.solving_again_is_still(rng, seed),
            Law::MotionCarriesTheAnswer => self.motion_carries_the_answer(rng),
            Law::DegenerateIsDefined => self.degenerate_is_defined(rng),
            Law::SpeedIsBounded => self.speed_is_bounded(rng),
            Law::NoAllocation => self.allocates_nothing(rng),
            Law::SameBits => self.same_bits(rng),
            Law::WeightZeroReturnsThePose => self.weight_zero_returns_the_pose(rng),
            Law::SmallWeightsMoveLittle => self.small_weights_move_little(rng),
            Law::WeightIsContinuous => self.weight_is_continuous(rng),
            Law::OthersStay => self.others_stay(rng),
            Law::MetMovesNothing => self.met_moves_nothing(rng),
            Law::WeightMovesTheTarget => self.weight_moves_the_target(rng),
            Law::BendIsKept => self.bend_is_kept(rng),
            Law::NearbyTargetsHaveNearbyAnswers => self.nearby_targets_have_nearby_answers(rng),
        }
    }
}

/// `Err` with the message where the condition fails.
fn ensure(condition: bool, message: impl FnOnce() -> String) -> Verdict {
    if condition { Ok(()) } else { Err(message()) }
}

/// Largest angle between two poses' local rotations (radians), chord for angle, or difference of scales.
fn largest_change(skeleton: &Skeleton, a: &Pose, b: &Pose) -> f64 {
    let chord = |joint| {
        let (p, q) = (a.local(joint).rotation, b.local(joint).rotation);
        let difference = if p.dot(q) < 0.0 { p + q } else { p - q };
        let scaled = (a.local(joint).scale - b.local(joint).scale).abs().max_element();
        scaled.max(2.0 * crate::math::ops::sqrt(difference.dot(difference)))
    };
    skeleton.iter().map(chord).fold(0.0, f64::max)
}

#[cfg(feature = "std")]
fn report(text: &str) {
    use std::io::Write as _;
    // Past the capture of passing tests, so that excuses are seen.
    let _ = std::writeln!(std::io::stderr(), "{text}");
}

#[cfg(not(feature = "std"))]
fn report(_text: &str) {}
