//! Seeds shared out to threads.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sinew::glam::DVec3;
use sinew::{Goal, Joint, Workspace};

use crate::judge::{self, Answer, Broken, Check};
use crate::make::{Problem, SOLVERS, SPRINGS, Swing};
use crate::mood::Mood;
use crate::tally::Tally;
use crate::watch::Watch;

/// What is run for each mood.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) seeds: Range<u64>,
    /// One solver alone, by place.
    pub(crate) only: Option<usize>,
    /// No seed begins later.
    pub(crate) time: Option<Duration>,
    pub(crate) threads: usize,
    /// Whether solves that take too long are found, too.
    pub(crate) slow: bool,
}

impl Run {
    /// Runs the seeds in one mood.
    pub(crate) fn of(&self, mood: &Mood) -> Tally {
        let (watch, next) = (Watch::new(mood.name, self.threads), AtomicU64::new(self.seeds.start));
        let (start, working) = (Instant::now(), AtomicUsize::new(self.threads));
        let work = |thread: usize| {
            let mut tally = Tally::default();
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= self.seeds.end || self.time.is_some_and(|most| start.elapsed() > most) {
                    break;
                }
                self.seed(seed, mood, &mut tally, |now| watch.note(thread, now));
            }
            working.fetch_sub(1, Ordering::Relaxed);
            tally
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads).map(|thread| scope.spawn(move || work(thread))).collect();
            while working.load(Ordering::Relaxed) > 0 {
                std::thread::sleep(Duration::from_millis(20));
                watch.look();
            }
            let mut all = Tally::default();
            for thread in threads {
                all.add(thread.join().expect("panics are caught where solvers run"));
            }
            all
        })
    }

    /// Every solver on the problem of one seed, or springs.
    fn seed(&self, seed: u64, mood: &Mood, tally: &mut Tally, note: impl Fn(Option<(u64, usize)>)) {
        tally.seeds += 1;
        if mood.springs {
            note(Some((seed, SPRINGS)));
            let judged = catch_unwind(|| Swing::of(seed, mood).map(|swing| judge::judge_springs(&swing)));
            note(None);
            tally.refused += u64::from(matches!(judged, Ok(None)));
            return tally.judged(SPRINGS, seed, judged);
        }
        let made = catch_unwind(|| Problem::of(seed, mood));
        let problem = match made {
            Ok(Some(problem)) => problem,
            Ok(None) => {
                tally.refused += 1;
                return;
            }
            Err(_) => {
                tally.broke(0, seed, &Broken { check: Check::Panic, size: 0.0, how: "making the problem" });
                return;
            }
        };
        for solver in (0..SOLVERS.len()).filter(|&solver| self.only.is_none_or(|only| only == solver)) {
            note(Some((seed, solver)));
            let judged = catch_unwind(AssertUnwindSafe(|| {
                problem.solver(seed, solver).map(|made| judge::judge(&problem, &made, seed, self.slow))
            }));
            note(None);
            tally.judged(solver, seed, judged);
        }
    }
}

/// A goal without what it leaves at its default.
fn brief(goal: &Goal) -> String {
    let mut text = format!("goal: joint {}, {:?}", goal.joint.index(), goal.target);
    let mut say = |differs: bool, what: &dyn Fn() -> String| {
        if differs {
            text += ", ";
            text += &what();
        }
    };
    let plain = Goal::position(goal.joint, DVec3::ZERO);
    say(goal.offset != plain.offset, &|| format!("offset {}", goal.offset));
    say(goal.pole.is_some(), &|| format!("pole {:?} of {:?}", goal.pole, goal.pole_relative_to.map(Joint::index)));
    say(goal.swivel.is_some(), &|| format!("{:?}", goal.swivel));
    say(goal.base.is_some(), &|| format!("base {:?}", goal.base.map(Joint::index)));
    say(goal.relative_to.is_some(), &|| format!("relative to {:?}", goal.relative_to.map(Joint::index)));
    say(goal.mask != plain.mask, &|| format!("{:?}", goal.mask));
    say(goal.slack != plain.slack, &|| format!("{:?}", goal.slack));
    say(goal.tolerance.is_some(), &|| format!("{:?}", goal.tolerance));
    say(goal.priority != 0, &|| format!("priority {}", goal.priority));
    say(goal.weight != 1.0, &|| format!("weight {}", goal.weight));
    say(goal.pull != 1.0, &|| format!("pull {}", goal.pull));
    text
}

/// Prints one problem in full: joints, solver, goals with what became of them, and what was broken.
pub(crate) fn tell(seed: u64, mood: &Mood, solver: usize) {
    if mood.springs {
        return tell_springs(seed, mood);
    }
    let Some(problem) = Problem::of(seed, mood) else { return println!("the builder refuses the skeleton") };
    let Some(made) = problem.solver(seed, solver) else { return println!("the solver does not fit the skeleton") };
    let Problem { skeleton, before, goals } = &problem;
    let answer = Answer::of(&problem, &made, goals, before, &mut Workspace::default());
    for joint in skeleton.iter() {
        let parent = skeleton.parent(joint).map_or("none".to_owned(), |parent| parent.index().to_string());
        println!("joint {} below {parent}: {:?}, {:?}", joint.index(), skeleton.kind(joint), skeleton.drive(joint));
        println!("  rest   {:?}\n  before {:?}", skeleton.rest(joint), before.local(joint));
        println!("  after  {:?}", answer.pose.local(joint));
        if skeleton.drive(joint).is_some() {
            println!("  value {} -> {}", before.value(skeleton, joint), answer.pose.value(skeleton, joint));
        }
    }
    println!("{:?}", made.solver);
    for (goal, residual) in goals.iter().zip(&answer.residuals) {
        println!("{}\n  -> {} by {} m", brief(goal), residual.status, residual.position_error());
    }
    println!("{:?}", answer.outcome);
    for broken in judge::judge(&problem, &made, seed, true) {
        println!("broken: {} by {:.3e} {}", broken.check, broken.size, broken.how);
    }
}

/// Prints springs in full.
fn tell_springs(seed: u64, mood: &Mood) {
    let Some(swing) = Swing::of(seed, mood) else { return println!("the builder refuses the skeleton") };
    let skeleton = &swing.skeleton;
    for joint in skeleton.iter() {
        let parent = skeleton.parent(joint).map_or("none".to_owned(), |parent| parent.index().to_string());
        println!("joint {} below {parent}: {:?}, {:?}", joint.index(), skeleton.kind(joint), skeleton.drive(joint));
        println!("  rest   {:?}", skeleton.rest(joint));
    }
    println!("{:#?}\n{:#?}\nscale {}", swing.springs, swing.frames, swing.scale);
    for broken in judge::judge_springs(&swing) {
        println!("broken: {} by {:.3e} {}", broken.check, broken.size, broken.how);
    }
}
