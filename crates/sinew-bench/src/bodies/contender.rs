//! Ways to solve a body's problems, by the names that the command takes.

use std::fmt;

use anyhow::{Result, bail};
use sinew::glam::DVec3;
use sinew::solve::fabrik;
use sinew::{Auto, Ccd, Fabrik, Goal, Jacobian, MassSpring, Pose, Solver, Start, Workspace};

use super::body::Body;
use super::peers::{KChain, Rebirth, SkellyTree};

/// A solver with the problems of one body.
pub trait Contender: fmt::Debug {
    /// Solves a record, from rest unless the body's records follow one another; sweeps or steps made.
    fn solve(&mut self, record: usize) -> u32;

    /// Where the joints are, in the file's order.
    fn positions(&self) -> Vec<DVec3>;

    /// Back to rest.
    fn reset(&mut self);
}

/// What a run asks of a solver.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Distance that counts as met (metres).
    pub tolerance: f64,
    /// Iterations at most.
    pub iterations: u32,
}

/// Names of methods, ours first; peers are rebirth-ik 0.1.0, skelly 0.4.0 and k 0.32.0.
pub const NAMES: [&str; 10] =
    ["auto", "auto:rest", "fabrik", "fabrik:points", "ccd", "jacobian", "mass-spring", "rebirth-ik", "skelly", "k"];

/// The method of a name; `None` where it does not serve the body's problems.
pub fn contender(name: &str, body: &Body, asked: RunOptions) -> Result<Option<Box<dyn Contender>>> {
    let RunOptions { iterations, .. } = asked;
    let posed = |solver: Box<dyn Solver>| -> Box<dyn Contender> { Box::new(Posed::new(solver, body, asked)) };
    let is_long = body.free_chain && body.joints.len() > 3;
    Ok(match name {
        // On points alone the function under the solver will do, as it does for limbs.
        "auto" if is_long => Some(Box::new(Points::new(body, asked, true))),
        "auto:rest" if is_long => Some(Box::new(Points { warm: false, ..Points::new(body, asked, true) })),
        "auto" => Some(posed(Box::<Auto>::default())),
        "auto:rest" => Some(posed(Box::new(Auto { start: Start::Rest, ..Auto::default() }))),
        "fabrik" => Some(posed(Box::new(Fabrik { iterations, ..Fabrik::default() }))),
        "ccd" => Some(posed(Box::new(Ccd { iterations, ..Ccd::default() }))),
        "jacobian" => Some(posed(Box::new(Jacobian { iterations, ..Jacobian::default() }))),
        "mass-spring" => Some(posed(Box::new(MassSpring { iterations, ..MassSpring::default() }))),
        "fabrik:points" => body.free_chain.then(|| Box::new(Points::new(body, asked, false)) as Box<dyn Contender>),
        "rebirth-ik" => body.free_chain.then(|| Box::new(Rebirth::new(body, asked)) as Box<dyn Contender>),
        "skelly" => body.is_free().then(|| Box::new(SkellyTree::new(body, asked)) as Box<dyn Contender>),
        "k" => KChain::new(body, asked).map(|chain| Box::new(chain) as Box<dyn Contender>),
        _ => bail!("no method for chains and trees is called {name}; there are {}", NAMES.join(", ")),
    })
}

/// One of our solvers on a pose.
#[derive(Debug)]
struct Posed {
    solver: Box<dyn Solver>,
    body: Body,
    goals: Vec<Goal>,
    rest: Pose,
    pose: Pose,
    work: Workspace,
}

impl Posed {
    fn new(solver: Box<dyn Solver>, body: &Body, asked: RunOptions) -> Self {
        let goals = (0..body.count()).flat_map(|record| body.goals(record, asked.tolerance)).collect();
        let rest = body.skeleton.rest_pose();
        Self { solver, body: body.clone(), goals, pose: rest.clone(), rest, work: Workspace::default() }
    }
}

impl Contender for Posed {
    fn solve(&mut self, record: usize) -> u32 {
        if !self.body.warm {
            self.pose.clone_from(&self.rest);
        }
        let each = self.body.tips.len();
        let goals = &self.goals[record * each..][..each];
        self.solver.solve(&self.body.skeleton, goals, &mut self.pose, &mut self.work).iterations
    }

    fn positions(&self) -> Vec<DVec3> {
        self.body.joints.iter().map(|&joint| self.pose.position(joint)).collect()
    }

    fn reset(&mut self) {
        self.pose.clone_from(&self.rest);
    }
}

/// Rest places and bone lengths of a free chain.
pub(super) fn chain(body: &Body) -> (Vec<DVec3>, Vec<f64>) {
    let pose = body.skeleton.rest_pose();
    let places: Vec<DVec3> = body.joints.iter().map(|&joint| pose.position(joint)).collect();
    let lengths = places.windows(2).map(|bone| bone[0].distance(bone[1])).collect();
    (places, lengths)
}

/// The function under our FABRIK, on points alone.
#[derive(Debug)]
struct Points {
    rest: Vec<DVec3>,
    now: Vec<DVec3>,
    lengths: Vec<f64>,
    targets: Vec<DVec3>,
    warm: bool,
    options: fabrik::Options,
}

impl Points {
    fn new(body: &Body, asked: RunOptions, whole: bool) -> Self {
        let (rest, lengths) = chain(body);
        let tolerance = asked.tolerance / lengths.iter().sum::<f64>();
        let options = fabrik::Options { tolerance, whole, ..fabrik::Options::default() };
        Self { now: rest.clone(), rest, lengths, targets: body.targets.clone(), warm: body.warm, options }
    }
}

impl Contender for Points {
    fn solve(&mut self, record: usize) -> u32 {
        if !self.warm {
            self.now.copy_from_slice(&self.rest);
        }
        fabrik::solve_points(&mut self.now, &self.lengths, self.targets[record], &self.options).iterations
    }

    fn positions(&self) -> Vec<DVec3> {
        self.now.clone()
    }

    fn reset(&mut self) {
        self.now.copy_from_slice(&self.rest);
    }
}
