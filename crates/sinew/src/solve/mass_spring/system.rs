//! The bodies' springs and joints and the goals' rows as one system, solved for a step of all bodies at once.
//!
//! Joints are rigid: what a goal pushes with passes them, from the tips to the root, so that in balance nothing
//! is left but turns of springs. The pushes of the last step also stiffen or soften the turns of the arms that they
//! act on, as tension and weight do with a pendulum (the geometric stiffness of structural mechanics): steps
//! then are Newton's.

use alloc::vec::Vec;

use glam::{DMat3, DVec3};

use super::ask::Rows;
use super::body::{MassBody, Shift, TurnKind};
use super::plan::BalancePlan;
use super::row::Row;
use crate::math::arc;
use crate::solve::budget::Budget;
use crate::solve::seen::make_room;
use crate::springs::net::{Attachment, Net, RIGID, stiffness, stiffness_along};

/// Stiffness of what costs nothing, as a share of the stiffest joint's: it keeps the system definite.
const FREE: f64 = 1e-3;

/// Price of putting a variable together, and of a far row's share of one.
const VARIABLE: usize = 120;
const FAR: usize = 12;

/// How a step is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepOptions {
    /// Stiffness of the goals, in stiffnesses of the stiffest joint.
    pub(super) firm: f64,
    /// Whether springs pull, or only resist; and whether ups count.
    pub(super) pulls: bool,
    pub(super) leans: bool,
    /// How much more they resist.
    pub(super) damping: f64,
    /// Whether the last step's pushes count in the stiffness.
    pub(super) curved: bool,
    /// Longest turn of a body on the one above (radians).
    pub(super) longest: f64,
}

/// Locks of a body at most.
pub(super) const LOCKS: usize = 3;

/// The system and what it needs.
#[derive(Debug, Default)]
pub(super) struct System {
    pub(super) net: Net,
    /// The shape it was made for.
    pairs: Vec<(usize, usize)>,
    variables: usize,
    /// Limits that hold, and coordinates that joints share.
    pub(super) locks: Vec<Row>,
    /// The body of each lock.
    pub(super) locked: Vec<usize>,
    pub(super) shared: Vec<Row>,
    /// The push that passes the joint above each body, and the torque by which that turned it in the last step.
    passes: Vec<DVec3>,
    torques: Vec<DVec3>,
    /// How hard each body was pressed against its limit.
    pub(super) pressed: Vec<f64>,
    /// Rates of far rows and what they move.
    rates: Vec<Vec<DVec3>>,
    moved: Vec<Vec<DVec3>>,
}

impl System {
    /// Makes room for a plan; nothing is allocated where it is the last one's shape.
    pub(super) fn fit(&mut self, plan: &BalancePlan) {
        if self.variables != plan.variables || self.pairs != plan.pairs {
            self.net.shape(plan.variables, &plan.pairs);
            self.pairs.clone_from(&plan.pairs);
            self.variables = plan.variables;
        }
    }

    /// Makes room for what a solve of the plan may need.
    pub(super) fn make_room(&mut self, plan: &BalancePlan, fars: usize) {
        let bodies = plan.bodies.len();
        // The last lock of a body may come with all its normals.
        make_room(&mut self.locks, 2 * LOCKS * bodies);
        make_room(&mut self.locked, 2 * LOCKS * bodies);
        make_room(&mut self.shared, bodies);
        for buffer in [&mut self.passes, &mut self.torques] {
            make_room(buffer, bodies);
        }
        make_room(&mut self.pressed, bodies);
        for buffers in [&mut self.rates, &mut self.moved] {
            buffers.resize_with(buffers.len().max(fars), Vec::new);
            for buffer in buffers {
                make_room(buffer, plan.variables);
            }
        }
    }

    /// The joints' share of a coordinate, as rows.
    pub(super) fn share(&mut self, plan: &BalancePlan) {
        self.shared.clear();
        for (place, body) in plan.bodies.iter().enumerate() {
            let Some(driven) = body.driven else { continue };
            let first = plan.bodies[..place].iter().position(|b| b.driven.is_some_and(|d| d.index == driven.index));
            let Some(first) = first else { continue };
            let leader = &plan.bodies[first];
            let by = |body: &MassBody| body.driven.map_or(1.0, |driven| 1.0 / driven.multiplier);
            let row = Row::new(0.0, 1.0);
            let row = grip(plan, &row, first, by(leader));
            self.shared.push(grip(plan, &row, place, -by(body)));
        }
    }

    /// The step, and what is left of the rows in it. `false` where the system has no answer.
    pub(super) fn solve(
        &mut self,
        plan: &BalancePlan,
        rows: &mut Rows,
        options: StepOptions,
        budget: &mut Budget,
    ) -> bool {
        let (whole, answer) = self.net.prices();
        budget.spend((VARIABLE + FAR * rows.fars * rows.fars) * plan.variables + whole + rows.fars * answer);
        self.net.clear();
        let rigid = RIGID * plan.stiffest;
        let goals = options.firm * plan.stiffest;
        if options.curved {
            self.pass(plan, rows, options, |row| row.tension);
            self.bend(plan, rows);
        }
        self.pass(plan, rows, options, |row| row.error * row.stiffness * goals);
        for (place, body) in plan.bodies.iter().enumerate() {
            self.hang(plan, body, self.passes[place], options, rigid);
            let (hold, push) = spring(plan, body, options, rigid);
            // A ball's limit is as round as a ball: what slides along it is turned back by as much as it is pressed.
            let hold = hold + stiffness(self.pressed.get(place).copied().unwrap_or(0.0));
            self.net.tie(body.turned, body.above.map(|above| plan.bodies[above].turned), hold, push);
        }
        let counts = |row: &&Row| options.leans || !row.yields;
        rows.near.iter().filter(counts).for_each(|row| row.add(&mut self.net, &plan.bodies, goals));
        self.locks.iter().chain(&self.shared).for_each(|row| row.add(&mut self.net, &plan.bodies, rigid));
        self.push_far(plan, rows, goals);
        if !self.net.solve() || !self.solve_far(rows, goals) {
            return false;
        }
        self.note_torques(plan, options, rigid);
        let (net, bodies) = (&self.net, &plan.bodies);
        for row in &mut rows.near {
            row.tension = goals * row.stiffness * (row.error - row.change(net, bodies));
        }
        true
    }

    /// What turns each body on the one above, in the step solved.
    fn note_torques(&mut self, plan: &BalancePlan, options: StepOptions, rigid: f64) {
        self.torques.clear();
        self.pressed.clear();
        self.pressed.resize(plan.bodies.len(), 0.0);
        for body in &plan.bodies {
            let above = body.above.map(|above| plan.bodies[above].turned);
            let (hold, push) = spring(plan, body, options, rigid);
            self.torques.push(push - hold * (self.net.step(Some(body.turned)) - self.net.step(above)));
        }
        for (row, &body) in self.locks.iter().zip(&self.locked) {
            let push = rigid * (row.error - row.change(&self.net, &plan.bodies));
            self.torques[body] += row.grips()[0].twist * push;
            if let TurnKind::Ball { .. } = plan.bodies[body].turn {
                self.pressed[body] += push.abs();
            }
        }
    }

    /// What passes each joint upwards: the pushes on all below it.
    fn pass(&mut self, plan: &BalancePlan, rows: &Rows, options: StepOptions, push: impl Fn(&Row) -> f64) {
        self.passes.clear();
        self.passes.resize(plan.bodies.len(), DVec3::ZERO);
        let far = rows.far[..rows.fars].iter().map(|far| (&far.row, &far.grips[..]));
        for (row, grips) in rows.near.iter().map(|row| (row, row.grips())).chain(far) {
            let push = if options.leans || !row.yields { push(row) } else { 0.0 };
            for grip in grips {
                self.passes[grip.body] += grip.push * push;
            }
        }
        for (place, body) in plan.bodies.iter().enumerate().rev() {
            let whole = self.passes[place];
            let spring = body.drawn * if options.pulls { body.shift_stiffness() } else { 0.0 };
            let passed = match body.shift {
                Shift::Held => whole,
                Shift::Along(_) => body.slide().map_or(whole, |(along, _)| arc::reject(whole, along) + spring),
                Shift::Anywhere { .. } => spring,
            };
            self.passes[place] = passed;
            if let Some(above) = body.above {
                self.passes[above] += passed;
            }
        }
    }

    /// The stiffness that pushes give the turns of the arms they act on.
    fn bend(&mut self, plan: &BalancePlan, rows: &Rows) {
        let far = rows.far[..rows.fars].iter().map(|far| (&far.row, &far.grips[..]));
        for (row, grips) in rows.near.iter().map(|row| (row, row.grips())).chain(far) {
            for grip in grips {
                let body = &plan.bodies[grip.body];
                self.net.hold(body.turned, pendulum(grip.push * row.tension, grip.arm), DVec3::ZERO);
            }
        }
        for (body, &passed) in plan.bodies.iter().zip(&self.passes) {
            if let Some(above) = body.above {
                self.net.hold(plan.bodies[above].turned, pendulum(passed, body.arm), DVec3::ZERO);
            }
        }
        for (body, &torque) in plan.bodies.iter().zip(&self.torques) {
            if let Some(above) = body.above {
                self.net.twist(body.turned, plan.bodies[above].turned, torque);
            }
        }
    }

    /// Hangs a body's origin on the one above.
    fn hang(&mut self, plan: &BalancePlan, body: &MassBody, passed: DVec3, options: StepOptions, rigid: f64) {
        let soft = plan.stiffest * FREE;
        let hold = match body.shift {
            Shift::Held => stiffness(rigid),
            Shift::Along(_) => body.slide().map_or(stiffness(rigid), |(along, _)| {
                stiffness_along(along, body.stiffness * (1.0 + options.damping), rigid)
            }),
            Shift::Anywhere { stiffness: own, pulls } => {
                stiffness(if pulls { own } else { soft } * (1.0 + options.damping))
            }
        };
        self.net.attach(&attachment(plan, body), hold, -passed);
    }

    fn push_far(&mut self, plan: &BalancePlan, rows: &Rows, goals: f64) {
        for (place, far) in rows.far[..rows.fars].iter().enumerate() {
            if self.rates.len() == place {
                self.rates.push(Vec::new());
                self.moved.push(Vec::new());
            }
            let rates = &mut self.rates[place];
            rates.clear();
            rates.resize(plan.variables, DVec3::ZERO);
            for (variable, rate) in far.grips.iter().flat_map(|grip| grip.rates(&plan.bodies)).flatten() {
                rates[variable] += rate;
                self.net.push(variable, rate * (goals * far.row.stiffness * far.row.error));
            }
        }
    }

    /// Adds the far rows' stiffness to the answer, one after another (Sherman and Morrison).
    fn solve_far(&mut self, rows: &mut Rows, goals: f64) -> bool {
        let far = &mut rows.far[..rows.fars];
        for (place, far) in far.iter().enumerate() {
            let (before, rest) = self.moved.split_at_mut(place);
            let (moved, rates) = (&mut rest[0], &self.rates[place]);
            moved.clone_from(rates);
            self.net.answer(moved);
            for (known, rates) in before.iter().zip(&self.rates) {
                let share = dot(rates, moved);
                for (moved, &known) in moved.iter_mut().zip(known) {
                    *moved -= known * share;
                }
            }
            let step = self.net.along(rates);
            let soft = 1.0 / (goals * far.row.stiffness) + dot(rates, moved);
            self.net.add(moved, -step / soft);
            // What a later row takes off, for each unit by which it changes this one.
            for moved in moved.iter_mut() {
                *moved /= soft;
            }
        }
        for (far, rates) in far.iter_mut().zip(&self.rates) {
            far.row.tension = goals * far.row.stiffness * (far.row.error - self.net.along(rates));
        }
        far.iter().all(|far| far.row.tension.is_finite())
    }
}

/// How a body's turn is tied to that of the one above, and pushed.
fn spring(plan: &BalancePlan, body: &MassBody, options: StepOptions, rigid: f64) -> (DMat3, DVec3) {
    let free = body.is_carried_freely();
    let own = if free { plan.stiffest * FREE } else { body.stiffness };
    let resists = own * (1.0 + options.damping);
    let hold = match (body.turn, body.axis()) {
        (TurnKind::About(_), Some(axis)) => stiffness_along(axis, resists, rigid),
        // The angle grows less, the larger it is, with turns across its axis.
        (TurnKind::Ball { .. }, _) if body.axial.is_some() => match arc::unit(body.bent).filter(|_| options.curved) {
            Some(axis) => stiffness_along(axis, resists, resists - own * (1.0 - body.across)),
            None => stiffness(resists),
        },
        _ => stiffness(rigid),
    };
    (hold, if options.pulls && !free { body.bent * -own } else { DVec3::ZERO })
}

/// The joint that holds a body's origin.
pub(super) fn attachment(plan: &BalancePlan, body: &MassBody) -> Attachment {
    let above = body.above.map(|above| &plan.bodies[above]);
    Attachment {
        end: body.place,
        start: above.and_then(|above| above.place),
        turn: above.map(|above| above.turned),
        arm: body.arm,
    }
}

/// A row with a grip on a body's coordinate, by so much.
pub(super) fn grip(plan: &BalancePlan, row: &Row, place: usize, by: f64) -> Row {
    let body = &plan.bodies[place];
    if let Some((along, size)) = body.slide() {
        let way = along * (by / size);
        return row.grip(Some(place), DVec3::ZERO, way, DVec3::ZERO).grip(body.above, body.arm, -way, DVec3::ZERO);
    }
    let way = body.axis().unwrap_or(DVec3::ZERO) * by;
    row.grip(Some(place), DVec3::ZERO, DVec3::ZERO, way).grip(body.above, DVec3::ZERO, DVec3::ZERO, -way)
}

/// The stiffness that a push on the end of an arm gives the arm's turn: a hanging weight's, negative where it stands.
fn pendulum(push: DVec3, arm: DVec3) -> DMat3 {
    let mixed = |k: usize| (push * arm[k] + arm * push[k]) * -0.5;
    stiffness(push.dot(arm)) + DMat3::from_cols(mixed(0), mixed(1), mixed(2))
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
