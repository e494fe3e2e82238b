//! Runners for the problem sets of the comparison with other solvers.
//!
//! A [`problem`] file holds many problems of one kind; a method of [`methods`] prepares each (not
//! timed), solves them all, and its answers go into a [`solution`] file that an independent checker
//! judges. [`timing`] says how long they took; [`compare`] runs every method side by side in one
//! process, peers included, and judges them by a forward kinematics of its own ([`judge`]).
//!
//! Chains and trees are [`bodies`].
//!
//! The program is `sinew-bench COMMAND` ([`commands`]): problem files of limbs, chains and trees, hands, feet and head of whole
//! bodies at once ([`humanoids`]), people recovered from trackers ([`people`]), and arms ([`robots`]). `character-problems`,
//! `body-problems` and `robot-problems` are also programs of their own, for the checkers of `shared/bench`.

/// The guides of `docs/`: their programs compile, and those that need no file run.
#[cfg(doctest)]
mod guides {
    macro_rules! guide {
        ($name:ident, $file:literal) => {
            #[doc = include_str!(concat!("../../../docs/", $file))]
            struct $name;
        };
    }
    guide!(Readme, "../README.md");
    guide!(Solvers, "solvers.md");
    guide!(Characters, "characters.md");
    guide!(Robots, "robots.md");
    guide!(Springs, "springs.md");
    guide!(Clips, "clips.md");
    guide!(Crowds, "crowds.md");
    guide!(Baking, "baking.md");
    guide!(Engine, "engine.md");
    guide!(YourSolver, "your-solver.md");
    guide!(Measured, "measured.md");
}

pub mod answer;
pub mod away;
pub mod bodies;
pub mod chains;
pub mod commands;
pub mod compare;
pub mod elbow_speed;
pub mod humanoids;
pub mod judge;
pub mod jumps;
pub mod limb;
pub mod methods;
pub mod people;
pub mod problem;
pub mod robots;
pub mod runner;
pub mod solution;
pub mod sweeps;
pub mod table;
pub mod timing;
