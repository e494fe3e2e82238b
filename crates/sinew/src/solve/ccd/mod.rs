//! Cyclic coordinate descent: one joint at a time takes the turn that is best for all goals below it.
//!
//! **For** chains of hinges and slides, mechanisms, tentacles, and one cheap sweep a frame after a moving target.
//! **Take another** for chains of free balls ([`Fabrik`](crate::Fabrik) is exact there), for tight tolerances with several goals
//! ([`Jacobian`](crate::Jacobian)), and where the turns should be spread evenly: the joints near one end turn most here.
//!
//! # The idea
//!
//! For a joint, every goal is a pair: `e`, where its point is with the joint's own turn left out, and
//! `t`, where it should be, both from the joint's origin in its parent's axes. The sum of
//! `g |R e - t|²` over pairs of weight `g` is least
//! - for a hinge of axis `a` at `atan2(Σ g (a·(e × t)), Σ g (e·t - (a·e)(a·t)))`: assigned, not added;
//! - for a slide at the mean of `a·(t - e)`;
//! - for a ball at the best-fit rotation, for one pair the shortest arc.
//!
//! Orientations are pairs, too: their axes times a length. As the cost is a cosine of the angle, a limit
//! takes the end nearest on the circle. Targets are carried down the tree and points up it, each joint
//! once, so that a sweep is O(n); the inner loop has no trigonometry.
//!
//! Sweeps of a straight chain put all its bends into a few joints. So a chain of at least three balls with a single position
//! first bends as a whole, the more, the more it is stretched.
//!
//! Plain descent slows down near the goal. The last few sweeps show where they lead ([`Ccd::ahead`]), so that a few sweeps
//! do the work of many. Where several goals still gain little, they are approached downhill in short steps. When limits or a
//! straight chain stop it, a fixed list of perturbations is tried ([`Ccd::restarts`]). A single position out of reach is not approached sweep by sweep: the chain is laid straight toward
//! it.
//!
//! # Source
//!
//! Wang & Chen, *A combined optimization method for solving the inverse kinematics problem of mechanical manipulators* (1991);
//! Kenwright, *Inverse kinematics: cyclic coordinate descent* (2012); Wahba, *A least squares estimate of satellite attitude*
//! (1965) for balls; Anderson, *Iterative procedures for nonlinear integral equations* (1965) for the look ahead.
//!
//! # What is here
//!
//! - [`hinge_angle`], [`slide_value`], [`ball_turn`]: the steps, for engines' own skeletons;
//! - [`Ccd`]: the [`Solver`](crate::Solver) on a pose: chains and trees, any number of goals.
//!
//! ```
//! use sinew::{Ccd, Goal, Skeleton, Solver, Status, Workspace, glam::Vec3};
//!
//! let tail = Skeleton::from_lengths(&[0.2; 6])?;
//! let [middle, end] = tail.joints(["joint_3", "joint_6"])?;
//! let (mut pose, mut work) = (tail.rest_pose(), Workspace::default());
//! let goals = [Goal::position(end, Vec3::new(0.5, 0.3, 0.1)), Goal::position(middle, Vec3::new(0.1, 0.4, 0.2))];
//! assert_eq!(Ccd::default().solve(&tail, &goals, &mut pose, &mut work).status, Status::Reached);
//!
//! // From frame to frame one sweep a frame follows a target that moves, here by 0.01.
//! let warm = Ccd { iterations: 1, ..Ccd::default() };
//! let outcome = warm.solve(&tail, &[Goal::position(end, Vec3::new(0.51, 0.3, 0.1))], &mut pose, &mut work);
//! assert!(outcome.position_error < 0.004);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ahead;
mod ball;
mod descent;
mod effector;
mod fit;
mod kernel;
mod part;
mod report;
mod restart;
mod sector;
mod settings;
mod solver;
mod step;
mod straighten;
mod sweep;
mod tree;

pub use kernel::{Pair, ball_turn, hinge_angle, slide_value};
pub use settings::{Balls, Ccd, Order};
