//! A descent to one level.
//!
//! To several goals nearby the first steps are [even](Run::step_evenly): each is taken as far as it is worth, and none is tried again.
//! So near targets are gone to by near ways. Later steps, and all others, must bring it nearer, else they are tried again with more extra
//! damping: the damping of Levenberg and Marquardt, led by how much of what was expected came true.
//!
//! Where steps are slow the [curvature](Run::is_to_bend) counts, at the price of five steps each; a body that is still far is [given
//! up](Run::gives_up) before that, as long as other starts are left.

use super::descend::{DEAR, FAR_OFF, GAIN, HELD, LONGER, LONGEST, Run};
use super::method::Method;
use super::pass::{Pass, Rest};
use super::score::Score;
use crate::math::ops;
use crate::pose::Pose;

/// Even steps at most, and how near all points must be (lengths of the longest chain) for any. HEURISTIC: of bodies whose hands sway near
/// the pose given nearly all arrive by fewer; far frames cost half as much again by even steps.
const EVEN: usize = 16;
pub(in crate::solve) const NEARBY: f64 = 0.2;
/// Steps in a row that may gain too little.
const IDLE: u32 = 3;
/// Change of the extra damping after steps that help and that do not, and its ends.
const CALMER: f64 = 8.0;
const BOLDER: f64 = 0.2;
const WARIER: f64 = 3.0;
/// Shares of what was expected above and below which the extra damping changes.
const TRUSTED: f64 = 0.7;
const DOUBTED: f64 = 0.3;
const CAUTION: (f64, f64) = (1e-3, 1e8);
/// Growth of the largest turn of a step that could be trusted, after one that could not.
const FARTHER: f64 = 3.0;
/// What is left of the longest turn of a step that did not help.
const SHORTER: f64 = 0.5;
/// Steps after which the curvature counts: goals in reach are met by then. So many freedoms wait one step
/// more, since its system is as large as they are many.
const STRAIGHT: usize = 5;
const PATIENT: usize = 8;
/// Share of the square of what is left that a slow step leaves.
const SLOW: f64 = 0.8;
/// Share of the square of what is left below which a whole step is expected to gain so little that the goals are out of its
/// reach, of one point and of several: then the curvature counts at once.
const HOPELESS: (f64, f64) = (0.02, 0.1);
/// Steps in a row that led astray, after which the curvature counts at once.
const ASTRAY: u32 = 2;
/// Steps after which a body's descent is given up that is [far off](FAR_OFF), and whose limbs can be laid another way.
const SOON: usize = 6;
/// Share of the square of what is left that a step gains which may be the last, and what more must be left to gain for another:
/// less than makes a pass [worth](super::score::Score::is_worth) keeping.
const LITTLE: f64 = 1e-3;
const ENOUGH: f64 = 1e-4;
/// Growth of the square of what is left in a long step along a valley, which the next step may make good.
const DARED: f64 = 4.0;
/// Share of the square of what was left above which a step with the curvature is corrected.
const CORRECTED: f64 = 0.25;
/// Share of the square of what is left above which a step gains too little to go on where all is met.
const QUICKLY: f64 = 0.03;
/// Damping squared of steps to several goals with the curvature, as a share of what the last step gained (the root of its square),
/// and the most of that which counts: what hardly moves the goals does not turn far for them. At the end of reach, where a goal
/// moves by the square of a bend, the curvature along what matters is far more, and along what does not about as much; at a
/// minimum nothing is gained.
const CALM: (f64, f64) = (3e-3, 1e-2);

/// How a descent went so far, and what its next step is to be.
#[derive(Debug)]
struct Course {
    pass: Pass,
    /// Steps made.
    steps: usize,
    /// Those after which it is given up if it is far off; and the square of what is left above which it is given up once it is slow.
    soon: usize,
    dear: f64,
    /// Whether the next one is found, whether it is even, and whether the last one has moved the pose, and so the columns.
    is_found: bool,
    even: bool,
    fresh: bool,
    /// Extra damping, and the largest turn that it may grow to (radians).
    damping: f64,
    widest: f64,
    /// The square of what is left: the least before the last step, and after it; what a whole step promised to take from it.
    least: f64,
    next: f64,
    promised: f64,
    /// What the last step that helped took from it.
    gained: f64,
    /// How many in a row gained too little, and how many led astray.
    idle: u32,
    failed: u32,
    /// The largest turn of a step that has left a valley's floor.
    dared: Option<f64>,
}

impl Course {
    /// Whether the last step gained little.
    fn is_slow(&self) -> bool {
        !self.fresh || self.next > SLOW * self.least
    }
}

impl Run<'_> {
    /// Steps until everything is met or nothing is gained. Every one kept brings the level nearer, but for even ones, and one at a time
    /// that follows a valley off its floor: the next leads back, or both are taken back.
    pub(super) fn descend_strictly(&mut self, pose: &mut Pose, pass: Pass, is_found: bool) {
        let square = self.history.best_score.first_square();
        let lays_limbs = pass.is_brief() && !self.history.limbs.is_empty();
        let even = self.is_even_at_first(pass);
        let mut course = Course {
            pass,
            steps: 0,
            soon: if lays_limbs { SOON } else { usize::MAX },
            dear: if pass.is_brief() && !even { DEAR } else { f64::INFINITY },
            is_found,
            even,
            fresh: true,
            damping: 1.0,
            widest: LONGEST.0,
            least: square,
            next: square,
            promised: f64::INFINITY,
            gained: square,
            idle: 0,
            failed: 0,
            dared: None,
        };
        while self.has_steps()
            && course.idle < IDLE
            && !self.is_settled(course.next, course.least)
            && course.damping <= CAUTION.1
        {
            if self.gives_up(&mut course, pose) {
                break;
            }
            self.left -= 1;
            course.steps += 1;
            let bends = self.is_to_bend(&course);
            course.even &= course.steps <= EVEN && !bends;
            if bends {
                self.bend(true);
                course.fresh = true;
            }
            let goes_on =
                if course.even { self.step_evenly(&mut course, pose) } else { self.step_strictly(&mut course, pose) };
            if !goes_on {
                break;
            }
        }
        core::mem::swap(&mut self.history.best, pose);
    }

    /// Whether a descent begins with even steps: the default method's to several goals nearby, before the curvature counts.
    fn is_even_at_first(&self, pass: Pass) -> bool {
        matches!(pass, Pass::First | Pass::On)
            && self.plan.has_several()
            && self.solver.method == Method::LevenbergMarquardt
            && self.system.curvature.is_none()
            && self.is_near(NEARBY)
    }

    /// Whether everything is met, and finely where steps gain digits quickly, as the last one did, by the square of what is left after it
    /// and before.
    pub(super) fn is_settled(&self, after: f64, before: f64) -> bool {
        self.is_done() && (after > QUICKLY * before || self.history.now.is_fine())
    }

    /// Whether a descent is far off by now, or so slow that only the curvature helps, while other starts are left; and what lengths show to
    /// be out of reach is not why.
    fn gives_up(&self, course: &mut Course, pose: &Pose) -> bool {
        let left = self.history.best_score.first_square();
        let lost = course.steps >= course.soon && left > FAR_OFF;
        let slow = left > course.dear && self.is_to_bend(course);
        if !(lost || slow) {
            return false;
        }
        let beyond = self.is_beyond(pose);
        if beyond {
            (course.soon, course.dear) = (usize::MAX, f64::INFINITY);
        }
        !beyond
    }

    /// Whether steps are so slow that they begin to count with the curvature.
    fn is_to_bend(&self, course: &Course) -> bool {
        let late = course.steps >= STRAIGHT + self.plan.freedoms / PATIENT;
        let lost = if self.plan.has_several() { HOPELESS.1 } else { HOPELESS.0 };
        let hopeless = course.promised < lost * course.least;
        course.is_slow() && (late || hopeless || course.failed >= ASTRAY) && self.system.curvature.is_none()
    }

    /// A step that is taken as far as it is worth. `false` where nothing would move.
    fn step_evenly(&mut self, course: &mut Course, pose: &mut Pose) -> bool {
        if !core::mem::take(&mut course.is_found) {
            self.derive(pose);
            self.system.evenly = true;
            self.find_step(pose, 1.0, usize::MAX);
            self.system.evenly = false;
        }
        if !self.take_as_worth(pose) {
            return false;
        }
        self.look_back(course);
        course.fresh = true;
        course.gained = (course.least - course.next).max(0.0);
        self.keep_best(pose, GAIN, 0.0);
        true
    }

    /// A step that is taken back where it does not help. `false` where nothing would move, or is left to gain.
    fn step_strictly(&mut self, course: &mut Course, pose: &mut Pose) -> bool {
        let held =
            if course.pass == Pass::Beside && course.steps <= HELD { self.plan.upper_freedoms() } else { usize::MAX };
        if !self.seek(course, pose, held) {
            return false;
        }
        let curved = self.system.curvature.is_some();
        let corrects = curved && self.is_to_be_corrected(course);
        if corrects {
            self.correct(pose, held);
        }
        self.look_back(course);
        let (least, next) = (course.least, course.next);
        if !course.fresh && curved && course.dared.is_none() && next < DARED * least {
            course.dared = Some(self.system.most);
            core::mem::swap(&mut self.history.now, &mut self.history.next);
            course.fresh = true;
            return true;
        }
        if !course.fresh {
            self.take_back(course, pose, corrects);
            return true;
        }
        if course.dared.take().is_none() {
            self.trust(course, (least - next) / self.history.expected);
        }
        course.gained = least - next;
        course.idle = if self.keep_best(pose, GAIN, 0.0) { 0 } else { course.idle + 1 };
        !(curved && self.ends(course, pose, least, held))
    }

    /// Takes the next step; `false` where nothing would move.
    fn seek(&mut self, course: &mut Course, pose: &mut Pose, held: usize) -> bool {
        let is_found = core::mem::take(&mut course.is_found);
        if course.fresh && !is_found {
            self.derive(pose);
        }
        if !is_found {
            self.system.calm =
                if self.plan.has_several() { CALM.0 * ops::sqrt(course.gained).min(CALM.1) } else { 0.0 };
            self.find_step(pose, course.damping, held);
            self.system.calm = 0.0;
        }
        self.take_step(pose)
    }

    /// Whether the last step left a goal at the end of its reach that spoils it: it does most of several goals'; a lone one's are led back
    /// where they cannot be trusted.
    fn is_to_be_corrected(&self, course: &Course) -> bool {
        let [least, next] = self.squares();
        let astray = self.plan.has_several() || least - next < TRUSTED * self.history.expected;
        astray && course.dared.is_none() && next > CORRECTED * least
    }

    /// The square of what is left: the least before the last step, and after it.
    fn squares(&self) -> [f64; 2] {
        [&self.history.best_score, &self.history.next].map(Score::first_square)
    }

    /// Notes how the last step went.
    fn look_back(&self, course: &mut Course) {
        [course.least, course.next] = self.squares();
        course.fresh = course.next < course.least;
        course.failed = if course.fresh { 0 } else { course.failed + 1 };
        course.promised = if self.system.ask == 1.0 { self.history.expected } else { f64::INFINITY };
    }

    /// Goes back to the best pose; the next step is more cautious.
    fn take_back(&mut self, course: &mut Course, pose: &mut Pose, corrected: bool) {
        // After two steps the columns are another pose's.
        course.fresh = course.dared.is_some() || corrected;
        let most = course.dared.take().unwrap_or(self.system.most);
        pose.clone_from(&self.history.best);
        self.history.now.copy(&self.history.best_score);
        self.measure_errors(pose);
        course.damping *= CALMER;
        if self.system.curvature.is_some() {
            self.system.longest = SHORTER * most;
        }
    }

    /// Leads damping and length of the next step by the share of what was expected that came true.
    fn trust(&mut self, course: &mut Course, share: f64) {
        course.damping = more_or_less(course.damping, share);
        self.system.longest *= LONGER;
        if share > TRUSTED {
            self.system.longest = self.system.longest.max(FARTHER * self.system.most);
        }
        course.widest = (course.widest * LONGER).min(LONGEST.1);
        self.system.longest = self.system.longest.min(course.widest);
    }

    /// Whether a step with the curvature was the last: it promised nothing more, or several goals are at their minimum, where the rest of
    /// the way is gone.
    fn ends(&mut self, course: &Course, pose: &mut Pose, least: f64, held: usize) -> bool {
        let ends = course.damping <= 1.0 && self.history.expected < GAIN * least;
        if !(ends || self.plan.has_several() && course.gained < LITTLE * least) {
            return false;
        }
        let rests = self.plan.has_several() && held == usize::MAX && self.system.is_at_rest(ENOUGH);
        self.history.rests = rests.then(|| if self.system.fixed.contains(&true) { Rest::Held } else { Rest::Free });
        if rests {
            self.polish(pose);
        }
        ends || rests
    }
}

/// The extra damping after a step that gained this share of what was expected of it.
pub(super) fn more_or_less(extra_damping: f64, share: f64) -> f64 {
    if share > TRUSTED {
        (extra_damping * BOLDER).max(CAUTION.0)
    } else if share < DOUBTED {
        extra_damping * WARIER
    } else {
        extra_damping
    }
}
