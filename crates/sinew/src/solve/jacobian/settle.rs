//! The passes of one solve: from the pose given on, and from other starts that may lead farther, one after another.

use super::active::press_within;
use super::body::{FEW, FIRST};
use super::continuous::{CALM, CLOSE, FINE, SETTLED};
use super::descend::{DEAR, Run};
use super::method::Method;
use super::mover::{Mover, MoverKind};
use super::pass::{Pass, Rest};
use super::perturb::{BEND, perturb};
use super::score::{LEANS, LOWER};
use super::starts;
use super::strict::NEARBY;
use super::valley::{FAR, is_far, turned};
use crate::math::smooth::smooth;
use crate::pose::Pose;
use crate::solve::workspace::Near;

/// Share of the square of what was left that a pose still has which is at rest.
const RESTS: f64 = 0.95;
/// Steps up to which a descent is short, as the first of several solvers is: it does not look for what takes many.
const BRIEF: u32 = 50;
/// Square of what is left (lengths of the chain, or radians) below which a descent that still gains goes on where it is.
const NEAR: f64 = 1e-6;

/// Shares of the square of what is left above and below which a last step is made that a minimum near the pose given leaves. Less is worth
/// no motion: another solve would go on with it.
const STANDS: f64 = 1e-6;
const NEARLY: f64 = 1e-3;
/// Turn (radians) that such a step has at most.
const LITTLE: f64 = 0.01;

/// Turn of a joint (radians) from the pose given from which a descent that looks near goes on to where its steps settle. Up to [`FAR`] it
/// stays where they gain little, between the two it goes part of the way.
const AWAY: f64 = 0.2;

/// Other starts of what limits hold far from its goals, the steps of each, and how many of them may come to the same minimum again before
/// no other is looked for. HEURISTIC: of random rigs out of reach inside limits one descent in six ends at another minimum than the
/// least, with these starts one in a hundred.
const OTHERS: u32 = 12;
const SHORT: u32 = 20;
const AGAIN: u32 = 5;
/// Share of the square of what is left within which two minima are one.
const SAME: f64 = 1e-3;

/// All that may follow a pass, in the order in which they are tried.
const STARTS: [Pass; 6] = [Pass::Middle, Pass::Branches, Pass::Trunk, Pass::On, Pass::Spread, Pass::Beside];

/// What the pose given to the passes is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Given {
    /// One that was solved before, of which only ups are left: it keeps to its valley, so that solving again moves nothing.
    Solved,
    Open,
}

/// How the passes went so far.
#[derive(Debug)]
struct Way {
    /// The last one, and whether it was kept.
    pass: Pass,
    worth: bool,
    /// The minimum at which the pose kept is, where it is at one.
    rest: Option<Rest>,
    given: Given,
    /// Whether a pass led out of the valley of the pose given, and much nearer.
    far: bool,
    /// Other starts made, and how many of them came to the same minimum again.
    spread: u32,
    again: u32,
}

impl Way {
    /// Counts where another start led, by the squares of what is left there and in the pose kept.
    fn count(&mut self, found: f64, kept: f64) {
        if found < kept * (1.0 - SAME) {
            self.again = 0;
        } else if found < kept * (1.0 + SAME) {
            self.again += 1;
        }
    }
}

impl Run<'_> {
    /// Settles in so many steps; in all of them where only what may stay unmet is unsettled. The steps made.
    pub(super) fn settle_within(&mut self, pose: &mut Pose, each: u32) -> u32 {
        self.left = each;
        self.measure(pose);
        let solved = self.history.now.is_enough() && !self.history.now.is_met();
        self.settle(pose, if solved { Given::Solved } else { Given::Open });
        let mut steps = each - self.left;
        let score = &self.history.given_score;
        if self.left == 0 && score.is_enough() && (!score.is_met() || self.system.posture_step.is_some()) {
            self.left = self.all - each;
            steps += self.left;
            self.measure(pose);
            self.settle(pose, Given::Open);
            steps -= self.left;
        }
        steps
    }

    /// Passes until everything is met or no other start is due; a pass that gains too little is taken back. What is left is in
    /// `history.given_score`. What is measured must be the pose.
    fn settle(&mut self, pose: &mut Pose, given: Given) {
        self.bend(false);
        if self.solver.method == Method::Continuous {
            let _ = self.descend_continuously(pose, SETTLED, 0.0);
            return;
        }
        if self.near == Near::Asked {
            return self.stay_near(pose);
        }
        self.history.given_score.copy(&self.history.now);
        let asked = self.history.now.first_square();
        let is_body = self.plan.is_body();
        if is_body {
            self.history.limbs.list(self.plan, self.skeleton);
        }
        let pass = if is_body { Pass::First } else { Pass::On };
        // Many limbs, each by itself, would take that long each.
        let spread = if is_body || self.is_part || self.solver.restarts > 0 { OTHERS } else { 0 };
        let mut way = Way { pass, worth: false, rest: None, given, far: false, spread, again: 0 };
        let (mut next, mut lower) = (Some(pass), if given == Given::Solved { LEANS } else { LOWER });
        while let Some(pass) = next {
            self.history.given.clone_from(pose);
            let is_found = self.set_out(pass, way.spread, pose);
            let left = self.left;
            self.left = match pass {
                Pass::Spread => left.min(SHORT),
                Pass::First if self.is_near(NEARBY) => left.min(FIRST),
                _ if pass.is_brief() => left.min(FEW),
                _ => left,
            };
            let granted = self.left;
            self.descend(pose, pass, is_found);
            // Steps from other starts do not count, as those of restarts do not.
            self.left = if pass == Pass::Spread { left } else { left - (granted - self.left) };
            if pass == Pass::Spread {
                way.count(self.history.best_score.first_square(), self.history.given_score.first_square());
            }
            (way.pass, way.worth) = (pass, self.history.best_score.is_worth(&self.history.given_score, lower));
            lower = LOWER;
            if way.worth {
                self.history.given_score.copy(&self.history.best_score);
            } else {
                core::mem::swap(&mut self.history.given, pose);
            }
            let score = &self.history.given_score;
            if score.is_met() && self.system.posture_step.is_none() || !self.has_steps() {
                return;
            }
            if way.worth || matches!(pass, Pass::First | Pass::On) {
                way.rest = self.history.rests;
            }
            // A pose that was solved before, for targets nearby, stays in its valley.
            let gains = way.worth && score.first_square() < RESTS * asked;
            way.far |= gains && is_far(self.skeleton, &self.history.given, pose);
            next = STARTS.into_iter().find(|&start| self.is_due(start, &way, pose));
            if next == Some(Pass::On) && self.leaves_the_rest(pass) {
                // It has not settled: the steps left count as made.
                self.left = 0;
                return;
            }
            way.spread += u32::from(next == Some(Pass::Spread));
        }
    }

    /// Whether a short descent leaves a body to the solver after it, which costs less: no other start has led near. HEURISTIC: of a human's
    /// frames that come to this, going on reaches three in forty, [`Fabrik`](crate::Fabrik) nearly all.
    fn leaves_the_rest(&self, last: Pass) -> bool {
        last == Pass::Trunk && self.solver.iterations <= BRIEF && self.history.given_score.first_square() > DEAR
    }

    /// Goes by continuous steps alone, and tells whether that leads to a minimum nearby.
    fn stay_near(&mut self, pose: &mut Pose) {
        self.history.first.clone_from(pose);
        self.system.evenly = true;
        let mut is_derived = self.descend_continuously(pose, CALM, CLOSE);
        if !self.history.given_score.is_met() && self.history.given_score.first_square() < CLOSE {
            is_derived = self.close_in(pose);
        }
        let far = smooth(turned(self.skeleton, &self.history.first, pose), (FAR * FAR, AWAY * AWAY));
        if far > 0.0 && !self.history.given_score.is_met() {
            self.settle_in_part(pose, far);
        }
        self.system.evenly = false;
        if self.history.given_score.is_met() || far >= 1.0 || !self.is_minimum(pose, (is_derived && far <= 0.0, true)) {
            return;
        }
        self.near = Near::Rests;
        let left = self.system.left_to_gain();
        if left > STANDS && left < NEARLY {
            self.history.best.clone_from(pose);
            self.history.best_score.copy(&self.history.now);
            // Evenly less of it, the more is left, and the farther it goes: where the second derivative is nearly flat it has no end.
            let share = (1.0 - left / NEARLY) * LITTLE / (LITTLE + self.system.longest_turn(self.plan));
            self.system.step.iter_mut().for_each(|y| *y *= share);
            self.polish(pose);
            core::mem::swap(&mut self.history.best, pose);
            self.history.given_score.copy(&self.history.best_score);
        }
    }

    /// Goes on with the curvature from where goals are nearly met, and evenly where that does not meet them: at the end of a limb's reach
    /// even steps gain little, and so near the curvature leads nowhere else. Whether columns and errors are those of the pose left.
    fn close_in(&mut self, pose: &mut Pose) -> bool {
        self.bend(true);
        self.descend(pose, Pass::On, false);
        self.bend(false);
        self.history.given_score.copy(&self.history.best_score);
        if self.history.given_score.is_met() {
            return false;
        }
        self.measure(pose);
        self.descend_continuously(pose, CALM, 0.0)
    }

    /// Goes this share of the way on to where steps settle.
    fn settle_in_part(&mut self, pose: &mut Pose, share: f64) {
        self.history.winner.clone_from(pose);
        let _ = self.descend_continuously(pose, FINE, 0.0);
        if share >= 1.0 {
            return;
        }
        core::mem::swap(&mut self.history.winner, pose);
        pose.blend(self.skeleton, &self.history.winner, share);
        let mut edit = pose.edit(self.skeleton);
        for mover in &self.plan.movers {
            if let MoverKind::Ball { held: Some(_), .. } = mover.kind {
                let allowed = self.skeleton.nearest_allowed(mover.joint, edit.pose().local(mover.joint), 0.0);
                edit.local(mover.joint, allowed);
            }
        }
        drop(edit);
        self.measure(pose);
        self.history.given_score.copy(&self.history.now);
    }

    /// Brings the pose to where a pass starts; whether the first step from there is found.
    fn set_out(&mut self, pass: Pass, number: u32, pose: &mut Pose) -> bool {
        match pass {
            Pass::First => return self.toward_the_middle(pose),
            Pass::Middle => {
                self.to_the_middle(pose);
                self.turn_to_goals(pose);
                self.lay_limbs(pose);
            }
            Pass::Branches | Pass::Trunk => {
                self.measure(pose);
                self.free_trunk(pass, pose);
                self.lay_limbs(pose);
            }
            Pass::On => {}
            Pass::Spread => {
                self.measure(pose);
                self.hold_met();
                starts::set(self.plan, &self.history.held, self.skeleton, number, pose);
            }
            Pass::Beside => {
                self.derive(pose);
                perturb(self.plan, self.system, self.skeleton, pose, BEND);
            }
        }
        false
    }

    /// Whether a start may lead farther than the pose kept.
    fn is_due(&mut self, start: Pass, way: &Way, pose: &mut Pose) -> bool {
        let stays = !way.far || self.solver.iterations <= BRIEF;
        let held = way.rest != Some(Rest::Free);
        let moves = way.rest.is_none();
        match start {
            Pass::First => false,
            Pass::Middle => {
                let far = way.pass == Pass::First && way.far;
                far && (!moves || self.history.given_score.first_square() > NEAR) && self.has_middle(pose)
            }
            Pass::Branches => moves && way.pass == Pass::Middle && !self.history.limbs.is_empty(),
            Pass::Trunk => moves && way.pass == Pass::Branches,
            Pass::On => moves && (way.worth || matches!(way.pass, Pass::Middle | Pass::Trunk)),
            Pass::Spread => {
                let limited = || self.plan.movers.iter().any(Mover::is_limited);
                held && way.far && way.spread < OTHERS && way.again < AGAIN && self.is_strict() && limited()
            }
            Pass::Beside if way.pass == Pass::Beside && !way.worth || !held => false,
            Pass::Beside if moves => way.given == Given::Open && !self.is_minimum(pose, (false, stays)),
            Pass::Beside => !stays,
        }
    }

    /// Whether no way leads down from beside the pose: every small motion that limits leave makes what is left larger, or keeps
    /// it. Where limits are in the way, a way may lead around them, unless the pose `stays` where it was solved before. If it `is_derived`,
    /// errors and columns are the pose's.
    fn is_minimum(&mut self, pose: &mut Pose, (is_derived, stays): (bool, bool)) -> bool {
        if !is_derived {
            self.measure(pose);
        }
        if !self.is_strict() || self.solver.method != Method::LevenbergMarquardt {
            return false;
        }
        self.bend(true);
        if is_derived {
            self.system.derive_twice(self.plan, pose);
        } else {
            self.derive(pose);
        }
        if self.plan.movers.iter().any(Mover::is_limited) {
            if is_derived {
                self.system.release(self.plan, usize::MAX);
                press_within(self.plan, self.system, (self.skeleton, pose));
            } else {
                self.step_within(pose, 1.0, usize::MAX);
            }
        } else {
            self.system.release(self.plan, usize::MAX);
        }
        self.system.is_convex(stays)
    }
}
